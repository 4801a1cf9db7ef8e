# shellcheck shell=sh disable=SC2119
# INTx shared with devices that interrupt all the time: both work, nobody is
# blamed for the other's interrupts, through load and unload.
. /lib.sh

line() {
	awk -v name="$1" '$0 ~ name { print $1; exit }' /proc/interrupts
}

modprobe -a uhci-hcd e1000
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
load_ours
wait_disk
scheduler_none
say "$(grep ahci_fast /proc/interrupts)"
[ "$(line ahci_fast)" = "$(line eth0)" ] || fail "the line is not shared"
grep -q 'MSI.*ahci_fast' /proc/interrupts && fail "that is MSI"

ping -s 1000 -i 0.01 -w 25 10.0.2.2 > /tmp/ping 2>&1 &
ping=$!
for _ in 1 2 3; do
	verify_fio --size=8M
	unload_ours
	sleep 1
	load_ours
	wait_disk
	scheduler_none
done
wait "$ping" || fail "ping: $(tail -n 3 /tmp/ping)"
say "$(grep transmitted /tmp/ping)"
unload_ours
