/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loaders of TensorFlow's files on small hand-written ones: one network whose every number can
 * be worked out by hand, then the odd cases of each file.
 */
#include "load_help.h"
#include "world.h"

#include <setjmp.h>

#include <cmocka.h>

static void load_text(struct world *world, const char *loader, const char *text, int64_t step)
{
	assert_true(load_source(world->profile, loader, source_of_text(text), step, world->diag));
}

static void finish(struct world *world)
{
	tfp_profile_finish(world->profile);
	assert_true(tfp_profile_need(world->profile, 15, NULL, world->diag));
}

static void load_network(struct world *world)
{
	static const struct {
		const char *loader, *path;
	} files[] = {
		{"graphdef", "worked/graph.pbtxt"},
		{"oplog", "worked/op_log.pbtxt"},
		{"runmeta", "worked/run_meta_0.pbtxt"},
	};

	for (size_t i = 0; i < 3; i++) {
		struct tfp_source *source = open_fixture(files[i].path, world->diag);

		assert_non_null(source);
		assert_true(load_source(world->profile, files[i].loader, source, 0, world->diag));
	}
	finish(world);
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

/* ---- what it must come to -------------------------------------------------------------------- */

static void check_row(struct tfp_profile *profile, const char *name, const int64_t *wanted)
{
	static const enum tfp_tf_metric metrics[] = {
		TFP_TF_MICROS,     TFP_TF_ACCELERATOR_MICROS, TFP_TF_BYTES,
		TFP_TF_PEAK_BYTES, TFP_TF_RESIDUAL_BYTES,     TFP_TF_OUTPUT_BYTES,
		TFP_TF_PARAMS,     TFP_TF_FLOAT_OPS,          TFP_TF_RUNS,
	};

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++)
		if (value_of(profile, name, 0, 0, metrics[i]) != wanted[i])
			fail_msg("%s: %s is not %lld", name, profile->metrics[metrics[i]].key,
				 (long long)wanted[i]);
}

static void numbers_are_as_by_hand(void **state)
{
	struct world *world = *state;
	static const struct {
		const char *name;
		int64_t wanted[9];
	} rows[] = {
		{"x", {0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"fc/W", {2, 0, 256, 256, 256, 256, 12, 0, 1}},
		{"fc/W/read", {1, 0, 0, 0, 0, 0, 0, 0, 1}},
		{"fc/b", {0, 0, 0, 0, 0, 0, 3, 0, 0}},
		{"fc/MatMul", {1750, 250, 1280, 1024, 256, 256, 0, 2400, 1}},
		{"fc/BiasAdd", {20, 0, 0, 0, 0, 0, 0, 0, 1}},
		{"gradients/fc/MatMul_grad/MatMul", {130, 100, 0, 0, 0, 0, 0, 2400, 1}},
		{"_retval_fc/BiasAdd_0_0", {7, 0, 0, 0, 0, 0, 0, 0, 1}},
	};

	load_network(world);
	assert_int_equal(world->profile->nodes.count, 8);
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(node_named(world->profile, rows[i].name), i);
		check_row(world->profile, rows[i].name, rows[i].wanted);
	}
	assert_true(world->profile->has_graph);
	assert_true(world->profile->has_stacks);
	assert_false(world->profile->missing_stream);
}

static void types_come_from_op_device_and_log(void **state)
{
	struct world *world = *state;
	static const char *const wanted[] = {"/job:localhost/replica:0/task:0/device:gpu:0",
					     "VariableV2", "_trainable_variables"};
	tfp_str types[4];

	load_network(world);
	assert_int_equal(tfp_profile_types(world->profile, 1, types, 4), 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(tfp_strings_text(world->profile->strings, types[i]), wanted[i]);
}

static void check_input(struct tfp_profile *profile, const char *node, uint32_t input,
			const char *wanted)
{
	uint32_t shape = tfp_profile_input_shape(profile, node_named(profile, node), input, 0);
	char text[32] = "unknown";

	if (shape != TFP_NONE)
		tfp_profile_shape_text(profile, shape, text, sizeof(text));
	assert_string_equal(text, wanted);
}

static void inputs_have_the_shapes_of_their_producers(void **state)
{
	struct world *world = *state;

	load_network(world);
	check_input(world->profile, "fc/MatMul", 0, "-1x4");
	check_input(world->profile, "fc/MatMul", 1, "4x3");
	check_input(world->profile, "fc/BiasAdd", 1, "3");
}

static void stacks_are_outermost_first(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;
	const struct tfp_frame *frame;
	uint32_t stack;

	load_network(world);
	stack = profile->nodes.stack[node_named(profile, "fc/MatMul")];
	frame = &profile->frames.at[profile->stacks.at[stack].frame];
	assert_int_equal(frame->line, 23);
	assert_string_equal(tfp_strings_text(profile->strings, frame->file),
			    "/home/u/layers/dense.py");
	assert_string_equal(tfp_strings_text(profile->strings, frame->function),
			    "fully_connected_layer");
	assert_int_equal(frame->text, 0);
	stack = profile->stacks.at[stack].parent;
	assert_int_equal(profile->frames.at[profile->stacks.at[stack].frame].line, 10);
	assert_int_equal(profile->stacks.at[stack].parent, TFP_NONE);
	assert_int_equal(profile->nodes.stack[1], profile->nodes.stack[2]);
	assert_int_equal(profile->nodes.stack[6], TFP_NONE);
}

static void executions_are_listed_in_order(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;
	uint32_t node;
	size_t i = 0;

	load_network(world);
	node = node_named(profile, "fc/MatMul");
	assert_int_equal(profile->execs.count, 8);
	while (profile->execs.at[i].node != node)
		i++;
	assert_int_equal(profile->execs.at[i].start, 1010);
	assert_int_equal(profile->execs.at[i].duration, 1500);
	assert_int_equal(profile->execs.at[i].accelerator, 0);
	assert_int_equal(profile->execs.at[i + 1].start, 1100);
	assert_int_equal(profile->execs.at[i + 1].accelerator, 1);
	assert_string_equal(tfp_strings_text(profile->strings, profile->execs.at[i + 1].device),
			    "/device:gpu:0/stream:all");
}

/* ---- odd graphs ------------------------------------------------------------------------------ */

static void the_first_node_of_a_name_wins(void **state)
{
	struct world *world = *state;

	load_text(world, "graphdef",
		  "node { name: 'b' op: 'B' } node { name: 'a' op: 'A' input: 'b' }"
		  "node { name: 'b' op: 'C' input: 'a' }",
		  0);
	finish(world);
	assert_int_equal(world->profile->nodes.count, 2);
	assert_string_equal(tfp_strings_text(world->profile->strings, world->profile->nodes.op[0]),
			    "B");
	assert_int_equal(world->profile->inputs.count, 1);
	assert_int_equal(world->profile->inputs.at[0].node, 0);
}

static void the_last_input_of_a_producer_decides(void **state)
{
	static const struct {
		uint32_t node;
		int32_t output;
	} wanted[] = {{0, 1}, {0, 1}, {TFP_NONE, 7}, {1, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}};
	struct world *world = *state;

	load_text(world, "graphdef",
		  "node { name: 'a' } node { name: 'b' } node { name: 'c' } node { name: 'd' }"
		  "node { name: '' }"
		  "node { name: 'n' input: 'a:0' input: 'a:1' input: 'gone:7' input: 'b:3' "
		  "input: '^b' input: 'c:1:2' input: 'd:x' input: ':0' }",
		  0);
	finish(world);
	assert_int_equal(world->profile->inputs.count, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(world->profile->inputs.at[i].node, wanted[i].node);
		assert_int_equal(world->profile->inputs.at[i].output, wanted[i].output);
	}
	assert_string_equal(
		tfp_strings_text(world->profile->strings, world->profile->inputs.at[2].name),
		"gone");
}

static void shapes_of_every_rank(void **state)
{
	static const char *const wanted[] = {"1", "unknown", "0x-1", "unknown", "unknown", "5"};
	struct world *world = *state;

	load_text(
		world, "graphdef",
		"node { name: 'p' attr { key: '_output_shapes' value { list {"
		" shape { } shape { unknown_rank: true } shape { dim { } dim { size: -1 } } } } } }"
		"node { name: 'q' attr { key: '_output_shapes' value { i: 3 } } }"
		"node { name: 'r' attr { key: '_output_shapes' value { list { shape { } } } }"
		" attr { key: '_output_shapes' value { list { shape { dim { size: 5 } } } } } }"
		"node { name: 'n' input: 'p' }"
		"node { name: 'n1' input: 'p:1' }"
		"node { name: 'n2' input: 'p:2' }"
		"node { name: 'n3' input: 'p:3' }"
		"node { name: 'n4' input: 'q' }"
		"node { name: 'n5' input: 'r' }",
		0);
	finish(world);
	check_input(world->profile, "n", 0, wanted[0]);
	check_input(world->profile, "n1", 0, wanted[1]);
	check_input(world->profile, "n2", 0, wanted[2]);
	check_input(world->profile, "n3", 0, wanted[3]);
	check_input(world->profile, "n4", 0, wanted[4]);
	check_input(world->profile, "n5", 0, wanted[5]);
}

static void parameters_that_wrap_are_a_problem(void **state)
{
	struct world *world = *state;

	load_text(world, "graphdef",
		  "node { name: 'v' attr { key: 'shape' value { shape {"
		  " dim { size: 4294967296 } dim { size: 4294967296 } } } } }"
		  "node { name: 'w' attr { key: 'shape' value { shape {"
		  " dim { size: 4294967296 } dim { size: 4294967296 } } } } }"
		  "node { name: 's' attr { key: 'shape' value { shape { } } } }",
		  0);
	finish(world);
	assert_int_equal(value_of(world->profile, "v", 0, 0, TFP_TF_PARAMS), 0);
	assert_int_equal(value_of(world->profile, "s", 0, 0, TFP_TF_PARAMS), 1);
	assert_int_equal(problem_with(world->diag, "more parameters").count, 2);
}

/* ---- odd run metadata ------------------------------------------------------------------------ */

static void devices_have_classes(void **state)
{
	static const struct {
		const char *name;
		bool canonical, accelerator, gpu;
	} rows[] = {
		{"/job:localhost/replica:0/task:0/device:GPU:0", true, false, true},
		{"/gpu:0", true, false, true},
		{"/CPU:12", true, false, false},
		{"/device:GPU:0/stream:all", false, true, true},
		{"/gpu:0/stream:13", false, false, true},
		{"gpu:0", false, false, true},
		{"/host:CPU", false, false, false},
		{"/cpu:", false, false, false},
		{"/cpu:0x", false, false, false},
		{"/device:TPU:0", false, false, false},
		{"/device:device:cpu:0", false, false, false},
		{"", false, false, false},
	};
	struct world *world = *state;
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%zu", i);
		snprintf(text, sizeof(text),
			 "step_stats { dev_stats { device: '%s' node_stats { node_name: '%s'"
			 " all_start_micros: 1 op_end_rel_micros: 5 } } }",
			 rows[i].name, name);
		world->profile->missing_stream = false;
		load_text(world, "runmeta", text, 0);
		assert_int_equal(value_of(world->profile, name, 0, 0, TFP_TF_CPU_MICROS),
				 rows[i].canonical ? 5 : 0);
		assert_int_equal(value_of(world->profile, name, 0, 0, TFP_TF_ACCELERATOR_MICROS),
				 rows[i].accelerator ? 5 : 0);
		assert_int_equal(value_of(world->profile, name, 0, 0, TFP_TF_RUNS),
				 rows[i].canonical);
		assert_int_equal(world->profile->missing_stream,
				 rows[i].gpu && !rows[i].accelerator);
	}
}

/* Loads a step of COUNT records. */
struct record {
	const char *device, *name;
	int start, end, allocated;
};

static void load_records(struct world *world, int64_t step, const struct record *records,
			 size_t count)
{
	char text[4096] = "step_stats {";
	size_t size = strlen(text);

	for (size_t i = 0; i < count; i++)
		size += (size_t)snprintf(
			text + size, sizeof(text) - size,
			" dev_stats { device: '%s' node_stats { node_name: '%s' all_start_micros: %d"
			" op_end_rel_micros: %d output { tensor_description {"
			" allocation_description { requested_bytes: 1 allocated_bytes: %d } } } } }",
			records[i].device, records[i].name, records[i].start, records[i].end,
			records[i].allocated);
	snprintf(text + size, sizeof(text) - size, " }");
	load_text(world, "runmeta", text, step);
}

static void some_records_are_no_nodes(void **state)
{
	static const struct record records[] = {
		{"/cpu:0", "RecvTensor", 1, 1, 0},          {"/cpu:0", "_SOURCE:x", 1, 1, 0},
		{"/cpu:0", "edge_3_x:MEMCPYDtoH", 1, 1, 0}, {"/cpu:0", "aMEMCPYb", 1, 1, 0},
		{"/cpu:0", "RecvTensor2", 1, 1, 0},
	};
	struct world *world = *state;

	load_records(world, 0, records, 5);
	finish(world);
	assert_int_equal(world->profile->nodes.count, 2);
	assert_int_equal(node_named(world->profile, "edge_3_x"), 0);
	assert_int_equal(node_named(world->profile, "RecvTensor2"), 1);
	assert_int_equal(world->profile->nodes.op[0], world->profile->nodes.name[0]);
	assert_int_equal(world->profile->nodes.flags[0], TFP_NODE_INVENTED);
}

static void the_first_canonical_device_is_the_only_one(void **state)
{
	static const struct record records[] = {
		{"", "n", 5, 5, 3},
		{"/cpu:0", "n", 10, 5, 2},
		{"/cpu:1", "n", 1, 50, 7},
		{"", "n", 5, 5, 9},
	};
	struct world *world = *state;

	load_records(world, 0, records, 4);
	load_records(world, 1, records + 2, 1);
	finish(world);
	assert_int_equal(value_of(world->profile, "n", 0, 0, TFP_TF_CPU_MICROS), 5);
	assert_int_equal(value_of(world->profile, "n", 0, 0, TFP_TF_OUTPUT_BYTES), 5);
	assert_int_equal(world->profile->steps.count, 2);
	assert_int_equal(world->profile->cells.count, 1);
	assert_int_equal(world->profile->cells.value[TFP_CELL_ALL_START], 5);
	assert_int_equal(world->profile->cells.value[TFP_CELL_LATEST_END], 15);
	assert_int_equal(world->profile->nodes.flags[0], TFP_NODE_INVENTED | TFP_NODE_COVERED);
}

static void single_streams_are_apart(void **state)
{
	static const struct record records[] = {
		{"/device:GPU:0", "n", 5, 5, 0},
		{"/device:GPU:0/stream:all", "n", 6, 4, 0},
		{"/device:GPU:0/stream:13", "n:MatMul@@sgemm", 6, 3, 0},
		{"/device:GPU:0/memcpy", "n:MEMCPYHtoD", 9, 1, 0},
	};
	struct world *world = *state;

	load_records(world, 0, records, 4);
	finish(world);
	assert_true(world->profile->has_streams);
	assert_true(tfp_profile_need(world->profile, TFP_PART_STREAMS | TFP_PART_EXECS, NULL,
				     world->diag));
	assert_int_equal(world->profile->execs.count, 2);
	assert_int_equal(world->profile->streams.count, 2);
	assert_int_equal(world->profile->streams.at[0].duration, 3);
	assert_string_equal(
		tfp_strings_text(world->profile->strings, world->profile->streams.at[0].kernel),
		"sgemm");
	assert_string_equal(
		tfp_strings_text(world->profile->strings, world->profile->streams.at[1].kernel),
		"MEMCPYHtoD");
}

static void records_without_a_start_only_make_a_cell(void **state)
{
	static const struct record record = {"/cpu:0", "n", 0, 5, 3};
	struct world *world = *state;

	load_text(world, "graphdef", "node { name: 'n' }", 0);
	load_text(world, "oplog", "log_entries { name: 'n' float_ops: 9 }", 0);
	load_records(world, 0, &record, 1);
	finish(world);
	assert_int_equal(world->profile->cells.count, 1);
	assert_int_equal(value_of(world->profile, "n", 0, 0, TFP_TF_OUTPUT_BYTES), 0);
	assert_int_equal(value_of(world->profile, "n", TFP_STEP_MEAN, 0, TFP_TF_FLOAT_OPS), 0);
	assert_int_equal(world->profile->execs.count, 0);
}

static void negative_times_pass_and_zero_is_rounded_up(void **state)
{
	static const struct record records[] = {
		{"/cpu:0", "a", 9, -5, 0},
		{"/cpu:0", "b", 9, 0, 0},
	};
	struct world *world = *state;

	load_records(world, 0, records, 2);
	finish(world);
	assert_int_equal(value_of(world->profile, "a", 0, 0, TFP_TF_MICROS), -5);
	assert_int_equal(value_of(world->profile, "b", 0, 0, TFP_TF_MICROS), 1);
	assert_true(world->profile->metrics[TFP_TF_MICROS].negative);
}

static void without_step_stats_there_is_no_step(void **state)
{
	struct world *world = *state;

	load_text(world, "runmeta", "session_metadata { }", 3);
	assert_int_equal(world->profile->steps.count, 0);
	assert_int_equal(problem_with(world->diag, "no step statistics").severity, TFP_NOTE);
	load_text(world, "runmeta", "step_stats { }", 3);
	assert_int_equal(tfp_profile_find_step(world->profile, 3), 0);
}

/* ---- odd op logs ----------------------------------------------------------------------------- */

static void missing_strings_are_seen(void **state)
{
	struct world *world = *state;
	const struct tfp_frame *frame;

	load_text(world, "graphdef", "node { name: 'n' } node { name: 'm' }", 0);
	load_text(world, "oplog",
		  "log_entries { name: 'n' code_def { traces { file_id: 5 function_id: 6 } } }"
		  "log_entries { name: 'm' code_def { traces { file: 'old.py' function: 'f' } } }",
		  0);
	finish(world);
	frame = &world->profile->frames.at[world->profile->stacks.at[0].frame];
	assert_string_equal(tfp_strings_text(world->profile->strings, frame->file), "<string 5>");
	assert_string_equal(tfp_strings_text(world->profile->strings, frame->function),
			    "<string 6>");
	assert_int_equal(problem_with(world->diag, "does not hold").count, 2);
	frame = &world->profile->frames.at[world->profile->stacks.at[1].frame];
	assert_string_equal(tfp_strings_text(world->profile->strings, frame->file), "old.py");
}

static void the_first_trace_of_a_node_wins(void **state)
{
	struct world *world = *state;

	load_text(world, "graphdef", "node { name: 'n' } node { name: 'm' }", 0);
	load_text(world, "oplog",
		  "id_to_string { key: 0 value: 'x' }"
		  "log_entries { name: 'n' float_ops: 3 }"
		  "log_entries { name: 'n' code_def { } float_ops: 5 }"
		  "log_entries { name: 'n' code_def { traces { lineno: 1 } } float_ops: 0 }"
		  "log_entries { name: 'm' code_def { traces { lineno: -1 } } }",
		  0);
	finish(world);
	assert_int_equal(world->profile->nodes.stack[0], TFP_NONE);
	assert_int_equal(world->profile->nodes.float_ops[0], 5);
	assert_int_equal(world->profile->frames.count, 1);
	assert_int_equal(world->profile->frames.at[0].line, -1);
}

/* ---- odd saved profiles ---------------------------------------------------------------------- */

static void saved_nodes_stand_by_id(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;

	load_text(world, "profileproto",
		  "nodes { key: 9 value { name: 'nine' op: 'Op' op_types: 'T' shape: 3 shape: 5"
		  " inputs { key: 0 value: 4 } inputs { key: 1 value: 77 }"
		  " src_output_index { key: 4 value: 1 } } }\n"
		  "nodes { key: 4 value { name: 'four' op: 'Op' float_ops: 10 "
		  " output_shapes { key: 1 value { int64_values: 2 } }"
		  " execs { key: 100 value { run_count: 2 all_start_micros: 5 "
		  "  cpu_execs { key: '/cpu:0' value { times { int64_values: 5 int64_values: 7 }"
		  "   times { int64_values: 1 } } }"
		  "  memory_execs { requested_bytes: 1 peak_bytes: 2 residual_bytes: 3"
		  "   output_bytes: 4 } memory_execs { requested_bytes: 10 } } } } }\n"
		  "nodes { key: 12 value { name: 'four' op: 'Other' } }\n"
		  "steps: 100 steps: 7",
		  0);
	finish(world);
	assert_int_equal(profile->nodes.count, 2);
	assert_int_equal(node_named(profile, "four"), 0);
	assert_int_equal(node_named(profile, "nine"), 1);
	assert_int_equal(profile->steps.count, 2);
	assert_int_equal(value_of(profile, "four", 1, 0, TFP_TF_MICROS), 7);
	assert_int_equal(value_of(profile, "four", 1, 0, TFP_TF_BYTES), 11);
	assert_int_equal(value_of(profile, "four", 1, 0, TFP_TF_OUTPUT_BYTES), 4);
	assert_int_equal(value_of(profile, "four", 1, 0, TFP_TF_FLOAT_OPS), 20);
	assert_int_equal(value_of(profile, "nine", 0, 0, TFP_TF_PARAMS), 15);
	check_input(profile, "nine", 0, "2");
	check_input(profile, "nine", 1, "unknown");
	assert_int_equal(problem_with(world->diag, "same name").count, 1);
	assert_int_equal(problem_with(world->diag, "no start or no duration").count, 1);
	assert_int_equal(problem_with(world->diag, "does not hold").count, 1);
	assert_false(profile->has_stacks);
}

static void saved_indices_are_bounded(void **state)
{
	struct world *world = *state;

	load_text(world, "profileproto",
		  "nodes { key: 1 value { name: 'n' inputs { key: 2000000000 value: 1 }"
		  " inputs { key: -1 value: 1 }"
		  " output_shapes { key: 1000000000 value { int64_values: 2 } } } }",
		  0);
	finish(world);
	assert_int_equal(world->profile->inputs.count, 0);
	assert_int_equal(world->profile->output_shape.count, 0);
	assert_int_equal(problem_with(world->diag, "out of range").count, 3);
}

static void of_equal_keys_the_last_counts(void **state)
{
	struct world *world = *state;

	load_text(world, "profileproto",
		  "nodes { key: 1 value { name: 'old' } } nodes { key: 1 value { name: 'new'"
		  " execs { key: 0 value { run_count: 2 } } execs { key: 0 value { run_count: 3 } }"
		  " } }",
		  0);
	finish(world);
	assert_int_equal(world->profile->nodes.count, 1);
	assert_int_equal(value_of(world->profile, "new", 0, 0, TFP_TF_RUNS), 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_tensorflow, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(numbers_are_as_by_hand),
		TEST(types_come_from_op_device_and_log),
		TEST(inputs_have_the_shapes_of_their_producers),
		TEST(stacks_are_outermost_first),
		TEST(executions_are_listed_in_order),
		TEST(the_first_node_of_a_name_wins),
		TEST(the_last_input_of_a_producer_decides),
		TEST(shapes_of_every_rank),
		TEST(parameters_that_wrap_are_a_problem),
		TEST(devices_have_classes),
		TEST(some_records_are_no_nodes),
		TEST(the_first_canonical_device_is_the_only_one),
		TEST(records_without_a_start_only_make_a_cell),
		TEST(negative_times_pass_and_zero_is_rounded_up),
		TEST(single_streams_are_apart),
		TEST(without_step_stats_there_is_no_step),
		TEST(missing_strings_are_seen),
		TEST(the_first_trace_of_a_node_wins),
		TEST(saved_nodes_stand_by_id),
		TEST(saved_indices_are_bounded),
		TEST(of_equal_keys_the_last_counts),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
