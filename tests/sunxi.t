#!/bin/bash
# The Allwinner controller, on QEMU's cubieboard with Debian's kernel for it:
# the driver's whole life there, the order in which P0DMACR and PxCMD.ST are
# written, and what only a controller in memory can show.
source "$(dirname "$0")/lib.sh"

kernel=6.1-armmp
testr='addr=0x74 val=0x'	# as QEMU traces it: from the vendor's registers on

# Reads of sector 8192 fail.
bad_disk() {
	printf '%s\n' -drive "if=none,id=disk,format=raw,file=blkdebug:$tmp/blkdebug:$1,rerror=report,werror=report" \
		-device ide-hd,bus=ide.0,drive=disk
	printf '%s\n' '[inject-error]' 'event = "none"' 'iotype = "read"' 'sector = "8192"' 'errno = "5"' \
		> "$tmp/blkdebug"
}

# Prints "phase value" for each start of the engine in a trace: what P0DMACR was
# given since the engine was last stopped, "none" if nothing.
starts() {
	awk -v testr="$testr" '
		at = index($0, testr) { phase = substr($0, at + length(testr), 1) }
		/port write \[reg:PxVS\] @ 0x70:/ { dmacr = $NF; if (running) print phase, "running" }
		/port write \[reg:PxCMD\]/ {
			start = $NF ~ /[13579bdf]$/
			if (start && !running) print phase, dmacr
			if (!start || !running) dmacr = "none"
			running = start
		}
		/ahci_mem_write .* @ 0x4:/ && $NF ~ /[13579bdf]$/ { running = 0; dmacr = "none" }' "$1"
}

# in_phase N: the values of that phase, repetitions left out
in_phase() {
	awk -v n="$1" '$1 == n { print $2 }' "$tmp/starts" | uniq | paste -sd ' '
}

# phy N: what is written to the PHY's registers in phase N, from RWCR 0 to RWCR 7,
# one write a line; "end" after each round
phy() {
	awk -v testr="$testr" -v wanted="$1" '
		!/allwinner_ahci_mem_write/ { next }
		at = index($0, testr) { phase = substr($0, at + length(testr), 1) }
		phase != wanted { next }
		/addr=0x7c val=0x0,/ { inside = 1 }
		inside { print $(NF - 2), $(NF - 1) }
		/addr=0x7c val=0x7,/ { inside = 0; print "end" }' "$tmp/trace"
}

# Prints what the changes of phase 2 make of 0x4433, one a line.
changes() {
	local value
	local -A at=([txts]=3 [rxts]=3 [txabl]=4 [rxabl]=4)
	change() {
		at[$1]=$2
		printf '0x0000%x%x%x%x\n' "${at[rxabl]}" "${at[txabl]}" "${at[rxts]}" "${at[txts]}"
	}
	for value in {0..4}; do
		change txts "$value"
		change rxts "$value"
	done
	for value in {0..8}; do
		change txabl "$value"
		change rxabl "$value"
	done
}

# memory_tree: prints the path of a device tree with two more controllers, in the
# memory above 0x7e000000, and FIFO sizes for the real one
memory_tree() {
	local tree=$tmp/tree.dtb soc=/soc node name
	cp "$DTBS/sun4i-a10-cubieboard.dtb" "$tree"
	for node in 7e000000=sun4i-a10 7e001000=sun8i-r40; do
		name=$soc/sata@${node%=*}
		fdtput -c "$tree" "$name"
		fdtput -t s "$tree" "$name" compatible "allwinner,${node#*=}-ahci"
		fdtput -t x "$tree" "$name" reg "${node%=*}" 1000
		fdtput -t x "$tree" "$name" interrupts "$([[ $node == *r40 ]] && echo 3c || echo 3d)"
		# shellcheck disable=SC2046 # numbers
		fdtput -t x "$tree" "$name" clocks $(fdtget -t x "$tree" $soc/sata@1c18000 clocks)
	done
	fdtput -t u "$tree" $soc/sata@1c18000 snps,tx-ts-max 4
	fdtput -c "$tree" $soc/sata@1c18000/sata-port@0
	fdtput -t u "$tree" $soc/sata@1c18000/sata-port@0 snps,rx-ts-max 12
	echo "$tree"
}

module=$(module_for "$kernel") || { result 1 "$kernel: builds"; done_testing; }
eval "$("$root/scripts/kernel" "$kernel")"
adds=(--add "$module:/ahci_fast.ko" --add "${module%/*}/ahci_sunxi_fifo.ko:/ahci_sunxi_fifo.ko"
	--add "$root/tests/guest/sunxi-lib.sh:/sunxi-lib.sh")

is "$(modinfo -F alias "${module%/*}/ahci_sunxi_fifo.ko")" '' "no alias: it never loads by itself"

mapfile -t disks < <(bad_disk "$(image disk 64M)")
guest_ok "cubieboard: probe, depths, errors, suspend, unbind" --kernel "$kernel" \
	--job "$root/tests/guest/sunxi.sh" "${adds[@]}" --timeout 600 -- "${disks[@]}" \
	-D "$tmp/trace" -trace ahci_port_write -trace allwinner_ahci_mem_write -trace ahci_mem_write
starts "$tmp/trace" > "$tmp/starts"
is "$(in_phase 1)" 0x00004433 "P0DMACR before ST at probe"
ok "the stock driver's start of the PHY was traced" grep -q end <(phy 0)
is "$(phy 1)" "$(phy 0)" "ours starts the PHY with the same values in the same order"
# At resume they begin with what is left there, so the last ones are compared
is "$(phy 6 | tail -n 4)" "$(phy 0 | tail -n 4)" "at resume too"
is "$(phy 6 | grep -c end)" 3 "at each of three"
is "$(in_phase 2)" "$(changes | paste -sd ' ')" "at each change"
is "$(in_phase 3)" '0x00008842 0x00008812 0x00008512 0x00006512' "at each change on the way to 0x6512"
is "$(in_phase 4)" '' "a refused value starts nothing"
is "$(in_phase 5)" 0x00006512 "at error recovery"
is "$(in_phase 6)" 0x00006512 "at resume"
# Taking a disk away restarts the list once more, with the old value
is "$(in_phase 7)" '0x00006512 0x00004433' "at each bind"
is "$(in_phase 8)" 0x00004926 "by parameters"
for least in '6 3' '7 50'; do
	ok "at least ${least#* } starts in phase ${least% *}" \
		test "$(grep -c "^${least% *} " "$tmp/starts")" -ge "${least#* }"
done

guest_ok "cubieboard: a PHY that never comes, reserved bits, FIFO sizes" --kernel "$kernel" \
	--append "mem=960M" --dtb "$(memory_tree)" --job "$root/tests/guest/sunxi-memory.sh" \
	"${adds[@]}" --timeout 300 -- -drive "if=none,id=disk,format=raw,file=$(image disk2 64M)" \
	-device ide-hd,bus=ide.0,drive=disk

guest_ok "cubieboard: a change of depth waits for what runs" --kernel "$kernel" \
	--job "$root/tests/guest/sunxi-slow.sh" "${adds[@]}" -- \
	-blockdev driver=null-co,node-name=slow,size=67108864,latency-ns=4000000000 \
	-device ide-hd,bus=ide.0,drive=slow

guest_ok "cubieboard: fifo-sweep" --kernel "$kernel" --job "$root/tests/guest/sunxi-sweep.sh" \
	--add "$root/scripts/bench/fifo-sweep:/fifo-sweep" "${adds[@]}" --timeout 600 -- \
	-drive "if=none,id=disk,format=raw,file=$(image disk3 64M)" -device ide-hd,bus=ide.0,drive=disk
diag "$guest_output"
done_testing
