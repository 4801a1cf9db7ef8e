# shellcheck shell=dash
# Usage: edge.sh begin|end
# Run by fio in the guest right before and right after a workload, when no I/O
# is under way: prints how many interrupts the controller PCI has had, and marks
# the place in QEMU's log if it keeps one. Otherwise it starts no program: that
# is slow in an emulated guest, and it is run hundreds of times.

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

find_irqs
add_up
echo "$sum"
if [ "$MARK_TTY" ]; then
	/mark
	echo "MARK $1" > "$MARK_TTY"
fi
