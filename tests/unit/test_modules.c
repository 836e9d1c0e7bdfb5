/* SPDX-License-Identifier: Apache-2.0 */
/* HLO modules: where nodes stand in them, what is inside of fusions, and the scope view by them. */
#include <setjmp.h>
#include <string.h>

#include "load/loaders.h"
#include "load/xplane/reader.h"
#include "proto/xplane.pb-c.h"
#include "test_path.h"
#include "tfprof/load.h"
#include "tfprof/view.h"

#include <cmocka.h>

/* ---- a module made by hand --------------------------------------------------------------------- */

/* Messages of less than 128 bytes in each other; the outermost may be longer. */
struct bytes {
	uint8_t at[1024];
	size_t size;
};

static void put_int(struct bytes *to, uint32_t field, uint8_t value)
{
	to->at[to->size++] = (uint8_t)(field << 3 & 0x7f) | (field > 15 ? 0x80 : 0);
	if (field > 15)
		to->at[to->size++] = (uint8_t)(field >> 4);
	to->at[to->size++] = value;
}

static void put_bytes(struct bytes *to, uint32_t field, const void *at, size_t size)
{
	put_int(to, field, (uint8_t)size & 0x7f);
	to->at[to->size - (field > 15 ? 3 : 2)] |= TFP_WIRE_BYTES;
	if (size > 0x7f) {
		to->at[to->size - 1] |= 0x80;
		to->at[to->size++] = (uint8_t)(size >> 7);
	}
	memcpy(to->at + to->size, at, size);
	to->size += size;
}

/* An instruction that calls the computations of CALLED, ids as characters. */
static void put_instruction(struct bytes *to, const char *name, const char *opcode, uint8_t id,
			    const char *called)
{
	struct bytes message = {.size = 0};

	put_bytes(&message, INSTRUCTION_NAME, name, strlen(name));
	put_bytes(&message, INSTRUCTION_OPCODE, opcode, strlen(opcode));
	put_int(&message, INSTRUCTION_ID, id);
	for (; *called; called++)
		put_int(&message, INSTRUCTION_CALLED, (uint8_t)(*called - '0'));
	put_bytes(to, COMPUTATION_INSTRUCTION, message.at, message.size);
}

static void put_computation(struct bytes *to, const char *name, uint8_t id,
			    const struct bytes *instructions)
{
	struct bytes message = *instructions;

	put_bytes(&message, COMPUTATION_NAME, name, strlen(name));
	put_int(&message, COMPUTATION_ID, id);
	put_bytes(to, MODULE_COMPUTATION, message.at, message.size);
}

static const struct {
	const char *name;
	uint8_t id;
	struct {
		const char *name, *opcode, *called;
	} instructions[2];
} computations[] = {
	{"sum", 6, {{"add.6", "add", ""}}},
	{"inner", 5, {{"reduce.5", "reduce", "6"}}},
	{"product", 4, {{"mul.4", "multiply", ""}, {"p.0", "parameter", ""}}},
	{"condition", 3, {{"compare.3", "compare", ""}}},
	{"body", 2, {{"fusion.2", "fusion", "5"}}},
	{"main", 1, {{"while.1", "while", "23"}, {"fusion.9", "fusion", "4"}}},
	{"chicken", 8, {{"call.8", "call", "9"}}},
	{"egg", 9, {{"call.7", "call", "8"}}},
};

static void make_module(struct bytes *proto)
{
	struct bytes module = {.size = 0};
	uint8_t id = 20;

	put_bytes(&module, MODULE_NAME, "jit_f", 5);
	put_int(&module, MODULE_ENTRY, 1);
	for (size_t i = 0; i < sizeof(computations) / sizeof(*computations); i++) {
		struct bytes instructions = {.size = 0};

		for (int k = 0; k < 2 && computations[i].instructions[k].name; k++)
			put_instruction(&instructions, computations[i].instructions[k].name,
					computations[i].instructions[k].opcode, id++,
					computations[i].instructions[k].called);
		put_computation(&module, computations[i].name, computations[i].id, &instructions);
	}
	put_bytes(proto, HLO_MODULE, module.at, module.size);
}

/* A recording of the module with an event each of fusion.2, fusion.9, call.7, and of another module. */
static char *make_recording(void)
{
	static const char device[] =
		"planes { name: \"/device:GPU:0\" lines { id: 7 name: \"Stream\" "
		"events { metadata_id: 1 duration_ps: 5 stats { metadata_id: 1 str_value: "
		"\"fusion.2\" } stats { metadata_id: 2 uint64_value: 7 } } "
		"events { metadata_id: 1 offset_ps: 9 duration_ps: 6 stats { metadata_id: 1 "
		"str_value: \"fusion.9\" } stats { metadata_id: 2 uint64_value: 7 } } "
		"events { metadata_id: 1 offset_ps: 20 duration_ps: 7 stats { metadata_id: 1 "
		"str_value: \"call.7\" } stats { metadata_id: 2 uint64_value: 7 } } "
		"events { metadata_id: 1 offset_ps: 30 duration_ps: 8 stats { metadata_id: 1 "
		"str_value: \"add.1\" } stats { metadata_id: 3 str_value: \"jit_g\" } } "
		"events { metadata_id: 1 offset_ps: 40 duration_ps: 9 } } "
		"event_metadata { key: 1 value { name: \"kernel\" } } "
		"stat_metadata { key: 1 value { name: \"hlo_op\" } } "
		"stat_metadata { key: 2 value { name: \"program_id\" } } "
		"stat_metadata { key: 3 value { name: \"hlo_module\" } } } "
		"planes { name: \"/host:metadata\" "
		"stat_metadata { key: 4 value { name: \"Hlo Proto\" } } "
		"event_metadata { key: 7 value { id: 7 name: \"jit_f(7)\" "
		"stats { metadata_id: 4 bytes_value: \"";
	struct bytes proto = {.size = 0};
	char *text = tfp_alloc(sizeof(device) + 4 * sizeof(proto.at) + 16), *at;

	make_module(&proto);
	at = text + sprintf(text, "%s", device);
	for (size_t i = 0; i < proto.size; i++)
		at += sprintf(at, "\\%03o", proto.at[i]);
	strcpy(at, "\" } } } }");
	return text;
}

/* ---- worlds ------------------------------------------------------------------------------------ */

struct world {
	struct tfp_diag *diag;
	struct tfp_profile *profile;
	struct tfp_engine *engine;
	struct tfp_query query;
};

static void start(struct world *world, struct tfp_profile *profile)
{
	assert_non_null(profile);
	world->profile = profile;
	world->engine = tfp_engine_new(profile);
	tfp_query_init(&world->query);
	world->query.view = "scope";
	world->query.max_depth = INT32_MAX;
	assert_true(tfp_query_set(&world->query, "modules", NULL, world->diag));
}

static void start_made(struct world *world)
{
	char *text = make_recording();
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_source *source, *wire;

	world->diag = tfp_diag_new();
	source = tfp_source_from_bytes("a.xplane.pb", (uint8_t *)text, strlen(text));
	wire = tfp_textproto_to_wire(source, &tfp__xspace__descriptor, NULL, world->diag);
	tfp_source_free(source);
	assert_non_null(wire);
	tfp_profile_add_file(profile, "a.xplane.pb", "xplane", wire->size, 0);
	assert_true(tfp_xplane_read(profile, wire, 1, 0, true, NULL, world->diag));
	assert_true(tfp_xplane_loader.finish(profile, NULL, world->diag));
	tfp_profile_finish(profile);
	start(world, profile);
}

static void start_file(struct world *world, const char *name)
{
	char path[TEST_PATH];
	struct tfp_named_file file = {.path = test_path(path, "data/gpu/%s", name)};

	world->diag = tfp_diag_new();
	start(world, tfp_load(&file, 1, NULL, world->diag));
}

static void stop(struct world *world)
{
	tfp_query_free(&world->query);
	tfp_engine_free(world->engine);
	tfp_diag_free(world->diag);
}

static struct tfp_tree *run(struct world *world)
{
	struct tfp_tree *tree = tfp_engine_run(world->engine, &world->query, NULL, world->diag);

	assert_non_null(tree);
	return tree;
}

static uint32_t row_of(const struct tfp_tree *tree, const char *label)
{
	for (uint32_t row = 1; row < tree->base->count; row++)
		if (tree->shown[row] && tfp_span_is(tfp_base_label(tree->base, row), label))
			return row;
	return TFP_NONE;
}

static int64_t time_of(const struct tfp_tree *tree, const char *label)
{
	uint32_t row = row_of(tree, label);

	assert_true(row != TFP_NONE);
	return tfp_tree_total(tree, row, TFP_TRACE_DEVICE);
}

/* ---- tests ------------------------------------------------------------------------------------- */

#define BODY   "jit_f(7)/main/while.1/body"
#define FUSION "jit_f(7)/main/fusion.9"

static void test_computations_are_below_their_callers(void **state)
{
	struct world world;
	struct tfp_tree *tree;

	(void)state;
	start_made(&world);
	tree = run(&world);
	assert_int_equal(time_of(tree, BODY "/fusion.2"), 5);
	assert_int_equal(time_of(tree, FUSION), 6);
	assert_int_equal(time_of(tree, "jit_f(7)/main"), 11);
	assert_int_equal(time_of(tree, "jit_g/add.1"), 8);
	assert_int_equal(time_of(tree, "no HLO module"), 9);
	assert_int_equal(tfp_tree_total(tree, 0, TFP_TRACE_DEVICE), 35);
	tfp_tree_release(tree);
	stop(&world);
}

static void test_contents_have_rows_without_figures(void **state)
{
	static const char *const parts[] = {BODY "/fusion.2/reduce.5",
					    BODY "/fusion.2/reduce.5/add.6", FUSION "/mul.4"};
	struct tfp_arena arena = {0};
	struct world world;
	struct tfp_tree *tree;

	(void)state;
	start_made(&world);
	tree = run(&world);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		uint32_t row = row_of(tree, parts[i]);

		assert_true(row != TFP_NONE);
		assert_true(tree->base->flags[row] & TFP_ROW_PART);
		assert_int_equal(tree->base->precision[row * tree->base->metric_count],
				 TFP_UNKNOWN);
	}
	assert_non_null(strstr(tfp_engine_facts(world.engine, tree, row_of(tree, parts[2]), &arena),
			       "multiply"));
	assert_true(row_of(tree, FUSION "/p.0") == TFP_NONE);
	assert_true(row_of(tree, "jit_f(7)/main/while.1/condition/compare.3") == TFP_NONE);
	tfp_arena_free(&arena);
	tfp_tree_release(tree);
	stop(&world);
}

/* Computations that call each other have some path, and are no reason to go on for ever. */
static void test_circles_end(void **state)
{
	struct world world;
	uint32_t found = 0;

	(void)state;
	start_made(&world);
	for (uint32_t i = 0; i < world.profile->nodes.count; i++) {
		const char *module =
			tfp_strings_text(world.profile->strings, world.profile->nodes.module[i]);

		found += !strncmp(module, "jit_f(7)/", 9) && strstr(module, "/call.7");
	}
	assert_int_equal(found, 1);
	stop(&world);
}

static void test_a_real_module(void **state)
{
	struct world world;
	struct tfp_tree *tree;
	size_t read;

	(void)state;
	start_file(&world, "jax_small.xplane.pb.gz");
	read = tfp_diag_count(world.diag);
	tree = run(&world);
	assert_int_equal(time_of(tree, "jit_step(3314)/main.1"),
			 tfp_tree_total(tree, 0, TFP_TRACE_DEVICE));
	assert_true(time_of(tree, "jit_step(3314)/main.1/gemm_fusion_dot.2") > 0);
	assert_true(row_of(tree, "jit_step(3314)/main.1/gemm_fusion_dot.2/dot.15") != TFP_NONE);
	assert_int_equal(tfp_diag_count(world.diag), read);
	tfp_tree_release(tree);
	stop(&world);
}

static void test_files_without_modules_say_so(void **state)
{
	struct world world;
	struct tfp_tree *tree;

	(void)state;
	start_file(&world, "torch_small.json.gz");
	tree = run(&world);
	assert_true(row_of(tree, "Net_0") != TFP_NONE);
	assert_non_null(strstr(tfp_diag_get(world.diag, tfp_diag_count(world.diag) - 1).text,
			       "no HLO module"));
	tfp_tree_release(tree);
	stop(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_computations_are_below_their_callers),
		cmocka_unit_test(test_contents_have_rows_without_figures),
		cmocka_unit_test(test_circles_end),
		cmocka_unit_test(test_a_real_module),
		cmocka_unit_test(test_files_without_modules_say_so),
	};

	return cmocka_run_group_tests_name("modules", tests, NULL, NULL);
}
