/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of accelerators. A node's time on a stream is the mean of the steps in which it ran, as all its
 * values are, so its executions are added up first.
 */
#include "view/pane/break_streams.h"

#include <stdlib.h>

#include "tfprof/lookup.h"

/* What one node ran on one stream: of one kernel, or (0) all of it. */
struct part {
	uint32_t node;
	tfp_str stream, kernel;
	int64_t time, runs;
};

struct finder {
	struct tfp_work *work;
	const uint32_t *owner;
	struct tfp_lookup *part_table, *stream_table;
	TFP_ARRAY(struct part) parts;
	struct tfp_streams *out;
};

static uint32_t hash_of(uint32_t first, tfp_str stream, tfp_str kernel)
{
	return tfp_lookup_mix(((uint64_t)first << 32 | stream) ^ (uint64_t)kernel << 20);
}

static struct part *find_part(struct finder *finder, uint32_t node, tfp_str stream, tfp_str kernel)
{
	uint32_t hash = hash_of(node, stream, kernel), index;

	TFP_LOOKUP_EACH(index, finder->part_table, hash)
		if (finder->parts.at[index].node == node &&
		    finder->parts.at[index].stream == stream &&
		    finder->parts.at[index].kernel == kernel)
			return &finder->parts.at[index];
	index = (uint32_t)finder->parts.count;
	tfp_lookup_add(finder->part_table, hash, index);
	*tfp_array_push(&finder->parts) =
		(struct part){.node = node, .stream = stream, .kernel = kernel};
	return &finder->parts.at[index];
}

static struct tfp_stream *find_stream(struct finder *finder, uint32_t owner, tfp_str name,
				      tfp_str kernel)
{
	uint32_t hash = hash_of(owner, name, kernel), index;

	TFP_LOOKUP_EACH(index, finder->stream_table, hash)
		if (finder->out->at[index].owner == owner && finder->out->at[index].name == name &&
		    finder->out->at[index].kernel == kernel)
			return &finder->out->at[index];
	index = (uint32_t)finder->out->count;
	tfp_lookup_add(finder->stream_table, hash, index);
	*tfp_array_push(finder->out) =
		(struct tfp_stream){.owner = owner, .name = name, .kernel = kernel};
	return &finder->out->at[index];
}

static void add_run(struct part *part, const struct tfp_stream_run *run)
{
	part->time = tfp_wrap_add(part->time, run->duration);
	part->runs++;
}

static bool find_parts(struct finder *finder)
{
	const struct tfp_profile *profile = finder->work->build.profile;
	uint32_t step = finder->work->build.step;

	for (size_t i = 0; i < profile->streams.count; i++) {
		const struct tfp_stream_run *exec = &profile->streams.at[i];

		if (tfp_work_stopped(finder->work, i))
			return false;
		if (!finder->owner[exec->node] ||
		    (step != TFP_STEP_MEAN && step != TFP_STEP_EACH && step != exec->step))
			continue;
		add_run(find_part(finder, exec->node, exec->device, 0), exec);
		if (exec->kernel)
			add_run(find_part(finder, exec->node, exec->device, exec->kernel), exec);
	}
	return true;
}

/* The steps that a value of NODE is the mean of. */
static int64_t count_steps(const struct finder *finder, uint32_t node)
{
	const struct tfp_profile *profile = finder->work->build.profile;
	uint32_t cell = profile->nodes.cell[node];
	int64_t count = 0;

	if (finder->work->build.step != TFP_STEP_MEAN)
		return 1;
	for (; cell != TFP_NONE; cell = profile->cells.older[cell])
		count++;
	return count ? count : 1;
}

static void add_part(struct finder *finder, const struct part *part)
{
	struct tfp_work *work = finder->work;
	int64_t values[TFP_MAX_METRICS] = {0}, steps = count_steps(finder, part->node);
	uint32_t owner = finder->owner[part->node];
	int times = tfp_work_times(work, part->node);

	values[work->metric] = part->time / steps;
	if (work->runs != TFP_NONE)
		values[work->runs] = part->runs < steps ? 1 : part->runs / steps;
	if (times > 1)
		values[work->metric] = tfp_wrap_mul(values[work->metric], times);
	tfp_group_add(&find_stream(finder, owner, part->stream, part->kernel)->group, work,
		      part->node, values);
}

/* The largest stream of an owner first, each before its kernels, of which the largest is first. */
static int compare_streams(const void *left, const void *right)
{
	const struct tfp_stream *a = left, *b = right;

	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	if (a->whole != b->whole)
		return a->whole > b->whole ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (!a->kernel != !b->kernel)
		return a->kernel ? 1 : -1;
	if (a->group.value != b->group.value)
		return a->group.value > b->group.value ? -1 : 1;
	return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static void order(struct finder *finder)
{
	struct tfp_streams *out = finder->out;

	for (size_t i = 0; i < out->count; i++)
		out->at[i].whole =
			find_stream(finder, out->at[i].owner, out->at[i].name, 0)->group.value;
	if (out->count)
		qsort(out->at, out->count, sizeof(*out->at), compare_streams);
}

bool tfp_streams_find(struct tfp_work *work, const uint32_t *owner, struct tfp_streams *out)
{
	struct tfp_build *build = &work->build;
	struct finder finder = {.work = work, .owner = owner, .out = out};
	bool done;

	if (!tfp_profile_need(build->profile, TFP_PART_STREAMS, build->job, build->diag))
		return false;
	finder.part_table = tfp_lookup_new();
	finder.stream_table = tfp_lookup_new();
	done = find_parts(&finder);
	for (size_t i = 0; done && i < finder.parts.count; i++)
		add_part(&finder, &finder.parts.at[i]);
	order(&finder);
	tfp_lookup_free(finder.part_table);
	tfp_lookup_free(finder.stream_table);
	tfp_array_free(&finder.parts);
	return done;
}
