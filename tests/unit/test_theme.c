/* SPDX-License-Identifier: Apache-2.0 */
/* Themes: those that come with the program, every fault of a file, and colours on smaller terminals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "app/files/textfile.h"
#include "app/settings/themefile.h"
#include "test_path.h"
#include "ui/terminal/color.h"

static const char *const shipped[] = {"ascii", "dark", "default", "high-contrast", "light", "mono"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct tfp_look *look(const struct tfp_ui_theme *theme, const char *ink)
{
	size_t index = 0;

	while (tfp_ui_ink(index) && strcmp(tfp_ui_ink(index), ink) != 0)
		index++;
	assert_non_null(tfp_ui_ink(index));
	return &theme->looks[index];
}

static void check_look(const struct tfp_ui_theme *theme, const char *ink, int32_t color,
		       unsigned int attributes, unsigned int plain)
{
	assert_int_equal(look(theme, ink)->color, color);
	assert_int_equal(look(theme, ink)->attributes, attributes);
	assert_int_equal(look(theme, ink)->plain, plain);
}

/* The text of an installed theme, or of a man page. */
static struct tfp_span read_file(struct tfp_arena *arena, const char *path)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_span bytes = {NULL, 0};

	assert_int_equal(tfp_textfile_read(path, 1 << 20, arena, &bytes, diag), TFP_TEXTFILE_READ);
	tfp_diag_free(diag);
	return bytes;
}

static bool holds(struct tfp_span bytes, const char *text)
{
	return memmem(bytes.at, bytes.size, text, strlen(text)) != NULL;
}

/* Else an ink of a later version would show the compiled colours in a theme without any. */
static void shipped_themes_name_every_ink(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(shipped); i++) {
		struct tfp_arena arena = {0};
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_ui_theme theme;
		struct tfp_span text;

		assert_true(tfp_themefile_load(shipped[i], &theme, diag));
		assert_int_equal(tfp_diag_count(diag), 0);
		assert_int_equal(theme.ascii, !strcmp(shipped[i], "ascii"));
		text = read_file(&arena, tfp_arena_printf(&arena, "%s/%s.yaml",
							  getenv("TFPROF_THEMEDIR"), shipped[i]));
		for (size_t ink = 0; tfp_ui_ink(ink); ink++)
			if (!holds(text, tfp_arena_printf(&arena, "\n  %s: ", tfp_ui_ink(ink))))
				fail_msg("%s lacks %s", shipped[i], tfp_ui_ink(ink));
		tfp_diag_free(diag);
		tfp_arena_free(&arena);
	}
}

static void the_default_file_is_what_is_compiled_in(void **state)
{
	struct tfp_arena arena = {0};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_ui_theme compiled, read;
	const char *path = tfp_arena_printf(&arena, "%s/default.yaml", getenv("TFPROF_THEMEDIR"));

	(void)state;
	tfp_ui_theme_default(&compiled);
	assert_true(tfp_themefile_parse(read_file(&arena, path), "f", &read, diag));
	for (size_t i = 0; tfp_ui_ink(i); i++)
		check_look(&read, tfp_ui_ink(i), compiled.looks[i].color,
			   compiled.looks[i].attributes, compiled.looks[i].plain);
	assert_int_equal(read.ascii, compiled.ascii);
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
}

static void mono_has_no_colours(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_ui_theme theme;

	(void)state;
	tfp_themefile_load("mono", &theme, diag);
	for (size_t i = 0; tfp_ui_ink(i); i++) {
		assert_int_equal(theme.looks[i].color, -1);
		assert_int_equal(theme.looks[i].attributes, theme.looks[i].plain);
	}
	tfp_diag_free(diag);
}

/* What must not be missed is told by more than colour, in every theme and on every terminal. */
static void colour_never_says_it_alone(void **state)
{
	static const char *const inks[] = {"cursor",     "match",       "error",
					   "tab-chosen", "rule-chosen", "header-sorted"};

	(void)state;
	for (size_t i = 0; i < COUNT(shipped); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_ui_theme theme;

		tfp_themefile_load(shipped[i], &theme, diag);
		for (size_t j = 0; j < COUNT(inks); j++) {
			assert_true(look(&theme, inks[j])->attributes);
			assert_true(look(&theme, inks[j])->plain);
		}
		tfp_diag_free(diag);
	}
}

/* ---- files -------------------------------------------------------------------------------------- */

static bool parse(const char *text, struct tfp_ui_theme *theme, struct tfp_diag *diag)
{
	return tfp_themefile_parse(tfp_span_of(text), "f", theme, diag);
}

static void looks_are_read(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_ui_theme theme;

	(void)state;
	assert_true(
		parse("mono: {error: reverse}\n"
		      "inks:\n  error: bold 9\n  bar: '#5F87af'\n  rule: \"#000000 underline\"\n"
		      "  key: default\n  name: italic  bold\n  match: 255\n  header: &h 3 bold\n"
		      "  header-sorted: *h\nglyphs: auto\n",
		      &theme, diag));
	assert_int_equal(tfp_diag_count(diag), 0);
	check_look(&theme, "error", 9, TFP_LOOK_BOLD, TFP_LOOK_REVERSE);
	check_look(&theme, "bar", TFP_LOOK_RGB + 0x5f87af, 0, 0);
	check_look(&theme, "rule", TFP_LOOK_RGB, TFP_LOOK_UNDERLINE, TFP_LOOK_UNDERLINE);
	check_look(&theme, "key", -1, 0, 0);
	check_look(&theme, "name", -1, TFP_LOOK_ITALIC | TFP_LOOK_BOLD,
		   TFP_LOOK_ITALIC | TFP_LOOK_BOLD);
	check_look(&theme, "match", 255, 0, 0);
	check_look(&theme, "header-sorted", 3, TFP_LOOK_BOLD, TFP_LOOK_BOLD);
	assert_false(theme.ascii);
	tfp_diag_free(diag);
}

static void faults_keep_what_is_compiled_in(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{"inks: {bar: 256}",
		 "f:1:13: bar: '256' is not understood; give default, 0 to 255"},
		{"inks: {bar: -1}", "f:1:13: bar: '-1' is not understood"},
		{"inks: {bar: 1 2}", "f:1:13: bar: '2' is not understood"},
		{"inks: {bar: '#12345'}", "f:1:13: bar: '#12345' is not understood"},
		{"inks: {bar: '#12345g'}", "f:1:13: bar: '#12345g' is not understood"},
		{"inks: {bar: 9999999999999999999999}", "f:1:13: bar: '9999999999"},
		{"inks: {bar: blink}", "f:1:13: bar: 'blink' is not understood"},
		{"inks: {bar: [1, bold]}", "f:1:13: bar: expected one text"},
		{"inks: {bar: ''}", "f:1:13: bar: expected one text"},
		{"inks:\n  bar: #5f87af\n",
		 "f:2:7: bar: nothing is written here; \"#rrggbb\" needs quotes"},
		{"inks: {baar: 1}", "f:1:8: 'baar' is not an ink; did you mean bar? (plain, tab, "},
		{"inks: {bar: 6, bar: 1}", "f:1:16: 'bar' is set twice; the first counts"},
		{"inks: [bar]", "f:1:7: expected inks"},
		{"mono: {bar: 3}", "f:1:13: bar: there are no colours here"},
		{"glyphs: utf8", "f:1:9: 'utf8' is not a kind of glyphs; valid: auto, ascii"},
		{"glyphs: [x]", "f:1:9: '' is not a kind of glyphs; valid: auto, ascii"},
		{"colors: {bar: 1}",
		 "f:1:1: 'colors' is not a part of a theme; valid: glyphs, inks, "},
		{"- x", "f:1:1: expected parts of a theme"},
		{"inks: {bar: 6\n", "f:2:1: "},
		{"\x80", "f:1:1: this is not UTF-8 text"},
		{"", "f: is empty"},
	};
	struct tfp_ui_theme compiled, theme;

	(void)state;
	tfp_ui_theme_default(&compiled);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_problem problem;
		char line[1200];

		parse(cases[i].text, &theme, diag);
		assert_int_equal(tfp_diag_count(diag), 1);
		assert_int_equal(tfp_diag_errors(diag), 0);
		problem = tfp_diag_get(diag, 0);
		tfp_problem_print(&problem, line, sizeof(line));
		if (strncmp(line, cases[i].line, strlen(cases[i].line)) != 0)
			fail_msg("%zu: %s", i, line);
		assert_memory_equal(&theme, &compiled, sizeof(theme));
		tfp_diag_free(diag);
	}
}

static void own_themes_come_first(void **state)
{
	struct tfp_arena arena = {0};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_ui_theme theme;
	char folder[1100], path[1200];
	struct tfp_words names;
	FILE *file;

	(void)state;
	assert_non_null(getcwd(folder, 1024));
	strcat(folder, "/tfprof-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	assert_string_equal(tfp_themefile_find(&arena, "default"), "");
	snprintf(path, sizeof(path), "mkdir -p '%s/tfprof/themes'", folder);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/tfprof/themes/default.yaml", folder);
	file = fopen(path, "w");
	fputs("inks: {bar: 5}\n", file);
	fclose(file);
	assert_string_equal(tfp_themefile_find(&arena, "default"), path);
	assert_string_equal(tfp_themefile_find(&arena, path), path);
	assert_true(tfp_themefile_load("default", &theme, diag));
	check_look(&theme, "bar", 5, 0, 0);
	assert_true(tfp_themefile_load(path, &theme, diag));
	names = tfp_themefile_names(&arena);
	assert_int_equal(names.count, COUNT(shipped));
	for (size_t i = 0; i < names.count; i++)
		assert_string_equal(names.at[i], shipped[i]);
	assert_int_equal(tfp_diag_count(diag), 0);
	assert_false(tfp_themefile_load("drak", &theme, diag));
	assert_string_equal(tfp_diag_get(diag, 0).text,
			    "there is no theme 'drak'; did you mean dark? (ascii, dark, default, "
			    "high-contrast, light, mono)");
	assert_false(tfp_themefile_load("./none", &theme, diag));
	snprintf(path, sizeof(path), "rm -rf '%s'", folder);
	assert_int_equal(system(path), 0);
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
}

static void the_man_page_has_every_ink(void **state)
{
	struct tfp_arena arena = {0};
	char path[TEST_PATH];
	struct tfp_span page = read_file(&arena, test_path(path, "../man/tfprof-config.5.in"));
	char *inks = memmem(page.at, page.size, ".SS Inks", 8);

	(void)state;
	assert_non_null(inks);
	page = (struct tfp_span){inks, page.size - (size_t)(inks - page.at)};
	for (size_t i = 0; tfp_ui_ink(i); i++)
		if (!holds(page, tfp_arena_printf(&arena, " %s ", tfp_ui_ink(i))) &&
		    !holds(page, tfp_arena_printf(&arena, " %s\n", tfp_ui_ink(i))))
			fail_msg("%s is not in the man page", tfp_ui_ink(i));
	tfp_arena_free(&arena);
}

/* ---- colours ------------------------------------------------------------------------------------ */

static void colours_are_reduced(void **state)
{
	static const struct {
		int32_t color;
		short of_256, of_8;
	} cases[] = {
		{-1, -1, -1},
		{0, 0, 0},
		{7, 7, 7},
		{8, 8, -1},
		{9, 9, 1},
		{14, 14, 6},
		{15, 15, -1},
		{66, 66, 6},
		{67, 67, 4},
		{160, 160, 1},
		{172, 172, 3},
		{244, 244, -1},
		{255, 255, -1},
		{TFP_LOOK_RGB, 16, -1},
		{TFP_LOOK_RGB + 0xffffff, 231, -1},
		{TFP_LOOK_RGB + 0x5f87af, 67, 4},
		{TFP_LOOK_RGB + 0x5d89ae, 67, 6},
		{TFP_LOOK_RGB + 0xff0000, 196, 1},
		{TFP_LOOK_RGB + 0xff0080, 198, 1},
		{TFP_LOOK_RGB + 0x00ff00, 46, 2},
		{TFP_LOOK_RGB + 0x0000ff, 21, 4},
		{TFP_LOOK_RGB + 0xff00ff, 201, 5},
		{TFP_LOOK_RGB + 0x808080, 244, -1},
		{TFP_LOOK_RGB + 0x0a0a0a, 232, -1},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		if (tfp_color_of_256(cases[i].color) != cases[i].of_256 ||
		    tfp_color_of_8(cases[i].color) != cases[i].of_8)
			fail_msg("%#x is %d and %d", (unsigned int)cases[i].color,
				 tfp_color_of_256(cases[i].color), tfp_color_of_8(cases[i].color));
	}
	for (int32_t color = 0; color < 256; color++)
		assert_in_range(tfp_color_of_8(color) + 1, 0, 8);
}

/* As on xterm-direct, where only 0 to 7 are of the palette. */
static void colours_are_red_green_and_blue_on_direct_terminals(void **state)
{
	static const struct {
		int32_t color, direct;
	} cases[] = {
		{-1, -1},
		{0, 0},
		{6, 6},
		{9, 0xff0000},
		{16, 0x000100},
		{21, 0x0001ff},
		{172, 0xd78700},
		{196, 0xff0000},
		{244, 0x808080},
		{TFP_LOOK_RGB + 0x123456, 0x123456},
		{TFP_LOOK_RGB + 0x000005, 0x000105},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		if (tfp_color_of_direct(cases[i].color) != cases[i].direct)
			fail_msg("%#x is %#x", (unsigned int)cases[i].color,
				 (unsigned int)tfp_color_of_direct(cases[i].color));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_themes_name_every_ink),
		cmocka_unit_test(the_default_file_is_what_is_compiled_in),
		cmocka_unit_test(mono_has_no_colours),
		cmocka_unit_test(colour_never_says_it_alone),
		cmocka_unit_test(looks_are_read),
		cmocka_unit_test(faults_keep_what_is_compiled_in),
		cmocka_unit_test(own_themes_come_first),
		cmocka_unit_test(the_man_page_has_every_ink),
		cmocka_unit_test(colours_are_reduced),
		cmocka_unit_test(colours_are_red_green_and_blue_on_direct_terminals),
	};

	return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
