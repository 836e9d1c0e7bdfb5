/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines written and read back: the same sums. TensorFlow's graph timelines have one run for each
 * device and microsecond, so nodes of which a run gives way to another's have less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "test_path.h"
#include "tfprof/load.h"
#include "tfprof/report.h"

/* Files below DATA (tests) or DEMO; the run metadata comes last. */
static const struct net {
	const char *folder, *graph, *runs[2];
} nets[] = {
	{"data/tf/rnn", "graph.pb.gz", {"run_meta_0.pb.gz", "run_meta_1.pb.gz"}},
	{"data/tf/tiny", "graph.pb.gz", {"run_meta_0.pb.gz", NULL}},
	{"data/tf/worked", "graph.pbtxt", {"run_meta_0.pbtxt", NULL}},
	{"../data/demo", "graph.pb.gz", {"run_meta_0.pb.gz", "run_meta_2.pb.gz"}},
};

#define NETS (sizeof(nets) / sizeof(*nets))

static struct tfp_profile *load(struct tfp_words paths)
{
	struct tfp_named_file files[3] = {{0}};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;

	for (size_t i = 0; i < paths.count; i++)
		files[i] = (struct tfp_named_file){.path = paths.at[i], .role = TFP_ROLE_ANY};
	profile = tfp_load(files, paths.count, NULL, diag);
	assert_non_null(profile);
	assert_int_equal(tfp_diag_errors(diag), 0);
	tfp_diag_free(diag);
	return profile;
}

static struct tfp_engine *open_net(const struct net *net)
{
	const char *names[3] = {net->graph}, *paths[3];
	struct tfp_words words = {paths, 0};
	struct tfp_arena arena = {0};
	struct tfp_engine *engine;
	char path[TEST_PATH];

	memcpy(names + 1, net->runs, sizeof(net->runs));
	for (; words.count < 3 && names[words.count]; words.count++)
		paths[words.count] = tfp_arena_printf(
			&arena, "%s", test_path(path, "%s/%s", net->folder, names[words.count]));
	engine = tfp_engine_new(load(words));
	tfp_arena_free(&arena);
	return engine;
}

/* What the timeline of VIEW in step NUMBER is when it is read again. */
static struct tfp_profile *write_and_read(struct tfp_engine *engine, const char *view,
					  int64_t number, struct tfp_diag *diag)
{
	char path[] = P_tmpdir "/tfprof-timeline-XXXXXX";
	const char *paths[] = {path};
	struct tfp_output output = {.kind = tfp_output_find(tfp_span_of("timeline")),
				    .outfile = path,
				    .as_named = true};
	struct tfp_profile *back;
	struct tfp_query query;

	close(mkstemp(path));
	tfp_query_init(&query);
	query.view = view;
	query.step = number;
	query.max_depth = 100000;
	assert_true(tfp_output_make(engine, &query, &output, NULL, NULL, diag));
	back = load((struct tfp_words){paths, 1});
	unlink(path);
	tfp_query_free(&query);
	return back;
}

/* ---- what ran when ----------------------------------------------------------------------------- */

static int compare_execs(const void *left, const void *right)
{
	const struct tfp_exec *a = *(const struct tfp_exec *const *)left;
	const struct tfp_exec *b = *(const struct tfp_exec *const *)right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* By node: may a run of it have given way to another that began with it? */
static bool *find_contested(struct tfp_profile *profile, uint32_t step, struct tfp_diag *diag)
{
	bool *contested = tfp_alloc_zero(profile->nodes.count, sizeof(*contested));
	TFP_ARRAY(const struct tfp_exec *) execs = {0};

	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, NULL, diag));
	for (size_t i = 0; i < profile->execs.count; i++)
		if (profile->execs.at[i].step == step)
			*tfp_array_push(&execs) = &profile->execs.at[i];
	if (execs.count)
		qsort(execs.at, execs.count, sizeof(*execs.at), compare_execs);
	for (size_t i = 1; i < execs.count; i++)
		if (!compare_execs(&execs.at[i - 1], &execs.at[i]))
			contested[execs.at[i - 1]->node] = contested[execs.at[i]->node] = true;
	tfp_array_free(&execs);
	return contested;
}

/* Has NODE of PROFILE the same in BACK? */
static bool is_same(const struct tfp_profile *profile, uint32_t node, uint32_t step,
		    const struct tfp_profile *back)
{
	static const enum tfp_tf_metric sums[] = {TFP_TF_CPU_MICROS, TFP_TF_ACCELERATOR_MICROS,
						  TFP_TF_RUNS};
	int64_t values[TFP_MAX_METRICS] = {0}, again[TFP_MAX_METRICS] = {0};
	struct tfp_span name = tfp_strings_get(profile->strings, profile->nodes.name[node]);
	uint32_t found =
		tfp_profile_find_node(back, tfp_strings_find(back->strings, name.at, name.size));

	tfp_profile_values(profile, node, step, 0, values);
	if (found != TFP_NONE)
		tfp_profile_values(back, found, 0, 0, again);
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		if (values[sums[i]] != again[sums[i]])
			return false;
	return true;
}

static void runs_have_the_same_sums(void **state)
{
	(void)state;
	for (size_t i = 0; i < NETS; i++) {
		struct tfp_engine *engine = open_net(&nets[i]);
		struct tfp_profile *profile = tfp_engine_profile(engine);

		for (uint32_t step = 0; step < profile->steps.count; step++) {
			struct tfp_diag *diag = tfp_diag_new();
			bool *contested = find_contested(profile, step, diag);
			struct tfp_profile *back = write_and_read(
				engine, "graph", profile->steps.at[step].number, diag);

			for (uint32_t node = 0; node < profile->nodes.count; node++)
				if (profile->nodes.device[node] && !contested[node] &&
				    !is_same(profile, node, step, back))
					fail_msg("%s, step %u: %s", nets[i].folder, step,
						 tfp_strings_text(profile->strings,
								  profile->nodes.name[node]));
			free(contested);
			tfp_profile_free(back);
			tfp_diag_free(diag);
		}
		tfp_engine_free(engine);
	}
}

/* ---- flame graphs ------------------------------------------------------------------------------- */

static int64_t total_of(struct tfp_engine *engine, int64_t step)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;
	struct tfp_tree *tree;
	int64_t total;

	tfp_query_init(&query);
	query.view = "scope";
	query.step = step;
	tree = tfp_engine_run(engine, &query, NULL, diag);
	assert_non_null(tree);
	total = tfp_tree_total(tree, 0, TFP_TF_MICROS);
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_diag_free(diag);
	return total;
}

/* Of OP all that was measured of METRIC, in us. */
static int64_t time_of_type(const struct tfp_profile *profile, const char *op, uint32_t metric)
{
	int64_t sum = 0, values[TFP_MAX_METRICS];

	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		if (strcmp(tfp_strings_text(profile->strings, profile->nodes.op[node]), op) != 0)
			continue;
		tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
		sum += values[metric];
	}
	return profile->metrics[metric].unit == TFP_MICROS  ? sum
	       : profile->metrics[metric].unit == TFP_NANOS ? sum / 1000
							    : sum / 1000000;
}

/* The flame graph of a recording says of what the times are, and of which type each op is. */
static void flame_graphs_of_recordings_have_types(void **state)
{
	static const struct {
		const char *path, *op;
		enum tfp_tf_metric metric;
	} cases[] = {
		{"data/gpu/torch_small.json.gz", "aten::convolution_backward",
		 TFP_TF_ACCELERATOR_MICROS},
		{"data/gpu/jax_small.xplane.pb.gz", "custom fusion of dot",
		 TFP_TF_ACCELERATOR_MICROS},
		{"data/traces/torch_cpu.json.gz", "aten::t", TFP_TF_CPU_MICROS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char room[TEST_PATH];
		const char *path = test_path(room, "%s", cases[i].path);
		struct tfp_engine *engine = tfp_engine_new(load((struct tfp_words){&path, 1}));
		const struct tfp_profile *profile = tfp_engine_profile(engine);
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *back = write_and_read(engine, "scope", -1, diag);
		int64_t time = time_of_type(profile, cases[i].op, profile->default_metric);

		assert_int_equal(tfp_diag_count(diag), 0);
		assert_true(time > 40);
		assert_in_range(time_of_type(back, cases[i].op, cases[i].metric), time - time / 20,
				time + time / 20);
		assert_int_equal(time_of_type(back, "", TFP_TF_MICROS), 0);
		assert_null(tfp_view_find("op")->missing(back));
		tfp_profile_free(back);
		tfp_engine_free(engine);
		tfp_diag_free(diag);
	}
}

/* It has time on accelerators, though nobody knows when and on which: that is what advice lacks. */
static void sums_lack_when_ops_ran(void **state)
{
	char room[TEST_PATH];
	const char *path = test_path(room, "data/gpu/torch_small.json.gz");
	struct tfp_engine *engine = tfp_engine_new(load((struct tfp_words){&path, 1})), *back;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_advice advice = {0};

	(void)state;
	back = tfp_engine_new(write_and_read(engine, "scope", -1, diag));
	assert_true(tfp_engine_advise(back, false, &advice, NULL, diag));
	assert_string_equal(advice.list.at[0].text,
			    "skipped: needs when each op ran, and on which device: this has sums "
			    "of time on accelerators");
	tfp_advice_free(&advice);
	tfp_engine_free(back);
	tfp_engine_free(engine);
	tfp_diag_free(diag);
}

/* TensorFlow's does not: then no view is by types. */
static void flame_graphs_of_tensorflow_have_none(void **state)
{
	struct tfp_engine *engine = open_net(&nets[0]);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_engine *back = tfp_engine_new(write_and_read(engine, "scope", 0, diag));
	struct tfp_advice advice = {0};
	struct tfp_arena arena = {0};

	(void)state;
	assert_non_null(tfp_view_find("op")->missing(tfp_engine_profile(back)));
	assert_null(tfp_findings(tfp_engine_profile(back), &arena));
	assert_true(tfp_engine_advise(back, false, &advice, NULL, diag));
	for (size_t i = 0; i < advice.list.count; i++)
		if (strstr(advice.list.at[i].text, "op type"))
			fail_msg("%s", advice.list.at[i].text);
	tfp_advice_free(&advice);
	tfp_arena_free(&arena);
	tfp_engine_free(back);
	tfp_engine_free(engine);
	tfp_diag_free(diag);
}

static void flame_graphs_have_the_same_total(void **state)
{
	(void)state;
	for (size_t i = 0; i < NETS; i++) {
		struct tfp_engine *engine = open_net(&nets[i]);
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_engine *back = tfp_engine_new(write_and_read(engine, "scope", 0, diag));

		assert_int_equal(total_of(back, 0), total_of(engine, 0));
		tfp_engine_free(back);
		tfp_engine_free(engine);
		tfp_diag_free(diag);
	}
}

/* ---- runs that give way ------------------------------------------------------------------------- */

static void runs_that_give_way_are_counted(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_engine *engine = open_net(&nets[0]);
	struct tfp_profile *profile = tfp_engine_profile(engine), *back;

	(void)state;
	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, NULL, diag));
	for (size_t i = 0; i < profile->execs.count; i++)
		profile->execs.at[i].start = 1000 + (int64_t)i / 2;
	back = write_and_read(engine, "graph", 0, diag);
	assert_int_equal(tfp_diag_count(diag), 1);
	assert_non_null(strstr(tfp_diag_get(diag, 0).text, "same microsecond"));
	tfp_profile_free(back);
	tfp_engine_free(engine);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_have_the_same_sums),
		cmocka_unit_test(flame_graphs_have_the_same_total),
		cmocka_unit_test(flame_graphs_of_recordings_have_types),
		cmocka_unit_test(sums_lack_when_ops_ran),
		cmocka_unit_test(flame_graphs_of_tensorflow_have_none),
		cmocka_unit_test(runs_that_give_way_are_counted),
	};

	return cmocka_run_group_tests_name("timelines read back", tests, NULL, NULL);
}
