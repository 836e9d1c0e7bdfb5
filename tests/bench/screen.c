/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen PROGRAM ARG...: opens files in a terminal of 80x24 and prints how long the screen takes and how
 * many bytes it writes for a key, beside the bound that we set ourselves.
 * screen --beside NAME COMMAND: bytes for a Down of another program that shows a list.
 *
 * Times are the least of several tries and run from sending the key to the first byte of what it brought
 * or, where the worker has to answer, to the sign of the answer. Bytes are the mean of several keys that follow each other too fast for the pane, which waits
 * for a pause.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../screen/vt.h"

#define DOWN      "\033OB"
#define PAGE_DOWN "\033[6~"
#define HOME      "g"
#define CONTROL_T "\024"

enum {
	COLUMNS = 80,
	ROWS = 24,
	TRIES = 4,
	KEYS = 5,       /* rows of the smallest tree pane below its second row, about */
	HELD_MS = 40,   /* between the keys of one that is held: less than the pane waits */
	APART_MS = 200, /* between keys that do not count as held */
	KEY_MS = 70,    /* what comes later belongs to the pane */
	PANE_MS = 600,  /* by then it has come */
	LIMIT_MS = 60000,
	IDLE_MS = 3000,
};

struct bench {
	struct vt *vt;
	char *const *argv;
	bool large; /* whether the bounds for large files are the ones to hold */
};

/* What one key did. */
struct effect {
	double first_ms;
	size_t bytes;
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* One line of the table; BOUND 0: none was set. */
static void line(double value, double bound, const char *unit, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void line(double value, double bound, const char *unit, const char *format, ...)
{
	char what[80];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	printf("  %-52s %9.1f %-2s", what, value, unit);
	if (bound > 0)
		printf(" %7.0f  %s", bound, value <= bound ? "ok" : "over");
	putchar('\n');
	fflush(stdout);
}

static bool shows(struct bench *bench, const char *text)
{
	for (int row = 0; row < vt_rows(bench->vt); row++)
		if (strstr(vt_row(bench->vt, row), text))
			return true;
	return false;
}

static bool wait_for(struct bench *bench, const char *text)
{
	double end = now_ms() + LIMIT_MS;

	while (!shows(bench, text)) {
		if (now_ms() > end)
			return false;
		vt_pump(bench->vt, 20);
	}
	return true;
}

static void settle(struct bench *bench)
{
	vt_settle(bench->vt, PANE_MS, LIMIT_MS);
}

/* Sends KEYS and takes what comes until QUIET ms without a byte, at most FOR ms. */
static struct effect send(struct bench *bench, const char *keys, int quiet, double limit)
{
	struct effect effect = {0};
	size_t before = vt_written(bench->vt);
	double start = now_ms(), now;

	vt_send(bench->vt, keys, strlen(keys)); /* takes what has come at once */
	if (vt_written(bench->vt) != before)
		effect.first_ms = now_ms() - start;
	while ((now = now_ms()) < start + limit) {
		int left = (int)(start + limit - now) + 1;

		if (!vt_pump(bench->vt, left < quiet ? left : quiet))
			break;
		if (effect.first_ms == 0)
			effect.first_ms = now_ms() - start;
	}
	effect.bytes = vt_written(bench->vt) - before;
	return effect;
}

static struct effect held(struct bench *bench, const char *key)
{
	return send(bench, key, HELD_MS, HELD_MS);
}

/* ---- opening ---- */

static bool start(struct bench *bench)
{
	const struct vt_options options = {
		.columns = COLUMNS,
		.rows = ROWS,
		.term = "xterm-256color",
		.locale = "C.UTF-8",
	};

	bench->vt = vt_start(bench->argv, &options);
	return bench->vt != NULL;
}

/* First byte, first screen, and the tree. */
static bool opening(struct bench *bench)
{
	double begun = now_ms(), first, tree;
	size_t bytes;

	if (!start(bench) || !vt_pump(bench->vt, LIMIT_MS))
		return false;
	first = now_ms() - begun;
	if (!wait_for(bench, "1 scope"))
		return false;
	line(first, bench->large ? 200 : 30, "ms", "first byte");
	line(now_ms() - begun, bench->large ? 200 : 30, "ms", "first screen");
	if (!wait_for(bench, "_TFProfRoot"))
		return false;
	tree = now_ms() - begun;
	bytes = vt_written(bench->vt);
	line(tree, bench->large ? 0 : 30, "ms", "the tree shows");
	settle(bench);
	line((double)bytes, 0, "B", "bytes until the tree shows");
	line((double)vt_written(bench->vt), 3000, "B", "bytes of the first screen, pane and all");
	return true;
}

/* Help opens and closes while the files are still being read. */
static bool keys_while_loading(struct bench *bench)
{
	double worst = 0;
	int keys = 0;

	if (!start(bench) || !wait_for(bench, "1 scope"))
		return false;
	for (; keys < 6 && !shows(bench, "_TFProfRoot"); keys++) {
		struct effect effect = send(bench, keys % 2 ? "q" : "?", APART_MS, APART_MS);

		worst = effect.first_ms > worst ? effect.first_ms : worst;
	}
	line(worst, 20, "ms", "key to first byte while loading, worst of %d", keys);
	vt_free(bench->vt);
	return true;
}

/* ---- moving ---- */

static double mean_bytes(struct bench *bench, const char *key, int keys)
{
	double bytes = 0;

	for (int i = 0; i < keys; i++)
		bytes += (double)held(bench, key).bytes;
	return bytes / keys;
}

static void hundred_downs(struct bench *bench)
{
	char keys[100 * sizeof(DOWN)] = "";
	size_t size = 0;

	send(bench, HOME, PANE_MS, PANE_MS);
	for (int i = 0; i < 100; i++)
		size += (size_t)snprintf(keys + size, sizeof(keys) - size, "%s", DOWN);
	line((double)send(bench, keys, KEY_MS, LIMIT_MS).bytes, 3000, "B", "100 queued Downs");
}

/* A key held for two seconds at thirty a second: a slow link must keep up. */
static void held_key(struct bench *bench)
{
	size_t before = vt_written(bench->vt);
	double end = now_ms() + 2000;

	while (now_ms() < end) {
		double next = now_ms() + 33;

		vt_send(bench->vt, DOWN, strlen(DOWN));
		while (now_ms() < next)
			vt_pump(bench->vt, (int)(next - now_ms()) + 1);
	}
	line((double)(vt_written(bench->vt) - before) / 2, 5800, "B",
	     "Down held at 30/s, a second");
	settle(bench);
}

/* All rows are open, so that every move has somewhere to go. */
static void moves(struct bench *bench)
{
	struct effect effect = {.first_ms = LIMIT_MS};
	size_t before;

	send(bench, "E" HOME, PANE_MS, LIMIT_MS);
	for (int i = 0; i < TRIES; i++) {
		struct effect one = send(bench, i % 2 ? "k" : "j", PANE_MS, PANE_MS);

		effect = one.first_ms < effect.first_ms ? one : effect;
	}
	line(effect.first_ms, 20, "ms", "key to first byte");
	send(bench, HOME, PANE_MS, PANE_MS);
	line(mean_bytes(bench, DOWN, KEYS), 250, "B", "Down, while keys keep coming");
	before = vt_written(bench->vt);
	settle(bench);
	line((double)(vt_written(bench->vt) - before), 600, "B", "the pane after a pause");
	mean_bytes(bench, DOWN, ROWS);
	line(mean_bytes(bench, DOWN, 4 * KEYS), 300, "B", "Down that scrolls by one");
	line(mean_bytes(bench, PAGE_DOWN, KEYS), 2000, "B", "page");
	settle(bench);
	hundred_downs(bench);
	settle(bench);
	held_key(bench);
	send(bench, "C", PANE_MS, LIMIT_MS);
}

/* ---- tree ---- */

/* The least time of TRIES of KEY, which is undone by UNDO where that is not NULL. */
static double least(struct bench *bench, const char *key, const char *undo)
{
	double best = LIMIT_MS;

	for (int i = 0; i < TRIES; i++) {
		struct effect effect = send(bench, key, LIMIT_MS, PANE_MS);

		best = effect.first_ms > 0 && effect.first_ms < best ? effect.first_ms : best;
		if (undo)
			send(bench, undo, PANE_MS, LIMIT_MS);
	}
	return best;
}

/* Time until the query line shows TEXT after KEY, the sign of the new tree. */
static double until(struct bench *bench, const char *key, const char *text)
{
	double begun = now_ms();

	vt_send(bench->vt, key, strlen(key));
	if (!wait_for(bench, text))
		return LIMIT_MS;
	return now_ms() - begun;
}

static void tree(struct bench *bench)
{
	send(bench, HOME, PANE_MS, PANE_MS);
	line(least(bench, "l", "h"), 50, "ms", "open the root");
	send(bench, "l", PANE_MS, PANE_MS);
	line(least(bench, "h", "l"), 50, "ms", "close the root");
	line(least(bench, "r", NULL), 50, "ms", "sort what is open");
	line(least(bench, "E", "C"), 50, "ms", "open all");
	send(bench, "E", PANE_MS, LIMIT_MS);
	line(least(bench, "C", "E"), 50, "ms", "close all");
	line(least(bench, "r", NULL), 50, "ms", "sort, all open");
	send(bench, "C", PANE_MS, LIMIT_MS);
	line(until(bench, "t", " flat, "), 0, "ms", "flat list");
	settle(bench);
	line(least(bench, "r", NULL), 100, "ms", "sort the flat list");
	send(bench, "t", PANE_MS, LIMIT_MS);
}

/* ---- filter ---- */

/*
 * Types all of TYPED but its last key into the filter form, then that one: the least time of TRIES until
 * the tree of it shows.
 */
static void filter(struct bench *bench, bool regex, const char *typed, double bound)
{
	size_t size = strlen(typed) - 1;
	double best = LIMIT_MS;
	char start[64], sign[64];

	snprintf(start, sizeof(start), "%.*s", (int)size, typed);
	snprintf(sign, sizeof(sign), regex ? "show /%s/" : "show \"%s\"", typed);
	for (int i = 0; i < TRIES; i++) {
		double time;

		send(bench, "f", PANE_MS, LIMIT_MS);
		if (shows(bench, ">show    regex") != regex)
			send(bench, CONTROL_T, PANE_MS, LIMIT_MS);
		send(bench, start, PANE_MS, LIMIT_MS);
		time = until(bench, typed + size, sign);
		best = time < best ? time : best;
		settle(bench);
		send(bench, "\033", PANE_MS, LIMIT_MS);
	}
	line(best, bound, "ms", "live filter, last key of %s %s", regex ? "pattern" : "text",
	     typed);
}

/* ---- idle ---- */

static double cpu_ms(pid_t pid)
{
	unsigned long long nanoseconds = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%llu", &nanoseconds) != 1)
		nanoseconds = 0;
	if (file)
		fclose(file);
	return (double)nanoseconds / 1e6;
}

static void idle(struct bench *bench)
{
	double cpu, end;
	size_t bytes;

	settle(bench);
	cpu = cpu_ms(vt_pid(bench->vt));
	bytes = vt_written(bench->vt);
	end = now_ms() + IDLE_MS;
	while (now_ms() < end)
		vt_pump(bench->vt, (int)(end - now_ms()) + 1);
	bytes = vt_written(bench->vt) - bytes;
	cpu = cpu_ms(vt_pid(bench->vt)) - cpu;
	line((double)bytes, 0, "B", "idle for 3 s%s", bytes ? ": over" : ": ok");
	line(cpu, 0, "ms", "idle for 3 s, CPU%s", cpu > 0 ? ": over" : ": ok");
}

/* ---- all ---- */

static int beside(const char *name, char *command)
{
	char shell[] = "/bin/sh", option[] = "-c";
	char *const argv[] = {shell, option, command, NULL};
	struct bench bench = {.argv = argv};
	double scroll;

	if (!start(&bench))
		return 1;
	vt_settle(bench.vt, 1000, 10000);
	line(mean_bytes(&bench, DOWN, KEYS), 0, "B", "%s: Down", name);
	mean_bytes(&bench, DOWN, 2 * ROWS);
	scroll = mean_bytes(&bench, DOWN, KEYS);
	if (scroll > 0) /* else the list was too short */
		line(scroll, 0, "B", "%s: Down that scrolls by one", name);
	vt_free(bench.vt);
	return 0;
}

static int measure(struct bench *bench)
{
	if (bench->large && !keys_while_loading(bench))
		return 1;
	if (!opening(bench))
		return 1;
	moves(bench);
	tree(bench);
	filter(bench, false, "a", 100);
	filter(bench, false, "add", 100);
	filter(bench, true, ".*add.*", 100);
	filter(bench, true, ".*a[dx]d.*", 300);
	idle(bench);
	vt_free(bench->vt);
	return 0;
}

int main(int argc, char **argv)
{
	struct bench bench = {.argv = argv + 1};

	if (argc == 4 && !strcmp(argv[1], "--beside"))
		return beside(argv[2], argv[3]);
	if (argc < 3) {
		fprintf(stderr, "usage: screen PROGRAM ARG... | screen --beside NAME COMMAND\n");
		return 2;
	}
	bench.large = strcmp(argv[2], "--demo") != 0;
	if (measure(&bench)) {
		fprintf(stderr, "screen: %s did not show what was waited for\n", argv[1]);
		return 1;
	}
	return 0;
}
