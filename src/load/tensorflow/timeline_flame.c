/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines that are flame graphs, as our own output writes them of the scope view: each level of the
 * tree is a process, each event is as long as all that is below it, which must not count twice.
 */
#include <string.h>

#include "load/tensorflow/timeline.h"

void tfp_timeline_read_level(struct tfp_timeline_process *process, struct tfp_span name)
{
	struct tfp_span before = TFP_SPAN("Scope:");

	process->level = name.size > before.size && !memcmp(name.at, before.at, before.size);
	if (!process->level)
		return;
	process->typed = tfp_span_holds(name, " of ");
	process->device.accelerator = tfp_span_holds(name, " of device time");
}

bool tfp_timeline_is_flame(const struct tfp_timeline_read *timeline)
{
	for (size_t i = 0; i < timeline->processes.count; i++)
		if (!timeline->processes.at[i].level)
			return false;
	return timeline->events.count > 0;
}

/* Is NAME that of something in the scope ABOVE? */
static bool is_in(struct tfp_span name, struct tfp_span above)
{
	return name.size > above.size && name.at[above.size] == '/' &&
	       !memcmp(name.at, above.at, above.size);
}

/*
 * Takes EVENT, at LEVEL, off the time of the last event before it that is a level up; ABOVE are those
 * of the levels above.
 */
static bool take_part(struct tfp_timeline_event *const *above, size_t level,
		      const struct tfp_timeline_event *event, const struct tfp_strings *strings)
{
	struct tfp_timeline_event *parent;

	if (!level)
		return true;
	parent = above[level - 1];
	parent->duration = tfp_wrap_add(parent->duration, tfp_wrap_mul(event->duration, -1));
	return level == 1 ||
	       is_in(tfp_strings_get(strings, event->node), tfp_strings_get(strings, parent->node));
}

/* What is in scopes is below level 0, which is no node. Where levels are not typed, types were not written. */
static void drop_sums(struct tfp_timeline_read *timeline)
{
	size_t kept = 0;

	for (size_t i = 0; i < timeline->events.count; i++) {
		struct tfp_timeline_event *event = &timeline->events.at[i];

		const struct tfp_timeline_process *process =
			&timeline->processes.at[event->process];

		if (!process->id || event->duration <= 0)
			continue;
		event->op = process->typed ? event->op : 0;
		timeline->events.at[kept++] = *event;
	}
	timeline->events.count = kept;
}

bool tfp_timeline_unnest(struct tfp_timeline_read *timeline, const struct tfp_strings *strings)
{
	TFP_ARRAY(struct tfp_timeline_event *) above = {0};
	bool nested = true;

	for (size_t i = 0; i < timeline->events.count && nested; i++) {
		struct tfp_timeline_event *event = &timeline->events.at[i];
		size_t level = (size_t)timeline->processes.at[event->process].id;

		nested = level <= above.count && take_part(above.at, level, event, strings);
		if (!nested)
			break;
		above.count = level;
		*tfp_array_push(&above) = event;
	}
	tfp_array_free(&above);
	if (nested)
		drop_sums(timeline);
	return nested;
}
