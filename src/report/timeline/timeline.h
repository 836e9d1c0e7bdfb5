/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of a timeline: what ran on which device, and what memory it took there.
 */
#ifndef TFPROF_REPORT_TIMELINE_H
#define TFPROF_REPORT_TIMELINE_H

#include "report/timeline/events.h"
#include "tfprof/report.h"

/*
 * The graph view's: TREE is that of step index STEP. Peaks of memory are said on OUT, which may be NULL;
 * in DIAG, how many runs have no place.
 */
bool tfp_timeline_graph(struct tfp_writer *writer, const struct tfp_tree *tree,
			const struct tfp_profile *profile, uint32_t step, FILE *out,
			struct tfp_diag *diag);

/* ---- memory ---------------------------------------------------------------------------------- */

struct tfp_timeline_memory;

/* The memory of NODES, which all ran in STEP; those on host devices are left out. */
struct tfp_timeline_memory *tfp_timeline_memory_new(const struct tfp_profile *profile,
						    uint32_t step, const uint32_t *nodes,
						    size_t count);
void tfp_timeline_memory_free(struct tfp_timeline_memory *memory);
/* Names its processes, from NEXT_PID on. */
void tfp_timeline_memory_processes(struct tfp_timeline_memory *memory, struct tfp_events *events,
				   int64_t next_pid);
void tfp_timeline_memory_counters(struct tfp_timeline_memory *memory, struct tfp_events *events);
/* A line for each GPU: the most that was in use. */
void tfp_timeline_memory_peaks(const struct tfp_timeline_memory *memory, FILE *out);

#endif
