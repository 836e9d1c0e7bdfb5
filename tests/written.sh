#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `w` writes of the rows on the screen is, byte for byte, what the same view prints on the command line: of each
# recording each view that has rows, all of them open, and some with filters, an order, columns or a baseline. The screen leaves out
# frames of libraries unless told otherwise. TAP.

set -u
cd "${TESTS_DIR:-$(dirname "$0")}" || exit 1
. ./tap.sh
. ./pressing.sh

# printed VIEW OPTION... FILE: to VIEW.printed, unless the file has nothing for the view.
printed() {
	view=$1
	shift
	"$TFPROF" "$view" --no-config --max_depth=all --fold_library --output=csv "$@" >"$folder/$view.printed" 2>"$folder/err" ||
		rm "$folder/$view.printed"
}

# script OPTION... FILE: the keys that write each view that was printed.
script() {
	echo "size 120x40"
	echo "run --no-config $*"
	echo "wait _TFProfRoot"
	for view in 1scope 3op 4code 5device 6steps 7idle 8memory; do
		[ -r "$folder/${view#?}.printed" ] || continue
		printf 'keys %s\nwait [%s %s\nkeys E w\nwait visible rows\n' "${view%"${view#?}"}" "${view%"${view#?}"}" "${view#?}"
		printf 'type %s\nkeys <Enter>\nwait written\n' "$folder/${view#?}.csv"
	done
	echo "keys Q"
	echo "exit 0"
}

# compare OPTION... FILE
compare() {
	rm -f "$folder"/*
	for view in scope code device steps idle memory; do
		printed $view "$@"
	done
	printed op --deep "$@"
	script "$@" >"$folder/keys"
	"$screen" "$folder/keys" >"$folder/log" 2>&1 || sed 's/^/# /' "$folder/log"
	for path in "$folder"/*.printed; do
		view=${path##*/}
		view=${view%.printed}
		cmp -s "$path" "$folder/$view.csv"
		tap $? "$view $*" || diff "$path" "$folder/$view.csv" 2>&1 | head -n 10 | tap_shows
	done
}

for recording in data/gpu/torch_small.json.gz data/gpu/jax_small.xplane.pb.gz data/traces/*.gz; do
	compare "$recording"
done
compare --context --show_text=conv data/gpu/torch_small.json.gz
compare --min_occurrence=2 --order_by=host data/traces/torch_cpu.json.gz
compare --columns=scope:total,ran,defined data/traces/jax_cpu.xplane.pb.gz
compare --step=1 data/gpu/jax_small.xplane.pb.gz
compare --step=1 --baseline=step:0 --order_by=host data/traces/jax_cpu.xplane.pb.gz
tap_ends
