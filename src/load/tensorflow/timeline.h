/* SPDX-License-Identifier: Apache-2.0 */
/* What was read of a timeline, before it becomes a profile. */
#ifndef TFPROF_LOAD_TIMELINE_H
#define TFPROF_LOAD_TIMELINE_H

#include "load/tensorflow/runmeta.h"

/* A process of the trace: a device. */
struct tfp_timeline_process {
	int64_t id;
	struct tfp_run_device device;
	bool level; /* a level of a flame graph: its events are sums */
	bool typed; /* a level of a recording: its events say of which type they are */
};

/* A run of an op. */
struct tfp_timeline_event {
	tfp_str node, op;
	uint32_t process;
	int64_t start, duration;
};

struct tfp_timeline_read {
	TFP_ARRAY(struct tfp_timeline_event) events;
	TFP_ARRAY(struct tfp_timeline_process) processes;
	uint32_t *node; /* by event */
};

/*
 * Reads NAME if it is that of a level, as the output "timeline" of a tree writes it: "Scope:3", of a recording "Scope:3 of device
 * time" or "of host time".
 */
void tfp_timeline_read_level(struct tfp_timeline_process *process, struct tfp_span name);
/* Whether all that was read is one flame graph. */
bool tfp_timeline_is_flame(const struct tfp_timeline_read *timeline);
/*
 * Takes what is below it from each event of a flame graph of scopes, and leaves those with a time of
 * their own. False when the names are not those of scopes.
 */
bool tfp_timeline_unnest(struct tfp_timeline_read *timeline, const struct tfp_strings *strings);

#endif
