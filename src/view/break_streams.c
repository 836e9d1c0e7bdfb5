/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of accelerators. A node's time on a stream is the mean of the steps in which it ran, as all its
 * values are, so its executions are added up first.
 */
#include "view/break_streams.h"

#include "tfprof/lookup.h"

/* What one node ran on one stream. */
struct part {
	uint32_t node;
	tfp_str stream;
	int64_t time, runs;
};

struct finder {
	struct tfp_work *work;
	const uint32_t *owner;
	struct tfp_lookup *part_table, *stream_table;
	TFP_ARRAY(struct part) parts;
	struct tfp_streams *out;
};

static struct part *find_part(struct finder *finder, uint32_t node, tfp_str stream)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)node << 32 | stream), index;
	size_t at;

	for (index = tfp_lookup_first(finder->part_table, hash, &at); index != TFP_NONE;
	     index = tfp_lookup_next(finder->part_table, hash, &at))
		if (finder->parts.at[index].node == node &&
		    finder->parts.at[index].stream == stream)
			return &finder->parts.at[index];
	index = (uint32_t)finder->parts.count;
	tfp_lookup_add(finder->part_table, hash, index);
	*tfp_array_push(&finder->parts) = (struct part){.node = node, .stream = stream};
	return &finder->parts.at[index];
}

static struct tfp_stream *find_stream(struct finder *finder, uint32_t owner, tfp_str name)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)owner << 32 | name), index;
	size_t at;

	for (index = tfp_lookup_first(finder->stream_table, hash, &at); index != TFP_NONE;
	     index = tfp_lookup_next(finder->stream_table, hash, &at))
		if (finder->out->at[index].owner == owner && finder->out->at[index].name == name)
			return &finder->out->at[index];
	index = (uint32_t)finder->out->count;
	tfp_lookup_add(finder->stream_table, hash, index);
	*tfp_array_push(finder->out) = (struct tfp_stream){.owner = owner, .name = name};
	return &finder->out->at[index];
}

static bool find_parts(struct finder *finder)
{
	const struct tfp_profile *profile = finder->work->build.profile;
	uint32_t step = finder->work->build.step;

	for (size_t i = 0; i < profile->streams.count; i++) {
		const struct tfp_exec *exec = &profile->streams.at[i];
		struct part *part;

		if (tfp_work_stopped(finder->work, i))
			return false;
		if (!finder->owner[exec->node] ||
		    (step != TFP_STEP_MEAN && step != TFP_STEP_EACH && step != exec->step))
			continue;
		part = find_part(finder, exec->node, exec->device);
		part->time = tfp_wrap_add(part->time, exec->duration);
		part->runs++;
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
	int times = tfp_work_times(work, part->node);

	values[work->metric] = part->time / steps;
	if (work->runs != TFP_NONE)
		values[work->runs] = part->runs < steps ? 1 : part->runs / steps;
	if (times > 1)
		values[work->metric] = tfp_wrap_mul(values[work->metric], times);
	tfp_group_add(&find_stream(finder, finder->owner[part->node], part->stream)->group, work,
		      part->node, values);
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
	tfp_lookup_free(finder.part_table);
	tfp_lookup_free(finder.stream_table);
	tfp_array_free(&finder.parts);
	return done;
}
