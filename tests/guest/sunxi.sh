# shellcheck shell=sh disable=SC2119
# The Allwinner controller on its board, by ahci_sunxi_fifo. TESTR, a register
# that stores and does nothing, marks the phases in QEMU's trace.
. /lib.sh
. /sunxi-lib.sh

board=/sys/devices/platform/soc
sata=$board/1c18000.sata
testr=0x01c180f4

# load_fifo [PARAMETER=VALUE...]
load_fifo() {
	insmod /ahci_sunxi_fifo.ko "$@" 2>/tmp/insmod.err
}

phase() {
	devmem "$testr" 32 "$1"
	say "phase $1"
}

# fifo_is TXTS RXTS TXABL RXABL
fifo_is() {
	for attribute in txts rxts txabl rxabl; do
		[ "$(cat "$sata/$attribute")" = "$1" ] ||
			fail "$attribute is $(cat "$sata/$attribute"), not $1"
		shift
	done
}

no_errors() {
	! dmesg | grep -E 'exception Emask|failed command|hard resetting|SError' ||
		fail "an error while $1"
}

# A MiB each, of what no disk holds by chance
write_pattern() {
	dd if=/dev/urandom of=/tmp/pattern bs=1M count=4 2>/dev/null
	dd if=/tmp/pattern of=/dev/sda bs=1M seek="$1" oflag=direct conv=fsync 2>/dev/null ||
		fail "writing a pattern"
}

check_pattern() {
	dd if=/dev/sda bs=1M skip="$1" count=4 iflag=direct 2>/dev/null | cmp - /tmp/pattern ||
		fail "the pattern by $2 differs"
}

# --- By the stock driver first, which holds the device when ours is loaded

test_stock() {
	phase 0
	modprobe ahci_sunxi || fail "modprobe ahci_sunxi"
	wait_disk
	write_pattern 16
	load_fifo || fail "insmod: $(cat /tmp/insmod.err)"
	[ "$(basename "$(readlink $sata/driver)")" = ahci-sunxi ] || fail "taken from ahci-sunxi unasked"
	unload ahci_sunxi_fifo
	echo 1c18000.sata > $sata/driver/unbind
	rmmod ahci_sunxi
	say "left to ahci-sunxi while that holds it"
}

test_probe() {
	note_power
	# As the stock driver found them
	for register in 0x01c180c0 0x01c180c4 0x01c180c8; do
		devmem $register 32 0
	done
	phase 1
	clear_log
	load_fifo || fail "insmod: $(cat /tmp/insmod.err)"
	wait_disk
	scheduler_none
	fifo_is 3 3 4 4
	log_has 'FIFO: txts 3, rxts 3, txabl 4, rxabl 4 (P0DMACR 0x4433)'
	log_has 'board cannot do 64-bit DMA'
	! dmesg | grep 'NCQ (depth 32), AA' || fail "auto-activate, which the stock driver does not use there"
	[ "$(cat /sys/block/sda/device/queue_depth)" -ge 31 ] || fail "no NCQ"
	check_pattern 16 ahci-sunxi
	write_pattern 24
	verify_fio --size=8M --offset=32M
	verify_fio --size=8M --offset=32M --bs=1m --rw=write --iodepth=4
	no_errors probing
	say "probed, the stock driver's pattern read, fio verified"
}

# A write is drained, stopped, programmed, started, under I/O, without an error.
test_attributes() {
	phase 2
	clear_log
	verify_fio --size=8M --offset=32M --time_based --runtime=15 &
	fio=$!
	for value in 0 1 2 3 4; do
		echo $value > $sata/txts || fail "txts $value"
		echo $value > $sata/rxts || fail "rxts $value"
	done
	for value in 0 1 2 3 4 5 6 7 8; do
		echo $value > $sata/txabl || fail "txabl $value"
		echo $value > $sata/rxabl || fail "rxabl $value"
	done
	wait $fio || exit 1
	fifo_is 4 4 8 8
	no_errors "the depths were changed"
	say "28 changes of depth under fio"
	phase 3
	for pair in txts=2 rxts=1 txabl=5 rxabl=6; do
		echo ${pair#*=} > $sata/${pair%=*} || fail "$pair"
	done
}

# refused ATTRIBUTE VALUE TEXT
refused() {
	clear_log
	before=$(cat "$sata/$1")
	! echo "$2" > "$sata/$1" 2>/dev/null || fail "$1 takes $2"
	[ "$(cat "$sata/$1")" = "$before" ] || fail "$1 changed with a value that was refused"
	log_has "$3"
}

test_refused() {
	phase 4
	refused txts 5 'attribute txts: 5 is not 0..4; allow_untested_fifo=1 allows more'
	refused rxts 15 'attribute rxts: 15 is not 0..4'
	refused txabl 9 'attribute txabl: 9 is not 0..8'
	refused rxabl 4294967296 "attribute rxabl: '4294967296' is not 0..8"
	refused rxabl -1 "attribute rxabl: '-1' is not 0..8"
	refused txts x "attribute txts: 'x' is not 0..4"
	say "attributes refuse"
}

# Reads of sector 8192 fail on the host: error handling restarts the list.
test_errors() {
	phase 5
	dd if=/dev/sda of=/dev/null bs=4k skip=1024 count=1 iflag=direct 2>/dev/null &&
		fail "the bad sector was read"
	verify_fio --size=8M --offset=32M
	check_pattern 24 ours
	say "an error handled"
}

test_suspend() {
	phase 6
	verify_fio --size=8M --offset=32M --time_based --runtime=12 &
	fio=$!
	echo devices > /sys/power/pm_test
	for _ in 1 2 3; do
		sleep 1
		echo mem > /sys/power/state || fail "suspend"
	done
	wait $fio || exit 1
	check_pattern 24 "ours before suspend"
	fifo_is 2 1 5 6
	say "suspended 3 times under fio"
}

# writer ATTRIBUTE VALUE VALUE: writes the two until it is stopped
writer() {
	while [ -e /tmp/writing ]; do
		echo "$2" > "$sata/$1" || fail "$1"
		echo "$3" > "$sata/$1" || fail "$1"
	done
}

# Two write at a time, while the disk goes and comes
test_writers() {
	phase 10
	clear_log
	touch /tmp/writing
	writer txts 2 4 &
	first=$!
	writer rxabl 6 1 &
	second=$!
	for _ in 1 2 3 4 5 6; do
		sleep 0.5
		echo 1 > /sys/block/sda/device/delete
		echo "- - -" > "$(echo $sata/ata*/host*/scsi_host/host*/scan)"
		wait_disk
		scheduler_none
		verify_fio --size=1M --offset=32M
	done
	rm /tmp/writing
	wait $first || exit 1
	wait $second || exit 1
	no_errors "two wrote depths"
	echo 2 > $sata/txts
	echo 6 > $sata/rxabl
	fifo_is 2 1 5 6
	say "two writers, and a disk that comes and goes"
}

test_unbind() {
	phase 7
	for round in $(seq 50); do
		echo 1c18000.sata > /sys/bus/platform/drivers/ahci_sunxi_fifo/unbind
		[ "$round" != 1 ] || same_power "the first unbind"
		echo 1c18000.sata > /sys/bus/platform/drivers/ahci_sunxi_fifo/bind ||
			fail "bind, round $round"
	done
	wait_disk
	check_pattern 24 "ours before unbind"
	fifo_is 3 3 4 4
	unload ahci_sunxi_fifo
	same_power "50 rounds"
	say "unbound and bound 50 times"
}

# param_refused TEXT PARAMETER...
param_refused() {
	text=$1
	shift
	clear_log
	! load_fifo "$@" || fail "insmod takes $*"
	log_has "$text"
}

test_parameters() {
	phase 8
	param_refused "parameter txts: 5 is not 0..4; allow_untested_fifo=1" txts=5
	param_refused "parameter rxabl: 9 is not 0..8; allow_untested_fifo=1" rxabl=9
	param_refused "parameter rxts: '16' is not 0..4" rxts=16 allow_untested_fifo=1
	param_refused "parameter rxts: 'three' is not 0..4" rxts=three
	param_refused "ahci_sunxi_fifo: parameter enable_pmp: '2' is not 0..1" enable_pmp=2
	clear_log
	load_fifo txts=6 allow_untested_fifo=1 rxts=2 txabl=9 || fail "insmod: $(cat /tmp/insmod.err)"
	wait_disk
	fifo_is 6 2 9 4
	log_has 'parameter txts: 6 is untested; values too high have corrupted file systems'
	log_has 'parameter txabl: 9 is untested'
	verify_fio --size=4M --offset=32M
	unload ahci_sunxi_fifo
	same_power "unloading"
	say "parameters refuse, and allow on request"
}

test_back() {
	phase 9
	modprobe ahci_sunxi || fail "modprobe ahci_sunxi"
	wait_disk
	check_pattern 24 ours
	say "the stock driver reads what ours wrote"
}

mount -t debugfs debug /sys/kernel/debug 2>/dev/null
load_ours
test_stock
test_probe
test_attributes
test_refused
test_errors
test_suspend
test_writers
test_unbind
test_parameters
test_back
