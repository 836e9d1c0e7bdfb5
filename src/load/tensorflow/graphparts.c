/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read of NodeDefs when a view asks for it: inputs, the parameter shape and output shapes.
 * The records are read again at the places that the first walk noted.
 */
#include <string.h>

#include "load/tensorflow/attrvalue.h"
#include "load/shape.h"
#include "load/tensorflow/graphdef.h"

/* So many inputs are looked up together, at least. */
#define SETTLE_AT 64

/* The outputs that the inputs of one node name, by string id of the producer. */
struct named_output {
	uint32_t node; /* the node this was noted for */
	int32_t output;
};

struct filler {
	struct tfp_profile *profile;
	struct tfp_diag *diag;
	const struct tfp_graph_data *graph;
	TFP_ARRAY(struct tfp_span) producers; /* of the inputs that are not looked up yet */
	TFP_ARRAY(tfp_str) names;             /* room for their names */
	uint32_t unsettled;                   /* the first node whose inputs are not */
	TFP_ARRAY(struct named_output) outputs;
	struct tfp_integers dims;
	TFP_ARRAY(uint32_t) shapes; /* output shapes of the node at hand */
};

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The number that TEXT is, 0 when it is none. */
static int32_t output_index(struct tfp_span text)
{
	char digits[12];
	int64_t value;

	if (text.size >= sizeof(digits))
		return 0;
	memcpy(digits, text.at, text.size);
	digits[text.size] = 0;
	if (!tfp_number_parse(digits, &value) || value != (int32_t)value)
		return 0;
	return (int32_t)value;
}

/* Splits "^producer", "producer" or "producer:output"; of more parts only the first counts. */
static int32_t split_input(struct tfp_span text, struct tfp_span *producer)
{
	const char *end = text.at + text.size;
	const char *colon = text.size ? memchr(text.at, ':', text.size) : NULL;
	int32_t output = 0;

	if (colon) {
		struct tfp_span rest = {colon + 1, (size_t)(end - colon - 1)};

		text.size = (size_t)(colon - text.at);
		output = output_index(rest);
	}
	if (text.size && *text.at == '^') {
		text.at++;
		text.size--;
	}
	*producer = text;
	return output;
}

static struct named_output *output_of(struct filler *filler, tfp_str name)
{
	size_t old = filler->outputs.count;

	if (name >= old) {
		tfp_array_reserve(&filler->outputs, (size_t)name + 1);
		filler->outputs.count = filler->outputs.room;
		memset(filler->outputs.at + old, 0xff,
		       (filler->outputs.room - old) * sizeof(*filler->outputs.at));
	}
	return &filler->outputs.at[name];
}

static void take_input(struct filler *filler, struct tfp_span text)
{
	struct tfp_span producer;
	int32_t output = split_input(text, &producer);

	*tfp_array_push(&filler->producers) = producer;
	*tfp_array_push(&filler->profile->inputs) = (struct tfp_input){TFP_NONE, output, 0};
}

/* Backwards, since the last input that names a producer decides for all. */
static void decide_outputs(struct filler *filler, uint32_t node, size_t first, size_t end)
{
	struct tfp_input *inputs = filler->profile->inputs.at;

	while (end-- > first) {
		struct named_output *named = output_of(filler, inputs[end].name);

		if (named->node != node)
			*named = (struct named_output){node, inputs[end].output};
		inputs[end].output = named->output;
	}
}

/* Looks up the producers of all inputs that wait; those of the nodes up to END. */
static void settle_inputs(struct filler *filler, uint32_t end)
{
	struct tfp_profile *profile = filler->profile;
	size_t count = filler->producers.count, total = profile->inputs.count;
	const uint32_t *first = profile->nodes.input_first;

	tfp_array_reserve(&filler->names, count);
	if (count)
		tfp_strings_add_many(profile->strings, filler->producers.at, count,
				     filler->names.at);
	for (size_t i = 0; i < count; i++) {
		struct tfp_input *input = &profile->inputs.at[total - count + i];

		input->name = filler->names.at[i];
		input->node = tfp_profile_find_node(profile, input->name);
	}
	for (uint32_t node = filler->unsettled; node < end; node++)
		decide_outputs(filler, node, first[node], node + 1 < end ? first[node + 1] : total);
	filler->producers.count = 0;
	filler->unsettled = end;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Adds a TensorShapeProto to the dims at hand. */
static void read_shape(struct filler *filler, const struct tfp_field *shape, bool *unknown_rank)
{
	struct tfp_wire wire = tfp_wire_in(shape);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, SHAPE_DIM))
			tfp_dim_size(&field, tfp_array_push(&filler->dims));
		else if (tfp_field_is_int(&field, SHAPE_UNKNOWN_RANK))
			*unknown_rank = field.value != 0;
}

/* The shape id of the dims at hand: a scalar is one element, an unknown rank no shape. */
static uint32_t take_shape(struct filler *filler, bool unknown_rank)
{
	if (!filler->dims.count && unknown_rank)
		return TFP_NONE;
	if (!filler->dims.count)
		*tfp_array_push(&filler->dims) = 1;
	return tfp_profile_shape(filler->profile, filler->dims.at, filler->dims.count);
}

static void note_wrap(struct filler *filler)
{
	int64_t product = 1;

	for (size_t i = 0; i < filler->dims.count; i++)
		if (filler->dims.at[i] < 0)
			return;
	for (size_t i = 0; i < filler->dims.count; i++)
		if (__builtin_mul_overflow(product, filler->dims.at[i], &product)) {
			tfp_diag_add(filler->diag, TFP_WARNING, filler->graph->source->path, -1, 0,
				     "more parameters in one shape than 64 bits can count");
			return;
		}
}

/* The value of attribute "shape": the shape, if that is the last member of the value's oneof. */
static void read_shape_attr(struct filler *filler, const struct tfp_field *value, uint32_t node)
{
	struct tfp_wire wire = tfp_wire_in(value);
	struct tfp_field field;
	bool is_shape = false, unknown_rank = false;

	filler->dims.count = 0;
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, ATTR_SHAPE)) {
			is_shape = true;
			read_shape(filler, &field, &unknown_rank);
		} else if (field.number <= ATTR_LAST) {
			is_shape = unknown_rank = false;
			filler->dims.count = 0;
		}
	}
	filler->profile->nodes.shape[node] = is_shape ? take_shape(filler, unknown_rank) : TFP_NONE;
	note_wrap(filler);
}

static void read_list(struct filler *filler, const struct tfp_field *list)
{
	struct tfp_wire wire = tfp_wire_in(list);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		bool unknown_rank = false;

		if (!tfp_field_is(&field, LIST_SHAPE))
			continue;
		filler->dims.count = 0;
		read_shape(filler, &field, &unknown_rank);
		*tfp_array_push(&filler->shapes) = take_shape(filler, unknown_rank);
	}
}

/* The value of attribute "_output_shapes". */
static void read_output_attr(struct filler *filler, const struct tfp_field *value)
{
	struct tfp_wire wire = tfp_wire_in(value);
	struct tfp_field field;

	filler->shapes.count = 0;
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, ATTR_LIST))
			read_list(filler, &field);
		else if (field.number <= ATTR_LAST)
			filler->shapes.count = 0;
	}
}

static bool key_is(const struct tfp_field *key, const char *text)
{
	return key->size == strlen(text) && !memcmp(key->data, text, key->size);
}

static void read_attr(struct filler *filler, const struct tfp_field *entry, uint32_t node)
{
	struct tfp_field key, value = tfp_attribute_entry(entry, &key);

	if (key_is(&key, "shape"))
		read_shape_attr(filler, &value, node);
	else if (key_is(&key, "_output_shapes"))
		read_output_attr(filler, &value);
}

/* ---- all nodes ------------------------------------------------------------------------------- */

static void read_record(struct filler *filler, uint32_t node, unsigned parts)
{
	const struct tfp_record *record = &filler->profile->nodes.record[node];
	struct tfp_wire wire =
		tfp_wire_of(filler->graph->source->data + record->offset, record->size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (parts & TFP_PART_EDGES && tfp_field_is(&field, NODE_INPUT))
			take_input(filler, tfp_field_span(&field));
		else if (parts & TFP_PART_SHAPES && tfp_field_is(&field, NODE_ATTR))
			read_attr(filler, &field, node);
	}
}

static void fill_node(struct filler *filler, uint32_t node, unsigned parts)
{
	struct tfp_profile *profile = filler->profile;
	size_t first = profile->output_shape.count;

	filler->shapes.count = 0;
	if (parts & TFP_PART_EDGES)
		profile->nodes.input_first[node] = (uint32_t)profile->inputs.count;
	if (profile->nodes.record[node].source == filler->graph->file)
		read_record(filler, node, parts);
	if (filler->producers.count >= SETTLE_AT)
		settle_inputs(filler, node + 1);
	if (parts & TFP_PART_SHAPES) {
		profile->nodes.output_first[node] = (uint32_t)first;
		for (size_t i = 0; i < filler->shapes.count; i++)
			*tfp_array_push(&profile->output_shape) = filler->shapes.at[i];
	}
}

bool tfp_graph_fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		    struct tfp_diag *diag)
{
	struct filler filler = {.profile = profile, .diag = diag, .graph = data};
	uint32_t count = profile->nodes.count;
	bool going = true;

	for (uint32_t node = 0; node < count && going; node++) {
		fill_node(&filler, node, parts);
		going = (node & 1023) || !tfp_job_cancelled(job);
	}
	if (parts & TFP_PART_EDGES && going)
		settle_inputs(&filler, count);
	if (parts & TFP_PART_EDGES)
		profile->nodes.input_first[count] = (uint32_t)profile->inputs.count;
	if (parts & TFP_PART_SHAPES)
		profile->nodes.output_first[count] = (uint32_t)profile->output_shape.count;
	tfp_array_free(&filler.producers);
	tfp_array_free(&filler.names);
	tfp_array_free(&filler.outputs);
	tfp_array_free(&filler.dims);
	tfp_array_free(&filler.shapes);
	return going;
}

/* The bytes of NODE's NodeDef; none where the graph has no such. */
static struct tfp_wire node_def_of(const struct tfp_profile *profile, uint32_t node,
				   const struct tfp_graph_data *graph)
{
	const struct tfp_record *record = &profile->nodes.record[node];

	if (record->source != graph->file || record->size == TFP_NONE)
		return tfp_wire_of(graph->source->data, 0);
	return tfp_wire_of(graph->source->data + record->offset, record->size);
}

void tfp_graph_describe(const struct tfp_profile *profile, uint32_t node, void *data,
			struct tfp_attributes *out)
{
	tfp_attributes_read(node_def_of(profile, node, data), NODE_ATTR, out);
}

void tfp_graph_describe_raw(const struct tfp_profile *profile, uint32_t node, void *data,
			    struct tfp_spans *out)
{
	tfp_attributes_find(node_def_of(profile, node, data), NODE_ATTR, out);
}
