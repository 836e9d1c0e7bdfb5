/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Choices of columns as text, "NAME,NAME:PRIORITY,…": what one makes of the columns on offer, and how it is an
 * option of a query.
 */
#include "view/tree/choice.h"

#include <string.h>

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

static bool is_named(const struct item *item, const char *name)
{
	return strlen(name) == item->size && !memcmp(name, item->name, item->size);
}

/* ---- on offers --------------------------------------------------------------------------------- */

/* The index of the offer that ITEM names; COUNT if there is none. */
static size_t find_offer(const struct tfp_offer *offers, size_t count, const struct item *item)
{
	size_t index = 0;

	while (index < count && !is_named(item, offers[index].name))
		index++;
	return index;
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
		.missing = "the file has no such metric",
		.usual = TFP_ADDED_PRIORITY,
	};
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

static bool is_column(const struct item *item)
{
	const size_t prefix = strlen(TFP_TOTAL_PREFIX);

	if (tfp_column_named((struct tfp_span){item->name, item->size}))
		return true;
	return item->size > prefix && !memcmp(item->name, TFP_TOTAL_PREFIX, prefix);
}

static bool check_item(const struct item *item, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	int size = (int)(item->size < 60 ? item->size : 60);

	if (!is_column(item))
		tfp_diag_error(diag, "'%.*s' is not a column; columns are %s", size, item->name,
			       tfp_words_print(&arena, tfp_column_names(&arena)));
	else if (item->priority == -2)
		tfp_diag_error(diag, "%.*s: a priority is a whole number from 0 to %d", size,
			       item->name, MAX_PRIORITY);
	tfp_arena_free(&arena);
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
