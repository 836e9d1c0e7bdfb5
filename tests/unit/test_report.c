/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of a small profile whose every number was worked out by hand, and where they are written to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/writer.h"
#include "tfprof/report.h"
#include "worked.h"

#define MAX_OPTIONS 5

static const struct {
	const char *view;
	const char *options[MAX_OPTIONS];
	const char *text; /* behind the line Profile: */
} cases[] = {
	{"scope",
	 {"select=bytes,float_ops,input_shapes,micros,occurrence,params", NULL},
	 "node name | # parameters | # float_ops | requested bytes | total execution time | accelerator execution time | cpu execution time | op count (run|defined) | input shapes\n"
	 "_TFProfRoot (--/15 params, --/4.80k flops, --/1.54KB, --/1.91ms, --/350us, --/1.56ms, --/6|--/13, )\n"
	 "  _retval_fc (0/0 params, 0/0 flops, 0B/0B, 0us/7us, 0us/0us, 0us/7us, 0/1|1/2, )\n"
	 "    _retval_fc/BiasAdd_0_0 (0/0 params, 0/0 flops, 0B/0B, 7us/7us, 0us/0us, 7us/7us, 1/1|1/1, )\n"
	 "  fc (0/15 params, 0/2.40k flops, 0B/1.54KB, 0us/1.77ms, 0us/250us, 0us/1.52ms, 0/4|1/6, )\n"
	 "    fc/BiasAdd (0/0 params, 0/0 flops, 0B/0B, 20us/20us, 0us/0us, 20us/20us, 1/1|1/1, 0:-1x3|1:3)\n"
	 "    fc/MatMul (0/0 params, 2.40k/2.40k flops, 1.28KB/1.28KB, 1.75ms/1.75ms, 250us/250us, 1.50ms/1.50ms, 1/1|1/1, 0:-1x4|1:4x3)\n"
	 "    fc/W (4x3, 12/12 params, 0/0 flops, 256B/256B, 2us/3us, 0us/0us, 2us/3us, 1/2|1/2, )\n"
	 "      fc/W/read (0/0 params, 0/0 flops, 0B/0B, 1us/1us, 0us/0us, 1us/1us, 1/1|1/1, 0:4x3)\n"
	 "    fc/b (3, 3/3 params, 0/0 flops, 0B/0B, 0us/0us, 0us/0us, 0us/0us, 0/0|1/1, )\n"
	 "  gradients (0/0 params, 0/2.40k flops, 0B/0B, 0us/130us, 0us/100us, 0us/30us, 0/1|1/4, )\n"
	 "    gradients/fc (0/0 params, 0/2.40k flops, 0B/0B, 0us/130us, 0us/100us, 0us/30us, 0/1|1/3, )\n"
	 "      gradients/fc/MatMul_grad (0/0 params, 0/2.40k flops, 0B/0B, 0us/130us, 0us/100us, 0us/30us, 0/1|1/2, )\n"
	 "        gradients/fc/MatMul_grad/MatMul (0/0 params, 2.40k/2.40k flops, 0B/0B, 130us/130us, 100us/100us, 30us/30us, 1/1|1/1, 0:-1x3|1:4x3)\n"
	 "  x (-1x4, 0/0 params, 0/0 flops, 0B/0B, 0us/0us, 0us/0us, 0us/0us, 0/0|1/1, )\n"},
	{"scope",
	 {"account_type_regexes=_trainable_variables", "order_by=params", "select=params", NULL},
	 "node name | # parameters\n"
	 "_TFProfRoot (--/15 params)\n"
	 "  fc (--/15 params)\n"
	 "    fc/W (4x3, 12/12 params)\n"
	 "    fc/b (3, 3/3 params)\n"},
	{"scope",
	 {"account_type_regexes=Identity", "select=micros,occurrence,params", NULL},
	 "node name | # parameters | total execution time | accelerator execution time | cpu execution time | op count (run|defined)\n"
	 "_TFProfRoot (--/12 params, --/3us, --/0us, --/3us, --/2|--/3)\n"
	 "  fc (--/12 params, --/3us, --/0us, --/3us, --/2|--/3)\n"
	 "    fc/W (4x3, --/12 params, --/3us, --/0us, --/3us, --/2|--/2)\n"
	 "      fc/W/read (0/0 params, 1us/1us, 0us/0us, 1us/1us, 1/1|1/1)\n"},
	{"scope",
	 {"show_name_regexes=.*MatMul.*", "account_displayed_op_only", "order_by=micros",
	  "select=micros,occurrence", NULL},
	 "node name | total execution time | accelerator execution time | cpu execution time | op count (run|defined)\n"
	 "_TFProfRoot (--/1.88ms, --/350us, --/1.53ms, --/2|--/4)\n"
	 "  fc/MatMul (1.75ms/1.75ms, 250us/250us, 1.50ms/1.50ms, 1/1|1/1)\n"
	 "  gradients/fc/MatMul_grad (0us/130us, 0us/100us, 0us/30us, 0/1|1/2)\n"
	 "    gradients/fc/MatMul_grad/MatMul (130us/130us, 100us/100us, 30us/30us, 1/1|1/1)\n"},
	{"graph",
	 {"max_depth=100", "select=micros,occurrence", NULL},
	 "node name | total execution time | accelerator execution time | cpu execution time | op count (run|defined)\n"
	 "_TFProfRoot (--/1.91ms, --/350us, --/1.56ms, --/6|--/8)\n"
	 "  _retval_fc/BiasAdd_0_0 (7us/7us, 0us/0us, 7us/7us, 1/1|1/1)\n"
	 "  gradients/fc/MatMul_grad/MatMul (130us/1.90ms, 100us/350us, 30us/1.55ms, 1/5|1/7)\n"
	 "    fc/BiasAdd (20us/1.77ms, 0us/250us, 20us/1.52ms, 1/4|1/6)\n"
	 "      fc/MatMul (1.75ms/1.75ms, 250us/250us, 1.50ms/1.50ms, 1/3|1/4)\n"
	 "        fc/W/read (1us/3us, 0us/0us, 1us/3us, 1/2|1/2)\n"
	 "          fc/W (2us/2us, 0us/0us, 2us/2us, 1/1|1/1)\n"
	 "        x (0us/0us, 0us/0us, 0us/0us, 0/0|1/1)\n"
	 "      fc/b (0us/0us, 0us/0us, 0us/0us, 0/0|1/1)\n"},
	{"graph",
	 {"max_depth=100", "account_type_regexes=MatMul,VariableV2", "select=micros,params", NULL},
	 "node name | # parameters | total execution time | accelerator execution time | cpu execution time\n"
	 "_TFProfRoot (--/15 params, --/1.88ms, --/350us, --/1.53ms)\n"
	 "  gradients/fc/MatMul_grad/MatMul (0/15 params, 130us/1.88ms, 100us/350us, 30us/1.53ms)\n"
	 "    fc/MatMul (0/12 params, 1.75ms/1.75ms, 250us/250us, 1.50ms/1.50ms)\n"
	 "      fc/W (4x3, 12/12 params, 2us/2us, 0us/0us, 2us/2us)\n"
	 "    fc/b (3, 3/3 params, 0us/0us, 0us/0us, 0us/0us)\n"},
	{"op",
	 {"order_by=micros", "select=bytes,micros,occurrence", NULL},
	 "node name | requested bytes | total execution time | accelerator execution time | cpu execution time | op occurrence (run|defined)\n"
	 "MatMul                         1.28KB (100.00%, 83.33%),       1.88ms (100.00%, 98.43%),       350us (100.00%, 100.00%),       1.53ms (100.00%, 98.08%),        2|2\n"
	 "BiasAdd                               0B (0.00%, 0.00%),            20us (1.57%, 1.05%),             0us (0.00%, 0.00%),            20us (1.92%, 1.28%),        1|1\n"
	 "_retval_fc/BiasAdd_0_0                0B (0.00%, 0.00%),             7us (0.52%, 0.37%),             0us (0.00%, 0.00%),             7us (0.64%, 0.45%),        1|1\n"
	 "VariableV2                        256B (16.67%, 16.67%),             2us (0.16%, 0.10%),             0us (0.00%, 0.00%),             2us (0.19%, 0.13%),        1|2\n"
	 "Identity                              0B (0.00%, 0.00%),             1us (0.05%, 0.05%),             0us (0.00%, 0.00%),             1us (0.06%, 0.06%),        1|1\n"
	 "Placeholder                           0B (0.00%, 0.00%),             0us (0.00%, 0.00%),             0us (0.00%, 0.00%),             0us (0.00%, 0.00%),        0|1\n"},
	{"op",
	 {"order_by=micros", "account_type_regexes=MatMul,BiasAdd",
	  "select=input_shapes,micros,occurrence", NULL},
	 "node name | total execution time | accelerator execution time | cpu execution time | op occurrence (run|defined) | input shapes\n"
	 "MatMul                         1.88ms (100.00%, 98.95%),       350us (100.00%, 100.00%),       1.53ms (100.00%, 98.71%),        2|2\n"
	 "\n"
	 "input_type: 0:-1x3,\t1:4x3\t(run*1|defined*1)\texec_time: 130us\n"
	 "input_type: 0:-1x4,\t1:4x3\t(run*1|defined*1)\texec_time: 1.75ms\n"
	 "\n"
	 "BiasAdd                             20us (1.05%, 1.05%),             0us (0.00%, 0.00%),            20us (1.29%, 1.29%),        1|1\n"
	 "\n"
	 "input_type: 0:-1x3,\t1:3\t(run*1|defined*1)\texec_time: 20us\n"
	 "\n"},
	{"code",
	 {"order_by=micros", "select=float_ops,micros,occurrence,params", NULL},
	 "node name | total execution time | accelerator execution time | cpu execution time | # parameters | # float_ops | op occurrence (run|defined)\n"
	 "_TFProfRoot (--/1.90ms, --/350us, --/1.55ms, --/15 params, --/4.80k flops, occurrence N/A in code view)\n"
	 "  train.py:10:main (0us/1.77ms, 0us/250us, 0us/1.52ms, 0/15 params, 0/2.40k flops, occurrence N/A in code view)\n"
	 "    dense.py:23:fully_connected_l... (1.75ms/1.75ms, 250us/250us, 1.50ms/1.50ms, 0/0 params, 2.40k/2.40k flops, occurrence N/A in code view)\n"
	 "    dense.py:24:fully_connected_l... (20us/20us, 0us/0us, 20us/20us, 0/0 params, 0/0 flops, occurrence N/A in code view)\n"
	 "    dense.py:21:fully_connected_l... (3us/3us, 0us/0us, 3us/3us, 12/12 params, 0/0 flops, occurrence N/A in code view)\n"
	 "    dense.py:22:fully_connected_l... (0us/0us, 0us/0us, 0us/0us, 3/3 params, 0/0 flops, occurrence N/A in code view)\n"
	 "  train.py:10:main (gradient) (0us/130us, 0us/100us, 0us/30us, 0/0 params, 0/2.40k flops, occurrence N/A in code view)\n"
	 "    dense.py:23:fully_connected_l... (gradient) (130us/130us, 100us/100us, 30us/30us, 0/0 params, 2.40k/2.40k flops, occurrence N/A in code view)\n"
	 "  train.py:8:main (0us/0us, 0us/0us, 0us/0us, 0/0 params, 0/0 flops, occurrence N/A in code view)\n"},
	{"code",
	 {"account_type_regexes=_trainable_variables", "select=device,op_types,params", NULL},
	 "node name | # parameters | assigned devices | op types\n"
	 "_TFProfRoot (--/15 params, )\n"
	 "  train.py:10:main (--/15 params, )\n"
	 "    dense.py:21:fully_connected_l... (12/12 params, /job:localhost/replica:0/task:0/device:gpu:0, /job:localhost/replica:0/task:0/device:gpu:0|VariableV2|_trainable_variables)\n"
	 "    dense.py:22:fully_connected_l... (3/3 params, , VariableV2|_trainable_variables)\n"},
};

/* The report of the world's tree; the caller frees it. */
static char *report(struct worked_world *world, bool safe)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(
		tfp_report_text(out, NULL, world->tree, world->engine, safe, NULL, world->diag));
	fclose(out);
	return text;
}

static const char *behind_profile(const char *text)
{
	const char *at = strstr(text, "\nProfile:\n");

	assert_non_null(at);
	return at + strlen("\nProfile:\n");
}

static void reports_equal_the_worked_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;
		char *text;

		worked_begin(&world, worked_profile(1));
		assert_non_null(worked_ask(&world, cases[i].view, cases[i].options));
		text = report(&world, false);
		assert_string_equal(behind_profile(text), cases[i].text);
		free(text);
		worked_end(&world);
	}
}

static void prefix_has_a_line_for_each_column(void **state)
{
	struct worked_world world;
	char *text;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "graph", "select=params,device,params");
	text = report(&world, false);
	assert_int_equal(strncmp(text, "\nDoc:\ngraph: ", 13), 0);
	assert_true(strstr(text, "\ndevice: ") < strstr(text, "\nparam: "));
	free(text);
	WORKED_ASK(&world, "scope", "select=");
	text = report(&world, false);
	assert_non_null(strstr(text, "\n\n\nProfile:\nnode name | \n_TFProfRoot ()\n"));
	free(text);
	tfp_engine_profile(world.engine)->missing_stream = true;
	text = report(&world, false);
	assert_int_equal(strncmp(text, "\n\nAn accelerator", 16), 0);
	free(text);
	worked_end(&world);
}

static void empty_op_view_is_its_root(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct worked_world world;
	char *text;

	(void)state;
	tfp_profile_make_tensorflow(profile);
	tfp_profile_finish(profile);
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "op", "select=occurrence,params"));
	text = report(&world, false);
	assert_string_equal(
		behind_profile(text),
		"_TFProfRoot                     0 params (0.00%, 0.00%),        0|0\n");
	free(text);
	worked_end(&world);
}

static void names_are_made_safe_when_asked(void **state)
{
	struct tfp_profile *profile = worked_profile(1);
	struct worked_world world;
	char *text;

	(void)state;
	tfp_profile_add_node(profile, worked_string(profile, "evil\033[2J"),
			     worked_string(profile, "x"));
	worked_begin(&world, profile);
	worked_ask(&world, "scope", NULL);
	text = report(&world, false);
	assert_non_null(strchr(text, '\033'));
	free(text);
	text = report(&world, true);
	assert_null(strchr(text, '\033'));
	free(text);
	worked_end(&world);
}

/* What became less is written as what became more is, not in the smallest unit. */
static void differences_have_units(void **state)
{
	struct worked_world world;
	char *text;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(worked_ask(
		&world, "scope",
		(const char *const[]){"select=micros", "step=0", "baseline=step:1", NULL}));
	text = report(&world, false);
	assert_non_null(strstr(text, "-1.50ms"));
	free(text);
	worked_end(&world);
}

static void failure_to_write_is_an_error(void **state)
{
	struct worked_world world;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	setbuf(full, NULL);
	worked_begin(&world, worked_profile(1));
	worked_ask(&world, "scope", NULL);
	assert_false(
		tfp_report_text(full, NULL, world.tree, world.engine, false, NULL, world.diag));
	assert_int_equal(tfp_diag_errors(world.diag), 1);
	worked_end(&world);
	fclose(full);
}

static void writer_passes_everything_on(void **state)
{
	struct tfp_writer *writer = tfp_alloc_zero(1, sizeof(*writer));
	char *text = NULL, *large = tfp_alloc(3 * TFP_WRITER_ROOM);
	size_t size = 0, wanted = 0;

	(void)state;
	memset(large, 'x', 3 * TFP_WRITER_ROOM);
	writer->out = open_memstream(&text, &size);
	for (size_t piece = 1; piece <= 3 * TFP_WRITER_ROOM; piece = piece * 3 + 1) {
		tfp_write(writer, large, piece);
		tfp_write_spaces(writer, piece % 200);
		wanted += piece + piece % 200;
	}
	tfp_writer_flush(writer);
	fclose(writer->out);
	assert_int_equal(size, wanted);
	assert_int_equal(writer->error, 0);
	free(text);
	free(large);
	free(writer);
}

/* ---- output ------------------------------------------------------------------------------------- */

static void outputs_are_parsed(void **state)
{
	static const struct {
		const char *text, *type, *outfile; /* type NULL: an error */
	} outputs[] = {
		{"", "stdout", ""},
		{"none", "none", ""},
		{"stdout:", "stdout", ""},
		{"file:outfile=a", "file", "a"},
		{"file:,outfile=a:b,", "file", "a:b"},
		{"file:outfile=a==b=", "file", "a=b"},
		{"file:=outfile=a", "file", "a"},
		{"file", NULL, NULL},
		{"file:outfile", NULL, NULL},
		{"file:outfile=", NULL, NULL},
		{"file:path=a", NULL, NULL},
		{"none:outfile=a", NULL, NULL},
		{"timeline:outfile=a", "timeline", "a"},
		{"csv:outfile=a", "csv", "a"},
		{"csv", "csv", "-"},
		{"paper", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		struct tfp_arena arena = {0};
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_output output;
		bool parsed = tfp_output_parse(outputs[i].text, &output, &arena, diag);

		assert_int_equal(parsed, outputs[i].type != NULL);
		assert_int_equal(tfp_diag_errors(diag), !parsed);
		if (parsed) {
			assert_string_equal(output.kind->type, outputs[i].type);
			assert_string_equal(output.outfile, outputs[i].outfile);
		}
		tfp_diag_free(diag);
		tfp_arena_free(&arena);
	}
}

static void kinds_are_known_by_suffix(void **state)
{
	static const struct {
		const char *path, *type; /* NULL: none */
	} endings[] = {
		{"a/b.c/x.CSV", "csv"},  {"x.json", "json"},   {"x.md", "md"},
		{"x.markdown", "md"},    {"x.txt", "txt"},     {"x.trace.json", "timeline"},
		{"x.trace", "timeline"}, {"x.pprof", "pprof"}, {"x.pb.gz", "pprof"},
		{"x.report", "file"},    {"x", NULL},          {"x.xls", NULL},
		{"csv", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		const struct tfp_output_kind *kind = tfp_output_of_path(endings[i].path);

		if (endings[i].type)
			assert_string_equal(kind ? kind->type : "", endings[i].type);
		else
			assert_null(kind);
	}
}

/* The names of a timeline's files with blanks between. */
static void expect_paths_of(const char *outfile, const char *view, int64_t step, bool as_named,
			    const char *wanted)
{
	const char *steps[] = {"0", "7"};
	struct tfp_output output = {.kind = tfp_output_find(tfp_span_of("timeline")),
				    .outfile = outfile,
				    .as_named = as_named};
	struct tfp_query query = {.view = view, .step = step};
	struct tfp_arena arena = {0};
	struct tfp_words paths =
		tfp_output_paths(&output, &query, (struct tfp_words){steps, 2}, &arena);
	char *text = tfp_arena_text(&arena, "", 0);

	for (size_t i = 0; i < paths.count; i++)
		text = tfp_arena_printf(&arena, "%s%s%s", text, i ? " " : "", paths.at[i]);
	assert_string_equal(text, wanted);
	tfp_arena_free(&arena);
}

static void expect_paths(const char *view, int64_t step, bool as_named, const char *wanted)
{
	expect_paths_of("a.b/t.trace.json", view, step, as_named, wanted);
}

/* What is behind the end of a name is none of its business. */
static void timelines_in_a_folder_have_no_ending(void **state)
{
	static const char folder[] = "t/\0a.b";

	(void)state;
	expect_paths_of(folder, "graph", -1, true, "t/_0 t/_7");
}

static void timelines_name_their_steps(void **state)
{
	(void)state;
	expect_paths("scope", -1, false, "a.b/t.trace.json_-1");
	expect_paths("scope", 7, true, "a.b/t.trace.json");
	expect_paths("graph", -1, false, "a.b/t.trace.json_0 a.b/t.trace.json_7");
	expect_paths("graph", -1, true, "a.b/t_0.trace.json a.b/t_7.trace.json");
	expect_paths("graph", 7, true, "a.b/t.trace.json");
}

static void expect_content(const char *path, const char *content)
{
	char text[64];
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, content);
}

static void write_file(const char *path, const char *content, bool commit)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_out_file *file = tfp_output_open(path, diag);

	assert_non_null(file);
	fputs(content, tfp_output_stream(file));
	assert_true(tfp_output_close(file, commit, diag));
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_diag_free(diag);
}

static void files_are_replaced_whole_or_not_at_all(void **state)
{
	char folder[] = P_tmpdir "/tfprof-report-XXXXXX", path[64], link[64];
	struct tfp_diag *diag = tfp_diag_new();
	struct stat status;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/report", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	write_file(path, "one", true);
	expect_content(path, "one");
	assert_int_equal(chmod(path, 0640), 0);
	write_file(path, "two", false);
	expect_content(path, "one");
	write_file(path, "three", true);
	expect_content(path, "three");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
	assert_int_equal(symlink(path, link), 0);
	write_file(link, "four", true);
	expect_content(path, "four");
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	write_file("/dev/null", "five", true);
	unlink(link);
	unlink(path);
	/* Nothing else is left behind. */
	assert_int_equal(rmdir(folder), 0);
	assert_null(tfp_output_open(path, diag));
	assert_int_equal(tfp_diag_errors(diag), 1);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_equal_the_worked_examples),
		cmocka_unit_test(prefix_has_a_line_for_each_column),
		cmocka_unit_test(empty_op_view_is_its_root),
		cmocka_unit_test(names_are_made_safe_when_asked),
		cmocka_unit_test(differences_have_units),
		cmocka_unit_test(failure_to_write_is_an_error),
		cmocka_unit_test(writer_passes_everything_on),
		cmocka_unit_test(outputs_are_parsed),
		cmocka_unit_test(kinds_are_known_by_suffix),
		cmocka_unit_test(timelines_name_their_steps),
		cmocka_unit_test(timelines_in_a_folder_have_no_ending),
		cmocka_unit_test(files_are_replaced_whole_or_not_at_all),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
