# SPDX-License-Identifier: Apache-2.0
# What tests of the whole program share, read by them after tap.sh: a folder for what it prints, and what was printed.

tfprof=${TFPROF:-./tfprof}
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' INT TERM
HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent XDG_STATE_HOME=/dev/null
export HOME XDG_CONFIG_HOME XDG_STATE_HOME

# result STATUS NAME: one test; where it failed, also what the program printed.
result() {
	tap "$1" "$2" || tap_shows "$temp/out" "$temp/err"
}

# out TEXT, err TEXT: the run before printed it.
out() {
	grep -qF -- "$1" "$temp/out"
	result $? "standard output has '$1'"
}

err() {
	grep -qF -- "$1" "$temp/err"
	result $? "standard error has '$1'"
}
