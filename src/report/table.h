/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two halves of tables share: those for people (table.c) and for programs (tabledata.c).
 */
#ifndef TFPROF_REPORT_TABLE_H
#define TFPROF_REPORT_TABLE_H

#include "report/writer.h"
#include "tfprof/report.h"

/* A text that is made anew for each row. */
struct tfp_table_text {
	TFP_ARRAY(char) clean; /* the name, made safe */
	TFP_ARRAY(char) text;  /* what is written */
};

/* Tells how far the job is; false when it is cancelled. */
bool tfp_table_goes_on(const struct tfp_table *table, size_t row);
/* RAW made safe, in TEXT until the next call. */
struct tfp_span tfp_table_clean(struct tfp_table_text *text, struct tfp_span raw);
/* The row that shares of row INDEX are of. */
uint32_t tfp_table_whole(const struct tfp_table *table, size_t index);
/* A bar says nothing that the share beside it does not. */
static inline bool tfp_table_has(const struct tfp_column *column)
{
	return column->kind != TFP_COLUMN_BAR;
}

/* Adds RAW, made safe, to TEXT; with MARKDOWN what means something to that loses its meaning. */
void tfp_table_add(struct tfp_table_text *text, struct tfp_span raw, bool markdown);
/* Spaces for so many levels; of Markdown such as it does not drop. */
void tfp_table_indent(struct tfp_table_text *text, uint32_t depth, bool markdown);
void tfp_table_text_free(struct tfp_table_text *text);
/* TEXT in a column of so many cells, with spaces behind or before it. */
void tfp_table_left(struct tfp_writer *writer, struct tfp_span text, size_t width);
void tfp_table_right(struct tfp_writer *writer, struct tfp_span text, size_t width);
/* The dashes below a head of Markdown; RIGHT: the column is aligned there. */
void tfp_table_dashes(struct tfp_writer *writer, size_t width, bool right);
/* A field of CSV, a string of JSON: cleaned text has no control characters and is valid UTF-8. */
void tfp_table_field(struct tfp_writer *writer, struct tfp_span clean);
void tfp_table_string(struct tfp_writer *writer, struct tfp_table_text *text, struct tfp_span raw);
/* BEFORE, then VALUE as such a string: a member of an object. */
void tfp_table_member(struct tfp_writer *writer, struct tfp_table_text *text, const char *before,
		      const char *value);
/* The word that programs have for UNIT: "bytes". */
const char *tfp_table_unit(enum tfp_unit unit);

/* A writer for a table to OUT. */
struct tfp_writer *tfp_table_begin(FILE *out);
/* Ends it; false with an error in DIAG when something could not be written. */
bool tfp_table_end(struct tfp_writer *writer, struct tfp_diag *diag);

void tfp_table_csv(struct tfp_writer *writer, const struct tfp_table *table);
void tfp_table_json(struct tfp_writer *writer, const struct tfp_table *table);

#endif
