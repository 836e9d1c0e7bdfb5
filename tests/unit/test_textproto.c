/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protobuf text: its syntax, its damage, and that text and binary of the same graph are the same.
 */
#include "tfprof/codec.h"

#include "proto/graph.pb-c.h"
#include "proto/step_stats.pb-c.h"
#include "test_path.h"

#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = tfp_diag_new();
	return 0;
}

static int tear_down(void **state)
{
	tfp_diag_free(*state);
	return 0;
}

static struct tfp_source *source_of(const char *text, size_t size)
{
	uint8_t *bytes = malloc(size ? size : 1);

	memcpy(bytes, text, size);
	return tfp_source_from_bytes("text", bytes, size);
}

/* The graph that TEXT is, by way of the wire; NULL if nothing can be read. */
static Tfp__GraphDef *graph_of(const char *text, struct tfp_diag *diag)
{
	struct tfp_source *source = source_of(text, strlen(text));
	struct tfp_source *wire =
		tfp_textproto_to_wire(source, &tfp__graph_def__descriptor, NULL, diag);
	Tfp__GraphDef *graph = NULL;

	if (wire) {
		graph = tfp__graph_def__unpack(NULL, wire->size, wire->data);
		assert_non_null(graph);
	}
	tfp_source_free(wire);
	tfp_source_free(source);
	return graph;
}

static void free_graph(Tfp__GraphDef *graph)
{
	tfp__graph_def__free_unpacked(graph, NULL);
}

static void assert_bytes(ProtobufCBinaryData bytes, const char *text, size_t size)
{
	assert_int_equal(bytes.len, size);
	assert_memory_equal(bytes.data, text, size);
}

static void assert_text(ProtobufCBinaryData bytes, const char *text)
{
	assert_bytes(bytes, text, strlen(text));
}

static void assert_problem(const struct tfp_diag *diag, size_t index, int64_t line,
			   const char *words)
{
	struct tfp_problem problem;

	assert_true(index < tfp_diag_count(diag));
	problem = tfp_diag_get(diag, index);
	assert_int_equal(problem.line, line);
	if (!strstr(problem.text, words))
		fail_msg("\"%s\" does not say \"%s\"", problem.text, words);
}

static void reads_every_form(void **state)
{
	Tfp__GraphDef *graph = graph_of("\xef\xbb\xbf# comment { \"\r\n"
					"node { name: \"a\", op: 'b'; input: ['x', \"y\" 'z'] }\r\n"
					"node: < name : \"c\" input: [] input: 'd' >\n"
					"node: [ { name: 'e' }, < name: 'f' >, ] version: 3 # end",
					*state);

	assert_int_equal(tfp_diag_count(*state), 0);
	assert_int_equal(graph->n_node, 4);
	assert_text(graph->node[0]->name, "a");
	assert_text(graph->node[0]->op, "b");
	assert_int_equal(graph->node[0]->n_input, 2);
	assert_text(graph->node[0]->input[1], "yz");
	assert_text(graph->node[1]->name, "c");
	assert_int_equal(graph->node[1]->n_input, 1);
	assert_text(graph->node[2]->name, "e");
	assert_text(graph->node[3]->name, "f");
	assert_int_equal(graph->version, 3);
	free_graph(graph);
}

static void reads_scalars(void **state)
{
	Tfp__GraphDef *graph =
		graph_of("node { attr { value { list {"
			 "  i: [0x10, 017, - 5, 9223372036854775807, -9223372036854775808]"
			 "  f: [1.5, -2e3f, .5, inf, -Infinity, nan, 7, 1e300]"
			 "  b: [true, f, 1, False] type: [DT_FLOAT, 9, DT_INT32_REF] }"
			 "  tensor { double_val: 0.1 uint64_val: 18446744073709551615 } } } }",
			 *state);
	const Tfp__AttrValue *value = graph->node[0]->attr[0]->value;
	const Tfp__AttrValue__ListValue *list = value->list;

	assert_int_equal(tfp_diag_count(*state), 0);
	assert_int_equal(list->n_i, 5);
	assert_int_equal(list->i[0], 16);
	assert_int_equal(list->i[1], 15);
	assert_int_equal(list->i[2], -5);
	assert_true(list->i[3] == INT64_MAX && list->i[4] == INT64_MIN);
	assert_int_equal(list->n_f, 8);
	assert_true(list->f[0] == 1.5f && list->f[1] == -2000.0f && list->f[2] == 0.5f);
	assert_true(list->f[3] > 1e38f && list->f[4] < -1e38f && list->f[5] != list->f[5]);
	assert_true(list->f[6] == 7.0f && list->f[7] > 1e38f);
	assert_int_equal(list->n_b, 4);
	assert_true(list->b[0] && !list->b[1] && list->b[2] && !list->b[3]);
	assert_int_equal(list->n_type, 3);
	assert_int_equal(list->type[0], TFP__DATA_TYPE__DT_FLOAT);
	assert_int_equal(list->type[1], TFP__DATA_TYPE__DT_INT64);
	assert_int_equal(list->type[2], TFP__DATA_TYPE__DT_INT32_REF);
	assert_true(value->tensor->double_val[0] == 0.1);
	assert_true(value->tensor->uint64_val[0] == UINT64_MAX);
	free_graph(graph);
}

static void decodes_escapes(void **state)
{
	static const char decoded[] = "\n\t\r\\\"'\0\1\377A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
				      "\xf0\x9f\x98\x80q";
	Tfp__GraphDef *graph = graph_of("node { name: \"\\n\\t\\r\\\\\\\"\\'\\000\\1\\377\\x41"
					"\\u00e9\\u20AC\\U0001F600\\ud83d\\ude00\\q\" }",
					*state);

	assert_bytes(graph->node[0]->name, decoded, sizeof(decoded) - 1);
	assert_problem(*state, 0, 1, "escape");
	free_graph(graph);
}

static void minds_no_locale(void **state)
{
	Tfp__GraphDef *graph;

	/* Where it is not installed the test proves nothing, but holds. */
	setlocale(LC_NUMERIC, "de_DE.UTF-8");
	graph = graph_of("node { attr { value { f: 1.5 } } }", *state);
	setlocale(LC_NUMERIC, "C");
	assert_true(graph->node[0]->attr[0]->value->f == 1.5f);
	free_graph(graph);
}

static void skips_what_is_unknown(void **state)
{
	Tfp__GraphDef *graph = graph_of(
		"foo: 1 bar { a: \"}\" # }\n b: [1, {c: '}'}] } 17: 5 18 { x: \"}\" }\n"
		"[tensorflow.ext] { a: 1 } [type.googleapis.com/a.B]: < b: 'x' 'y' >\n"
		"node { name: \"n\" new_field: WORD other: -1.5e3 more: \"x\" \"y\" op: 'o'"
		"  attr { value { type: DT_NEW } } }\n",
		*state);

	assert_int_equal(tfp_diag_count(*state), 0);
	assert_int_equal(graph->n_node, 1);
	assert_text(graph->node[0]->op, "o");
	assert_false(graph->node[0]->attr[0]->value->has_type);
	free_graph(graph);
}

static void leaves_out_what_does_not_fit(void **state)
{
	Tfp__GraphDef *graph = graph_of("version: 2147483648\n"
					"version: 12x\n"
					"version: \"1\"\n"
					"version { a: 1 }\n"
					"node: 5\n"
					"node { name: 7 op: 'kept' }\n",
					*state);

	assert_false(graph->has_version);
	assert_int_equal(graph->n_node, 1);
	assert_text(graph->node[0]->op, "kept");
	assert_int_equal(tfp_diag_count(*state), 2);
	assert_problem(*state, 0, 1, "'version' does not fit");
	assert_int_equal(tfp_diag_get(*state, 0).count, 5);
	assert_problem(*state, 1, 5, "'node' is not a message");
	free_graph(graph);
}

static void goes_on_after_damage(void **state)
{
	Tfp__GraphDef *graph = graph_of("node {\n"
					"  name: \"a\"\n"
					"  op: \"unterminated\n"
					"  device: \"d\"\n"
					"}\n"
					"node {\n"
					"  attr {\n"
					"    key: \"k\"\n"
					"    @@@ { { {\n"
					"  }\n"
					"  op: \"still b\"\n"
					"}\n"
					"node {\n"
					"  name: \"c\"\n"
					"  attr {\n"
					"    value {\n"
					"node {\n"
					"  name: \"d\"\n"
					"}\n",
					*state);

	assert_int_equal(graph->n_node, 4);
	assert_text(graph->node[0]->name, "a");
	assert_false(graph->node[0]->has_op);
	assert_text(graph->node[0]->device, "d");
	assert_text(graph->node[1]->op, "still b");
	assert_text(graph->node[1]->attr[0]->key, "k");
	assert_text(graph->node[2]->name, "c");
	assert_text(graph->node[3]->name, "d");
	assert_problem(*state, 0, 3, "damaged");
	assert_problem(*state, 1, 17, "does not end");
	free_graph(graph);
}

static void keeps_the_beginning_of_a_cut_text(void **state)
{
	Tfp__GraphDef *graph = graph_of("node {\n  name: \"a\"\n}\n"
					"node {\n  name: \"b\"\n  attr {\n    key: \"cut he",
					*state);

	assert_int_equal(graph->n_node, 2);
	assert_text(graph->node[1]->name, "b");
	assert_int_equal(graph->node[1]->n_attr, 1);
	assert_true(tfp_diag_count(*state) > 0);
	free_graph(graph);
}

static void refuses_what_is_no_text(void **state)
{
	assert_null(graph_of("\x01\x02 nothing \x7f", *state));
	assert_int_equal(tfp_diag_errors(*state), 1);
}

static void takes_an_empty_text(void **state)
{
	Tfp__GraphDef *graph = graph_of("# nothing\n", *state);

	assert_non_null(graph);
	assert_int_equal(tfp_diag_count(*state), 0);
	free_graph(graph);
}

static void bounds_nesting(void **state)
{
	static const char opening[] = "node{attr{value{func{", again[] = "attr{value{func{";
	size_t rounds = 20000, room = sizeof(opening) + rounds * sizeof(again);
	char *text = malloc(room), *at = stpcpy(text, opening);
	Tfp__GraphDef *graph;

	for (size_t i = 0; i < rounds; i++)
		at = stpcpy(at, again);
	graph = graph_of(text, *state);
	assert_non_null(graph);
	assert_problem(*state, 0, 1, "deeper than 100");
	free_graph(graph);
	free(text);
}

static void writes_long_lengths(void **state)
{
	static const size_t sizes[] = {100, 127, 128, 16383, 16384, 3000000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		char *text = malloc(sizes[i] + 100),
		     *at = stpcpy(text, "node { name: \"a\" op: \"");
		Tfp__GraphDef *graph;

		memset(at, 'x', sizes[i]);
		strcpy(at + sizes[i], "\" device: \"d\" }");
		graph = graph_of(text, *state);
		assert_int_equal(graph->node[0]->op.len, sizes[i]);
		assert_int_equal(graph->node[0]->op.data[sizes[i] - 1], 'x');
		assert_text(graph->node[0]->device, "d");
		free_graph(graph);
		free(text);
	}
}

static void stops_when_cancelled(void **state)
{
	struct tfp_job job = {0};
	size_t size = 100000;
	char *text = malloc(size);
	struct tfp_source *source;

	memset(text, ',', size);
	source = source_of(text, size);
	atomic_store(&job.cancel, true);
	assert_null(tfp_textproto_to_wire(source, &tfp__graph_def__descriptor, &job, *state));
	assert_int_equal(tfp_diag_count(*state), 0);
	tfp_source_free(source);
	free(text);
}

static void sniffs(void **state)
{
	static const char *const names[] = {"node", "versions", NULL};
	static const struct {
		const char *text;
		int score;
	} cases[] = {
		{"node {", 100},
		{"# c\n \nnode{", 100},
		{"\xef\xbb\xbfversions: <", 100},
		{"node", 50},
		{"nodes {", 0},
		{"nod", 0},
		{"\nnode = 1", 0},
		{"", 0},
		{"\n\x0anode", 50},
		{"op: 'x'", 0},
		{"{ node", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(tfp_textproto_sniff((const uint8_t *)cases[i].text,
						     strlen(cases[i].text), names),
				 cases[i].score);
}

static struct tfp_source *open_test_file(const char *name, struct tfp_diag *diag)
{
	char path[TEST_PATH];
	struct tfp_source *source = tfp_source_open(test_path(path, "%s", name), NULL, diag);

	assert_non_null(source);
	return source;
}

static int compare_keys(const void *a, const void *b)
{
	ProtobufCBinaryData one = (*(Tfp__NodeDef__AttrEntry *const *)a)->key;
	ProtobufCBinaryData two = (*(Tfp__NodeDef__AttrEntry *const *)b)->key;

	return tfp_span_compare((struct tfp_span){(const char *)one.data, one.len},
				(struct tfp_span){(const char *)two.data, two.len});
}

static void forget_unknown(ProtobufCMessage *message);

static void forget_unknown_in(char *message, const ProtobufCFieldDescriptor *field)
{
	ProtobufCMessage **first = (ProtobufCMessage **)(void *)(message + field->offset);
	size_t count = *first != NULL;

	if (field->label == PROTOBUF_C_LABEL_REPEATED) {
		count = *(size_t *)(void *)(message + field->quantifier_offset);
		first = *(ProtobufCMessage ***)(void *)(message + field->offset);
	}
	for (size_t i = 0; i < count; i++)
		forget_unknown(first[i]);
}

/* Text of fields that we do not describe is left out, in binary form protobuf-c keeps them. */
static void forget_unknown(ProtobufCMessage *message)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;

	for (unsigned int i = 0; i < message->n_unknown_fields; i++)
		free(message->unknown_fields[i].data);
	message->n_unknown_fields = 0;
	for (unsigned int i = 0; i < descriptor->n_fields; i++) {
		if (descriptor->fields[i].type == PROTOBUF_C_TYPE_MESSAGE)
			forget_unknown_in((char *)message, &descriptor->fields[i]);
	}
}

/* Takes GRAPH over. The order of a map is no one's business. */
static ProtobufCBinaryData canonical(Tfp__GraphDef *graph)
{
	ProtobufCBinaryData bytes;

	assert_non_null(graph);
	forget_unknown(&graph->base);
	for (size_t i = 0; i < graph->n_node; i++) {
		Tfp__NodeDef *node = graph->node[i];

		if (node->n_attr)
			qsort(node->attr, node->n_attr, sizeof(*node->attr), compare_keys);
	}
	bytes.len = tfp__graph_def__get_packed_size(graph);
	bytes.data = malloc(bytes.len);
	tfp__graph_def__pack(graph, bytes.data);
	free_graph(graph);
	return bytes;
}

static void equals_the_binary_form(void **state)
{
	static const char *const pairs[][2] = {
		{"data/tf/tiny/graph.pbtxt.gz", "data/tf/tiny/graph.pb.gz"},
		{"data/tf/rnn/graph.pbtxt.gz", "data/tf/rnn/graph.pb.gz"},
		{"data/tf/resnet32/graph.pbtxt.gz", "../data/demo/graph.pb.gz"},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct tfp_source *text = open_test_file(pairs[i][0], *state);
		struct tfp_source *binary = open_test_file(pairs[i][1], *state), *wire;
		ProtobufCBinaryData of_text, of_binary;

		wire = tfp_textproto_to_wire(text, &tfp__graph_def__descriptor, NULL, *state);
		assert_non_null(wire);
		of_text = canonical(tfp__graph_def__unpack(NULL, wire->size, wire->data));
		of_binary = canonical(tfp__graph_def__unpack(NULL, binary->size, binary->data));
		assert_int_equal(of_text.len, of_binary.len);
		assert_memory_equal(of_text.data, of_binary.data, of_text.len);
		assert_int_equal(tfp_diag_count(*state), 0);
		free(of_text.data);
		free(of_binary.data);
		tfp_source_free(wire);
		tfp_source_free(binary);
		tfp_source_free(text);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_every_form),        TEST(reads_scalars),
		TEST(decodes_escapes),         TEST(minds_no_locale),
		TEST(skips_what_is_unknown),   TEST(leaves_out_what_does_not_fit),
		TEST(goes_on_after_damage),    TEST(keeps_the_beginning_of_a_cut_text),
		TEST(refuses_what_is_no_text), TEST(takes_an_empty_text),
		TEST(bounds_nesting),          TEST(writes_long_lengths),
		TEST(stops_when_cancelled),    TEST(sniffs),
		TEST(equals_the_binary_form),
	};

	return cmocka_run_group_tests_name("textproto", tests, NULL, NULL);
}
