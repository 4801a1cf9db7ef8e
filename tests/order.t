#!/bin/bash
# Sequential writes reach the controller in the order they were submitted: no
# doorbell starts a write from before those of the doorbell before it. It takes
# the slots of one doorbell in the order of their numbers, from the last slot on
# and round again (5.3.2.12), so there the order is that of the tags, which the
# block layer hands out in turn; only with a full queue it passes over some whose
# release it has put off. A driver that rings one by one what 6.1 issues from the
# end of a batch goes back at nearly each write.
source "$(dirname "$0")/lib.sh"

# Reads QEMU's trace with the job's marks in it. What one doorbell starts QEMU
# carries out from slot 0 on; here it is put into the order of the
# specification. Prints a line a load: name, commands, doorbells, steps back
# within a doorbell, doorbells that start something from before the last one.
cat > "$tmp/order.awk" <<'E2'
function take_batch(   i, slot, end, low, high, before) {
	low = before = -1
	for (i = 1; i <= 32; i++) {
		slot = (last_slot + i) % 32
		if (!(slot in sector))
			continue
		if (low < 0 || sector[slot] < low)
			low = sector[slot]
		if (sector[slot] > high)
			high = sector[slot]
		if (sector[slot] < before)
			back++
		before = sector[slot]
		delete sector[slot]
		end = slot
		pending--
	}
	last_slot = end
	if (low <= reached)
		across++
	reached = high
}
$1 == "LOAD" { load = $2; commands = rings = back = across = pending = 0; last_slot = reached = -1 }
$1 == "END" { if (pending) take_batch(); print load, commands, rings, back, across; load = "" }
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
	is "$(field "$2" 5)" 0 "$1: $2: no doorbell goes back behind the one before ($(field "$2" 3) of them)"
	[[ $2 == depth-32-by-16 ]] ||
		is "$(field "$2" 4)" 0 "$1: $2: within a doorbell slots are in order, too"
}

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	guest_ok "$kernel: sequential writes" --kernel "$kernel" \
		--job "$root/tests/guest/order.sh" --add "$module:/ahci_fast.ko" \
		--mark "awk -f '$tmp/order.awk' > '$tmp/loads'" \
		-- -blockdev driver=null-co,node-name=disk,size=1073741824 \
		-device ide-hd,drive=disk,bus=ide.0 || continue
	for load in depth-2 depth-32 depth-32-by-16 depth-16-by-16 depth-14-by-7; do
		check_load "$kernel" "$load"
	done
	ok "$kernel: doorbells were shared" test "$(field depth-32-by-16 3)" -lt 200 -a "$(field depth-16-by-16 3)" -lt 200
done
done_testing
