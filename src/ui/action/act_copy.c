/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that take something to the clipboard; into files: act_write.c.
 */
#include <stdlib.h>

#include "tfprof/report.h"
#include "ui/action/actions.h"

/* More than this no terminal takes into its clipboard. */
#define CLIP_MOST 65536

/* Writes the marked or the visible rows; *COUNT gets how many. */
static bool write_rows(struct tfp_treepane *pane, enum tfp_picked which,
		       enum tfp_table_format format, FILE *out, size_t *count,
		       struct tfp_diag *diag)
{
	struct tfp_table_row *rows;
	struct tfp_table table = {
		.tree = pane->rows.tree,
		.columns = pane->columns,
		.column_count = pane->column_count,
		.of_root = pane->of_root,
		.apart = which == TFP_MARKED,
	};
	bool done;

	rows = tfp_picked_rows(pane, which, &table.count);
	table.rows = rows;
	*count = table.count;
	done = tfp_table_write(out, &table, format, diag);
	tfp_array_release(rows);
	return done;
}

/* ---- the clipboard ---------------------------------------------------------------------------- */

bool tfp_screen_pane_table(const struct tfp_screen *screen, struct tfp_pane_table *table)
{
	const struct tfp_drillpane *drill = &screen->drill;
	const struct tfp_breakdown *detail;
	size_t side = screen->focus == TFP_FOCUS_SECOND;

	if (screen->focus == TFP_FOCUS_TREE || side >= drill->count || !screen->tree.rows.tree ||
	    !drill->details[side]->count)
		return false;
	detail = drill->details[side];
	*table = (struct tfp_pane_table){
		.detail = detail,
		.tree = screen->tree.rows.tree,
		.name = drill->name ? drill->name : "",
		.kind = detail->kind < TFP_BREAKDOWN_KINDS
				? screen->about.breakdowns[detail->kind].name
				: "marked",
		.metric = screen->tree.lens.metric,
	};
	return true;
}

char *tfp_pane_table_text(const struct tfp_pane_table *table, struct tfp_arena *arena)
{
	const struct tfp_breakdown *detail = table->detail;

	if (detail->pages < 2)
		return tfp_arena_printf(arena, "%s pane", table->kind);
	return tfp_arena_printf(arena, "%s pane, page %llu of %llu", table->kind,
				(unsigned long long)detail->page + 1,
				(unsigned long long)detail->pages);
}

/* The row of the pane that has the cursor; NULL while the tree has it. */
static const struct tfp_breakdown_row *pane_row(const struct tfp_screen *screen)
{
	return screen->focus == TFP_FOCUS_TREE
		       ? NULL
		       : tfp_drillpane_row(&screen->drill, screen->focus == TFP_FOCUS_SECOND);
}

/* An attribute's, or what a checkpoint holds: all of it, however little the screen has room for. */
static void copy_value(struct tfp_screen *screen)
{
	const struct tfp_breakdown_row *row = pane_row(screen);

	if (row && row->text)
		tfp_screen_copy(screen, tfp_span_of(row->text));
}

static void copy_name(struct tfp_screen *screen)
{
	const struct tfp_breakdown_row *row = pane_row(screen);
	uint32_t at = tfp_treepane_row(&screen->tree);

	if (row)
		tfp_screen_copy(screen, tfp_span_of(row->label));
	else if (at != TFP_NONE)
		tfp_screen_copy(screen, tfp_base_label(screen->tree.rows.tree->base, at));
}

/* The rows of the pane that has the focus, else of the tree, to OUT; WHAT gets what they are. */
static bool write_table(struct tfp_screen *screen, FILE *out, size_t *count, const char **what,
			struct tfp_arena *arena, struct tfp_diag *diag)
{
	enum tfp_picked which = tfp_picked_marks(&screen->tree) ? TFP_MARKED : TFP_VISIBLE;
	struct tfp_pane_table pane;
	bool done;

	if (tfp_screen_pane_table(screen, &pane)) {
		*count = pane.detail->count;
		*what = tfp_arena_printf(arena, "row%s of the %s", *count == 1 ? "" : "s",
					 tfp_pane_table_text(&pane, arena));
		return tfp_pane_table_write(out, &pane, TFP_TABLE_MD, diag);
	}
	done = write_rows(&screen->tree, which, TFP_TABLE_MD, out, count, diag);
	*what = tfp_arena_printf(arena, "%s row%s", tfp_picked_names[which],
				 *count == 1 ? "" : "s");
	return done;
}

static void copy_table(struct tfp_screen *screen)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	const char *what = "rows";
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *out = open_memstream(&text, &size);

	if (out && write_table(screen, out, &count, &what, &arena, diag) && !fflush(out) &&
	    size <= CLIP_MOST) {
		tfp_screen_copy(screen, (struct tfp_span){text, size});
		tfp_screen_say(screen, "copied: %zu %s as Markdown", count, what);
	} else {
		tfp_screen_fail(screen, "%zu %s are more than a clipboard takes; {w} writes a file",
				count, what);
	}
	if (out)
		fclose(out);
	free(text);
	tfp_arena_free(&arena);
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
static void select_columns(const struct tfp_screen *screen, bool one_metric,
			   struct tfp_query *query)
{
	const struct tfp_view *view = tfp_view_find(query->view);
	const char **choice = view ? &query->choices[tfp_view_index(view)] : NULL;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};

	if (choice && *choice && !one_metric)
		tfp_query_set(query, "select", shown_metrics(screen, &arena), diag);
	else if (one_metric ||
		 (!query->select.at && screen->lens.metric != screen->about.default_metric))
		tfp_query_set(query, "select", screen->about.metrics[screen->lens.metric].key,
			      diag);
	if (choice)
		*choice = NULL;
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
}

void tfp_screen_report_query(const struct tfp_screen *screen, bool one_metric,
			     struct tfp_query *query)
{
	tfp_query_copy(query, &screen->query);
	select_columns(screen, one_metric, query);
}

static void copy_command(struct tfp_screen *screen)
{
	const char *files = screen->config->files ? screen->config->files : "";
	struct tfp_arena arena = {0};
	struct tfp_query query;
	char *line;

	tfp_screen_report_query(screen, false, &query);
	line = tfp_arena_printf(&arena, "tfprof %s %s", tfp_query_command(&query, &arena), files);
	tfp_screen_copy(screen, tfp_span_of(line));
	tfp_query_free(&query);
	tfp_arena_free(&arena);
}

static void choose_copy(struct tfp_screen *screen, int64_t letter)
{
	if (letter == 'n')
		copy_name(screen);
	else if (letter == 'c')
		copy_command(screen);
	else if (tfp_screen_refuses_part(screen))
		return;
	else if (letter == 'v')
		copy_value(screen);
	else
		copy_table(screen);
}

void tfp_act_copy_menu(struct tfp_screen *screen, int unused)
{
	const struct tfp_breakdown_row *row = pane_row(screen);
	struct tfp_pane_table pane;

	(void)unused;
	if (!screen->loaded)
		return;
	tfp_menu_begin(screen, "copy", choose_copy);
	tfp_menu_add(screen, 'n', "name", 'n');
	if (row && row->text)
		tfp_menu_add(screen, 'v', "value", 'v');
	if (tfp_screen_pane_table(screen, &pane))
		tfp_menu_add(screen, 't', "this pane (Markdown)", 't');
	else if (tfp_picked_any(&screen->tree))
		tfp_menu_add(screen, 't',
			     tfp_picked_marks(&screen->tree) ? "marked rows (Markdown)"
							     : "visible rows (Markdown)",
			     't');
	tfp_menu_add(screen, 'c', "command line of this view", 'c');
	tfp_menu_open(screen);
}
