/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many floating-point operations a run of an instruction takes. The file does not say, so that
 * this is an estimate: two for each element of a dot product's result and each step along what is
 * contracted, or of a convolution's output and each weight that it sums over; those of library calls,
 * too. hlo_attention.c has those of attention.
 */
#include <string.h>

#include "load/walk.h"
#include "load/xplane/hlo.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The shape of an array, of a tuple that of its first part. */
static struct tfp_span array_of(struct tfp_span shape)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)shape.at, shape.size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, SHAPE_TUPLE))
			return tfp_field_span(&field);
	return shape;
}

void tfp_hlo_dims(const struct tfp_hlo *hlo, uint32_t instruction, struct tfp_integers *out)
{
	struct tfp_span shape = array_of(hlo->instructions.at[instruction].shape);
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)shape.at, shape.size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.number == SHAPE_DIMENSION)
			tfp_wire_integers(&field, out);
}

static void read_contracted(const struct tfp_hlo *hlo, uint32_t instruction,
			    struct tfp_integers *out)
{
	struct tfp_span dot = tfp_hlo_field(hlo, instruction, INSTRUCTION_DOT);
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)dot.at, dot.size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.number == DOT_LHS_CONTRACTED)
			tfp_wire_integers(&field, out);
}

/* The same of a library call: "lhs_contracting_dimensions":["1","2"] in its configuration. */
static void read_configured(const struct tfp_hlo *hlo, uint32_t instruction,
			    struct tfp_integers *out)
{
	static const char key[] = "\"lhs_contracting_dimensions\":[";
	struct tfp_span text = tfp_hlo_field(hlo, instruction, INSTRUCTION_CONFIG);
	const char *at = text.size ? memmem(text.at, text.size, key, sizeof(key) - 1) : NULL;
	const char *end = text.at + text.size;

	for (at = at ? at + sizeof(key) - 1 : end; at < end && *at != ']'; at++)
		if (*at >= '0' && *at <= '9')
			*tfp_array_push(out) = *at - '0';
}

/* 0 where it is not known, or too much to be true. */
static int64_t count(const struct tfp_integers *result, const struct tfp_integers *lhs,
		     const struct tfp_integers *contracted)
{
	int64_t product = 2;

	for (size_t i = 0; i < result->count; i++)
		if (result->at[i] < 0 || __builtin_mul_overflow(product, result->at[i], &product))
			return 0;
	for (size_t i = 0; i < contracted->count; i++) {
		uint64_t dim = (uint64_t)contracted->at[i];

		if (dim >= lhs->count || lhs->at[dim] < 0 ||
		    __builtin_mul_overflow(product, lhs->at[dim], &product))
			return 0;
	}
	return contracted->count ? product : 0;
}

/* Of a dot, or of a call of a library that says what it contracts. */
static int64_t flops_of_dot(const struct tfp_hlo *hlo, uint32_t instruction, bool call)
{
	struct tfp_integers result = {0}, lhs = {0}, contracted = {0}, operands = {0};
	uint32_t first;
	int64_t flops = 0;

	if (call)
		read_configured(hlo, instruction, &contracted);
	else
		read_contracted(hlo, instruction, &contracted);
	if (contracted.count)
		tfp_hlo_numbers(hlo, instruction, INSTRUCTION_OPERANDS, &operands);
	first = operands.count ? tfp_idmap_get(&hlo->instruction_ids, (uint64_t)operands.at[0])
			       : TFP_NONE;
	if (first != TFP_NONE) {
		tfp_hlo_dims(hlo, instruction, &result);
		tfp_hlo_dims(hlo, first, &lhs);
		flops = count(&result, &lhs, &contracted);
	}
	tfp_array_free(&result);
	tfp_array_free(&lhs);
	tfp_array_free(&contracted);
	tfp_array_free(&operands);
	return flops;
}

/* ---- convolutions ---------------------------------------------------------------------------- */

/* Which of the arrays are the output and the kernel: 0 and 1 operands, 2 the result. */
struct roles {
	const char *target; /* in the name of the library's call; NULL: of an instruction */
	int output, kernel;
};

static const struct roles forward = {NULL, 2, 1};

static const struct roles *roles_of(const struct tfp_hlo *hlo, uint32_t instruction)
{
	static const struct roles calls[] = {
		{"convForward", 2, 1},
		{"convBiasActivationForward", 2, 1},
		{"convBackwardInput", 0, 1},
		{"convBackwardFilter", 1, 2},
	};
	struct tfp_span target = tfp_hlo_field(hlo, instruction, INSTRUCTION_TARGET);

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (tfp_span_holds(target, calls[i].target))
			return &calls[i];
	return NULL;
}

/* Which dimension of the kernel is that of the output's features. */
static uint64_t features_of(const struct tfp_hlo *hlo, uint32_t instruction)
{
	struct tfp_span numbers = tfp_hlo_field(hlo, instruction, INSTRUCTION_CONVOLUTION);
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)numbers.at, numbers.size);
	struct tfp_field field;
	uint64_t dimension = 0;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, CONVOLUTION_KERNEL_OUTPUT))
			dimension = field.value;
	return dimension;
}

static void read_array(const struct tfp_hlo *hlo, uint32_t instruction,
		       const struct tfp_integers *operands, int which, struct tfp_integers *out)
{
	uint32_t at = instruction;

	if (which < 2)
		at = (size_t)which < operands->count
			     ? tfp_idmap_get(&hlo->instruction_ids, (uint64_t)operands->at[which])
			     : TFP_NONE;
	if (at != TFP_NONE)
		tfp_hlo_dims(hlo, at, out);
}

static int64_t flops_of_convolution(const struct tfp_hlo *hlo, uint32_t instruction,
				    const struct roles *roles)
{
	struct tfp_integers operands = {0}, output = {0}, kernel = {0}, all = {0};
	uint64_t features = features_of(hlo, instruction);
	int64_t flops = 0;

	tfp_hlo_numbers(hlo, instruction, INSTRUCTION_OPERANDS, &operands);
	read_array(hlo, instruction, &operands, roles->output, &output);
	read_array(hlo, instruction, &operands, roles->kernel, &kernel);
	if (features < kernel.count && output.count) {
		kernel.at[features] = 1;
		for (size_t i = 0; i < kernel.count; i++)
			*tfp_array_push(&all) = (int64_t)i;
		flops = count(&output, &kernel, &all);
	}
	tfp_array_free(&operands);
	tfp_array_free(&output);
	tfp_array_free(&kernel);
	tfp_array_free(&all);
	return flops;
}

/* ---- an instruction with what it calls ------------------------------------------------------- */

static bool has_opcode(const struct tfp_hlo *hlo, uint32_t instruction, const char *opcode)
{
	return tfp_span_is(hlo->instructions.at[instruction].opcode, opcode);
}

static int64_t flops_of_one(const struct tfp_hlo *hlo, uint32_t instruction)
{
	const struct roles *roles;
	int64_t flops;

	if (has_opcode(hlo, instruction, "dot"))
		return flops_of_dot(hlo, instruction, false);
	if (has_opcode(hlo, instruction, "convolution"))
		return flops_of_convolution(hlo, instruction, &forward);
	if (!has_opcode(hlo, instruction, "custom-call"))
		return 0;
	if (tfp_hlo_attention(hlo, instruction, &flops))
		return flops;
	roles = roles_of(hlo, instruction);
	return roles ? flops_of_convolution(hlo, instruction, roles)
		     : flops_of_dot(hlo, instruction, true);
}

/* A computation, and how often one run of the instruction asked for runs it. */
struct called {
	uint64_t id;
	int64_t times;
};

struct walk {
	const struct tfp_hlo *hlo;
	TFP_ARRAY(struct called) open;
	struct tfp_integers ids; /* scratch */
	bool unknown;            /* there is a loop that runs nobody knows how often */
};

/* How often a loop runs: "known_trip_count":{"n":"12"}; 0: the compiler did not find out. */
static int64_t trips_of(const struct tfp_hlo *hlo, uint32_t instruction)
{
	static const char key[] = "\"known_trip_count\"";
	struct tfp_span text = tfp_hlo_field(hlo, instruction, INSTRUCTION_CONFIG);
	const char *at = text.size ? memmem(text.at, text.size, key, sizeof(key) - 1) : NULL;
	const char *end = text.at + text.size;
	int64_t trips = 0;

	for (at = at ? at + sizeof(key) - 1 : end; at < end && strchr(" \":{n", *at) && *at; at++)
		;
	for (; at < end && *at >= '0' && *at <= '9' && trips < INT32_MAX; at++)
		trips = trips * 10 + (*at - '0');
	return trips;
}

/* What a fusion or a call runs once, and a loop with its condition again and again, where INSTRUCTION runs TIMES. */
static void push_called(struct walk *walk, uint32_t instruction, int64_t times)
{
	bool loop = has_opcode(walk->hlo, instruction, "while");
	int64_t trips = loop ? trips_of(walk->hlo, instruction) : 1;

	if (!loop && !has_opcode(walk->hlo, instruction, "fusion") &&
	    !has_opcode(walk->hlo, instruction, "call"))
		return;
	walk->unknown |= !trips;
	if (!trips || __builtin_mul_overflow(times, trips, &times))
		return;
	walk->ids.count = 0;
	tfp_hlo_numbers(walk->hlo, instruction, INSTRUCTION_CALLED, &walk->ids);
	for (size_t i = 0; i < walk->ids.count; i++)
		*tfp_array_push(&walk->open) = (struct called){(uint64_t)walk->ids.at[i], times};
}

/* Adds up the instructions of a computation. */
static int64_t flops_of_called(struct walk *walk, struct called called, size_t *budget)
{
	uint32_t at = tfp_idmap_get(&walk->hlo->computation_ids, called.id);
	const struct tfp_hlo_computation *computation;
	int64_t sum = 0;

	if (at == TFP_NONE)
		return 0;
	computation = &walk->hlo->computations.at[at];
	for (uint32_t i = 0; i<computation->count && * budget> 1; i++, --*budget) {
		uint32_t instruction = computation->first + i;

		sum = tfp_wrap_add(
			sum, tfp_wrap_mul(flops_of_one(walk->hlo, instruction), called.times));
		push_called(walk, instruction, called.times);
	}
	return sum;
}

int64_t tfp_hlo_flops(const struct tfp_hlo *hlo, uint32_t instruction, size_t *budget,
		      bool *unknown)
{
	struct walk walk = {.hlo = hlo};
	int64_t sum = flops_of_one(hlo, instruction);

	push_called(&walk, instruction, 1);
	for (; walk.open.count && *budget; --*budget)
		sum = tfp_wrap_add(sum,
				   flops_of_called(&walk, walk.open.at[--walk.open.count], budget));
	*unknown = walk.unknown;
	tfp_array_free(&walk.open);
	tfp_array_free(&walk.ids);
	return sum;
}
