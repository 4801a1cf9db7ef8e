# shellcheck shell=dash disable=SC2015,SC2119
# A && B || fail: fail does not return
# Behind an IOMMU.
. /lib.sh
. /io.sh

fresh
is "$(cat /sys/bus/pci/devices/"$pci"/iommu_group/type)" DMA 'type of the IOMMU group'

verify --rw=randrw --bssplit=4k/40:16k/20:64k/20:256k/10:1m/10 --iodepth=16 --size=64M
verify --rw=write --bs=1m --iodepth=16 --size=64M
passed 'fio verifies 4 KiB to 1 MiB'

# The IOMMU joins whole pages. Pieces of pages stay apart, so that the table is
# as long as it gets. Often enough that each slot has its turn.
tables() {
	local pieces prds lba=5
	for pieces in "$@"; do
		prds=$(stat prds)
		pattern write "/dev/$disk" "$pieces" $lba 32 "$pieces" 512 512 &&
			pattern read "/dev/$disk" "$pieces" $lba 32 "$pieces" 512 512 ||
			fail "$pieces pieces of pages"
		is $(($(stat prds) - prds)) $((64 * pieces)) "PRDs of $pieces pieces"
		lba=$((lba + 32 * pieces))
	done
}

tables 1 8 9 100 167 168 240 241 248 249 500 1016
passed 'tables of 1 to 1016 PRDs, each slot'

# 1016 PRDs fill four pages. A fifth is not beside them by itself.
fresh max_prds=1024
tables 1017 1024
passed 'tables of five pages, each slot'
