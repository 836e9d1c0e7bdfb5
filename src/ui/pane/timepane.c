/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which piece of time is in sight, and where the cursor is in it: zooming, moving, and coming from another
 * view.
 */
#include "ui/pane/timepane.h"

#include <stdio.h>
#include <stdlib.h>

#define LEAST_SPAN 16 /* of time, in the trace's unit */
#define MARGIN     20 /* at both ends this part of a piece that is shown: a twentieth */
#define WANTED     2  /* likewise, around what another view led to */

/* Times may lie so far apart that a real number of one is off by more than a whole piece. */
typedef __int128 wide;

static int64_t begin_of(const struct tfp_strips *strips)
{
	return strips->trace->begin;
}

/* Where nothing takes time there is a little to be shown all the same. */
static int64_t end_of(const struct tfp_strips *strips)
{
	int64_t begin = strips->trace->begin, end = strips->trace->end;

	return (uint64_t)end - (uint64_t)begin > LEAST_SPAN ? end : tfp_wrap_add(begin, LEAST_SPAN);
}

void tfp_timepane_free(struct tfp_timepane *pane)
{
	free(pane->lit);
	*pane = (struct tfp_timepane){0};
}

/* ---- the piece in sight -------------------------------------------------------------------- */

/* As much of FROM .. TO as the recording has; what is cut off at one end is added at the other. */
static void show(struct tfp_timepane *pane, const struct tfp_strips *strips, wide from, wide to)
{
	wide begin = begin_of(strips), end = end_of(strips);
	wide span = to - from > LEAST_SPAN ? to - from : LEAST_SPAN;

	if (from + span > end)
		from = end - span;
	if (from < begin)
		from = begin;
	pane->from = from <= begin ? begin_of(strips) : (int64_t)from;
	pane->to = from + span >= end ? end_of(strips) : (int64_t)(from + span);
	if (pane->to <= pane->from)
		pane->to = pane->from + LEAST_SPAN;
	pane->set = true;
}

static void keep_cursor(struct tfp_timepane *pane, const struct tfp_strips *strips)
{
	if (pane->cursor < begin_of(strips))
		pane->cursor = begin_of(strips);
	if (pane->cursor >= end_of(strips))
		pane->cursor = end_of(strips) - 1;
}

static wide span_of(const struct tfp_timepane *pane)
{
	return (wide)pane->to - pane->from;
}

void tfp_timepane_fit(struct tfp_timepane *pane, const struct tfp_strips *strips, int64_t from,
		      int64_t to)
{
	wide margin = ((wide)to - from) / MARGIN;

	show(pane, strips, from - margin, to + margin);
	pane->cursor = from;
	keep_cursor(pane, strips);
}

void tfp_timepane_go(struct tfp_timepane *pane, const struct tfp_strips *strips, int64_t time)
{
	wide quarter = span_of(pane) / 4;

	pane->cursor = time;
	keep_cursor(pane, strips);
	if (pane->cursor < pane->from)
		show(pane, strips, pane->cursor - quarter, pane->cursor + 3 * quarter);
	else if (pane->cursor >= pane->to)
		show(pane, strips, pane->cursor - 3 * quarter, pane->cursor + quarter);
}

void tfp_timepane_move(struct tfp_timepane *pane, const struct tfp_strips *strips, int columns)
{
	double step = (double)span_of(pane) / (pane->cols > 0 ? pane->cols : 1);
	wide time = pane->cursor + (wide)((step < 1 ? 1 : step) * columns);
	wide end = end_of(strips), begin = begin_of(strips);

	tfp_timepane_go(pane, strips,
			time >= end     ? end_of(strips) - 1
			: time <= begin ? begin_of(strips)
					: (int64_t)time);
}

void tfp_timepane_turn(struct tfp_timepane *pane, const struct tfp_strips *strips, int halves)
{
	wide by = span_of(pane) * halves / 2;

	show(pane, strips, pane->from + by, pane->to + by);
	if (pane->cursor < pane->from)
		pane->cursor = pane->from;
	if (pane->cursor >= pane->to)
		pane->cursor = pane->to - 1;
}

/* The cursor stays in its column. */
void tfp_timepane_zoom(struct tfp_timepane *pane, const struct tfp_strips *strips, bool in)
{
	wide before = (wide)pane->cursor - pane->from, after = (wide)pane->to - pane->cursor;

	show(pane, strips, pane->cursor - (in ? before / 2 : before * 2),
	     pane->cursor + (in ? after / 2 : after * 2));
}

void tfp_timepane_want(struct tfp_timepane *pane, int64_t from, int64_t to)
{
	pane->wanted = true;
	pane->want_from = from;
	pane->want_to = to;
}

void tfp_timepane_return(struct tfp_timepane *pane, int64_t time)
{
	pane->returns = true;
	pane->return_to = time;
}

/* ---- another tree -------------------------------------------------------------------------- */

void tfp_timepane_light(struct tfp_timepane *pane, uint32_t *lit, size_t count)
{
	free(pane->lit);
	pane->lit = lit;
	pane->lit_count = count;
	pane->filtered = false;
	pane->place = pane->lit_place = TFP_NONE;
	pane->from_view = NULL;
}

void tfp_timepane_go_place(struct tfp_timepane *pane, const struct tfp_strips *strips,
			   uint32_t place)
{
	pane->place = place;
	tfp_timepane_go(pane, strips,
			tfp_trace_start(strips->trace, tfp_strips_event(strips, place)));
}

static void go_lit(struct tfp_timepane *pane, const struct tfp_strips *strips, uint32_t place)
{
	tfp_timepane_go_place(pane, strips, place);
	pane->lit_place = place;
}

bool tfp_timepane_next_lit(struct tfp_timepane *pane, const struct tfp_strips *strips, bool back)
{
	bool here = pane->place != TFP_NONE &&
		    tfp_trace_start(strips->trace, tfp_strips_event(strips, pane->place)) ==
			    pane->cursor;
	uint32_t from = here ? pane->place : back ? 0 : TFP_NONE;
	uint32_t place =
		tfp_strips_lit_next(strips, pane->lit, pane->lit_count, pane->cursor, from, back);

	if (place == TFP_NONE)
		return false;
	go_lit(pane, strips, place);
	return true;
}

/* Goes to the first that is in sight, or else the first; what ran on devices comes before their hosts. */
static void find_first_lit(struct tfp_timepane *pane, const struct tfp_strips *strips)
{
	uint32_t first = TFP_NONE;

	for (size_t i = 0; i < pane->lit_count; i++) {
		uint32_t place = pane->lit[i], event = tfp_strips_event(strips, place);

		if (first == TFP_NONE)
			first = place;
		if (strips->trace->lanes.at[tfp_trace_lane(strips->trace, event)].kind !=
		    TFP_LANE_DEVICE)
			continue;
		if (strips->trace->lanes
			    .at[tfp_trace_lane(strips->trace, tfp_strips_event(strips, first))]
			    .kind != TFP_LANE_DEVICE)
			first = place;
		if (tfp_trace_start(strips->trace, event) >= pane->from &&
		    tfp_trace_start(strips->trace, event) < pane->to) {
			first = place;
			break;
		}
	}
	if (first != TFP_NONE)
		go_lit(pane, strips, first);
	pane->arrived = first != TFP_NONE;
}

static void light(struct tfp_timepane *pane, const struct tfp_strips *strips,
		  const struct tfp_tree *before, uint32_t row)
{
	struct tfp_span label;
	size_t count = 0;
	uint32_t *lit = NULL;

	if (before && row != TFP_NONE && row != before->root)
		lit = tfp_strips_behind(strips, before, row, &count);
	tfp_timepane_light(pane, lit, count);
	if (!count)
		return;
	pane->from_view = before->base->view;
	pane->from_key = before->base->key[row];
	label = tfp_tree_name(before, row, before->base->parent[row]);
	snprintf(pane->from_name, sizeof(pane->from_name), "%.*s",
		 (int)(label.size < sizeof(pane->from_name) ? label.size
							    : sizeof(pane->from_name) - 1),
		 label.at);
	find_first_lit(pane, strips);
}

/* What a filter of names shows is pointed out, where nothing else is. */
static void light_shown(struct tfp_timepane *pane, const struct tfp_tree *tree, bool arrives)
{
	uint32_t *lit;

	if (pane->filtered)
		tfp_timepane_light(pane, NULL, 0);
	if (pane->lit_count || !tree->lit_count)
		return;
	lit = tfp_realloc_array(NULL, tree->lit_count, sizeof(*lit));
	memcpy(lit, tree->lit, tree->lit_count * sizeof(*lit));
	tfp_timepane_light(pane, lit, tree->lit_count);
	pane->filtered = true;
	if (arrives)
		find_first_lit(pane, tree->base->strips);
}

/* A step that was chosen since the last tree comes into sight. */
static void show_step(struct tfp_timepane *pane, const struct tfp_tree *tree)
{
	const struct tfp_strips *strips = tree->base->strips;
	struct tfp_step_span span;
	uint32_t step;

	if (pane->step == tree->query.step)
		return;
	pane->step = tree->query.step;
	step = tfp_profile_find_step(strips->profile, tree->query.step);
	if (tree->query.step >= 0 &&
	    tfp_trace_step_span(strips->profile, strips->trace, tfp_timepane_file(tree, 0), step,
				&span) &&
	    span.start < span.end)
		tfp_timepane_fit(pane, strips, span.start, span.end);
}

/* A piece of time that has grown. */
struct extent {
	int64_t from, to;
};

static void widen(struct extent *extent, int64_t from, int64_t to)
{
	if (from >= to)
		return;
	extent->from = from < extent->from ? from : extent->from;
	extent->to = to > extent->to ? to : extent->to;
}

/* Of all that takes time and is not said by other lanes, too. */
static struct extent find_busy(const struct tfp_trace *trace)
{
	struct extent extent = {INT64_MAX, INT64_MIN};

	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		for (uint32_t event = lane->first; event < lane->first + lane->count; event++)
			if (lane->kind != TFP_LANE_DERIVED)
				widen(&extent, tfp_trace_start(trace, event),
				      tfp_trace_end(trace, event));
	}
	return extent;
}

/* The steps, where there are any, else what takes time: what is before it and behind it is the profiler's. */
static void show_first(struct tfp_timepane *pane, const struct tfp_strips *strips)
{
	struct extent extent = {INT64_MAX, INT64_MIN};

	for (size_t i = 0; i < strips->trace->steps.count; i++)
		widen(&extent, strips->trace->steps.at[i].start, strips->trace->steps.at[i].end);
	pane->first_what = ", the steps";
	if (extent.from >= extent.to) {
		extent = find_busy(strips->trace);
		pane->first_what = ", what takes time";
	}
	if (extent.from >= extent.to)
		extent = (struct extent){begin_of(strips), end_of(strips)};
	tfp_timepane_fit(pane, strips, extent.from, extent.to);
	pane->first_from = pane->from;
	pane->first_to = pane->to;
	pane->step = -1;
}

/* More was read, or anew: events have other places, and what is shown first is more. */
static void follow(struct tfp_timepane *pane, const struct tfp_strips *strips)
{
	struct tfp_timepane before = *pane;
	bool first = pane->from == pane->first_from && pane->to == pane->first_to;

	tfp_timepane_light(pane, NULL, 0);
	show_first(pane, strips);
	pane->step = before.step;
	if (first)
		return;
	pane->from = before.from;
	pane->to = before.to;
	pane->cursor = before.cursor;
}

void tfp_timepane_show(struct tfp_timepane *pane, const struct tfp_tree *tree,
		       const struct tfp_tree *before, uint32_t row)
{
	const struct tfp_strips *strips = tree->base->strips;
	bool arrives = !before || !before->base->strips;

	if (!pane->set) {
		show_first(pane, strips);
		pane->place = pane->lit_place = TFP_NONE;
	}
	if (before && before->base->strips && before->base->strips->profile != strips->profile)
		follow(pane, strips);
	if (pane->returns) {
		tfp_timepane_light(pane, NULL, 0);
		tfp_timepane_go(pane, strips, pane->return_to);
	} else if (arrives) {
		light(pane, strips, before, row);
	}
	light_shown(pane, tree, arrives && !pane->returns);
	pane->returns = false;
	show_step(pane, tree);
	if (pane->wanted) {
		wide around = ((wide)pane->want_to - pane->want_from) / WANTED;

		show(pane, strips, pane->want_from - around, pane->want_to + around);
		pane->cursor = pane->want_from;
		keep_cursor(pane, strips);
		pane->wanted = pane->arrived = false;
	}
}

/* ---- under the cursor ---------------------------------------------------------------------- */

uint32_t tfp_timepane_cursor(const struct tfp_timepane *pane, uint32_t count)
{
	double column = (double)((wide)pane->cursor - pane->from) / (double)span_of(pane) * count;
	uint32_t last = count ? count - 1 : 0, at;

	at = column <= 0 ? 0 : column >= last ? last : (uint32_t)column;
	/* What rounding did is put right. */
	while (at > 0 && tfp_strips_time(pane->from, pane->to, at, last + 1) > pane->cursor)
		at--;
	while (at < last && tfp_strips_time(pane->from, pane->to, at + 1, last + 1) <= pane->cursor)
		at++;
	return at;
}

void tfp_timepane_column(const struct tfp_timepane *pane, int64_t *from, int64_t *to)
{
	uint32_t count = (uint32_t)(pane->cols > 0 ? pane->cols : 1);
	uint32_t column = tfp_timepane_cursor(pane, count);

	*from = tfp_strips_time(pane->from, pane->to, column, count);
	*to = tfp_strips_time(pane->from, pane->to, column + 1, count);
	if (*to <= *from)
		*to = *from + 1;
}

uint32_t tfp_timepane_file(const struct tfp_tree *tree, uint32_t row)
{
	const struct tfp_base *base = tree->base;
	const struct tfp_trace *trace = base->strips->trace;

	if (row == TFP_NONE)
		return 0;
	while (base->strip[row] == TFP_NONE && row + 1 < base->count)
		row++;
	return base->strip[row] == TFP_NONE
		       ? 0
		       : trace->devices
				 .at[trace->lanes.at[base->strips->list.at[base->strip[row]].lane]
					     .device]
				 .file;
}

/* What says again what other lanes say stands in its own row only. */
static bool is_derived(const struct tfp_base *base, uint32_t row)
{
	uint32_t lane = base->strips->list.at[base->strip[row]].lane;

	return base->strips->trace->lanes.at[lane].kind == TFP_LANE_DERIVED;
}

/* Of a device all that its lanes have, of a closed lane all that is nested in it. */
size_t tfp_timepane_strips(const struct tfp_tree *tree, uint32_t row, bool open,
			   uint32_t strips[TFP_TIME_STRIPS])
{
	const struct tfp_base *base = tree->base;
	bool lane = base->strip[row] != TFP_NONE;
	size_t count = 0;

	if (!row)
		return 0;
	if (lane)
		strips[count++] = base->strip[row];
	for (uint32_t at = row + 1;
	     at < base->end[row] && count < TFP_TIME_STRIPS && (!lane || !open); at++)
		if (lane || !is_derived(base, at))
			strips[count++] = base->strip[at];
	return count;
}

uint32_t tfp_timepane_lit_row(const struct tfp_timepane *pane, const struct tfp_tree *tree)
{
	const struct tfp_base *base = tree->base;
	uint32_t strip, row = 0;

	if (pane->place == TFP_NONE)
		return TFP_NONE;
	strip = tfp_strips_of_place(base->strips, pane->place);
	while (row < base->count && base->strip[row] != strip)
		row++;
	return row < base->count ? tfp_tree_shown_parent(tree, row) : TFP_NONE;
}

bool tfp_timepane_on_place(const struct tfp_timepane *pane, const struct tfp_tree *tree,
			   uint32_t row, bool open)
{
	const struct tfp_strips *of = tree->base->strips;
	uint32_t strips[TFP_TIME_STRIPS], strip;
	size_t count;

	if (pane->place == TFP_NONE || row == TFP_NONE ||
	    tfp_trace_start(of->trace, tfp_strips_event(of, pane->place)) != pane->cursor)
		return false;
	strip = tfp_strips_of_place(of, pane->place);
	count = tfp_timepane_strips(tree, row, open, strips);
	while (count && strips[count - 1] != strip)
		count--;
	return count;
}

struct tfp_piece tfp_timepane_piece(const struct tfp_timepane *pane, const struct tfp_tree *tree,
				    uint32_t row, bool open)
{
	struct tfp_piece piece = {.event = TFP_NONE, .node = TFP_NONE};
	uint32_t strips[TFP_TIME_STRIPS];
	int64_t from, to;
	size_t count = row == TFP_NONE ? 0 : tfp_timepane_strips(tree, row, open, strips);

	tfp_timepane_column(pane, &from, &to);
	for (size_t i = 0; i < count; i++) {
		struct tfp_piece next = tfp_strips_piece(tree->base->strips, strips[i], from, to);

		if (next.count && (!piece.count || next.busy > piece.busy))
			piece = next;
	}
	if (piece.count && tfp_timepane_on_place(pane, tree, row, open)) {
		piece.event = tfp_strips_event(tree->base->strips, pane->place);
		piece.node = tfp_trace_node(tree->base->strips->trace, piece.event);
		piece.at = pane->place;
	}
	return piece;
}
