/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the op view: a name, then cells of a fixed width with the shares of the whole; and below a
 * line, where asked for, how its nodes divide up by input shapes.
 */
#include "report/text/layout.h"

#include <stdlib.h>

#include "tfprof/hash.h"
#include "tfprof/lookup.h"

#define NAME_WIDTH  25
#define CELL_WIDTH  30
#define COUNT_WIDTH 10

/* A longest event, or a time in which something runs, is a part of nothing. */
static bool is_divided(enum tfp_metric_kind kind)
{
	return kind != TFP_UNION && kind != TFP_OWN && kind != TFP_SPREAD && kind != TFP_LENGTH;
}

/* Memory has shares only where the row itself has some; all else, where the list does from here on. */
static bool has_shares(const struct tfp_report *report, uint32_t metric, int64_t value,
		       int64_t running)
{
	return report->base->metrics[metric].unit == TFP_BYTES ? value > 0 : running > 0;
}

static void write_metric(struct tfp_report *report, uint32_t row,
			 const struct tfp_report_cell *cell)
{
	const struct tfp_base *base = report->base;
	const struct tfp_tree *tree = report->tree;
	size_t at = (size_t)row * base->metric_count + cell->metric;
	int64_t value = row ? tfp_tree_total(tree, row, cell->metric) : 0, sum = value;
	int64_t whole = tree->running ? tree->running[cell->metric]
				      : tfp_tree_total(tree, tree->root, cell->metric);
	double running_share = 0, share = 0;
	char text[128], number[TFP_NUMBER_ROOM];

	/* What is below a row of the list has no place in it. */
	if (tree->running && !report->depth)
		sum = tree->running[at];
	if (has_shares(report, cell->metric, value, sum)) {
		running_share = 100.0 * (double)sum / (double)whole;
		share = 100.0 * (double)value / (double)whole;
	}
	tfp_number_compat(number, base->metrics[cell->metric].unit, value);
	if (is_divided(base->metrics[cell->metric].kind))
		snprintf(text, sizeof(text), "%s%s (%.2f%%, %.2f%%)", number, cell->op_suffix,
			 running_share, share);
	else
		snprintf(text, sizeof(text), "%s%s", number, cell->op_suffix);
	tfp_write_right(report->writer, text, CELL_WIDTH);
}

/* How often the nodes of ROW ran, each counted once even where its values count twice. */
static int64_t runs_of(const struct tfp_report *report, uint32_t row)
{
	int64_t values[TFP_MAX_METRICS], sum = 0;
	uint32_t count;
	const uint32_t *picks = tfp_report_picks(report, row, &count);

	if (!report->quirks || !count)
		return tfp_tree_total(report->tree, row, TFP_TF_RUNS);
	for (uint32_t i = 0; i < count; i++) {
		tfp_profile_values(report->profile, picks[i], report->step, report->quirks, values);
		sum = tfp_wrap_add(sum, values[TFP_TF_RUNS]);
	}
	return sum;
}

static void write_occurrence(struct tfp_report *report, uint32_t row)
{
	char text[64];

	snprintf(text, sizeof(text), "%lld|%lld", (long long)(row ? runs_of(report, row) : 0),
		 (long long)(row ? report->base->defined[row] : 0));
	tfp_write_right(report->writer, text, COUNT_WIDTH);
}

static void write_set(struct tfp_report *report, uint32_t row,
		      void (*add)(struct tfp_report *report, uint32_t row))
{
	tfp_set_start(report);
	add(report, row);
	tfp_set_write(report);
}

static void write_cell(struct tfp_report *report, uint32_t row, const struct tfp_report_cell *cell)
{
	switch (cell->kind) {
	case TFP_CELL_DEVICE:
		write_set(report, row, tfp_set_add_devices);
		break;
	case TFP_CELL_TYPES:
		write_set(report, row, tfp_set_add_types);
		break;
	case TFP_CELL_OCCURRENCE:
		write_occurrence(report, row);
		break;
	case TFP_CELL_DIFFERENCE:
	case TFP_CELL_RATIO:
		tfp_write_right(report->writer, tfp_report_compare(report, row, cell).text,
				COUNT_WIDTH);
		break;
	default:
		write_metric(report, row, cell);
	}
}

/* ---- nodes by input shapes ---------------------------------------------------------------------- */

struct group {
	const char *text; /* of the shapes, in the report's form */
	size_t size;
	int64_t defined, runs, micros;
};

struct groups {
	struct tfp_report *report;
	struct tfp_lookup *table;
	struct tfp_hash_key key;
	struct tfp_arena arena;
	TFP_ARRAY(char) text; /* of the node in hand */
	TFP_ARRAY(struct group) groups;
};

static void append(struct groups *groups, const char *at, size_t size)
{
	tfp_array_reserve(&groups->text, groups->text.count + size);
	if (size)
		memcpy(groups->text.at + groups->text.count, at, size);
	groups->text.count += size;
}

static void append_input(struct groups *groups, uint32_t node, uint32_t input)
{
	const struct tfp_report *report = groups->report;
	uint32_t shape = tfp_profile_input_shape(report->profile, node, input, report->quirks);
	size_t size =
		shape == TFP_NONE ? 0 : tfp_profile_shape_text(report->profile, shape, NULL, 0);
	char place[16];

	if (input)
		append(groups, ",\t", 2);
	append(groups, place, (size_t)snprintf(place, sizeof(place), "%u:", input));
	if (!size) {
		append(groups, "unknown", 7);
		return;
	}
	tfp_array_reserve(&groups->text, groups->text.count + size + 1);
	tfp_profile_shape_text(report->profile, shape, groups->text.at + groups->text.count,
			       size + 1);
	groups->text.count += size;
}

static struct group *find_group(struct groups *groups)
{
	struct tfp_span text = {groups->text.at, groups->text.count};
	uint32_t hash = (uint32_t)tfp_hash_bytes(groups->key, text.at ? text.at : "", text.size);
	uint32_t found;
	struct group *group;

	TFP_LOOKUP_EACH(found, groups->table, hash) {
		group = &groups->groups.at[found];
		if (tfp_span_equal((struct tfp_span){group->text, group->size}, text))
			return group;
	}
	tfp_lookup_add(groups->table, hash, (uint32_t)groups->groups.count);
	group = tfp_array_push(&groups->groups);
	*group = (struct group){tfp_arena_text(&groups->arena, text.at ? text.at : "", text.size),
				text.size, 0, 0, 0};
	return group;
}

static void add_node(struct groups *groups, uint32_t node)
{
	const struct tfp_report *report = groups->report;
	const uint32_t *first = report->profile->nodes.input_first;
	int64_t values[TFP_MAX_METRICS];
	struct group *group;

	groups->text.count = 0;
	for (uint32_t i = 0; i < first[node + 1] - first[node]; i++)
		append_input(groups, node, i);
	tfp_profile_values(report->profile, node, report->step, report->quirks, values);
	group = find_group(groups);
	group->defined++;
	group->runs = tfp_wrap_add(group->runs, values[TFP_TF_RUNS]);
	group->micros = tfp_wrap_add(group->micros, values[TFP_TF_MICROS]);
}

/* Those that ran most often first, then by text. */
static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->runs != b->runs)
		return a->runs > b->runs ? -1 : 1;
	return tfp_span_compare((struct tfp_span){a->text, a->size},
				(struct tfp_span){b->text, b->size});
}

static void write_group(struct tfp_writer *writer, const struct group *group)
{
	tfp_write_text(writer, "input_type: ");
	tfp_write(writer, group->text, group->size);
	tfp_write_text(writer, "\t(run*");
	tfp_write_integer(writer, group->runs);
	tfp_write_text(writer, "|defined*");
	tfp_write_integer(writer, group->defined);
	tfp_write_text(writer, ")\texec_time: ");
	tfp_write_number(writer, TFP_MICROS, group->micros);
	tfp_write_byte(writer, '\n');
}

static void write_block(struct tfp_report *report, uint32_t row)
{
	struct groups groups = {
		.report = report, .table = tfp_lookup_new(), .key = tfp_hash_key_new()};
	uint32_t count;
	const uint32_t *picks = tfp_report_picks(report, row, &count);

	for (uint32_t i = 0; i < count; i++)
		add_node(&groups, picks[i]);
	if (groups.groups.count > 1)
		qsort(groups.groups.at, groups.groups.count, sizeof(*groups.groups.at),
		      compare_groups);
	tfp_write_byte(report->writer, '\n');
	for (size_t i = 0; i < groups.groups.count; i++)
		write_group(report->writer, &groups.groups.at[i]);
	tfp_write_byte(report->writer, '\n');
	tfp_lookup_free(groups.table);
	tfp_array_free(&groups.text);
	tfp_array_free(&groups.groups);
	tfp_arena_free(&groups.arena);
}

void tfp_report_op_row(struct tfp_report *report, uint32_t row, size_t depth)
{
	struct tfp_span label = tfp_base_label(report->base, row);
	size_t width = 2 * depth + label.size;
	bool first = true;
	uint32_t count;

	report->depth = depth;
	tfp_write_spaces(report->writer, 2 * depth);
	tfp_write_name(report->writer, label);
	if (width < NAME_WIDTH)
		tfp_write_spaces(report->writer, NAME_WIDTH - width);
	for (size_t i = 0; i < report->cell_count; i++) {
		if (report->cells[i].kind == TFP_CELL_SHAPES)
			continue;
		if (!first)
			tfp_write(report->writer, ", ", 2);
		first = false;
		write_cell(report, row, &report->cells[i]);
	}
	tfp_write_byte(report->writer, '\n');
	tfp_report_picks(report, row, &count);
	if (report->input_blocks && count)
		write_block(report, row);
}
