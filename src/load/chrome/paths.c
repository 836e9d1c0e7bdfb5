/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks the events of each thread in the order of time, the Python calls around them alongside, and gives each its node: the
 * path of modules and ops down to it, the shapes of its inputs, and the Python stack. What the backward pass runs goes
 * below the modules of the forward op that it belongs to, which is found by its sequence number.
 */
#include <string.h>

#include "load/chrome/walk.h"

#define MOST_BYTES (16 << 20) /* of all paths, beyond what the file's size allows */
#define LONGEST    4000 /* bytes of a path; deeper ops stand in the path that they are below */

/* ---- paths --------------------------------------------------------------------------------------- */

static tfp_str join(struct walk *walk, tfp_str parent, tfp_str part)
{
	struct tfp_strings *strings = walk->chrome->profile->strings;
	struct tfp_span above = tfp_strings_get(strings, parent);
	struct tfp_span name = tfp_strings_get(strings, part);
	struct tfp_json_bytes *room = &walk->chrome->room;

	tfp_array_reserve(room, above.size + name.size + 1);
	memcpy(room->at, above.at, above.size);
	room->at[above.size] = '/';
	memcpy(room->at + above.size + 1, name.at, name.size);
	return tfp_strings_add(strings, room->at, above.size + 1 + name.size);
}

uint32_t walk_path(struct walk *walk, uint32_t parent, tfp_str part)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)parent << 32 | part), path;
	tfp_str full = part;

	TFP_LOOKUP_EACH(path, walk->path_table, hash)
		if (walk->paths.at[path].parent == parent && walk->paths.at[path].part == part)
			return path;
	if (parent != TFP_NONE) {
		full = walk->paths.at[parent].full;
		if (tfp_strings_get(walk->chrome->profile->strings, full).size > LONGEST ||
		    walk->path_bytes > MOST_BYTES + 8 * (uint64_t)walk->chrome->source->size)
			return parent;
		full = join(walk, full, part);
		walk->path_bytes += tfp_strings_get(walk->chrome->profile->strings, full).size;
	}
	tfp_lookup_add(walk->path_table, hash, (uint32_t)walk->paths.count);
	*tfp_array_push(&walk->paths) = (struct path){parent, part, full};
	return (uint32_t)walk->paths.count - 1;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static void set_kind(struct chrome *chrome, uint32_t node, uint8_t kind)
{
	while (chrome->node_kind.count <= node)
		*tfp_array_push(&chrome->node_kind) = KINDS;
	chrome->node_kind.at[node] = kind;
}

static bool is_spot(const struct spot *spot, uint32_t above, uint32_t site, uint32_t stack)
{
	return spot->above == above && spot->site == site && spot->stack == stack;
}

static void make_spot(struct walk *walk, struct spot *spot)
{
	struct chrome *chrome = walk->chrome;
	const struct site *what = &chrome->sites.at[spot->site];
	struct chrome_node wanted = {.op = what->op,
				     .signature = what->signature,
				     .stack = spot->stack,
				     .flops = what->flops > 0 ? what->flops : 0};

	spot->path = walk_path(walk, what->step ? TFP_NONE : spot->above, what->part);
	walk->cut += !what->step && spot->path == spot->above;
	wanted.name = walk->paths.at[spot->path].full;
	spot->node = chrome_node(chrome->profile, walk->parts, chrome->node_table, &wanted);
	set_kind(chrome, spot->node, what->kind);
	if (what->step || what->python || (what->kind == KIND_NOTE && !what->signature))
		chrome->profile->nodes.flags[spot->node] |= TFP_NODE_AROUND;
	chrome_set_text(walk->parts, spot->node, what->text);
	walk->parts->estimated |= what->estimated;
	if (what->step)
		spot->path = spot->above;
}

static uint32_t find_spot(struct walk *walk, uint32_t above, uint32_t site, uint32_t stack)
{
	struct spot spot = {.above = above, .site = site, .stack = stack, .next = TFP_NONE};
	uint32_t hash = tfp_lookup_mix(
		(((uint64_t)above << 32 | site) ^ (uint64_t)stack * UINT64_C(0x9e3779b97f4a7c15)));
	uint32_t place;

	TFP_LOOKUP_EACH(place, walk->spot_table, hash)
		if (is_spot(&walk->spots.at[place], above, site, stack))
			return place;
	make_spot(walk, &spot);
	tfp_lookup_add(walk->spot_table, hash, (uint32_t)walk->spots.count);
	*tfp_array_push(&walk->spots) = spot;
	return (uint32_t)walk->spots.count - 1;
}

/* The spot of the site below a path, with a stack: a node, and the path that leads on from it. */
static const struct spot *spot_of(struct walk *walk, uint32_t above, uint32_t site, uint32_t stack)
{
	uint32_t place = walk->spots.count ? walk->spots.at[walk->spot].next : TFP_NONE;

	if (place == TFP_NONE || !is_spot(&walk->spots.at[place], above, site, stack)) {
		place = find_spot(walk, above, site, stack);
		walk->spots.at[walk->spot].next = place;
	}
	walk->spot = place;
	return &walk->spots.at[place];
}

/* Of what is drawn and not summed: a node for each name, outside the scopes. */
static uint32_t label_node(struct walk *walk, uint32_t site)
{
	struct site *what = &walk->chrome->sites.at[site];
	struct chrome_node wanted = {.name = what->op, .stack = TFP_NONE};

	if (what->node == TFP_NONE) {
		what->node = chrome_node(walk->chrome->profile, walk->parts,
					 walk->chrome->node_table, &wanted);
		walk->chrome->profile->nodes.flags[what->node] |= TFP_NODE_UNSCOPED;
	}
	return what->node;
}

/* ---- Python calls -------------------------------------------------------------------------------- */

static void leave(struct open_list *list, int64_t start)
{
	while (list->count && list->at[list->count - 1].end <= start)
		list->count--;
}

static const struct open_event *innermost(const struct open_list *list)
{
	return list->count ? &list->at[list->count - 1] : NULL;
}

/* May EVENT be once a step? */
static void look_for_turn(struct walk *walk, const struct site *what, uint32_t event)
{
	if (what->optimizer || what->module)
		walk_note_turn(walk, event);
}

/* Where it is in another module than is open, that is open within the call. */
static void enter_call(struct walk *walk, uint32_t event, int64_t start)
{
	struct tfp_trace *trace = walk->chrome->trace;
	uint32_t site = tfp_trace_node(trace, event);
	const struct open_event *module;
	struct open_event open = {.end = tfp_wrap_add(start, tfp_trace_duration(trace, event)),
				  .order = walk->order++,
				  .event = event};
	struct call call;

	leave(&walk->python, start);
	leave(&walk->modules, start);
	look_for_turn(walk, &walk->chrome->sites.at[site], event);
	call = walk_call(walk, event);
	open.stack = call.stack;
	open.path = call.path;
	module = innermost(&walk->modules);
	if (walk->chrome->sites.at[site].module || open.path != (module ? module->path : TFP_NONE))
		*tfp_array_push(&walk->modules) = open;
	walk_enter_call(walk, &open);
	tfp_trace_set_node(trace, event, label_node(walk, site));
}

/* ---- ops ----------------------------------------------------------------------------------------- */

/* The path that an op is below: that of the op around it, or of the module where that began later. */
static void find_context(const struct walk *walk, struct open_event *open)
{
	const struct open_event *op = innermost(&walk->ops), *module = innermost(&walk->modules);
	const struct open_event *python = innermost(&walk->python);

	open->path = module ? module->path : TFP_NONE;
	open->stack = python ? python->stack : TFP_NONE;
	if (!op || (module && module->order > op->order))
		return;
	open->path = op->path;
	open->backward = op->backward;
	if (op->backward || !python)
		open->stack = op->stack;
}

/*
 * TorchScript says of an op which modules it is in: "TOP(Net)::forward.A0(A)::forward." is "Net/A0(A)". "SELF(A)::f" is
 * another method of the same module.
 */
static uint32_t module_path(struct walk *walk, uint32_t path, struct tfp_span hierarchy)
{
	static const char top[] = "TOP(";
	const char *at = hierarchy.at, *end = at + hierarchy.size;

	while (at < end) {
		const char *method = memmem(at, (size_t)(end - at), "::", 2);
		const char *to = method ? method : end;
		const char *dot = memchr(to, '.', (size_t)(end - to));

		if (to - at > 5 && !memcmp(at, top, sizeof(top) - 1))
			path = walk_path(walk, path,
					 tfp_strings_add(walk->chrome->profile->strings, at + 4,
							 (size_t)(to - at - 5)));
		else if (to > at && (to - at < 5 || memcmp(at, "SELF(", 5)))
			path = walk_path(walk, path,
					 tfp_strings_add(walk->chrome->profile->strings, at,
							 (size_t)(to - at)));
		at = dot ? dot + 1 : end;
	}
	return path;
}

/* Where the op says that it is in other modules than the op around it, it is below those. */
static void enter_modules(struct walk *walk, const struct site *what, struct open_event *open)
{
	const struct open_event *op = innermost(&walk->ops), *module = innermost(&walk->modules);

	if (!what->hierarchy.size || chrome_is_other(what->kind) || open->backward)
		return;
	if (op && tfp_span_equal(walk->chrome->sites.at[op->site].hierarchy, what->hierarchy))
		return;
	open->path = module_path(walk, module ? module->path : TFP_NONE, what->hierarchy);
}

/*
 * An op passes its work on to an op nested in it that has as many float operations: the inner one counts. Of one that has
 * few, as it adds something at the end, or has the name of the outer and is one with it, the outer one counts.
 */
static void count_once(struct walk *walk, uint32_t node)
{
	const tfp_str *op = walk->chrome->profile->nodes.op;
	int64_t *flops = walk->chrome->profile->nodes.float_ops;

	for (size_t i = walk->ops.count; flops[node] && i-- > 0;) {
		uint32_t above = walk->ops.at[i].node;

		if (!flops[above] || above == node)
			continue;
		if (op[node] == op[above] || flops[node] < flops[above] / 2)
			flops[node] = 0;
		else
			flops[above] = 0;
		return;
	}
}

/* How many events the sample EVENT stands for; without a word one. */
static void weigh(struct walk *walk, uint32_t event, uint32_t op)
{
	const struct chrome *chrome = walk->chrome;
	uint32_t rare = op == TFP_NONE ? TFP_NONE : chrome->ops.at[op].rare;
	int64_t weight = rare == TFP_NONE ? 0 : chrome->rare.at[rare].weight;

	*tfp_array_push(&walk->parts->weighed) = (struct weighed){event, weight ? weight : 1};
}

/* Gives EVENT its node: that of the op around it where it is one run with that. */
static void put(struct walk *walk, uint32_t event, uint32_t site, struct open_event *open)
{
	struct tfp_trace *trace = walk->chrome->trace;
	const struct open_event *op = innermost(&walk->ops);

	open->site = site;
	if (op && tfp_trace_is_joined(trace, event)) {
		open->node = op->node;
	} else {
		const struct spot *spot = spot_of(walk, open->path, site, open->stack);

		open->node = spot->node;
		open->path = spot->path;
		count_once(walk, open->node);
	}
	tfp_trace_set_node(trace, event, open->node);
}

static void enter_op(struct walk *walk, uint32_t event, int64_t start)
{
	struct chrome *chrome = walk->chrome;
	struct tfp_trace *trace = chrome->trace;
	uint32_t site = tfp_trace_node(trace, event), extra = tfp_trace_work_of(trace, event);
	const struct site *what = &chrome->sites.at[site];
	struct open_event open = {.end = tfp_wrap_add(start, tfp_trace_duration(trace, event)),
				  .order = walk->order++};

	leave(&walk->ops, start);
	leave(&walk->python, start);
	leave(&walk->modules, start);
	find_context(walk, &open);
	enter_modules(walk, what, &open);
	if (what->frame != TFP_NONE)
		open.stack = tfp_profile_stack(chrome->profile, open.stack, what->frame);
	if (extra != TFP_NONE)
		walk_op(walk, &chrome->ops.at[extra], &open);
	if (what->kind == KIND_SAMPLE)
		weigh(walk, event, extra);
	if (what->step)
		tfp_trace_mark_step(chrome->profile, chrome->file, walk->lane, what->number,
				    what->title, start, open.end);
	look_for_turn(walk, what, event);
	put(walk, event, site, &open);
	*tfp_array_push(&walk->ops) = open;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

/* A lane as it is walked: its event at hand, and when that starts. */
struct lane_walk {
	uint32_t event, end;
	int64_t start;
};

static void look_at(const struct tfp_trace *trace, struct lane_walk *lane)
{
	lane->start = lane->event < lane->end ? tfp_trace_start(trace, lane->event) : INT64_MAX;
}

/* LANE, TFP_NONE for none, from its first event on. */
static struct lane_walk walk_from(const struct tfp_trace *trace, uint32_t lane)
{
	struct lane_walk from = {0};

	if (lane != TFP_NONE) {
		from.event = trace->lanes.at[lane].first;
		from.end = from.event + trace->lanes.at[lane].count;
	}
	look_at(trace, &from);
	return from;
}

/* Whether the Python call at hand begins before the op: of two that begin together the longer one is around the other. */
static bool is_first(const struct tfp_trace *trace, const struct lane_walk *python,
		     const struct lane_walk *ops)
{
	if (python->event == python->end || ops->event == ops->end)
		return ops->event == ops->end;
	if (python->start != ops->start)
		return python->start < ops->start;
	return tfp_trace_duration(trace, python->event) >= tfp_trace_duration(trace, ops->event);
}

static void walk_thread(struct walk *walk, uint32_t host, uint32_t python)
{
	static const struct tfp_lane none;
	const struct tfp_trace *trace = walk->chrome->trace;
	struct lane_walk ops, calls;

	walk->lane = host;
	walk->ops.count = walk->python.count = walk->modules.count = 0;
	walk_start_calls(walk, python == TFP_NONE ? &none : &trace->lanes.at[python]);
	ops = walk_from(trace, host);
	calls = walk_from(trace, python);
	while (ops.event < ops.end || calls.event < calls.end) {
		if (is_first(trace, &calls, &ops)) {
			enter_call(walk, calls.event++, calls.start);
			look_at(trace, &calls);
		} else {
			enter_op(walk, ops.event++, ops.start);
			look_at(trace, &ops);
		}
	}
}

static void label_lane(struct walk *walk, const struct tfp_lane *lane)
{
	struct tfp_trace *trace = walk->chrome->trace;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
		tfp_trace_set_node(trace, i, label_node(walk, tfp_trace_node(trace, i)));
}

/* By lane of ops: that of its thread's Python calls. */
static uint32_t *python_lanes(const struct tfp_trace *trace)
{
	uint32_t *python = tfp_realloc_array(NULL, trace->lanes.count, sizeof(*python));

	memset(python, 0xff, trace->lanes.count * sizeof(*python));
	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].thread != TFP_NONE)
			python[trace->lanes.at[i].thread] = (uint32_t)i;
	return python;
}

/* What is kept of its ops, or of memory, had its place there until now. */
static void walk_lane(struct walk *walk, uint32_t lane, const uint32_t *python)
{
	struct tfp_trace *trace = walk->chrome->trace;
	const struct tfp_lane *what = &trace->lanes.at[lane];

	if (what->kind == TFP_LANE_HOST)
		walk_thread(walk, lane, python[lane]);
	else if (what->kind == TFP_LANE_PYTHON && what->thread == TFP_NONE)
		walk_thread(walk, TFP_NONE, lane);
	else if (what->kind == TFP_LANE_DERIVED)
		label_lane(walk, what);
	if (what->kind != TFP_LANE_DEVICE)
		tfp_trace_clear_works(trace, what);
}

static void end_walk(struct walk *walk)
{
	if (walk->cut)
		tfp_diag_add(
			walk->chrome->diag, TFP_NOTE, walk->chrome->source->path, -1, 0,
			"scopes too deep to be told apart, which count for the scope around them: %u",
			walk->cut);
	walk_tell_guessed(walk);
	walk_end_calls(walk);
	tfp_array_free(&walk->ops);
	tfp_array_free(&walk->python);
	tfp_array_free(&walk->modules);
	tfp_array_free(&walk->paths);
	tfp_array_free(&walk->spots);
	tfp_array_free(&walk->forwards);
	tfp_array_free(&walk->threads);
	tfp_array_free(&walk->votes);
	tfp_idmap_free(&walk->sequences);
	tfp_lookup_free(walk->path_table);
	tfp_lookup_free(walk->spot_table);
}

void chrome_walk(struct chrome *chrome, struct chrome_parts *parts)
{
	struct walk walk = {
		.chrome = chrome,
		.parts = parts,
		.path_table = tfp_lookup_new(),
		.spot_table = tfp_lookup_new(),
	};
	uint32_t *python = python_lanes(chrome->trace);
	bool *backward = walk_backward_lanes(&walk);

	/* Forward ops come before the backward ops that are below them. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = chrome->first_lane; i < chrome->trace->lanes.count; i++)
			if (backward[i] == (pass > 0))
				walk_lane(&walk, i, python);
	tfp_array_release(backward);
	tfp_array_release(python);
	end_walk(&walk);
}
