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

while IFS='|' read -r name options cure _; do
	dir=$tmp/$name errors=none
	checker "$dir" "-DCOMMANDS_1=0 -DCURE_$name $options" && read -r errors _ < <(search "$dir")
	is "$errors" 1 "not provable without: $cure"
done < <(cures)

"$root/tests/model/explain" > "$tmp/hazards.md"
ok "docs/hazards.md is what tests/model/explain prints" cmp "$tmp/hazards.md" "$root/docs/hazards.md"
done_testing
