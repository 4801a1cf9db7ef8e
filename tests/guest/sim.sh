# shellcheck shell=sh disable=SC2119
# ahci_fast on the simulated controller, which checks the protocol as it goes:
# one controller after another, by parameters, fio verify on each disk, errors,
# plugging, and a controller that is gone. No breach in any of it.
. /lib.sh

# Is the interrupt the controller's alone?
exclusive=1
sim=/sys/kernel/debug/ahci_sim

count() {
	sed -n "s/^$1 //p" $sim/counts
}

# no_breach WHEN
no_breach() {
	! dmesg | grep BREACH || fail "a breach: $1"
}

# start_sim DISKS PARAMETER...: loads it all and waits for so many disks.
start_sim() {
	disks=$1
	shift
	insmod /ahci_sim.ko "$@" || fail "insmod ahci_sim $*"
	load_ours
	insmod /ahci_sim_glue.ko "exclusive=$exclusive" || fail "insmod ahci_sim_glue"
	wait_disk 30 "$disks"
	scheduler_none
}

stop_sim() {
	unload ahci_sim_glue
	[ "$(count mappings)" = 0 ] || fail "$(count mappings) mappings are left"
	unload_ours
	unload ahci_sim
	no_breach "$1"
}

# What the driver's nets have caught: nothing may fall into them here.
caught() {
	cat /sys/kernel/debug/ahci_fast/*/port*/stats |
		grep -E '^(late_rings|rescues|lost_irqs|bad_prds) ' | sort | uniq -c
}

# verify_all BSRANGE: each disk at the depth the controller has.
verify_all() {
	before=$(caught)
	for disk in $(ata_disks); do
		verify_fio --filename="/dev/$disk" --size=8M --bsrange="$1" --iodepth_batch_submit=8
	done
	[ "$(caught)" = "$before" ] || fail "caught by a net: $(caught | tr '\n' ' ')"
}

# try NAME DISKS BSRANGE PARAMETER...
try() {
	name=$1 disks=$2 range=$3
	shift 3
	start_sim "$disks" "$@"
	verify_all "$range"
	say "$name: $(count commands) commands, $(count rings) doorbells, $(count interrupts) interrupts, $(count breaches) breaches"
	stop_sim "$name"
}

test_kinds() {
	try "a line" 1 512-1m
	exclusive=0
	try "a shared line" 1 4k-64k
	exclusive=1
	try "messages" 1 512-1m edge=1
	try "messages, slow disk" 1 4k-64k edge=1 latency_us=300
	try "three disks, holes in PI" 3 4k-64k pi=0x29 disks=0x29
	try "4Kn" 1 4k-1m sector_size=4096
	try "8 slots" 1 4k-64k cap=0xc5340705
	try "one slot" 1 4k-64k cap=0xc5340005
	try "no NCQ" 1 4k-64k cap=0x85341f05
	try "32-bit DMA" 1 4k-64k cap=0x45341f05
	try "staggered spin-up" 2 4k-64k cap=0xcd341f05 disks=3
	try "32 ports" 4 4k-64k cap=0xc5341f1f pi=0xffffffff disks=0x80010101
	try "AHCI 1.0" 1 4k-64k vs=0x00010000
}

# One sector fails, by the error log the right command, and no other
test_error() {
	# Slow, so that the queue is full when it happens
	start_sim 1 latency_us=300
	verify_fio --size=16M
	echo "bad 0 8192" > $sim/do
	fio --name=errors --filename=/dev/sda --ioengine=libaio --direct=1 --bs=4k --iodepth=32 \
		--thread --eta=never --rw=randread --size=8M --continue_on_error=io \
		--output-format=json --output=/tmp/errors.json > /dev/null 2>&1
	[ "$(sed -n 's/^ *"total_err" : \([0-9]*\),*$/\1/p' /tmp/errors.json)" = 1 ] ||
		fail "errors: $(grep -E 'total_err|first_error' /tmp/errors.json)"
	dmesg | grep -q 'failed command: READ FPDMA QUEUED' || fail "no failed command in the log"
	! dmesg | grep 'hard resetting' || fail "a reset for one bad sector"
	# Again and again, in the middle of batches: what is not rung is forgotten
	fio --name=batches --filename=/dev/sda --ioengine=libaio --direct=1 --bs=4k --iodepth=32 \
		--iodepth_batch_submit=8 --thread --rw=randread --offset=4M --size=128k \
		--time_based --runtime=8 --continue_on_error=io > /dev/null 2>&1
	say "$(dmesg | grep -c 'EH complete') errors handled among batches"
	echo "good 0" > $sim/do
	verify_fio --size=16M
	say "one bad sector: one error, by the error log, without a reset"
	stop_sim "an error"
}

test_plug() {
	start_sim 1 edge=1 latency_us=100
	verify_fio --size=16M --time_based --runtime=20 &
	fio=$!
	sleep 3
	echo "unplug 0" > $sim/do
	sleep 2
	echo "plug 0" > $sim/do
	wait $fio || exit 1
	dmesg | grep -q 'hard resetting link' || fail "nobody noticed"
	verify_fio --size=16M
	say "the link went for 2 s under load, and nothing was lost"
	stop_sim "plugging"
}

test_gone() {
	start_sim 1
	fio --name=gone --filename=/dev/sda --ioengine=libaio --direct=1 --bs=4k --iodepth=32 \
		--thread --rw=randread --time_based --runtime=60 --output=/tmp/gone.out > /dev/null 2>&1 &
	fio=$!
	sleep 2
	echo gone > $sim/do
	wait $fio && fail "fio reads from a controller that is gone"
	say "gone in the middle: $(dmesg | grep -c 'hard resetting') resets, then the disk is off"
	stop_sim "gone"
}

# Some of both, for tests/mutants
test_quick() {
	try "messages, batches among what runs" 1 4k-4k edge=1 latency_us=100
	try "a line, three disks" 3 4k-64k pi=0x29 disks=0x29
	test_error
	test_plug
}

case $1 in
quick) test_quick ;;
kinds) test_kinds ;;
faults)
	test_error
	test_plug
	test_gone
	;;
esac
