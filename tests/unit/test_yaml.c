/* SPDX-License-Identifier: Apache-2.0 */
/* YAML to a tree: places, bounds, what stays of a broken text, and words that are read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "app/files/yaml.h"

/* One text that is read, and what came of it. */
struct reading {
	struct tfp_arena arena;
	struct tfp_diag *diag;
	const struct tfp_yaml *root;
	bool complete;
	char problem[600];
};

static void start_bytes(struct reading *reading, const char *bytes, size_t size)
{
	struct tfp_problem problem;

	*reading = (struct reading){.diag = tfp_diag_new()};
	reading->complete = tfp_yaml_parse((struct tfp_span){bytes, size}, "f", &reading->arena,
					   &reading->root, reading->diag);
	assert_int_equal(tfp_diag_count(reading->diag), !reading->complete);
	if (reading->complete)
		return;
	problem = tfp_diag_get(reading->diag, 0);
	tfp_problem_print(&problem, reading->problem, sizeof(reading->problem));
}

static void start(struct reading *reading, const char *text)
{
	start_bytes(reading, text, strlen(text));
}

static void end(struct reading *reading)
{
	tfp_diag_free(reading->diag);
	tfp_arena_free(&reading->arena);
}

static void check_scalar(const struct tfp_yaml *node, const char *text, uint32_t line,
			 uint32_t column)
{
	assert_int_equal(node->kind, TFP_YAML_SCALAR);
	assert_string_equal(node->text, text);
	assert_int_equal(node->line, line);
	assert_int_equal(node->column, column);
}

static void nodes_know_their_place(void **state)
{
	struct reading reading;
	const struct tfp_yaml *root, *list;

	(void)state;
	start(&reading, "# settings\ntheme: dark\nlist:\n  - \"a b\"\n  - [x, y]\n");
	root = reading.root;
	assert_true(reading.complete);
	assert_int_equal(root->kind, TFP_YAML_MAP);
	assert_int_equal(root->count, 4);
	check_scalar(root->items[0], "theme", 2, 1);
	check_scalar(root->items[1], "dark", 2, 8);
	list = root->items[3];
	assert_int_equal(list->kind, TFP_YAML_LIST);
	check_scalar(list->items[0], "a b", 4, 5);
	assert_true(list->items[0]->quoted);
	check_scalar(list->items[1]->items[1], "y", 5, 9);
	assert_int_equal(root->height, 4);
	assert_int_equal(root->nodes, 9);
	end(&reading);
}

static void nothing_is_no_tree(void **state)
{
	static const char *const texts[] = {"", "# only a comment\n", "---\n...\n", "\n\n"};
	struct reading reading;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		start(&reading, texts[i]);
		assert_true(reading.complete);
		assert_true(!reading.root || tfp_yaml_is_null(reading.root));
		end(&reading);
	}
}

static void null_is_not_a_quoted_word(void **state)
{
	struct reading reading;
	const struct tfp_yaml *list;

	(void)state;
	start(&reading, "[~, null, Null, '', \"null\", nil, {}]");
	list = reading.root;
	for (size_t i = 0; i < list->count; i++)
		assert_int_equal(tfp_yaml_is_null(list->items[i]), i < 3);
	end(&reading);
}

static void aliases_are_copies(void **state)
{
	struct reading reading;

	(void)state;
	start(&reading, "a: &x 66 bold\nb: *x\nc: &m {k: v}\nd: *m\n");
	assert_true(reading.complete);
	check_scalar(reading.root->items[3], "66 bold", 2, 4);
	check_scalar(reading.root->items[7]->items[1], "v", 3, 11);
	assert_int_equal(reading.root->items[7]->line, 4);
	end(&reading);
}

static void broken_text_keeps_what_was_complete(void **state)
{
	static const struct {
		const char *text, *problem;
		size_t kept;
	} cases[] = {
		{"a: 1\nb: 2\nc: [x\nd: y\n", "f:4:", 4},
		{"a: 1\nb: *none\n", "f:2:4: an alias of nothing", 2},
		{"a: &a [*a]\n", "f:1:8: an alias of nothing", 0},
		{"a: 1\n---\nb: 2\n", "f:2:1: a second document", 2},
		{"a: 1\nb: \"x\\0y\"\n", "f:2:4: a text with a NUL", 2},
		{"a: 1\nb: 'x\xc3'\n", "f:2:6: this is not UTF-8 text", 0},
		{"a: 1\nb: \x01\n", "f:2:4: a control character", 0},
		{"a: 1\nb\n", "f:", 2},
		{"\t- x\n", "f:1:", 0},
		{"a: 1\nb: @x\n", "f:2:4: ", 2},
	};
	struct reading reading;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(&reading, cases[i].text);
		assert_false(reading.complete);
		if (strncmp(reading.problem, cases[i].problem, strlen(cases[i].problem)) != 0)
			fail_msg("%zu: %s", i, reading.problem);
		assert_int_equal(reading.root ? reading.root->count : 0, cases[i].kept);
		end(&reading);
	}
}

/* COUNT times PIECE, then END. */
static char *repeat(const char *piece, size_t count, const char *end_text)
{
	size_t size = strlen(piece);
	char *text = tfp_alloc(size * count + strlen(end_text) + 1);

	for (size_t i = 0; i < count; i++)
		memcpy(text + i * size, piece, size);
	memcpy(text + size * count, end_text, strlen(end_text) + 1);
	return text;
}

static void refuse(char *text, const char *word)
{
	struct reading reading;

	start(&reading, text);
	assert_false(reading.complete);
	assert_non_null(strstr(reading.problem, word));
	end(&reading);
	free(text);
}

static void what_is_read_is_bounded(void **state)
{
	struct reading reading;
	char *text = repeat("[", TFP_YAML_DEPTH, "");
	char *full = repeat("]", TFP_YAML_DEPTH, "");
	char both[2 * TFP_YAML_DEPTH + 1];

	(void)state;
	snprintf(both, sizeof(both), "%s%s", text, full);
	start(&reading, both);
	assert_true(reading.complete);
	assert_int_equal(reading.root->height, TFP_YAML_DEPTH);
	end(&reading);
	free(text);
	free(full);
	refuse(repeat("[", TFP_YAML_DEPTH + 1, "]"), "too deep");
	refuse(repeat("{a: ", 100000, ""), "too deep");
	refuse(repeat("- a\n", TFP_YAML_NODES, ""), "too many values");
	refuse(repeat("- &a b\n", 300, ""), "too many anchors");
	refuse(repeat("# a comment\n", TFP_YAML_SIZE / 12 + 1, ""), "longer than");
	refuse(repeat("%TAG !a! b\n", 50000, "--- a"), "too many directives");
}

/* Ten lists of ten of the list before: in few lines 10^9 values. */
static void alias_bombs_do_not_go_off(void **state)
{
	char text[2048] = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n", line[128];

	(void)state;
	for (int i = 1; i < 9; i++) {
		snprintf(line, sizeof(line), "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1,
			 i - 1, i - 1, i - 1, i - 1);
		strcat(text, line);
	}
	refuse(tfp_strdup(text), "too many values");
}

static void aliases_do_not_get_too_deep(void **state)
{
	char text[4096] = "- &a0 [x]\n", line[64];

	(void)state;
	for (int i = 1; i < 40; i++) {
		snprintf(line, sizeof(line), "- &a%d [*a%d]\n", i, i - 1);
		strcat(text, line);
	}
	refuse(tfp_strdup(text), "too deep");
}

static void quoted_text_is_read_back(void **state)
{
	static const char *const texts[] = {
		"plain",
		"/usr/bin/vim",
		"-3",
		"42",
		"",
		"~",
		"null",
		"NULL",
		"a b",
		"a: b",
		"#5f87af",
		"- x",
		"'",
		"\"\\",
		" lead",
		"tab\there",
		"two\nlines\n",
		"\x01\x1f\x7f",
		"\xc2\x85 \xe2\x80\xa8 \xe2\x80\xa9 \xef\xbb\xbf",
		"Gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\x98\x80",
		"*x",
		"&x",
		"!x",
		"%x",
		"@x",
		"[a, b]",
		"{a: b}",
		".*conv.*",
		"|",
		"+1",
		"?",
	};
	struct reading reading;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tfp_arena arena = {0};
		char *quoted = tfp_yaml_quote(&arena, texts[i]);
		char *text = tfp_arena_printf(&arena, "%s: %s\n", quoted, quoted);

		start(&reading, text);
		if (!reading.complete)
			fail_msg("%s: %s", text, reading.problem);
		assert_string_equal(reading.root->items[0]->text, texts[i]);
		assert_string_equal(reading.root->items[1]->text, texts[i]);
		assert_false(tfp_yaml_is_null(reading.root->items[1]));
		end(&reading);
		tfp_arena_free(&arena);
	}
}

static void what_is_not_utf8_is_not_quoted(void **state)
{
	struct tfp_arena arena = {0};

	(void)state;
	assert_null(tfp_yaml_quote(&arena, "a\xff"));
	assert_string_equal(tfp_yaml_quote(&arena, "micros"), "micros");
	assert_string_equal(tfp_yaml_quote(&arena, "a b"), "\"a b\"");
	tfp_arena_free(&arena);
}

static void a_mark_of_the_encoding_is_stepped_over(void **state)
{
	struct reading reading;

	(void)state;
	start(&reading, "\xef\xbb\xbftheme: dark\n");
	assert_true(reading.complete);
	check_scalar(reading.root->items[0], "theme", 1, 1);
	end(&reading);
	start_bytes(&reading, "\xff\xfe\x61\x00", 4);
	assert_string_equal(reading.problem, "f:1:1: this is not UTF-8 text");
	end(&reading);
	start_bytes(&reading, "a\0b", 3);
	assert_string_equal(reading.problem, "f:1:2: a control character: this is not a text file");
	end(&reading);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_know_their_place),
		cmocka_unit_test(nothing_is_no_tree),
		cmocka_unit_test(null_is_not_a_quoted_word),
		cmocka_unit_test(aliases_are_copies),
		cmocka_unit_test(broken_text_keeps_what_was_complete),
		cmocka_unit_test(what_is_read_is_bounded),
		cmocka_unit_test(alias_bombs_do_not_go_off),
		cmocka_unit_test(aliases_do_not_get_too_deep),
		cmocka_unit_test(quoted_text_is_read_back),
		cmocka_unit_test(what_is_not_utf8_is_not_quoted),
		cmocka_unit_test(a_mark_of_the_encoding_is_stepped_over),
	};

	return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
