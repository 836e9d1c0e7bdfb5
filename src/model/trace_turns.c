/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers that come again: who begins to count anew (each epoch, or once to train and once to test) marks other steps by numbers that
 * were there. What comes the second time on a lane is another step than what came the first time, and is counted on from the
 * largest number. The lanes of a file mark the same steps, so that turns of a number are the same ones on all. Ranks mark the same steps,
 * too, but their recordings need not begin with the same one: of steps with one number those are one that run at the same time.
 */
#include <stdlib.h>

#include "model/tracing.h"

/* A step, of one file or of those before. */
struct said {
	int64_t number; /* as recorded */
	struct tfp_step_span span;
	uint32_t turn;
	bool main; /* the lane with most such steps says it, or else the first one that does */
	tfp_str label;
	int64_t becomes;
	bool is_new;   /* it has no number yet */
	bool is_known; /* it is one of files before */
	uint32_t file; /* that had it last */
};

/* Those of one file. */
struct turns {
	struct tfp_step_mark *marks;
	size_t count;
	uint32_t main;               /* the lane with most steps whose number was there before */
	TFP_ARRAY(struct said) said; /* by number, then turn */
};

struct files {
	TFP_ARRAY(struct turns) list;
};

struct numbering {
	struct tfp_profile *profile;
	struct tfp_diag *diag;
	TFP_ARRAY(struct said) known; /* steps of the files so far, by number, then start */
	int64_t next;                 /* that no step has */
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
 * Says of each mark which turn of its number it is; returns whether any is another one than the first. One in another of that number is no turn; nor is one with no other number between,
 * which is that step going on: its parts, or what is done twice in it. Marks are sorted by lane.
 */
static bool find_turns(struct turns *turns)
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
	return most > 0;
}

static int by_turn(const void *left, const void *right)
{
	const struct said *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->turn < b->turn ? -1 : a->turn > b->turn;
}

static int by_time(const void *left, const void *right)
{
	const struct said *a = left, *b = right;

	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	return by_turn(left, right);
}

static int by_number(const void *left, const void *right)
{
	const struct said *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return by_time(left, right);
}

/* ---- the steps of a file ---------------------------------------------------------------------- */

/* Those that the main lane says stand before what others say of them, of which the earliest does. */
static int by_worth(const void *left, const void *right)
{
	const struct said *a = left, *b = right;
	int order = by_turn(left, right);

	if (order || a->main != b->main)
		return order ? order : b->main - a->main;
	return by_time(left, right);
}

static void list_steps(struct turns *turns)
{
	size_t kept = 0;

	for (size_t i = 0; i < turns->count; i++) {
		const struct tfp_step_mark *mark = &turns->marks[i];

		*tfp_array_push(&turns->said) = (struct said){
			.number = mark->number,
			.span = mark->span,
			.turn = mark->turn,
			.main = mark->lane == turns->main,
			.label = mark->label,
			.becomes = mark->number,
			.file = mark->file,
		};
	}
	qsort(turns->said.at, turns->said.count, sizeof(*turns->said.at), by_worth);
	for (size_t i = 0; i < turns->said.count; i++)
		if (!kept || by_turn(&turns->said.at[kept - 1], &turns->said.at[i]))
			turns->said.at[kept++] = turns->said.at[i];
	turns->said.count = kept;
}

static int compare_numbers(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The first of as many free numbers as there are marks: behind the largest of all files, unless that is too large. */
static int64_t first_free(const struct tfp_trace *trace)
{
	int64_t *numbers = tfp_realloc_array(NULL, trace->marks.count, sizeof(*numbers));
	size_t at = trace->marks.count;
	int64_t above = INT64_MAX, free;

	for (size_t i = 0; i < trace->marks.count; i++)
		numbers[i] = trace->marks.at[i].number;
	qsort(numbers, trace->marks.count, sizeof(*numbers), compare_numbers);
	while (at > 1 && (uint64_t)above - (uint64_t)numbers[at - 1] <= trace->marks.count)
		above = numbers[--at];
	free = tfp_wrap_add(numbers[at - 1], 1);
	tfp_array_release(numbers);
	return free > 0 ? free : 0;
}

/* ---- which are the same ----------------------------------------------------------------------- */

/* The first of the known steps with NUMBER that begins at START or later; where that is no such step, none does. */
static struct said *first_known(const struct numbering *numbering, int64_t number, int64_t start)
{
	const struct said wanted = {.number = number, .span = {start, 0}};
	size_t low = 0, high = numbering->known.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_number(&numbering->known.at[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return numbering->known.at + low;
}

static bool is_known(const struct numbering *numbering, const struct said *known, int64_t number)
{
	return known >= numbering->known.at &&
	       known < numbering->known.at + numbering->known.count && known->number == number;
}

static int64_t less(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* How far apart A and B are, less than 0 if they overlap; INT64_MAX: farther than the longer of them lasts. */
static int64_t distance(const struct tfp_step_span *a, const struct tfp_step_span *b)
{
	int64_t lasts[] = {less(a->end, a->start), less(b->end, b->start)};
	int64_t apart = a->start > b->start ? less(a->start, b->end) : less(b->start, a->end);

	return apart < (lasts[0] > lasts[1] ? lasts[0] : lasts[1]) ? apart : INT64_MAX;
}

/* The known step that STEP is by its time; NULL: none. */
static struct said *at_its_time(const struct numbering *numbering, const struct said *step)
{
	struct said *behind = first_known(numbering, step->number, step->span.start), *best = NULL;
	int64_t least = INT64_MAX;

	for (struct said *known = behind - (behind > numbering->known.at); known <= behind;
	     known++) {
		int64_t apart = is_known(numbering, known, step->number)
					? distance(&known->span, &step->span)
					: INT64_MAX;

		if (apart < least) {
			least = apart;
			best = known;
		}
	}
	return best;
}

/* The one that is it by how often its number came; NULL: none. */
static struct said *at_its_turn(const struct numbering *numbering, const struct said *step)
{
	struct said *first = first_known(numbering, step->number, INT64_MIN);

	return (size_t)(numbering->known.at + numbering->known.count - first) > step->turn &&
			       first[step->turn].number == step->number
		       ? first + step->turn
		       : NULL;
}

/* Does any step of the file run when one of its number runs in another? COMMON: some number is there, too. */
static bool runs_together(const struct numbering *numbering, const struct turns *turns,
			  bool *common)
{
	*common = false;
	for (size_t i = 0; i < turns->said.count; i++) {
		const struct said *step = &turns->said.at[i];

		if (at_its_time(numbering, step))
			return true;
		*common |= at_its_turn(numbering, step) != NULL;
	}
	return false;
}

/* With which number does it begin? */
static int64_t first_number(const struct said *said, size_t count)
{
	const struct said *first = said;

	for (size_t i = 1; i < count; i++)
		if (said[i].span.start < first->span.start)
			first = &said[i];
	return first->number;
}

/* Gives the steps of the file the numbers of known ones that they are. */
static void pair(struct numbering *numbering, struct turns *turns)
{
	uint32_t file = turns->marks->file;
	bool common, timed = runs_together(numbering, turns, &common);

	for (size_t i = 0; i < turns->said.count; i++) {
		struct said *step = &turns->said.at[i];
		struct said *known =
			timed ? at_its_time(numbering, step) : at_its_turn(numbering, step);
		bool taken = is_known(numbering, first_known(numbering, step->number, INT64_MIN),
				      step->number);

		step->is_known = known && known->file != file;
		step->is_new = !step->is_known && (taken || step->turn);
		if (step->is_known) {
			step->becomes = known->becomes;
			known->file = file;
		}
	}
	if (common && !timed &&
	    first_number(turns->said.at, turns->said.count) !=
		    first_number(numbering->known.at, numbering->known.count))
		tfp_diag_add(
			numbering->diag, TFP_NOTE, tfp_trace_path(numbering->profile, file), -1, 0,
			"its step numbers come again, and none runs there when it does in the files before: which are the same can't be told; the first with a number is taken for the first");
}

/* ---- numbers ---------------------------------------------------------------------------------- */

/* Numbers the steps that are no known ones, in the order of time. Returns how many have another number than they say, and the least of those. */
static size_t number_others(struct numbering *numbering, struct turns *turns, int64_t *least)
{
	size_t count = 0;

	qsort(turns->said.at, turns->said.count, sizeof(*turns->said.at), by_time);
	*least = INT64_MAX;
	for (size_t i = 0; i < turns->said.count; i++) {
		struct said *step = &turns->said.at[i];
		uint32_t place;

		if (step->is_new) {
			step->becomes = numbering->next;
			numbering->next = tfp_wrap_add(numbering->next, 1);
		}
		if (step->becomes == step->number)
			continue;
		place = tfp_profile_step(numbering->profile, step->becomes, step->label);
		numbering->profile->steps.at[place].recorded = step->number;
		*least = step->becomes < *least ? step->becomes : *least;
		count++;
	}
	qsort(turns->said.at, turns->said.count, sizeof(*turns->said.at), by_turn);
	return count;
}

static void rename_marks(const struct turns *turns)
{
	for (size_t i = 0; i < turns->count; i++) {
		struct tfp_step_mark *mark = &turns->marks[i];
		const struct said wanted = {.number = mark->number, .turn = mark->turn};
		const struct said *step = bsearch(&wanted, turns->said.at, turns->said.count,
						  sizeof(wanted), by_turn);

		if (step)
			mark->number = step->becomes;
	}
}

/* Adds the steps of the file that were not known. */
static void learn(struct numbering *numbering, const struct turns *turns)
{
	for (size_t i = 0; i < turns->said.count; i++)
		if (!turns->said.at[i].is_known)
			*tfp_array_push(&numbering->known) = turns->said.at[i];
	qsort(numbering->known.at, numbering->known.count, sizeof(*numbering->known.at), by_number);
}

static void number_file(struct numbering *numbering, struct turns *turns)
{
	int64_t least;
	size_t count;

	list_steps(turns);
	pair(numbering, turns);
	count = number_others(numbering, turns, &least);
	if (count)
		tfp_diag_add(
			numbering->diag, TFP_NOTE,
			tfp_trace_path(numbering->profile, turns->marks->file), -1, 0,
			"steps whose number an earlier one has, too: %zu; they are counted on from %lld",
			count, (long long)least);
	rename_marks(turns);
	learn(numbering, turns);
	tfp_array_free(&turns->said);
}

/* The marks of each file, which are sorted by that, and which of them come again; returns whether any do. */
static bool list_files(struct tfp_trace *trace, struct files *files)
{
	bool any = false;

	for (size_t i = 0, end; i < trace->marks.count; i = end) {
		struct turns *turns = tfp_array_push(&files->list);

		*turns = (struct turns){.marks = trace->marks.at + i};
		for (end = i + 1; end < trace->marks.count &&
				  trace->marks.at[end].file == trace->marks.at[i].file;
		     end++)
			;
		turns->count = end - i;
		find_others(turns);
		qsort(turns->marks, turns->count, sizeof(*turns->marks), by_lane);
		any |= find_turns(turns);
	}
	return any;
}

void tfp_trace_number_turns(struct tfp_profile *profile, struct tfp_diag *diag)
{
	struct tfp_trace *trace = profile->trace;
	struct numbering numbering = {.profile = profile, .diag = diag};
	struct files files = {0};

	if (trace->marks.count)
		qsort(trace->marks.at, trace->marks.count, sizeof(*trace->marks.at), by_file);
	if (list_files(trace, &files)) {
		numbering.next = first_free(trace);
		tfp_array_reserve(&numbering.known, 1); /* it is searched before it has any */
		/* steps that are counted in each file are no others' */
		for (size_t i = 0; i < files.list.count; i++)
			if (!files.list.at[i].marks->counted)
				number_file(&numbering, &files.list.at[i]);
		tfp_trace_widen_steps(profile);
	}
	tfp_array_free(&numbering.known);
	tfp_array_free(&files.list);
}
