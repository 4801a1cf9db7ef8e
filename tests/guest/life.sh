# shellcheck shell=sh disable=SC2119
# Binding, unbinding, unloading, while something is going on. sda..: one disk
# on each of two controllers; the one at $1 changes its driver, the other one
# stays with the stock driver throughout.
. /lib.sh

mine=$1
other=$2

start_load() {
	fio --name=load --filename="/dev/$1" --rw=randread --bs=4k --iodepth=32 \
		--iodepth_batch_submit=16 --ioengine=libaio --direct=1 --thread \
		--time_based --runtime=600 --eta=never > "/tmp/load.$1" 2>&1 &
}

# The disk of a controller, once it is there
disk_on() {
	for _ in $(seq 300); do
		disk=$(disk_of "$1")
		[ -n "$disk" ] && [ -b "/dev/$disk" ] && echo "$disk" && return
		sleep 0.1
	done
	fail "no disk on $1"
}

readable() {
	dd if="/dev/$1" of=/dev/null bs=64k count=16 iflag=direct 2>/dev/null ||
		fail "$1 does not read"
}

# Ends a load whose disk is gone. fio may wait for completions of commands
# that were never accepted; but it must be able to die. A command that is lost
# in the driver would have held up the unbind.
end_load() {
	for _ in $(seq 50); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -9 "$1"
	for _ in $(seq 50); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	fail "the load cannot be killed"
}

# The load ends, no unbind hangs; the other disk goes on.
check_unbind_under_load() {
	for driver in ahci ahci_fast ahci ahci_fast ahci ahci_fast; do
		disk=$(disk_on "$mine")
		start_load "$disk"
		load=$!
		sleep 1
		bind "$mine" "$driver"
		end_load "$load"
		readable "$(disk_on "$mine")"
		kill -0 "$other_load" || fail "the load on the other controller ended"
	done
}

check_unbind_mounted() {
	disk=$(disk_on "$mine")
	mke2fs -Fq -t ext4 "/dev/$disk" || fail mkfs
	mount -t ext4 "/dev/$disk" /mnt || fail mount
	dd if=/dev/zero of=/mnt/file bs=1M count=8 2>/dev/null
	! rmmod ahci_fast 2>/dev/null || fail "unloaded under a mounted file system"
	exec 9< /mnt/file
	unbind "$mine"
	exec 9<&-
	umount -l /mnt
	bind "$mine" ahci_fast
	disk=$(disk_on "$mine")
	readable "$disk"
	e2fsck -fy "/dev/$disk" > /tmp/fsck 2>&1
	[ $? -le 1 ] || fail "fsck: $(cat /tmp/fsck)"
}

# Deleted by hand, found again
check_delete_and_scan() {
	for _ in 1 2 3; do
		disk=$(disk_on "$mine")
		host=$(readlink -f "/sys/block/$disk/device/../..")
		echo 1 > "/sys/block/$disk/device/delete"
		[ -z "$(disk_of "$mine")" ] || fail "$disk is still there"
		echo - - - > "$host/scsi_host/${host##*/}/scan"
		readable "$(disk_on "$mine")"
	done
}

# The whole function, removed and found again
check_remove_and_rescan() {
	for _ in 1 2 3; do
		echo 1 > "/sys/bus/pci/devices/$mine/remove"
		echo 1 > /sys/bus/pci/rescan
		bind "$mine" ahci_fast
		readable "$(disk_on "$mine")"
	done
}

freezes() {
	awk '$1 == "freezes" { print $2 }' /sys/kernel/debug/ahci_fast/"$mine"/port0/stats
}

# A scan resets the link. Under load: what runs is retried, nothing fails
check_reset_under_load() {
	disk=$(disk_on "$mine")
	host=$(readlink -f "/sys/block/$disk/device/../..")
	before=$(freezes)
	verify_fio --filename="/dev/$disk" --rw=randwrite --size=32M --bs=4k \
		--iodepth_batch_submit=8 --time_based --runtime=8 --verify_backlog=64 &
	load=$!
	for _ in 1 2 3 4 5; do
		sleep 1
		echo - - - > "$host/scsi_host/${host##*/}/scan"
	done
	wait "$load" || fail "the load failed under resets"
	[ "$(freezes)" -ge $((before + 5)) ] || fail "$before freezes before, $(freezes) after 5 resets"
}

modprobe ext4
load_stock
start_load "$(disk_on "$other")"
other_load=$!
load_ours
bind "$mine" ahci_fast
[ "$(driver_of "$other")" = ahci ] || fail "the other controller changed its driver"
check_unbind_under_load
check_unbind_mounted
check_delete_and_scan
check_remove_and_rescan
check_reset_under_load
unbind "$mine"
rmmod ahci_fast || fail "rmmod"
kill -INT "$other_load"
wait "$other_load"
grep -q 'err= 0' "/tmp/load.$(disk_on "$other")" || fail "the other disk saw errors"
