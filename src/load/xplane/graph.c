/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that a CUDA graph replays. All of them say the same op, but the index of a graph's node
 * is the place of an instruction in the module's schedule. Library calls are graphs inside the
 * graph: their own index is missing, and their kernels stand behind the last one, in the same order.
 * That is a habit of XLA's and no promise, so it is believed only where the names of the kernels
 * agree with it. A program with parts that no graph can hold has several, each a stretch of a schedule.
 */
#include <stdlib.h>

#include "load/xplane/reader.h"

/* A stretch of a program's schedules that a graph is. */
struct claim {
	const struct tfp_hlo *hlo;
	size_t first, end;
};

struct claims {
	TFP_ARRAY(struct claim) list;
};

#define MOST_CLAIMS 1024 /* that others are held against */

/* The slots of one graph, by node, and the stretch of a schedule that they are held against. */
struct graph {
	struct tfp_xreader *reader;
	struct tfp_hlo *hlo;
	const uint32_t *slots;
	uint32_t *named;  /* by slot: the instruction that the kernel is named after; TFP_NONE */
	uint32_t *places; /* by instruction: its first place in all schedules; TFP_NONE */
	struct claims *claims;
	size_t count, inside; /* so many have an index below the length of the stretch */
	const uint32_t *schedule;
	size_t length;
};

static struct tfp_xslot *slot_at(const struct graph *graph, size_t i)
{
	return &graph->reader->facts->slots.at[graph->slots[i]];
}

static uint64_t index_at(const struct graph *graph, size_t i)
{
	return (uint32_t)(slot_at(graph, i)->key.node - 1);
}

/* The number of the graph that a slot's node is of. */
static uint64_t number_of(const struct tfp_xslot *slot)
{
	return (slot->key.node - 1) >> 32;
}

static bool is_kernel(const struct tfp_xslot *slot)
{
	return slot->class == TFP_WORK_KERNEL || slot->class == TFP_WORK_COMM;
}

/* The indices of the stretch that no slot has. */
static size_t count_missing(const struct graph *graph)
{
	size_t missing = graph->length;

	for (size_t i = 0; i < graph->inside; i++)
		missing -= !i || index_at(graph, i) != index_at(graph, i - 1);
	return missing;
}

/* The kernels behind the stretch, each index once. */
static size_t count_behind(const struct graph *graph)
{
	uint64_t last = UINT64_MAX;
	size_t count = 0;

	for (size_t i = graph->inside; i < graph->count; i++)
		if (is_kernel(slot_at(graph, i)) && index_at(graph, i) != last) {
			last = index_at(graph, i);
			count++;
		}
	return count;
}

/* ---- the whole of the entry's schedule --------------------------------------------------------- */

/* Is each kernel's first node the instruction that it is named after? */
static bool names_agree(const struct graph *graph)
{
	struct tfp_idmap met = {0}; /* labels */
	bool agree = true;

	for (size_t i = 0; i < graph->inside && agree; i++) {
		const struct tfp_xslot *slot = slot_at(graph, i);
		uint64_t label = tfp_strings_add(graph->reader->profile->strings, slot->label.at,
						 slot->label.size);

		if (is_kernel(slot) && tfp_idmap_add(&met, label, (uint32_t)i) == i)
			agree = tfp_hlo_named_after(graph->hlo, graph->schedule[index_at(graph, i)],
						    slot->label);
	}
	tfp_idmap_free(&met);
	return agree;
}

/* ---- a stretch of some schedule ---------------------------------------------------------------- */

/* Those whose kernel may be the same: it is named after one of them. */
static bool alike(const struct tfp_hlo *hlo, uint32_t one, uint32_t other)
{
	const struct tfp_hlo_instruction *a = &hlo->instructions.at[one];
	const struct tfp_hlo_instruction *b = &hlo->instructions.at[other];

	return one == other ||
	       (tfp_span_equal(a->opcode, b->opcode) && tfp_span_equal(a->shape, b->shape));
}

/* A kernel that several share is named after the first of them that runs. */
static bool is_no_earlier(const struct graph *graph, size_t place, uint32_t named, size_t first)
{
	return graph->places[named] == TFP_NONE || graph->places[named] < first ||
	       graph->places[named] <= place;
}

/* Is each kernel in the stretch named after what may share it, and some after their own? FIRST: where the schedule begins. */
static bool names_fit(const struct graph *graph, size_t first, size_t *budget)
{
	size_t own = 0, begin = (size_t)(graph->schedule - graph->hlo->schedule.at);

	for (size_t i = 0; i < graph->inside; i++) {
		uint32_t place = graph->schedule[index_at(graph, i)];

		if (!*budget)
			return false;
		--*budget;
		if (!is_kernel(slot_at(graph, i)))
			continue;
		if (graph->named[i] == TFP_NONE || !alike(graph->hlo, graph->named[i], place) ||
		    !is_no_earlier(graph, begin + index_at(graph, i), graph->named[i], first))
			return false;
		own += graph->named[i] == place;
	}
	return own;
}

static void set_stretch(struct graph *graph, const uint32_t *schedule, size_t length)
{
	graph->schedule = schedule;
	graph->length = length;
	graph->inside = 0;
	while (graph->inside < graph->count && index_at(graph, graph->inside) < length)
		graph->inside++;
}

/* The stretches of LENGTH in the schedule from FIRST to END that fit; the last of them is FOUND. */
static size_t find_stretches(struct graph *graph, size_t first, size_t end, size_t length,
			     const uint32_t **found, size_t *budget)
{
	size_t count = 0;

	for (size_t at = first; at + length <= end && *budget; at++) {
		set_stretch(graph, graph->hlo->schedule.at + at, length);
		if (!graph->inside || !names_fit(graph, first, budget) ||
		    count_behind(graph) != count_missing(graph))
			continue;
		*found = graph->schedule;
		count++;
	}
	return count;
}

/* The only stretch of any schedule that fits, and is as long as some graph in the file. */
static bool find_stretch(struct graph *graph)
{
	const struct tfp_xreader *reader = graph->reader;
	size_t budget = 64 * (graph->count + graph->hlo->schedule.count) + 10000, count = 0;
	size_t first = 0, length = 0;
	const uint32_t *found = NULL;

	for (size_t i = 0; i < graph->hlo->sequences.count; i++) {
		size_t end = graph->hlo->sequences.at[i];

		for (size_t k = 0; k < reader->commands.count; k++) {
			size_t fits = find_stretches(
				graph, first, end, (size_t)reader->commands.at[k], &found, &budget);

			length = fits ? (size_t)reader->commands.at[k] : length;
			count += fits;
		}
		first = end;
	}
	if (count != 1 || !budget)
		return false;
	set_stretch(graph, found, length);
	return true;
}

/* ---- a graph ----------------------------------------------------------------------------------- */

/* The first index from FROM on that no slot has. INSIDE goes along. */
static size_t next_missing(const struct graph *graph, size_t from, size_t *inside)
{
	for (;; from++) {
		while (*inside < graph->inside && index_at(graph, *inside) < from)
			++*inside;
		if (*inside == graph->inside || index_at(graph, *inside) != from)
			return from;
	}
}

/* Copies and fills belong to the next kernel. */
static void settle_behind(const struct graph *graph)
{
	size_t inside = 0, place = next_missing(graph, 0, &inside);

	for (size_t i = graph->inside; i < graph->count && place < graph->length; i++) {
		struct tfp_xslot *slot = slot_at(graph, i);
		bool last = i + 1 == graph->count || index_at(graph, i + 1) != index_at(graph, i);

		slot->instruction = graph->schedule[place];
		if (is_kernel(slot) && last)
			place = next_missing(graph, place + 1, &inside);
	}
}

static void find_places(struct graph *graph)
{
	const struct tfp_hlo *hlo = graph->hlo;

	graph->places = tfp_realloc_array(NULL, hlo->instructions.count + (size_t)1,
					  sizeof(*graph->places));
	for (size_t i = 0; i < hlo->instructions.count; i++)
		graph->places[i] = TFP_NONE;
	for (size_t i = hlo->schedule.count; i-- > 0;)
		graph->places[hlo->schedule.at[i]] = (uint32_t)i;
}

static void find_named(struct graph *graph)
{
	graph->named = tfp_realloc_array(NULL, graph->count, sizeof(*graph->named));
	for (size_t i = 0; i < graph->count; i++)
		graph->named[i] = tfp_hlo_find_code(graph->hlo, slot_at(graph, i)->label);
}

/* Two graphs are the same stretch or have none of it in common: else the second is not believed. */
static bool claim(struct graph *graph)
{
	size_t behind = count_behind(graph) == count_missing(graph) ? graph->length : 0;
	struct claim claim = {.hlo = graph->hlo,
			      .first = (size_t)(graph->schedule - graph->hlo->schedule.at)};

	claim.end = claim.first + index_at(graph, graph->inside - 1) + 1;
	if (behind)
		claim.end = claim.first + behind;
	for (size_t i = 0; i < graph->claims->list.count; i++) {
		const struct claim *other = &graph->claims->list.at[i];

		if (other->hlo != claim.hlo)
			continue;
		if (other->first == claim.first && other->end == claim.end)
			return true;
		if (other->first < claim.end && claim.first < other->end)
			return false;
	}
	if (graph->claims->list.count < MOST_CLAIMS)
		*tfp_array_push(&graph->claims->list) = claim;
	return true;
}

static void settle(struct graph *graph)
{
	bool fits;

	if (!graph->hlo->sequences.count)
		return;
	set_stretch(graph, graph->hlo->schedule.at, graph->hlo->sequences.at[0]);
	fits = graph->inside && names_agree(graph);
	if (!fits) {
		find_named(graph);
		find_places(graph);
		fits = find_stretch(graph);
		tfp_array_release(graph->named);
		tfp_array_release(graph->places);
	}
	if (!fits || !claim(graph)) {
		tfp_xproblem(
			graph->reader, TFP_NOTE,
			"the kernels of a CUDA graph fit no part of their program, or several: they are told by their names, which instructions may share");
		return;
	}
	for (size_t i = 0; i < graph->inside; i++)
		slot_at(graph, i)->instruction = graph->schedule[index_at(graph, i)];
	if (count_behind(graph) == count_missing(graph))
		settle_behind(graph);
}

/* By plane, program, graph as XLA calls it, and node; else as met. */
static int by_node(const void *left, const void *right, void *data)
{
	const struct tfp_xslot *slots = data;
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
	const struct tfp_xkey *a = &slots[one].key, *b = &slots[other].key;

	if (a->plane != b->plane)
		return a->plane < b->plane ? -1 : 1;
	if (a->program != b->program)
		return a->program < b->program ? -1 : 1;
	if (a->hlo_op != b->hlo_op)
		return a->hlo_op < b->hlo_op ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return one < other ? -1 : one > other;
}

static bool same_graph(const struct tfp_xslot *a, const struct tfp_xslot *b)
{
	return a->key.plane == b->key.plane && a->key.program == b->key.program &&
	       a->key.hlo_op == b->key.hlo_op && number_of(a) == number_of(b);
}

void tfp_xgraph_settle(struct tfp_xreader *reader)
{
	struct tfp_xslot *slots = reader->facts->slots.at;
	TFP_ARRAY(uint32_t) order = {0};
	struct claims claims = {0};
	size_t end;

	for (uint32_t i = 0; i < reader->facts->slots.count; i++)
		if (slots[i].in_graph)
			*tfp_array_push(&order) = i;
	if (order.count)
		qsort_r(order.at, order.count, sizeof(*order.at), by_node, slots);
	for (size_t i = 0; i < order.count; i = end) {
		struct graph graph = {.reader = reader, .slots = order.at + i, .claims = &claims};

		for (end = i;
		     end < order.count && same_graph(&slots[order.at[i]], &slots[order.at[end]]);)
			end++;
		graph.count = end - i;
		for (size_t k = i; k < end; k++)
			graph.hlo = tfp_xslot_hlo(reader, &slots[order.at[k]]);
		if (graph.hlo)
			settle(&graph);
	}
	tfp_array_free(&order);
	tfp_array_free(&claims.list);
}
