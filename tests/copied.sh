#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command line that `y c` copies: its report has the rows of the view, in their order, with the values of
# the metric that leads. Each case presses keys, writes all rows as csv, copies and runs the command. TAP.

set -u
cd "${TESTS_DIR:-$(dirname "$0")}" || exit 1
. ./tap.sh
. ./pressing.sh

# Names and values of the rows of a csv, one a line: "NAME<tab>109.77ms".
rows_of() {
	awk -v metric="$1" '
	function field(    text) {
		if (substr($0, at, 1) != "\"") {
			match(substr($0, at), /^[^,]*/)
			text = substr($0, at, RLENGTH)
			at += RLENGTH + 1
			return text
		}
		match(substr($0, at), /^"([^"]|"")*"/)
		text = substr($0, at + 1, RLENGTH - 2)
		at += RLENGTH + 1
		gsub(/""/, "\"", text)
		return text
	}
	function short(value,    bytes) {
		value += 0
		bytes = metric ~ /bytes/
		return value < 1000 ? value (bytes ? "B" : "us") \
			: value < 1000000 ? sprintf("%.2f%s", value / 1000, bytes ? "KB" : "ms") \
			: sprintf("%.2f%s", value / 1000000, bytes ? "MB" : "sec")
	}
	{
		at = 1
		for (n = 1; at <= length($0); n++)
			cell[n] = field()
		if (NR == 1) {
			for (i = 1; i < n; i++)
				if (cell[i] == metric)
					column = i
		} else
			print cell[1] "\t" (column ? short(cell[column]) : "")
	}' "$2"
}

# same: each line of the report begins with the name and holds the value of the row that is in its place.
same() {
	awk -F '\t' '
	NR == FNR { name[NR] = $1; value[NR] = $2; rows = NR; next }
	/^Profile:/ { begun = 1; next }
	!begun || /^node name \|/ || /^$/ { next }
	{
		line = $0
		sub(/^ */, "", line)
		if (++at == 1 && name[1] == "_TFProfRoot" && index(line, name[1]) != 1)
			at++ # a list of op types has no root
		if (index(line, name[at]) != 1 || !index(line, value[at])) {
			print "row " at " is \"" name[at] "\" " value[at] ", not: " line
			wrong = 1
			exit
		}
	}
	END {
		if (!wrong && at != rows)
			print rows " rows, " at " in the report"
		exit wrong || at != rows
	}' "$1" "$2"
}

# equal NAME ARGUMENTS KEYS [METRIC]: what the keys show is what the copied command prints.
equal() {
	rm -f "$folder"/rows.csv
	printf 'run --no-config %s\nwait [\n%s\nkeys w\ntype %s\nkeys <Enter>\nwait rows written\nkeys y c\nwait copied: tfprof\ncopied nothing\nkeys Q\nexit 0\n' \
		"$2" "$3" "$folder/rows.csv" | sed 's/^keys w$/keys w <Tab>/' >"$folder/case.keys"
	"$screen" "$folder/case.keys" >"$folder/log" 2>&1
	sed -n "s/^not ok .*copied '\(.*\)', expected 'nothing'$/\1/p" "$folder/log" >"$folder/command"
	rows_of "${4-TIME total (us)}" "$folder/rows.csv" >"$folder/rows"
	sed 's/^tfprof /"$TFPROF" /' "$folder/command" >"$folder/run"
	sh "$folder/run" >"$folder/report" 2>"$folder/err"
	[ -s "$folder/command" ] && same "$folder/rows" "$folder/report" >"$folder/why"
	tap $? "$1" && return
	tap_shows "$folder/command" "$folder/why" "$folder/err"
	grep '^not ok' "$folder/log" | grep -v "expected 'nothing'" | tap_shows
}

rnn='data/tf/rnn/graph.pb.gz data/tf/rnn/run_meta_0.pb.gz data/tf/rnn/run_meta_1.pb.gz data/tf/rnn/op_log.pb.gz'
equal scope "$rnn" 'wait _TFProfRoot'
equal graph "$rnn" 'keys 2
wait [2 graph]'
equal 'graph, consumers' "$rnn" 'keys 2 o c
wait consumers below'
equal op "$rnn" 'keys 3
wait [3 op]'
equal code "$rnn" 'keys 4
wait [4 code]'
equal 'code with libraries' "$rnn" 'keys 4 o l
wait have the frames'
equal 'a list' "$rnn" 'keys t
wait flat'
equal 'a list of ops and shapes' "$rnn" 'keys 3 t
wait flat'
equal 'gradients merged' --demo 'keys o m
wait count with'
equal 'numbered ops apart' "$rnn" 'keys o n
wait its own row'
equal zoom "$rnn" 'keys z
wait zoom'
equal 'a step' "$rnn" 'keys )
wait step'
equal 'sorted by name' "$rnn" 'keys s n
wait NAME▲'
equal 'reversed' "$rnn" 'keys r
wait ▲'
equal 'without the rows above' "$rnn" 'keys o a
wait come without'
equal 'a text that is shown' "$rnn" 'keys f M a t <Enter>
wait hidden'
equal memory "$rnn" 'keys m m
wait memory' ''
equal 'a baseline' "$rnn" 'keys = m
wait against'
equal 'a list of patterns' "--hide_name_regexes=.*MatMul.*,.*Add.* $rnn" 'keys g'
equal 'a shape' "--shape=4x13 $rnn" 'keys g'
equal 'columns' "--columns=scope:self,total $rnn" 'wait SELF'
equal 'patterns and a list' "--account_type_regexes=MatMul --order_by=occurrence $rnn" 'keys t
wait flat' ''
equal steps "$rnn" 'keys 6
wait step by step'
equal 'steps with a baseline' "$rnn" 'keys 6 = m
wait against'
equal 'a list of steps' "$rnn" 'keys 6 t
wait flat'
live='LIVE total (bytes)'
equal 'live bytes' "$rnn" 'keys 8
wait [8 mem]' "$live"
equal 'live bytes at another time' "$rnn" 'keys 8
wait the peak
keys , , ,
reject the peak' "$live"
equal 'live bytes of another step' "$rnn" 'keys 8 S 0
wait live, step 0' "$live"
equal 'live bytes, gradients merged' --demo 'keys 8 o m
wait count with' "$live"
equal 'a list of live bytes' "$rnn" 'keys 8 t
wait flat' "$live"
equal 'functions of samples' data/pprof/go_cpu.pprof.gz 'wait flat' ''
equal 'call paths of samples' data/pprof/go_cpu.pprof.gz 'keys 4
wait [4 code]' ''
equal 'a step of the demo in the code view' --demo 'keys 4 )
wait step' ''
tap_ends
