# shellcheck shell=sh disable=SC2119
# A disk whose every command takes 4 s, longer than error handling waits for one:
# a change of depth waits for it, and nothing fails.
. /lib.sh

sata=/sys/devices/platform/soc/1c18000.sata
stats=/sys/kernel/debug/ahci_fast/1c18000.sata/port0/stats

freezes() {
	sed -n 's/^freezes //p' $stats
}

load_ours
insmod /ahci_sunxi_fifo.ko || fail insmod
wait_disk 60
sleep 5
before=$(freezes)
dd if=/dev/sda of=/dev/null bs=4k count=1 iflag=direct 2>/tmp/dd.err &
reader=$!
sleep 0.5
from=$(cut -d . -f 1 /proc/uptime)
echo 2 > $sata/txts || fail "txts"
took=$(($(cut -d . -f 1 /proc/uptime) - from))
wait $reader || fail "the read: $(cat /tmp/dd.err)"
[ "$took" -ge 2 ] || fail "the change came in the middle of a command, after $took s"
[ "$(freezes)" = "$before" ] || fail "the port was frozen"
! dmesg | grep -E 'exception Emask|failed command|hard resetting' || fail "an error"
say "a change of depth waited $took s for a command"
