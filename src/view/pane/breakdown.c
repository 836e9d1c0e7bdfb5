/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drill-down pane's content: the kinds there are, the nodes behind a row, and groups of nodes
 * as rows.
 */
#include <stdlib.h>
#include <string.h>

#include "view/pane/behind.h"
#include "view/views/code.h"
#include "view/pane/curve.h"
#include "view/engine.h"
#include "view/group/gradient.h"

/* ---- nodes behind a row ---------------------------------------------------------------------- */

bool tfp_work_stopped(const struct tfp_work *work, size_t position)
{
	return position % 4096 == 0 && tfp_job_cancelled(work->build.job);
}

/*
 * Does what ROW has of its own belong to the row broken down, which it is or is below? In a list
 * every row stands for itself, and the root for all that are shown.
 */
static bool belongs(const struct tfp_work *work, uint32_t row)
{
	const struct tfp_tree *tree = work->tree;

	if (row == work->row)
		return true;
	return tfp_tree_passes(tree, row) && (!tree->query.flat || work->row == tree->root);
}

static void take_node(struct tfp_work *work, uint32_t node)
{
	if (work->seen && work->seen[node])
		return;
	if (work->seen)
		work->seen[node] = true;
	*tfp_array_push(&work->nodes) = node;
}

static void take_row(struct tfp_work *work, uint32_t row)
{
	const struct tfp_base *base = work->tree->base;

	if (base->picks) {
		for (uint32_t i = base->pick_first[row]; i < base->pick_first[row + 1]; i++)
			take_node(work, base->picks[i]);
	} else if (base->node[row] != TFP_NONE && base->flags[row] & TFP_ROW_ACCOUNTED) {
		take_node(work, base->node[row]);
	}
}

/* By stack: does it hold the function of STACK? */
static uint8_t *find_function(const struct tfp_profile *profile, uint32_t stack)
{
	const struct tfp_frame *wanted = &profile->frames.at[profile->stacks.at[stack].frame];
	uint8_t *on_path = tfp_alloc_zero(profile->stacks.count, 1);

	for (size_t i = 0; i < profile->stacks.count; i++) {
		const struct tfp_stack *at = &profile->stacks.at[i];
		const struct tfp_frame *frame = &profile->frames.at[at->frame];

		on_path[i] = (frame->function == wanted->function && frame->file == wanted->file) ||
			     (at->parent != TFP_NONE && on_path[at->parent]);
	}
	return on_path;
}

/* A function's row stands for what ran below the function, whatever row that has; in a list for itself. */
static bool find_callees(struct tfp_work *work)
{
	const struct tfp_base *base = work->tree->base;
	uint8_t *on_path = find_function(work->build.profile, base->stack[work->row]);

	for (uint32_t i = 0; i < base->pick_first[base->count]; i++) {
		bool gradient;
		uint32_t stack = tfp_gradient_stack(work->build.profile, base->picks[i], &gradient);

		if (tfp_work_stopped(work, i)) {
			free(on_path);
			return false;
		}
		if (stack != TFP_NONE && on_path[stack])
			*tfp_array_push(&work->nodes) = base->picks[i];
	}
	free(on_path);
	return true;
}

int64_t tfp_work_rest(const struct tfp_work *work)
{
	const struct tfp_base *base = work->tree->base;
	int64_t rest = 0;

	for (uint32_t row = work->row; base->bounds && row < base->end[work->row]; row++)
		if (base->node[row] == TFP_NONE && belongs(work, row))
			rest = tfp_wrap_add(rest, tfp_tree_self(work->tree, row, work->metric));
	return rest;
}

/* The nodes behind the row into work->nodes. False when cancelled. */
static bool find_nodes(struct tfp_work *work)
{
	const struct tfp_base *base = work->tree->base;

	if (base->track)
		return tfp_behind_nodes(work);
	if (base->view == &tfp_view_functions && base->stack[work->row] != TFP_NONE &&
	    !work->tree->query.flat)
		return find_callees(work);
	for (uint32_t row = work->row; row < base->end[work->row]; row++) {
		if (tfp_work_stopped(work, row))
			return false;
		if (belongs(work, row))
			take_row(work, row);
	}
	return true;
}

/* What NODE measured in all steps together: the root of the steps view is their sum. */
static void sum_steps(const struct tfp_work *work, uint32_t node, int64_t *values)
{
	const struct tfp_profile *profile = work->build.profile;
	uint32_t cell = profile->nodes.cell[node];

	memset(values, 0, profile->metric_count * sizeof(*values));
	for (; cell != TFP_NONE; cell = profile->cells.older[cell]) {
		int64_t of_step[TFP_MAX_METRICS];

		tfp_profile_values(profile, node, profile->cells.step[cell], work->build.quirks,
				   of_step);
		for (uint32_t i = 0; i < profile->metric_count; i++) {
			if (profile->metrics[i].kind != TFP_MAX)
				values[i] = tfp_wrap_add(values[i], of_step[i]);
			else if (values[i] < of_step[i])
				values[i] = of_step[i];
		}
	}
}

int tfp_work_times(struct tfp_work *work, uint32_t node)
{
	struct tfp_account *account = &work->build.account;

	return work->tree->base->picks && !account->all ? tfp_account_node(account, node) : 1;
}

void tfp_work_values(struct tfp_work *work, uint32_t node, int64_t *values)
{
	struct tfp_build *build = &work->build;
	int times;

	if (work->of_events) {
		memset(values, 0, build->profile->metric_count * sizeof(*values));
		memcpy(values, work->of_events + (size_t)node * TFP_TRACE_FLOPS,
		       TFP_TRACE_FLOPS * sizeof(*values));
		return;
	}
	if (build->step == TFP_STEP_EACH) {
		sum_steps(work, node, values);
		return;
	}
	tfp_profile_values(build->profile, node, build->step, build->quirks, values);
	if (work->tree->base->curve)
		values[tfp_curve_metric(build->profile)] = work->tree->base->curve->held[node];
	times = tfp_work_times(work, node);
	for (uint32_t i = 0; times > 1 && i < build->profile->metric_count; i++)
		values[i] = tfp_wrap_mul(values[i], times);
}

/* ---- groups and rows ------------------------------------------------------------------------- */

void tfp_group_add(struct tfp_group *group, const struct tfp_work *work, uint32_t node,
		   const int64_t *values)
{
	int64_t value = values[work->metric];

	if (!group->nodes || value > group->best_value) {
		group->best = node;
		group->best_value = value;
	}
	group->nodes++;
	group->value = tfp_wrap_add(group->value, value);
	if (work->runs != TFP_NONE)
		group->runs = tfp_wrap_add(group->runs, values[work->runs]);
}

void tfp_group_merge(struct tfp_group *group, const struct tfp_group *other)
{
	if (other->nodes && (!group->nodes || other->best_value > group->best_value)) {
		group->best = other->best;
		group->best_value = other->best_value;
	}
	group->nodes += other->nodes;
	group->value = tfp_wrap_add(group->value, other->value);
	group->runs = tfp_wrap_add(group->runs, other->runs);
}

struct tfp_breakdown_row *tfp_work_row(struct tfp_work *work, const struct tfp_group *group,
				       const char *label)
{
	struct tfp_breakdown_row *row = &work->out->rows[work->out->count++];
	bool known = work->whole > 0 && !work->out->absent;

	*row = (struct tfp_breakdown_row){
		.label = label,
		.value = group->value,
		.share = known ? (double)group->value / (double)work->whole : -1,
		.runs = work->runs == TFP_NONE ? -1 : group->runs,
		.defined = group->nodes,
		.node = group->nodes ? group->best : TFP_NONE,
	};
	return row;
}

void tfp_work_others(struct tfp_work *work, const struct tfp_group *groups,
		     const struct tfp_rank *items, size_t count)
{
	struct tfp_group others = {0};

	for (size_t i = 0; i < count; i++)
		tfp_group_merge(&others, &groups[items[i].id]);
	tfp_work_row(work, &others, tfp_arena_printf(&work->out->arena, "%zu others", count));
	work->out->others = count;
}

void tfp_work_rows(struct tfp_work *work, const struct tfp_group *groups, const tfp_str *label,
		   size_t count)
{
	struct tfp_rank *items = tfp_realloc_array(NULL, count, sizeof(*items));
	size_t most;

	for (size_t i = 0; i < count; i++)
		items[i] = (struct tfp_rank){groups[i].value, (uint32_t)i};
	most = tfp_rank_largest(items, count);
	work->out->rows = tfp_arena_alloc(&work->out->arena, (most + 1) * sizeof(*work->out->rows));
	for (size_t i = 0; i < most; i++)
		tfp_work_row(work, &groups[items[i].id],
			     tfp_strings_text(work->build.profile->strings, label[items[i].id]))
			->group = items[i].id;
	if (count > most)
		tfp_work_others(work, groups, items + most, count - most);
	free(items);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const char *shapes_missing(const struct tfp_profile *profile)
{
	return profile->tensorflow || profile->nodes.signature ? NULL
							       : "This format has no input shapes";
}

static const char *devices_missing(const struct tfp_profile *profile)
{
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		if (profile->nodes.device[node])
			return NULL;
	return profile->tensorflow ? "No device is known; add the run metadata of a traced step"
				   : "This format names no devices";
}

static const char *steps_missing(const struct tfp_profile *profile)
{
	if (profile->given.rows.count)
		return "A printed report does not tell steps apart";
	if (!profile->trace && profile->steps.count)
		return NULL;
	return tfp_view_steps.missing(profile);
}

static const char *users_missing(const struct tfp_profile *profile)
{
	return tfp_view_graph.missing(profile);
}

static const char *attributes_missing(const struct tfp_profile *profile)
{
	if (tfp_profile_has_attributes(profile))
		return NULL;
	return profile->tensorflow ? "No attributes; add the graph"
				   : "This format has no attributes";
}

static const char *values_missing(const struct tfp_profile *profile)
{
	return profile->tensors.count ? NULL : "No values; add --checkpoint_path=PREFIX";
}

static const char *meanwhile_missing(const struct tfp_profile *profile)
{
	return tfp_view_idle.missing(profile);
}

static const char *runs_missing(const struct tfp_profile *profile)
{
	return profile->trace ? NULL : "No single events in these files; traces have them";
}

static const char *kernels_missing(const struct tfp_profile *profile)
{
	if (!profile->trace || profile->trace->device_events)
		return runs_missing(profile);
	return "Nothing ran on a device in this recording";
}

static const struct {
	const char *name;
	unsigned parts;
	const char *(*missing)(const struct tfp_profile *profile);
	bool (*fill)(struct tfp_work *work);
	bool rare; /* where it is missing, nobody misses it */
} kinds[TFP_BREAKDOWN_KINDS] = {
	[TFP_BREAKDOWN_SHAPE] = {"op+shape", TFP_PART_EDGES | TFP_PART_SHAPES, shapes_missing,
				 tfp_break_shapes, false},
	[TFP_BREAKDOWN_NODES] = {"nodes", 0, NULL, tfp_break_nodes, false},
	[TFP_BREAKDOWN_SOURCE] = {"source", TFP_PART_STACKS, tfp_code_missing, tfp_break_source,
				  false},
	[TFP_BREAKDOWN_DEVICE] = {"device", 0, devices_missing, tfp_break_devices, false},
	[TFP_BREAKDOWN_STEPS] = {"steps", 0, steps_missing, tfp_break_steps, false},
	[TFP_BREAKDOWN_USERS] = {"used by", TFP_PART_EDGES, users_missing, tfp_break_users, false},
	[TFP_BREAKDOWN_ATTRIBUTES] = {"attributes", 0, attributes_missing, tfp_break_attributes,
				      false},
	[TFP_BREAKDOWN_VALUES] = {"values", 0, values_missing, tfp_break_values, true},
	[TFP_BREAKDOWN_KERNELS] = {"kernels", 0, kernels_missing, tfp_break_kernels, true},
	[TFP_BREAKDOWN_RUNS] = {"runs", 0, runs_missing, tfp_break_runs, true},
	[TFP_BREAKDOWN_MEANWHILE] = {"meanwhile", 0, meanwhile_missing, tfp_break_meanwhile, true},
};

struct tfp_breakdown_info tfp_breakdown_about(const struct tfp_profile *profile,
					      enum tfp_breakdown_kind kind)
{
	const char *missing = kinds[kind].missing ? kinds[kind].missing(profile) : NULL;

	if (missing && profile->share)
		missing = "nothing in what is read so far";
	return (struct tfp_breakdown_info){kinds[kind].name, missing, kinds[kind].rare};
}

/* The metric that is the column of run counts as it stands. */
static uint32_t find_runs(const struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < profile->metric_count; i++)
		if (profile->metrics[i].origin == TFP_FROM_CELLS &&
		    profile->metrics[i].column == profile->runs_column)
			return i;
	return TFP_NONE;
}

/* Others say what a row is, not how much. */
static bool has_figures(enum tfp_breakdown_kind kind)
{
	return kind != TFP_BREAKDOWN_ATTRIBUTES && kind != TFP_BREAKDOWN_VALUES &&
	       kind != TFP_BREAKDOWN_RUNS;
}

/* Is TREE of a view whose rows are compared, but not what they are broken down into? */
static bool is_left_alone(const struct tfp_tree *tree)
{
	return tree->base->curve && tree->query.baseline && *tree->query.baseline;
}

static struct tfp_breakdown *run(struct tfp_work *work, enum tfp_breakdown_kind kind)
{
	struct tfp_breakdown *out = tfp_alloc_zero(1, sizeof(*out));
	const struct tfp_metric *metric = &work->tree->base->metrics[work->metric];

	work->out = out;
	work->runs = find_runs(work->build.profile);
	work->whole = tfp_tree_total(work->tree, work->row, work->metric);
	out->kind = kind;
	out->texts = !has_figures(kind);
	out->unit = metric->unit;
	out->absent = metric->absent;
	out->counted = work->build.profile->tensorflow || work->build.profile->trace;
	out->note = tfp_breakdown_about(work->build.profile, kind).missing;
	if (work->tree->base->curve && kind == TFP_BREAKDOWN_STEPS)
		out->note = "this is one time of one step";
	if (work->tree->base->track && kind == TFP_BREAKDOWN_STEPS)
		out->note = "steps are told by the scope view, and S chooses one";
	if (!out->note && !(find_nodes(work) && kinds[kind].fill(work))) {
		tfp_breakdown_free(out);
		out = NULL;
	} else if (!out->note && is_left_alone(work->tree) && has_figures(kind)) {
		out->note = "not compared here: the baseline is in the columns of the tree";
	}
	tfp_array_free(&work->nodes);
	return out;
}

struct tfp_breakdown *tfp_break_run(const struct tfp_break *asked, uint32_t step,
				    struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_base *base = asked->tree->base;
	struct tfp_query query = asked->tree->query; /* borrows the texts */
	bool unites = base->metrics[asked->metric].kind == TFP_UNION;
	struct tfp_work work = {
		.tree = asked->tree,
		.row = asked->row,
		/* Parts of a time in which anything runs overlap: they are told by how long each ran. */
		.metric = unites ? (uint32_t)TFP_TRACE_DEVICE : asked->metric,
	};
	unsigned parts = kinds[asked->kind].parts;
	struct tfp_breakdown *out;

	if (base->metrics[asked->metric].origin == TFP_FROM_SHAPE)
		parts |= TFP_PART_SHAPES;
	if (tfp_tree_rank(asked->tree, asked->row) >= 0)
		query.rank = tfp_tree_rank(asked->tree, asked->row);
	if (!tfp_build_begin(&work.build, asked->engine, &query, parts, job, diag))
		return NULL;
	if ((step != TFP_STEP_MEAN || asked->kind == TFP_BREAKDOWN_STEPS) &&
	    !tfp_window_set_steps(&asked->engine->window, asked->engine->profile, &query, job)) {
		tfp_build_end(&work.build);
		return NULL;
	}
	work.build.step = step;
	if (step == TFP_STEP_EACH || base->rank)
		work.seen = tfp_alloc_zero(work.build.profile->nodes.count, sizeof(*work.seen));
	out = run(&work, asked->kind);
	free(work.seen);
	free(work.of_events);
	tfp_build_end(&work.build);
	return out;
}

/* The step that ROW of TREE is about. */
static uint32_t step_of(const struct tfp_engine *engine, const struct tfp_tree *tree, uint32_t row)
{
	if (tree->base->step)
		return tree->base->step[row] == TFP_NONE ? TFP_STEP_EACH : tree->base->step[row];
	return tfp_base_step(tree->base, engine->profile, &tree->query);
}

struct tfp_breakdown *tfp_engine_breakdown(struct tfp_engine *engine, const struct tfp_tree *tree,
					   uint32_t row, enum tfp_breakdown_kind kind,
					   uint32_t lead_metric, struct tfp_job *job,
					   struct tfp_diag *diag)
{
	uint32_t place = tfp_base_place(tree->base, row);
	struct tfp_break asked = {engine, tree, place, kind, lead_metric};
	uint32_t step = step_of(engine, tree, place);
	struct tfp_breakdown *out = tfp_break_run(&asked, step, job, diag);
	bool missing = tfp_breakdown_about(engine->profile, kind).missing != NULL;

	/* What is live then is known of the tree's own step alone. */
	if (!out || !tree->baseline || missing || tree->base->curve ||
	    tree->base->baseline_absent >> lead_metric & 1 || kind == TFP_BREAKDOWN_STEPS ||
	    !has_figures(kind))
		return out;
	if (tfp_break_compare(&asked, step, out, job, diag))
		return out;
	tfp_breakdown_free(out);
	return NULL;
}

void tfp_breakdown_free(struct tfp_breakdown *breakdown)
{
	if (!breakdown)
		return;
	tfp_arena_free(&breakdown->arena);
	free(breakdown);
}
