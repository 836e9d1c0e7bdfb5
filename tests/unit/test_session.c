/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several files, one profile: recognising them, their order, empty ones, and what does not go
 * together.
 */
#include "load_help.h"

#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST_FILES 8

struct world {
	char folder[4096];
	char *paths[MOST_FILES];
	struct tfp_named_file files[MOST_FILES];
	size_t count;
	struct tfp_diag *diag;
	struct tfp_profile *profile;
};

static int set_up(void **state)
{
	struct world *world = tfp_alloc_zero(1, sizeof(*world));
	const char *parent = getenv("TMPDIR");

	snprintf(world->folder, sizeof(world->folder), "%s/tfprof-session-XXXXXX",
		 parent ? parent : P_tmpdir);
	if (!mkdtemp(world->folder))
		return -1;
	world->diag = tfp_diag_new();
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	for (size_t i = 0; i < MOST_FILES && world->paths[i]; i++) {
		unlink(world->paths[i]);
		free(world->paths[i]);
	}
	rmdir(world->folder);
	tfp_profile_free(world->profile);
	tfp_diag_free(world->diag);
	tfp_array_release(world);
	return 0;
}

/* Writes a file and names it for the next load. */
static void add_file(struct world *world, enum tfp_role role, const char *name, const char *text)
{
	FILE *file;
	char *path;

	assert_true(asprintf(&path, "%s/%s", world->folder, name) > 0);
	world->paths[world->count] = path;
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	world->files[world->count++] = (struct tfp_named_file){.path = path, .role = role};
}

static bool load(struct world *world, struct tfp_job *job)
{
	world->profile = tfp_load(world->files, world->count, job, world->diag);
	return world->profile != NULL;
}

#define GRAPH "node { name: 'a' op: 'Add' } node { name: 'b' op: 'Mul' input: 'a' }"
#define LOG   "log_entries { name: 'a' float_ops: 7 } log_entries { name: 'c' float_ops: 9 }"
#define RUN(name, micros)                                                                          \
	"step_stats { dev_stats { device: '/cpu:0' node_stats { node_name: '" name                 \
	"' all_start_micros: 1 op_end_rel_micros: " #micros " } } }"
#define SAVED "nodes { key: 1 value { name: 'n' op: 'Op' } }"

static void order_on_the_command_line_does_not_matter(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "r0", RUN("c", 5));
	add_file(world, TFP_ROLE_ANY, "log", LOG);
	add_file(world, TFP_ROLE_ANY, "r1", RUN("a", 6));
	add_file(world, TFP_ROLE_ANY, "graph", GRAPH);
	assert_true(load(world, NULL));
	assert_int_equal(node_named(world->profile, "a"), 0);
	assert_int_equal(node_named(world->profile, "c"), 2);
	assert_int_equal(world->profile->nodes.float_ops[0], 7);
	assert_int_equal(world->profile->nodes.float_ops[2], 0);
	assert_int_equal(value_of(world->profile, "c", 0, 0, TFP_TF_MICROS), 5);
	assert_int_equal(value_of(world->profile, "a", 1, 0, TFP_TF_MICROS), 6);
	assert_string_equal(
		tfp_strings_text(world->profile->strings, world->profile->steps.at[1].label),
		world->paths[2]);
	assert_string_equal(world->profile->files.at[0].kind, "GraphDef");
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

static void empty_run_metadata_keeps_its_number(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "r0", RUN("a", 5));
	add_file(world, TFP_ROLE_RUN_META, "r1", "");
	add_file(world, TFP_ROLE_ANY, "r2", RUN("a", 6));
	assert_true(load(world, NULL));
	assert_int_equal(tfp_diag_count(world->diag), 0);
	assert_int_equal(world->profile->steps.count, 2);
	assert_int_equal(world->profile->steps.at[1].number, 2);
}

static void an_unnamed_empty_file_is_noted(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "r0", "");
	add_file(world, TFP_ROLE_ANY, "r1", RUN("a", 6));
	assert_true(load(world, NULL));
	assert_int_equal(problem_with(world->diag, "empty").severity, TFP_NOTE);
	assert_int_equal(world->profile->steps.at[0].number, 1);
}

static void an_empty_file_alone_is_an_error(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "r0", "");
	assert_false(load(world, NULL));
	assert_int_equal(problem_with(world->diag, "empty").severity, TFP_ERROR);
}

static void named_run_metadata_may_be_empty_and_alone(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_RUN_META, "r0", "");
	assert_true(load(world, NULL));
	assert_int_equal(world->profile->nodes.count, 0);
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

static void only_empty_files_are_an_error(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "r0", "");
	add_file(world, TFP_ROLE_ANY, "r1", "");
	assert_false(load(world, NULL));
	assert_int_equal(tfp_diag_errors(world->diag), 1);
}

static void two_of_a_kind_are_an_error(void **state)
{
	struct world *world = *state;
	struct tfp_problem problem;

	add_file(world, TFP_ROLE_ANY, "g0", GRAPH);
	add_file(world, TFP_ROLE_ANY, "r", RUN("a", 1));
	add_file(world, TFP_ROLE_GRAPH, "g1", GRAPH);
	assert_false(load(world, NULL));
	problem = problem_with(world->diag, "both");
	assert_int_equal(problem.severity, TFP_ERROR);
	assert_non_null(strstr(problem.text, world->paths[0]));
	assert_non_null(strstr(problem.text, world->paths[2]));
}

static void a_saved_profile_stands_alone(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "p", SAVED);
	add_file(world, TFP_ROLE_ANY, "g", GRAPH);
	assert_false(load(world, NULL));
	assert_non_null(strstr(problem_with(world->diag, "by itself").text, world->paths[0]));
	world->count = 1;
	assert_true(load(world, NULL));
	assert_int_equal(world->profile->nodes.count, 1);
}

static void an_unknown_file_is_one_line(void **state)
{
	struct world *world = *state;
	struct tfp_problem problem;

	add_file(world, TFP_ROLE_ANY, "letter", "Dear reader,\n");
	assert_false(load(world, NULL));
	assert_int_equal(tfp_diag_count(world->diag), 1);
	problem = tfp_diag_get(world->diag, 0);
	assert_int_equal(problem.severity, TFP_ERROR);
	assert_non_null(strstr(problem.text, "GraphDef"));
	assert_non_null(strstr(problem.text, "pprof"));
}

/* Bytes above 127 have become the sign for what cannot be shown. */
static void a_binary_file_taken_for_text_is_told(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "copied",
		 "\n\xef\xbf\xbd\xef\xbf\xbd\x06\x08\x02\x12\nname\xef\xbf\xbd\x01");
	assert_false(load(world, NULL));
	assert_int_equal(problem_with(world->diag, "took this file for text").count, 1);
}

static void a_missing_file_is_an_error(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_ANY, "g", GRAPH);
	world->files[world->count++] =
		(struct tfp_named_file){.path = "/no/such/file", .role = TFP_ROLE_ANY};
	assert_false(load(world, NULL));
	assert_int_equal(tfp_diag_errors(world->diag), 1);
}

static void a_role_forces_the_format(void **state)
{
	struct world *world = *state;

	add_file(world, TFP_ROLE_OP_LOG, "g", GRAPH);
	add_file(world, TFP_ROLE_ANY, "r", RUN("a", 1));
	assert_true(load(world, NULL));
	assert_int_equal(tfp_diag_errors(world->diag), 1);
	assert_false(world->profile->has_graph);
	assert_int_equal(world->profile->nodes.count, 1);
}

static void a_cancelled_job_gives_nothing(void **state)
{
	struct world *world = *state;
	struct tfp_job job = {.cancel = true};

	add_file(world, TFP_ROLE_ANY, "g", GRAPH);
	assert_false(load(world, &job));
	assert_int_equal(tfp_diag_errors(world->diag), 0);
}

static void progress_ends_at_the_total(void **state)
{
	struct world *world = *state;
	struct tfp_job job = {.cancel = false};

	add_file(world, TFP_ROLE_ANY, "g", GRAPH);
	add_file(world, TFP_ROLE_ANY, "r", RUN("a", 1));
	assert_true(load(world, &job));
	assert_true(job.total > 0);
	assert_true(job.done == job.total);
}

/* Every bundled file is known for what it is. */
static void files_are_recognised(void **state)
{
	static const struct {
		const char *path, *loader;
	} rows[] = {
		{"tiny/graph.pb.gz", "graphdef"},        {"tiny/graph.pbtxt.gz", "graphdef"},
		{"tiny/run_meta_0.pb.gz", "runmeta"},    {"tiny/op_log.pb.gz", "oplog"},
		{"tiny/profile.pb.gz", "profileproto"},  {"rnn/graph.pb.gz", "graphdef"},
		{"rnn/run_meta_0.pb.gz", "runmeta"},     {"rnn/run_meta_1.pb.gz", "runmeta"},
		{"rnn/op_log.pb.gz", "oplog"},           {"rnn/profile.pb.gz", "profileproto"},
		{"resnet32/graph.pbtxt.gz", "graphdef"}, {"resnet32/profile.pb.gz", "profileproto"},
		{"worked/run_meta_0.pbtxt", "runmeta"},  {"worked/op_log.pbtxt", "oplog"},
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct tfp_source *source = open_fixture(rows[i].path, world->diag);
		const struct tfp_loader *loader;

		assert_non_null(source);
		loader = tfp_recognise(source);
		assert_non_null(loader);
		assert_string_equal(loader->name, rows[i].loader);
		tfp_source_free(source);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(order_on_the_command_line_does_not_matter),
		TEST(empty_run_metadata_keeps_its_number),
		TEST(an_unnamed_empty_file_is_noted),
		TEST(an_empty_file_alone_is_an_error),
		TEST(named_run_metadata_may_be_empty_and_alone),
		TEST(only_empty_files_are_an_error),
		TEST(two_of_a_kind_are_an_error),
		TEST(a_saved_profile_stands_alone),
		TEST(an_unknown_file_is_one_line),
		TEST(a_binary_file_taken_for_text_is_told),
		TEST(a_missing_file_is_an_error),
		TEST(a_role_forces_the_format),
		TEST(a_cancelled_job_gives_nothing),
		TEST(progress_ends_at_the_total),
		TEST(files_are_recognised),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
