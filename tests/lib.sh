# shellcheck shell=bash
# What the tests share: TAP, kernels, modules, images, guests. A test sources
# it, makes its checks and ends with done_testing.
set -uo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

tests_run=0
tests_failed=0

diag() {
	local line
	while IFS= read -r line; do
		echo "# $line"
	done <<< "$*"
}

# plan N, when the number is known before; otherwise done_testing prints it.
plan() {
	tests_planned=$1
	echo "1..$1"
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# result STATUS DESCRIPTION: one line of TAP. Returns STATUS.
result() {
	local word=ok
	tests_run=$((tests_run + 1))
	if (($1)); then
		word='not ok'
		tests_failed=$((tests_failed + 1))
	fi
	echo "$word $tests_run - $2"
	return "$1"
}

# ok DESCRIPTION COMMAND...: the command succeeds.
ok() {
	local description=$1 output status=0
	shift
	output=$("$@" 2>&1) || status=$?
	result "$status" "$description" || diag "$*: status $status"$'\n'"$output"
}

# is GOT WANTED DESCRIPTION
is() {
	[[ $1 == "$2" ]]
	result $? "$3" || diag "got:    $1"$'\n'"wanted: $2"
}

skip() {
	tests_run=$((tests_run + 1))
	echo "ok $tests_run - $1 # SKIP ${2-}"
}

done_testing() {
	[[ -v tests_planned ]] || plan "$tests_run"
	((tests_planned == tests_run)) || diag "planned $tests_planned, ran $tests_run"
	((tests_failed == 0 && tests_planned == tests_run))
	exit
}

# Prints the names of the kernels to test with.
kernels() {
	echo "${KERNELS:-6.1 6.12}"
}

# image NAME SIZE: prints the path of a new sparse file of zeros.
image() {
	truncate -s "$2" "$tmp/$1" && echo "$tmp/$1"
}

# disk IMAGE [BUS]: prints the QEMU arguments, one a line, for a disk on that
# raw image, on q35's own controller unless BUS says another.
disk() {
	local node=${1##*/}
	printf '%s\n' -blockdev "driver=file,node-name=$node,filename=$1" \
		-device "ide-hd,drive=$node,bus=${2:-ide.0}"
}

# Runs a guest (arguments of scripts/guest), keeps the job's output in
# guest_output and what was said of the run in guest_verdict. Returns its code.
# PARAMETERS, if set, are given to ahci_fast wherever it is loaded.
guest() {
	local code=0 parameters=()
	if [[ ${PARAMETERS-} ]]; then
		echo "$PARAMETERS" > "$tmp/parameters"
		parameters=(--add "$tmp/parameters:/parameters")
	fi
	guest_output=$("$root/scripts/guest" "${parameters[@]}" "$@" 2> "$tmp/verdict") || code=$?
	guest_verdict=$(< "$tmp/verdict")
	return "$code"
}

# guest_ok DESCRIPTION ARGUMENTS...: a guest's job succeeds, its log is clean.
guest_ok() {
	local description=$1 code=0
	shift
	guest "$@" || code=$?
	result "$code" "$description" || diag_guest
}

diag_guest() {
	local logs
	logs=$(sed -n 's/^guest: .*logs in \(.*\))$/\1/p' <<< "$guest_verdict")
	diag "$(tail -n 15 <<< "$guest_output")"
	[[ ! -e $logs/console.log ]] || diag "$(tail -n 25 "$logs/console.log")"
	diag "$guest_verdict"
}

# qmp LOGDIR COMMAND...: sends QMP commands (JSON) to the guest whose --log is
# that folder and prints the answers.
qmp() {
	local dir=$1
	shift
	printf '%s\n' '{"execute":"qmp_capabilities"}' "$@" |
		socat -t 10 - "UNIX-CONNECT:$dir/qmp"
}

# module_for KERNEL: prints the path of ahci_fast.ko for that kernel.
module_for() {
	"$root/scripts/module" "$1"
}
