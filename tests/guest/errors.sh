# shellcheck shell=sh disable=SC2119
# Errors of a disk, of the driver named: the sector that fails fails, and
# nothing else does. The host injects a read error at sector 8192 and a write
# error at sector 16384 of the first port's disk; every command of the second
# one's takes 3 s.
. /lib.sh

driver=$1
pci=0000:00:1f.2

# fio_errors ARGUMENTS: runs fio on the bad disk, prints "errors first-error".
fio_errors() {
	fio --name=errors --filename="/dev/$bad" --ioengine=libaio --direct=1 \
		--bs=4k --iodepth=32 --iodepth_batch_submit=8 --thread --eta=never \
		--output-format=json --output=/tmp/errors.json \
		--continue_on_error=io "$@" >/dev/null 2>&1
	sed -n 's/^ *"total_err" : \([0-9]*\),\{0,1\}$/\1/p;s/^ *"first_error" : \([0-9]*\),\{0,1\}$/\1/p' \
		/tmp/errors.json | tr '\n' ' '
}

# expect WHAT GOT WANTED
expect() {
	say "$driver: $1: $2"
	[ "$2" = "$3" ] || fail "$1: $2, not $3: $(cat /tmp/errors.json)"
}

one_eio='1 5 '	# errors, and the first: EIO
none='0 0 '

check_write_error() {
	expect "writes with one bad sector at depth 32" \
		"$(fio_errors --rw=randwrite --size=16M --verify=crc32c --do_verify=0)" "$one_eio"
}

check_read_error() {
	expect "reads with one bad sector at depth 32" \
		"$(fio_errors --rw=randread --size=8M --verify=crc32c)" "$one_eio"
}

# The rest is what was written
check_data() {
	expect "the data before the bad sectors" \
		"$(fio_errors --rw=randread --size=4M --verify=crc32c)" "$none"
}

check_port_works() {
	expect "the port afterwards, elsewhere" \
		"$(fio_errors --rw=randwrite --offset=32M --size=8M --verify=crc32c)" "$none"
}

# libata's own messages, for those who watch for them
check_messages() {
	for text in 'exception Emask' 'failed command: READ' 'irq_stat 0x' 'EH complete'; do
		dmesg | grep -q "$text" || fail "no '$text' in the log"
	done
}

# A command that outlives its timer: libata resets, and the port works again.
check_timeout() {
	echo 1 > "/sys/block/$slow/device/timeout"
	dd if="/dev/$slow" of=/dev/null bs=4k count=1 iflag=direct 2>/dev/null &
	for _ in $(seq 60); do
		dmesg | grep -q '(timeout)' && break
		sleep 0.5
	done
	dmesg | grep -q '(timeout)' || fail "nothing timed out"
	echo 30 > "/sys/block/$slow/device/timeout"
	wait
	dd if="/dev/$slow" of=/dev/null bs=4k count=1 iflag=direct 2>/dev/null ||
		fail "the disk does not read after a timeout"
}

if [ "$driver" = ahci ]; then load_stock; else load_ours; fi
bad=$(device_on $pci 0)
slow=$(device_on $pci 1)
[ "$(driver_of $pci)" = "$driver" ] || fail "not bound to $driver"
scheduler_none
# A neighbour merged with the bad block would fail with it
echo 2 > "/sys/block/$bad/queue/nomerges"
check_write_error
check_read_error
check_data
check_port_works
check_messages
check_timeout
