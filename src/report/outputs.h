/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of output: one row each in outputkinds.c.
 */
#ifndef TFPROF_REPORT_OUTPUTS_H
#define TFPROF_REPORT_OUTPUTS_H

#include "report/writer.h"
#include "tfprof/report.h"

/* What an output is made of, and where it goes. */
struct tfp_output_task {
	struct tfp_engine *engine;
	const struct tfp_query *query;
	const struct tfp_output *output;
	FILE *out; /* reports, and the name of each file that was written; NULL: names are not said */
	struct tfp_job *job; /* may be NULL */
	struct tfp_diag *diag;
};

#define TFP_STANDARD_OUTPUT "-"

/* Opens PATH as tfp_output_open does, or the task's OUT where PATH is the sign for it. NULL with an error. */
struct tfp_out_file *tfp_output_begin(const struct tfp_output_task *task, const char *path);

/*
 * Writes a file by WRITE, whole or not at all, and says its name on the task's OUT. False with an
 * error, or without one when the job was cancelled.
 */
bool tfp_output_file(const struct tfp_output_task *task, const char *path, const char *what,
		     bool (*write)(struct tfp_writer *writer, void *data), void *data);

/* timeline.c, pprofout.c */
bool tfp_timeline_fits(const struct tfp_base *base);
struct tfp_words tfp_timeline_paths(const struct tfp_output *output, const struct tfp_query *query,
				    struct tfp_words steps, struct tfp_arena *arena);
bool tfp_timeline_write(const struct tfp_output_task *task);
bool tfp_pprof_fits(const struct tfp_base *base);
bool tfp_pprof_write(const struct tfp_output_task *task);

#endif
