/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frozen graphs: what were variables are constants. Nothing says so of a constant; in a graph without
 * any variable those of a floating type with more than one element are taken for it.
 */
#include "load/checkpoint/checkpoint.h"
#include "load/facts.h"
#include "load/tensorflow/attrvalue.h"
#include "load/tensorflow/graphdef.h"

enum {
	ATTR_TENSOR = 8, /* of an AttrValue */
	TENSOR_TYPE = 1,
	TENSOR_SHAPE = 2,

	TYPE_FLOAT = 1,
	TYPE_DOUBLE = 2,
	TYPE_BFLOAT16 = 14,
	TYPE_HALF = 19,
};

#define WEIGHTS_MOST 100000 /* that are named */

struct weight {
	uint64_t type, elements;
	struct tfp_field shape;
};

static bool is_floating(uint64_t type)
{
	return type == TYPE_FLOAT || type == TYPE_DOUBLE || type == TYPE_BFLOAT16 ||
	       type == TYPE_HALF;
}

/* Is the TensorProto in WIRE such a constant? */
static bool read_tensor(struct tfp_wire wire, struct weight *weight)
{
	struct tfp_field field;

	*weight = (struct weight){0};
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, TENSOR_TYPE))
			weight->type = field.value;
		else if (tfp_field_is(&field, TENSOR_SHAPE))
			weight->shape = field;
	}
	if (!is_floating(weight->type) || !weight->shape.data)
		return false;
	weight->elements = tfp_ckpt_shape_elements(&weight->shape);
	return weight->elements > 1;
}

/* The value of a constant's NodeDef. */
static bool read_constant(struct tfp_wire node, struct weight *weight)
{
	struct tfp_field entry, key, value, tensor;

	while (tfp_wire_next(&node, &entry)) {
		struct tfp_wire wire;

		if (!tfp_field_is(&entry, NODE_ATTR))
			continue;
		value = tfp_attribute_entry(&entry, &key);
		if (!tfp_span_equal(tfp_field_span(&key), TFP_SPAN("value")))
			continue;
		wire = tfp_wire_in(&value);
		while (tfp_wire_next(&wire, &tensor))
			if (tfp_field_is(&tensor, ATTR_TENSOR))
				return read_tensor(tfp_wire_in(&tensor), weight);
	}
	return false;
}

static tfp_str find_op(const struct tfp_profile *profile, struct tfp_span op)
{
	return tfp_strings_find(profile->strings, op.at, op.size);
}

static bool has_variables(const struct tfp_profile *profile)
{
	return find_op(profile, TFP_SPAN("VarHandleOp")) != TFP_NONE ||
	       find_op(profile, TFP_SPAN("VariableV2")) != TFP_NONE ||
	       find_op(profile, TFP_SPAN("Variable")) != TFP_NONE;
}

/* The next such constant from *NODE on, which steps behind it. */
static bool next_weight(const struct tfp_profile *profile, const struct tfp_graph_data *data,
			tfp_str constant, uint32_t *node, struct weight *weight)
{
	while (*node < profile->nodes.count) {
		const struct tfp_record *record = &profile->nodes.record[*node];

		if (profile->nodes.op[(*node)++] == constant && record->source == data->file &&
		    record->size < TFP_NONE &&
		    read_constant(tfp_wire_of(data->source->data + record->offset, record->size),
				  weight))
			return true;
	}
	return false;
}

bool tfp_graph_is_frozen(const struct tfp_profile *profile, const struct tfp_graph_data *data)
{
	tfp_str constant = find_op(profile, TFP_SPAN("Const"));
	struct weight weight;
	uint32_t node = 0;

	return constant != TFP_NONE && !has_variables(profile) &&
	       next_weight(profile, data, constant, &node, &weight);
}

void tfp_graph_add_weights(struct tfp_profile *profile, const struct tfp_graph_data *data)
{
	tfp_str constant = find_op(profile, TFP_SPAN("Const"));
	struct tfp_facts facts = {profile};
	uint64_t count = 0, elements = 0;
	char text[TFP_NUMBER_ROOM];
	struct weight weight;
	uint32_t section;

	if (!tfp_graph_is_frozen(profile, data))
		return;
	for (uint32_t node = 0; next_weight(profile, data, constant, &node, &weight); count++)
		elements += weight.elements;
	section = tfp_facts_add(&facts, TFP_NONE, TFP_SPAN("frozen variables"),
				"%llu constants, %s parameters", (unsigned long long)count,
				tfp_number_exact(text, (int64_t)elements));
	count = 0;
	for (uint32_t node = 0;
	     count < WEIGHTS_MOST && next_weight(profile, data, constant, &node, &weight); count++)
		tfp_facts_add(&facts, section,
			      tfp_strings_get(profile->strings, profile->nodes.name[node - 1]),
			      "%s, %s parameters",
			      tfp_attribute_tensor(&profile->arena, weight.type, &weight.shape),
			      tfp_number_exact(text, (int64_t)weight.elements));
}
