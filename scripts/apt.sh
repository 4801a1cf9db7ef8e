# shellcheck shell=bash
# apt with lists and archives of its own, for any of Debian's architectures: it
# needs no root and touches no state of the system's. Sourced after lib.sh, by
# those who hold the lock of the cache.

# The mirror that the system's own sources name first
# shellcheck disable=SC2016 # for apt, not for the shell
mirror() {
	apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Release: bookworm' 2>/dev/null |
		sed -n 1p | grep . || echo http://deb.debian.org/debian
}

# One source for a foreign architecture: the release itself. There is more on
# the mirrors, but not for each architecture.
write_source() {
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) bookworm main" > "$1"
}

# private_apt ARCH PROGRAM ARGUMENTS...
private_apt() {
	# shellcheck disable=SC2154 # lib.sh's
	local arch=$1 apt=$2 dir=$cache/apt/$1 options
	shift 2
	mkdir -p "$dir"/{lists,archives}/partial
	options=(-o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir"
		-o APT::Sandbox::User=root -o Acquire::Languages=none)
	if [[ $arch != "$(dpkg --print-architecture)" ]]; then
		[[ -e $dir/source ]] || write_source "$dir/source"
		options+=(-o APT::Architecture="$arch" -o APT::Architectures::="$arch"
			-o Dir::Etc::SourceList="$dir/source"
			-o Dir::Etc::SourceParts=/dev/null
			-o Dir::State::Status=/dev/null)
	fi
	"$apt" -qq "${options[@]}" "$@"
}

# refresh_lists ARCH: those of the last hour serve the next caller too.
refresh_lists() {
	local stamp=$cache/apt/$1/stamp
	[[ -z $(find "$stamp" -mmin -60 2>/dev/null) ]] || return 0
	private_apt "$1" apt-get update >&2 || die "cannot fetch the package lists"
	touch "$stamp"
}

# download ARCH PACKAGE...: into the current folder
download() {
	local arch=$1
	shift
	private_apt "$arch" apt-get download "$@" >&2 || die "cannot download $*"
}

# Unpacks the archives in the current folder there
unpack_archives() {
	local deb
	for deb in *.deb; do
		dpkg -x "$deb" .
		rm "$deb"
	done
}

# complete_or_absent TARGET COMMAND...: runs the command in a temporary folder
# that becomes TARGET only when it is whole.
complete_or_absent() {
	local target=$1
	shift
	[[ ! -d $target ]] || return 0
	mkdir -p "$(dirname "$target")"
	work=$(mktemp -d "$target.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	chmod 755 "$work"
	(cd "$work" && "$@")
	mv -T "$work" "$target"
}
