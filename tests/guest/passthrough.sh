# shellcheck shell=sh disable=SC2119
# SG_IO passthrough and the SCSI commands libata translates, idle and under
# load: each ends, in time and with the right answer.
. /lib.sh

# within SECONDS COMMAND...: it ends in time and well.
within() {
	limit=$1
	shift
	timeout "$limit" "$@" > /tmp/within.out 2>&1 ||
		fail "$* (status $?): $(cat /tmp/within.out)"
}

check_identify() {
	within 5 hdparm -I /dev/sda
	grep -q 'Model Number: *QEMU HARDDISK' /tmp/within.out ||
		fail "hdparm -I: $(cat /tmp/within.out)"
	within 5 sg_sat_identify /dev/sda
	within 5 sg_inq /dev/sda
	grep -q 'QEMU HARDDISK' /tmp/within.out || fail "sg_inq: $(cat /tmp/within.out)"
	within 5 sg_vpd -p ai /dev/sda
	within 5 sg_readcap -l /dev/sda
	grep -q 'Device size: 67108864 bytes' /tmp/within.out || fail "capacity"
}

# SMART, flush, power mode: PIO, no-data and DMA commands through ATA_16
check_commands() {
	smartctl -H /dev/sda > /tmp/smart || true
	grep -q PASSED /tmp/smart || fail "smartctl: $(cat /tmp/smart)"
	within 5 smartctl -A /dev/sda
	within 5 hdparm -C /dev/sda
	grep -q 'active/idle' /tmp/within.out || fail "hdparm -C: $(cat /tmp/within.out)"
	within 5 sg_sync /dev/sda
	within 5 sg_turs /dev/sda
	within 5 sg_verify --lba=0 --count=8 /dev/sda
}

# READ(10) of one block: the buffer fits, is too long, is too short. The short
# one is refused before it reaches the controller.
check_buffer_lengths() {
	dd if=/dev/urandom of=/dev/sda bs=4k count=1 conv=fsync 2>/dev/null
	sg_raw -r 512 -o /tmp/one /dev/sda 28 0 0 0 0 0 0 0 1 0 2>/tmp/raw || fail "read: $(cat /tmp/raw)"
	dd if=/dev/sda of=/tmp/want bs=512 count=1 iflag=direct 2>/dev/null
	cmp /tmp/one /tmp/want || fail "READ(10) by SG_IO differs"

	sg_raw -r 4096 -o /tmp/long /dev/sda 28 0 0 0 0 0 0 0 1 0 2>/dev/null
	head -c 512 /tmp/long | cmp - /tmp/want || fail "a long buffer: wrong data"

	! sg_raw -r 512 -o /tmp/short /dev/sda 28 0 0 0 0 0 0 0 8 0 2>/dev/null ||
		fail "8 blocks were read into 512 bytes"
	within 30 dd if=/dev/sda of=/tmp/after bs=512 count=1 iflag=direct
	cmp /tmp/after /tmp/want || fail "after the refused command: wrong data"
}

# A command the device aborts comes back with its sense, and nothing breaks.
check_aborted_command() {
	! sg_raw -r 512 /dev/sda 85 08 0e 00 00 00 01 00 00 00 00 00 00 40 ff 00 2>/tmp/raw ||
		fail "command FFh succeeded"
	grep -qi 'aborted\|sense' /tmp/raw || fail "no sense: $(cat /tmp/raw)"
}

start_load() {
	fio --name=load --filename=/dev/sda --rw=randread --bs=4k --iodepth=32 \
		--iodepth_batch_submit=16 --ioengine=libaio --direct=1 --thread \
		--time_based --runtime=600 --eta=never > /tmp/load.out 2>&1 &
	load=$!
	sleep 2
}

stop_load() {
	kill -0 "$load" || fail "the load ended by itself: $(cat /tmp/load.out)"
	kill -INT "$load"
	wait "$load"
	grep -q 'err= 0' /tmp/load.out || fail "the load saw errors: $(cat /tmp/load.out)"
}

# Non-NCQ commands wait until the queue is empty, and must get their turn.
# Only commands that QEMU's disk knows: after one that it aborts, QEMU reports
# the next NCQ command as failed, to any driver.
check_under_load() {
	dmesg -c > /dev/null
	start_load
	for _ in 1 2 3 4 5; do
		within 5 sg_sat_identify /dev/sda
		within 5 hdparm -C /dev/sda
		within 5 sg_raw -r 512 /dev/sda 85 08 0e 00 d0 00 01 00 00 00 4f 00 c2 00 b0 00
		within 5 sg_sync /dev/sda
	done
	stop_load
	! dmesg | grep 'failed command' || fail "commands failed under load"
}

# Aborted commands in between: retried, and nobody sees it
check_aborts_under_load() {
	start_load
	for _ in 1 2 3; do
		within 30 hdparm -I /dev/sda
		within 30 smartctl -A /dev/sda
	done
	stop_load
}

load_ours
wait_disk
scheduler_none
check_identify
check_commands
check_under_load
check_aborted_command
check_buffer_lengths
check_aborts_under_load
unload_ours
