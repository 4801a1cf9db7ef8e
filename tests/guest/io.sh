# shellcheck shell=dash
# What the jobs of data and requests share, beside lib.sh.

# shellcheck disable=SC2034 # for those who source this file
pci=0000:00:1f.2

# An error that libata recovers from spoils no data, but none is due here.
no_recovery() {
	! dmesg | grep -E 'exception Emask|failed command|internal error' ||
		fail 'libata had to recover'
}

# Says that a part of the job is done, and when.
passed() {
	no_recovery
	say "$(cut -d ' ' -f 1 /proc/uptime) s"
	echo "passed $*"
}

# is GOT WANTED TEXT
is() {
	[ "$1" = "$2" ] || fail "$3: $1, not $2"
}

# stat NAME: a counter of our first port.
stat() {
	awk -v name="$1" '$1 == name { print $2 }' "/sys/kernel/debug/ahci_fast/$pci/port0/stats"
}

# Prints the disks of our controller in the order of their ports: they get
# their names in the order in which they are found.
disks_by_port() {
	for path in /sys/bus/pci/devices/"$pci"/ata*/host*/target*/*/block/sd*; do
		[ ! -e "$path" ] || echo "$path"
	done | sort -V | sed 's|.*/||'
}

# fresh [PARAMETER=VALUE...]: our driver anew, with these parameters. Sets
# $disk to the first port's.
disks=1
fresh() {
	[ ! -e /sys/module/ahci_fast ] || unload_ours
	load_ours "$@"
	wait_disk 30 $disks
	scheduler_none
	disk=$(disks_by_port | head -n 1)
}

# limit NAME: a limit of that disk's queue.
limit() {
	cat "/sys/block/$disk/queue/$1"
}

huge_pages() {
	echo "$1" > /proc/sys/vm/nr_hugepages
	is "$(cat /proc/sys/vm/nr_hugepages)" "$1" 'huge pages'
}

# The interrupt's kind as the kernel names it, of our driver.
interrupt_is() {
	grep -q "$1.*ahci" /proc/interrupts || fail "interrupt not $1: $(grep ahci /proc/interrupts)"
}

# verify ARGUMENTS: fio writes to $disk, reads back and compares.
verify() {
	fio --name=verify --filename="/dev/$disk" --size=16M --bs=4k --iodepth=32 \
		--rw=randwrite --ioengine=libaio --direct=1 --verify=crc32c \
		--verify_fatal=1 --thread --eta=never --output="/tmp/fio.$disk" "$@" 2>&1 ||
		fail "fio $* on $disk: $(head -n 5 "/tmp/fio.$disk")"
}
