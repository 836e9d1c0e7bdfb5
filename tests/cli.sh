#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command line: exit statuses, messages, output that cannot be written, files that are none. TAP.

set -u
cd "${TESTS_DIR:-$(dirname "$0")}" || exit 1
. ./tap.sh
. ./program.sh
LC_ALL=C.UTF-8 TERM=xterm-256color
export LC_ALL TERM
graph=data/tf/rnn/graph.pb.gz

# run STATUS NAME ARGUMENT...: the program ends with STATUS, not by a signal, and soon.
run() {
	status=$1 name=$2
	shift 2
	timeout 60 "$tfprof" "$@" >"$temp/out" 2>"$temp/err" </dev/null
	got=$?
	[ "$got" = "$status" ]
	result $? "$name (status $got)"
}

silent() {
	[ ! -s "$temp/$1" ]
	result $? "nothing on $1"
}

# ---- a report without a terminal ----

run 0 "without a terminal the screen is a report" --demo
err "standard output is not a terminal"
out "Profile:"
out "_TFProfRoot"
run 0 "a report of a view" scope --demo
silent err
run 0 "options by the word after them" scope -max_depth 2 -min_micros 1 --demo
cp "$temp/out" "$temp/first"
run 0 "and by the equals sign" scope --max_depth=2 --min_micros=1 --demo
cmp -s "$temp/first" "$temp/out"
result $? "both are the same"
LC_ALL=C run 0 "in the C locale" op --demo
TERM=dumb run 0 "on a dumb terminal" op --demo
run 0 "help" --help
out "Usage: tfprof"
run 0 "version" --version
run 0 "files by their options" scope --graph_path=data/tf/worked/graph.pbtxt \
	--run_meta_path=data/tf/worked/run_meta_0.pbtxt --op_log_path=data/tf/worked/op_log.pbtxt
cp "$temp/out" "$temp/first"
run 0 "files by their content, in any order" scope data/tf/worked/op_log.pbtxt \
	data/tf/worked/run_meta_0.pbtxt data/tf/worked/graph.pbtxt
cmp -s "$temp/first" "$temp/out"
result $? "both are the same"
run 0 "a file that looks like an option" scope -- "./$graph"

run 0 "memory of a step that is not in the range" memory --step=0 --range=18000:20000 data/gpu/torch_small.json.gz
out "nothing of step 0 is in this range"
out "_TFProfRoot (--/0B)"
run 0 "memory of a step that is partly in the range" memory --step=1 --range=18000:20000 data/gpu/torch_small.json.gz
out "step 1 at 2.44ms of 7.44ms, the peak"
run 0 "a range behind the end" scope --range=99000000:99000001 data/gpu/torch_small.json.gz
err "note: --range begins behind the end of the recording"
run 0 "a shape that nothing has" op --shape=xx data/gpu/torch_small.json.gz
err "note: no row passes the filters"
run 0 "a name that nothing has" scope --show_name_regexes=zzzz data/gpu/torch_small.json.gz
err "note: no row passes the filters"
run 0 "a name that only rows further down have" op --show_text=cuda data/gpu/torch_small.json.gz
err "note: no row passes the filters up to --max_depth=10, which counts what they hide, too; --max_depth=all"
run 0 "a step that is not in the range of time" op --step=1 --range=0:1000 data/gpu/torch_small.json.gz
err "note: nothing is there for this view in the step, rank or range of time that is chosen"
run 0 "rows that are deeper than asked for" scope --max_depth=1 data/gpu/torch_small.json.gz
silent err
run 0 "lanes of devices and of hosts" time data/gpu/torch_small.json.gz
out "node name | time the device is busy | host time"
out "_TFProfRoot (--/1.42ms, --/31.67ms)"
run 0 "all steps" steps data/gpu/torch_small.json.gz
cp "$temp/out" "$temp/steps"
run 0 "one where all have rows" steps --step=1 data/gpu/torch_small.json.gz
err "note: --step=1: the steps view has all steps, and sums of all"
cmp -s "$temp/steps" "$temp/out"
result $? "coverage and sums are of all"
run 0 "a step against itself" op --step=0 --baseline=step:0 data/gpu/torch_small.json.gz
err "note: --baseline=step:0: that is what is shown, compared with itself"
run 0 "a step against another" op --step=0 --baseline=step:1 data/gpu/torch_small.json.gz
silent err
run 0 "the step of the highest peak against itself" memory --baseline=step:0 --demo
err "note: --baseline=step:0: that is what is shown, compared with itself"
run 0 "the only step against all there are" op --baseline=median data/tf/source/graph.pbtxt data/tf/source/run_meta.pbtxt
err "note: --baseline=median: that is what is shown, compared with itself"
run 0 "a rank against itself" op --rank=1 --baseline=rank:1 data/ranks/rank0.json data/ranks/rank1.json
err "note: --baseline=rank:1: that is what is shown, compared with itself"
run 0 "a file against itself" op --baseline=file:data/gpu/../gpu/torch_small.json.gz data/gpu/torch_small.json.gz
err "note: --baseline=file:data/gpu/../gpu/torch_small.json.gz: that is what is shown, compared with itself"
lines=$(wc -l <"$temp/err")
[ "$lines" -eq 1 ]
result $? "in one line"
for kind in csv json md txt; do
	run 0 "a $kind table against a file of other steps" op --output=$kind --baseline=file:data/ranks/steps2.json data/ranks/steps0.json
	err "note: --baseline=file:data/ranks/steps2.json: difference and ratio are to the total of the baseline (3 steps, here 4)"
done
run 0 "a file against another" op --baseline=file:data/ranks/rank0.json data/ranks/rank1.json
silent err
run 1 "a step that is not in the range against one that is" op --step=1 --baseline=step:0 --range=0:10000 data/gpu/torch_small.json.gz
err "--baseline=step:0: nothing of step 1 is in the range of time"
run 1 "and the other way round" op --step=0 --baseline=step:1 --range=0:10000 data/gpu/torch_small.json.gz
err "--baseline=step:1: nothing of step 1 is in the range of time"
for kind in mean median; do
	run 1 "no other step is in the range: $kind" op --step=0 --baseline=$kind --range=0:10000 data/gpu/torch_small.json.gz
	err "--baseline=$kind: there is no other step in the range of time to compare with"
	run 1 "nor in the steps view: $kind" steps --baseline=$kind --range=0:10000 data/gpu/torch_small.json.gz
	err "--baseline=$kind: there is no other step in the range of time to compare with"
done
run 0 "a range without events of the GPU" summary --range=0:30 data/gpu/torch_small.json.gz
out "missing, and what makes it"
! grep -q "no events of a GPU" "$temp/out"
result $? "the recording does not lack them"
run 0 "two of them are" steps --baseline=mean --range=0:20000 data/gpu/torch_small.json.gz
run 2 "a column in capitals" op --columns=TOTAL_OCCURRENCE data/gpu/torch_small.json.gz
err "its column is total_occurrence;"
run 0 "a step that is in the range only in part" op --step=1 --baseline=step:0 --range=0:18000 data/gpu/torch_small.json.gz
run 0 "as long as in the memory view" summary --step=1 data/gpu/torch_small.json.gz
out "of the step's 7.44ms"
for rank in 0 1; do
	gzip -dc data/gpu/torch_small.json.gz |
		sed "s/\"schemaVersion\": 1,/& \"distributedInfo\": {\"rank\": $rank, \"world_size\": 2},/" >"$temp/rank$rank.json"
done
run 0 "ranks that are alike" summary "$temp/rank0.json" "$temp/rank1.json"
out "2 ranks are alike"
run 0 "ranks that are not" summary data/ranks/rank0.json data/ranks/rank1.json
! grep -q "are alike" "$temp/out"
result $? "nothing says that they are"
run 0 "idle times" idle --max_depth=1 data/gpu/torch_small.json.gz
out "node name | idle time"

run 0 "causes of idle times have no busy time" idle --max_depth=3 --columns=idle:total,busy --output=csv data/gpu/torch_small.json.gz
out ',2,4300418,,'
run 0 "memory is of one device" memory --max_depth=1 data/gpu/torch_small.json.gz
out "live on GPU 0, step 0 at"
out "not shown (--allocator): CPU with 8B at its peak"
run 1 "an allocator that is not there" memory --allocator=xpu data/gpu/torch_small.json.gz
err "there are: GPU 0, CPU"

# ---- tables say what is compared, as the screen does ----

run 0 "a comparison with what has nothing to compare" code --baseline=file:data/pprof/go_heap.pprof.gz data/pprof/go_cpu.pprof.gz
err "the two files have no metric in common: nothing is compared"
run 0 "a table of a comparison" scope --demo --baseline=step:0 --output=csv:outfile="$temp/rows.csv"
grep -q '"TIME difference (us)","TIME ratio (ratio)","TIME baseline (us)"' "$temp/rows.csv"
result $? "its differences, ratios and baselines"
run 0 "a table on standard output" scope --demo --max_depth=1 --output=csv
run 0 "the same by its sign" scope --demo --max_depth=1 --output=csv:outfile=-
out "_TFProfRoot"
[ ! -e ./- ]
result $? "that is no file"
run 0 "the same for people" scope --demo --baseline=step:0 --output=md:outfile="$temp/rows.md"
grep -q '|      DIFF |   RATIO | BASELINE |' "$temp/rows.md"
result $? "the same columns"
run 0 "lines of text as a table" summary --demo --output=csv
out '"findings",1'
run 0 "each metric of select has a column" op --select=micros,bytes,params --demo --output=csv
out '"PARAMS total (count)"'
run 0 "those of the first by the alphabet, however they are given" op --select=params,micros --demo --output=csv
out '"name","depth","TIME total (us)"'
run 0 "columns that are not there" scope --max_depth=2 --columns=total_micros,total_byts,total_foo --demo --output=md
out "TIME |"
err "no column total_byts: the file has no such metric; did you mean total_bytes?"
err "no column total_foo: the file has no such metric; columns are"
run 0 "so has a longest event, which is a share of nothing" \
	op --select=device_max,launches data/gpu/torch_small.json.gz
grep -q ', *33.34us$' "$temp/out"
result $? "it stands alone"
run 0 "what is no part of a whole has no shares" op --select=device,busy data/gpu/torch_small.json.gz
grep -q "^aten::convolution_backward .*%), *629.80us$" "$temp/out"
result $? "busy time stands alone"

# ---- names may hold anything, in a file as on a terminal ----

printf '[{"ph": "X", "name": "a\\u001b[31m\\nb", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]' >"$temp/odd.json"
run 0 "a name that a terminal would obey" op --max_depth=9 "$temp/odd.json"
! grep -q "$(printf '\033')" "$temp/out"
result $? "it is made safe in a file"

# ---- a folder is the profile that is in it ----

run 0 "a folder with one profile" scope data/tf/worked/
cmp -s "$temp/first" "$temp/out"
result $? "it is that profile"
mkdir "$temp/log" && cp data/tf/worked/op_log.pbtxt "$temp/log"
run 0 "a folder among files" scope data/tf/worked/run_meta_0.pbtxt "$temp/log" data/tf/worked/graph.pbtxt
cmp -s "$temp/first" "$temp/out"
result $? "its file comes along"
run 1 "a folder with several profiles" scope data/tf/tiny/
err "data/tf/tiny/: holds 2 profiles (., profile.pb.gz): name one, as data/tf/tiny/profile.pb.gz;"
run 1 "a folder with profiles below it" advise data/ckpt/values/..
err ": name one, as data/ckpt/values/.."
run 0 "a shard of a checkpoint" scope data/ckpt/v1_sharded/model.ckpt-00000-of-00004
cp "$temp/out" "$temp/shard"
run 0 "all shards of a checkpoint" scope data/ckpt/v1_sharded/model.ckpt-?????-of-00004
cmp -s "$temp/shard" "$temp/out"
result $? "they are one"
run 0 "all files of a checkpoint" scope data/ckpt/v2_sharded/model.ckpt*
mkdir "$temp/bare"
run 1 "a folder without a profile, and a file" scope "$graph" "$temp/bare"
err "no profile in $temp/bare"
run 2 "a list of a folder and a file" files "$graph" "$temp/bare"
err "lists one folder"
run 2 "a list of a folder that is not there" files "$temp/nowhere"
err "$temp/nowhere: No such file or directory"
run 0 "a list in the order that is asked for" files --order_by=size data/pprof
sed -n 2p "$temp/out" | grep -q "^jax_memory.pprof.gz"
result $? "the largest is first"
run 0 "a list as a file of another format, filtered" files --show_text=heap --output=csv data/pprof
out '"go_heap.pprof.gz",1,'
run 0 "a list" files data/pprof
cp "$temp/out" "$temp/list"
run 0 "a list as a report" files --output=stdout data/pprof
cmp -s "$temp/list" "$temp/out"
result $? "is that list"
run="2026|a_run_whose_name_takes_more_than_a_column"
mkdir -p "$temp/logs/plugins/profile/$run"
cp data/pprof/go_heap.pprof.gz "$temp/logs/plugins/profile/$run/host.xplane.pb"
run 0 "a list as Markdown" files --output=md "$temp/logs"
out " 2026\\|a_run_whose_name_takes_more_than_a_column |"
mkdir "$temp/job"
for rank in 0 1 2 3 4 5 6 7 9; do
	sed "s/\"rank\": 0, \"world_size\": 2/\"rank\": $rank, \"world_size\": 16/" data/ranks/rank0.json >"$temp/job/r$rank.json"
done
run 0 "a job of many ranks, by its own name" files "$temp/job/../job/."
out "job/ "
out " 9 ranks  ranks 0-7, 9 "
run 0 "what a job of many ranks is made of" summary "$temp/job"
out "and 6 more files"
out "and 6 more devices"
run 2 "a list in an order that there is not" files --order_by=foo data/pprof
err 'there is no order "foo"'

# ---- usage: 2, also where the words that are valid depend on the file ----

run 0 "no file: a list of what is in the folder"
out "data/tf/rnn "
run 2 "no file" scope
err "--demo"
run 2 "unknown option" scope --nonsense "$graph"
err "--nonsense"
run 2 "an option mistyped" scope --max-dept=3 "$graph"
err "unknown option --max-dept; did you mean --max_depth?"
run 2 "an option without its value" scope --max_depth
err "--max_depth"
run 2 "a number that is none" scope --max_depth=many "$graph"
err "many"
run 2 "unknown column" scope --select=micros,nonsense "$graph"
err "nonsense"
err "peak_bytes"
run 2 "unknown order" scope --order_by=nonsense "$graph"
err "nonsense"
err "occurrence"
run 0 "a minimum of time with its unit" scope --min_micros=1.5ms --demo
run 2 "none of bytes" scope --min_bytes=1.5ms --demo
err "no time"
run 2 "nor with a unit that is none" scope --min_micros=1.5min --demo
err "1.5min"
run 2 "unknown minimum" scope --min_nonsense=1 "$graph"
err "valid: "
run 1 "no such step" scope --step=7 --demo
err "valid: 0 2"
run 2 "unknown view" --view=nonsense "$graph"
err "nonsense"
run 2 "unknown theme" --view=scope --theme=nonsense --print-config
err "nonsense"
run 2 "unknown theme, where no screen shows it" scope --theme=ligth "$graph"
err "--theme=ligth: there is no such theme; did you mean light?"
silent out
run 0 "all levels" scope --max_depth=all "$graph"

seq 41 | sed 's/.*/  min_metric&: 1/; 1i options:' >"$temp/minimums.yaml"
run 0 "more minimums than there is room for" --config="$temp/minimums.yaml" --print-config
err "there are more than 40 minimums"

run 1 "a saved profile beside its own graph" scope data/tf/rnn/profile.pb.gz "$graph"
err "data/tf/rnn/profile.pb.gz is a "
err "$graph is another file: open one of them"

# ---- facts ----

run 0 "float operations that nobody knows" scope --select=float_ops "$graph"
err "float_ops are unknown, not 0"
run 1 "a step that is not there" scope --step=7 --demo
err "there is no such step; valid: 0 2"
run 0 "run metadata without a device" scope data/facts/no_device.run_meta "$graph"
run 0 "and alone" scope data/facts/no_device.run_meta
run 0 "counts above 2^31 and 2^53" scope --select=float_ops --order_by=float_ops data/facts/large.graph \
	data/facts/large.op_log
out "a (9007199.25b/9007199.25b flops)"
out "b (2.15b/2.15b flops)"
run 0 "a minimum tells 2^53 from one more" scope --min_float_ops=9007199254740993 --select=float_ops \
	data/facts/large.graph data/facts/large.op_log
out "a (9007199.25b"
run 0 "and one more from two" scope --min_float_ops=9007199254740994 --select=float_ops \
	data/facts/large.graph data/facts/large.op_log
! grep -q "a (9007199" "$temp/out"
result $? "a has not that many"
run 0 "op types that nobody knows" op --select=occurrence data/facts/large.graph
out "NobodysOp"
awk 'BEGIN { for (k = 0; k < 50000; k++) printf "node { name: \"s/n%05d\" op: \"Odd%d\" }\n", k, k % 7;
	for (k = 1; k <= 200; k++) { path = path (k > 1 ? "/" : "") "level" k }
	printf "node { name: \"%s\" op: \"Deep\" }\n", path }' >"$temp/large.pbtxt"
run 0 "50,000 nodes in one scope, and a name of 200 levels" scope --max_depth=300 --select=op_types "$temp/large.pbtxt"
out "level200 (Deep)"
lines=$(grep -c "s/n" "$temp/out")
[ "$lines" = 50000 ]
result $? "all have a row ($lines)"

# ---- files that are none ----

run 1 "a file that does not exist, without a terminal" "$temp/none"
err "$temp/none"
! grep -q 'here is the report' "$temp/err"
result $? "no word of a report that does not follow"

run 1 "a file that does not exist" scope "$temp/none"
err "$temp/none"
silent out
run 1 "a directory" scope "$temp"
err "$temp"
: >"$temp/empty"
run 1 "an empty file" scope "$temp/empty"
err "$temp/empty"
head -c 5000 /dev/zero >"$temp/zeros"
run 1 "zeros" scope "$temp/zeros"
printf 'These are words, not a profile.\n' >"$temp/words"
run 1 "text of another kind" scope "$temp/words"
[ "$(wc -l <"$temp/err")" = 1 ]
result $? "one line says so"
printf '\012\332' >"$temp/piece"
run 1 "two bytes" scope "$temp/piece"
err "not enough to tell"
for text in '[]' '[' ' [ ] '; do
	printf '%s\n' "$text" >"$temp/piece"
	run 1 "JSON without anything in it: $text" scope "$temp/piece"
	err "an empty list: there is no event in the file"
done
awk 'BEGIN { name = sprintf("%0200d", 0); print "["
	for (i = 0; i < 80; i++)
		printf "{\"ph\": \"X\", \"name\": \"%s%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": %d},\n", name, i, i, 1000 - 2 * i
	}' >"$temp/deep.json"
run 0 "calls in calls, deeper than scopes go" scope "$temp/deep.json"
err "scopes too deep to be told apart, which count for the scope around them: 60"
run 0 "and deeper than is drawn" time "$temp/deep.json"
err "events that are not drawn, as too many are around them or run at once: 16"
printf 'PK\003\004............' >"$temp/foreign"
run 1 "an archive" scope "$temp/foreign"
err "foreign: a zip archive; unzip it"
printf '\050\265\057\375............' >"$temp/foreign"
run 1 "what another program packed" scope "$temp/foreign"
err "packed by zstd; unpack it with zstd -d first"
echo 'version https://git-lfs.github.com/spec/v1' >"$temp/foreign"
run 1 "what stands for a file that is not here" scope "$temp/foreign"
err "git lfs pull"
cp "$temp/words" "$temp/words.nsys-rep"
run 1 "a report of another profiler, by its name" scope "$temp/words.nsys-rep"
err "a report of Nsight Systems"
foreign() { # WHAT BYTES, as printf has them
	printf "$2" >"$temp/foreign"
	run 1 "a file of another program: $1" scope "$temp/foreign"
	err "foreign: $1"
	lines=$(wc -l <"$temp/err")
	[ "$lines" -eq 1 ]
	result $? "in one line"
}
foreign 'a zip archive, with log/trace.json first; unzip it' \
	'PK\003\004......................\016\000\000\000log/trace.json.........'
foreign 'what torch.save wrote' 'PK\003\004......................\020\000\000\000archive/data.pkl.........'
foreign 'a picture' '\211PNG\r\n\032\n..................'
foreign 'a picture' '\377\330\377\340..JFIF..................'
foreign 'a PDF document' '%%PDF-1.7\n..................'
foreign 'an SQLite database' 'SQLite format 3\000....................'
foreign 'an HDF5 file' '\211HDF\r\n\032\n..................'
foreign 'a program' '\177ELF\002\001\001..................'
foreign 'packed by zlib; unpack it with pigz' 'x\234\313H\315\311\311W(\317/\312I\001\000...........'
foreign 'packed by zlib; unpack it with pigz' 'x\001\313H\315\311\311W(\317/\312I\001\000...........'
foreign 'no file of a known kind' 'x^2 + y^2 = z^2, or so it is said, and little more than that'
foreign 'a web page' '\n<!doctype html>\n<title>Not found</title>'
foreign 'a web page' '<HTML lang="en"><title>Not found</title>'
foreign 'a pickle of Python' '(dp0\nVsegments\np1\n(lp2\ns.'
foreign 'a pickle of Python' '}q\000X\010\000\000\000segmentsq\001]q\002s.'
foreign 'a pickle of Python' '\200\002}q\000X\010\000\000\000segmentsq\001]q\002s.'
foreign 'a pickle of Python' '\200\003}q\000X\010\000\000\000segmentsq\001]q\002s.'
foreign 'a pickle of Python' '\200\004\225\022\000\000\000\000\000\000\000}\224\214\010segments\224]\224s.'
foreign 'a pickle of Python' '\200\005\225\022\000\000\000\000\000\000\000}\224\214\010segments\224]\224s.'
echo '{"deviceType": "GPU", "byProgram": {}}' >"$temp/foreign"
run 1 "JSON that is no trace" scope "$temp/foreign"
err "JSON, but there is no list of records in it"
printf '\033[1;34mProfile Stats:\033[0m' >"$temp/foreign"
run 1 "text in the colours of a terminal" scope "$temp/foreign"
err "foreign: no file of a known kind"
for more in '' '"traceName": "more"'; do
	{ printf '{"log": {"text": "' && head -c 20000000 /dev/zero | tr '\0' x && printf '"}, "traceEvents": [
		{"ph": "X", "name": "far", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]%s}' "${more:+, $more}"; } >"$temp/far.json"
	gzip -1c "$temp/far.json" >"$temp/far.json.gz"
	for file in far.json far.json.gz; do
		run 0 "a trace whose records stand far behind: $file" scope "$temp/$file"
		err "$file: at byte 7: \"log\", of 20,000,013 bytes, is no part of the recording: it was passed over"
		grep -q far "$temp/out"
		result $? "is read"
	done
done
printf '\037\213\010\000' >"$temp/short.gz"
run 1 "a gzip header and nothing more" scope "$temp/short.gz"
run 1 "no permission, or no such file" scope /root/none/such
run 1 "one file of two is missing" scope "$graph" "$temp/none"
err "$temp/none"

# ---- standard input ----

timeout 60 "$tfprof" scope - <"$graph" >"$temp/out" 2>"$temp/err"
result $? "a profile from standard input"
"$tfprof" scope "$graph" >"$temp/first" 2>&1
cmp -s "$temp/first" "$temp/out"
result $? "is the same"
gzip -dc "$graph" | timeout 60 "$tfprof" scope - >"$temp/out" 2>"$temp/err"
result $? "and from a pipe, not compressed"
cmp -s "$temp/first" "$temp/out"
result $? "is the same"
timeout 60 "$tfprof" scope "$graph" >"$temp/out" 2>"$temp/err" <&-
result $? "with standard input closed"

run 2 "a command mistyped" scpe --demo
err "there is no file and no command 'scpe'; did you mean scope?"
cp "$TESTS_DIR/$graph" "$temp/scpe"
(cd "$temp" && timeout 60 "$tfprof" scpe) >"$temp/out" 2>"$temp/err" </dev/null
result $? "a file that is named almost as a command"
run 0 "a report, and the same with its command behind options" scope --max_depth=2 "$graph"
cp "$temp/out" "$temp/first"
run 0 "the command behind options" --max_depth=2 scope "$graph"
cmp -s "$temp/first" "$temp/out"
result $? "it is that report"
run 0 "behind options that name files" -graph_path "$graph" -max_depth 2 scope
cmp -s "$temp/first" "$temp/out"
result $? "it is that report, too"
run 2 "a command behind a file" "$graph" scope
err "scope stands before the files where it is a command"

# ---- output that cannot be written ----

timeout 60 "$tfprof" scope --demo >&- 2>"$temp/err"
[ $? = 1 ]
result $? "standard output closed"
err "could not be written"
if [ -w /dev/full ]; then
	timeout 60 "$tfprof" scope --demo >/dev/full 2>"$temp/err"
	[ $? = 1 ]
	result $? "no space left"
	err "could not be written"
	for words in "advise --demo" --help "help scope" --print-config --version; do
		# shellcheck disable=SC2086 # several words
		timeout 60 "$tfprof" $words >/dev/full 2>"$temp/err" </dev/null
		[ $? = 1 ]
		result $? "no space left for $words"
		err "could not be written"
	done
fi
{ timeout 60 "$tfprof" scope --demo 2>"$temp/err"; echo $? >"$temp/status"; } | head -n 1 >"$temp/out"
case $(cat "$temp/status") in
0 | 1 | 141) false ;;
esac
[ $? = 1 ]
result $? "a reader that leaves early (status $(cat "$temp/status"))"
timeout 60 "$tfprof" scope --demo 2>&- >"$temp/out"
result $? "standard error closed"
for output in csvv csv:outfile= csv:nofile=x stdout:outfile=x; do
	run 2 "an output that there is not: $output" scope --output=$output --demo
	err "--output"
done
run 0 "a timeline on standard output" scope --output=timeline:outfile=- data/gpu/torch_small.json.gz
out '{"traceEvents":'
run 0 "into a file" scope --output=file:outfile="$temp/report" --demo
[ -s "$temp/report" ]
result $? "which is there"
run 0 "advice" advise --demo
out "op type 1: Conv2DBackpropInput, 307.19ms"
out "skipped: needs what ran on a GPU"
out "scope 1: gradients, 1.10sec with all in it, none of its own (0us, cpu 0us, accelerator 0us)"
run 1 "advice about no profile of TensorFlow" advise "$TESTS_DIR/data/pprof/go_cpu.pprof.gz"
err "advice is for profiles of TensorFlow"
run 2 "advice about nothing" advise
run 0 "a merge" merge -o "$temp/all.pb" --demo
out "profile: $temp/all.pb"
err "has no place for memory over time"
"$tfprof" scope "$temp/all.pb" 2>/dev/null | sed -n '/^Profile:$/,$p' >"$temp/saved"
"$tfprof" scope --demo 2>/dev/null | sed -n '/^Profile:$/,$p' | cmp -s - "$temp/saved"
result $? "whose report is that of the files"
run 1 "a merge into a file that is there" merge -o "$temp/all.pb" "$graph"
err "is there already; --force"
run 0 "it is written over when asked" merge --force --out="$temp/all.pb" "$graph"
run 0 "a merge of what was merged" merge -f -o "$temp/all.pb" "$temp/all.pb"
run 2 "a merge into no file" merge --demo
err "merge needs the file to write"
run 2 "a merge to standard output" merge -o - --demo
err "merge writes a file, not standard output"
run 2 "a merge of nothing" merge -o "$temp/none.pb"
run 2 "--out without merge" scope --out="$temp/none.pb" --demo
err "is an option of tfprof merge"
run 0 "a merge of what is kept whole" merge -o "$temp/kept.pb" "$TESTS_DIR/data/tf/rnn/graph.pb.gz"
[ ! -s "$temp/err" ]
result $? "says nothing of it"
run 0 "a pattern that can't be read" scope --show_name_regexes="(" --demo
err '--show_name_regexes: invalid pattern "(": missing closing parenthesis at byte 1: it matches nothing'
out "Profile:"
run 1 "a merge of pprof" merge -o "$temp/none.pb" "$TESTS_DIR/data/pprof/go_cpu.pprof.gz"
err "only profiles of TensorFlow"
run 1 "a merge of what can't be read" merge -o "$temp/none.pb" "$temp/words"
run 1 "a merge into a folder that is not there" merge -o "$temp/no/all.pb" "$graph"
if [ -w /dev/full ]; then
	run 1 "a merge onto a full disk" merge -o /dev/full --demo
	err "can't be written"
	for kind in csv file json md txt; do
		for depth in 1 100; do
			run 1 "$kind onto a full disk, of $depth levels" scope --max_depth=$depth --output=$kind:outfile=/dev/full --demo
			err "/dev/full: can't be written"
		done
	done
	for view in scope graph; do
		run 1 "a timeline of the $view view onto a full disk" $view --output=timeline:outfile=/dev/full --demo
		err "/dev/full: can't be written"
	done
fi
echo old >"$temp/old.pb"
(
	ulimit -f 1
	trap '' XFSZ
	timeout 60 "$tfprof" merge -f -o "$temp/old.pb" --demo
) >"$temp/out" 2>"$temp/err"
[ $? = 1 ] && [ "$(cat "$temp/old.pb")" = old ]
result $? "a merge that can't be written whole keeps the file"
test -z "$(ls "$temp" | grep -e none.pb -e 'pb\.')"
result $? "and leaves nothing beside it"
run 0 "a timeline" scope --output=timeline:outfile="$temp/time" --demo
out "timeline: $temp/time_-1"
head -c 20 "$temp/time_-1" | grep -q '^{"traceEvents":\[{"a'
result $? "the timeline is a trace"
"$tfprof" scope --select=cpu_micros --min_micros=1 --demo 2>&1 | sed -n '/^Profile:$/,$p' >"$temp/first"
"$tfprof" scope --select=cpu_micros --min_micros=1 "$temp/time_-1" | sed -n '/^Profile:$/,$p' | cmp -s - "$temp/first"
result $? "which read back is the same tree"
run 0 "a timeline of a recording has the name that was asked for" scope \
	--output=timeline:outfile="$temp/trace.json" "$TESTS_DIR/data/gpu/torch_small.json.gz"
[ -s "$temp/trace.json" ] && [ ! -e "$temp/trace.json_-1" ]
result $? "and no other"
run 0 "figures that were printed, as a table" printed --output=csv:outfile="$temp/printed.csv" \
	"$TESTS_DIR/data/printed/tiny-r13.plain.txt"
grep -q '"PEAK total (bytes)","PEAK total low (bytes)","PEAK total high (bytes)"' "$temp/printed.csv" &&
	grep -q '^"Conv2D",1,.*,37470,37465,37474,' "$temp/printed.csv"
result $? "lie between what is beside them"
run 0 "the same" printed --output=json:outfile="$temp/printed.json" "$TESTS_DIR/data/printed/tiny-r13.plain.txt"
grep -q '"kind": "total high", "metric": "peak_bytes"' "$temp/printed.json"
result $? "in JSON"
run 1 "a timeline of a view that has none" op --output=timeline:outfile="$temp/none" --demo
run 1 "a timeline into a folder that is not there" graph --output=timeline:outfile="$temp/no/time" --demo
run 1 "pprof of two metrics" code --output=pprof:outfile="$temp/pprof" --select=micros,bytes --demo
test ! -e "$temp/pprof"
result $? "and no file"
run 0 "pprof" code --output=pprof:outfile="$temp/pprof" --select=micros --max_depth=100 --demo
run 0 "pprof read back" code --max_depth=1 "$temp/pprof"
out "_TFProfRoot"
run 0 "into a file that is there" scope --max_depth=1 --output=file:outfile="$temp/report" --demo
mkdir "$temp/locked"
echo old >"$temp/locked/report"
if [ "$(id -u)" != 0 ]; then
	chmod 555 "$temp/locked"
	run 1 "into a folder that may not be written" scope \
		--output=file:outfile="$temp/locked/report" --demo
	chmod 755 "$temp/locked"
fi
run 1 "a report that fails keeps the file" scope --output=file:outfile="$temp/locked/report" \
	"$temp/none"
[ "$(cat "$temp/locked/report")" = old ]
result $? "what was there is kept"
mkdir "$temp/step" "$temp/bare"
cp data/tf/worked/* "$temp/step"
: >"$temp/step/run_meta_1"
run 0 "a folder named as one kind of file stands for those in it" scope --graph_path="$temp/step" \
	--run_meta_path="$temp/step"
cp "$temp/out" "$temp/first"
run 0 "as each of them by its name" scope --graph_path="$temp/step/graph.pbtxt" \
	--run_meta_path="$temp/step/run_meta_0.pbtxt"
cmp -s "$temp/first" "$temp/out"
result $? "both are the same"
run 1 "a folder without any of that kind" scope --graph_path="$temp/step/graph.pbtxt" \
	--run_meta_path="$temp/bare"
err "a folder without run metadata; name a file"
run 0 "a folder with a checkpoint of the older format" scope --checkpoint_path=data/ckpt/v1_sharded
out "global_step"
run 1 "a folder without any checkpoint" scope --checkpoint_path="$temp/bare"
err "a folder without a checkpoint; name a file"
run 0 "an empty file among several" summary "$temp/step/graph.pbtxt" "$temp/step/run_meta_1" \
	"$temp/step/run_meta_0.pbtxt"
out "RunMetadata      empty  step/run_meta_1"
run 1 "into a folder that is not there" scope --output=file:outfile="$temp/no/report" --demo
err "$temp/no/report"
(
	ulimit -f 1
	trap '' XFSZ
	timeout 60 "$tfprof" scope --output=file:outfile="$temp/locked/report" --demo
) >"$temp/out" 2>"$temp/err"
[ $? = 1 ]
result $? "a file that may not grow"
[ "$(cat "$temp/locked/report")" = old ] && [ "$(ls "$temp/locked")" = report ]
result $? "what was there is kept, and nothing beside it"

# ---- damage ----

# cut_everywhere NAME FILE [quiet]: every beginning of the file is read as far as it goes, and what is
# missing is told, unless the cut may lie between two elements.
cut_everywhere() {
	name=$1 file=$2 size=$(wc -c <"$2") quiet=${3:-} bad=""
	for part in 1 2 3 4 5 7 10 13 20 31 47 60 71 83 90 96 98 99; do
		head -c $((size * part / 100)) "$file" >"$temp/cut"
		timeout 60 "$tfprof" scope "$temp/cut" >"$temp/out" 2>"$temp/err"
		got=$?
		case $got in
		0 | 1) [ -n "$quiet" ] || [ -s "$temp/err" ] || bad="$bad $part% silent" ;;
		*) bad="$bad $part% status $got" ;;
		esac
	done
	[ -z "$bad" ]
	result $? "$name cut short at 18 places$bad"
}

gzip -dc data/tf/rnn/graph.pb.gz >"$temp/graph.pb"
gzip -dc data/tf/rnn/graph.pbtxt.gz >"$temp/graph.pbtxt"
gzip -dc data/tf/rnn/profile.pb.gz >"$temp/profile.pb"
gzip -dc data/pprof/go_cpu.pprof.gz >"$temp/go.pprof"
gzip -dc data/gpu/jax_small.xplane.pb.gz | head -c 1000 >"$temp/cut.xplane.pb"
run 1 "a recording that ends before its first event" op "$temp/cut.xplane.pb"
err "nothing of it can be read: it ends before its first event"
[ "$(wc -l <"$temp/err")" = 1 ]
result $? "and nothing else is said of it"
head -c 20 "$temp/graph.pb" >"$temp/cut"
run 1 "what may be the beginning of several kinds" op "$temp/cut"
err "nothing of it can be read: its 20 bytes may be the beginning of"
[ "$(wc -l <"$temp/err")" = 1 ]
result $? "and nothing else is said of that"

cut_everywhere "a graph" "$temp/graph.pb" quiet
cut_everywhere "a graph as text" "$temp/graph.pbtxt" quiet
cut_everywhere "a compressed graph" data/tf/rnn/graph.pb.gz
cut_everywhere "a saved profile" "$temp/profile.pb" quiet
cut_everywhere "a compressed profile" data/tf/rnn/profile.pb.gz
cut_everywhere "a pprof profile" "$temp/go.pprof" quiet

# one_line NAME FILE BYTES: a gzip file that ends after BYTES is one problem, whatever is missing because of it.
one_line() {
	head -c "$3" "$2" >"$temp/cut.gz"
	"$tfprof" op --max_depth=1 "$temp/cut.gz" 2>&1 >/dev/null | grep '^tfprof: warning' >"$temp/err"
	[ "$(wc -l <"$temp/err")" = 1 ] && grep -q "at byte $3: the gzip data are cut" "$temp/err"
	result $? "$1 cut short is one problem"
}
one_line "a packed trace of PyTorch" data/gpu/torch_small.json.gz 40000
one_line "a packed trace of JAX" data/gpu/jax_small.xplane.pb.gz 20000
one_line "a packed pprof profile" data/pprof/go_cpu.pprof.gz 552
one_line "a packed saved profile" data/tf/tiny/profile.pb.gz 3000

# One that is damaged in several ways is told by the first place, and how much more there is.
printf '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2},
{"ph": "X", "name": "b", "ts": "x"}, {"ph": "X", "name": "c\377", "pid": 1, "tid": 1, "ts": 5, "dur": "y"},
{"ph": "X", "name": "d", "ts": "x"}, {"ph": "E", "pid": 9, "tid": 9, "ts": 7}]}' >"$temp/damaged.json"
run 0 "a damaged file" op --max_depth=1 "$temp/damaged.json"
err "damaged.json: at byte 102: a record has no time that can be read (2 times); 3 more problems of other kinds"
[ "$(wc -l <"$temp/err")" = 1 ]
result $? "and nothing else is said of what is damaged"
# The end of a file explains more than what is odd before it.
printf '{"traceEvents": [{"ph": "X", "name": "b", "ts": "x"}, {"ph": "X", "name": "c\377", "ts": "x"}' >"$temp/nothing.json"
run 1 "a damaged file without an event" op "$temp/nothing.json"
err "at byte 90: the file ends before its list of records does; 2 more problems of another kind"
! grep -q "on the screen" "$temp/err"
result $? "and no screen is promised where there will be none"

# What is wrong with each of several files is said once.
for rank in 0 1; do
	sed 's/"dur"/"due"/' data/ranks/rank$rank.json >"$temp/rank$rank.json"
done
run 0 "ranks that lack the same" op --max_depth=1 "$temp/rank0.json" "$temp/rank1.json"
err "; also in 1 other file"
[ "$(grep -c 'says no duration' "$temp/err")" = 1 ]
result $? "and the second is not told again"

# Random bytes of ten sizes, the same at every run.
bad=""
for seed in 1 2 3 4 5 6 7 8 9 10; do
	awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 400 * seed; i++)
		printf "%c", 1 + int(rand() * 255) }' >"$temp/random"
	timeout 60 "$tfprof" scope "$temp/random" >"$temp/out" 2>"$temp/err"
	got=$?
	[ "$got" = 1 ] || bad="$bad seed $seed: status $got"
done
[ -z "$bad" ]
result $? "random bytes$bad"

# A device has no end; memory has one, which a limit brings near. Sanitizers need more room than any limit.
timeout 60 "$tfprof" scope /dev/zero >"$temp/out" 2>"$temp/err"
[ $? = 1 ]
result $? "a device without end is given up"
err "has no end within 16 MB"
if ! grep -q __asan_init "$tfprof"; then
	head -c 400000000 /dev/zero | (ulimit -v 300000 && exec "$tfprof" scope -) >"$temp/out" 2>"$temp/err"
	[ $? = 1 ]
	result $? "too little memory ends it"
	err "not enough memory"
fi

# What is drawn and no op is no row of ops, and what has no name is called so.
for view in op time memory; do
	run 0 "a recording in the $view view" "$view" --max_depth=10000 --output=csv data/gpu/torch_small.json.gz
	! grep -Eq '^"( [^"]*)?",' "$temp/out"
	result $? "each row of it has a name"
done

# The code view has all of a recording: what ran without a call stack has a row.
whole=$("$tfprof" scope --max_depth=0 --output=csv --select=device,host data/gpu/torch_small.json.gz | tail -n 1 | cut -d, -f1-7)
run 0 "call stacks of a recording" code --max_depth=10000 --output=csv --select=device,host data/gpu/torch_small.json.gz
out "$whole"
out '"no call stack",1,'

# Where the demo is not, one line says what helps.
env TFPROF_DATADIR="$temp" "$tfprof" scope --demo >"$temp/out" 2>"$temp/err"
[ $? = 1 ] && [ "$(wc -l <"$temp/err")" = 1 ]
result $? "one line says that the demo is not there"
err "TFPROF_DATADIR names"

# Moved elsewhere with what came with it, as a build tree is, the program finds that.
mkdir "$temp/tree" "$temp/tree/build" && cp "$tfprof" "$temp/tree/build" && ln -s "$PWD/../data" "$PWD/../themes" "$temp/tree"
env -u TFPROF_DATADIR -u TFPROF_THEMEDIR "$temp/tree/build/tfprof" scope --demo --theme=light >"$temp/out" 2>"$temp/err"
result $? "the bundled profile of a program that is not installed"
out "_TFProfRoot"

# A file that becomes shorter while it is read: the second one is waited for until then.
gzip -dc data/gpu/torch_small.json.gz >"$temp/rank0.json"
sed 's/torch_small/another/; s/"pid": /"pid": 1/' "$temp/rank0.json" >"$temp/rank1.json"
mkfifo "$temp/pipe"
timeout 60 "$tfprof" summary "$temp/rank0.json" "$temp/pipe" >"$temp/out" 2>"$temp/err" &
exec 3>"$temp/pipe"
truncate -s 300000 "$temp/rank0.json"
cat "$temp/rank1.json" >&3
exec 3>&-
wait $!
result $? "a report of a file that was cut short while it was read"
err "rank0.json: at byte 300000: the file was cut short"
out "recorded"

tap_ends
