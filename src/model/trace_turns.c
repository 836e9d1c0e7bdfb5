/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers that come again: who begins to count anew (each epoch, or once to train and once to test) marks other steps by numbers that
 * were there. What comes the second time on a lane is another step than what came the first time, and is counted on from the
 * largest number. The lanes of a file mark the same steps, so that turns of a number are the same ones on all.
 */
#include <stdlib.h>

#include "model/tracing.h"

/* A step whose number was there before. */
struct again {
	int64_t number, time;
	uint32_t turn;
	tfp_str label;
	int64_t becomes;
};

struct turns {
	struct tfp_step_mark *marks; /* of one file */
	size_t count;
	uint32_t main; /* the lane with most such steps */
	TFP_ARRAY(struct again) again;
};

static int by_lane(const void *left, const void *right)
{
	const struct tfp_step_mark *a = left, *b = right;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	return a->span.end > b->span.end ? -1 : a->span.end < b->span.end;
}

/* As they begin in each file. */
static int by_file(const void *left, const void *right)
{
	const struct tfp_step_mark *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	return by_lane(left, right);
}

/* Says of each mark when one with another number began last before it. Marks are sorted by file. */
static void find_others(struct turns *turns)
{
	struct tfp_step_mark *marks = turns->marks;
	int64_t before = INT64_MIN; /* of what has another number than the last one */

	for (size_t i = 0; i < turns->count; i++) {
		if (i && marks[i].number != marks[i - 1].number)
			before = marks[i - 1].span.start;
		marks[i].other = before;
	}
}

/*
 * Says of each mark which turn of its number it is. One in another of that number is no turn; nor is one with no other number between,
 * which is that step going on: its parts, or what is done twice in it. Marks are sorted by lane.
 */
static void find_turns(struct turns *turns)
{
	struct tfp_step_mark *marks = turns->marks;
	size_t most = 0, on_lane = 0;
	int64_t end = 0;

	for (size_t i = 0; i < turns->count; i++) {
		bool same_lane = i && marks[i].lane == marks[i - 1].lane;

		on_lane = same_lane ? on_lane : 0;
		marks[i].turn = 0;
		if (same_lane && marks[i].number == marks[i - 1].number) {
			bool begins = marks[i].other > marks[i - 1].span.start &&
				      marks[i].span.start >= end &&
				      marks[i].span.start > marks[i - 1].span.start;

			marks[i].turn = marks[i - 1].turn + begins;
			on_lane += begins;
			end = marks[i].span.end > end ? marks[i].span.end : end;
		} else {
			end = marks[i].span.end;
		}
		if (on_lane > most) {
			most = on_lane;
			turns->main = marks[i].lane;
		}
	}
}

static int by_turn(const void *left, const void *right)
{
	const struct again *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->turn < b->turn ? -1 : a->turn > b->turn;
}

static int by_time(const void *left, const void *right)
{
	const struct again *a = left, *b = right;

	return a->time != b->time ? (a->time < b->time ? -1 : 1) : by_turn(left, right);
}

/* The main lane's times and labels before those of the others. */
static void add_again(struct turns *turns, bool main)
{
	size_t known = turns->again.count;

	for (size_t i = 0; i < turns->count; i++) {
		const struct tfp_step_mark *mark = &turns->marks[i];
		struct again again = {.number = mark->number,
				      .time = mark->span.start,
				      .turn = mark->turn,
				      .label = mark->label};
		size_t last = turns->again.count;

		if (!mark->turn || (mark->lane == turns->main) != main)
			continue;
		if (known && bsearch(&again, turns->again.at, known, sizeof(again), by_turn))
			continue;
		if (last > known && !by_turn(&turns->again.at[last - 1], &again))
			continue;
		*tfp_array_push(&turns->again) = again;
	}
}

/* Of those that several lanes have, which the main one has not, the earliest stays. */
static void keep_earliest(struct turns *turns)
{
	struct again *again = turns->again.at;
	size_t kept = 0;

	for (size_t i = 0; i < turns->again.count; i++) {
		if (!kept || by_turn(&again[kept - 1], &again[i]))
			again[kept++] = again[i];
		else if (again[i].time < again[kept - 1].time)
			again[kept - 1] = again[i];
	}
	turns->again.count = kept;
}

static int compare_numbers(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The first of as many free numbers as there are steps to be numbered: behind the largest, unless that is too large. */
static int64_t first_free(const struct turns *turns)
{
	int64_t *numbers = tfp_realloc_array(NULL, turns->count, sizeof(*numbers));
	size_t at = turns->count;
	int64_t above = INT64_MAX, free;

	for (size_t i = 0; i < turns->count; i++)
		numbers[i] = turns->marks[i].number;
	qsort(numbers, turns->count, sizeof(*numbers), compare_numbers);
	while (at > 1 && (uint64_t)above - (uint64_t)numbers[at - 1] <= turns->again.count)
		above = numbers[--at];
	free = tfp_wrap_add(numbers[at - 1], 1);
	tfp_array_release(numbers);
	return free > 0 ? free : 0;
}

/* False: no number of the file comes again. */
static bool number_again(struct turns *turns)
{
	int64_t next;

	find_others(turns);
	qsort(turns->marks, turns->count, sizeof(*turns->marks), by_lane);
	find_turns(turns);
	add_again(turns, true);
	if (!turns->again.count)
		return false;
	qsort(turns->again.at, turns->again.count, sizeof(*turns->again.at), by_turn);
	add_again(turns, false);
	qsort(turns->again.at, turns->again.count, sizeof(*turns->again.at), by_turn);
	keep_earliest(turns);
	next = first_free(turns);
	qsort(turns->again.at, turns->again.count, sizeof(*turns->again.at), by_time);
	for (size_t i = 0; i < turns->again.count; i++)
		turns->again.at[i].becomes = tfp_wrap_add(next, (int64_t)i);
	return true;
}

static void rename_marks(struct tfp_profile *profile, struct turns *turns)
{
	for (size_t i = 0; i < turns->again.count; i++)
		tfp_profile_step(profile, turns->again.at[i].becomes, turns->again.at[i].label);
	qsort(turns->again.at, turns->again.count, sizeof(*turns->again.at), by_turn);
	for (size_t i = 0; i < turns->count; i++) {
		struct tfp_step_mark *mark = &turns->marks[i];
		const struct again wanted = {.number = mark->number, .turn = mark->turn};
		const struct again *again =
			mark->turn ? bsearch(&wanted, turns->again.at, turns->again.count,
					     sizeof(wanted), by_turn)
				   : NULL;

		if (again)
			mark->number = again->becomes;
	}
}

void tfp_trace_number_turns(struct tfp_profile *profile, struct tfp_diag *diag)
{
	struct tfp_trace *trace = profile->trace;
	size_t count = trace->marks.count;
	bool any = false;

	if (count)
		qsort(trace->marks.at, count, sizeof(*trace->marks.at), by_file);
	for (size_t i = 0, end; i < count; i = end) {
		struct turns turns = {.marks = trace->marks.at + i};
		uint32_t file = turns.marks->file;

		for (end = i + 1; end < count && trace->marks.at[end].file == file; end++)
			;
		turns.count = end - i;
		if (number_again(&turns)) {
			tfp_diag_add(
				diag, TFP_NOTE, tfp_trace_path(profile, file), -1, 0,
				"steps whose number an earlier one has, too: %zu; they are counted on from %lld",
				turns.again.count, (long long)turns.again.at[0].becomes);
			rename_marks(profile, &turns);
			any = true;
		}
		tfp_array_free(&turns.again);
	}
	if (any)
		tfp_trace_widen_steps(profile);
}
