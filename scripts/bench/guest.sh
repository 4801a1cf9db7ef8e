# shellcheck shell=dash disable=SC2119 source-path=SCRIPTDIR/../../tests/guest
# Usage: guest.sh NAME=VALUE...
# The guest's part of the bench: stock and own driver take turns on the same
# disks, each runs all workloads of the plan in its turn. With TIMED=1 each
# workload takes RUNTIME, else it ends when its fixed amount has been moved. Each
# driver has TURNS turns, but when the guest is older than BUDGET seconds it
# stops at LEAST. DISKS, PARAMETERS, MEMORY: see plans/README.
# Prints a line before each turn, and at the end an archive of one JSON file a
# turn between RESULTS-BEGIN and RESULTS-END.
. /lib.sh

for pair in "$@"; do
	export "${pair?}"
done
export PCI=0000:00:1f.2
export STATS=/sys/kernel/debug/ahci_fast/$PCI/port0/stats
results=/tmp/results

# Gives the plan's disks the names it knows them by.
name_disks() {
	DISK=/dev/$(device_on "$PCI" 0)
	rm -rf /tmp/disks
	mkdir /tmp/disks
	# shellcheck disable=SC2153 # an argument
	for n in $(seq 0 $((DISKS - 1))); do
		ln -s "/dev/$(device_on "$PCI" "$n")" "/tmp/disks/disk$n"
	done
	export DISK
	[ -z "$SECOND" ] || find_second
}

# Sets SCAN, where a reset of the second disk is asked for.
find_second() {
	device=/sys/block/$(device_on "$PCI" "$DISKS")/device
	SCAN=$(echo "$device"/../../scsi_host/host*/scan)
	export SCAN
}

# The controller's interrupts go to processor 0, where a plan's job runs. Left
# alone, the two are together in some turns and apart in others, and the speeds
# differ by a factor of three, which no number of turns makes even.
place_interrupts() {
	for irq in "/sys/bus/pci/devices/$PCI/msi_irqs"/*; do
		echo 1 > "/proc/irq/${irq##*/}/smp_affinity"
	done
}

# Binds the controller to driver $1.
take_turn() {
	bind "$PCI" "$1"
	place_interrupts
	wait_disk 60 $((DISKS + ${SECOND:-0}))
	scheduler_none
	name_disks
}

# Each turn in a fresh folder: fio leaves what edge.sh prints in files of its
# working folder. JSON goes to standard output only, fio's chatter with it.
run_workloads() {
	rm -rf /tmp/turn
	mkdir /tmp/turn
	cd /tmp/turn || fail "no folder for the turn"
	fio --eta=never --output-format=json --output=fio.out /workloads.fio 2> fio.err ||
		fail "fio on $1: $(cat fio.err fio.out)"
}

# Several jobs would each run fio's commands for before and after. A plan for
# them has none and a single workload, and fio as a whole is what they stand
# around.
run_parallel() {
	name=$(workloads)
	sh /edge.sh begin > /tmp/edge
	run_workloads "$1"
	mv /tmp/edge "$name.prerun.txt"
	sh /edge.sh end > "$name.postrun.txt"
}

# Prints the names of the workloads, in order.
workloads() {
	sed -n 's/^\[\(.*\)\]$/\1/p' /workloads.fio | grep -vx global
}

# difference FIELD: prints of each workload how far that number of edge.sh's
# went, with commas between.
difference() {
	for name in $(workloads); do
		echo $(($(cut -d ' ' -f "$1" "$name.postrun.txt") - $(cut -d ' ' -f "$1" "$name.prerun.txt")))
	done | paste -sd ,
}

# Prints FILES as JSON members: their names and what is in them, as text.
members() {
	for file in "$@"; do
		[ ! -r "$file" ] || printf '"%s":"%s"\n' "${file##*/}" "$(tr -d '"\\\n' < "$file")"
	done | paste -sd ,
}

# print_turn DRIVER TURN
print_turn() {
	queue=/sys/block/${DISK#/dev/}/queue
	cat <<- END
		{"driver": "$1", "turn": $2,
		"limits": {$(members "$queue"/max_sectors_kb "$queue"/max_hw_sectors_kb "$queue"/max_segments "$queue"/max_segment_size)},
		"parameters": {$(members /sys/module/"$1"/parameters/*)},
		"interrupts": [$(difference 1)],
		"prds": [$(difference 2)],
		"prd_commands": [$(difference 3)],
		"fio":
	END
	grep -v ' : Saving output of ' fio.out
	echo '}'
}

# out_of_time TURN: there was enough before this turn, and it is late.
out_of_time() {
	[ "$1" -gt "$LEAST" ] && [ "$(cut -d . -f 1 /proc/uptime)" -ge "$BUDGET" ]
}

measure() {
	for turn in $(seq "$TURNS"); do
		! out_of_time "$turn" || break
		for driver in ahci ahci_fast; do
			step=$((${step:-0} + 1))
			echo "STEP $step $((TURNS * 2)) $driver"
			take_turn "$driver"
			[ -z "$MARK_TTY" ] || echo "TURN $turn $driver" > "$MARK_TTY"
			"$run" "$driver"
			print_turn "$driver" "$turn" > "$results/turn-$turn-$driver.json"
		done
	done
}

# Text, because a console is the only way out, and packed, because it is slow.
# A kernel message would tear it.
print_results() {
	dmesg -n 1
	echo RESULTS-BEGIN
	tar -cz -C "$results" . | base64
	echo RESULTS-END
}

# Tells whoever counts where each module lies.
name_modules() {
	[ -z "$MARK_TTY" ] ||
		awk '{ print "MODULE", $1, $6 }' /proc/modules > "$MARK_TTY"
}

prepare_memory() {
	case $MEMORY in
	huge) echo $((DISKS * 32)) > /proc/sys/vm/nr_hugepages ;;
	scattered)
		echo never > /sys/kernel/mm/transparent_hugepage/enabled
		/scatter || fail 'memory is not scattered' ;;
	esac
}

mkdir "$results"
run=run_workloads
grep -q '^exec_prerun' /workloads.fio || run=run_parallel
[ -z "$SECOND" ] || dmesg -n 1
prepare_memory
load_stock
# shellcheck disable=SC2086 # one word a parameter
load_ours $PARAMETERS
name_modules
measure
print_results
