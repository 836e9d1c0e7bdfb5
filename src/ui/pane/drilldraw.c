/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drill-down pane as text.
 */
#include <string.h>

#include "ui/pane/drillpane.h"
#include "ui/pane/excerpt.h"

/* Cells of the columns, each with the blank before it; a column needs so wide a pane. */
#define ALIKE_ROWS  12 /* before a row and behind it, from which its name is told apart */
#define VALUE_CELLS 10
#define SHARE_CELLS 6
#define RUNS_CELLS  25 /* at most */
#define RUNS_ROOM   80
#define DIFF_CELLS  11 /* difference to the baseline */
#define RATIO_CELLS 8
#define RATIO_FROM  44 /* without the difference */
#define VALUE_FROM  24
#define SHARE_FROM  34
#define BAR_FROM    48
#define RUNS_FROM   66
#define NODES_FROM  90 /* behind runs */

#define SOURCE_LEAST   12  /* cells behind a place that are worth to begin its line in */
#define SAMPLE         256 /* rows by which the columns are measured */
#define TITLE_LEAST    8   /* cells of a name that is worth to be in the title */
#define POSITION_ROOM  64
#define KINDS_LEAST    40 /* cells for names of kinds in a title, */
#define NAME_CELLS     24 /* or more, if so many are left to the name of the row */
#define POSITION_CELLS 14 /* kept for " 1-5/136 " and a piece of rule */

struct layout {
	int name, value, share, bar, runs; /* 0: not drawn */
	int difference, ratio;
	bool nodes;      /* are told with runs */
	bool texts;      /* each row has a text in place of figures */
	double full;     /* the share that fills a bar */
	size_t tail;     /* bytes of the path's end that all labels share */
	size_t sideways; /* cells that long texts are pushed to the left */
};

/*
 * "12 ran" where each did once, else "50 runs", with NODES "50 runs, 12 nodes"; "12 defined". Returns its length.
 */
static int print_runs(const struct tfp_breakdown_row *row, bool nodes, char text[RUNS_ROOM])
{
	char runs[TFP_NUMBER_ROOM], defined[TFP_NUMBER_ROOM];

	tfp_number_screen(runs, TFP_COUNT, row->runs);
	tfp_number_screen(defined, TFP_COUNT, row->defined);
	if (row->runs < 0 && row->defined < 0)
		return *text = '\0';
	if (row->runs < 0)
		return snprintf(text, RUNS_ROOM, "%s defined", defined);
	if (row->defined < 0 || row->defined == row->runs)
		return snprintf(text, RUNS_ROOM, "%s ran", runs);
	if (row->defined == 1 || !nodes)
		return snprintf(text, RUNS_ROOM, "%s run%s", runs, row->runs == 1 ? "" : "s");
	return snprintf(text, RUNS_ROOM, "%s run%s, %s nodes", runs, row->runs == 1 ? "" : "s",
			defined);
}

static size_t shared_tail(const char *a, const char *b, size_t most)
{
	size_t size = strlen(a), other = strlen(b), same = 0;

	while (same < most && same < size && same < other &&
	       a[size - same - 1] == b[other - same - 1])
		same++;
	return same;
}

/*
 * Bytes of whole path parts, with their slash, in which all nodes end: a long name can do without
 * them and keep what tells it from the others.
 */
static size_t tail_of(const struct tfp_breakdown *detail)
{
	const char *first = detail->count > 1 ? detail->rows[0].label : "";
	size_t size = strlen(first), same = size;
	const char *slash;

	if (detail->kind != TFP_BREAKDOWN_NODES)
		return 0;
	for (size_t i = 1; i < detail->count && i < SAMPLE && same; i++)
		same = shared_tail(first, detail->rows[i].label, same);
	slash = strchr(first + size - same, '/');
	return slash && slash > first ? strlen(slash) : 0;
}

/* Names as wide as the widest, texts behind them. */
static struct layout layout_of_texts(const struct tfp_breakdown *detail, int cols)
{
	struct layout layout = {.texts = true};

	for (size_t i = 0; i < detail->count; i++) {
		int cells = (int)strlen(detail->rows[i].label) + 2;

		if (cells > layout.name)
			layout.name = cells;
	}
	if (layout.name > cols / 2)
		layout.name = cols / 2;
	return layout;
}

/* Columns by the width of the pane, and by what the first rows need. */
static struct layout layout_of(const struct tfp_breakdown *detail, int cols)
{
	struct layout layout = {.name = cols, .nodes = cols >= NODES_FROM};
	char text[RUNS_ROOM];
	int runs = 0;

	if (detail->texts)
		return layout_of_texts(detail, cols);
	for (size_t i = 0; i < detail->count && i < SAMPLE; i++) {
		int cells = !detail->counted ? 0 : print_runs(&detail->rows[i], layout.nodes, text);

		if (cells > runs)
			runs = cells;
		if (detail->rows[i].share > layout.full)
			layout.full = detail->rows[i].share;
	}
	layout.tail = tail_of(detail);
	if (detail->compared && cols >= VALUE_FROM + DIFF_CELLS) {
		layout.difference = DIFF_CELLS;
		cols -= DIFF_CELLS;
		layout.ratio = cols >= RATIO_FROM ? RATIO_CELLS : 0;
		cols -= layout.ratio;
		layout.name = cols;
	}
	layout.value = cols >= VALUE_FROM ? VALUE_CELLS : 0;
	layout.share = cols >= SHARE_FROM ? SHARE_CELLS : 0;
	layout.bar = cols >= TFP_SPLIT_COLS / 2 + 11 ? 11 : cols >= BAR_FROM ? 7 : 0;
	layout.runs = cols >= RUNS_FROM && runs ? (runs < RUNS_CELLS ? runs : RUNS_CELLS) + 1 : 0;
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

/* The sign of a difference says which of the two has more. */
static void draw_comparison(struct tfp_pen *pen, const struct tfp_breakdown *detail,
			    const struct tfp_breakdown_row *row, const struct layout *layout)
{
	bool known = row->side != TFP_SIDE_NONE && !detail->absent;
	char text[TFP_NUMBER_ROOM] = "-";

	if (!layout->difference)
		return;
	if (known)
		tfp_difference_text(text, detail->unit, row->difference);
	tfp_pen_right(pen, known && row->difference ? TFP_INK_NUMBER : TFP_INK_DIM, text,
		      layout->difference);
	if (!layout->ratio)
		return;
	if (known)
		tfp_ratio_text(text, row->value, row->baseline, row->side);
	tfp_pen_right(pen, known ? TFP_INK_NUMBER : TFP_INK_DIM, text, layout->ratio);
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

static void draw_runs(struct tfp_pen *pen, const struct tfp_breakdown_row *row, bool nodes,
		      int width)
{
	char text[RUNS_ROOM];

	if (!width)
		return;
	print_runs(row, nodes, text);
	tfp_pen_right(pen, TFP_INK_NUMBER, text, width);
}

/* RAW up to the pen's end, pushed to the left by so many CELLS if it does not fit. */
static void draw_pushed(struct tfp_pen *pen, enum tfp_ink ink, struct tfp_span raw, size_t cells)
{
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	size_t size = tfp_pen_clean(pen, clean, raw);

	if (pen->end <= pen->x)
		return;
	tfp_text_shorten_from(cut, sizeof(cut), clean, size, cells, (size_t)(pen->end - pen->x),
			      tfp_symbol(pen, TFP_SYMBOL_GAP));
	tfp_pen_text(pen, ink, cut);
}

/* The name of a row into CLEAN, without the TAIL that all share where there are more than CELLS. Returns its bytes. */
static size_t clean_name(struct tfp_pen *pen, const char *label, size_t tail, int cells,
			 char clean[TFP_CLEAN_ROOM])
{
	struct tfp_span raw = tfp_span_of(label);
	size_t size = tfp_pen_clean(pen, clean, raw);

	if (!tail || tfp_text_cells(clean, size) <= (size_t)cells)
		return size;
	raw.size -= tail - 1;
	size = tfp_pen_clean(pen, clean, raw);
	return size + tfp_text_clean(clean + size, TFP_CLEAN_ROOM - size,
				     tfp_span_of(tfp_symbol(pen, TFP_SYMBOL_GAP)), false);
}

/* Where NAME, row INDEX's, differs from others near it that would look the same in CELLS cells. */
static struct tfp_apart compare_near(struct tfp_pen *pen, const struct tfp_breakdown *detail,
				     size_t index, size_t tail, const char *name, size_t size,
				     int cells)
{
	size_t first = index > ALIKE_ROWS ? index - ALIKE_ROWS : 0;
	struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};

	for (size_t i = first; i < detail->count && i <= index + ALIKE_ROWS; i++) {
		char other[TFP_CLEAN_ROOM];
		size_t other_size = clean_name(pen, detail->rows[i].label, tail, cells, other);

		tfp_text_compare(&apart, name, size, other, other_size, (size_t)cells,
				 tfp_symbol(pen, TFP_SYMBOL_GAP));
	}
	return apart;
}

/* The name of row INDEX in CELLS cells: a shared tail is lost first, then what others have, too, or its middle. */
static void draw_name(struct tfp_pen *pen, enum tfp_ink ink, const struct tfp_breakdown *detail,
		      size_t index, size_t tail, int cells)
{
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);
	size_t size = clean_name(pen, detail->rows[index].label, tail, cells, clean);
	struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};

	if (cells <= 0)
		return;
	if (tfp_text_cells(clean, size) > (size_t)cells)
		apart = compare_near(pen, detail, index, tail, clean, size, cells);
	tfp_text_shorten_apart(cut, sizeof(cut), clean, size, &apart, (size_t)cells, gap);
	tfp_pen_text(pen, ink, cut);
}

/* Names lose their middle; of source lines the end, because file and line come first. */
static void draw_label(struct tfp_pen *pen, const struct tfp_breakdown *detail, size_t index,
		       const struct layout *layout, enum tfp_ink ink)
{
	const struct tfp_breakdown_row *row = &detail->rows[index];
	bool cursor = ink == TFP_INK_CURSOR;
	int width = layout->name - 1, end = pen->x + width, line_end = pen->end;
	int indent = row->depth < 100 ? 2 * (int)row->depth : 200;

	tfp_pen_fill(pen, ink, indent < width / 2 ? indent : width / 2);
	pen->end = end < line_end ? end : line_end;
	if (row->file && row->depth)
		tfp_pen_printf(pen, ink, "← %s", row->label); /* a caller */
	else if (row->file)
		tfp_pen_raw(pen, ink, tfp_span_of(row->label));
	else if (layout->sideways && !layout->texts)
		draw_pushed(pen, ink, tfp_span_of(row->label), layout->sideways);
	else
		draw_name(pen, ink, detail, index, layout->tail, pen->end - pen->x);
	if (row->file && row->text && pen->end - pen->x > SOURCE_LEAST) {
		tfp_pen_fill(pen, ink, 2);
		tfp_pen_raw(pen, cursor ? ink : TFP_INK_DIM, tfp_span_of(row->text));
	}
	pen->end = line_end;
	tfp_pen_to(pen, end);
}

static void draw_row(struct tfp_pen *pen, const struct tfp_breakdown *detail,
		     const struct layout *layout, size_t index, bool cursor)
{
	const struct tfp_breakdown_row *row = &detail->rows[index];

	enum tfp_ink ink = cursor ? TFP_INK_CURSOR : TFP_INK_NAME;

	tfp_pen_text(pen, ink, cursor ? ">" : " ");
	draw_label(pen, detail, index, layout, ink);
	if (layout->texts) {
		tfp_pen_blank(pen, 1);
		if (layout->sideways)
			draw_pushed(pen, TFP_INK_NUMBER, tfp_span_of(row->text), layout->sideways);
		else
			tfp_pen_raw(pen, TFP_INK_NUMBER, tfp_span_of(row->text));
		tfp_pen_finish(pen);
		return;
	}
	draw_value(pen, detail, row, layout->value);
	draw_comparison(pen, detail, row, layout);
	draw_share(pen, row, layout->share);
	if (layout->bar) {
		tfp_pen_blank(pen, 1);
		tfp_pen_bar(pen, layout->full > 0 ? row->share / layout->full : 0, layout->bar - 1);
	}
	draw_runs(pen, row, layout->nodes, layout->runs);
	tfp_pen_finish(pen);
}

static bool has_note(const struct tfp_breakdown *detail, int rows)
{
	return detail && detail->note && rows >= (detail->count ? 3 : 1);
}

/* What sums the rows up stands above them; what is said in their place, there. */
static int draw_note(struct tfp_pen *pen, const struct tfp_breakdown *detail, struct tfp_area area)
{
	if (!has_note(detail, area.rows))
		return 0;
	tfp_pen_start(pen, area.y, area.x, area.x + area.cols);
	tfp_pen_text(pen, TFP_INK_DIM, " ");
	tfp_pen_raw(pen, TFP_INK_DIM, tfp_span_of(detail->note));
	tfp_pen_finish(pen);
	return 1;
}

/* Lines at the foot of so many for what stands around the cursor's source line. */
static int excerpt_rows(const struct tfp_drillpane *pane, size_t which, int rows)
{
	return pane->size == TFP_PANE_LARGE ? tfp_excerpt_rows(tfp_drillpane_row(pane, which), rows)
					    : 0;
}

static void draw_excerpt(const struct tfp_drillpane *pane, size_t which, struct tfp_pen *pen,
			 struct tfp_area area)
{
	int rows = excerpt_rows(pane, which, area.rows);

	area.y += area.rows - rows;
	area.rows = rows;
	if (rows)
		tfp_excerpt_draw(pen, tfp_drillpane_row(pane, which), area);
}

static void draw_rows(struct tfp_drillpane *pane, size_t which, struct tfp_pen *pen,
		      struct tfp_area area, bool focused)
{
	const struct tfp_breakdown *detail = which < pane->count ? pane->details[which] : NULL;
	struct tfp_scroll *scroll = &pane->scrolls[which];
	int first = draw_note(pen, detail, area);
	struct layout layout;

	draw_excerpt(pane, which, pen, area);
	area.rows -= excerpt_rows(pane, which, area.rows);
	tfp_scroll_resize(scroll, area.rows > first ? (size_t)(area.rows - first) : 0);
	if (detail)
		layout = layout_of(detail, area.cols);
	layout.sideways = (size_t)pane->sideways;
	for (int y = first; y < area.rows; y++) {
		size_t index = scroll->top + (size_t)(y - first);

		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		if (detail && index < detail->count)
			draw_row(pen, detail, &layout, index, focused && index == scroll->cursor);
		tfp_pen_finish(pen);
	}
}

static void draw_rule(struct tfp_pen *pen, int count)
{
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, count);
}

/* Is KIND worth a word? */
static bool is_named(const struct tfp_about *about, unsigned kind)
{
	return !about->breakdowns[kind].rare || !about->breakdowns[kind].missing;
}

/* Cells that the names of the kinds FIRST up to END take. */
static int kinds_cells(const struct tfp_about *about, unsigned first, unsigned end)
{
	int cells = 0;

	for (unsigned kind = first; kind < end; kind++)
		if (is_named(about, kind))
			cells += (int)strlen(about->breakdowns[kind].name) + 2;
	return cells;
}

/* Cells for names of kinds in a title of so many: the name of the row has some as well. */
static int kinds_room(const struct tfp_about *about, int cols)
{
	int all = kinds_cells(about, 0, TFP_BREAKDOWN_KINDS);
	int room = cols - POSITION_CELLS - NAME_CELLS;

	room = room > KINDS_LEAST ? room : KINDS_LEAST;
	return all < room ? all : room;
}

/*
 * "[nodes] shape  (device)": the kinds, the one shown in brackets, those without data in round
 * ones; as many as ROOM cells hold, the one shown among them.
 */
static void draw_kinds(const struct tfp_about *about, enum tfp_breakdown_kind shown, int room,
		       struct tfp_pen *pen)
{
	int end = pen->x + room;
	unsigned first = 0;

	while (first < (unsigned)shown && shown < TFP_BREAKDOWN_KINDS &&
	       kinds_cells(about, first, (unsigned)shown + 1) > room)
		first++;
	for (unsigned kind = first; kind < TFP_BREAKDOWN_KINDS; kind++) {
		const struct tfp_breakdown_info *info = &about->breakdowns[kind];

		if (!is_named(about, kind))
			continue;
		if (pen->x + kinds_cells(about, kind, kind + 1) > end) {
			tfp_pen_text(pen, TFP_INK_RULE, tfp_symbol(pen, TFP_SYMBOL_GAP));
			break;
		}
		if (kind == (unsigned)shown)
			tfp_pen_printf(pen, TFP_INK_RULE_ON, "[%s]", info->name);
		else if (info->missing)
			tfp_pen_printf(pen, TFP_INK_TAB_OFF, "(%s)", info->name);
		else
			tfp_pen_printf(pen, TFP_INK_RULE, " %s ", info->name);
	}
	draw_rule(pen, end - pen->x);
}

/* "1-5/136": the rows in sight. */
static void print_position(const struct tfp_scroll *scroll, char text[POSITION_ROOM])
{
	size_t last = scroll->top + scroll->height;

	*text = '\0';
	if (scroll->count)
		snprintf(text, POSITION_ROOM, " %zu-%zu/%zu ", scroll->top + 1,
			 last < scroll->count ? last : scroll->count, scroll->count);
}

/* The name of the row in the pen's line up to column END, then a rule. */
static void draw_title_name(const struct tfp_drillpane *pane, struct tfp_pen *pen, int end)
{
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	int room = end - pen->x - 2;
	size_t size;

	if (pane->name && room >= TITLE_LEAST) {
		size = tfp_pen_clean(pen, clean, tfp_span_of(pane->name));
		tfp_text_shorten(cut, sizeof(cut), clean, size, (size_t)room,
				 tfp_symbol(pen, TFP_SYMBOL_GAP));
		tfp_pen_text(pen, TFP_INK_RULE, " ");
		tfp_pen_text(pen, TFP_INK_RULE, cut);
		tfp_pen_text(pen, TFP_INK_RULE, " ");
	}
	draw_rule(pen, end - pen->x);
}

/*
 * Name, kinds, position. The kinds keep their place whatever the name is, so that a new row costs
 * no bytes for them.
 */
static void draw_title(const struct tfp_drillpane *pane, const struct tfp_about *about,
		       size_t which, enum tfp_breakdown_kind kind, struct tfp_pen *pen)
{
	int cells = which ? (int)strlen(about->breakdowns[kind].name) + 2
			  : kinds_room(about, pen->end - pen->x);
	int kinds = pen->end - cells - POSITION_CELLS;
	char position[POSITION_ROOM];

	draw_rule(pen, which ? 1 : 2);
	if (which) {
		tfp_pen_printf(pen, TFP_INK_RULE, " %s ", about->breakdowns[kind].name);
	} else {
		draw_title_name(pane, pen, kinds);
		draw_kinds(about, kind, cells, pen);
	}
	print_position(&pane->scrolls[which], position);
	draw_rule(pen, pen->end - pen->x - (int)strlen(position) - 2);
	tfp_pen_text(pen, TFP_INK_RULE, position);
	draw_rule(pen, pen->end - pen->x);
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

bool tfp_drillpane_spot(const struct tfp_drillpane *pane, struct tfp_area area, int y, int x,
			size_t *side, size_t *index)
{
	int line = y - area.y - 1;

	*side = pane->count > 1 && x > area.x + area.cols / 2;
	if (*side >= pane->count)
		return false;
	line -= has_note(pane->details[*side], area.rows - 1);
	if (line >= (int)pane->scrolls[*side].height)
		return false;
	*index = pane->scrolls[*side].top + (size_t)(line > 0 ? line : 0);
	return line >= 0 && *index < pane->details[*side]->count;
}
