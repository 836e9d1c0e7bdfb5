/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sheet: named rows and their cells, whatever they are of, and how that becomes a file. People (plain text,
 * Markdown) read figures as on the screen, in columns as wide as their widest cell; programs (CSV, JSON) plain
 * numbers, whose units the head names.
 */
#ifndef TFPROF_REPORT_SHEET_H
#define TFPROF_REPORT_SHEET_H

#include "report/writer.h"
#include "tfprof/report.h"

enum tfp_sheet_kind {
	TFP_SHEET_UNKNOWN, /* "-", an empty field, null */
	TFP_SHEET_WORDS,
	TFP_SHEET_FIGURE,
	TFP_SHEET_INTEGER, /* for programs */
};

struct tfp_sheet_cell {
	enum tfp_sheet_kind kind;
	struct tfp_span words;        /* raw */
	char figure[TFP_NUMBER_ROOM]; /* as it is written */
	int64_t integer;
};

struct tfp_sheet_column {
	const char *title;
	const char *head;   /* of CSV: "TIME total (us)" */
	const char *kind;   /* "total" */
	const char *metric; /* its key; NULL: not said */
	const char *unit;   /* "us" */
	bool left;          /* aligned there, for people */
};

/* The writing of a sheet, as those see it who write parts of it. */
struct tfp_sheet_text;

/* Nothing here belongs to the sheet. */
struct tfp_sheet {
	const struct tfp_sheet_column *columns;
	size_t column_count, count; /* columns, rows */
	bool paths;                 /* names are those of files, which nobody can do without */
	const char *path;           /* of the file, for errors; NULL: it is none */
	struct tfp_job *job;        /* NULL, or what is asked whether to stop, and told the row */
	const void *data;           /* of the functions below */
	/* The raw name of ROW, and in DEPTH how far it is indented, or for programs its level. */
	struct tfp_span (*name)(const void *data, size_t row, uint32_t *depth);
	void (*fill)(const void *data, size_t row, size_t column, struct tfp_sheet_cell *cell);
	/* Of JSON: the members that stand before the columns. */
	void (*members)(const void *data, struct tfp_sheet_text *text);
};

/* Who reads FORMAT: names and cells are for them. */
bool tfp_sheet_for_people(enum tfp_table_format format);
/* SIGNS of JSON as they are. */
void tfp_sheet_raw(struct tfp_sheet_text *text, const char *signs);
/* BEFORE, then VALUE as a string of JSON: a member of an object. */
void tfp_sheet_member(struct tfp_sheet_text *text, const char *before, const char *value);
/* The same with a number, for programs. */
void tfp_sheet_number(struct tfp_sheet_text *text, const char *before, double value);
/* The word that programs have for UNIT: "bytes". */
const char *tfp_sheet_unit(enum tfp_unit unit);

/* A figure for programs: six digits, which need no more than the room. */
void tfp_sheet_put_real(struct tfp_sheet_cell *cell, double value);
void tfp_sheet_put_integer(struct tfp_sheet_cell *cell, int64_t value);
void tfp_sheet_put_words(struct tfp_sheet_cell *cell, struct tfp_span raw);

/*
 * Writes SHEET, made for the readers of FORMAT, to OUT. False with an error in DIAG when writing failed, and
 * without one when the job was cancelled.
 */
bool tfp_sheet_write(FILE *out, const struct tfp_sheet *sheet, enum tfp_table_format format,
		     struct tfp_diag *diag);

#endif
