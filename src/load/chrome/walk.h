/* SPDX-License-Identifier: Apache-2.0 */
/* What the walk over the events of threads shares among its files. */
#ifndef TFPROF_LOAD_CHROME_WALK_H
#define TFPROF_LOAD_CHROME_WALK_H

#include "load/chrome/chrome.h"

struct path {
	uint32_t parent; /* TFP_NONE: none */
	tfp_str part, full;
};

/* Where records of one site go that are below one path and have one stack. */
struct spot {
	uint32_t above, site, stack;
	uint32_t node, path;
	uint32_t
		next; /* the one met next the last time, TFP_NONE: what a program does it does over and over */
};

/* An op or Python call that is not over yet. */
struct open_event {
	int64_t end;
	uint64_t order;
	uint32_t path, stack;
	uint32_t site, node; /* of an op */
	uint32_t event;      /* of a call */
	bool backward;       /* belongs to a forward op */
};

/* A Python call with all that is around it. */
struct call {
	uint32_t stack, path; /* the path of modules, TFP_NONE */
};

struct told_call {
	struct call call;
	enum { CALL_NEW, CALL_SOUGHT, CALL_KNOWN } state;
};

struct open_list {
	struct open_event *at;
	size_t count, room;
};

/* The forward op of a sequence number on one thread: the last of the OPS that have it. */
struct forward {
	uint32_t lane, path, stack, ops;
	uint32_t next;    /* of another thread, TFP_NONE */
	uint32_t threads; /* of the first: how many others there are */
};

/* The lane of a thread that backward ops call by a number of their own. */
struct forward_thread {
	uint32_t number, lane;
	bool guessed; /* another lane had as many votes */
};

/* How many forward ops of LANE have the sequence number of backward ops that call their thread NUMBER. */
struct forward_votes {
	uint32_t number, lane;
	uint64_t ops;
};

struct walk {
	struct chrome *chrome;
	struct chrome_parts *parts;
	uint32_t lane;
	uint64_t order;
	struct open_list ops, python, modules;
	/* Of the lane of Python calls at hand, where its times say other callers than its ids: by event from FIRST on. Else NULL */
	struct told_call *told;
	uint32_t first;
	TFP_ARRAY(uint32_t) chain;    /* scratch: calls that are sought */
	uint32_t differing, circular; /* calls that times put elsewhere; circles of calls */
	uint32_t long_chains;         /* chains of calls that were cut */
	TFP_ARRAY(struct path) paths;
	struct tfp_lookup *path_table;
	uint64_t path_bytes; /* of all paths */
	uint32_t cut;        /* spots that have the path that they are below */
	TFP_ARRAY(struct spot) spots;
	struct tfp_lookup *spot_table;
	uint32_t spot;              /* met last */
	struct tfp_idmap sequences; /* of those that backward ops have: index in forwards */
	TFP_ARRAY(struct forward) forwards;
	TFP_ARRAY(struct forward_thread) threads;
	TFP_ARRAY(struct forward_votes) votes;
	bool voted;
	uint32_t guessed; /* backward ops of such threads */
};

/* PART below the path PARENT, TFP_NONE: below none. */
uint32_t walk_path(struct walk *walk, uint32_t parent, tfp_str part);

/* callers.c */

/* Gets ready for the calls of LANE, and puts those of one time behind their callers. */
void walk_start_calls(struct walk *walk, const struct tfp_lane *lane);
/* What the call EVENT is, by its own account of its caller, else by what is open. It is not entered yet. */
struct call walk_call(struct walk *walk, uint32_t event);
/* Puts the call among those that are open: below those that it has called, which begin with it or before. */
void walk_enter_call(struct walk *walk, const struct open_event *open);
/* Says what was found of callers, and ends. */
void walk_end_calls(struct walk *walk);

/* steps.c: EVENT, an op or a Python call that is about to be entered, is of an optimizer or a module, and may be once a step. */
void walk_note_turn(struct walk *walk, uint32_t event);

/* sequences.c */

/* Gets ready for the sequence numbers of backward ops; returns, by lane, whether it has such ops. */
bool *walk_backward_lanes(struct walk *walk);
/* Says of how many backward ops it could not be told whose they are. */
void walk_tell_guessed(const struct walk *walk);
/*
 * OP is entered in the context OPEN: what it says of its stack is put there; if it is a forward op it is kept, if a backward op it
 * goes below the forward op that it belongs to.
 */
void walk_op(struct walk *walk, const struct op *op, struct open_event *open);

#endif
