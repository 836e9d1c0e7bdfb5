/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the harnesses of TensorFlow's loaders share: bytes go through one loader, then everything
 * that a view could ask of the profile is asked.
 */
#ifndef TFPROF_TESTS_FUZZ_LOAD_BYTES_H
#define TFPROF_TESTS_FUZZ_LOAD_BYTES_H

#include <stdlib.h>
#include <string.h>

#include "tfprof/load.h"

static inline void fuzz_abort_unless(bool holds)
{
	if (!holds)
		abort();
}

static inline const struct tfp_loader *fuzz_loader(const char *name)
{
	size_t i = 0;

	while (strcmp(tfp_loaders[i]->name, name) != 0)
		i++;
	return tfp_loaders[i];
}

static inline struct tfp_source *fuzz_source(const uint8_t *data, size_t size)
{
	uint8_t *copy = tfp_alloc(size);

	if (size)
		memcpy(copy, data, size);
	return tfp_source_from_bytes("fuzz", copy, size);
}

/*
 * Loads the bytes with the loader NAME, whose files stand alone. What comes of them goes to CHECK, which frees it; where
 * nothing does, an error says so.
 */
static inline void fuzz_load_alone(const char *name, const uint8_t *data, size_t size,
				   void (*check)(struct tfp_profile *profile, size_t size,
						 struct tfp_diag *diag))
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = fuzz_source(data, size);
	const struct tfp_loader *loader = fuzz_loader(name);
	uint32_t file = tfp_profile_add_file(profile, source->path, name, size, 0);

	loader->sniff(source);
	if (loader->load(profile, source, file, 0, NULL, diag)) {
		tfp_profile_finish(profile);
		check(profile, size, diag);
	} else {
		fuzz_abort_unless(tfp_diag_errors(diag) > 0);
		tfp_profile_free(profile);
	}
	tfp_diag_free(diag);
}

/* Nodes whose names a short input can hit. */
static inline void fuzz_add_nodes(struct tfp_profile *profile)
{
	static const char *const names[] = {"", "a", "b", "fc/MatMul"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		tfp_profile_add_node(profile, tfp_strings_add_text(profile->strings, names[i]), 0);
}

static inline void fuzz_walk_stack(const struct tfp_profile *profile, uint32_t stack)
{
	for (; stack != TFP_NONE; stack = profile->stacks.at[stack].parent) {
		const struct tfp_stack *level = &profile->stacks.at[stack];

		fuzz_abort_unless(level->frame < profile->frames.count);
		fuzz_abort_unless(level->parent == TFP_NONE || level->parent < stack);
	}
}

static inline void fuzz_ask_node(const struct tfp_profile *profile, uint32_t node)
{
	const struct tfp_nodes *nodes = &profile->nodes;
	uint32_t inputs = nodes->input_first[node + 1] - nodes->input_first[node];
	int64_t values[TFP_MAX_METRICS];
	tfp_str types[4];
	char text[32];

	fuzz_abort_unless(nodes->input_first[node + 1] >= nodes->input_first[node]);
	fuzz_abort_unless(nodes->output_first[node + 1] >= nodes->output_first[node]);
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	tfp_profile_values(profile, node, 0, TFP_QUIRKS_TF, values);
	tfp_profile_types(profile, node, types, 4);
	for (uint32_t i = 0; i < inputs; i++)
		tfp_profile_input_shape(profile, node, i, i & TFP_QUIRK_OUTPUT_ZERO);
	if (nodes->shape[node] != TFP_NONE)
		tfp_profile_shape_text(profile, nodes->shape[node], text, sizeof(text));
	fuzz_walk_stack(profile, nodes->stack[node]);
}

static inline void fuzz_ask_model(const struct tfp_profile *profile)
{
	for (size_t i = 0; i < profile->facts.count; i++)
		fuzz_abort_unless(profile->facts.at[i].parent == TFP_NONE ||
				  profile->facts.at[i].parent < i);
	for (size_t i = 0; i < profile->functions.count; i++) {
		const struct tfp_function *function = &profile->functions.at[i];

		fuzz_abort_unless(function->expanded >= function->nodes);
		fuzz_abort_unless(function->node_first + function->nodes <= profile->body.count);
		fuzz_abort_unless(function->call_first + function->calls <= profile->calls.count);
	}
	for (size_t i = 0; i < profile->calls.count; i++) {
		const struct tfp_call *call = &profile->calls.at[i];
		bool graph = i < profile->graph_calls;

		fuzz_abort_unless(graph == (call->caller == TFP_NONE));
		fuzz_abort_unless(call->node <
				  (graph ? profile->nodes.count : profile->body.count));
		fuzz_abort_unless(call->callee == TFP_NONE ||
				  call->callee < profile->functions.count);
	}
}

/* Loads the bytes with the loader NAME into a profile with or without nodes, and asks all of it. */
static inline void fuzz_load(const char *name, const uint8_t *data, size_t size, bool with_nodes)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = fuzz_source(data, size);
	uint32_t file = tfp_profile_add_file(profile, "fuzz", name, size, 0);

	tfp_profile_make_tensorflow(profile);
	if (with_nodes)
		fuzz_add_nodes(profile);
	tfp_recognise(source);
	fuzz_loader(name)->load(profile, source, file, 0, NULL, diag);
	tfp_profile_finish(profile);
	tfp_profile_need(profile, 15 | TFP_PART_MODEL, NULL, diag);
	fuzz_ask_model(profile);
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		fuzz_ask_node(profile, node);
	for (size_t i = 0; i < profile->execs.count; i++)
		fuzz_abort_unless(profile->execs.at[i].node < profile->nodes.count &&
				  profile->execs.at[i].step < profile->steps.count);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

#endif
