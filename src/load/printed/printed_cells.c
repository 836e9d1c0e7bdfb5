/* SPDX-License-Identifier: Apache-2.0 */
/* Cells by their look: see printed_cells.h. */
#include "load/printed/printed_cells.h"

enum tfp_unit tfp_printed_kind_unit(enum tfp_printed_kind kind)
{
	if (kind == TFP_PRINTED_MEMORY)
		return TFP_BYTES;
	return kind == TFP_PRINTED_TIME ? TFP_MICROS : TFP_COUNT;
}

bool tfp_printed_is_shape(struct tfp_span text)
{
	struct tfp_span dim;
	int64_t size;

	while (tfp_span_split(text, TFP_SPAN("x"), &dim, &text))
		if (!tfp_printed_integer(dim, &size))
			return false;
	return tfp_printed_integer(dim, &size);
}

/* "0:3x3|1:unknown" */
static bool is_shapes(struct tfp_span text)
{
	struct tfp_span entry, index, shape;
	int64_t number;
	bool more;

	do {
		more = tfp_span_split(text, TFP_SPAN("|"), &entry, &text);
		if (!tfp_span_split(entry, TFP_SPAN(":"), &index, &shape) ||
		    !tfp_printed_integer(index, &number))
			return false;
		if (shape.size && !tfp_span_equal(shape, TFP_SPAN("unknown")) &&
		    !tfp_printed_is_shape(shape))
			return false;
	} while (more);
	return true;
}

static bool is_device(struct tfp_span text)
{
	return tfp_span_holds(text, "/job:") || tfp_span_holds(text, "/device:");
}

/* Whether all of the list are devices, some maybe without a name. */
static bool is_devices(struct tfp_span text)
{
	struct tfp_span entry;
	bool more;

	do {
		more = tfp_span_split(text, TFP_SPAN("|"), &entry, &text);
		if (entry.size && !is_device(entry))
			return false;
	} while (more);
	return true;
}

enum tfp_printed_kind tfp_printed_text_kind(struct tfp_span text, bool *sure)
{
	*sure = true;
	if (tfp_span_equal(text, TFP_SPAN(TFP_PRINTED_NO_COUNTS)))
		return TFP_PRINTED_COUNTS;
	if (tfp_span_equal(text, TFP_SPAN(TFP_PRINTED_NO_SHAPES)))
		return TFP_PRINTED_SHAPES;
	*sure = is_device(text);
	if (text.size && is_shapes(text))
		return TFP_PRINTED_SHAPES;
	if (text.size && is_devices(text))
		return TFP_PRINTED_DEVICES;
	if (tfp_span_begins(text, TFP_SPAN("_TF")) || tfp_span_begins(text, TFP_SPAN("_kTF")))
		*sure = true;
	return text.size && (*sure || tfp_span_holds(text, "|")) ? TFP_PRINTED_TYPES
								 : TFP_PRINTED_STRANGE;
}

enum tfp_printed_kind tfp_printed_figure_kind(struct tfp_span text)
{
	enum tfp_unit unit;

	if (!tfp_printed_unit(text, &unit))
		return TFP_PRINTED_STRANGE;
	if (unit == TFP_BYTES)
		return TFP_PRINTED_MEMORY;
	return unit == TFP_MICROS ? TFP_PRINTED_TIME : TFP_PRINTED_PARAMS;
}
