/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of traces share: steps as stretches of time, and the order of events. */
#ifndef TFPROF_MODEL_TRACING_H
#define TFPROF_MODEL_TRACING_H

#include "model/private.h"

/* Makes SPAN hold BY, too. */
void tfp_trace_widen_step(struct tfp_step_span *span, const struct tfp_step_span *by);
/* Where what marks steps is of FILE; NULL: of none. */
static inline const char *tfp_trace_path(const struct tfp_profile *profile, uint32_t file)
{
	return file < profile->files.count ? profile->files.at[file].path : NULL;
}
/* Steps are as long as their marks in all files. */
void tfp_trace_widen_steps(struct tfp_profile *profile);
/* Gives steps whose number a file has for an earlier one, too, numbers of their own, and DIAG a note. Marks are not joined. */
void tfp_trace_number_turns(struct tfp_profile *profile, struct tfp_diag *diag);
/* Makes one mark of each step of each file out of all, by file, then number. */
void tfp_trace_join_marks(struct tfp_trace *trace);
/* How many files it is of, by what they mark, which is joined, and by their devices. */
uint32_t tfp_trace_files(const struct tfp_trace *trace);
/* Makes trace.stretches and trace.timelines of the markers of steps. */
void tfp_trace_find_stretches(struct tfp_profile *profile);
/* Whether TIME is in stretch PLACE, which may be of another timeline than LINE. */
static inline bool tfp_stretch_holds(const struct tfp_trace *trace, const struct tfp_timeline *line,
				     size_t place, int64_t time)
{
	return place >= line->first && place < line->end &&
	       trace->stretches.at[place].from <= time &&
	       (place + 1 == line->end || time < trace->stretches.at[place + 1].from);
}
uint32_t tfp_trace_search_step(const struct tfp_trace *trace, uint32_t event, size_t *hint);
/* The step that runs when EVENT begins, in the file of that; as tfp_trace_event_step. Nearly all are in the same as before. */
static inline uint32_t tfp_trace_step_at(const struct tfp_trace *trace, uint32_t event,
					 size_t *hint)
{
	if (trace->timelines.count == 1 &&
	    tfp_stretch_holds(trace, trace->timelines.at, *hint, tfp_trace_start(trace, event)))
		return trace->stretches.at[*hint].step;
	return tfp_trace_search_step(trace, event, hint);
}

/* Is anything of LANE, which is no device's, and counts for a node, in no step? */
bool tfp_trace_any_outside(const struct tfp_trace *trace, const struct tfp_lane *lane);

#define TFP_START_COARSE 1000 /* picoseconds that most clocks tick in */

/* How far VALUE is from the base of PAGE. False: too far for the room, or between its ticks. */
static inline bool tfp_start_low(const struct tfp_start_page *page, int64_t value, uint32_t *low)
{
	uint64_t far = (uint64_t)value - (uint64_t)page->base, ticks = far;

	if (page->tick == TFP_START_COARSE) {
		ticks = far / TFP_START_COARSE;
		if (ticks * TFP_START_COARSE != far)
			return false;
	}
	*low = (uint32_t)ticks;
	return ticks <= UINT32_MAX;
}

/* As tfp_trace_set_start, of an event that is added behind the others. */
static inline void tfp_trace_add_start(struct tfp_trace *trace, uint32_t event, int64_t start)
{
	struct tfp_start_page *page = &trace->start_pages[event >> TFP_START_PAGE_BITS];

	if (page->used && !page->wide && tfp_start_low(page, start, &trace->start_low[event]))
		page->used++;
	else
		tfp_trace_set_start(trace, event, start);
}

/* The COUNT events FROM on start when those did that ORDER names. SPARE: room for as many. */
void tfp_trace_reorder_starts(struct tfp_trace *trace, uint32_t from, uint32_t count,
			      const uint32_t *order, uint32_t *spare);
/* What starts take of memory. */
size_t tfp_trace_start_bytes(const struct tfp_trace *trace);
/* Once they lie as they are to: pages whose starts have come to be near each other take less room. */
void tfp_trace_narrow_starts(struct tfp_trace *trace);

/* Tells the COUNT PIECES, which are arranged, what they are of, and that all of a loop are one run. */
void tfp_trace_join_pieces(struct tfp_trace *trace, const struct tfp_trace_piece *pieces,
			   size_t count);

/* Sorts the events ORDER[0 .. COUNT) as those of one lane; OTHER is room for as many. */
void tfp_trace_sort(const struct tfp_trace *trace, uint32_t *order, uint32_t *other, size_t count);

/* Takes what EVENT, which is a run of a node, has in the range of the node's float operations. */
typedef void tfp_trace_flops_fn(void *data, uint32_t event, int64_t flops);
/* Calls ADD for each run of which there is any. PROFILE's trace is cut to a range. False when the job was cancelled. */
bool tfp_trace_share_flops(const struct tfp_profile *profile, struct tfp_job *job,
			   tfp_trace_flops_fn *add, void *data);

#endif
