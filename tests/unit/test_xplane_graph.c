/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA graphs of a program made by hand, of which each holds a stretch: between them runs what no graph
 * can hold. Kernels are shared, and a library's are named after nothing.
 */
#include "load/xplane/hlo.h"
#include "made_xplane.h"
#include "wire_bytes.h"

/* An instruction whose shape has one dimension, DIM; its path is "p". */
static void put_instruction(struct bytes *computation, uint64_t id, const char *name,
			    const char *opcode, uint64_t dim)
{
	struct bytes instruction = {0}, shape = {0}, metadata = {0};

	put_text(&instruction, INSTRUCTION_NAME, name);
	put_text(&instruction, INSTRUCTION_OPCODE, opcode);
	put_int(&shape, SHAPE_TYPE, 11);
	put_int(&shape, SHAPE_DIMENSION, dim);
	put_message(&instruction, INSTRUCTION_SHAPE, &shape);
	put_text(&metadata, OP_NAME, "p");
	put_message(&instruction, INSTRUCTION_METADATA, &metadata);
	put_int(&instruction, INSTRUCTION_ID, id);
	put_message(computation, COMPUTATION_INSTRUCTION, &instruction);
}

/* Of the entry: a parameter, f.1, f.2, conv, f.3, gemm, f.4, which can share its kernel with f.1. */
static struct bytes make_module(void)
{
	struct bytes proto = {0}, module = {0}, entry = {0}, schedule = {0}, item = {0},
		     sequence = {0};

	put_instruction(&entry, 1, "x", "parameter", 8);
	put_instruction(&entry, 2, "f.1", "fusion", 8);
	put_instruction(&entry, 3, "f.2", "fusion", 16);
	put_instruction(&entry, 4, "conv", "custom-call", 8);
	put_instruction(&entry, 5, "f.3", "fusion", 32);
	put_instruction(&entry, 6, "gemm", "custom-call", 8);
	put_instruction(&entry, 7, "f.4", "fusion", 8);
	put_int(&entry, COMPUTATION_ID, 9);
	for (uint64_t id = 1; id <= 7; id++)
		put_int(&sequence, 1, id);
	put_int(&item, 1, 9);
	put_message(&item, 2, &sequence);
	put_message(&schedule, 1, &item);
	put_text(&module, MODULE_NAME, "jit_step");
	put_message(&module, MODULE_COMPUTATION, &entry);
	put_int(&module, MODULE_ENTRY, 9);
	put_message(&module, MODULE_SCHEDULE, &schedule);
	put_message(&proto, HLO_MODULE, &module);
	return proto;
}

/* The module as a plane, in text. */
static char *module_text(void)
{
	struct bytes proto = make_module();
	char *text = tfp_alloc(4 * proto.count + 400), *at = text;

	at += sprintf(at, "planes { name: \"/host:metadata\" "
			  "stat_metadata { key: 1 value { name: \"Hlo Proto\" } } "
			  "event_metadata { key: 1 value { name: \"jit_step(5)\" "
			  "stats { metadata_id: 1 bytes_value: \"");
	for (size_t i = 0; i < proto.count; i++)
		at += sprintf(at, "\\%03o", (unsigned)(unsigned char)proto.at[i]);
	sprintf(at, "\" } } } } ");
	tfp_array_free(&proto);
	return text;
}

/* A kernel at the place INDEX of graph NUMBER. */
static size_t put_kernel(char *at, int metadata, int start, int number, int index)
{
	return (size_t)sprintf(
		at,
		"events { metadata_id: %d offset_ps: %d duration_ps: 10 "
		"stats { metadata_id: 1 int64_value: 5 } "
		"stats { metadata_id: 2 str_value: \"command_buffer_%d\" } "
		"stats { metadata_id: 3 uint64_value: %llu } "
		"stats { metadata_id: 4 str_value: \"regs:8\" } } ",
		metadata, start, number,
		(unsigned long long)((uint64_t)(40 + number) << 32 | (unsigned)index));
}

#define GRAPH_NAMES                                                                                \
	"stat_metadata { key: 1 value { name: \"program_id\" } } "                                 \
	"stat_metadata { key: 2 value { name: \"hlo_op\" } } "                                     \
	"stat_metadata { key: 3 value { name: \"cuda_graph_node_id\" } } "                         \
	"stat_metadata { key: 4 value { name: \"kernel_details\" } } "                             \
	"stat_metadata { key: 5 value { name: \"num_commands\" } } "                               \
	"event_metadata { key: 1 value { name: \"f_1\" } } "                                       \
	"event_metadata { key: 2 value { name: \"f_2\" } } "                                       \
	"event_metadata { key: 3 value { name: \"f_3\" } } "                                       \
	"event_metadata { key: 4 value { name: \"sm90_gemm\" } } "                                 \
	"event_metadata { key: 5 value { name: \"command_buffer::update\" } } "

/* F3 and LIBRARY are the places of those kernels in the second graph, which has so many COMMANDS. */
static void load_graphs(struct world *world, int f3, int library, int commands)
{
	char *module = module_text(), text[16384], *at = text;

	at += sprintf(at, "%s planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" ", module);
	for (int i = 0; i < 2; i++)
		at += sprintf(at,
			      "events { metadata_id: 5 offset_ps: %d duration_ps: 5 "
			      "stats { metadata_id: 5 int64_value: %d } } ",
			      i * 10, i ? commands : 2);
	at += sprintf(at, "} " GRAPH_NAMES "} planes { name: \"/device:GPU:0\" "
			  "lines { id: 1 name: \"Stream #1\" ");
	at += put_kernel(at, 1, 100, 1, 0);
	at += put_kernel(at, 2, 120, 1, 1);
	at += put_kernel(at, 3, 140, 2, f3);
	at += put_kernel(at, 4, 160, 2, library);
	at += put_kernel(at, 1, 180, 2, 2);
	sprintf(at, "} " GRAPH_NAMES "}");
	load(world, text);
	free(module);
}

/* The name of the node of what starts at START. */
static const char *node_at(const struct world *world, int64_t start)
{
	for (uint32_t i = 0; i < world->trace->count; i++)
		if (tfp_trace_start(world->trace, i) == start)
			return text_of(world,
				       world->profile->nodes.name[tfp_trace_node(world->trace, i)]);
	fail();
	return NULL;
}

static void test_each_graph_is_a_stretch_of_the_schedule(void **state)
{
	struct world *world = *state;

	load_graphs(world, 0, 3, 3);
	assert_string_equal(node_at(world, 100), "p/f.1");
	assert_string_equal(node_at(world, 120), "p/f.2");
	assert_string_equal(node_at(world, 140), "p/f.3");
	assert_string_equal(node_at(world, 160), "p/gemm");
	assert_string_equal(node_at(world, 180), "p/f.4");
}

/* Where the kernels do not fit, their names are all there is: those of the instructions they were made for. */
static void test_graphs_that_do_not_fit_are_not_believed(void **state)
{
	struct world *world = *state;

	load_graphs(world, 1, 3, 3);
	assert_string_equal(node_at(world, 100), "p/f.1");
	assert_string_equal(node_at(world, 140), "p/f.3");
	assert_string_equal(node_at(world, 160), "command_buffer_2");
	assert_string_equal(node_at(world, 180), "p/f.1");
}

static void test_a_graph_of_unknown_length_is_not_believed(void **state)
{
	struct world *world = *state;

	load_graphs(world, 0, 3, 4);
	assert_string_equal(node_at(world, 160), "command_buffer_2");
	assert_string_equal(node_at(world, 180), "p/f.1");
}

/* Two graphs that say one op are told apart by their numbers; what has only a part of the first in it is not believed. */
static void load_two_of_one_op(struct world *world, bool more)
{
	char *module = module_text(), text[16384], *at = text;

	at += sprintf(
		at,
		"%s planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		"events { metadata_id: 5 duration_ps: 5 stats { metadata_id: 5 int64_value: 2 } } "
		"events { metadata_id: 5 duration_ps: 5 stats { metadata_id: 5 int64_value: 3 } } "
		"} " GRAPH_NAMES "} planes { name: \"/device:GPU:0\" "
		"lines { id: 1 name: \"Stream #1\" ",
		module);
	for (int graph = 1; graph < 3; graph++)
		for (int i = 0; i < (graph == 1 || more ? 2 + (graph == 2) : 1); i++) {
			char kernel[1024], *op;

			put_kernel(kernel, graph == 1 ? 1 + i : (int[]){3, 4, 1}[more ? i : 2],
				   100 * graph + 20 * i, graph,
				   graph == 2 && more ? (int[]){0, 3, 2}[i] : i);
			op = strstr(kernel, "command_buffer_");
			op[strlen("command_buffer_")] = '1';
			at = stpcpy(at, kernel);
		}
	sprintf(at, "} " GRAPH_NAMES "}");
	load(world, text);
	free(module);
}

static void test_graphs_of_one_op_are_told_apart(void **state)
{
	struct world *world = *state;

	load_two_of_one_op(world, true);
	assert_string_equal(node_at(world, 100), "p/f.1");
	assert_string_equal(node_at(world, 120), "p/f.2");
	assert_string_equal(node_at(world, 200), "p/f.3");
	assert_string_equal(node_at(world, 240), "p/f.4");
	assert_true(has_problem(world, "the kernels of a CUDA graph", 0));
}

static void test_a_part_of_another_graph_is_told(void **state)
{
	struct world *world = *state;

	load_two_of_one_op(world, false);
	assert_string_equal(node_at(world, 200), "p/f.1");
	assert_true(has_problem(world, "the kernels of a CUDA graph fit no part", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_each_graph_is_a_stretch_of_the_schedule),
		TEST(test_graphs_that_do_not_fit_are_not_believed),
		TEST(test_a_graph_of_unknown_length_is_not_believed),
		TEST(test_graphs_of_one_op_are_told_apart),
		TEST(test_a_part_of_another_graph_is_told),
	};

	return cmocka_run_group_tests_name("xplane_graph", tests, NULL, NULL);
}
