/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen PROGRAM ARG...: opens files in a terminal of 80x24 and prints how long the screen takes and how
 * many bytes it writes for a key, beside the bound that we set ourselves.
 * screen --beside NAME COMMAND PROGRAM ARG...: another program that shows a list, as multiples of ours.
 *
 * Times are the least of several tries and run from sending the key to the first byte of what it brought
 * or, where the worker has to answer, to the sign of the answer. Bytes are the mean of several keys that
 * follow each other too fast for the pane, which waits for a pause.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "probe.h"

/* ---- opening ---- */

/* First byte, first screen, and the tree. */
static bool opening(struct bench *bench)
{
	double begun = bench_now(), first, tree;
	size_t bytes, part;

	if (!bench_start(bench) || !vt_pump(bench->vt, LIMIT_MS))
		return false;
	first = bench_now() - begun;
	if (!bench_wait_for_views(bench))
		return false;
	bench_line(first, bench->large ? 200 : 30, "ms", "first byte");
	bench_line(bench_now() - begun, bench->large ? 200 : 30, "ms", "first screen");
	if (!bench_wait_for(bench, "_TFProfRoot"))
		return false;
	tree = bench_now() - begun;
	bytes = vt_written(bench->vt);
	bench_line(tree, bench->grows ? 200 : bench->large ? 0 : 30, "ms", "a tree shows");
	if (!bench_wait_for_all(bench, &part))
		return false;
	bench_line(bench_now() - begun, bench->large ? 0 : 30, "ms", "all of the tree shows");
	bench_settle(bench);
	bench_line((double)bytes, 0, "B", "bytes until a tree shows");
	bench_line((double)(part ? part : vt_written(bench->vt)), 3000, "B",
		   "bytes of the first screen, pane and all");
	if (part)
		bench_line((double)vt_written(bench->vt), 0, "B", "bytes until all of it shows");
	return true;
}

/* ---- moving ---- */

static void hundred_downs(struct bench *bench)
{
	char keys[100 * sizeof(DOWN)] = "";
	size_t size = 0;

	bench_send(bench, HOME, PANE_MS, PANE_MS);
	for (int i = 0; i < 100; i++)
		size += (size_t)snprintf(keys + size, sizeof(keys) - size, "%s", DOWN);
	bench_line((double)bench_send(bench, keys, KEY_MS, LIMIT_MS).bytes, 3000, "B",
		   "100 queued Downs");
}

/* All rows are open, so that every move has somewhere to go. */
static void moves(struct bench *bench)
{
	struct effect effect = {.first_ms = LIMIT_MS};
	size_t before;

	bench_send(bench, "E" HOME, PANE_MS, LIMIT_MS);
	for (int i = 0; i < TRIES; i++) {
		struct effect one = bench_send(bench, i % 2 ? "k" : "j", PANE_MS, PANE_MS);

		effect = one.first_ms < effect.first_ms ? one : effect;
	}
	bench_line(effect.first_ms, 20, "ms", "key to first byte");
	bench_send(bench, HOME, PANE_MS, PANE_MS);
	bench_line(bench_mean_bytes(bench, DOWN, KEYS), 250, "B", "Down, while keys keep coming");
	before = vt_written(bench->vt);
	bench_settle(bench);
	bench_line((double)(vt_written(bench->vt) - before), 600, "B", "the pane after a pause");
	bench_mean_bytes(bench, DOWN, ROWS);
	bench_line(bench_mean_bytes(bench, DOWN, 4 * KEYS), 300, "B", "Down that scrolls by one");
	bench_line(bench_page_bytes(bench), 2000, "B", "page");
	bench_settle(bench);
	hundred_downs(bench);
	bench_settle(bench);
	bench_slow_link(bench);
	bench_send(bench, "C", PANE_MS, LIMIT_MS);
}

/* ---- tree ---- */

/* The least time of TRIES of KEY, which is undone by UNDO where that is not NULL. */
static double least(struct bench *bench, const char *key, const char *undo)
{
	double best = LIMIT_MS;

	for (int i = 0; i < TRIES; i++) {
		struct effect effect = bench_send(bench, key, LIMIT_MS, PANE_MS);

		best = effect.first_ms > 0 && effect.first_ms < best ? effect.first_ms : best;
		if (undo)
			bench_send(bench, undo, PANE_MS, LIMIT_MS);
	}
	return best;
}

/* Time until the query line shows TEXT after KEY, the sign of the new tree. */
static double until(struct bench *bench, const char *key, const char *text)
{
	double begun = bench_now();

	vt_send(bench->vt, key, strlen(key));
	if (!bench_wait_for(bench, text))
		return LIMIT_MS;
	return bench_now() - begun;
}

static void tree(struct bench *bench)
{
	bench_send(bench, HOME, PANE_MS, PANE_MS);
	bench_line(least(bench, "l", "h"), 50, "ms", "open the root");
	bench_send(bench, "l", PANE_MS, PANE_MS);
	bench_line(least(bench, "h", "l"), 50, "ms", "close the root");
	bench_line(least(bench, "r", NULL), 50, "ms", "sort what is open");
	bench_line(least(bench, "E", "C"), 50, "ms", "open all");
	bench_send(bench, "E", PANE_MS, LIMIT_MS);
	bench_line(least(bench, "C", "E"), 50, "ms", "close all");
	bench_line(least(bench, "r", NULL), 50, "ms", "sort, all open");
	bench_send(bench, "C", PANE_MS, LIMIT_MS);
	bench_line(until(bench, "t", " flat, "), 0, "ms", "flat list");
	bench_settle(bench);
	bench_line(least(bench, "r", NULL), 100, "ms", "sort the flat list");
	bench_send(bench, "t", PANE_MS, LIMIT_MS);
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

		bench_send(bench, "f", PANE_MS, LIMIT_MS);
		if (bench_shows(bench, ">show    regex") != regex)
			bench_send(bench, CONTROL_T, PANE_MS, LIMIT_MS);
		bench_send(bench, start, PANE_MS, LIMIT_MS);
		time = until(bench, typed + size, sign);
		best = time < best ? time : best;
		bench_settle(bench);
		bench_send(bench, "\033", PANE_MS, LIMIT_MS);
	}
	bench_line(best, bound, "ms", "live filter, last key of %s %s", regex ? "pattern" : "text",
		   typed);
}

/* ---- idle ---- */

/* Of all threads of the process. */
static double cpu_ms(pid_t pid)
{
	struct timespec time = {0};
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) == 0)
		clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void idle(struct bench *bench)
{
	double cpu, end;
	size_t bytes;

	bench_settle(bench);
	cpu = cpu_ms(vt_pid(bench->vt));
	bytes = vt_written(bench->vt);
	end = bench_now() + IDLE_MS;
	while (bench_now() < end)
		vt_pump(bench->vt, (int)(end - bench_now()) + 1);
	bytes = vt_written(bench->vt) - bytes;
	cpu = cpu_ms(vt_pid(bench->vt)) - cpu;
	bench_line((double)bytes, 0, "B", "idle for 3 s%s", bytes ? ": over" : ": ok");
	bench_line(cpu, 0, "ms", "idle for 3 s, CPU%s", cpu > 0 ? ": over" : ": ok");
}

/* ---- all ---- */

static int measure(struct bench *bench)
{
	if (bench->large && !bench_loading(bench))
		return 1;
	if (!opening(bench))
		return 1;
	moves(bench);
	tree(bench);
	filter(bench, false, "a", 100);
	filter(bench, false, "add", 100);
	filter(bench, true, ".*add.*", 100);
	filter(bench, true, ".*a[dx]d.*", 300);
	if (bench->large && !bench_actions(bench))
		return 1;
	idle(bench);
	vt_free(bench->vt);
	return 0;
}

int main(int argc, char **argv)
{
	struct bench bench = {.argv = argv + 1};

	if (argc == 3 && !strcmp(argv[1], "--echo"))
		return bench_echo(argv[2]);
	if (argc > 4 && !strcmp(argv[1], "--beside"))
		return bench_beside(argv + 4, argv[2], argv[3]);
	if (argc < 3) {
		fprintf(stderr, "usage: screen [--beside NAME COMMAND] PROGRAM ARG...\n");
		return 2;
	}
	bench.large = strcmp(argv[2], "--demo") != 0;
	bench.grows = bench.large && argc == 3;
	if (measure(&bench)) {
		fprintf(stderr, "screen: %s did not show what was waited for\n", argv[1]);
		return 1;
	}
	return 0;
}
