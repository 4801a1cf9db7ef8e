# shellcheck shell=sh disable=SC2119
# scripts/bind and scripts/unbind: one controller changes hands, the one with
# the "boot disk" does not. $1: the free controller, $2: the one in use.
. /lib.sh

free=$1
used=$2

refuses() {
	wanted=$1
	shift
	! "$@" 2>/tmp/err || fail "$* succeeded"
	grep -q "$wanted" /tmp/err || fail "$*: $(cat /tmp/err)"
}

disk_ready() {
	for _ in $(seq 100); do
		[ -n "$(disk_of "$1")" ] && return
		sleep 0.1
	done
	fail "no disk on $1"
}

load_stock
wait_disk 30 2
modprobe ext4
boot=$(disk_of "$used")
mke2fs -q -t ext4 "/dev/$boot" || fail mkfs
mount -t ext4 "/dev/$boot" /mnt || fail mount

refuses 'not loaded' sh /s/bind "$free"
load_ours
[ "$(driver_of "$free")" = ahci ] || fail "loading took a controller that was in use"
sh /s/bind | grep -q "$free *ahci" || fail "no list: $(sh /s/bind)"
refuses 'no PCI device' sh /s/bind 0000:0f:00.0
refuses 'one address' sh /s/bind "$free" "$used"
refuses 'one address' sh /s/unbind "$free" "$used"
refuses 'needs root' unshare -U sh /s/bind "$free"
refuses 'not an AHCI' sh /s/bind 0000:00:00.0
refuses "in use: mounted on /mnt" sh /s/bind "$used"

# A mount that this namespace does not see
disk=$(disk_of "$free")
mke2fs -q -t ext4 "/dev/$disk" || fail "mkfs"
mkdir /mnt3
unshare -m sh -c "mount -t ext4 /dev/$disk /mnt3 && touch /tmp/hidden && sleep 600" &
hidden=$!
for _ in $(seq 50); do [ -e /tmp/hidden ] && break; sleep 0.1; done
refuses 'in use' sh /s/bind "$free"
[ "$(driver_of "$free")" = ahci ] || fail "taken under a hidden mount"
kill "$hidden"
killall sleep
sleep 1

# A controller without a driver is listed, and does not end the list
unbind "$free"
sh /s/bind | grep -q "$free *-" || fail "no line for a controller without a driver: $(sh /s/bind)"
sh /s/bind | grep -q "$used *ahci" || fail "the list ended early"
sh /s/bind "$free" > /dev/null || fail "bind without a driver before"
[ -n "$(disk_of "$free")" ] || fail "no disk when bind from no driver returns"
bind "$free" ahci
disk_ready "$free"

# Its disk is there when it returns; lspci's form of the address does, too
sh /s/bind "${free#0000:}" > /tmp/bound || fail bind
[ "$(driver_of "$free")" = ahci_fast ] || fail "not bound"
[ -n "$(disk_of "$free")" ] || fail "no disk when bind returns"
grep -q "$free *ahci_fast *$(disk_of "$free")" /tmp/bound || fail "bind said: $(cat /tmp/bound)"
verify_fio --filename="/dev/$(disk_of "$free")" --size=4M
disk=$(disk_of "$free")
mkdir /mnt2
mke2fs -q -t ext4 "/dev/$disk" || fail "mkfs on ours"
mount -t ext4 "/dev/$disk" /mnt2 || fail "mount on ours"
refuses "in use: mounted on /mnt2" sh /s/unbind "$free"
umount /mnt2
refuses 'does not belong' sh /s/unbind "$used"

sh /s/unbind "$free" > /tmp/bound || fail unbind
[ "$(driver_of "$free")" = ahci ] || fail "not given back"
[ -n "$(disk_of "$free")" ] || fail "no disk when unbind returns"
grep -q "$free *ahci *$(disk_of "$free")" /tmp/bound || fail "unbind said: $(cat /tmp/bound)"
[ "$(driver_of "$used")" = ahci ] || fail "the boot disk changed its driver"

# Without the stock driver there is none to give it back to
sh /s/bind "$free" > /dev/null || fail "bind once more"
umount /mnt
unbind "$used"
rmmod ahci
sh /s/unbind "$free" > /dev/null 2>/tmp/err || fail "unbind without ahci"
grep -q 'modprobe ahci' /tmp/err || fail "unbind without ahci said: $(cat /tmp/err)"
unload_ours
load_stock
wait_disk 30 2
mount -t ext4 "/dev/$(disk_of "$used")" /mnt || fail "mount again"
touch /mnt/alive || fail "the boot disk"
