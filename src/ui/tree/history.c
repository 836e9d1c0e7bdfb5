/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Undo and redo: whole queries are kept, for a query is one plain value.
 */
#include <string.h>

#include "ui/tree/history.h"

void tfp_history_free(struct tfp_history *history)
{
	for (size_t i = 0; i < history->count; i++)
		tfp_query_free(&history->list[i].query);
	history->count = history->at = 0;
}

/* Drops all queries from FIRST on. */
static void cut(struct tfp_history *history, size_t first)
{
	while (history->count > first)
		tfp_query_free(&history->list[--history->count].query);
}

static void drop_oldest(struct tfp_history *history)
{
	tfp_query_free(&history->list[0].query);
	history->count--;
	memmove(history->list, history->list + 1, history->count * sizeof(*history->list));
}

static bool is_now(const struct tfp_history *history, const struct tfp_query *query)
{
	return history->count && tfp_query_equal(&history->list[history->at].query, query);
}

/* A text that was typed and taken back again is no change. */
static bool is_before(const struct tfp_history *history, const struct tfp_query *query)
{
	return history->at && tfp_query_equal(&history->list[history->at - 1].query, query);
}

void tfp_history_note(struct tfp_history *history, const struct tfp_query *query, const char *lens,
		      bool typing)
{
	bool joins = typing && history->typing;
	struct tfp_past *past;

	if (is_now(history, query))
		return;
	history->typing = typing;
	if (joins && is_before(history, query)) {
		cut(history, history->at--);
		history->typing = false;
		return;
	}
	if (history->count)
		cut(history, history->at + !joins);
	if (history->count == TFP_HISTORY_ROOM)
		drop_oldest(history);
	history->at = history->count++;
	past = &history->list[history->at];
	tfp_query_copy(&past->query, query);
	past->lens = tfp_arena_text(&past->query.arena, lens, strlen(lens));
}

void tfp_history_take_back(struct tfp_history *history, const struct tfp_query *query)
{
	if (!history->at || is_now(history, query))
		return;
	cut(history, history->at);
	history->at--;
}

const struct tfp_past *tfp_history_step(struct tfp_history *history, bool back)
{
	if (back ? !history->at : history->at + 1 >= history->count)
		return NULL;
	history->at = back ? history->at - 1 : history->at + 1;
	return &history->list[history->at];
}
