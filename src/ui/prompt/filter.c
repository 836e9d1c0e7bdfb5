/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter form. A field is literal text at first, C-t makes it tfprof's regular expressions.
 */
#include <stdio.h>
#include <string.h>

#include "ui/action/keys.h"
#include "ui/tree/listing.h"
#include "ui/screen.h"

/* Columns of a window in which the form says less, so that there is room to type. */
#define NARROW 40

static const struct {
	const char *label;
	const char *text_option;  /* NULL: not a list of names */
	const char *regex_option; /* NULL likewise; its default is NEUTRAL */
	const char *neutral;
	const char *hint;
	enum tfp_list list;
} fields[TFP_FIELDS] = {
	[TFP_FIELD_SHOW] = {"show", "show_text", "show_name_regexes", ".*",
			    "rows with this in the name", TFP_SHOW},
	[TFP_FIELD_HIDE] = {"hide", "hide_text", "hide_name_regexes", "", "but not these",
			    TFP_HIDE},
	[TFP_FIELD_START] = {"start", "start_text", "start_name_regexes", ".*",
			     "begin at rows with this name", TFP_START},
	[TFP_FIELD_TRIM] = {"trim", "trim_text", "trim_name_regexes", "",
			    "leave these out, and what is below", TFP_TRIM},
	[TFP_FIELD_ACCOUNT] = {"account", "account_text", "account_type_regexes", ".*",
			       "count only these op types or devices", TFP_ACCOUNT},
	[TFP_FIELD_MINIMUM] = {"minimum", NULL, NULL, NULL, "METRIC=NUMBER …", 0},
	[TFP_FIELD_SHAPE] = {"shape", NULL, NULL, NULL,
			     "input shapes, for example 4x3 or 0:4x3|1:3", 0},
};

/* Rows of a list of profiles have no types and no shapes. */
static bool is_offered(const struct tfp_screen *screen, size_t field)
{
	return !tfp_listing_is(screen) || (field != TFP_FIELD_ACCOUNT && field != TFP_FIELD_SHAPE);
}

static bool is_list(size_t field)
{
	return fields[field].text_option != NULL;
}

/* ---- fields to query ---- */

static bool apply_minimums(struct tfp_query *query, const char *text, struct tfp_diag *diag)
{
	char name[TFP_EDIT_ROOM], word[TFP_EDIT_ROOM];
	int used = 0;

	query->minimum_count = 0;
	for (; sscanf(text, " %511[^ ,]%n", word, &used) == 1; text += used + (text[used] == ',')) {
		char *value = strchr(word, '=');

		if (!value) {
			tfp_diag_error(diag, "minimum: %s is not METRIC=NUMBER", word);
			return false;
		}
		*value = '\0';
		snprintf(name, sizeof(name), "min_%.500s", word);
		if (!tfp_query_set(query, name, value + 1, diag))
			return false;
	}
	return true;
}

static bool apply_list(const struct tfp_filter *filter, size_t field, struct tfp_query *query,
		       struct tfp_diag *diag)
{
	const char *text = filter->edits[field].text;

	query->text[fields[field].list] = NULL;
	if (!tfp_query_set(query, fields[field].regex_option, fields[field].neutral, diag))
		return false;
	if (!*text)
		return true;
	return tfp_query_set(query,
			     filter->regex[field] ? fields[field].regex_option
						  : fields[field].text_option,
			     text, diag);
}

/* The query with what the fields say. */
static bool apply(const struct tfp_filter *filter, struct tfp_query *query, struct tfp_diag *diag)
{
	const char *shape = filter->edits[TFP_FIELD_SHAPE].text;

	for (size_t field = 0; field < TFP_FIELDS; field++)
		if (is_list(field) && !apply_list(filter, field, query, diag))
			return false;
	query->shape = NULL;
	if (*shape && !tfp_query_set(query, "shape", shape, diag))
		return false;
	return apply_minimums(query, filter->edits[TFP_FIELD_MINIMUM].text, diag);
}

static void changed(struct tfp_screen *screen)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;

	tfp_query_copy(&query, &screen->filter.before);
	screen->filter.wrong = !apply(&screen->filter, &query, diag);
	if (!screen->filter.wrong) {
		tfp_query_free(&screen->query);
		screen->query = query;
		tfp_diag_free(diag);
		tfp_screen_ask_tree(screen);
		return;
	}
	tfp_query_free(&query);
	tfp_screen_fail_with(screen, diag);
}

/* ---- query to fields ---- */

static void fill_list(struct tfp_filter *filter, size_t field, const struct tfp_query *query)
{
	const struct tfp_words *words = &query->lists[fields[field].list];
	const char *text = query->text[fields[field].list];
	struct tfp_edit *edit = &filter->edits[field];
	bool neutral = !words->count || (words->count == 1 && !strcmp(words->at[0], ".*"));

	tfp_edit_set(edit, text ? text : "");
	if (!neutral || text)
		filter->regex[field] = !text;
	for (size_t i = 0; !text && !neutral && i < words->count; i++)
		tfp_edit_add(edit, ",", words->at[i]);
}

static void fill(struct tfp_filter *filter, const struct tfp_query *query)
{
	struct tfp_edit *minimum = &filter->edits[TFP_FIELD_MINIMUM];
	struct tfp_arena arena = {0};

	for (size_t field = 0; field < TFP_FIELDS; field++)
		if (is_list(field))
			fill_list(filter, field, query);
	tfp_edit_set(&filter->edits[TFP_FIELD_SHAPE], query->shape ? query->shape : "");
	tfp_edit_set(minimum, "");
	for (size_t i = 0; i < query->minimum_count; i++) {
		const struct tfp_minimum *at = &query->minimums[i];

		if (at->value)
			tfp_edit_add(minimum, " ",
				     tfp_arena_printf(&arena, "%s=%s", at->metric,
						      tfp_minimum_print(at, &arena)));
	}
	tfp_arena_free(&arena);
}

/* A leaf that is zoomed to has nothing below it, and is there. */
static bool is_empty(const struct tfp_tree *tree)
{
	bool leaf = tree->query.zoom && tree->base->end[tree->root] == tree->root + 1;

	return !tree->shown_count && !leaf;
}

void tfp_screen_say_left(struct tfp_screen *screen)
{
	const struct tfp_filter *filter = &screen->filter;
	const char *so_far = tfp_screen_so_far(screen);
	bool empty = is_empty(screen->tree.rows.tree);

	if (empty && filter->open && filter->regex[filter->field])
		tfp_screen_fail(
			screen,
			"%snothing is left to show: a regex matches whole names, as .*conv.* does",
			so_far);
	else if (empty && filter->open)
		tfp_screen_fail(screen, "%snothing is left to show", so_far);
	else if (empty && screen->tree.rows.tree->base->count == 1)
		tfp_screen_fail(screen, "%sthe files hold nothing that this view shows", so_far);
	else if (empty)
		tfp_screen_fail(screen, "%snothing is left to show: {F} takes all filters away",
				so_far);
	else if (filter->open)
		tfp_screen_say(screen, "%s", "");
}

/* ---- the form ---- */

/* Enter: what is not valid can't be kept, and is said again. */
static void keep(struct tfp_screen *screen)
{
	struct tfp_filter *filter = &screen->filter;

	if (filter->wrong || screen->refused) {
		changed(screen);
		return;
	}
	screen->mode = NULL;
	filter->open = false;
	filter->leaving = true;
	if (tfp_worker_busy(screen->worker, TFP_TASK_QUERY))
		return;
	tfp_filter_settle(screen, true);
	tfp_screen_say_left(screen);
}

/* 0: the cursor is on no row. */
static uint64_t cursor_key(const struct tfp_screen *screen)
{
	uint32_t row = tfp_treepane_row(&screen->tree);

	return row == TFP_NONE ? 0 : screen->tree.rows.tree->base->key[row];
}

/* Esc: the query is again what it was, and the cursor where it was. */
static void give_up(struct tfp_screen *screen)
{
	screen->mode = NULL;
	tfp_query_free(&screen->query);
	screen->query = screen->filter.before;
	tfp_screen_ask_tree(
		screen); /* while it is open: what was typed and given up is not to be undone */
	if (cursor_key(screen) != screen->filter.row)
		screen->jump_key = screen->filter.row;
	screen->filter.open = false;
	tfp_screen_say(screen, "%s", "");
}

/* What a field holds is replaced by what is typed there, unless a key edits it first. */
static void enter_field(struct tfp_filter *filter, size_t field)
{
	filter->edits[filter->field].selected = false;
	filter->field = field;
	filter->edits[field].selected = filter->edits[field].size > 0;
}

static void turn_field(const struct tfp_screen *screen, struct tfp_filter *filter, bool back)
{
	size_t field = filter->field;

	do
		field = (field + (back ? TFP_FIELDS - 1 : 1)) % TFP_FIELDS;
	while (!is_offered(screen, field));
	enter_field(filter, field);
}

/* Only the keys that scroll are left to what is behind the form. */
static bool form_key(struct tfp_screen *screen, int32_t key)
{
	struct tfp_filter *filter = &screen->filter;
	enum tfp_edit_result result;
	bool back = key == TFP_KEY_UP || key == TFP_KEY_BACK_TAB || key == TFP_KEY_CONTROL('p');

	if (key == TFP_KEY_ENTER) {
		keep(screen);
		return true;
	}
	if (key == TFP_KEY_ESCAPE || key == TFP_KEY_CONTROL('c')) {
		give_up(screen);
		return true;
	}
	if (back || key == TFP_KEY_TAB || key == TFP_KEY_DOWN || key == TFP_KEY_CONTROL('n')) {
		turn_field(screen, filter, back);
		return true;
	}
	if (key == TFP_KEY_CONTROL('t') && is_list(filter->field)) {
		filter->regex[filter->field] = !filter->regex[filter->field];
		changed(screen);
		return true;
	}
	if (key == TFP_KEY_PAGE_UP || key == TFP_KEY_PAGE_DOWN)
		return false;
	result = tfp_edit_key(&filter->edits[filter->field], key);
	if (result == TFP_EDIT_CHANGED)
		changed(screen);
	return true;
}

static void form_line(struct tfp_screen *screen, struct tfp_pen *pen)
{
	static const char *const keys[][2] = {
		{"Enter", "keep"},     {"Esc", "as before"}, {"Tab", "next field"},
		{"C-t", "text/regex"}, {"C-u", "empty"},     {"PgDn", "scroll"},
	};

	(void)screen;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!tfp_pen_hint(pen, keys[i][0], keys[i][1], pen->end))
			break;
}

static const struct tfp_mode form_mode = {form_key, form_line, NULL};

void tfp_filter_open(struct tfp_screen *screen)
{
	struct tfp_filter *filter = &screen->filter;

	tfp_filter_free(filter);
	tfp_query_copy(&filter->before, &screen->query);
	filter->wrong = false;
	filter->row = cursor_key(screen);
	fill(filter, &screen->query);
	enter_field(filter, TFP_FIELD_SHOW);
	filter->open = true;
	screen->mode = &form_mode;
}

void tfp_filter_settle(struct tfp_screen *screen, bool valid)
{
	struct tfp_filter *filter = &screen->filter;

	if (!filter->leaving)
		return;
	/* What was opened since has the keys: the query is taken back instead, and why is said. */
	if (valid || screen->mode) {
		tfp_filter_free(filter);
		return;
	}
	filter->leaving = false;
	filter->open = true;
	screen->mode = &form_mode;
}

void tfp_filter_reset(struct tfp_screen *screen)
{
	struct tfp_filter *empty = tfp_alloc_zero(1, sizeof(*empty));
	struct tfp_diag *diag = tfp_diag_new();

	apply(empty, &screen->query, diag);
	screen->query.zoom = NULL;
	screen->query.range_from = screen->query.range_to = 0;
	screen->query.max_depth = INT32_MAX;
	screen->lens_counts = false;
	tfp_diag_free(diag);
	tfp_array_release(empty);
}

void tfp_filter_free(struct tfp_filter *filter)
{
	if (filter->open || filter->leaving)
		tfp_query_free(&filter->before);
	filter->open = filter->leaving = false;
}

/* The key of the metric that the rows in sight are about: what is an example has to work. */
static const char *metric_of(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (tfp_listing_is(screen))
		return "size";
	return tree && tree->base->view->leads ? tree->base->view->leads
					       : screen->about.metrics[screen->lens.metric].key;
}

/* A minimum of the metric KEY. */
static const char *example_of(const struct tfp_screen *screen, const char *key)
{
	const struct tfp_about *about = &screen->about;

	for (uint32_t i = 0; i < about->metric_count; i++)
		if (!strcmp(about->metrics[i].key, key) && about->metrics[i].unit >= TFP_MICROS &&
		    about->metrics[i].unit <= TFP_PICOS)
			return "20us";
	return "1000";
}

/* What an empty field is for. */
static const char *hint_of(const struct tfp_screen *screen, size_t field)
{
	if (is_list(field) && screen->filter.regex[field])
		return "matches whole names: .*conv.*, or several with commas";
	return fields[field].hint;
}

/* In a narrow window what is typed has the room that a table of the fields would take. */
static void draw_label(const struct tfp_filter *filter, struct tfp_pen *pen, size_t field)
{
	bool here = field == filter->field, narrow = pen->end - pen->x < NARROW;

	tfp_pen_printf(pen, here ? TFP_INK_RULE_ON : TFP_INK_PLAIN, "%s%-*s", here ? ">" : " ",
		       narrow ? 0 : 8, fields[field].label);
	if (narrow)
		tfp_pen_text(pen, TFP_INK_RULE, filter->regex[field] ? " .* " : " ");
	else if (is_list(field))
		tfp_pen_printf(pen, TFP_INK_RULE, "%-6s", filter->regex[field] ? "regex" : "text");
	else
		tfp_pen_blank(pen, 6);
}

static void draw_field(struct tfp_screen *screen, struct tfp_pen *pen, size_t field)
{
	const struct tfp_filter *filter = &screen->filter;
	bool here = field == filter->field;
	int cursor;

	draw_label(filter, pen, field);
	if (here || filter->edits[field].size) {
		cursor = tfp_edit_draw(&filter->edits[field], pen, TFP_INK_FIELD);
		if (here) {
			screen->cursor_y = pen->y;
			screen->cursor_x = cursor;
		}
	}
	if (!filter->edits[field].size)
		tfp_pen_printf(pen, TFP_INK_DIM, "  %s", hint_of(screen, field));
	if (!filter->edits[field].size && field == TFP_FIELD_MINIMUM)
		tfp_pen_printf(pen, TFP_INK_DIM, ", for example %s=%s", metric_of(screen),
			       example_of(screen, metric_of(screen)));
	tfp_pen_finish(pen);
}

static void draw_title(struct tfp_pen *pen, struct tfp_area area)
{
	tfp_pen_start(pen, area.y, area.x, area.x + area.cols);
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, 2);
	tfp_pen_text(pen, TFP_INK_RULE_ON, " filter ");
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, area.cols);
}

void tfp_filter_draw(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area)
{
	size_t offered[TFP_FIELDS], count = 0;
	bool titled = area.rows > 1; /* a single line is that of the field */
	int lines = area.rows - titled, first = 0;

	for (size_t field = 0; field < TFP_FIELDS; field++) {
		if (!is_offered(screen, field))
			continue;
		if (field == screen->filter.field && (int)count >= lines)
			first = (int)count - lines + 1;
		offered[count++] = field;
	}
	if (titled)
		draw_title(pen, area);
	for (int y = 0; y < lines; y++) {
		tfp_pen_start(pen, area.y + titled + y, area.x, area.x + area.cols);
		if (first + y < (int)count)
			draw_field(screen, pen, offered[first + y]);
		else
			tfp_pen_finish(pen);
	}
}
