/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of launches: see launch.h. */
#include "view/trace/launch.h"

#include <string.h>

#include "view/trace/track.h"

/* ---- what is known ---------------------------------------------------------------------------- */

static void add_figure(struct tfp_launch *launch, enum tfp_launch_figure figure, int64_t least,
		       int64_t most)
{
	if (!launch->known[figure] || least < launch->least[figure])
		launch->least[figure] = least;
	if (!launch->known[figure] || most > launch->most[figure])
		launch->most[figure] = most;
	launch->known[figure] = true;
}

/* Grid or block: DIMS of those that have all the same, else 0. */
static void add_dims(struct tfp_launch *launch, enum tfp_launch_figure figure,
		     const int32_t dims[3], int64_t least, int64_t most)
{
	int32_t *common = launch->dims[figure];

	if (!launch->known[figure])
		memcpy(common, dims, 3 * sizeof(*dims));
	else if (memcmp(common, dims, 3 * sizeof(*dims)) != 0)
		memset(common, 0, 3 * sizeof(*dims));
	add_figure(launch, figure, least, most);
}

void tfp_launch_add(struct tfp_launch *launch, const struct tfp_trace_work *work)
{
	int64_t blocks = tfp_dims_extent(work->grid), threads = tfp_dims_extent(work->block);

	if (work->grid[0])
		add_dims(launch, TFP_LAUNCH_GRID, work->grid, blocks, blocks);
	if (work->block[0])
		add_dims(launch, TFP_LAUNCH_BLOCK, work->block, threads, threads);
	if (work->registers >= 0)
		add_figure(launch, TFP_LAUNCH_REGISTERS, work->registers, work->registers);
	if (work->static_shared >= 0 || work->dynamic_shared >= 0)
		add_figure(launch, TFP_LAUNCH_SHARED, tfp_work_shared(work), tfp_work_shared(work));
	if (work->occupancy >= 0)
		add_figure(launch, TFP_LAUNCH_OCCUPANCY, work->occupancy, work->occupancy);
}

void tfp_launch_merge(struct tfp_launch *launch, const struct tfp_launch *other)
{
	for (enum tfp_launch_figure i = 0; i < TFP_LAUNCH_FIGURES; i++) {
		if (!other->known[i])
			continue;
		if (i <= TFP_LAUNCH_BLOCK)
			add_dims(launch, i, other->dims[i], other->least[i], other->most[i]);
		else
			add_figure(launch, i, other->least[i], other->most[i]);
	}
}

/* ---- columns and orders ----------------------------------------------------------------------- */

enum tfp_launch_figure tfp_launch_of(const struct tfp_column *column)
{
	if (column->kind < TFP_COLUMN_LAUNCH)
		return TFP_LAUNCH_FIGURES;
	return (enum tfp_launch_figure)(column->kind - TFP_COLUMN_LAUNCH);
}

enum tfp_launch_figure tfp_launch_ordered(int order)
{
	return (enum tfp_launch_figure)((order - TFP_ORDER_LAUNCH) / TFP_ORDER_DIFFERENCE);
}

const struct tfp_launch *tfp_launch_known(const struct tfp_base *base, uint32_t row,
					  enum tfp_launch_figure figure)
{
	return base->launch && base->launch[row].known[figure] ? &base->launch[row] : NULL;
}

/* ---- texts ------------------------------------------------------------------------------------ */

static void put_number(char text[TFP_NUMBER_ROOM], enum tfp_launch_figure figure, int64_t value,
		       bool exact)
{
	if (figure == TFP_LAUNCH_OCCUPANCY)
		snprintf(text, TFP_NUMBER_ROOM, "%g", (double)value / 100);
	else if (figure <= TFP_LAUNCH_BLOCK) /* as beside it the dimensions of one */
		snprintf(text, TFP_NUMBER_ROOM, "%lld", (long long)value);
	else if (figure != TFP_LAUNCH_SHARED)
		tfp_number_exact(text, value);
	else if (exact)
		strcat(tfp_number_exact(text, value), "B");
	else
		tfp_number_screen(text, TFP_BYTES, value);
}

char *tfp_launch_cell(char text[TFP_NUMBER_ROOM], const struct tfp_launch *launch,
		      enum tfp_launch_figure figure, bool exact)
{
	const int32_t *dims = figure <= TFP_LAUNCH_BLOCK ? launch->dims[figure] : NULL;
	char least[TFP_NUMBER_ROOM], most[TFP_NUMBER_ROOM];

	if (dims && dims[0])
		return tfp_dims_text(text, TFP_NUMBER_ROOM, dims);
	put_number(least, figure, launch->least[figure], exact);
	put_number(most, figure, launch->most[figure], exact);
	if (!strcmp(least, most))
		return strcpy(text, most);
	snprintf(text, TFP_NUMBER_ROOM, "%.*s-%.*s", TFP_NUMBER_ROOM / 2 - 1, least,
		 TFP_NUMBER_ROOM / 2 - 1, most);
	return text;
}
