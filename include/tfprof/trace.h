/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace: what a recording of events has besides sums: each event with its time, on the lane where it
 * happened. A loader of a trace makes lanes, adds events, nests them, gives each a node, and tallies;
 * the sums then stand in the cells of the profile, like those of any other format.
 *
 * Vocabulary
 *	device  a GPU, a TPU, or a host: what has lanes
 *	lane    a stream of a device, or a thread of a host: a row of the timeline
 *	event   something that happened on a lane, from start to start + duration
 *	work    what ran on a device: a kernel with its grid, a copy, a fill. Equal works are one
 *	launch  the host's event that started a device's event
 *	owner   the node that an event counts for: of a device's event the op that launched it
 */
#ifndef TFPROF_TRACE_H
#define TFPROF_TRACE_H

#include "tfprof/model.h"
#include "tfprof/near.h"

/* ---- metrics ---------------------------------------------------------------------------------- */

/* The metrics with these indices are in every profile with a trace. Times are in the trace's unit. */
enum tfp_trace_metric {
	TFP_TRACE_DEVICE, /* "device": sum of the device events that a node owns */
	TFP_TRACE_BUSY, /* "busy": the time in which at least one of them runs, by device; TFP_UNION */
	TFP_TRACE_HOST, /* "host": time of host events, less what is nested in them */
	TFP_TRACE_RUNS, /* "occurrence": host events; device events of a node without host events */
	TFP_TRACE_LAUNCHES, /* "launches": device events, each that goes on in pieces once */
	TFP_TRACE_BYTES, /* "bytes": moved by copies, or by the ops where the file says so, as works have it */
	/*
	 * "float_ops": nodes.float_ops, which is of one run, times the runs; of a trace cut to a range what its runs have
	 * there, which is in the cells: see tfp_trace_tally
	 */
	TFP_TRACE_FLOPS,
	TFP_TRACE_METRICS /* the cell column of each is its index */
};

/* "length": of each step by its marker, where any has one; behind the metrics of the loader. TFP_LENGTH */
#define TFP_LENGTH_KEY "length"

/* ---- what happened ---------------------------------------------------------------------------- */

enum tfp_lane_kind {
	TFP_LANE_DEVICE,  /* a stream: events may overlap, and do not nest */
	TFP_LANE_HOST,    /* a thread: events nest */
	TFP_LANE_DERIVED, /* says again what other lanes say: drawn, never summed */
	TFP_LANE_PYTHON, /* the Python calls of a host thread, where they are apart from its ops: nest; their
			     self time is no metric of their own, ops have it */
};

struct tfp_trace_device {
	tfp_str name;  /* "/device:GPU:0", "rank 3 gpu 0", "host" */
	tfp_str own;   /* the same without the rank or host that it begins with; 0: with none */
	tfp_str model; /* "NVIDIA H200"; 0 unknown */
	bool host;
	uint32_t file;         /* index in profile.files: which host or rank */
	uint32_t rank;         /* the rank's number and 1; 0: the file has none */
	int64_t place;         /* among those of its file: those with less stand before it */
	int64_t moved;         /* how far its times were moved, see tfp_trace_align */
	double peak_flops;     /* a second; 0 unknown */
	double peak_bandwidth; /* bytes a second; 0 unknown */
};

/* What its rank is called: a file that says none has that of its place. */
static inline int64_t tfp_device_rank(const struct tfp_trace_device *device)
{
	return device->rank ? (int64_t)device->rank - 1 : device->file;
}

struct tfp_lane {
	uint32_t device;
	tfp_str name; /* "Stream #14(Compute)", "python3 (419)" */
	enum tfp_lane_kind kind;
	bool made;             /* at loading: the file does not have it */
	bool samples;          /* of where its thread was now and then: they take no time */
	int64_t id;            /* of the file: a stream's number, a thread's */
	int64_t place;         /* among those of its device: those with less stand before it */
	uint32_t first, count; /* private to model until arranged; then its events */
	uint32_t thread; /* of a TFP_LANE_PYTHON: the lane of the same thread's ops, TFP_NONE */
};

enum tfp_work_class {
	TFP_WORK_KERNEL,
	TFP_WORK_COPY,
	TFP_WORK_FILL,
	TFP_WORK_COMM,
	TFP_WORK_OTHER
};

struct tfp_trace_work {
	tfp_str name;              /* of the kernel; "Memcpy DtoH (Device -> Pageable)" */
	uint8_t class;             /* enum tfp_work_class */
	int32_t grid[3], block[3]; /* 0: unknown */
	int64_t bytes;             /* that a copy or fill moves; 0 unknown */
	int32_t registers, static_shared, dynamic_shared; /* -1 unknown */
	int32_t occupancy;                                /* hundredths of a percent; -1 unknown */
};

/*
 * A chip's loop or call, LOOP, holds other ops, and is an event of a derived lane. What it takes between them are EVENTs of the device,
 * pieces of it, which have one node and work. All are one run.
 */
struct tfp_trace_piece {
	uint32_t event, loop;
};

/* A step's time by its marker on the host. Where a step has several markers, from the first's start to the last's end. */
struct tfp_step_span {
	int64_t start, end;
};

/* A step's time in one file of several: each has a clock of its own. */
struct tfp_step_mark {
	struct tfp_step_span span;
	int64_t number;
	uint32_t file;
	bool counted; /* nobody numbered it: see tfp_trace_count_steps */
	/* Until turns are told apart: the lane that says it, what it is called, which time its number comes there, and when another began last */
	uint32_t lane, turn;
	tfp_str label;
	int64_t other;
};

/* The number of the step that stands for what is in none. */
#define TFP_STEP_OUTSIDE INT64_C(-1)

/* From FROM until the next stretch the innermost step open is STEP, TFP_NONE none. */
struct tfp_stretch {
	int64_t from;
	uint32_t step;
};

/* The stretches of one file, FIRST to END; none: it has no steps. */
struct tfp_timeline {
	size_t first, end;
};

/* Private to model: what the starts of events that lie together are counted from. */
struct tfp_start_page {
	int64_t base;
	int64_t *
		wide; /* the starts themselves, where they are too far from each other; else NULL */
	uint32_t tick, used;
};

struct tfp_trace {
	enum tfp_unit unit;  /* TFP_NANOS or TFP_PICOS: of all times here and of the time metrics */
	int64_t epoch_nanos; /* what time 0 is, in ns since 1970; 0 unknown */
	int64_t begin, end;  /* of all events, once tallied */
	TFP_ARRAY(struct tfp_trace_device) devices;
	TFP_ARRAY(struct tfp_lane) lanes;
	TFP_ARRAY(struct tfp_trace_work) works;
	/* by index of profile.steps, in all files; start above end: no marker. See tfp_trace_mark_step */
	TFP_ARRAY(struct tfp_step_span) steps;
	/* Events, in columns. Once arranged those of a lane lie together, by start, then longest first, then as added */
	uint32_t count, room;
	/*
	 * Events on lanes of the kind TFP_LANE_DEVICE, by device, then by start: once tallied. Without an order they lie so,
	 * from the first on. tfp_trace_device_event reads them
	 */
	uint32_t *device_order, first_device_event, device_events;
	/* Cells are of single steps; else the one of each node is of all steps together, its step TFP_NONE */
	bool by_step;
	/* Of those the ones with no op found, which have a node "no operation found" for each work */
	struct {
		uint32_t events;
		int64_t time;
	} unowned;
	/*
	 * Of one cut to a range of time, or to a file: what it was, else NULL; and the range, within the recording,
	 * in its clock: from INT64_MIN where there is none
	 */
	struct tfp_trace *whole;
	int64_t from, to;
	uint32_t file; /* whose events count alone; TFP_NONE: all */

	/*
	 * Private to model: what is the same for many events, or fits half of the room, is kept so, as there are
	 * millions of them. tfp_trace_start, tfp_trace_duration, tfp_trace_lane, tfp_trace_node, tfp_trace_link and
	 * tfp_trace_work_of read it
	 */
	struct tfp_near node, link, work;
	uint32_t *start_low; /* the start, in ticks from the base of its page */
	struct tfp_start_page *start_pages;
	uint32_t *span;           /* the duration; with TFP_SPAN_LONG, a place in longs */
	TFP_ARRAY(int64_t) longs; /* durations for which that has no room */
	/* events and lanes that were put in order, of files before: what comes is behind them, and of other lanes */
	uint32_t settled, settled_lanes;
	uint32_t *
		lanes_of; /* by event that is not settled, while those of a lane do not lie together, else NULL */
	uint32_t last_lane;             /* that has events where they do; TFP_NONE */
	TFP_ARRAY(uint32_t) lane_pages; /* by page of events: the lane of its first, and one more */

	TFP_ARRAY(uint64_t) joined; /* by event, a bit each; none behind the last that is */
	struct tfp_near loop; /* by piece of a loop, that; without room where there are none */

	struct tfp_lookup *work_table;
	TFP_ARRAY(struct tfp_step_mark) marks;
	TFP_ARRAY(struct tfp_stretch)
	stretches; /* of the time in which one step runs, in order in each timeline */
	/* of all files together; behind it, where there are several, that of each, by its index */
	TFP_ARRAY(struct tfp_timeline) timelines;
};

/*
 * Makes PROFILE one with a trace (profile.trace), with the metrics above; the loader may add more behind them, whose
 * cells it fills itself. Times that it adds later are in UNIT.
 */
struct tfp_trace *tfp_profile_make_trace(struct tfp_profile *profile, enum tfp_unit unit);

/* Adds: return the index. A work that is there already is not added again. */
uint32_t tfp_trace_add_device(struct tfp_trace *trace, const struct tfp_trace_device *device);
uint32_t tfp_trace_add_lane(struct tfp_trace *trace, const struct tfp_lane *lane);
uint32_t tfp_trace_add_work(struct tfp_profile *profile, const struct tfp_trace_work *work);
/* Room for COUNT more events. */
void tfp_trace_reserve(struct tfp_trace *trace, uint32_t count);
/* A negative duration becomes 0. TAG waits in the column node. */
uint32_t tfp_trace_add(struct tfp_trace *trace, uint32_t lane, int64_t start, int64_t duration,
		       uint32_t tag, uint32_t work, uint32_t link);

/*
 * Makes the step NUMBER where it is new, and widens its span to hold what is from START to END by the clock of FILE,
 * an index in profile.files. LANE says so: what comes there again with that number is another step, which tfp_trace_align tells.
 */
void tfp_trace_mark_step(struct tfp_profile *profile, uint32_t file, uint32_t lane, int64_t number,
			 tfp_str label, int64_t start, int64_t end);

/*
 * The steps of FILE, which were marked last, are what its program did over and over, counted from the first: their numbers may be
 * others in another file. Does any file number its own?
 */
void tfp_trace_count_steps(struct tfp_trace *trace, uint32_t file);
bool tfp_trace_numbers_steps(const struct tfp_trace *trace);
/* Are those of FILE such? Then no step that a program has numbered is one of them, whatever the number. Once tallied. */
bool tfp_trace_counts_steps(const struct tfp_trace *trace, uint32_t file);

/*
 * When step STEP, an index in the steps of PROFILE, is by the clock of FILE: by its own markers, where there are several
 * files. False: it is not marked there. Of TRACE, the profile's or its whole, once tallied.
 */
bool tfp_trace_step_span(const struct tfp_profile *profile, const struct tfp_trace *trace,
			 uint32_t file, uint32_t step, struct tfp_step_span *span);
/* When STEP begins in FILE: by its markers there, where it has none with the recording. Once tallied. */
int64_t tfp_trace_step_begin(const struct tfp_profile *profile, uint32_t file, uint32_t step);
/* Does anything in the recording mark a step? Else all is one, which nobody calls a step. Once tallied. */
bool tfp_trace_marks_steps(const struct tfp_trace *trace);

/* Room for the starts of events, in place of BEFORE now of ROOM; memory of them is freed apart. */
void tfp_trace_resize_starts(struct tfp_trace *trace, size_t before, size_t room);
/* TO, a copy of FROM, gets starts of its own, with room for one more: those of the events from FIRST to END. */
void tfp_trace_copy_starts(struct tfp_trace *to, const struct tfp_trace *from, uint32_t first,
			   uint32_t end);
void tfp_trace_free_starts(struct tfp_trace *trace, size_t room);
void tfp_trace_set_start(struct tfp_trace *trace, uint32_t event, int64_t start);
/* Those of COUNT events FROM on start later BY. */
void tfp_trace_move_starts(struct tfp_trace *trace, uint32_t from, uint32_t count, int64_t by);

/* Of an event that was added. A duration is not negative; a lane can be another until events are arranged. */
void tfp_trace_set_duration(struct tfp_trace *trace, uint32_t event, int64_t duration);
void tfp_trace_set_lane(struct tfp_trace *trace, uint32_t event, uint32_t lane);
void tfp_trace_set_work(struct tfp_trace *trace, uint32_t event, uint32_t work);
/* The events of LANE have no works any more. Once arranged. */
void tfp_trace_clear_works(struct tfp_trace *trace, const struct tfp_lane *lane);

/*
 * EVENT of a host, which is arranged, is one run with the event around it, and gets the node of that: its time and what it
 * launched count for the node, and it is no run. Of a loop all pieces are so but the first.
 */
void tfp_trace_join(struct tfp_trace *trace, uint32_t event);
/* The same is a run, after all. */
void tfp_trace_begin_run(struct tfp_trace *trace, uint32_t event);

/* How events are put in order. Zero: nothing besides. */
struct tfp_arranging {
	bool relink;                    /* links are indices as added, and become the new ones */
	struct tfp_trace_piece *pieces; /* COUNT of them, of events as added */
	size_t count;
	/* with DATA, in another thread while the order is looked for: it may set links. NULL: none */
	void (*meanwhile)(void *data);
	void *data;
};

/* Puts events in their order (see above) and fills first and count of the lanes. */
void tfp_trace_arrange(struct tfp_trace *trace, const struct tfp_arranging *how);
/*
 * Finds of every event of a lane that nests, from FIRST_LANE on, the event around it, into link: pop while
 * top.end <= start, the parent is the top. Needs arranged events. Returns how many begin inside another and end after
 * it, but for derived lanes.
 */
uint32_t tfp_trace_nest(struct tfp_trace *trace, uint32_t first_lane);
/*
 * Files of one run may be of hosts whose clocks differ. Where no step that a file has in common with those before ran while
 * it ran there, the times of the file are moved, so that the first such step begins together, and DIAG gets a note; so it does
 * of one that ran at another time and has no step in common with any. Events are arranged; before they are tallied. Steps that
 * are counted move a file only if it ran at another time than the others. Before that, steps whose number a lane had before get
 * numbers of their own, behind the largest of their file: one that is marked inside another of its number is the same. DIAG gets a note.
 */
void tfp_trace_align(struct tfp_profile *profile, struct tfp_diag *diag);
/*
 * The sums, once every event has its owner and steps have their spans (no step: all is one, of number 0):
 * fills cells with host self time (the duration less what of the nested events overlaps it), device, busy of
 * each node, runs, launches. A device event belongs to the step in which it was launched, where its launch is not
 * known to that in which it starts, a piece of a loop to that in which the loop does, by the markers of its own file; bytes are those of the works; what is in no step to a step of number -1, labelled "outside
 * the steps". Of a range, an event has there the part of its bytes, and a run of its float operations, that device times
 * have. Nodes of device events with no op have TFP_NODE_UNOWNED. Can be done anew when more was added.
 * Unless nodes and steps are few, each node has one cell, of all steps together, until tfp_trace_split. False when cancelled.
 */
bool tfp_trace_tally(struct tfp_profile *profile, struct tfp_job *job);
/*
 * Once tallied, and not cut to a range: makes of the cells those of single steps, for who looks at one, if they are not, and all
 * that are tallied later are such, too. Many steps of many nodes take more room than their events. False when cancelled: all is as before.
 */
bool tfp_trace_split(struct tfp_profile *profile, struct tfp_job *job);
/* The sums alone, into cells without any, once times of events have changed: steps and order stay. */
bool tfp_trace_tally_again(struct tfp_profile *profile, struct tfp_job *job);

/* ---- reading --------------------------------------------------------------------------------------- */

/* All of the recording, of which TRACE may be a range or a file. */
static inline const struct tfp_trace *tfp_trace_whole(const struct tfp_trace *trace)
{
	return trace->whole ? trace->whole : trace;
}

/* Is PROFILE that of a recording of which only a range or a file counts? */
static inline bool tfp_trace_is_cut(const struct tfp_profile *profile)
{
	return profile->trace && profile->trace->whole;
}

/* Is TRACE cut to a range of time, from TRACE->from to TRACE->to? Else it may be cut to a rank. */
static inline bool tfp_trace_is_ranged(const struct tfp_trace *trace)
{
	return trace->whole && trace->from != INT64_MIN;
}

/*
 * What the part of EVENT that is inside the range to which TRACE is cut has of VALUE, which is of the event as a whole
 * and spread evenly over its time.
 */
int64_t tfp_trace_part(const struct tfp_trace *trace, uint32_t event, int64_t value);
/* By node: does it run on hosts? Then its runs are events there, else those on devices. Whatever range of time counts; freed by the caller. */
bool *tfp_trace_hosted(const struct tfp_profile *profile);

/* The step that EVENT belongs to, by what is said above, as an index in profile.steps. Once tallied. */
uint32_t tfp_trace_step_of(const struct tfp_profile *profile, uint32_t event);

/*
 * The same, TFP_NONE outside the steps. HINT, 0 at first, is where the last search ended: times that follow each
 * other are found at once.
 */
uint32_t tfp_trace_event_step(const struct tfp_trace *trace, uint32_t event, size_t *hint);

/* The step that stands for what is in none, TFP_NONE where all is in steps. */
static inline uint32_t tfp_step_outside(const struct tfp_profile *profile)
{
	return profile->trace ? tfp_profile_find_step(profile, TFP_STEP_OUTSIDE) : TFP_NONE;
}

/* Does TRACE have what is of FILE, or is it cut to another one? */
static inline bool tfp_trace_has_file(const struct tfp_trace *trace, uint32_t file)
{
	return !trace->whole || trace->file == TFP_NONE || trace->file == file;
}

/* And what is on LANE? */
static inline bool tfp_trace_has_lane(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	return !trace->whole || tfp_trace_has_file(trace, trace->devices.at[lane->device].file);
}

/*
 * What TRACE has of the whole recording's events, of which those of a file lie together: the events from FIRST to END, and those of devices
 * from DEVICE to DEVICE_END, places for tfp_trace_device_event of the whole. There may be others between them.
 */
struct tfp_trace_extent {
	uint32_t first, end, device, device_end;
};

struct tfp_trace_extent tfp_trace_extent(const struct tfp_trace *trace);

/* The first event of LANE that begins after TIME, or the end of the lane's. Once arranged. */
uint32_t tfp_trace_after(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time);
/* The same of those from FROM to END of a lane, of which the first does not: it is looked for from there on. */
uint32_t tfp_trace_after_from(const struct tfp_trace *trace, uint32_t from, uint32_t end,
			      int64_t time);

#define TFP_START_PAGE_BITS 8 /* events that have a base in common, as a power of two */
#define TFP_SPAN_LONG       (UINT32_C(1) << 31)
#define TFP_LANE_PAGE_BITS  16 /* events of a page, as a power of two */

/* When EVENT starts. */
static inline int64_t tfp_trace_start(const struct tfp_trace *trace, uint32_t event)
{
	const struct tfp_start_page *page = &trace->start_pages[event >> TFP_START_PAGE_BITS];

	if (page->wide)
		return page->wide[event & ((1u << TFP_START_PAGE_BITS) - 1)];
	return (int64_t)((uint64_t)page->base + (uint64_t)trace->start_low[event] * page->tick);
}

/* How long EVENT lasts; 0: it is an instant. */
static inline int64_t tfp_trace_duration(const struct tfp_trace *trace, uint32_t event)
{
	uint32_t span = trace->span[event];

	return span & TFP_SPAN_LONG ? trace->longs.at[span & ~TFP_SPAN_LONG] : span;
}

/* For tfp_trace_lane, where a page of events has several lanes. */
uint32_t tfp_trace_find_lane(const struct tfp_trace *trace, uint32_t event);

/* The lane of EVENT. */
static inline uint32_t tfp_trace_lane(const struct tfp_trace *trace, uint32_t event)
{
	size_t page = event >> TFP_LANE_PAGE_BITS;

	if (trace->lanes_of && event >= trace->settled)
		return trace->lanes_of[event];
	if (page + 1 < trace->lane_pages.count &&
	    trace->lane_pages.at[page] == trace->lane_pages.at[page + 1])
		return trace->lane_pages.at[page];
	return tfp_trace_find_lane(trace, event);
}

/* Of EVENT on a device, index in works; else TFP_NONE. */
static inline uint32_t tfp_trace_work_of(const struct tfp_trace *trace, uint32_t event)
{
	return tfp_near_get(&trace->work, event);
}

/* The owner of EVENT; TFP_NONE: it counts for nothing. Before that is known, the loader's own tag. */
static inline uint32_t tfp_trace_node(const struct tfp_trace *trace, uint32_t event)
{
	return tfp_near_get(&trace->node, event);
}

/*
 * Of a device's EVENT the one that launched it; of a host's the one around it; TFP_NONE: none known. While events are
 * added, the loader's own.
 */
static inline uint32_t tfp_trace_link(const struct tfp_trace *trace, uint32_t event)
{
	return tfp_near_get(&trace->link, event);
}

/*
 * Is EVENT one run with the event around it, or of a loop a piece that is not the first? In a range of time the first is the first of those
 * in it; where the loop runs on all the while in what it holds, the last before it, which takes no time there.
 */
static inline bool tfp_trace_is_joined(const struct tfp_trace *trace, uint32_t event)
{
	return event / 64 < trace->joined.count && trace->joined.at[event / 64] >> event % 64 & 1;
}

/* The loop that EVENT of a device is a piece of; TFP_NONE: it is whole. */
static inline uint32_t tfp_trace_loop(const struct tfp_trace *trace, uint32_t event)
{
	return event < trace->loop.room ? tfp_near_get(&trace->loop, event) : TFP_NONE;
}

static inline void tfp_trace_set_node(struct tfp_trace *trace, uint32_t event, uint32_t node)
{
	tfp_near_set(&trace->node, event, node);
}

static inline void tfp_trace_set_link(struct tfp_trace *trace, uint32_t event, uint32_t link)
{
	tfp_near_set(&trace->link, event, link);
}

/* Writes the links of the events from EVENT on. */
static inline struct tfp_near_writer tfp_trace_write_links(struct tfp_trace *trace, uint32_t event)
{
	return (struct tfp_near_writer){.column = &trace->link, .at = event};
}

/* The event at INDEX among those of devices. */
static inline uint32_t tfp_trace_device_event(const struct tfp_trace *trace, uint32_t index)
{
	return trace->device_order ? trace->device_order[index] : trace->first_device_event + index;
}

/* Tells the processor that the duration and the owner of EVENT are about to be looked at. */
static inline void tfp_trace_fetch(const struct tfp_trace *trace, uint32_t event)
{
	__builtin_prefetch(&trace->span[event]);
	__builtin_prefetch(&trace->node.low[event]);
}

/* When EVENT is over. */
static inline int64_t tfp_trace_end(const struct tfp_trace *trace, uint32_t event)
{
	return tfp_wrap_add(tfp_trace_start(trace, event), tfp_trace_duration(trace, event));
}

/* How long EVENT, which is nested in the event that it links to, runs inside that. */
static inline int64_t tfp_trace_nested(const struct tfp_trace *trace, uint32_t event)
{
	int64_t end = tfp_trace_end(trace, event),
		around = tfp_trace_end(trace, tfp_trace_link(trace, event));

	return (int64_t)((uint64_t)(end < around ? end : around) -
			 (uint64_t)tfp_trace_start(trace, event));
}

/* The kind of the lane of EVENT. */
static inline enum tfp_lane_kind tfp_trace_kind(const struct tfp_trace *trace, uint32_t event)
{
	return trace->lanes.at[tfp_trace_lane(trace, event)].kind;
}

#endif
