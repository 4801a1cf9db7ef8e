# shellcheck shell=dash
# Usage: edge.sh begin|end [resetting]
# Run by fio in the guest right before and right after a workload, when no I/O
# is under way: prints how many interrupts the controller PCI has had, and what
# ahci_fast's counters (STATS) say of PRDs and commands; marks the place in
# QEMU's log if it keeps one. Otherwise it starts no program: that is slow in an
# emulated guest, and it is run hundreds of times.
# resetting: in between, the second disk is in error handling all the time, in
# one reset after another.

# Sets irqs to the numbers of the controller's interrupts: its messages, or
# else its line.
find_irqs() {
	irqs=
	for irq in "/sys/bus/pci/devices/$PCI/msi_irqs"/*; do
		[ -e "$irq" ] && irqs="$irqs ${irq##*/}: "
	done
	[ "$irqs" ] && return
	read -r irq < "/sys/bus/pci/devices/$PCI/irq"
	irqs=" $irq: "
}

# Sets sum to what all processors have counted: the first numbers in a line.
add_up() {
	sum=0
	while read -r irq counts; do
		case $irqs in *" $irq "*) ;; *) continue ;; esac
		for count in $counts; do
			case $count in *[!0-9]*) break ;; esac
			sum=$((sum + count))
		done
	done < /proc/interrupts
}

# Sets prds and commands, to 0 with another driver.
read_stats() {
	prds=0 commands=0
	[ -r "$STATS" ] || return
	while read -r name value; do
		case $name in
		prds) prds=$value ;;
		commands) commands=$value ;;
		esac
	done < "$STATS"
}

# The write returns when error handling has ended.
reset_again() {
	while :; do
		echo '- - -' > "$SCAN"
	done
}

case "$1 $2" in
'begin resetting')
	reset_again < /dev/null > /dev/null 2>&1 &
	echo $! > /tmp/resetting ;;
'end resetting') kill "$(cat /tmp/resetting)" ;;
esac
find_irqs
add_up
read_stats
echo "$sum $prds $commands"
if [ "$MARK_TTY" ]; then
	/mark
	echo "MARK $1" > "$MARK_TTY"
fi
