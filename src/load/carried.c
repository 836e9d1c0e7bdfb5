/* SPDX-License-Identifier: Apache-2.0 */
/* Memory over steps without records: see carried.h. */
#include "load/carried.h"

#include <stdlib.h>

static int by_begin(const void *left, const void *right)
{
	const struct tfp_begun_step *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->step < b->step ? -1 : a->step > b->step;
}

/* The steps of FILE, and what is outside of them. */
static void list_steps(struct tfp_carrying *carrying, uint32_t file)
{
	const struct tfp_profile *profile = carrying->counting->profile;
	const struct tfp_trace *trace = tfp_trace_whole(profile->trace);
	int64_t unit = trace->unit == TFP_PICOS ? 1000 : 1;
	uint32_t outside = tfp_step_outside(profile);
	struct tfp_step_span span;

	carrying->file = file;
	carrying->begun = true;
	carrying->steps.count = 0;
	for (uint32_t step = 0; step < profile->steps.count; step++)
		if (step == outside || tfp_trace_step_span(profile, trace, file, step, &span))
			*tfp_array_push(&carrying->steps) = (struct tfp_begun_step){
				tfp_trace_step_begin(profile, file, step) / unit, step};
	if (carrying->steps.count)
		qsort(carrying->steps.at, carrying->steps.count, sizeof(*carrying->steps.at),
		      by_begin);
}

/* TELLER holds so many BYTES from the beginning of a step on, if it says nothing in it. */
static void hold(struct tfp_carrying *carrying, uint32_t teller, const struct tfp_begun_step *at,
		 int64_t bytes)
{
	const struct tfp_carried *carried = &carrying->all.at[teller];

	if (bytes > 0 && !tfp_counting_has(carrying->counting, at->step, teller))
		tfp_profile_add_alloc(carrying->counting->profile,
				      &(struct tfp_alloc){.node = carrying->counting->before,
							  .step = at->step,
							  .allocator = carried->allocator,
							  .file = carried->file,
							  .time = at->begin,
							  .bytes = bytes});
}

/* The steps that are left begin behind the last record of each. */
static void end_file(struct tfp_carrying *carrying)
{
	for (uint32_t teller = 0; teller < carrying->all.count; teller++) {
		struct tfp_carried *carried = &carrying->all.at[teller];

		while (carried->met && carried->file == carrying->file &&
		       carried->next < carrying->steps.count)
			hold(carrying, teller, &carrying->steps.at[carried->next++], carried->held);
	}
}

static struct tfp_carried *carried_of(struct tfp_carrying *carrying, uint32_t teller,
				      const struct tfp_alloc *alloc)
{
	struct tfp_carried *carried;

	while (carrying->all.count <= teller)
		*tfp_array_push(&carrying->all) = (struct tfp_carried){.met = false};
	carried = &carrying->all.at[teller];
	carried->met = true;
	carried->allocator = alloc->allocator;
	carried->file = alloc->file;
	return carried;
}

void tfp_carrying_pass(struct tfp_carrying *carrying, const struct tfp_alloc *alloc, int64_t total,
		       bool recorded)
{
	uint32_t teller = tfp_counting_teller(carrying->counting, alloc);
	bool told = carrying->counting->tells.at[teller];
	struct tfp_carried *carried = carried_of(carrying, teller, alloc);
	int64_t bytes = told || recorded ? alloc->bytes : 0;
	int64_t after = told && total >= 0 ? total : tfp_wrap_add(carried->held, bytes);
	int64_t before = tfp_wrap_add(after, tfp_wrap_mul(bytes, -1));

	if (!carrying->begun || carrying->file != alloc->file) {
		end_file(carrying);
		list_steps(carrying, alloc->file);
	}
	while (carried->next < carrying->steps.count &&
	       carrying->steps.at[carried->next].begin <= alloc->time)
		hold(carrying, teller, &carrying->steps.at[carried->next++], before);
	carried->held = after;
}

void tfp_carrying_end(struct tfp_carrying *carrying)
{
	end_file(carrying);
	tfp_array_free(&carrying->steps);
	tfp_array_free(&carrying->all);
}
