#!/bin/bash
# The size of requests: what the queue says, who may change it, and that the
# disk is really asked for that much at a time.
source "$(dirname "$0")/io.sh"

check_limits() {
	local disk
	mapfile -t disk < <(disk "$(image "limits-$1" 512M)")
	parts_ok "$1" 'limits of a disk' 8 --job "$jobs/limits.sh" --append hugepages=48 -- "${disk[@]}"
}

# Each disk has a limit of its own; the third is held by none.
check_forced() {
	local disks
	mapfile -t disks < <(for i in 0 1 2; do disk "$(image "forced$i-$1" 64M)" ide.$i; done)
	parts_ok "$1" "libata.force's limits" 1 --job "$jobs/limits-forced.sh" \
		--append libata.force=1.00:max_sec_1024,2.00:max_sec_128 -- "${disks[@]}"
}

for kernel in $(kernels); do
	check_limits "$kernel"
	check_forced "$kernel"
done
done_testing
