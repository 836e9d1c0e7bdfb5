/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands around a source line. The line itself is told by a sign, not by its ink alone.
 */
#include "ui/pane/excerpt.h"

#include <string.h>

#define ROWS_LEAST   10 /* of a pane that is worth to be shared */
#define NUMBER_CELLS 6

int tfp_excerpt_rows(const struct tfp_breakdown_row *row, int rows)
{
	int lines = 0;

	if (!row || !row->around || rows < ROWS_LEAST)
		return 0;
	for (const char *at = row->around; (at = strchr(at, '\n')); at++)
		lines++;
	return lines;
}

void tfp_excerpt_draw(struct tfp_pen *pen, const struct tfp_breakdown_row *row,
		      struct tfp_area area)
{
	const char *at = row->around;

	for (int y = 0; y < area.rows; y++) {
		const char *end = strchr(at, '\n');
		int32_t number = row->around_line + y;
		bool here = number == row->line;
		enum tfp_ink ink = here ? TFP_INK_NAME : TFP_INK_DIM;

		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		tfp_pen_printf(pen, ink, "%*d %s ", NUMBER_CELLS, number, here ? ">" : " ");
		tfp_pen_raw(pen, ink, (struct tfp_span){at, (size_t)(end - at)});
		tfp_pen_finish(pen);
		at = end + 1;
	}
}
