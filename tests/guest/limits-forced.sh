# shellcheck shell=dash disable=SC2119
# libata.force holds the disks of ports 1 and 2 at 1024 and 128 sectors: neither
# this driver's default nor its cure for QEMU's disk goes beyond.
. /lib.sh
. /io.sh

# limits_are DISK HW_KB KB
limits_are() {
	disk=$1
	is "$(limit max_hw_sectors_kb)" "$2" "max_hw_sectors_kb of $1"
	is "$(limit max_sectors_kb)" "$3" "max_sectors_kb of $1"
	dd if="/dev/$1" of=/dev/null iflag=direct bs=8M count=2 2>/tmp/dd.err || fail "$(cat /tmp/dd.err)"
	is "$(limit max_sectors_kb)" "$3" "max_sectors_kb of $1 after reads"
}

# shellcheck disable=SC2034 # read by fresh
disks=3
fresh
# shellcheck disable=SC2046 # three names
set -- $(disks_by_port)
limits_are "$1" 512 512
limits_are "$2" 64 64
limits_are "$3" 32767 4096
passed 'a limit of libata is kept, by its disk only'
