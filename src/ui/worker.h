/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker: the program's first thread, which owns the engine. The screen, on a thread of its own, asks, goes
 * on painting, and takes the answers when the worker's file descriptor says that some are there. Of each kind
 * of question only the newest counts: asking again cancels the older one.
 *
 * While large files are read, the loader hands over profiles of parts of them. Each is a LOAD of its own for the
 * screen, and what is asked about it is answered between two steps of the loader.
 *
 * It is the first thread because the heap of that one grows in large steps and pages. The heap of the other is
 * small, and nobody holds its lock while memory is being cleared or copied.
 */
#ifndef TFP_UI_WORKER_H
#define TFP_UI_WORKER_H

#include "ui/pane/sources.h"
#include "tfprof/report.h"
#include "ui/ui.h"

/* In the order in which they are worked off. */
enum tfp_task {
	TFP_TASK_LOAD,   /* read the files (again) */
	TFP_TASK_QUERY,  /* a tree */
	TFP_TASK_MATCH,  /* the rows that hold a text */
	TFP_TASK_PLACE,  /* the source line of a row */
	TFP_TASK_DETAIL, /* what the drill-down pane shows */
	TFP_TASK_WRITE,  /* a table into a file; no newer question cancels it */
	TFP_TASKS
};

#define TFP_DETAILS 2 /* breakdowns side by side */

/* What is to be written: rows of the request's tree, or what the output is of a query. */
struct tfp_writing {
	char *path; /* the output's file */
	char *said; /* the names of the files, for the message */
	struct tfp_output output;
	bool of_query;
	struct tfp_query query; /* OF_QUERY; the rest is for rows */
	char *text;             /* what the file holds, where that is at hand already; NULL */
	size_t size;
	char *what; /* "marked"; of TEXT "nodes pane": for the message */
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct tfp_table_row *rows; /* NULL: all that are shown, in the order of ORDER */
	struct tfp_table table;
	int order;
	bool reverse;
};

/* A question. Its query, tree and text belong to the worker once asked. */
struct tfp_request {
	enum tfp_task task;
	struct tfp_query query; /* QUERY */
	struct tfp_lens lens;   /* QUERY: what the summary speaks of */
	bool findings;          /* QUERY: what stands out is wanted, or facts of the root */
	struct tfp_tree *tree;  /* the others: a reference */
	uint32_t row;           /* DETAIL, PLACE */
	uint32_t node;          /* PLACE: of an event of the row, whose line it is then; TFP_NONE */
	enum tfp_breakdown_kind kinds[TFP_DETAILS]; /* DETAIL */
	size_t kind_count;
	struct tfp_sources sources;  /* DETAIL: a copy */
	uint64_t page;               /* DETAIL: of values */
	uint32_t metric;             /* DETAIL, PLACE: that leads */
	char *text;                  /* MATCH */
	struct tfp_writing *writing; /* WRITE */
};

#define TFP_MAX_LENSES 40

#define TFP_ABOUT_RANKS 256
#define TFP_MENU_RANKS  26 /* that menus offer */

/* What the screen has to know of a profile apart from its trees. Lives as long as the engine. */
struct tfp_about {
	const char *view_missing[TFP_MAX_VIEWS]; /* in the order of tfp_views */
	const struct tfp_view *view;             /* what it opens with … */
	bool gradients;                          /* some nodes are gradients of others */
	bool opens_flat; /* … as a list: samples, of which the leaves say most */
	struct tfp_breakdown_info breakdowns[TFP_BREAKDOWN_KINDS];
	struct tfp_lens lenses[TFP_MAX_LENSES];
	size_t lens_count;
	uint32_t default_metric;
	const struct tfp_metric *metrics;
	uint32_t metric_count;
	int64_t *steps; /* numbers; belongs to whoever holds this */
	size_t step_count;
	uint32_t
		outside; /* place, among those of trees, of the step that stands for none; TFP_NONE */
	int64_t ranks[TFP_ABOUT_RANKS];
	size_t rank_count;
	char rank_hosts[TFP_MENU_RANKS][20]; /* "": the rank is all there is to say */
	bool sums_steps;                     /* of all steps it is the sum that is shown */
	double share; /* of files that are still being read it is so much; 0: it is all */
};

/* An answer. Whoever takes it owns all that is in it. */
struct tfp_answer {
	enum tfp_task task;
	bool failed;             /* no result; `error` says why */
	char *error;             /* of a failed one, else a remark; may be NULL */
	struct tfp_about about;  /* LOAD */
	struct tfp_tree *tree;   /* QUERY; MATCH, PLACE, DETAIL: the tree asked about */
	struct tfp_tree *before; /* given back with the answer: the screen shows it no more */
	struct tfp_lens lens;    /* QUERY: as asked */
	char *summary[TFP_BRIEFEST + 1]; /* QUERY: in fewer and fewer words */
	char *part;                      /* QUERY: of so much of the files, "3%"; NULL: all */
	struct tfp_matches matches;      /* MATCH */
	char *text;                      /* MATCH: as asked */
	uint32_t row;                    /* PLACE, DETAIL */
	char *file;                      /* PLACE: NULL if the row has none */
	int32_t line;
	char *shape;                 /* PLACE: of the row as a filter; may be NULL */
	char *facts;                 /* DETAIL, QUERY: of the row, of the root */
	char *findings;              /* QUERY: what stands out in the profile; NULL */
	struct tfp_writing *writing; /* WRITE */
	struct tfp_breakdown *details[TFP_DETAILS];
};

struct tfp_worker;

/* One with nothing to do yet. NULL with an error where the system has no pipe left. */
struct tfp_worker *tfp_worker_new(const struct tfp_ui_config *config, struct tfp_diag *diag);
/*
 * Runs ASK, which may call the functions below, on a thread of its own, and answers until it returns; what is
 * not answered by then is cancelled. False with an error when there can be no thread.
 */
bool tfp_worker_run(struct tfp_worker *worker, void (*ask)(void *data), void *data);
/* Frees the engine, too. No tree of it may be held by then. */
void tfp_worker_free(struct tfp_worker *worker);

/* Asks; takes over what is in REQUEST. */
void tfp_worker_ask(struct tfp_worker *worker, const struct tfp_request *request);
/* Takes one answer; false when none is there. */
bool tfp_worker_take(struct tfp_worker *worker, struct tfp_answer *answer);
/*
 * Gives back what is left in ANSWER, and what the screen has put there in its place: the worker frees it. An engine lives
 * as long as trees that it made.
 */
void tfp_worker_return(struct tfp_worker *worker, const struct tfp_answer *answer);
void tfp_answer_free(struct tfp_answer *answer);
/* Cancels what is asked or running of the kind. True if there was anything. */
bool tfp_worker_cancel(struct tfp_worker *worker, enum tfp_task task);
/* A question of the kind is not yet answered. */
bool tfp_worker_busy(struct tfp_worker *worker, enum tfp_task task);
/*
 * How far the running task is: bytes read, rows written; and of how many. Where that is 0, bytes are
 * written, nobody knows how many.
 */
void tfp_worker_progress(struct tfp_worker *worker, enum tfp_task task, uint64_t *done,
			 uint64_t *total);
/* The same of rows of the view that is being made; TOTAL is 0 where it does not say. */
void tfp_worker_rows(struct tfp_worker *worker, uint64_t *made, uint64_t *total);
/* Readable when an answer or news of the progress are there; emptied by tfp_worker_woken. */
int tfp_worker_fd(const struct tfp_worker *worker);
void tfp_worker_woken(struct tfp_worker *worker);

/* ---- between the two halves of the worker ---- */

/*
 * Carries REQUEST out with the engine (task_run.c). Not for TFP_TASK_LOAD. What reading values finds wrong
 * with the files is added to PROBLEMS.
 */
void tfp_task_run(struct tfp_engine *engine, struct tfp_request *request, struct tfp_job *job,
		  struct tfp_diag *problems, struct tfp_answer *answer);
/*
 * Reads the files that the query of REQUEST compares with, if it does and they were not read yet. False with a
 * failed ANSWER.
 */
bool tfp_task_other(const struct tfp_ui_config *config, struct tfp_engine *engine,
		    const struct tfp_request *request, struct tfp_job *job,
		    struct tfp_diag *problems, struct tfp_answer *answer);
/* Fills what the screen knows of the engine's profile. */
void tfp_task_about(struct tfp_engine *engine, struct tfp_about *about);
void tfp_request_free(struct tfp_request *request);

#endif
