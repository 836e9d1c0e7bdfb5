/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys held while the terminal takes only so many bytes a second, as over a slow line. What is written ahead
 * stands in the kernel's queue, from where nobody can take it back: all of it comes before what the last
 * key brought. Measured is when the screen rests, after the last key.
 */
#include "probe.h"

#include <string.h>
#include <time.h>

#define BYTES_A_SECOND 5800
#define KEYS_A_SECOND  30
#define HELD_SECONDS   5
#define BEHIND_MS      300
#define SLICE_MS       10
#define REST_MS        250

static void wait_until(double until)
{
	double left = until - bench_now();
	struct timespec time = {.tv_nsec = (long)(left * 1e6)};

	if (left > 0)
		nanosleep(&time, NULL);
}

/* A line that carries BYTES_A_SECOND, and what it has carried since it was looked at. */
struct line {
	double since;
	size_t taken;
};

/* Takes what the line lets through until UNTIL; true if that was anything. */
static bool take(struct bench *bench, struct line *line, double until)
{
	bool any = false;
	double now;

	while ((now = bench_now()) < until) {
		size_t before = vt_written(bench->vt);
		size_t may = (size_t)((now - line->since) * BYTES_A_SECOND / 1e3);

		if (may > line->taken)
			vt_pump_some(bench->vt, 0, may - line->taken);
		if (vt_written(bench->vt) == before && may > line->taken)
			line->taken = may; /* what nobody sent is not made up for */
		line->taken += vt_written(bench->vt) - before;
		any |= vt_written(bench->vt) != before;
		wait_until(now + SLICE_MS < until ? now + SLICE_MS : until);
	}
	return any;
}

/* How long after the last key the line rests. */
static void held_key(struct bench *bench, const char *key, const char *name)
{
	double begun = bench_now(), end = begun + HELD_SECONDS * 1e3, next = begun, last;
	size_t before = vt_written(bench->vt);
	struct line line = {begun, 0};

	while (next < end && vt_press(bench->vt, key, strlen(key)) > 0) {
		next += 1e3 / KEYS_A_SECOND;
		take(bench, &line, next);
	}
	end = last = bench_now();
	bench_line((double)(vt_written(bench->vt) - before) / HELD_SECONDS, BYTES_A_SECOND, "B",
		   "%s held, a second, on a slow link", name);
	while (bench_now() < last + REST_MS)
		if (take(bench, &line, bench_now() + SLICE_MS))
			last = bench_now();
	bench_line(last - end, BEHIND_MS, "ms", "%s let go, until the screen rests", name);
	bench_settle(bench);
}

void bench_slow_link(struct bench *bench)
{
	bench_send(bench, HOME, PANE_MS, PANE_MS);
	held_key(bench, DOWN, "Down");
	bench_send(bench, HOME, PANE_MS, PANE_MS);
	held_key(bench, PAGE_DOWN, "page down");
}
