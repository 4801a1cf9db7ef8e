# shellcheck shell=sh disable=SC2119
# The module comes and goes. Argument: what is attached (nothing, disk, cd).
. /lib.sh

attached=$1
rounds=$2

parameters=/sys/module/ahci_fast/parameters

# refused PARAMETER=VALUE RANGE: one line says name, value and range, and
# nothing stays behind.
refused() {
	dmesg -c > /dev/null
	! insmod /ahci_fast.ko "$1" 2>/dev/null || fail "$1 was taken"
	[ ! -e /sys/module/ahci_fast ] || fail "$1: the module stayed"
	line=$(dmesg | grep "ahci_fast: parameter ${1%%=*}: '${1#*=}' is not") ||
		fail "$1: no line with name and value: $(dmesg)"
	case $line in *"$2"*) ;; *) fail "$1: no range in: $line" ;; esac
}

# taken PARAMETER=VALUE
taken() {
	load_ours "$1"
	got=$(cat "$parameters/${1%%=*}")
	[ "$got" = "${1#*=}" ] || fail "$1 reads $got"
	unload_ours
}

# not_written PARAMETER VALUE: refused while loaded, the old value stays.
not_written() {
	old=$(cat "$parameters/$1")
	! echo "$2" 2>/dev/null > "$parameters/$1" || fail "$1=$2 was written"
	[ "$(cat "$parameters/$1")" = "$old" ] || fail "$1=$2 changed it"
	dmesg | grep -q "ahci_fast: parameter $1: '$2' is not" ||
		fail "$1=$2: no line"
}

check_parameters() {
	for value in 0 7 2049 -1 x ''; do refused "max_prds=$value" 8..2048; done
	for value in 1 3 32768 4M; do refused "max_request_kb=$value" '0 or 4..32767'; done
	for value in 33 -1; do refused "batch=$value" 0..32; done
	for value in 2 yes; do refused "lean_irq=$value" 0..1; done
	for value in 2 on; do refused "msi=$value" 0..1; done
	for value in 1 31 33 65; do refused "dma_bits=$value" '0, 32, 43 or 64'; done
	refused pci_latency=256 0..255
	refused skip_host_reset=2 0..1
	refused ignore_sss=2 0..1
	refused marvell_enable=-5 0..1
	for value in '' 0x1ffffffff rubbish 0000:00:1f.2 0000:00:1f.2=z; do
		refused "mask_port_map=$value" mask
	done

	for set in max_prds=8 max_prds=2048 max_request_kb=0 max_request_kb=4 \
			max_request_kb=32767 batch=0 batch=32 lean_irq=0 msi=0 \
			dma_bits=32 dma_bits=43 dma_bits=64 pci_latency=64 \
			skip_host_reset=1 mask_port_map=0x3 \
			mask_port_map=0000:00:1f.2=0x1; do
		taken "$set"
	done

	# A mask that leaves no port: the module is there, the controller is not taken
	load_ours mask_port_map=0x80000000
	[ -z "$(driver_of 0000:00:1f.2)" ] || fail "took a controller without a port"
	dmesg | grep -q 'no port to use' || fail "no line about the mask"
	unload_ours

	load_ours
	not_written max_request_kb 32768
	not_written batch 33
	echo 8 > "$parameters/batch" || fail "batch=8 was refused"
	echo 1024 > "$parameters/max_request_kb" || fail "max_request_kb=1024 was refused"
	unload_ours
}

# The device of the run is there each time it has been waited for.
device_is_there() {
	case $attached in
	nothing) [ -z "$(ata_disks)" ] || fail "a disk out of nowhere" ;;
	disk)
		wait_disk
		dd if=/dev/sda of=/dev/null bs=1M count=1 iflag=direct 2>/dev/null ||
			fail "cannot read"
		;;
	cd)
		for _ in $(seq 100); do
			[ -e /sys/block/sr0 ] && return
			sleep 0.1
		done
		fail "no CD drive"
		;;
	esac
}

load_and_unload() {
	for round in $(seq "$rounds"); do
		load_ours
		# every second time with no pause
		[ $((round % 2)) = 1 ] || device_is_there
		unload_ours
		[ -z "$(driver_of 0000:00:1f.2)" ] || fail "still bound"
	done
}

slabs() {
	sed -n 's/^SUnreclaim: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

[ "$attached" != nothing ] || check_parameters
load_and_unload
before=$(slabs)
load_and_unload
after=$(slabs)
say "unreclaimable slab memory: $before kB, $rounds rounds later $after kB"
[ $((after - before)) -lt 2048 ] || fail "memory leaks"
! dmesg | grep 'ahci_fast 0000:.*\(failed\|error\)' || fail "something failed"
