# shellcheck shell=bash
# Running spin on the model. Sourced after lib.sh, with $tmp a folder.

# shellcheck disable=SC2154 # lib.sh's
model=$root/tests/model

# Prints the list of cures: name|options|what|cost.
cures() {
	grep -v '^#' "$model/cures"
}

# checker DIR "MACRO..." COMPILER-OPTION...: builds the checker there.
checker() {
	local dir=$1 macros
	read -ra macros <<< "$2"
	shift 2
	mkdir -p "$dir"
	# In its folder: spin writes to the one it is called in
	(
		cd "$dir" || exit
		cp "$model/ahci.pml" . && spin "${macros[@]}" -a ahci.pml > spin.log 2>&1 &&
			gcc -O2 -DSAFETY -DCOLLAPSE -DMEMLIM=12000 "$@" -o pan pan.c > gcc.log 2>&1
	) || { cat "$dir"/*.log >&2; return 1; }
}

# story CURE OPTION...: the shortest way to the failure, one step a line.
story() {
	local cure=$1 dir=$tmp/$1
	shift
	checker "$dir" "-DCOMMANDS_1=0 -D$cure $*" -DBFS || return
	(
		cd "$dir" || exit
		./pan -m100000 > pan.log 2>&1 || true
		spin -DCOMMANDS_1=0 "-D$cure" "$@" -t ahci.pml |
			sed -nE 's/^ *(driver|disk|link|block layer|handler|error handling|shutdown|nothing moves)/\1/p; s/^spin: .*Error: (assertion violated)/\1/p'
	)
}
