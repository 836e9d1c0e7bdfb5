/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floating-point operations of nodes. They are of one event, since each counts as a run: where an
 * instruction is several events, each has its part. What the file says goes before what is estimated.
 */
#include <stdlib.h>

#include "load/xplane/reader.h"

/* How often one kernel ran for a node on one device. */
struct tally {
	uint64_t plane, kernel, events;
	uint32_t node;
};

/* How often an instruction ran, and how many events that was. */
struct runs {
	uint64_t runs, events;
};

static uint64_t *count_events(const struct tfp_xreader *reader)
{
	const struct tfp_trace *trace = reader->trace;
	uint64_t *counts = tfp_alloc_zero(reader->facts->slots.count + 1, sizeof(*counts));

	for (size_t k = reader->first_lane; k < trace->lanes.count; k++) {
		const struct tfp_lane *lane = &trace->lanes.at[k];

		if (trace->devices.at[lane->device].host || lane->kind != TFP_LANE_DEVICE)
			continue;
		for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
			counts[tfp_trace_node(trace, i)]++;
	}
	return counts;
}

static int compare(const void *left, const void *right)
{
	const struct tally *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->plane != b->plane)
		return a->plane < b->plane ? -1 : 1;
	return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static bool same_kernel(const struct tally *a, const struct tally *b)
{
	return a->node == b->node && a->plane == b->plane && a->kernel == b->kernel;
}

/* On each device it ran as often as that of its kernels which ran least: one may run twice a run. */
static void add_runs(struct runs *runs, const struct tally *at, const struct tally *end)
{
	uint64_t least = UINT64_MAX;

	while (at < end) {
		const struct tally *first = at;
		uint64_t events = 0;

		for (; at < end && same_kernel(at, first); at++)
			events += at->events;
		least = events < least ? events : least;
		runs[first->node].events += events;
		if (at == end || at->node != first->node || at->plane != first->plane) {
			runs[first->node].runs += least;
			least = UINT64_MAX;
		}
	}
}

static struct runs *count_runs(const struct tfp_xreader *reader)
{
	struct runs *runs = tfp_alloc_zero(reader->profile->nodes.count + 1, sizeof(*runs));
	uint64_t *counts = count_events(reader);
	TFP_ARRAY(struct tally) tallies = {0};

	for (size_t i = 0; i < reader->facts->slots.count; i++) {
		const struct tfp_xslot *slot = &reader->facts->slots.at[i];

		if (counts[i])
			*tfp_array_push(&tallies) = (struct tally){
				slot->key.plane, slot->key.metadata, counts[i], slot->node};
	}
	tfp_array_release(counts);
	if (tallies.count) {
		qsort(tallies.at, tallies.count, sizeof(*tallies.at), compare);
		add_runs(runs, tallies.at, tallies.at + tallies.count);
	}
	tfp_array_free(&tallies);
	return runs;
}

static int64_t part_of(int64_t flops, const struct runs *runs)
{
	if (runs->runs == runs->events)
		return flops;
	return (int64_t)((double)flops * (double)runs->runs / (double)runs->events + 0.5);
}

/* Whatever calls what SLOT is in, however far up, is entered. Nothing is gone through twice, so circles end. */
static void mark_entered(struct tfp_xreader *reader, const struct tfp_xslot *slot)
{
	struct tfp_xprogram *program = &reader->facts->programs.at[slot->module];
	const struct tfp_hlo *hlo = &program->hlo;
	uint32_t at = slot->instruction;

	while (at != TFP_NONE) {
		uint32_t computation = tfp_hlo_computation_of(hlo, at);

		at = computation == TFP_NONE ? TFP_NONE : hlo->computations.at[computation].caller;
		if (at == TFP_NONE || program->known[at].entered)
			return;
		program->known[at].entered = true;
	}
}

/* What an event of SLOT takes by its instruction; of a loop or a call whose ops have events those have it. */
static int64_t estimate(struct tfp_xreader *reader, const struct tfp_xslot *slot,
			const struct runs *runs, uint32_t *looping)
{
	const struct tfp_xinstruction *known;

	if (slot->instruction == TFP_NONE ||
	    reader->facts->programs.at[slot->module].known[slot->instruction].entered)
		return 0;
	known = tfp_xslot_known(reader, slot);
	*looping += known->looping;
	return part_of(known->flops, &runs[slot->node]);
}

void tfp_xoperations(struct tfp_xreader *reader)
{
	struct tfp_profile *profile = reader->profile;
	struct tfp_xfacts *facts = reader->facts;
	struct runs *runs = count_runs(reader);
	uint32_t looping = 0;

	for (size_t i = 0; i < facts->slots.count; i++)
		if (facts->slots.at[i].counts && facts->slots.at[i].instruction != TFP_NONE)
			mark_entered(reader, &facts->slots.at[i]);
	for (size_t i = 0; i < facts->slots.count; i++) {
		const struct tfp_xslot *slot = &facts->slots.at[i];
		int64_t flops = slot->flops;

		if (!slot->counts || slot->holds)
			continue;
		if (!flops)
			flops = estimate(reader, slot, runs, &looping);
		facts->estimated |= flops != slot->flops;
		if (flops && slot->node >= reader->first_node)
			profile->nodes.float_ops[slot->node] = flops;
	}
	tfp_array_release(runs);
	if (looping)
		tfp_xproblem(
			reader, TFP_NOTE,
			"float operations of loops that run nobody knows how often are not counted: %u ops",
			looping);
}
