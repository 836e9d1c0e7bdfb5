/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device view: where it ran. A device has its streams, a host its threads; on them are kernels and
 * copies by name, each in the variants in which it was launched, and labels of host events.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "tfprof/breakdown.h"
#include "view/group/picks.h"
#include "view/trace/launch.h"
#include "view/trace/roles.h"
#include "view/trace/track.h"
#include "view/trace/union.h"

#define POLL ((uint32_t)1 << 16)

/* Events that are one row: of a lane, with one name, of one work. */
struct leaf {
	struct tfp_track track;
	uint32_t row;
	int64_t values[TFP_TRACE_METRICS];
};

/* Where an event of a node was last: nearly all are where the one before was. */
struct met {
	uint32_t lane, work, leaf;
};

struct row {
	uint32_t parent;
	tfp_str name;
	struct tfp_track track;
};

struct maker {
	struct tfp_build *build;
	const struct tfp_profile *profile;
	const struct tfp_trace *trace;
	uint32_t *weight; /* by node: whether it counts */
	bool *hosted;     /* by node: it runs on hosts, and launches what runs on devices */
	bool shared; /* such a node has device events: which of its operations are whose is not known */
	struct tfp_lookup *table;
	/* the event around those that come one after another; TFP_NONE: it does not count */
	uint32_t around, around_leaf;
	int64_t around_end;
	struct met *met; /* by node; behind them, of events without one */
	TFP_ARRAY(struct leaf) leaves;
	TFP_ARRAY(struct row) rows;
};

/* ---- events ----------------------------------------------------------------------------------- */

/* Does EVENT, which is of NODE, count? */
static inline bool counts(const struct maker *maker, uint32_t event, uint32_t node)
{
	uint32_t step = maker->build->step;

	if (node == TFP_NONE ? !maker->build->account.all : !maker->weight[node])
		return false;
	return step == TFP_STEP_MEAN || tfp_trace_step_of(maker->profile, event) == step;
}

/* Of a host's events the node says the name. */
static uint32_t find_leaf(struct maker *maker, uint32_t event, uint32_t lane, uint32_t work)
{
	const struct tfp_trace *trace = maker->trace;
	uint32_t leaf;
	tfp_str name = tfp_track_name(maker->profile, event);
	uint32_t hash = tfp_lookup_mix(((uint64_t)lane << 32 | name) ^ (uint64_t)work << 17);

	TFP_LOOKUP_EACH(leaf, maker->table, hash) {
		const struct tfp_track *track = &maker->leaves.at[leaf].track;

		if (track->lane == lane && track->work == work && track->name == name)
			return leaf;
	}
	leaf = (uint32_t)maker->leaves.count;
	tfp_lookup_add(maker->table, hash, leaf);
	*tfp_array_push(&maker->leaves) = (struct leaf){
		.track = {trace->lanes.at[lane].device, lane, work, name},
	};
	return leaf;
}

/* The leaf of EVENT, which is of NODE and on LANE. */
static inline uint32_t leaf_of(struct maker *maker, uint32_t event, uint32_t node, uint32_t lane)
{
	uint32_t work = tfp_trace_work_of(maker->trace, event);
	struct met *met = &maker->met[node == TFP_NONE ? maker->profile->nodes.count : node];

	if (met->lane != lane || met->work != work)
		*met = (struct met){lane, work, find_leaf(maker, event, lane, work)};
	return met->leaf;
}

static inline void add(int64_t *to, int64_t value)
{
	*to = tfp_wrap_add(*to, value);
}

static void look_around(struct maker *maker, uint32_t event)
{
	uint32_t node = tfp_trace_node(maker->trace, event);

	maker->around = event;
	maker->around_end = tfp_trace_end(maker->trace, event);
	maker->around_leaf = TFP_NONE;
	if (counts(maker, event, node))
		maker->around_leaf =
			leaf_of(maker, event, node, tfp_trace_lane(maker->trace, event));
}

/* A host's time is that of an event less what is nested in it. */
static void add_host_event(struct maker *maker, uint32_t event, uint32_t lane)
{
	const struct tfp_trace *trace = maker->trace;
	uint32_t around = tfp_trace_link(trace, event), node = tfp_trace_node(trace, event);
	int64_t start = tfp_trace_start(trace, event), lasts = tfp_trace_duration(trace, event);
	int64_t end = tfp_wrap_add(start, lasts);

	if (counts(maker, event, node)) {
		uint32_t leaf = leaf_of(maker, event, node, lane);
		int64_t *values = maker->leaves.at[leaf].values;

		add(&values[TFP_TRACE_HOST], lasts);
		values[TFP_TRACE_RUNS] += !tfp_trace_is_joined(trace, event);
	}
	if (around >= trace->count)
		return;
	if (around != maker->around)
		look_around(maker, around);
	if (maker->around_leaf == TFP_NONE)
		return;
	end = end < maker->around_end ? end : maker->around_end;
	add(&maker->leaves.at[maker->around_leaf].values[TFP_TRACE_HOST],
	    (int64_t)((uint64_t)start - (uint64_t)end));
}

static bool add_host_events(struct maker *maker)
{
	for (uint32_t i = 0; i < maker->trace->lanes.count; i++) {
		const struct tfp_lane *lane = &maker->trace->lanes.at[i];

		if (lane->kind != TFP_LANE_HOST)
			continue;
		for (uint32_t j = 0; j < lane->count; j++) {
			if (j % POLL == 0 && tfp_job_cancelled(maker->build->job))
				return false;
			add_host_event(maker, lane->first + j, i);
		}
	}
	return true;
}

/* Operations are of one run of a node, and what runs on devices alone has a run for each event. */
static void add_flops(struct maker *maker, uint32_t event, uint32_t node, int64_t *values)
{
	if (node == TFP_NONE || !maker->profile->nodes.float_ops[node])
		return;
	maker->shared |= maker->hosted[node];
	add(&values[TFP_TRACE_FLOPS],
	    tfp_trace_part(maker->trace, event, maker->profile->nodes.float_ops[node]));
}

static bool add_device_events(struct maker *maker)
{
	const struct tfp_trace *trace = maker->trace;

	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i), leaf;
		uint32_t node = tfp_trace_node(trace, event), work;
		int64_t *values;

		if (i % POLL == 0 && tfp_job_cancelled(maker->build->job))
			return false;
		if (!counts(maker, event, node))
			continue;
		leaf = leaf_of(maker, event, node, tfp_trace_lane(trace, event));
		work = maker->leaves.at[leaf].track.work;
		values = maker->leaves.at[leaf].values;
		add(&values[TFP_TRACE_DEVICE], tfp_trace_duration(trace, event));
		values[TFP_TRACE_LAUNCHES] += !tfp_trace_is_joined(trace, event);
		values[TFP_TRACE_RUNS] += !tfp_trace_is_joined(trace, event);
		if (work < trace->works.count)
			add(&values[TFP_TRACE_BYTES],
			    tfp_trace_part(trace, event, trace->works.at[work].bytes));
		add_flops(maker, event, node, values);
	}
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static int compare_leaves(const void *left, const void *right, void *data)
{
	const struct maker *maker = data;
	const struct tfp_track *a = &maker->leaves.at[*(const uint32_t *)left].track;
	const struct tfp_track *b = &maker->leaves.at[*(const uint32_t *)right].track;
	const struct tfp_strings *strings = maker->profile->strings;
	int order;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	order = tfp_span_compare(tfp_strings_get(strings, a->name),
				 tfp_strings_get(strings, b->name));
	if (order)
		return order;
	return a->work < b->work ? -1 : a->work > b->work;
}

static uint32_t add_row(struct maker *maker, uint32_t parent, tfp_str name, struct tfp_track track)
{
	*tfp_array_push(&maker->rows) = (struct row){parent, name, track};
	return (uint32_t)maker->rows.count - 1;
}

/* "/device:GPU:0  NVIDIA H200" */
static tfp_str device_label(const struct maker *maker, uint32_t index)
{
	const struct tfp_trace_device *device = &maker->trace->devices.at[index];
	struct tfp_strings *strings = maker->profile->strings;
	char *text;
	tfp_str label;

	if (!device->model)
		return device->name;
	if (asprintf(&text, "%s  %s", tfp_strings_text(strings, device->name),
		     tfp_strings_text(strings, device->model)) < 0)
		return device->name;
	label = tfp_strings_add_text(strings, text);
	free(text);
	return label;
}

/* The row of a variant below its name's; that one itself where there is nothing to tell. In a list it stands alone. */
static uint32_t add_variant(struct maker *maker, uint32_t above, const struct tfp_track *track)
{
	struct tfp_strings *strings = maker->profile->strings;
	char text[TFP_VARIANT_ROOM] = "", *label;
	tfp_str name;

	if (track->work < maker->trace->works.count)
		tfp_variant_text(text, &maker->trace->works.at[track->work], TFP_WORK_PARTS);
	if (!*text || asprintf(&label, "%s %s", tfp_strings_text(strings, track->name), text) < 0)
		return above;
	name = tfp_strings_add_text(strings, label);
	free(label);
	return add_row(maker, above, name, *track);
}

/* Rows for LEAVES, which are in order. */
static void make_rows(struct maker *maker, const uint32_t *leaves, size_t count)
{
	struct tfp_track last = {TFP_NONE, TFP_NONE, TFP_NONE, TFP_NONE};
	uint32_t device = 0, lane = 0, name = 0;

	add_row(maker, TFP_NONE, 0, last);
	for (size_t i = 0; i < count; i++) {
		struct leaf *leaf = &maker->leaves.at[leaves[i]];
		struct tfp_track track = leaf->track;

		if (track.device != last.device)
			device = add_row(
				maker, 0, device_label(maker, track.device),
				(struct tfp_track){track.device, TFP_NONE, TFP_NONE, TFP_NONE});
		if (track.lane != last.lane)
			lane = add_row(
				maker, device, maker->trace->lanes.at[track.lane].name,
				(struct tfp_track){track.device, track.lane, TFP_NONE, TFP_NONE});
		if (track.lane != last.lane || track.name != last.name)
			name = add_row(
				maker, lane, track.name,
				(struct tfp_track){track.device, track.lane, TFP_NONE, track.name});
		leaf->row = add_variant(maker, name, &track);
		last = track;
	}
}

/* See base.alike. */
static void set_alike(const struct maker *maker, const struct tfp_roles *roles,
		      struct tfp_base *base, uint32_t row)
{
	const struct row *from = &maker->rows.at[row];

	if (!from->parent)
		tfp_roles_device(roles, base->alike, row, from->track.device);
	else if (from->track.name == TFP_NONE)
		tfp_roles_lane(roles, base->alike, row, from->parent, from->track.lane);
	else
		tfp_roles_row(base->alike, row, from->parent, tfp_base_label(base, row));
}

/* What the file says of nodes only is not known of events. */
static uint32_t known_metrics(const struct maker *maker)
{
	return maker->shared ? TFP_TRACE_FLOPS : TFP_TRACE_METRICS;
}

static void fill_rows(const struct maker *maker, struct tfp_base *base)
{
	struct tfp_roles roles;

	tfp_roles_find(&roles, maker->profile);
	tfp_base_add_alike(base);
	base->track = tfp_arena_alloc(&base->arena, base->count * sizeof(*base->track));
	base->track[0] = maker->rows.at[0].track;
	for (uint32_t row = 1; row < base->count; row++) {
		const struct row *from = &maker->rows.at[row];

		base->parent[row] = from->parent;
		base->name[row] = from->name;
		base->track[row] = from->track;
		base->key[row] = tfp_key_below(base->key[from->parent], tfp_base_label(base, row));
		set_alike(maker, &roles, base, row);
		base->flags[row] = TFP_ROW_KEPT;
	}
	tfp_roles_free(&roles);
	for (size_t i = 0; i < maker->leaves.count; i++) {
		const struct leaf *leaf = &maker->leaves.at[i];
		int64_t *self = base->self + (size_t)leaf->row * base->metric_count;

		base->flags[leaf->row] |= TFP_ROW_ACCOUNTED | TFP_ROW_LEAF;
		for (uint32_t metric = 0; metric < known_metrics(maker); metric++)
			add(&self[metric], leaf->values[metric]);
	}
}

/* From the kernels of the leaves to what is above them. */
static void fill_launches(const struct maker *maker, struct tfp_base *base)
{
	const struct tfp_trace *trace = maker->trace;

	base->launch = tfp_arena_zero(&base->arena, base->count, sizeof(*base->launch));
	for (size_t i = 0; i < maker->leaves.count; i++) {
		const struct leaf *leaf = &maker->leaves.at[i];

		if (leaf->track.work < trace->works.count)
			tfp_launch_add(&base->launch[leaf->row],
				       &trace->works.at[leaf->track.work]);
	}
	for (uint32_t row = base->count; --row > 0;)
		tfp_launch_merge(&base->launch[base->parent[row]], &base->launch[row]);
}

static void mark_unknown(const struct maker *maker, struct tfp_base *base)
{
	struct tfp_metric *metrics =
		tfp_arena_alloc(&base->arena, base->metric_count * sizeof(*metrics));

	memcpy(metrics, base->metrics, base->metric_count * sizeof(*metrics));
	for (uint32_t metric = known_metrics(maker); metric < base->metric_count; metric++)
		metrics[metric].absent |= metrics[metric].kind != TFP_SPREAD;
	base->metrics = metrics;
}

static uint32_t find_row(void *data, uint32_t event)
{
	struct maker *maker = data;
	uint32_t node = tfp_trace_node(maker->trace, event), leaf;

	if (!counts(maker, event, node))
		return TFP_NONE;
	leaf = leaf_of(maker, event, node, tfp_trace_lane(maker->trace, event));
	return maker->leaves.at[leaf].row;
}

static bool unite(struct maker *maker, struct tfp_base *base)
{
	struct tfp_sweep sweep = {
		.profile = maker->profile,
		.step = TFP_STEP_MEAN,
		.job = maker->build->job,
		.above = base->parent,
		.stride = base->metric_count,
		.total = base->total + TFP_TRACE_BUSY,
		.self = base->self + TFP_TRACE_BUSY,
	};
	bool done;

	tfp_sweep_start(&sweep, base->count);
	done = tfp_sweep_find(&sweep, find_row, maker);
	tfp_sweep_end(&sweep);
	return done;
}

static struct tfp_base *make_base(struct maker *maker)
{
	size_t count = maker->leaves.count;
	uint32_t *sorted = tfp_realloc_array(NULL, count, sizeof(*sorted));
	struct tfp_base *base;

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = i;
	if (count)
		qsort_r(sorted, count, sizeof(*sorted), compare_leaves, maker);
	make_rows(maker, sorted, count);
	free(sorted);
	base = tfp_base_new(&tfp_view_device, maker->build, (uint32_t)maker->rows.count);
	fill_rows(maker, base);
	fill_launches(maker, base);
	mark_unknown(maker, base);
	tfp_base_sum(base, true);
	if (unite(maker, base))
		return base;
	tfp_base_release(base);
	return NULL;
}

static struct tfp_base *build_device(struct tfp_build *build)
{
	struct tfp_base *base = NULL;
	struct maker maker = {.build = build, .around = TFP_NONE};
	size_t nodes = build->profile->nodes.count + (size_t)1;

	maker.profile = build->profile;
	maker.trace = build->profile->trace;
	maker.table = tfp_lookup_new();
	maker.met = tfp_realloc_array(NULL, nodes, sizeof(*maker.met));
	memset(maker.met, 0xff, nodes * sizeof(*maker.met));
	maker.weight = tfp_picks_weigh(build, NULL);
	maker.hosted = tfp_trace_hosted(maker.profile);
	if (maker.weight && add_host_events(&maker) && add_device_events(&maker))
		base = make_base(&maker);
	free(maker.weight);
	free(maker.hosted);
	tfp_array_release(maker.met);
	tfp_lookup_free(maker.table);
	tfp_array_free(&maker.leaves);
	tfp_array_free(&maker.rows);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	if (profile->trace)
		return NULL;
	return TFP_NO_EVENTS;
}

static const struct tfp_view_rules rules = {
	.count = TFP_COUNT_RUNS,
	.unites = true,
	.whole = true,
};

const struct tfp_view tfp_view_device = {
	.name = "device",
	.title = "device",
	.digit = '5',
	.missing = missing,
	.build = build_device,
	.rules = &rules,
	.pane = TFP_BREAKDOWN_KERNELS,
	.about =
		"where it ran: devices and their streams, hosts and their threads, what is on them",
	.example = "device",
};
