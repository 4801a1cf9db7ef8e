# shellcheck shell=sh
# What the jobs on the Allwinner board share, after lib.sh.

# Prints how often each clock is in use and each supply.
power_counts() {
	for file in /sys/kernel/debug/clk/*/clk_enable_count \
			/sys/kernel/debug/clk/*/clk_prepare_count \
			/sys/class/regulator/*/num_users; do
		echo "$file $(cat "$file" 2>/dev/null)"
	done
}

note_power() {
	power_counts > /tmp/power.before
	grep -q 'clk_enable_count [1-9]' /tmp/power.before || fail "no clock is counted"
}

# same_power WHEN: as many as were noted.
same_power() {
	power_counts > /tmp/power
	cmp -s /tmp/power /tmp/power.before ||
		fail "clocks or supplies after $1: $(diff /tmp/power.before /tmp/power | grep '^[-+<>]')"
}

clear_log() {
	dmesg -c >> /tmp/dmesg.all
}

# log_has TEXT: the kernel's log since clear_log does.
log_has() {
	dmesg | grep -qF "$1" || fail "no '$1' in the log: $(dmesg | tail -n 8)"
}
