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

void tfp_table_csv(struct tfp_writer *writer, const struct tfp_table *table);
void tfp_table_json(struct tfp_writer *writer, const struct tfp_table *table);

#endif
