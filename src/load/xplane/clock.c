/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of a recording: what its timestamps count from, and which of its times can't be.
 */
#include <stdlib.h>

#include "load/xplane/reader.h"

#define SECOND    INT64_C(1000000000) /* ns */
#define DAY_NANOS (86400 * SECOND)

static int by_time(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

static bool far_apart(int64_t a, int64_t b)
{
	int64_t away;

	return __builtin_sub_overflow(a, b, &away) || away > TFP_XCLOCK_MOST / 1000 ||
	       away < -TFP_XCLOCK_MOST / 1000;
}

/*
 * The least timestamp of lines with events, of those that are near the middle one: a few absurd ones do
 * not move all others. 0 where there are none.
 */
static int64_t find_least(const struct tfp_xspace *space)
{
	TFP_ARRAY(int64_t) times = {0};
	int64_t least = 0;
	size_t first = 0;

	for (size_t i = 0; i < space->planes.count; i++)
		for (size_t k = 0; k < space->planes.at[i].lines.count; k++)
			if (space->planes.at[i].lines.at[k].events)
				*tfp_array_push(&times) = space->planes.at[i].lines.at[k].timestamp;
	if (times.count) {
		qsort(times.at, times.count, sizeof(*times.at), by_time);
		while (far_apart(times.at[first], times.at[times.count / 2]))
			first++;
		least = times.at[first];
	}
	tfp_array_free(&times);
	return least;
}

/* When the recording began by the clock, ns since 1970; 0 unknown. */
static int64_t find_start(const struct tfp_xspace *space)
{
	for (size_t i = 0; i < space->planes.count; i++)
		if (tfp_xvalues_have(space->planes.at[i].stats, XSTAT_START_TIME))
			return tfp_xvalue_int(space->planes.at[i].stats, XSTAT_START_TIME);
	return 0;
}

/* When the recording was stopped by the clock, ns since 1970; 0 unknown. */
static int64_t find_stop(const struct tfp_xspace *space)
{
	int64_t last = 0;

	for (size_t i = 0; i < space->planes.count; i++) {
		int64_t stop = tfp_xvalue_int(space->planes.at[i].stats, XSTAT_STOP_TIME);

		last = stop > last ? stop : last;
	}
	return last;
}

/* AWAY is how much later than the first host's recording this one began. */
static void tell_began(struct tfp_xreader *reader, int64_t away)
{
	char text[TFP_NUMBER_ROOM];

	tfp_number_screen(text, TFP_NANOS, away < 0 ? -away : away);
	tfp_xproblem(
		reader, TFP_NOTE,
		"it began %s %s the first host's, by their clocks: its times are put beside those by that",
		text, away < 0 ? "before" : "after");
}

/*
 * Timestamps count from the beginning of the recording, or from 1970, which does not fit once it is
 * picoseconds. Later files count from where the first does, as far as they say when they began.
 */
static void set_origin(struct tfp_xreader *reader)
{
	int64_t least = find_least(&reader->facts->space);
	int64_t origin = find_start(&reader->facts->space), away;

	if (least > 4 * DAY_NANOS || least < -4 * DAY_NANOS) {
		reader->began = origin;
		reader->facts->shift = least;
		origin = least;
	}
	if (!reader->trace->epoch_nanos)
		reader->trace->epoch_nanos = origin;
	if (!origin || origin == reader->trace->epoch_nanos)
		return;
	away = tfp_wrap_add(origin, -reader->trace->epoch_nanos);
	if (away < DAY_NANOS && away > -DAY_NANOS) {
		reader->facts->shift = tfp_wrap_add(reader->facts->shift, -away);
		tell_began(reader, away);
	}
}

/* A nanosecond of the recording's clock as its events have it. */
static int64_t picos_of(const struct tfp_xreader *reader, int64_t nanos)
{
	int64_t picos;

	if (__builtin_sub_overflow(nanos, reader->facts->shift, &nanos) ||
	    __builtin_mul_overflow(nanos, 1000, &picos))
		return nanos < 0 ? INT64_MIN : INT64_MAX;
	return picos;
}

/* The time of the recording, as far as it says when it was made. */
static void find_span(struct tfp_xreader *reader)
{
	int64_t start = find_start(&reader->facts->space), lasts;

	if (__builtin_sub_overflow(find_stop(&reader->facts->space), start, &lasts) || !start ||
	    lasts <= 0 || lasts > DAY_NANOS)
		return;
	reader->timed = true;
	reader->from = picos_of(reader, tfp_wrap_add(reader->began, -SECOND));
	reader->to = picos_of(reader, tfp_wrap_add(reader->began, lasts + SECOND));
}

void tfp_xclock_set(struct tfp_xreader *reader)
{
	set_origin(reader);
	find_span(reader);
}

bool tfp_xclock_base(const struct tfp_xfacts *facts, const struct tfp_xline *line, int64_t *base)
{
	int64_t nanos;

	if (!__builtin_sub_overflow(line->timestamp, facts->shift, &nanos) &&
	    !__builtin_mul_overflow(nanos, 1000, base))
		return true;
	*base = 0;
	return false;
}

/* ---- what is odd ----------------------------------------------------------------------------- */

/* Times that can't be: outside the recording, or far from most. */
static void tell_astray(struct tfp_xreader *reader)
{
	uint32_t astray;

	if (reader->outside)
		tfp_xproblem(
			reader, TFP_WARNING,
			"events outside the time of the recording, whose times may be wrong: %u",
			reader->outside);
	if (reader->astray)
		tfp_xproblem(
			reader, TFP_WARNING,
			"events of devices far outside the time of the recording, which are left out: %u",
			reader->astray);
	if (reader->timed)
		return;
	astray = tfp_times_astray(reader->trace, reader->first_event, 1000 * DAY_NANOS);
	if (astray)
		tfp_xproblem(reader, TFP_WARNING, TFP_TIMES_ASTRAY, astray);
}

void tfp_xclock_tell(struct tfp_xreader *reader, uint32_t partial)
{
	tell_astray(reader);
	if (partial)
		tfp_xproblem(reader, TFP_NOTE, TFP_TIMES_PARTIAL, partial);
}
