/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gaps: when a device has nothing to do between its first event and its last, or in a range of time, and why. A
 * gap ends with an event; where the host launched that only after the gap had begun, the stack of the host is the
 * cause.
 */
#ifndef TFPROF_VIEW_GAPS_H
#define TFPROF_VIEW_GAPS_H

#include "view/base.h"
#include "view/trace/hostwalk.h"
#include "view/compare/rowkeys.h"

enum tfp_cause_kind {
	TFP_CAUSE_HOST,     /* launched late */
	TFP_CAUSE_LAUNCHED, /* launched before the gap began: the device took its time */
	TFP_CAUSE_EARLIER,  /* no launch is known so far: it was before the recording */
	TFP_CAUSE_UNKNOWN,  /* the launch is not in the file */
	TFP_CAUSE_LAST,     /* nothing ended it: the range of time did */
	TFP_CAUSE_KINDS
};

struct tfp_cause {
	enum tfp_cause_kind kind;
	uint32_t device;
	/* TFP_CAUSE_HOST: its stack in gaps.labels, outermost first */
	uint32_t label_first, labels;
	uint32_t count; /* of gaps, and how long they are */
	int64_t time;
	uint32_t listed; /* of these the ones in gaps.list: the longest */
	int64_t least;   /* none is listed that is shorter */
};

#define TFP_GAPS_MOST 200 /* of a cause, that are worth to be listed */

/* What the stacks of some causes of a device have in common, or one that is no stack. In preorder. */
struct tfp_cause_row {
	uint32_t device;
	uint32_t parent;       /* the row above it; TFP_NONE: only the device */
	uint32_t first, end;   /* in gaps.sorted: its causes */
	uint32_t above, depth; /* of their labels these are its own: above .. depth - 1 */
	uint32_t cause;        /* the one whose stack ends here; TFP_NONE */
	uint32_t count;        /* of gaps, and how long they are */
	int64_t time;
};

struct tfp_gap {
	int64_t begin, end;
	uint32_t event; /* that ends it; TFP_NONE: none does up to the end of the recording */
	uint32_t cause;
};

/* What a device did all in all. */
struct tfp_idleness {
	/* start of its first event, or of the step alone that this is in; end of its last; of a range its edges */
	int64_t first, last;
	int64_t idle, busy; /* of a step: what belongs to it */
	bool linked;        /* a launch is known of some of its events */
	uint32_t events;    /* 0: it has none, and nothing above holds */
};

struct tfp_gaps {
	const struct tfp_profile *profile;
	TFP_ARRAY(struct tfp_gap) list;     /* the longest of each cause, by device, then by time */
	TFP_ARRAY(struct tfp_cause) causes; /* as first met */
	TFP_ARRAY(tfp_str) labels;          /* of stacks */
	uint32_t *sorted;                   /* causes by device, kind and stack */
	TFP_ARRAY(struct tfp_cause_row) tree;
	struct tfp_idleness *device; /* by device of the trace */
	uint32_t *python;            /* by lane: see tfp_lanes_python */
	struct tfp_rowkeys stacks;   /* private */
};

/*
 * The gaps of all devices; of those, where STEP is not TFP_STEP_MEAN, the ones that end with an event of it. False
 * when cancelled. Free with tfp_gaps_free in any case.
 */
bool tfp_gaps_find(struct tfp_gaps *gaps, const struct tfp_profile *profile, uint32_t step,
		   struct tfp_job *job);
void tfp_gaps_free(struct tfp_gaps *gaps);
/* The step that EVENT, whether it is in the range of time or not, belongs to, as an index in profile.steps. */
uint32_t tfp_gaps_step(const struct tfp_profile *profile, uint32_t event);
/* "train > PjitFunction(step) > cuGraphLaunch", or what is known instead. In ARENA. */
char *tfp_cause_text(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		     struct tfp_arena *arena);
/* How a sentence about gaps of ROW goes on that tells no calls: "before work whose launch is not recorded". In ARENA. */
char *tfp_cause_clause(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		       struct tfp_arena *arena);
/* The key of ROW's row, where DEVICE is that of the device's. */
uint64_t tfp_cause_key(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		       uint64_t device);
/*
 * The row of the tree that is worth a word of DEVICE: the deepest that has at least half of what is above it, unless
 * one cause alone has at least half of that. TFP_NONE: the device has no gaps.
 */
uint32_t tfp_gaps_main(const struct tfp_gaps *gaps, uint32_t device);
/* Makes sorted and tree (causes.c). */
void tfp_gaps_grow_tree(struct tfp_gaps *gaps);

static inline int64_t tfp_gap_length(const struct tfp_gap *gap)
{
	return (int64_t)((uint64_t)gap->end - (uint64_t)gap->begin);
}

/* ---- what the host did meanwhile ---- */

/* Time of the host's events by what they are called. */
struct tfp_meanwhile {
	struct tfp_rowkeys labels;   /* numbers of names (tfp_str); 0: nothing is recorded */
	TFP_ARRAY(int64_t) time;     /* by number: in which nothing nested in it was open */
	TFP_ARRAY(uint32_t) longest; /* by number: an event, TFP_NONE */
	TFP_ARRAY(int64_t) most;     /* by number: what that event had of it in one piece */
	uint64_t unknown;            /* gaps whose thread is not known */
};

void tfp_meanwhile_start(struct tfp_meanwhile *meanwhile);
void tfp_meanwhile_end(struct tfp_meanwhile *meanwhile);
/* Adds what the thread that ended GAP did during it. PYTHON: by lane, as in struct tfp_gaps. */
void tfp_meanwhile_add(struct tfp_meanwhile *meanwhile, const struct tfp_profile *profile,
		       const uint32_t *python, const struct tfp_gap *gap);

#endif
