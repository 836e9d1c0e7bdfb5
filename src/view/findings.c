/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands out in a TensorFlow profile at first sight: the op type that takes most time, a step
 * that is slower than the others, steps in which nothing ran.
 */
#include <stdlib.h>
#include <string.h>

#include "view/line.h"

#define SLOWER_BY 10 /* percent that a step must be above the others to be worth a word */

static int64_t time_of_cell(const struct tfp_profile *profile, uint32_t cell)
{
	const int64_t *value = profile->cells.value + (size_t)cell * profile->cell_columns;

	return tfp_wrap_add(value[TFP_CELL_ACCELERATOR_MICROS], value[TFP_CELL_CPU_MICROS]);
}

/* ---- op types -------------------------------------------------------------------------------- */

static void find_op(const struct tfp_profile *profile, struct tfp_line *line)
{
	int64_t *time = tfp_alloc_zero(tfp_strings_count(profile->strings), sizeof(*time));
	int64_t whole = 0;
	tfp_str best = 0;

	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		int64_t values[TFP_MAX_METRICS];
		tfp_str op = profile->nodes.op[node];

		if (profile->nodes.cell[node] == TFP_NONE)
			continue;
		tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
		whole = tfp_wrap_add(whole, values[TFP_TF_MICROS]);
		time[op] = tfp_wrap_add(time[op], values[TFP_TF_MICROS]);
		if (time[op] > time[best])
			best = op;
	}
	if (whole > 0 && time[best] > 0)
		tfp_line_add(line, "",
			     tfp_arena_printf(line->arena, "%s takes %.0f%% of the time",
					      tfp_strings_text(profile->strings, best),
					      100.0 * (double)time[best] / (double)whole));
	free(time);
}

/* ---- steps ----------------------------------------------------------------------------------- */

struct step_time {
	int64_t number, time;
	bool ran;
};

/* Steps by time, those in which nothing ran last. */
static int compare_steps(const void *left, const void *right)
{
	const struct step_time *a = left, *b = right;

	if (a->ran != b->ran)
		return a->ran ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void find_slow(const struct step_time *steps, size_t ran, struct tfp_line *line)
{
	const struct step_time *slowest = &steps[ran - 1], *usual = &steps[(ran - 1) / 2];
	char against[64];
	double more;

	if (usual->time <= 0)
		return;
	more = 100 * ((double)slowest->time / (double)usual->time - 1);
	if (more < SLOWER_BY)
		return;
	if (ran == 2)
		snprintf(against, sizeof(against), "step %lld", (long long)usual->number);
	else
		snprintf(against, sizeof(against), "the median step");
	tfp_line_add(line, "; ",
		     tfp_arena_printf(line->arena, "step %lld +%.0f%% on %s",
				      (long long)slowest->number, more, against));
}

/* What is known of steps in which nothing ran. */
struct empty {
	uint64_t count;
	int64_t first;
};

static void add_empty(struct empty *empty, int64_t first, uint64_t count)
{
	if (count && (!empty->count || first < empty->first))
		empty->first = first;
	empty->count += count;
}

/*
 * Run metadata are numbered from 0 as they were given: a number that no step has was an empty
 * file's.
 */
static void find_gaps(const struct tfp_profile *profile, struct empty *empty)
{
	int64_t next = 0;

	for (size_t i = 0; i < profile->steps.count; i++) {
		const struct tfp_step *step = &profile->steps.at[i];

		if (!step->label || step->number < next)
			return;
		add_empty(empty, next, (uint64_t)step->number - (uint64_t)next);
		next = step->number + 1;
	}
}

static void tell_empty(const struct empty *empty, struct tfp_line *line)
{
	if (empty->count == 1)
		tfp_line_add(line, "; ",
			     tfp_arena_printf(line->arena, "step %lld is empty",
					      (long long)empty->first));
	else if (empty->count)
		tfp_line_add(line, "; ",
			     tfp_arena_printf(line->arena, "%llu steps are empty",
					      (unsigned long long)empty->count));
}

static void find_steps(const struct tfp_profile *profile, struct tfp_line *line)
{
	size_t count = profile->steps.count, ran = 0;
	struct step_time *steps = tfp_alloc_zero(count, sizeof(*steps));
	struct empty empty = {0};

	for (size_t i = 0; i < count; i++)
		steps[i].number = profile->steps.at[i].number;
	for (uint32_t cell = 0; cell < profile->cells.count; cell++) {
		struct step_time *step = &steps[profile->cells.step[cell]];

		step->time = tfp_wrap_add(step->time, time_of_cell(profile, cell));
		step->ran = true;
	}
	if (count)
		qsort(steps, count, sizeof(*steps), compare_steps);
	while (ran < count && steps[ran].ran)
		ran++;
	if (ran > 1)
		find_slow(steps, ran, line);
	for (size_t i = ran; i < count; i++)
		add_empty(&empty, steps[i].number, 1);
	find_gaps(profile, &empty);
	tell_empty(&empty, line);
	free(steps);
}

char *tfp_findings(const struct tfp_profile *profile, struct tfp_arena *arena)
{
	struct tfp_line line = {.arena = arena};

	if (!profile->tensorflow)
		return NULL;
	find_op(profile, &line);
	find_steps(profile, &line);
	return line.text;
}
