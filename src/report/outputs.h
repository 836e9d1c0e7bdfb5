/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of output: one row each in output.c.
 */
#ifndef TFPROF_REPORT_OUTPUTS_H
#define TFPROF_REPORT_OUTPUTS_H

#include "report/writer.h"
#include "tfprof/report.h"

/* What an output is made of, and where it goes. */
struct tfp_output_task {
	struct tfp_engine *engine;
	const struct tfp_query *query;
	const char *outfile; /* "" where its kind takes none */
	FILE *out;           /* reports, and the name of each file that was written */
	struct tfp_diag *diag;
};

struct tfp_output_kind {
	const char *type;
	const char *key; /* of the one option that it needs; NULL: it takes none */
	bool (*write)(const struct tfp_output_task *task);
};

/*
 * Writes a file by WRITE, whole or not at all, and says its name on the task's OUT. False with an
 * error.
 */
bool tfp_output_file(const struct tfp_output_task *task, const char *path, const char *what,
		     bool (*write)(struct tfp_writer *writer, void *data), void *data);

/* timeline.c, pprofout.c */
bool tfp_timeline_write(const struct tfp_output_task *task);
bool tfp_pprof_write(const struct tfp_output_task *task);

#endif
