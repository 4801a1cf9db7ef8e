#!/bin/bash
# ext4 made, filled, unmounted, checked; TRIM reaches the image; a disc is read
# and compared; an empty drive says so.
source "$(dirname "$0")/lib.sh"

# make_disc: an ISO with a few files and their sums
make_disc() {
	mkdir "$tmp/disc"
	for n in 1 2 3 4; do
		head -c $((n * 700001)) /dev/urandom > "$tmp/disc/file$n"
	done
	(cd "$tmp/disc" && sha256sum file* > sums)
	xorriso -as mkisofs -quiet -R -o "$tmp/disc.iso" "$tmp/disc" 2>/dev/null
}

allocated() {
	du -k "$1" | cut -f 1
}

make_disc
disc_sum=$(sha256sum < "$tmp/disc.iso" | cut -d ' ' -f 1)

for kernel in $(kernels); do
	module=$(module_for "$kernel") || { result 1 "$kernel: builds"; continue; }
	img=$(image "fs-$kernel" 128M)
	guest_ok "$kernel: ext4, TRIM, a disc, an empty drive" \
		--kernel "$kernel" --job "$root/tests/guest/fs.sh" \
		--job-arg "$disc_sum" --add "$module:/ahci_fast.ko" -- \
		-blockdev "driver=file,node-name=f0,filename=$img,discard=unmap" \
		-blockdev driver=raw,node-name=d0,file=f0,discard=unmap \
		-device ide-hd,drive=d0,bus=ide.0 \
		-blockdev "driver=file,node-name=cd,filename=$tmp/disc.iso,read-only=on" \
		-device ide-cd,drive=cd,bus=ide.1 -device ide-cd,bus=ide.2

	# Files of 50 kB times 1..40 were written, numbers 3 and 30..39 trimmed
	kept=$(allocated "$img")
	ok "$kernel: the image gave back what was trimmed ($kept KiB left)" \
		test "$kept" -lt $((50 * 820))
	ok "$kernel: and kept the rest" test "$kept" -gt $((50 * 472 * 1000 / 1024))
done
done_testing
