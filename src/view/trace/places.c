/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of events: see places.h. */
#include "view/trace/places.h"

#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "view/trace/track.h"

/* What tells rows apart where nodes do not: step, node and file, or lane, name and work. */
struct tfp_row_place {
	uint32_t what[3], row;
	uint32_t next; /* a place; TFP_NONE */
};

static bool counts(const struct tfp_places *places, uint32_t row)
{
	if (places->shown)
		return places->shown[row] == 1;
	return places->base->flags[row] & TFP_ROW_KEPT;
}

/* Calls TAKE for each node of ROW. */
static void each_node(struct tfp_places *places, uint32_t row,
		      void (*take)(struct tfp_places *places, uint32_t node, uint32_t row))
{
	const struct tfp_base *base = places->base;

	if (!counts(places, row))
		return;
	if (base->node[row] != TFP_NONE && !(base->flags[row] & TFP_ROW_LINK) &&
	    !(base->step && base->picks))
		take(places, base->node[row], row);
	for (uint32_t i = base->picks ? base->pick_first[row] : 0;
	     base->picks && i < base->pick_first[row + 1]; i++)
		take(places, base->picks[i], row);
}

static void place_node(struct tfp_places *places, uint32_t node, uint32_t row)
{
	places->of_node[node] = row;
}

/* ---- by more than the node ------------------------------------------------------------------- */

static uint32_t hash_of(const uint32_t what[3])
{
	return tfp_lookup_mix(((uint64_t)what[0] << 32 | what[1]) ^ (uint64_t)what[2] << 24);
}

static void add_place(struct tfp_places *places, struct tfp_row_place place)
{
	tfp_lookup_add(places->table, hash_of(place.what), (uint32_t)places->list.count);
	*tfp_array_push(&places->list) = place;
}

/* Is there a row at PLACE, of WHAT? */
static bool is_of(const struct tfp_places *places, uint32_t place, const uint32_t what[3])
{
	const uint32_t *of;

	if (place == TFP_NONE)
		return false;
	of = places->list.at[place].what;
	return of[0] == what[0] && of[1] == what[1] && of[2] == what[2];
}

static uint32_t find_place(const struct tfp_places *places, const uint32_t what[3])
{
	uint32_t place;

	TFP_LOOKUP_EACH(place, places->table, hash_of(what))
		if (is_of(places, place, what))
			return place;
	return TFP_NONE;
}

static uint32_t row_at(const struct tfp_places *places, uint32_t place)
{
	return place == TFP_NONE ? TFP_NONE : places->list.at[place].row;
}

/* ---- steps ------------------------------------------------------------------------------------ */

static void place_in_step(struct tfp_places *places, uint32_t node, uint32_t row)
{
	const struct tfp_base *base = places->base;
	uint32_t file = TFP_NONE;

	if (!places->owns[node])
		return;
	if (base->rank && base->rank[row] != TFP_NONE)
		file = base->ranks[base->rank[row]].file;
	add_place(places, (struct tfp_row_place){{base->step[row], node, file}, row, TFP_NONE});
}

static uint32_t place_of_step(struct tfp_places *places, const uint32_t what[3])
{
	uint32_t *last = &places->last[what[1]], place = *last;

	if (place != TFP_NONE && !is_of(places, place, what))
		place = places->list.at[place].next;
	if (!is_of(places, place, what))
		place = find_place(places, what);
	if (place == TFP_NONE || place == *last)
		return place;
	if (*last != TFP_NONE)
		places->list.at[*last].next = place;
	return *last = place;
}

static uint32_t find_in_step(struct tfp_places *places, uint32_t event)
{
	const struct tfp_trace *trace = places->profile->trace;
	uint32_t what[] = {tfp_trace_event_step(trace, event, &places->hint),
			   tfp_trace_node(trace, event), TFP_NONE};

	if (what[0] == TFP_NONE)
		what[0] = places->outside;
	if (places->base->rank)
		what[2] = trace->devices.at[trace->lanes.at[tfp_trace_lane(trace, event)].device]
				  .file;
	return row_at(places, place_of_step(places, what));
}

/* ---- the device view -------------------------------------------------------------------------- */

static void place_tracks(struct tfp_places *places)
{
	for (uint32_t row = 1; row < places->base->count; row++) {
		const struct tfp_track *track = &places->base->track[row];

		if (counts(places, row) && track->name != TFP_NONE)
			add_place(places,
				  (struct tfp_row_place){
					  {track->lane, track->name, track->work}, row, TFP_NONE});
	}
}

/* What has no variants has one row, of all works. */
static uint32_t find_on_track(const struct tfp_places *places, uint32_t event)
{
	const struct tfp_trace *trace = places->profile->trace;
	uint32_t what[] = {tfp_trace_lane(trace, event), tfp_track_name(places->profile, event),
			   tfp_trace_work_of(trace, event)};
	uint32_t place = find_place(places, what);

	what[2] = TFP_NONE;
	return row_at(places, place == TFP_NONE ? find_place(places, what) : place);
}

/* ---- any -------------------------------------------------------------------------------------- */

static void place_nodes(struct tfp_places *places)
{
	uint32_t nodes = places->profile->nodes.count;

	places->of_node = tfp_realloc_array(NULL, nodes + (size_t)1, sizeof(*places->of_node));
	memset(places->of_node, 0xff, nodes * sizeof(*places->of_node));
	for (uint32_t row = 0; row < places->base->count; row++)
		each_node(places, row, place_node);
}

/* Finds the nodes that own events on lanes of KIND: of many steps most rows are of others, and need no place. */
static void find_owners(struct tfp_places *places, enum tfp_lane_kind kind)
{
	const struct tfp_trace *trace = places->profile->trace;

	places->owns = tfp_alloc_zero(places->profile->nodes.count + (size_t)1, sizeof(bool));
	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (lane->kind != kind)
			continue;
		for (uint32_t event = lane->first; event < lane->first + lane->count; event++) {
			uint32_t node = tfp_trace_node(trace, event);

			if (node != TFP_NONE)
				places->owns[node] = true;
		}
	}
}

static void place_steps(struct tfp_places *places, enum tfp_lane_kind kind)
{
	uint32_t nodes = places->profile->nodes.count;

	find_owners(places, kind);
	places->outside = tfp_profile_find_step(places->profile, TFP_STEP_OUTSIDE);
	places->last = tfp_realloc_array(NULL, nodes + (size_t)1, sizeof(*places->last));
	memset(places->last, 0xff, nodes * sizeof(*places->last));
	for (uint32_t row = 1; row < places->base->count; row++)
		each_node(places, row, place_in_step);
}

void tfp_places_start(struct tfp_places *places, const struct tfp_base *base, const uint8_t *shown,
		      const struct tfp_profile *profile, enum tfp_lane_kind kind)
{
	*places = (struct tfp_places){.base = base, .profile = profile, .shown = shown};
	if (!base->step && !base->track) {
		place_nodes(places);
		return;
	}
	places->table = tfp_lookup_new();
	if (base->track)
		place_tracks(places);
	else
		place_steps(places, kind);
}

uint32_t tfp_places_find(void *data, uint32_t event)
{
	struct tfp_places *places = data;
	uint32_t node = tfp_trace_node(places->profile->trace, event);

	if (places->base->track)
		return find_on_track(places, event);
	if (node == TFP_NONE)
		return TFP_NONE;
	return places->of_node ? places->of_node[node] : find_in_step(places, event);
}

void tfp_places_end(struct tfp_places *places)
{
	tfp_lookup_free(places->table);
	tfp_array_free(&places->list);
	tfp_array_release(places->last);
	free(places->owns);
	tfp_array_release(places->of_node);
}
