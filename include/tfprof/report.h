/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report: trees written out: text, tables, timelines, pprof.
 */
#ifndef TFPROF_REPORT_H
#define TFPROF_REPORT_H

#include "tfprof/breakdown.h"
#include "tfprof/columns.h"

/*
 * Writes TREE as tfprof's report: warning block where due, `Doc:` block in our own words, the line
 * `Profile:`, header and rows. For TensorFlow profiles every byte from `Profile:` on is TensorFlow's.
 * With SAFE, names are made safe for a terminal. False with an error in DIAG when writing failed, which names PATH
 * (NULL: OUT is no file), and without one when JOB (may be NULL) was cancelled.
 */
bool tfp_report_text(FILE *out, const char *path, const struct tfp_tree *tree,
		     struct tfp_engine *engine, bool safe, struct tfp_job *job,
		     struct tfp_diag *diag);

/* Writes ADVICE by checker. With SAFE, names are made safe for a terminal. False with an error. */
bool tfp_report_advice(FILE *out, const struct tfp_advice *advice, bool safe,
		       struct tfp_diag *diag);

/* ---- outputs: what a view is written as, and where it goes ------------------------------------------ */

enum tfp_table_format { TFP_TABLE_TXT, TFP_TABLE_CSV, TFP_TABLE_JSON, TFP_TABLE_MD };

/* An output that is asked for: "type" or "type:key=value,…" of --output, or what the screen writes. */
struct tfp_output {
	const struct tfp_output_kind *kind;
	const char *outfile; /* "" none */
	/*
	 * Timelines: the file's name is as it is given; where there are several the number of the step
	 * stands before its ending. Else the number stands behind it in any case, as TensorFlow has it:
	 * of its own profiles, where the command line says so.
	 */
	bool as_named;
};

struct tfp_output_task;

/* A kind of output. The command line, the screen and the manual page read this table. */
struct tfp_output_kind {
	const char *type;  /* "timeline" */
	const char *thing; /* as the screen offers it; NULL: by its suffix only, or not at all */
	const char *key;   /* of the option that names its file; NULL: it takes none */
	const char *
		suffixes; /* ".md .markdown": of files that are of this kind when nobody says; NULL: none */
	const char *help; /* one line: what it is */
	bool table; /* rows and columns as they are on the screen, in FORMAT; not for sentences */
	enum tfp_table_format format;
	bool one_metric; /* the query's select must be one metric */
	/* Has the view of a base such an output? NULL: each has. */
	bool (*fits)(const struct tfp_base *base);
	/* The files' names, as tfp_output_paths; NULL: the one that is given. */
	struct tfp_words (*paths)(const struct tfp_output *output, const struct tfp_query *query,
				  struct tfp_words steps, struct tfp_arena *arena);
	bool (*write)(const struct tfp_output_task *task);
};
extern const struct tfp_output_kind
	tfp_output_kinds[]; /* in bytewise order, ended by a NULL type */

/* The kind by its name, or by the suffix of a file's name; NULL: none. */
const struct tfp_output_kind *tfp_output_find(struct tfp_span type);
const struct tfp_output_kind *tfp_output_of_path(const char *path);
/* Parses "type:key=value,…" as the original does; texts in ARENA. False with an error in DIAG. */
bool tfp_output_parse(const char *text, struct tfp_output *output, struct tfp_arena *arena,
		      struct tfp_diag *diag);
/*
 * Names of the files that OUTPUT makes of QUERY; STEPS are the numbers of the profile's steps, as texts.
 * In ARENA.
 */
struct tfp_words tfp_output_paths(const struct tfp_output *output, const struct tfp_query *query,
				  struct tfp_words steps, struct tfp_arena *arena);
/*
 * Runs QUERY, which names its view, and makes OUTPUT of it: a report to OUT, or files whose names are
 * said there. OUT may be NULL where files are made; it is not told of them then. False with an error in
 * DIAG, and without one when JOB (may be NULL) was cancelled; each file is then there as it was.
 */
bool tfp_output_make(struct tfp_engine *engine, const struct tfp_query *query,
		     const struct tfp_output *output, FILE *out, struct tfp_job *job,
		     struct tfp_diag *diag);
/* The same with the output that QUERY asks for. */
bool tfp_output_write(struct tfp_engine *engine, const struct tfp_query *query, FILE *out,
		      struct tfp_job *job, struct tfp_diag *diag);

/*
 * Opens PATH for writing so that a failure leaves the old file: a temporary file beside it, renamed by
 * tfp_output_close(commit = true). Devices, pipes and links are written through. NULL with an error.
 */
struct tfp_out_file;
struct tfp_out_file *tfp_output_open(const char *path, struct tfp_diag *diag);
/* The same of OUT, which stays open when it is closed. */
struct tfp_out_file *tfp_output_lend(FILE *out);
FILE *tfp_output_stream(struct tfp_out_file *file);
bool tfp_output_close(struct tfp_out_file *file, bool commit, struct tfp_diag *diag);

/*
 * Saves PROFILE, TensorFlow's, whole in the file PATH, as TensorFlow saves profiles (ProfileProto),
 * and says the file's name on OUT; it is compressed if its name ends in ".gz". With COMPAT every
 * input is the first output of its producer, as where TensorFlow's releases save. False with an
 * error in DIAG; a file that was there stays then.
 */
bool tfp_report_profile(FILE *out, const char *path, struct tfp_profile *profile, bool compat,
			struct tfp_diag *diag);

/* ---- tables: what is on the screen, as a file ------------------------------------------------------ */

struct tfp_table_row {
	uint32_t row;   /* of the tree's base */
	uint32_t above; /* the shown row that it is listed below; TFP_NONE: none */
	uint32_t depth;
};

/* Nothing here belongs to the table. */
struct tfp_table {
	const struct tfp_tree *tree;
	const struct tfp_column *columns; /* bars are left out */
	size_t column_count;
	const struct tfp_table_row *rows; /* in this order */
	size_t count;
	bool of_root;        /* shares are of the whole, not of the row above */
	struct tfp_job *job; /* NULL, or what is asked whether to stop, and told how far it is */
	const char *path;    /* of the file, for errors; NULL: it is none */
	bool apart; /* rows that do not stand below one another: whole names, no indentation */
};

/* Is ROW one of a table's? Those that stand for a row elsewhere have no figures, and are not. */
bool tfp_table_holds(const struct tfp_tree *tree, uint32_t row);
/*
 * All shown rows of TREE as they are listed by ORDER (see tfp_tree_children_by), the root first. To be freed by
 * tfp_array_release.
 */
struct tfp_table_row *tfp_table_all(const struct tfp_tree *tree, int order, bool reverse,
				    size_t *count);
/*
 * Writes TABLE. For people (txt, md) figures stand as on the screen; for programs (csv, json) as plain
 * numbers, whose units the head names. Names are made safe in all of them. False with an error in DIAG when
 * writing failed, and without one when the job was cancelled.
 */
bool tfp_table_write(FILE *out, const struct tfp_table *table, enum tfp_table_format format,
		     struct tfp_diag *diag);

/* The rows of a breakdown. Nothing here belongs to the table. */
struct tfp_pane_table {
	const struct tfp_breakdown *detail;
	const struct tfp_tree *tree; /* of the row that it is about */
	const char *name;            /* of that row, raw */
	const char *kind;            /* of the breakdown: "nodes" */
	uint32_t metric;             /* of the values */
};

/* As tfp_table_write. */
bool tfp_pane_table_write(FILE *out, const struct tfp_pane_table *table,
			  enum tfp_table_format format, struct tfp_diag *diag);

#endif
