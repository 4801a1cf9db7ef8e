# shellcheck shell=dash disable=SC2119
# Limits of one disk with our driver.
. /lib.sh
. /io.sh

# limits_are SECTORS_KB TEXT
limits_are() {
	is "$(limit max_sectors_kb)" "$1" "max_sectors_kb $2"
	is "$(limit max_hw_sectors_kb)" 32767 "max_hw_sectors_kb $2"
}

read_some() {
	dd if="/dev/$disk" of=/dev/null iflag=direct bs=1M count=4 2>/tmp/dd.err ||
		fail "$(cat /tmp/dd.err)"
}

# As udev does: looks when the kernel announces the disk. (On 6.1 the node is
# there some milliseconds earlier, before the limits are.)
watch() {
	cat > /tmp/seen <<- 'SEEN'
		[ "$ACTION $SUBSYSTEM $DEVNAME" != "add block sda" ] ||
			cat /sys/block/sda/queue/max_sectors_kb > /tmp/first
	SEEN
	uevent sh /tmp/seen &
	watcher=$!
	sleep 1
}

# Whoever hears of the disk finds its limits in force.
when_it_appears() {
	watch
	for _ in 1 2 3; do
		rm -f /tmp/first
		fresh
		for _ in $(seq 50); do
			[ ! -s /tmp/first ] || break
			sleep 0.1
		done
		is "$(cat /tmp/first)" 4096 'max_sectors_kb at first sight'
	done
	kill $watcher
	limits_are 4096 'after load'
	is "$(limit max_segments)" 1016 max_segments
	is "$(limit max_segment_size)" 4194304 max_segment_size
	passed 'limits when the disk appears'
}

when_it_comes_back() {
	fresh
	unbind $pci
	bind $pci ahci_fast
	wait_disk
	disk=$(disks_by_port)
	limits_are 4096 'after unbind and bind'

	echo 1 > "/sys/block/$disk/device/delete"
	[ -z "$(disks_by_port)" ] || fail 'the disk is not deleted'
	for _ in $(seq 50); do
		[ "$(stat tables)" != 0 ] || break
		sleep 0.1
	done
	is "$(stat tables)" 0 'tables of a port without a disk'
	for host in /sys/bus/pci/devices/"$pci"/ata*/host*/scsi_host/host*; do
		echo '- - -' > "$host/scan"
	done
	wait_disk
	disk=$(disks_by_port)
	limits_are 4096 'after delete and scan'
	read_some
	limits_are 4096 'after reads'
	passed 'limits when the disk comes back'
}

parameter() {
	local value
	for value in 4 512 32767; do
		fresh max_request_kb=$value
		limits_are $value "with max_request_kb=$value"
	done
	fresh max_request_kb=0
	limits_are 1280 'with max_request_kb=0'
	read_some
	limits_are 1280 'with max_request_kb=0, after reads'
	passed 'max_request_kb'
}

# What is written to max_sectors_kb stays.
administrator() {
	local value
	fresh
	for value in 2048 16384; do
		echo $value > "/sys/block/$disk/queue/max_sectors_kb"
		read_some
		limits_are $value 'as written, after reads'
		echo 1 > "/sys/block/$disk/device/rescan"
		read_some
		limits_are $value 'as written, after rescan'
	done
	passed 'what the administrator writes stays'
}

# Writes as soon as there is something to write to.
write_early() {
	until echo 640 > /sys/block/sda/queue/max_sectors_kb; do :; done 2>/dev/null
}

early_administrator() {
	for _ in 1 2 3; do
		unload_ours
		write_early &
		load_ours
		wait
		wait_disk
		disk=$(disks_by_port)
		read_some
		limits_are 640 'as written early'
	done
	passed 'what is written early stays'
}

# Requests of the disk since it is there, as the block layer counts them.
disk_reads() {
	awk '{ print $1 }' "/sys/block/$disk/stat"
}

# count WANTED BS SIZE: commands for SIZE bytes by BS bytes at a time, in huge
# pages.
count() {
	local reads commands
	reads=$(disk_reads)
	commands=$(stat commands)
	fio --name=count --filename="/dev/$disk" --rw=read --bs="$2" --size="$3" \
		--ioengine=psync --direct=1 --iomem=mmaphuge --hugepage-size=2m --output=/tmp/fio.out ||
		fail "fio: $(cat /tmp/fio.out)"
	is $(($(stat commands) - commands)) "$1" "commands for $3 by $2"
	is $(($(disk_reads) - reads)) "$1" "requests for $3 by $2"
}

# Reads of 8 MiB and more are as many commands as the limit says.
requests() {
	fresh
	count 32 8m 128m
	fresh max_request_kb=32767
	count 16 8m 128m
	count 4 32767k $((4 * 32767 * 1024))
	fresh max_request_kb=512
	count 32 8m 16m
	passed 'requests are as large as the limit'
}

# scattered PIECES COMMANDS: for one write of that many pages
scattered() {
	local prds commands
	prds=$(stat prds)
	commands=$(stat commands)
	pattern write "/dev/$disk" 7 11 1 "$1" || fail "$1 scattered pages"
	is $(($(stat prds) - prds)) "$1" "PRDs of $1 pages"
	is $(($(stat commands) - commands)) "$2" "commands of $1 pages"
}

tables() {
	local value
	for value in 2048 8; do
		fresh max_prds=$value max_request_kb=32767
		is "$(limit max_segments)" $value max_segments
		is "$(stat max_prds)" $value max_prds
		# QEMU hands at most IOV_MAX (1024) pieces to a file
		[ $value -le 1024 ] || value=1024
		scattered $value 1
	done
	scattered 9 2
	scattered 64 8
	passed 'max_prds'
}

# A new size is for the disks that come afterwards.
changed_parameter() {
	fresh
	echo 1024 > /sys/module/ahci_fast/parameters/max_request_kb
	read_some
	limits_are 4096 'of a disk that was there'
	unbind $pci
	bind $pci ahci_fast
	wait_disk
	disk=$(disks_by_port)
	limits_are 1024 'of a disk that came later'
	passed 'max_request_kb written'
}

when_it_appears
when_it_comes_back
parameter
administrator
early_administrator
requests
tables
changed_parameter
