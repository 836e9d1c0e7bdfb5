/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SavedModels and function libraries: which graph is opened, what is known of functions and calls, facts,
 * and what is left of damaged files. The figures are TensorFlow's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "load_help.h"

/* The profile of tests/data/inputs/PATH. */
static struct tfp_profile *open_input(const char *path, const char *tags, struct tfp_diag *diag)
{
	char name[TEST_PATH];
	struct tfp_named_file file = {.path = test_path(name, "data/inputs/%s", path),
				      .tags = tags};

	return tfp_load(&file, 1, NULL, diag);
}

static struct tfp_profile *open_model(const char *path, struct tfp_diag *diag)
{
	struct tfp_profile *profile = open_input(path, NULL, diag);

	assert_non_null(profile);
	assert_true(tfp_profile_need(profile, TFP_PART_MODEL, NULL, diag));
	return profile;
}

static const struct tfp_function *function_named(const struct tfp_profile *profile,
						 const char *name)
{
	for (size_t i = 0; i < profile->functions.count; i++) {
		const struct tfp_function *function = &profile->functions.at[i];

		if (!strcmp(tfp_strings_text(profile->strings, function->name), name))
			return function;
	}
	fail_msg("there is no function %s", name);
	return NULL;
}

/* The value of the fact NAME below the section ABOVE (NULL: a section). */
static const char *fact(const struct tfp_profile *profile, const char *above, const char *name)
{
	for (size_t i = 0; i < profile->facts.count; i++) {
		const struct tfp_fact *row = &profile->facts.at[i];
		const char *parent =
			row->parent == TFP_NONE ? NULL : profile->facts.at[row->parent].name;

		if (!strcmp(row->name, name) && !parent == !above &&
		    (!above || !strcmp(parent, above)))
			return row->value;
	}
	fail_msg("there is no fact %s", name);
	return "";
}

static void functions(void **state)
{
	static const struct {
		const char *name;
		uint32_t nodes, inputs, outputs;
		int64_t expanded;
		bool reached;
	} expected[] = {
		{"__inference_serve_261", 10, 5, 2, 104, true},
		{"__inference_score_248", 21, 3, 1, 94, true},
		{"__inference_score_600", 21, 3, 1, 94, false},
		{"__inference___backward_twice_297_350", 8, 9, 3, 32, true},
		{"__forward_twice_349", 4, 3, 9, 18, true},
		{"cond_true_178", 3, 3, 1, 21, true},
	};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = open_model("saved_model/tf2_functions", diag);

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		const struct tfp_function *function = function_named(profile, expected[i].name);

		assert_int_equal(function->nodes, expected[i].nodes);
		assert_int_equal(function->inputs, expected[i].inputs);
		assert_int_equal(function->outputs, expected[i].outputs);
		assert_int_equal(function->expanded, expected[i].expanded);
		assert_int_equal(function->reached, expected[i].reached);
		assert_false(function->recursive);
	}
	assert_int_equal(profile->graph_calls, 5);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void facts(void **state)
{
	static const struct {
		const char *above, *name, *value;
	} expected[] = {
		{NULL, "tags", "serve"},
		{NULL, "TensorFlow", "2.21.0"},
		{NULL, "signatures", "4"},
		{"signatures", "serving_default", "tensorflow/serving/predict"},
		{"serving_default", "input x", "float32 -1x6, serving_default_x:0"},
		{"serving_default", "output row", "float64 6, StatefulPartitionedCall_2:0"},
		{"collections", "saved_model_main_op", "node_list, 1"},
		{NULL, "saver", "V2"},
		{NULL, "objects", "26, concrete functions 13"},
		{"objects", "table", "variable, float64 7x6"},
		{NULL, "variables", "4, 85 parameters"},
		{NULL, "trainable", "2 variables, 42 parameters"},
		{"variables", "kernel/.ATTRIBUTES/VARIABLE_VALUE", "float32 6x6, DW"},
	};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = open_model("saved_model/tf2_functions", diag);

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_string_equal(fact(profile, expected[i].above, expected[i].name),
				    expected[i].value);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void fingerprint(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = open_model("saved_model/fingerprint", diag);

	(void)state;
	assert_string_equal(fact(profile, "fingerprint", "checksum of the file"),
			    "170997485453562998");
	assert_string_equal(fact(profile, "fingerprint", "uuid"),
			    "251617212474199841699121821430468167701");
	assert_string_equal(fact(profile, "assets", "note.txt"), "asset_path_initializer:0");
	assert_string_equal(fact(profile, "files of assets", "note.txt"), "17B");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void run_metadata(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = open_model("run_meta/function_graphs_and_stats.pb.gz", diag);

	(void)state;
	assert_string_equal(fact(profile, "run metadata", "partition graph"),
			    "nodes 150, functions 0");
	assert_string_equal(fact(profile, "function graph", "before optimisation"), "nodes 17");
	assert_string_equal(
		fact(profile, "devices", "/job:localhost/replica:0/task:0/device:CPU:0"),
		"records 1, us 70, first start 1000");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Serve unless another is named; the variables of the checkpoint are all there either way. */
static void tags(void **state)
{
	static const struct {
		const char *tags;
		uint32_t nodes;
		const char *note;
	} expected[] = {
		{NULL, 178, "graph serve is open, of: train; serve; --tags=TAG opens another"},
		{"serve", 178, "graph serve is open, of: train; serve; --tags=TAG opens another"},
		{"train", 409, "graph train is open, of: train; serve; --tags=TAG opens another"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile =
			open_input("saved_model/tf1_two_graphs", expected[i].tags, diag);

		assert_non_null(profile);
		assert_int_equal(profile->nodes.count, expected[i].nodes);
		assert_int_equal(profile->tensors.count, 11);
		assert_int_equal(tfp_diag_count(diag), 1);
		assert_string_equal(tfp_diag_get(diag, 0).text, expected[i].note);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

static void unknown_tags(void **state)
{
	static const char *const wrong[] = {"gpu", "serve,train", ","};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct tfp_diag *diag = tfp_diag_new();

		assert_null(open_input("saved_model/tf1_two_graphs", wrong[i], diag));
		assert_int_equal(tfp_diag_count(diag), 1);
		assert_non_null(strstr(tfp_diag_get(diag, 0).text, "train; serve"));
		tfp_diag_free(diag);
	}
}

/* TensorFlow 1's collection of trainable variables; a partitioned one has one name in the checkpoint. */
static void trainable(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = open_model("saved_model/tf1_two_graphs", diag);

	(void)state;
	assert_string_equal(fact(profile, NULL, "trainable"), "5 variables, 857 parameters");
	assert_string_equal(fact(profile, NULL, "variables"), "11, 1,715 parameters");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Constants that were variables are told from those that never were. */
static void frozen(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = open_model("graph/frozen.pb", diag);

	(void)state;
	assert_string_equal(fact(profile, NULL, "frozen variables"), "7 constants, 620 parameters");
	assert_string_equal(fact(profile, "frozen variables", "logit/DW"),
			    "float32 8x5, 40 parameters");
	assert_int_equal(profile->facts.count, 8);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* In text a packed message stands as its bytes, or behind the name of its type. */
static void assets_in_text(void **state)
{
	static const char *const values[] = {
		"[type.googleapis.com/tensorflow.AssetFileDef] {"
		" tensor_info { name: 'vocabulary:0' } filename: 'words.txt' }",
		"type_url: 'type.googleapis.com/tensorflow.AssetFileDef'"
		" value: '\\n\\016\\n\\014vocabulary:0\\022\\twords.txt'",
		"[type.googleapis.com/tensorflow.Other] { x: 1 }",
	};
	static const char *const named[] = {"words.txt", "words.txt", ""};
	static const char *const tensors[] = {"vocabulary:0", "vocabulary:0", ""};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = tfp_profile_new();
		struct tfp_arena arena = {0};
		const char *text = tfp_arena_printf(
			&arena,
			"meta_graphs { graph_def { node { name: 'x' op: 'NoOp' } } collection_def {"
			" key: 'saved_model_assets' value { any_list { value { %s } } } } }",
			values[i]);

		tfp_profile_make_tensorflow(profile);
		assert_true(load_source(profile, "savedmodel", source_of_text(text), 0, diag));
		assert_true(tfp_profile_need(profile, TFP_PART_MODEL, NULL, diag));
		assert_string_equal(fact(profile, "assets", named[i]), tensors[i]);
		assert_int_equal(tfp_diag_count(diag), 0);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
		tfp_arena_free(&arena);
	}
}

/* A function that calls itself, one that is missing, an op that is a function. */
static void strange_calls(void **state)
{
	static const char text[] =
		"node { name: 'a' op: 'loop' }\n"
		"node { name: 'b' op: 'If'"
		" attr { key: 'then' value { func { name: 'gone' } } }"
		" attr { key: 'else' value { list { func { name: 'leaf' } func { name: 'leaf' } } } } }\n"
		"library {\n"
		" function { signature { name: 'loop' }"
		"  node_def { name: 'x' op: 'loop' } node_def { name: 'y' op: 'leaf' } }\n"
		" function { signature { name: 'leaf' input_arg { name: 'i' } }"
		"  node_def { name: 'z' op: 'NoOp' } }\n"
		" function { signature { name: 'alone' } }\n"
		"}\n";
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = tfp_profile_new();

	(void)state;
	tfp_profile_make_tensorflow(profile);
	assert_true(load_source(profile, "graphdef", source_of_text(text), 0, diag));
	assert_true(tfp_profile_need(profile, TFP_PART_MODEL, NULL, diag));
	assert_int_equal(profile->graph_calls, 4);
	assert_true(function_named(profile, "loop")->recursive);
	assert_int_equal(function_named(profile, "loop")->expanded, 3);
	assert_false(function_named(profile, "leaf")->recursive);
	assert_false(function_named(profile, "alone")->reached);
	assert_int_equal(profile->calls.at[1].callee, TFP_NONE);
	assert_string_equal(tfp_strings_text(profile->strings, profile->calls.at[1].name), "gone");
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* However much is cut off, there is one line for it, and what is left opens. */
static void cut(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	char path[TEST_PATH];
	struct tfp_source *whole = tfp_source_open(
		test_path(path, "data/inputs/saved_model/tf2_functions/saved_model.pb"), NULL,
		diag);

	(void)state;
	assert_non_null(whole);
	for (size_t size = whole->size - 1; size > 4000; size = size * 3 / 4) {
		struct tfp_diag *problems = tfp_diag_new();
		struct tfp_profile *profile = tfp_profile_new();

		tfp_profile_make_tensorflow(profile);
		load_source(profile, "savedmodel", source_of("cut", whole->data, size), 0,
			    problems);
		assert_int_equal(tfp_diag_count(problems), 1);
		tfp_profile_need(profile, TFP_PART_MODEL, NULL, problems);
		tfp_profile_free(profile);
		tfp_diag_free(problems);
	}
	tfp_source_free(whole);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),   cmocka_unit_test(facts),
		cmocka_unit_test(fingerprint), cmocka_unit_test(run_metadata),
		cmocka_unit_test(tags),        cmocka_unit_test(unknown_tags),
		cmocka_unit_test(trainable),   cmocka_unit_test(assets_in_text),
		cmocka_unit_test(frozen),      cmocka_unit_test(strange_calls),
		cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests_name("saved model", tests, NULL, NULL);
}
