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
	sh /fifo-sweep --destroy-data --size 1 --rounds 1 --ts "0 3" --abl "0 4" /dev/sda > /tmp/table 2>&1 ||
		fail "fifo-sweep: $(cat /tmp/table)"
	cat /tmp/table
	[ "$(grep -cE '^ +[03] +[04]  (dd|fio) +[0-9]+  (write|read) +[0-9.]+ ' /tmp/table)" = 80 ] ||
		fail "rows"
	tail -n 1 /tmp/table | grep -qE '^options ahci_sunxi_fifo txts=[03] rxts=[03] txabl=[04] rxabl=[04]$' ||
		fail "no best setting"
	[ "$(depths)" = "$before" ] || fail "the depths afterwards are $(depths)"
}

test_refused() {
	mkdir /small
	mount -t tmpfs -o size=8m small /small
	refused 2 'say so with --destroy-data' /dev/sda
	refused 2 'is no block device' --destroy-data /dev/nothing
	refused 2 'which disk?' --destroy-data
	refused 2 'is smaller than' --destroy-data --size 4096 /dev/sda
	refused 2 'x is not a number' --destroy-data --ts "0 x" /dev/sda
	refused 2 '16 is not a number from 0 to 15' --destroy-data --abl 16 /dev/sda
	refused 2 '08 is not a number' --destroy-data --size 08 /dev/sda
	refused 2 '1 2 is not a number' --destroy-data --size "1 2" /dev/sda
	refused 2 '0 is not a number from 1' --destroy-data --size 0 /dev/sda
	refused 2 '0 is not a number from 1' --destroy-data --bs "4 0" /dev/sda
	refused 2 '2048 is not a number from 1 to 1024' --destroy-data --size 1 --bs 2048 /dev/sda
	refused 2 'no number' --destroy-data --abl "  " /dev/sda
	refused 2 '* is not a number' --destroy-data --ts "*" /dev/sda
	refused 2 'cannot write to /nowhere' --destroy-data --work /nowhere /dev/sda
	refused 2 'has no room for twice 63 MiB' --destroy-data --size 63 --work /small /dev/sda
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

# What was printed so far, and no recommendation, when the terminal goes
test_hangup() {
	sh /fifo-sweep --destroy-data --force --size 1 --rounds 9 --ts 0 --abl 7 /dev/sda > /tmp/out 2>&1 &
	sweep=$!
	for _ in $(seq 100); do [ "$(cat $sata/txabl)" = 7 ] && break; sleep 0.1; done
	kill -HUP $sweep
	wait $sweep
	[ "$(depths)" = "$before" ] || fail "after a hangup the depths are $(depths)"
	[ -z "$(find /tmp -name 'fifo-sweep.*')" ] || fail "a folder is left after a hangup"
	say "a hangup restores the depths"
}

# Nothing beyond --size is touched
test_bounds() {
	dd if=/dev/zero of=/dev/sda bs=1M 2>/dev/null
	sh /fifo-sweep --destroy-data --force --size 2 --rounds 1 --ts 3 --abl 4 /dev/sda > /tmp/out 2>&1 ||
		fail "fifo-sweep: $(cat /tmp/out)"
	[ "$(dd if=/dev/sda bs=1M skip=2 2>/dev/null | tr -d '\0' | wc -c)" = 0 ] ||
		fail "something is written beyond --size"
	say "nothing is touched beyond --size"
}

# wrong_by TOOL: one sector changes between writing and reading
wrong_by() {
	sed "/^read_$1()/,/^}/s|drop_caches|& \&\& dd if=/dev/zero of=\"\$device\" bs=512 seek=100 count=1 2>/dev/null \&\& sync|" \
		/fifo-sweep > /fifo-sweep-wrong
	status=0
	sh /fifo-sweep-wrong --destroy-data --force --size 1 --ts 3 --abl 4 /dev/sda > /tmp/out 2>&1 || status=$?
	[ $status = 1 ] || fail "a byte that is wrong: status $status: $(cat /tmp/out)"
	grep -q "^WRONG   txts=rxts=3 txabl=rxabl=4, $1 by 4 KiB: " /tmp/out ||
		fail "a byte that is wrong: $(cat /tmp/out)"
	! grep '^options' /tmp/out || fail "a setting is recommended after a wrong byte"
	[ "$(depths)" = "$before" ] || fail "after a wrong byte the depths are $(depths)"
	say "stops at the first wrong byte: $(grep -o "WRONG .* KiB" /tmp/out)"
}

load_ours
insmod /ahci_sunxi_fifo.ko txts=2 || fail insmod
wait_disk
before=$(depths)
test_table
test_bounds
test_refused
test_hangup
wrong_by dd
wrong_by fio
