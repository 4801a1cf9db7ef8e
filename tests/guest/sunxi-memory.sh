# shellcheck shell=sh
# Controllers whose registers are ordinary memory, which the kernel does not
# have: what QEMU's model does not do. Each is a node of the device tree (see
# tests/sunxi.t) and none has a disk.
. /lib.sh
. /sunxi-lib.sh

drivers=/sys/bus/platform/drivers/ahci_sunxi_fifo
real=1c18000.sata
memory=7e000000.sata
base=0x7e000000
r40=7e001000.sata

# reg OFFSET [VALUE]
reg() {
	devmem $((base + $1)) 32 ${2+"$2"}
}

# A controller of one port with a device on it that says nothing, and a PHY that
# is up. What the driver reads back is what it wrote.
fill_registers() {
	for offset in $(seq 0 4 511); do
		reg "$offset" 0
	done
	reg 0x00 0x80001f00	# CAP: 64 bits, 32 slots, one port
	reg 0x0c 1		# PI
	reg 0x10 0x00010100	# VS
	reg 0xc0 0x20000000	# PHYCS0R: up
	reg 0x120 0x50		# PxTFD: DRDY
	reg 0x124 0x101		# PxSIG: a disk
	reg 0x128 0x123		# PxSSTS: a device, 3 Gbps
}

# What memory does not do by itself: end the PHY's calibration
serve() {
	while :; do
		reg 0xc8 0
	done
}

# refused TEXT: the driver does not take the controller, says so, and soon
refused() {
	clear_log
	from=$(awk '{ print int($1 * 100) }' /proc/uptime)
	! echo $memory > $drivers/bind 2>/dev/null || fail "bound, not refused: $1"
	took=$(($(awk '{ print int($1 * 100) }' /proc/uptime) - from))
	[ $took -le 200 ] || fail "${took}0 ms until: $1"
	log_has "$1"
	same_power "$1"
}

# At insmod no PHY came up and an R40 without a reset was refused
test_load() {
	note_power
	insmod /ahci_sunxi_fifo.ko || fail "insmod"
	log_has "$memory: the PHY does not power up (PHYCS0R 0x"
	log_has "$r40: an R40 without a reset line: look at resets"
	echo $real > $drivers/unbind
	same_power "probes that failed"
}

test_no_phy() {
	fill_registers
	reg 0xc0 0
	refused "the PHY does not power up (PHYCS0R 0x"
	fill_registers
	refused "the PHY does not end its calibration (PHYCS2R 0x"
	say "a PHY that never comes, or never ends its calibration, is waited for less than 2 s"
}

# bind_memory: with somebody who does what memory does not
bind_memory() {
	clear_log
	serve &
	server=$!
	status=0
	echo $memory > $drivers/bind 2>/tmp/bind.err || status=1
	kill $server
	wait $server 2>/dev/null
	return $status
}

release_memory() {
	reg 0x128 0	# no device any more, so nobody waits for it
	echo $memory > $drivers/unbind
}

# What is reserved in P0DMACR stays as the board left it
test_reserved() {
	fill_registers
	reg 0x170 0xabcd9876
	bind_memory || fail "not bound: $(dmesg | tail -n 5)"
	[ "$(reg 0x170)" = 0xABCD4433 ] || fail "P0DMACR is $(reg 0x170)"
	for text in 'cannot do 64-bit DMA' 'can do NCQ'; do
		log_has "board $text"
	done
	[ "$(cat /sys/devices/platform/soc/$memory/p0dmacr)" = 0xabcd4433 ] || fail "attribute p0dmacr"
	release_memory
	same_power "a controller in memory"
	say "P0DMACR 0xabcd9876 became 0xabcd4433"
}

# A FIFO of 32 DWORDs to transmit, of 16 to receive: half of that at most
test_depth() {
	fill_registers
	reg 0xf0 0x54
	bind_memory || fail "not bound: $(dmesg | tail -n 5)"
	for refused in txts=5 rxts=4; do
		clear_log
		! echo "${refused#*=}" > "/sys/devices/platform/soc/$memory/${refused%=*}" 2>/dev/null ||
			fail "$refused is taken"
		log_has "attribute ${refused%=*}: ${refused#*=} is not 0..$((${refused#*=} - 1)): a transaction takes half the FIFO at most (PPARAMR 0x00000054)"
	done
	release_memory
	say "no transaction above half the FIFO, with allow_untested_fifo=1 neither"
}

# fifo_is TXTS RXTS TXABL RXABL, of the real one
fifo_is() {
	echo $real > $drivers/bind || fail "bind $real"
	for attribute in txts rxts txabl rxabl; do
		[ "$(cat /sys/devices/platform/soc/$real/$attribute)" = "$1" ] ||
			fail "$attribute is $(cat /sys/devices/platform/soc/$real/$attribute), not $1"
		shift
	done
	echo $real > $drivers/unbind
}

# The tree says 4 DWORDs to transmit, and 12 to receive, which is none
test_properties() {
	clear_log
	fifo_is 2 3 4 4
	log_has "$real: property snps,rx-ts-max: 12 is no power of two"
	rmmod ahci_sunxi_fifo || fail rmmod
	insmod /ahci_sunxi_fifo.ko allow_untested_fifo=1 txts=1 || fail insmod
	echo $real > $drivers/unbind
	fifo_is 1 3 4 4
	say "a property beats the default, a parameter the property"
}

load_ours skip_host_reset=1
test_load
test_no_phy
test_reserved
test_properties
test_depth
rmmod ahci_sunxi_fifo || fail rmmod
same_power "all of it"
