# shellcheck shell=bash
# What the tests of data and requests share. A test sources it in place of
# lib.sh.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

jobs=$root/tests/guest

# pattern: see pattern.c. Static: it runs in the guest too.
gcc -static -O2 -Wall -Wextra -o "$tmp/pattern" "$jobs/pattern.c" ||
	{ echo 'Bail out! pattern.c does not compile'; exit 1; }

# gathering_disk IMAGE: as disk, but QEMU gathers each request into one piece of
# memory before it writes: to a file it hands no more than IOV_MAX (1024)
# pieces, and fails the command if there are more. Encryption does that.
gathering_disk() {
	local node=${1##*/}
	qemu-img create -q -f luks --object secret,id=secret,data=secret \
		-o key-secret=secret,iter-time=10 "$1" "$(stat -c %s "$1")" || return
	printf '%s\n' -object secret,id=secret,data=secret \
		-blockdev "driver=luks,node-name=$node,key-secret=secret,file.driver=file,file.filename=$1" \
		-device "ide-hd,drive=$node,bus=ide.0"
}

# parts_ok KERNEL DESCRIPTION COUNT ARGUMENTS...: runs a guest whose job says
# "passed TEXT" after each of its COUNT parts. Each is a line of TAP; then one
# for the whole guest, which fails if a part is missing.
parts_ok() {
	local kernel=$1 description=$2 count=$3 code=0 passed=0 text
	shift 3
	guest --kernel "$kernel" --add "$tmp/pattern:bin/pattern" \
		--add "$jobs/io.sh:io.sh" --add "$(module_for "$kernel"):ahci_fast.ko" "$@" || code=$?
	while read -r text; do
		result 0 "$kernel: $text"
		passed=$((passed + 1))
	done < <(sed -n 's/^passed //p' <<< "$guest_output")
	((code == 0 && passed == count))
	result $? "$kernel: $description" && { diag "$(grep '^#' <<< "$guest_output")"; return; }
	diag "$passed of $count parts passed"
	diag_guest
}
