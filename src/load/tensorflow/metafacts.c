/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a MetaGraphDef says besides its graph, as an outline of facts: versions, signatures, collections,
 * assets, how it is saved, the objects of Python.
 */
#include "load/tensorflow/attrvalue.h"
#include "load/facts.h"
#include "load/tensorflow/metagraph.h"

enum {
	SAVER_FILE = 1,
	SAVER_SAVE = 2,
	SAVER_RESTORE = 3,
	SAVER_SHARDED = 5,
	SAVER_VERSION = 7,

	ANY_VALUE = 2,

	SIGNATURE_INPUT = 1,
	SIGNATURE_OUTPUT = 2,
	SIGNATURE_METHOD = 3,

	INFO_NAME = 1, /* of a TensorInfo */
	INFO_TYPE = 2,
	INFO_SHAPE = 3,

	ASSET_TENSOR = 1,
	ASSET_FILE = 2,

};

struct tfp_field tfp_metagraph_field(struct tfp_wire wire, uint32_t number)
{
	struct tfp_field field, last = {.data = wire.at};

	while (tfp_wire_next(&wire, &field))
		if (field.number == number)
			last = field;
	return last;
}

static struct tfp_span text_of(struct tfp_wire wire, uint32_t number)
{
	struct tfp_field field = tfp_metagraph_field(wire, number);

	return tfp_field_is(&field, number) ? tfp_field_span(&field) : TFP_SPAN("");
}

static uint64_t integer_of(struct tfp_wire wire, uint32_t number)
{
	struct tfp_field field = tfp_metagraph_field(wire, number);

	return tfp_field_is_int(&field, number) ? field.value : 0;
}

static struct tfp_wire message_of(struct tfp_wire wire, uint32_t number)
{
	struct tfp_field field = tfp_metagraph_field(wire, number);

	return tfp_field_is(&field, number) ? tfp_wire_in(&field) : tfp_wire_of(wire.at, 0);
}

static size_t count_fields(struct tfp_wire wire, uint32_t number)
{
	struct tfp_field field;
	size_t count = 0;

	while (tfp_wire_next(&wire, &field))
		count += field.number == number;
	return count;
}

/* ---- versions, saver ----------------------------------------------------------------------------- */

static void add_info(struct tfp_facts *facts, struct tfp_wire info)
{
	struct tfp_span format = text_of(info, INFO_FORMAT),
			version = text_of(info, INFO_TENSORFLOW);
	char *tags = tfp_metagraph_tags(info, &facts->profile->arena);

	if (*tags)
		tfp_facts_add(facts, TFP_NONE, TFP_SPAN("tags"), "%s", tags);
	if (format.size)
		tfp_facts_add(facts, TFP_NONE, TFP_SPAN("version"), "%.*s", TFP_FACT(format));
	if (version.size)
		tfp_facts_add(facts, TFP_NONE, TFP_SPAN("TensorFlow"), "%.*s", TFP_FACT(version));
	tfp_facts_add(facts, TFP_NONE, TFP_SPAN("attributes with their defaults"), "%s",
		      integer_of(info, INFO_STRIPPED) ? "left out" : "kept");
}

static void add_saver(struct tfp_facts *facts, struct tfp_wire saver)
{
	static const char *const versions[] = {"legacy", "V1", "V2"};
	static const struct {
		uint32_t number;
		const char *name;
	} names[] = {{SAVER_FILE, "file name"}, {SAVER_SAVE, "save"}, {SAVER_RESTORE, "restore"}};
	uint64_t version = integer_of(saver, SAVER_VERSION);
	uint32_t section;

	if (saver.at == saver.end)
		return;
	section = tfp_facts_add(facts, TFP_NONE, TFP_SPAN("saver"), "%s%s",
				version < 3 ? versions[version] : "of an unknown version",
				integer_of(saver, SAVER_SHARDED) ? ", sharded" : "");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct tfp_span text = text_of(saver, names[i].number);

		if (text.size)
			tfp_facts_add(facts, section, tfp_span_of(names[i].name), "%.*s",
				      TFP_FACT(text));
	}
}

/* ---- signatures ---------------------------------------------------------------------------------- */

/* "float32 -1x6", of fields TYPE and SHAPE; "invalid unknown" where there are none. */
static char *tensor_text(struct tfp_facts *facts, struct tfp_wire wire, uint32_t type,
			 uint32_t shape)
{
	struct tfp_field shaped = tfp_metagraph_field(wire, shape);

	return tfp_attribute_tensor(&facts->profile->arena, integer_of(wire, type),
				    tfp_field_is(&shaped, shape) ? &shaped : NULL);
}

static void add_tensor(struct tfp_facts *facts, uint32_t signature, struct tfp_wire entry,
		       const char *kind)
{
	struct tfp_span key = text_of(entry, MAP_KEY);
	struct tfp_wire info = message_of(entry, MAP_VALUE);
	struct tfp_span name = text_of(info, INFO_NAME);

	tfp_facts_add(facts, signature,
		      tfp_span_of(tfp_arena_printf(&facts->profile->arena, "%s %.*s", kind,
						   TFP_FACT(key))),
		      "%s, %.*s", tensor_text(facts, info, INFO_TYPE, INFO_SHAPE), TFP_FACT(name));
}

static void add_tensors(struct tfp_facts *facts, uint32_t parent, struct tfp_wire signature,
			uint32_t number, const char *kind)
{
	struct tfp_field field;

	while (tfp_wire_next(&signature, &field))
		if (tfp_field_is(&field, number))
			add_tensor(facts, parent, tfp_wire_in(&field), kind);
}

static void add_signature(struct tfp_facts *facts, uint32_t section, struct tfp_wire entry)
{
	struct tfp_wire signature = message_of(entry, MAP_VALUE);
	struct tfp_span method = text_of(signature, SIGNATURE_METHOD);
	uint32_t row =
		tfp_facts_add(facts, section, text_of(entry, MAP_KEY), "%.*s", TFP_FACT(method));

	add_tensors(facts, row, signature, SIGNATURE_INPUT, "input");
	add_tensors(facts, row, signature, SIGNATURE_OUTPUT, "output");
}

/* ---- collections --------------------------------------------------------------------------------- */

/* How many elements a list of integers or floats has, packed or not. */
static size_t count_numbers(struct tfp_wire list, bool floats)
{
	struct tfp_field field;
	size_t count = 0;

	while (tfp_wire_next(&list, &field)) {
		if (field.number != ELEMENT)
			continue;
		if (field.type != TFP_WIRE_BYTES)
			count++;
		else if (floats)
			count += field.size / sizeof(float);
		else /* the last byte of each integer is below 0x80 */
			for (size_t i = 0; i < field.size; i++)
				count += field.data[i] < 0x80;
	}
	return count;
}

static void add_collection(struct tfp_facts *facts, uint32_t section, struct tfp_wire entry)
{
	static const char *const kinds[] = {"no kind",    "node_list",  "bytes_list",
					    "int64_list", "float_list", "any_list"};
	struct tfp_wire wire = message_of(entry, MAP_VALUE);
	struct tfp_field field, list = {.number = 0};
	size_t count;

	while (tfp_wire_next(&wire, &field))
		if (field.number <= COLLECTION_ANY && field.type == TFP_WIRE_BYTES)
			list = field;
	if (list.number == COLLECTION_INTEGERS || list.number == COLLECTION_FLOATS)
		count = count_numbers(tfp_wire_in(&list), list.number == COLLECTION_FLOATS);
	else
		count = list.number ? count_fields(tfp_wire_in(&list), ELEMENT) : 0;
	tfp_facts_add(facts, section, text_of(entry, MAP_KEY), "%s, %zu", kinds[list.number],
		      count);
}

struct tfp_wire tfp_metagraph_collection(struct tfp_wire meta, const char *name, uint32_t kind)
{
	struct tfp_wire nothing = tfp_wire_of(meta.at, 0);
	struct tfp_field field;

	while (tfp_wire_next(&meta, &field)) {
		struct tfp_wire entry;

		if (!tfp_field_is(&field, META_COLLECTION))
			continue;
		entry = tfp_wire_in(&field);
		if (tfp_span_is(text_of(entry, MAP_KEY), name))
			return message_of(message_of(entry, MAP_VALUE), kind);
	}
	return nothing;
}

/* ---- assets -------------------------------------------------------------------------------------- */

static void add_asset(struct tfp_facts *facts, uint32_t section, struct tfp_wire asset)
{
	struct tfp_span tensor = text_of(message_of(asset, ASSET_TENSOR), INFO_NAME);

	tfp_facts_add(facts, section, text_of(asset, ASSET_FILE), "%.*s", TFP_FACT(tensor));
}

static void add_assets(struct tfp_facts *facts, struct tfp_wire meta)
{
	/* TensorFlow 1 keeps its assets in a collection */
	struct tfp_wire list = tfp_metagraph_collection(meta, "saved_model_assets", COLLECTION_ANY);
	size_t declared = count_fields(meta, META_ASSET), listed = count_fields(list, ELEMENT);
	struct tfp_field field;
	uint32_t section;

	if (!declared && !listed)
		return;
	section = tfp_facts_add(facts, TFP_NONE, TFP_SPAN("assets"), "%zu",
				declared ? declared : listed);
	while (declared && tfp_wire_next(&meta, &field))
		if (tfp_field_is(&field, META_ASSET))
			add_asset(facts, section, tfp_wire_in(&field));
	while (!declared && tfp_wire_next(&list, &field))
		if (tfp_field_is(&field, ELEMENT))
			add_asset(facts, section, message_of(tfp_wire_in(&field), ANY_VALUE));
}

/* ---- objects ------------------------------------------------------------------------------------- */

static void add_variable(struct tfp_facts *facts, uint32_t section, struct tfp_wire variable)
{
	tfp_facts_add(facts, section, text_of(variable, VARIABLE_NAME), "variable, %s%s",
		      tensor_text(facts, variable, VARIABLE_TYPE, VARIABLE_SHAPE),
		      integer_of(variable, VARIABLE_TRAINABLE) ? ", trainable" : "");
}

static void add_objects(struct tfp_facts *facts, struct tfp_wire objects)
{
	size_t count = count_fields(objects, OBJECTS_NODE);
	struct tfp_wire wire = objects;
	struct tfp_field field, variable;
	uint32_t section;

	if (objects.at == objects.end)
		return;
	section = tfp_facts_add(facts, TFP_NONE, TFP_SPAN("objects"), "%zu, concrete functions %zu",
				count, count_fields(objects, OBJECTS_FUNCTION));
	while (tfp_wire_next(&wire, &field)) {
		if (!tfp_field_is(&field, OBJECTS_NODE))
			continue;
		variable = tfp_metagraph_field(tfp_wire_in(&field), OBJECT_VARIABLE);
		if (tfp_field_is(&variable, OBJECT_VARIABLE))
			add_variable(facts, section, tfp_wire_in(&variable));
	}
	while (tfp_wire_next(&objects, &field))
		if (tfp_field_is(&field, OBJECTS_FUNCTION))
			tfp_facts_add(facts, section, text_of(tfp_wire_in(&field), MAP_KEY),
				      "concrete function");
}

/* ---- all ----------------------------------------------------------------------------------------- */

/* A section for each map: its entries by ADD. */
static void add_map(struct tfp_facts *facts, struct tfp_wire meta, uint32_t number,
		    const char *title,
		    void (*add)(struct tfp_facts *facts, uint32_t section, struct tfp_wire entry))
{
	size_t count = count_fields(meta, number);
	struct tfp_field field;
	uint32_t section;

	if (!count)
		return;
	section = tfp_facts_add(facts, TFP_NONE, tfp_span_of(title), "%zu", count);
	while (tfp_wire_next(&meta, &field))
		if (tfp_field_is(&field, number))
			add(facts, section, tfp_wire_in(&field));
}

void tfp_metagraph_facts(struct tfp_facts *facts, struct tfp_wire meta)
{
	add_info(facts, message_of(meta, META_INFO));
	add_map(facts, meta, META_SIGNATURE, "signatures", add_signature);
	add_map(facts, meta, META_COLLECTION, "collections", add_collection);
	add_assets(facts, meta);
	add_saver(facts, message_of(meta, META_SAVER));
	add_objects(facts, message_of(meta, META_OBJECTS));
	tfp_metagraph_trainable(facts, meta);
}
