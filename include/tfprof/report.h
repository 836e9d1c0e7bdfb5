/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report: trees written out as text.
 */
#ifndef TFPROF_REPORT_H
#define TFPROF_REPORT_H

#include "tfprof/view.h"

/*
 * Writes TREE as tfprof's report: warning block where due, `Doc:` block in our own words, the line
 * `Profile:`, header and rows. For TensorFlow profiles every byte from `Profile:` on is TensorFlow's.
 * With SAFE, names are made safe for a terminal. False with an error in DIAG when writing failed.
 */
bool tfp_report_text(FILE *out, const struct tfp_tree *tree, struct tfp_engine *engine, bool safe,
		     struct tfp_diag *diag);

/* `--output` parsed: type and its outfile ("" none). */
struct tfp_output {
	const char *type; /* "stdout", "file", "none", … */
	const char *outfile;
};
/* Parses "type:key=value,…" as the original does; texts in ARENA. False with an error in DIAG. */
bool tfp_output_parse(const char *text, struct tfp_output *output, struct tfp_arena *arena,
		      struct tfp_diag *diag);

/*
 * Opens PATH for writing so that a failure leaves the old file: a temporary file beside it, renamed by
 * tfp_output_close(commit = true). Devices, pipes and links are written through. NULL with an error.
 */
struct tfp_out_file;
struct tfp_out_file *tfp_output_open(const char *path, struct tfp_diag *diag);
FILE *tfp_output_stream(struct tfp_out_file *file);
bool tfp_output_close(struct tfp_out_file *file, bool commit, struct tfp_diag *diag);

#endif
