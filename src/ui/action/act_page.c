/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that open a page of text: help, problems, exact values, options as they are.
 */
#include <string.h>

#include "ui/action/actions.h"

/* Cells of the help's lines: the keys, and what they do. */
#define HELP_KEYS  13
#define HELP_CELLS 45

static void add_action(struct tfp_screen *screen, const struct tfp_action *action)
{
	const char *value = action->takes ? action->takes->value : "";
	int cells = (int)tfp_text_cells(action->help, strlen(action->help));

	tfp_textpane_add(&screen->page, false, "  %-*s %s%*s %s%s%s", HELP_KEYS,
			 tfp_keymap_keys(&screen->keymap, action), action->help,
			 cells < HELP_CELLS ? HELP_CELLS - cells : 0, "", action->name,
			 *value ? " " : "", value);
}

/* Signs are fewer cells than bytes. */
static void add_dialog_key(struct tfp_textpane *page, const struct tfp_dialog_key *key)
{
	int cells = (int)tfp_text_cells(key->keys, strlen(key->keys));

	tfp_textpane_add(page, false, "  %s%*s %s", key->keys,
			 cells < HELP_KEYS ? HELP_KEYS - cells : 0, "", key->help);
}

/* Made from the tables and the key map alone. */
void tfp_act_help(struct tfp_screen *screen, int unused)
{
	struct tfp_textpane *page = &screen->page;

	(void)unused;
	tfp_textpane_begin(page, "keys");
	for (const struct tfp_action *action = tfp_actions; action->help; action++)
		if (action->name)
			add_action(screen, action);
		else
			tfp_textpane_add(page, true, " %s", action->help);
	for (const struct tfp_dialog_key *key = tfp_dialog_keys; key->help; key++)
		if (key->keys)
			add_dialog_key(page, key);
		else
			tfp_textpane_add(page, true, " %s", key->help);
}

static char *about_action(struct tfp_screen *screen, const char *name, struct tfp_arena *arena)
{
	const struct tfp_action *action = tfp_action_find(name);
	const char *keys;

	if (!action)
		return NULL;
	keys = tfp_keymap_keys(&screen->keymap, action);
	return tfp_arena_printf(arena, "%s%s%s: %s", name, *keys ? ", key " : "", keys,
				action->help);
}

bool tfp_page_about(struct tfp_screen *screen, const char *name)
{
	struct tfp_arena arena = {0};
	char *text = tfp_typed_help(&arena, name), *more = tfp_typed_more(&arena, name),
	     *action = about_action(screen, name, &arena);

	if (text || action)
		tfp_textpane_begin(&screen->page, name);
	if (text)
		tfp_textpane_add(&screen->page, false, " %s", text);
	if (more)
		tfp_textpane_add(&screen->page, false, " %s", more);
	if (action)
		tfp_textpane_add(&screen->page, false, " on the screen: %s", action);
	tfp_arena_free(&arena);
	return text || action;
}

void tfp_page_options(struct tfp_screen *screen)
{
	struct tfp_textpane *page = &screen->page;
	struct tfp_query query = screen->query;
	struct tfp_arena arena = {0};

	query.view = NULL; /* it is no option */
	tfp_textpane_begin(page, "options");
	for (const struct tfp_option *option = tfp_options; option->name; option++)
		if (option->original)
			tfp_textpane_add(page, false, " %-28s%s",
					 tfp_arena_printf(&arena, "-%s", option->name),
					 tfp_query_value(&screen->query, option, NULL, &arena));
	tfp_textpane_add(page, false, " in one line: set%s", tfp_query_command(&query, &arena));
	tfp_arena_free(&arena);
}

void tfp_act_problems(struct tfp_screen *screen, int unused)
{
	static const char *const words[] = {"note", "warning", "error"};
	struct tfp_textpane *page = &screen->page;
	size_t count = tfp_diag_count(screen->diag);
	char text[900];

	(void)unused;
	tfp_textpane_begin(page, "problems");
	for (size_t i = 0; i < count; i++) {
		struct tfp_problem problem = tfp_diag_get(screen->diag, i);

		tfp_problem_print(&problem, text, sizeof(text));
		tfp_textpane_add(page, false, " %-8s %s", words[problem.severity], text);
	}
	if (!count)
		tfp_textpane_add(page, false, " none");
}

/* ---- exact values ---- */

static const char exact_title[] = "exact values";

#define LABEL_ROOM  256 /* bytes */
#define LABEL_LEAST 12  /* cells that a label has, however narrow the screen is */

/* The columns of exact values, in cells: as wide as what stands in them, and labels have what is left. */
struct exact {
	const struct tfp_tree *tree;
	uint32_t row;
	int label, total, self, option;
};

static bool is_word(enum tfp_unit unit)
{
	return unit == TFP_DATE || unit == TFP_WORDS;
}

/* Self value or total of METRIC in ROW, every digit; "-" where it is not known, "..." where it is being found. */
static const char *exact_text(char text[TFP_NUMBER_ROOM], const struct tfp_tree *tree, uint32_t row,
			      uint32_t metric, bool self)
{
	const struct tfp_base *base = tree->base;
	int64_t value = self ? tfp_tree_self(tree, row, metric) : tfp_tree_total(tree, row, metric);

	if (base->metrics[metric].kind == TFP_SPREAD && !base->metrics[metric].absent &&
	    !base->spread)
		return "...";
	if (!tfp_tree_known(tree, row, metric, value) ||
	    (self && !(base->flags[row] & TFP_ROW_ACCOUNTED)))
		return "-";
	return tfp_number_exact(text, value);
}

static void widen(int *cells, const char *text)
{
	int size = (int)tfp_text_cells(text, strlen(text));

	*cells = size > *cells ? size : *cells;
}

static struct exact measure(const struct tfp_tree *tree, uint32_t row)
{
	struct exact exact = {.tree = tree, .row = row};
	char text[TFP_NUMBER_ROOM];
	int left;

	widen(&exact.total, "total");
	widen(&exact.self, "self");
	widen(&exact.option, "option");
	for (uint32_t i = 0; i < tree->base->metric_all; i++) {
		if (tree->base->metrics[i].absent)
			continue;
		widen(&exact.label, tree->base->metrics[i].label);
		if (is_word(tree->base->metrics[i].unit))
			continue;
		widen(&exact.total, exact_text(text, tree, row, i, false));
		widen(&exact.self, exact_text(text, tree, row, i, true));
		widen(&exact.option, tree->base->metrics[i].key);
	}
	/* a blank before each, two and a unit before the option, and the last column of the screen */
	left = COLS - (exact.total + exact.self + exact.option + 9);
	exact.label = exact.label < left ? exact.label : left > LABEL_LEAST ? left : LABEL_LEAST;
	return exact;
}

static void add_line(struct tfp_textpane *page, const struct exact *exact, const char *label,
		     const char *total, const char *self, const char *unit, const char *option)
{
	char text[LABEL_ROOM];
	size_t size = tfp_text_shorten(text, sizeof(text), label, strlen(label),
				       (size_t)exact->label, "~");

	tfp_textpane_add(page, !*label, " %s%*s %*s %*s %-2s  %s", text,
			 exact->label - (int)tfp_text_cells(text, size), "", exact->total, total,
			 exact->self, self, unit, option);
}

static void add_value(struct tfp_textpane *page, const struct exact *exact, uint32_t metric)
{
	const struct tfp_column column = {.kind = TFP_COLUMN_TOTAL, .metric = metric};
	const struct tfp_metric *about = &exact->tree->base->metrics[metric];
	char self[TFP_NUMBER_ROOM], total[TFP_NUMBER_ROOM];
	struct tfp_cell cell;

	if (is_word(about->unit)) {
		tfp_tree_cell(exact->tree, exact->row, exact->row, &column, &cell);
		tfp_textpane_add(page, false, " %-*s %s", exact->label, about->label, cell.text);
		return;
	}
	add_line(page, exact, about->label,
		 exact_text(total, exact->tree, exact->row, metric, false),
		 exact_text(self, exact->tree, exact->row, metric, true),
		 tfp_unit_sign(about->unit), about->key);
}

/* What nothing is known of has one line, not one of dashes each. */
static void add_absent(struct tfp_textpane *page, const struct tfp_base *base)
{
	struct tfp_arena arena = {0};
	const char *text = "";

	for (uint32_t i = 0; i < base->metric_all; i++)
		if (base->metrics[i].absent)
			text = tfp_arena_printf(&arena, "%s%s%s", text, *text ? ", " : "",
						base->metrics[i].key);
	if (*text)
		tfp_textpane_add(page, false, " not known here: %s", text);
	tfp_arena_free(&arena);
}

static void fill_exact(struct tfp_screen *screen, uint32_t row)
{
	const struct tfp_base *base = screen->tree.rows.tree->base;
	struct tfp_textpane *page = &screen->page;
	struct tfp_span name = tfp_base_label(base, row);
	struct exact exact = measure(screen->tree.rows.tree, row);

	tfp_textpane_begin(page, exact_title);
	tfp_textpane_add(page, true, " %.*s", (int)(name.size < 800 ? name.size : 800), name.at);
	add_line(page, &exact, "", "total", "self", "", "option");
	for (uint32_t metric = 0; metric < base->metric_all; metric++)
		if (!base->metrics[metric].absent)
			add_value(page, &exact, metric);
	add_absent(page, base);
	if (screen->drill.row == row && screen->drill.facts)
		tfp_textpane_add(page, false, " %s", screen->drill.facts);
}

/* What single events took is found only for those who want to see it. */
static bool lacks_spread(const struct tfp_base *base)
{
	for (uint32_t i = 0; i < base->metric_all && !base->spread; i++)
		if (base->metrics[i].kind == TFP_SPREAD && !base->metrics[i].absent)
			return true;
	return false;
}

void tfp_page_exact_again(struct tfp_screen *screen)
{
	uint32_t row = tfp_treepane_row(&screen->tree);

	screen->exact_waits = lacks_spread(screen->tree.rows.tree->base);
	if (row != TFP_NONE && screen->page.open && !strcmp(screen->page.title, exact_title))
		fill_exact(screen, row);
}

void tfp_act_exact(struct tfp_screen *screen, int unused)
{
	uint32_t row = tfp_treepane_row(&screen->tree);

	(void)unused;
	if (row == TFP_NONE)
		return;
	if (screen->tree.rows.tree->base->view->text) {
		tfp_screen_say(screen, "this line has no values: it is whole above");
		return;
	}
	fill_exact(screen, row);
	if (!lacks_spread(screen->tree.rows.tree->base))
		return;
	screen->exact_waits = true;
	tfp_screen_ask_tree(screen);
}
