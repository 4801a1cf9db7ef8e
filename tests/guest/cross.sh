# shellcheck shell=dash disable=SC2119
# The stock driver and ours take turns on the disk.
. /lib.sh
. /io.sh

# turn DRIVER: the controller changes hands.
turn() {
	bind "$pci" "$1"
	wait_disk
	scheduler_none
	disk=$(disks_by_port)
}

# area MODE SEED LBA: 123872 sectors by requests of 512 B to 4 MiB, at sectors
# that no page begins with.
area() {
	local mode=$1 seed=$2 lba=$3 pieces offset bytes times
	while read -r pieces offset bytes times; do
		pattern "$mode" "/dev/$disk" "$seed" "$lba" "$times" "$pieces" "$offset" "$bytes" ||
			fail "$mode of $pieces pieces of $bytes bytes, seed $seed"
		lba=$((lba + times * pieces * bytes / 512))
	done <<- 'LIST'
		1 0 512 256
		1 512 3584 256
		1 0 4096 256
		167 512 512 32
		32 0 4096 64
		256 0 4096 8
		1016 0 4096 4
		1024 0 4096 4
		2048 0 4096 1
	LIST
}

load_ours
load_stock

turn ahci
area write 31 1

turn ahci_fast
area read 31 1
passed 'ours reads what the stock driver wrote'
area write 32 200001
area write 33 1

turn ahci
area read 32 200001
area read 33 1
passed 'the stock driver reads what ours wrote'
area write 34 400001

turn ahci_fast
area read 34 400001
area read 33 1
passed 'and once more'
