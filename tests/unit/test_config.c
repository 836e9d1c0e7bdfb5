/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: what stands in files, every fault of them, and that they are saved whole or not at all. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "app/startup.h"

/* A folder of its own for each test, with the settings of a person in it. */
struct home {
	char folder[1024];
	char path[1200]; /* of the file named last */
};

static char *path_of(struct home *home, const char *name)
{
	snprintf(home->path, sizeof(home->path), "%s/tfprof/%s", home->folder, name);
	return home->path;
}

static int set_up(void **state)
{
	struct home *home = tfp_alloc_zero(1, sizeof(*home));

	if (!getcwd(home->folder, sizeof(home->folder) - 32))
		return -1;
	strcat(home->folder, "/tfprof-test-XXXXXX");
	if (!mkdtemp(home->folder) || setenv("XDG_CONFIG_HOME", home->folder, 1) ||
	    mkdir(path_of(home, ""), 0700) || mkdir(path_of(home, "themes"), 0700))
		return -1;
	*state = home;
	return 0;
}

static int tear_down(void **state)
{
	struct home *home = *state;
	char command[1100];

	snprintf(command, sizeof(command), "rm -rf '%s'", home->folder);
	free(home);
	return system(command);
}

static void write_file(struct home *home, const char *name, const char *text)
{
	FILE *file = fopen(path_of(home, name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static char *read_file(struct home *home, const char *name)
{
	static char text[65536];
	FILE *file = fopen(path_of(home, name), "r");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

/* Problem INDEX in one line, the folder cut off. */
static const char *problem(const struct home *home, const struct tfp_diag *diag, size_t index)
{
	static char line[4096];
	struct tfp_problem found = tfp_diag_get(diag, index);
	char *at;

	tfp_problem_print(&found, line, sizeof(line));
	at = strstr(line, home->folder);
	return at == line ? line + strlen(home->folder) + strlen("/tfprof/") : line;
}

static const char *option(const struct tfp_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->options.count; i++)
		if (!strcmp(settings->options.at[i].name, name))
			return settings->options.at[i].value;
	return NULL;
}

static void no_files_no_settings(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;

	(void)state;
	tfp_config_init(&config);
	assert_true(tfp_config_read(&config, NULL, diag));
	assert_int_equal(tfp_diag_count(diag), 0);
	assert_string_equal(config.files, "");
	for (size_t i = 0; i < TFP_SETTING_TEXTS; i++)
		assert_null(config.now.texts[i]);
	assert_int_equal(config.now.options.count, 0);
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static void saved_settings_lie_over_the_others(void **state)
{
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;

	write_file(home, "config.yaml",
		   "theme: dark\nview: op\neditor: vim -R\n"
		   "options: {max_depth: 3, flat: true, select: [micros, 'a,b'], min_foo: 7}\n");
	write_file(home, "saved.yaml", "theme: mono\nview: ~\noptions:\n  flat: ~\n  step: 2\n");
	tfp_config_init(&config);
	assert_true(tfp_config_read(&config, NULL, diag));
	assert_int_equal(tfp_diag_count(diag), 0);
	assert_string_equal(config.now.texts[TFP_SETTING_THEME], "mono");
	assert_null(config.now.texts[TFP_SETTING_VIEW]);
	assert_string_equal(config.now.texts[TFP_SETTING_EDITOR], "vim -R");
	assert_string_equal(option(&config.now, "max_depth"), "3");
	assert_string_equal(option(&config.now, "select"), "micros,a\\,b");
	assert_string_equal(option(&config.now, "min_foo"), "7");
	assert_string_equal(option(&config.now, "step"), "2");
	assert_null(option(&config.now, "flat"));
	assert_string_equal(option(&config.base, "flat"), "true");
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static void faults_are_named_and_the_rest_counts(void **state)
{
	static const char *const lines[] = {
		"config.yaml:1:8: 'drak' is not a theme; did you mean dark? (ascii, dark, default, ",
		"config.yaml:2:7: 'scoop' is not a view; did you mean scope? (",
		"config.yaml:3:1: 'them' is not a setting; did you mean theme? (theme, view, ",
		"config.yaml:4:9: editor: expected one text",
		"config.yaml:6:14: --max_depth=abc: give a whole number from ",
		"config.yaml:7:3: 'oder_by' is not an option; did you mean order_by?",
		"config.yaml:8:22: hide_name_regexes: expected REGEX,...",
		"config.yaml:9:12: reverse: expected true or false",
		"config.yaml:11:3: 'flat' is set twice; the first counts",
		"config.yaml:12:3: expected the name of one of options",
		"config.yaml:13:12: expected one text",
		"config.yaml:14:11: --compat=no: give tf or none",
		"config.yaml:16:1: 'qqq' is not a setting; valid: theme, view, ",
		"config.yaml:17:1: 'editor' is set twice; the first counts",
	};
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;

	write_file(home, "config.yaml",
		   "theme: drak\nview: scoop\nthem: x\neditor: [a]\noptions:\n  max_depth: abc\n"
		   "  oder_by: x\n  hide_name_regexes: {a: b}\n  reverse: [x]\n  flat: yes\n"
		   "  flat: no\n  [a, b]: c\n  select: [[x]]\n  compat: no\n  step: 4\n"
		   "qqq: 1\neditor: vi\n");
	tfp_config_init(&config);
	assert_true(tfp_config_read(&config, NULL, diag));
	assert_int_equal(tfp_diag_errors(diag), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strncmp(problem(home, diag, i), lines[i], strlen(lines[i])) != 0)
			fail_msg("%zu: %s", i, problem(home, diag, i));
	assert_int_equal(tfp_diag_count(diag), sizeof(lines) / sizeof(lines[0]));
	assert_int_equal(config.now.options.count, 2);
	assert_string_equal(option(&config.now, "flat"), "yes");
	assert_string_equal(option(&config.now, "step"), "4");
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static void wrong_trees_are_one_line(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{"- a\n- b\n",
		 "config.yaml:1:1: expected settings, one to a line as 'name: value'"},
		{"dark\n", "config.yaml:1:1: expected settings"},
		{"options: dark\n", "config.yaml:1:10: expected options"},
		{"theme: ''\n", "config.yaml:1:8: theme: expected one text"},
		{"theme: ./no.yaml\n", "config.yaml:1:8: theme: there is no file "},
		{"theme: dark\nview: [\n", "config.yaml:3:1: "},
		{"theme: 'd\xff'\n", "config.yaml:1:10: this is not UTF-8 text"},
		{"\x7f\x45LF\x02\x01",
		 "config.yaml:1:1: a control character: this is not a text file"},
		{"", "config.yaml: is empty"},
	};
	struct home *home = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_config config;

		write_file(home, "config.yaml", cases[i].text);
		tfp_config_init(&config);
		assert_true(tfp_config_read(&config, NULL, diag));
		assert_int_equal(tfp_diag_count(diag), 1);
		if (strncmp(problem(home, diag, 0), cases[i].line, strlen(cases[i].line)) != 0)
			fail_msg("%zu: %s", i, problem(home, diag, 0));
		tfp_config_free(&config);
		tfp_diag_free(diag);
	}
}

/* What config.yaml was turned into is told in LINE; the file of saved settings counts all the same. */
static void check_no_file(struct home *home, const char *line)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;

	tfp_config_init(&config);
	assert_true(tfp_config_read(&config, NULL, diag));
	assert_int_equal(tfp_diag_count(diag), 1);
	assert_string_equal(problem(home, diag, 0), line);
	assert_string_equal(config.now.texts[TFP_SETTING_VIEW], "op");
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static void what_is_no_file_is_not_opened(void **state)
{
	struct home *home = *state;

	write_file(home, "saved.yaml", "view: op\n");
	assert_int_equal(mkdir(path_of(home, "config.yaml"), 0700), 0);
	check_no_file(home, "config.yaml: is a directory, not a file");
	assert_int_equal(rmdir(path_of(home, "config.yaml")), 0);
	assert_int_equal(mkfifo(path_of(home, "config.yaml"), 0600), 0);
	check_no_file(home, "config.yaml: is not a regular file");
	assert_int_equal(unlink(path_of(home, "config.yaml")), 0);
	assert_int_equal(symlink("config.yaml", path_of(home, "config.yaml")), 0);
	check_no_file(home, "config.yaml: Too many levels of symbolic links");
	assert_int_equal(unlink(path_of(home, "config.yaml")), 0);
	write_file(home, "config.yaml", "view: code\n");
	assert_int_equal(truncate(path_of(home, "config.yaml"), 2 << 20), 0);
	check_no_file(home, "config.yaml: is too large for what it should be");
	if (geteuid() == 0)
		return;
	write_file(home, "config.yaml", "view: code\n");
	assert_int_equal(chmod(path_of(home, "config.yaml"), 0), 0);
	check_no_file(home, "config.yaml: Permission denied");
}

static void many_faults_end_the_reading(void **state)
{
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;
	FILE *file = fopen(path_of(home, "config.yaml"), "w");
	size_t last;

	for (int i = 0; i < 20000; i++)
		fprintf(file, "w%d: x\n", i);
	fclose(file);
	tfp_config_init(&config);
	assert_true(tfp_config_read(&config, NULL, diag));
	last = tfp_diag_count(diag) - 1;
	assert_in_range(last, 10, 100);
	assert_non_null(strstr(problem(home, diag, last), "the rest is not read"));
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

/* ---- the command line --------------------------------------------------------------------------- */

struct started {
	char line[1400]; /* the words */
	struct tfp_diag *diag;
	struct tfp_command command;
	struct tfp_startup startup;
	bool made;
};

/* As tfprof begins with the words of LINE. */
static void start(struct started *started, const char *line)
{
	char *argv[16] = {NULL}, *rest;
	int count = 1;

	*started = (struct started){.diag = tfp_diag_new()};
	snprintf(started->line, sizeof(started->line), "%s", line);
	for (char *word = strtok_r(started->line, " ", &rest); word && count < 16;
	     word = strtok_r(NULL, " ", &rest))
		argv[count++] = word;
	assert_true(tfp_command_parse(&started->command, count, argv, started->diag));
	started->made = tfp_startup_make(&started->startup, &started->command, started->diag);
}

static void end(struct started *started)
{
	tfp_startup_free(&started->startup);
	tfp_command_free(&started->command);
	tfp_diag_free(started->diag);
}

static void the_command_line_wins(void **state)
{
	struct home *home = *state;
	struct started started;

	write_file(home, "config.yaml",
		   "view: op\ntheme: mono\noptions: {max_depth: 3, flat: true, step: 1}\n");
	start(&started,
	      "--theme=ascii --view=code --max_depth=5 --flat=false --min_bytes 9 file.pb");
	assert_true(started.made);
	assert_int_equal(tfp_diag_count(started.diag), 0);
	assert_string_equal(started.startup.query.view, "code");
	assert_int_equal(started.startup.query.max_depth, 5);
	assert_false(started.startup.query.flat);
	assert_int_equal(started.startup.query.step, 1);
	assert_int_equal(started.startup.query.minimums[0].value, 9);
	assert_true(started.startup.theme.ascii);
	/* A report, and what is saved, do not see each other's. */
	assert_int_equal(started.command.query.step, -1);
	assert_string_equal(option(&started.startup.config.now, "max_depth"), "3");
	end(&started);
	start(&started, "file.pb");
	assert_string_equal(started.startup.query.view, "op");
	assert_int_equal(started.startup.query.max_depth, 3);
	assert_true(started.startup.query.flat);
	end(&started);
	start(&started, "--no-config file.pb");
	assert_true(started.made);
	assert_null(started.startup.query.view);
	assert_int_equal(started.startup.query.max_depth, INT32_MAX);
	end(&started);
}

static void other_settings_replace_both_files(void **state)
{
	struct home *home = *state;
	struct started started;
	char line[1300];

	write_file(home, "config.yaml", "view: op\n");
	write_file(home, "saved.yaml", "view: code\n");
	write_file(home, "other.yaml", "theme: themes/own.yaml\noptions: {step: 1}\n");
	write_file(home, "themes/own.yaml", "glyphs: ascii\n");
	snprintf(line, sizeof(line), "--config=%s", path_of(home, "other.yaml"));
	start(&started, line);
	assert_true(started.made);
	assert_int_equal(tfp_diag_count(started.diag), 0);
	assert_null(started.startup.query.view);
	assert_int_equal(started.startup.query.step, 1);
	assert_true(started.startup.theme.ascii);
	assert_false(tfp_config_save(&started.startup.config, started.diag));
	end(&started);
}

static void what_is_named_must_be_there(void **state)
{
	static const struct {
		const char *line, *problem;
	} cases[] = {
		{"--config=/nonexistent/a.yaml",
		 "--config=/nonexistent/a.yaml: there is no such file"},
		{"--theme=lihgt", "--theme=lihgt: there is no such theme; did you mean light? ("},
		{"--theme=./no.yaml", "--theme=./no.yaml: there is no such theme; valid: ascii, "},
	};
	struct started started;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(&started, cases[i].line);
		assert_false(started.made);
		assert_int_equal(tfp_diag_errors(started.diag), 1);
		assert_memory_equal(problem(*state, started.diag, 0), cases[i].problem,
				    strlen(cases[i].problem));
		end(&started);
	}
}

static void printed_settings_are_settings(void **state)
{
	struct home *home = *state;
	struct started started, again;
	char line[1300], *text;
	size_t size;
	FILE *out;

	start(&started, "--view=op --theme=dark --hide_text=a:#b --select= --min_foo=3 --flat "
			"--show_name_regexes=.*x,y --zoom=\xff");
	out = open_memstream(&text, &size);
	tfp_settings_print(out, &started.startup.settings, "");
	fclose(out);
	assert_non_null(strstr(text, "\n# How the screen looks: "));
	assert_non_null(strstr(text, "\n  # zoom has a value that is not UTF-8"));
	write_file(home, "printed.yaml", text);
	free(text);
	snprintf(line, sizeof(line), "--config=%s", path_of(home, "printed.yaml"));
	start(&again, line);
	assert_int_equal(tfp_diag_count(again.diag), 0);
	assert_string_equal(again.startup.query.view, "op");
	assert_string_equal(again.startup.settings.texts[TFP_SETTING_THEME], "dark");
	assert_null(again.startup.query.zoom);
	tfp_settings_option(&started.startup.settings, "zoom", NULL);
	assert_int_equal(started.startup.settings.options.count,
			 again.startup.settings.options.count);
	for (size_t i = 0; i < again.startup.settings.options.count; i++) {
		const struct tfp_option_value *set = &again.startup.settings.options.at[i];

		assert_string_equal(option(&started.startup.settings, set->name), set->value);
	}
	end(&again);
	end(&started);
}

/* ---- saving ------------------------------------------------------------------------------------- */

static void what_differs_is_saved(void **state)
{
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config, again;
	const char *text;

	write_file(home, "config.yaml", "view: op\neditor: vi\noptions: {step: 1, flat: true}\n");
	tfp_config_init(&config);
	tfp_config_read(&config, NULL, diag);
	config.now.texts[TFP_SETTING_THEME] = "light";
	config.now.texts[TFP_SETTING_VIEW] = NULL;
	tfp_settings_option(&config.now, "flat", NULL);
	tfp_settings_option(&config.now, "min_bytes", "7");
	assert_true(tfp_config_save(&config, diag));
	text = read_file(home, "saved.yaml");
	assert_non_null(strstr(text, "\ntheme: light\nview: ~\noptions:\n"));
	assert_non_null(strstr(text, "\n  min_bytes: 7\n"));
	assert_non_null(strstr(text, "\n  flat: ~\n"));
	assert_null(strstr(text, "editor"));
	assert_null(strstr(text, "step"));
	tfp_config_init(&again);
	tfp_config_read(&again, NULL, diag);
	assert_int_equal(tfp_diag_count(diag), 0);
	assert_string_equal(again.now.texts[TFP_SETTING_THEME], "light");
	assert_null(again.now.texts[TFP_SETTING_VIEW]);
	assert_int_equal(again.now.options.count, config.now.options.count);
	assert_string_equal(read_file(home, "config.yaml"),
			    "view: op\neditor: vi\noptions: {step: 1, flat: true}\n");
	tfp_config_free(&again);
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static size_t count_files(struct home *home)
{
	char command[1300];
	FILE *list;
	size_t count = 0;

	snprintf(command, sizeof(command), "ls '%s'", path_of(home, ""));
	list = popen(command, "r");
	for (int c = getc(list); c != EOF; c = getc(list))
		count += c == '\n';
	pclose(list);
	return count;
}

static void saving_that_fails_leaves_the_file(void **state)
{
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct rlimit full = {16, 16}, old;
	struct tfp_config config;
	bool saved;

	write_file(home, "saved.yaml", "view: op\n");
	tfp_config_init(&config);
	tfp_config_read(&config, NULL, diag);
	config.now.texts[TFP_SETTING_EDITOR] = "vi";
	getrlimit(RLIMIT_FSIZE, &old);
	full.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &full);
	saved = tfp_config_save(&config, diag);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_DFL);
	assert_false(saved);
	assert_string_equal(problem(home, diag, 0), "saved.yaml: cannot be saved: File too large");
	assert_string_equal(read_file(home, "saved.yaml"), "view: op\n");
	assert_int_equal(count_files(home), 2); /* the folder of themes is the other */
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static void a_folder_in_the_way_is_an_error(void **state)
{
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;

	tfp_config_init(&config);
	tfp_config_read(&config, NULL, diag);
	assert_int_equal(mkdir(path_of(home, "saved.yaml"), 0700), 0);
	assert_false(tfp_config_save(&config, diag));
	assert_string_equal(problem(home, diag, 0),
			    "saved.yaml: cannot be saved: is not a regular file");
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

static void links_stay_and_folders_are_made(void **state)
{
	struct home *home = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_config config;
	struct stat info;
	char deep[1100];

	write_file(home, "elsewhere.yaml", "view: op\n");
	assert_int_equal(chmod(path_of(home, "elsewhere.yaml"), 0640), 0);
	assert_int_equal(symlink("elsewhere.yaml", path_of(home, "saved.yaml")), 0);
	tfp_config_init(&config);
	tfp_config_read(&config, NULL, diag);
	assert_true(tfp_config_save(&config, diag));
	assert_int_equal(lstat(path_of(home, "saved.yaml"), &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(stat(path_of(home, "elsewhere.yaml"), &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_non_null(strstr(read_file(home, "elsewhere.yaml"), "view: op\n"));
	tfp_config_free(&config);
	snprintf(deep, sizeof(deep), "%s/a/b/c", home->folder);
	setenv("XDG_CONFIG_HOME", deep, 1);
	tfp_config_init(&config);
	tfp_config_read(&config, NULL, diag);
	assert_true(tfp_config_save(&config, diag));
	snprintf(deep, sizeof(deep), "%s/a/b/c/tfprof/saved.yaml", home->folder);
	assert_int_equal(access(deep, R_OK), 0);
	tfp_config_free(&config);
	tfp_diag_free(diag);
}

/* ---- words -------------------------------------------------------------------------------------- */

static void near_words_are_proposed(void **state)
{
	static const char *const cases[][2] = {
		{"oder_by", "order_by"},
		{"Theme", "theme"},
		{"setp", "step"},
		{"xyzzy", NULL},
		{"", NULL},
		{"them", "theme"},
		{"thmee", "theme"},
		{"stop", "step"},
		{"bogus", NULL}, /* which is as near to "focus" as "scoop" is to "scope" */
		{"min_byte", "min_bytes"},
		{"a_word_that_is_longer_than_any_of_them_could_be", NULL},
	};
	const char *words[] = {"order_by", "theme", "step", "min_bytes", "max_depth", "focus"};
	struct tfp_words valid = {words, 6};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *best = tfp_nearest(cases[i][0], valid);

		if (!cases[i][1])
			assert_null(best);
		else
			assert_string_equal(best, cases[i][1]);
	}
}

#define HOME_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOME_TEST(no_files_no_settings),
		HOME_TEST(saved_settings_lie_over_the_others),
		HOME_TEST(faults_are_named_and_the_rest_counts),
		HOME_TEST(wrong_trees_are_one_line),
		HOME_TEST(what_is_no_file_is_not_opened),
		HOME_TEST(many_faults_end_the_reading),
		HOME_TEST(the_command_line_wins),
		HOME_TEST(other_settings_replace_both_files),
		HOME_TEST(what_is_named_must_be_there),
		HOME_TEST(printed_settings_are_settings),
		HOME_TEST(what_differs_is_saved),
		HOME_TEST(saving_that_fails_leaves_the_file),
		HOME_TEST(a_folder_in_the_way_is_an_error),
		HOME_TEST(links_stay_and_folders_are_made),
		cmocka_unit_test(near_words_are_proposed),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
