/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A monkey at the keyboard: random keys, bursts, new sizes and suspensions, for every profile that the tests
 * have. The program must neither end nor stall unasked, leak or harm memory (in a build with sanitizers), nor
 * keep the terminal. Prints TAP, one test a profile. The same seed presses the same keys:
 *
 *     KEYS=20000 SEED=1 tests/soak/monkey [WORD]     only the profiles with WORD in their command line
 */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../screen/keys.h"
#include "../screen/scratch.h"
#include "../screen/vt.h"

enum {
	STALL_MS = 60000,
	MAX_WORDS = 16,
	LOG = 400,
	TAIL = 2000,
	MOST_COLUMNS = 300,
	MOST_ROWS = 100
};

/* What one of the terminals is asked to open: words of a command line, in a folder that has data. */
static const char *const profiles[] = {
	"--demo",
	"data/tf/tiny/profile.pb.gz",
	"data/tf/rnn/graph.pbtxt.gz data/tf/rnn/run_meta_0.pb.gz data/tf/rnn/op_log.pb.gz",
	"data/tf/resnet32/profile.pb.gz",
	"data/tf/worked/graph.pbtxt data/tf/worked/run_meta_0.pbtxt data/tf/worked/op_log.pbtxt",
	"data/tf/source/graph.pbtxt data/tf/source/run_meta.pbtxt data/tf/source/op_log.pbtxt",
	"data/tf/resnet32/graph.pbtxt.gz",
	"data/pprof/go_cpu.pprof.gz",
	"data/pprof/go_heap.pprof.gz",
	"data/pprof/jax_memory.pprof.gz",
	"data/gpu/jax_small.xplane.pb.gz",
	"data/gpu/torch_small.json.gz",
	"data/gpu/torch_small.json.gz data/traces/torch_cpu.json.gz",
	"data/gpu/jax_small.xplane.pb.gz data/traces/jax_cpu.xplane.pb.gz",
	"data/traces/jax_python.trace.json.gz",
	"data/ranks/steps0.json data/ranks/steps1.json data/ranks/steps2.json",
	"data/traces/",
};

static const char *const terminals[] = {"xterm-256color", "linux", "vt100", "xterm"};

/* Keys by weight: the words come as often as they stand here. q, Q and C-c end the program: see below. */
static const char *const named[] = {
	"Up",    "Down",  "Down",  "Down",      "Left", "Right", "Right", "PgUp", "PgDn",  "Home",
	"End",   "Enter", "Enter", "Enter",     "Tab",  "Tab",   "S-Tab", "Esc",  "Esc",   "Esc",
	"Space", "F1",    "F4",    "Backspace", "Del",  "C-l",   "C-d",   "C-u",  "C-t",   "C-f",
	"C-b",   "C-n",   "C-p",   "C-r",       "C-w",  "C-k",   "C-a",   "C-e",  "Space",
};

/* Actions come more often than what is only text; w, which writes files, does not come. */
static const char letters[] =
	"jjjkklllhhggGG[]{}**EECLLzzzzt0123456789tttmmmSS()((nNNfFFssss<>>rroooo"
	"dddDvvvi!yyRR:/f/eU=cuc./,9]}abAz%$#@^&~\"'`;_-+|\\?abpqx";

/* What people type into prompts and forms, so that more is reached than by letters alone. */
static const char *const texts[] = {
	"conv",         "unit_1",      ".*",
	".*conv2.*",    "(",           "[a-",
	"gradients/.*", "micros=1000", "bytes=1",
	"128x32x32x16", "0:4x3|1:3",   "Conv2D,MatMul",
	"main",         "runtime",     "zzz",
	"a.*b*c+",      "\xc3\xa9",    "\xe2\x82\xac\xf0\x9f\x98\x80",
	"view-op",      "flat",        "zo\t",
	"step-next",    "-1",          "micros=",
	":mouse\r",
};

struct monkey {
	uint64_t state;
	struct vt *vt;
	const char *profile;
	char *argv[MAX_WORDS];
	char words[1024];
	const char *term;
	long keys;
	char log[LOG]; /* the last keys, for the report of a failure */
	int log_size;
	const char *fault;
};

/* xorshift64*: the same on every machine. */
static uint32_t next(struct monkey *monkey, uint32_t limit)
{
	monkey->state ^= monkey->state >> 12;
	monkey->state ^= monkey->state << 25;
	monkey->state ^= monkey->state >> 27;
	return (uint32_t)((monkey->state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % limit;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void note(struct monkey *monkey, const char *name)
{
	int size = (int)strlen(name);

	if (monkey->log_size + size + 2 > LOG) {
		memmove(monkey->log, monkey->log + LOG / 2, (size_t)(monkey->log_size - LOG / 2));
		monkey->log_size -= LOG / 2;
	}
	monkey->log_size += snprintf(monkey->log + monkey->log_size,
				     (size_t)(LOG - monkey->log_size), "%s ", name);
}

static void send(struct monkey *monkey, const char *name, const char *bytes, size_t size)
{
	note(monkey, name);
	vt_send(monkey->vt, bytes, size);
	monkey->keys++;
}

/* ---- what the monkey does ---- */

static void press_letter(struct monkey *monkey)
{
	char letter[2] = {letters[next(monkey, sizeof(letters) - 1)]};
	bool command = monkey->log_size > 1 && monkey->log[monkey->log_size - 2] == ':';

	/* q, Q and :x quit, from which nothing is learnt after the first time. */
	if (letter[0] == 'q' || (command && letter[0] == 'x'))
		letter[0] = 'j';
	send(monkey, letter, letter, 1);
}

static void press_named(struct monkey *monkey)
{
	const char *name = named[next(monkey, COUNT(named))];
	char control;
	const char *bytes = keys_find(name, &control);

	send(monkey, name, bytes, bytes == &control ? 1 : strlen(bytes));
}

/* Where a button is pressed, or the wheel turned; most of it in the small screen of the start. */
static void use_mouse(struct monkey *monkey)
{
	static const int buttons[] = {0, 0, 0, 0, 64, 65, 2, 16};
	char name[40], control;
	const char *bytes;

	snprintf(name, sizeof(name), "Mouse-%d-%d-%d", buttons[next(monkey, COUNT(buttons))],
		 (int)next(monkey, 90), (int)next(monkey, 26));
	bytes = keys_find(name, &control);
	send(monkey, name, bytes, strlen(bytes));
}

static void type_text(struct monkey *monkey)
{
	const char *text = texts[next(monkey, COUNT(texts))];

	send(monkey, text, text, strlen(text));
}

static void press_any_bytes(struct monkey *monkey)
{
	char bytes[4];
	size_t size = 1 + next(monkey, sizeof(bytes));

	for (size_t i = 0; i < size; i++) {
		bytes[i] = (char)next(monkey, 256);
		if (memchr("Qqw\003\032", bytes[i], 5))
			bytes[i] = 'l';
	}
	send(monkey, "<bytes>", bytes, size);
}

/* A key that is held. */
static void hold_key(struct monkey *monkey)
{
	static const char *const held[] = {"Down", "Up", "PgDn", "Right", "Left", "C-d"};
	const char *name = held[next(monkey, COUNT(held))];
	char control;
	const char *bytes = keys_find(name, &control);

	for (uint32_t i = next(monkey, 60); i > 0; i--)
		send(monkey, name, bytes, bytes == &control ? 1 : strlen(bytes));
}

static void resize(struct monkey *monkey)
{
	int columns = 1 + (int)next(monkey, next(monkey, 4) ? 130 : MOST_COLUMNS);
	int rows = 1 + (int)next(monkey, next(monkey, 4) ? 50 : MOST_ROWS);
	char name[32];

	snprintf(name, sizeof(name), "<%dx%d>", columns, rows);
	note(monkey, name);
	vt_tell_size(monkey->vt, columns, rows);
}

static void resize_storm(struct monkey *monkey)
{
	for (uint32_t i = next(monkey, 30); i > 0; i--) {
		resize(monkey);
		vt_pump(monkey->vt, next(monkey, 3) ? 0 : 1);
	}
}

static void suspend(struct monkey *monkey)
{
	note(monkey, "<suspend>");
	vt_signal(monkey->vt, SIGTSTP);
	if (!vt_wait_stopped(monkey->vt, STALL_MS)) {
		monkey->fault = "could not be suspended";
		return;
	}
	if (next(monkey, 2))
		resize(monkey);
	vt_continue(monkey->vt);
}

/*
 * C-c once stops what runs or does nothing; a key that is none between two keeps it from quitting. Of a folder the list is read anew
 * now and then, and to stop that is to quit.
 */
static void interrupt(struct monkey *monkey)
{
	if (monkey->profile[strlen(monkey->profile) - 1] == '/')
		return;
	send(monkey, "C-c", "\003", 1);
	send(monkey, "C-l", "\f", 1);
}

/* Out of all that is open, so that the monkey does not sit in one form for ever. */
static void escape(struct monkey *monkey)
{
	for (int i = 0; i < 3; i++) {
		send(monkey, "Esc", "\033", 1);
		vt_settle(monkey->vt, 60, 200);
	}
}

static void pause_a_little(struct monkey *monkey)
{
	vt_settle(monkey->vt, 100, 1000);
}

static const struct {
	void (*act)(struct monkey *monkey);
	uint32_t weight;
} acts[] = {
	{press_letter, 1000}, {press_named, 500}, {type_text, 60},     {press_any_bytes, 20},
	{use_mouse, 60},      {hold_key, 15},     {resize, 12},        {resize_storm, 2},
	{suspend, 1},         {interrupt, 10},    {pause_a_little, 4}, {escape, 4},
};

static void act(struct monkey *monkey)
{
	uint32_t total = 0, pick;
	size_t i = 0;

	for (size_t j = 0; j < COUNT(acts); j++)
		total += acts[j].weight;
	pick = next(monkey, total);
	while (pick >= acts[i].weight)
		pick -= acts[i++].weight;
	acts[i].act(monkey);
}

/* ---- one profile ---- */

static bool start(struct monkey *monkey)
{
	static const char *const extra[] = {"VISUAL=true",
					    "ASAN_OPTIONS=detect_leaks=1:exitcode=99",
					    "UBSAN_OPTIONS=halt_on_error=1:exitcode=98", NULL};
	/* libvterm ends now and then when it shrinks under what is being written, so it stays at its largest. */
	struct vt_options options = {.columns = MOST_COLUMNS,
				     .rows = MOST_ROWS,
				     .term = monkey->term,
				     .locale = next(monkey, 4) ? "C.UTF-8" : "C",
				     .extra = extra};
	const char *program = getenv("TFPROF");
	int count = 1;

	snprintf(monkey->words, sizeof(monkey->words), "%s %s", program ? program : "./tfprof",
		 monkey->profile);
	monkey->argv[0] = strtok(monkey->words, " ");
	while (count < MAX_WORDS && (monkey->argv[count] = strtok(NULL, " ")))
		count++;
	keys_start(monkey->term);
	monkey->vt = vt_start(monkey->argv, &options);
	if (monkey->vt)
		vt_tell_size(monkey->vt, 80, 24);
	return monkey->vt != NULL;
}

/* The program still answers: C-l must make it write. */
static bool answers(struct monkey *monkey)
{
	size_t before;

	vt_settle(monkey->vt, 50, 5000);
	before = vt_written(monkey->vt);
	vt_send(monkey->vt, "\f", 1);
	for (int waited = 0; vt_written(monkey->vt) == before && waited < STALL_MS; waited += 20)
		vt_pump(monkey->vt, 20);
	return vt_written(monkey->vt) != before;
}

static bool shows(struct monkey *monkey, const char *text)
{
	for (int row = 0; row < vt_rows(monkey->vt); row++)
		if (strstr(vt_row(monkey->vt, row), text))
			return true;
	return false;
}

/* Until the files are read C-c would end the program. */
static bool opens(struct monkey *monkey)
{
	for (int waited = 0; waited < STALL_MS; waited += 50) {
		vt_pump(monkey->vt, 50);
		if (shows(monkey, "? keys") && !shows(monkey, "C-c stops"))
			return true;
	}
	return false;
}

static void quit(struct monkey *monkey)
{
	const char *what = NULL;
	int status;

	escape(monkey);
	vt_send(monkey->vt, "Q", 1);
	status = vt_wait(monkey->vt, STALL_MS);
	if (status != 0)
		monkey->fault = status < 0 ? "does not end by Q" : "ends by Q with a fault";
	else if (!vt_restored(monkey->vt, &what))
		monkey->fault = what;
}

static void press_keys(struct monkey *monkey, long keys)
{
	long asked = 0;

	while (monkey->keys < keys && !monkey->fault) {
		act(monkey);
		if (vt_has_ended(monkey->vt)) {
			monkey->fault = "ended by itself";
		} else if (monkey->keys - asked >= 250) {
			asked = monkey->keys;
			if (!answers(monkey))
				monkey->fault = "does not answer any more";
		}
	}
}

/* What a sanitizer said is in the last bytes; TAP wants each line marked. */
static void explain(struct monkey *monkey, uint64_t seed)
{
	const char *tail = vt_tail(monkey->vt), *line = tail;
	size_t size = strlen(tail);
	const char *report = strstr(tail, "==ERROR");

	printf("# SEED=%llu TERM=%s %s, status %d, after %ld keys: %s\n", (unsigned long long)seed,
	       monkey->term, monkey->profile, vt_wait(monkey->vt, 0), monkey->keys, monkey->log);
	for (int row = 0; row < vt_rows(monkey->vt); row++)
		printf("# |%s\n", vt_row(monkey->vt, row));
	line = report ? report : size > TAIL ? tail + size - TAIL : tail;
	while (*line) {
		int length = (int)strcspn(line, "\r\n");

		if (length && !memchr(line, '\033', (size_t)length))
			printf("# %.*s\n", length, line);
		line += (size_t)length;
		line += strspn(line, "\r\n");
	}
}

static bool run(size_t index, long keys, uint64_t seed)
{
	struct monkey monkey = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + index + 1,
				.profile = profiles[index],
				.term = terminals[(index + seed) % COUNT(terminals)]};

	if (!start(&monkey))
		monkey.fault = "could not be started";
	else if (!opens(&monkey))
		monkey.fault = "does not come up";
	else
		press_keys(&monkey, keys);
	if (!monkey.fault)
		quit(&monkey);
	printf("%sok %zu - %s: %ld keys%s%s\n", monkey.fault ? "not " : "", index + 1,
	       monkey.profile, monkey.keys, monkey.fault ? ": " : "",
	       monkey.fault ? monkey.fault : "");
	if (monkey.fault && monkey.vt)
		explain(&monkey, seed);
	fflush(stdout);
	vt_free(monkey.vt);
	return !monkey.fault;
}

static long number_of(const char *name, long otherwise)
{
	const char *value = getenv(name);

	return value && *value ? atol(value) : otherwise;
}

/* Random keys save files: goes to a folder of its own, in which the profiles are seen. */
static bool enter(const struct scratch *scratch, const char *tests)
{
	char *top = realpath(tests ? tests : ".", NULL), data[PATH_MAX];
	bool entered = top && snprintf(data, sizeof(data), "%s/data", top) < PATH_MAX &&
		       !chdir(scratch->path) && !symlink(data, "data");

	free(top);
	return entered;
}

int main(int argc, char **argv)
{
	long keys = number_of("KEYS", 3000), seed = number_of("SEED", 1);
	struct scratch scratch = {0};
	size_t count = COUNT(profiles);
	int failed = 0;

	signal(SIGPIPE, SIG_IGN);
	if (!scratch_make(&scratch) || !enter(&scratch, getenv("TESTS_DIR"))) {
		printf("Bail out! no folder to work in\n");
		return 99;
	}
	printf("1..%zu\n", count);
	for (size_t i = 0; i < count; i++) {
		if (argc > 1 && !strstr(profiles[i], argv[1]))
			printf("ok %zu # SKIP not asked for\n", i + 1);
		else
			failed += !run(i, keys / (long)count, (uint64_t)seed);
	}
	scratch_remove(&scratch);
	return failed != 0;
}
