#!/bin/bash
# DMA memory of a port: a page while it is empty, tables once a disk is there.
source "$(dirname "$0")/lib.sh"

# bytes DRIVER COLUMN: what the guest found; 2 is an empty port, 3 one with a disk.
bytes() {
	awk -v driver="$1" -v column="$2" '$1 == "memory" && $2 == driver { print $(column + 1) }' <<< "$guest_output"
}

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	mapfile -t disk < <(disk "$(image "memory-$kernel" 64M)")
	guest_ok "$kernel: memory of ports is counted" --kernel "$kernel" \
		--job "$root/tests/guest/memory.sh" --add "$module:/ahci_fast.ko" \
		-- "${disk[@]}" -device ich9-ahci,addr=5 || continue
	ok "$kernel: an empty port takes 16 KiB at most ($(bytes ahci_fast 2), stock $(bytes ahci 2))" \
		test "$(bytes ahci_fast 2)" -gt 0 -a "$(bytes ahci_fast 2)" -le 16384
	ok "$kernel: a port with a disk takes 600 KiB at most ($(bytes ahci_fast 3), stock $(bytes ahci 3))" \
		test "$(bytes ahci_fast 3)" -gt $((32 * 1016 * 16)) -a "$(bytes ahci_fast 3)" -le 614400
	ok "$kernel: the stock driver's are counted, too" \
		test "$(bytes ahci 2)" -gt 80000 -a "$(bytes ahci 3)" -gt 80000
done
done_testing
