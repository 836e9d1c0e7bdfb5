/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cutting a trace to a range of time: see window.h. What is outside keeps its place without a duration and counts
 * for nothing, so that events stay in their order and nested as they were. Events of other files are not looked at, as there
 * may be a thousand ranks, and each has its window.
 */
#include "view/trace/window.h"

#include <stdlib.h>

#include "view/base.h"
#include "view/query/check.h"

#define PICOS_PER_NANO 1000

static int64_t limit(__int128 value)
{
	return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

static int64_t clock_of(const struct tfp_trace *trace, int64_t nanos)
{
	return limit((__int128)nanos * (trace->unit == TFP_PICOS ? PICOS_PER_NANO : 1) +
		     trace->begin);
}

bool tfp_query_range(const struct tfp_query *query, const struct tfp_trace *trace, int64_t *from,
		     int64_t *to)
{
	if (query->range_to <= query->range_from)
		return false;
	*from = clock_of(trace, query->range_from);
	*to = clock_of(trace, query->range_to);
	return *to > *from;
}

bool tfp_query_is_beyond(const struct tfp_query *query, const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace ? tfp_trace_whole(profile->trace) : NULL;
	int64_t from, to;

	return trace && tfp_query_range(query, trace, &from, &to) && from > trace->end;
}

/* A file that says no rank has that of its place, unless another one says that. */
uint32_t tfp_rank_file(const struct tfp_trace *trace, int64_t rank)
{
	uint32_t place = TFP_NONE;

	for (size_t i = 0; i < trace->devices.count; i++) {
		const struct tfp_trace_device *device = &trace->devices.at[i];

		if (device->rank && tfp_device_rank(device) == rank)
			return device->file;
		if (!device->rank && device->file == rank)
			place = device->file;
	}
	return place;
}

size_t tfp_ranks(const struct tfp_trace *trace, int64_t *ranks, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < trace->devices.count && count < room; i++) {
		const struct tfp_trace_device *device = &trace->devices.at[i];
		int64_t rank = tfp_device_rank(device);
		size_t at = 0;

		while (at < count && ranks[at] != rank)
			at++;
		if (at == count && tfp_rank_file(trace, rank) == device->file)
			ranks[count++] = rank;
	}
	return count;
}

struct tfp_span tfp_rank_host(const struct tfp_profile *profile, int64_t rank)
{
	uint32_t file = tfp_rank_file(profile->trace, rank);

	for (size_t i = 0; i < profile->trace->devices.count; i++) {
		const struct tfp_trace_device *device = &profile->trace->devices.at[i];
		struct tfp_span name = tfp_strings_get(profile->strings, device->name),
				own = tfp_strings_get(profile->strings, device->own);

		if (device->file != file || device->rank || !own.size || own.size >= name.size)
			continue;
		name.size -= own.size;
		while (name.size && name.at[name.size - 1] == ' ')
			name.size--;
		return name;
	}
	return TFP_SPAN("");
}

/* ---- cutting ------------------------------------------------------------------------------- */

/* Has what is from START to END any time from FROM to TO? */
static bool is_inside(int64_t start, int64_t end, int64_t from, int64_t to)
{
	return start < to && (start == end ? start >= from : end > from);
}

bool tfp_window_holds(const struct tfp_trace *trace, uint32_t event)
{
	const struct tfp_trace *whole = trace->whole;

	return !whole ||
	       (tfp_trace_has_lane(trace, &whole->lanes.at[tfp_trace_lane(whole, event)]) &&
		is_inside(tfp_trace_start(whole, event), tfp_trace_end(whole, event), trace->from,
			  trace->to));
}

/* Cuts EVENT, whose start CUT has, to FROM .. TO; false: it is outside. */
static bool cut_event(const struct tfp_trace *whole, struct tfp_trace *cut, uint32_t event,
		      int64_t from, int64_t to)
{
	int64_t start = tfp_trace_start(whole, event), end = tfp_trace_end(whole, event);
	bool inside = is_inside(start, end, from, to);

	if (start < from || start > to)
		start = start < from ? from : to;
	if (end < start || !inside)
		end = start;
	if (end > to)
		end = to;
	if (start != tfp_trace_start(whole, event))
		tfp_trace_set_start(cut, event, start);
	tfp_trace_set_duration(cut, event, (int64_t)((uint64_t)end - (uint64_t)start));
	tfp_trace_set_node(cut, event, inside ? tfp_trace_node(whole, event) : TFP_NONE);
	return inside;
}

/* A loop that the range begins in, and what is to be its run there. */
struct begun {
	uint32_t event;
	bool inside; /* that is in the range: the first piece that is */
};

struct begin {
	const struct tfp_trace *whole;
	struct tfp_trace *cut;
	bool *inside; /* by event, from the first on that CUT has: */
	uint32_t first;
	struct tfp_near place; /* by loop: in the list */
	TFP_ARRAY(struct begun) loops;
};

/* Takes a piece of a loop that the range begins in. */
static void begin_piece(struct begin *begin, uint32_t event, uint32_t loop)
{
	struct begun begun = {event, begin->inside[event - begin->first]};
	uint32_t place = tfp_near_get(&begin->place, loop);

	if (place == TFP_NONE) {
		tfp_trace_join(begin->cut, event);
		tfp_near_set(&begin->place, loop, (uint32_t)begin->loops.count);
		*tfp_array_push(&begin->loops) = begun;
	} else if (!begin->loops.at[place].inside) {
		begin->loops.at[place] = begun;
	}
}

static void begin_lane(struct begin *begin, const struct tfp_lane *lane, int64_t from, int64_t to)
{
	const struct tfp_trace *whole = begin->whole;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t loop = tfp_trace_loop(whole, i);

		if (tfp_trace_start(whole, i) >= to)
			break;
		if (loop != TFP_NONE && tfp_trace_start(whole, loop) < from &&
		    tfp_trace_end(whole, loop) > from)
			begin_piece(begin, i, loop);
	}
}

static void copy_joined(const struct tfp_trace *whole, struct tfp_trace *cut)
{
	size_t count = whole->joined.count;

	memset(&cut->joined, 0, sizeof(cut->joined));
	tfp_array_reserve(&cut->joined, count);
	cut->joined.count = count;
	if (count)
		memcpy(cut->joined.at, whole->joined.at, count * sizeof(*whole->joined.at));
}

/*
 * Loops that are on when the range begins FROM on run there, as all else that does, whether or not their first pieces are in
 * it. One in which all the while something else ran has its last piece before it, which takes no time there.
 */
static void begin_loops(const struct tfp_trace *whole, struct tfp_trace *cut, bool *inside,
			uint32_t first, int64_t from, int64_t to)
{
	struct begin begin = {whole, cut, inside, first, {0}, {0}};

	tfp_near_resize(&begin.place, whole->count);
	copy_joined(whole, cut);
	for (size_t i = 0; i < cut->lanes.count; i++)
		if (cut->lanes.at[i].kind == TFP_LANE_DEVICE)
			begin_lane(&begin, &cut->lanes.at[i], from, to);
	for (size_t i = 0; i < begin.loops.count; i++) {
		uint32_t event = begin.loops.at[i].event;

		tfp_trace_begin_run(cut, event);
		inside[event - first] = true;
		tfp_trace_set_node(cut, event, tfp_trace_node(whole, event));
	}
	tfp_array_free(&begin.loops);
	tfp_near_free(&begin.place);
}

/* Lanes of other files are empty: nobody comes upon their events. */
static void cut_lanes(const struct tfp_trace *whole, struct tfp_trace *cut)
{
	size_t size = whole->lanes.count * sizeof(*whole->lanes.at);

	memset(&cut->lanes, 0, sizeof(cut->lanes));
	tfp_array_reserve(&cut->lanes, whole->lanes.count);
	cut->lanes.count = whole->lanes.count;
	if (size)
		memcpy(cut->lanes.at, whole->lanes.at, size);
	for (size_t i = 0; i < cut->lanes.count; i++)
		if (!tfp_trace_has_lane(cut, &cut->lanes.at[i]))
			cut->lanes.at[i].count = 0;
}

static void cut_trace(struct tfp_window *window, int64_t from, int64_t to, uint32_t file)
{
	struct tfp_trace *whole = window->whole, *cut = &window->cut;
	struct tfp_trace_extent extent;
	bool *inside; /* by event, from the first */

	*cut = *whole;
	cut->whole = whole;
	cut->file = file;
	extent = tfp_trace_extent(cut);
	cut_lanes(whole, cut);
	inside = tfp_alloc_zero(extent.end - extent.first + (size_t)1, sizeof(*inside));
	tfp_trace_copy_starts(cut, whole, extent.first, extent.end);
	cut->span = tfp_realloc_array(NULL, whole->count + (size_t)1, sizeof(*cut->span));
	memset(cut->span + extent.first, 0, (extent.end - extent.first) * sizeof(*cut->span));
	memset(&cut->longs, 0, sizeof(cut->longs));
	cut->node = (struct tfp_near){0};
	tfp_near_resize(&cut->node, whole->count + (size_t)1);
	cut->device_order = tfp_realloc_array(NULL, extent.device_end - extent.device + (size_t)1,
					      sizeof(uint32_t));
	for (size_t i = 0; i < cut->lanes.count; i++) {
		const struct tfp_lane *lane = &cut->lanes.at[i];

		for (uint32_t k = lane->first; k < lane->first + lane->count; k++)
			inside[k - extent.first] = cut_event(whole, cut, k, from, to);
	}
	if (whole->loop.room && from > INT64_MIN)
		begin_loops(whole, cut, inside, extent.first, from, to);
	cut->device_events = 0;
	for (uint32_t i = extent.device; i < extent.device_end; i++) {
		uint32_t event = tfp_trace_device_event(whole, i);

		if (event >= extent.first && event < extent.end && inside[event - extent.first])
			cut->device_order[cut->device_events++] = event;
	}
	free(inside);
}

/* For who must know what is at its edges. */
static void keep_range(struct tfp_window *window, int64_t from, int64_t to)
{
	const struct tfp_trace *whole = window->whole;

	window->cut.from = from;
	window->cut.to = to;
	if (from == INT64_MIN)
		return;
	window->cut.from = from > whole->begin ? from : whole->begin;
	window->cut.to = to < whole->end ? to : whole->end;
}

static void free_cut(struct tfp_window *window)
{
	tfp_trace_free_starts(&window->cut, window->cut.count + (size_t)1);
	tfp_array_release(window->cut.span);
	tfp_array_free(&window->cut.longs);
	tfp_array_free(&window->cut.lanes);
	tfp_near_free(&window->cut.node);
	if (window->cut.joined.at != window->whole->joined.at)
		tfp_array_free(&window->cut.joined);
	free(window->cut.device_order);
}

/* ---- the profile's ------------------------------------------------------------------------- */

void tfp_window_end(struct tfp_window *window, struct tfp_profile *profile)
{
	if (!window->whole)
		return;
	tfp_profile_restore_cells(profile, &window->cells);
	free_cut(window);
	profile->trace = window->whole;
	*window = (struct tfp_window){0};
}

static bool begin(struct tfp_window *window, struct tfp_profile *profile, int64_t from, int64_t to,
		  uint32_t file, struct tfp_job *job)
{
	window->whole = profile->trace;
	cut_trace(window, from, to, file);
	keep_range(window, from, to);
	profile->trace = &window->cut;
	tfp_profile_keep_cells(profile, &window->cells);
	return tfp_trace_tally_again(profile, job);
}

/* The window is opened anew where the cells in it are of all steps. */
static bool split(struct tfp_window *window, struct tfp_profile *profile, struct tfp_job *job)
{
	if (profile->trace->by_step)
		return true;
	tfp_window_end(window, profile);
	return tfp_trace_split(profile, job);
}

static bool set_range(struct tfp_window *window, struct tfp_profile *profile,
		      const struct tfp_query *query, struct tfp_job *job)
{
	const struct tfp_trace *whole = window->whole ? window->whole : profile->trace;
	int64_t from = INT64_MIN, to = INT64_MAX;
	uint32_t file = TFP_NONE;
	bool ranged = tfp_query_range(query, whole, &from, &to);

	if (query->rank >= 0)
		file = tfp_rank_file(whole, query->rank);
	if (!ranged && file == TFP_NONE) {
		tfp_window_end(window, profile);
		return true;
	}
	if (window->whole && window->from == query->range_from && window->to == query->range_to &&
	    window->file == file)
		return true;
	tfp_window_end(window, profile);
	if (!begin(window, profile, from, to, file, job)) {
		tfp_window_end(window, profile);
		return false;
	}
	window->from = query->range_from;
	window->to = query->range_to;
	window->file = file;
	return true;
}

bool tfp_window_set_steps(struct tfp_window *window, struct tfp_profile *profile,
			  const struct tfp_query *query, struct tfp_job *job)
{
	return !profile->trace ||
	       (split(window, profile, job) && set_range(window, profile, query, job));
}

bool tfp_window_set(struct tfp_window *window, struct tfp_profile *profile,
		    const struct tfp_query *query, struct tfp_job *job)
{
	const struct tfp_view *view = tfp_query_view(query, profile);

	if (query->step >= 0 || (view && view->rules->by_step))
		return tfp_window_set_steps(window, profile, query, job);
	return !profile->trace || set_range(window, profile, query, job);
}
