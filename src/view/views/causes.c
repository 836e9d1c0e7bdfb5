/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Causes of gaps as a tree: stacks that begin alike are below what they have in common, and what only one of
 * them has is one row however long it is. Sorted stacks are next to what they have most in common with.
 */
#include <stdlib.h>
#include <string.h>

#include "view/views/gaps.h"
#include "view/query/line.h"

/* NULL where no cause has any. */
static const tfp_str *labels_of(const struct tfp_gaps *gaps, uint32_t cause)
{
	return gaps->labels.at ? gaps->labels.at + gaps->causes.at[cause].label_first : NULL;
}

/* Labels that two causes begin with; 0 where they are no stacks, or of two devices. */
static uint32_t common(const struct tfp_gaps *gaps, uint32_t left, uint32_t right)
{
	const struct tfp_cause *a = &gaps->causes.at[left], *b = &gaps->causes.at[right];
	const tfp_str *labels = labels_of(gaps, left), *others = labels_of(gaps, right);
	uint32_t same = 0;

	if (a->device != b->device || a->kind != b->kind)
		return 0;
	while (same < a->labels && same < b->labels && labels[same] == others[same])
		same++;
	return same;
}

static int compare(const void *left, const void *right, void *data)
{
	const struct tfp_gaps *gaps = data;
	uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right, same;
	const struct tfp_cause *a = &gaps->causes.at[i], *b = &gaps->causes.at[j];

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	same = common(gaps, i, j);
	if (same == a->labels || same == b->labels)
		return a->labels < b->labels ? -1 : a->labels > b->labels;
	return labels_of(gaps, i)[same] < labels_of(gaps, j)[same] ? -1 : 1;
}

static void sort_causes(struct tfp_gaps *gaps)
{
	size_t count = gaps->causes.count;

	gaps->sorted = tfp_realloc_array(NULL, count + 1, sizeof(*gaps->sorted));
	for (uint32_t i = 0; i < count; i++)
		gaps->sorted[i] = i;
	if (count)
		qsort_r(gaps->sorted, count, sizeof(*gaps->sorted), compare, gaps);
}

/* ---- what they have in common -------------------------------------------------------------- */

/* Rows under construction: those that may still get causes, each deeper than the one before. */
struct open_rows {
	struct tfp_cause_row row[TFP_STACK_MOST + 2];
	size_t count;
};

static void close_rows(struct tfp_gaps *gaps, struct open_rows *open, uint32_t depth, uint32_t end)
{
	uint32_t first = end;

	while (open->count && open->row[open->count - 1].depth > depth) {
		struct tfp_cause_row *row = &open->row[--open->count];

		row->end = end;
		first = row->first;
		*tfp_array_push(&gaps->tree) = *row;
	}
	if (depth && first < end && (!open->count || open->row[open->count - 1].depth < depth))
		open->row[open->count++] =
			(struct tfp_cause_row){.first = first, .depth = depth, .cause = TFP_NONE};
}

/* What is no stack has a row, too: as if it had one label that nothing else has. */
static uint32_t depth_of(const struct tfp_cause *cause)
{
	return cause->labels ? cause->labels : 1;
}

static void find_rows(struct tfp_gaps *gaps)
{
	struct open_rows *open = tfp_alloc_zero(1, sizeof(*open));
	uint32_t count = (uint32_t)gaps->causes.count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t cause = gaps->sorted[i];

		close_rows(gaps, open, i ? common(gaps, gaps->sorted[i - 1], cause) : 0, i);
		open->row[open->count++] = (struct tfp_cause_row){
			.first = i,
			.depth = depth_of(&gaps->causes.at[cause]),
			.cause = cause,
		};
	}
	close_rows(gaps, open, 0, count);
	free(open);
}

/* ---- places -------------------------------------------------------------------------------- */

static int compare_rows(const void *left, const void *right)
{
	const struct tfp_cause_row *a = left, *b = right;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

static void add_up(struct tfp_gaps *gaps, struct tfp_cause_row *row)
{
	for (uint32_t i = row->first; i < row->end; i++) {
		const struct tfp_cause *cause = &gaps->causes.at[gaps->sorted[i]];

		row->count += cause->count;
		row->time = tfp_wrap_add(row->time, cause->time);
	}
}

void tfp_gaps_grow_tree(struct tfp_gaps *gaps)
{
	uint32_t above = TFP_NONE;

	sort_causes(gaps);
	find_rows(gaps);
	if (gaps->tree.count)
		qsort(gaps->tree.at, gaps->tree.count, sizeof(*gaps->tree.at), compare_rows);
	for (uint32_t i = 0; i < gaps->tree.count; i++) {
		struct tfp_cause_row *row = &gaps->tree.at[i];

		while (above != TFP_NONE && gaps->tree.at[above].end <= row->first)
			above = gaps->tree.at[above].parent;
		row->parent = above;
		row->above = above == TFP_NONE ? 0 : gaps->tree.at[above].depth;
		row->device = gaps->causes.at[gaps->sorted[row->first]].device;
		add_up(gaps, row);
		above = i;
	}
}

/* ---- what is worth a word ------------------------------------------------------------------ */

/* The deepest row that has half of what is above it. */
static uint32_t main_branch(const struct tfp_gaps *gaps, uint32_t device)
{
	uint32_t best = TFP_NONE, next;

	for (;; best = next) {
		int64_t half = best == TFP_NONE ? 0 : gaps->tree.at[best].time / 2;

		next = TFP_NONE;
		for (uint32_t i = 0; i < gaps->tree.count; i++) {
			const struct tfp_cause_row *row = &gaps->tree.at[i];

			if (row->device == device && row->parent == best && row->time >= half &&
			    (next == TFP_NONE || row->time > gaps->tree.at[next].time))
				next = i;
		}
		if (next == TFP_NONE)
			return best;
	}
}

/* The row of the one cause that has most. */
static uint32_t heaviest(const struct tfp_gaps *gaps, uint32_t device)
{
	uint32_t best = TFP_NONE;

	for (uint32_t i = 0; i < gaps->tree.count; i++) {
		const struct tfp_cause_row *row = &gaps->tree.at[i];

		if (row->device == device && row->end - row->first == 1 &&
		    (best == TFP_NONE || row->time > gaps->tree.at[best].time))
			best = i;
	}
	return best;
}

uint32_t tfp_gaps_main(const struct tfp_gaps *gaps, uint32_t device)
{
	uint32_t branch = main_branch(gaps, device), cause = heaviest(gaps, device);

	if (branch == TFP_NONE || cause == TFP_NONE)
		return branch;
	return gaps->tree.at[cause].time >= gaps->tree.at[branch].time / 2 ? cause : branch;
}

/* ---- texts --------------------------------------------------------------------------------- */

/* What PyTorch puts around each step of a backward pass, in front of the name that is in it once more. */
#define AUTOGRAD "autograd::engine::evaluate_function: "

/* Label INDEX of COUNT at LABELS in short, of those in it that say the same the first; the next one into *INDEX. */
static const char *label_text(const struct tfp_strings *strings, const tfp_str *labels,
			      uint32_t count, uint32_t *index, struct tfp_arena *arena)
{
	const char *text = tfp_strings_text(strings, labels[(*index)++]), *inner;

	if (strncmp(text, AUTOGRAD, strlen(AUTOGRAD)) != 0)
		return text;
	inner = text + strlen(AUTOGRAD);
	if (*index < count && !strcmp(tfp_strings_text(strings, labels[*index]), inner))
		++*index;
	return tfp_arena_printf(arena, "autograd: %s", inner);
}

/* Causes that are no stack of calls: what their rows are called, and how "in 3 gaps" goes on. */
static const struct {
	const char *label, *clause;
} words[TFP_CAUSE_KINDS] = {
	[TFP_CAUSE_LAUNCHED] = {"launched before the gap began",
				"before work that had been launched when they began"},
	[TFP_CAUSE_EARLIER] = {"launched before the recording",
			       "before work that was launched before the recording"},
	[TFP_CAUSE_UNKNOWN] = {"launch not recorded", "before work whose launch is not recorded"},
	[TFP_CAUSE_LAST] = {"nothing more ran in the recording",
			    "after which nothing more ran in the recording"},
};

char *tfp_cause_text(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		     struct tfp_arena *arena)
{
	uint32_t cause = gaps->sorted[row->first];
	struct tfp_line line = {.arena = arena};
	uint32_t count = row->depth < gaps->causes.at[cause].labels ? row->depth
								    : gaps->causes.at[cause].labels;

	if (words[gaps->causes.at[cause].kind].label)
		return tfp_arena_printf(arena, "%s", words[gaps->causes.at[cause].kind].label);
	for (uint32_t i = row->above; i < count;)
		tfp_line_add(&line, " > ",
			     label_text(gaps->profile->strings, labels_of(gaps, cause), count, &i,
					arena));
	return line.text ? line.text : tfp_arena_printf(arena, "a launch without a name");
}

char *tfp_cause_clause(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		       struct tfp_arena *arena)
{
	const char *clause = words[gaps->causes.at[gaps->sorted[row->first]].kind].clause;

	return clause ? tfp_arena_printf(arena, "%s", clause)
		      : tfp_arena_printf(arena, "before %s", tfp_cause_text(gaps, row, arena));
}

uint64_t tfp_cause_key(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		       uint64_t device)
{
	uint32_t cause = gaps->sorted[row->first];
	char kind[32];

	snprintf(kind, sizeof(kind), "%d", (int)gaps->causes.at[cause].kind);
	device = tfp_key_below(device, tfp_span_of(kind));
	for (uint32_t i = 0; i < row->depth && i < gaps->causes.at[cause].labels; i++)
		device = tfp_key_below(
			device, tfp_strings_get(gaps->profile->strings, labels_of(gaps, cause)[i]));
	return device;
}
