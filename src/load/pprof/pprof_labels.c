/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of pprof samples: each becomes a text, and each set of texts a number, whatever their
 * order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "load/pprof/pprof.h"

enum {
	MOST_LABELS = 64,  /* of one sample */
	LABEL_BYTES = 256, /* of one text: a key and a value may meet in many pairs */
};

struct text {
	char at[LABEL_BYTES];
	size_t size;
	bool cut;
};

static void append(struct text *text, struct tfp_span span)
{
	size_t left = sizeof(text->at) - text->size;

	if (span.size > left) {
		span.size = left;
		text->cut = true;
	}
	memcpy(text->at + text->size, span.at, span.size);
	text->size += span.size;
}

/* "key=text", or "key=number" with the unit behind it. LABEL holds the message's fields. */
static void make_text(const struct tfp_pprof_tables *tables, const uint64_t *label,
		      struct text *text)
{
	char number[24];

	text->size = 0;
	text->cut = false;
	append(text, tfp_pprof_string_get(tables, label[1]));
	append(text, TFP_SPAN("="));
	if (label[2]) {
		append(text, tfp_pprof_string_get(tables, label[2]));
		return;
	}
	snprintf(number, sizeof(number), "%" PRId64, (int64_t)label[3]);
	append(text, tfp_span_of(number));
	append(text, tfp_pprof_string_get(tables, label[4]));
}

bool tfp_pprof_label_read(struct tfp_pprof_tables *tables, const struct tfp_field *field,
			  struct tfp_pprof_labels *labels)
{
	struct text text;
	uint64_t label[5];

	if (!tfp_pprof_scalars(field, label, 4))
		return false;
	if (!label[2] && !label[3] && !label[4])
		return true;
	if (labels->count - labels->first == MOST_LABELS) {
		tfp_pprof_problem(tables, TFP_WARNING, field->data,
				  "a sample has more than %d labels; the rest is left out",
				  MOST_LABELS);
		return true;
	}
	make_text(tables, label, &text);
	if (text.cut)
		tfp_pprof_problem(tables, TFP_WARNING, field->data,
				  "a label is longer than %d bytes and was cut", LABEL_BYTES);
	*tfp_array_push(labels) = tfp_strings_add(tables->profile->strings, text.at, text.size);
	return true;
}

static int compare(const void *left, const void *right)
{
	tfp_str a = *(const tfp_str *)left, b = *(const tfp_str *)right;

	return a < b ? -1 : a > b;
}

uint32_t tfp_pprof_label_set(struct tfp_pprof_labels *labels)
{
	size_t count = labels->count - labels->first;
	uint32_t set = 0;

	if (count > 1)
		qsort(labels->at + labels->first, count, sizeof(*labels->at), compare);
	for (size_t i = labels->first; i < labels->count; i++) {
		uint32_t next = labels->set_count + 1;

		set = tfp_idmap_add(&labels->sets, (uint64_t)set << 32 | labels->at[i], next);
		labels->set_count += set == next;
	}
	return set;
}
