/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of output that there are. To add one: its row, and its function.
 */
#include "report/outputs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The file that errors name; NULL: what is written goes to standard output. */
static const char *file_of(const struct tfp_output_task *task)
{
	const char *file = task->output->outfile;

	return strcmp(file, TFP_STANDARD_OUTPUT) != 0 ? file : NULL;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The metrics that select names, at most ROOM, in its order. */
static size_t selected_metrics(const struct tfp_output_task *task, uint32_t *metrics, size_t room)
{
	const struct tfp_profile *profile = tfp_engine_profile(task->engine);
	const char *words[TFP_MAX_METRICS];
	size_t count = tfp_query_selected(task->query, profile, words, TFP_MAX_METRICS), found = 0;

	for (size_t i = 0; i < count && i < TFP_MAX_METRICS; i++) {
		uint32_t metric = tfp_profile_find_metric(profile, words[i]);

		if (metric != TFP_NONE && found < room)
			metrics[found++] = metric;
	}
	return found;
}

static bool has_total(const struct tfp_table *table, uint32_t metric)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].metric == metric &&
		    (table->columns[i].kind == TFP_COLUMN_TOTAL ||
		     table->columns[i].kind == TFP_COLUMN_RUNS))
			return true;
	return false;
}

/*
 * The columns that were chosen; where none were, those that come with the first metric of select, whose words are sorted,
 * and a total of each other one.
 */
static void fill_columns(const struct tfp_output_task *task, struct tfp_table *table,
			 struct tfp_column *columns)
{
	const struct tfp_tree *tree = table->tree;
	const char *choice = task->query->choices[tfp_view_index(tree->base->view)];
	uint32_t metrics[TFP_MAX_METRICS];
	size_t count = selected_metrics(task, metrics, TFP_MAX_METRICS);
	uint32_t lead = count ? metrics[0] : tfp_engine_profile(task->engine)->default_metric;

	table->columns = columns;
	table->column_count = tfp_columns(tree, lead, choice, columns, TFP_MAX_COLUMNS);
	tfp_columns_tell(tree, lead, choice, task->diag);
	for (size_t i = 1; i < count && !(choice && *choice); i++)
		if (table->column_count < TFP_MAX_COLUMNS && !has_total(table, metrics[i]))
			columns[table->column_count++] =
				(struct tfp_column){.kind = TFP_COLUMN_TOTAL,
						    .metric = metrics[i],
						    .title = tree->base->metrics[metrics[i]].title};
}

static bool fill_table(const struct tfp_output_task *task, const struct tfp_tree *tree)
{
	struct tfp_out_file *file = tfp_output_begin(task, task->output->outfile);
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct tfp_table table = {.tree = tree, .path = file_of(task), .job = task->job};
	struct tfp_table_row *rows;
	bool done;

	if (!file)
		return false;
	if (!tree->base->view->text) /* lines of text have no figures */
		fill_columns(task, &table, columns);
	table.rows = rows = tfp_table_all(tree, tree->order_metric, tree->reverse, &table.count);
	done = tfp_table_write(tfp_output_stream(file), &table, task->output->kind->format,
			       task->diag);
	tfp_array_release(rows);
	return tfp_output_close(file, done, task->diag) && done;
}

/* A table for programs says what made it: the query, wherever it went. */
static struct tfp_tree *run_for_table(const struct tfp_output_task *task)
{
	struct tfp_tree *tree;
	struct tfp_query query;

	tfp_query_copy(&query, task->query);
	query.output = "";
	tree = tfp_engine_run(task->engine, &query, task->job, task->diag);
	tfp_query_free(&query);
	return tree;
}

/* What the report says in front of its rows. A table has no place for it. */
static void note_steps(const struct tfp_output_task *task, const struct tfp_tree *tree)
{
	struct tfp_arena arena = {0};
	const char *steps =
		tree->baseline
			? tfp_baseline_steps_text(tree, tfp_engine_profile(task->engine), &arena)
			: NULL;

	if (steps)
		tfp_diag_note(
			task->diag,
			"--baseline=%s: difference and ratio are to the total of the baseline "
			"%s",
			tree->query.baseline, steps);
	tfp_arena_free(&arena);
}

static bool write_table(const struct tfp_output_task *task)
{
	struct tfp_tree *tree = run_for_table(task);
	bool done = tree && fill_table(task, tree);

	if (done)
		note_steps(task, tree);
	tfp_tree_release(tree);
	return done;
}

/* ---- reports --------------------------------------------------------------------------------- */

static struct tfp_tree *run(const struct tfp_output_task *task)
{
	return tfp_engine_run(task->engine, task->query, task->job, task->diag);
}

/* The report of a list is its table, without the folder: dates and words have no place in a report of rows. */
static bool put_list(const struct tfp_output_task *task, const struct tfp_tree *tree, FILE *out,
		     const char *path)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct tfp_table table = {.tree = tree, .path = path, .job = task->job, .apart = true};
	struct tfp_table_row *rows =
		tfp_table_all(tree, tree->order_metric, tree->reverse, &table.count);
	bool done;

	fill_columns(task, &table, columns);
	table.rows = rows + 1;
	table.count--;
	done = tfp_table_write(out, &table, TFP_TABLE_TXT, task->diag);
	tfp_array_release(rows);
	return done;
}

static bool put_report(const struct tfp_output_task *task, const struct tfp_tree *tree, FILE *out,
		       const char *path)
{
	if (tree->base->view->listing)
		return put_list(task, tree, out, path);
	return tfp_report_text(out, path, tree, task->engine, isatty(fileno(out)), task->job,
			       task->diag);
}

static bool write_report(const struct tfp_output_task *task, FILE *out, const char *path)
{
	struct tfp_tree *tree = run(task);
	bool done = tree && put_report(task, tree, out, path);

	tfp_tree_release(tree);
	return done;
}

static bool write_stdout(const struct tfp_output_task *task)
{
	bool done = write_report(task, task->out, NULL);

	if (done && fflush(task->out)) {
		tfp_diag_error(task->diag, "the report could not be written: %s", strerror(errno));
		return false;
	}
	return done;
}

static bool write_file(const struct tfp_output_task *task)
{
	struct tfp_out_file *file = tfp_output_begin(task, task->output->outfile);
	bool done = file && write_report(task, tfp_output_stream(file), file_of(task));

	return file && tfp_output_close(file, done, task->diag) && done;
}

/* The query is still checked. */
static bool write_none(const struct tfp_output_task *task)
{
	struct tfp_tree *tree = run(task);

	tfp_tree_release(tree);
	return tree != NULL;
}

/* ---- the table of kinds ---------------------------------------------------------------------- */

#define TABLE(format_) .table = true, .format = (format_), .write = write_table

const struct tfp_output_kind tfp_output_kinds[] = {
	{"csv", NULL, "outfile", ".csv", "the rows as comma-separated values, plain numbers",
	 TABLE(TFP_TABLE_CSV)},
	{"file", "report", "outfile", ".report", "the report, as on standard output",
	 .write = write_file},
	{"json", NULL, "outfile", ".json", "the rows as JSON, plain numbers",
	 TABLE(TFP_TABLE_JSON)},
	{"md", NULL, "outfile", ".md .markdown", "the rows as a table of Markdown",
	 TABLE(TFP_TABLE_MD)},
	{"none", NULL, NULL, NULL, "nothing; the options are still checked", .write = write_none},
	{"pprof", "pprof profile", "outfile", ".pprof .pprof.gz .pb.gz",
	 "code view of TensorFlow, one metric: a profile for the pprof tool", .one_metric = true,
	 .fits = tfp_pprof_fits, .write = tfp_pprof_write},
	{"stdout", NULL, NULL, NULL, "the report on standard output", .write = write_stdout},
	{"timeline", "timeline", "outfile", ".trace .trace.json .timeline.json",
	 "scope, graph, code views: a trace for Perfetto and Chrome", .fits = tfp_timeline_fits,
	 .paths = tfp_timeline_paths, .write = tfp_timeline_write},
	{"txt", NULL, "outfile", ".txt", "the rows as on the screen", TABLE(TFP_TABLE_TXT)},
	{.type = NULL},
};
