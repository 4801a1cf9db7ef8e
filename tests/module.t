#!/bin/bash
# Load, parameters right and wrong, unload: with nothing attached, with a disk,
# with an ATAPI drive, with and without a pause.
source "$(dirname "$0")/lib.sh"

rounds=${ROUNDS:-25}	# in two halves, so this twice

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	common=(--kernel "$kernel" --job "$root/tests/guest/module.sh"
		--add "$module:/ahci_fast.ko" --timeout 600)
	mapfile -t disk < <(disk "$(image "disk-$kernel" 64M)")

	guest_ok "$kernel: parameters, and $((rounds * 2)) rounds without a device" \
		"${common[@]}" --job-arg nothing --job-arg "$rounds"
	guest_ok "$kernel: $((rounds * 2)) rounds with a disk" \
		"${common[@]}" --job-arg disk --job-arg "$rounds" -- "${disk[@]}"
	guest_ok "$kernel: $((rounds * 2)) rounds with an empty CD drive" \
		"${common[@]}" --job-arg cd --job-arg "$rounds" -- -device ide-cd,bus=ide.2
done
done_testing
