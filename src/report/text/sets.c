/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of strings in a cell: the devices or op types of a row's nodes. A row may stand for a hundred
 * thousand nodes with two devices, so repeats are told by a mark beside each string.
 */
#include "report/text/layout.h"

#include <stdlib.h>

#define FEW_TYPES 32

void tfp_set_start(struct tfp_report *report)
{
	uint32_t count = tfp_strings_count(report->profile->strings);

	if (!report->seen) {
		report->seen = tfp_alloc_zero(count, sizeof(*report->seen));
		report->seen_count = count;
	}
	report->seen_now++;
	report->set.count = 0;
}

void tfp_set_add(struct tfp_report *report, tfp_str id)
{
	if (id >= report->seen_count || report->seen[id] == report->seen_now)
		return;
	report->seen[id] = report->seen_now;
	*tfp_array_push(&report->set) = id;
}

const uint32_t *tfp_report_picks(const struct tfp_report *report, uint32_t row, uint32_t *count)
{
	const struct tfp_base *base = report->base;

	*count = base->pick_first ? base->pick_first[row + 1] - base->pick_first[row] : 0;
	return base->pick_first ? base->picks + base->pick_first[row] : NULL;
}

void tfp_set_add_devices(struct tfp_report *report, uint32_t row)
{
	uint32_t count;
	const uint32_t *picks = tfp_report_picks(report, row, &count);

	for (uint32_t i = 0; i < count; i++)
		tfp_set_add(report, report->profile->nodes.device[picks[i]]);
}

static void add_node_types(struct tfp_report *report, uint32_t node)
{
	tfp_str few[FEW_TYPES], *types = few;
	size_t count = tfp_profile_types(report->profile, node, few, FEW_TYPES);

	if (count > FEW_TYPES) {
		types = tfp_realloc_array(NULL, count, sizeof(*types));
		tfp_profile_types(report->profile, node, types, count);
	}
	for (size_t i = 0; i < count; i++)
		tfp_set_add(report, types[i]);
	if (types != few)
		free(types);
}

void tfp_set_add_types(struct tfp_report *report, uint32_t row)
{
	uint32_t count;
	const uint32_t *picks = tfp_report_picks(report, row, &count);

	if (report->base->node[row] != TFP_NONE)
		add_node_types(report, report->base->node[row]);
	for (uint32_t i = 0; i < count; i++)
		add_node_types(report, picks[i]);
}

static int compare_strings(const void *a, const void *b, void *strings)
{
	return tfp_span_compare(tfp_strings_get(strings, *(const tfp_str *)a),
				tfp_strings_get(strings, *(const tfp_str *)b));
}

void tfp_set_write(struct tfp_report *report)
{
	struct tfp_strings *strings = report->profile->strings;

	if (report->set.count > 1)
		qsort_r(report->set.at, report->set.count, sizeof(*report->set.at), compare_strings,
			strings);
	for (size_t i = 0; i < report->set.count; i++) {
		if (i)
			tfp_write_byte(report->writer, '|');
		tfp_write_name(report->writer, tfp_strings_get(strings, report->set.at[i]));
	}
}
