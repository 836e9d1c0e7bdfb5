/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps and cells. Steps stand in the order of their numbers, so a new number in the middle
 * renumbers those behind it; the cells of a node are a list from the latest step to the earliest.
 */
#include <string.h>

#include "model/private.h"

/* The first step whose number is not below NUMBER. */
static size_t step_place(const struct tfp_profile *profile, int64_t number)
{
	size_t low = 0, high = profile->steps.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (profile->steps.at[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t tfp_profile_find_step(const struct tfp_profile *profile, int64_t number)
{
	size_t place = step_place(profile, number);

	if (place < profile->steps.count && profile->steps.at[place].number == number)
		return (uint32_t)place;
	return TFP_NONE;
}

static void renumber(struct tfp_profile *profile, uint32_t from)
{
	for (size_t i = 0; i < profile->cells.count; i++)
		profile->cells.step[i] +=
			profile->cells.step[i] >= from && profile->cells.step[i] != TFP_NONE;
	for (size_t i = 0; i < profile->execs.count; i++)
		profile->execs.at[i].step += profile->execs.at[i].step >= from;
	for (size_t i = 0; i < profile->streams.count; i++)
		profile->streams.at[i].step += profile->streams.at[i].step >= from;
	tfp_allocs_renumber(&profile->allocs, from);
	for (size_t i = 0; i < profile->in_use.count; i++)
		profile->in_use.at[i].step += profile->in_use.at[i].step >= from;
	for (size_t i = 0; i < profile->holdings.count; i++)
		profile->holdings.at[i].step += profile->holdings.at[i].step >= from;
}

uint32_t tfp_profile_step(struct tfp_profile *profile, int64_t number, tfp_str label)
{
	size_t place = step_place(profile, number), count = profile->steps.count;
	struct tfp_step *step;

	if (place < count && profile->steps.at[place].number == number)
		return (uint32_t)place;
	tfp_array_push(&profile->steps);
	step = &profile->steps.at[place];
	memmove(step + 1, step, (count - place) * sizeof(*step));
	*step = (struct tfp_step){number, label, number};
	if (profile->trace)
		tfp_trace_add_step(profile->trace, place);
	if (place < count)
		renumber(profile, (uint32_t)place);
	return (uint32_t)place;
}

static void grow_cells(struct tfp_cells *cells, size_t columns)
{
	uint32_t room = tfp_room_after(cells->room);

	cells->node = tfp_realloc_array(cells->node, room, sizeof(*cells->node));
	cells->step = tfp_realloc_array(cells->step, room, sizeof(*cells->step));
	cells->older = tfp_realloc_array(cells->older, room, sizeof(*cells->older));
	cells->value = tfp_realloc_array(cells->value, room, columns * sizeof(*cells->value));
	cells->room = room;
}

static uint32_t add_cell(struct tfp_profile *profile, uint32_t node, uint32_t step, uint32_t older)
{
	struct tfp_cells *cells = &profile->cells;
	size_t columns = profile->cell_columns;
	uint32_t cell = cells->count;

	if (cell == cells->room)
		grow_cells(cells, columns);
	cells->node[cell] = node;
	cells->step[cell] = step;
	cells->older[cell] = older;
	memset(cells->value + cell * columns, 0, columns * sizeof(*cells->value));
	cells->count++;
	return cell;
}

uint32_t tfp_profile_cell(struct tfp_profile *profile, uint32_t node, uint32_t step)
{
	struct tfp_cells *cells = &profile->cells;
	uint32_t cell = profile->nodes.cell[node], later = TFP_NONE, added;

	while (cell != TFP_NONE && cells->step[cell] > step) {
		later = cell;
		cell = cells->older[cell];
	}
	if (cell != TFP_NONE && cells->step[cell] == step)
		return cell;
	added = add_cell(profile, node, step, cell);
	if (later == TFP_NONE)
		profile->nodes.cell[node] = added;
	else
		cells->older[later] = added;
	return added;
}

/* ---- others in their place ------------------------------------------------------------------- */

void tfp_cells_release(struct tfp_cells *cells)
{
	tfp_array_release(cells->node);
	tfp_array_release(cells->step);
	tfp_array_release(cells->older);
	tfp_array_release(cells->value);
}

void tfp_profile_keep_cells(struct tfp_profile *profile, struct tfp_kept_cells *kept)
{
	size_t nodes = profile->nodes.room;

	kept->cells = profile->cells;
	kept->cell = profile->nodes.cell;
	profile->cells = (struct tfp_cells){0};
	profile->nodes.cell = tfp_realloc_array(NULL, nodes, sizeof(*profile->nodes.cell));
	memset(profile->nodes.cell, 0xff, nodes * sizeof(*profile->nodes.cell));
}

void tfp_profile_restore_cells(struct tfp_profile *profile, struct tfp_kept_cells *kept)
{
	struct tfp_kept_cells own = {profile->cells, profile->nodes.cell};

	tfp_kept_cells_free(&own);
	profile->cells = kept->cells;
	profile->nodes.cell = kept->cell;
	*kept = (struct tfp_kept_cells){0};
}

void tfp_kept_cells_free(struct tfp_kept_cells *kept)
{
	tfp_cells_release(&kept->cells);
	tfp_array_release(kept->cell);
	*kept = (struct tfp_kept_cells){0};
}
