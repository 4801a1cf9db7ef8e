# shellcheck shell=dash disable=SC2015,SC2119
# A && B || fail: fail does not return
# Each argument is one of the functions below: a part of this job. All data are
# compared, by fio with a checksum or by pattern byte for byte.
. /lib.sh
. /io.sh

# Requests of a size, of $1 sectors: sequential and random, at offsets that
# are not those of a page. Few of the large ones.
verify_size() {
	local bytes=$(($1 * 512)) total=$((1 << 20))
	[ "$((bytes * 8))" -lt "$total" ] || total=$((bytes * 2))
	shift
	verify --bs=$bytes --size=$total --iodepth=2 --iomem=mmaphuge \
		--hugepage-size=2m "$@"
}

sizes() {
	local n
	fresh max_request_kb="$1"
	for n in 1 7 255 256 257 2048; do
		verify_size $n --rw=write --offset=$((512 * (n % 8 + 1)))
		verify_size $n --rw=randwrite --offset=$((512 * 5)) --iodepth=32
	done
	for n in 65535 65536; do
		verify_size $n --rw=write --offset=512
	done
}

sizes_default() {
	sizes 4096
	is "$(limit max_sectors_kb)" 4096 max_sectors_kb
	passed 'fio verifies 1 to 65536 sectors, requests up to 4 MiB'
}

# Sectors, commands: 65536 sectors are more than a command can say.
count_commands() {
	local before
	before=$(stat commands)
	fio --name=count --filename="/dev/$disk" --rw=read --bs=$(($1 * 512)) --size=$(($1 * 512)) \
		--ioengine=psync --direct=1 --iomem=mmaphuge --hugepage-size=2m --output=/tmp/fio.out ||
		fail "fio: $(cat /tmp/fio.out)"
	is $(($(stat commands) - before)) "$2" "commands for $1 sectors"
}

# max_sectors_kb counts in KiB: a command of 65535 sectors comes by SG_IO only.
largest_commands() {
	local before
	count_commands 65534 1
	count_commands 65535 2
	count_commands 65536 2
	before=$(stat commands)
	pattern sgwrite "/dev/$disk" 8 77 65535 && pattern sgread "/dev/$disk" 8 77 65535 ||
		fail '65535 sectors in one command'
	is $(($(stat commands) - before)) 2 'commands by SG_IO'
}

sizes_largest() {
	sizes 32767
	is "$(limit max_sectors_kb)" 32767 max_sectors_kb
	count_commands 257 1
	largest_commands
	passed 'fio verifies 1 to 65536 sectors, requests up to 32767 KiB; 65536 are split'
}

# vectors MOST: that many pieces are one command with as many PRDs, more are
# several commands; written, read and compared, each in another place.
vectors() {
	local most=$1 n mode commands prds lba=9
	shift
	for n in 1 2 167 168 169 247 248 249 1015 1016 1017 1023 1024 2047 2048; do
		for mode in write read; do
			commands=$(stat commands)
			prds=$(stat prds)
			pattern "$@" $mode "/dev/$disk" "$n" $lba 1 "$n" || fail "$n scattered pages, $mode"
			commands=$(($(stat commands) - commands))
			is $(($(stat prds) - prds)) "$n" "PRDs, $n pages"
			if [ "$n" -le "$most" ]; then
				is "$commands" 1 "commands, $n pages"
			else
				[ "$commands" -gt 1 ] || fail "one command for $n pages"
			fi
		done
		lba=$((lba + n * 8))
	done
	check_vectors
}

# What was written before is not disturbed by what came after.
check_vectors() {
	local n lba=9
	drop_caches
	for n in 1 2 167 168 169 247 248 249 1015 1016 1017 1023 1024 2047 2048; do
		pattern check "/dev/$disk" "$n" $lba $((n * 8)) || fail "$n pages, second look"
		lba=$((lba + n * 8))
	done
}

vectors_default() {
	fresh
	vectors 1016
	passed '1 to 2048 scattered pages, tables of 1016 PRDs'
}

vectors_largest() {
	fresh max_prds=2048 max_request_kb=32767
	is "$(stat max_prds)" 2048 max_prds
	vectors 2048
	passed '1 to 2048 scattered pages, one command each'
}

# Pieces of 512 to 3584 bytes that begin at 512 byte steps in their pages.
within_pages() {
	local prds lba=3 offset bytes mode
	fresh
	while read -r offset bytes; do
		for mode in write read; do
			prds=$(stat prds)
			pattern $mode "/dev/$disk" $((offset + bytes)) $lba 3 167 "$offset" "$bytes" ||
				fail "167 pieces of $bytes bytes at $offset, $mode"
			is $(($(stat prds) - prds)) 501 "PRDs, $bytes bytes at $offset"
		done
		lba=$((lba + 3 * 167 * bytes / 512))
	done <<- 'LIST'
		512 512
		3584 512
		512 3584
		1536 1024
		0 512
	LIST
	passed 'pieces at 512 byte offsets in their pages'
}

mixed() {
	verify --bssplit=512/30:4k/40:12k/10:64k/15:1m/5 --size=8M "$@"
}

# Commands that come 16 at a time: whether and when they share a doorbell.
doorbells() {
	local value late batches='--iodepth_batch_submit=16 --iodepth_batch_complete_min=16'
	# shellcheck disable=SC2086 # several arguments
	for value in 0 1 16 32; do
		fresh batch=$value
		# Each is the end of its own batch and waits for nothing
		late=$(stat late_rings)
		verify --iodepth=16 --size=2M
		is $(($(stat late_rings) - late)) 0 'commands that came alone and waited'
		mixed $batches
		verify $batches --size=8M
		case $value in
		0 | 1) is "$(stat rings)" "$(stat commands)" "doorbells with batch=$value" ;;
		*) [ "$(stat rings)" -lt $(($(stat commands) * 3 / 4)) ] ||
			fail "$(stat rings) doorbells for $(stat commands) commands" ;;
		esac
	done
	passed 'doorbells for each command and for many'
}

interrupts() {
	fresh lean_irq=1
	interrupt_is PCI-MSI
	mixed
	[ "$(stat irq_lean)" -gt "$(stat irq_full)" ] || fail 'the lean path is not in use'

	fresh lean_irq=0
	mixed
	is "$(stat irq_lean)" 0 'lean interrupts with lean_irq=0'

	fresh msi=0
	interrupt_is IO-APIC
	mixed
	passed 'MSI, its full path, INTx'
}

# Few commands end at about the same time, and nobody asks for more until all
# have: a lost interrupt is not made good by the next. Each has a doorbell of
# its own, so that they do not start together.
pairs() {
	local n
	fresh batch=0
	echo 5 > "/sys/block/$disk/device/timeout"
	for n in 2 4; do
		fio --name=pairs --filename="/dev/$disk" --rw=randread --bssplit=512/50:16k/50 \
			--iodepth=$n --iodepth_batch=$n --iodepth_batch_complete_min=$n \
			--ioengine=libaio --direct=1 --size=64M --norandommap --runtime=5 \
			--time_based --eta=never --output=/tmp/fio.out || fail "fio: $(cat /tmp/fio.out)"
	done
	passed 'twos and fours of reads, none left waiting'
}

one_at_a_time() {
	fresh
	echo 1 > "/sys/block/$disk/device/queue_depth"
	is "$(cat "/sys/block/$disk/device/queue_depth")" 1 queue_depth
	mixed
	passed 'queue_depth 1'
}

# For libata.force=noncq pci=nomsi on the command line.
noncq() {
	disks=3
	fresh max_request_kb=32767
	is "$(cat "/sys/block/$disk/device/queue_depth")" 1 queue_depth
	interrupt_is IO-APIC
	mixed
	verify_size 65535 --rw=write --offset=512
	largest_commands
	vectors_in_brief
	ends
	passed 'commands without NCQ, INTx'
}

vectors_in_brief() {
	local n lba=7
	for n in 1 248 1016 2048; do
		pattern write "/dev/$disk" 3 $lba 1 "$n" && pattern read "/dev/$disk" 3 $lba 1 "$n" ||
			fail "$n scattered pages"
		lba=$((lba + n * 8))
	done
}

# near DISK LBA SEED: 7 sectors on both sides, by one request and by
# single ones.
near() {
	pattern write "/dev/$1" "$3" $(($2 - 7)) 1 1 512 3584 &&
		pattern write "/dev/$1" "$3" "$2" 7 1 0 512 &&
		pattern read "/dev/$1" "$3" $(($2 - 7)) 2 1 0 3584 &&
		pattern write "/dev/$1" "$3" $(($2 - 4)) 1 1 &&
		pattern read "/dev/$1" "$3" $(($2 - 7)) 14 1 1024 512 || fail "sectors near $2 of $1"
}

# The second disk is of an odd size, the third has 2 TiB; the host looks at both
# afterwards.
ends() {
	local size end
	for end in $(disks_by_port | tail -n 2); do
		size=$(cat "/sys/block/$end/size")
		pattern write "/dev/$end" 21 $((size - 7)) 1 1 512 3584 &&
			pattern read "/dev/$end" 21 $((size - 7)) 7 1 0 512 || fail "last sectors of $end"
		! pattern read "/dev/$end" 21 $((size - 1)) 1 1 0 1024 2>/dev/null ||
			fail "$end: read past the end"
		! pattern write "/dev/$end" 21 "$size" 1 1 0 512 2>/dev/null ||
			fail "$end: write past the end"
	done
	near "$end" $((1 << 28)) 22
	near "$end" $((1 << 31)) 23
	sync
	passed 'last sectors of a disk of odd size, sectors around 2^28 and 2^31'
}

# Three disks at work at the same time, at places ends() does not look at.
together() {
	disks=3
	fresh
	ends
	for disk in $(disks_by_port); do
		(mixed --offset=64M) || touch /tmp/failed &
	done
	wait
	[ ! -e /tmp/failed ] || fail 'three disks at once'
	passed 'three disks at once'
}

# For a guest of 6 GiB.
above_4_gib() {
	fresh
	pattern -H write "/dev/$disk" 4 1 4 256 && pattern -H read "/dev/$disk" 4 1 4 256 ||
		fail 'pages above 4 GiB'
	huge_pages 72
	verify --iomem=mmaphuge --hugepage-size=2m --bs=4m --iodepth=16 --size=64M
	huge_pages 0
	mixed
	passed 'memory above 4 GiB'
}

# bounced COMMAND...: the kernel has copied data of the command's. The event is
# enabled on the command line: emulated processors trip over code that is
# patched while they run it.
bounced() {
	mount -t tracefs trace /sys/kernel/tracing
	echo > /sys/kernel/tracing/trace
	"$@"
	[ "$(grep -c swiotlb_bounced: /sys/kernel/tracing/trace)" -ge 4 ] || fail 'nothing was bounced'
	is "$(cat /sys/kernel/debug/swiotlb/io_tlb_used)" 0 'bounce buffers still in use'
}

some_of_all() {
	pattern "$@" write "/dev/$disk" 5 1 4 256 && pattern "$@" read "/dev/$disk" 5 1 4 256 ||
		fail 'bounced pages'
	mixed --iodepth=8
}

dma_32_bits() {
	fresh dma_bits=32
	bounced some_of_all -H
	passed 'dma_bits=32, data above 4 GiB'
}

# For swiotlb=force.
bounce_all() {
	fresh
	bounced some_of_all
	passed 'every request by bounce buffers'
}

for part; do
	"$part"
done
