#!/bin/bash
# The protocol between driver and controller, proved by spin over all
# interleavings (tests/model/ahci.pml), and with each cure taken out not provable.
source "$(dirname "$0")/lib.sh"
source "$root/tests/model/model.sh"

# search DIR: prints how many errors and states were found.
search() {
	(cd "$1" && ./pan -m1000000 > pan.log 2>&1)
	awk '/error: max search depth/ { deep = 1 }
		/errors: / { errors = $NF }
		/states, stored/ { states = $1 }
		END { print (deep || errors == "" ? "no result" : errors), states }' "$1/pan.log"
}

# proved DESCRIPTION "MACRO..."
proved() {
	local dir=$tmp/proof errors=none states=0
	rm -rf "$dir"
	checker "$dir" "$2" && read -r errors states < <(search "$dir")
	[[ $errors == 0 && $states -gt 1000 ]]
	result $? "$1, $states states" || diag "$errors errors: $(tail -n 20 "$dir/pan.log")"
}

proved "one disk, messages" "-DCOMMANDS_1=0 -DCOMMANDS=4"
proved "one disk, a line" "-DCOMMANDS_1=0 -DLEVEL"
proved "one disk, two errors" "-DCOMMANDS_1=0 -DERRORS=2"
proved "shutdown" "-DCOMMANDS_1=0 -DHALT -DERRORS=0"
proved "two disks, messages" "-DCOMMANDS=2 -DCOMMANDS_1=1"
proved "two disks, a line" "-DCOMMANDS=2 -DCOMMANDS_1=1 -DLEVEL"
proved "two disks, three tags in use" "-DCOMMANDS=3 -DCOMMANDS_1=1"

# The check fails without each cure, and how is what the document says
"$root/tests/model/explain" > "$tmp/hazards.md"
while IFS='|' read -r _ _ cure _; do
	ok "not provable without: $cure" \
		grep -qx 'assertion violated' <(sed -n "/^## ${cure^}/,/^## /p" "$tmp/hazards.md")
done < <(cures)
ok "docs/hazards.md is what tests/model/explain prints" cmp "$tmp/hazards.md" "$root/docs/hazards.md"
done_testing
