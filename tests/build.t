#!/bin/bash
# What `make` says and does: it builds in the top folder, names the kernel, and
# where it cannot, one line says what is needed.
source "$(dirname "$0")/lib.sh"

# A copy of the tree: building leaves its marks
tree=$tmp/tree
mkdir -p "$tree/scripts"
cp "$root"/*.[ch] "$root/Kbuild" "$root/Makefile" "$tree"
cp "$root/scripts/kernel-range" "$tree/scripts"

# headers RELEASE: a folder that passes for the headers of that kernel
headers() {
	mkdir -p "$tmp/headers-$1/include/generated"
	echo "#define UTS_RELEASE \"$1\"" > "$tmp/headers-$1/include/generated/utsrelease.h"
	echo "$tmp/headers-$1"
}

# refuses DESCRIPTION REGEX MAKE-ARGUMENTS...
refuses() {
	local description=$1 wanted=$2 output status=0
	shift 2
	output=$(make -s -C "$tree" "$@" 2>&1) || status=$?
	output=$(grep -v '^make' <<< "$output")
	[[ $status -ne 0 && $output =~ $wanted && $(wc -l <<< "$output") == 1 ]]
	result $? "$description" || diag "status $status: $output"
}

for kernel in $(kernels); do
	eval "$("$root/scripts/kernel" "$kernel")"
	output=$(make -C "$tree" KDIR="$KDIR" 2>&1)
	ok "$kernel: ahci_fast.ko is there" test -f "$tree/ahci_fast.ko"
	ok "$kernel: make says for which kernel" grep -qF "building for $KREL" <<< "$output"
	is "$(modinfo -F vermagic "$tree/ahci_fast.ko" | cut -d ' ' -f 1)" "$KREL" \
		"$kernel: the module is for that kernel"
	is "$(modinfo -F alias "$tree/ahci_fast.ko")" '' "$kernel: no alias: it never loads by itself"
	is "$(modinfo -F license "$tree/ahci_fast.ko")" 'GPL' "$kernel: licence"
	make -s -C "$tree" clean
	is "$(cd "$tree" && find . -newer Makefile -name '*.o' -o -name '*.ko' -o -name '*.mod*')" '' \
		"$kernel: make clean leaves nothing"
done

# Both modules for boards, none of another architecture is left, and no mix-up
for kernel in 6.1-armmp 6.1-arm64; do
	eval "$("$root/scripts/kernel" "$kernel")"
	make -s -C "$tree" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" KDIR="$KDIR" > "$tmp/out" 2>&1 || diag "$(cat "$tmp/out")"
	for module in ahci_fast ahci_sunxi_fifo; do
		is "$(modinfo -F vermagic "$tree/$module.ko" | cut -d ' ' -f 1)" "$KREL" "$kernel: $module.ko"
		is "$(modinfo -F alias "$tree/$module.ko")" '' "$kernel: $module.ko has no alias"
	done
	refuses "$kernel: headers of a board on a PC: one line" "is for $ARCH, not x86; give ARCH=$ARCH" KDIR="$KDIR"
done
eval "$("$root/scripts/kernel" 6.12)"
refuses "headers of a PC for a board: one line" "is for x86, not arm; give ARCH=x86" ARCH=arm KDIR="$KDIR"
make -s -C "$tree" KDIR="$KDIR" > /dev/null 2>&1
ok "a PC's build leaves no board's module" test ! -e "$tree/ahci_sunxi_fifo.ko"

refuses 'no headers: one line' 'holds no kernel headers; install linux-headers-' KDIR="$tmp/nothing"
refuses 'too old: one line' 'kernel 5.10.0-amd64 is too old, 6.1 or newer' KDIR="$(headers 5.10.0-amd64)"
refuses 'too new: one line' 'kernel 6.18.3 is too new, 6.12 is the newest' KDIR="$(headers 6.18.3)"
done_testing
