/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps view: one row a step, and below it the scopes and nodes of what ran in it, so that the
 * path that makes a step heavy, or slower than others, leads through it.
 */
#include "view/views/steps.h"

#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/group/frames.h"
#include "view/group/merge.h"
#include "view/group/names.h"
#include "view/group/scopes.h"

#define POLL 4096
/* Rows for each thing measured: names nested deeper than that by the thousand are no program's. */
#define MOST_DEEP 16
#define FREE_ROWS 1000000

struct maker {
	struct tfp_build *build;
	const struct tfp_profile *profile;
	struct tfp_scopes scopes;
	uint32_t *node;  /* nodes in the order of paths, step by step */
	uint32_t *first; /* by step: the first of its nodes, one more at the end */
	bool scopes_count;
	struct tfp_merge merge;
};

char *tfp_step_label(char buffer[TFP_STEP_LABEL_ROOM], const struct tfp_profile *profile,
		     uint32_t step)
{
	const struct tfp_step *at = &profile->steps.at[step];
	struct tfp_span file = tfp_frames_basename(tfp_strings_get(profile->strings, at->label));

	if (step == tfp_step_outside(profile))
		return strcpy(buffer, "outside the steps");
	snprintf(buffer, TFP_STEP_LABEL_ROOM, "step %lld%s%.*s", (long long)at->number,
		 file.size ? "  " : "", (int)(file.size < 200 ? file.size : 200), file.at);
	return buffer;
}

/* ---- what ran in which step ---------------------------------------------------------------- */

/* Is the name of NODE a path? */
static bool is_scoped(const struct tfp_profile *profile, uint32_t node)
{
	return !(profile->nodes.flags[node] & TFP_NODE_UNSCOPED);
}

/* The nodes that ran, in the order of paths; NULL when cancelled. */
static struct tfp_named *sort_nodes(const struct maker *maker, size_t *count)
{
	const struct tfp_profile *profile = maker->profile;
	struct tfp_named *items = tfp_realloc_array(NULL, profile->nodes.count, sizeof(*items));

	*count = 0;
	for (uint32_t i = 0; i < profile->nodes.count; i++)
		if (profile->nodes.cell[i] != TFP_NONE && is_scoped(profile, i))
			items[(*count)++] = (struct tfp_named){
				tfp_strings_get(profile->strings, profile->nodes.name[i]), i, 0};
	if (tfp_names_sort(items, *count, TFP_NAMES_PATHS, maker->build->job))
		return items;
	free(items);
	return NULL;
}

static void count_cells(struct maker *maker)
{
	const struct tfp_cells *cells = &maker->profile->cells;
	size_t steps = maker->profile->steps.count;

	maker->first = tfp_alloc_zero(steps + 1, sizeof(*maker->first));
	maker->node = tfp_realloc_array(NULL, cells->count, sizeof(*maker->node));
	for (uint32_t cell = 0; cell < cells->count; cell++)
		if (is_scoped(maker->profile, cells->node[cell]))
			maker->first[cells->step[cell] + 1]++;
	for (size_t step = 0; step < steps; step++)
		maker->first[step + 1] += maker->first[step];
}

static bool find_nodes(struct maker *maker)
{
	const struct tfp_cells *cells = &maker->profile->cells;
	size_t count, steps = maker->profile->steps.count;
	struct tfp_named *items = sort_nodes(maker, &count);
	uint32_t *next;

	if (!items)
		return false;
	count_cells(maker);
	next = tfp_alloc_zero(steps, sizeof(*next));
	for (size_t i = 0; i < count; i++) {
		uint32_t cell = maker->profile->nodes.cell[items[i].id];

		for (; cell != TFP_NONE; cell = cells->older[cell]) {
			uint32_t step = cells->step[cell];

			maker->node[maker->first[step] + next[step]++] = items[i].id;
		}
	}
	free(next);
	free(items);
	return true;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* What is outside all steps has a row if there is something in it. */
static bool has_row(const struct maker *maker, uint32_t step)
{
	return step != tfp_step_outside(maker->profile) ||
	       maker->first[step] < maker->first[step + 1];
}

static bool make_rows(struct maker *maker)
{
	size_t most = FREE_ROWS + (size_t)MOST_DEEP * maker->profile->cells.count;

	tfp_scopes_begin(&maker->scopes, TFP_NONE);
	for (uint32_t step = 0; step < maker->profile->steps.count; step++) {
		if (!has_row(maker, step))
			continue;
		tfp_scopes_begin(&maker->scopes, 0);
		tfp_merge_order(&maker->merge, maker->node + maker->first[step],
				maker->first[step + 1] - maker->first[step]);
		for (uint32_t i = maker->first[step]; i < maker->first[step + 1]; i++) {
			if (i % POLL == 0 && tfp_job_cancelled(maker->build->job))
				return false;
			tfp_scopes_add(&maker->scopes, maker->node[i]);
			if (maker->scopes.rows.count > most) {
				tfp_diag_error(maker->build->diag,
					       "steps view: names are nested too deep");
				return false;
			}
		}
	}
	return !maker->build->query->fold_siblings ||
	       tfp_scopes_fold(&maker->scopes, maker->build->job);
}

static void fill_step(const struct maker *maker, struct tfp_base *base, uint32_t row, uint32_t step)
{
	char label[TFP_STEP_LABEL_ROOM], number[TFP_STEP_LABEL_ROOM];
	struct tfp_span span = tfp_span_of(tfp_step_label(label, maker->profile, step));

	snprintf(number, sizeof(number), "step %lld",
		 (long long)maker->profile->steps.at[step].number);
	base->parent[row] = 0;
	base->name[row] = tfp_strings_add(maker->profile->strings, span.at, span.size);
	base->name_size[row] = (uint32_t)span.size;
	base->key[row] = tfp_key_below(base->key[0], tfp_span_of(number));
	base->thing[row] = base->key[0];
	base->flags[row] = TFP_ROW_KEPT;
}

/* False when a match limit was reached. */
static bool fill_row(struct maker *maker, struct tfp_base *base, uint32_t row, uint32_t step_row)
{
	struct tfp_span identity;

	tfp_scopes_fill(&maker->scopes, maker->build, base, row);
	identity = tfp_scopes_identity(&maker->scopes, base, row);
	base->thing[row] = tfp_key_name(identity);
	base->key[row] = tfp_key_below(base->key[step_row], identity);
	return tfp_scopes_account(&maker->scopes, maker->build, base, row, maker->scopes_count);
}

/* So many rows are made. False when the job was cancelled. */
static bool goes_on(struct tfp_job *job, uint64_t made)
{
	if (job)
		atomic_store_explicit(&job->made, made, memory_order_relaxed);
	return !tfp_job_cancelled(job);
}

/* Of several ranks the rows follow each other. */
static bool fill_base(struct maker *maker, struct tfp_base *base)
{
	struct tfp_job *job = maker->build->job;
	uint32_t step = TFP_NONE, step_row = 0;
	uint64_t before = job ? job->to_make : 0;

	base->step[0] = TFP_NONE;
	base->thing[0] = base->key[0];
	goes_on(job, before);
	if (job)
		job->to_make = before + base->count;
	for (uint32_t row = 1; row < base->count; row++) {
		if (row % POLL == 0 && !goes_on(job, before + row))
			return false;
		if (maker->scopes.rows.at[row].node == TFP_NONE) {
			step_row = row;
			while (!has_row(maker, ++step))
				;
			maker->build->step = step;
			fill_step(maker, base, row, step);
			if (maker->scopes.joins)
				tfp_scopes_take(&maker->scopes, maker->build, base, row);
		} else if (!fill_row(maker, base, row, step_row)) {
			return false;
		}
		base->step[row] = step;
	}
	return goes_on(job, before + base->count);
}

static struct tfp_base *make_base(struct maker *maker)
{
	int scopes = tfp_account_type(&maker->build->account, TFP_SPAN(TFP_SCOPE_TYPE));
	struct tfp_base *base;

	if (scopes < 0 || !tfp_merge_start(&maker->merge, maker->build) || !find_nodes(maker))
		return NULL;
	maker->scopes.forward = maker->merge.forward;
	maker->scopes.joins = maker->profile->trace != NULL;
	if (!make_rows(maker))
		return NULL;
	maker->scopes_count = scopes;
	base = tfp_base_new(&tfp_view_steps, maker->build, (uint32_t)maker->scopes.rows.count);
	tfp_base_add_sizes(base);
	tfp_base_add_steps(base);
	if (!fill_base(maker, base)) {
		tfp_base_release(base);
		return NULL;
	}
	tfp_base_sum(base, true);
	return base;
}

struct tfp_base *tfp_steps_build(struct tfp_build *build)
{
	struct maker maker = {.build = build};
	struct tfp_base *base;

	maker.profile = maker.scopes.profile = build->profile;
	base = make_base(&maker);
	tfp_merge_end(&maker.merge);
	tfp_scopes_free(&maker.scopes);
	free(maker.node);
	free(maker.first);
	return base;
}

static struct tfp_base *build_steps(struct tfp_build *build)
{
	if (build->query->rank < 0 && tfp_steps_have_ranks(build->profile))
		return tfp_steps_build_ranks(build);
	return tfp_steps_build(build);
}

/* What marks steps, by the format of a recording. */
static const char *const unmarked[][2] = {
	{"kineto", "No steps are marked: profile(schedule=...) and prof.step() after each do that"},
	{"xplane", "No steps are marked: put each into "
		   "jax.profiler.StepTraceAnnotation(\"train\", step_num=n)"},
	{NULL, NULL},
};

static const char *missing(const struct tfp_profile *profile)
{
	if (profile->trace)
		return tfp_trace_marks_steps(profile->trace)
			       ? NULL
			       : tfp_missing_by_format(profile, unmarked,
						       "No steps: nothing in this recording marks "
						       "where one begins");
	if (!profile->tensorflow)
		return "This format knows no steps";
	return profile->steps.count
		       ? NULL
		       : "No steps; add the run metadata of traced steps: the summary has the code";
}

static const struct tfp_view_rules rules = {
	.count = TFP_COUNT_RUNS,
	.natural = true,
	.scoped = true,
	.by_step = true,
	.uses = TFP_USES_MERGE | TFP_USES_FOLD,
};

const struct tfp_view tfp_view_steps = {
	.name = "steps",
	.title = "steps",
	.about = "below each step stand the scopes of what ran in it",
	.example = "steps -max_depth 2",
	.digit = '6',
	.missing = missing,
	.build = build_steps,
	.rules = &rules,
	.of_steps = true,
	.shallow = true,
};
