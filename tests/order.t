#!/bin/bash
# Sequential writes reach the controller in the order they were submitted. It
# takes the slots of one doorbell in the order of their numbers, from the last
# slot on and round again (5.3.2.12), so they must be handed out in that order.
# One in a hundred may be out of it: a request that finds the queue full goes by
# another way in the block layer, and later ones overtake it on a busy host. A
# driver that rings them one by one as 6.1 issues them goes back at nearly each.
source "$(dirname "$0")/lib.sh"

# Reads QEMU's trace with the job's marks in it. What one doorbell starts QEMU
# carries out from slot 0 on; here it is put into the order of the
# specification, and then sectors must never go back. Prints a line a load:
# name, commands, doorbells, steps back.
cat > "$tmp/order.awk" <<'E2'
function take_batch(   i, slot, end) {
	for (i = 1; i <= 32; i++) {
		slot = (last_slot + i) % 32
		if (!(slot in sector))
			continue
		if (sector[slot] <= last_sector)
			back++
		last_sector = sector[slot]
		delete sector[slot]
		end = slot
		pending--
	}
	last_slot = end
}
$1 == "LOAD" { load = $2; commands = rings = back = pending = 0; last_slot = last_sector = -1 }
$1 == "END" { if (pending) take_batch(); print load, commands, rings, back; load = "" }
load == "" { next }
# PxCI of port 0
$1 == "ahci_mem_write" && $5 == "0x138:" { if (pending) take_batch(); rings++ }
$1 == "process_ncq_command" {
	slot = $2; sub(/.*tag:/, "", slot); sub(/\].*/, "", slot)
	first = $NF; gsub(/[^0-9,]/, "", first); sub(/,.*/, "", first)
	sector[slot + 0] = first + 0
	commands++
	pending++
}
E2

# field LOAD COLUMN
field() {
	awk -v load="$1" -v column="$2" '$1 == load { print $column }' "$tmp/loads"
}

check_load() {
	is "$(field "$2" 2)" 1025 "$1: $2: each write is a command of its own"
	ok "$1: $2: in the order of submission ($(field "$2" 4) steps back, $(field "$2" 3) doorbells)" \
		test "$(field "$2" 4)" -le 10
}

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	guest_ok "$kernel: sequential writes" --kernel "$kernel" \
		--job "$root/tests/guest/order.sh" --add "$module:/ahci_fast.ko" \
		--mark "awk -f '$tmp/order.awk' > '$tmp/loads'" \
		-- -blockdev driver=null-co,node-name=disk,size=1073741824 \
		-device ide-hd,drive=disk,bus=ide.0 || continue
	for load in depth-2 depth-32 depth-32-by-16 depth-31-by-7; do
		check_load "$kernel" "$load"
	done
	ok "$kernel: doorbells were shared" test "$(field depth-32-by-16 3)" -lt 200
done
done_testing
