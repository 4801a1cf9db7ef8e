#!/bin/bash
# make bench, in short: every row has both drivers' figures, the counts are
# right where they are known, all of it is kept, and a failure is loud.
source "$(dirname "$0")/lib.sh"

# What is checked here are counts; the speed of two processors is of no use.
export BENCH_TURNS=1 BENCH_RUNTIME=0.2 BENCH_RESULTS=$tmp/results GUEST_THREADS=single

# summary FILTER: what jq makes of the last bench's summary.
summary() {
	jq -r "$1" "$dir/summary.json"
}

# true_of FILTER DESCRIPTION
true_of() {
	is "$(summary "$1")" true "$2" || diag "$(summary '.rows')"
}

check_figures() {
	local both='[.rows[] | .stock, .ours]'
	true_of '.rows | length == 9' "$1: nine rows"
	true_of "$both | all(.speed > 0)" "$1: a speed in each, of both drivers"
	true_of "$both | all(.interrupts_per_io > 0)" "$1: interrupts in each"
	true_of "$both | all(.registers_per_io > 0)" "$1: register accesses in each"
	true_of "$both | all(.commands_per_gib >= 32)" "$1: commands in each"
	true_of "$both | all(.insns_driver_per_io > 50)" "$1: instructions of the driver in each"
	true_of "$both | all(.insns_stack_per_io > .insns_driver_per_io + 500)" "$1: and of the modules above"
	true_of '.rows | all(.ours.prds_per_command >= 1 and .stock.prds_per_command == null)' "$1: PRDs of ours"
	true_of '.rows | all(.ratio.median > 0)' "$1: a ratio in each"
	true_of '.limits | .stock.max_sectors_kb > 128 and .ours.max_sectors_kb > 128' \
		"$1: neither driver is held at 128 KiB"
}

# A read on its own costs the stock driver 7 accesses, 8 where it writes PxSERR
# too; a read of 4 KiB is one command.
check_counts() {
	true_of '.rows[0].stock.registers_per_io | . == 7 or . == 8' \
		"$1: 7 or 8 register accesses for a lone read of the stock driver"
	true_of '[.rows[0] | .stock, .ours] | all(.interrupts_per_io > 0.9 and .interrupts_per_io < 1.1)' \
		"$1: one interrupt for a lone read"
	true_of '[.rows[:3][] | .stock, .ours] | all(.commands_per_gib == 262144)' \
		"$1: one command for each read of 4 KiB"
}

# What the README and the design promise of the counts, which hardly vary.
check_promises() {
	true_of '.rows[0].ours | .registers_per_io <= 5.05 and .reads_per_io <= 1.05' \
		"$1: 5 register accesses, one of them a read, for a lone read"
	true_of '.rows[0].ours.insns_driver_per_io <= 220' "$1: 220 instructions at most for a lone read"
	true_of '.rows[1].ours | .registers_per_io - 2 - 3 * .counted_interrupts_per_io < 0.05' \
		"$1: 2 and 3 an interrupt at depth 32"
	true_of '.rows[2].ours | .registers_per_io <= 0.45 and .insns_driver_per_io <= 144' \
		"$1: a batch of 16 shares doorbell and interrupt"
	true_of '.rows[7] | .ours.commands_per_gib < .stock.commands_per_gib / 2' \
		"$1: less than half of the commands for large reads"
}

check_output() {
	local width
	width=$(wc -L < "$dir/table.txt")
	ok "$1: the table fits 100 columns" test "$width" -le 100 || diag "$(< "$dir/table.txt")"
	[[ $output == *"$(< "$dir/table.txt")"* ]]
	result $? "$1: the table is printed"
	ok "$1: progress is shown" grep -q 's left$' "$tmp/progress"
	is "$(jq -s 'map(.fio.jobs | length) | add' "$dir"/timing/turns/*.json)" 18 "$1: fio's JSON is kept"
	is "$(summary .environment.kernel)" "$(basename "$(realpath "$cache/kernel/$1")")" \
		"$1: the environment names the kernel"
}

# refuses SAID ARGUMENT...: the bench does not start, and says why.
refuses() {
	local said=$1 output
	shift
	output=$(timeout 20 "$root/scripts/bench/run" "$@" 2>&1)
	is "$?" 1 "refused: $*"
	is "$output" "run: $said" '... and why'
}

check_refusals() {
	refuses 'no plan none; there are: depth disks huge largest main neighbour scattered size' --plan none
	refuses 'no backend none; there are: null latency throttled' --backend none
	refuses '--plan needs a value (see --help)' --plan
	refuses '--disks needs a value (see --help)' --disks
	refuses '7 is no number of disks (1 to 6)' --disks 7
	refuses 'plan neighbour has a disk of its own: --disks is 5 at most' --plan neighbour --disks 6
	refuses 'unknown option --frobnicate (see --help)' --frobnicate
}

# A plan for several disks; what bench-full makes of its runs, here all the same.
check_plans() {
	local plan dir
	for plan in "$root"/scripts/bench/plans/*.fio; do
		ok "plan ${plan##*/}: fio takes it" env DISK=/dev/null DISKS=2 TIMED=0 RUNTIME=1 \
			fio --parse-only "$plan"
	done
	BENCH_RESULTS=$tmp/two "$root/scripts/bench/run" --plan disks --disks 2 "$1" > /dev/null 2>&1
	is "$?" 0 "$1: a plan with two disks"
	dir=$(echo "$tmp"/two/disks2-*)
	is "$(jq '.rows[0] | .stock, .ours | [.counted[] | .commands == 4096 and .ios == 4096] | all' \
		"$dir/summary.json" | paste -sd ' ')" 'true true' "$1: ... both are read"
}

check_charts() {
	local all=$tmp/all plan
	mkdir "$all"
	for plan in main huge largest scattered depth size neighbour disks{1..6}; do
		ln -s "$dir" "$all/$plan"
	done
	ok 'charts are drawn' "$root/scripts/bench/charts" "$all"
	is "$(grep -l '</svg>' "$all"/*.svg | wc -l)" 3 '... three of them'
	"$root/scripts/bench/goals" "$all" > "$tmp/goals"
	is "$?" 0 'the figures stand beside what is to be reached'
	is "$(wc -l < "$tmp/goals")" 22 '... all of them'
	is "$(grep -c ' null' "$tmp/goals")" 0 '... none is missing'
}

# bench KERNEL: its output is in output, its results in dir.
bench() {
	local status=0
	output=$("$root/scripts/bench/run" "$1" 2> "$tmp/progress") || status=$?
	dir=$(echo "$BENCH_RESULTS/$1"-*)
	return "$status"
}

# The driver is told to leave the disk's port alone.
check_failure() {
	local copy=$tmp/copy
	mkdir "$copy"
	cp -r "$root"/*.[ch] "$root/Kbuild" "$root/scripts" "$copy"
	mkdir "$copy/tests"
	cp -r "$root/tests/guest" "$copy/tests"
	sed -i 's/^load_ours .PARAMETERS$/load_ours mask_port_map=0000:00:1f.2=0x20/' "$copy/scripts/bench/guest.sh"
	BENCH_RESULTS=$tmp/failed "$copy/scripts/bench/run" "$1" > "$tmp/out" 2> "$tmp/err"
	is $? 1 'no disk with ahci_fast: the bench fails'
	is "$(cat "$tmp/out")" '' '... and prints no table'
	ok '... says what failed' grep -q '^FAIL: no disk' "$tmp/err" || diag "$(cat "$tmp/err")"
	ok '... and keeps the logs' test -s "$(echo "$tmp"/failed/*-failed/timing)/console.log"
}

# Cut short, it leaves no process and no file.
check_interrupt() {
	local bench qemu='' own=$tmp/own
	mkdir "$own"
	TMPDIR=$own BENCH_RESULTS=$tmp/cut "$root/scripts/bench/run" "$1" > /dev/null 2>&1 &
	bench=$!
	for ((i = 0; i < 300; i++)); do
		qemu=$(cat "$tmp"/cut/.*/timing/pid 2>/dev/null) && [[ $qemu ]] && break
		sleep 0.1
	done
	kill -TERM "$bench"
	wait "$bench"
	is $? 143 'a bench that is cut short says so'
	ok '... its guest had started' test -n "$qemu"
	ok '... and is gone' test ! -e "/proc/${qemu:-self}"
	is "$(find "$own" "$tmp/cut" -mindepth 1 2>/dev/null)" '' '... no file is left'
}

for kernel in $(kernels); do
	bench "$kernel"
	result $? "$kernel: a short bench" || { diag "$(tail -n 30 "$tmp/progress")"; continue; }
	check_figures "$kernel"
	check_counts "$kernel"
	check_promises "$kernel"
	check_output "$kernel"
done
check_charts
check_plans "$kernel"
check_refusals
check_failure "$kernel"
check_interrupt "$kernel"
done_testing
