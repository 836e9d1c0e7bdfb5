/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawing the curve: a column of blocks for each part of the time, the most that is live in it; the
 * part that the rows below are of is marked on the line of times. And the keys that move it.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/pane/curve.h"

#define LEAST_BODY 5  /* lines that stay with the tree */
#define MOST_ROWS  8  /* with the line of times */
#define LABEL      10 /* cells for the figure at the left */
#define MOST_PARTS 512

const struct tfp_curve *tfp_curve_of(const struct tfp_screen *screen)
{
	return screen->tree.rows.tree ? screen->tree.rows.tree->base->curve : NULL;
}

static size_t parts_in(int cols)
{
	int parts = cols - LABEL - 1;

	return parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : (size_t)parts;
}

int tfp_curve_rows(const struct tfp_screen *screen, int free_rows)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	int rows = free_rows / 3;

	if (tree && tree->base->strips)
		return free_rows > LEAST_BODY && tree->base->strips->profile->steps.count > 1;
	if (!tfp_curve_of(screen) || rows < 2 || free_rows - rows < LEAST_BODY || COLS < 2 * LABEL)
		return 0;
	return rows < MOST_ROWS ? rows : MOST_ROWS;
}

/* Eighths of the line that is LEVEL lines above the lowest, of HEIGHT lines for the peak. */
static int eighths_at(int64_t bytes, int64_t peak, int level, int height)
{
	double eighths = bytes > 0 ? (double)bytes / (double)peak * height * 8 : 0;
	int here = (int)(eighths + 0.5) - level * 8;

	return here < 0 ? 0 : here > 8 ? 8 : here;
}

static void draw_level(struct tfp_pen *pen, const int64_t *bytes, size_t count, int64_t peak,
		       int level, int height)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

	for (size_t i = 0; i < count; i++) {
		int eighths = eighths_at(bytes[i], peak, level, height);

		if (pen->utf8)
			tfp_pen_text(pen, TFP_INK_BAR, blocks[eighths]);
		else
			tfp_pen_text(pen, TFP_INK_BAR, eighths >= 4 ? "#" : " ");
	}
}

/* The times at both ends, and the mark. */
static void draw_times(struct tfp_pen *pen, const struct tfp_curve *curve, size_t count)
{
	char at[TFP_NUMBER_ROOM], last[TFP_NUMBER_ROOM];
	size_t cursor = tfp_curve_cursor(curve, count);
	int start = pen->x + LABEL, size;

	tfp_pen_to(pen, start);
	tfp_number_screen(at, TFP_MICROS, curve->at);
	tfp_number_screen(last, TFP_MICROS, curve->length);
	size = (int)strlen(at);
	if (cursor > (size_t)size + 1 && cursor + (size_t)size > count) {
		tfp_pen_to(pen, start + (int)cursor - size - 1);
		tfp_pen_printf(pen, TFP_INK_HEADER_ON, "%s %s", at, tfp_symbol(pen, TFP_SYMBOL_UP));
	} else {
		tfp_pen_to(pen, start + (int)cursor);
		tfp_pen_printf(pen, TFP_INK_HEADER_ON, "%s %s", tfp_symbol(pen, TFP_SYMBOL_UP), at);
	}
	size = (int)strlen(last);
	if (pen->x + 1 + size <= start + (int)count) {
		tfp_pen_to(pen, start + (int)count - size);
		tfp_pen_text(pen, TFP_INK_DIM, last);
	}
	tfp_pen_finish(pen);
}

/* Above the lanes of the time view. */
static void draw_steps(const struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area)
{
	tfp_pen_start(pen, area.y, area.x, area.x + area.cols);
	tfp_pen_text(pen, TFP_INK_DIM, " step");
	tfp_pen_to(pen, area.x + tfp_treepane_lane_cells(&screen->tree, area.cols));
	tfp_timepane_steps(&screen->tree.time, screen->tree.rows.tree,
			   tfp_treepane_row(&screen->tree), pen);
}

void tfp_curve_draw(const struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area)
{
	const struct tfp_curve *curve = tfp_curve_of(screen);
	int64_t bytes[MOST_PARTS];
	size_t count = parts_in(area.cols);
	const struct tfp_tree *tree = screen->tree.rows.tree;
	int height = area.rows - 1;
	char peak[TFP_NUMBER_ROOM];

	if (tree && tree->base->strips && area.rows == 1)
		draw_steps(screen, pen, area);
	if (!curve || area.rows < 2)
		return;
	tfp_curve_parts(curve, bytes, count);
	tfp_number_screen(peak, TFP_BYTES, curve->peak);
	if (!tfp_curve_knows(curve))
		*peak = '\0';
	for (int y = 0; y < height; y++) {
		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		tfp_pen_right(pen, TFP_INK_NUMBER, y ? "" : peak, LABEL - 1);
		tfp_pen_blank(pen, 1);
		draw_level(pen, bytes, count, curve->peak, height - 1 - y, height);
		tfp_pen_finish(pen);
	}
	tfp_pen_start(pen, area.y + height, area.x, area.x + area.cols);
	if (tfp_curve_knows(curve))
		draw_times(pen, curve, count);
	else
		tfp_pen_finish(pen);
}

/* Moves the time by PARTS columns; 0: to the peak. */
void tfp_act_memory_turn(struct tfp_screen *screen, int parts)
{
	const struct tfp_curve *curve = tfp_curve_of(screen);
	size_t count = parts_in(COLS);
	struct tfp_curve wanted;

	if (!curve) {
		tfp_screen_say(screen, "this moves the time of the memory view: 8");
		return;
	}
	if (!parts && screen->query.at < 0) {
		tfp_screen_say(screen, "this is the peak");
		return;
	}
	wanted = *curve;
	if (screen->query.at >= 0)
		wanted.at = screen->query.at;
	screen->query.at = parts ? tfp_curve_turn(&wanted, count, parts) : -1;
	tfp_screen_ask_tree(screen);
}
