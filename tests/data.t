#!/bin/bash
# Data: whatever is written is read back the same, by any size and shape of
# request the block layer makes, in all ways the driver works.
source "$(dirname "$0")/io.sh"

# job_args PART...: prints the arguments, one a line.
job_args() {
	printf -- '--job-arg\n%s\n' "$@"
}

# check_one_disk KERNEL: one disk, with NCQ and MSI unless a part says otherwise.
check_one_disk() {
	local disk args parts=(sizes_default sizes_largest vectors_default within_pages
		doorbells interrupts pairs one_at_a_time)
	mapfile -t disk < <(disk "$(image "one-$1" 1G)")
	mapfile -t args < <(job_args "${parts[@]}")
	parts_ok "$1" 'one disk' ${#parts[@]} --job "$jobs/data.sh" "${args[@]}" --memory 1536 \
		--append hugepages=192 --timeout 600 -- "${disk[@]}"
}

# ends_are_right KERNEL ODD LARGE: what the guest wrote is where it belongs.
ends_are_right() {
	ok "$1: host finds the odd disk's end" \
		"$tmp/pattern" check "$2" 21 $((2097152 + 7 - 7)) 7
	ok "$1: host finds the large disk's end" \
		"$tmp/pattern" check "$3" 21 $(((1 << 32) - 7)) 7
	ok "$1: host finds both sides of 2^28" \
		"$tmp/pattern" check "$3" 22 $(((1 << 28) - 7)) 14
	ok "$1: host finds both sides of 2^31" \
		"$tmp/pattern" check "$3" 23 $(((1 << 31) - 7)) 14
	is "$(stat -c %s "$2") $(stat -c %s "$3")" "$((1073741824 + 3584)) 2199023255552" \
		"$1: the images have kept their sizes"
}

# check_three_disks KERNEL NAME COMMAND-LINE COUNT PART...
check_three_disks() {
	local kernel=$1 name=$2 append=$3 one odd large args
	local disks=() count=$4
	shift 4
	one=$(image "$name-$kernel" 512M)
	odd=$(image "$name-odd-$kernel" $((1073741824 + 3584)))
	large=$(image "$name-large-$kernel" 2T)
	mapfile -t disks < <(gathering_disk "$one"; disk "$odd" ide.1; disk "$large" ide.2)
	mapfile -t args < <(job_args "$@")
	parts_ok "$kernel" "three disks, $name" "$count" --job "$jobs/data.sh" "${args[@]}" \
		--append "hugepages=96 $append" -- "${disks[@]}"
	ends_are_right "$kernel" "$odd" "$large"
	rm -f "$one" "$odd" "$large"
}

# check_memory KERNEL MIB COMMAND-LINE PART...
check_memory() {
	local kernel=$1 memory=$2 append=$3 disk args
	shift 3
	mapfile -t disk < <(disk "$(image "memory-$kernel" 1G)")
	mapfile -t args < <(job_args "$@")
	parts_ok "$kernel" "$memory MiB $append" $# --job "$jobs/data.sh" "${args[@]}" \
		--memory "$memory" --append "$append" --timeout 120 -- "${disk[@]}"
}

for kernel in $(kernels); do
	check_one_disk "$kernel"
	check_three_disks "$kernel" ncq '' 3 together vectors_largest
	check_three_disks "$kernel" noncq 'libata.force=noncq pci=nomsi' 2 noncq
	check_memory "$kernel" 6144 trace_event=swiotlb:swiotlb_bounced above_4_gib dma_32_bits
	check_memory "$kernel" 1024 'swiotlb=force trace_event=swiotlb:swiotlb_bounced' bounce_all
done
done_testing
