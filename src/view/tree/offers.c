/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns: one table says which there are and with which lens they come; a person may choose
 * others. What a file does not hold has no column.
 */
#include "tfprof/columns.h"

#include <stdlib.h>
#include <string.h>

#include "view/base.h"
#include "view/trace/launch.h"
#include "view/trace/lengths.h"
#include "view/tree/cells.h"
#include "view/tree/choice.h"

/* Where a column is offered. */
enum where {
	TREES = 1, /* shares are of the parent */
	LISTS = 2, /* op types and whatever is flat: shares are of the whole */
	CALLS = 4, /* functions: a list in which total and self differ */
	TIMES = 8, /* comes with a lens of time */
	MEMORY = 16,
	FLOPS = 32,
	OTHERS = 64,      /* with any other lens */
	TENSORFLOW = 128, /* in TensorFlow's profiles only */
	COMPARED = 256,   /* where there is a baseline */
	TRACE = 512,      /* in traces only */
	GAPS = 1024,      /* idle times: what is below a row is all that it has */
	IDLE = 2048,      /* in the view of idle times only */
	STEPS = 4096,     /* in the view of steps only, where they are marked */
	KERNELS = 8192,   /* in the view of devices only */
	HELD = 16384,     /* in the view of memory only */
	FORMATS = TENSORFLOW | TRACE | IDLE | STEPS | KERNELS | HELD,
	VIEWS = TREES | LISTS | CALLS | GAPS,
	LENSES = TIMES | MEMORY | FLOPS | OTHERS,
};

/* As metrics: the lead, and the length of steps. */
#define LEAD   TFP_NONE
#define LENGTH (TFP_NONE - 1)

const char tfp_column_flop[] = "FLOP";

/* In the order in which they stand on the screen. */
static const struct row {
	struct tfp_column column;
	unsigned where;
	const char *name; /* NULL: total_KEY */
	const char *help;
} table[] = {
	{{TFP_COLUMN_TOTAL, LENGTH, NULL, 9, 102, false},
	 VIEWS | LENSES | STEPS,
	 NULL,
	 "how long the step is, by its marker; of ranks the longest"},
	{{TFP_COLUMN_DIFFERENCE, LENGTH, "LONGER", 10, 101, false},
	 VIEWS | LENSES | STEPS | COMPARED,
	 "longer",
	 "how much longer the step is than in the baseline"},
	{{TFP_COLUMN_BUSY, TFP_TRACE_BUSY, "BUSY%", 6, 89, false},
	 VIEWS | LENSES | STEPS,
	 "busy_share",
	 "part of the step's length in which its devices are busy"},
	{{TFP_COLUMN_TOTAL, LEAD, NULL, 9, 100, false},
	 VIEWS | LENSES,
	 "total",
	 "the metric: of the row and all below it"},
	{{TFP_COLUMN_DIFFERENCE, LEAD, "DIFF", 10, 98, false},
	 VIEWS | LENSES | COMPARED,
	 "difference",
	 "what that is more than in the baseline"},
	{{TFP_COLUMN_RATIO, LEAD, "RATIO", 7, 96, false},
	 VIEWS | LENSES | COMPARED,
	 "ratio",
	 "how many times the baseline's it is"},
	{{TFP_COLUMN_BASELINE, LEAD, "BASELINE", 9, 65, false},
	 VIEWS | LENSES | COMPARED,
	 "baseline",
	 "the metric in the baseline"},
	{{TFP_COLUMN_PERCENT, LEAD, "%", 5, 90, false},
	 VIEWS | LENSES,
	 "share",
	 "share of the parent, %PAR, or of the whole, %ALL"},
	{{TFP_COLUMN_RUNNING, LEAD, "SUM%", 5, 50, false},
	 LISTS | LENSES,
	 "running",
	 "share of this row and those above it"},
	{{TFP_COLUMN_BAR, LEAD, "of parent", 10, 60, false},
	 TREES | GAPS | LENSES,
	 "bar",
	 "the share as a bar"},
	{{TFP_COLUMN_BAR, LEAD, "", 10, 60, false},
	 LISTS | CALLS | LENSES,
	 "bar",
	 "the share as a bar"},
	{{TFP_COLUMN_SELF, LEAD, "SELF", 9, 80, false},
	 TREES | CALLS | LENSES,
	 "self",
	 "the metric: of the row alone"},
	{{TFP_COLUMN_SINCE, LEAD, "SINCE", 9, 34, false},
	 VIEWS | LENSES | HELD,
	 "since",
	 "since when it, or what is below it, holds some of that without a break"},
	{{TFP_COLUMN_RUNS, TFP_TF_RUNS, "RAN", 7, 70, false},
	 VIEWS | TIMES | MEMORY | FLOPS | TENSORFLOW,
	 "ran",
	 "how often it ran"},
	{{TFP_COLUMN_RUNS, TFP_TRACE_RUNS, "RAN", 7, 70, false},
	 VIEWS | LENSES | TRACE,
	 "ran",
	 "how often it ran"},
	{{TFP_COLUMN_TOTAL, TFP_TRACE_DEVICE, "DEVICE", 9, 76, false},
	 VIEWS | LENSES | TRACE,
	 NULL,
	 "time of what ran on devices, added up"},
	{{TFP_COLUMN_TOTAL, TFP_TRACE_BUSY, "BUSY", 9, 75, false},
	 VIEWS | LENSES | TRACE,
	 NULL,
	 "time in which any of it ran on a device"},
	{{TFP_COLUMN_TOTAL, TFP_TRACE_LAUNCHES, "GAPS", 7, 88, false},
	 VIEWS | LENSES | IDLE,
	 "gaps",
	 "how many gaps"},
	{{TFP_COLUMN_TOTAL, TFP_TRACE_BUSY, "BUSY", 9, 75, false},
	 VIEWS | LENSES | IDLE,
	 NULL,
	 "time in which the device did something"},
	{{TFP_COLUMN_TOTAL, TFP_TRACE_HOST, "HOST", 9, 74, false},
	 VIEWS | LENSES | TRACE,
	 NULL,
	 "time on the host's threads"},
	{{TFP_COLUMN_TOTAL, TFP_TF_FLOAT_OPS, tfp_column_flop, 7, 40, false},
	 LISTS | TIMES | TENSORFLOW,
	 "gflop",
	 "float operations"},
	{{TFP_COLUMN_RATE, TFP_TF_FLOAT_OPS, "FLOP/s", 7, 45, false},
	 VIEWS | TIMES | FLOPS | TENSORFLOW,
	 "rate",
	 "float operations a second"},
	{{TFP_COLUMN_RATE, TFP_TRACE_FLOPS, "FLOP/s", 7, 45, false},
	 VIEWS | LENSES | TRACE,
	 "rate",
	 "float operations a second of busy time"},
	{{TFP_COLUMN_PEAK, TFP_TRACE_FLOPS, "%PEAK", 5, 44, false},
	 VIEWS | LENSES | TRACE,
	 "peak",
	 "that as percents of what the device can do"},
	{{TFP_COLUMN_RATE, TFP_TRACE_BYTES, "B/s", 7, 43, false},
	 VIEWS | TRACE,
	 "byte_rate",
	 "bytes moved a second of busy time"},
	{{TFP_COLUMN_PEAK, TFP_TRACE_BYTES, "%BAND", 5, 42, false},
	 VIEWS | TRACE,
	 "byte_peak",
	 "that as percents of what the device's memory can do"},
	{{TFP_COLUMN_GRID, LEAD, "GRID", 11, 31, false},
	 VIEWS | KERNELS,
	 "grid",
	 "kernels' grid; of several with different ones how many blocks"},
	{{TFP_COLUMN_BLOCK, LEAD, "BLOCK", 9, 30, false},
	 VIEWS | KERNELS,
	 "block",
	 "a block of them; of several different ones how many threads"},
	{{TFP_COLUMN_REGISTERS, LEAD, "REGS", 7, 29, false},
	 VIEWS | KERNELS,
	 "registers",
	 "registers of each of their threads"},
	{{TFP_COLUMN_SHARED, LEAD, "SHARED", 12, 28, false},
	 VIEWS | KERNELS,
	 "shared",
	 "shared memory of each of their blocks"},
	{{TFP_COLUMN_OCCUPANCY, LEAD, "OCC%", 9, 27, false},
	 VIEWS | KERNELS,
	 "occupancy",
	 "occupancy of multiprocessors, as the file tells it"},
	{{TFP_COLUMN_TOTAL, TFP_TF_ACCELERATOR_MICROS, "ACCEL", 9, 37, false},
	 VIEWS | TIMES | TENSORFLOW,
	 NULL,
	 "time on accelerators"},
	{{TFP_COLUMN_TOTAL, TFP_TF_CPU_MICROS, "CPU", 9, 36, false},
	 VIEWS | TIMES | TENSORFLOW,
	 NULL,
	 "time on CPUs"},
	{{TFP_COLUMN_TOTAL, TFP_TF_PEAK_BYTES, "SUM PEAK", 9, 35, false},
	 VIEWS | MEMORY | TENSORFLOW,
	 NULL,
	 "each op's own peak of bytes, added up"},
	{{TFP_COLUMN_TOTAL, TFP_TF_RESIDUAL_BYTES, "RESIDUAL", 9, 34, false},
	 VIEWS | MEMORY | TENSORFLOW,
	 NULL,
	 "bytes left when it ended"},
	{{TFP_COLUMN_TOTAL, TFP_TF_OUTPUT_BYTES, "OUTPUT", 9, 33, false},
	 VIEWS | MEMORY | TENSORFLOW,
	 NULL,
	 "bytes of its outputs"},
	{{TFP_COLUMN_TOTAL, TFP_TF_MICROS, "TIME", 9, 32, false},
	 VIEWS | LENSES | TENSORFLOW,
	 NULL,
	 "time on all devices"},
	{{TFP_COLUMN_TOTAL, TFP_TF_BYTES, "MEMORY", 9, 25, false},
	 VIEWS | TIMES | TENSORFLOW,
	 NULL,
	 "bytes requested"},
	{{TFP_COLUMN_DEFINED, LEAD, "DEFINED", 8, 38, false},
	 TREES | LISTS | LENSES,
	 "defined",
	 "how many nodes there are, whether they ran or not"},
};

#define ROWS (sizeof(table) / sizeof(*table))

/* ---- what is offered -------------------------------------------------------------------------- */

struct list {
	const struct tfp_tree *tree;
	uint32_t lead;
	unsigned where; /* what of enum where holds */
	struct tfp_arena *arena;
	struct tfp_offer *at;
	size_t count;
};

/* The bits of enum where that hold for TREE and its lead METRIC. */
static unsigned where_of(const struct tfp_tree *tree, uint32_t metric)
{
	const struct tfp_base *base = tree->base;
	unsigned where = TREES;

	if (base->view == &tfp_view_functions)
		where = CALLS;
	else if (tree->query.flat || base->view->rules->list)
		where = LISTS;
	if (base->idle)
		return (where == TREES ? GAPS : where) | OTHERS | IDLE;
	where |= base->curve ? HELD : 0;
	if (base->traced)
		return where | OTHERS | TRACE | (base->step_room ? STEPS : 0) |
		       (base->launch ? KERNELS : 0);
	if (!base->tensorflow)
		return where | OTHERS;
	if (base->metrics[metric].unit == TFP_MICROS)
		where |= TIMES;
	else if (base->metrics[metric].unit == TFP_BYTES)
		where |= MEMORY;
	else
		where |= metric == TFP_TF_FLOAT_OPS ? FLOPS : OTHERS;
	return where | TENSORFLOW;
}

/* The label of a metric without the sign of numbers. */
static const char *words_of(const struct tfp_metric *metric)
{
	return metric->label + (strncmp(metric->label, "# ", 2) ? 0 : 2);
}

static const char *missing_metric(const struct list *list, uint32_t metric)
{
	const struct tfp_base *base = list->tree->base;
	const struct tfp_metric *about = &base->metrics[metric];

	if (!about->absent)
		return NULL;
	/* of events and gaps less is known than of ops */
	if (base->track || base->idle || base->strips)
		return tfp_arena_printf(list->arena, "the %s view has no %s", base->view->name,
					words_of(about));
	return tfp_arena_printf(list->arena, "the file has no %s", words_of(about));
}

static const char *missing_total(const struct list *list, uint32_t metric)
{
	bool spread = list->tree->base->metrics[metric].kind == TFP_SPREAD;

	if (spread && list->tree->query.account_displayed_op_only)
		return "of rows with all below them, not of the displayed ones alone";
	return metric == list->lead ? "it is the column total here" : missing_metric(list, metric);
}

static bool is_rate(const struct tfp_column *column)
{
	return column->kind == TFP_COLUMN_RATE || column->kind == TFP_COLUMN_PEAK;
}

/* Why a rate, or its share of the peak, is not known; NULL if it is. */
static const char *missing_rate(const struct list *list, const struct tfp_column *column)
{
	const struct tfp_base *base = list->tree->base;

	if (base->metrics[tfp_rate_time(base)].absent)
		return "the file has no execution times";
	if (column->kind == TFP_COLUMN_PEAK && tfp_rate_peak(base, column->metric) <= 0)
		return "the file does not say what the device can do";
	return missing_metric(list, column->metric);
}

/* The metric that ROW is about, in the profile at hand. */
static uint32_t metric_of(const struct list *list, const struct row *row)
{
	const struct tfp_base *base = list->tree->base;

	if (row->column.metric == LENGTH)
		return tfp_length_metric(base->metrics, base->metric_count);
	return row->column.metric == LEAD ? list->lead : row->column.metric;
}

/* Why a row of the table shows nothing; NULL if it does. */
static const char *missing_row(const struct list *list, const struct row *row)
{
	const struct tfp_column *column = &row->column;

	if (column->kind == TFP_COLUMN_SELF &&
	    (!(row->where & list->where & VIEWS) || list->tree->query.flat))
		return "the same as the total in a list";
	if (column->kind == TFP_COLUMN_RUNNING && !list->tree->running)
		return "only the list of ops has it";
	if (column->kind == TFP_COLUMN_RUNNING &&
	    list->tree->base->metrics[list->lead].kind >= TFP_UNION)
		return "of this metric rows do not add up";
	if (!(row->where & list->where & VIEWS))
		return "only lists have it: t makes one";
	if (row->where & COMPARED && !list->tree->baseline)
		return "nothing is compared: = does";
	if (row->where & COMPARED && list->tree->base->baseline_absent >> metric_of(list, row) & 1)
		return "what is compared with has no other";
	if (is_rate(column))
		return missing_rate(list, column);
	if (row->where & KERNELS && !tfp_launch_known(list->tree->base, 0, tfp_launch_of(column)))
		return "the file does not say it of any kernel";
	if (column->metric == LEAD || column->metric == LENGTH)
		return NULL;
	return missing_total(list, column->metric);
}

static char *name_of_total(struct tfp_arena *arena, const char *key)
{
	return tfp_arena_printf(arena, TFP_TOTAL_PREFIX "%s", key);
}

/* Is COLUMN what a metric alone stands for? Of float operations that is the wide one. */
static bool is_usual(const struct tfp_column *column)
{
	return column->kind == TFP_COLUMN_RUNS ||
	       (column->kind == TFP_COLUMN_TOTAL && column->title != tfp_column_flop);
}

static void add_row(struct list *list, const struct row *row)
{
	const struct tfp_metric *metrics = list->tree->base->metrics;
	struct tfp_offer *offer = &list->at[list->count++];
	uint32_t metric = metric_of(list, row);

	*offer = (struct tfp_offer){
		.column = row->column,
		.name = row->name ? row->name : name_of_total(list->arena, metrics[metric].key),
		.usual_of = is_usual(&row->column) ? &metrics[metric] : NULL,
		.help = row->help,
		.missing = missing_row(list, row),
		.standard = (row->where & list->where & LENSES) != 0,
	};
	offer->column.metric = metric;
	if (!offer->column.title)
		offer->column.title = metrics[metric].title;
}

/* Of the two bars the one that fits the view. */
static bool is_other_bar(const struct list *list, const struct row *row)
{
	return row->column.kind == TFP_COLUMN_BAR && !(row->where & list->where & VIEWS);
}

/* Is ROW for the format of the file? */
static bool is_of_format(const struct list *list, const struct row *row)
{
	return !(row->where & FORMATS & ~list->where);
}

/* Has the table a column for the total of METRIC? */
static bool is_in_table(const struct list *list, uint32_t metric)
{
	for (size_t i = 0; i < ROWS; i++)
		if (is_of_format(list, &table[i]) && table[i].column.metric == metric &&
		    table[i].column.kind != TFP_COLUMN_BUSY &&
		    table[i].column.title != tfp_column_flop && !is_rate(&table[i].column))
			return true;
	return false;
}

/* Does a metric that the table does not know come with the lens? */
static bool comes_along(const struct list *list, const struct tfp_metric *metric)
{
	const struct tfp_base *base = list->tree->base;

	if (!base->traced)
		return !base->tensorflow;
	return metric->kind == TFP_OWN && list->where & LISTS;
}

/* Metrics that the table does not know: beside the lead, other formats' sample types. */
static void add_metrics(struct list *list)
{
	const struct tfp_base *base = list->tree->base;

	for (uint32_t i = 0; i < base->metric_all && list->count < TFP_MAX_OFFERS; i++) {
		const struct tfp_metric *metric = &base->metrics[i];

		if ((base->tensorflow || base->traced) &&
		    (metric->kind == TFP_LENGTH || is_in_table(list, i)))
			continue;
		list->at[list->count++] = (struct tfp_offer){
			.column = {TFP_COLUMN_TOTAL, i, metric->title, 9, 20, false},
			.name = name_of_total(list->arena, metric->key),
			.usual_of = metric,
			.help = words_of(metric),
			.missing = missing_total(list, i),
			.standard = comes_along(list, metric),
		};
	}
}

/* Of what a file is nothing may be lost; remarks are said in full below the list. */
static int listed_width(const struct tfp_metric *metric)
{
	static const int widths[] = {
		[TFP_COUNT] = 6, [TFP_BYTES] = 9, [TFP_DATE] = 16, [TFP_WORDS] = 19};

	return metric->remarks ? 12 : widths[metric->unit];
}

/* A listing's columns: what it knows of each file, in an order of its own. */
static void add_listed(struct list *list)
{
	const struct tfp_base *base = list->tree->base;

	for (uint32_t i = 0; i < base->metric_count; i++) {
		const struct tfp_metric *metric = &base->metrics[i];

		list->at[list->count++] = (struct tfp_offer){
			.column = {TFP_COLUMN_TOTAL, i, metric->title, listed_width(metric),
				   100 - 10 * (int)i, false},
			.name = name_of_total(list->arena, metric->key),
			.usual_of = metric,
			.help = metric->label,
			.missing = missing_metric(list, i),
			.standard = true,
		};
	}
}

static void set_usual(struct tfp_offer *offer)
{
	if (!offer->standard)
		offer->column.priority = TFP_ADDED_PRIORITY;
	offer->usual = offer->column.priority;
}

size_t tfp_offers(const struct tfp_tree *tree, uint32_t lead_metric, const char *choice,
		  struct tfp_arena *arena, struct tfp_offer out[TFP_MAX_OFFERS])
{
	struct list list = {tree, lead_metric, where_of(tree, lead_metric), arena, out, 0};

	if (tree->base->view->text)
		return 0;
	if (tree->base->view->listing)
		add_listed(&list);
	for (size_t i = 0; i < ROWS && !tree->base->view->listing; i++)
		if (is_of_format(&list, &table[i]) && !is_other_bar(&list, &table[i]))
			add_row(&list, &table[i]);
	if (!tree->base->view->listing)
		add_metrics(&list);
	for (size_t i = 0; i < list.count; i++)
		set_usual(&out[i]);
	if (choice)
		list.count = tfp_choose(choice, lead_metric, arena, out, list.count);
	for (size_t i = 0; !choice && i < list.count; i++)
		out[i].chosen = out[i].standard;
	return list.count;
}

size_t tfp_columns(const struct tfp_tree *tree, uint32_t lead_metric, const char *choice,
		   struct tfp_column *out, size_t room)
{
	struct tfp_offer *offers = tfp_alloc(TFP_MAX_OFFERS * sizeof(*offers));
	struct tfp_arena arena = {0};
	size_t all = tfp_offers(tree, lead_metric, choice, &arena, offers), count = 0;

	for (size_t i = 0; i < all && count < room; i++)
		if (offers[i].chosen && !offers[i].missing)
			out[count++] = offers[i].column;
	tfp_arena_free(&arena);
	free(offers);
	return count;
}

/* A metric that is not there. What else is missing comes and goes with what is shown. */
static bool is_nowhere(const struct tfp_offer *offer, uint32_t lead)
{
	return offer->chosen && offer->missing && offer->column.kind == TFP_COLUMN_TOTAL &&
	       (!offer->usual_of || offer->column.metric != lead);
}

/* What is near is meant, else one of all. */
static void tell_column(const struct tfp_offer *offer, struct tfp_words names,
			struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	const char *near = tfp_nearest(offer->name, names);
	const char *hint =
		near ? tfp_arena_printf(&arena, "did you mean %s?", near)
		     : tfp_arena_printf(&arena, "columns are %s", tfp_words_print(&arena, names));

	/* with "%s" each name is a note of its own */
	tfp_diag_note(diag, "%s",
		      tfp_arena_printf(&arena, "no column %s: %s; %s", offer->name, offer->missing,
				       hint));
	tfp_arena_free(&arena);
}

void tfp_columns_tell(const struct tfp_tree *tree, uint32_t lead_metric, const char *choice,
		      struct tfp_diag *diag)
{
	struct tfp_offer *offers = tfp_alloc(TFP_MAX_OFFERS * sizeof(*offers));
	struct tfp_arena arena = {0};
	size_t count = choice ? tfp_offers(tree, lead_metric, choice, &arena, offers) : 0;
	struct tfp_words names = {tfp_arena_zero(&arena, count + 1, sizeof(*names.at)), 0};

	for (size_t i = 0; i < count; i++)
		if (!offers[i].missing)
			names.at[names.count++] = offers[i].name;
	for (size_t i = 0; i < count; i++)
		if (is_nowhere(&offers[i], lead_metric))
			tell_column(&offers[i], names, diag);
	tfp_arena_free(&arena);
	free(offers);
}

/* ---- names ------------------------------------------------------------------------------------ */

struct tfp_words tfp_column_names(struct tfp_arena *arena)
{
	struct tfp_words names = {tfp_arena_zero(arena, ROWS + 1, sizeof(*names.at)), 0};

	for (size_t i = 0; i < ROWS; i++)
		if (table[i].name &&
		    (!i || !table[i - 1].name || strcmp(table[i].name, table[i - 1].name)))
			names.at[names.count++] = table[i].name;
	names.at[names.count++] = TFP_TOTAL_PREFIX "METRIC";
	return names;
}

bool tfp_column_meant(struct tfp_span word)
{
	for (size_t i = 0; i < ROWS; i++)
		if ((table[i].name && tfp_span_means(word, table[i].name)) ||
		    (table[i].column.title && tfp_span_means(word, table[i].column.title)))
			return word.size > 0;
	return false;
}

const char *tfp_column_help(const char *name)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].name && !strcmp(table[i].name, name))
			return table[i].help;
	return NULL;
}
