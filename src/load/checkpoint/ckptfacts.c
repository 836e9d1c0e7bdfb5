/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts of the checkpoint of a SavedModel: its variables, each by its key, and where the objects that were
 * saved give it another, its name in the program.
 */
#include <stdlib.h>

#include "load/tensorflow/attrvalue.h"
#include "load/checkpoint/checkpoint.h"
#include "load/facts.h"
#include "load/walk.h"

#define OBJECTS "_CHECKPOINTABLE_OBJECT_GRAPH"

enum {
	OBJECTS_NODE = 1,
	NODE_ATTRIBUTE = 2,
	ATTRIBUTE_NAME = 2, /* in the program */
	ATTRIBUTE_KEY = 3,
};

/* By tensor: its name in the program; empty where that is not known. */
struct names {
	const struct tfp_profile *profile;
	struct tfp_span *of_tensor;
};

static uint32_t tensor_named(const struct tfp_profile *profile, struct tfp_span name)
{
	tfp_str id = tfp_strings_find(profile->strings, name.at, name.size);

	return id == TFP_NONE ? TFP_NONE : tfp_profile_find_tensor(profile, id);
}

static void take_attribute(struct names *names, struct tfp_wire wire)
{
	struct tfp_span name = TFP_SPAN(""), key = TFP_SPAN("");
	struct tfp_field field;
	uint32_t tensor;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, ATTRIBUTE_NAME))
			name = tfp_field_span(&field);
		else if (tfp_field_is(&field, ATTRIBUTE_KEY))
			key = tfp_field_span(&field);
	}
	tensor = tensor_named(names->profile, key);
	if (tensor != TFP_NONE)
		names->of_tensor[tensor] = name;
}

static void take_objects(struct names *names, struct tfp_wire objects)
{
	struct tfp_field node, attribute;

	while (tfp_wire_next(&objects, &node)) {
		struct tfp_wire wire;

		if (!tfp_field_is(&node, OBJECTS_NODE))
			continue;
		wire = tfp_wire_in(&node);
		while (tfp_wire_next(&wire, &attribute))
			if (tfp_field_is(&attribute, NODE_ATTRIBUTE))
				take_attribute(names, tfp_wire_in(&attribute));
	}
}

/* Reads the objects, a text of one element, into BYTES, which the names live in. */
static void find_names(struct names *names, struct tfp_elements *bytes, struct tfp_job *job,
		       struct tfp_diag *diag)
{
	uint32_t tensor = tensor_named(names->profile, TFP_SPAN(OBJECTS));
	struct tfp_values *values =
		tensor == TFP_NONE ? NULL : tfp_values_open(names->profile, tensor, job, diag);

	if (!values)
		return;
	if (tfp_values_read(values, 0, 1, bytes, job, diag) && bytes->texts.count) {
		const struct tfp_string *text = &bytes->texts.at[0];

		take_objects(names, tfp_wire_of(bytes->bytes.at + text->at, text->size));
	}
	tfp_values_close(values);
}

static void add_variable(struct tfp_facts *facts, uint32_t section, const struct names *names,
			 uint32_t index)
{
	const struct tfp_profile *profile = facts->profile;
	const struct tfp_tensor *tensor = &profile->tensors.at[index];
	struct tfp_span key = tfp_strings_get(profile->strings, tensor->name);
	struct tfp_span name = names->of_tensor[index];
	bool other = name.size && !tfp_span_equal(name, key);
	char shape[TFP_FACT_MOST / 2] = "unknown";

	if (tensor->shape != TFP_NONE)
		tfp_profile_shape_text(profile, tensor->shape, shape, sizeof(shape));
	tfp_facts_add(facts, section, key, "%s %s%s%.*s",
		      tfp_attribute_type(&facts->profile->arena, tensor->dtype),
		      *shape ? shape : "scalar", other ? ", " : "",
		      other ? (int)(name.size < TFP_FACT_MOST ? name.size : TFP_FACT_MOST) : 0,
		      name.at);
}

/* What tells variables apart whatever they are saved as. */
struct thing {
	struct tfp_span name;
	uint32_t dtype, shape;
	uint64_t elements;
};

static int compare_things(const void *left, const void *right)
{
	const struct thing *a = left, *b = right;
	int order = tfp_span_compare(a->name, b->name);

	if (order)
		return order;
	if (a->dtype != b->dtype)
		return a->dtype < b->dtype ? -1 : 1;
	return a->shape < b->shape ? -1 : a->shape > b->shape;
}

/* The elements of all variables, each counted once; *ALL gets them as often as they are saved. */
static uint64_t count_elements(const struct names *names, uint32_t objects, uint64_t *all)
{
	const struct tfp_profile *profile = names->profile;
	size_t count = profile->tensors.count;
	struct thing *things = tfp_realloc_array(NULL, count + 1, sizeof(*things));
	uint64_t once = 0;

	*all = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct tfp_tensor *tensor = &profile->tensors.at[i];
		struct tfp_span key = tfp_strings_get(profile->strings, tensor->name);

		things[i] = (struct thing){names->of_tensor[i].size ? names->of_tensor[i] : key,
					   tensor->dtype, tensor->shape,
					   i == objects ? 0 : tensor->elements};
		*all += things[i].elements;
	}
	qsort(things, count, sizeof(*things), compare_things);
	for (size_t i = 0; i < count; i++)
		if (!i || compare_things(&things[i - 1], &things[i]))
			once += things[i].elements;
	tfp_array_release(things);
	return once;
}

/* "23, 290 parameters; 578 as saved, under more than one key" */
static uint32_t add_section(struct tfp_facts *facts, const struct names *names, uint32_t objects)
{
	char once_text[TFP_NUMBER_ROOM], all_text[TFP_NUMBER_ROOM];
	uint64_t all, once = count_elements(names, objects, &all);
	uint32_t count = (uint32_t)facts->profile->tensors.count - (objects != TFP_NONE);

	tfp_number_exact(once_text, (int64_t)once);
	if (once == all)
		return tfp_facts_add(facts, TFP_NONE, TFP_SPAN("variables"), "%u, %s parameters",
				     count, once_text);
	return tfp_facts_add(facts, TFP_NONE, TFP_SPAN("variables"),
			     "%u, %s parameters; %s as saved, under more than one key", count,
			     once_text, tfp_number_exact(all_text, (int64_t)all));
}

bool tfp_checkpoint_facts(struct tfp_profile *profile, unsigned parts, void *data,
			  struct tfp_job *job, struct tfp_diag *diag)
{
	uint32_t count = (uint32_t)profile->tensors.count;
	struct names names = {profile, tfp_alloc_zero(count, sizeof(*names.of_tensor))};
	uint32_t objects = tensor_named(profile, TFP_SPAN(OBJECTS)), section;
	struct tfp_facts facts = {profile};
	struct tfp_elements bytes = {0};

	(void)parts;
	(void)data;
	find_names(&names, &bytes, job, diag);
	section = add_section(&facts, &names, objects);
	for (uint32_t i = 0; i < count; i++)
		if (i != objects)
			add_variable(&facts, section, &names, i);
	tfp_elements_free(&bytes);
	free(names.of_tensor);
	return !tfp_job_cancelled(job);
}
