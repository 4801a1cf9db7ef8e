# shellcheck shell=sh disable=SC2119
# How much memory for DMA a port takes, empty and with a disk: with a
# controller of six empty ports (00:05.0) and one with a disk on one of six
# (00:1f.2). Prints "memory DRIVER EMPTY DISK" in bytes.
. /lib.sh

tracing=/sys/kernel/debug/tracing

# allocated PCI DRIVER: prints the bytes of all that is allocated at binding.
allocated() {
	unbind "$1"
	echo > $tracing/trace
	bind "$1" "$2"
	[ "$1" != 0000:00:1f.2 ] || wait_disk
	sleep 1
	sed -n 's/.* size=//p' $tracing/trace | awk '{ sum += $1 } END { print sum + 0 }'
}

load_stock
load_ours
echo 'p:dma dma_alloc_attrs size=%si:u64' > $tracing/kprobe_events || fail 'no kprobe'
echo 1 > $tracing/events/kprobes/dma/enable
for driver in ahci ahci_fast; do
	empty=$(($(allocated 0000:00:05.0 $driver) / 6))
	disk=$(($(allocated 0000:00:1f.2 $driver) - 5 * empty))
	echo "memory $driver $empty $disk"
done
