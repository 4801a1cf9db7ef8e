#!/bin/bash
# The tables of ids and boards against those of the stock driver: what ahci
# knows and guards against, ahci_fast does too. The stock sources are Debian's.
source "$(dirname "$0")/lib.sh"

versions=(6.1 6.12)

compare() {
	"$root/tests/boards/compare" "$@"
}

# stock VERSION: prints the folder of that kernel's source.
stock() {
	local SRC
	eval "$("$root/scripts/kernel" --source "$1" || echo 'return 1')"
	echo "$SRC"
}

check_tables() {
	local version dir
	for version in "${versions[@]}"; do
		dir=$(stock "$version")
		ok "$version: every id of the stock table is known" compare ids "$dir" "$root"
		ok "$version: no id lacks a protection that stock gives it" compare flags "$dir" "$root"
		ok "$version: nor does a revision of one" compare revisions "$dir" "$root"
	done
}

# caught DESCRIPTION REGEX SED-SCRIPT: the comparison finds what the script does
# to our tables, and says so in words that match.
caught() {
	local description=$1 wanted=$2 script=$3 mutant=$tmp/mutant output status=0
	rm -rf "$mutant"
	mkdir "$mutant"
	cp "$root/ahci_fast.h" "$mutant"
	sed "$script" "$root/ahci_fast_pci.c" > "$mutant/ahci_fast_pci.c"
	if cmp -s "$root/ahci_fast_pci.c" "$mutant/ahci_fast_pci.c"; then
		result 1 "caught: $description" || diag "sed changes nothing: $script"
		return
	fi
	output=$(compare all "$newest" "$mutant" 2>&1) || status=$?
	[[ $status -eq 1 && $output =~ $wanted ]]
	result $? "caught: $description" || diag "status $status: $output"
}

# A comparison that finds nothing could as well be one that looks at nothing.
check_the_check() {
	local newest
	newest=$(stock "${versions[-1]}")

	caught 'JMB58x without its limit of 32 bits' '197b:0585 .* lacks 32BIT_ONLY' \
		'/\[BOARD_JMB58X\] =/,/}/s/ | AHCIF_32BIT_ONLY//'
	caught 'ASMedia without its limit of 43 bits' '1b21:0612 .* lacks 43BIT_ONLY' \
		'/\[BOARD_43BIT\] =/,/}/s/AHCIF_43BIT_ONLY/0/'
	caught 'one ASM1061 on another board' '1b21:0611 .* lacks 43BIT_ONLY' \
		's/ID(ASMEDIA, 0x0611, 43BIT)/ID(ASMEDIA, 0x0611, PLAIN)/'
	caught 'SB600 without its limit of 255 sectors' '1002:4380 .* lacks SECT255' \
		'/\[BOARD_SB600\] =/,/}/s/AHCIF_SECT255 |//'
	caught 'an id removed' '8086:282a .*class 010400: unknown' '/ID(INTEL, 0x282a, /d'
	caught 'an id behind one that takes its place' '197b:2361 .* lacks force_port_map=0x1' \
		's/ID_AHCI(JMICRON, 0x2361,/ID_AHCI(JMICRON, PCI_ANY_ID, IGN_IFS), &/'
	caught 'errors ignored where they count' '8086:2922 .* adds IGN_IFS' \
		'/\[BOARD_PCS\] =/,/}/s/AHCIF_PCS/& | AHCIF_IGN_IFS/'
	caught 'Avoton without its reset' '8086:1f32 .* lacks avoton_hardreset' \
		'/\.hardreset = avoton_hardreset/d'
	caught 'MCP65 A1 with MSI' '10de:044c .* revision a1 on: lacks NO_MSI' \
		's/BOARD_MCP65, 0xa1,/BOARD_MCP65, 0xa2,/'
	caught 'SB800 with the errors of SB700 ignored' '1002:4391 .* revision 40 on: adds IGN_SERR_INTERNAL' \
		's/BOARD_SB700, 0x40,/BOARD_SB700, 0x41,/'
	caught 'a Huawei of revision 2f with external ports' '19e5:a235 .* revision 2f on: lacks NO_SXS' \
		's/BOARD_HUAWEI, 0x00, 0x2f,/BOARD_HUAWEI, 0x00, 0x2e,/'
}

check_tables
check_the_check
# Status 1 is for a bad table; sources it cannot read are another matter
status=0
compare all "$tmp" "$root" 2>/dev/null || status=$?
is "$status" 2 'no sources: no comparison'
done_testing
