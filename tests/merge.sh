#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tfprof merge: the inputs of every reference report, saved in one file, give that report, byte for byte
# from the line `Profile:` on. Then what else a saved profile must keep. TAP.

set -u -f
tests=${TESTS_DIR:-$(dirname "$0")}
. "$tests/tap.sh"
. "$tests/program.sh"

# The demo's files are not stored twice.
input() {
	path=$tests/data/tf/$1/$2.gz
	[ -r "$path" ] || path=$tests/../data/demo/$2.gz
	echo "$path"
}

# Prints the options that name the inputs FILES, "graph;run_meta=0,1;op_log", of NETWORK.
inputs() {
	network=$1
	for part in $(echo "$2" | tr ';' ' '); do
		case $part in
		graph) echo "--graph_path=$(input "$network" graph.pb)" ;;
		pbtxt) echo "--graph_path=$(input "$network" graph.pbtxt)" ;;
		op_log) echo "--op_log_path=$(input "$network" op_log.pb)" ;;
		profile) echo "--profile_path=$(input "$network" profile.pb)" ;;
		run_meta=*)
			for step in $(echo "${part#run_meta=}" | tr ',' ' '); do
				echo "--run_meta_path=$(input "$network" "run_meta_$step.pb")"
			done
			;;
		esac
	done
}

# The option that MODE stands for.
quirks() {
	[ "$1" != tf ] || echo --compat=tf
}

# merged NETWORK FILES MODE: the path of the profile that these make, saved when first asked for.
merged() {
	path=$temp/$(echo "$1 $2 $3" | tr -c 'a-z0-9\n' _).pb
	[ -e "$path" ] || [ -e "$path.none" ] ||
		"$tfprof" merge --out="$path" $(quirks "$3") $(inputs "$1" "$2") >"$temp/said" 2>&1 ||
		cp "$temp/said" "$path.none"
	echo "$path"
}

golden() {
	if [ -e "$tests/golden/tf/$1.txt" ]; then
		cat "$tests/golden/tf/$1.txt"
	else
		gzip -dc "$tests/golden/tf/$1.txt.gz"
	fi
}

# Cases without a node or a step leave nothing to be saved.
test_case() {
	profile=$(merged "$2" "$3" "$4")
	if [ -e "$profile.none" ]; then
		grep -q 'nothing in these files' "$profile.none"
		result $? "$1: nothing to be saved"
		return
	fi
	"$tfprof" $5 $(quirks "$4") --profile_path="$profile" 2>"$temp/err" |
		sed -n '/^Profile:$/,$p' >"$temp/report"
	golden "$1" | cmp -s - "$temp/report"
	result $? "$1 $5"
}

for network in tiny rnn resnet32; do
	while IFS='	' read -r id name files mode kind command; do
		[ "$kind" != text ] || test_case "$id" "$name" "$files" "$mode" "$command"
	done <"$tests/golden/$network.cases"
done

# Again from what was saved: not a byte changes.
set +f
for path in "$temp"/*.pb; do
	"$tfprof" merge --force -o "$temp/again" "$path" >/dev/null 2>&1 && cmp -s "$temp/again" "$path"
	result $? "$(basename "$path") again"
done
set -f

# The other outputs.
run() {
	"$tfprof" "$@" --compat=tf >/dev/null 2>&1
}
demo=$(inputs resnet32 'graph;run_meta=0,2;op_log')
run merge -o "$temp/demo.pb.gz" $demo
result $? "a profile that is compressed"
gzip -t <"$temp/demo.pb.gz" 2>/dev/null
result $? "is gzip"
for output in "graph --output=timeline:outfile" "code --select=micros --output=pprof:outfile"; do
	rm -f "$temp"/out*
	run $output="$temp/out" $demo
	mkdir -p "$temp/first"
	set +f
	mv "$temp"/out* "$temp/first/"
	run $output="$temp/out" "$temp/demo.pb.gz"
	for path in "$temp"/out*; do
		cmp -s "$path" "$temp/first/$(basename "$path")"
		result $? "$output"
	done
	set -f
done
tap_ends
