/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view, lanes against time: the events of a trace as strips, each a row of events that do not overlap,
 * with summaries over ever more of them, so that a column of the screen costs the same however many events it
 * stands for.
 */
#ifndef TFPROF_STRIPS_H
#define TFPROF_STRIPS_H

#include "tfprof/trace.h"
#include "tfprof/view.h"

/* Events that do not overlap, by start. */
struct tfp_strip {
	uint32_t lane;
	uint32_t
		level; /* how deep they are nested; of a device, which of several at once they are */
	uint32_t first, count; /* in strips.order */
};

/* What some events, next to each other on a strip, are together. */
struct tfp_block {
	int64_t busy;
	uint32_t node;  /* one that has most of that, if any has half of it; TFP_NONE */
	int64_t weight; /* private: by how much */
};

#define TFP_FLOORS 4 /* a block has 64 events; on each floor above, 64 blocks of the one below */

struct tfp_strips {
	const struct tfp_profile *profile; /* for names; outlives this */
	const struct tfp_trace *trace;
	TFP_ARRAY(struct tfp_strip) list; /* by lane, then level */
	uint32_t *lane_strip;             /* by lane: its first strip, one more at the end */
	struct tfp_near order;            /* events */
	struct tfp_block *floor[TFP_FLOORS];
	uint64_t left_out; /* events deeper than any strip */
};

/* The event at PLACE of the order. */
static inline uint32_t tfp_strips_event(const struct tfp_strips *strips, uint32_t place)
{
	return tfp_near_get(&strips->order, place);
}

/* What of a strip is in a piece of time. */
struct tfp_piece {
	double busy; /* share of the piece, 0..1 */
	uint32_t count;
	uint32_t event; /* the only one, or the longest of few; TFP_NONE */
	uint32_t node;  /* as in struct tfp_block */
	uint32_t at;    /* the first one's place in strips.order */
};

/* The piece FROM .. TO (later than FROM) of STRIP. */
struct tfp_piece tfp_strips_piece(const struct tfp_strips *strips, uint32_t strip, int64_t from,
				  int64_t to);
/* When column COLUMN of COUNT begins, where they share the time FROM .. TO. */
int64_t tfp_strips_time(int64_t from, int64_t to, uint32_t column, uint32_t count);
/*
 * The place of the next event of STRIP that begins after TIME, or of the last before; TFP_NONE: there is none. Where
 * the event at the place FROM begins at TIME, it is the one next to that.
 */
uint32_t tfp_strips_next(const struct tfp_strips *strips, uint32_t strip, int64_t time,
			 uint32_t from, bool back);

/* What EVENT is called: its kernel, or the op, of a piece of a loop that. Points into strings; not ended by a NUL. */
struct tfp_span tfp_strips_name(const struct tfp_strips *strips, uint32_t event);
struct tfp_span tfp_event_name(const struct tfp_profile *profile, const struct tfp_trace *trace,
			       uint32_t event);
/* "conv2d  at 12.30ms  45.20us  net/conv  step 3": all about EVENT, or about the loop that it is a piece of. In ARENA. */
char *tfp_strips_text(const struct tfp_strips *strips, uint32_t event, struct tfp_arena *arena);

/*
 * The places in strips.order, ascending, of the events behind ROW of TREE, which is of any other view; *COUNT of
 * them. Freed by the caller.
 */
uint32_t *tfp_strips_behind(const struct tfp_strips *strips, const struct tfp_tree *tree,
			    uint32_t row, size_t *count);
/* The same of events with TEXT in their names (smart case). */
uint32_t *tfp_strips_named(const struct tfp_strips *strips, const char *text, size_t *count);
/*
 * How many things happened that the COUNT places AT point out. Lanes of marks draw again what others have, often by another name, so
 * marks count where nothing else is pointed out; and the pieces of a loop are one.
 */
size_t tfp_strips_happened(const struct tfp_strips *strips, const uint32_t *at, size_t count);
/* Is one of the COUNT places AT in the piece? */
bool tfp_piece_is_lit(const struct tfp_piece *piece, const uint32_t *at, size_t count);
/*
 * Which of the COUNT places AT comes next after TIME, or is the last before: TFP_NONE, there is none. What
 * begins at TIME is put in order by place: FROM is the one to start at, TFP_NONE behind all, 0 before all.
 */
uint32_t tfp_strips_lit_next(const struct tfp_strips *strips, const uint32_t *at, size_t count,
			     int64_t time, uint32_t from, bool back);
/* Where in strips.order EVENT is; TFP_NONE: on no strip. */
uint32_t tfp_strips_place(const struct tfp_strips *strips, uint32_t event);
/*
 * Of a device's event the one that launched it; of a host's the first on a device that it launched, or what is nested
 * in it. TFP_NONE: none is known.
 */
uint32_t tfp_strips_linked(const struct tfp_strips *strips, uint32_t event);
/* The strip that PLACE is on. */
uint32_t tfp_strips_of_place(const struct tfp_strips *strips, uint32_t place);

#endif
