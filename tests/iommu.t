#!/bin/bash
# Behind an IOMMU that maps page by page: the controller reaches its tables and
# all data, and nothing else. A command table that crosses a page makes QEMU
# fail the command or abort.
source "$(dirname "$0")/io.sh"

for kernel in $(kernels); do
	image=$(image "iommu-$kernel" 512M)
	mapfile -t disk < <(disk "$image")
	parts_ok "$kernel" 'behind an IOMMU' 3 --job "$jobs/iommu.sh" \
		--machine q35,kernel-irqchip=split --append 'intel_iommu=on iommu.strict=1' \
		-- -device intel-iommu,intremap=on "${disk[@]}"
	rm "$image"
done
done_testing
