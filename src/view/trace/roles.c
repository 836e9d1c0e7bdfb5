/* SPDX-License-Identifier: Apache-2.0 */
/* Roles of devices and lanes: see roles.h. */
#include "view/trace/roles.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 256 /* of a name that is told from others */

/* One of those that are told apart by their order. */
struct member {
	uint64_t group; /* of what is called alike in one place */
	int64_t order;
	uint32_t index;
};

/* Members of a group together, in their order. */
static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static uint64_t with_number(uint64_t key, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	return tfp_key_below(key, tfp_span_of(text));
}

/* Below ABOVE, NAME without its digits. */
static uint64_t unnumbered(uint64_t above, struct tfp_span name)
{
	char text[NAME_ROOM];
	size_t size = 0;

	for (size_t i = 0; i < name.size && size < sizeof(text); i++)
		if (name.at[i] < '0' || name.at[i] > '9')
			text[size++] = name.at[i];
	return tfp_key_below(above, (struct tfp_span){text, size});
}

/* The role of each of MEMBERS, ROLE by index: what it is called, TITLE, and its place in its group. */
static void number_members(struct member *members, size_t count, const uint64_t *title,
			   uint64_t *role)
{
	uint64_t place = 0;

	if (count)
		qsort(members, count, sizeof(*members), compare_members);
	for (size_t i = 0; i < count; i++) {
		place = i && members[i].group == members[i - 1].group ? place + 1 : 0;
		role[members[i].index] = with_number(title[members[i].index], place);
	}
}

/* ---- devices -------------------------------------------------------------------------------- */

/* By device: it has events. */
static bool *find_used(const struct tfp_trace *trace)
{
	bool *used = tfp_alloc_zero(trace->devices.count + 1, sizeof(*used));

	for (size_t i = 0; i < trace->lanes.count; i++)
		used[trace->lanes.at[i].device] |= trace->lanes.at[i].count > 0;
	return used;
}

/* Has FILE another one of its kind with events? */
static bool has_others(const struct tfp_trace *trace, const bool *used, size_t device)
{
	const struct tfp_trace_device *devices = trace->devices.at;

	for (size_t i = 0; i < trace->devices.count; i++)
		if (used[i] && i != device && devices[i].file == devices[device].file &&
		    devices[i].host == devices[device].host)
			return true;
	return false;
}

static void find_devices(struct tfp_roles *roles, const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;
	size_t count = trace->devices.count;
	struct member *members = tfp_realloc_array(NULL, count + 1, sizeof(*members));
	uint64_t *title = tfp_realloc_array(NULL, count + 1, sizeof(*title));
	bool *used = find_used(trace);

	for (size_t i = 0; i < count; i++) {
		const struct tfp_trace_device *of = &trace->devices.at[i];
		uint64_t kind = tfp_key_name(of->host ? TFP_SPAN("host") : TFP_SPAN("device"));
		struct tfp_span name =
			tfp_strings_get(profile->strings, of->own ? of->own : of->name);
		bool alone = !has_others(trace, used, i);

		roles->device[0][i] = alone ? kind : tfp_key_below(kind, name);
		title[i] = alone ? kind : unnumbered(kind, name);
		members[i] = (struct member){
			with_number(with_number(title[i], of->file), used[i]),
			(int64_t)i,
			(uint32_t)i,
		};
	}
	number_members(members, count, title, roles->device[1]);
	free(used);
	free(title);
	free(members);
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* Programs make streams in one order, and threads begin in one. */
static int64_t order_of(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	if (lane->kind == TFP_LANE_DEVICE)
		return lane->id;
	return lane->count ? tfp_trace_start(trace, lane->first) : INT64_MAX;
}

/* "Stream #14(Memset,Compute)" says in brackets what ran there, which may be more in another run. */
static struct tfp_span name_of(const struct tfp_profile *profile, const struct tfp_lane *lane)
{
	struct tfp_span name = tfp_strings_get(profile->strings, lane->name);
	const char *bracket = name.size ? memchr(name.at + 1, '(', name.size - 1) : NULL;

	if (lane->kind == TFP_LANE_DEVICE && bracket)
		name.size = (size_t)(bracket - name.at);
	return name;
}

static void find_lanes(struct tfp_roles *roles, const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;
	const struct tfp_trace *whole = tfp_trace_whole(trace);
	size_t count = trace->lanes.count;
	struct member *members = tfp_realloc_array(NULL, count + 1, sizeof(*members));
	uint64_t *title = tfp_realloc_array(NULL, count + 1, sizeof(*title));

	for (size_t i = 0; i < count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		struct tfp_span name = name_of(profile, lane);

		roles->lane[0][i] = tfp_key_below(with_number(0, lane->kind), name);
		title[i] = unnumbered(with_number(0, lane->kind), name);
		members[i] = (struct member){
			with_number(title[i], lane->device),
			order_of(whole, lane),
			(uint32_t)i,
		};
	}
	number_members(members, count, title, roles->lane[1]);
	free(title);
	free(members);
}

void tfp_roles_find(struct tfp_roles *roles, const struct tfp_profile *profile)
{
	size_t devices = profile->trace->devices.count + 1, lanes = profile->trace->lanes.count + 1;

	for (size_t i = 0; i < 2; i++) {
		roles->device[i] = tfp_realloc_array(NULL, devices, sizeof(uint64_t));
		roles->lane[i] = tfp_realloc_array(NULL, lanes, sizeof(uint64_t));
	}
	find_devices(roles, profile);
	find_lanes(roles, profile);
}

void tfp_roles_free(struct tfp_roles *roles)
{
	for (size_t i = 0; i < 2; i++) {
		free(roles->device[i]);
		free(roles->lane[i]);
	}
}

/* ---- rows ----------------------------------------------------------------------------------- */

static uint64_t below(uint64_t above, uint64_t key)
{
	return tfp_key_below(above, (struct tfp_span){(const char *)&key, sizeof(key)});
}

void tfp_roles_device(const struct tfp_roles *roles, uint64_t *const alike[2], uint32_t row,
		      uint32_t device)
{
	for (size_t i = 0; i < 2; i++)
		alike[i][row] = below(alike[i][0], roles->device[i][device]);
}

void tfp_roles_lane(const struct tfp_roles *roles, uint64_t *const alike[2], uint32_t row,
		    uint32_t parent, uint32_t lane)
{
	for (size_t i = 0; i < 2; i++)
		alike[i][row] = below(alike[i][parent], roles->lane[i][lane]);
}

void tfp_roles_row(uint64_t *const alike[2], uint32_t row, uint32_t parent, struct tfp_span name)
{
	for (size_t i = 0; i < 2; i++)
		alike[i][row] = tfp_key_below(alike[i][parent], name);
}

/* ---- what stands aside ------------------------------------------------------------------------ */

static bool is_described(const struct tfp_trace_device *device)
{
	return device->model || device->peak_flops > 0 || device->peak_bandwidth > 0;
}

bool tfp_stands_aside(const struct tfp_trace *trace, uint32_t device)
{
	const struct tfp_trace_device *of = &trace->devices.at[device];

	for (size_t i = 0; i < trace->devices.count && !is_described(of); i++)
		if (trace->devices.at[i].file == of->file && is_described(&trace->devices.at[i]))
			return true;
	return false;
}
