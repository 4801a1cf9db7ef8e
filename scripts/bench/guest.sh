# shellcheck shell=dash disable=SC2119 source-path=SCRIPTDIR/../../tests/guest
# Usage: guest.sh TIMED TURNS RUNTIME LEAST BUDGET
# The guest's part of the bench: stock and own driver take turns on the same
# disk, each runs all workloads in its turn. With TIMED=1 each workload takes
# RUNTIME, else it ends when its fixed amount has been moved. Each driver has
# TURNS turns, but when the guest is older than BUDGET seconds it stops at LEAST.
# Prints a line before each turn, and at the end an archive of one JSON file a
# turn between RESULTS-BEGIN and RESULTS-END.
. /lib.sh

turns=$2
least=$4
budget=$5
export TIMED="$1" RUNTIME="$3" PCI=0000:00:1f.2
results=/tmp/results

# Binds the controller to driver $1 and sets DISK.
take_turn() {
	bind "$PCI" "$1"
	wait_disk
	scheduler_none
	disk=$(disk_of "$PCI")
	export DISK="/dev/$disk"
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

# Prints the names of the workloads, in order.
workloads() {
	sed -n 's/^\[\(.*\)\]$/\1/p' /workloads.fio | grep -vx global
}

# Prints the interrupts of each workload, with commas between.
interrupts() {
	for name in $(workloads); do
		echo $(($(cat "$name.postrun.txt") - $(cat "$name.prerun.txt")))
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
	queue=/sys/block/$disk/queue
	cat <<- END
		{"driver": "$1", "turn": $2,
		"limits": {$(members "$queue"/max_sectors_kb "$queue"/max_hw_sectors_kb "$queue"/max_segments "$queue"/max_segment_size)},
		"parameters": {$(members /sys/module/"$1"/parameters/*)},
		"interrupts": [$(interrupts)],
		"fio":
	END
	grep -v ' : Saving output of ' fio.out
	echo '}'
}

# out_of_time TURN: there was enough before this turn, and it is late.
out_of_time() {
	[ "$1" -gt "$least" ] && [ "$(cut -d . -f 1 /proc/uptime)" -ge "$budget" ]
}

measure() {
	for turn in $(seq "$turns"); do
		! out_of_time "$turn" || break
		for driver in ahci ahci_fast; do
			step=$((${step:-0} + 1))
			echo "STEP $step $((turns * 2)) $driver"
			take_turn "$driver"
			[ -z "$MARK_TTY" ] || echo "TURN $turn $driver" > "$MARK_TTY"
			run_workloads "$driver"
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

mkdir "$results"
load_stock
load_ours
name_modules
measure
print_results
