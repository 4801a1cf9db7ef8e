# shellcheck shell=sh
# What scripts/bind and scripts/unbind share: controllers on PCI and what is in
# use on them. Sourced. Plain sh: it runs in a rescue shell, too.

sys=/sys/bus/pci

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# AHCI controllers by class (SATA, AHCI), one address a line
ahci_controllers() {
	for device in "$sys"/devices/*; do
		[ "$(cat "$device/class")" != 0x010601 ] || echo "${device##*/}"
	done
}

# driver_of ADDRESS: its driver, or nothing
driver_of() {
	driver=$(readlink "$sys/devices/$1/driver") && echo "${driver##*/}"
}

# disks_of ADDRESS: names of the block devices behind it
disks_of() {
	for disk in "$sys/devices/$1"/ata*/host*/target*/*/block/*; do
		[ ! -e "$disk" ] || echo "${disk##*/}"
	done
}

list_controllers() {
	[ -n "$(ahci_controllers)" ] || echo "no AHCI controller on PCI" >&2
	for address in $(ahci_controllers); do
		driver=$(driver_of "$address" || true)
		printf '%s  %-10s %s\n' "$address" "${driver:--}" \
			"$(disks_of "$address" | tr '\n' ' ')"
	done
}

check_controller() {
	[ -e "$sys/devices/$1" ] || die "no PCI device $1 (see ${0##*/} without arguments)"
	[ "$(cat "$sys/devices/$1/class")" = 0x010601 ] ||
		die "$1 is not an AHCI controller (class $(cat "$sys/devices/$1/class"))"
}

# users_of DISK: what uses it or a partition of it: mount points, swap, and
# the devices stacked on it (md, dm, ...)
users_of() {
	for part in "/sys/block/$1" "/sys/block/$1/$1"*; do
		[ -e "$part" ] || continue
		number=$(cat "$part/dev")
		awk -v number="$number" '$3 == number { print "mounted on " $5 }' /proc/self/mountinfo
		name=${part##*/}
		awk -v name="/dev/$name" '$1 == name { print "swap" }' /proc/swaps
		for holder in "$part"/holders/*; do
			[ ! -e "$holder" ] || echo "part of ${holder##*/}"
		done
	done
}

# held DISK: something has it or a partition for itself. The kernel knows of
# users that users_of() does not see: btrfs, ZFS, mounts of other namespaces. It
# rereads the partition table of a disk only if there is none.
held() {
	case $1 in sd*) ! blockdev --rereadpt "/dev/$1" 2>/dev/null ;; *) false ;; esac
}

# Nothing on the controller is in use, or it says what and gives up.
check_unused() {
	for disk in $(disks_of "$1"); do
		users=$(users_of "$disk")
		[ -z "$users" ] || die "/dev/$disk on $1 is in use: $(echo "$users" | head -n 1)"
		! held "$disk" || die "/dev/$disk on $1 is in use (btrfs, ZFS, a container's mount ...)"
	done
}

# give ADDRESS DRIVER: the controller changes its driver ('' = the kernel's own
# choice). Fails if the driver does not take it.
give() {
	[ -z "$(driver_of "$1")" ] || echo "$1" > "$sys/devices/$1/driver/unbind" || return
	echo "$2" > "$sys/devices/$1/driver_override" || return
	echo "$1" > "$sys/drivers_probe" || return
	[ -n "$(driver_of "$1")" ]
}
