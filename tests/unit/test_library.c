/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtfprof.a as another program uses it: all public headers together and nothing else of ours, a file to a
 * report, a recording to strips.
 */
#include "tfprof/base.h"
#include "tfprof/breakdown.h"
#include "tfprof/codec.h"
#include "tfprof/columns.h"
#include "tfprof/hash.h"
#include "tfprof/json.h"
#include "tfprof/load.h"
#include "tfprof/lookup.h"
#include "tfprof/model.h"
#include "tfprof/near.h"
#include "tfprof/query.h"
#include "tfprof/report.h"
#include "tfprof/strips.h"
#include "tfprof/tensor.h"
#include "tfprof/trace.h"
#include "tfprof/view.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "test_path.h"

static struct tfp_engine *open_file(const char *name, struct tfp_diag *diag)
{
	char path[TEST_PATH];
	struct tfp_named_file file = {.path = test_path(path, "%s", name)};
	struct tfp_profile *profile = tfp_load(&file, 1, NULL, diag);

	assert_non_null(profile);
	return tfp_engine_new(profile);
}

static void a_file_becomes_a_report(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_engine *engine = open_file("data/tf/rnn/graph.pb.gz", diag);
	struct tfp_query query;
	struct tfp_tree *tree;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	tfp_query_init(&query);
	assert_true(tfp_query_set(&query, "select", "params", diag));
	query.view = "scope";
	tree = tfp_engine_run(engine, &query, NULL, diag);
	assert_non_null(tree);
	assert_true(tfp_report_text(out, NULL, tree, engine, false, NULL, diag));
	fclose(out);
	assert_non_null(strstr(text, "\nProfile:\nnode name | # parameters\n_TFProfRoot (--/"));
	free(text);
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_engine_free(engine);
	tfp_diag_free(diag);
}

static void a_recording_becomes_strips(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_engine *engine = open_file("data/gpu/torch_small.json.gz", diag);
	struct tfp_query query;
	struct tfp_tree *tree;
	struct tfp_piece piece;

	(void)state;
	tfp_query_init(&query);
	query.view = "time";
	tree = tfp_engine_run(engine, &query, NULL, diag);
	assert_non_null(tree);
	assert_non_null(tree->base->strips);
	piece = tfp_strips_piece(tree->base->strips, 0, INT64_MIN / 2, INT64_MAX / 2);
	assert_int_equal(piece.count, tree->base->strips->list.at[0].count);
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_engine_free(engine);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_becomes_a_report),
		cmocka_unit_test(a_recording_becomes_strips),
	};

	return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
