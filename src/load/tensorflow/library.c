/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function libraries. All functions are named first, so that an op that is one of them is known as a call;
 * then the graph and each body are walked for what they call. A call is every attribute that is a
 * function, or a list of them, and every op that is one.
 */
#include "load/tensorflow/library.h"

#include "load/tensorflow/attrvalue.h"

enum {
	LIBRARY_FUNCTION = 1,
	DEF_SIGNATURE = 1,
	DEF_NODE = 3,
	SIGNATURE_NAME = 1,
	SIGNATURE_INPUT = 2,
	SIGNATURE_OUTPUT = 3,
};

#define POLL 1024 /* nodes between two looks at the job */

struct reader {
	struct tfp_profile *profile;
	struct tfp_job *job;
	struct tfp_diag *diag;
	const struct tfp_source *source;
	TFP_ARRAY(uint32_t) of_name; /* by string id: 1 + the function of that name */
	uint32_t caller;
};

static tfp_str name_of(struct reader *reader, const struct tfp_field *field)
{
	return tfp_strings_add(reader->profile->strings, (const char *)field->data, field->size);
}

static void note_damage(struct reader *reader, const uint8_t *at)
{
	tfp_diag_add(reader->diag, TFP_WARNING, reader->source->path, at - reader->source->data, 0,
		     "damaged function: what came before is kept");
}

/* ---- functions ----------------------------------------------------------------------------------- */

static void read_signature(struct reader *reader, const struct tfp_field *signature,
			   struct tfp_function *function)
{
	struct tfp_wire wire = tfp_wire_in(signature);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, SIGNATURE_NAME))
			function->name = name_of(reader, &field);
		function->inputs += tfp_field_is(&field, SIGNATURE_INPUT);
		function->outputs += tfp_field_is(&field, SIGNATURE_OUTPUT);
	}
}

static void add_function(struct reader *reader, const struct tfp_field *definition)
{
	struct tfp_profile *profile = reader->profile;
	struct tfp_wire wire = tfp_wire_in(definition);
	struct tfp_function function = {0};
	struct tfp_field field;
	size_t known = reader->of_name.count;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, DEF_SIGNATURE))
			read_signature(reader, &field, &function);
	if (function.name >= known) {
		tfp_array_reserve(&reader->of_name, (size_t)function.name + 1);
		for (; known < reader->of_name.room; known++)
			reader->of_name.at[known] = 0;
		reader->of_name.count = reader->of_name.room;
	}
	*tfp_array_push(&profile->functions) = function;
	if (!reader->of_name.at[function.name]) /* of equal names the first counts */
		reader->of_name.at[function.name] = (uint32_t)profile->functions.count;
}

static uint32_t function_named(const struct reader *reader, tfp_str name)
{
	return name < reader->of_name.count ? reader->of_name.at[name] - 1 : TFP_NONE;
}

/* ---- calls --------------------------------------------------------------------------------------- */

static void add_call(struct reader *reader, uint32_t node, tfp_str name, tfp_str attribute)
{
	*tfp_array_push(&reader->profile->calls) = (struct tfp_call){
		.caller = reader->caller,
		.node = node,
		.callee = function_named(reader, name),
		.name = name,
		.attribute = attribute,
	};
}

/* A NameAttrList; one without a name calls nothing. */
static void read_function(struct reader *reader, const struct tfp_field *value, uint32_t node,
			  const struct tfp_field *key)
{
	struct tfp_wire wire = tfp_wire_in(value);
	struct tfp_field field, name = {.size = 0};

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, FUNCTION_NAME))
			name = field;
	if (name.size)
		add_call(reader, node, name_of(reader, &name), name_of(reader, key));
}

/* The value of an attribute: the last member of its oneof counts. */
static void read_value(struct reader *reader, const struct tfp_field *value, uint32_t node,
		       const struct tfp_field *key)
{
	struct tfp_wire wire = tfp_wire_in(value);
	struct tfp_field field, last = {.number = 0};

	while (tfp_wire_next(&wire, &field))
		if (field.number && field.number <= ATTR_LAST)
			last = field;
	if (tfp_field_is(&last, ATTR_FUNCTION))
		read_function(reader, &last, node, key);
	if (!tfp_field_is(&last, ATTR_LIST))
		return;
	wire = tfp_wire_in(&last);
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, LIST_FUNCTION))
			read_function(reader, &field, node, key);
}

static void read_attribute(struct reader *reader, const struct tfp_field *entry, uint32_t node)
{
	struct tfp_field key, value = tfp_attribute_entry(entry, &key);

	read_value(reader, &value, node, &key);
}

/* What the NodeDef in WIRE, which is NODE and of the type OP, calls. */
static void read_calls(struct reader *reader, struct tfp_wire wire, uint32_t node, tfp_str op)
{
	struct tfp_field field;

	if (function_named(reader, op) != TFP_NONE)
		add_call(reader, node, op, 0);
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, NODE_ATTR))
			read_attribute(reader, &field, node);
}

/* ---- bodies -------------------------------------------------------------------------------------- */

static void read_node(struct reader *reader, const struct tfp_field *record)
{
	struct tfp_wire wire = tfp_wire_in(record);
	struct tfp_body_node node = {0};
	struct tfp_field field;
	uint32_t index = (uint32_t)reader->profile->body.count;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, NODE_NAME))
			node.name = name_of(reader, &field);
		else if (tfp_field_is(&field, NODE_OP))
			node.op = name_of(reader, &field);
	}
	if (wire.bad)
		note_damage(reader, wire.at);
	*tfp_array_push(&reader->profile->body) = node;
	read_calls(reader, tfp_wire_in(record), index, node.op);
}

static void read_body(struct reader *reader, const struct tfp_field *definition, uint32_t index)
{
	struct tfp_profile *profile = reader->profile;
	struct tfp_function *function = &profile->functions.at[index];
	struct tfp_wire wire = tfp_wire_in(definition);
	struct tfp_field field;

	reader->caller = index;
	function->node_first = (uint32_t)profile->body.count;
	function->call_first = (uint32_t)profile->calls.count;
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, DEF_NODE))
			read_node(reader, &field);
	if (wire.bad)
		note_damage(reader, wire.at);
	function->nodes = (uint32_t)profile->body.count - function->node_first;
	function->calls = (uint32_t)profile->calls.count - function->call_first;
}

/* ---- all ----------------------------------------------------------------------------------------- */

/* Walks the libraries of GRAPH: names the functions, or where BODIES, reads them. False when cancelled. */
static bool walk_libraries(struct reader *reader, struct tfp_wire graph, bool bodies)
{
	uint32_t index = 0;
	struct tfp_field library, field;

	while (tfp_wire_next(&graph, &library)) {
		struct tfp_wire wire;

		if (!tfp_field_is(&library, GRAPH_LIBRARY))
			continue;
		wire = tfp_wire_in(&library);
		while (tfp_wire_next(&wire, &field)) {
			if (!tfp_field_is(&field, LIBRARY_FUNCTION))
				continue;
			if (bodies)
				read_body(reader, &field, index++);
			else
				add_function(reader, &field);
			if (tfp_job_cancelled(reader->job))
				return false;
		}
		if (wire.bad && bodies)
			note_damage(reader, wire.at);
	}
	return true;
}

static bool walk_graph(struct reader *reader, uint32_t file)
{
	const struct tfp_profile *profile = reader->profile;

	reader->caller = TFP_NONE;
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		const struct tfp_record *record = &profile->nodes.record[node];

		if (node % POLL == 0 && tfp_job_cancelled(reader->job))
			return false;
		if (record->source == file && record->size != TFP_NONE)
			read_calls(reader,
				   tfp_wire_of(reader->source->data + record->offset, record->size),
				   node, profile->nodes.op[node]);
	}
	return true;
}

bool tfp_library_fill(struct tfp_profile *profile, const struct tfp_graph_data *data,
		      struct tfp_job *job, struct tfp_diag *diag)
{
	struct reader reader = {
		.profile = profile, .job = job, .diag = diag, .source = data->source};
	bool done = walk_libraries(&reader, data->graph, false) && walk_graph(&reader, data->file);

	profile->graph_calls = (uint32_t)profile->calls.count;
	done = done && walk_libraries(&reader, data->graph, true);
	tfp_array_free(&reader.of_name);
	return done;
}
