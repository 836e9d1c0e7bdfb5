/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report consists of: its columns and what is at hand while its rows are written.
 */
#ifndef TFPROF_REPORT_LAYOUT_H
#define TFPROF_REPORT_LAYOUT_H

#include "report/writer.h"
#include "tfprof/columns.h"

/* What stands in a cell. */
enum tfp_cell_kind {
	TFP_CELL_METRIC, /* self and total of a metric */
	TFP_CELL_PARAMS, /* the same, behind the shape that is counted */
	TFP_CELL_DEVICE,
	TFP_CELL_TYPES,
	TFP_CELL_OCCURRENCE,
	TFP_CELL_SHAPES,
	TFP_CELL_DIFFERENCE, /* of a metric, to the baseline */
	TFP_CELL_RATIO,
	TFP_CELL_DTYPE, /* of a checkpoint's variables: type, shape, into how many slices it is cut */
	TFP_CELL_DIMS,
	TFP_CELL_SLICES,
};

struct tfp_report_cell {
	enum tfp_cell_kind kind;
	uint32_t metric;
	const char *label;  /* in the header */
	const char *suffix; /* behind a number of a tree, of an op row: " params", "" */
	const char *op_suffix;
};

#define TFP_MAX_CELLS (3 * TFP_MAX_METRICS + 8)

/* How a view's rows are written; by its name. */
enum tfp_rows_kind { TFP_ROWS_SCOPE, TFP_ROWS_GRAPH, TFP_ROWS_CODE, TFP_ROWS_OP, TFP_ROWS_OTHER };

struct tfp_report {
	struct tfp_writer *writer;
	const struct tfp_tree *tree;
	const struct tfp_base *base;
	const struct tfp_profile *profile;
	enum tfp_rows_kind rows;
	struct tfp_report_cell cells[TFP_MAX_CELLS];
	size_t cell_count;
	bool input_blocks; /* op rows are followed by their input shapes */
	bool values;       /* rows are followed by their values in a checkpoint */
	struct tfp_diag *diag;
	size_t depth;  /* of the op row in hand: 0 in the list, more below a row of it */
	uint32_t step; /* of the query, as the model wants it */
	unsigned quirks;
	/* distinct strings of the row in hand: devices, op types */
	TFP_ARRAY(tfp_str) set;
	uint32_t *seen; /* by string id: the set that it was last put into */
	uint32_t seen_count, seen_now;
};

/* Finds rows and cells by view and selection. */
void tfp_report_lay_out(struct tfp_report *report);
/* Is WORD selected? */
bool tfp_report_selects(const struct tfp_report *report, const char *word);
void tfp_report_header(struct tfp_report *report);
/* What a cell of the kind DIFFERENCE or RATIO says. */
struct tfp_cell tfp_report_compare(const struct tfp_report *report, uint32_t row,
				   const struct tfp_report_cell *cell);
/* Warning, `Doc:` and the line `Profile:`. */
void tfp_report_prefix(struct tfp_report *report);
/* A row that is nothing but its label. */
void tfp_report_sentence(struct tfp_report *report, uint32_t row, size_t depth);
/* One row of a tree, and one of the op view with its block. */
void tfp_report_tree_row(struct tfp_report *report, uint32_t row, size_t depth);
void tfp_report_op_row(struct tfp_report *report, uint32_t row, size_t depth);

/* The values of the variable that has the name of ROW. */
void tfp_report_values(struct tfp_report *report, uint32_t row);

/* Distinct strings, to be printed in bytewise order with '|' between. */
void tfp_set_start(struct tfp_report *report);
void tfp_set_add(struct tfp_report *report, tfp_str id);
/* Devices, or op types, of all picks of ROW. */
void tfp_set_add_devices(struct tfp_report *report, uint32_t row);
void tfp_set_add_types(struct tfp_report *report, uint32_t row);
void tfp_set_write(struct tfp_report *report);
/* The picks of ROW; *COUNT 0 where a view has none. */
const uint32_t *tfp_report_picks(const struct tfp_report *report, uint32_t row, uint32_t *count);

#endif
