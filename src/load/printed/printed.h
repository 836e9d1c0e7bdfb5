/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printed reports read back: what the pieces of the reader share. Bytes become lines without what
 * people and programs put before them, lines become rows of cells, rows become a profile whose tree
 * is given.
 */
#ifndef TFPROF_LOAD_PRINTED_H
#define TFPROF_LOAD_PRINTED_H

#include "tfprof/load.h"

/* ---- figures --------------------------------------------------------------------------------- */

/*
 * Reads TEXT ("930.58k", "12us") as a figure of UNIT, with the least and the most that tfprof prints
 * so. False when it is none.
 */
bool tfp_printed_figure(struct tfp_span text, enum tfp_unit unit, struct tfp_figure *figure);
/* What UNIT a figure with such letters behind it has; false when it is no figure. */
bool tfp_printed_unit(struct tfp_span text, enum tfp_unit *unit);
/* Digits alone, at most 18 of them. */
bool tfp_printed_integer(struct tfp_span text, int64_t *value);

/* ---- columns --------------------------------------------------------------------------------- */

enum tfp_printed_kind {
	TFP_PRINTED_PARAMS,
	TFP_PRINTED_FLOPS,
	TFP_PRINTED_MEMORY,
	TFP_PRINTED_TIME,
	TFP_PRINTED_DEVICES,
	TFP_PRINTED_TYPES,
	TFP_PRINTED_COUNTS, /* two figures: runs and definitions */
	TFP_PRINTED_SHAPES,
	TFP_PRINTED_STRANGE, /* of a header with a label that no version has */
};

struct tfp_printed_column {
	enum tfp_printed_kind kind;
	const char *label; /* as in headers */
	const char *key;   /* the metric that it is; NULL: none */
	const char *title;
};

#define TFP_PRINTED_COLUMNS 24

struct tfp_printed_columns {
	struct tfp_printed_column at[TFP_PRINTED_COLUMNS];
	size_t count;
	bool header; /* a header names them; else they are guessed from what the cells look like */
};

/*
 * The columns of a header, TEXT being what follows "node name |". False when a label is none of
 * tfprof's, be it cut or strange; it then is a column of the kind STRANGE.
 */
bool tfp_printed_header(struct tfp_span text, struct tfp_printed_columns *columns);

/* Cells of one row, as far as they can be told without a header. */
struct tfp_printed_guess {
	int kind[TFP_PRINTED_COLUMNS]; /* enum tfp_printed_kind, TFP_PRINTED_STRANGE: any text */
	size_t count;
	bool sure; /* some cell could be in no other text */
};

/* Holds the cells of another row against GUESS, which becomes the columns' best known kinds. */
void tfp_printed_guess_merge(struct tfp_printed_guess *best, const struct tfp_printed_guess *more);
void tfp_printed_guess_columns(const struct tfp_printed_guess *guess,
			       struct tfp_printed_columns *columns);

/* ---- rows ------------------------------------------------------------------------------------ */

struct tfp_printed_cell {
	bool known;    /* false: no such cell, or it says that there is nothing to say */
	bool has_self; /* of trees: not "--" */
	struct tfp_figure self, total;
	struct tfp_figure defined_self, defined_total; /* of TFP_PRINTED_COUNTS */
	int32_t share, running; /* op reports: hundredths of a percent, of the row and from it on */
	struct tfp_span text;   /* as printed */
};

struct tfp_printed_row {
	uint32_t depth;
	bool input; /* op reports: a line of input shapes, below its row */
	struct tfp_span name;
	struct tfp_span shape;          /* of parameters; size 0: none */
	size_t line;                    /* from 1 */
	struct tfp_printed_cell *cells; /* one for each column; NULL of lines of inputs */
	int64_t runs, defined;          /* of lines of inputs */
	struct tfp_figure time;
};

/* Reads TEXT as a row of a tree whose cells are COLUMNS; CELLS has room for them. */
bool tfp_printed_tree_row(struct tfp_span text, const struct tfp_printed_columns *columns,
			  struct tfp_printed_row *row, struct tfp_printed_cell *cells);
/* The same for a row of an op report, and for a line of input shapes below it. */
bool tfp_printed_op_row(struct tfp_span text, const struct tfp_printed_columns *columns,
			struct tfp_printed_row *row, struct tfp_printed_cell *cells);
bool tfp_printed_input_row(struct tfp_span text, struct tfp_printed_row *row);
/* Whether TEXT looks like a row of cells, whatever the columns. */
bool tfp_printed_tree_guess(struct tfp_span text, struct tfp_printed_guess *guess);
bool tfp_printed_op_guess(struct tfp_span text, struct tfp_printed_guess *guess);

/* How likely SOURCE is to be a printed report: see struct tfp_loader (printed_sniff.c). */
int tfp_printed_sniff(const struct tfp_source *source);

/* ---- lines ----------------------------------------------------------------------------------- */

struct tfp_printed_lines {
	struct tfp_arena *arena; /* of lines that are not in the file as they are */
	TFP_ARRAY(struct tfp_span) list;
	struct tfp_span prefix; /* before each line of the report at hand, by the shape of it */
	size_t tab;             /* blanks that a leading tab stands for */
	size_t widest;          /* characters of its widest line */
	bool open;              /* the text does not end with a newline */
};

/* Fills the list with the lines of TEXT, which must outlive it. */
void tfp_printed_split(struct tfp_printed_lines *lines, struct tfp_span text);
/* Sets up prefix, tab and width for the lines FROM up to END; PREFIX is what stands before one of them. */
void tfp_printed_settle(struct tfp_printed_lines *lines, struct tfp_span prefix, size_t from,
			size_t end);
/* Line AT without its prefix, with blanks for leading tabs. */
struct tfp_span tfp_printed_line(const struct tfp_printed_lines *lines, size_t at);
/* May NEXT be what a line that ends in LAST was continued with? */
bool tfp_printed_continues(const struct tfp_printed_lines *lines, struct tfp_span last,
			   struct tfp_span next);

/* ---- reports --------------------------------------------------------------------------------- */

struct tfp_printed_report {
	const char *view; /* "tree", "code", "op" */
	size_t line;      /* where it begins, from 1 */
	struct tfp_printed_columns columns;
	TFP_ARRAY(struct tfp_printed_row) rows;
	struct tfp_span cut_head, cut_row; /* what is left of rows cut in two; size 0: none */
	size_t cut_line;
};

struct tfp_printed {
	struct tfp_arena arena;
	struct tfp_printed_lines lines;
	TFP_ARRAY(struct tfp_printed_report) reports;
};

/* Finds and reads all reports in TEXT, which must outlive them. False when JOB was cancelled. */
bool tfp_printed_read(struct tfp_printed *printed, struct tfp_span text, struct tfp_job *job);
void tfp_printed_free(struct tfp_printed *printed);

#endif
