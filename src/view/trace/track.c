/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what lies on lanes: see track.h. */
#include "view/trace/track.h"

static tfp_str name_in(const struct tfp_profile *profile, const struct tfp_trace *trace,
		       uint32_t event)
{
	uint32_t node = tfp_trace_node(trace, event), work = tfp_trace_work_of(trace, event);

	if (work < trace->works.count)
		return trace->works.at[work].name;
	if (node == TFP_NONE)
		return 0;
	return profile->nodes.flags[node] & TFP_NODE_UNSCOPED ? profile->nodes.name[node]
							      : profile->nodes.op[node];
}

tfp_str tfp_track_name(const struct tfp_profile *profile, uint32_t event)
{
	return name_in(profile, profile->trace, event);
}

bool tfp_track_holds(const struct tfp_profile *profile, const struct tfp_trace *trace,
		     const struct tfp_track *track, uint32_t event)
{
	uint32_t lane = tfp_trace_lane(trace, event);

	if (track->lane != TFP_NONE && track->lane != lane)
		return false;
	if (track->device != TFP_NONE && track->device != trace->lanes.at[lane].device)
		return false;
	if (track->work != TFP_NONE && track->work != tfp_trace_work_of(trace, event))
		return false;
	return track->name == TFP_NONE || track->name == name_in(profile, trace, event);
}

/* ---- variants --------------------------------------------------------------------------------- */

struct text {
	char *at;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
	va_list list;
	int size;

	if (text->size)
		text->size += (size_t)snprintf(text->at + text->size, TFP_VARIANT_ROOM - text->size,
					       ", ");
	va_start(list, format);
	size = vsnprintf(text->at + text->size, TFP_VARIANT_ROOM - text->size, format, list);
	va_end(list);
	text->size += (size_t)size;
}

char *tfp_dims_text(char *text, size_t room, const int32_t dims[3])
{
	if (dims[2] > 1)
		snprintf(text, room, "%dx%dx%d", dims[0], dims[1], dims[2]);
	else if (dims[1] > 1)
		snprintf(text, room, "%dx%d", dims[0], dims[1]);
	else
		snprintf(text, room, "%d", dims[0]);
	return text;
}

static void put_dims(struct text *text, const char *what, const int32_t dims[3])
{
	char room[64];

	if (dims[0])
		put(text, "%s %s", what, tfp_dims_text(room, sizeof(room), dims));
}

int64_t tfp_work_shared(const struct tfp_trace_work *work)
{
	return (work->static_shared > 0 ? work->static_shared : 0) +
	       (int64_t)(work->dynamic_shared > 0 ? work->dynamic_shared : 0);
}

char *tfp_variant_text(char buffer[TFP_VARIANT_ROOM], const struct tfp_trace_work *work,
		       unsigned parts)
{
	struct text text = {buffer, 0};
	int64_t shared = tfp_work_shared(work);
	bool launched = work->grid[0] || work->block[0];
	char number[TFP_NUMBER_ROOM];

	*buffer = '\0';
	if (parts & TFP_WORK_GRID)
		put_dims(&text, "grid", work->grid);
	if (parts & TFP_WORK_BLOCK)
		put_dims(&text, "block", work->block);
	if (parts & TFP_WORK_REGISTERS && launched && work->registers >= 0)
		put(&text, "%d registers", work->registers);
	if (parts & TFP_WORK_SHARED && shared > 0)
		put(&text, "%s shared", tfp_number_screen(number, TFP_BYTES, shared));
	if (parts & TFP_WORK_OCCUPANCY && launched && work->occupancy >= 0)
		put(&text, "occupancy %g%%", work->occupancy / 100.0);
	if (parts & TFP_WORK_BYTES && work->bytes && tfp_work_moves(work))
		put(&text, "%s", tfp_number_screen(number, TFP_BYTES, work->bytes));
	return buffer;
}

unsigned tfp_variants_differ(const struct tfp_trace_work *a, const struct tfp_trace_work *b)
{
	unsigned parts = 0;

	if (memcmp(a->grid, b->grid, sizeof(a->grid)))
		parts |= TFP_WORK_GRID;
	if (memcmp(a->block, b->block, sizeof(a->block)))
		parts |= TFP_WORK_BLOCK;
	if (a->registers != b->registers)
		parts |= TFP_WORK_REGISTERS;
	if (tfp_work_shared(a) != tfp_work_shared(b))
		parts |= TFP_WORK_SHARED;
	if (a->occupancy != b->occupancy)
		parts |= TFP_WORK_OCCUPANCY;
	if (a->bytes != b->bytes)
		parts |= TFP_WORK_BYTES;
	return parts;
}

int64_t tfp_dims_extent(const int32_t dims[3])
{
	int64_t product = 1;

	for (int i = 0; i < 3; i++)
		product = tfp_wrap_mul(product, dims[i]);
	return product;
}

static void put_count(struct text *text, const char *before, const int32_t dims[3],
		      const char *what)
{
	char number[TFP_NUMBER_ROOM];
	int64_t count = tfp_dims_extent(dims);

	text->size += (size_t)snprintf(text->at + text->size, TFP_VARIANT_ROOM - text->size,
				       "%s%s %s%s", before, tfp_number_exact(number, count), what,
				       count == 1 ? "" : "s");
}

char *tfp_launch_text(char buffer[TFP_VARIANT_ROOM], const struct tfp_trace_work *work)
{
	struct text text = {buffer, 0};
	int64_t shared = tfp_work_shared(work);
	char number[TFP_NUMBER_ROOM];

	*buffer = '\0';
	if (!work->grid[0])
		return buffer;
	put_count(&text, "", work->grid, "block");
	if (work->block[0])
		put_count(&text, " x ", work->block, "thread");
	if (work->registers >= 0)
		put(&text, "%d register%s", work->registers, work->registers == 1 ? "" : "s");
	if (shared > 0)
		put(&text, "%s shared", tfp_number_screen(number, TFP_BYTES, shared));
	if (work->occupancy >= 0)
		put(&text, "occupancy %g%%", work->occupancy / 100.0);
	return buffer;
}
