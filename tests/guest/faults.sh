# shellcheck shell=dash disable=SC2119
# What goes wrong on demand in the test build: nothing is lost, and each cure
# is the one that is meant. Disk a (00:1f.2 port 0): a raw image. Disk b
# (00:05.0 port 0): a request a second, and sector 8192 cannot be read.
# Argument: msi or intx.
. /lib.sh

faults=/sys/kernel/debug/ahci_fast/faults
a_pci=0000:00:1f.2
b_pci=0000:00:05.0

# counter PCI NAME
counter() {
	sed -n "s/^$2 //p" "/sys/kernel/debug/ahci_fast/$1/port0/stats"
}

# is GOT WANTED WHAT
is() {
	[ "$1" = "$2" ] || fail "$3: $1, not $2"
}

fault() {
	echo "$2" > "$faults/$1"
}

# A disk's commands are given four seconds: more than a slow host stalls for.
hasten() {
	for disk in $(ata_disks); do
		echo 4 > "/sys/block/$disk/device/timeout"
	done
}

# read_blocks DISK FIRST COUNT: of 4 KiB, one after another.
read_blocks() {
	dd if="/dev/$1" of=/dev/null bs=4k skip="$2" count="$3" iflag=direct 2>/tmp/dd.err
}

log_has() {
	dmesg | grep -E "$1"
}

# The log so far is forgotten.
new_log() {
	dmesg -c > /dev/null
}

# No end of a batch comes: the net rings within a moment.
test_end() {
	before=$(counter $a_pci late_rings)
	fault end 20
	read_blocks "$a" 0 20 || fail "reads without an end of batch: $(cat /tmp/dd.err)"
	is "$(cat $faults/end)" 0 'ends of batches left out'
	is $(($(counter $a_pci late_rings) - before)) 20 'commands the net rang'
	is "$(counter $a_pci rescues)" 0 'commands found unrung by their timers'
	! log_has 'exception' || fail 'errors without an end of batch'
}

# The last command of a batch of 8 is answered at once and never issued. The
# others are rung there and then, not by the net: unless the host stalls.
test_answer() {
	for _ in 1 2 3 4 5; do
		before=$(counter $a_pci late_rings)
		fault answer 1
		fio --name=batch --filename="/dev/$a" --rw=randread --bs=4k --iodepth=8 --iodepth_batch_submit=8 \
			--iodepth_batch_complete_min=8 --number_ios=8 --ignore_error=EIO --ioengine=libaio --direct=1 --thread --eta=never \
			--output=/tmp/fio.out || fail "a batch with its last command answered: $(cat /tmp/fio.out)"
		is "$(cat $faults/answer)" 0 'commands answered'
		late=$(($(counter $a_pci late_rings) - before))
		[ $late != 0 ] || return 0
	done
	fail "a batch whose last command was answered waited for the net: $late commands"
}

# A doorbell is not rung at all: the command's timer finds it so.
test_ring() {
	fault ring 2
	read_blocks "$a" 0 1 || fail "a read that was not rung: $(cat /tmp/dd.err)"
	is "$(counter $a_pci rescues)" 1 'commands found unrung by their timers'
	! log_has 'exception' || fail 'an unrung command was taken for a failed one'
}

# start_slowly COMMAND...: one command of disk b is in flight when this returns.
start_slowly() {
	read_blocks "$b" 0 4 || fail "disk b: $(cat /tmp/dd.err)"
	before=$(counter $b_pci commands)
	"$@" &
	slow=$!
	until [ "$(counter $b_pci commands)" -gt "$before" ]; do
		:
	done
}

# An interrupt comes for another command while one, of block 20001, is unrung:
# PxSACT does not know it, but it is not done. It waits for its timer, and the
# host counts how often that block is read.
test_unrung_at_interrupt() {
	start_slowly read_blocks "$b" 9 1
	fault ring 2
	read_blocks "$b" 20001 1 || fail "the unrung command: $(cat /tmp/dd.err)"
	wait $slow || fail 'the command that was rung'
	is "$(counter $b_pci rescues)" 1 'commands found unrung by their timers'
	! log_has 'exception' || fail 'errors after an interrupt with a command unrung'
}

# Another command fails while one, of block 20000, is unrung: both are settled by
# error handling, and no stale slot is rung afterwards: the host counts how often
# that block is read. The failing one comes by SG_IO, or it would be retried and
# fail again beside the other.
test_unrung_at_error() {
	rescues=$(counter $b_pci rescues)
	# READ (10) of sector 8192
	start_slowly sg_raw -r 512 "/dev/$b" 28 00 00 00 20 00 00 00 01 00 > /dev/null 2>&1
	fault ring 2
	read_blocks "$b" 20000 1 || fail "the unrung command: $(cat /tmp/dd.err)"
	! wait $slow || fail 'the bad sector was read'
	is "$(cat $faults/ring)" 0 'doorbells left out'
	is "$(counter $b_pci rescues)" "$rescues" 'rescues, where error handling comes first'
	for n in 2 3 4; do
		read_blocks "$b" $n 1 || fail "a read afterwards: $(cat /tmp/dd.err)"
	done
	log_has 'illegal qc_active' && fail 'a slot was rung that was not active'
	log_has 'exception.*SErr|failed command' > /dev/null || fail 'there was no error handling'
}

# Interrupts are lost: a timer finds the command done, and no reset follows.
# The line repeats what was ignored, so there it takes no timer.
test_irq() {
	new_log
	before=$(counter $a_pci lost_irqs)
	fault irq 1
	read_blocks "$a" 5 1 || fail "a read whose interrupt was lost: $(cat /tmp/dd.err)"
	[ "$line" = intx ] || is $(($(counter $a_pci lost_irqs) - before)) 1 'lost interrupts found'

	verify_fio --filename="/dev/$a" --iodepth=16 --time_based --runtime=20 --verify_backlog=64 &
	load=$!
	for _ in 1 2 3; do
		sleep 1
		fault irq 1
	done
	wait $load || fail 'the load that lost interrupts'
	is "$(cat $faults/irq)" 0 'interrupts left out'
	! log_has 'exception' || fail 'a lost interrupt was taken for a failed command'
	[ "$line" = intx ] || log_has 'interrupt was lost' > /dev/null || fail 'it was not said'
	verify_fio --filename="/dev/$a"
}

# The second of two completions arrives between the clearing of PxIS and the
# reading of PxSACT: one of the two reads takes longer in most pairs, but less
# than the gap.
test_gap() {
	new_log
	before=$(counter $a_pci lost_irqs)
	fault gap_us 3000
	fio --name=pairs --filename="/dev/$a" --rw=randread --bssplit=4k/50:1m/50 --direct=1 \
		--ioengine=libaio --iodepth=2 --iodepth_batch_submit=2 --iodepth_batch_complete_min=2 \
		--number_ios=300 --thread --output=/tmp/fio.out 2>&1 || fail "reads: $(cat /tmp/fio.out)"
	fault gap_us 0
	is $(($(counter $a_pci lost_irqs) - before)) 0 'completions lost in the gap'
	! log_has 'exception' || fail 'a completion was lost'
}

# A command's PRDs fall short: it is not let out.
test_prd() {
	before=$(counter $a_pci bad_prds)
	head -c 4096 /dev/zero | tr '\0' '\245' > /tmp/block
	fault prd 1000
	! dd if=/tmp/block of="/dev/$a" bs=4k seek=77 oflag=direct conv=fsync 2>/tmp/dd.err ||
		fail 'a write whose PRDs fall short succeeded'
	fault prd 0
	[ "$(counter $a_pci bad_prds)" -gt "$before" ] || fail 'it was not counted'
	[ "$(dd if="/dev/$a" bs=4k skip=77 count=1 iflag=direct 2>/dev/null | sha256sum)" != \
		"$(sha256sum < /tmp/block)" ] || fail 'it was carried out'
	verify_fio --filename="/dev/$a"
}

# tables_fail TIMES PRDS TABLES: after so many failures the disk has these.
tables_fail() {
	unbind $a_pci
	fault table "$1"
	bind $a_pci ahci_fast
	wait_disk 30 2
	a=$(device_on $a_pci 0)
	is "$(counter $a_pci max_prds)" "$2" "PRDs after $1 failures"
	is "$(counter $a_pci tables)" "$3" "tables after $1 failures"
	is "$(cat "/sys/block/$a/queue/max_segments")" "$2" "max_segments after $1 failures"
	fault table 0
	verify_fio --filename="/dev/$a" --bs=1m --size=32M --mem=mmapshared
	verify_fio --filename="/dev/$a" --bsrange=512-64k --size=8M
}

# Memory for tables is short, and then there is none.
test_tables() {
	tables_fail 0 1016 32
	tables_fail 1 504 32
	tables_fail 2 248 32
	new_log
	tables_fail 9 "$small_prds" 0
	is "$(cat "/sys/block/$a/device/queue_depth")" 1 'depth without tables'
	log_has 'memory is short.*no queueing' > /dev/null || fail 'it was not said'
	# Looked at once more it stays what the SCSI layer takes it for
	echo '- - -' > "$(echo "/sys/block/$a/device"/../../scsi_host/host*/scan)"
	is "$(counter $a_pci tables)" 0 'tables after a reset'
	is "$(cat "/sys/block/$a/device/queue_depth")" 1 'depth after a reset'
	verify_fio --filename="/dev/$a" --bs=1m --size=32M --mem=mmapshared
	tables_fail 0 1016 32
	is "$(cat "/sys/block/$a/device/queue_depth")" 32 'depth with tables'
}

small_prds=168
line=$1

load_ours
wait_disk 30 2
a=$(device_on $a_pci 0)
b=$(device_on $b_pci 0)
hasten
new_log
for what in end answer ring unrung_at_interrupt unrung_at_error irq gap prd tables; do
	say "$what"
	test_$what
done
unload_ours
