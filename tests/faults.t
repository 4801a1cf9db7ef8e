#!/bin/bash
# The test build, made to fail on demand: doorbells, ends of batches and
# interrupts are lost, memory is short. With messages and with the level-driven
# line, which loses an interrupt where messages repeat it.
source "$(dirname "$0")/lib.sh"

# slow_disk: a request a second, and sector 8192 cannot be read.
slow_disk() {
	printf '%s\n' -object throttle-group,id=slow,x-iops-total=1,x-iops-total-max=3 \
		-blockdev "$(jq -nc '{
			driver: "throttle", "node-name": "b", "throttle-group": "slow", file: {
				driver: "blkdebug", image: {driver: "null-co", size: 1073741824, "read-zeroes": true},
				"inject-error": [{event: "none", iotype: "read", sector: 8192, errno: 5}]}}')" \
		-device ich9-ahci,id=second,addr=5 \
		-device ide-hd,drive=b,bus=second.0,rerror=report,werror=report
}

# The ordinary module has none of this.
check_ordinary() {
	local module=$1
	ok "$kernel: the ordinary module has no faults in it" test -e "$module"
	is "$(nm "$module" | grep -c ahcif_fault)" 0 "$kernel: ... not even their names"
}

for kernel in $(kernels); do
	check_ordinary "$(module_for "$kernel")"
	module=$("$root/scripts/module" --faults "$kernel") || { result 1 "$kernel: builds"; continue; }
	for line in msi intx; do
		mapfile -t disks < <(disk "$(image "faults-$kernel" 64M)"; slow_disk)
		[[ $line == msi ]] && options= || options=pci=nomsi
		guest_ok "$kernel: faults, $line" --kernel "$kernel" --append "$options" \
			--job "$root/tests/guest/faults.sh" --job-arg "$line" \
			--mark "awk '/sectors .160000,/ { e++ } /sectors .160008,/ { i++ } END { print e + 0, i + 0 }' > '$tmp/reads'" \
			--add "$module:/ahci_fast.ko" -- "${disks[@]}"
		is "$(cat "$tmp/reads")" '1 1' "$kernel: $line: what was unrung at an error or an interrupt is carried out once"
	done
done
done_testing
