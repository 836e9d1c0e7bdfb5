/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown by step: what the nodes measured in each, and how far the steps are apart.
 */
#include <stdlib.h>

#include "view/query/baseline.h"
#include "view/pane/breakdown.h"
#include "view/views/steps.h"

#define MOST_CELLS 32 /* of the bars that stand for all steps */

static void add_node(struct tfp_work *work, struct tfp_group *groups, uint32_t node)
{
	const struct tfp_cells *cells = &work->build.profile->cells;
	uint32_t kept = work->build.step;

	for (uint32_t cell = work->build.profile->nodes.cell[node]; cell != TFP_NONE;
	     cell = cells->older[cell]) {
		int64_t values[TFP_MAX_METRICS];

		work->build.step = cells->step[cell];
		tfp_work_values(work, node, values);
		tfp_group_add(&groups[work->build.step], work, node, values);
	}
	work->build.step = kept;
}

static tfp_str make_label(struct tfp_profile *profile, uint32_t step)
{
	char label[TFP_STEP_LABEL_ROOM];

	return tfp_strings_add_text(profile->strings, tfp_step_label(label, profile, step));
}

/* Each step, or of many steps the largest of those next to each other, as a bar of its height. */
static char *draw_steps(struct tfp_work *work, const int64_t *values, size_t count)
{
	static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	size_t cells = count < MOST_CELLS ? count : MOST_CELLS;
	char *text = tfp_arena_text(&work->out->arena, "", 0);
	double most = 0;

	for (size_t i = 0; i < count; i++)
		if ((double)values[i] > most)
			most = (double)values[i];
	for (size_t cell = 0; cell < cells; cell++) {
		double value = 0;

		for (size_t i = cell * count / cells; i < (cell + 1) * count / cells; i++)
			if ((double)values[i] > value)
				value = (double)values[i];
		text = tfp_arena_printf(&work->out->arena, "%s%s", text,
					value > 0 ? bars[(int)(value / most * 7 + 0.5)] : " ");
	}
	return text;
}

/*
 * The least, the middle and the greatest of the steps in which something ran. What ran outside of all
 * is none of them.
 */
static void sum_up(struct tfp_work *work, const struct tfp_group *groups, size_t count)
{
	uint32_t outside = tfp_step_outside(work->build.profile);
	int64_t *values = tfp_realloc_array(NULL, count, sizeof(*values));
	int64_t *drawn = tfp_realloc_array(NULL, count, sizeof(*drawn));
	char least[TFP_NUMBER_ROOM], middle[TFP_NUMBER_ROOM], most[TFP_NUMBER_ROOM];
	size_t found = 0, steps = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == outside)
			continue;
		drawn[steps++] = groups[i].value;
		if (groups[i].nodes)
			values[found++] = groups[i].value;
	}
	if (found > 1) {
		tfp_number_screen(middle, work->out->unit, tfp_median(values, found));
		tfp_number_screen(least, work->out->unit, values[0]);
		tfp_number_screen(most, work->out->unit, values[found - 1]);
		work->out->note = tfp_arena_printf(
			&work->out->arena, "%s: least %s, median %s, most %s  %s",
			tfp_number_count(&work->out->arena, (int64_t)found, "step"), least, middle,
			most, draw_steps(work, drawn, steps));
	}
	free(drawn);
	free(values);
}

bool tfp_break_steps(struct tfp_work *work)
{
	struct tfp_profile *profile = work->build.profile;
	size_t count = profile->steps.count;
	struct tfp_group *groups = tfp_alloc_zero(count, sizeof(*groups));
	tfp_str *label = tfp_realloc_array(NULL, count, sizeof(*label));
	bool done = true;

	for (size_t i = 0; i < work->nodes.count && done; i++) {
		done = !tfp_work_stopped(work, i);
		add_node(work, groups, work->nodes.at[i]);
	}
	work->whole = 0;
	for (uint32_t i = 0; i < count; i++) {
		label[i] = make_label(profile, i);
		work->whole = tfp_wrap_add(work->whole, groups[i].value);
	}
	if (done) {
		tfp_work_rows(work, groups, label, count);
		sum_up(work, groups, count);
	}
	free(groups);
	free(label);
	return done;
}
