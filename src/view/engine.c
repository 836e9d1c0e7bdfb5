/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: a profile, the bases built of it, and the run of a query. Bases are what is dear; the last
 * few are kept, so that a change of filter, order or minimum does not build one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/query/check.h"
#include "view/engine.h"
#include "view/group/names.h"
#include "view/group/signature.h"
#include "view/trace/coverage.h"
#include "view/trace/lengths.h"
#include "view/trace/strips.h"
#include "view/trace/spread.h"
#include "view/trace/union.h"
#include "view/query/words.h"

#define CACHED_BYTES ((size_t)1 << 30) /* of bases kept, if there is more than one */
#define ORDER_ROOM   64

struct tfp_engine *tfp_engine_new(struct tfp_profile *profile)
{
	struct tfp_engine *engine = tfp_alloc_zero(1, sizeof(*engine));

	engine->profile = profile;
	return engine;
}

static void drop_base(struct tfp_cached_base *cached)
{
	if (!cached->base)
		return;
	tfp_base_release(cached->base);
	tfp_query_free(&cached->query);
	*cached = (struct tfp_cached_base){0};
}

/* What was made of the profile for queries. */
static void drop_caches(struct tfp_engine *engine)
{
	for (size_t i = 0; i < TFP_CACHED_BASES; i++)
		drop_base(&engine->bases[i]);
	free(engine->name_order);
	engine->name_order = NULL;
	free(engine->origins);
	engine->origins = NULL;
	if (engine->signatures)
		tfp_signatures_end(engine->signatures);
	free(engine->signatures);
	engine->signatures = NULL;
	tfp_strips_free(engine->strips);
	engine->strips = NULL;
	tfp_window_end(&engine->window, engine->profile);
}

const struct tfp_trace *tfp_engine_trace(const struct tfp_engine *engine)
{
	return engine->window.whole ? engine->window.whole : engine->profile->trace;
}

void tfp_engine_free(struct tfp_engine *engine)
{
	if (!engine)
		return;
	drop_caches(engine);
	for (size_t i = 0; i < engine->others.count; i++) {
		free(engine->others.at[i].text);
		tfp_engine_free(engine->others.at[i].engine);
	}
	tfp_array_free(&engine->others);
	tfp_profile_free(engine->profile);
	free(engine);
}

void tfp_engine_add_baseline(struct tfp_engine *engine, const char *text, struct tfp_engine *other)
{
	*tfp_array_push(&engine->others) = (struct tfp_other){tfp_strdup(text), other, false};
}

static struct tfp_other *find_other(const struct tfp_engine *engine, const char *text)
{
	for (size_t i = 0; i < engine->others.count; i++)
		if (strcmp(engine->others.at[i].text, text) == 0)
			return &engine->others.at[i];
	return NULL;
}

struct tfp_engine *tfp_engine_other(const struct tfp_engine *engine, const char *text)
{
	const struct tfp_other *other = find_other(engine, text);

	return other ? other->engine : NULL;
}

void tfp_engine_compares_itself(struct tfp_engine *engine, const char *text)
{
	struct tfp_other *other = find_other(engine, text);

	if (other)
		other->itself = true;
}

bool tfp_engine_is_itself(const struct tfp_engine *engine, const char *text)
{
	const struct tfp_other *other = find_other(engine, text);

	return other && other->itself;
}

bool tfp_engine_has_baseline(const struct tfp_engine *engine, const char *text)
{
	return tfp_engine_other(engine, text) != NULL;
}

struct tfp_profile *tfp_engine_profile(struct tfp_engine *engine)
{
	return engine->profile;
}

const uint32_t *tfp_engine_name_order(struct tfp_engine *engine, struct tfp_job *job)
{
	const struct tfp_profile *profile = engine->profile;
	uint32_t count = profile->nodes.count;
	struct tfp_named *items;

	if (engine->name_order)
		return engine->name_order;
	items = tfp_realloc_array(NULL, count, sizeof(*items));
	for (uint32_t i = 0; i < count; i++) {
		items[i].name = tfp_strings_get(profile->strings, profile->nodes.name[i]);
		items[i].id = i;
	}
	if (tfp_names_sort(items, count, TFP_NAMES_BYTEWISE, job)) {
		engine->name_order = tfp_realloc_array(NULL, count, sizeof(uint32_t));
		for (uint32_t i = 0; i < count; i++)
			engine->name_order[i] = items[i].id;
	}
	free(items);
	return engine->name_order;
}

/* ---- building ----------------------------------------------------------------------------------- */

static unsigned parts_of(const struct tfp_query *query, const struct tfp_profile *profile)
{
	unsigned parts = query->shape && *query->shape ? TFP_PART_EDGES | TFP_PART_SHAPES : 0;

	for (uint32_t i = 0; i < profile->metric_count; i++)
		if (profile->metrics[i].origin == TFP_FROM_SHAPE &&
		    tfp_query_uses(query, profile, i))
			parts |= TFP_PART_SHAPES;
	/* Shapes of variables cost nothing. */
	return profile->has_scopes ? parts | TFP_PART_SHAPES : parts;
}

bool tfp_build_begin(struct tfp_build *build, struct tfp_engine *engine,
		     const struct tfp_query *query, unsigned parts, struct tfp_job *job,
		     struct tfp_diag *diag)
{
	struct tfp_profile *profile = engine->profile;
	const struct tfp_view *view;

	*build = (struct tfp_build){
		.engine = engine,
		.profile = profile,
		.query = query,
		.job = job,
		.diag = diag,
		.step = TFP_STEP_MEAN,
		.quirks = query->compat ? TFP_QUIRKS_TF : 0,
	};
	if (query->step >= 0)
		build->step = tfp_profile_find_step(profile, query->step);
	if (!tfp_window_set(&engine->window, profile, query, job))
		return false;
	if (!tfp_profile_need(profile, parts | parts_of(query, profile), job, diag))
		return false;
	if (!tfp_account_init(&build->account, profile, query, diag))
		return false;
	view = tfp_query_view(query, profile);
	if (engine->window.whole && !(view && view->rules->held))
		tfp_account_need_runs(&build->account);
	return true;
}

void tfp_build_end(struct tfp_build *build)
{
	tfp_account_free(&build->account);
}

struct tfp_base *tfp_build_base(struct tfp_engine *engine, const struct tfp_query *query,
				unsigned parts, struct tfp_base *(*make)(struct tfp_build *build),
				struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_base *base;
	struct tfp_build build;

	if (!tfp_build_begin(&build, engine, query, parts, job, diag))
		return NULL;
	base = make(&build);
	tfp_build_end(&build);
	return base;
}

/* ---- bases kept --------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Of the options that VIEW uses (enum tfp_use), those that QUERY asks for. */
static unsigned shaping(const struct tfp_query *query, const struct tfp_view *view)
{
	unsigned asked = (query->merge_gradients ? TFP_USES_MERGE : 0) |
			 (query->fold_siblings ? TFP_USES_FOLD : 0) |
			 (query->fold_library ? TFP_USES_LIBRARY : 0) |
			 (query->consumers ? TFP_USES_CONSUMERS : 0) |
			 (query->links ? TFP_USES_LINKS : 0) |
			 (query->modules ? TFP_USES_MODULES : 0);

	return asked & view->rules->uses;
}

/* Are the same frames left out of call paths? No text at all means none, which is not the usual. */
static bool same_libraries(const struct tfp_query *a, const struct tfp_query *b,
			   const struct tfp_view *view)
{
	return !(shaping(a, view) & TFP_USES_LIBRARY) ||
	       (!a->library_paths == !b->library_paths &&
		same_text(a->library_paths, b->library_paths));
}

/* Would A and B build the same base in VIEW? */
static bool same_base(const struct tfp_query *a, const struct tfp_query *b,
		      const struct tfp_view *view)
{
	bool same_step = a->step == b->step || (a->step < 0 && b->step < 0);

	return same_step && a->at == b->at && a->range_from == b->range_from &&
	       a->range_to == b->range_to && a->rank == b->rank && a->compat == b->compat &&
	       a->forgiving == b->forgiving && shaping(a, view) == shaping(b, view) &&
	       a->deep == b->deep && (!a->deep || a->flat == b->flat) &&
	       tfp_words_equal(a->lists[TFP_ACCOUNT], b->lists[TFP_ACCOUNT]) &&
	       same_text(a->text[TFP_ACCOUNT], b->text[TFP_ACCOUNT]) &&
	       same_text(a->shape, b->shape) && same_text(a->baseline, b->baseline) &&
	       same_text(a->allocator, b->allocator) && same_libraries(a, b, view);
}

/* Has BASE what its baseline is looked at for? */
static bool has_baseline(const struct tfp_base *base, const struct tfp_query *query)
{
	return !base->baseline_total || base->baseline_self ||
	       !tfp_baseline_needs_self(query, base->view);
}

/* Are metrics of single events asked for? */
static bool wants_spread(const struct tfp_engine *engine, const struct tfp_view *view,
			 const struct tfp_query *query)
{
	return engine->profile->trace && tfp_spread_wanted(query, view, engine->profile);
}

static struct tfp_base *find_base(struct tfp_engine *engine, const struct tfp_view *view,
				  const struct tfp_query *query)
{
	bool shapes = parts_of(query, engine->profile) & TFP_PART_SHAPES;
	bool spread = wants_spread(engine, view, query);

	for (size_t i = 0; i < TFP_CACHED_BASES; i++) {
		struct tfp_cached_base *cached = &engine->bases[i];

		if (cached->base && cached->base->view == view && cached->base->shapes >= shapes &&
		    cached->base->spread >= spread && same_base(&cached->query, query, view) &&
		    has_baseline(cached->base, query)) {
			cached->used = ++engine->clock;
			return tfp_base_hold(cached->base);
		}
	}
	return NULL;
}

/* A free place; the base used longest ago makes room when there is none, or when bases grow too large. */
static struct tfp_cached_base *make_place(struct tfp_engine *engine, size_t bytes)
{
	for (;;) {
		struct tfp_cached_base *oldest = NULL, *unused = NULL;
		size_t used = bytes;

		for (size_t i = 0; i < TFP_CACHED_BASES; i++) {
			struct tfp_cached_base *cached = &engine->bases[i];

			if (!cached->base) {
				unused = cached;
				continue;
			}
			used += cached->base->arena.bytes;
			if (!oldest || cached->used < oldest->used)
				oldest = cached;
		}
		if (unused && (used <= CACHED_BYTES || !oldest))
			return unused;
		drop_base(oldest);
	}
}

static void keep_base(struct tfp_engine *engine, const struct tfp_query *query,
		      struct tfp_base *base)
{
	struct tfp_cached_base *place = make_place(engine, base->arena.bytes);

	place->base = tfp_base_hold(base);
	place->used = ++engine->clock;
	tfp_query_copy(&place->query, query);
}

/* What is found from the events themselves. */
static bool add_events(struct tfp_engine *engine, struct tfp_base *base,
		       const struct tfp_query *query, struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_profile *profile = engine->profile;
	uint32_t step = tfp_base_step(base, profile, query);
	struct tfp_account account;
	bool whole;

	tfp_base_lengths(base, profile);
	if (!tfp_account_init(&account, profile, query, diag))
		return false;
	whole = account.all;
	tfp_account_free(&account);
	return tfp_base_unite(base, profile, step, job) &&
	       tfp_base_spread(base, profile, step, wants_spread(engine, base->view, query), whole,
			       job);
}

struct tfp_base *tfp_engine_build(struct tfp_engine *engine, const struct tfp_view *view,
				  const struct tfp_query *query, struct tfp_job *job,
				  struct tfp_diag *diag)
{
	/* how much has a call stack is part of every total of a recording */
	unsigned int parts = view->parts | (engine->profile->trace ? TFP_PART_STACKS : 0);
	struct tfp_base *base = tfp_build_base(engine, query, parts, view->build, job, diag);

	if (base && base->traced && !view->text)
		base->coverage = tfp_coverage_of(engine->profile,
						 tfp_base_step(base, engine->profile, query));
	if (!base || !engine->profile->trace || add_events(engine, base, query, job, diag))
		return base;
	tfp_base_release(base);
	return NULL;
}

struct tfp_base *tfp_engine_base(struct tfp_engine *engine, const struct tfp_view *view,
				 const struct tfp_query *query, struct tfp_job *job,
				 struct tfp_diag *diag)
{
	struct tfp_base *base = find_base(engine, view, query);

	if (base)
		return base;
	base = tfp_engine_build(engine, view, query, job, diag);
	if (base)
		keep_base(engine, query, base);
	return base;
}

/* The same with the columns of the query's baseline, if it has one. */
static struct tfp_base *compared_base(struct tfp_engine *engine, const struct tfp_view *view,
				      const struct tfp_query *query, struct tfp_job *job,
				      struct tfp_diag *diag)
{
	struct tfp_query plain = *query;
	struct tfp_base *base, *compared;

	if (!query->baseline || !*query->baseline || view->text)
		return tfp_engine_base(engine, view, query, job, diag);
	plain.baseline = NULL;
	compared = find_base(engine, view, query);
	if (compared)
		return compared;
	base = tfp_engine_base(engine, view, &plain, job, diag);
	if (!base)
		return NULL;
	compared = tfp_base_compare(engine, base, query, job, diag);
	tfp_base_release(base);
	if (compared)
		keep_base(engine, query, compared);
	return compared;
}

/* Of sentences all are shown, in their order. */
static void clear_filters(struct tfp_query *query)
{
	static const char *everything[] = {".*"};

	for (int list = 0; list < TFP_LISTS; list++) {
		bool takes = list == TFP_TRIM || list == TFP_HIDE;

		query->lists[list] =
			takes ? (struct tfp_words){0} : (struct tfp_words){everything, 1};
		query->text[list] = NULL;
	}
	query->minimum_count = 0;
	query->max_depth = INT32_MAX;
	query->order_by = "";
	query->zoom = query->shape = query->baseline = NULL;
	query->flat = query->reverse = query->account_displayed_op_only = false;
}

/* Has QUERY an order that makes sense where rows are about the metric that leads VIEW? */
static bool is_by_such(const struct tfp_profile *profile, const struct tfp_query *query,
		       const struct tfp_view *view)
{
	uint32_t metric, lead = tfp_profile_find_metric(profile, view->leads);

	if (!query->order_by)
		return false;
	metric = tfp_profile_find_metric(profile, tfp_order_key(query->order_by));
	return metric == TFP_NONE || lead == TFP_NONE ||
	       profile->metrics[metric].unit == profile->metrics[lead].unit;
}

/* The order of QUERY by the metric that leads VIEW: by its difference, or ratio, where that is asked for of another. In ROOM. */
static const char *order_by_lead(const struct tfp_query *query, const struct tfp_view *view,
				 char room[ORDER_ROOM])
{
	static const char *const compared[] = {"difference:", "ratio:", "baseline:"};
	bool has_baseline = query->baseline && *query->baseline;

	for (size_t i = 0; has_baseline && query->order_by && i < 3; i++) {
		if (strncmp(query->order_by, compared[i], strlen(compared[i])) != 0)
			continue;
		snprintf(room, ORDER_ROOM, "%s%s", compared[i], view->leads);
		return room;
	}
	return view->leads;
}

/* What asked for a tree stays with it, although it was not heeded. */
static void keep_query(struct tfp_tree *tree, const struct tfp_query *query)
{
	tfp_query_free(&tree->query);
	tfp_query_copy(&tree->query, query);
	tree->query.view = tree->base->view->name;
	tree->query.flat = false;
}

/* The screen says so where it is asked for; a report has no other place for it. */
static void note_refused(const struct tfp_query *query, const struct tfp_view *view,
			 struct tfp_diag *diag)
{
	const char *refused = tfp_baseline_refused(view);

	if (query->forgiving && query->baseline && *query->baseline && refused)
		tfp_diag_note(diag, "--baseline=%s: %s", query->baseline, refused);
}

/* So it is with why there are no rows, or none with a figure. */
static void note_empty(const struct tfp_tree *tree, const struct tfp_query *query,
		       const struct tfp_profile *profile, struct tfp_diag *diag)
{
	bool shaped = query->shape && *query->shape;
	bool part = query->step >= 0 || query->rank >= 0 || query->range_to > query->range_from;

	if (!query->forgiving || query->compat || tree->base->view->text)
		return;
	if (tfp_query_is_beyond(query, profile))
		tfp_diag_note(diag, "--range begins behind the end of the recording");
	else if (tree->shown_count)
		return;
	else if (tree->deep_count && query->max_depth > 1)
		tfp_diag_note(diag,
			      "no row passes the filters up to --max_depth=%lld, which counts what "
			      "they hide, too; --max_depth=all goes on",
			      (long long)query->max_depth);
	else if (!tree->deep_count && (tree->base->count > 1 || shaped))
		tfp_diag_note(diag, "no row passes the filters");
	else if (!tree->deep_count && part)
		tfp_diag_note(diag, "nothing is there for this view in the step, rank or range of "
				    "time that is chosen");
}

/* Nor is there one for what has nothing to differ from. */
static void note_itself(const struct tfp_tree *tree, const struct tfp_query *query,
			struct tfp_diag *diag)
{
	if (query->forgiving && tree->baseline && tree->base->of_itself)
		tfp_diag_note(diag, "--baseline=%s: that is what is shown, compared with itself",
			      query->baseline);
}

/* Nor for a step that is asked for where all of them have rows, which other views show alone. */
static void note_every_step(const struct tfp_tree *tree, const struct tfp_query *query,
			    struct tfp_diag *diag)
{
	if (query->forgiving && query->step >= 0 && tree->base->view->of_steps)
		tfp_diag_note(diag, "--step=%lld: the %s view has all steps, and sums of all",
			      (long long)query->step, tree->base->view->name);
}

struct tfp_tree *tfp_engine_run(struct tfp_engine *engine, const struct tfp_query *query,
				struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_query full = *query; /* borrows the texts */
	const struct tfp_view *view;
	struct tfp_base *base;
	struct tfp_tree *tree;
	char order[ORDER_ROOM];

	if (!tfp_query_check(query, engine->profile, diag) ||
	    !tfp_window_set(&engine->window, engine->profile, query, job))
		return NULL;
	view = tfp_query_view(query, engine->profile);
	full.view = view->name;
	full.deep = view->rules->list && (query->deep || query->flat);
	if (!view->leads)
		full.at = -1;
	else if (!is_by_such(engine->profile, query, view))
		full.order_by = order_by_lead(query, view, order);
	note_refused(query, view, diag);
	if (view->text)
		clear_filters(&full);
	full.flat |= view->listing;
	if (view->rules->drawn) {
		full.order_by = "";
		full.baseline = NULL;
		full.flat = full.reverse = false;
	}
	base = compared_base(engine, view, &full, job, diag);
	if (!base)
		return NULL;
	tree = tfp_tree_make(engine, base, &full, job, diag);
	tfp_base_release(base);
	if (tree && (view->text || view->rules->drawn))
		keep_query(tree, query);
	if (tree) {
		note_itself(tree, query, diag);
		note_every_step(tree, query, diag);
		note_empty(tree, query, engine->profile, diag);
	}
	return tree;
}
