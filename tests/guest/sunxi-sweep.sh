# shellcheck shell=sh disable=SC2119
# scripts/bench/fifo-sweep on the board: the table, the choice, what it refuses,
# and a disk that does not give back what was written.
. /lib.sh

sata=/sys/devices/platform/soc/1c18000.sata

depths() {
	cat $sata/txts $sata/txabl $sata/rxts $sata/rxabl | tr '\n' ' '
}

# refused STATUS TEXT ARGUMENTS...
refused() {
	wanted=$1 text=$2
	shift 2
	status=0
	sh /fifo-sweep "$@" > /tmp/out 2>&1 || status=$?
	[ $status = "$wanted" ] || fail "fifo-sweep $*: status $status, not $wanted: $(cat /tmp/out)"
	grep -qF "$text" /tmp/out || fail "fifo-sweep $*: $(cat /tmp/out)"
	[ "$(depths)" = "$before" ] || fail "fifo-sweep $*: depths are $(depths)"
}

test_table() {
	sh /fifo-sweep --destroy-data --size 1 --ts "0 3" --abl "0 4" /dev/sda > /tmp/table 2>&1 ||
		fail "fifo-sweep: $(cat /tmp/table)"
	cat /tmp/table
	[ "$(grep -cE '^ +[03] +[04]  (dd|fio) +[0-9]+  (write|read) +[0-9.]+ ' /tmp/table)" = 80 ] ||
		fail "rows"
	tail -n 1 /tmp/table | grep -qE '^options ahci_sunxi_fifo txts=[03] rxts=[03] txabl=[04] rxabl=[04]$' ||
		fail "no best setting"
	[ "$(depths)" = "$before" ] || fail "the depths afterwards are $(depths)"
}

test_refused() {
	refused 2 'say so with --destroy-data' /dev/sda
	refused 2 'is no block device' --destroy-data /dev/nothing
	refused 2 'which disk?' --destroy-data
	refused 2 'is smaller than' --destroy-data --size 4096 /dev/sda
	refused 2 'x is not a number' --destroy-data --ts "0 x" /dev/sda
	refused 2 'unknown option --fast' --fast /dev/sda
	refused 1 'is refused, see dmesg' --destroy-data --size 1 --ts 5 /dev/sda
	dd if=/dev/zero of=/tmp/file bs=1M count=2 2>/dev/null
	losetup /dev/loop0 /tmp/file 2>/dev/null && refused 2 'is not driven by ahci_sunxi_fifo' --destroy-data /dev/loop0
	mkswap /dev/sda > /dev/null
	swapon /dev/sda || fail swapon
	refused 2 'is in use: swap' --destroy-data /dev/sda
	swapoff /dev/sda
	printf 'n\np\n1\n\n\nw\n' | fdisk /dev/sda > /dev/null 2>&1
	for _ in $(seq 50); do [ -b /dev/sda1 ] && break; sleep 0.1; done
	refused 2 'has partitions' --destroy-data /dev/sda
	mkswap /dev/sda1 > /dev/null
	swapon /dev/sda1 || fail swapon
	refused 2 'is in use: swap' --destroy-data --force /dev/sda
	swapoff /dev/sda1
	say "refuses what is in use, and nonsense"
}

# Somebody else writes to the disk meanwhile
test_wrong() {
	while :; do dd if=/dev/zero of=/dev/sda bs=512 seek=100 count=8 oflag=direct 2>/dev/null; done &
	writer=$!
	refused 1 'WRONG   txts=rxts=3 txabl=rxabl=4, dd by ' --destroy-data --force --size 1 --ts 3 --abl 4 /dev/sda
	kill $writer
	grep -q '^options' /tmp/out && fail "a setting is recommended after a wrong byte"
	say "stops at the first wrong byte: $(grep WRONG /tmp/out)"
}

load_ours
insmod /ahci_sunxi_fifo.ko txts=2 || fail insmod
wait_disk
before=$(depths)
test_table
test_refused
test_wrong
