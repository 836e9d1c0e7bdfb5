/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary view: what was read, what stands out in it, how much of the time is explained, what
 * is missing. Its rows are lines of text; those about a row of another view lead there.
 */
#include "view/views/overview.h"

#include <string.h>

#include "view/views/findings.h"
#include "view/query/line.h"

#define MOST_FILES 8 /* that are listed one by one, */
#define FEW_FILES  3 /* and of more than that */
#define MOST_STEPS 8

uint32_t tfp_outline_add(struct tfp_outline *outline, uint32_t parent, const char *text,
			 struct tfp_target target)
{
	*tfp_array_push(&outline->rows) =
		(struct tfp_outline_row){text, parent, target, {-1, -1}, 0};
	return (uint32_t)outline->rows.count - 1;
}

struct tfp_target tfp_outline_view(const char *view)
{
	return (struct tfp_target){view, tfp_key_below(0, TFP_SPAN(TFP_ROOT_LABEL))};
}

static void add(struct tfp_outline *outline, uint32_t parent, const char *text, const char *view)
{
	tfp_outline_add(outline, parent, text,
			view ? tfp_outline_view(view) : (struct tfp_target){NULL, 0});
}

/* ---- what was read --------------------------------------------------------------------------- */

/* The end of PATH is what tells files apart: its name and the folder that it is in. */
static const char *short_path(const char *path)
{
	const char *last = strrchr(path, '/'), *at = last;

	while (at && at > path && at[-1] != '/')
		at--;
	if (last && at == last)
		return path;
	return at ? at : path;
}

static void add_file(struct tfp_outline *outline, uint32_t parent, const struct tfp_file *file)
{
	char size[TFP_NUMBER_ROOM];

	strcpy(size, "empty");
	if (file->disk_size)
		tfp_number_screen(size, TFP_BYTES, (int64_t)file->disk_size);
	add(outline, parent,
	    tfp_arena_printf(&outline->arena, "%-12s %9s  %s", file->kind, size,
			     short_path(file->path)),
	    NULL);
}

/* In a recording what has no figure is a mark, a counter or a call that is drawn, and no op. */
static bool is_counted(const struct tfp_profile *profile, uint32_t node)
{
	uint16_t flags = profile->nodes.flags[node];

	if (profile->trace && (profile->nodes.cell[node] == TFP_NONE ||
			       (flags & TFP_NODE_UNSCOPED && !profile->nodes.op[node])))
		return false;
	return !(flags & TFP_NODE_HELD);
}

static void add_nodes(struct tfp_outline *outline, uint32_t parent)
{
	const struct tfp_profile *profile = outline->build->profile;
	char nodes[TFP_NUMBER_ROOM], ran[TFP_NUMBER_ROOM];
	uint32_t run = 0, count = 0;

	for (uint32_t i = 0; i < profile->nodes.count; i++) {
		run += profile->nodes.cell[i] != TFP_NONE;
		count += is_counted(profile, i);
	}
	tfp_number_exact(nodes, count);
	tfp_number_exact(ran, run);
	if (!profile->tensorflow)
		add(outline, parent,
		    tfp_arena_printf(&outline->arena, "%s %s%s", nodes, tfp_node_word(profile),
				     count == 1 ? "" : "s"),
		    profile->has_scopes ? "scope" : NULL);
	else
		add(outline, parent,
		    tfp_arena_printf(&outline->arena, "%s nodes, of which %s ran", nodes, ran),
		    "scope");
}

/* "2 steps: 0 2", the first few of them; "2 steps, runs of jit_f: 0 1" where nobody called them so. */
static void add_steps(struct tfp_outline *outline, uint32_t parent)
{
	const struct tfp_profile *profile = outline->build->profile;
	uint32_t outside = tfp_step_outside(profile);
	size_t count = profile->steps.count - (outside != TFP_NONE), shown = 0;
	struct tfp_line line = {.arena = &outline->arena};

	if (!count || tfp_view_steps.missing(profile))
		return;
	tfp_line_add(&line, "", tfp_number_count(line.arena, (int64_t)count, "step"));
	if (profile->steps_by)
		tfp_line_add(&line, profile->steps_between ? " by " : ", runs of ",
			     tfp_strings_text(profile->strings, profile->steps_by));
	tfp_line_add(&line, "", ":");
	for (size_t i = 0; i < profile->steps.count && shown < MOST_STEPS; i++)
		if (i != outside && ++shown)
			tfp_line_add(&line, " ",
				     tfp_arena_printf(line.arena, "%lld",
						      (long long)profile->steps.at[i].number));
	tfp_line_add(&line, "", count > MOST_STEPS ? " and more" : "");
	add(outline, parent, line.text, "steps");
}

static void add_read(struct tfp_outline *outline)
{
	const struct tfp_profile *profile = outline->build->profile;
	uint32_t section = tfp_outline_add(outline, 0, "read", (struct tfp_target){NULL, 0});
	size_t count = profile->files.count, listed = count > MOST_FILES ? FEW_FILES : count;

	for (size_t i = 0; i < listed; i++)
		add_file(outline, section, &profile->files.at[i]);
	if (listed < count)
		add(outline, section,
		    tfp_arena_printf(&outline->arena, "and %zu more files", count - listed), NULL);
	add_nodes(outline, section);
	add_steps(outline, section);
	if (profile->has_model)
		add(outline, section,
		    "functions and who calls them, signatures, collections, variables", "model");
}

/* While the rest is being read. */
static void add_share(struct tfp_outline *outline)
{
	double percent = 100 * outline->build->profile->share;

	if (percent <= 0)
		return;
	add(outline, 0,
	    tfp_arena_printf(&outline->arena,
			     "so far: what is said here is of %.*f%% of the files; the rest is "
			     "being read",
			     percent < 1, percent),
	    NULL);
	add(outline, 0, "what stands out, and what is missing, is told then", NULL);
}

/* "findings in all steps of rank 1 in the range of time": a step alone has none of its own. */
static const char *findings_title(struct tfp_outline *outline)
{
	const struct tfp_build *build = outline->build;
	const struct tfp_trace *trace = build->profile->trace;
	const char *title = build->step == TFP_STEP_MEAN ? "findings" : "findings in all steps";

	if (trace && build->query->rank >= 0)
		title = tfp_arena_printf(&outline->arena, "%s of rank %lld", title,
					 (long long)build->query->rank);
	if (trace && tfp_trace_is_ranged(trace))
		title = tfp_arena_printf(&outline->arena, "%s in the range of time", title);
	return title;
}

static void add_findings(struct tfp_outline *outline)
{
	struct tfp_finding findings[TFP_MAX_FINDINGS];
	size_t count = tfp_findings_list(outline->build->profile, &outline->arena, findings);
	uint32_t section;

	if (!count)
		return;
	section =
		tfp_outline_add(outline, 0, findings_title(outline), (struct tfp_target){NULL, 0});
	for (size_t i = 0; i < count; i++) {
		uint32_t row =
			tfp_outline_add(outline, section, findings[i].text, findings[i].target);

		outline->rows.at[row].contrast = findings[i].contrast;
	}
}

/* Of METRIC all that was measured: a printed report says itself what that is. */
static int64_t measured(const struct tfp_profile *profile, uint32_t step, uint32_t metric)
{
	int64_t sum = 0, values[TFP_MAX_METRICS];

	if (profile->given.rows.count)
		return profile->given.figures.at[2 * (size_t)metric + 1].value;
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		tfp_profile_values(profile, node, step, 0, values);
		sum = tfp_wrap_add(sum, values[metric]);
	}
	return sum;
}

/* What other formats measured: their sample types with their sums. */
static void add_measured(struct tfp_outline *outline)
{
	const struct tfp_profile *profile = outline->build->profile;
	uint32_t section = tfp_outline_add(outline, 0, "measured", (struct tfp_target){NULL, 0});

	for (uint32_t metric = 0; metric < profile->metric_count; metric++) {
		char text[TFP_NUMBER_ROOM];

		if (profile->given.rows.count && !(profile->given.rows.at[0].figures >> metric & 1))
			continue;
		tfp_number_screen(text, profile->metrics[metric].unit,
				  measured(profile, outline->build->step, metric));
		add(outline, section,
		    tfp_arena_printf(&outline->arena, "%s: %s in all", profile->metrics[metric].key,
				     text),
		    NULL);
	}
}

/* The views of what has neither scopes nor ops. */
static void add_views(struct tfp_outline *outline)
{
	static const struct {
		const struct tfp_view *view;
		const char *about;
	} views[] = {
		{&tfp_view_printed, "the rows, with the figures as they were printed"},
		{&tfp_view_functions, "functions, whatever called them: self and total"},
		{&tfp_view_code, "call paths; t ranks the lines by what they took themselves"},
	};
	uint32_t section = tfp_outline_add(outline, 0, "views", (struct tfp_target){NULL, 0});

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (!views[i].view->missing(outline->build->profile))
			add(outline, section,
			    tfp_arena_printf(&outline->arena, "%c %s", views[i].view->digit,
					     views[i].about),
			    views[i].view->name);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void fill_row(const struct tfp_outline *outline, struct tfp_base *base, uint32_t row)
{
	const struct tfp_outline_row *from = &outline->rows.at[row];
	char place[32];

	base->parent[row] = from->parent;
	base->name[row] = tfp_strings_add_text(outline->build->profile->strings, from->text);
	base->target[row] = from->target;
	base->contrast[row] = from->contrast;
	if (from->place)
		base->target[row] = (struct tfp_target){base->view->name, base->key[from->place]};
	base->flags[row] = TFP_ROW_ACCOUNTED | TFP_ROW_LEAF;
	/* Lines of code may be alike. */
	snprintf(place, sizeof(place), "%u", row);
	base->key[row] =
		tfp_key_below(tfp_key_below(base->key[from->parent], tfp_span_of(from->text)),
			      tfp_span_of(place));
}

struct tfp_base *tfp_outline_base(const struct tfp_outline *outline, const struct tfp_view *view,
				  const char *title)
{
	struct tfp_base *base = tfp_base_new(view, outline->build, (uint32_t)outline->rows.count);

	base->target = tfp_arena_zero(&base->arena, base->count, sizeof(*base->target));
	base->contrast = tfp_arena_zero(&base->arena, base->count, sizeof(*base->contrast));
	base->name[0] = tfp_strings_add_text(outline->build->profile->strings, title);
	base->key[0] = tfp_key_below(0, tfp_span_of(title));
	for (uint32_t row = 1; row < base->count; row++)
		fill_row(outline, base, row);
	tfp_base_sum(base, false);
	return base;
}

static struct tfp_base *build_summary(struct tfp_build *build)
{
	struct tfp_outline outline = {.build = build};
	const struct tfp_profile *profile = build->profile;
	unsigned parts = profile->has_graph ? TFP_PART_EDGES | TFP_PART_SHAPES
			 : profile->has_scopes
				 ? TFP_PART_SHAPES | (profile->trace ? TFP_PART_STACKS : 0)
				 : 0;
	struct tfp_base *base = NULL;

	if (!tfp_profile_need(build->profile, parts, build->job, build->diag))
		return NULL;
	tfp_outline_add(&outline, TFP_NONE, "", (struct tfp_target){NULL, 0});
	add_share(&outline);
	add_findings(&outline);
	add_read(&outline);
	if (profile->tensorflow) {
		tfp_outline_coverage(&outline);
	} else if (profile->trace) {
		tfp_outline_trace(&outline);
	} else {
		add_measured(&outline);
		if (!profile->has_scopes)
			add_views(&outline);
	}
	if (!profile->share) /* it may come */
		tfp_outline_missing(&outline);
	if (!tfp_job_cancelled(build->job))
		base = tfp_outline_base(&outline, &tfp_view_summary, "summary");
	tfp_array_free(&outline.rows);
	tfp_arena_free(&outline.arena);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	(void)profile;
	return NULL;
}

static const struct tfp_view_rules rules = {
	.natural = true,
};

const struct tfp_view tfp_view_summary = {
	.name = "summary",
	.title = "summary",
	.about = "what was read, what stands out in it, and what is missing",
	.example = "summary",
	.digit = '0',
	.missing = missing,
	.build = build_summary,
	.rules = &rules,
	.text = true,
};
