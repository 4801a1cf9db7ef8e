# shellcheck shell=sh disable=SC2119
# The machine goes down in the middle of everything. $1: reboot or poweroff.
# What the kernel says of it stands on the console; there is no later.
. /lib.sh

load_ours
wait_disk 30 3
scheduler_none
for disk in $(ata_disks); do
	fio --name=load --filename="/dev/$disk" --rw=randrw --bs=4k --iodepth=32 \
		--iodepth_batch_submit=16 --ioengine=libaio --direct=1 --thread \
		--time_based --runtime=600 --eta=never > /dev/null 2>&1 &
done
sleep 3
# The harness takes this for the end of the job
printf '\nGUEST-EXIT 0\n'
"$1" -f
fail "$1 came back"
