/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands out in a TensorFlow profile at first sight: what takes most time, a step that is
 * slower than the others, steps in which nothing ran.
 */
#include "view/views/findings.h"

#include <stdlib.h>

#include "view/views/advise.h"
#include "view/base.h"
#include "view/query/line.h"

#define SLOWER_BY 10  /* percent that a step must be above the others to be worth a word */
#define CONVOLVES 0.2 /* of the time: from here on convolutions are named together */

struct finder {
	const struct tfp_profile *profile;
	struct tfp_arena *arena;
	struct tfp_finding *out;
	size_t count;
};

static struct tfp_finding *add(struct finder *finder, const char *view, uint64_t key)
{
	struct tfp_finding *finding = &finder->out[finder->count++];

	*finding = (struct tfp_finding){.target = {view, key}, .contrast = {-1, -1}};
	return finding;
}

static struct tfp_finding *add_step(struct finder *finder, int64_t number)
{
	uint64_t root = tfp_findings_root("steps").key;
	char label[32];

	snprintf(label, sizeof(label), "step %lld", (long long)number);
	return add(finder, "steps", tfp_key_below(root, tfp_span_of(label)));
}

static int64_t time_of_cell(const struct tfp_profile *profile, uint32_t cell)
{
	const int64_t *value = profile->cells.value + (size_t)cell * profile->cell_columns;

	return tfp_wrap_add(value[TFP_CELL_ACCELERATOR_MICROS], value[TFP_CELL_CPU_MICROS]);
}

/* ---- op types -------------------------------------------------------------------------------- */

/* Time by op type, and what of it are convolutions and their gradients. */
struct op_times {
	int64_t *time; /* by string */
	int64_t whole, convolutions;
	tfp_str best;
};

static bool is_convolution(const struct tfp_profile *profile, tfp_str op)
{
	struct tfp_span name = tfp_strings_get(profile->strings, op);

	return tfp_span_holds(name, "Conv");
}

static void add_time(struct op_times *times, const struct tfp_profile *profile, uint32_t node)
{
	tfp_str op = profile->nodes.op[node];
	int64_t values[TFP_MAX_METRICS], time;

	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	time = values[TFP_TF_MICROS];
	times->whole = tfp_wrap_add(times->whole, time);
	if (!op) /* of no known type */
		return;
	times->time[op] = tfp_wrap_add(times->time[op], time);
	if (times->time[op] > times->time[times->best])
		times->best = op;
	if (is_convolution(profile, op))
		times->convolutions = tfp_wrap_add(times->convolutions, time);
}

static void tell_ops(struct finder *finder, const struct op_times *times)
{
	const char *name = tfp_strings_text(finder->profile->strings, times->best);
	uint64_t key = tfp_key_type(tfp_strings_get(finder->profile->strings, times->best));
	double best = (double)times->time[times->best] / (double)times->whole;
	double convolutions = (double)times->convolutions / (double)times->whole;
	bool together = convolutions >= CONVOLVES && convolutions > best;
	struct tfp_finding *finding;

	if (together) {
		finding = add(finder, "op", key);
		finding->brief =
			tfp_arena_printf(finder->arena, "convolutions %.0f%%", 100 * convolutions);
		finding->text = tfp_arena_printf(
			finder->arena, "convolutions and their gradients take %.1f%% of the time",
			100 * convolutions);
	}
	if (together && is_convolution(finder->profile, times->best)) {
		finding->text = tfp_arena_printf(finder->arena, "%s; %s alone %.1f%%",
						 finding->text, name, 100 * best);
		return;
	}
	finding = add(finder, "op", key);
	finding->brief = tfp_arena_printf(finder->arena, "%s %.0f%% of the time", name, 100 * best);
	finding->text =
		tfp_arena_printf(finder->arena, "%s takes %.1f%% of the time", name, 100 * best);
}

static void find_ops(struct finder *finder)
{
	const struct tfp_profile *profile = finder->profile;
	struct op_times times = {
		.time = tfp_alloc_zero(tfp_strings_count(profile->strings), sizeof(*times.time)),
	};

	for (uint32_t node = 0; node < profile->nodes.count; node++)
		if (profile->nodes.cell[node] != TFP_NONE)
			add_time(&times, profile, node);
	if (times.whole > 0 && times.best)
		tell_ops(finder, &times);
	free(times.time);
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

static void find_slow(struct finder *finder, const struct step_time *steps, size_t ran)
{
	const struct step_time *slowest = &steps[ran - 1], *usual = &steps[(ran - 1) / 2];
	struct tfp_finding *finding;
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
	finding = add_step(finder, slowest->number);
	finding->brief = tfp_arena_printf(finder->arena, "step %lld +%.0f%% on %s",
					  (long long)slowest->number, more, against);
	finding->text = tfp_arena_printf(finder->arena, "step %lld takes %.0f%% more time than %s",
					 (long long)slowest->number, more, against);
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

static void tell_empty(struct finder *finder, const struct empty *empty)
{
	struct tfp_finding *finding;

	if (!empty->count)
		return;
	/* what ran in none has no row: all steps show what did */
	finding = add(finder, "steps", tfp_findings_root("steps").key);
	if (empty->count == 1) {
		finding->brief = tfp_arena_printf(finder->arena, "step %lld is empty",
						  (long long)empty->first);
		finding->text =
			tfp_arena_printf(finder->arena, "%s: nothing ran in it", finding->brief);
	} else {
		finding->brief = tfp_arena_printf(
			finder->arena, "%s are empty",
			tfp_number_count(finder->arena, (int64_t)empty->count, "step"));
		finding->text = tfp_arena_printf(finder->arena,
						 "%s: nothing ran in them, the first is %lld",
						 finding->brief, (long long)empty->first);
	}
}

static void find_steps(struct finder *finder)
{
	const struct tfp_profile *profile = finder->profile;
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
		find_slow(finder, steps, ran);
	for (size_t i = ran; i < count; i++)
		add_empty(&empty, steps[i].number, 1);
	find_gaps(profile, &empty);
	tell_empty(finder, &empty);
	free(steps);
}

/* ---- advice ---------------------------------------------------------------------------------- */

/* What the checkers that need no view have to say. */
static void find_advice(struct finder *finder)
{
	struct tfp_advice advice = {0};
	struct tfp_adviser adviser = {.profile = finder->profile, .advice = &advice};

	tfp_advise_accelerators(&adviser);
	tfp_advise_operations(&adviser);
	for (size_t i = 0; i < advice.list.count && finder->count < TFP_MAX_FINDINGS; i++) {
		const struct tfp_advice_line *line = &advice.list.at[i];
		struct tfp_finding *finding;

		if (!line->brief)
			continue;
		finding = add(finder, line->target.view, line->target.key);
		finding->brief = tfp_arena_printf(finder->arena, "%s", line->brief);
		finding->text = tfp_arena_printf(finder->arena, "%s", line->text);
	}
	tfp_advice_free(&advice);
}

/* ---- all of them ----------------------------------------------------------------------------- */

size_t tfp_findings_list(const struct tfp_profile *profile, struct tfp_arena *arena,
			 struct tfp_finding out[TFP_MAX_FINDINGS])
{
	struct finder finder = {.profile = profile, .arena = arena, .out = out};

	if (profile->share) /* all of it may say the contrary */
		return 0;
	if (profile->trace)
		return tfp_trace_findings(profile, arena, out);
	if (!profile->tensorflow)
		return 0;
	find_ops(&finder);
	find_steps(&finder);
	find_advice(&finder);
	return finder.count;
}

char *tfp_findings(const struct tfp_profile *profile, struct tfp_arena *arena)
{
	struct tfp_finding findings[TFP_MAX_FINDINGS];
	size_t count = tfp_findings_list(profile, arena, findings);
	struct tfp_line line = {.arena = arena};

	for (size_t i = 0; i < count; i++)
		tfp_line_add(&line, "; ", findings[i].brief);
	if (!count)
		return NULL;
	return tfp_arena_printf(arena, "%zu finding%s: %s", count, count == 1 ? "" : "s",
				line.text);
}
