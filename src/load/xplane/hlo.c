/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an HLO module and finding its instructions: see hlo.h. */
#include "load/xplane/hlo.h"

#include <ctype.h>

#include "load/walk.h"

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t hash_name(const struct tfp_hlo *hlo, struct tfp_span name)
{
	return (uint32_t)tfp_hash_bytes(hlo->key, name.at, name.size);
}

/* A character of an instruction's name as it stands in the name of its kernel. */
static char code_char(char c)
{
	return isalnum((unsigned char)c) && (unsigned char)c < 0x80 ? c : '_';
}

static uint32_t hash_code(const struct tfp_hlo *hlo, struct tfp_span name)
{
	uint64_t hash = hlo->key.a;

	for (size_t i = 0; i < name.size; i++)
		hash = tfp_hash_fold(hash ^ (unsigned char)code_char(name.at[i]), hlo->key.b | 1);
	return (uint32_t)hash;
}

/* ROCm puts these behind the names of its kernels. */
static struct tfp_span without_ending(struct tfp_span label)
{
	static const char *const endings[] = {" [clone .kd]", ".kd"};

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		struct tfp_span ending = tfp_span_of(endings[i]);
		struct tfp_span tail = {label.at + label.size - ending.size, ending.size};

		if (label.size > ending.size && tfp_span_equal(tail, ending)) {
			label.size -= ending.size;
			return label;
		}
	}
	return label;
}

static bool is_code_of(struct tfp_span label, struct tfp_span name)
{
	if (label.size != name.size)
		return false;
	for (size_t i = 0; i < label.size; i++)
		if (label.at[i] != code_char(name.at[i]))
			return false;
	return true;
}

bool tfp_hlo_named_after(const struct tfp_hlo *hlo, uint32_t instruction, struct tfp_span label)
{
	return is_code_of(without_ending(label), hlo->instructions.at[instruction].name);
}

uint32_t tfp_hlo_find(const struct tfp_hlo *hlo, struct tfp_span name)
{
	uint32_t id;

	TFP_LOOKUP_EACH(id, hlo->by_name, hash_name(hlo, name))
		if (tfp_span_equal(hlo->instructions.at[id].name, name))
			return id;
	return TFP_NONE;
}

uint32_t tfp_hlo_find_kernel(const struct tfp_hlo *hlo, struct tfp_span label)
{
	struct tfp_span code = without_ending(label);
	uint32_t hash = hash_code(hlo, code), found = TFP_NONE, id;

	TFP_LOOKUP_EACH(id, hlo->by_code, hash) {
		if (!is_code_of(code, hlo->instructions.at[id].name) || !tfp_hlo_path(hlo, id).size)
			continue;
		if (found != TFP_NONE)
			return TFP_NONE;
		found = id;
	}
	return found;
}

uint32_t tfp_hlo_find_code(const struct tfp_hlo *hlo, struct tfp_span label)
{
	struct tfp_span code = without_ending(label);
	uint32_t hash = hash_code(hlo, code), id;

	TFP_LOOKUP_EACH(id, hlo->by_code, hash)
		if (is_code_of(code, hlo->instructions.at[id].name))
			return id;
	return TFP_NONE;
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct tfp_span op_name_of(struct tfp_wire wire)
{
	struct tfp_span name = {"", 0};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, OP_NAME))
			name = tfp_field_span(&field);
	return name;
}

/* The first of the ids, which may be packed. */
static void note_called(struct tfp_hlo_instruction *instruction, const struct tfp_field *field)
{
	uint64_t id = field->value;

	if (instruction->calls || (field->type == TFP_WIRE_BYTES &&
				   !tfp_wire_varint(field->data, field->data + field->size, &id)))
		return;
	instruction->calls = true;
	instruction->called = id;
}

static void add_instruction(struct tfp_hlo *hlo, const struct tfp_field *message)
{
	struct tfp_hlo_instruction instruction = {
		.name = {"", 0},
		.opcode = {"", 0},
		.op_name = {"", 0},
		.shape = {"", 0},
		.bytes = tfp_field_span(message),
	};
	struct tfp_wire wire = tfp_wire_in(message);
	uint32_t index = (uint32_t)hlo->instructions.count;
	struct tfp_field field;
	uint64_t id = 0;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, INSTRUCTION_NAME))
			instruction.name = tfp_field_span(&field);
		else if (tfp_field_is(&field, INSTRUCTION_OPCODE))
			instruction.opcode = tfp_field_span(&field);
		else if (tfp_field_is(&field, INSTRUCTION_SHAPE))
			instruction.shape = tfp_field_span(&field);
		else if (field.number == INSTRUCTION_CALLED)
			note_called(&instruction, &field);
		else if (tfp_field_is(&field, INSTRUCTION_METADATA))
			instruction.op_name = op_name_of(tfp_wire_in(&field));
		else if (tfp_field_is_int(&field, INSTRUCTION_ID))
			id = field.value;
	}
	hlo->damaged |= wire.bad;
	*tfp_array_push(&hlo->instructions) = instruction;
	tfp_idmap_add(&hlo->instruction_ids, id, index);
	tfp_lookup_add(hlo->by_name, hash_name(hlo, instruction.name), index);
	tfp_lookup_add(hlo->by_code, hash_code(hlo, instruction.name), index);
}

static void add_computation(struct tfp_hlo *hlo, const struct tfp_field *message)
{
	struct tfp_hlo_computation computation = {
		.name = {"", 0}, .caller = TFP_NONE, .kernel = TFP_NONE};
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;
	uint64_t id = 0;

	computation.first = (uint32_t)hlo->instructions.count;
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, COMPUTATION_NAME))
			computation.name = tfp_field_span(&field);
		else if (tfp_field_is(&field, COMPUTATION_INSTRUCTION))
			add_instruction(hlo, &field);
		else if (tfp_field_is_int(&field, COMPUTATION_ID))
			id = field.value;
		else if (tfp_field_is_int(&field, COMPUTATION_ROOT))
			computation.root = (int64_t)field.value;
	}
	hlo->damaged |= wire.bad;
	computation.count = (uint32_t)hlo->instructions.count - computation.first;
	tfp_idmap_add(&hlo->computation_ids, id, (uint32_t)hlo->computations.count);
	*tfp_array_push(&hlo->computations) = computation;
}

/* Fields 1, 2 … COUNT of a message of numbers; 0 where there is none. */
static void read_numbers(const struct tfp_field *message, uint64_t *value, uint32_t count)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.type == TFP_WIRE_VARINT && field.number <= count)
			value[field.number - 1] = field.value;
}

static void add_location(struct tfp_hlo *hlo, const struct tfp_field *message)
{
	uint64_t value[3] = {0};

	read_numbers(message, value, 3);
	*tfp_array_push(&hlo->locations) = (struct tfp_hlo_location){
		(uint32_t)value[0], (uint32_t)value[1], (int32_t)value[2]};
}

static void add_frame(struct tfp_hlo *hlo, const struct tfp_field *message)
{
	uint64_t value[2] = {0};

	read_numbers(message, value, 2);
	*tfp_array_push(&hlo->frames) =
		(struct tfp_hlo_frame){(uint32_t)value[0], (uint32_t)value[1], TFP_NONE};
}

static void read_frames(struct tfp_hlo *hlo, const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, 1))
			*tfp_array_push(&hlo->files) = tfp_field_span(&field);
		else if (tfp_field_is(&field, 2))
			*tfp_array_push(&hlo->functions) = tfp_field_span(&field);
		else if (tfp_field_is(&field, 3))
			add_location(hlo, &field);
		else if (tfp_field_is(&field, 4))
			add_frame(hlo, &field);
	}
}

/* Instructions that make no command of a graph. */
static bool launches(struct tfp_span opcode)
{
	static const char *const silent[] = {"parameter", "constant", "get-tuple-element",
					     "tuple",     "bitcast",  "after-all"};

	for (size_t i = 0; i < sizeof(silent) / sizeof(*silent); i++)
		if (tfp_span_is(opcode, silent[i]))
			return false;
	return true;
}

/* The sequence of one computation: a list of ids. */
static void read_sequence(struct tfp_hlo *hlo, struct tfp_wire wire)
{
	struct tfp_integers ids = {0};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.number == 1)
			tfp_wire_integers(&field, &ids);
	for (size_t i = 0; i < ids.count; i++) {
		uint32_t at = tfp_idmap_get(&hlo->instruction_ids, (uint64_t)ids.at[i]);

		if (at != TFP_NONE && launches(hlo->instructions.at[at].opcode))
			*tfp_array_push(&hlo->schedule) = at;
	}
	tfp_array_free(&ids);
}

/* The sequence of the entry computation, or those of all others. */
static void read_schedule(struct tfp_hlo *hlo, struct tfp_span schedule, bool entry_wanted)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)schedule.at, schedule.size);
	struct tfp_field entry, field;

	while (tfp_wire_next(&wire, &entry)) {
		struct tfp_field value = entry;
		struct tfp_wire in;
		uint64_t key = 0;

		if (!tfp_field_is(&entry, 1))
			continue;
		in = tfp_wire_in(&entry);
		value.size = 0;
		while (tfp_wire_next(&in, &field)) {
			if (tfp_field_is_int(&field, 1))
				key = field.value;
			else if (tfp_field_is(&field, 2))
				value = field;
		}
		if ((key == hlo->entry) != entry_wanted || (entry_wanted && hlo->sequences.count))
			continue;
		read_sequence(hlo, tfp_wire_in(&value));
		*tfp_array_push(&hlo->sequences) = hlo->schedule.count;
	}
}

/* Notes of each computation who calls it first. */
static void find_callers(struct tfp_hlo *hlo)
{
	struct tfp_integers called = {0};

	for (uint32_t i = 0; i < hlo->instructions.count; i++) {
		called.count = 0;
		if (hlo->instructions.at[i].calls)
			tfp_hlo_numbers(hlo, i, INSTRUCTION_CALLED, &called);
		for (size_t k = 0; k < called.count; k++) {
			uint32_t at = tfp_idmap_get(&hlo->computation_ids, (uint64_t)called.at[k]);

			if (at != TFP_NONE && hlo->computations.at[at].caller == TFP_NONE)
				hlo->computations.at[at].caller = i;
		}
	}
	tfp_array_free(&called);
}

uint32_t tfp_hlo_computation_of(const struct tfp_hlo *hlo, uint32_t instruction)
{
	size_t low = 0, high = hlo->computations.count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (hlo->computations.at[middle].first <= instruction)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static void read_module(struct tfp_hlo *hlo, struct tfp_wire wire)
{
	struct tfp_span schedule = {"", 0};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, MODULE_NAME))
			hlo->name = tfp_field_span(&field);
		else if (tfp_field_is(&field, MODULE_COMPUTATION))
			add_computation(hlo, &field);
		else if (tfp_field_is_int(&field, MODULE_ENTRY))
			hlo->entry = field.value;
		else if (tfp_field_is(&field, MODULE_SCHEDULE))
			schedule = tfp_field_span(&field);
		else if (tfp_field_is(&field, MODULE_FRAMES))
			read_frames(hlo, &field);
	}
	hlo->damaged |= wire.bad;
	find_callers(hlo);
	read_schedule(hlo, schedule, true);
	if (hlo->sequences.count)
		read_schedule(hlo, schedule, false);
}

void tfp_hlo_read(struct tfp_hlo *hlo, struct tfp_span proto)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)proto.at, proto.size);
	struct tfp_field field;

	*hlo = (struct tfp_hlo){.name = {"", 0}};
	hlo->by_name = tfp_lookup_new();
	hlo->by_code = tfp_lookup_new();
	hlo->key = tfp_hash_key_new();
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, HLO_MODULE))
			read_module(hlo, tfp_wire_in(&field));
	hlo->damaged |= wire.bad;
	if (wire.bad && tfp_wire_next_cut(&wire, &field) && tfp_field_is(&field, HLO_MODULE))
		read_module(hlo, tfp_wire_in(&field));
}

void tfp_hlo_free(struct tfp_hlo *hlo)
{
	tfp_array_free(&hlo->instructions);
	tfp_array_free(&hlo->computations);
	tfp_array_free(&hlo->schedule);
	tfp_array_free(&hlo->sequences);
	tfp_array_free(&hlo->files);
	tfp_array_free(&hlo->functions);
	tfp_array_free(&hlo->locations);
	tfp_array_free(&hlo->frames);
	tfp_idmap_free(&hlo->instruction_ids);
	tfp_idmap_free(&hlo->computation_ids);
	tfp_lookup_free(hlo->by_name);
	tfp_lookup_free(hlo->by_code);
}
