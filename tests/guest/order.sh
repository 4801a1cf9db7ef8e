# shellcheck shell=sh disable=SC2119
# Sequential writes at several depths, alone and some at a time. Each load begins
# with a lone write, which tells the reader of the trace where the slots stand.
# All on one processor: each has its own place in the round of tags.
. /lib.sh

# load NAME OPTION...
load() {
	echo "LOAD $1" > "$MARK_TTY"
	taskset 1 dd if=/dev/zero of="/dev/$disk" bs=4k count=1 oflag=direct 2>/dev/null || fail dd
	shift
	fio --name=order --filename="/dev/$disk" --rw=write --bs=4k --offset=1m --size=4m --thread \
		--cpus_allowed=0 --direct=1 --ioengine=libaio --output=/tmp/fio.out "$@" 2>&1 || fail "fio: $(cat /tmp/fio.out)"
	echo END > "$MARK_TTY"
}

load_ours
wait_disk
scheduler_none
disk=$(device_on 0000:00:1f.2 0)
# Neighbours stay requests of their own
echo 2 > "/sys/block/$disk/queue/nomerges"
load depth-2 --iodepth=2
load depth-32 --iodepth=32
load depth-32-by-16 --iodepth=32 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16
# With tags to spare
load depth-16-by-16 --iodepth=16 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16
load depth-14-by-7 --iodepth=14 --iodepth_batch_submit=7 --iodepth_batch_complete_min=7
unload_ours
