/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations by step and time, as stretches that lie so: see alloclist.h. */
#include "view/pane/alloclist.h"

#include <stdlib.h>

/* ---- all, in order --------------------------------------------------------------------------- */

static bool says_something(const struct tfp_profile *profile, const struct tfp_alloc *alloc)
{
	return alloc->bytes && alloc->step < profile->steps.count;
}

/* Those that lie in order one after another, as far as they do; or each by itself: ALONE. */
static void find_runs(struct tfp_alloc_runs *runs, bool alone)
{
	const struct tfp_allocs *allocs = &runs->profile->allocs;
	struct tfp_alloc_run *run = NULL;
	struct tfp_alloc last = {0};

	runs->list.count = 0;
	for (uint32_t i = 0; i < allocs->count; i++) {
		struct tfp_alloc alloc = tfp_allocs_get(allocs, i);

		if (!says_something(runs->profile, &alloc))
			continue;
		if (!alone && run && run->end == i && alloc.step == last.step &&
		    alloc.time >= last.time) {
			run->end++;
		} else {
			run = tfp_array_push(&runs->list);
			*run = (struct tfp_alloc_run){i, i + 1};
		}
		last = alloc;
	}
}

static int by_step_and_time(const void *left, const void *right, void *data)
{
	const struct tfp_alloc_run *of_a = left, *of_b = right;
	const struct tfp_alloc_runs *runs = data;
	struct tfp_alloc a = tfp_allocs_get(&runs->profile->allocs, of_a->first);
	struct tfp_alloc b = tfp_allocs_get(&runs->profile->allocs, of_b->first);

	if (a.step != b.step)
		return a.step < b.step ? -1 : 1;
	return a.time < b.time ? -1 : a.time > b.time;
}

/* Must some of RUN come behind some of NEXT, which is the run behind it? */
static bool is_mixed(const struct tfp_allocs *allocs, const struct tfp_alloc_run *run,
		     const struct tfp_alloc_run *next)
{
	struct tfp_alloc last = tfp_allocs_get(allocs, run->end - 1);
	struct tfp_alloc first = tfp_allocs_get(allocs, next->first);

	if (last.step != first.step)
		return false;
	return first.time < last.time || (first.time == last.time && next->first < run->first);
}

/* Sorts the runs; false: that of a step is no order by time. */
static bool sort_runs(struct tfp_alloc_runs *runs)
{
	const struct tfp_allocs *allocs = &runs->profile->allocs;

	tfp_sort_nearly(runs->list.at, runs->list.count, sizeof(*runs->list.at), by_step_and_time,
			runs);
	for (size_t i = 1; i < runs->list.count; i++)
		if (is_mixed(allocs, &runs->list.at[i - 1], &runs->list.at[i]))
			return false;
	return true;
}

static void find_steps(struct tfp_alloc_runs *runs)
{
	const struct tfp_profile *profile = runs->profile;
	size_t steps = profile->steps.count, run = 0;

	runs->first = tfp_alloc_zero(steps + 1, sizeof(*runs->first));
	for (size_t step = 0; step <= steps; step++) {
		while (run < runs->list.count &&
		       tfp_allocs_get(&profile->allocs, runs->list.at[run].first).step < step)
			run++;
		runs->first[step] = (uint32_t)run;
	}
}

void tfp_alloc_runs_make(struct tfp_alloc_runs *runs, const struct tfp_profile *profile)
{
	*runs = (struct tfp_alloc_runs){.profile = profile};
	find_runs(runs, false);
	if (!sort_runs(runs)) {
		find_runs(runs, true);
		sort_runs(runs);
	}
	find_steps(runs);
}

void tfp_alloc_runs_free(struct tfp_alloc_runs *runs)
{
	tfp_array_free(&runs->list);
	free(runs->first);
}

/* ---- those of a step ------------------------------------------------------------------------- */

/* The range of time, where there is one. */
static void set_range(struct tfp_alloc_list *list, const struct tfp_trace *trace)
{
	if (!trace || !trace->whole)
		return;
	list->file = trace->file;
	if (trace->from == INT64_MIN)
		return;
	list->from = trace->from / tfp_alloc_unit(trace);
	list->to = trace->to / tfp_alloc_unit(trace);
}

struct tfp_alloc_list tfp_alloc_list_of(const struct tfp_alloc_runs *runs, uint32_t step)
{
	struct tfp_alloc_list list = {
		.from = INT64_MIN,
		.to = INT64_MAX,
		.file = TFP_NONE,
		.allocator = TFP_NONE,
		.micro = runs->profile->trace ? 1000 : 1,
		.allocs = &runs->profile->allocs,
	};

	set_range(&list, runs->profile->trace);
	if (step >= runs->profile->steps.count || runs->first[step] == runs->first[step + 1])
		return list;
	list.run = runs->list.at + runs->first[step];
	list.last = runs->list.at + runs->first[step + 1];
	list.at = list.run->first;
	return list;
}
