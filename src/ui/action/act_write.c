/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing files: rows as they are on the screen, or what --output makes of the view. The worker does it
 * (task_run.c); here is what a person wishes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ui/action/actions.h"

/* ---- what can be chosen ------------------------------------------------------------------------ */

static bool is_offered(const struct tfp_screen *screen, const struct tfp_output_kind *kind)
{
	return kind->thing && (!kind->fits || kind->fits(screen->tree.rows.tree->base));
}

/* The first kind from KIND on that is offered; NULL. */
static const struct tfp_output_kind *find_kind(const struct tfp_screen *screen,
					       const struct tfp_output_kind *kind)
{
	while (kind->type && !is_offered(screen, kind))
		kind++;
	return kind->type ? kind : NULL;
}

/* Sentences make no table. */
static struct tfp_write_choice first_of_tree(struct tfp_screen *screen)
{
	if (!tfp_picked_any(&screen->tree))
		return (struct tfp_write_choice){.kind = find_kind(screen, tfp_output_kinds)};
	return (struct tfp_write_choice){.rows = tfp_picked_marks(&screen->tree) ? TFP_MARKED
										 : TFP_VISIBLE};
}

/* Who is in the pane means its rows. */
static struct tfp_write_choice first_choice(struct tfp_screen *screen)
{
	struct tfp_pane_table pane;

	if (tfp_screen_pane_table(screen, &pane))
		return (struct tfp_write_choice){.rows = TFP_OF_PANE};
	return first_of_tree(screen);
}

/*
 * The choice behind this one: rows of the pane that has the focus, marked rows if there are any, visible, all;
 * then each kind of output.
 */
static struct tfp_write_choice next_choice(struct tfp_screen *screen,
					   struct tfp_write_choice choice)
{
	const struct tfp_output_kind *kind;

	if (!choice.kind && choice.rows == TFP_OF_PANE)
		return first_of_tree(screen);
	if (!choice.kind && choice.rows != TFP_ALL)
		return (struct tfp_write_choice){.rows = choice.rows + 1};
	kind = find_kind(screen, choice.kind ? choice.kind + 1 : tfp_output_kinds);
	return kind ? (struct tfp_write_choice){.kind = kind} : first_choice(screen);
}

/* More rows are open than the screen shows: then "visible" alone would not say how many go. */
static size_t open_beyond_screen(const struct tfp_screen *screen, struct tfp_write_choice choice)
{
	bool beyond = screen->tree.rows.count > screen->tree.list.height;

	return choice.rows == TFP_VISIBLE && beyond ? screen->tree.rows.count : 0;
}

/* "visible rows", "81 visible rows", "nodes pane", "timeline"; BRIEF: "visible". In ARENA. */
static const char *choice_text(const struct tfp_screen *screen, struct tfp_write_choice choice,
			       bool brief, struct tfp_arena *arena)
{
	struct tfp_pane_table pane;
	char rows[TFP_NUMBER_ROOM];
	size_t count = choice.kind || brief ? 0 : open_beyond_screen(screen, choice);

	if (choice.kind)
		return choice.kind->thing;
	if (choice.rows == TFP_OF_PANE)
		return tfp_screen_pane_table(screen, &pane) && !brief
			       ? tfp_pane_table_text(&pane, arena)
			       : "pane";
	if (count)
		return tfp_arena_printf(arena, "%s %s rows", tfp_number_exact(rows, (int64_t)count),
					tfp_picked_names[choice.rows]);
	return tfp_arena_printf(arena, "%s%s", tfp_picked_names[choice.rows], brief ? "" : " rows");
}

static void show_choice(struct tfp_screen *screen)
{
	struct tfp_write_choice now = screen->write_choice, next = next_choice(screen, now);
	bool only = now.kind && now.kind == next.kind;
	struct tfp_arena arena = {0};

	snprintf(screen->prompt.sign, sizeof(screen->prompt.sign),
		 "write %s%s%s%s to: ", choice_text(screen, now, false, &arena),
		 only ? "" : " (Tab: ", only ? "" : choice_text(screen, next, true, &arena),
		 only ? "" : ")");
	tfp_arena_free(&arena);
}

static void turn_choice(struct tfp_screen *screen, struct tfp_edit *edit)
{
	(void)edit;
	screen->write_choice = next_choice(screen, screen->write_choice);
	show_choice(screen);
}

/* ---- the worker's part -------------------------------------------------------------------------- */

static void fill_rows(struct tfp_screen *screen, enum tfp_picked rows, struct tfp_writing *writing)
{
	struct tfp_treepane *pane = &screen->tree;

	writing->order = pane->rows.order;
	writing->reverse = pane->rows.reverse;
	writing->what = tfp_strdup(rows == TFP_ALL ? "" : tfp_picked_names[rows]);
	memcpy(writing->columns, pane->columns, sizeof(writing->columns));
	writing->table = (struct tfp_table){
		.column_count = pane->column_count,
		.of_root = pane->of_root,
		.apart = rows == TFP_MARKED,
	};
	writing->rows = tfp_picked_rows(pane, rows, &writing->table.count);
}

/* Takes over what the wish has of a pane. */
static void fill_pane(struct tfp_wish *wish, struct tfp_writing *writing)
{
	writing->text = wish->text;
	writing->size = wish->size;
	writing->what = wish->pane;
	writing->table.count = wish->count;
}

/* Begins what is wished. */
static void start(struct tfp_screen *screen)
{
	struct tfp_wish *wish = &screen->wish;
	struct tfp_writing *writing = tfp_alloc_zero(1, sizeof(*writing));
	struct tfp_request request = {.task = TFP_TASK_WRITE, .writing = writing};

	writing->path = wish->path;
	writing->said = wish->said;
	writing->output = wish->output;
	writing->of_query = wish->of_query;
	if (wish->of_query)
		writing->query = wish->query;
	else if (wish->text)
		fill_pane(wish, writing);
	else
		fill_rows(screen, wish->rows, writing);
	*wish = (struct tfp_wish){0};
	if (screen->tree.rows.tree)
		request.tree = tfp_tree_hold(screen->tree.rows.tree);
	tfp_worker_ask(screen->worker, &request);
}

void tfp_screen_take_writing(struct tfp_screen *screen, struct tfp_answer *answer)
{
	const struct tfp_writing *writing = answer->writing;
	size_t count = writing ? writing->table.count : 0;
	char number[TFP_NUMBER_ROOM];

	tfp_number_exact(number, (int64_t)count);
	if (answer->failed || !writing)
		tfp_screen_fail(screen, "%s", answer->error ? answer->error : "not written");
	else if (writing->of_query)
		tfp_screen_say(screen, "%s: %s written", writing->said,
			       writing->output.kind->thing ? writing->output.kind->thing
							   : writing->output.kind->type);
	else if (writing->text)
		tfp_screen_say(screen, "%s: %s row%s of the %s written", writing->said, number,
			       count == 1 ? "" : "s", writing->what);
	else
		tfp_screen_say(screen, "%s: %s %s%srow%s written", writing->said, number,
			       writing->what, *writing->what ? " " : "", count == 1 ? "" : "s");
}

/* ---- wishes ------------------------------------------------------------------------------------- */

void tfp_wish_free(struct tfp_wish *wish)
{
	free(wish->path);
	free(wish->said);
	free(wish->text);
	free(wish->pane);
	if (wish->of_query)
		tfp_query_free(&wish->query);
	*wish = (struct tfp_wish){0};
}

static void choose_overwrite(struct tfp_screen *screen, int64_t yes)
{
	if (yes && screen->wish.path)
		start(screen);
}

static struct tfp_words step_texts(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	size_t count = screen->about.step_count;
	struct tfp_words words = {tfp_arena_zero(arena, count + 1, sizeof(*words.at)), count};

	for (size_t i = 0; i < count; i++)
		words.at[i] = tfp_arena_printf(arena, "%lld", (long long)screen->about.steps[i]);
	return words;
}

/* The first of PATHS that is there; NULL. */
static const char *find_there(struct tfp_words paths)
{
	struct stat status;

	for (size_t i = 0; i < paths.count; i++)
		if (lstat(paths.at[i], &status) == 0)
			return paths.at[i];
	return NULL;
}

static char *say_paths(struct tfp_words paths, struct tfp_arena *arena)
{
	if (paths.count < 2)
		return tfp_arena_printf(arena, "%s", paths.count ? paths.at[0] : "");
	return tfp_arena_printf(arena, "%s and %zu more", paths.at[0], paths.count - 1);
}

/* Begins what is wished, unless a file is there that would be lost. */
static void begin(struct tfp_screen *screen)
{
	struct tfp_wish *wish = &screen->wish;
	struct tfp_arena arena = {0};
	struct tfp_words paths =
		tfp_output_paths(&wish->output, wish->of_query ? &wish->query : &screen->query,
				 step_texts(screen, &arena), &arena);
	const char *there = find_there(paths);

	wish->said = tfp_strdup(say_paths(paths, &arena));
	if (there) {
		tfp_screen_say(screen, "%s is there already", there);
		tfp_menu_begin(screen, "overwrite it", choose_overwrite);
		tfp_menu_add(screen, 'n', "no", 0);
		tfp_menu_add(screen, 'y', "yes", 1);
		tfp_menu_open(screen);
	} else {
		start(screen);
	}
	tfp_arena_free(&arena);
}

/* A wish for OUTPUT in place of the one before. */
static struct tfp_wish *wish_for(struct tfp_screen *screen, const struct tfp_output *output)
{
	struct tfp_wish *wish = &screen->wish;

	tfp_wish_free(wish);
	wish->path = tfp_strdup(output->outfile);
	wish->output = *output;
	wish->output.outfile = wish->path;
	return wish;
}

/* The pane may show something else before the worker comes to it: its rows are made now. */
static bool wish_for_pane(struct tfp_screen *screen, const struct tfp_output *output)
{
	struct tfp_wish *wish = wish_for(screen, output);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	struct tfp_pane_table pane;
	bool there = tfp_screen_pane_table(screen, &pane);
	FILE *out = there ? open_memstream(&wish->text, &wish->size) : NULL;

	if (out) {
		tfp_pane_table_write(out, &pane, output->kind->format, diag);
		fclose(out);
		wish->count = pane.detail->count;
		wish->pane = tfp_strdup(tfp_pane_table_text(&pane, &arena));
	} else {
		tfp_screen_fail(screen, "the pane has no rows now");
	}
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	return out;
}

void tfp_write_query(struct tfp_screen *screen, const struct tfp_query *query,
		     const struct tfp_output *output)
{
	struct tfp_wish *wish;

	if (tfp_screen_refuses_part(screen))
		return;
	wish = wish_for(screen, output);
	wish->of_query = true;
	tfp_query_copy(&wish->query, query);
	begin(screen);
}

/* ---- the prompt --------------------------------------------------------------------------------- */

/* "~/x" as a shell would take it. */
static char *expand(const char *text, struct tfp_arena *arena)
{
	const char *home = getenv("HOME");

	if (strncmp(text, "~/", 2) || !home)
		home = "";
	return tfp_arena_printf(arena, "%s%s", home, text + (*home ? 1 : 0));
}

/* An ending of each kind that the view has: " .csv .json". In ARENA. */
static char *endings(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	const struct tfp_base *base = screen->tree.rows.tree->base;
	char *text = tfp_arena_text(arena, "", 0);

	for (const struct tfp_output_kind *kind = tfp_output_kinds; kind->type; kind++)
		if (kind->suffixes && (!kind->fits || kind->fits(base)))
			text = tfp_arena_printf(arena, "%s %.*s", text,
						(int)strcspn(kind->suffixes, " "), kind->suffixes);
	return text;
}

static void write_kind(struct tfp_screen *screen, const struct tfp_output *output)
{
	const struct tfp_base *base = screen->tree.rows.tree->base;
	struct tfp_query query;

	if (output->kind->fits && !output->kind->fits(base)) {
		tfp_screen_fail(screen, "the %s view has no %s", base->view->name,
				output->kind->thing ? output->kind->thing : "table");
	} else if (output->kind->table && screen->write_choice.rows == TFP_OF_PANE) {
		if (wish_for_pane(screen, output))
			begin(screen);
	} else if (output->kind->table) {
		wish_for(screen, output)->rows = screen->write_choice.rows;
		begin(screen);
	} else {
		tfp_screen_report_query(screen, output->kind->one_metric, &query);
		tfp_write_query(screen, &query, output);
		tfp_query_free(&query);
	}
}

static void entered(struct tfp_screen *screen, const char *text)
{
	struct tfp_arena arena = {0};
	struct tfp_output output = {.kind = screen->write_choice.kind,
				    .outfile = expand(text, &arena),
				    .as_named = true};

	if (!output.kind)
		output.kind = tfp_output_of_path(text);
	if (*text && screen->tree.rows.tree && output.kind)
		write_kind(screen, &output);
	else if (*text && screen->tree.rows.tree)
		tfp_screen_fail(screen, "the name's ending says what it is to be:%s",
				endings(screen, &arena));
	tfp_arena_free(&arena);
}

static const struct tfp_prompt_kind write_prompt = {
	.sign = "",
	.remembers = TFP_PAST_FILES,
	.entered = entered,
	.complete = turn_choice,
};

void tfp_act_write(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (!screen->tree.rows.tree || tfp_screen_refuses_part(screen))
		return;
	screen->write_choice = first_choice(screen);
	tfp_prompt_open(screen, &write_prompt);
	show_choice(screen);
}

void tfp_write_to(struct tfp_screen *screen, const char *path)
{
	tfp_act_write(screen, 0);
	if (!screen->mode)
		return;
	screen->mode = NULL;
	tfp_edit_set(&screen->prompt.edit, path);
	entered(screen, screen->prompt.edit.text);
}
