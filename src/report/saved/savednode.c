/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One node as a saved profile keeps it: names, types, shapes, inputs and call stack.
 */
#include "report/saved/saved.h"

/* ---- device ---------------------------------------------------------------------------------- */

/* The host's device beside DEVICE: its name with "cpu:0" for each "gpu:" and number. */
static struct tfp_span host_of(struct tfp_saved *saved, struct tfp_span device)
{
	static const char mark[] = "gpu:", host[] = "cpu:0";
	/* a mark and a digit are as long as what takes their place */
	char *text = TFP_SAVED_NEW(saved, char, device.size + 1), *to = text;
	const char *at = device.at, *end = at + device.size;

	while (at < end) {
		const char *digits = at + sizeof(mark) - 1, *rest = digits;

		if (end - at >= 4 && !memcmp(at, mark, 4))
			while (rest < end && *rest >= '0' && *rest <= '9')
				rest++;
		if (rest == digits) {
			*to++ = *at++;
			continue;
		}
		memcpy(to, host, sizeof(host) - 1);
		to += sizeof(host) - 1;
		at = rest;
	}
	return (struct tfp_span){text, (size_t)(to - text)};
}

static void make_device(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	tfp_str device = saved->profile->nodes.device[node];

	if (!device)
		return;
	message->has_canonical_device = message->has_host_device = true;
	message->canonical_device = tfp_saved_text(saved, device);
	message->host_device =
		tfp_saved_bytes(host_of(saved, tfp_strings_get(saved->profile->strings, device)));
}

static void make_types(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	size_t count = tfp_profile_types(saved->profile, node, NULL, 0);
	tfp_str *types = TFP_SAVED_NEW(saved, tfp_str, count);

	tfp_profile_types(saved->profile, node, types, count);
	message->n_op_types = count;
	message->op_types = TFP_SAVED_NEW(saved, ProtobufCBinaryData, count);
	for (size_t i = 0; i < count; i++)
		message->op_types[i] = tfp_saved_text(saved, types[i]);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The dims of SHAPE, which belong to the profile; none for TFP_NONE. */
static size_t dims_of(const struct tfp_profile *profile, uint32_t shape, int64_t **dims)
{
	if (shape == TFP_NONE)
		return 0;
	*dims = profile->dims.at + profile->shape_first.at[shape];
	return profile->shape_first.at[shape + 1] - profile->shape_first.at[shape];
}

static void make_shapes(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	const struct tfp_profile *profile = saved->profile;
	uint32_t first = profile->nodes.output_first[node];
	size_t count = profile->nodes.output_first[node + 1] - first;

	message->n_shape = dims_of(profile, profile->nodes.shape[node], &message->shape);
	message->n_output_shapes = count;
	message->output_shapes = TFP_SAVED_NEW(saved, Tfp__ProfileNode__ShapesEntry *, count);
	for (size_t i = 0; i < count; i++) {
		Tfp__ProfileNode__ShapesEntry *entry =
			TFP_SAVED_NEW(saved, Tfp__ProfileNode__ShapesEntry, 1);
		Tfp__Tuple *tuple = TFP_SAVED_NEW(saved, Tfp__Tuple, 1);

		tfp__tuple__init(tuple);
		tuple->n_int64_values =
			dims_of(profile, profile->output_shape.at[first + i], &tuple->int64_values);
		tfp__profile_node__shapes_entry__init(entry);
		entry->has_key = true;
		entry->key = (int32_t)i;
		entry->value = tuple;
		message->output_shapes[i] = entry;
	}
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void add_input(struct tfp_saved *saved, int32_t index, uint32_t producer,
		      Tfp__ProfileNode *message)
{
	Tfp__ProfileNode__InputsEntry *entry =
		TFP_SAVED_NEW(saved, Tfp__ProfileNode__InputsEntry, 1);

	tfp__profile_node__inputs_entry__init(entry);
	entry->has_key = entry->has_value = true;
	entry->key = index;
	entry->value = producer;
	message->inputs[message->n_inputs++] = entry;
}

/* Which output of its producer INPUT is; every producer has one. */
static void add_source(struct tfp_saved *saved, const struct tfp_input *input,
		       Tfp__ProfileNode *message)
{
	bool zero = saved->compat && !saved->profile->outputs_given;
	Tfp__ProfileNode__SrcOutputIndexEntry *entry =
		TFP_SAVED_NEW(saved, Tfp__ProfileNode__SrcOutputIndexEntry, 1);

	tfp__profile_node__src_output_index_entry__init(entry);
	entry->has_key = entry->has_value = true;
	entry->key = input->node;
	entry->value = zero ? 0 : input->output;
	message->src_output_index[message->n_src_output_index++] = entry;
}

/*
 * An input that names no node: TensorFlow can't read it as such, but an input shape that is not known,
 * which has no other use in a saved profile, keeps its place.
 */
static void add_lost(struct tfp_saved *saved, int32_t index, Tfp__ProfileNode *message)
{
	Tfp__ProfileNode__ShapesEntry *entry =
		TFP_SAVED_NEW(saved, Tfp__ProfileNode__ShapesEntry, 1);
	Tfp__Tuple *tuple = TFP_SAVED_NEW(saved, Tfp__Tuple, 1);

	tfp__tuple__init(tuple);
	tfp__profile_node__shapes_entry__init(entry);
	entry->has_key = true;
	entry->key = index;
	entry->value = tuple;
	message->input_shapes[message->n_input_shapes++] = entry;
	saved->lost++;
}

static void make_inputs(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	const struct tfp_profile *profile = saved->profile;
	uint32_t first = profile->nodes.input_first[node];
	uint32_t count = profile->nodes.input_first[node + 1] - first;

	message->inputs = TFP_SAVED_NEW(saved, Tfp__ProfileNode__InputsEntry *, count);
	message->src_output_index =
		TFP_SAVED_NEW(saved, Tfp__ProfileNode__SrcOutputIndexEntry *, count);
	message->input_shapes = TFP_SAVED_NEW(saved, Tfp__ProfileNode__ShapesEntry *, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct tfp_input *input = &profile->inputs.at[first + i];

		if (input->node == TFP_NONE) {
			add_lost(saved, (int32_t)i, message);
			continue;
		}
		add_input(saved, (int32_t)i, input->node, message);
		if (saved->noted[input->node] != node)
			add_source(saved, input, message);
		saved->noted[input->node] = node;
	}
}

/* ---- call stack ------------------------------------------------------------------------------ */

static int64_t text_id(struct tfp_saved *saved, tfp_str text)
{
	if (saved->text_id[text] == TFP_NONE) {
		saved->text_id[text] = (uint32_t)saved->texts.count;
		*tfp_array_push(&saved->texts) = text;
	}
	return saved->text_id[text];
}

static Tfp__CodeDef__Trace *make_frame(struct tfp_saved *saved, const struct tfp_frame *frame)
{
	Tfp__CodeDef__Trace *trace = TFP_SAVED_NEW(saved, Tfp__CodeDef__Trace, 1);

	tfp__code_def__trace__init(trace);
	TFP_SAVED_SET(trace, lineno, frame->line);
	TFP_SAVED_SET(trace, func_start_line, frame->start_line);
	TFP_SAVED_SET(trace, file_id, text_id(saved, frame->file));
	TFP_SAVED_SET(trace, function_id, text_id(saved, frame->function));
	if (frame->text)
		TFP_SAVED_SET(trace, line_id, text_id(saved, frame->text));
	return trace;
}

/* The stack from the outermost frame on. */
static void make_trace(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	const struct tfp_profile *profile = saved->profile;
	Tfp__CodeDef *code;
	size_t count = 0, i = 0;

	if (!(profile->nodes.flags[node] & TFP_NODE_TRACED))
		return;
	for (uint32_t at = profile->nodes.stack[node]; at != TFP_NONE;
	     at = profile->stacks.at[at].parent)
		count++;
	code = TFP_SAVED_NEW(saved, Tfp__CodeDef, 1);
	tfp__code_def__init(code);
	code->n_traces = count;
	code->traces = TFP_SAVED_NEW(saved, Tfp__CodeDef__Trace *, count);
	for (uint32_t at = profile->nodes.stack[node]; at != TFP_NONE;
	     at = profile->stacks.at[at].parent)
		code->traces[count - ++i] =
			make_frame(saved, &profile->frames.at[profile->stacks.at[at].frame]);
	message->trace = code;
}

void tfp_saved_node(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	const struct tfp_nodes *nodes = &saved->profile->nodes;

	tfp__profile_node__init(message);
	message->has_name = message->has_op = true;
	message->name = tfp_saved_text(saved, nodes->name[node]);
	message->op = tfp_saved_text(saved, nodes->op[node]);
	TFP_SAVED_SET(message, id, node);
	TFP_SAVED_SET(message, float_ops, nodes->float_ops[node]);
	make_device(saved, node, message);
	make_types(saved, node, message);
	make_shapes(saved, node, message);
	make_inputs(saved, node, message);
	make_trace(saved, node, message);
	tfp_saved_execs(saved, node, message);
}
