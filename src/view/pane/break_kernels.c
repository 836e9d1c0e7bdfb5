/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown into what ran on devices: kernels with their grids, copies with their sizes.
 */
#include <stdlib.h>
#include <string.h>

#include "view/pane/behind.h"
#include "view/trace/track.h"

static const char *const classes[] = {
	[TFP_WORK_KERNEL] = "",         [TFP_WORK_COPY] = "copy",   [TFP_WORK_FILL] = "fill",
	[TFP_WORK_COMM] = "collective", [TFP_WORK_OTHER] = "other",
};

struct kernels {
	struct tfp_work *work;
	const struct tfp_trace *trace;
	struct tfp_group *groups; /* by work of the trace; behind them what has none */
	uint32_t *works;          /* by row's group: its work */
	bool grids;               /* some labels end in blocks and threads */
	size_t last, found;       /* where something ran: the last of the groups, and how many */
};

static void take(void *data, uint32_t event)
{
	struct kernels *kernels = data;
	const struct tfp_trace *trace = kernels->trace;
	uint32_t work = tfp_trace_work_of(trace, event), node = tfp_trace_node(trace, event);
	struct tfp_group *group;

	if (tfp_trace_kind(trace, event) != TFP_LANE_DEVICE)
		return;
	group = &kernels->groups[work < trace->works.count ? work : trace->works.count];
	group->value = tfp_wrap_add(group->value, tfp_trace_duration(trace, event));
	group->runs += !tfp_trace_is_joined(trace, event);
	group->nodes = node != TFP_NONE;
	if (!group->nodes || tfp_trace_duration(trace, event) < group->best_value)
		return;
	group->best = node;
	group->best_value = tfp_trace_duration(trace, event);
}

/* "copy  Memcpy DtoH  4.19MB", "sgemm  8 x 256": blocks of the grid, threads of a block */
static tfp_str make_label(struct kernels *kernels, size_t index)
{
	struct tfp_strings *strings = kernels->work->build.profile->strings;
	const struct tfp_trace_work *work = &kernels->trace->works.at[index];
	char size[TFP_NUMBER_ROOM] = "", *text;
	const char *class =
		work->class < sizeof(classes) / sizeof(*classes) ? classes[work->class] : "other";
	tfp_str label;

	if (work->bytes && tfp_work_moves(work))
		tfp_number_screen(size, TFP_BYTES, work->bytes);
	else if (work->grid[0])
		snprintf(size, sizeof(size), "%lld x %lld", (long long)tfp_dims_extent(work->grid),
			 (long long)tfp_dims_extent(work->block));
	kernels->grids |= strchr(size, 'x') != NULL;
	if (asprintf(&text, "%s%s%s%s%s", class, *class ? "  " : "",
		     tfp_strings_text(strings, work->name), *size ? "  " : "", size) < 0)
		return work->name;
	label = tfp_strings_add_text(strings, text);
	free(text);
	return label;
}

/* NULL: what has no name is no single work. */
static const struct tfp_trace_work *work_of(const struct kernels *kernels,
					    const struct tfp_breakdown_row *row)
{
	uint32_t work = kernels->works[row->group];

	return work < kernels->trace->works.count ? &kernels->trace->works.at[work] : NULL;
}

/* Works have the same label where as many blocks and threads are launched in other ways. */
static void tell(void *data, struct tfp_breakdown_row **alike, size_t count)
{
	struct kernels *kernels = data;
	const struct tfp_trace_work *first = work_of(kernels, alike[0]), *work;
	char text[TFP_VARIANT_ROOM];
	unsigned parts = 0;

	for (size_t i = 1; i < count; i++)
		if (first && (work = work_of(kernels, alike[i])))
			parts |= tfp_variants_differ(first, work);
	if (parts != TFP_WORK_OCCUPANCY)
		parts &= ~(unsigned)TFP_WORK_OCCUPANCY; /* it comes of the others */
	for (size_t i = 0; i < count; i++)
		if ((work = work_of(kernels, alike[i])))
			tfp_row_tell(kernels->work, alike[i], tfp_variant_text(text, work, parts));
}

/* The groups in which something ran. */
static void make_rows(struct kernels *kernels, size_t count)
{
	struct tfp_strings *strings = kernels->work->build.profile->strings;
	tfp_str *labels = tfp_realloc_array(NULL, count, sizeof(*labels));

	kernels->works = tfp_realloc_array(NULL, count, sizeof(*kernels->works));
	for (size_t i = 0; i < count; i++) {
		if (!kernels->groups[i].runs)
			continue;
		labels[kernels->found] = i < kernels->trace->works.count
						 ? make_label(kernels, i)
						 : tfp_strings_add_text(strings, "without a name");
		kernels->works[kernels->found] = (uint32_t)i;
		kernels->groups[kernels->found++] = kernels->groups[i];
		kernels->last = i;
	}
	tfp_work_rows(kernels->work, kernels->groups, labels, kernels->found);
	tfp_work_tell_apart(kernels->work, tell, kernels);
	free(kernels->works);
	free(labels);
}

/* How the one kernel that there is was launched, or what the labels say of many. */
static const char *note_of(const struct kernels *kernels)
{
	char text[TFP_VARIANT_ROOM] = "";

	if (!kernels->found)
		return "nothing of it ran on a device";
	if (kernels->found == 1 && kernels->last < kernels->trace->works.count)
		tfp_launch_text(text, &kernels->trace->works.at[kernels->last]);
	if (*text)
		return tfp_arena_text(&kernels->work->out->arena, text, strlen(text));
	return kernels->grids ? "behind their names: blocks x threads in each" : NULL;
}

bool tfp_break_kernels(struct tfp_work *work)
{
	const struct tfp_trace *trace = work->build.profile->trace;
	size_t count = trace->works.count + 1;
	struct kernels kernels = {
		.work = work,
		.trace = trace,
		.groups = tfp_alloc_zero(count, sizeof(*kernels.groups)),
	};
	struct tfp_behind behind;
	bool done;

	/* Whatever leads, kernels are told by their time. */
	work->out->unit = trace->unit;
	work->out->absent = work->build.profile->metrics[TFP_TRACE_DEVICE].absent;
	work->whole = tfp_tree_total(work->tree, work->row, TFP_TRACE_DEVICE);
	tfp_behind_start(&behind, work);
	done = tfp_behind_each(&behind, work, take, &kernels);
	tfp_behind_end(&behind);
	if (done) {
		make_rows(&kernels, count);
		work->out->note = note_of(&kernels);
	}
	free(kernels.groups);
	return done;
}
