# shellcheck shell=sh
# What jobs in a guest share: they source /lib.sh. PCI addresses are full ones,
# 0000:00:1f.2. Written for busybox's sh.

# busybox's sh takes its own applets before programs of the same name.
mke2fs() { /bin/mke2fs "$@"; }
fstrim() { /bin/fstrim "$@"; }
blkdiscard() { /bin/blkdiscard "$@"; }
hdparm() { /bin/hdparm "$@"; }

say() {
	echo "# $*"
}

fail() {
	echo "FAIL: $*"
	exit 1
}

load_stock() {
	modprobe ahci "$@" || fail "modprobe ahci"
}

# load_ours [PARAMETER=VALUE...]: after those that the whole run is made with
load_ours() {
	# shellcheck disable=SC2046 # a word a parameter
	[ ! -e /parameters ] || set -- $(cat /parameters) "$@"
	insmod /ahci_fast.ko "$@" || fail "insmod ahci_fast.ko $*"
}

# unload MODULE: refused for a moment while a disk is being scanned: the SCSI layer holds the
# module then.
unload() {
	for _ in $(seq 100); do
		rmmod "$1" 2>/tmp/rmmod.err && return
		sleep 0.1
	done
	fail "rmmod $1: $(cat /tmp/rmmod.err)"
}

unload_ours() {
	unload ahci_fast
}

# Prints the names of all disks on ATA ports: sda sdb ... A disk is in sysfs a
# moment before it has a node.
ata_disks() {
	for disk in /sys/block/sd*; do
		[ -b "/dev/${disk##*/}" ] || continue
		case $(readlink "$disk") in */ata*) echo "${disk##*/}" ;; esac
	done
}

# wait_disk [SECONDS [COUNT]]: until so many (1) disks on ATA ports are there.
wait_disk() {
	for _ in $(seq $((${1:-30} * 10))); do
		[ "$(ata_disks | wc -l)" -ge "${2:-1}" ] && return
		sleep 0.1
	done
	fail "no disk after ${1:-30} s: $(ata_disks)"
}

# disk_of PCI: prints the names of the disks on that controller.
disk_of() {
	for disk in /sys/bus/pci/devices/"$1"/ata*/host*/target*/*/block/sd*; do
		[ -e "$disk" ] && echo "${disk##*/}"
	done
}

# device_on PCI PORT: prints the block device on that port (0, 1 ...) once it is
# there. Ports are looked at side by side, so sda may be on any of them.
device_on() {
	port=$(printf '%s\n' /sys/bus/pci/devices/"$1"/ata* | sort -V | sed -n "$(($2 + 1))p")
	for _ in $(seq 300); do
		for device in "$port"/host*/target*/*/block/*; do
			[ -b "/dev/${device##*/}" ] && echo "${device##*/}" && return
		done
		sleep 0.1
	done
	fail "nothing on port $2 of $1"
}

# driver_of PCI: prints the driver's name, nothing when there is none.
driver_of() {
	driver=$(readlink "/sys/bus/pci/devices/$1/driver") && echo "${driver##*/}"
}

# Requests go to the disks as they are made.
scheduler_none() {
	for disk in $(ata_disks); do
		echo none > "/sys/block/$disk/queue/scheduler"
	done
}

drop_caches() {
	sync
	echo 3 > /proc/sys/vm/drop_caches
}

# verify_fio ARGUMENTS: writes, reads back and compares; talks only on failure.
# An argument overrides the default of the same name.
verify_fio() {
	# fio takes two names for two files, not the second for the one meant
	case "$*" in *--filename=*) ;; *) set -- --filename=/dev/sda "$@" ;; esac
	fio --name=verify --size=16M --bs=4k --iodepth=32 \
		--rw=randwrite --ioengine=libaio --direct=1 --verify=crc32c \
		--verify_fatal=1 --thread --eta=never --output=/tmp/fio.out "$@" 2>/tmp/fio.err ||
		fail "fio $*: $(cat /tmp/fio.err /tmp/fio.out)"
}

# unbind PCI: leaves the controller without a driver.
unbind() {
	[ ! -e "/sys/bus/pci/devices/$1/driver" ] ||
		echo "$1" > "/sys/bus/pci/devices/$1/driver/unbind"
}

# bind PCI DRIVER: gives the controller to that driver.
bind() {
	unbind "$1"
	echo "$2" > "/sys/bus/pci/devices/$1/driver_override"
	echo "$1" > /sys/bus/pci/drivers_probe
	[ "$(driver_of "$1")" = "$2" ] || fail "$1 is not bound to $2"
}
