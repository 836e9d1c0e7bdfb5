/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the shell on the screen: what they ask for is shown, and stays.
 */
#include <string.h>

#include "ui/action/actions.h"

/* What was found odd, though it was done. */
static void say_note(struct tfp_screen *screen, const struct tfp_diag *diag)
{
	if (tfp_diag_count(diag))
		tfp_screen_say(screen, "%s", tfp_diag_get(diag, 0).text);
}

static bool is_selected(const struct tfp_screen *screen, const struct tfp_lens *lens)
{
	const char *key = screen->about.metrics[lens->metric].key;

	for (size_t i = 0; i < screen->query.select.count; i++)
		if (!strcmp(screen->query.select.at[i], key))
			return true;
	return false;
}

/* What a report would print is what the columns are about, as far as one lens shows it. */
static void use_select(struct tfp_screen *screen)
{
	if (is_selected(screen, &screen->lens))
		return;
	for (size_t i = 0; i < screen->about.lens_count; i++)
		if (is_selected(screen, &screen->about.lenses[i])) {
			screen->lens = screen->about.lenses[i];
			return;
		}
}

static bool is_other(const char *choice, const char *before)
{
	return choice && (!before || strcmp(choice, before) != 0);
}

static bool is_compared(const struct tfp_query *query)
{
	return query->baseline && *query->baseline;
}

/* QUERY is wanted from now on; it goes to the screen. */
static void take_query(struct tfp_screen *screen, struct tfp_query *query)
{
	struct tfp_query before = screen->query;

	for (size_t i = 0; tfp_views[i]; i++)
		screen->columns_typed[i] |= is_other(query->choices[i], before.choices[i]);
	screen->query = *query;
	/* the order that came with the comparison ends with it */
	if (is_compared(&before) && !is_compared(query) && before.order_by &&
	    !is_other(query->order_by, before.order_by))
		tfp_screen_set_baseline(screen, "");
	use_select(screen);
	*query = before;
	tfp_screen_ask_tree(screen);
}

/* What the line TEXT says, on top of what is wanted by now. */
static void parse_again(struct tfp_screen *screen, struct tfp_query *query, const char *text)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_typed typed;

	tfp_query_free(query);
	tfp_query_copy(query, &screen->query);
	tfp_typed_parse(text, false, NULL, query, &typed, diag);
	tfp_diag_free(diag);
}

/* The view that QUERY names, as its key opens it, and then what else the line TEXT says. */
static void take_view(struct tfp_screen *screen, struct tfp_query *query, const char *text)
{
	const struct tfp_view *view = tfp_view_find(query->view);

	if (strcmp(screen->query.view, view->name) != 0) {
		if (!tfp_screen_set_view(screen, view))
			return;
		parse_again(screen, query, text);
	}
	screen->focus = TFP_FOCUS_TREE;
	take_query(screen, query);
}

/*
 * Where a line says so, the view goes into a file and the screen stays. False where it is for the
 * screen.
 */
static bool is_written(struct tfp_screen *screen, const struct tfp_query *query)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	struct tfp_output output;
	bool valid = tfp_output_parse(query->output, &output, &arena, diag);
	bool into_file = valid && output.kind->key;
	const struct tfp_tree *tree = screen->tree.rows.tree;

	output.as_named = tree && !tree->base->tensorflow;
	if (into_file)
		tfp_write_query(screen, query, &output);
	else if (!valid)
		tfp_screen_fail(screen, "%s", tfp_diag_get(diag, tfp_diag_count(diag) - 1).text);
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	return into_file || !valid;
}

static void say_help(struct tfp_screen *screen, const char *about)
{
	if (!about)
		tfp_act_help(screen, 0);
	else if (!tfp_page_about(screen, about))
		tfp_screen_fail(screen, "nothing is called '%s'", about);
}

static void run_typed(struct tfp_screen *screen, const struct tfp_typed *typed,
		      struct tfp_query *query, const char *text)
{
	switch (typed->verb) {
	case TFP_VERB_VIEW:
		if (!is_written(screen, query))
			take_view(screen, query, text);
		break;
	case TFP_VERB_SET:
		if (typed->options)
			take_query(screen, query);
		else
			tfp_page_options(screen);
		break;
	case TFP_VERB_ADVISE:
		tfp_act_view(screen, '0');
		break;
	case TFP_VERB_HELP:
		say_help(screen, typed->about);
		break;
	case TFP_VERB_END:
		tfp_act_close(screen, 0);
		break;
	case TFP_VERB_NONE:
		break;
	}
}

void tfp_screen_typed(struct tfp_screen *screen, const char *text)
{
	struct tfp_diag *diag;
	struct tfp_query query;
	struct tfp_typed typed;

	if (!screen->loaded)
		return;
	diag = tfp_diag_new();
	tfp_query_copy(&query, &screen->query);
	if (tfp_typed_parse(text, false, NULL, &query, &typed, diag)) {
		run_typed(screen, &typed, &query, text);
		say_note(screen, diag);
		tfp_diag_free(diag);
	} else {
		tfp_screen_fail_with(screen, diag);
	}
	tfp_query_free(&query);
}

/* How the line TEXT can go on from *FROM on. In ARENA. */
struct tfp_words tfp_screen_typed_ends(const struct tfp_screen *screen, const char *text,
				       size_t *from, struct tfp_arena *arena)
{
	struct tfp_typed_words known = {0};

	if (screen->loaded)
		known = (struct tfp_typed_words){
			.metrics = screen->about.metrics,
			.metric_count = screen->about.metric_count,
			.steps = screen->about.steps,
			.step_count = screen->about.step_count,
		};
	return tfp_typed_complete(text, &known, from, arena);
}
