#!/bin/bash
# ahci_fast on the simulated controller (tests/sim): kinds of controllers that
# QEMU has none of, each access checked against the specification.
source "$(dirname "$0")/lib.sh"

for kernel in $(kernels); do
	module=$("$root/scripts/module" --sim "$kernel") || { result 1 "$kernel: builds"; continue; }
	adds=()
	for name in ahci_sim ahci_fast ahci_sim_glue; do
		adds+=(--add "${module%/*}/$name.ko:/$name.ko")
	done
	for part in kinds faults; do
		guest_ok "$kernel: $part" --kernel "$kernel" --timeout 600 \
			--job "$root/tests/guest/sim.sh" --job-arg "$part" "${adds[@]}"
		diag "$guest_output"
	done
done
done_testing
