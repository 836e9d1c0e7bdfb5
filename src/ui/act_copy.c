/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that take something away from the screen: to the clipboard, or into a file.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tfprof/report.h"
#include "ui/actions.h"

/* More than this no terminal takes into its clipboard. */
#define CLIP_MOST 65536

/* ---- tables ----------------------------------------------------------------------------------- */

enum which { MARKED, VISIBLE, ALL };

static const char *const which_names[] = {"marked", "visible", "all"};

static size_t count_marks(struct tfp_screen *screen)
{
	size_t count;

	tfp_marks_rows(&screen->tree.marks, screen->tree.rows.tree, &count);
	return count;
}

static uint32_t depth_of(const struct tfp_rows *rows, uint32_t row)
{
	uint32_t depth = 0;

	while ((row = tfp_rows_above(rows, row)) != TFP_NONE)
		depth++;
	return depth;
}

static struct tfp_table_row *marked_rows(struct tfp_treepane *pane, size_t *count)
{
	const uint32_t *marks = tfp_marks_rows(&pane->marks, pane->rows.tree, count);
	struct tfp_table_row *rows = tfp_array_grow(NULL, &(size_t){0}, *count, sizeof(*rows));
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		if (tfp_table_holds(pane->rows.tree, marks[i]))
			rows[kept++] = (struct tfp_table_row){marks[i],
							      tfp_rows_above(&pane->rows, marks[i]),
							      depth_of(&pane->rows, marks[i])};
	*count = kept;
	return rows;
}

static struct tfp_table_row *visible_rows(const struct tfp_treepane *pane, size_t *count)
{
	struct tfp_table_row *rows;
	size_t all = pane->rows.count;

	rows = tfp_array_grow(NULL, &(size_t){0}, all, sizeof(*rows));
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		struct tfp_visible at = tfp_rows_at(&pane->rows, i);

		if (tfp_table_holds(pane->rows.tree, at.row))
			rows[(*count)++] = (struct tfp_table_row){
				at.row, tfp_rows_above(&pane->rows, at.row), at.level};
	}
	return rows;
}

/* Writes the marked or the visible rows; *COUNT gets how many. */
static bool write_rows(struct tfp_treepane *pane, enum which which, enum tfp_table_format format,
		       FILE *out, size_t *count, struct tfp_diag *diag)
{
	struct tfp_table_row *rows;
	struct tfp_table table = {
		.tree = pane->rows.tree,
		.columns = pane->columns,
		.column_count = pane->column_count,
		.of_root = pane->of_root,
		.apart = which == MARKED,
	};
	bool done;

	if (which == MARKED)
		rows = marked_rows(pane, &table.count);
	else
		rows = visible_rows(pane, &table.count);
	table.rows = rows;
	*count = table.count;
	done = tfp_table_write(out, &table, format, diag);
	tfp_array_release(rows);
	return done;
}

/* ---- the clipboard ---------------------------------------------------------------------------- */

static void copy_name(struct tfp_screen *screen)
{
	const struct tfp_breakdown_row *row =
		tfp_drillpane_row(&screen->drill, screen->focus == TFP_FOCUS_SECOND);
	uint32_t at = tfp_treepane_row(&screen->tree);

	if (screen->focus != TFP_FOCUS_TREE && row)
		tfp_screen_copy(screen, tfp_span_of(row->label));
	else if (at != TFP_NONE)
		tfp_screen_copy(screen, tfp_base_label(screen->tree.rows.tree->base, at));
}

static void copy_table(struct tfp_screen *screen)
{
	enum which which = count_marks(screen) ? MARKED : VISIBLE;
	struct tfp_diag *diag = tfp_diag_new();
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *out = open_memstream(&text, &size);

	if (out && write_rows(&screen->tree, which, TFP_TABLE_MD, out, &count, diag) &&
	    !fflush(out) && size <= CLIP_MOST) {
		tfp_screen_copy(screen, (struct tfp_span){text, size});
		tfp_screen_say(screen, "copied: %zu %s row%s as Markdown", count,
			       which_names[which], count == 1 ? "" : "s");
	} else {
		tfp_screen_fail(screen,
				"%zu rows are more than a clipboard takes; {w} writes a file",
				count);
	}
	if (out)
		fclose(out);
	free(text);
	tfp_diag_free(diag);
}

/* The metrics of the columns, as the option that a report has for them; each once. */
static const char *shown_metrics(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	const struct tfp_treepane *pane = &screen->tree;
	char *text = tfp_arena_text(arena, "", 0);
	uint64_t seen = 0;

	for (size_t i = 0; i < pane->column_count; i++) {
		uint32_t metric = pane->columns[i].metric;

		if (metric >= 64 || seen >> metric & 1)
			continue;
		seen |= (uint64_t)1 << metric;
		text = tfp_arena_printf(arena, "%s%s%s", text, *text ? "," : "",
					screen->about.metrics[metric].key);
	}
	return text;
}

/*
 * A report speaks of the profile's main metric unless told otherwise: of the one that leads, or of those
 * of the columns where they were chosen.
 */
static void select_columns(const struct tfp_screen *screen, struct tfp_query *query)
{
	const struct tfp_view *view = tfp_view_find(query->view);
	const char **choice = view ? &query->choices[tfp_view_index(view)] : NULL;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};

	if (choice && *choice)
		tfp_query_set(query, "select", shown_metrics(screen, &arena), diag);
	else if (!query->select.at && screen->lens.metric != screen->about.default_metric)
		tfp_query_set(query, "select", screen->about.metrics[screen->lens.metric].key,
			      diag);
	if (choice)
		*choice = NULL;
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
}

static void copy_command(struct tfp_screen *screen)
{
	const char *files = screen->config->files ? screen->config->files : "";
	struct tfp_arena arena = {0};
	struct tfp_query query;
	char *line;

	tfp_query_copy(&query, &screen->query);
	select_columns(screen, &query);
	line = tfp_arena_printf(&arena, "tfprof %s %s", tfp_query_command(&query, &arena), files);
	tfp_screen_copy(screen, tfp_span_of(line));
	tfp_query_free(&query);
	tfp_arena_free(&arena);
}

static void choose_copy(struct tfp_screen *screen, int64_t letter)
{
	if (letter == 'n')
		copy_name(screen);
	else if (letter == 't')
		copy_table(screen);
	else
		copy_command(screen);
}

static bool is_table(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	return tree && !tree->base->view->text;
}

void tfp_act_copy_menu(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (!screen->loaded)
		return;
	tfp_menu_begin(screen, "copy", choose_copy);
	tfp_menu_add(screen, 'n', "name", 'n');
	if (is_table(screen))
		tfp_menu_add(screen, 't',
			     count_marks(screen) ? "marked rows (Markdown)"
						 : "visible rows (Markdown)",
			     't');
	tfp_menu_add(screen, 'c', "command line of this view", 'c');
	tfp_menu_open(screen);
}

/* ---- files ------------------------------------------------------------------------------------ */

static void entered(struct tfp_screen *screen, const char *text);
static void turn_which(struct tfp_screen *screen, struct tfp_edit *edit);

static const struct tfp_prompt_kind prompts[] = {
	[MARKED] = {.sign = "write marked rows (Tab: visible) to: ",
		    .entered = entered,
		    .complete = turn_which},
	[VISIBLE] = {.sign = "write visible rows (Tab: all) to: ",
		     .entered = entered,
		     .complete = turn_which},
	[ALL] = {.sign = "write all rows (Tab: marked, visible) to: ",
		 .entered = entered,
		 .complete = turn_which},
};

static void turn_which(struct tfp_screen *screen, struct tfp_edit *edit)
{
	enum which which = (enum which)(screen->prompt.kind - prompts);
	enum which first = count_marks(screen) ? MARKED : VISIBLE;

	(void)edit;
	screen->prompt.kind = &prompts[which == ALL ? first : which + 1];
}

/* "~/x" as a shell would take it. */
static char *expand(const char *text, struct tfp_arena *arena)
{
	const char *home = getenv("HOME");

	if (strncmp(text, "~/", 2) || !home)
		home = "";
	return tfp_arena_printf(arena, "%s%s", home, text + (*home ? 1 : 0));
}

static void write_file(struct tfp_screen *screen, const char *path, enum which which)
{
	struct tfp_treepane *pane = &screen->tree;
	struct tfp_writing *writing = tfp_alloc_zero(1, sizeof(*writing));
	struct tfp_request request = {.task = TFP_TASK_WRITE, .writing = writing};

	writing->path = tfp_strdup(path);
	writing->format = TFP_TABLE_TXT;
	tfp_table_format_of(path, &writing->format);
	writing->what = which_names[which];
	writing->order = pane->rows.order;
	writing->reverse = pane->rows.reverse;
	memcpy(writing->columns, pane->columns, sizeof(writing->columns));
	writing->table = (struct tfp_table){
		.column_count = pane->column_count,
		.of_root = pane->of_root,
		.apart = which == MARKED,
	};
	if (which == MARKED)
		writing->rows = marked_rows(pane, &writing->table.count);
	else if (which == VISIBLE)
		writing->rows = visible_rows(pane, &writing->table.count);
	request.tree = tfp_tree_hold(pane->rows.tree);
	tfp_worker_ask(screen->worker, &request);
}

void tfp_screen_take_writing(struct tfp_screen *screen, struct tfp_answer *answer)
{
	const struct tfp_writing *writing = answer->writing;
	size_t count = writing ? writing->table.count : 0;

	if (!answer->failed)
		tfp_screen_say(screen, "%s: %zu %s row%s written", writing->path, count,
			       writing->what, count == 1 ? "" : "s");
	else
		tfp_screen_fail(screen, "%s", answer->error ? answer->error : "not written");
}

static void choose_overwrite(struct tfp_screen *screen, int64_t which)
{
	struct tfp_arena arena = {0};

	if (which >= 0)
		write_file(screen, expand(screen->prompt.edit.text, &arena), (enum which)which);
	tfp_arena_free(&arena);
}

static void entered(struct tfp_screen *screen, const char *text)
{
	enum which which = (enum which)(screen->prompt.kind - prompts);
	struct tfp_arena arena = {0};
	char *path = expand(text, &arena);
	enum tfp_table_format format;
	struct stat status;

	if (*text && !tfp_table_format_of(path, &format)) {
		tfp_screen_fail(screen,
				"the name says the format: it ends in .txt, .csv, .json or .md");
	} else if (*text && is_table(screen) && lstat(path, &status) == 0) {
		tfp_screen_say(screen, "%s is there already", path);
		tfp_menu_begin(screen, "overwrite it", choose_overwrite);
		tfp_menu_add(screen, 'n', "no", -1);
		tfp_menu_add(screen, 'y', "yes", which);
		tfp_menu_open(screen);
	} else if (*text && is_table(screen)) {
		write_file(screen, path, which);
	}
	tfp_arena_free(&arena);
}

void tfp_act_write(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (is_table(screen))
		tfp_prompt_open(screen, &prompts[count_marks(screen) ? MARKED : VISIBLE]);
	else
		tfp_screen_say(screen, "these lines make no table; views 1 to 8 do");
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
