#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completions: what bash offers where, and that zsh and fish can read theirs. Runs in the build folder. TAP.

set -u
count=0

result() {
	count=$((count + 1))
	echo "$1 $count - $2"
}

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
	if printf '%s\n' "$offered" | grep -qxF -e "$wanted"; then
		result ok "$* is completed to $wanted"
	else
		result "not ok" "$* is completed to $wanted"
		printf '%s\n' "$offered" | head -n 20 | sed 's/^/# /'
	fi
}

reads() {
	if ! command -v "$1" >/dev/null; then
		result ok "$1 reads its completion # SKIP there is no $1"
	elif "$1" -n "$2"; then
		result ok "$1 reads its completion"
	else
		result "not ok" "$1 reads its completion"
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
	result ok "bash completes # SKIP there is no bash"
fi
reads zsh completions/_tfprof
reads fish completions/tfprof.fish
echo "1..$count"
