/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdowns with a baseline. The same breakdown is made of each step compared with, or of the
 * other profile's row; rows are matched by label, those of call paths by all labels above them as
 * well.
 */
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/pane/breakdown.h"
#include "view/query/check.h"
#include "view/engine.h"
#include "view/compare/rowkeys.h"

#define MOST_LANES 1000 /* steps */
#define MOST_DEPTH 256  /* of a path told from others */

/* Rows of the answer by key, and what each lane has in their place. */
struct matching {
	struct tfp_breakdown *out;
	struct tfp_rowkeys keys;
	TFP_ARRAY(uint32_t) row; /* by number of a key */
	size_t lanes, lane;
	TFP_ARRAY(int64_t) value; /* [row * lanes + lane] */
	TFP_ARRAY(uint8_t) found; /* by row: some lane has it */
	bool cut;                 /* a lane does not tell all */
};

/* Keys of the labels above, for rows in preorder. */
struct path {
	uint64_t key[MOST_DEPTH];
};

static uint64_t key_of(struct path *path, const struct tfp_breakdown_row *row)
{
	uint32_t depth = row->depth < MOST_DEPTH ? row->depth : MOST_DEPTH - 1;
	uint64_t above = depth ? path->key[depth - 1] : 0;

	path->key[depth] = tfp_key_below(above, tfp_row_name(row));
	return path->key[depth];
}

/* Rows that stand for something by themselves. */
static size_t row_count(const struct tfp_breakdown *breakdown)
{
	return breakdown->count - (breakdown->others > 0);
}

static void add_row(struct matching *matching, uint64_t key, uint32_t row)
{
	if (tfp_rowkeys_add(&matching->keys, key) == matching->row.count)
		*tfp_array_push(&matching->row) = row;
	*tfp_array_push(&matching->found) = false;
	for (size_t i = 0; i < matching->lanes; i++)
		*tfp_array_push(&matching->value) = 0;
}

static int64_t sum_known(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : tfp_wrap_add(a, b);
}

/* Adds FROM to ROW, which has the same name: they are compared together. */
static void unite(struct tfp_breakdown *out, struct tfp_breakdown_row *row,
		  const struct tfp_breakdown_row *from)
{
	struct tfp_span name = tfp_row_name(row);

	row->label = tfp_arena_text(&out->arena, name.at, name.size);
	row->alike = 0;
	row->value = tfp_wrap_add(row->value, from->value);
	row->share = row->share < 0 || from->share < 0 ? -1 : row->share + from->share;
	row->runs = sum_known(row->runs, from->runs);
	row->defined = sum_known(row->defined, from->defined);
}

/* Rows that are told apart only by what is behind their names are one: others may not have them so. */
static void unite_alike(struct tfp_breakdown *out)
{
	size_t count = row_count(out), kept = 0;
	struct path path = {{0}};
	struct tfp_rowkeys keys;

	if (out->nested)
		return;
	tfp_rowkeys_start(&keys);
	for (size_t i = 0; i < count; i++) {
		uint32_t number = tfp_rowkeys_add(&keys, key_of(&path, &out->rows[i]));

		if (number < kept)
			unite(out, &out->rows[number], &out->rows[i]);
		else
			out->rows[kept++] = out->rows[i];
	}
	tfp_rowkeys_end(&keys);
	if (out->others)
		out->rows[kept] = out->rows[count];
	out->count = kept + (out->others > 0);
}

static void begin(struct matching *matching, struct tfp_breakdown *out, size_t lanes)
{
	struct path path = {{0}};

	*matching = (struct matching){.out = out, .lanes = lanes};
	tfp_rowkeys_start(&matching->keys);
	for (uint32_t row = 0; row < row_count(out); row++)
		add_row(matching, key_of(&path, &out->rows[row]), row);
}

/* A row that only the baseline has. Parts keep to those at hand, in whose order they stand. */
static uint32_t add_gone(struct matching *matching, uint64_t key,
			 const struct tfp_breakdown_row *from)
{
	struct tfp_breakdown *out = matching->out;
	uint32_t row = (uint32_t)out->count;

	if (out->others || out->nested)
		return TFP_NONE;
	add_row(matching, key, row);
	out->rows[out->count++] = (struct tfp_breakdown_row){
		.label = tfp_arena_text(&out->arena, from->label, strlen(from->label)),
		.runs = from->runs < 0 ? -1 : 0,
		.node = TFP_NONE,
	};
	return row;
}

static void make_room(struct tfp_breakdown *out, size_t more)
{
	struct tfp_breakdown_row *rows =
		tfp_arena_alloc(&out->arena, (out->count + more) * sizeof(*rows));

	if (out->count)
		memcpy(rows, out->rows, out->count * sizeof(*rows));
	out->rows = rows;
}

/* Takes the values of LANE, one of the breakdowns compared with. */
static void take_lane(struct matching *matching, const struct tfp_breakdown *lane)
{
	struct path path = {{0}};

	matching->cut |= lane->others > 0;
	make_room(matching->out, row_count(lane));
	for (uint32_t i = 0; i < row_count(lane); i++) {
		const struct tfp_breakdown_row *from = &lane->rows[i];
		uint64_t key = key_of(&path, from);
		uint32_t number = tfp_rowkeys_find(&matching->keys, key), row;
		int64_t *to;

		row = number == TFP_NONE ? add_gone(matching, key, from) : matching->row.at[number];
		if (row == TFP_NONE)
			continue;
		to = &matching->value.at[row * matching->lanes + matching->lane];
		*to = tfp_wrap_add(*to,
				   tfp_unit_convert(matching->out->unit, lane->unit, from->value));
		matching->found.at[row] = true;
	}
	matching->lane++;
}

/* ---- lanes --------------------------------------------------------------------------------- */

static bool take_steps(struct matching *matching, const struct tfp_break *asked,
		       const struct tfp_step_set *steps, struct tfp_job *job, struct tfp_diag *diag)
{
	for (size_t i = 0; i < steps->count; i++) {
		struct tfp_breakdown *lane = tfp_break_run(asked, steps->at[i], job, diag);

		if (!lane)
			return false;
		take_lane(matching, lane);
		tfp_breakdown_free(lane);
	}
	return true;
}

/* The row of THERE that stands for ROW of HERE; TFP_NONE. */
static uint32_t find_row(const struct tfp_base *here, uint32_t row, const struct tfp_base *there)
{
	uint32_t *match = tfp_base_match(here, there), found = TFP_NONE;

	for (uint32_t other = 0; other < there->count && found == TFP_NONE; other++)
		if (match[other] == row && there->flags[other] & TFP_ROW_KEPT)
			found = other;
	free(match);
	return found;
}

/* Takes the row's breakdown in the tree that THERE gives for QUERY. */
static bool take_tree(struct matching *matching, const struct tfp_break *asked,
		      struct tfp_engine *there, struct tfp_query *query, struct tfp_job *job,
		      struct tfp_diag *diag)
{
	const struct tfp_base *base = asked->tree->base;
	uint32_t metric = tfp_profile_find_metric(there->profile, base->metrics[asked->metric].key),
		 row;
	struct tfp_breakdown *lane = NULL;
	struct tfp_tree *tree;

	query->zoom = NULL;
	tree = tfp_engine_run(there, query, job, diag);
	if (!tree)
		return false;
	row = find_row(base, asked->row, tree->base);
	if (row != TFP_NONE && metric != TFP_NONE)
		lane = tfp_engine_breakdown(there, tree, row, asked->kind, metric, job, diag);
	if (lane && tfp_unit_fits(matching->out->unit, lane->unit))
		take_lane(matching, lane);
	else
		matching->lane++;
	tfp_breakdown_free(lane);
	tfp_tree_release(tree);
	return !tfp_job_cancelled(job);
}

static bool take_other(struct matching *matching, const struct tfp_break *asked,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_query query;
	struct tfp_engine *there =
		tfp_baseline_other(asked->engine, &asked->tree->query, &query, diag);

	return there && take_tree(matching, asked, there, &query, job, diag);
}

/* Each in a tree of its own: ranks, and steps where rows are of the step at hand, as gaps are. */
static bool take_trees(struct matching *matching, const struct tfp_break *asked,
		       const struct tfp_others *others, struct tfp_job *job, struct tfp_diag *diag)
{
	bool done = true;

	for (size_t i = 0; i < others->count && done; i++) {
		struct tfp_query query = tfp_others_query(&asked->tree->query, others, i);

		query.order_by = NULL;
		done = take_tree(matching, asked, asked->engine, &query, job, diag);
	}
	/* what comes next is about the events that the tree at hand is of again */
	return tfp_window_set(&asked->engine->window, asked->engine->profile, &asked->tree->query,
			      job) &&
	       done;
}

/* ---- the answer ---------------------------------------------------------------------------- */

static enum tfp_side side_of(const struct matching *matching, size_t row, int64_t baseline)
{
	int64_t value = matching->out->rows[row].value;

	if (!matching->found.at[row])
		return matching->cut ? TFP_SIDE_NONE : TFP_SIDE_HERE;
	if (!value == !baseline)
		return TFP_SIDE_BOTH;
	return value ? TFP_SIDE_HERE : TFP_SIDE_THERE;
}

static void fill_rows(struct matching *matching, enum tfp_baseline_kind kind)
{
	for (size_t i = 0; i < matching->found.count; i++) {
		struct tfp_breakdown_row *row = &matching->out->rows[i];
		int64_t *values = matching->value.at + i * matching->lanes;
		int64_t baseline = tfp_baseline_fold(kind, values, matching->lanes);

		row->side = side_of(matching, i, baseline);
		row->baseline = baseline;
		row->difference = (int64_t)((uint64_t)row->value - (uint64_t)baseline);
	}
}

/* What differs most upwards first, what does not differ last; then the largest. */
static int compare_rows(const void *left, const void *right)
{
	const struct tfp_breakdown_row *a = left, *b = right;

	if (!a->difference != !b->difference)
		return !a->difference ? 1 : -1;
	if (a->difference != b->difference)
		return a->difference > b->difference ? -1 : 1;
	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return strcmp(a->label, b->label);
}

/* What a breakdown is compared with: others, or where there are none another file. */
struct lanes {
	struct tfp_others others;
	struct tfp_step_set steps; /* in the tree at hand; none: in a tree of each other */
};

static struct lanes find_lanes(const struct tfp_break *asked, const struct tfp_baseline *baseline,
			       uint32_t step)
{
	const struct tfp_profile *profile = asked->engine->profile;
	struct lanes lanes = {
		.others = tfp_others_find(profile, &asked->tree->query, baseline),
	};

	if (lanes.others.ranks && asked->tree->base->step && step < profile->steps.count)
		tfp_others_keep(&lanes.others, profile, step);
	if (!lanes.others.ranks && !asked->tree->base->idle)
		lanes.steps = tfp_baseline_steps(profile, baseline, step);
	return lanes;
}

static bool take_lanes(struct matching *matching, const struct tfp_break *asked,
		       const struct lanes *lanes, struct tfp_job *job, struct tfp_diag *diag)
{
	if (lanes->steps.count)
		return take_steps(matching, asked, &lanes->steps, job, diag);
	if (lanes->others.count)
		return take_trees(matching, asked, &lanes->others, job, diag);
	return take_other(matching, asked, job, diag);
}

static size_t count_lanes(const struct lanes *lanes)
{
	if (lanes->steps.count)
		return lanes->steps.count;
	return lanes->others.count ? lanes->others.count : 1;
}

/* All steps together, as the root of the steps view is, are compared with no step. */
static bool is_comparable(const struct lanes *lanes, const struct tfp_baseline *baseline,
			  uint32_t step)
{
	if (baseline->kind == TFP_BASELINE_FILE)
		return true;
	if (!lanes->steps.count && !lanes->others.count)
		return false;
	return count_lanes(lanes) <= MOST_LANES && (step != TFP_STEP_EACH || lanes->others.ranks);
}

static bool compare(const struct tfp_break *asked, const struct lanes *lanes,
		    enum tfp_baseline_kind kind, struct tfp_breakdown *out, struct tfp_job *job,
		    struct tfp_diag *diag)
{
	struct matching matching;
	bool done;

	unite_alike(out);
	begin(&matching, out, count_lanes(lanes));
	done = take_lanes(&matching, asked, lanes, job, diag);
	if (done) {
		fill_rows(&matching, kind);
		out->compared = true;
	}
	if (done && !out->nested && matching.found.count)
		qsort(out->rows, matching.found.count, sizeof(*out->rows), compare_rows);
	tfp_rowkeys_end(&matching.keys);
	tfp_array_free(&matching.row);
	tfp_array_free(&matching.value);
	tfp_array_free(&matching.found);
	return done;
}

bool tfp_break_compare(const struct tfp_break *asked, uint32_t step, struct tfp_breakdown *out,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_baseline baseline;
	struct lanes lanes;
	bool done = true;

	if (!tfp_baseline_parse(asked->tree->query.baseline, &baseline, diag))
		return false;
	lanes = find_lanes(asked, &baseline, step);
	if (is_comparable(&lanes, &baseline, step))
		done = compare(asked, &lanes, baseline.kind, out, job, diag);
	free(lanes.steps.at);
	free(lanes.others.number);
	return done;
}
