/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the files of the XPlane reader: what is kept while events are read, and what is kept with
 * the profile afterwards.
 */
#ifndef TFPROF_LOAD_XPLANE_READER_H
#define TFPROF_LOAD_XPLANE_READER_H

#include "load/loops.h"
#include "load/times.h"
#include "load/xplane/hlo.h"
#include "load/xplane/space.h"
#include "tfprof/trace.h"

/* Which rule gave a device event its path, the first that fits. */
enum tfp_xrule {
	XRULE_GRAPH,  /* its place in the CUDA graph: exact */
	XRULE_NAME,   /* the stat "name" */
	XRULE_HLO,    /* the instruction that hlo_op names */
	XRULE_KERNEL, /* the instruction that its kernel is named after */
	XRULE_HLO_OP, /* no instruction of that name: the name itself */
	XRULE_TF_OP,  /* the stat "tf_op" */
	XRULE_NVTX,   /* the range of NVTX that it was launched in */
	XRULE_LABEL,  /* nothing but its own name */
};

/* What tells kinds of device events apart. A text is a number: of its reference, or interned. */
struct tfp_xkey {
	uint64_t plane, metadata, program, module, hlo_op, name, details;
	uint64_t node; /* of a CUDA graph, and 1: its graph above the lower half; 0: of none */
};

/* A kind of device events: all that have the same key are of one node. */
struct tfp_xslot {
	struct tfp_xkey key;
	uint32_t next; /* the kind that came behind this one last */
	uint32_t work, node;
	uint32_t module, instruction; /* TFP_NONE: none is known */
	uint8_t class, rule;          /* enum tfp_work_class, enum tfp_xrule */
	bool in_program, in_graph;
	bool counts;      /* it has events on lanes that are summed */
	bool holds;       /* what runs of it is around other ops */
	bool loop;        /* it is called as what does */
	bool chip;        /* an op of a chip's core, which is called as its instruction is */
	uint32_t between; /* the slot of its time between the ops that it holds; TFP_NONE */
	uint64_t program;
	struct tfp_span label, path, hlo_op, hlo_module, tf_op, category, shape, source, nvtx,
		written;
	int64_t flops; /* of one event */
};

/* What is known of an instruction, worked out once however many events it has. */
struct tfp_xinstruction {
	bool known;
	tfp_str type, signature;
	uint32_t stack;
	int64_t flops;
	bool looping; /* without those of loops that run nobody knows how often */
	bool entered; /* what it calls has events of its own */
};

/* A module, read once an event of it is met. */
struct tfp_xprogram {
	struct tfp_xmodule *of;
	struct tfp_hlo hlo;
	struct tfp_xinstruction *known; /* by instruction */
	size_t budget;                  /* instructions to be looked at for their operations */
	bool read;
};

/* What a file has for those who ask for a node: stays with the profile. */
struct tfp_xfacts {
	struct tfp_source *source;
	struct tfp_arena arena;
	struct tfp_xspace space;
	TFP_ARRAY(struct tfp_xprogram) programs; /* of space.modules */
	struct tfp_idmap program_ids;
	TFP_ARRAY(struct tfp_xslot) slots;
	struct tfp_idmap slot_of_node; /* the first of the slots of a node */
	bool estimated;                /* floating-point operations, from shapes */
	uint32_t
		memory_events; /* that may say something of memory, see tfp_xallocs_fill; 0: none does */
	uint32_t before;       /* then: the node of memory taken earlier */
	uint32_t file;
	int64_t shift; /* ns that are taken from timestamps */
};

/* What host events are called. */
struct tfp_xlabel {
	tfp_str text;
	uint32_t frame; /* of the profile */
	uint8_t root; /* its events are the roots of what a step does, see tfp_xsteps_root; 0: not so */
	bool memory; /* its events are those of an allocator, see tfp_xallocs_named */
};

/* A launch: the earliest host event with a correlation id. */
struct tfp_xlaunch {
	int64_t start;
	uint32_t event; /* as added */
};

/* What says that a step is from START to END. Markers of the least kind count. */
enum tfp_xmarker_kind {
	XMARKER_STEP,   /* an event of the host that says so, and the number */
	XMARKER_NAMED,  /* it says the number, and is called as such events are */
	XMARKER_DEVICE, /* the device's line of steps */
	XMARKER_ROOT, /* and above: what a session or a function does in one run, without number */
};

struct tfp_xmarker {
	int64_t number, start, end;
	tfp_str label;
	uint32_t lane;
	uint8_t kind;
	bool called; /* a run of a function that Python called */
};

struct tfp_xreader {
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	struct tfp_xfacts *facts;
	struct tfp_job *job;
	struct tfp_diag *diag;
	uint32_t file;
	bool graphs;  /* CUDA graphs are taken apart */
	double share; /* of each line that is read, 1: all */

	uint32_t first_lane, first_event,
		first_node; /* of this file; nodes of devices come first */
	int64_t began;      /* the recording, as timestamps count; ns */
	bool timed;         /* it says when it was made: */
	int64_t from, to;   /* its time, with some to spare; ps */
	uint32_t outside;   /* events that are not in it */
	uint32_t astray;    /* those of devices that are left out, as they are far from it */
	TFP_ARRAY(struct tfp_field)
	far; /* those of the line, until it is known whether they are left out */
	TFP_ARRAY(struct tfp_xlabel) labels;
	struct tfp_idmap label_ids; /* of texts */
	TFP_ARRAY(struct tfp_xlaunch) launches;
	struct tfp_idmap launch_ids; /* of correlation ids */
	TFP_ARRAY(int64_t)
	commands; /* how many a CUDA graph has, as its launches say; each number once */
	struct tfp_idmap run_ids;         /* of programs on chips that have no correlation ids */
	TFP_ARRAY(uint32_t) module_lanes; /* of such chips: when each program runs */
	TFP_ARRAY(struct tfp_span) program_names;
	struct tfp_idmap program_name_ids; /* of programs */
	TFP_ARRAY(struct tfp_xmarker) markers;
	struct tfp_loops loops;
	TFP_ARRAY(tfp_str) takers; /* ops that memory is said to be for; each once, see taker_ids */
	struct tfp_idmap taker_ids;
	struct tfp_lookup *slot_table;
	struct tfp_xlayouts *layouts;
	struct tfp_hash_key key;
	uint32_t last_slot;
	bool launched; /* there was a launch: */
	uint64_t last_id;
	uint32_t last_launch;
	TFP_ARRAY(uint32_t) stacks; /* by node */
	uint64_t early;             /* device events that start before their launch */
};

/* The line that is being read. */
struct tfp_xtrack {
	struct tfp_xplane *plane;
	uint32_t plane_index, lane;
	int64_t base;    /* ps */
	bool derived;    /* the lane is */
	bool steps;      /* it is a device's line of steps */
	bool modules;    /* of programs */
	bool nests;      /* its ops do: it is of a chip's core */
	bool far;        /* its events may be far from the recording */
	uint64_t wanted; /* stats of its events */
};

#define tfp_xproblem(reader, severity, ...)                                                        \
	tfp_diag_add((reader)->diag, (severity), (reader)->facts->source->path, -1, 0, __VA_ARGS__)

/*
 * Reads SHARE (1: all) of the lines of SOURCE, which the profile keeps, into PROFILE. GRAPHS: kernels that a
 * CUDA graph replays get the instruction of their place in it; else what their names say. False: nothing
 * could be read, or the job was cancelled.
 */
bool tfp_xplane_read(struct tfp_profile *profile, struct tfp_source *source, double share,
		     uint32_t file, bool graphs, struct tfp_job *job, struct tfp_diag *diag);

/* A line and the lane that it goes to: lines of one id and name are one. */
struct tfp_xpart {
	uint32_t lane, line;
	int64_t timestamp;
};

/* With the second file the devices of the first get the name of their host, too. */
void tfp_xlanes_name_hosts(struct tfp_xreader *reader);
/* Once all files are read: hosts that have one name get the part of their paths that differs before it. */
void tfp_xhosts_tell_apart(struct tfp_profile *profile);
/* Adds what PLANE is of to the devices of the trace; returns its index there. */
uint32_t tfp_xlanes_add_device(struct tfp_xreader *reader, const struct tfp_xplane *plane);
/*
 * Adds the lanes of a plane. Its lines in the order of lanes and time, so that events come as they are
 * to lie; to be freed by tfp_array_release.
 */
struct tfp_xpart *tfp_xlanes_sort(struct tfp_xreader *reader, struct tfp_xplane *plane,
				  uint32_t device);
/* Fills what TRACK, whose lane is made, says of LINE. */
void tfp_xlane_look(struct tfp_xreader *reader, struct tfp_xtrack *track,
		    const struct tfp_xline *line);
/* Ops of a TPU nest: see load/loops.h. FIRST is the first event of LANE, of which all lines are read. */
void tfp_xlanes_set_loops_apart(struct tfp_xreader *reader, uint32_t lane, uint32_t first);

/* Adds EVENT of a host to the trace: on the lane of TRACK, from START on, ps. */
void tfp_xhost_event(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		     struct tfp_xevent *event, int64_t start);
/* What EVENT of a host of this file is called, before it has its node; 0: it is an op. */
tfp_str tfp_xhost_label(const struct tfp_xreader *reader, uint32_t event);
/* Once events are arranged and nested: gives those of hosts their nodes. */
void tfp_xhost_owners(struct tfp_xreader *reader);

/* Above 0 for what is called as the root of a step's work: the less, the more likely it is one. */
uint8_t tfp_xsteps_root(struct tfp_span label);
/* Notes an event of the host that may mark a step. */
void tfp_xsteps_note(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		     const struct tfp_xlabel *label, const struct tfp_xvalues *stats, int64_t start,
		     int64_t end);
/* The same of a device's line of steps. */
void tfp_xsteps_note_device(struct tfp_xreader *reader, const struct tfp_xtrack *track,
			    struct tfp_span label, const struct tfp_xvalues *stats, int64_t start,
			    int64_t end);
/* Before the sums: the steps. */
void tfp_xsteps_mark(struct tfp_xreader *reader);
/*
 * How many markers begin inside another event of their thread and end after it, as those of JAX do, which begin in the call that makes
 * them. Events are nested.
 */
uint32_t tfp_xsteps_outliving(struct tfp_xreader *reader);

/* Is an event called LABEL said by an allocator, as far as that tells? */
bool tfp_xallocs_named(struct tfp_span label);
/* Counts such an EVENT, from the first on that says what one must know. */
void tfp_xallocs_look(struct tfp_xreader *reader, const struct tfp_xplane *plane,
		      const struct tfp_xevent *event);
/* Once events have their nodes: makes that of what was taken before, where something is said of memory. */
void tfp_xallocs_settle(struct tfp_xreader *reader);
/*
 * Once all files are loaded: for TFP_PART_ALLOCS. Reads the events of allocators anew, as there may be millions, which few
 * ask for. False: JOB was cancelled.
 */
bool tfp_xallocs_fill(struct tfp_profile *profile, struct tfp_xfacts *facts, struct tfp_job *job);

/* Finds what the timestamps of the recording count from. */
void tfp_xclock_set(struct tfp_xreader *reader);
/* The time 0 of LINE, ps. False: it is impossible, and taken for 0. */
bool tfp_xclock_base(const struct tfp_xfacts *facts, const struct tfp_xline *line, int64_t *base);

#define TFP_XCLOCK_MOST (INT64_C(1) << 61) /* ps: 26 days */

/* When EVENT of a line with that BASE starts, ps. False: its times are impossible. */
static inline bool tfp_xclock_start(int64_t base, const struct tfp_xevent *event, int64_t *start)
{
	int64_t end;

	return !__builtin_add_overflow(base, event->offset, start) &&
	       !__builtin_add_overflow(*start, event->duration, &end) &&
	       *start > -TFP_XCLOCK_MOST && end < TFP_XCLOCK_MOST;
}

/* Says which events have times that can't be; PARTIAL of them begin in another and end after it. */
void tfp_xclock_tell(struct tfp_xreader *reader, uint32_t partial);

/* The id that a launch has in common with what it started. False: STAT is no whole number, as a problem says. */
static inline bool tfp_xlaunch_id(struct tfp_xreader *reader, const struct tfp_xplane *plane,
				  const struct tfp_xvalues *values, enum tfp_xstat stat,
				  int64_t *id)
{
	if (tfp_xvalue_whole(plane, values, stat, id))
		return true;
	tfp_xproblem(reader, TFP_NOTE,
		     "the id of a launch is no whole number: what it started is not known");
	return false;
}
/* The same of an event of a device. */
void tfp_xdevice_event(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		       struct tfp_xevent *event, int64_t start);
/* The slot of an event, made when its kind is new. Events of hosts have slots where they are ops. */
uint32_t tfp_xslot_of(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		      const struct tfp_xevent *event);
/* The slot of what events of SLOT, which hold others, take between those. */
uint32_t tfp_xslot_between(struct tfp_xreader *reader, uint32_t slot);
/* Notes a line of programs of a chip, and an event of it: what the program is called. */
void tfp_xchip_note_lane(struct tfp_xreader *reader, uint32_t lane);
void tfp_xchip_note_program(struct tfp_xreader *reader, struct tfp_xslot *slot);
/* What the program of SLOT is called; empty where it is not known. */
struct tfp_span tfp_xchip_program(const struct tfp_xreader *reader, const struct tfp_xslot *slot);
/* Once events are arranged: ops of chips are launched by who launched their program. */
void tfp_xchip_launches(struct tfp_xreader *reader);
/* Once events are arranged: finds the instructions of the slots, and gives device events their nodes. */
void tfp_xdevice_owners(struct tfp_xreader *reader);
/* What is known of the instruction of SLOT, which has one. */
const struct tfp_xinstruction *tfp_xslot_known(struct tfp_xreader *reader,
					       const struct tfp_xslot *slot);
/* Sets the floating-point operations of the nodes; device events have slots in the place of nodes still. */
void tfp_xoperations(struct tfp_xreader *reader);
/* Once events of devices have their nodes, and steps are marked: makes lines that the file does not have. */
void tfp_xderive(struct tfp_xreader *reader);
/* Gives slots in CUDA graphs their instructions, where the graph is what we take it for. */
void tfp_xgraph_settle(struct tfp_xreader *reader);
/* The module that SLOT's program names, read; NULL: the file has none. */
struct tfp_hlo *tfp_xslot_hlo(struct tfp_xreader *reader, struct tfp_xslot *slot);

/* Where SLOT, whose instruction is settled, stands in its program; 0: not known. */
tfp_str tfp_xslot_place(struct tfp_xreader *reader, const struct tfp_xslot *slot);
/* Fills TFP_PART_CONTENTS. False when cancelled. */
bool tfp_xplane_contents(struct tfp_profile *profile, struct tfp_xfacts *facts, struct tfp_job *job,
			 struct tfp_diag *diag);

/* How bad it is that a name is missing: where a file is cut it was noted that it is. */
static inline enum tfp_severity tfp_xreader_severity(const struct tfp_xreader *reader)
{
	return reader->facts->space.walk.ended ? TFP_NOTE : TFP_WARNING;
}

struct tfp_xmetadata *tfp_xreader_far_metadata(struct tfp_xreader *reader, struct tfp_xplane *plane,
					       int64_t id);
/* The kind of events with ID; see tfp_xplane_metadata. That the file does not name it is a problem. */
static inline struct tfp_xmetadata *tfp_xreader_metadata(struct tfp_xreader *reader,
							 struct tfp_xplane *plane, int64_t id)
{
	struct tfp_xmetadata *known = tfp_xplane_known(plane, id);

	return known ? known : tfp_xreader_far_metadata(reader, plane, id);
}

/* A node for NAME, OP, SIGNATURE and STACK, new. */
uint32_t tfp_xreader_node(struct tfp_xreader *reader, tfp_str name, tfp_str op, uint32_t stack,
			  unsigned flags);

/* The attributes of a node: see struct tfp_provider. */
void tfp_xplane_describe(const struct tfp_profile *profile, uint32_t node, void *data,
			 struct tfp_attributes *out);
extern const char *const tfp_xrule_names[]; /* by enum tfp_xrule */

#endif
