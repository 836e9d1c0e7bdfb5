/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes of nodes as texts, from a graph and from a saved profile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "load_help.h"

static const char graph[] =
	"node { name: 'conv' op: 'Conv2D'\n"
	" attr { key: 'strides' value { list { i: 1 i: 2 i: 2 i: 1 } } }\n"
	" attr { key: 'T' value { type: DT_FLOAT } }\n"
	" attr { key: 'data_format' value { s: 'NHWC' } }\n"
	" attr { key: 'use_cudnn_on_gpu' value { b: true } }\n"
	" attr { key: 'epsilon' value { f: 0.5 } }\n"
	" attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } }\n"
	" attr { key: 'none' value { shape { unknown_rank: true } } }\n"
	" attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 7 } } } } }\n"
	" attr { key: 'shapes' value { list { shape { } shape { dim { size: 2 } } } } }\n"
	" attr { key: 'types' value { list { type: DT_INT64 type: DT_FLOAT_REF } } }\n"
	" attr { key: 'f' value { func { name: 'body' } } }\n"
	" attr { key: 'empty' value { } }\n"
	"}\n"
	"node { name: 'bare' op: 'NoOp' }\n";

static const char texts[] = "T=float32\n"
			    "data_format=NHWC\n"
			    "empty=(not set)\n"
			    "epsilon=0.5\n"
			    "f=body\n"
			    "none=unknown\n"
			    "shape=-1x3\n"
			    "shapes=[scalar, 2]\n"
			    "strides=[1, 2, 2, 1]\n"
			    "types=[int64, float32_ref]\n"
			    "use_cudnn_on_gpu=true\n"
			    "value=int32 7\n";

/* "name=value" in each line. In ARENA. */
static char *text_of(const struct tfp_profile *profile, const char *node, struct tfp_arena *arena)
{
	struct tfp_attributes attributes = {0};
	char *text = tfp_arena_text(arena, "", 0);

	tfp_profile_attributes(profile, node_named(profile, node), &attributes);
	for (size_t i = 0; i < attributes.list.count; i++)
		text = tfp_arena_printf(arena, "%s%s=%s\n", text, attributes.list.at[i].name,
					attributes.list.at[i].value);
	tfp_attributes_free(&attributes);
	return text;
}

static void of_a_graph(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};

	(void)state;
	tfp_profile_make_tensorflow(profile);
	assert_false(tfp_profile_has_attributes(profile));
	assert_true(load_source(profile, "graphdef", source_of_text(graph), -1, diag));
	assert_true(tfp_profile_has_attributes(profile));
	assert_string_equal(text_of(profile, "conv", &arena), texts);
	assert_string_equal(text_of(profile, "bare", &arena), "");
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	tfp_profile_free(profile);
}

/* What the file says more than anyone reads is left out. */
static void of_many_elements(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	char *text = tfp_arena_text(&arena, "", 0);

	(void)state;
	for (int i = 0; i < 1000; i++)
		text = tfp_arena_printf(&arena, "%s i: %d", text, i % 10);
	text = tfp_arena_printf(
		&arena, "node { name: 'n' op: 'N' attr { key: 'l' value { list { %s } } } }", text);
	tfp_profile_make_tensorflow(profile);
	assert_true(load_source(profile, "graphdef", source_of_text(text), -1, diag));
	assert_string_equal(text_of(profile, "n", &arena),
			    "l=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, …]\n");
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	tfp_profile_free(profile);
}

static void of_a_saved_profile(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};

	(void)state;
	tfp_profile_make_tensorflow(profile);
	assert_true(load_source(profile, "profileproto", open_fixture("rnn/profile.pb.gz", diag),
				-1, diag));
	assert_string_equal(text_of(profile, "rnn_dynamic/while/Switch", &arena),
			    "T=int32\n_class=[loc:@rnn_dynamic/while/Merge]\n"
			    "_output_shapes=[scalar, scalar]\n");
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	tfp_profile_free(profile);
}

/* Every kind of value, and those that no current writer writes, of tests/data/inputs/graph/FILE. */
static void check_input(const char *file, const char *node, const char *const *lines)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	char path[256], *text;

	snprintf(path, sizeof(path), "../inputs/graph/%s", file);
	tfp_profile_make_tensorflow(profile);
	assert_true(load_source(profile, "graphdef", open_fixture(path, diag), -1, diag));
	text = tfp_arena_printf(&arena, "\n%s", text_of(profile, node, &arena));
	for (; *lines; lines++)
		if (!strstr(text, tfp_arena_printf(&arena, "\n%s\n", *lines)))
			fail_msg("no line '%s' in%s", *lines, text);
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	tfp_profile_free(profile);
}

static void of_every_kind(void **state)
{
	static const char *const kinds[] = {
		"bool=true",
		"bool_false=false",
		"bytes=plain",
		"bytes_empty=",
		"float=0.5",
		"float_inf=inf",
		"float_nan=nan",
		"float_ninf=-inf",
		"func=body_1(T=int32, inner=inner_body)",
		"int_beyond_double=9007199254740993",
		"int_max=9223372036854775807",
		"int_min=-9223372036854775808",
		"list_b=[true, false, true]",
		"list_empty=[]",
		"list_func=[branch_0, branch_1, branch_2]",
		"list_i=[1, -1, 1099511627776, 0]",
		"list_shape=[scalar, 2x-1, unknown, 0]",
		"list_tensor=[float32 scalar, bool 2]",
		"list_type=[float32, int64, resource]",
		"nothing=(not set)",
		"placeholder=T",
		"shape_partial=-1x7",
		"shape_scalar=scalar",
		"shape_unknown_rank=unknown",
		"tensor_half=float16 2",
		"tensor_string=string 3",
		"type_float8=float8_e4m3fn",
		"type_ref=float32_ref",
		NULL,
	};

	(void)state;
	check_input("attrs.pb", "custom/everything", kinds);
}

/* What no current writer writes. */
static void of_strange_writers(void **state)
{
	static const char *const lines[] = {
		"again=2",
		"no_value=(not set)",
		"overlong=5",
		"twice=last wins",
		"unknown=9",
		"unpacked=[5, -5, 1099511627776, 1.5, -2.5, float32, int64]",
		"value_before_key=8",
		NULL,
	};

	(void)state;
	check_input("attrs_wire.pb", "wire/node", lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_graph),         cmocka_unit_test(of_many_elements),
		cmocka_unit_test(of_a_saved_profile), cmocka_unit_test(of_every_kind),
		cmocka_unit_test(of_strange_writers),
	};

	return cmocka_run_group_tests_name("attributes", tests, NULL, NULL);
}
