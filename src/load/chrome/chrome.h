/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader of Chrome traces shares among its files. A file is read in one pass: records become events of the
 * trace, tagged with their site; then owners are found, and each event gets its node. Phases, times and arrows are those of
 * Google's Trace Event Format; categories and arguments are as Kineto, PyTorch's profiler, writes them.
 *
 *	site   what equal records say: category, name, shapes and types of inputs
 *	track  the events of one process and thread of one kind: a lane of the trace
 */
#ifndef TFPROF_LOAD_CHROME_H
#define TFPROF_LOAD_CHROME_H

#include "tfprof/lookup.h"
#include "tfprof/trace.h"
#include "load/chrome/ahead.h"
#include "load/chrome/numbered.h"
#include "load/chrome/record.h"
#include "load/idmap.h"
#include "load/loaders.h"
#include "load/loops.h"

/* What the category of a record says of it. */
enum kind {
	KIND_OTHER,  /* of another program than PyTorch */
	KIND_SAMPLE, /* of another program, too: where a thread was now and then */
	KIND_OP,
	KIND_NOTE, /* an annotation that the program's author made */
	KIND_CALL, /* of the GPU's library */
	KIND_PYTHON,
	KIND_KERNEL,
	KIND_COPY,
	KIND_FILL,
	KIND_REPEAT,  /* an annotation on a GPU: says again what kernels say */
	KIND_DERIVED, /* of the profiler itself */
	KIND_INSTANT,
	KIND_ASYNC,
	KIND_COUNTER,
	KINDS
};

static inline bool chrome_is_other(enum kind kind)
{
	return kind == KIND_OTHER || kind == KIND_SAMPLE;
}

struct site {
	uint64_t hash;
	/* what is asked of each event stands together */
	uint8_t kind;
	bool module;       /* a call of an nn.Module */
	bool step;         /* a marker of a step, NUMBER */
	bool python;       /* a call of Python among what else its thread did, as JAX writes it */
	bool optimizer;    /* what an optimizer does once a step */
	bool communicates; /* a kernel of a library that moves data between GPUs */
	bool estimated;    /* flops: by the shapes */
	uint32_t frame;    /* TFP_NONE: none */
	uint32_t node;     /* of Python calls: TFP_NONE until it is needed */
	uint32_t
		between; /* the site of what its events take between those in them; TFP_NONE: none */
	struct tfp_span hierarchy; /* of modules, by the op's own account */
	/* as they stood first; of other programs' events the path of scopes, or the file, in place of dims, and what else tells
	   them apart in place of types */
	struct tfp_span name, dims, types, values;
	tfp_str title;        /* the name; of a module without what all have in front */
	tfp_str op;           /* the name of all its kind: a step's without the number */
	tfp_str part;         /* what it is in a path */
	struct tfp_span text; /* the record, kept beyond the file; of few kinds */
	tfp_str signature;
	tfp_str path; /* of scopes, by the file; 0: none */
	int64_t number;
	int64_t flops, bytes;
	uint32_t stack; /* of the lines that an op of a chip was written in, TFP_NONE */
};

struct track {
	int64_t process, thread;
	uint8_t kind;
	uint32_t lane;
	uint32_t open; /* index in begun of what a "B" began last, TFP_NONE */
};

/* A process, or a GPU, and the device that stands for it. */
struct process {
	int64_t id;
	bool host, rest; /* REST: it shares a device with others */
	uint32_t device; /* of the trace */
	tfp_str name, labels;
};

enum name_kind {
	NAME_PROCESS,
	NAME_LABELS,
	NAME_PROCESS_PLACE,
	NAME_THREAD, /* from here on those of threads */
	NAME_THREAD_PLACE
};

/* A name that the file gives, or a place among others. */
struct name {
	enum name_kind kind;
	int64_t process, thread, place;
	tfp_str text;
};

#define TEXT_NUMBER (INT64_C(1) << 62) /* numbers that stand for texts are from this on */
#define UNSAID      (TEXT_NUMBER - 1)  /* of a process or thread that the record does not say */

/* Files number what they hold one after another: half of a number tells as well, in half the room. */
#define NO_ID UINT32_MAX

/* One end of an arrow from what launched something to that. */
struct flow {
	uint64_t key;
	int64_t process, thread, time;
	bool head;   /* where it leads to */
	bool around; /* to what is around that time, else to what begins next */
};

/* That a backward op belongs to a forward op of that thread. */
struct backward_arrow {
	uint32_t event, lane;
};

/* What an op says besides its site. Until it has its node its event has the place of this in the column of works. */
struct op {
	uint32_t external; /* the lower half of its id, NO_ID */
	uint32_t sequence; /* TFP_NONE: none */
	uint32_t rare;     /* index in rare, TFP_NONE */
};

/* What few ops say. */
struct rare_op {
	uint32_t forward; /* of a backward op: the thread of its forward op; else 0 */
	uint32_t calls;   /* its stack, TFP_NONE: not given */
	bool numbered;    /* that is one of the file's list */
	int64_t weight;   /* of a sample: how many events it stands for; 0: none is told */
};

/* A kernel, copy or fill. */
struct device_event {
	uint32_t event;
	uint32_t owner; /* the event that it counts for, TFP_NONE */
	uint32_t site;
	uint32_t external, correlation; /* NO_ID: none */
};

/* A "[memory]" record. */
struct memory_event {
	uint64_t address; /* 0: not given */
	uint32_t event;
	int32_t type, id; /* of the device */
	int64_t bytes, allocated, reserved;
};

#define CATEGORY_SLOTS 64
#define NAME_SLOTS     256

/* The hash of the name of an op, keyed and of 64 bits, and whether the op's values tell its operations. */
struct valued {
	uint64_t hash;
	bool met, needs;
};

struct category {
	struct tfp_span name;
	enum kind kind;
};

/* What tells nodes apart. */
struct chrome_node {
	tfp_str name, op, signature;
	uint32_t stack;
	int64_t flops; /* of one run: with the same shapes they differ by stride or dimension */
};

struct chrome_parts;

/* An event that began and has not ended, TFP_NONE once it has; AROUND is the one that was open before it. */
struct begun {
	uint32_t event, around;
	struct tfp_span text; /* of its record */
};

/* A kind of GPU by the GPU's number. */
struct model {
	int64_t id;
	tfp_str name;
};

/* A frame that the file lists. */
struct numbered_frame {
	uint32_t frame;  /* TFP_NONE: it is only spoken of */
	uint32_t parent; /* index of what called it, TFP_NONE */
	uint32_t stack;  /* of the profile, once SEEN */
	bool seen;
};

#define CHROME_NO_TIME INT64_MIN

/* How records are written, to know the next one where some are damaged. */
struct layout {
	char between[32]; /* what stands between two of them */
	uint32_t between_size;
	size_t longest;
};

struct chrome {
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	struct tfp_source *source;
	uint32_t file;
	struct tfp_job *job;
	struct tfp_diag *diag;

	struct record_reader reader;
	struct record record;
	struct chrome_ahead *ahead; /* NULL: the text is all there */
	struct tfp_json_bytes room;
	struct tfp_json_bytes words; /* of the record, those that have backslashes in the file */
	struct category categories[CATEGORY_SLOTS]; /* met last */
	struct valued valued[NAME_SLOTS];           /* the same, by their hash */
	uint32_t first_lane, first_event;           /* of this file */

	TFP_ARRAY(struct site) sites;
	struct tfp_lookup *site_table;
	TFP_ARRAY(struct track) tracks;
	struct tfp_idmap track_map;
	uint32_t last_track[KINDS];
	TFP_ARRAY(struct process) processes;
	struct tfp_idmap process_map;
	uint32_t rest[2]; /* device of those GPUs, and processes, that have none of their own */
	TFP_ARRAY(struct name) names;
	TFP_ARRAY(struct begun) begun;
	struct tfp_idmap open_map; /* of what is not of one thread: index in open */
	TFP_ARRAY(uint32_t) open;  /* index in begun of what began last, TFP_NONE */

	TFP_ARRAY(struct op) ops;
	TFP_ARRAY(struct rare_op) rare;
	TFP_ARRAY(struct device_event) device_events;
	TFP_ARRAY(struct memory_event) memory;
	TFP_ARRAY(struct numbered) launches;   /* by their correlation */
	TFP_ARRAY(struct numbered) unnumbered; /* launches by their "External id" */
	TFP_ARRAY(struct numbered) calls;      /* of Python, by their "Python id" */
	TFP_ARRAY(struct flow) flows;
	TFP_ARRAY(struct flow) back; /* those to backward ops that are kept: each back_stride-th */
	uint64_t back_stride;
	TFP_ARRAY(uint32_t) step_lanes; /* of devices */
	struct tfp_loops loops;

	TFP_ARRAY(uint8_t) node_kind; /* by node: the kind of its host events */
	struct tfp_lookup *node_table;
	uint64_t records, complete; /* read, and of them those that are whole events */
	int64_t record_offset;      /* of the record at hand */
	struct tfp_span record_text;
	struct tfp_arena
		held; /* texts that are needed beyond their records, of a file that goes as it is read */
	bool goes; /* the text of what was read is given back; not so once what began in it is looked back for: */
	bool looks_back;
	const char *first;            /* of the text that is still there, but for its beginning */
	struct tfp_json_bytes joined; /* two records of one event */
	struct chrome_parts *parts;
	uint64_t begun_at; /* where the job's progress stood */
	uint64_t weight;   /* what the file counts for in it */
	struct layout layout;
	bool damaged;    /* some record, or what should be one, was left out */
	uint64_t wasted; /* bytes of records that can't be read */
	bool listed;     /* the list of records was found */
	bool unended;    /* the list does not end */
	int64_t base;    /* nanoseconds since 1970 of time 0, 0 unknown */
	int64_t latest;
	int64_t until;            /* the same in the time of the trace, once all is read */
	uint32_t counted, series; /* of counters: labels, and names of values */
	int64_t rank;             /* -1 unknown */
	int64_t ranks;
	bool torch; /* written by PyTorch */
	uint32_t
		profiler; /* the device of what PyTorch's profiler adds of itself; TFP_NONE: none */
	bool indexed;     /* it says in which order events began that begin at one time */
	TFP_ARRAY(struct model) models;
	TFP_ARRAY(struct numbered_frame) frames; /* of stacks that the file lists */
	struct tfp_idmap frame_map;              /* by their ids */
	uint32_t cut_stacks;                     /* that have more frames than are read */
};

/* ---- reading a file (events.c, phases.c) --------------------------------------------------------- */

/* Reads the whole text. False: cancelled. */
bool chrome_read(struct chrome *chrome);
/* Of a part of a file that is there: takes the names that stand at the end of all of it, where PyTorch has them. */
void chrome_look_ahead(struct chrome *chrome);
/* Takes the record just read; one of the file's list of samples. */
void chrome_take(struct chrome *chrome);
void chrome_take_sample(struct chrome *chrome);
/* Are COMPLETE events as many as JAX writes at most? */
bool chrome_is_cap(uint64_t complete);
/* Ends what is still open. */
void chrome_close(struct chrome *chrome);

/* ---- events.c ------------------------------------------------------------------------------------- */

/* Behind the key of the list of records, from AT on, where no member of the whole leads there; NULL: it is not before END. */
const char *chrome_find_list(const char *at, const char *end);

/* ---- damaged.c ------------------------------------------------------------------------------------ */

/* A record was read from AT to AFTER; BEHIND is the end of the one before it, NULL where that was none. */
void chrome_note_layout(struct chrome *chrome, const char *behind, const char *at,
			const char *after);
/* record_read, once something is damaged: not much of the text is looked at for one record. */
const char *chrome_read_doubtful(struct chrome *chrome, const char *at);
/*
 * Where to go on after the record AT, which can't be read. NULL: nowhere. Damage that is found only at the end of the text
 * is paid for again at each record, so there is an end to that. The text is all there.
 */
const char *chrome_go_on(struct chrome *chrome, const char *at);
/* The record that follows the bracket AT, if that is of a list in a damaged record; NULL: it ends the list of records. */
const char *chrome_behind_end(const struct chrome *chrome, const char *at);

/* ---- what a record becomes ------------------------------------------------------------------------ */

/* The time of the record; CHROME_NO_TIME, and a problem, where it has none. */
int64_t chrome_time(struct chrome *chrome);
/* Something lasts until TIME. */
void chrome_reach(struct chrome *chrome, int64_t time);
/* Adds the record as an event, tagged with its site. */
uint32_t chrome_add(struct chrome *chrome, enum kind kind, int64_t start, int64_t duration);
/* EVENT has begun; what began before it, OPEN, is around it. OPEN is an index in begun. */
void chrome_begin(struct chrome *chrome, uint32_t event, uint32_t *open);
/* The event OPEN ends with the record. */
void chrome_end(struct chrome *chrome, uint32_t *open);
/* async.c */
void chrome_take_async(struct chrome *chrome);
/* What was begun last under KEY, see struct track; to be read and written before the next is asked for. */
uint32_t *chrome_open(struct chrome *chrome, uint64_t key);
/* A number for what the records of one flow have in common. */
uint64_t chrome_flow_key(struct chrome *chrome);
/* The same of events that are ends of arrows themselves. */
uint64_t chrome_bound_key(struct chrome *chrome);

/* counters.c: takes the values of a counter; once events are arranged each lasts until the next. */
void chrome_take_counter(struct chrome *chrome);
void chrome_settle_counters(struct chrome *chrome);

/* flows.c: takes the end of an arrow. */
void chrome_take_flow(struct chrome *chrome);
/* The same of an event that says of itself that arrows begin or end there. */
void chrome_take_bound(struct chrome *chrome);
/* Links device events that have no launch yet by the arrows that lead to them. Events are nested. */
void chrome_follow_flows(struct chrome *chrome);
/* The arrows to backward ops, of which there is room for as many as are kept; returns how many. Events are arranged. */
size_t chrome_backward_arrows(struct chrome *chrome, struct backward_arrow *arrows);

/* ---- tracks.c ------------------------------------------------------------------------------------ */

/* The number that stands for the process or thread FIELD of the record, whatever it is written as. */
int64_t chrome_number_of(struct chrome *chrome, enum field field);
/* The text that such a number stands for, 0: none. */
tfp_str chrome_text_of(int64_t number);
/* The track of the record, that of its kind. */
uint32_t chrome_track(struct chrome *chrome, enum kind kind);
/* The process, or GPU, with that number; the track of GROUP, a kind. TFP_NONE: there is none. KEY gets the place for it. */
uint32_t chrome_find_process(const struct chrome *chrome, int64_t id, bool host, uint64_t *key);
uint32_t chrome_find_track(const struct chrome *chrome, int64_t process, int64_t thread,
			   enum kind group, uint64_t *key);
/* The track for the values NAME of the record's process; TFP_NONE, and a problem: there are too many. */
uint32_t chrome_series(struct chrome *chrome, tfp_str name);
/* The lane of the ops of TRACK's thread, TFP_NONE: it has none. */
uint32_t chrome_op_lane(const struct chrome *chrome, uint32_t track);
/* The lane of the kind of that thread, TFP_NONE: there is none. */
uint32_t chrome_lane(const struct chrome *chrome, int64_t process, int64_t thread,
		     enum tfp_lane_kind kind);
/* Gives to lanes of Python calls their threads, once it is known which lanes are threads. */
void chrome_settle_tracks(struct chrome *chrome);

/* names.c: takes down the name or place that the record gives; gives devices and lanes what was taken down. */
void chrome_take_name(struct chrome *chrome);
void chrome_name_tracks(struct chrome *chrome);
/* How many names of events, processes and threads are no UTF-8, each counted once. */
uint32_t chrome_damaged_names(const struct chrome *chrome);

/* ranks.c: gives each of several files its rank, and one alone that is RANKED; once all are read. What differs from what they say is told. */
void chrome_name_ranks(struct tfp_profile *profile, bool ranked, struct tfp_diag *diag);

/* ---- sites.c ------------------------------------------------------------------------------------- */

uint32_t chrome_site(struct chrome *chrome, enum kind kind);
/* instructions.c: what the record says of the HLO instruction that it is of, if it is. */
void chrome_read_instruction(struct chrome *chrome, struct site *site);
/* The site of a counter's label. */
uint32_t chrome_label(struct chrome *chrome, tfp_str text);

/* ---- frames.c ------------------------------------------------------------------------------------ */

/* The frame that the label NAME of a call is; where it says no file and line the whole is the function. */
uint32_t chrome_frame(struct tfp_profile *profile, struct tfp_span name);
/* TEXT of the file, for as long as it is read. */
struct tfp_span chrome_hold(struct chrome *chrome, struct tfp_span text);
/* That of the file and line in the record's arguments. */
uint32_t chrome_frame_of_record(struct chrome *chrome, tfp_str function);
/* The stack "Call stack" of the record, TFP_NONE: it has none. */
uint32_t chrome_calls(struct chrome *chrome);
/* The stack that the record has, or NUMBERED, the number of a frame that the file lists; TFP_NONE: none. */
uint32_t chrome_record_stack(struct chrome *chrome, bool *numbered);
/* The stack of such a number, once all is read. */
uint32_t chrome_numbered_stack(struct chrome *chrome, uint32_t place);
/* Says how many of both kinds were cut. */
void chrome_tell_stacks(const struct chrome *chrome);
/* Reads that list. */
void chrome_read_frames(struct chrome *chrome, struct tfp_json *json);

/* around.c: takes a member of the whole, but for the list of records; false: it is of no use, and still to be passed. */
bool chrome_take_member(struct chrome *chrome, struct tfp_json *json, struct tfp_span key,
			const struct tfp_json_token *value);
/* The kind of GPU, 0: the file does not say. */
tfp_str chrome_model(const struct chrome *chrome, int64_t id);

/* devices.c: the tracks of devices among those of a program other than PyTorch or beside it, by the names that it gives them. */
void chrome_find_devices(struct chrome *chrome);
/* Where the host marks no steps: those that devices have on lanes of their own. Events have their nodes. */
void chrome_mark_device_steps(struct chrome *chrome);

/* loops.c: see load/loops.h, on lanes that NESTS says. */
void chrome_set_loops_apart(struct chrome *chrome, const bool *nests);

/* ---- what follows -------------------------------------------------------------------------------- */

/*
 * The innermost event of LANE that goes on at TIME, its end included; TFP_NONE. Events are nested. HINT, TFP_NONE at first, is where the
 * last search ended: times that follow each other are found at once.
 */
uint32_t chrome_around(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time,
		       uint32_t *hint);

/* links.c: finds what launched each device event. Events are as added. */
void chrome_find_launches(struct chrome *chrome);
/* callers.c: turns the numbers of callers that wait in the links of Python calls into events. Events are as added, and no others have links. */
void chrome_find_callers(struct chrome *chrome);
/* What is behind the events that begin and end with FIRST, of a lane whose events end at LANE_END. Events are arranged. */
uint32_t chrome_equal_end(const struct tfp_trace *trace, uint32_t first, uint32_t lane_end);
#define MOST_EQUAL 64 /* events of one time that are put into order */
/* Puts ops that begin and end together into the order of their ids, where the file says no order. Events are arranged. */
void chrome_settle_order(struct chrome *chrome);
/* Finds where what is kept of events stands now that they are arranged, and owners by the ids that the file gives. */
void chrome_link(struct chrome *chrome);
/* Gives device events without one their owner by nesting, and all of them their node. Host events have theirs. */
void chrome_own(struct chrome *chrome, struct chrome_parts *parts);

/* merged.c: joins what is one run with the op around it to that, see tfp_trace_join. Host events are arranged, and tagged with their sites. */
void chrome_merge(struct chrome *chrome);

/* paths.c: gives all events but those of devices their nodes, and marks the steps. Events are arranged, not nested. */
void chrome_walk(struct chrome *chrome, struct chrome_parts *parts);

/* steps.c: steps of what was noted on the walk, where no file of PROFILE marks any. */
void chrome_make_steps(struct tfp_profile *profile, struct chrome_parts *parts);

/* memory.c: what was taken and given back, by the op around it. Events are nested. */
void chrome_keep_memory(struct chrome *chrome, struct chrome_parts *parts);

/* totals.c: metrics beyond those of all traces: what ops took with all that is nested in them, as PyTorch counts it. */
void chrome_add_metrics(struct tfp_profile *profile);
/* Once all files are read, and before they are tallied: whether samples have weights. */
void chrome_mark_weights(struct tfp_profile *profile, struct chrome_parts *parts);
/* For a provider: fills them from the events that are there, DATA being the parts. */
void chrome_total(struct tfp_profile *profile, void *data);

/* ---- what is kept of all files (parts.c) ----------------------------------------------------------- */

/* A sample that stands for so many events. */
struct weighed {
	uint32_t event;
	int64_t weight;
};

/* A device event and the op that it counts for. */
struct owned {
	uint32_t event, owner;
};

/* A record of memory: its event, what it counts for, and what its allocator holds by its own account. */
struct kept_memory {
	uint32_t event, node;
	uint32_t taken; /* of what is given back: the event that took it, TFP_NONE */
	uint32_t file;
	tfp_str allocator;
	int64_t bytes, reserved;
	int64_t allocated; /* below 0: not given */
};

/* One time of what may be done once a step. */
struct turn {
	tfp_str label;
	uint32_t file, lane;
	bool model; /* a call of one that is in no other; else an optimizer */
	int64_t start, end;
};

struct chrome_parts {
	TFP_ARRAY(struct turn) turns;
	TFP_ARRAY(uint32_t) stack; /* by node; TFP_NONE: none */
	TFP_ARRAY(int64_t) flops;  /* by node, also where those of another in it count */
	TFP_ARRAY(struct owned) owned;
	TFP_ARRAY(struct weighed) weighed;
	TFP_ARRAY(struct kept_memory) memory;
	TFP_ARRAY(struct tfp_span) texts; /* by node: its first record, or "" */
	struct tfp_arena kept;            /* the texts */
	uint32_t before; /* the node of memory taken earlier; TFP_NONE: no records of memory */
	bool estimated;  /* float operations are by the shapes of inputs */
	bool ranked;     /* a file says that it is one of several ranks */
};

/* describe.c: for a provider; TEXT kept, "" when there is too much; what is kept of NODE where nothing is yet. */
void chrome_describe(const struct tfp_profile *profile, uint32_t node, void *data,
		     struct tfp_attributes *out);
struct tfp_span chrome_keep_text(struct chrome_parts *parts, struct tfp_span text);
void chrome_set_text(struct chrome_parts *parts, uint32_t node, struct tfp_span text);

/* That of PROFILE, made where there is none. */
struct chrome_parts *chrome_parts_of(struct tfp_profile *profile);
/*
 * The node with these, made where there is none; TABLE finds those that chrome_parts_index put there, and new ones.
 */
uint32_t chrome_node(struct tfp_profile *profile, struct chrome_parts *parts,
		     struct tfp_lookup *table, const struct chrome_node *wanted);
/* Puts the nodes that are there into TABLE. */
void chrome_index_nodes(const struct tfp_profile *profile, const struct chrome_parts *parts,
			struct tfp_lookup *table);

#endif
