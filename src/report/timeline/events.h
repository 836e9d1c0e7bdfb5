/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of Chrome's trace format, as TensorFlow's profiler writes them: one line
 * {"traceEvents":[…]}, the members of each event in bytewise order, texts in ASCII.
 */
#ifndef TFPROF_REPORT_EVENTS_H
#define TFPROF_REPORT_EVENTS_H

#include "report/writer.h"

struct tfp_events {
	struct tfp_writer *writer;
	uint64_t count;
};

/* Where an event stands: a process, a lane of it (a thread), a time in us. */
struct tfp_event_place {
	int64_t pid, tid, time;
};

void tfp_events_begin(struct tfp_events *events, struct tfp_writer *writer);
void tfp_events_end(struct tfp_events *events);

/* Names process PID: BEFORE, NAME and BEHIND together. */
void tfp_events_process(struct tfp_events *events, int64_t pid, const char *before,
			struct tfp_span name, const char *behind);
/* NAME runs from PLACE on for so many us; its arguments say of which type it is where OP is not empty. */
void tfp_events_region(struct tfp_events *events, const struct tfp_event_place *place,
		       int64_t duration, struct tfp_span name, struct tfp_span op);
/* One end of an arrow from NODE to what takes its output: its start ('s'), or its target ('t'). */
void tfp_events_flow(struct tfp_events *events, const struct tfp_event_place *place, char phase,
		     uint64_t id, struct tfp_span node);
/* Counters of NAME: the members of "args" are written between the two. */
void tfp_events_counter_begin(struct tfp_events *events);
void tfp_events_counter_end(struct tfp_events *events, const struct tfp_event_place *place,
			    const char *name);

/* BEFORE and raw bytes as one string of JSON. What is not UTF-8 becomes what jsoncpp makes of it. */
void tfp_events_text(struct tfp_writer *writer, const char *before, struct tfp_span text);

#endif
