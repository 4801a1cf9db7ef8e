#!/bin/bash
# Injected read and write errors at one sector under depth 32, and a command
# that times out: as with the stock driver, and the rest of the data is right.
source "$(dirname "$0")/lib.sh"

# bad_disk IMAGE: reads of sector 8192 and writes of sector 16384 fail.
bad_disk() {
	printf '%s\n' -blockdev "$(jq -nc --arg file "$1" '{
		driver: "raw", "node-name": "bad", file: {
			driver: "blkdebug", image: {driver: "file", filename: $file},
			"inject-error": [
				{event: "none", iotype: "read", sector: 8192, errno: 5},
				{event: "none", iotype: "write", sector: 16384, errno: 5}]}}')" \
		-device ide-hd,drive=bad,bus=ide.0,rerror=report,werror=report
}

slow_disk() {
	printf '%s\n' -blockdev driver=null-co,node-name=slow,size=1073741824,latency-ns=3000000000 \
		-device ide-hd,drive=slow,bus=ide.1
}

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	for driver in ahci ahci_fast; do
		mapfile -t disks < <(bad_disk "$(image "bad-$kernel" 64M)"; slow_disk)
		guest_ok "$kernel: $driver: one bad sector, one slow command" \
			--kernel "$kernel" --job "$root/tests/guest/errors.sh" \
			--job-arg "$driver" --add "$module:/ahci_fast.ko" -- "${disks[@]}"
	done
done
done_testing
