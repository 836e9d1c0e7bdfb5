/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree pane as text: which columns fit, the header, the rows.
 */
#include <stdio.h>
#include <string.h>

#include "ui/tree/treename.h"

#define NAME_LEAST     16   /* cells that columns leave to the name, */
#define NAME_SHARE     0.43 /* and this part of the width, */
#define LIST_SHARE     0.35 /* or this in a list of files, whose columns say more, */
#define LONG_SHARE     0.55 /* or this where names are long: lists, call stacks */
#define WIDE           110  /* from here on the name column is as wide as its content */
#define NAME_STEP      8    /* it grows by so much, so that numbers do not move with every row */
#define LANE_SHARE     0.35 /* of the width, at most, for the names of lanes, */
#define LANE_LEAST     20   /* and so much where there is room for as much time */
#define ORDER_PRIORITY 95   /* above all that is not the metric itself */
#define TITLE_MOST     20   /* cells of a title and its sign; files may give any */
#define YEAR           5    /* cells of a date, with the sign behind it, */
#define DAY            10   /* and of it without the time */
#define SHORT_DATE     11

/* The columns that are drawn, and the width of the name. */
struct layout {
	const struct tfp_column *columns[TFP_MAX_COLUMNS];
	int cells[TFP_MAX_COLUMNS]; /* that each has */
	size_t count;
	int name;
};

int tfp_column_order(const struct tfp_column *column)
{
	static const int orders[] = {
		[TFP_COLUMN_DIFFERENCE] = TFP_ORDER_DIFFERENCE,
		[TFP_COLUMN_RATIO] = TFP_ORDER_RATIO,
		[TFP_COLUMN_SELF] = TFP_ORDER_SELF,
		[TFP_COLUMN_BASELINE] = TFP_ORDER_BASELINE,
		[TFP_COLUMN_RATE] = TFP_ORDER_RATE,
		[TFP_COLUMN_PEAK] = TFP_ORDER_RATE,
		[TFP_COLUMN_BUSY] = TFP_ORDER_BUSY_SHARE,
		[TFP_COLUMN_GRID] = TFP_ORDER_LAUNCH,
		[TFP_COLUMN_BLOCK] = TFP_ORDER_LAUNCH + 0x100,
		[TFP_COLUMN_REGISTERS] = TFP_ORDER_LAUNCH + 0x200,
		[TFP_COLUMN_SHARED] = TFP_ORDER_LAUNCH + 0x300,
		[TFP_COLUMN_OCCUPANCY] = TFP_ORDER_LAUNCH + 0x400,
		[TFP_COLUMN_SINCE] = TFP_ORDER_SINCE,
	};

	if (column->kind == TFP_COLUMN_DEFINED)
		return TFP_ORDER_NODES;
	/* the others, as shares of one whole, are in the order of the total */
	return (int)column->metric +
	       (column->kind < sizeof(orders) / sizeof(*orders) ? orders[column->kind] : 0);
}

static bool is_words(const struct tfp_tree *tree, const struct tfp_column *column)
{
	return column->kind == TFP_COLUMN_TOTAL &&
	       tree->base->metrics[column->metric].unit == TFP_WORDS;
}

static bool is_listing(const struct tfp_treepane *pane)
{
	return pane->rows.tree && pane->rows.tree->base->view->listing;
}

static bool is_date(const struct tfp_tree *tree, const struct tfp_column *column)
{
	return column->kind == TFP_COLUMN_TOTAL &&
	       tree->base->metrics[column->metric].unit == TFP_DATE;
}

/* What the column's figures want of the width of the screen: words no more than the longest has. */
static int wanted_cells(const struct tfp_treepane *pane, const struct tfp_column *column, int cols)
{
	int width = column->width;

	if (!is_listing(pane))
		return width;
	if (is_words(pane->rows.tree, column) && pane->words[column->metric] < width)
		return pane->words[column->metric];
	return cols < WIDE && is_date(pane->rows.tree, column) ? SHORT_DATE : width;
}

/* Room for the title and for the sign of the order, which comes and goes. */
static int cells_of(const struct tfp_treepane *pane, const struct tfp_column *column, int cols)
{
	int cells = (int)strlen(column->title) + 1, width = wanted_cells(pane, column, cols);

	if (column->kind == TFP_COLUMN_BAR || cells <= width)
		return width;
	return cells < TITLE_MOST ? cells : TITLE_MOST;
}

/* Is the list in the order of this column? Shares are in that of the total, which has the sign. */
static bool is_order(const struct tfp_treepane *pane, const struct tfp_column *column)
{
	int order = pane->rows.order;

	if (order == TFP_ORDER_DEFINED)
		return column->kind == TFP_COLUMN_DEFINED;
	return order != TFP_ORDER_NONE && order == tfp_column_order(column) &&
	       column->kind != TFP_COLUMN_PERCENT && column->kind != TFP_COLUMN_BAR &&
	       column->kind != TFP_COLUMN_RUNNING;
}

/* What the rows are ordered by is to be seen. */
static int priority_of(const struct tfp_treepane *pane, const struct tfp_column *column)
{
	return is_order(pane, column) && column->priority < ORDER_PRIORITY ? ORDER_PRIORITY
									   : column->priority;
}

/* Takes out the column that goes first: the lowest, of several the last. Returns its cells. */
static int drop_column(const struct tfp_treepane *pane, struct layout *layout)
{
	size_t lowest = 0;
	int cells;

	for (size_t i = 1; i < layout->count; i++)
		if (priority_of(pane, layout->columns[i]) <=
		    priority_of(pane, layout->columns[lowest]))
			lowest = i;
	cells = layout->cells[lowest] + 1;
	layout->count--;
	memmove(&layout->columns[lowest], &layout->columns[lowest + 1],
		(layout->count - lowest) * sizeof(layout->columns[0]));
	memmove(&layout->cells[lowest], &layout->cells[lowest + 1],
		(layout->count - lowest) * sizeof(layout->cells[0]));
	return cells;
}

static bool has_long_names(const struct tfp_treepane *pane)
{
	const struct tfp_tree *tree = pane->rows.tree;

	return tree && (tree->query.flat || tree->base->stack);
}

static double name_share(const struct tfp_treepane *pane)
{
	if (is_listing(pane))
		return LIST_SHARE;
	return has_long_names(pane) ? LONG_SHARE : NAME_SHARE;
}

int tfp_treepane_lane_cells(const struct tfp_treepane *pane, int cols)
{
	int most = (int)(cols * LANE_SHARE), least = LANE_LEAST < cols / 2 ? LANE_LEAST : cols / 2;
	int name = pane->lanes < most ? pane->lanes : most;

	return name < least ? least : name;
}

/* A column that nobody chose, and that tells little. */
static bool says_nothing(const struct tfp_treepane *pane, const struct tfp_column *column)
{
	const struct tfp_tree *tree = pane->rows.tree;

	return tree && !tree->query.choices[tfp_view_index(tree->base->view)] &&
	       !is_order(pane, column) && !tfp_column_says(tree, column);
}

/* What ROOM is left goes to columns of words, the first first, as far as their longest word wants it. Returns what nothing wants. */
static int grow_words(const struct tfp_treepane *pane, struct layout *layout, int room)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct tfp_column *column = layout->columns[i];
		int more = 0;

		if (is_words(pane->rows.tree, column))
			more = pane->words[column->metric] - layout->cells[i];
		more = more < room ? more : room;
		if (more > 0) {
			layout->cells[i] += more;
			room -= more;
		}
	}
	return room;
}

/* What names have beyond what they want, in a list of files beyond LEAST, is for words. */
static void share_name(const struct tfp_treepane *pane, struct layout *layout, int cols, int least)
{
	bool wide = cols >= WIDE && layout->count;
	int wanted = pane->widest > NAME_LEAST ? pane->widest : NAME_LEAST, room, left;

	if (!wide && !is_listing(pane))
		return;
	if (!wide && wanted > least)
		wanted = least;
	room = layout->name - wanted;
	if (room <= 0)
		return;
	left = grow_words(pane, layout, room);
	layout->name = wide ? wanted : wanted + left;
}

static struct layout layout_of(const struct tfp_treepane *pane, int cols)
{
	struct layout layout = {.name = cols};
	int share = (int)(cols * name_share(pane));
	int small = cols / 2 < NAME_LEAST ? cols / 2 : NAME_LEAST;
	int least = share > small ? share : small;

	if (pane->rows.tree && pane->rows.tree->base->strips)
		return (struct layout){.name = tfp_treepane_lane_cells(pane, cols)};
	for (size_t i = 0; i < pane->column_count; i++) {
		const struct tfp_column *column = &pane->columns[i];

		if (pane->no_bars && column->kind == TFP_COLUMN_BAR)
			continue;
		if (cols < WIDE && says_nothing(pane, column))
			continue;
		layout.columns[layout.count] = column;
		layout.cells[layout.count] = cells_of(pane, column, cols);
		layout.name -= layout.cells[layout.count++] + 1;
	}
	/* a name alone tells nothing: the last column leaves it but what it cannot do without */
	while (layout.count && layout.name < (layout.count > 1 ? least : small))
		layout.name += drop_column(pane, &layout);
	share_name(pane, &layout, cols, least);
	return layout;
}

bool tfp_treepane_fits(const struct tfp_treepane *pane, int cols, const struct tfp_column *column)
{
	struct layout layout = layout_of(pane, cols);

	for (size_t i = 0; i < layout.count; i++)
		if (layout.columns[i]->kind == column->kind &&
		    layout.columns[i]->title == column->title)
			return true;
	return false;
}

/* Cells before the name: the cursor's mark, the indentation, the sign of an open row. */
static int lead_cells(const struct tfp_treepane *pane, const struct tfp_visible *row)
{
	if (pane->rows.tree->query.flat)
		return 1;
	return TFP_ROW_LEAD + TFP_ROW_INDENT * (int)(row->indent < 1000 ? row->indent : 1000);
}

/* Lets the name column grow to what is in sight. */
static void widen(struct tfp_treepane *pane, const struct tfp_pen *pen, int rows)
{
	char clean[TFP_CLEAN_ROOM];

	for (int i = 0; i < rows && pane->list.top + (size_t)i < pane->rows.count; i++) {
		struct tfp_visible row = tfp_rows_at(&pane->rows, pane->list.top + (size_t)i);
		size_t kept, size = tfp_treename_clean(pane, pen, &row, clean, &kept);
		int cells = lead_cells(pane, &row) + (int)tfp_text_cells(clean, size) + 1;

		if (cells > pane->widest)
			pane->widest = (cells + NAME_STEP - 1) / NAME_STEP * NAME_STEP;
	}
}

/* What stands above bars and words begins where they do. */
static void draw_left_title(const struct tfp_treepane *pane, struct tfp_pen *pen,
			    const struct tfp_column *column, int cells, const char *sign)
{
	bool whole = column->kind == TFP_COLUMN_BAR && *column->title && pane->of_root;
	int end = pen->x + cells + 1;

	tfp_pen_blank(pen, 1);
	tfp_pen_printf(pen, *sign ? TFP_INK_HEADER_ON : TFP_INK_HEADER, "%s%s",
		       whole ? "of whole" : column->title, sign);
	tfp_pen_to(pen, end);
}

/* "%": the bar beside it says of what the share is; where there is none its title has to. */
static const char *right_title(const struct tfp_treepane *pane, const struct layout *layout,
			       size_t index)
{
	const struct tfp_column *next =
		index + 1 < layout->count ? layout->columns[index + 1] : NULL;

	if (layout->columns[index]->kind != TFP_COLUMN_PERCENT ||
	    (next && next->kind == TFP_COLUMN_BAR && *next->title))
		return layout->columns[index]->title;
	return pane->of_root || pane->rows.tree->query.flat ? "%ALL" : "%PAR";
}

/* SIGN: of the order, "" if the list is in another. */
static void draw_right_title(struct tfp_pen *pen, const char *title, int cells, const char *sign)
{
	enum tfp_ink ink = *sign ? TFP_INK_HEADER_ON : TFP_INK_HEADER;

	tfp_pen_right(pen, ink, title, cells + !*sign);
	tfp_pen_text(pen, ink, sign);
}

static void draw_header(const struct tfp_treepane *pane, struct tfp_pen *pen,
			const struct layout *layout)
{
	bool by_name = pane->rows.order == TFP_ORDER_NAME, marked = by_name;
	bool up = pane->rows.reverse != by_name; /* names go up by themselves */
	const char *sign = tfp_symbol(pen, up ? TFP_SYMBOL_UP : TFP_SYMBOL_DOWN);
	int start = pen->x;

	tfp_pen_text(pen, by_name ? TFP_INK_HEADER_ON : TFP_INK_HEADER, " NAME");
	if (by_name)
		tfp_pen_text(pen, TFP_INK_HEADER_ON, sign);
	tfp_pen_to(pen, start + layout->name);
	if (pane->rows.tree->base->strips)
		tfp_timepane_ruler(&pane->time, pane->rows.tree, pen);
	for (size_t i = 0; i < layout->count; i++) {
		const struct tfp_column *column = layout->columns[i];
		bool on = !marked && is_order(pane, column);

		if (column->kind == TFP_COLUMN_BAR || is_words(pane->rows.tree, column))
			draw_left_title(pane, pen, column, layout->cells[i], on ? sign : "");
		else
			draw_right_title(pen, right_title(pane, layout, i), layout->cells[i],
					 on ? sign : "");
		marked |= on;
	}
	tfp_pen_finish(pen);
}

/* The fraction that fills a bar: of shares of the whole the largest, to tell them apart. */
static double full_bar(const struct tfp_treepane *pane, const struct tfp_column *column)
{
	return *column->title || pane->largest <= 0 ? 1 : pane->largest;
}

/* Words stand at the left. Of REMARKS the end is lost, of others the middle. */
static void draw_words(struct tfp_pen *pen, const char *text, int cells, bool remarks)
{
	int after = pen->x + cells;
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	size_t size = tfp_pen_clean(pen, clean, tfp_span_of(text));
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);

	if (remarks && tfp_text_cells(clean, size) > (size_t)cells)
		snprintf(cut, sizeof(cut), "%.*s%s",
			 (int)tfp_text_fit(clean, size, (size_t)cells - 1, NULL), clean, gap);
	else
		tfp_text_shorten(cut, sizeof(cut), clean, size, (size_t)cells, gap);
	tfp_pen_text(pen, TFP_INK_NUMBER, cut);
	tfp_pen_to(pen, after);
}

/* The date without its year where the newest of the list has the same, else without the time of day. */
static void shorten_date(const struct tfp_tree *tree, const struct tfp_column *column,
			 char text[TFP_NUMBER_ROOM])
{
	struct tfp_cell newest;

	tfp_tree_cell(tree, tree->root, TFP_NONE, column, &newest);
	if (strncmp(text, newest.text, YEAR) != 0)
		text[DAY] = '\0';
	else
		memmove(text, text + YEAR, strlen(text + YEAR) + 1);
}

static void draw_cell(const struct tfp_treepane *pane, struct tfp_pen *pen,
		      const struct tfp_visible *row, const struct tfp_column *column, int cells)
{
	const struct tfp_tree *tree = pane->rows.tree;
	uint32_t above = pane->of_root ? TFP_NONE : tfp_rows_above(&pane->rows, row->row);
	struct tfp_cell cell;

	above = above == TFP_NONE ? tree->root : above;
	tfp_tree_cell(tree, row->row, above, column, &cell);
	if (column->exact && tfp_text_cells(cell.text, strlen(cell.text)) > (size_t)cells) {
		struct tfp_column scaled = *column;

		/* A number without its first or last digits is another number. */
		scaled.exact = false;
		tfp_tree_cell(tree, row->row, above, &scaled, &cell);
	}
	if (is_date(tree, column) && strlen(cell.text) > (size_t)cells)
		shorten_date(tree, column, cell.text);
	tfp_pen_blank(pen, 1);
	if (is_words(tree, column))
		draw_words(pen, cell.text, cells, tree->base->metrics[column->metric].remarks);
	else if (column->kind == TFP_COLUMN_BAR)
		tfp_pen_bar(pen, cell.fraction / full_bar(pane, column), column->width);
	else
		tfp_pen_right(pen, cell.dim ? TFP_INK_DIM : TFP_INK_NUMBER, cell.text, cells);
}

static enum tfp_ink name_ink(const struct tfp_treepane *pane, size_t index, bool focused)
{
	if (index == pane->list.cursor)
		return focused ? TFP_INK_CURSOR : TFP_INK_CURSOR_IDLE;
	return pane->rows.tree->shown[tfp_rows_at(&pane->rows, index).row] == 2 ? TFP_INK_CONTEXT
										: TFP_INK_NAME;
}

/*
 * The indentation up to column END. Where there is no room for all of it the depth stands there as a number, and
 * an only child below one has a sign, or it would look like its sibling.
 */
static void draw_indent(const struct tfp_treepane *pane, struct tfp_pen *pen, enum tfp_ink ink,
			const struct tfp_visible *row, int end)
{
	bool cut = lead_cells(pane, row) > end - pen->x + TFP_ROW_LEAD;
	bool chain = row->chain && end > pen->x;
	char depth[16] = "";
	int cells = end - pen->x - chain;

	if (cut && snprintf(depth, sizeof(depth), "%u", row->level) > cells)
		*depth = '\0';
	if (ink == TFP_INK_NAME &&
	    (*depth || chain)) /* blanks of another ink would only cost bytes */
		ink = TFP_INK_DIM;
	if (cells > 0)
		tfp_pen_printf(pen, ink, "%*s", cells, depth);
	if (chain)
		tfp_pen_text(pen, ink, tfp_symbol(pen, TFP_SYMBOL_CHAIN));
}

/* The cursor's mark, the indentation, the sign of what can be opened; up to column END. */
static void draw_lead(const struct tfp_treepane *pane, struct tfp_pen *pen, enum tfp_ink ink,
		      size_t index, int end)
{
	const struct tfp_visible row = tfp_rows_at(&pane->rows, index);
	bool marked = tfp_marks_has(&pane->marks, pane->rows.tree->base->key[row.row]);
	bool cursor = index == pane->list.cursor;
	const char *sign = " ";

	if (cursor)
		tfp_pen_text(pen, ink, marked ? "#" : ">");
	else
		tfp_pen_text(pen, marked ? TFP_INK_MATCH : ink, marked ? "*" : " ");
	if (pane->rows.tree->query.flat)
		return;
	draw_indent(pane, pen, ink, &row, end - 2);
	if (tfp_rows_can_open(&pane->rows, row.row))
		sign = tfp_symbol(pen, tfp_rows_is_open(&pane->rows, index) ? TFP_SYMBOL_OPEN
									    : TFP_SYMBOL_CLOSED);
	tfp_pen_text(pen, ink, sign);
	tfp_pen_fill(pen, ink, 1);
}

/* A link has no figures: the name has their place, and words say where the row is. */
static void draw_link(const struct tfp_treepane *pane, struct tfp_pen *pen, size_t index,
		      enum tfp_ink ink)
{
	uint32_t row = tfp_rows_at(&pane->rows, index).row;
	bool loop = pane->rows.tree->base->flags[row] & TFP_ROW_LOOP;
	const char *words = loop ? "closes a loop" : "shown elsewhere";
	int end = pen->end;

	pen->end = end - (int)strlen(words) - 3;
	tfp_treename_draw(pane, pen, ink, index, pen->end - pen->x);
	pen->end = end;
	tfp_pen_printf(pen, TFP_INK_DIM, " %s %s",
		       tfp_symbol(pen, loop ? TFP_SYMBOL_LOOP : TFP_SYMBOL_LINK), words);
	tfp_pen_finish(pen);
}

/* Where what stands before the name ends, in a row that starts in the first column. */
static int lead_end(const struct tfp_treepane *pane, const struct layout *layout,
		    const struct tfp_visible *row)
{
	int limit = layout->name - layout->name / 2, most = limit > 3 ? limit : 3;
	int lead = lead_cells(pane, row);

	return lead < most ? lead : most;
}

static void draw_row(const struct tfp_treepane *pane, struct tfp_pen *pen,
		     const struct layout *layout, size_t index, bool focused)
{
	const struct tfp_visible row = tfp_rows_at(&pane->rows, index);
	int start = pen->x, end = pen->end;
	enum tfp_ink ink = name_ink(pane, index, focused);
	bool cursor = index == pane->list.cursor;

	draw_lead(pane, pen, cursor ? ink : TFP_INK_NAME, index,
		  start + lead_end(pane, layout, &row));
	if (pane->rows.tree->base->flags[row.row] & TFP_ROW_LINK) {
		draw_link(pane, pen, index, ink);
		return;
	}
	pen->end = start + layout->name < end ? start + layout->name : end;
	if (pane->rows.tree->base->strips && !index)
		pen->end--; /* columns have a blank in front of them, words in place of time none */
	tfp_treename_draw(pane, pen, ink, index, pen->end - pen->x);
	pen->end = end;
	tfp_pen_to(pen, start + layout->name);
	if (pane->rows.tree->base->strips)
		tfp_timepane_row(&pane->time, pane->rows.tree, row.row,
				 tfp_rows_is_open(&pane->rows, index), cursor && focused, pen);
	for (size_t i = 0; i < layout->count; i++)
		draw_cell(pane, pen, &row, layout->columns[i], layout->cells[i]);
	tfp_pen_finish(pen);
}

static int header_rows(struct tfp_area area)
{
	return area.rows > 2;
}

void tfp_treepane_draw(struct tfp_treepane *pane, struct tfp_pen *pen, struct tfp_area area,
		       bool focused)
{
	int header = header_rows(area);
	struct layout layout;

	pane->list.count = pane->rows.count;
	tfp_scroll_resize(&pane->list, area.rows > header ? (size_t)(area.rows - header) : 0);
	if (pane->time.opened)
		tfp_treepane_fit_lanes(pane);
	if (pane->roomy && pane->rows.tree)
		tfp_treepane_use_room(pane);
	if (pane->fresh && pane->list.cursor > pane->list.height * 2 / 3) {
		pane->list.top = pane->list.cursor - pane->list.height / 3;
		tfp_scroll_settle(&pane->list);
	}
	pane->fresh = false;
	if ((area.cols >= WIDE && pane->rows.tree) || is_listing(pane))
		widen(pane, pen, area.rows - header);
	layout = layout_of(pane, area.cols);
	pane->time.cols = area.cols - layout.name;
	for (int y = 0; y < area.rows; y++) {
		size_t index = pane->list.top + (size_t)(y - header);

		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		if (y < header && pane->rows.tree)
			draw_header(pane, pen, &layout);
		else if (y >= header && index < pane->rows.count)
			draw_row(pane, pen, &layout, index, focused);
		else
			tfp_pen_finish(pen);
	}
}

/* What column X of the header sorts by. */
static int order_at(const struct layout *layout, int x)
{
	int end = layout->name;

	if (x < end)
		return TFP_ORDER_NAME;
	for (size_t i = 0; i < layout->count; i++) {
		end += layout->cells[i] + 1;
		if (x < end)
			return tfp_column_order(layout->columns[i]);
	}
	return TFP_ORDER_NONE;
}

/* Is the sign of ROW, if it has one, at column X? */
static bool is_sign(const struct tfp_treepane *pane, const struct layout *layout,
		    const struct tfp_visible *row, int x)
{
	return !pane->rows.tree->query.flat && tfp_rows_can_open(&pane->rows, row->row) &&
	       x == lead_end(pane, layout, row) - 2;
}

bool tfp_treepane_spot(const struct tfp_treepane *pane, struct tfp_area area, int y, int x,
		       struct tfp_tree_spot *spot)
{
	struct layout layout = layout_of(pane, area.cols);
	int line = y - area.y - header_rows(area);
	struct tfp_visible row;

	*spot = (struct tfp_tree_spot){.header = line < 0, .order = TFP_ORDER_NONE};
	if (!pane->rows.tree)
		return false;
	if (spot->header) {
		spot->order = order_at(&layout, x - area.x);
		return true;
	}
	spot->index = pane->list.top + (size_t)line;
	if (spot->index >= pane->rows.count)
		return false;
	row = tfp_rows_at(&pane->rows, spot->index);
	spot->sign = is_sign(pane, &layout, &row, x - area.x);
	return true;
}
