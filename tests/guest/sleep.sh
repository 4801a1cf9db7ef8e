# shellcheck shell=sh disable=SC2119
# Suspend to RAM and back, twice, during a load that verifies.
. /lib.sh

# SeaBIOS forgets the chipset's power management registers
sleep_and_wake() {
	rtcwake -m mem -s 3 > /tmp/rtcwake 2>&1 || fail "rtcwake: $(cat /tmp/rtcwake)"
	setpci -s 00:1f.0 40.l=00000601 44.b=80
}

load_ours
wait_disk
verify_fio --size=32M --time_based --runtime=25 --verify_backlog=64 &
load=$!
sleep 2
for _ in 1 2; do
	sleep_and_wake
	sleep 2
done
wait "$load" || fail "the load failed"
verify_fio --size=16M
dmesg | grep -E 'ata[0-9]+.*(exception|failed command)' && fail "errors after resume"
dmesg | grep -q 'PM: suspend exit' || fail "never slept"
unload_ours
