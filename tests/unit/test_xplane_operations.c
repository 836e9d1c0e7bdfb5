/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point operations of calls for attention, and of what is several kernels on several devices. */
#include "load/xplane/hlo.h"
#include "made_xplane.h"
#include "wire_bytes.h"

struct call {
	const char *target, *config;
};

/* Queries and keys are of 16 a head, values of 8. */
static const uint64_t last_dims[] = {16, 16, 8};

static void put_array(struct bytes *instruction, uint64_t dim)
{
	struct bytes shape = {0};

	put_int(&shape, SHAPE_TYPE, 11);
	put_int(&shape, SHAPE_DIMENSION, 2);
	put_int(&shape, SHAPE_DIMENSION, dim);
	put_message(instruction, INSTRUCTION_SHAPE, &shape);
}

static void put_instruction(struct bytes *computation, uint64_t id, const struct call *call)
{
	struct bytes instruction = {0};

	put_text(&instruction, INSTRUCTION_NAME, call ? "attention" : "array");
	put_text(&instruction, INSTRUCTION_OPCODE, call ? "custom-call" : "parameter");
	put_int(&instruction, INSTRUCTION_ID, id);
	put_array(&instruction, last_dims[id % 3]);
	for (uint64_t i = 0; call && i < 3; i++)
		put_int(&instruction, INSTRUCTION_OPERANDS, i);
	if (call) {
		put_text(&instruction, INSTRUCTION_TARGET, call->target);
		put_text(&instruction, INSTRUCTION_CONFIG, call->config);
	}
	put_message(computation, COMPUTATION_INSTRUCTION, &instruction);
}

/* Of queries, keys and values, which have the ids 0, 1 and 2. */
static struct bytes make_module(const struct call *call)
{
	struct bytes proto = {0}, module = {0}, entry = {0};

	for (uint64_t id = 0; id < 3; id++)
		put_instruction(&entry, id, NULL);
	put_instruction(&entry, 3, call);
	put_int(&entry, COMPUTATION_ID, 9);
	put_text(&module, MODULE_NAME, "jit_step");
	put_message(&module, MODULE_COMPUTATION, &entry);
	put_int(&module, MODULE_ENTRY, 9);
	put_message(&proto, HLO_MODULE, &module);
	return proto;
}

#define ENGINE                                                                                     \
	"{attn_heads = 4 : i64, input_batch = 2 : i64, is_training = true, kv_max_seqlen = 32 : "  \
	"i64, q_max_seqlen = 64 : i64, qk_head_dim = 16 : i64, v_head_dim = 8 : i64}"
#define SCORES(dims)                                                                               \
	"{\"cudnn_fmha_backend_config\":{\"fmha_scale\":1,\"intermediate_tensor_shape\":{"         \
	"\"element_type\":\"BF16\",\"dimensions\":[" dims "]},\"bmm1_dot_dimension_numbers\":{"    \
	"\"lhs_contracting_dimensions\":[\"1\"]}}}"

static const int64_t scores = 2 * 4 * 64 * 32;

static void test_attention(void **state)
{
	static const struct {
		struct call call;
		int64_t flops; /* by scores */
	} cases[] = {
		{{"te_fused_attn_forward_ffi", ENGINE}, 2 * (16 + 8)},
		{{"te_fused_attn_backward_ffi", ENGINE}, 2 * (3 * 16 + 2 * 8)},
		{{"te_fused_attn_forward_ffi", "opaque"}, 0},
		{{"__cudnn$fmhaSoftmax", SCORES("\"2\",\"4\",\"64\",\"32\"")}, 2 * (16 + 8)},
		{{"__cudnn$fmhaSoftmaxBackward", SCORES("\"2\",\"4\",\"64\",\"32\"")},
		 2 * (3 * 16 + 2 * 8)},
		{{"__cudnn$fmhaSoftmax", SCORES("\"2\",\"4\",\"64\"")}, 0},
		{{"__cudnn$fmhaSoftmax", SCORES("\"99999999999\",\"4\",\"64\",\"32\"")}, 0},
		{{"__cudnn$fmhaSoftmax", ""}, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct bytes proto = make_module(&cases[i].call);
		size_t budget = 100;
		struct tfp_hlo hlo;
		bool unknown;

		tfp_hlo_read(&hlo, (struct tfp_span){(const char *)proto.at, proto.count});
		assert_false(hlo.damaged);
		assert_int_equal(tfp_hlo_flops(&hlo, tfp_hlo_find(&hlo, TFP_SPAN("attention")),
					       &budget, &unknown),
				 cases[i].flops * scores);
		tfp_hlo_free(&hlo);
		tfp_array_free(&proto);
	}
}

/* The module as a plane, in text. PROTO is released. */
static char *put_module(char *at, struct bytes proto)
{
	at += sprintf(at, "planes { name: \"/host:metadata\" "
			  "stat_metadata { key: 1 value { name: \"Hlo Proto\" } } "
			  "event_metadata { key: 1 value { name: \"jit_step(5)\" "
			  "stats { metadata_id: 1 bytes_value: \"");
	for (size_t i = 0; i < proto.count; i++)
		at += sprintf(at, "\\%03o", (unsigned)(unsigned char)proto.at[i]);
	tfp_array_free(&proto);
	return at + sprintf(at, "\" } } } } ");
}

/* Two runs of the instruction on a device: each fills memory twice, and runs its kernel. */
static char *put_device(char *at, int device)
{
	at += sprintf(at, "planes { name: \"/device:GPU:%d\" lines { id: 1 name: \"Stream #1\" ",
		      device);
	for (int i = 0; i < 6; i++)
		at += sprintf(at,
			      "events { metadata_id: %d offset_ps: %d duration_ps: 10 "
			      "stats { metadata_id: 1 int64_value: 5 } "
			      "stats { metadata_id: 2 str_value: \"attention\" } "
			      "stats { metadata_id: 3 str_value: \"grid:%d,1,1\" } } ",
			      i % 3 ? 1 : 2, 100 + 20 * i, i % 3 + 1);
	return at + sprintf(at, "} stat_metadata { key: 1 value { name: \"program_id\" } } "
				"stat_metadata { key: 2 value { name: \"hlo_op\" } } "
				"stat_metadata { key: 3 value { name: \"kernel_details\" } } "
				"event_metadata { key: 1 value { name: \"fill\" } } "
				"event_metadata { key: 2 value { name: \"kernel\" } } } ");
}

static void test_kernels_that_run_twice_a_run(void **state)
{
	static const struct call call = {"te_fused_attn_forward_ffi", ENGINE};
	struct world *world = *state;
	char text[16384], *at = text;

	at = put_module(at, make_module(&call));
	at = put_device(at, 0);
	put_device(at, 1);
	load(world, text);
	assert_int_equal(world->profile->nodes.count, 1);
	assert_int_equal(value_of(world, "attention", TFP_TRACE_RUNS), 12);
	assert_int_equal(value_of(world, "attention", TFP_TRACE_FLOPS), 4 * 2 * (16 + 8) * scores);
}

/* The call in a loop, which is set up by CONFIG. */
static struct bytes make_loop(const struct call *call, const char *config)
{
	struct bytes proto = {0}, module = {0}, entry = {0}, body = {0}, loop = {0};

	for (uint64_t id = 0; id < 3; id++)
		put_instruction(&body, id, NULL);
	put_instruction(&body, 3, call);
	put_int(&body, COMPUTATION_ID, 1);
	put_text(&loop, INSTRUCTION_NAME, "while.1");
	put_text(&loop, INSTRUCTION_OPCODE, "while");
	put_int(&loop, INSTRUCTION_ID, 7);
	put_int(&loop, INSTRUCTION_CALLED, 1);
	put_text(&loop, INSTRUCTION_CONFIG, config);
	put_message(&entry, COMPUTATION_INSTRUCTION, &loop);
	put_int(&entry, COMPUTATION_ID, 9);
	put_text(&module, MODULE_NAME, "jit_step");
	put_message(&module, MODULE_COMPUTATION, &body);
	put_message(&module, MODULE_COMPUTATION, &entry);
	put_int(&module, MODULE_ENTRY, 9);
	put_message(&proto, HLO_MODULE, &module);
	return proto;
}

/* An event of the loop, and, ENTERED, three of the call in it. */
static char *put_loop(char *at, bool entered)
{
	at += sprintf(at, "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream #1\" ");
	for (int i = 0; i < (entered ? 4 : 1); i++)
		at += sprintf(at,
			      "events { metadata_id: 1 offset_ps: %d duration_ps: 10 "
			      "stats { metadata_id: 1 int64_value: 5 } "
			      "stats { metadata_id: 2 str_value: \"%s\" } } ",
			      100 + 20 * i, i ? "attention" : "while.1");
	return at + sprintf(at, "} stat_metadata { key: 1 value { name: \"program_id\" } } "
				"stat_metadata { key: 2 value { name: \"hlo_op\" } } "
				"event_metadata { key: 1 value { name: \"kernel\" } } } ");
}

/* What is known of a loop is its own where no event says what ran in it. */
static void test_loops(void **state)
{
	static const struct call call = {"te_fused_attn_forward_ffi", ENGINE};
	static const struct {
		const char *config;
		bool entered;
		int64_t loop, inside;
		size_t problems;
	} cases[] = {
		{"{\"known_trip_count\":{\"n\":\"3\"}}", false, 3, 0, 0},
		{"{\"known_trip_count\":{\"n\":\"3\"}}", true, 0, 3, 0},
		{"{}", true, 0, 3, 0},
		{"{}", false, 0, 0, 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct world *world = *state;
		int64_t once = 2 * (16 + 8) * scores;
		char text[16384];

		put_loop(put_module(text, make_loop(&call, cases[i].config)), cases[i].entered);
		load(world, text);
		assert_int_equal(value_of(world, "while.1", TFP_TRACE_FLOPS), cases[i].loop * once);
		if (cases[i].entered)
			assert_int_equal(value_of(world, "attention", TFP_TRACE_FLOPS),
					 cases[i].inside * once);
		assert_int_equal(tfp_diag_count(world->diag), cases[i].problems);
		if (i + 1 == sizeof(cases) / sizeof(*cases))
			break;
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attention),
		TEST(test_kernels_that_run_twice_a_run),
		TEST(test_loops),
	};

	return cmocka_run_group_tests_name("xplane_operations", tests, NULL, NULL);
}
