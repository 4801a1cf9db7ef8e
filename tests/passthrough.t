#!/bin/bash
# hdparm, smartctl and sg programs: through an idle and through a full queue,
# with buffers that fit and that do not.
source "$(dirname "$0")/lib.sh"

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	mapfile -t disk < <(disk "$(image "sg-$kernel" 64M)")
	guest_ok "$kernel: passthrough, idle and under load" \
		--kernel "$kernel" --job "$root/tests/guest/passthrough.sh" \
		--add "$module:/ahci_fast.ko" -- "${disk[@]}"
done
done_testing
