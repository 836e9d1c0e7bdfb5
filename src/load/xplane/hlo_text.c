/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction is: its path, its stack, its shapes as text. */
#include "load/walk.h"
#include "load/xplane/hlo.h"

/* ---- fields ---------------------------------------------------------------------------------- */

static struct tfp_wire wire_of(const struct tfp_hlo *hlo, uint32_t instruction)
{
	struct tfp_span bytes = hlo->instructions.at[instruction].bytes;

	return tfp_wire_of((const uint8_t *)bytes.at, bytes.size);
}

struct tfp_span tfp_hlo_field(const struct tfp_hlo *hlo, uint32_t instruction, uint32_t number)
{
	struct tfp_wire wire = wire_of(hlo, instruction);
	struct tfp_span found = {"", 0};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, number))
			found = tfp_field_span(&field);
	return found;
}

void tfp_hlo_numbers(const struct tfp_hlo *hlo, uint32_t instruction, uint32_t number,
		     struct tfp_integers *out)
{
	struct tfp_wire wire = wire_of(hlo, instruction);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.number == number)
			tfp_wire_integers(&field, out);
}

/* The root of the computation that a fusion calls; TFP_NONE for others. */
static uint32_t fusion_root(const struct tfp_hlo *hlo, uint32_t instruction)
{
	const struct tfp_hlo_instruction *at = &hlo->instructions.at[instruction];
	uint32_t computation = TFP_NONE;

	if (at->calls && tfp_span_equal(at->opcode, TFP_SPAN("fusion")))
		computation = tfp_idmap_get(&hlo->computation_ids, at->called);
	if (computation == TFP_NONE)
		return TFP_NONE;
	return tfp_idmap_get(&hlo->instruction_ids,
			     (uint64_t)hlo->computations.at[computation].root);
}

struct tfp_span tfp_hlo_path(const struct tfp_hlo *hlo, uint32_t instruction)
{
	uint32_t root;

	if (hlo->instructions.at[instruction].op_name.size)
		return hlo->instructions.at[instruction].op_name;
	root = fusion_root(hlo, instruction);
	return root == TFP_NONE ? TFP_SPAN("") : hlo->instructions.at[root].op_name;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static tfp_str text_at(struct tfp_profile *profile, const struct tfp_span *texts, size_t count,
		       uint32_t index)
{
	if (!index || index > count)
		return 0;
	return tfp_strings_add(profile->strings, texts[index - 1].at, texts[index - 1].size);
}

static uint32_t frame_at(const struct tfp_hlo *hlo, uint32_t index, struct tfp_profile *profile)
{
	struct tfp_frame frame = {.line = -1};

	if (index && index <= hlo->locations.count) {
		const struct tfp_hlo_location *location = &hlo->locations.at[index - 1];

		frame.file = text_at(profile, hlo->files.at, hlo->files.count, location->file);
		frame.function = text_at(profile, hlo->functions.at, hlo->functions.count,
					 location->function);
		frame.line = location->line > 0 ? location->line : -1;
	}
	return tfp_profile_frame(profile, &frame);
}

/*
 * The stack of frame INDEX. Callers are walked until one is known; a chain that comes back to
 * itself is cut after as many frames as there are.
 */
static uint32_t stack_at(struct tfp_hlo *hlo, uint32_t index, struct tfp_profile *profile)
{
	TFP_ARRAY(uint32_t) chain = {0};
	uint32_t stack = TFP_NONE;

	while (index && index <= hlo->frames.count && chain.count < hlo->frames.count) {
		stack = hlo->frames.at[index - 1].stack;
		if (stack != TFP_NONE)
			break;
		*tfp_array_push(&chain) = index;
		index = hlo->frames.at[index - 1].parent;
	}
	while (chain.count) {
		struct tfp_hlo_frame *frame = &hlo->frames.at[chain.at[--chain.count] - 1];

		stack = tfp_profile_stack(profile, stack, frame_at(hlo, frame->location, profile));
		frame->stack = stack;
	}
	tfp_array_free(&chain);
	return stack;
}

/* By the index of frames, or in older files by one source line. */
static uint32_t own_stack(struct tfp_hlo *hlo, uint32_t instruction, struct tfp_profile *profile)
{
	struct tfp_span metadata = tfp_hlo_field(hlo, instruction, INSTRUCTION_METADATA);
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)metadata.at, metadata.size);
	struct tfp_frame frame = {.line = -1};
	struct tfp_field field;
	uint32_t stack = TFP_NONE;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, OP_FILE))
			frame.file = tfp_strings_add(profile->strings, (const char *)field.data,
						     field.size);
		else if (tfp_field_is_int(&field, OP_LINE) && field.value <= INT32_MAX)
			frame.line = (int32_t)field.value;
		else if (tfp_field_is_int(&field, OP_FRAME) && field.value <= UINT32_MAX)
			stack = stack_at(hlo, (uint32_t)field.value, profile);
	}
	if (stack != TFP_NONE || !frame.file)
		return stack;
	return tfp_profile_stack(profile, TFP_NONE, tfp_profile_frame(profile, &frame));
}

uint32_t tfp_hlo_stack(struct tfp_hlo *hlo, uint32_t instruction, struct tfp_profile *profile)
{
	uint32_t stack = own_stack(hlo, instruction, profile), root;

	if (stack != TFP_NONE)
		return stack;
	root = fusion_root(hlo, instruction);
	return root == TFP_NONE ? TFP_NONE : own_stack(hlo, root, profile);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *const types[] = {
	NULL,         "pred",       "s8",       "s16",       "s32",    "s64",
	"u8",         "u16",        "u32",      "u64",       "f16",    "f32",
	"f64",        "tuple",      "opaque",   "c64",       "bf16",   "token",
	"c128",       "f8e5m2",     "f8e4m3fn", "s4",        "u4",     "f8e4m3b11fnuz",
	"f8e5m2fnuz", "f8e4m3fnuz", "s2",       "u2",        "f8e4m3", "f8e3m4",
	"s1",         "u1",         "f4e2m1fn", "f8e8m0fnu", "buffer",
};

/* A dimension that is not known is shown by UNKNOWN, one that is only bounded has "<=" before it. */
static void put_dims(struct tfp_hlo_text *text, const struct tfp_integers *dims,
		     const struct tfp_integers *bounded, const char *unknown)
{
	for (size_t i = 0; i < dims->count && !text->full; i++) {
		const char *bound = bounded && i < bounded->count && bounded->at[i] ? "<=" : "";

		tfp_hlo_put(text, "%s", i ? "," : "");
		if (dims->at[i] == INT64_MIN)
			tfp_hlo_put(text, "%s", unknown);
		else
			tfp_hlo_put(text, "%s%lld", bound, (long long)dims->at[i]);
	}
}

/* ":T(8,128)(2,1)"; in front of what comes first there is COLON, which is empty from there on. */
static void put_tiles(struct tfp_hlo_text *text, struct tfp_wire wire, const char **colon)
{
	const char *letter = "T";
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		struct tfp_integers dims = {0};
		struct tfp_wire tile;

		if (!tfp_field_is(&field, LAYOUT_TILE) || text->full)
			continue;
		tile = tfp_wire_in(&field);
		while (tfp_wire_next(&tile, &field))
			if (field.number == TILE_DIMENSION)
				tfp_wire_integers(&field, &dims);
		tfp_hlo_put(text, "%s%s(", *colon, letter);
		put_dims(text, &dims, NULL, "*");
		tfp_hlo_put(text, ")");
		*colon = letter = "";
		tfp_array_free(&dims);
	}
}

static void put_layout(struct tfp_hlo_text *text, struct tfp_wire wire)
{
	struct tfp_integers order = {0};
	uint64_t bits = 0, space = 0;
	const char *colon = ":";
	struct tfp_wire layout = wire;
	struct tfp_field field;
	bool tiled = false;

	while (tfp_wire_next(&wire, &field)) {
		if (field.number == LAYOUT_MINOR_TO_MAJOR)
			tfp_wire_integers(&field, &order);
		else if (tfp_field_is_int(&field, LAYOUT_ELEMENT_BITS))
			bits = field.value;
		else if (tfp_field_is_int(&field, LAYOUT_MEMORY_SPACE))
			space = field.value;
		tiled |= tfp_field_is(&field, LAYOUT_TILE);
	}
	if (order.count || tiled || bits || space) {
		tfp_hlo_put(text, "{");
		put_dims(text, &order, NULL, "?");
		put_tiles(text, layout, &colon);
		if (bits)
			tfp_hlo_put(text, "%sE(%llu)", colon, (unsigned long long)bits);
		if (space)
			tfp_hlo_put(text, "%sS(%llu)", bits ? "" : colon,
				    (unsigned long long)space);
		tfp_hlo_put(text, "}");
	}
	tfp_array_free(&order);
}

/* The shape without what is in it if it is a tuple. */
static void put_array(struct tfp_hlo_text *text, struct tfp_wire wire)
{
	struct tfp_field field, layout = {.size = 0};
	struct tfp_integers dims = {0}, bounded = {0};
	uint64_t type = 0;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, SHAPE_TYPE))
			type = field.value;
		else if (field.number == SHAPE_DIMENSION)
			tfp_wire_integers(&field, &dims);
		else if (field.number == SHAPE_DYNAMIC)
			tfp_wire_integers(&field, &bounded);
		else if (tfp_field_is(&field, SHAPE_LAYOUT))
			layout = field;
	}
	if (type < sizeof(types) / sizeof(*types) && types[type])
		tfp_hlo_put(text, "%s", types[type]);
	else
		tfp_hlo_put(text, "type<%llu>", (unsigned long long)type);
	tfp_hlo_put(text, "[");
	put_dims(text, &dims, &bounded, "?");
	tfp_hlo_put(text, "]");
	if (layout.size)
		put_layout(text, tfp_wire_in(&layout));
	tfp_array_free(&dims);
	tfp_array_free(&bounded);
}

static bool is_tuple(struct tfp_wire wire)
{
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, SHAPE_TYPE) && field.value == 13)
			return true;
	return false;
}

#define MOST_NESTED 16

void tfp_hlo_put_shape(struct tfp_hlo_text *text, struct tfp_span shape)
{
	struct tfp_wire open[MOST_NESTED];
	bool first[MOST_NESTED];
	size_t depth = 0;
	struct tfp_field field = {
		.type = TFP_WIRE_BYTES, .data = (const uint8_t *)shape.at, .size = shape.size};

	for (bool have = true; have && !text->full;) {
		if (is_tuple(tfp_wire_in(&field)) && depth < MOST_NESTED) {
			tfp_hlo_put(text, "(");
			first[depth] = true;
			open[depth++] = tfp_wire_in(&field);
		} else {
			put_array(text, tfp_wire_in(&field));
		}
		for (have = false; depth && !have;) {
			have = tfp_wire_next(&open[depth - 1], &field);
			if (have)
				have = tfp_field_is(&field, SHAPE_TUPLE);
			else if (depth--)
				tfp_hlo_put(text, ")");
			if (have) {
				tfp_hlo_put(text, "%s", first[depth - 1] ? "" : ", ");
				first[depth - 1] = false;
			}
		}
	}
}

void tfp_hlo_put_signature(const struct tfp_hlo *hlo, uint32_t instruction,
			   struct tfp_hlo_text *text)
{
	struct tfp_integers operands = {0};

	tfp_hlo_numbers(hlo, instruction, INSTRUCTION_OPERANDS, &operands);
	for (size_t i = 0; i < operands.count && !text->full; i++) {
		uint32_t at = tfp_idmap_get(&hlo->instruction_ids, (uint64_t)operands.at[i]);

		tfp_hlo_put(text, "%s", i ? ", " : "");
		if (at == TFP_NONE)
			tfp_hlo_put(text, "?");
		else
			tfp_hlo_put_shape(text, hlo->instructions.at[at].shape);
	}
	if (!operands.count) {
		tfp_hlo_put(text, "-> ");
		tfp_hlo_put_shape(text, hlo->instructions.at[instruction].shape);
	}
	tfp_array_free(&operands);
}
