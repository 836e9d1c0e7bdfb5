/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drill-down pane as text.
 */
#include <string.h>

#include "ui/drillpane.h"

/* Cells of the columns, each with the blank before it; a column needs so wide a pane. */
#define VALUE_CELLS 10
#define SHARE_CELLS 6
#define RUNS_CELLS  10
#define VALUE_FROM  24
#define SHARE_FROM  34
#define BAR_FROM    48
#define RUNS_FROM   66

struct layout {
	int name, value, share, bar, runs; /* 0: not drawn */
};

static struct layout layout_of(const struct tfp_breakdown *detail, int cols)
{
	struct layout layout = {.name = cols};
	bool runs = false;

	for (size_t i = 0; i < detail->count && !runs; i++)
		runs = detail->rows[i].runs >= 0 || detail->rows[i].defined >= 0;
	layout.value = cols >= VALUE_FROM ? VALUE_CELLS : 0;
	layout.share = cols >= SHARE_FROM ? SHARE_CELLS : 0;
	layout.bar = cols >= TFP_SPLIT_COLS / 2 + 11 ? 11 : cols >= BAR_FROM ? 7 : 0;
	layout.runs = cols >= RUNS_FROM && runs ? RUNS_CELLS : 0;
	layout.name -= layout.value + layout.share + layout.bar + layout.runs;
	return layout;
}

static void draw_value(struct tfp_pen *pen, const struct tfp_breakdown *detail,
		       const struct tfp_breakdown_row *row, int width)
{
	char text[TFP_NUMBER_ROOM];

	if (!width)
		return;
	tfp_number_screen(text, detail->unit, row->value);
	tfp_pen_right(pen, detail->absent || !row->value ? TFP_INK_DIM : TFP_INK_NUMBER,
		      detail->absent ? "-" : text, width);
}

static void draw_share(struct tfp_pen *pen, const struct tfp_breakdown_row *row, int width)
{
	char text[TFP_NUMBER_ROOM] = "-";

	if (!width)
		return;
	if (row->share >= 0)
		snprintf(text, sizeof(text), "%.1f", row->share * 100);
	tfp_pen_right(pen, row->share > 0 ? TFP_INK_NUMBER : TFP_INK_DIM, text, width);
}

/* "10/12": ran and defined; one number where only one of them is known. */
static void draw_runs(struct tfp_pen *pen, const struct tfp_breakdown_row *row, int width)
{
	char text[2 * TFP_NUMBER_ROOM] = "", number[TFP_NUMBER_ROOM];

	if (!width)
		return;
	if (row->runs >= 0)
		strcat(text, tfp_number_screen(number, TFP_COUNT, row->runs));
	if (row->runs >= 0 && row->defined >= 0)
		strcat(text, "/");
	if (row->defined >= 0)
		strcat(text, tfp_number_screen(number, TFP_COUNT, row->defined));
	tfp_pen_right(pen, TFP_INK_NUMBER, text, width);
}

static void draw_label(struct tfp_pen *pen, const struct tfp_breakdown_row *row, int width,
		       enum tfp_ink ink)
{
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	size_t size = tfp_pen_clean(pen, clean, tfp_span_of(row->label));
	int end = pen->x + width, indent = row->depth < 100 ? 2 * (int)row->depth : 200;

	if (indent > width / 2)
		indent = width / 2;
	tfp_pen_blank(pen, indent);
	if (end > pen->x)
		tfp_text_shorten(cut, sizeof(cut), clean, size, (size_t)(end - pen->x),
				 tfp_symbol(pen, TFP_SYMBOL_GAP));
	else
		cut[0] = '\0';
	tfp_pen_text(pen, ink, cut);
	tfp_pen_to(pen, end);
}

static void draw_row(struct tfp_pen *pen, const struct tfp_breakdown *detail,
		     const struct layout *layout, size_t index, bool cursor)
{
	const struct tfp_breakdown_row *row = &detail->rows[index];

	tfp_pen_text(pen, TFP_INK_PLAIN, cursor ? ">" : " ");
	draw_label(pen, row, layout->name - 1, cursor ? TFP_INK_CURSOR : TFP_INK_NAME);
	draw_value(pen, detail, row, layout->value);
	draw_share(pen, row, layout->share);
	if (layout->bar) {
		tfp_pen_blank(pen, 1);
		tfp_pen_bar(pen, row->share, layout->bar - 1);
	}
	draw_runs(pen, row, layout->runs);
	tfp_pen_finish(pen);
}

static void draw_rows(struct tfp_drillpane *pane, size_t which, struct tfp_pen *pen,
		      struct tfp_area area, bool focused)
{
	const struct tfp_breakdown *detail = which < pane->count ? pane->details[which] : NULL;
	struct tfp_scroll *scroll = &pane->scrolls[which];
	struct layout layout;

	scroll->height = area.rows > 0 ? (size_t)area.rows : 0;
	tfp_scroll_settle(scroll);
	if (detail)
		layout = layout_of(detail, area.cols);
	for (int y = 0; y < area.rows; y++) {
		size_t index = scroll->top + (size_t)y;

		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		if (detail && index < detail->count)
			draw_row(pen, detail, &layout, index, focused && index == scroll->cursor);
		else if (detail && !y && detail->note)
			tfp_pen_printf(pen, TFP_INK_DIM, " %s", detail->note);
		tfp_pen_finish(pen);
	}
}

/* "[nodes] shape  (device)": the kinds, the one shown in brackets, those without data in round ones. */
static void draw_kinds(const struct tfp_about *about, enum tfp_breakdown_kind shown,
		       struct tfp_pen *pen)
{
	for (unsigned kind = 0; kind < TFP_BREAKDOWN_KINDS; kind++) {
		const struct tfp_breakdown_info *info = &about->breakdowns[kind];

		if (kind == shown)
			tfp_pen_printf(pen, TFP_INK_RULE_ON, "[%s]", info->name);
		else if (info->missing)
			tfp_pen_printf(pen, TFP_INK_TAB_OFF, "(%s)", info->name);
		else
			tfp_pen_printf(pen, TFP_INK_RULE, " %s ", info->name);
	}
}

/* " 1-5/136 " and the rule up to the pen's end. */
static void draw_position(const struct tfp_scroll *scroll, struct tfp_pen *pen, const char *columns)
{
	char text[128] = "";
	size_t last = scroll->top + scroll->height;
	int cells;

	if (scroll->count)
		snprintf(text, sizeof(text), " %s%zu-%zu/%zu ", columns, scroll->top + 1,
			 last < scroll->count ? last : scroll->count, scroll->count);
	cells = (int)strlen(text) + 2;
	if (pen->end - pen->x > cells + 1) {
		tfp_pen_blank(pen, 1);
		tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, pen->end - pen->x - cells);
		tfp_pen_text(pen, TFP_INK_RULE, text);
	}
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, pen->end - pen->x);
}

/* The name of the row, shortened to a third of the line. */
static void draw_title_name(const struct tfp_drillpane *pane, struct tfp_pen *pen)
{
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	size_t size;

	if (!pane->name)
		return;
	size = tfp_pen_clean(pen, clean, tfp_span_of(pane->name));
	tfp_text_shorten(cut, sizeof(cut), clean, size, (size_t)(pen->end - pen->x) / 3,
			 tfp_symbol(pen, TFP_SYMBOL_GAP));
	tfp_pen_printf(pen, TFP_INK_RULE_ON, "%s: ", cut);
}

static void draw_title(const struct tfp_drillpane *pane, const struct tfp_about *about,
		       size_t which, enum tfp_breakdown_kind kind, struct tfp_pen *pen)
{
	bool runs = pen->end - pen->x >= RUNS_FROM && which < pane->count &&
		    layout_of(pane->details[which], RUNS_FROM).runs;

	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, which ? 1 : 2);
	tfp_pen_blank(pen, 1);
	if (!which) {
		draw_title_name(pane, pen);
		draw_kinds(about, kind, pen);
	} else {
		tfp_pen_text(pen, TFP_INK_RULE_ON, about->breakdowns[kind].name);
	}
	draw_position(&pane->scrolls[which], pen, runs ? "ran/defined " : "");
}

void tfp_drillpane_draw(struct tfp_drillpane *pane, const struct tfp_about *about,
			struct tfp_pen *pen, struct tfp_area area, int focused)
{
	enum tfp_breakdown_kind kinds[TFP_DETAILS];
	size_t count = tfp_drillpane_kinds(pane, about, area.cols, kinds);
	int left = count > 1 ? area.cols / 2 : area.cols;

	for (size_t i = 0; i < count; i++) {
		struct tfp_area side = {area.y + 1, area.x, area.rows - 1, left};

		if (i > 0) {
			side.x += left + 1;
			side.cols = area.cols - left - 1;
		}
		draw_rows(pane, i, pen, side, focused == (int)i);
		tfp_pen_start(pen, area.y, side.x, side.x + side.cols);
		draw_title(pane, about, i, kinds[i], pen);
	}
	for (int y = 0; count > 1 && y < area.rows; y++) {
		tfp_pen_start(pen, area.y + y, area.x + left, area.x + left + 1);
		tfp_pen_text(pen, TFP_INK_RULE,
			     tfp_symbol(pen, y ? TFP_SYMBOL_BETWEEN : TFP_SYMBOL_FORK));
	}
}
