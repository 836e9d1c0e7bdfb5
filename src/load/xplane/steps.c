/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps: events of the host mark them, else lines of a device do, else what a session or a function
 * does in one run is taken for one.
 */
#include <stdlib.h>

#include "load/xplane/reader.h"

uint8_t tfp_xsteps_root(struct tfp_span label)
{
	static const char *const names[] = {
		"TraceContext", "SessionRun",   "FunctionRun",
		"RunGraph",     "TfrtModelRun", "BatchingSessionRun",
		"ProcessBatch", "EagerExecute", "ExecutorState::Process",
	};

	for (uint8_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tfp_span_equal(label, tfp_span_of(names[i])))
			return i + 1;
	return 0;
}

static bool is_called_a_step(struct tfp_span label)
{
	static const char *const heads[] = {"train", "test", "TraceContext"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (tfp_span_begins(label, tfp_span_of(heads[i])))
			return !memchr(label.at, '/', label.size);
	return false;
}

void tfp_xsteps_note(struct tfp_xreader *reader, const struct tfp_xlabel *label,
		     const struct tfp_xvalues *stats, int64_t start, int64_t end)
{
	struct tfp_xmarker marker = {
		.number = tfp_xvalue_int(stats, XSTAT_STEP),
		.start = start,
		.end = end,
		.label = label->text,
	};

	if (!tfp_xvalues_have(stats, XSTAT_STEP))
		marker.kind = (uint8_t)(XMARKER_ROOT + label->root);
	else if (tfp_xvalue_int(stats, XSTAT_ROOT) == 1)
		marker.kind = XMARKER_STEP;
	else if (is_called_a_step(tfp_strings_get(reader->profile->strings, label->text)))
		marker.kind = XMARKER_NAMED;
	else
		return;
	*tfp_array_push(&reader->markers) = marker;
}

/* A label that is a number and nothing else. */
static bool read_number(struct tfp_span label, int64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < label.size; i++) {
		if (label.at[i] < '0' || label.at[i] > '9' || i > 17)
			return false;
		*number = *number * 10 + (label.at[i] - '0');
	}
	return label.size;
}

void tfp_xsteps_note_device(struct tfp_xreader *reader, struct tfp_span label,
			    const struct tfp_xvalues *stats, int64_t start, int64_t end)
{
	struct tfp_xmarker marker = {.start = start, .end = end, .kind = XMARKER_DEVICE};
	bool named = !read_number(label, &marker.number);

	if (tfp_xvalues_have(stats, XSTAT_STEP))
		marker.number = tfp_xvalue_int(stats, XSTAT_STEP);
	else if (named && tfp_xvalues_have(stats, XSTAT_GROUP))
		marker.number = tfp_xvalue_int(stats, XSTAT_GROUP);
	else if (named)
		return;
	if (named)
		marker.label = tfp_strings_add(reader->profile->strings, label.at, label.size);
	*tfp_array_push(&reader->markers) = marker;
}

/* ---- which of them count --------------------------------------------------------------------- */

/* Steps are kept in the order of their numbers: those that come in it need no others to move. */
static int by_number(const void *left, const void *right)
{
	const struct tfp_xmarker *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int by_start(const void *left, const void *right)
{
	const struct tfp_xmarker *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

/* Leaves the markers of the least kind. */
static uint8_t keep_best(struct tfp_xreader *reader)
{
	uint8_t best = UINT8_MAX;
	size_t kept = 0;

	for (size_t i = 0; i < reader->markers.count; i++)
		if (reader->markers.at[i].kind < best)
			best = reader->markers.at[i].kind;
	for (size_t i = 0; i < reader->markers.count; i++)
		if (reader->markers.at[i].kind == best)
			reader->markers.at[kept++] = reader->markers.at[i];
	reader->markers.count = kept;
	return best;
}

/* Roots are counted in time; one inside another is part of that. */
static void number_roots(struct tfp_xreader *reader)
{
	struct tfp_xmarker *markers = reader->markers.at;
	size_t kept = 0;

	qsort(markers, reader->markers.count, sizeof(*markers), by_start);
	for (size_t i = 0; i < reader->markers.count; i++) {
		if (kept && markers[i].start < markers[kept - 1].end)
			continue;
		markers[kept] = markers[i];
		markers[kept].number = (int64_t)kept;
		kept++;
	}
	reader->markers.count = kept;
}

void tfp_xsteps_mark(struct tfp_xreader *reader)
{
	if (!reader->markers.count)
		return;
	if (keep_best(reader) >= XMARKER_ROOT)
		number_roots(reader);
	qsort(reader->markers.at, reader->markers.count, sizeof(*reader->markers.at), by_number);
	for (size_t i = 0; i < reader->markers.count; i++) {
		const struct tfp_xmarker *marker = &reader->markers.at[i];

		if (marker->number == TFP_STEP_OUTSIDE)
			tfp_xproblem(reader, TFP_WARNING,
				     "a step has the number -1; it is no step");
		else
			tfp_trace_mark_step(reader->profile, reader->file, marker->number,
					    marker->label, marker->start, marker->end);
	}
}
