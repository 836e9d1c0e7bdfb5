/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps: events of the host mark them, else lines of a device do, else what a session or a function
 * does in one run is taken for one, or each run of the one module that nearly all time goes to.
 */
#include <stdlib.h>
#include <string.h>

#include "load/xplane/reader.h"

/* Events around what one run does, the surest first. Those of modules are one within another, of which one says the name. */
static const char *const roots[] = {
	"TraceContext",
	"SessionRun",
	"FunctionRun",
	"RunGraph",
	"TfrtModelRun",
	"BatchingSessionRun",
	"ProcessBatch",
	"EagerExecute",
	"ExecutorState::Process",
	"PJRT_LoadedExecutable_Execute",
	"PjRtStreamExecutorLoadedExecutable::Execute",
	"GpuExecutable::ExecuteThunks",
};

enum {
	ROOT_FUNCTION = 3,
	ROOT_EAGER = 8,
	ROOT_MODULE = 10, /* from here on they are of modules, and of one kind */
	LEAST_RUNS = 3,   /* of a module that are steps, */
};

#define LEAST_SHARE 0.75 /* which take so much of the time of all modules' runs */

uint8_t tfp_xsteps_root(struct tfp_span label)
{
	for (uint8_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (tfp_span_is(label, roots[i]))
			return i + 1 < ROOT_MODULE ? i + 1 : ROOT_MODULE;
	return 0;
}

/* What a marker says that it is of; 0: nothing. */
static tfp_str said_by(struct tfp_xreader *reader, const struct tfp_xplane *plane,
		       const struct tfp_xvalues *stats, enum tfp_xstat stat)
{
	struct tfp_span name = tfp_xvalue_text(plane, stats, stat);

	return name.size ? tfp_strings_add(reader->profile->strings, name.at, name.size) : 0;
}

static bool is_called_a_step(struct tfp_span label)
{
	static const char *const heads[] = {"train", "test", "TraceContext"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (tfp_span_begins(label, tfp_span_of(heads[i])))
			return !memchr(label.at, '/', label.size);
	return false;
}

/* What tells no step itself counts only where nothing does: there may be millions of it. */
static void keep(struct tfp_xreader *reader, const struct tfp_xmarker *marker)
{
	uint8_t kept = reader->markers.count ? reader->markers.at[0].kind : UINT8_MAX;

	if (kept < XMARKER_ROOT && marker->kind > kept)
		return;
	if (marker->kind < XMARKER_ROOT && marker->kind < kept)
		reader->markers.count = 0;
	*tfp_array_push(&reader->markers) = *marker;
}

/* The number of a step. False: STAT is none, and what it is of is no marker. */
static bool read_stat(struct tfp_xreader *reader, const struct tfp_xplane *plane,
		      const struct tfp_xvalues *stats, enum tfp_xstat stat, int64_t *number)
{
	bool whole = tfp_xvalue_whole(plane, stats, stat, number);

	if (!whole)
		tfp_xproblem(reader, TFP_NOTE, "a step has no whole number; it is no step");
	return whole;
}

void tfp_xsteps_note(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		     const struct tfp_xlabel *label, const struct tfp_xvalues *stats, int64_t start,
		     int64_t end)
{
	struct tfp_xmarker marker = {
		.start = start,
		.end = end,
		.label = label->text,
		.lane = track->lane,
	};
	int64_t root;
	tfp_str type; /* "train", "test": what TensorFlow's TraceContext is of */

	if (!tfp_xvalues_have(stats, XSTAT_STEP))
		marker.kind = (uint8_t)(XMARKER_ROOT + label->root);
	else if (!read_stat(reader, track->plane, stats, XSTAT_STEP, &marker.number))
		return;
	else if (tfp_xvalues_have(stats, XSTAT_ROOT) &&
		 tfp_xvalue_whole(track->plane, stats, XSTAT_ROOT, &root) && root == 1)
		marker.kind = XMARKER_STEP;
	else if (is_called_a_step(tfp_strings_get(reader->profile->strings, label->text)))
		marker.kind = XMARKER_NAMED;
	else
		return;
	type = said_by(reader, track->plane, stats, XSTAT_GRAPH_TYPE);
	if (marker.kind == XMARKER_ROOT + ROOT_MODULE)
		marker.label = said_by(reader, track->plane, stats, XSTAT_MODULE_NAME);
	else if (marker.kind < XMARKER_ROOT && type)
		marker.label = type;
	keep(reader, &marker);
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

void tfp_xsteps_note_device(struct tfp_xreader *reader, const struct tfp_xtrack *track,
			    struct tfp_span label, const struct tfp_xvalues *stats, int64_t start,
			    int64_t end)
{
	struct tfp_xmarker marker = {
		.start = start, .end = end, .lane = track->lane, .kind = XMARKER_DEVICE};
	bool named = !read_number(label, &marker.number);
	enum tfp_xstat stat = tfp_xvalues_have(stats, XSTAT_STEP)             ? XSTAT_STEP
			      : named && tfp_xvalues_have(stats, XSTAT_GROUP) ? XSTAT_GROUP
									      : XSTAT_NONE;

	if (stat != XSTAT_NONE && !read_stat(reader, track->plane, stats, stat, &marker.number))
		return;
	if (stat == XSTAT_NONE && named)
		return;
	if (named)
		marker.label = tfp_strings_add(reader->profile->strings, label.at, label.size);
	keep(reader, &marker);
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

static int by_lane(const void *left, const void *right)
{
	const struct tfp_xmarker *a = left, *b = right;

	return a->lane != b->lane ? (a->lane < b->lane ? -1 : 1) : by_start(left, right);
}

/* A function that Python calls lasts as long as its call. Returns how many there are. */
static size_t find_called(struct tfp_xreader *reader)
{
	struct tfp_xmarker call = {.lane = TFP_NONE};
	size_t found = 0;

	qsort(reader->markers.at, reader->markers.count, sizeof(*reader->markers.at), by_lane);
	for (size_t i = 0; i < reader->markers.count; i++) {
		struct tfp_xmarker *marker = &reader->markers.at[i];
		bool inside = marker->lane == call.lane && marker->start < call.end;

		if (marker->kind == XMARKER_ROOT + ROOT_EAGER && !inside) {
			call = *marker;
		} else if (marker->kind == XMARKER_ROOT + ROOT_FUNCTION && inside) {
			marker->start = call.start;
			marker->end = call.end;
			marker->called = true;
			found++;
		}
	}
	return found;
}

/* Where Python calls functions, those that nobody called are no steps: data sets run them, for each of their elements. */
static void keep_called(struct tfp_xreader *reader)
{
	size_t kept = 0;

	if (!find_called(reader))
		return;
	for (size_t i = 0; i < reader->markers.count; i++)
		if (reader->markers.at[i].called ||
		    reader->markers.at[i].kind != XMARKER_ROOT + ROOT_FUNCTION)
			reader->markers.at[kept++] = reader->markers.at[i];
	reader->markers.count = kept;
}

/* Roots in time; one inside another is part of that, and may say what it is called. */
static void join_roots(struct tfp_xreader *reader)
{
	struct tfp_xmarker *markers = reader->markers.at;
	size_t kept = 0;

	qsort(markers, reader->markers.count, sizeof(*markers), by_start);
	for (size_t i = 0; i < reader->markers.count; i++) {
		if (!kept || markers[i].start >= markers[kept - 1].end)
			markers[kept++] = markers[i];
		else if (!markers[kept - 1].label)
			markers[kept - 1].label = markers[i].label;
	}
	reader->markers.count = kept;
}

static int by_label(const void *left, const void *right)
{
	const struct tfp_xmarker *a = left, *b = right;

	return a->label != b->label ? (a->label < b->label ? -1 : 1) : by_start(left, right);
}

/* Leaves the runs of the module that takes nearly all the time, if it runs again and again; else none. */
static void keep_module(struct tfp_xreader *reader)
{
	struct tfp_xmarker *markers = reader->markers.at;
	size_t count = reader->markers.count, best = 0, runs = 0, first = 0;
	double whole = 0, most = 0, time = 0;

	qsort(markers, count, sizeof(*markers), by_label);
	for (size_t i = 0; i < count; i++) {
		time += (double)markers[i].end - (double)markers[i].start;
		if (i + 1 < count && markers[i + 1].label == markers[i].label)
			continue;
		if (markers[i].label && time > most) {
			most = time;
			best = first;
			runs = i + 1 - first;
		}
		whole += time;
		time = 0;
		first = i + 1;
	}
	if (runs < LEAST_RUNS || most < LEAST_SHARE * whole)
		runs = 0;
	memmove(markers, markers + best, runs * sizeof(*markers));
	reader->markers.count = runs;
}

/* Roots are counted in time. Nobody called them steps: what they are is said. */
static void number_roots(struct tfp_xreader *reader, bool modules)
{
	struct tfp_profile *profile = reader->profile;
	const char *label;

	join_roots(reader);
	if (modules)
		keep_module(reader);
	if (!reader->markers.count)
		return;
	for (size_t i = 0; i < reader->markers.count; i++)
		reader->markers.at[i].number = (int64_t)i;
	label = tfp_strings_text(profile->strings, reader->markers.at[0].label);
	if (!profile->steps_by)
		profile->steps_by = reader->markers.at[0].label;
	tfp_xproblem(reader, TFP_NOTE, "no steps are marked: each run of %s is taken for one",
		     label);
}

void tfp_xsteps_mark(struct tfp_xreader *reader)
{
	uint8_t best;

	if (!reader->markers.count)
		return;
	keep_called(reader);
	best = keep_best(reader);
	if (best >= XMARKER_ROOT)
		number_roots(reader, best == XMARKER_ROOT + ROOT_MODULE);
	if (!reader->markers.count)
		return;
	qsort(reader->markers.at, reader->markers.count, sizeof(*reader->markers.at), by_number);
	for (size_t i = 0; i < reader->markers.count; i++) {
		const struct tfp_xmarker *marker = &reader->markers.at[i];

		if (marker->number == TFP_STEP_OUTSIDE)
			tfp_xproblem(reader, TFP_WARNING,
				     "a step has the number -1; it is no step");
		else
			tfp_trace_mark_step(reader->profile, reader->file, marker->lane,
					    marker->number, marker->label, marker->start,
					    marker->end);
	}
	if (best >= XMARKER_ROOT)
		tfp_trace_count_steps(reader->profile->trace, reader->file);
}

/* ---- markers that outlive what they began in ------------------------------------------------- */

/* The first event of LANE from FROM on that starts at TIME or later; it is not far. */
static uint32_t first_from(const struct tfp_trace *trace, const struct tfp_lane *lane,
			   uint32_t from, int64_t time)
{
	size_t end = (size_t)lane->first + lane->count, low = from, high, stride = 1;

	while (low + stride < end && tfp_trace_start(trace, (uint32_t)(low + stride)) < time) {
		low += stride;
		stride *= 2;
	}
	high = low + stride < end ? low + stride : end;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tfp_trace_start(trace, (uint32_t)middle) < time)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* How many events of LANE from AT on are MARKER and end after what is around them. AT goes on behind them. */
static uint32_t pass_marker(const struct tfp_trace *trace, const struct tfp_lane *lane,
			    const struct tfp_xmarker *marker, uint32_t *at)
{
	uint32_t end = lane->first + lane->count, count = 0;

	*at = first_from(trace, lane, *at, marker->start);
	for (; *at < end && tfp_trace_start(trace, *at) == marker->start &&
	       tfp_trace_end(trace, *at) >= marker->end;
	     ++*at) {
		uint32_t around = tfp_trace_link(trace, *at);

		count += tfp_trace_end(trace, *at) == marker->end && around != TFP_NONE &&
			 marker->end > tfp_trace_end(trace, around);
	}
	return count;
}

uint32_t tfp_xsteps_outliving(struct tfp_xreader *reader)
{
	const struct tfp_trace *trace = reader->trace;
	const struct tfp_xmarker *markers = reader->markers.at;
	uint32_t count = 0, at = 0;

	if (!reader->markers.count || markers->kind == XMARKER_DEVICE)
		return 0;
	qsort(reader->markers.at, reader->markers.count, sizeof(*markers), by_lane);
	for (size_t i = 0; i < reader->markers.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[markers[i].lane];

		if (!i || markers[i - 1].lane != markers[i].lane)
			at = lane->first;
		count += pass_marker(trace, lane, &markers[i], &at);
	}
	return count;
}
