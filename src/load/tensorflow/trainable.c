/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many parameters of a saved model are trained: of the variables that its objects of Python call
 * trainable, or of those in TensorFlow 1's collection, as far as a checkpoint tells their shapes.
 */
#include <stdlib.h>

#include "load/checkpoint/checkpoint.h"
#include "load/tensorflow/metagraph.h"

enum {
	DEFINITION_NAME = 1, /* of a VariableDef */
	DEFINITION_SLICE = 4,
	SLICE_OF = 1, /* of its SaveSliceInfoDef: the name of the whole */
};

/* A variable, by its name in the program. */
struct variable {
	struct tfp_span name;
	uint64_t elements;
};

struct tally {
	const struct tfp_profile *profile;
	TFP_ARRAY(struct variable) variables;
};

/* ---- objects of Python --------------------------------------------------------------------------- */

static void take_object(struct tally *tally, struct tfp_wire variable)
{
	struct tfp_field trainable = tfp_metagraph_field(variable, VARIABLE_TRAINABLE);
	struct tfp_field shape = tfp_metagraph_field(variable, VARIABLE_SHAPE);
	struct tfp_field name = tfp_metagraph_field(variable, VARIABLE_NAME);

	if (!tfp_field_is_int(&trainable, VARIABLE_TRAINABLE) || !trainable.value)
		return;
	*tfp_array_push(&tally->variables) = (struct variable){
		.name = tfp_field_is(&name, VARIABLE_NAME) ? tfp_field_span(&name) : TFP_SPAN(""),
		.elements =
			tfp_field_is(&shape, VARIABLE_SHAPE) ? tfp_ckpt_shape_elements(&shape) : 0,
	};
}

static void take_objects(struct tally *tally, struct tfp_wire objects)
{
	struct tfp_field node, variable;

	while (tfp_wire_next(&objects, &node)) {
		if (!tfp_field_is(&node, OBJECTS_NODE))
			continue;
		variable = tfp_metagraph_field(tfp_wire_in(&node), OBJECT_VARIABLE);
		if (tfp_field_is(&variable, OBJECT_VARIABLE))
			take_object(tally, tfp_wire_in(&variable));
	}
}

/* ---- the collection of TensorFlow 1 -------------------------------------------------------------- */

/* A partitioned variable has a definition for each part, and one name in the checkpoint. */
static struct tfp_span name_of(struct tfp_wire definition)
{
	struct tfp_field slice = tfp_metagraph_field(definition, DEFINITION_SLICE), name;
	const char *colon;
	struct tfp_span text;

	name = tfp_metagraph_field(definition, DEFINITION_NAME);
	if (tfp_field_is(&slice, DEFINITION_SLICE)) {
		slice = tfp_metagraph_field(tfp_wire_in(&slice), SLICE_OF);
		if (tfp_field_is(&slice, SLICE_OF) && slice.size)
			name = slice;
	}
	text = name.type == TFP_WIRE_BYTES ? tfp_field_span(&name) : TFP_SPAN("");
	colon = text.size ? memchr(text.at, ':', text.size) : NULL;
	if (colon)
		text.size = (size_t)(colon - text.at);
	return text;
}

static void take_collection(struct tally *tally, struct tfp_wire definitions)
{
	const struct tfp_profile *profile = tally->profile;
	struct tfp_field field;

	while (tfp_wire_next(&definitions, &field)) {
		struct tfp_span name =
			tfp_field_is(&field, ELEMENT) ? name_of(tfp_wire_in(&field)) : TFP_SPAN("");
		tfp_str id = tfp_strings_find(profile->strings, name.at, name.size);
		uint32_t tensor = id == TFP_NONE ? TFP_NONE : tfp_profile_find_tensor(profile, id);

		if (tensor != TFP_NONE)
			*tfp_array_push(&tally->variables) =
				(struct variable){name, profile->tensors.at[tensor].elements};
	}
}

/* ---- both ---------------------------------------------------------------------------------------- */

static int compare_names(const void *left, const void *right)
{
	const struct variable *a = left, *b = right;

	return tfp_span_compare(a->name, b->name);
}

/* Adds the fact, for which each name counts once, and frees what was taken. */
static void tell(struct tally *tally, struct tfp_facts *facts)
{
	struct variable *all = tally->variables.at;
	uint64_t variables = 0, parameters = 0;
	char text[TFP_NUMBER_ROOM];

	if (tally->variables.count)
		qsort(all, tally->variables.count, sizeof(*all), compare_names);
	for (size_t i = 0; i < tally->variables.count; i++)
		if (!i || compare_names(&all[i - 1], &all[i])) {
			variables++;
			parameters += all[i].elements;
		}
	if (variables)
		tfp_facts_add(facts, TFP_NONE, TFP_SPAN("trainable"),
			      "%llu variable%s, %s parameters", (unsigned long long)variables,
			      variables == 1 ? "" : "s",
			      tfp_number_exact(text, (int64_t)parameters));
	tfp_array_free(&tally->variables);
}

void tfp_metagraph_trainable(struct tfp_facts *facts, struct tfp_wire meta)
{
	struct tally tally = {.profile = facts->profile};
	struct tfp_field objects = tfp_metagraph_field(meta, META_OBJECTS);

	if (tfp_field_is(&objects, META_OBJECTS))
		take_objects(&tally, tfp_wire_in(&objects));
	else
		take_collection(&tally, tfp_metagraph_collection(meta, "trainable_variables",
								 COLLECTION_BYTES));
	tell(&tally, facts);
}
