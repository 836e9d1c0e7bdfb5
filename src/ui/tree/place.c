/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the person was: the view, its open rows, the cursor and the query, from one time to the next.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

#define MOST_OPEN 500 /* rows that are remembered */

/* ---- the last time --------------------------------------------------------------------------- */

const struct tfp_view *tfp_place_recall(struct tfp_screen *screen)
{
	const struct tfp_ui_place *place = screen->config->place;
	const struct tfp_view *view = place && place->view ? tfp_view_find(place->view) : NULL;

	if (!view || screen->about.view_missing[tfp_view_index(view)])
		return NULL;
	tfp_treepane_recall(&screen->tree, view, place->open, place->open_count, place->cursor);
	return view;
}

/* The next word of a shell at *TEXT, as tfp_shell_quote writes it, in ARENA; NULL at the end. */
static char *next_word(const char **text, struct tfp_arena *arena)
{
	const char *at = *text + strspn(*text, " ");
	char *word = tfp_arena_alloc(arena, strlen(at) + 1), *end = word;
	bool quoted = false;

	if (!*at)
		return NULL;
	for (; *at && (quoted || *at != ' '); at++) {
		if (*at == '\'')
			quoted = !quoted;
		else if (!quoted && *at == '\\' && at[1])
			*end++ = *++at;
		else
			*end++ = *at;
	}
	*end = '\0';
	*text = at;
	return word;
}

/* Sets in QUERY what the words of TEXT say: a view, then options. What is not valid is left out. */
static void set_words(struct tfp_query *query, const char *text, struct tfp_arena *arena)
{
	struct tfp_diag *diag = tfp_diag_new();
	char *word;

	while ((word = next_word(&text, arena))) {
		const struct tfp_view *view = tfp_view_find(word);
		char *sign = strchr(word, '=');

		if (view)
			query->view = view->name;
		if (strncmp(word, "--", 2) != 0)
			continue;
		if (sign)
			*sign = '\0';
		tfp_query_set(query, word + 2, sign ? sign + 1 : NULL, diag);
	}
	tfp_diag_free(diag);
}

void tfp_place_resume(struct tfp_screen *screen)
{
	struct tfp_arena arena = {0};

	if (screen->resume)
		set_words(&screen->query, screen->resume, &arena);
	tfp_arena_free(&arena);
}

void tfp_act_resume(struct tfp_screen *screen, int unused)
{
	const struct tfp_ui_place *place = screen->config->place;

	(void)unused;
	if (!screen->loaded)
		return;
	if (!screen->resume) {
		tfp_screen_say(screen, "nothing is known of a last time%s%s",
			       place && place->why ? ": " : "",
			       place && place->why ? place->why : "");
		return;
	}
	tfp_query_free(&screen->query);
	tfp_query_init(&screen->query);
	screen->query.links = true; /* which no option says */
	tfp_place_resume(screen);
	screen->tree.rows.chosen = false;
	tfp_screen_use_order(screen);
	tfp_screen_ask_tree(screen);
	tfp_screen_say(screen, "as the last time; {u} undoes it");
}

/* ---- this time ------------------------------------------------------------------------------- */

static void keep_open(struct tfp_ui_place *place, const struct tfp_rows *rows)
{
	size_t count;
	uint64_t *keys = tfp_rows_keys(rows, &count), *copy;

	place->open_count = count < MOST_OPEN ? count : MOST_OPEN;
	copy = tfp_arena_alloc(&place->arena, (place->open_count + 1) * sizeof(*copy));
	if (place->open_count)
		memcpy(copy, keys, place->open_count * sizeof(*copy));
	place->open = copy;
	tfp_array_release(keys);
}

void tfp_place_keep(struct tfp_screen *screen)
{
	struct tfp_ui_place *place = screen->config->place;
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);
	const char *why;

	if (!place || !tree || tfp_screen_has_part(screen))
		return;
	why = place->why;
	tfp_arena_free(&place->arena);
	*place = (struct tfp_ui_place){.view = tree->base->view->name, .why = why};
	place->cursor = row == TFP_NONE ? 0 : tree->base->key[row];
	keep_open(place, &screen->tree.rows);
	place->query = tfp_query_command(&screen->query, &place->arena);
}
