/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory view: which scopes and nodes hold how many bytes at one time of a step. Its rows are
 * those of all nodes that allocate anything, so that a time, or a step, can be compared with
 * another; those that hold nothing at the time are not shown.
 */
#include <stdlib.h>
#include <string.h>

#include "view/pane/curve.h"
#include "view/group/merge.h"
#include "view/group/scopes.h"
#include "view/query/words.h"

#define POLL 4096

struct maker {
	struct tfp_build *build;
	struct tfp_scopes scopes;
	struct tfp_merge merge;
	struct tfp_curve *curve;
	struct tfp_alloc_runs runs;
	struct tfp_alloc_list list; /* of the curve */
	struct tfp_arena arena;     /* of the curve, until a base has a copy */
	int64_t *live;              /* by node */
	int64_t *since;  /* by node that holds something: since when without a break, and 1 */
	bool *allocates; /* by node, in any step */
};

/* ---- who holds what -------------------------------------------------------------------------- */

static bool find_live(struct maker *maker)
{
	struct tfp_build *build = maker->build;
	const struct tfp_allocs *allocs = &build->profile->allocs;
	struct tfp_alloc_list list;
	struct tfp_alloc alloc;

	if (!tfp_curve_make(maker->curve, &maker->list, &maker->runs, build, &build->step,
			    &maker->arena))
		return false;
	list = maker->list;
	while (tfp_alloc_list_next(&list, &alloc)) {
		int64_t *live = &maker->live[alloc.node];
		int64_t time = tfp_curve_time(maker->curve, &alloc);

		if (time > maker->curve->at)
			break;
		if (!*live)
			maker->since[alloc.node] = time + (time < INT64_MAX);
		*live = tfp_wrap_add(*live, alloc.bytes);
	}
	for (size_t i = 0; i < allocs->count; i++)
		if (tfp_allocs_get(allocs, i).bytes)
			maker->allocates[allocs->at[i].node] = true;
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A row for each node that allocates, and those above. False when cancelled. */
static bool make_rows(struct maker *maker)
{
	uint32_t all = maker->build->profile->nodes.count, count = 0;
	uint32_t *nodes = tfp_realloc_array(NULL, all, sizeof(*nodes));
	bool made;

	for (uint32_t i = 0; i < all; i++)
		if (maker->allocates[i])
			nodes[count++] = i;
	made = tfp_scopes_make(&maker->scopes, maker->build, &maker->merge, nodes, count);
	free(nodes);
	return made;
}

/* NODE, which holds something, is one of those that ROW stands for. */
static void note_since(const struct maker *maker, struct tfp_base *base, uint32_t row,
		       uint32_t node)
{
	int64_t *since = &base->since[row], own = maker->since[node];

	if (maker->live[node] && (!*since || own < *since))
		*since = own;
}

/* What is held by the nodes of one name that count, which are those of ROW. -1 on a match limit. */
static int take_joined(struct maker *maker, struct tfp_base *base, uint32_t row, int64_t *live)
{
	int taken = tfp_scopes_take(&maker->scopes, maker->build, base, row);

	for (uint32_t i = base->pick_first[row]; taken > 0 && i < base->pick_first[row + 1]; i++) {
		*live = tfp_wrap_add(*live, maker->live[base->picks[i]]);
		note_since(maker, base, row, base->picks[i]);
	}
	return taken > 0 ? *live != 0 : taken;
}

/* False when a match limit was reached. */
static bool fill_row(struct maker *maker, struct tfp_base *base, uint32_t row)
{
	int64_t *live = &base->self[(size_t)row * base->metric_count +
				    tfp_curve_metric(maker->build->profile)];
	uint32_t node;
	int times = 0;

	tfp_scopes_fill(&maker->scopes, maker->build, base, row);
	base->key[row] = tfp_key_name(tfp_scopes_identity(&maker->scopes, base, row));
	node = base->node[row];
	if (maker->scopes.joins) {
		int64_t held = 0;

		times = take_joined(maker, base, row, &held);
		*live = held;
	} else if (node != TFP_NONE) {
		*live = maker->live[node];
		times = *live ? tfp_account_node(&maker->build->account, node) : 0;
		if (times > 0)
			note_since(maker, base, row, node);
	}
	if (times > 0)
		base->flags[row] |= TFP_ROW_ACCOUNTED;
	return times >= 0;
}

/* What is called requested bytes elsewhere, or bytes moved, is what is live here. */
static void rename_metric(struct tfp_base *base, uint32_t bytes, bool known)
{
	struct tfp_metric *live = &tfp_base_own_metrics(base)[bytes];

	live->label = "live bytes";
	live->title = "LIVE";
	live->absent = !known;
}

/* Has the recording more than one rank that counts, and the curve only this one? */
static bool is_of_one_rank(const struct tfp_curve *curve, const struct tfp_trace *trace)
{
	bool others = false;

	for (size_t i = 0; trace && curve->file != TFP_NONE && i < trace->devices.count; i++) {
		uint32_t file = trace->devices.at[i].file;

		others |= file != curve->file && tfp_trace_has_file(trace, file);
	}
	return others;
}

/* What ops of all ranks did says nothing of what one of them holds. */
static void leave_others(struct tfp_base *base, uint32_t bytes)
{
	struct tfp_metric *metrics = tfp_base_own_metrics(base);

	for (uint32_t i = 0; i < base->metric_count; i++)
		metrics[i].absent |= i != bytes;
}

static const char *copy_text(struct tfp_arena *arena, const char *text)
{
	return text ? tfp_arena_text(arena, text, strlen(text)) : NULL;
}

static void take_curve(struct tfp_base *base, const struct maker *maker)
{
	const struct tfp_curve *curve = maker->curve;
	size_t nodes = maker->build->profile->nodes.count;

	base->curve = tfp_arena_alloc(&base->arena, sizeof(*base->curve));
	*base->curve = *curve;
	base->curve->device = copy_text(&base->arena, curve->device);
	base->curve->others = copy_text(&base->arena, curve->others);
	base->curve->allocators = tfp_words_copy(&base->arena, curve->allocators);
	tfp_curve_points(base->curve, &maker->list, &base->arena);
	base->curve->held = tfp_arena_alloc(&base->arena, nodes * sizeof(*base->curve->held));
	memcpy(base->curve->held, maker->live, nodes * sizeof(*base->curve->held));
	base->since = tfp_arena_zero(&base->arena, base->count, sizeof(*base->since));
}

/* A row holds something since the earliest of those below it does. */
static void spread_since(struct tfp_base *base)
{
	for (uint32_t row = base->count; --row > 0;) {
		int64_t *above = &base->since[base->parent[row]];

		if (base->since[row] && (!*above || base->since[row] < *above))
			*above = base->since[row];
	}
}

static struct tfp_base *make_base(struct maker *maker)
{
	uint32_t count = (uint32_t)maker->scopes.rows.count;
	struct tfp_base *base = tfp_base_new(&tfp_view_memory, maker->build, count);

	tfp_base_add_sizes(base);
	/* where nothing of the step is in the range, nothing is held */
	rename_metric(base, tfp_curve_metric(maker->build->profile),
		      maker->curve->beyond || tfp_curve_knows(maker->curve));
	if (is_of_one_rank(maker->curve, maker->build->profile->trace))
		leave_others(base, tfp_curve_metric(maker->build->profile));
	take_curve(base, maker);
	for (uint32_t row = 1; row < count; row++) {
		bool stop = row % POLL == 0 && tfp_job_cancelled(maker->build->job);

		if (stop || !fill_row(maker, base, row)) {
			tfp_base_release(base);
			return NULL;
		}
	}
	spread_since(base);
	tfp_base_sum(base, true);
	return base;
}

static struct tfp_base *build_memory(struct tfp_build *build)
{
	struct tfp_curve curve;
	struct maker maker = {.build = build, .curve = &curve};
	struct tfp_base *base = NULL;
	size_t nodes = build->profile->nodes.count;

	tfp_alloc_runs_make(&maker.runs, build->profile);
	maker.live = tfp_alloc_zero(nodes + 1, sizeof(*maker.live));
	maker.since = tfp_alloc_zero(nodes + 1, sizeof(*maker.since));
	maker.allocates = tfp_alloc_zero(nodes + 1, sizeof(*maker.allocates));
	if (find_live(&maker) && tfp_merge_start(&maker.merge, build) && make_rows(&maker))
		base = make_base(&maker);
	tfp_merge_end(&maker.merge);
	tfp_scopes_free(&maker.scopes);
	tfp_alloc_runs_free(&maker.runs);
	free(maker.live);
	free(maker.since);
	free(maker.allocates);
	tfp_arena_free(&maker.arena);
	return base;
}

/* What records allocations, by the format of a recording. */
static const char *const unrecorded[][2] = {
	{"kineto", "No allocations in these files: profile(profile_memory=True) records them"},
	{"xplane", "No allocations in these files: JAX and TensorFlow record those of GPUs"},
	{NULL, NULL},
};

static const char *missing(const struct tfp_profile *profile)
{
	if (profile->has_allocs)
		return NULL;
	if (profile->tensorflow)
		return "No allocations with their times; add run metadata of a step traced with "
		       "FULL_TRACE";
	return profile->trace
		       ? tfp_missing_by_format(profile, unrecorded, "No allocations in these files")
		       : "This format knows no allocations over time";
}

static const struct tfp_view_rules rules = {
	.held = true,
	.by_step = true, /* that with the highest peak */
	.self_minimums = true,
	.uses = TFP_USES_MERGE | TFP_USES_FOLD,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_memory = {
	.name = "memory",
	.title = "memory",
	.about = "what each scope holds at one time of a step, by its allocations",
	.example = "memory -step 0 -at 1500 -max_depth 3",
	.digit = '8',
	.missing = missing,
	.parts = TFP_PART_ALLOCS,
	.build = build_memory,
	.rules = &rules,
	.leads = "bytes",
};
