/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small profile of eight nodes, built through the model: a dense layer and its gradient, on a
 * GPU. What the tests of views expect of it was worked out by hand.
 */
#ifndef TFPROF_TESTS_WORKED_H
#define TFPROF_TESTS_WORKED_H

#include "asking.h"

#define WORKED_GPU "/job:localhost/replica:0/task:0/device:gpu:0"
#define WORKED_CPU "/job:localhost/replica:0/task:0/device:cpu:0"

enum worked_node {
	WORKED_X,
	WORKED_W,
	WORKED_READ,
	WORKED_B,
	WORKED_MATMUL,
	WORKED_BIAS,
	WORKED_GRADIENT,
	WORKED_RETVAL,
	WORKED_NODES
};

static const struct {
	const char *name, *op, *device;
	int64_t float_ops;
	int64_t cpu, accelerator; /* of step 0; both 0: it never ran */
	int64_t bytes;
	int inputs[2];   /* -1 none */
	int shape;       /* in worked_shapes, of the output */
	bool parameters; /* that shape is one of parameters */
	int line;        /* of train.py, 0 no call stack */
	int inner;       /* of dense.py, 0 none */
} worked[WORKED_NODES] = {
	{"x", "Placeholder", "", 0, 0, 0, 0, {-1, -1}, 0, true, 8, 0},
	{"fc/W", "VariableV2", WORKED_GPU, 0, 2, 0, 256, {-1, -1}, 1, true, 10, 21},
	{"fc/W/read", "Identity", WORKED_GPU, 0, 1, 0, 0, {WORKED_W, -1}, 1, false, 10, 21},
	{"fc/b", "VariableV2", "", 0, 0, 0, 0, {-1, -1}, 2, true, 10, 22},
	{"fc/MatMul",
	 "MatMul",
	 WORKED_GPU,
	 2400,
	 1500,
	 250,
	 1280,
	 {WORKED_X, WORKED_READ},
	 3,
	 false,
	 10,
	 23},
	{"fc/BiasAdd",
	 "BiasAdd",
	 WORKED_GPU,
	 0,
	 20,
	 0,
	 0,
	 {WORKED_MATMUL, WORKED_B},
	 3,
	 false,
	 10,
	 24},
	{"gradients/fc/MatMul_grad/MatMul",
	 "MatMul",
	 WORKED_GPU,
	 2400,
	 30,
	 100,
	 0,
	 {WORKED_BIAS, WORKED_READ},
	 0,
	 false,
	 30,
	 0},
	{"_retval_fc/BiasAdd_0_0",
	 "_retval_fc/BiasAdd_0_0",
	 WORKED_CPU,
	 0,
	 7,
	 0,
	 0,
	 {-1, -1},
	 -1,
	 false,
	 0,
	 0},
};

static const int64_t worked_shapes[][2] = {{-1, 4}, {4, 3}, {3, 0}, {-1, 3}};

static inline tfp_str worked_string(struct tfp_profile *profile, const char *text)
{
	return tfp_strings_add_text(profile->strings, text);
}

static inline uint32_t worked_frame(struct tfp_profile *profile, const char *file,
				    const char *function, int line)
{
	struct tfp_frame frame = {
		.file = worked_string(profile, file),
		.function = worked_string(profile, function),
		.line = line,
		.start_line = -1,
	};

	return tfp_profile_frame(profile, &frame);
}

static inline uint32_t worked_stack(struct tfp_profile *profile, int node)
{
	uint32_t stack;

	if (!worked[node].line)
		return TFP_NONE;
	stack = tfp_profile_stack(
		profile, TFP_NONE,
		worked_frame(profile, "/home/u/train.py", "main", worked[node].line));
	if (worked[node].inner)
		stack = tfp_profile_stack(profile, stack,
					  worked_frame(profile, "/home/u/layers/dense.py",
						       "fully_connected_layer",
						       worked[node].inner));
	return stack;
}

static inline void worked_edges(struct tfp_profile *profile, int node)
{
	for (int i = 0; i < 2 && worked[node].inputs[i] >= 0; i++)
		*tfp_array_push(&profile->inputs) = (struct tfp_input){
			.node = (uint32_t)worked[node].inputs[i],
			.name = profile->nodes.name[worked[node].inputs[i]],
		};
	profile->nodes.input_first[node + 1] = (uint32_t)profile->inputs.count;
}

static inline void worked_shape(struct tfp_profile *profile, int node)
{
	const int64_t *dims;
	uint32_t shape;

	if (worked[node].shape >= 0) {
		dims = worked_shapes[worked[node].shape];
		shape = tfp_profile_shape(profile, dims, dims[1] ? 2 : 1);
		*tfp_array_push(&profile->output_shape) = shape;
		if (worked[node].parameters)
			profile->nodes.shape[node] = shape;
	}
	profile->nodes.output_first[node + 1] = (uint32_t)profile->output_shape.count;
}

static inline bool worked_fill(struct tfp_profile *profile, unsigned parts, void *data,
			       struct tfp_job *job, struct tfp_diag *diag)
{
	(void)data;
	(void)job;
	(void)diag;
	for (int node = 0; node < WORKED_NODES; node++) {
		if (parts & TFP_PART_EDGES)
			worked_edges(profile, node);
		if (parts & TFP_PART_SHAPES)
			worked_shape(profile, node);
		if (parts & TFP_PART_STACKS)
			profile->nodes.stack[node] = worked_stack(profile, node);
	}
	return true;
}

static inline void worked_release(void *data)
{
	(void)data;
}

static inline void worked_run(struct tfp_profile *profile, int node, int64_t step, int64_t cpu)
{
	uint32_t cell =
		tfp_profile_cell(profile, (uint32_t)node, tfp_profile_step(profile, step, 0));
	int64_t *value = profile->cells.value + cell * profile->cell_columns;

	value[TFP_CELL_CPU_MICROS] = cpu;
	value[TFP_CELL_ACCELERATOR_MICROS] = worked[node].accelerator;
	value[TFP_CELL_RUNS] = 1;
	value[TFP_CELL_BYTES] = worked[node].bytes;
}

/* The profile with STEPS steps (1 or 2); in step 1 the multiplication takes 1,500 us longer. */
static inline struct tfp_profile *worked_profile(int steps)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_provider provider = {
		.parts = TFP_PART_EDGES | TFP_PART_SHAPES | TFP_PART_STACKS,
		.fill = worked_fill,
		.release = worked_release,
	};

	tfp_profile_make_tensorflow(profile);
	for (int i = 0; i < WORKED_NODES; i++) {
		uint32_t node =
			tfp_profile_add_node(profile, worked_string(profile, worked[i].name),
					     worked_string(profile, worked[i].op));

		profile->nodes.device[node] = worked_string(profile, worked[i].device);
		profile->nodes.float_ops[node] = worked[i].float_ops;
		for (int step = 0; step < steps && worked[i].cpu; step++)
			worked_run(profile, i, step,
				   worked[i].cpu + (i == WORKED_MATMUL ? 1500 * step : 0));
	}
	tfp_profile_add_type(profile, WORKED_W, worked_string(profile, "_trainable_variables"));
	tfp_profile_add_type(profile, WORKED_B, worked_string(profile, "_trainable_variables"));
	tfp_profile_add_provider(profile, &provider);
	profile->has_graph = profile->has_stacks = true;
	tfp_profile_finish(profile);
	return profile;
}

#endif
