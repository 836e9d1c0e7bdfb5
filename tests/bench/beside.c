/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ours and other programs that show a long list, by the same measures in the same terminal: each line holds
 * what the other takes, and how many times what ours takes that is.
 */
#include "probe.h"

#include <stdio.h>

#define REST_MS 300 /* after the last byte of a first screen */

struct figures {
	double start_ms, start_bytes, down, scroll, page;
};

/* KEYS: what opens the list, if it is not open. */
static bool measure(char *const *argv, const char *keys, struct figures *figures)
{
	struct bench bench = {.argv = argv};
	double begun = bench_now(), last = begun;

	*figures = (struct figures){0};
	if (!bench_start(&bench))
		return false;
	while (vt_pump(bench.vt, vt_written(bench.vt) ? REST_MS : LIMIT_MS))
		last = bench_now();
	figures->start_ms = last - begun;
	figures->start_bytes = (double)vt_written(bench.vt);
	bench_send(&bench, keys, PANE_MS, LIMIT_MS);
	figures->down = bench_mean_bytes(&bench, DOWN, KEYS);
	bench_mean_bytes(&bench, DOWN, 2 * ROWS);
	figures->scroll = bench_mean_bytes(&bench, DOWN, 4 * KEYS);
	figures->page = bench_page_bytes(&bench);
	vt_free(bench.vt);
	return true;
}

static void compare(const char *name, const char *what, const char *unit, double theirs,
		    double ours)
{
	if (theirs > 0 && ours > 0)
		printf("  %-6s %-45s %9.1f %-2s %6.2fx ours\n", name, what, theirs, unit,
		       theirs / ours);
	else
		printf("  %-6s %-45s nothing to compare\n", name, what);
}

int bench_beside(char *const *ours, const char *name, char *command)
{
	char shell[] = "/bin/sh", option[] = "-c";
	char *const argv[] = {shell, option, command, NULL};
	struct figures own, other;

	if (!measure(ours, "E" HOME, &own) || !measure(argv, "", &other))
		return 1;
	compare(name, "start to the whole first screen", "ms", other.start_ms, own.start_ms);
	compare(name, "bytes of the first screen", "B", other.start_bytes, own.start_bytes);
	compare(name, "Down", "B", other.down, own.down);
	compare(name, "Down that scrolls by one", "B", other.scroll, own.scroll);
	compare(name, "page", "B", other.page, own.page);
	return 0;
}
