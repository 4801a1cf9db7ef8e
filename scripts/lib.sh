# shellcheck shell=bash
# What the scripts share. Sourced, never run.

# shellcheck disable=SC2034 # read by those who source this file
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Everything fetched or built lives here and may be deleted at any time.
cache=${AHCI_FAST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ahci_fast}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# The comment at the top of a script is its manual.
usage() {
	sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//p}' "$0"
}

# stage_sources DIR [SIM]: what a module is built from, copied there; with SIM the
# simulated controller's too, which includes the driver. .mod.c is what a build left.
stage_sources() {
	find "$root" ${2:+"$root/tests/sim"} -maxdepth 1 -name '*.[ch]' ! -name '*.mod.c' -exec cp -t "$1" {} +
	if [[ ${2-} ]]; then
		cp "$root/Kbuild" "$1/driver.kbuild"
		cp "$root/tests/sim/Kbuild" "$1"
	else
		cp "$root/Kbuild" "$1"
	fi
}

# Held until this process and its children end.
lock() {
	mkdir -p "$(dirname "$1")"
	exec {lock_fd}>"$1"
	flock "$lock_fd"
}
