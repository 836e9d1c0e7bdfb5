/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions of the time view: moving and zooming in time, choosing a range, going to what an event belongs to.
 */
#include "ui/action/actions.h"

/* The time view's strips, where it is what is shown; else NULL, and that is said. */
static const struct tfp_strips *strips_of(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (tree && tree->base->strips)
		return tree->base->strips;
	tfp_screen_say(screen, "this is of the time view: {9}");
	return NULL;
}

bool tfp_time_is(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	return tree && tree->base->strips && !screen->page.open;
}

/* The strip of the cursor's row; TFP_NONE. */
static uint32_t strip_of(const struct tfp_screen *screen)
{
	uint32_t row = tfp_treepane_row(&screen->tree);

	return row == TFP_NONE ? TFP_NONE : screen->tree.rows.tree->base->strip[row];
}

struct tfp_piece tfp_time_piece(const struct tfp_screen *screen)
{
	const struct tfp_treepane *pane = &screen->tree;
	uint32_t row = tfp_treepane_row(pane);

	return tfp_timepane_piece(&pane->time, pane->rows.tree, row,
				  row != TFP_NONE &&
					  tfp_rows_is_open(&pane->rows, pane->list.cursor));
}

bool tfp_time_on_place(const struct tfp_screen *screen)
{
	const struct tfp_treepane *pane = &screen->tree;
	uint32_t row = tfp_treepane_row(pane);

	return tfp_timepane_on_place(&pane->time, pane->rows.tree, row,
				     row != TFP_NONE &&
					     tfp_rows_is_open(&pane->rows, pane->list.cursor));
}

void tfp_act_time_move(struct tfp_screen *screen, int columns)
{
	const struct tfp_strips *strips = strips_of(screen);

	if (strips)
		tfp_timepane_move(&screen->tree.time, strips, columns);
}

void tfp_act_time_turn(struct tfp_screen *screen, int halves)
{
	const struct tfp_strips *strips = strips_of(screen);

	if (strips)
		tfp_timepane_turn(&screen->tree.time, strips, halves);
}

void tfp_act_time_zoom(struct tfp_screen *screen, int in)
{
	const struct tfp_strips *strips = strips_of(screen);

	if (strips)
		tfp_timepane_zoom(&screen->tree.time, strips, in);
}

/* To where the recording begins, or ends. */
void tfp_act_time_edge(struct tfp_screen *screen, int end)
{
	const struct tfp_strips *strips = strips_of(screen);

	if (strips)
		tfp_timepane_go(&screen->tree.time, strips,
				end ? strips->trace->end : strips->trace->begin);
}

/* The event under the cursor, or all of the recording where that is in sight already, or none is there. */
void tfp_act_time_fit(struct tfp_screen *screen, int unused)
{
	const struct tfp_strips *strips = strips_of(screen);
	struct tfp_timepane *time = &screen->tree.time;
	struct tfp_piece piece;
	int64_t start, end;

	(void)unused;
	if (!strips)
		return;
	piece = tfp_time_piece(screen);
	if (piece.event != TFP_NONE) {
		start = tfp_trace_start(strips->trace, piece.event);
		end = tfp_wrap_add(start, tfp_trace_duration(strips->trace, piece.event));
		if (end > start && tfp_timepane_length(time->from, time->to) >
					   1.2 * tfp_timepane_length(start, end)) {
			tfp_timepane_fit(time, strips, start, end);
			return;
		}
	}
	start = time->cursor;
	tfp_timepane_fit(time, strips, strips->trace->begin, strips->trace->end);
	tfp_timepane_go(time, strips, start);
}

void tfp_act_time_event(struct tfp_screen *screen, int back)
{
	const struct tfp_strips *strips = strips_of(screen);
	struct tfp_timepane *time = &screen->tree.time;
	uint32_t strip = strips ? strip_of(screen) : TFP_NONE;
	uint32_t next;

	if (!strips)
		return;
	if (strip == TFP_NONE) {
		tfp_screen_say(screen, "this row is no lane: its lanes are below it");
		return;
	}
	next = tfp_strips_next(strips, strip, time->cursor, time->place, back);
	if (next == TFP_NONE)
		tfp_screen_say(screen,
			       back ? "nothing began here before" : "nothing begins here later");
	else
		tfp_timepane_go_place(time, strips, next);
}

void tfp_act_time_open(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (strips_of(screen) && !tfp_treepane_toggle(&screen->tree))
		tfp_screen_say(screen, "nothing is nested deeper here");
}

/* ---- what is pointed out ------------------------------------------------------------------- */

/* Puts the cursor into the row of the event that was gone to. */
static void go_row(struct tfp_screen *screen)
{
	uint32_t row = tfp_timepane_lit_row(&screen->tree.time, screen->tree.rows.tree);

	row = tfp_treepane_seen(&screen->tree, row);
	if (row != TFP_NONE)
		tfp_treepane_go(&screen->tree, row);
}

bool tfp_time_next(struct tfp_screen *screen, bool forward)
{
	struct tfp_timepane *time = &screen->tree.time;

	if (!tfp_time_is(screen) || !time->lit_count)
		return false;
	if (!tfp_timepane_next_lit(time, screen->tree.rows.tree->base->strips, !forward)) {
		tfp_screen_say(screen,
			       forward ? "none of them begins later" : "none of them began before");
		return true;
	}
	go_row(screen);
	return true;
}

/* From a kernel to what launched it, and from there to what it launched. */
void tfp_act_time_link(struct tfp_screen *screen, int unused)
{
	const struct tfp_strips *strips = strips_of(screen);
	uint32_t event, other, place;

	(void)unused;
	if (!strips)
		return;
	event = tfp_time_piece(screen).event;
	if (event == TFP_NONE) {
		tfp_screen_say(screen, "no single event is under the cursor: {]} goes to one");
		return;
	}
	other = tfp_strips_linked(strips, event);
	place = other == TFP_NONE ? TFP_NONE : tfp_strips_place(strips, other);
	if (place == TFP_NONE) {
		tfp_screen_say(screen,
			       tfp_trace_kind(strips->trace, event) == TFP_LANE_DEVICE
				       ? "what launched it is not recorded"
				       : "nothing on a device is known to be launched by it");
		return;
	}
	tfp_timepane_go_place(&screen->tree.time, strips, place);
	go_row(screen);
}

bool tfp_time_forget(struct tfp_screen *screen)
{
	if (!tfp_time_is(screen) || !screen->tree.time.lit_count)
		return false;
	tfp_timepane_light(&screen->tree.time, NULL, 0);
	tfp_screen_say(screen, "%s", "");
	return true;
}

#define NAME_CELLS 28 /* of a row's name, that are left where keys follow it */

void tfp_time_arrive(struct tfp_screen *screen)
{
	const struct tfp_timepane *time = &screen->tree.time;
	char count[TFP_NUMBER_ROOM], clean[sizeof(time->from_name) * 4], name[sizeof(clean)];
	size_t size, happened;

	if (!tfp_time_is(screen) || !time->lit_count)
		return;
	happened = tfp_strips_happened(strips_of(screen), time->lit, time->lit_count);
	tfp_number_exact(count, (int64_t)happened);
	if (time->filtered) {
		tfp_screen_say(screen, "%s event%s that the filter shows: {n} next, {N} before",
			       count, happened == 1 ? "" : "s");
		return;
	}
	size = tfp_text_clean(clean, sizeof(clean), tfp_span_of(time->from_name), false);
	tfp_text_shorten(name, sizeof(name), clean, size, NAME_CELLS, "~");
	tfp_screen_say(screen, "%s event%s, %s: {n} next, {N} before, {Enter} back", count,
		       happened == 1 ? "" : "s", name);
}

size_t tfp_time_find(struct tfp_screen *screen, const char *text, int64_t from)
{
	struct tfp_timepane *time = &screen->tree.time;
	const struct tfp_strips *strips = screen->tree.rows.tree->base->strips;
	size_t count = 0;
	uint32_t *lit = *text ? tfp_strips_named(strips, text, &count) : NULL;

	tfp_timepane_light(time, lit, count);
	tfp_timepane_go(time, strips, from);
	if (count && !tfp_time_next(screen, true))
		tfp_time_next(screen, false);
	return count;
}

/* ---- what an event belongs to -------------------------------------------------------------- */

static bool has_scope(const struct tfp_screen *screen, uint32_t node)
{
	const struct tfp_profile *profile = screen->tree.rows.tree->base->strips->profile;

	return !(profile->nodes.flags[node] & TFP_NODE_UNSCOPED);
}

/* Until one moves away from what is pointed out: what one comes to then leads to its own operation. */
bool tfp_time_leads_back(const struct tfp_screen *screen)
{
	const struct tfp_timepane *time = &screen->tree.time;

	return tfp_time_is(screen) && time->from_view && tfp_time_on_place(screen) &&
	       time->place == time->lit_place;
}

/* What does not count where a range of time or a step is chosen has nothing in other views: that is said. */
static void say_uncounted(struct tfp_screen *screen, const struct tfp_strips *strips,
			  const struct tfp_piece *piece)
{
	const struct tfp_query *query = &screen->query;
	int64_t begin, end, from, to;
	size_t hint = 0;

	tfp_timepane_column(&screen->tree.time, &from, &to);
	if (tfp_query_range(query, strips->trace, &begin, &end) && (to <= begin || from >= end))
		tfp_screen_say(screen,
			       "outside the range of time, which alone counts: {A} ends that");
	else if (query->step >= 0 && piece->event != TFP_NONE &&
		 tfp_trace_event_step(strips->trace, piece->event, &hint) !=
			 tfp_profile_find_step(strips->profile, query->step))
		tfp_screen_say(screen, "not of step %lld, which alone counts",
			       (long long)query->step);
}

bool tfp_time_enter(struct tfp_screen *screen)
{
	const struct tfp_strips *strips;
	struct tfp_piece piece;

	if (!tfp_time_is(screen))
		return false;
	strips = screen->tree.rows.tree->base->strips;
	piece = tfp_time_piece(screen);
	if (!piece.count)
		return false;
	if (tfp_time_leads_back(screen)) {
		tfp_screen_go_to_key_in(screen, screen->tree.time.from_view,
					screen->tree.time.from_key);
	} else if (piece.node == TFP_NONE) {
		tfp_screen_say(screen, "no operation is known of this");
		return true;
	} else {
		tfp_screen_go_to_node_in(screen, has_scope(screen, piece.node) ? "scope" : "op",
					 piece.node);
	}
	say_uncounted(screen, strips, &piece);
	return true;
}

/* ---- the range ----------------------------------------------------------------------------- */

/* TIME as the query has it. */
static int64_t nanos_of(const struct tfp_strips *strips, int64_t time)
{
	int64_t since = (int64_t)((uint64_t)time - (uint64_t)strips->trace->begin);

	return strips->trace->unit == TFP_PICOS ? since / 1000 : since;
}

static void set_range(struct tfp_screen *screen, const struct tfp_strips *strips, int64_t from,
		      int64_t to)
{
	struct tfp_query *query = &screen->query;

	query->range_from = nanos_of(strips, from);
	query->range_to = nanos_of(strips, to);
	if (query->range_to <= query->range_from)
		query->range_to = query->range_from + 1;
	screen->tree.time.begun = false;
	tfp_screen_ask_tree(screen);
	tfp_screen_say(screen, "every view counts this range alone; {A} ends that");
}

/* The cursor's column is the first of the range, or the last. */
void tfp_act_range(struct tfp_screen *screen, int end)
{
	const struct tfp_strips *strips = strips_of(screen);
	struct tfp_timepane *time = &screen->tree.time;
	int64_t from, to;

	if (!strips)
		return;
	tfp_timepane_column(time, &from, &to);
	if (!end) {
		time->begun = true;
		time->mark = from;
		tfp_screen_say(screen, "the range begins here; {b} ends it");
	} else if (!time->begun) {
		tfp_screen_say(screen, "{a} says where the range begins");
	} else if (to <= time->mark) {
		set_range(screen, strips, from, time->mark);
	} else {
		set_range(screen, strips, time->mark, to);
	}
}

void tfp_act_range_off(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->tree.time.begun = false;
	if (screen->query.range_to <= screen->query.range_from) {
		tfp_screen_say(screen, "no range of time is chosen");
		return;
	}
	screen->query.range_from = screen->query.range_to = 0;
	tfp_screen_ask_tree(screen);
}
