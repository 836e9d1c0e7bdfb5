/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps view: one row a step, and below it the scopes and nodes of what ran in it, so that the
 * path that makes a step heavy, or slower than others, leads through it.
 */
#include "view/views/steps.h"

#include <ctype.h>
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
	uint32_t *node;     /* nodes in the order of paths, step by step */
	uint32_t *cell;     /* the cells of these: each step has its own, in any order */
	uint32_t *first;    /* by step: the first of its nodes, one more at the end */
	uint32_t *its_cell; /* by node: its cell in the step that is being filled; TFP_NONE */
	uint32_t made;      /* the step that SCOPES has the rows of, and those like it; TFP_NONE */
	uint32_t row;       /* of the base: the next step's */
	uint32_t made_row;  /* that of MADE */
	bool scopes_count;
	struct tfp_merge merge;
};

char *tfp_step_label(char buffer[TFP_STEP_LABEL_ROOM], const struct tfp_profile *profile,
		     uint32_t step)
{
	const struct tfp_step *at = &profile->steps.at[step];
	struct tfp_span file = tfp_frames_basename(tfp_strings_get(profile->strings, at->label));
	char recorded[40] = "";

	if (step == tfp_step_outside(profile))
		return strcpy(buffer, "outside the steps");
	/* a name that ends in the number says it */
	if (at->recorded != at->number &&
	    !(file.size && isdigit((unsigned char)file.at[file.size - 1])))
		snprintf(recorded, sizeof(recorded), ", recorded as %lld", (long long)at->recorded);
	snprintf(buffer, TFP_STEP_LABEL_ROOM, "step %lld%s%s%.*s", (long long)at->number, recorded,
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
	maker->cell = tfp_realloc_array(NULL, cells->count, sizeof(*maker->cell));
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
			uint32_t at = maker->first[step] + next[step]++;

			maker->node[at] = items[i].id;
			maker->cell[at] = cell;
		}
	}
	for (size_t step = 0; step < steps; step++)
		tfp_merge_order(&maker->merge, maker->node + maker->first[step],
				maker->first[step + 1] - maker->first[step]);
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

/* Ran in STEP what ran in the step whose rows are made? */
static bool is_made(const struct maker *maker, uint32_t step)
{
	const uint32_t *first = maker->first;
	uint32_t made = maker->made, count = first[step + 1] - first[step];

	return made != TFP_NONE && first[made + 1] - first[made] == count &&
	       memcmp(maker->node + first[made], maker->node + first[step],
		      count * sizeof(*maker->node)) == 0;
}

/* Are the rows made so far no more than what ran explains? */
static bool fits(const struct maker *maker)
{
	size_t most = FREE_ROWS + (size_t)MOST_DEEP * maker->profile->cells.count;

	if (maker->row + maker->scopes.rows.count <= most)
		return true;
	tfp_diag_error(maker->build->diag, "steps view: names are nested too deep");
	return false;
}

/* Makes the row of STEP and those below it. One step after another, for all of them at once are many. */
static bool make_rows(struct maker *maker, uint32_t step)
{
	struct tfp_scopes *scopes = &maker->scopes;

	if (is_made(maker, step))
		return fits(maker);
	maker->made = step;
	maker->made_row = maker->row;
	scopes->rows.count = scopes->nodes.count = 0;
	tfp_scopes_begin(scopes, TFP_NONE);
	for (uint32_t i = maker->first[step]; i < maker->first[step + 1]; i++) {
		if (i % POLL == 0 && tfp_job_cancelled(maker->build->job))
			return false;
		tfp_scopes_add(scopes, maker->node[i]);
		if (!fits(maker))
			return false;
	}
	return !maker->build->query->fold_siblings || tfp_scopes_fold(scopes, maker->build->job);
}

/* The step of the row at PLACE: what is outside all of them is behind them, and is last among equals. */
static uint32_t step_at(const struct maker *maker, uint32_t place)
{
	uint32_t outside = tfp_step_outside(maker->profile);

	if (place < outside)
		return place;
	return place + 1 < maker->profile->steps.count ? place + 1 : outside;
}

/* Calls TAKE for each step that has a row, its rows being made. */
static bool each_step(struct maker *maker, struct tfp_base *base,
		      bool (*take)(struct maker *maker, struct tfp_base *base, uint32_t step))
{
	maker->made = TFP_NONE;
	maker->row = 1;
	for (uint32_t place = 0; place < maker->profile->steps.count; place++) {
		uint32_t step = step_at(maker, place);

		if (!has_row(maker, step))
			continue;
		if (!make_rows(maker, step) || !take(maker, base, step))
			return false;
		maker->row += (uint32_t)maker->scopes.rows.count;
	}
	return true;
}

static bool count_rows(struct maker *maker, struct tfp_base *base, uint32_t step)
{
	(void)base;
	(void)step;
	return !tfp_job_cancelled(maker->build->job);
}

static void name_step(const struct maker *maker, struct tfp_base *base, uint32_t row, uint32_t step)
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

/* A step with the same rows before it has the same things: a look at the name is saved. */
static uint64_t thing_of(const struct maker *maker, const struct tfp_base *base, uint32_t row)
{
	if (maker->made_row != maker->row)
		return base->thing[maker->made_row + (row - maker->row)];
	return tfp_key_name(tfp_scopes_identity(&maker->scopes, base, row));
}

/* False when a match limit was reached. */
static bool fill_row(struct maker *maker, struct tfp_base *base, uint32_t row)
{
	uint64_t thing;

	tfp_scopes_fill(&maker->scopes, maker->build, base, row);
	thing = base->thing[row] = thing_of(maker, base, row);
	base->key[row] = tfp_key_below(base->key[maker->row],
				       (struct tfp_span){(const char *)&thing, sizeof(thing)});
	return tfp_scopes_account(&maker->scopes, maker->build, base, row, maker->scopes_count);
}

/* So many rows are made. False when the job was cancelled. */
static bool goes_on(struct tfp_job *job, uint64_t made)
{
	if (job)
		atomic_store_explicit(&job->made, made, memory_order_relaxed);
	return !tfp_job_cancelled(job);
}

/* The cells of the nodes of STEP are at hand from here on, or no longer. */
static void take_cells(const struct maker *maker, uint32_t step, bool taken)
{
	for (uint32_t i = maker->first[step]; i < maker->first[step + 1]; i++) {
		uint32_t cell = maker->cell[i];

		maker->its_cell[maker->profile->cells.node[cell]] = taken ? cell : TFP_NONE;
	}
}

static bool fill_step(struct maker *maker, struct tfp_base *base, uint32_t step)
{
	struct tfp_job *job = maker->build->job;
	uint32_t top = maker->row, end = top + (uint32_t)maker->scopes.rows.count;
	uint64_t before = job ? job->to_make - base->count : 0;

	maker->scopes.before = top;
	maker->build->step = base->step[top] = step;
	take_cells(maker, step, true);
	name_step(maker, base, top, step);
	if (maker->scopes.joins)
		tfp_scopes_take(&maker->scopes, maker->build, base, top);
	for (uint32_t row = top + 1; row < end; row++) {
		if ((row % POLL == 0 && !goes_on(job, before + row)) || !fill_row(maker, base, row))
			return false;
		base->step[row] = step;
	}
	take_cells(maker, step, false);
	return true;
}

/* Of several ranks the rows follow each other. */
static bool fill_base(struct maker *maker, struct tfp_base *base)
{
	struct tfp_job *job = maker->build->job;
	uint64_t before = job ? job->to_make : 0;

	base->step[0] = TFP_NONE;
	base->thing[0] = base->key[0];
	goes_on(job, before);
	if (job)
		job->to_make = before + base->count;
	return each_step(maker, base, fill_step) && goes_on(job, before + base->count);
}

static struct tfp_base *make_base(struct maker *maker)
{
	int scopes = tfp_account_type(&maker->build->account, TFP_SPAN(TFP_SCOPE_TYPE));
	size_t nodes = maker->profile->nodes.count * sizeof(*maker->its_cell);
	struct tfp_base *base;

	if (scopes < 0 || !tfp_merge_start(&maker->merge, maker->build) || !find_nodes(maker))
		return NULL;
	maker->scopes.forward = maker->merge.forward;
	maker->scopes.joins = maker->profile->trace != NULL;
	if (!each_step(maker, NULL, count_rows))
		return NULL;
	maker->scopes_count = scopes;
	maker->build->cell = maker->its_cell = memset(tfp_alloc(nodes), 0xff, nodes);
	base = tfp_base_new(&tfp_view_steps, maker->build, maker->row);
	tfp_base_add_sizes(base);
	tfp_base_add_steps(base);
	if (maker->scopes.joins)
		tfp_base_add_picks(base, maker->first[maker->profile->steps.count]);
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
	build->cell = NULL;
	free(maker.node);
	free(maker.cell);
	free(maker.first);
	free(maker.its_cell);
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
