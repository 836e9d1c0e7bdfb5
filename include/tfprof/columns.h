/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view, its columns: which figures of a row stand beside its name on the screen and in its copies, what can be
 * chosen, and the cells.
 */
#ifndef TFPROF_COLUMNS_H
#define TFPROF_COLUMNS_H

#include "tfprof/view.h"

/* What stands behind an exact number of UNIT: "B", "ps"; "" behind counts, dates and words. */
const char *tfp_unit_sign(enum tfp_unit unit);

enum tfp_column_kind {
	TFP_COLUMN_TOTAL, /* total of a metric */
	TFP_COLUMN_SELF,
	TFP_COLUMN_PERCENT, /* of the parent (or root): number */
	TFP_COLUMN_BAR,     /* the same as a bar */
	TFP_COLUMN_RUNNING, /* op view: SUM%, the cumulative share */
	TFP_COLUMN_RUNS,
	TFP_COLUMN_DEFINED,
	TFP_COLUMN_RATE,       /* float operations, or bytes, per second, where both are known */
	TFP_COLUMN_DIFFERENCE, /* total less the baseline's, with its sign */
	TFP_COLUMN_RATIO, /* total by the baseline's: "1.42x"; "new" or "gone" on one side only */
	TFP_COLUMN_BASELINE, /* the baseline's total */
	TFP_COLUMN_PEAK,     /* the rate as percents of the most that a device can do */
	TFP_COLUMN_BUSY, /* steps: the part of their length in which devices are busy, in percents */
	TFP_COLUMN_SINCE, /* memory: since when something of it is held */
	/* device: how kernels were launched, of several from the least to the most; whatever the metric */
	TFP_COLUMN_GRID,
	TFP_COLUMN_BLOCK,
	TFP_COLUMN_REGISTERS,
	TFP_COLUMN_SHARED,
	TFP_COLUMN_OCCUPANCY,               /* percents */
	TFP_COLUMN_LAUNCH = TFP_COLUMN_GRID /* these and no other from here on */
};

struct tfp_column {
	enum tfp_column_kind kind;
	uint32_t metric;
	const char *title;
	int width;    /* cells it wants */
	int priority; /* lower is dropped first on a narrow screen; the name column is never dropped */
	bool exact; /* figures with every digit */
};

#define TFP_MAX_COLUMNS 24

/* A way of looking at the numbers: which metric leads, what is accounted, which columns come with it. */
struct tfp_lens {
	const char *name; /* "time", "memory", "params", "flops", "count"; or a sample type */
	char letter;
	uint32_t metric;     /* leads: total column, order, shares */
	const char *account; /* account_type_regexes it sets: ".*" or "_trainable_variables" */
};
/* The lenses that the profile's data can fill; returns how many (at most ROOM). */
size_t tfp_lenses(const struct tfp_profile *profile, struct tfp_lens *out, size_t room);
/* Is NAME one of the lenses of TensorFlow's profiles? Others have one for each sample type. */
bool tfp_lens_known(const char *name);

/* A column that can be chosen, whether it has figures here or not. */
struct tfp_offer {
	struct tfp_column column;
	const char *name; /* by which it is chosen: "self", "total_bytes" */
	const struct tfp_metric
		*usual_of;   /* the metric that this column alone is called by; NULL: none */
	const char *help;    /* one line: what it says */
	const char *missing; /* NULL, or why nothing of it can be shown */
	int usual;           /* priority where none is chosen */
	bool standard;       /* it comes with the lens */
	bool chosen;
};

#define TFP_MAX_OFFERS 96

/*
 * All columns for a tree under a lens: first the chosen ones as CHOICE has them (see choices in struct tfp_query;
 * NULL: those of the lens), then all others. Texts are in ARENA. Returns how many.
 */
size_t tfp_offers(const struct tfp_tree *tree, uint32_t lead_metric, const char *choice,
		  struct tfp_arena *arena, struct tfp_offer out[TFP_MAX_OFFERS]);
/* The chosen columns that have figures, from left to right. Returns how many. */
size_t tfp_columns(const struct tfp_tree *tree, uint32_t lead_metric, const char *choice,
		   struct tfp_column *out, size_t room);
/* Adds a note to DIAG for each metric that CHOICE, which a person typed, has as a column and TREE has not. */
void tfp_columns_tell(const struct tfp_tree *tree, uint32_t lead_metric, const char *choice,
		      struct tfp_diag *diag);
/*
 * Is COLUMN, which came with the lens, worth its room where there is little? Not so in recordings where all its figures are
 * 0 (of a long list those of its first rows), nor times of what holds memory, nor when devices were busy beside their gaps,
 * or where that is about the time on them, nor what rows of devices have themselves.
 */
bool tfp_column_says(const struct tfp_tree *tree, const struct tfp_column *column);
/* What a word of --select is, "params": a line for people; NULL: it is none that every file has. */
const char *tfp_word_text(const char *word);
/* What the column NAME ("self", not "total_KEY") says; NULL: there is none. */
const char *tfp_column_help(const char *name);
/* The names that columns have in every file, those of metrics as "total_KEY". In ARENA. */
struct tfp_words tfp_column_names(struct tfp_arena *arena);

/* Makes columns show every digit of figures, and wide enough for them. */
void tfp_columns_exact(struct tfp_column *at, size_t count);

#define TFP_CELL_ROOM 160 /* bytes of a cell: words are longer than numbers */

/* A cell ready to be drawn: the text, and for bars and shares the fraction 0..1 (negative: none). */
struct tfp_cell {
	char text[TFP_CELL_ROOM];
	double fraction;
	bool dim; /* zero or unknown: to be drawn dimmed */
};
/* "+1.42ms", "-3": what is more than the baseline has a sign, too. Return TEXT. */
char *tfp_difference_text(char text[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t difference);
/* "1.42x" of BASELINE; "new", "gone" on one side only; "-" where there is nothing to compare with. */
char *tfp_ratio_text(char text[TFP_NUMBER_ROOM], int64_t value, int64_t baseline,
		     enum tfp_side side);
/* PARENT: the shown parent (shares are of it), or the root row for shares of the whole. */
void tfp_tree_cell(const struct tfp_tree *tree, uint32_t row, uint32_t parent,
		   const struct tfp_column *column, struct tfp_cell *cell);

/* Nodes that ROW and what is below it stand for. */
int64_t tfp_tree_nodes(const struct tfp_tree *tree, uint32_t row);

/* A cell as a number: in the metric's own unit; shares in percent, rates by the second. */
struct tfp_value {
	bool whole; /* it is INTEGER, else REAL */
	int64_t integer;
	double real;
};
/* False where the value is not known. */
bool tfp_tree_value(const struct tfp_tree *tree, uint32_t row, uint32_t parent,
		    const struct tfp_column *column, struct tfp_value *value);
/*
 * Between what the value of COLUMN, a self or a total, lies: the same twice where it is exact. False when the rows
 * are not those of a printed report, whose figures were rounded, or it is not known. Of how kernels were launched the
 * least and the most, occupancy in hundredths of a percent.
 */
bool tfp_tree_bounds(const struct tfp_tree *tree, uint32_t row, const struct tfp_column *column,
		     struct tfp_figure *bounds);

#endif
