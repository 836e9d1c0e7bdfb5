#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shell: scripts that TensorFlow's own profiler ran, with the reports and listings that it printed; what ours has
# more; exit statuses. TAP.

set -u
cd "${TESTS_DIR:-$(dirname "$0")}" || exit 1
. ./tap.sh
. ./program.sh
XDG_STATE_HOME=$temp/state

# Without blank lines, what stands before the first report or listing, and the texts that explain the columns.
reports() {
	awk '/^Doc:$/ { doc = 1 } /^Profile:$/ { doc = 0 }
		/^Profile:$/ || /^-max_depth / { begun = 1 } begun && !doc && !/^[ \t]*$/' "$1"
}

# ---- as TensorFlow's ----

for script in golden/shell/*.in; do
	name=$(basename "$script" .in)
	read -r _ network <"$script"
	data=data/tf/$network
	metas=$(echo "$data"/run_meta_*.pb.gz | tr ' ' ,)
	gzip -dc "golden/shell/$name.golden.gz" >"$temp/golden"
	sed 1d "$script" | timeout 60 "$tfprof" shell --compat=tf --graph_path="$data/graph.pb.gz" \
		--run_meta_path="$metas" --op_log_path="$data/op_log.pb.gz" >"$temp/out" 2>"$temp/err"
	status=$?
	sed 1d "$temp/golden" | grep -v '^$' >"$temp/wanted"
	reports "$temp/out" | cmp -s - "$temp/wanted"
	result $? "$name is as TensorFlow's"
	if head -n 1 "$temp/golden" | grep -q '^# errors'; then
		[ "$status" = 1 ] && [ -s "$temp/err" ]
		result $? "$name tells what is wrong (status $status)"
	fi
done

# ---- exit statuses, and what ours has more ----

# run STATUS NAME LINES ARGUMENT...: the shell, given the lines, ends with STATUS.
run() {
	status=$1 name=$2 lines=$3
	shift 3
	printf "$lines" | timeout 60 "$tfprof" shell "$@" >"$temp/out" 2>"$temp/err"
	got=$?
	[ "$got" = "$status" ]
	result $? "$name (status $got)"
}

lines() {
	got=$(wc -l <"$temp/$1")
	[ "$got" = "$2" ]
	result $? "$2 lines on $1 ($got)"
}

run 0 "nothing" "" --demo
lines out 0
lines err 0
run 0 "an empty line lists the options" "\n" --demo --max_depth=3
lines out 21
out "-max_depth                  3"
run 0 "the last line needs no end" "set -step 2\n" --demo
run 0 "what is set stays" "set -step 2 -select params\n\n" --demo
out "-step                       2"
out "-select                     params"
run 1 "what is wrong sets nothing" "set -step 2 -select nonsense\n\n" --demo
out "-step                       -1"
run 1 "an output that there is not" "set -step 2 -output wrong\n\n" --demo
out "-step                       -1"
run 1 "the same mistake twice is told twice" "bogus\nbogus\n" --demo
lines err 2
run 1 "after a mistake it goes on" "bogus\nop -max_depth 0\n" --demo
out "Profile:"
run 1 "a step that is not there" "scope -step 7\n" --demo
err "valid: 0 2"
run 1 "blanks" "   \n" --demo
run 0 "quit" "quit\n\n" --demo
lines out 0
run 0 "quotes keep blanks and commas" \
	"scope -max_depth 2 -show_name_regexes 'no such','unit_1_0|a{1,2}' -output file:outfile='$temp/a b'\n" --demo
grep -q unit_1_0 "$temp/a b"
result $? "and a file has a blank in its name"
run 0 "options in other spellings" "scope --max_depth=1 -select=params\n" --demo
out "930.58k params"
run 0 "old names" "set -viz -device_regexes .*GPU.* -order_by depth\n\n" --demo
err "--viz is obsolete"
out "-account_type_regexes       .*gpu.*"
run 0 "help" "help\nhelp -step\nhelp device_regexes\nhelp PRINT_PARAMS_ON_DEVICE\n" --demo
out "-step N: "
out "device_regexes is an old name"
run 0 "help about a view" "help op\n" --demo
out "op: nodes of one op type are one row"
out "-deep"
out "example: op -select "
run 0 "help about words of the command line" "help merge\nhelp profile_path\n" --demo
out "tfprof merge -o FILE"
out "--profile_path=FILE: "
run 0 "set without options" "set -max_depth 3 -reverse\nset\n" --demo
out "-max_depth                  3"
out "in one line: set --max_depth=3 --reverse"
run 1 "an option that is like none" "scope -qqqqqqqq 3\n" --demo
err "min_occurrence, step, ... ("
run 1 "help about nothing" "help nonsense\n" --demo
err "standard input:1: nothing is called 'nonsense'"
run 0 "advice" "advise\n" --demo
out "op type 1:"
run 0 "lines end as on other systems" "scope -max_depth 1\r\n" --demo
run 2 "no files" ""
run 1 "a file that is none" "\n" "$temp/none"
[ ! -e "$temp/state" ]
result $? "a script leaves no history"

timeout 60 "$tfprof" help >"$temp/out" 2>"$temp/err"
result $? "tfprof help"
out "tfprof shell"
[ "$(awk 'length > 80' "$temp/out" | wc -l)" = 0 ]
result $? "no line of it is wider than a terminal"
timeout 60 "$tfprof" help viz --step >"$temp/out" 2>"$temp/err"
[ $? = 2 ]
result $? "tfprof help with an option that lacks its value"
timeout 60 "$tfprof" help print_model_analysis >"$temp/out" 2>"$temp/err"
result $? "tfprof help with an old name"
for word in micros self; do
	timeout 60 "$tfprof" help $word >"$temp/out" 2>"$temp/err"
	result $? "tfprof help with $word"
	out "$word, a "
done
timeout 60 "$tfprof" scope --run_log_path=data/tf/tiny/op_log.pb.gz --dump_to_file="'$temp/dump'" \
	--order_by=depth data/tf/tiny/graph.pb.gz >"$temp/out" 2>"$temp/err"
result $? "old names on the command line"
err "--op_log_path"
[ -s "$temp/dump" ]
result $? "and the file that they name"
if [ -w /dev/full ]; then
	printf 'scope\nscope\n' | timeout 60 "$tfprof" shell --demo >/dev/full 2>"$temp/err"
	[ $? = 1 ]
	result $? "standard output is full"
fi

tap_ends
