#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completions: what bash offers where, and that zsh and fish can read theirs. Runs in the build folder. TAP.

set -u
. "${TESTS_DIR:-$(dirname "$0")}/tap.sh"

# offers WORD WORDS...: for the command line WORDS, of which the last is being typed, bash offers WORD.
offers() {
	wanted=$1
	shift
	offered=$(bash -c '
		compopt() { :; }
		. completions/tfprof
		COMP_WORDS=(tfprof "$@") COMP_CWORD=$#
		_tfprof
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@")
	printf '%s\n' "$offered" | grep -qxF -e "$wanted"
	tap $? "$* is completed to $wanted" || printf '%s\n' "$offered" | head -n 20 | tap_shows
}

reads() {
	if ! command -v "$1" >/dev/null; then
		tap 0 "$1 reads its completion # SKIP there is no $1"
	else
		"$1" -n "$2"
		tap $? "$1 reads its completion"
	fi
}

if command -v bash >/dev/null; then
	offers scope sc
	offers shell she
	offers Makefile Makef
	offers Makefile op Makef
	offers --order_by= --ord
	offers --flat --fl
	offers micros --order_by = mi
	offers micros --order_by mi
	offers name --order_by = ''
	offers params,micros --select = params,mic
	offers graph --view = gr
	offers high-contrast --theme = hi
	offers median --baseline = me
	offers Makefile --baseline = file : Makef
	offers Makefile --graph_path = Makef
	for option in $("$TFPROF" --help | grep -oE -e '^  --[a-z_-]+=?'); do
		offers "$option" "$option"
	done
else
	tap 0 "bash completes # SKIP there is no bash"
fi
reads zsh completions/_tfprof
reads fish completions/tfprof.fish
tap_ends
