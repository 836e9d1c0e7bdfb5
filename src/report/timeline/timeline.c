/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output "timeline": a trace for Chrome's and Perfetto's viewers. Of a tree it shows totals as a
 * flame graph, each level a process of its own; of the graph view, what ran when.
 */
#include "report/timeline/timeline.h"

#include <sys/stat.h>

#include "report/listing.h"
#include "report/outputs.h"

#define SCOPE "scope" /* the type of what is no op */

/* ---- flame graph of a tree ------------------------------------------------------------------- */

/* A row whose children are being written: where the next one begins, where the row ends, in units of the metric. */
struct span {
	int64_t next, end;
};

struct flame {
	const struct tfp_profile *profile;
	const struct tfp_tree *tree;
	uint32_t metric;
	int64_t unit; /* of the metric in one us */
	const char
		*measure; /* of a recording's scopes: of what the times are, and ops have types */
	struct tfp_events events;
	TFP_ARRAY(struct span) spans; /* by depth: the rows above the one in hand, then that one */
	uint32_t levels;              /* that have a process */
};

/* TensorFlow's own timelines have the name once more in place of the type. */
static struct tfp_span type_of(const struct flame *flame, uint32_t row)
{
	const struct tfp_base *base = flame->tree->base;
	uint32_t node = base->node[row];

	if (!flame->measure)
		return tfp_base_label(base, row);
	/* a row may stand for several nodes of its name */
	if (node == TFP_NONE && base->pick_first &&
	    base->pick_first[row] < base->pick_first[row + 1])
		node = base->picks[base->pick_first[row]];
	if (node == TFP_NONE || !flame->profile->nodes.op[node])
		return TFP_SPAN(SCOPE);
	return tfp_strings_get(flame->profile->strings, flame->profile->nodes.op[node]);
}

static void name_level(struct flame *flame, uint32_t depth)
{
	char level[TFP_NUMBER_ROOM];

	if (depth != flame->levels)
		return;
	flame->levels++;
	snprintf(level, sizeof(level), flame->measure ? "%u of %s" : "%u", depth, flame->measure);
	tfp_events_process(&flame->events, depth, "Scope:", tfp_span_of(level), "");
}

/*
 * False when the row takes no time, which is then true of all below it. Both ends are rounded, and not how long it is, so that
 * what is in a scope has the scope's time.
 */
static bool write_row(struct flame *flame, const struct tfp_table_row *row)
{
	int64_t time = tfp_tree_total(flame->tree, row->row, flame->metric), start = 0, micros;
	struct tfp_event_place place = {.pid = row->depth};

	if (row->depth) {
		struct span *above = &flame->spans.at[row->depth - 1];
		int64_t left = above->end - above->next;

		start = above->next;
		time = time < left ? time : left; /* sums of parts may be larger than the whole */
		if (time <= 0)
			return false;
		above->next += time;
	}
	place.time = start / flame->unit;
	micros = (start + time) / flame->unit - place.time;
	if (row->depth && !micros)
		return false;
	flame->spans.count = row->depth;
	*tfp_array_push(&flame->spans) = (struct span){start, start + time};
	name_level(flame, row->depth);
	tfp_events_region(&flame->events, &place, micros,
			  tfp_base_label(flame->tree->base, row->row), type_of(flame, row->row));
	return true;
}

static bool write_flame(struct tfp_writer *writer, void *data)
{
	struct flame *flame = data;
	struct tfp_listing listing;
	struct tfp_table_row row;

	tfp_events_begin(&flame->events, writer);
	tfp_listing_start(&listing, flame->tree);
	while (tfp_listing_next(&listing, &row))
		if (!write_row(flame, &row))
			tfp_listing_skip(&listing, &row);
	tfp_listing_free(&listing);
	tfp_array_free(&flame->spans);
	tfp_events_end(&flame->events);
	return true;
}

/* How much of METRIC is one us; 0: it is no time. */
static int64_t unit_of(const struct tfp_metric *metric)
{
	static const int64_t units[] = {
		[TFP_MICROS] = 1, [TFP_NANOS] = 1000, [TFP_PICOS] = 1000000};

	return metric->unit < sizeof(units) / sizeof(*units) ? units[metric->unit] : 0;
}

/* Is there something at PATH that is no regular file? Each step is written to it then: beside a device there is room for none. */
static bool is_special(const char *path)
{
	struct stat status;

	return !stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* The name of the file of STEP, one of SEVERAL files. In ARENA. */
static char *path_of(struct tfp_arena *arena, const struct tfp_output *output,
		     const struct tfp_query *query, const char *step, bool several)
{
	const char *name = tfp_path_name(output->outfile), *dot;

	if (!query->compat && is_special(output->outfile))
		return tfp_arena_text(arena, output->outfile, strlen(output->outfile));
	if (!output->as_named)
		return tfp_arena_printf(arena, "%s_%s", output->outfile, step);
	if (!several)
		return tfp_arena_text(arena, output->outfile, strlen(output->outfile));
	dot = *name ? strchr(name + 1, '.') : NULL;
	if (!dot)
		dot = name + strlen(name);
	return tfp_arena_printf(arena, "%.*s_%s%s", (int)(dot - output->outfile), output->outfile,
				step, dot);
}

static const char *step_text(struct tfp_arena *arena, int64_t step)
{
	return tfp_arena_printf(arena, "%lld", (long long)(step < 0 ? -1 : step));
}

static bool is_by_step(const struct tfp_query *query)
{
	return query->step < 0 && !strcmp(query->view, "graph");
}

struct tfp_words tfp_timeline_paths(const struct tfp_output *output, const struct tfp_query *query,
				    struct tfp_words steps, struct tfp_arena *arena)
{
	const char *step = step_text(arena, query->step);
	struct tfp_words list = is_by_step(query) ? steps : (struct tfp_words){&step, 1}, paths;

	paths.at = tfp_arena_zero(arena, list.count + 1, sizeof(*paths.at));
	for (paths.count = 0; paths.count < list.count; paths.count++)
		paths.at[paths.count] =
			path_of(arena, output, query, list.at[paths.count], list.count > 1);
	return paths;
}

static bool flame_graph(const struct tfp_output_task *task)
{
	const struct tfp_profile *profile = tfp_engine_profile(task->engine);
	struct flame flame = {.profile = profile,
			      .metric = profile->tensorflow ? (uint32_t)TFP_TF_MICROS
							    : profile->default_metric};
	struct tfp_tree *tree;
	struct tfp_arena arena = {0};
	bool done;

	flame.unit = unit_of(&profile->metrics[flame.metric]);
	if (!flame.unit) {
		tfp_diag_error(task->diag, "a timeline needs times, and this profile measures %s",
			       profile->metrics[flame.metric].label);
		return false;
	}
	if (profile->trace && !strcmp(task->query->view, "scope"))
		flame.measure = profile->metrics[flame.metric].label;
	tree = tfp_engine_run(task->engine, task->query, task->job, task->diag);
	if (!tree)
		return false;
	flame.tree = tree;
	done = tfp_output_file(task,
			       path_of(&arena, task->output, task->query,
				       step_text(&arena, task->query->step), false),
			       "timeline", write_flame, &flame);
	tfp_arena_free(&arena);
	tfp_tree_release(tree);
	return done;
}

/* ---- what ran when --------------------------------------------------------------------------- */

struct run {
	const struct tfp_output_task *task;
	const struct tfp_tree *tree;
	uint32_t step;
};

static bool write_run(struct tfp_writer *writer, void *data)
{
	const struct run *run = data;

	return tfp_timeline_graph(writer, run->tree, tfp_engine_profile(run->task->engine),
				  run->step, run->task->out, run->task->diag);
}

/* The file of one step, by its index. */
static bool graph_step(const struct tfp_output_task *task, uint32_t step)
{
	const struct tfp_profile *profile = tfp_engine_profile(task->engine);
	struct run run = {.task = task, .step = step};
	struct tfp_arena arena = {0};
	struct tfp_tree *tree;
	struct tfp_query query;
	bool done = false;

	tfp_query_copy(&query, task->query);
	query.step = profile->steps.at[step].number;
	tree = tfp_engine_run(task->engine, &query, task->job, task->diag);
	if (tree) {
		run.tree = tree;
		done = tfp_output_file(task,
				       path_of(&arena, task->output, task->query,
					       step_text(&arena, query.step),
					       profile->steps.count > 1 && is_by_step(task->query)),
				       "timeline", write_run, &run);
		tfp_tree_release(tree);
	}
	tfp_query_free(&query);
	tfp_arena_free(&arena);
	return done;
}

/* One file for the step asked for, or one for each. */
static bool graph_steps(const struct tfp_output_task *task)
{
	struct tfp_profile *profile = tfp_engine_profile(task->engine);
	unsigned parts = TFP_PART_EXECS | TFP_PART_EDGES | TFP_PART_ALLOCS;
	bool done = true;

	if (!tfp_query_check(task->query, profile, task->diag) ||
	    !tfp_profile_need(profile, parts, task->job, task->diag))
		return false;
	if (!profile->steps.count) {
		tfp_diag_error(task->diag,
			       "the graph view's timeline shows what ran, and no file says so; add "
			       "run metadata");
		return false;
	}
	if (task->query->step >= 0)
		return graph_step(task, tfp_profile_find_step(profile, task->query->step));
	for (uint32_t step = 0; step < profile->steps.count && done; step++)
		done = graph_step(task, step);
	return done;
}

static const struct {
	const char *view;
	bool (*write)(const struct tfp_output_task *task);
} views[] = {{"scope", flame_graph}, {"graph", graph_steps}, {"code", flame_graph}};

#define VIEWS (sizeof(views) / sizeof(*views))

bool tfp_timeline_fits(const struct tfp_base *base)
{
	size_t i = 0;

	while (i < VIEWS && strcmp(views[i].view, base->view->name) != 0)
		i++;
	return i < VIEWS;
}

bool tfp_timeline_write(const struct tfp_output_task *task)
{
	for (size_t i = 0; i < VIEWS; i++)
		if (!strcmp(views[i].view, task->query->view))
			return views[i].write(task);
	tfp_diag_error(task->diag, "the %s view has no timeline; scope, graph and code have one",
		       task->query->view);
	return false;
}
