/* SPDX-License-Identifier: Apache-2.0 */
/* The option table's own columns: how a value is read and which member of the query keeps it. */
#ifndef TFPROF_VIEW_OPTIONS_H
#define TFPROF_VIEW_OPTIONS_H

#include "tfprof/view.h"

enum tfp_option_kind {
	TFP_OPTION_DEPTH,
	TFP_OPTION_MINIMUM, /* the metric is in the option's name */
	TFP_OPTION_STEP,
	TFP_OPTION_AT,
	TFP_OPTION_ALLOCATOR,
	TFP_OPTION_RANK,
	TFP_OPTION_RANGE,
	TFP_OPTION_ORDER,
	TFP_OPTION_LIST, /* which: enum tfp_list */
	TFP_OPTION_SELECT,
	TFP_OPTION_OUTPUT,
	TFP_OPTION_COMPAT,
	TFP_OPTION_FLAG, /* which: enum tfp_query_flag */
	TFP_OPTION_TEXT, /* which: enum tfp_list */
	TFP_OPTION_ZOOM,
	TFP_OPTION_SHAPE,
	TFP_OPTION_BASELINE,
	TFP_OPTION_COLUMNS,
	TFP_OPTION_LIBRARIES,
	TFP_OPTION_OLD, /* see oldnames.h */
};

#define TFP_ALL_LEVELS "all" /* as a depth */

enum tfp_query_flag {
	TFP_FLAG_DISPLAYED,
	TFP_FLAG_REVERSE,
	TFP_FLAG_FLAT,
	TFP_FLAG_CONTEXT,
	TFP_FLAG_DEEP,
	TFP_FLAG_MERGE,
	TFP_FLAG_FOLD,
	TFP_FLAG_LIBRARY,
	TFP_FLAG_CONSUMERS,
	TFP_FLAG_MODULES
};

/* A yes or no: VALUE, or yes where that is NULL. False with an error that names the option NAME. */
bool tfp_option_read_flag(const char *name, const char *value, bool *flag, struct tfp_diag *diag);
/* Reads --range; its text in ARENA, NULL where no range is asked for (range.c). */
bool tfp_range_set(struct tfp_query *query, const char *value, struct tfp_diag *diag);
char *tfp_range_print(const struct tfp_query *query, struct tfp_arena *arena);
/* Reads value and unit of MINIMUM; false: TEXT is none (minimum.c). */
bool tfp_minimum_parse(const char *text, struct tfp_minimum *minimum);
/* May a metric of UNIT be compared with MINIMUM? */
bool tfp_minimum_fits(const struct tfp_minimum *minimum, enum tfp_unit unit);
/* The least value in UNIT that reaches MINIMUM. */
int64_t tfp_minimum_in(const struct tfp_minimum *minimum, enum tfp_unit unit);
/* "device >= 20us, bytes >= 1000", those of the query of TREE; NULL: there are none. In ARENA. */
const char *tfp_minimums_text(const struct tfp_tree *tree, struct tfp_arena *arena);
/* The member of QUERY that keeps a flag or a text. */
bool *tfp_query_flag(struct tfp_query *query, unsigned int which);
const char **tfp_query_text(struct tfp_query *query, const struct tfp_option *option);

#endif
