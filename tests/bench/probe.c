/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting a program in a terminal, sending it keys, timing what comes.
 */
#include "probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double bench_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void bench_line(double value, double bound, const char *unit, const char *format, ...)
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

bool bench_shows(struct bench *bench, const char *text)
{
	for (int row = 0; row < vt_rows(bench->vt); row++)
		if (strstr(vt_row(bench->vt, row), text))
			return true;
	return false;
}

bool bench_wait_for(struct bench *bench, const char *text)
{
	double end = bench_now() + LIMIT_MS;

	while (!bench_shows(bench, text)) {
		if (bench_now() > end)
			return false;
		vt_pump(bench->vt, 20);
	}
	return true;
}

bool bench_shows_all(struct bench *bench)
{
	return bench_shows(bench, "_TFProfRoot") && !bench_shows(bench, "rows from");
}

bool bench_wait_for_all(struct bench *bench, size_t *bytes)
{
	double end = bench_now() + LIMIT_MS;

	for (*bytes = 0; !bench_shows_all(bench);) {
		if (bench_now() > end)
			return false;
		*bytes = vt_written(bench->vt);
		vt_pump(bench->vt, 20);
	}
	return true;
}

/* While files are read there may be room for their numbers only. */
bool bench_wait_for_views(struct bench *bench)
{
	double end = bench_now() + LIMIT_MS;

	while (!bench_shows(bench, "1 scope") && !bench_shows(bench, " 0  1  2  3")) {
		if (bench_now() > end)
			return false;
		vt_pump(bench->vt, 20);
	}
	return true;
}

void bench_settle(struct bench *bench)
{
	vt_settle(bench->vt, PANE_MS, LIMIT_MS);
}

struct effect bench_send(struct bench *bench, const char *keys, int quiet, double limit)
{
	struct effect effect = {0};
	size_t before = vt_written(bench->vt);
	double start = bench_now(), now;

	vt_send(bench->vt, keys, strlen(keys)); /* takes what has come at once */
	if (vt_written(bench->vt) != before)
		effect.first_ms = bench_now() - start;
	while ((now = bench_now()) < start + limit) {
		int left = (int)(start + limit - now) + 1;

		if (!vt_pump(bench->vt, left < quiet ? left : quiet))
			break;
		if (effect.first_ms == 0)
			effect.first_ms = bench_now() - start;
	}
	effect.bytes = vt_written(bench->vt) - before;
	return effect;
}

struct effect bench_held(struct bench *bench, const char *key)
{
	return bench_send(bench, key, HELD_MS, HELD_MS);
}

double bench_mean_bytes(struct bench *bench, const char *key, int keys)
{
	double bytes = 0;

	for (int i = 0; i < keys; i++)
		bytes += (double)bench_held(bench, key).bytes;
	return bytes / keys;
}

double bench_page_bytes(struct bench *bench)
{
	double bytes = 0;

	for (int i = 0; i < KEYS; i++) {
		bench_settle(bench);
		bytes += (double)bench_send(bench, PAGE_DOWN, KEY_MS, KEY_MS).bytes;
	}
	return bytes / KEYS;
}

bool bench_start(struct bench *bench)
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
