#!/bin/bash
# The driver is bound, unbound, unloaded, suspended and shut down while it
# works; a controller beside it is left alone.
source "$(dirname "$0")/lib.sh"

null_disk() {
	printf '%s\n' -blockdev "driver=null-co,node-name=$1,size=1073741824,read-zeroes=on" \
		-device "ide-hd,drive=$1,bus=$2"
}

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	common=(--kernel "$kernel" --add "$module:/ahci_fast.ko")
	mapfile -t other < <(null_disk other ide.0)

	img=$(image "life-$kernel" 256M)
	guest_ok "$kernel: bound, unbound, removed, deleted, reset under load" \
		"${common[@]}" --job "$root/tests/guest/life.sh" \
		--job-arg 0000:00:05.0 --job-arg 0000:00:1f.2 -- \
		-device ich9-ahci,id=mine,addr=5 "${other[@]}" \
		-blockdev "driver=file,node-name=mine,filename=$img" \
		-device ide-hd,drive=mine,bus=mine.0

	mapfile -t disk < <(disk "$(image "intx-$kernel" 64M)")
	guest_ok "$kernel: INTx shared with a network card" \
		"${common[@]}" --job "$root/tests/guest/shared.sh" --append pci=nomsi -- \
		"${disk[@]}" -device ich9-usb-uhci1,addr=1d.0,multifunction=on \
		-netdev user,id=n1 -device e1000,netdev=n1,addr=0x19,romfile=

	# QEMU does not bring a second processor back reliably, whatever the driver
	mapfile -t disk < <(disk "$(image "sleep-$kernel" 64M)")
	guest_ok "$kernel: suspend and resume during a load" \
		"${common[@]}" --job "$root/tests/guest/sleep.sh" --bzimage --smp 1 \
		--allow 'ACPI Error' -- "${disk[@]}"

	mapfile -t disks < <(for n in 0 1 2; do null_disk "down$n" "ide.$n"; done)
	for way in reboot poweroff; do
		guest_ok "$kernel: $way under load" "${common[@]}" \
			--job "$root/tests/guest/down.sh" --job-arg "$way" \
			--timeout 120 -- "${disks[@]}"
	done
done
done_testing
