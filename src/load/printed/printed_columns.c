/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of a printed report: by its header, or where that is missing by what its cells look
 * like.
 */
#include "load/printed/printed.h"

/* All labels that any version prints. */
static const struct tfp_printed_column known[] = {
	{TFP_PRINTED_PARAMS, "# parameters", "params", "PARAMS"},
	{TFP_PRINTED_FLOPS, "# float_ops", "float_ops", "FLOPS"},
	{TFP_PRINTED_MEMORY, "requested bytes", "bytes", "MEM"},
	{TFP_PRINTED_MEMORY, "peak bytes", "peak_bytes", "PEAK"},
	{TFP_PRINTED_MEMORY, "residual bytes", "residual_bytes", "RESIDUAL"},
	{TFP_PRINTED_MEMORY, "output bytes", "output_bytes", "OUTPUT"},
	{TFP_PRINTED_TIME, "total execution time", "micros", "TIME"},
	{TFP_PRINTED_TIME, "accelerator execution time", "accelerator_micros", "ACCEL"},
	{TFP_PRINTED_TIME, "cpu execution time", "cpu_micros", "CPU"},
	{TFP_PRINTED_DEVICES, "assigned devices", NULL, NULL},
	{TFP_PRINTED_TYPES, "op types", NULL, NULL},
	{TFP_PRINTED_COUNTS, "op count (run|defined)", "occurrence", "RUNS"},
	{TFP_PRINTED_COUNTS, "op occurrence (run|defined)", "occurrence", "RUNS"},
	{TFP_PRINTED_SHAPES, "input shapes", NULL, NULL},
};

/* What a column without a header is called when nothing tells which of several it is. */
static const struct tfp_printed_column guessed[] = {
	{TFP_PRINTED_TIME, "execution time", "time", "TIME"},
	{TFP_PRINTED_MEMORY, "bytes", "memory", "MEM"},
	{TFP_PRINTED_MEMORY, "bytes (2nd)", "memory_2", "MEM 2"},
	{TFP_PRINTED_MEMORY, "bytes (3rd)", "memory_3", "MEM 3"},
};

enum { KNOWN = sizeof(known) / sizeof(*known), GUESSED = sizeof(guessed) / sizeof(*guessed) };

static struct tfp_printed_column find_label(struct tfp_span label)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (tfp_span_is(label, known[i].label))
			return known[i];
	return (struct tfp_printed_column){TFP_PRINTED_STRANGE, "?", NULL, NULL};
}

bool tfp_printed_header(struct tfp_span text, struct tfp_printed_columns *columns)
{
	bool fine = true, more = true;

	*columns = (struct tfp_printed_columns){.header = true};
	if (!tfp_span_trim(text).size)
		return true;
	while (more && columns->count < TFP_PRINTED_COLUMNS) {
		struct tfp_printed_column column;
		struct tfp_span label;

		/* "(run|defined)" has a bar, but no blanks around it. */
		more = tfp_span_split(text, TFP_SPAN(" | "), &label, &text);
		column = find_label(tfp_span_trim(label));
		fine = fine && column.kind != TFP_PRINTED_STRANGE;
		columns->at[columns->count++] = column;
	}
	return fine && !more;
}

/* ---- without a header ------------------------------------------------------------------------- */

void tfp_printed_guess_merge(struct tfp_printed_guess *best, const struct tfp_printed_guess *more)
{
	if (more->count > best->count) {
		*best = *more;
		return;
	}
	if (more->count < best->count)
		return;
	best->sure = best->sure || more->sure;
	for (size_t i = 0; i < more->count; i++) {
		/* A list of types may begin with a device, but not the other way round. */
		if (best->kind[i] == TFP_PRINTED_STRANGE ||
		    (best->kind[i] == TFP_PRINTED_DEVICES && more->kind[i] == TFP_PRINTED_TYPES))
			best->kind[i] = more->kind[i];
	}
}

static size_t count_kind(const struct tfp_printed_guess *guess, int kind)
{
	size_t count = 0;

	for (size_t i = 0; i < guess->count; i++)
		count += guess->kind[i] == kind;
	return count;
}

static struct tfp_printed_column nth(const struct tfp_printed_column *at, size_t size,
				     enum tfp_printed_kind kind, size_t skip)
{
	size_t i = 0;

	while (i < size && (at[i].kind != kind || skip--))
		i++;
	return i < size ? at[i] : (struct tfp_printed_column){kind, "?", NULL, NULL};
}

/* The column that is number INDEX of COUNT of its kind. */
static struct tfp_printed_column name_column(enum tfp_printed_kind kind, size_t index, size_t count)
{
	/* Without the total, times are those of accelerators and of the CPU, and both. */
	if (kind == TFP_PRINTED_TIME && count > 1)
		return nth(known, KNOWN, kind, index + (count == 2));
	if ((kind == TFP_PRINTED_MEMORY && count < 4) || kind == TFP_PRINTED_TIME)
		return nth(guessed, GUESSED, kind, index);
	return nth(known, KNOWN, kind, kind == TFP_PRINTED_MEMORY ? index : 0);
}

void tfp_printed_guess_columns(const struct tfp_printed_guess *guess,
			       struct tfp_printed_columns *columns)
{
	size_t seen[TFP_PRINTED_STRANGE + 1] = {0};

	*columns = (struct tfp_printed_columns){.count = guess->count};
	for (size_t i = 0; i < guess->count; i++) {
		int kind = guess->kind[i];

		/* Of texts that are nothing else, those in the last column may be shapes. */
		if (kind == TFP_PRINTED_STRANGE)
			kind = i + 1 == guess->count && count_kind(guess, TFP_PRINTED_TYPES)
				       ? TFP_PRINTED_SHAPES
				       : TFP_PRINTED_TYPES;
		columns->at[i] = name_column((enum tfp_printed_kind)kind, seen[kind]++,
					     count_kind(guess, kind));
	}
}
