/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the worker does with a question: all calls of the engine that the screen makes are here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tfprof/trace.h"
#include "ui/pane/lines.h"
#include "ui/worker.h"

/* The first error among the problems that RUN made, as a text of its own; NULL if none. */
static char *first_error(const struct tfp_diag *diag)
{
	char text[1024];

	for (size_t i = 0; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (problem.severity != TFP_ERROR)
			continue;
		tfp_problem_print(&problem, text, sizeof(text));
		return tfp_strdup(text);
	}
	return NULL;
}

/* "PATH: REASON", unless REASON begins so; takes over REASON, which may be NULL, as is what comes back then. */
static char *name_reason(const char *path, char *reason)
{
	struct tfp_arena arena = {0};
	bool known = reason && !strncmp(reason, path, strlen(path));
	char *named = known    ? tfp_strdup(reason)
		      : reason ? tfp_strdup(tfp_arena_printf(&arena, "%s: %s", path, reason))
			       : NULL;

	tfp_arena_free(&arena);
	free(reason);
	return named;
}

bool tfp_task_other(const struct tfp_ui_config *config, struct tfp_engine *engine,
		    const struct tfp_request *request, struct tfp_job *job,
		    struct tfp_diag *problems, struct tfp_answer *answer)
{
	const char *text = request->query.baseline;
	struct tfp_diag *diag;

	if (!tfp_baseline_is_file(text) || !config->load_other ||
	    tfp_engine_has_baseline(engine, text))
		return true;
	diag = tfp_diag_new();
	answer->failed = !config->load_other(engine, text, job, diag);
	answer->error = name_reason(text + strlen("file:"), first_error(diag));
	tfp_diag_take(problems, diag);
	tfp_diag_free(diag);
	return !answer->failed;
}

/* What is said first of the profile. */
static void describe_profile(struct tfp_engine *engine, struct tfp_answer *answer,
			     struct tfp_arena *arena)
{
	const char *findings = tfp_findings(tfp_engine_profile(engine), arena);

	if (findings)
		answer->findings = tfp_strdup(findings);
	else
		answer->facts = tfp_strdup(
			tfp_engine_facts(engine, answer->tree, answer->tree->root, arena));
}

/* What is said of the tree. */
static void describe_tree(struct tfp_engine *engine, struct tfp_answer *answer,
			  struct tfp_arena *arena)
{
	const struct tfp_profile *profile = tfp_engine_profile(engine);
	const char *part = tfp_part_text(profile, arena);

	for (int brief = 0; brief <= TFP_BRIEFEST; brief++)
		answer->summary[brief] = tfp_strdup(
			tfp_tree_summary(answer->tree, profile, &answer->lens, brief, arena));
	answer->part = part ? tfp_strdup(part) : NULL;
}

static void run_query(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		      struct tfp_diag *diag, struct tfp_answer *answer)
{
	struct tfp_arena arena = {0};

	atomic_store(&job->to_make, 0);
	answer->lens = request->lens;
	answer->tree = tfp_engine_run(engine, &request->query, job, diag);
	answer->failed = !answer->tree;
	if (answer->tree)
		describe_tree(engine, answer, &arena);
	if (answer->tree && request->findings)
		describe_profile(engine, answer, &arena);
	tfp_arena_free(&arena);
}

static void run_match(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		      struct tfp_diag *diag, struct tfp_answer *answer)
{
	(void)engine;
	(void)diag;
	answer->text = request->text;
	request->text = NULL;
	answer->failed = !tfp_tree_match(request->tree, answer->text, &answer->matches, job);
}

static void run_detail(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		       struct tfp_diag *diag, struct tfp_answer *answer)
{
	struct tfp_arena arena = {0};

	tfp_engine_turn(engine, request->page);
	for (size_t i = 0; i < request->kind_count && !tfp_job_cancelled(job); i++)
		answer->details[i] =
			tfp_engine_breakdown(engine, request->tree, request->row, request->kinds[i],
					     request->metric, job, diag);
	for (size_t i = 0; i < request->kind_count; i++)
		if (answer->details[i])
			tfp_lines_fill(answer->details[i], &request->sources, job);
	answer->facts = tfp_strdup(tfp_engine_facts(engine, request->tree, request->row, &arena));
	tfp_arena_free(&arena);
}

static bool has_file(const struct tfp_profile *profile, uint32_t stack)
{
	const struct tfp_frame *frame = &profile->frames.at[profile->stacks.at[stack].frame];

	return tfp_sources_has_file(tfp_strings_text(profile->strings, frame->file));
}

/* The call stack of the event that is asked for, from the innermost line that is in a file on; TFP_NONE. */
static uint32_t stack_of_event(struct tfp_profile *profile, const struct tfp_request *request,
			       struct tfp_job *job, struct tfp_diag *diag)
{
	uint32_t stack;

	if (request->node == TFP_NONE || !tfp_profile_need(profile, TFP_PART_STACKS, job, diag))
		return TFP_NONE;
	stack = profile->nodes.stack[request->node];
	while (stack != TFP_NONE && !has_file(profile, stack))
		stack = profile->stacks.at[stack].parent;
	return stack;
}

/* The line of the frame that a row of the code view stands for, or of what made an event. */
static bool place_of_frame(struct tfp_profile *profile, const struct tfp_request *request,
			   struct tfp_job *job, struct tfp_diag *diag, struct tfp_answer *answer)
{
	const struct tfp_base *base = request->tree->base;
	const struct tfp_frame *frame;
	uint32_t stack = base->stack ? base->stack[request->row]
				     : stack_of_event(profile, request, job, diag);

	if (stack == TFP_NONE)
		return false;
	frame = &profile->frames.at[profile->stacks.at[stack].frame];
	answer->file = tfp_strdup(tfp_strings_text(profile->strings, frame->file));
	answer->line = frame->line;
	return true;
}

/* The line that made most of what is below the row, and the shapes that it has. */
static void run_place(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		      struct tfp_diag *diag, struct tfp_answer *answer)
{
	struct tfp_profile *profile = tfp_engine_profile(engine);
	struct tfp_breakdown *source;
	struct tfp_arena arena = {0};
	char *shape = tfp_engine_shape(engine, request->tree, request->row, job, &arena);

	answer->shape = shape ? tfp_strdup(shape) : NULL;
	tfp_arena_free(&arena);
	if (place_of_frame(profile, request, job, diag, answer))
		return;
	source = tfp_engine_breakdown(engine, request->tree, request->row, TFP_BREAKDOWN_SOURCE,
				      request->metric, job, diag);
	if (!source)
		return;
	if (source->count && source->rows->file) {
		answer->file = tfp_strdup(source->rows->file);
		answer->line = source->rows->line;
	}
	tfp_breakdown_free(source);
}

/* What is at hand, as a file that is there whole or not at all. */
static bool write_text(const struct tfp_writing *writing, struct tfp_diag *diag)
{
	struct tfp_out_file *file = tfp_output_open(writing->path, diag);
	bool done;

	if (!file)
		return false;
	done = fwrite(writing->text, 1, writing->size, tfp_output_stream(file)) == writing->size;
	if (!done)
		tfp_diag_add(diag, TFP_ERROR, writing->path, -1, 0, "can't be written: %s",
			     strerror(errno));
	return tfp_output_close(file, done, diag) && done;
}

/* The same of the rows that are meant. */
static bool write_rows(struct tfp_writing *writing, const struct tfp_tree *tree,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_table *table = &writing->table;
	struct tfp_out_file *file = tfp_output_open(writing->path, diag);
	bool done;

	if (!file)
		return false;
	if (!writing->rows)
		writing->rows =
			tfp_table_all(tree, writing->order, writing->reverse, &table->count);
	table->tree = tree;
	table->columns = writing->columns;
	table->rows = writing->rows;
	table->path = writing->path;
	table->job = job;
	atomic_store(&job->total, table->count);
	done = tfp_table_write(tfp_output_stream(file), table, writing->output.kind->format, diag);
	return tfp_output_close(file, done, diag) && done;
}

static void run_write(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		      struct tfp_diag *diag, struct tfp_answer *answer)
{
	struct tfp_writing *writing = request->writing;

	request->writing = NULL;
	answer->writing = writing;
	atomic_store(&job->total, 0);
	atomic_store(&job->done, 0);
	if (writing->of_query)
		answer->failed = !tfp_output_make(engine, &writing->query, &writing->output, NULL,
						  job, diag);
	else if (writing->text)
		answer->failed = !write_text(writing, diag);
	else
		answer->failed = !write_rows(writing, request->tree, job, diag);
}

static void free_writing(struct tfp_writing *writing)
{
	if (!writing)
		return;
	tfp_array_release(writing->rows);
	if (writing->of_query)
		tfp_query_free(&writing->query);
	free(writing->path);
	free(writing->said);
	free(writing->text);
	free(writing->what);
	free(writing);
}

void tfp_task_run(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		  struct tfp_diag *problems, struct tfp_answer *answer)
{
	static void (*const runs[TFP_TASKS])(struct tfp_engine *, struct tfp_request *,
					     struct tfp_job *, struct tfp_diag *,
					     struct tfp_answer *) = {
		[TFP_TASK_QUERY] = run_query, [TFP_TASK_MATCH] = run_match,
		[TFP_TASK_PLACE] = run_place, [TFP_TASK_DETAIL] = run_detail,
		[TFP_TASK_WRITE] = run_write,
	};
	struct tfp_diag *diag = tfp_diag_new();

	answer->row = request->row;
	runs[request->task](engine, request, job, diag, answer);
	answer->error = first_error(diag);
	if (request->task == TFP_TASK_DETAIL)
		tfp_diag_take(problems, diag);
	tfp_diag_free(diag);
	if (request->tree) {
		answer->tree = request->tree;
		request->tree = NULL;
	}
}

/* Of samples each function once: in a list of call paths one stands as often as it has callers. */
static const struct tfp_view *first_view(const struct tfp_profile *profile)
{
	const struct tfp_view *functions = tfp_view_find("functions");

	return profile->tensorflow || profile->has_scopes || functions->missing(profile)
		       ? tfp_view_default(profile)
		       : functions;
}

/* In the order of their numbers: files come as the shell sorts them, 10 before 2. */
static void find_ranks(const struct tfp_profile *profile, struct tfp_about *about)
{
	about->rank_count = tfp_ranks(profile->trace, about->ranks, TFP_ABOUT_RANKS);
	qsort(about->ranks, about->rank_count, sizeof(*about->ranks), tfp_number_compare);
	for (size_t i = 0; i < about->rank_count && i < TFP_MENU_RANKS; i++) {
		struct tfp_span host = tfp_rank_host(profile, about->ranks[i]);

		snprintf(about->rank_hosts[i], sizeof(about->rank_hosts[i]), "%.*s", (int)host.size,
			 host.at);
	}
}

void tfp_task_about(struct tfp_engine *engine, struct tfp_about *about)
{
	const struct tfp_profile *profile = tfp_engine_profile(engine);
	uint32_t outside = tfp_step_outside(profile);
	size_t count = 0;

	*about = (struct tfp_about){
		.view = first_view(profile),
		.gradients = tfp_has_gradients(profile),
		.opens_flat = !profile->tensorflow && !profile->has_scopes && !profile->trace &&
			      !profile->given.rows.count,
		.default_metric = profile->default_metric,
		.metrics = profile->metrics,
		.metric_count = profile->metric_count,
		.step_count = profile->steps.count,
		.outside = outside,
		.sums_steps = profile->sums_steps,
		.share = profile->share,
	};
	for (size_t i = 0; tfp_views[i] && i < TFP_MAX_VIEWS; i++)
		about->view_missing[i] = tfp_view_missing(tfp_views[i], profile);
	for (unsigned kind = 0; kind < TFP_BREAKDOWN_KINDS; kind++)
		about->breakdowns[kind] = tfp_breakdown_about(profile, kind);
	about->lens_count = tfp_lenses(profile, about->lenses, TFP_MAX_LENSES);
	about->steps = tfp_alloc_zero(about->step_count + 1, sizeof(*about->steps));
	for (size_t i = 0; i < profile->steps.count; i++)
		if (i != outside)
			about->steps[count++] = profile->steps.at[i].number;
	about->step_count = count;
	if (profile->trace)
		find_ranks(profile, about);
}

void tfp_request_free(struct tfp_request *request)
{
	if (request->task == TFP_TASK_QUERY)
		tfp_query_free(&request->query);
	if (request->tree)
		tfp_tree_release(request->tree);
	tfp_sources_free(&request->sources);
	request->sources = (struct tfp_sources){0};
	free(request->text);
	free_writing(request->writing);
	request->writing = NULL;
	request->tree = NULL;
	request->text = NULL;
}

void tfp_answer_free(struct tfp_answer *answer)
{
	for (size_t i = 0; i < TFP_DETAILS; i++)
		if (answer->details[i])
			tfp_breakdown_free(answer->details[i]);
	if (answer->task == TFP_TASK_MATCH && answer->matches.before)
		tfp_matches_free(&answer->matches);
	if (answer->tree)
		tfp_tree_release(answer->tree);
	if (answer->before)
		tfp_tree_release(answer->before);
	free(answer->about.steps);
	free(answer->error);
	free_writing(answer->writing);
	for (int brief = 0; brief <= TFP_BRIEFEST; brief++)
		free(answer->summary[brief]);
	free(answer->part);
	free(answer->text);
	free(answer->file);
	free(answer->shape);
	free(answer->facts);
	free(answer->findings);
}
