/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries as values: defaults, copies, comparison, and the command line that says the same.
 */
#include <stdlib.h>
#include <string.h>

#include "view/base.h"
#include "view/query/options.h"
#include "view/query/words.h"

#define DEFAULT_DEPTH 10

void tfp_query_init(struct tfp_query *query)
{
	*query = (struct tfp_query){
		.max_depth = DEFAULT_DEPTH, .step = -1, .at = -1, .rank = -1, .output = ""};
	query->lists[TFP_ACCOUNT] = tfp_words_parse(&query->arena, ".*");
	query->lists[TFP_START] = query->lists[TFP_SHOW] = query->lists[TFP_ACCOUNT];
}

static const char *copy_text(struct tfp_arena *arena, const char *text)
{
	return text ? tfp_arena_text(arena, text, strlen(text)) : NULL;
}

void tfp_query_copy(struct tfp_query *to, const struct tfp_query *from)
{
	*to = *from;
	to->arena = (struct tfp_arena){0};
	to->view = copy_text(&to->arena, from->view);
	for (size_t i = 0; i < from->minimum_count; i++)
		to->minimums[i].metric = copy_text(&to->arena, from->minimums[i].metric);
	to->order_by = copy_text(&to->arena, from->order_by);
	to->select = tfp_words_copy(&to->arena, from->select);
	to->output = copy_text(&to->arena, from->output);
	for (size_t i = 0; i < TFP_LISTS; i++) {
		to->lists[i] = tfp_words_copy(&to->arena, from->lists[i]);
		to->text[i] = copy_text(&to->arena, from->text[i]);
	}
	to->zoom = copy_text(&to->arena, from->zoom);
	to->shape = copy_text(&to->arena, from->shape);
	to->allocator = copy_text(&to->arena, from->allocator);
	to->library_paths = copy_text(&to->arena, from->library_paths);
	to->baseline = copy_text(&to->arena, from->baseline);
	tfp_query_choose(to, from);
}

void tfp_query_choose(struct tfp_query *to, const struct tfp_query *from)
{
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		to->choices[i] = copy_text(&to->arena, from->choices[i]);
}

void tfp_query_free(struct tfp_query *query)
{
	tfp_arena_free(&query->arena);
}

/* ---- comparing ---------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_minimum(const struct tfp_query *query, const struct tfp_minimum *minimum)
{
	for (size_t i = 0; i < query->minimum_count; i++)
		if (strcmp(query->minimums[i].metric, minimum->metric) == 0)
			return query->minimums[i].value == minimum->value &&
			       query->minimums[i].timed == minimum->timed;
	return !minimum->value;
}

/* Are the minimums of A those of B? */
static bool has_minimums(const struct tfp_query *a, const struct tfp_query *b)
{
	for (size_t i = 0; i < a->minimum_count; i++)
		if (!has_minimum(b, &a->minimums[i]))
			return false;
	return true;
}

static bool same_lists(const struct tfp_query *a, const struct tfp_query *b)
{
	for (size_t i = 0; i < TFP_LISTS; i++)
		if (!tfp_words_equal(a->lists[i], b->lists[i]) ||
		    !same_text(a->text[i], b->text[i]))
			return false;
	return true;
}

static bool same_choices(const struct tfp_query *a, const struct tfp_query *b)
{
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		if (!same_text(a->choices[i], b->choices[i]))
			return false;
	return true;
}

static bool same_flags(const struct tfp_query *a, const struct tfp_query *b)
{
	return a->reverse == b->reverse && a->compat == b->compat && a->flat == b->flat &&
	       a->context == b->context && a->deep == b->deep &&
	       a->merge_gradients == b->merge_gradients && a->fold_siblings == b->fold_siblings &&
	       a->fold_library == b->fold_library && a->consumers == b->consumers &&
	       a->links == b->links && a->modules == b->modules &&
	       a->account_displayed_op_only == b->account_displayed_op_only;
}

bool tfp_query_equal(const struct tfp_query *a, const struct tfp_query *b)
{
	return same_text(a->view, b->view) && a->max_depth == b->max_depth && a->step == b->step &&
	       a->at == b->at && a->range_from == b->range_from && a->range_to == b->range_to &&
	       a->rank == b->rank && has_minimums(a, b) && has_minimums(b, a) &&
	       same_text(a->order_by, b->order_by) && same_lists(a, b) && same_flags(a, b) &&
	       !a->select.at == !b->select.at && tfp_words_equal(a->select, b->select) &&
	       same_text(a->output, b->output) && same_text(a->zoom, b->zoom) &&
	       same_text(a->shape, b->shape) && same_text(a->baseline, b->baseline) &&
	       same_text(a->allocator, b->allocator) &&
	       same_text(a->library_paths, b->library_paths) && same_choices(a, b);
}

/* ---- printing ----------------------------------------------------------------------------------- */

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *print_select(const struct tfp_query *query, struct tfp_arena *arena)
{
	struct tfp_words words = tfp_words_copy(arena, query->select);

	qsort(words.at, words.count, sizeof(*words.at), compare_words);
	return tfp_words_print(arena, words);
}

static const char *print_number(struct tfp_arena *arena, int64_t number)
{
	return tfp_arena_printf(arena, "%lld", (long long)number);
}

/* The columns of the query's view; NULL: those of the lens. */
static const char *print_choice(const struct tfp_query *query, struct tfp_arena *arena)
{
	const struct tfp_view *view = query->view ? tfp_view_find(query->view) : NULL;
	const char *columns = view ? query->choices[tfp_view_index(view)] : NULL;

	return columns ? tfp_arena_printf(arena, "%s:%s", view->name, columns) : NULL;
}

/* Does the query's view heed the flag WHICH? */
static bool is_heeded(const struct tfp_query *query, unsigned int which)
{
	static const unsigned uses[] = {
		[TFP_FLAG_MERGE] = TFP_USES_MERGE,     [TFP_FLAG_FOLD] = TFP_USES_FOLD,
		[TFP_FLAG_LIBRARY] = TFP_USES_LIBRARY, [TFP_FLAG_CONSUMERS] = TFP_USES_CONSUMERS,
		[TFP_FLAG_MODULES] = TFP_USES_MODULES,
	};
	const struct tfp_view *view = query->view ? tfp_view_find(query->view) : NULL;

	return !view || which < TFP_FLAG_MERGE || view->rules->uses & uses[which];
}

/* The value of OPTION in QUERY; "" for a flag that is set; NULL when it is as in DEFAULTS. */
static const char *print_value(const struct tfp_option *option, struct tfp_query *query,
			       struct tfp_query *defaults, struct tfp_arena *arena)
{
	const char *text;

	switch ((enum tfp_option_kind)option->kind) {
	case TFP_OPTION_DEPTH:
		if (query->max_depth == INT32_MAX)
			return TFP_ALL_LEVELS;
		return query->max_depth == defaults->max_depth
			       ? NULL
			       : print_number(arena, query->max_depth);
	case TFP_OPTION_STEP:
		return query->step == defaults->step ? NULL : print_number(arena, query->step);
	case TFP_OPTION_RANK:
		return query->rank < 0 ? NULL : print_number(arena, query->rank);
	case TFP_OPTION_AT:
		return query->at == defaults->at ? NULL : print_number(arena, query->at);
	case TFP_OPTION_RANGE:
		return tfp_range_print(query, arena);
	case TFP_OPTION_LIST:
		if (tfp_words_equal(query->lists[option->which], defaults->lists[option->which]))
			return NULL;
		return tfp_words_print(arena, query->lists[option->which]);
	case TFP_OPTION_SELECT:
		return query->select.at ? print_select(query, arena) : NULL;
	case TFP_OPTION_COMPAT:
		return query->compat ? "tf" : NULL;
	case TFP_OPTION_FLAG:
		return *tfp_query_flag(query, option->which) && is_heeded(query, option->which)
			       ? ""
			       : NULL;
	case TFP_OPTION_MINIMUM:
		return NULL;
	case TFP_OPTION_COLUMNS:
		return print_choice(query, arena);
	case TFP_OPTION_ALLOCATOR:
		return query->allocator && *query->allocator ? query->allocator : NULL;
	case TFP_OPTION_LIBRARIES:
		return is_heeded(query, TFP_FLAG_LIBRARY) ? query->library_paths : NULL;
	default:
		text = *tfp_query_text(query, option);
		return same_text(text, *tfp_query_text(defaults, option)) ? NULL : text;
	}
}

static void add_word(struct tfp_arena *arena, char **line, const char *name, const char *value)
{
	const char *quoted = *value ? tfp_shell_quote(arena, value) : "";

	*line = tfp_arena_printf(arena, "%s --%s%s%s", *line, name, value ? "=" : "", quoted);
}

char *tfp_query_command(const struct tfp_query *query, struct tfp_arena *arena)
{
	char *line = tfp_arena_printf(arena, "%s", query->view ? query->view : "");
	struct tfp_query copy, defaults;

	tfp_query_copy(&copy, query);
	tfp_query_init(&defaults);
	for (size_t i = 0; i < query->minimum_count; i++)
		if (query->minimums[i].value)
			add_word(arena, &line,
				 tfp_arena_printf(arena, "min_%s", query->minimums[i].metric),
				 tfp_minimum_print(&query->minimums[i], arena));
	for (const struct tfp_option *option = tfp_options; option->name; option++) {
		const char *value = print_value(option, &copy, &defaults, arena);

		if (value && option->kind == TFP_OPTION_FLAG)
			line = tfp_arena_printf(arena, "%s --%s", line, option->name);
		else if (value)
			add_word(arena, &line, option->name, value);
	}
	tfp_query_free(&copy);
	tfp_query_free(&defaults);
	return line;
}
