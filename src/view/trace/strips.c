/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strips and their summaries. Events of a host's lane lie on the strip of their depth; of a device's, on the
 * first strip that is free. On a strip the ends ascend as the starts do, so that a time is found by halving.
 */
#include "view/trace/strips.h"

#include <stdlib.h>

#define LEVELS     64 /* strips of a lane; what is deeper is not drawn */
#define SHIFT      6  /* events of a block, as a power of two */
#define BLOCK      ((uint32_t)1 << SHIFT)
#define NO_LEVEL   UINT8_MAX
#define AHEAD      16  /* events of a strip lie apart: so far ahead memory is asked for them */
#define FEW_EVENTS 256 /* of a piece, of which the longest is looked for */

static int64_t end_of(const struct tfp_strips *strips, uint32_t event)
{
	return tfp_trace_end(strips->trace, event);
}

static int64_t less(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* ---- strips -------------------------------------------------------------------------------- */

static bool nests(enum tfp_lane_kind kind)
{
	return kind == TFP_LANE_HOST || kind == TFP_LANE_PYTHON;
}

/* By event of LANE the strip, and by strip how many there are. */
static void find_depths(const struct tfp_strips *strips, const struct tfp_lane *lane,
			uint8_t *level, uint32_t count[LEVELS])
{
	for (uint32_t i = 0; i < lane->count; i++) {
		uint32_t around = tfp_trace_link(strips->trace, lane->first + i);
		uint32_t parent = around - lane->first;

		level[i] = 0;
		if (around >= lane->first && parent < i)
			level[i] = level[parent] >= LEVELS - 1 ? NO_LEVEL : level[parent] + 1;
		if (level[i] != NO_LEVEL)
			count[level[i]]++;
	}
}

/* The same where each event goes on the first strip that is free. */
static void find_free(const struct tfp_strips *strips, const struct tfp_lane *lane, uint8_t *level,
		      uint32_t count[LEVELS])
{
	int64_t end[LEVELS];
	uint32_t used = 0, at;

	for (uint32_t i = 0; i < lane->count; i++) {
		int64_t start = tfp_trace_start(strips->trace, lane->first + i);

		for (at = 0; at < used && end[at] > start; at++)
			;
		level[i] = NO_LEVEL;
		if (at == LEVELS)
			continue;
		used = at == used ? used + 1 : used;
		end[at] = tfp_wrap_add(start, tfp_trace_duration(strips->trace, lane->first + i));
		level[i] = (uint8_t)at;
		count[at]++;
	}
}

/* NEXT, by level, says where in the order the next event is to be. */
static void place_events(struct tfp_strips *strips, const struct tfp_lane *lane,
			 const uint8_t *level, uint32_t *next)
{
	for (uint32_t i = 0; i < lane->count; i++)
		if (level[i] != NO_LEVEL)
			tfp_near_set(&strips->order, next[level[i]]++, lane->first + i);
}

/* The strips of lane INDEX, behind the USED places of the order; returns how many are used then. */
static uint32_t add_strips(struct tfp_strips *strips, uint32_t index, uint32_t used)
{
	const struct tfp_lane *lane = &strips->trace->lanes.at[index];
	uint32_t count[LEVELS] = {0}, next[LEVELS] = {0}, before = used;
	uint8_t *level = tfp_alloc(lane->count + (size_t)1);

	if (nests(lane->kind))
		find_depths(strips, lane, level, count);
	else
		find_free(strips, lane, level, count);
	for (uint32_t i = 0; i < LEVELS && count[i]; i++) {
		*tfp_array_push(&strips->list) = (struct tfp_strip){
			.lane = index, .level = i, .first = used, .count = count[i]};
		next[i] = used;
		used += count[i];
	}
	strips->left_out += lane->count - (used - before);
	place_events(strips, lane, level, next);
	free(level);
	return used;
}

static bool make_strips(struct tfp_strips *strips, struct tfp_job *job)
{
	size_t count = strips->trace->lanes.count;
	uint32_t used = 0;

	tfp_near_resize(&strips->order, strips->trace->count + (size_t)1);
	strips->lane_strip = tfp_realloc_array(NULL, count + 1, sizeof(*strips->lane_strip));
	for (uint32_t i = 0; i < count; i++) {
		strips->lane_strip[i] = (uint32_t)strips->list.count;
		used = add_strips(strips, i, used);
		if (tfp_job_cancelled(job))
			return false;
	}
	strips->lane_strip[count] = (uint32_t)strips->list.count;
	return true;
}

/* ---- summaries ----------------------------------------------------------------------------- */

/* Of all that is added one after another, the node that has more than half is left in the end. */
static inline void vote(struct tfp_block *block, uint32_t node, int64_t weight)
{
	if (node == block->node) {
		block->weight = tfp_wrap_add(block->weight, weight);
	} else if (block->weight >= weight) {
		block->weight = less(block->weight, weight);
	} else {
		block->node = node;
		block->weight = less(weight, block->weight);
	}
}

static inline void add_event(const struct tfp_strips *strips, struct tfp_block *block,
			     uint32_t event)
{
	int64_t duration = tfp_trace_duration(strips->trace, event);

	block->busy = tfp_wrap_add(block->busy, duration);
	vote(block, tfp_trace_node(strips->trace, event), duration);
}

/* What the events from PLACE up to END are together; those of the strip behind them go on up to LAST. */
static struct tfp_block sum_events(const struct tfp_strips *strips, uint32_t place, uint32_t end,
				   uint32_t last)
{
	struct tfp_block sum = {.node = TFP_NONE};

	for (; place < end; place++) {
		if (last - place > AHEAD)
			tfp_trace_fetch(strips->trace, tfp_strips_event(strips, place + AHEAD));
		add_event(strips, &sum, tfp_strips_event(strips, place));
	}
	return sum;
}

static void add_block(struct tfp_block *to, const struct tfp_block *from)
{
	to->busy = tfp_wrap_add(to->busy, from->busy);
	vote(to, from->node, from->weight);
}

/* Blocks of STRIP on FLOOR; those of a strip lie together, and on each floor in the order of strips. */
static uint32_t blocks_on(uint32_t count, unsigned floor)
{
	unsigned shift = SHIFT * (floor + 1);

	return (uint32_t)(((uint64_t)count + ((uint64_t)1 << shift) - 1) >> shift);
}

static void sum_strip(struct tfp_strips *strips, const struct tfp_strip *strip,
		      const uint32_t first[TFP_FLOORS])
{
	uint32_t last = strip->first + strip->count;

	for (uint32_t i = 0; i < strip->count; i += BLOCK) {
		uint32_t place = strip->first + i,
			 end = last - place < BLOCK ? last : place + BLOCK;

		strips->floor[0][first[0] + (i >> SHIFT)] = sum_events(strips, place, end, last);
	}
	for (unsigned floor = 1; floor < TFP_FLOORS; floor++)
		for (uint32_t i = 0; i < blocks_on(strip->count, floor - 1); i++)
			add_block(&strips->floor[floor][first[floor] + (i >> SHIFT)],
				  &strips->floor[floor - 1][first[floor - 1] + i]);
}

/* A strip's first block on each floor is where this many begin: no more than its own and a rest a strip. */
static uint32_t first_on(const struct tfp_strips *strips, const struct tfp_strip *strip,
			 unsigned floor)
{
	return (strip->first >> (SHIFT * (floor + 1))) + (uint32_t)(strip - strips->list.at);
}

static bool make_floors(struct tfp_strips *strips, struct tfp_job *job)
{
	size_t count_of_strips = strips->list.count;

	for (unsigned floor = 0; floor < TFP_FLOORS; floor++) {
		size_t count = blocks_on(strips->trace->count, floor) + count_of_strips + 1;

		strips->floor[floor] = tfp_alloc_zero(count, sizeof(struct tfp_block));
		for (size_t i = 0; i < count; i++)
			strips->floor[floor][i].node = TFP_NONE;
	}
	for (size_t i = 0; i < count_of_strips; i++) {
		const struct tfp_strip *strip = &strips->list.at[i];
		uint32_t first[TFP_FLOORS];

		if (tfp_job_cancelled(job))
			return false;
		for (unsigned floor = 0; floor < TFP_FLOORS; floor++)
			first[floor] = first_on(strips, strip, floor);
		sum_strip(strips, strip, first);
	}
	return true;
}

struct tfp_strips *tfp_strips_make(const struct tfp_profile *profile, const struct tfp_trace *trace,
				   struct tfp_job *job)
{
	struct tfp_strips *strips = tfp_alloc_zero(1, sizeof(*strips));

	strips->profile = profile;
	strips->trace = trace;
	if (make_strips(strips, job) && make_floors(strips, job))
		return strips;
	tfp_strips_free(strips);
	return NULL;
}

void tfp_strips_free(struct tfp_strips *strips)
{
	if (!strips)
		return;
	for (unsigned floor = 0; floor < TFP_FLOORS; floor++)
		free(strips->floor[floor]);
	tfp_array_free(&strips->list);
	free(strips->lane_strip);
	tfp_near_free(&strips->order);
	free(strips);
}

/* ---- pieces -------------------------------------------------------------------------------- */

/* The first place on STRIP of an event that is not over at TIME, or begins then. */
static uint32_t place_at(const struct tfp_strips *strips, const struct tfp_strip *strip,
			 int64_t time)
{
	uint32_t low = strip->first, high = low + strip->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, event = tfp_strips_event(strips, middle);

		if (tfp_trace_start(strips->trace, event) < time && end_of(strips, event) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first place on STRIP, not before LOW, of an event that begins at TIME or later. */
static uint32_t place_from(const struct tfp_strips *strips, const struct tfp_strip *strip,
			   uint32_t low, int64_t time)
{
	uint32_t high = strip->first + strip->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tfp_trace_start(strips->trace, tfp_strips_event(strips, middle)) < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What of EVENT is in the piece. */
static int64_t inside(const struct tfp_strips *strips, uint32_t event, int64_t from, int64_t to)
{
	int64_t start = tfp_trace_start(strips->trace, event) > from
				? tfp_trace_start(strips->trace, event)
				: from;
	int64_t end = end_of(strips, event) < to ? end_of(strips, event) : to;

	return end > start ? less(end, start) : 0;
}

/*
 * Adds the events LOW to HIGH of STRIP, which are all inside, by places on the strip: singly up to where a block
 * begins, then by blocks, as high up as they go.
 */
static void add_range(const struct tfp_strips *strips, const struct tfp_strip *strip, uint32_t low,
		      uint32_t high, struct tfp_block *sum)
{
	while (low < high) {
		unsigned floor = 0, shift = SHIFT;

		if (low & (BLOCK - 1) || low + BLOCK > high) {
			add_event(strips, sum, tfp_strips_event(strips, strip->first + low++));
			continue;
		}
		while (floor + 1 < TFP_FLOORS && !(low & (((uint32_t)1 << (shift + SHIFT)) - 1)) &&
		       (uint64_t)low + ((uint64_t)1 << (shift + SHIFT)) <= high) {
			floor++;
			shift += SHIFT;
		}
		add_block(sum,
			  &strips->floor[floor][first_on(strips, strip, floor) + (low >> shift)]);
		low += (uint32_t)1 << shift;
	}
}

static uint32_t longest(const struct tfp_strips *strips, uint32_t low, uint32_t high)
{
	uint32_t best = tfp_strips_event(strips, low);

	for (uint32_t i = low; i < high; i++)
		if (tfp_trace_duration(strips->trace, tfp_strips_event(strips, i)) >
		    tfp_trace_duration(strips->trace, best))
			best = tfp_strips_event(strips, i);
	return best;
}

struct tfp_piece tfp_strips_piece(const struct tfp_strips *strips, uint32_t index, int64_t from,
				  int64_t to)
{
	const struct tfp_strip *strip = &strips->list.at[index];
	uint32_t low = place_at(strips, strip, from), high = place_from(strips, strip, low, to);
	struct tfp_piece piece = {.count = high - low, .event = TFP_NONE, .node = TFP_NONE, low};
	struct tfp_block sum = {.node = TFP_NONE};

	piece.at = low;
	if (low == high)
		return piece;
	if (high - low <= FEW_EVENTS)
		piece.event = longest(strips, low, high);
	sum.busy = inside(strips, tfp_strips_event(strips, low), from, to);
	vote(&sum, tfp_trace_node(strips->trace, tfp_strips_event(strips, low)), sum.busy);
	if (high - low > 1) {
		uint32_t last = tfp_strips_event(strips, high - 1);
		int64_t time = inside(strips, last, from, to);

		add_range(strips, strip, low + 1 - strip->first, high - 1 - strip->first, &sum);
		sum.busy = tfp_wrap_add(sum.busy, time);
		vote(&sum, tfp_trace_node(strips->trace, last), time);
	}
	piece.node = sum.node;
	piece.busy = (double)sum.busy / ((double)to - (double)from);
	piece.busy = piece.busy > 1 ? 1 : piece.busy > 0 ? piece.busy : 0;
	return piece;
}

int64_t tfp_strips_time(int64_t from, int64_t to, uint32_t column, uint32_t count)
{
	uint64_t span = (uint64_t)to - (uint64_t)from;

	return (int64_t)((uint64_t)from + span / count * column + span % count * column / count);
}

/* Is PLACE one of STRIP that begins at TIME? */
static bool is_at(const struct tfp_strips *strips, const struct tfp_strip *strip, uint32_t place,
		  int64_t time)
{
	return place >= strip->first && place - strip->first < strip->count &&
	       tfp_trace_start(strips->trace, tfp_strips_event(strips, place)) == time;
}

uint32_t tfp_strips_next(const struct tfp_strips *strips, uint32_t index, int64_t time,
			 uint32_t from, bool back)
{
	const struct tfp_strip *strip = &strips->list.at[index];
	uint32_t end = strip->first + strip->count, place;

	if (is_at(strips, strip, from, time))
		place = back ? from : from + 1;
	else if (back)
		place = place_from(strips, strip, strip->first, time);
	else
		place = time == INT64_MAX ? end : place_from(strips, strip, strip->first, time + 1);
	if (back)
		return place > strip->first ? place - 1 : TFP_NONE;
	return place < end ? place : TFP_NONE;
}
