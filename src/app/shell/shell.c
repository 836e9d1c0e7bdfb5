/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prompt of `tfprof shell`: see shell.h.
 */
#include "app/shell/shell.h"

#include <unistd.h>

#include "app/help.h"
#include "app/shell/lineedit.h"
#include "app/files/places.h"
#include "app/problems.h"
#include "tfprof/codec.h"
#include "tfprof/report.h"

struct shell {
	struct tfp_engine *engine;
	const struct tfp_profile *profile;
	struct tfp_query query; /* the options that hold */
	bool failed;            /* some command did */
	bool ended;
	int64_t line; /* from 1 */
};

/* ---- what commands do --------------------------------------------------------------------------- */

/* All options of the original with the values that they have. */
static void list_options(const struct shell *shell)
{
	struct tfp_arena arena = {0};

	for (const struct tfp_option *option = tfp_options; option->name; option++) {
		const char *value;

		if (!option->original)
			continue;
		value = tfp_query_value(&shell->query, option, shell->profile, &arena);
		printf("%-28s%s\n", tfp_arena_printf(&arena, "-%s", option->name), value);
	}
	tfp_arena_free(&arena);
}

static bool run_view(struct shell *shell, struct tfp_query *query, struct tfp_diag *diag)
{
	query->forgiving = true;
	return tfp_output_write(shell->engine, query, stdout, NULL, diag);
}

static bool advise(struct shell *shell, const struct tfp_query *query, struct tfp_diag *diag)
{
	struct tfp_advice advice;
	bool printed;

	if (!tfp_engine_advise(shell->engine, query->compat, &advice, NULL, diag))
		return false;
	printed = tfp_report_advice(stdout, &advice, isatty(STDOUT_FILENO), diag);
	tfp_advice_free(&advice);
	return printed;
}

/* What was set stays, if its output is one that there is. */
static bool keep_options(struct shell *shell, struct tfp_query *query, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_output output;
	bool valid = tfp_output_parse(query->output, &output, &arena, diag);

	if (valid) {
		tfp_query_free(&shell->query);
		tfp_query_copy(&shell->query, query); /* leaves behind what was given up */
	}
	tfp_arena_free(&arena);
	return valid;
}

static bool help(const char *about, struct tfp_diag *diag)
{
	if (!about) {
		tfp_help_lines(stdout);
		return true;
	}
	if (tfp_help_about(stdout, about))
		return true;
	tfp_diag_error(diag, "nothing is called '%s'; help lists all", about);
	return false;
}

/* Without options it lists what holds, where the original does nothing. */
static bool set(struct shell *shell, const struct tfp_typed *typed, struct tfp_query *query,
		struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};

	if (typed->options || query->compat)
		return keep_options(shell, query, diag);
	list_options(shell);
	printf("in one line: set%s\n", tfp_query_command(&shell->query, &arena));
	tfp_arena_free(&arena);
	return true;
}

/* ---- lines -------------------------------------------------------------------------------------- */

static bool run_typed(struct shell *shell, const struct tfp_typed *typed, struct tfp_query *query,
		      struct tfp_diag *diag)
{
	switch (typed->verb) {
	case TFP_VERB_NONE:
		list_options(shell);
		return true;
	case TFP_VERB_VIEW:
		return run_view(shell, query, diag);
	case TFP_VERB_ADVISE:
		return advise(shell, query, diag);
	case TFP_VERB_SET:
		return set(shell, typed, query, diag);
	case TFP_VERB_HELP:
		return help(typed->about, diag);
	case TFP_VERB_END:
		shell->ended = true;
		return true;
	}
	return false;
}

/* Of a script it is told which line they are of. */
static void print_problems(const struct shell *shell, const struct tfp_diag *diag)
{
	struct tfp_diag *placed = tfp_diag_new();

	for (size_t i = 0; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (!problem.file && !isatty(STDIN_FILENO)) {
			problem.file = "standard input";
			problem.line = shell->line;
		}
		tfp_diag_add(placed, problem.severity, problem.file, problem.offset, problem.line,
			     "%s", problem.text);
	}
	tfp_problems_print(placed, 0);
	tfp_diag_free(placed);
}

/* Each line has problems of its own: the same mistake is told each time. */
static void run_line(struct shell *shell, const char *line)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;
	struct tfp_typed typed;

	tfp_query_copy(&query, &shell->query);
	if (!tfp_typed_parse(line, query.compat, shell->profile, &query, &typed, diag) ||
	    !run_typed(shell, &typed, &query, diag))
		shell->failed = true;
	if (fflush(stdout)) {
		tfp_diag_error(diag, "standard output could not be written");
		shell->failed = shell->ended = true;
	}
	tfp_sources_tell_shrunk(diag);
	print_problems(shell, diag);
	tfp_query_free(&query);
	tfp_diag_free(diag);
}

static struct tfp_words ends_of(void *data, const char *text, size_t *from, struct tfp_arena *arena)
{
	const struct tfp_profile *profile = ((const struct shell *)data)->profile;
	struct tfp_typed_words known = {
		.metrics = profile->metrics,
		.metric_count = profile->metric_count,
		.step_count = profile->steps.count,
		.profile = profile,
	};
	int64_t *steps = tfp_arena_zero(arena, profile->steps.count + 1, sizeof(*steps));

	for (size_t i = 0; i < profile->steps.count; i++)
		steps[i] = profile->steps.at[i].number;
	known.steps = steps;
	return tfp_typed_complete(text, &known, from, arena);
}

/* The file with the lines typed before, in ARENA. */
static const char *history_file(struct tfp_arena *arena)
{
	char *folder = tfp_place_state(arena);

	return folder ? tfp_arena_printf(arena, "%s/history", folder) : NULL;
}

bool tfp_shell_run(struct tfp_engine *engine, const struct tfp_query *query)
{
	struct shell shell = {.engine = engine, .profile = tfp_engine_profile(engine)};
	struct tfp_arena arena = {0};
	struct tfp_lineedit_kind kind = {
		.prompt = "tfprof> ",
		.history = history_file(&arena),
		.ends = ends_of,
		.data = &shell,
	};
	struct tfp_lineedit *edit = tfp_lineedit_new(&kind);
	const char *line;

	tfp_query_copy(&shell.query, query);
	while (!shell.ended && (line = tfp_lineedit_read(edit))) {
		shell.line++;
		run_line(&shell, line);
	}
	tfp_query_free(&shell.query);
	tfp_lineedit_free(edit);
	tfp_arena_free(&arena);
	return !shell.failed;
}
