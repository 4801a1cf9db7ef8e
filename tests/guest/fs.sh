# shellcheck shell=sh disable=SC2119
# A file system on the disk, TRIM, and CD-ROMs. Port 0: a raw image that takes
# discards; 1: a disc; 2: an empty drive. Argument: the disc's sha256.
. /lib.sh

sum=$1

fill() {
	for n in $(seq 40); do
		head -c $((n * 50000 + n)) /dev/urandom > "/mnt/file-$n"
	done
	cp -a /mnt/file-1 /mnt/copy
	ln /mnt/file-2 /mnt/link
	(cd /mnt && sha256sum file-* copy link) > /tmp/sums
}

check_files() {
	(cd /mnt && sha256sum -c /tmp/sums) > /tmp/sums.out 2>&1 ||
		fail "files differ: $(grep -v OK /tmp/sums.out)"
}

check_ext4() {
	modprobe ext4
	mke2fs -F -q -t ext4 /dev/sda || fail mkfs
	mount -t ext4 /dev/sda /mnt || fail mount
	fill
	umount /mnt || fail umount
	drop_caches
	e2fsck -fn /dev/sda > /tmp/fsck 2>&1 || fail "fsck: $(cat /tmp/fsck)"
	mount -t ext4 /dev/sda /mnt || fail "mount again"
	check_files
}

# What was deleted is given back to the host, and what was not is not.
check_trim() {
	rm /mnt/file-3*
	grep -v file-3 /tmp/sums > /tmp/sums.left
	mv /tmp/sums.left /tmp/sums
	sync
	trimmed=$(fstrim -v /mnt) || fail "fstrim: $trimmed"
	say "$trimmed"
	drop_caches
	check_files
	umount /mnt || fail "umount again"
	e2fsck -fn /dev/sda > /tmp/fsck 2>&1 || fail "fsck after trim: $(cat /tmp/fsck)"
}

check_blkdiscard() {
	blkdiscard -f -o 8388608 -l 4194304 /dev/sda || fail blkdiscard
	sum0=$(dd if=/dev/sda bs=1M skip=8 count=4 iflag=direct 2>/dev/null | sha256sum)
	zeros=$(head -c 4194304 /dev/zero | sha256sum)
	[ "$sum0" = "$zeros" ] || fail "discarded blocks hold data"
}

disc_sum() {
	dd if="/dev/$disc" bs="$1" ${2:+"$2"} 2>/dev/null | sha256sum | cut -d ' ' -f 1
}

check_disc() {
	for bs in 2k 64k 1M; do
		[ "$(disc_sum $bs)" = "$sum" ] || fail "the disc differs (bs=$bs)"
		drop_caches
		[ "$(disc_sum $bs iflag=direct)" = "$sum" ] ||
			fail "the disc differs (bs=$bs, direct)"
	done
	modprobe isofs
	mount -t iso9660 -o ro "/dev/$disc" /mnt || fail "mount the disc"
	(cd /mnt && sha256sum -c sums) > /tmp/disc.out 2>&1 ||
		fail "files on the disc: $(cat /tmp/disc.out)"
	! rmmod ahci_fast 2>/dev/null || fail "unloaded with a disc mounted"
	umount /mnt
}

check_empty_drive() {
	! dd if="/dev/$empty" of=/dev/null bs=2k count=1 2>/tmp/dd.err ||
		fail "an empty drive read something"
	grep -qi 'no medium' /tmp/dd.err || fail "empty drive: $(cat /tmp/dd.err)"
}

load_ours
wait_disk
disc=$(device_on 0000:00:1f.2 1)
empty=$(device_on 0000:00:1f.2 2)
check_ext4
check_trim
check_blkdiscard
check_disc
check_empty_drive
unload_ours
