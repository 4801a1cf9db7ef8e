#!/bin/bash
# Take-over and give-back of one controller, a disk in use on another one.
source "$(dirname "$0")/lib.sh"

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	mapfile -t boot < <(disk "$(image "boot-$kernel" 64M)")
	mapfile -t free < <(disk "$(image "free-$kernel" 64M)" mine.0)
	guest_ok "$kernel: bind, unbind, and all they refuse" \
		--kernel "$kernel" --job "$root/tests/guest/bind.sh" \
		--job-arg 0000:00:05.0 --job-arg 0000:00:1f.2 \
		--add "$module:/ahci_fast.ko" --add "$root/scripts/bind:/s/bind" \
		--add "$root/scripts/unbind:/s/unbind" \
		--add "$root/scripts/controller.sh:/s/controller.sh" -- \
		-device ich9-ahci,id=mine,addr=5 "${boot[@]}" "${free[@]}"
done
done_testing
