/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a message: the cursor stays within them, always comes to an end, and finds as many
 * fields as protobuf-c where both accept them.
 */
#include "tfprof/codec.h"

#include "proto/graph.pb-c.h"

#include <stdlib.h>

#define MOST_DEPTH 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_field(const struct tfp_wire *outer, const struct tfp_field *field)
{
	struct tfp_integers integers = {0};

	must(field->number > 0 && field->number <= 0x1fffffff);
	if (field->type == TFP_WIRE_BYTES || field->type == TFP_WIRE_GROUP) {
		must(field->data <= outer->end);
		must(field->size <= (size_t)(outer->end - field->data));
	}
	tfp_wire_integers(field, &integers);
	if (field->type == TFP_WIRE_BYTES)
		must(integers.count <= field->size);
	tfp_array_free(&integers);
}

/*
 * Walks a message, and every field of bytes as if it were one; returns the fields of the
 * outermost.
 */
static size_t walk(struct tfp_wire wire, bool *good)
{
	struct tfp_wire open[MOST_DEPTH] = {wire};
	size_t depth = 1, count = 0;

	*good = true;
	while (depth) {
		struct tfp_wire *top = &open[depth - 1];
		const uint8_t *before = top->at;
		struct tfp_field field;

		if (!tfp_wire_next(top, &field)) {
			must(top->bad || top->at == top->end);
			must(top->at == before);
			*good &= depth > 1 || !top->bad;
			if (top->bad && tfp_wire_next_cut(top, &field))
				check_field(top, &field);
			depth--;
			continue;
		}
		must(top->at > before && top->at <= top->end);
		check_field(top, &field);
		count += depth == 1;
		if (field.type == TFP_WIRE_BYTES && depth < MOST_DEPTH)
			open[depth++] = tfp_wire_in(&field);
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A message without fields of its own keeps every field as unknown. */
	Tfp__FunctionDefLibrary *other = tfp__function_def_library__unpack(NULL, size, data);
	bool good;
	size_t count;

	if (!data)
		return 0;
	count = walk(tfp_wire_of(data, size), &good);
	if (good && other)
		must(count == other->base.n_unknown_fields);
	if (other)
		tfp__function_def_library__free_unpacked(other, NULL);
	return 0;
}
