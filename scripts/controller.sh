# shellcheck shell=sh
# What scripts/bind and scripts/unbind share: controllers on PCI and what is in
# use on them. Sourced. Plain sh: it runs in a rescue shell, too.

sys=/sys/bus/pci

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# The comment at the top of a script is its manual.
usage() {
	sed -n '2,/^set/{/^#/!q;s/^# \{0,1\}//p}' "$0"
}

# is_ahci ADDRESS: its class says so (SATA, AHCI), or one of the AHCI drivers has
# it: some, in RAID mode for one, say something else
is_ahci() {
	[ "$(cat "$sys/devices/$1/class")" != 0x010601 ] || return 0
	case $(driver_of "$1" || true) in ahci | ahci_fast) ;; *) false ;; esac
}

# One address a line
ahci_controllers() {
	for device in "$sys"/devices/*; do
		! is_ahci "${device##*/}" || echo "${device##*/}"
	done
}

# full_address ADDRESS: with its domain, which lspci leaves out
full_address() {
	case $1 in *:*:*) echo "$1" ;; *) echo "0000:$1" ;; esac
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
		list_controller "$address"
	done
}

list_controller() {
	driver=$(driver_of "$1" || true)
	printf '%s  %-10s %s\n' "$1" "${driver:--}" "$(disks_of "$1" | tr '\n' ' ')"
}

check_controller() {
	[ "$(id -u)" = 0 ] || die "this needs root"
	[ -e "$sys/devices/$1" ] || die "no PCI device $1 (see ${0##*/} without arguments)"
	is_ahci "$1" ||
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

# holder_of DISK: what the kernel says against rereading the partition table. It
# does that only for a disk that nobody has for himself, and knows of users that
# users_of() does not see: btrfs, ZFS, mounts of other namespaces.
holder_of() {
	case $1 in sd*) LC_ALL=C blockdev --rereadpt "/dev/$1" 2>&1 || true ;; esac
}

# Nothing on the controller is in use, or it says what and gives up.
check_unused() {
	for disk in $(disks_of "$1"); do
		users=$(users_of "$disk")
		[ -z "$users" ] || die "/dev/$disk on $1 is in use: $(echo "$users" | head -n 1)"
		holder=$(holder_of "$disk")
		case $holder in
		'') ;;
		*[Bb]usy*) die "/dev/$disk on $1 is in use (btrfs, ZFS, a container's mount ...)" ;;
		*) die "cannot tell whether /dev/$disk on $1 is in use: $holder" ;;
		esac
	done
}

# wait_disks ADDRESS NUMBER: until the controller's new driver has found as many
# disks, for 15 seconds at most; prints the controller's line of the list.
wait_disks() {
	tries=150
	while [ "$(disks_of "$1" | wc -l)" -lt "$2" ] && [ $tries -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	list_controller "$1"
}

# give ADDRESS DRIVER: the controller changes its driver ('' = the kernel's own
# choice). Fails if the driver does not take it.
give() {
	[ -z "$(driver_of "$1")" ] || echo "$1" > "$sys/devices/$1/driver/unbind" || return
	echo "$2" > "$sys/devices/$1/driver_override" || return
	echo "$1" > "$sys/drivers_probe" || return
	[ -n "$(driver_of "$1")" ]
}
