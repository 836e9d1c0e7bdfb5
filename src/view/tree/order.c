/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting rows. A few are inserted one by one; many go through a radix sort, eight bits of the value at a
 * time, that skips the bytes in which all agree (most, as values are small).
 */
#include "view/tree/order.h"

#include <stdlib.h>
#include <string.h>

#include "view/group/names.h"
#include "view/trace/launch.h"
#include "view/trace/lengths.h"
#include "view/tree/cells.h"

#define SMALL  32
#define DIGITS 8

struct item {
	uint64_t key;
	uint32_t row;
};

/* ---- by value ----------------------------------------------------------------------------------- */

/* Numbers that stand in the order of ratios. */
static int64_t real_key(double ratio)
{
	int64_t key;

	memcpy(&key, &ratio, sizeof(key));
	return key < 0 ? INT64_MIN - key : key;
}

/* Without a baseline more is more; nothing at all is last. */
static int64_t ratio_key(int64_t value, int64_t baseline)
{
	if (!baseline)
		return value > 0 ? INT64_MAX : INT64_MIN;
	return real_key((double)value / (double)baseline);
}

/* What takes no time has no rate: last. */
static int64_t rate_key(const struct tfp_order *order, uint32_t row, uint32_t metric)
{
	const int64_t *values = order->values + (size_t)row * order->base->metric_count;
	int64_t time = values[tfp_rate_time(order->base)];

	return time > 0 ? ratio_key(values[metric], time) : INT64_MIN;
}

/* What is no step is last. */
static int64_t share_key(const struct tfp_order *order, uint32_t row)
{
	const int64_t *values = order->values + (size_t)row * order->base->metric_count;
	double ratio = tfp_busy_ratio(order->base, row, values[TFP_TRACE_BUSY]);

	return ratio >= 0 ? real_key(ratio) : INT64_MIN;
}

/* Only steps are long: what is below them, or is no step, is ordered by its time on devices, else on hosts. */
static uint32_t metric_for(const struct tfp_order *order, uint32_t row)
{
	const struct tfp_base *base = order->base;
	uint32_t metric = (uint32_t)order->by & (TFP_ORDER_DIFFERENCE - 1);

	if (order->by < 0 || base->metrics[metric].kind != TFP_LENGTH || tfp_row_is_step(base, row))
		return metric;
	return base->metrics[TFP_TRACE_DEVICE].absent ? TFP_TRACE_HOST : TFP_TRACE_DEVICE;
}

static int64_t value_of(const struct tfp_order *order, uint32_t row)
{
	uint32_t metric = metric_for(order, row);
	size_t at = (size_t)row * order->base->metric_count + metric;

	if (order->by == TFP_ORDER_DEFINED)
		return order->defined[row];
	if (order->by == TFP_ORDER_NODES)
		return tfp_nodes_of(order->base, order->defined, order->flat, row);
	if (metric >= order->base->metric_count) /* of which rows hold nothing */
		return 0;
	if (order->by >= TFP_ORDER_LAUNCH) /* of another view */
		return order->values[at];
	if (order->by >= TFP_ORDER_BUSY_SHARE)
		return share_key(order, row);
	if (order->by >= TFP_ORDER_RATE)
		return rate_key(order, row, metric);
	if (order->by >= TFP_ORDER_BASELINE)
		return order->baseline ? order->baseline[at] : order->values[at];
	if (order->by >= TFP_ORDER_SELF)
		return order->base->self[at];
	if (order->by < TFP_ORDER_DIFFERENCE || !order->baseline)
		return order->values[at];
	if (order->by >= TFP_ORDER_RATIO)
		return ratio_key(order->values[at], order->baseline[at]);
	return (int64_t)((uint64_t)order->values[at] - (uint64_t)order->baseline[at]);
}

static bool is_difference(const struct tfp_order *order)
{
	return order->baseline && order->by >= TFP_ORDER_DIFFERENCE && order->by < TFP_ORDER_RATIO;
}

/* By the most of several kernels, in reverse by the least. False: nothing is known. */
static bool launch_value(const struct tfp_order *order, uint32_t row, int64_t *value)
{
	enum tfp_launch_figure figure = tfp_launch_ordered(order->by);
	const struct tfp_launch *launch = tfp_launch_known(order->base, row, figure);

	if (launch)
		*value = order->reverse ? launch->least[figure] : launch->most[figure];
	return launch != NULL;
}

/* From when on it holds memory. False: it holds none, or nothing is known. */
static bool since_value(const struct tfp_order *order, uint32_t row, int64_t *value)
{
	*value = order->base->since[row];
	return *value != 0;
}

/* The value that ROW is sorted by. False: it has none. */
static bool find_value(const struct tfp_order *order, uint32_t row, int64_t *value)
{
	const struct tfp_base *base = order->base;

	if (order->by >= TFP_ORDER_SINCE && base->since)
		return since_value(order, row, value);
	if (order->by >= TFP_ORDER_LAUNCH && order->by < TFP_ORDER_SINCE && base->launch)
		return launch_value(order, row, value);
	*value = value_of(order, row);
	return true;
}

/* Who sorts by difference looks for what changed: what did not is last in both directions, as what is not known. */
static uint64_t key_of(const struct tfp_order *order, uint32_t row)
{
	int64_t value = 0;
	uint64_t key;

	if (!find_value(order, row, &value))
		return UINT64_MAX;
	if (!value && is_difference(order))
		return UINT64_MAX;
	key = (uint64_t)value ^ (UINT64_C(1) << 63);
	return order->reverse ? key : ~key;
}

static void insert_all(struct item *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct item item = items[i];
		uint32_t at = i;

		for (; at > 0 && item.key < items[at - 1].key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* One pass; COUNTS are the keys' bytes at SHIFT. */
static void scatter(const struct item *from, struct item *to, uint32_t count, unsigned int shift,
		    const uint32_t counts[256])
{
	uint32_t place[256], next = 0;

	for (unsigned int byte = 0; byte < 256; byte++) {
		place[byte] = next;
		next += counts[byte];
	}
	for (uint32_t i = 0; i < count; i++)
		to[place[from[i].key >> shift & 0xff]++] = from[i];
}

/* Sorts ITEMS, which has room for twice COUNT; returns where the sorted ones are. */
static struct item *radix_sort(struct item *items, uint32_t count)
{
	struct item *from = items, *to = items + count;
	uint32_t counts[DIGITS][256] = {{0}};

	for (uint32_t i = 0; i < count; i++)
		for (unsigned int digit = 0; digit < DIGITS; digit++)
			counts[digit][items[i].key >> 8 * digit & 0xff]++;
	for (unsigned int digit = 0; digit < DIGITS; digit++) {
		struct item *other = from;

		if (counts[digit][from[0].key >> 8 * digit & 0xff] == count)
			continue;
		scatter(from, to, count, 8 * digit, counts[digit]);
		from = to;
		to = other;
	}
	return from;
}

static void order_by_value(const struct tfp_order *order, uint32_t *rows, uint32_t count)
{
	struct item few[SMALL], *sorted = few;
	struct item *items =
		count <= SMALL ? few : tfp_realloc_array(NULL, (size_t)count * 2, sizeof(*items));

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct item){key_of(order, rows[i]), rows[i]};
	if (count <= SMALL)
		insert_all(items, count);
	else
		sorted = radix_sort(items, count);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = sorted[i].row;
	if (items != few)
		free(items);
}

/* Is it by times on devices, of which what runs on hosts alone has none? */
static bool is_of_devices(const struct tfp_order *order)
{
	const struct tfp_base *base = order->base;

	return base->traced && !base->metrics[TFP_TRACE_HOST].absent &&
	       (order->by == TFP_TRACE_DEVICE || order->by == TFP_TRACE_BUSY);
}

/* What has no time on devices, which stands together in the sorted ROWS, by its time on hosts. */
static void order_hosted(const struct tfp_order *order, uint32_t *rows, uint32_t count)
{
	struct tfp_order by_host = *order;
	uint32_t first = 0, end;

	while (first < count && value_of(order, rows[first]))
		first++;
	for (end = first; end < count && !value_of(order, rows[end]);)
		end++;
	by_host.by = TFP_TRACE_HOST;
	if (end - first > 1)
		order_by_value(&by_host, rows + first, end - first);
}

/* ---- by name ------------------------------------------------------------------------------------ */

static bool names_ascend(const struct tfp_base *base, const uint32_t *rows, uint32_t count)
{
	struct tfp_span last = tfp_base_label(base, rows[0]);

	for (uint32_t i = 1; i < count; i++) {
		struct tfp_span name = tfp_base_label(base, rows[i]);

		if (tfp_span_compare(last, name) > 0)
			return false;
		last = name;
	}
	return true;
}

/* Turns the rows round, but rows of one name keep their order. */
static void reverse_names(const struct tfp_base *base, uint32_t *rows, uint32_t count)
{
	uint32_t *copy = tfp_realloc_array(NULL, count, sizeof(*copy));
	uint32_t to = 0, end = count;

	memcpy(copy, rows, count * sizeof(*copy));
	while (end > 0) {
		struct tfp_span name = tfp_base_label(base, copy[end - 1]);
		uint32_t first = end - 1;

		while (first > 0 && tfp_span_equal(tfp_base_label(base, copy[first - 1]), name))
			first--;
		memcpy(rows + to, copy + first, (end - first) * sizeof(*rows));
		to += end - first;
		end = first;
	}
	free(copy);
}

static void order_by_name(const struct tfp_order *order, uint32_t *rows, uint32_t count)
{
	if (!names_ascend(order->base, rows, count)) {
		struct tfp_named *items = tfp_realloc_array(NULL, count, sizeof(*items));

		for (uint32_t i = 0; i < count; i++)
			items[i] = (struct tfp_named){tfp_base_label(order->base, rows[i]), rows[i],
						      0};
		tfp_names_sort(items, count, TFP_NAMES_BYTEWISE, NULL);
		for (uint32_t i = 0; i < count; i++)
			rows[i] = items[i].id;
		free(items);
	}
	if (order->reverse)
		reverse_names(order->base, rows, count);
}

void tfp_order_rows(const struct tfp_order *order, uint32_t *rows, uint32_t count)
{
	if (count < 2 || order->by == TFP_ORDER_NONE)
		return;
	if (order->by == TFP_ORDER_NAME)
		order_by_name(order, rows, count);
	else
		order_by_value(order, rows, count);
	if (is_of_devices(order))
		order_hosted(order, rows, count);
}

void tfp_tree_children_by(const struct tfp_tree *tree, uint32_t row, int order_metric, bool reverse,
			  uint32_t *out)
{
	struct tfp_order order = {
		.base = tree->base,
		.values = tree->total,
		.baseline = tree->baseline,
		.defined = tree->defined,
		.by = order_metric,
		.reverse = reverse,
		.flat = tree->query.flat,
	};
	uint32_t count = tree->child_count[row];
	bool ranked = tree->ranked && row == tree->root && order_metric == tree->order_metric &&
		      reverse == tree->reverse;

	if (!count)
		return;
	memcpy(out, ranked ? tree->ranked : tree->child + tree->child_first[row],
	       count * sizeof(*out));
	if (!ranked)
		tfp_order_rows(&order, out, count);
}

void tfp_tree_children(const struct tfp_tree *tree, uint32_t row, uint32_t *out)
{
	tfp_tree_children_by(tree, row, tree->order_metric, tree->reverse, out);
}
