#!/bin/bash
# What the stock driver wrote ours reads, and the reverse: the two put the same
# bytes at the same places.
source "$(dirname "$0")/io.sh"

# image_is KERNEL IMAGE SEED LBA SECTORS: the host sees the same.
image_is() {
	ok "$1: the image has the pattern of seed $3" "$tmp/pattern" check "$2" "$3" "$4" "$5"
}

for kernel in $(kernels); do
	image=$(image "cross-$kernel" 512M)
	mapfile -t disk < <(disk "$image")
	parts_ok "$kernel" 'drivers take turns on a disk' 3 --job "$jobs/cross.sh" -- "${disk[@]}"
	# The areas of cross.sh, with what was written there last
	image_is "$kernel" "$image" 33 1 123872
	image_is "$kernel" "$image" 32 200001 123872
	image_is "$kernel" "$image" 34 400001 123872
	rm "$image"
done
done_testing
