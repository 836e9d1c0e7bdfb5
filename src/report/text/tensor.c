/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a variable behind its row, as TensorFlow prints them: nested brackets, two decimals of six
 * digits, and no more than 10000 bytes of it.
 */
#include "report/text/layout.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tfprof/tensor.h"

#define MOST_TEXT    10000
#define CLOSING      "],\n"
#define CLOSING_SIZE (sizeof(CLOSING) - 1)
#define PIECE        1024 /* elements that are read at a time */
#define MOST_RANK    256

enum { FLOAT = 1, DOUBLE = 2, INT32 = 3, STRING = 7, INT64 = 9 };

/* The text being made; what is behind its end only counts. */
struct text {
	struct tfp_report *report;
	struct tfp_values *values;
	struct tfp_elements elements; /* from number FIRST on */
	uint64_t first, next;
	size_t used;
	bool failed;
	char at[MOST_TEXT + CLOSING_SIZE + 1];
};

static bool is_full(const struct text *text)
{
	return text->failed || text->used > MOST_TEXT + CLOSING_SIZE;
}

static void put(struct text *text, const char *at, size_t size)
{
	size_t room = sizeof(text->at) - text->used;

	if (size > room)
		size = room;
	memcpy(text->at + text->used, at, size);
	text->used += size;
}

/* ---- one element -------------------------------------------------------------------------------- */

/* By way of six digits, as an element gets into TensorFlow's own message. */
static void put_real(struct text *text, double value)
{
	char few[32], digits[400];

	snprintf(few, sizeof(few), "%.6g", value);
	put(text, digits, (size_t)snprintf(digits, sizeof(digits), "%.2f ", strtod(few, NULL)));
}

static void put_string(struct text *text, struct tfp_span string)
{
	struct tfp_writer *writer = text->report->writer;
	size_t room = string.size * 3 + 1;
	char *clean;

	put(text, "'", 1);
	if (writer->safe) {
		clean = tfp_alloc(room);
		put(text, clean, tfp_text_clean(clean, room, string, writer->ascii));
		free(clean);
	} else {
		put(text, string.at, string.size);
	}
	put(text, "' ", 2);
}

static void put_element(struct text *text, size_t number)
{
	const struct tfp_dtype *dtype = tfp_values_dtype(text->values);
	const struct tfp_elements *elements = &text->elements;
	struct tfp_scalar scalar;
	char digits[32];

	if (dtype->element == TFP_ELEMENT_STRING) {
		const struct tfp_string *string = &elements->texts.at[number];

		put_string(text, (struct tfp_span){(const char *)elements->bytes.at + string->at,
						   string->size});
		return;
	}
	scalar = tfp_scalar_of(dtype, elements->bytes.at + number * dtype->size);
	if (dtype->element == TFP_ELEMENT_REAL)
		put_real(text, scalar.real);
	else
		put(text, digits,
		    (size_t)snprintf(digits, sizeof(digits), "%" PRId64 " ", scalar.whole));
}

/* ---- all of them -------------------------------------------------------------------------------- */

/* The next COUNT elements. */
static void put_elements(struct text *text, uint64_t count, struct tfp_diag *diag)
{
	for (; count && !is_full(text); count--, text->next++) {
		if (text->next >= text->first + text->elements.count) {
			text->first = text->next;
			text->failed = !tfp_values_read(text->values, text->next, PIECE,
							&text->elements, NULL, diag) ||
				       !text->elements.count;
			if (text->failed)
				return;
		}
		put_element(text, (size_t)(text->next - text->first));
	}
}

/* Brackets around each dimension, and the elements in the innermost. */
static void put_dims(struct text *text, const int64_t *dims, size_t rank, struct tfp_diag *diag)
{
	int64_t done[MOST_RANK] = {0};
	size_t depth = 0;

	put(text, "[", 1);
	while (!is_full(text)) {
		if (depth + 1 < rank && done[depth] < dims[depth]) {
			put(text, "[", 1);
			done[++depth] = 0;
			continue;
		}
		if (depth + 1 >= rank)
			put_elements(text, rank ? (uint64_t)dims[depth] : 1, diag);
		put(text, CLOSING, CLOSING_SIZE);
		if (!depth)
			break;
		done[--depth]++;
	}
}

static void write_text(struct text *text)
{
	static const char omitted[] = "...omitted from display\n\n";
	struct tfp_writer *writer = text->report->writer;

	if (text->used > MOST_TEXT + CLOSING_SIZE) {
		text->used = MOST_TEXT;
		put(text, CLOSING, CLOSING_SIZE);
	}
	tfp_write(writer, text->at, text->used);
	if (text->used >= MOST_TEXT)
		tfp_write_text(writer, omitted);
}

static bool is_printed(uint32_t dtype)
{
	return dtype == FLOAT || dtype == DOUBLE || dtype == INT32 || dtype == INT64 ||
	       dtype == STRING;
}

static void write_values(struct tfp_report *report, uint32_t tensor)
{
	const struct tfp_profile *profile = report->profile;
	uint32_t shape = profile->tensors.at[tensor].shape;
	uint32_t first = profile->shape_first.at[shape], end = profile->shape_first.at[shape + 1];
	struct text *text = tfp_alloc_zero(1, sizeof(*text));

	text->report = report;
	text->elements.most = MOST_TEXT + CLOSING_SIZE + 1;
	text->values = tfp_values_open(profile, tensor, NULL, report->diag);
	if (text->values) {
		put_dims(text, profile->dims.at + first, end - first, report->diag);
		if (!text->failed && tfp_values_check(text->values, NULL, report->diag))
			write_text(text);
	}
	tfp_values_close(text->values);
	tfp_elements_free(&text->elements);
	free(text);
}

void tfp_report_values(struct tfp_report *report, uint32_t row)
{
	uint32_t tensor = tfp_tree_tensor(report->tree, report->profile, row);
	const struct tfp_tensor *about;

	if (tensor == TFP_NONE)
		return;
	about = &report->profile->tensors.at[tensor];
	if (about->fault) /* was told when the checkpoint was opened */
		return;
	if (is_printed(about->dtype))
		write_values(report, tensor);
	else
		tfp_diag_note(report->diag, "tensor_value: values of type %s are not printed",
			      tfp_dtype_of(about->dtype)->name);
}
