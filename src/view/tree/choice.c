/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Choices of columns as text, "NAME,NAME:PRIORITY,…": what one makes of the columns on offer, and how it is an
 * option of a query.
 */
#include "view/tree/choice.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define MAX_PRIORITY 999

/* ---- items ------------------------------------------------------------------------------------ */

/* One name of a choice. */
struct item {
	const char *name;
	size_t size;
	int priority; /* -1: none is given; -2: none that is valid */
};

static int priority_of(const char *text, size_t size)
{
	int priority = 0;

	for (size_t i = 0; i < size; i++) {
		if (text[i] < '0' || text[i] > '9' || priority > MAX_PRIORITY)
			return -2;
		priority = priority * 10 + text[i] - '0';
	}
	return size && priority <= MAX_PRIORITY ? priority : -2;
}

/* Takes the next item from CHOICE; false at its end. */
static bool next_item(const char **choice, struct item *item)
{
	const char *colon;
	size_t size;

	*choice += strspn(*choice, ",");
	size = strcspn(*choice, ",");
	colon = memchr(*choice, ':', size);
	*item = (struct item){*choice, colon ? (size_t)(colon - *choice) : size, -1};
	if (colon)
		item->priority = priority_of(colon + 1, size - item->size - 1);
	*choice += size;
	return size > 0;
}

static struct tfp_span word_of(const struct item *item)
{
	return (struct tfp_span){item->name, item->size};
}

/* ---- on offers --------------------------------------------------------------------------------- */

/* Is WORD "total_KEY"? */
static bool is_total(struct tfp_span word, const char *key)
{
	const size_t prefix = strlen(TFP_TOTAL_PREFIX);

	return tfp_span_begins(word, TFP_SPAN(TFP_TOTAL_PREFIX)) &&
	       tfp_span_is((struct tfp_span){word.at + prefix, word.size - prefix}, key);
}

/* The ways to call a column, from the surest on: what one is called may be the title of another. */
static bool is_named(struct tfp_span word, const struct tfp_offer *offer)
{
	return tfp_span_is(word, offer->name);
}

static bool is_keyed(struct tfp_span word, const struct tfp_offer *offer)
{
	const struct tfp_metric *metric = offer->usual_of;

	return metric && (tfp_span_means(word, metric->key) || is_total(word, metric->key));
}

static bool is_titled(struct tfp_span word, const struct tfp_offer *offer)
{
	return tfp_span_means(word, offer->name) || tfp_span_means(word, offer->column.title) ||
	       (offer->usual_of && tfp_span_means(word, offer->usual_of->title));
}

/* The index of the offer that ITEM is for; COUNT if there is none. */
static size_t find_offer(const struct tfp_offer *offers, size_t count, const struct item *item)
{
	static bool (*const is_called[])(struct tfp_span, const struct tfp_offer *) = {
		is_named, is_keyed, is_titled};

	for (size_t way = 0; way < sizeof(is_called) / sizeof(*is_called); way++)
		for (size_t i = 0; i < count; i++)
			if (is_called[way](word_of(item), &offers[i]))
				return i;
	return count;
}

bool tfp_choice_has(const char *choice, const struct tfp_metric *metric)
{
	struct item item;

	while (choice && next_item(&choice, &item))
		if (tfp_span_means(word_of(&item), metric->key) ||
		    tfp_span_means(word_of(&item), metric->title) ||
		    is_total(word_of(&item), metric->key))
			return true;
	return false;
}

/* What another file has stays chosen. */
static struct tfp_offer offer_unknown(const struct item *item, uint32_t lead,
				      struct tfp_arena *arena)
{
	const char *name = tfp_arena_text(arena, item->name, item->size);

	return (struct tfp_offer){
		.column = {TFP_COLUMN_TOTAL, lead, name, 9, TFP_ADDED_PRIORITY, false},
		.name = name,
		.help = "",
		.missing = tfp_column_meant(word_of(item)) ? "this view has no such column"
							   : "the file has no such metric",
		.usual = TFP_ADDED_PRIORITY,
	};
}

/*
 * The lead has one column, "total": by its own key it is that as well, unless that is there, and this one for when another metric
 * leads.
 */
static size_t as_total(const struct tfp_offer *offers, size_t count, uint32_t lead, size_t index)
{
	static const struct item total = {"total", 5, -1};
	size_t leads = find_offer(offers, count, &total);

	if (index == count || leads == count || offers[leads].chosen ||
	    offers[index].column.kind != TFP_COLUMN_TOTAL || offers[index].column.metric != lead)
		return index;
	return leads;
}

/* Brings the offer at FROM to TO, which lies before it. */
static void bring(struct tfp_offer *offers, size_t from, size_t to)
{
	struct tfp_offer offer = offers[from];

	memmove(&offers[to + 1], &offers[to], (from - to) * sizeof(offer));
	offers[to] = offer;
}

size_t tfp_choose(const char *choice, uint32_t lead_metric, struct tfp_arena *arena,
		  struct tfp_offer offers[TFP_MAX_OFFERS], size_t count)
{
	struct item item;
	size_t chosen = 0;

	while (next_item(&choice, &item)) {
		size_t index = find_offer(offers, count, &item);
		struct tfp_offer *offer;

		index = as_total(offers, count, lead_metric, index);

		if (index < chosen || (index == count && count == TFP_MAX_OFFERS))
			continue;
		if (index == count)
			offers[count++] = offer_unknown(&item, lead_metric, arena);
		bring(offers, index, chosen);
		offer = &offers[chosen++];
		offer->chosen = true;
		if (item.priority >= 0)
			offer->column.priority = item.priority;
	}
	return count;
}

/* ---- as an option ----------------------------------------------------------------------------- */

/* Some file may have a metric of any key; a word alone must be that of one that many have. */
static bool is_column(const struct item *item)
{
	struct tfp_span word = word_of(item);
	const struct tfp_metric *metric;

	if (tfp_column_meant(word))
		return true;
	for (size_t i = 0; (metric = tfp_metric_known(i)); i++)
		if (tfp_span_means(word, metric->key) || tfp_span_means(word, metric->title))
			return true;
	return word.size > strlen(TFP_TOTAL_PREFIX) &&
	       tfp_span_begins(word, TFP_SPAN(TFP_TOTAL_PREFIX));
}

/* The names of columns and the keys of metrics that many files have. */
static struct tfp_words words_meant(struct tfp_arena *arena)
{
	struct tfp_words names = tfp_column_names(arena), all = {NULL, names.count};
	size_t metrics = 0;

	while (tfp_metric_known(metrics))
		metrics++;
	all.at = tfp_arena_alloc(arena, (names.count + metrics) * sizeof(*all.at));
	memcpy(all.at, names.at, names.count * sizeof(*all.at));
	for (size_t i = 0; i < metrics; i++)
		all.at[all.count++] = tfp_metric_known(i)->key;
	return all;
}

/* The column of the metric that WORD may be. In capitals it may be that column already. */
static const char *column_of(struct tfp_arena *arena, const char *word)
{
	char *name;

	if (strncasecmp(word, TFP_TOTAL_PREFIX, strlen(TFP_TOTAL_PREFIX)) != 0)
		return tfp_arena_printf(arena, TFP_TOTAL_PREFIX "%s", word);
	name = tfp_arena_text(arena, word, strlen(word));
	for (char *at = name; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return name;
}

/* What is near is meant, or a metric that few files have. */
static void refuse(const struct item *item, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	const char *word = tfp_arena_text(&arena, item->name, item->size < 60 ? item->size : 60);
	const char *near = tfp_nearest(word, words_meant(&arena));
	const char *names = tfp_words_print(&arena, tfp_column_names(&arena));

	if (near)
		tfp_diag_error(diag, "'%s' is not a column; did you mean %s? Columns are %s", word,
			       near, names);
	else
		tfp_diag_error(
			diag,
			"'%s' is not a column; if it is a metric of the file, its column is %s; columns are %s",
			word, column_of(&arena, word), names);
	tfp_arena_free(&arena);
}

static bool check_item(const struct item *item, struct tfp_diag *diag)
{
	if (!is_column(item))
		refuse(item, diag);
	else if (item->priority == -2)
		tfp_diag_error(diag, "%.*s: a priority is a whole number from 0 to %d",
			       (int)(item->size < 60 ? item->size : 60), item->name, MAX_PRIORITY);
	return is_column(item) && item->priority != -2;
}

/* The view that VALUE begins with, which then goes on behind the colon; NULL: none. */
static const struct tfp_view *view_of(const char **value)
{
	for (size_t i = 0; tfp_views[i]; i++) {
		size_t size = strlen(tfp_views[i]->name);

		if (strncmp(*value, tfp_views[i]->name, size) || (*value)[size] != ':')
			continue;
		*value += size + 1;
		return tfp_views[i];
	}
	return NULL;
}

bool tfp_choice_set(struct tfp_query *query, const char *value, struct tfp_diag *diag)
{
	const struct tfp_view *view = view_of(&value);
	const char *rest = value, *choice = NULL;
	struct item item;

	while (next_item(&rest, &item))
		if (!check_item(&item, diag))
			return false;
	if (*value)
		choice = tfp_arena_text(&query->arena, value, strlen(value));
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		if (!view || i == tfp_view_index(view))
			query->choices[i] = choice;
	return true;
}
