/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HLO modules made by hand: shapes as text, stacks, and floating-point operations.
 */
#include "load/xplane/hlo.h"
#include "pprof_bytes.h"

enum { F32 = 11, TUPLE = 13 };

/* A module under way: one computation, whose instructions have the ids 1, 2, 3 … */
struct maker {
	struct bytes computation, module;
	uint64_t next;
};

/* DIMS ends with 0. */
static void put_shape(struct bytes *bytes, uint32_t field, const uint64_t *dims)
{
	struct bytes shape = {0};

	put_int(&shape, SHAPE_TYPE, F32);
	for (; *dims; dims++)
		put_int(&shape, SHAPE_DIMENSION, *dims);
	put_message(bytes, field, &shape);
}

#define DIMS(...) ((const uint64_t[]){__VA_ARGS__, 0})

static struct bytes begin(struct maker *maker, const char *name, const char *opcode)
{
	struct bytes instruction = {0};

	put_text(&instruction, INSTRUCTION_NAME, name);
	put_text(&instruction, INSTRUCTION_OPCODE, opcode);
	put_int(&instruction, INSTRUCTION_ID, ++maker->next);
	return instruction;
}

static void end(struct maker *maker, struct bytes *instruction)
{
	put_message(&maker->computation, COMPUTATION_INSTRUCTION, instruction);
}

static void put_parameter(struct maker *maker, const char *name, const uint64_t *dims)
{
	struct bytes instruction = begin(maker, name, "parameter");

	put_shape(&instruction, INSTRUCTION_SHAPE, dims);
	end(maker, &instruction);
}

/* An instruction with the operands 1 and 2. */
static struct bytes begin_of_two(struct maker *maker, const char *name, const char *opcode)
{
	struct bytes instruction = begin(maker, name, opcode);

	put_int(&instruction, INSTRUCTION_OPERANDS, 1);
	put_int(&instruction, INSTRUCTION_OPERANDS, 2);
	return instruction;
}

static struct bytes finish(struct maker *maker)
{
	struct bytes proto = {0};

	put_int(&maker->computation, COMPUTATION_ID, 9);
	put_message(&maker->module, MODULE_COMPUTATION, &maker->computation);
	put_message(&proto, HLO_MODULE, &maker->module);
	return proto;
}

static void read_bytes(struct tfp_hlo *hlo, const struct bytes *proto)
{
	tfp_hlo_read(hlo, (struct tfp_span){(const char *)proto->at, proto->count});
	assert_false(hlo->damaged);
}

static int64_t flops_and(const struct tfp_hlo *hlo, const char *name, bool *unknown)
{
	size_t budget = 100;
	uint32_t instruction = tfp_hlo_find(hlo, tfp_span_of(name));

	assert_true(instruction != TFP_NONE);
	return tfp_hlo_flops(hlo, instruction, &budget, unknown);
}

static int64_t flops_of(const struct tfp_hlo *hlo, const char *name)
{
	bool unknown;
	int64_t flops = flops_and(hlo, name, &unknown);

	assert_false(unknown);
	return flops;
}

/* The computation so far gets ID, and another begins. */
static void next_computation(struct maker *maker, uint64_t id)
{
	put_int(&maker->computation, COMPUTATION_ID, id);
	put_message(&maker->module, MODULE_COMPUTATION, &maker->computation);
	maker->computation = (struct bytes){0};
}

static void put_loop(struct maker *maker, const char *name, uint64_t body, const char *config)
{
	struct bytes instruction = begin(maker, name, "while");

	put_int(&instruction, INSTRUCTION_CALLED, body);
	put_text(&instruction, INSTRUCTION_CONFIG, config);
	end(maker, &instruction);
}

/* Loops run their bodies as often as the compiler found out, one in another that often each time. */
static void test_loops(void **state)
{
	enum { DOT = 2 * 3 * 7 * 5 };
	struct maker maker = {.next = 0};
	struct bytes numbers = {0}, instruction, proto;
	struct tfp_hlo hlo;
	bool unknown;

	(void)state;
	put_parameter(&maker, "left", DIMS(3, 5));
	put_parameter(&maker, "right", DIMS(5, 7));
	instruction = begin_of_two(&maker, "dot.1", "dot");
	put_shape(&instruction, INSTRUCTION_SHAPE, DIMS(3, 7));
	put_int(&numbers, DOT_LHS_CONTRACTED, 1);
	put_message(&instruction, INSTRUCTION_DOT, &numbers);
	end(&maker, &instruction);
	next_computation(&maker, 1);
	put_loop(&maker, "inner", 1,
		 "{\"known_trip_count\":{\"n\":\"12\"},\"known_init_step\":{\"init\":\"0\"}}");
	next_computation(&maker, 2);
	put_loop(&maker, "outer", 2, "{\"known_trip_count\": {\"n\": \"5\"}}");
	put_loop(&maker, "never", 1, "{\"known_trip_count\":{\"n\":\"99999999999999999999\"}}");
	put_loop(&maker, "data", 2, "{}");
	put_loop(&maker, "round", 9, "{\"known_trip_count\":{\"n\":\"2\"}}");
	proto = finish(&maker);
	read_bytes(&hlo, &proto);
	assert_int_equal(flops_of(&hlo, "inner"), 12 * DOT);
	assert_int_equal(flops_of(&hlo, "outer"), 5 * 12 * DOT);
	assert_true(flops_of(&hlo, "never") > 0);
	assert_int_equal(flops_and(&hlo, "data", &unknown), 0);
	assert_true(unknown);
	/* one that calls itself ends */
	flops_and(&hlo, "round", &unknown);
	tfp_hlo_free(&hlo);
	tfp_array_free(&proto);
}

static void test_a_dot_and_what_calls_it(void **state)
{
	struct maker maker = {.next = 0};
	struct bytes numbers = {0}, instruction, proto;
	struct tfp_hlo hlo;

	(void)state;
	put_parameter(&maker, "left", DIMS(3, 5));
	put_parameter(&maker, "right", DIMS(5, 7));
	instruction = begin_of_two(&maker, "dot.1", "dot");
	put_shape(&instruction, INSTRUCTION_SHAPE, DIMS(3, 7));
	put_int(&numbers, DOT_LHS_CONTRACTED, 1);
	put_message(&instruction, INSTRUCTION_DOT, &numbers);
	end(&maker, &instruction);
	instruction = begin(&maker, "fusion.1", "fusion");
	put_int(&instruction, INSTRUCTION_CALLED, 9); /* even itself: it ends */
	end(&maker, &instruction);
	proto = finish(&maker);
	read_bytes(&hlo, &proto);
	assert_int_equal(flops_of(&hlo, "dot.1"), 2 * 3 * 7 * 5);
	assert_true(flops_of(&hlo, "fusion.1") >= 2 * 3 * 7 * 5);
	assert_int_equal(flops_of(&hlo, "left"), 0);
	tfp_hlo_free(&hlo);
	tfp_array_free(&proto);
}

static const char *type_of(const struct tfp_hlo *hlo, const char *name)
{
	static struct tfp_hlo_text text;
	size_t budget = 100;

	text = (struct tfp_hlo_text){.size = 0};
	tfp_hlo_put_type(hlo, tfp_hlo_find(hlo, tfp_span_of(name)), &budget, &text);
	return text.at;
}

static void test_types(void **state)
{
	static const char *const cases[][4] = {
		/* opcode, kind, target, type */
		{"add", "", "", "add"},
		{"fusion", "kInput", "", "input fusion"},
		{"fusion", "kNew", "", "fusion"},
		{"custom-call", "", "__cublas$gemm", "__cublas$gemm"},
		{"custom-call", "", "", "custom-call"},
	};
	struct maker maker = {.next = 0};
	struct bytes instruction, proto;
	struct tfp_hlo hlo;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		instruction = begin(&maker, cases[i][3], cases[i][0]);
		put_text(&instruction, INSTRUCTION_FUSION_KIND, cases[i][1]);
		put_text(&instruction, INSTRUCTION_TARGET, cases[i][2]);
		end(&maker, &instruction);
	}
	instruction = begin(&maker, "dot.1", "dot");
	end(&maker, &instruction);
	instruction = begin(&maker, "fusion.1", "fusion");
	put_text(&instruction, INSTRUCTION_FUSION_KIND, "kCustom");
	put_int(&instruction, INSTRUCTION_CALLED, 9);
	end(&maker, &instruction);
	proto = finish(&maker);
	read_bytes(&hlo, &proto);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(type_of(&hlo, cases[i][3]), cases[i][3]);
	assert_string_equal(type_of(&hlo, "fusion.1"), "custom fusion of dot");
	tfp_hlo_free(&hlo);
	tfp_array_free(&proto);
}

/* Images of 8x8 with 3 features, 16 kernels of 3x3: dimensions of the kernel are height, width, in, out. */
static void test_convolutions(void **state)
{
	static const struct {
		const char *name, *opcode, *target;
		uint64_t one[5], two[5], result[5];
	} cases[] = {
		{"conv", "convolution", "", {2, 8, 8, 3}, {3, 3, 3, 16}, {2, 8, 8, 16}},
		{"forward",
		 "custom-call",
		 "__cudnn$convForward",
		 {2, 8, 8, 3},
		 {3, 3, 3, 16},
		 {2, 8, 8, 16}},
		{"input",
		 "custom-call",
		 "__cudnn$convBackwardInput",
		 {2, 8, 8, 16},
		 {3, 3, 3, 16},
		 {2, 8, 8, 3}},
		{"filter",
		 "custom-call",
		 "__cudnn$convBackwardFilter",
		 {2, 8, 8, 3},
		 {2, 8, 8, 16},
		 {3, 3, 3, 16}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct maker maker = {.next = 0};
		struct bytes numbers = {0}, instruction, proto;
		struct tfp_hlo hlo;

		put_parameter(&maker, "one", cases[i].one);
		put_parameter(&maker, "two", cases[i].two);
		instruction = begin_of_two(&maker, cases[i].name, cases[i].opcode);
		put_shape(&instruction, INSTRUCTION_SHAPE, cases[i].result);
		put_int(&numbers, CONVOLUTION_KERNEL_OUTPUT, 3);
		put_message(&instruction, INSTRUCTION_CONVOLUTION, &numbers);
		put_text(&instruction, INSTRUCTION_TARGET, cases[i].target);
		end(&maker, &instruction);
		proto = finish(&maker);
		read_bytes(&hlo, &proto);
		assert_int_equal(flops_of(&hlo, cases[i].name), 2 * (2 * 8 * 8 * 16) * (3 * 3 * 3));
		tfp_hlo_free(&hlo);
		tfp_array_free(&proto);
	}
}

static const char *shape_text(const struct bytes *shape)
{
	static struct tfp_hlo_text text;

	text = (struct tfp_hlo_text){.size = 0};
	tfp_hlo_put_shape(&text, (struct tfp_span){(const char *)shape->at, shape->count});
	return text.at;
}

static void test_shapes(void **state)
{
	struct bytes shape = {0}, layout = {0}, tuple = {0};

	(void)state;
	put_int(&shape, SHAPE_TYPE, 16);
	put_int(&shape, SHAPE_DIMENSION, 4096);
	put_int(&shape, SHAPE_DIMENSION, 2);
	put_int(&layout, LAYOUT_MINOR_TO_MAJOR, 1);
	put_int(&layout, LAYOUT_MINOR_TO_MAJOR, 0);
	put_message(&shape, SHAPE_LAYOUT, &layout);
	assert_string_equal(shape_text(&shape), "bf16[4096,2]{1,0}");
	put_int(&tuple, SHAPE_TYPE, TUPLE);
	put_message(&tuple, SHAPE_TUPLE, &shape);
	put_int(&shape, SHAPE_TYPE, 99);
	put_message(&tuple, SHAPE_TUPLE, &shape);
	assert_string_equal(shape_text(&tuple), "(bf16[4096,2]{1,0}, type<99>[])");
	tfp_array_free(&tuple);
}

/* As XLA writes them: the second dimension is only bounded, and the second tile has one that is folded. */
static void test_layouts_of_chips(void **state)
{
	struct bytes shape = {0}, layout = {0}, tile = {0};

	(void)state;
	put_int(&shape, SHAPE_TYPE, 16);
	put_int(&shape, SHAPE_DIMENSION, 4096);
	put_int(&shape, SHAPE_DIMENSION, 256);
	put_int(&shape, SHAPE_DYNAMIC, 0);
	put_int(&shape, SHAPE_DYNAMIC, 1);
	put_int(&tile, TILE_DIMENSION, 8);
	put_int(&tile, TILE_DIMENSION, 128);
	put_message(&layout, LAYOUT_TILE, &tile);
	put_int(&tile, TILE_DIMENSION, (uint64_t)INT64_MIN);
	put_int(&tile, TILE_DIMENSION, 1);
	put_message(&layout, LAYOUT_TILE, &tile);
	put_int(&layout, LAYOUT_MINOR_TO_MAJOR, 1);
	put_int(&layout, LAYOUT_MINOR_TO_MAJOR, 0);
	put_int(&layout, LAYOUT_MEMORY_SPACE, 1);
	put_message(&shape, SHAPE_LAYOUT, &layout);
	assert_string_equal(shape_text(&shape), "bf16[4096,<=256]{1,0:T(8,128)(*,1)S(1)}");
	tfp_array_free(&shape);
	put_int(&shape, SHAPE_TYPE, 3);
	put_int(&layout, LAYOUT_ELEMENT_BITS, 4);
	put_int(&layout, LAYOUT_MEMORY_SPACE, 5);
	put_message(&shape, SHAPE_LAYOUT, &layout);
	assert_string_equal(shape_text(&shape), "s16[]{:E(4)S(5)}");
	tfp_array_free(&shape);
}

/* Frame 1 is called from frame 2, which is called from frame 1: the walk ends. */
static void test_stacks_that_go_in_circles_end(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct maker maker = {.next = 0};
	struct bytes frames = {0}, metadata = {0}, instruction, proto;
	struct tfp_hlo hlo;
	uint32_t stack;

	(void)state;
	put_text(&frames, 1, "model.py");
	put_text(&frames, 2, "layer");
	PUT_INTS(&frames, 3, 1, 1, 42);
	PUT_INTS(&frames, 4, 1, 2);
	PUT_INTS(&frames, 4, 1, 1);
	put_message(&maker.module, MODULE_FRAMES, &frames);
	instruction = begin(&maker, "add.1", "add");
	put_int(&metadata, OP_FRAME, 1);
	put_message(&instruction, INSTRUCTION_METADATA, &metadata);
	end(&maker, &instruction);
	proto = finish(&maker);
	read_bytes(&hlo, &proto);
	stack = tfp_hlo_stack(&hlo, 0, profile);
	assert_true(stack != TFP_NONE);
	assert_int_equal(profile->frames.at[profile->stacks.at[stack].frame].line, 42);
	assert_true(profile->stacks.count <= 2);
	tfp_hlo_free(&hlo);
	tfp_array_free(&proto);
	tfp_profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_a_dot_and_what_calls_it),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_convolutions),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_layouts_of_chips),
		cmocka_unit_test(test_stacks_that_go_in_circles_end),
	};

	return cmocka_run_group_tests_name("xplane_hlo", tests, NULL, NULL);
}
