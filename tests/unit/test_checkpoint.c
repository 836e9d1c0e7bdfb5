/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoints that TensorFlow wrote: each listing, type, shape, value and statistic against what
 * TensorFlow read from it; and damaged ones, of which all that can be read must be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sha256.h"
#include "test_path.h"
#include "tfprof/breakdown.h"
#include "tfprof/load.h"

#define MOST_FIELDS 16
#define PIECE       7 /* elements that are read at a time: pieces that no slice has */

static struct tfp_arena arena;
static struct tfp_diag *diag;
static struct tfp_profile *profile;
static char *profile_path;

static char *data_path(const char *name)
{
	char path[TEST_PATH];

	return tfp_arena_printf(&arena, "%s", test_path(path, "data/ckpt/%s", name));
}

/* Opens PATH, unless it is what is open. */
static void open_path(const char *path)
{
	struct tfp_named_file file = {.path = path, .role = TFP_ROLE_CHECKPOINT};

	if (profile_path && !strcmp(path, profile_path))
		return;
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	diag = tfp_diag_new();
	profile_path = tfp_arena_printf(&arena, "%s", path);
	profile = tfp_load(&file, 1, NULL, diag);
}

static int close_all(void **state)
{
	(void)state;
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
	profile = NULL;
	diag = NULL;
	profile_path = NULL;
	return 0;
}

/* Fields of a line of a table; names have \xHH for what can't be printed. */
static size_t split(char *line, char *fields[MOST_FIELDS])
{
	size_t count = 0;

	line[strcspn(line, "\n")] = '\0';
	while (count < MOST_FIELDS && (fields[count] = strsep(&line, "\t")))
		count++;
	return count;
}

static tfp_str find_name(const char *escaped)
{
	char *name = tfp_arena_printf(&arena, "%s", escaped), *to = name;
	unsigned byte;

	for (const char *at = escaped; *at;) {
		if (sscanf(at, "\\x%2x", &byte) == 1) {
			*to++ = (char)(uint8_t)byte;
			at += 4;
		} else {
			*to++ = *at++;
		}
	}
	return tfp_strings_find(profile->strings, name, (size_t)(to - name));
}

static void for_each_line(const char *table, void (*check)(char *fields[MOST_FIELDS]))
{
	FILE *file = fopen(data_path(table), "r");
	char *fields[MOST_FIELDS], *line = NULL;
	size_t room = 0;

	assert_non_null(file);
	assert_true(getline(&line, &room, file) > 0);
	while (getline(&line, &room, file) > 0) {
		split(line, fields);
		check(fields);
	}
	free(line);
	fclose(file);
}

/* ---- values ----------------------------------------------------------------------------------- */

static void add_strings(struct sha256 *sum, const struct tfp_elements *elements)
{
	for (size_t i = 0; i < elements->count; i++) {
		const struct tfp_string *text = &elements->texts.at[i];

		assert_int_equal(text->size, text->length);
		sha256_add(sum, &text->length, sizeof(text->length));
		sha256_add(sum, elements->bytes.at + text->at, text->size);
	}
}

/* The sum over all values of TENSOR, read in pieces; "" if they can't be read. */
static void sum_values(uint32_t tensor, char text[65])
{
	struct tfp_values *values = tfp_values_open(profile, tensor, NULL, diag);
	struct tfp_elements elements = {0};
	struct sha256 sum = sha256_start();
	bool good = values != NULL;

	*text = '\0';
	for (uint64_t first = 0; good && first < profile->tensors.at[tensor].elements;
	     first += PIECE) {
		good = tfp_values_read(values, first, PIECE, &elements, NULL, diag);
		if (good && tfp_values_dtype(values)->element == TFP_ELEMENT_STRING)
			add_strings(&sum, &elements);
		else if (good)
			sha256_add(&sum, elements.bytes.at, elements.bytes.count);
	}
	if (good && tfp_values_check(values, NULL, diag))
		sha256_end(&sum, text);
	tfp_elements_free(&elements);
	tfp_values_close(values);
}

/* Any element alone equals the same one in a piece. */
static void check_single(uint32_t tensor)
{
	uint64_t count = profile->tensors.at[tensor].elements;
	struct tfp_values *values = tfp_values_open(profile, tensor, NULL, diag);
	struct tfp_elements all = {0}, one = {0};
	size_t size;

	assert_non_null(values);
	size = tfp_values_dtype(values)->size;
	assert_true(tfp_values_read(values, 0, count, &all, NULL, diag));
	for (uint64_t i = count > 40 ? 40 : count; i-- > 0;) {
		assert_true(tfp_values_read(values, i, 1, &one, NULL, diag));
		assert_int_equal(one.count, 1);
		if (size)
			assert_memory_equal(one.bytes.at, all.bytes.at + i * size, size);
		else if (one.texts.at[0].size)
			assert_memory_equal(one.bytes.at, all.bytes.at + all.texts.at[i].at,
					    one.texts.at[0].size);
	}
	tfp_elements_free(&all);
	tfp_elements_free(&one);
	tfp_values_close(values);
}

/* ---- statistics ------------------------------------------------------------------------------- */

static void expect_close(double value, const char *text)
{
	double wanted = strtod(text, NULL);

	assert_true(fabs(value - wanted) <= 1e-12 * fabs(wanted));
}

static void expect_scalar(struct tfp_scalar scalar, const char *text)
{
	if (scalar.element == TFP_ELEMENT_SIGNED)
		assert_true(scalar.whole == strtoll(text, NULL, 10));
	else if (scalar.element == TFP_ELEMENT_UNSIGNED)
		assert_true(scalar.natural == strtoull(text, NULL, 10));
	else
		assert_true(scalar.real == strtod(text, NULL));
}

/* Bars hold all finite values, and none lies outside of the least and the most. */
static void expect_histogram(const struct tfp_measures *measures, double least, double most)
{
	const struct tfp_histogram *histogram = &measures->histogram;
	uint64_t sum = 0;

	for (size_t i = 0; i < histogram->count; i++)
		sum += histogram->bars[i];
	assert_true(sum == measures->finite);
	assert_true((double)histogram->first * histogram->width <= least);
	assert_true(((double)histogram->first + (double)histogram->count) * histogram->width >
		    most);
	assert_true(histogram->bars[0] && histogram->bars[histogram->count - 1]);
}

enum { FOLDER, PATH, NAME, DTYPE, SHAPE, SLICES, ELEMENTS, SHA, NANS, INFS, ZEROS, MIN, MAX, MEAN };

static void check_measures(uint32_t tensor, char *fields[MOST_FIELDS])
{
	struct tfp_values *values = tfp_values_open(profile, tensor, NULL, diag);
	struct tfp_measures measures;

	assert_non_null(values);
	assert_true(tfp_values_measure(values, &measures, NULL, diag));
	assert_true(measures.right);
	tfp_values_close(values);
	assert_true(measures.elements == strtoull(fields[ELEMENTS], NULL, 10));
	if (fields[NANS][0] == '-')
		return;
	assert_true(measures.nan == strtoull(fields[NANS], NULL, 10));
	assert_true(measures.infinite == strtoull(fields[INFS], NULL, 10));
	assert_true(measures.zeros == strtoull(fields[ZEROS], NULL, 10));
	if (!measures.finite)
		return;
	expect_close(measures.mean.real, fields[MEAN]);
	if (measures.mean.element == TFP_ELEMENT_COMPLEX) {
		expect_close(measures.mean.imaginary, strchr(fields[MEAN], ',') + 1);
		return;
	}
	expect_scalar(measures.min, fields[MIN]);
	expect_scalar(measures.max, fields[MAX]);
	expect_histogram(&measures, strtod(fields[MIN], NULL), strtod(fields[MAX], NULL));
}

/* ---- good files ------------------------------------------------------------------------------- */

static void shape_text(uint32_t shape, char *text, size_t room)
{
	uint32_t first = profile->shape_first.at[shape], end = profile->shape_first.at[shape + 1];
	size_t used = 0;

	snprintf(text, room, "-");
	for (uint32_t i = first; i < end; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%lld", i > first ? "," : "",
					 (long long)profile->dims.at[i]);
}

static void check_line(char *fields[MOST_FIELDS])
{
	const struct tfp_tensor *tensor;
	char text[1024];
	uint32_t index;

	open_path(data_path(tfp_arena_printf(&arena, "%s/%s", fields[FOLDER], fields[PATH])));
	assert_non_null(profile);
	assert_int_equal(tfp_diag_count(diag), 0);
	index = tfp_profile_find_tensor(profile, find_name(fields[NAME]));
	assert_int_not_equal(index, TFP_NONE);
	tensor = &profile->tensors.at[index];
	assert_null(tensor->fault);
	assert_string_equal(tfp_dtype_of(tensor->dtype)->name, fields[DTYPE]);
	shape_text(tensor->shape, text, sizeof(text));
	assert_string_equal(text, fields[SHAPE]);
	assert_int_equal(tensor->slices, strtoul(fields[SLICES], NULL, 10));

	sum_values(index, text);
	if (fields[SHA][0] == '-')
		assert_int_equal(strlen(text), 64);
	else
		assert_string_equal(text, fields[SHA]);
	check_single(index);
	if (fields[SHA][0] != '-')
		check_measures(index, fields);
	assert_int_equal(tfp_diag_count(diag), 0);
}

static void test_values(void **state)
{
	(void)state;
	for_each_line("values.tsv", check_line);
}

/* A line for each of 6400 variables, by name. */
static void test_many(void **state)
{
	struct sha256 sum = sha256_start();
	char text[65], *line;

	(void)state;
	open_path(data_path("v2_manykeys/model.ckpt"));
	assert_int_equal(profile->tensors.count, 6400);
	for (uint32_t i = 0; i < 6400; i++) {
		const struct tfp_tensor *tensor = &profile->tensors.at[i];

		sum_values(i, text);
		line = tfp_arena_printf(&arena, "%s\t%s\t\t%s\n",
					tfp_strings_text(profile->strings, tensor->name),
					tfp_dtype_of(tensor->dtype)->name, text);
		sha256_add(&sum, line, strlen(line));
	}
	sha256_end(&sum, text);
	assert_string_equal(text,
			    "d118f199d69f924575292bd643f4352857e559720ea1c905cf6c794059aad135");
}

static uint64_t bytes_of(const char *path, const char *name)
{
	open_path(data_path(path));
	return profile->tensors.at[tfp_profile_find_tensor(profile, find_name(name))].bytes;
}

/* As they are stored, with what tells their lengths. */
static void test_text_bytes(void **state)
{
	(void)state;
	assert_int_equal(bytes_of("v1_types/model.ckpt", "stage_3/embed86/string"), 30);
	assert_int_equal(bytes_of("v2_partitioned/model.ckpt", "block_5/conv4/words"), 14);
}

/* ---- damaged files ---------------------------------------------------------------------------- */

static void check_damaged(char *fields[MOST_FIELDS])
{
	char text[65];
	uint32_t index;

	open_path(data_path(tfp_arena_printf(&arena, "damaged/%s/%s", fields[0], fields[1])));
	if (!profile)
		assert_true(tfp_diag_errors(diag) > 0);
	if (fields[2][0] == '-')
		return;
	assert_non_null(profile);
	index = tfp_profile_find_tensor(profile, find_name(fields[2]));
	assert_int_not_equal(index, TFP_NONE);
	sum_values(index, text);
	if (strcmp(fields[3], text) != 0)
		print_message("%s %s\n", fields[0], fields[2]);
	assert_string_equal(text, fields[3]);
}

static void test_damaged(void **state)
{
	(void)state;
	for_each_line("damaged.tsv", check_damaged);
}

/* A table without a variable that can be read is a checkpoint, but an empty one, of which is said why. */
static void test_empty(void **state)
{
	static const char *const cases[] = {"index_empty_table", "v1_no_header", "snappy_garbage"};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		open_path(data_path(tfp_arena_printf(&arena, "damaged/%s/model.ckpt", cases[i])));
		assert_non_null(profile);
		assert_int_equal(profile->tensors.count, 0);
		assert_int_equal(tfp_diag_count(diag), 1);
	}
	open_path(data_path("damaged/index_is_lfs/model.ckpt"));
	assert_null(profile);
}

/* ---- finding ---------------------------------------------------------------------------------- */

static char *folder; /* where the checkpoints of the tests below are linked into */

/* A link called NAME in the folder to the fixture TARGET. */
static void link_file(const char *target, const char *name)
{
	char *path = realpath(data_path(target), NULL);

	assert_non_null(path);
	assert_int_equal(symlink(path, tfp_arena_printf(&arena, "%s/%s", folder, name)), 0);
	free(path);
}

static void write_state(const char *text)
{
	FILE *file = fopen(tfp_arena_printf(&arena, "%s/checkpoint", folder), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* How many variables the checkpoint has that PATH below the folder names. */
static size_t variables_of(const char *path)
{
	open_path(tfp_arena_printf(&arena, "%s/%s", folder, path));
	return profile ? profile->tensors.count : 0;
}

static void test_finding(void **state)
{
	static const char *const names[] = {"a-1.index", "a-1.data-00000-of-00001",
					    "a-2.index", "a-2.data-00000-of-00001",
					    "old",       "checkpoint"};

	(void)state;
	folder = tfp_arena_printf(&arena, "/tmp/checkpoint-XXXXXX");
	assert_non_null(mkdtemp(folder));
	link_file("v2_basic/model.ckpt.index", "a-1.index");
	link_file("v2_basic/model.ckpt.data-00000-of-00001", "a-1.data-00000-of-00001");
	link_file("damaged/good/model.ckpt.index", "a-2.index");
	link_file("damaged/good/model.ckpt.data-00000-of-00001", "a-2.data-00000-of-00001");
	link_file("v1_types/model.ckpt", "old");
	assert_int_equal(variables_of("a-1"), 13);
	assert_int_equal(variables_of("a-1.index"), 13);
	assert_int_equal(variables_of("a-2.data-00000-of-00001"), 4);
	assert_int_equal(variables_of("*-2"), 4);
	assert_int_equal(variables_of("old"), 18);
	assert_int_equal(variables_of("none"), 0);
	write_state("model_checkpoint_path: \"a-2\"\nall_model_checkpoint_paths: \"a-1\"\n");
	assert_int_equal(variables_of("."), 4);
	assert_int_equal(variables_of("checkpoint"), 4);
	write_state("model_checkpoint_path: \"/moved/from/here/a\\0551\"\n");
	assert_int_equal(variables_of(""), 13);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(tfp_arena_printf(&arena, "%s/%s", folder, names[i]));
	assert_int_equal(rmdir(folder), 0);
}

/* ---- the pane --------------------------------------------------------------------------------- */

/* "label|text" of each row of the values of the row NAME, in ARENA. */
static char *pane_text(const char *path, const char *name, uint64_t page)
{
	struct tfp_engine *engine;
	struct tfp_breakdown *values;
	struct tfp_query query;
	struct tfp_tree *tree;
	uint32_t row = 1;
	char *text;

	open_path(data_path(path));
	engine = tfp_engine_new(profile);
	tfp_query_init(&query);
	query.view = "scope";
	tree = tfp_engine_run(engine, &query, NULL, diag);
	assert_non_null(tree);
	while (!tfp_span_is(tfp_base_label(tree->base, row), name))
		row++;
	tfp_engine_turn(engine, page);
	values = tfp_engine_breakdown(engine, tree, row, TFP_BREAKDOWN_VALUES, 0, NULL, diag);
	assert_non_null(values);
	text = tfp_arena_printf(&arena, "page %d of %d\n%s", (int)values->page, (int)values->pages,
				values->note ? values->note : "");
	for (size_t i = 0; i < values->count; i++)
		text = tfp_arena_printf(&arena, "%s%s|%s\n", text, values->rows[i].label,
					values->rows[i].text);
	tfp_breakdown_free(values);
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_engine_free(engine); /* the profile with it */
	profile = NULL;
	profile_path = NULL;
	return text;
}

static void expect_part(const char *text, const char *part)
{
	if (!strstr(text, part))
		print_message("%s", text);
	assert_non_null(strstr(text, part));
}

static void test_pane(void **state)
{
	char *text = pane_text("damaged/good/model.ckpt", "a/kernel1", 0);

	(void)state;
	expect_part(text, "page 0 of 1\nshape|float 4x3: 12 elements, 48B\n"
			  "least|-2.5532918\nmost|1.7764913\nmean|0.383435115\n"
			  "zeros|0\nNaN|0\ninfinite|0\nchecksum|right\n");
	expect_part(text, "from 1|######################################## 4\n");
	expect_part(text, "[3,0]|   0.55126715    0.17873769    -1.0738587\n");
	text = pane_text("damaged/good/model.ckpt", "a/words", 0);
	expect_part(text, "bytes|8\nlengths|3 to 5\nchecksum|right\n[0]|'one'\n[1]|'three'\n");
	text = pane_text("damaged/good/model.ckpt", "a/steps", 0);
	expect_part(text, "shape|int64 scalar: 1 element, 8B\n");
	text = pane_text("v2_partitioned/model.ckpt", "block_5/conv4/far", 3);
	expect_part(text, "page 3 of 36\n");
	expect_part(text, "shape|uint8 9000x2: 18,000 elements, 18.00KB, in 7 slices\n"
			  "[768,0]| 219    8\n");
	text = pane_text("damaged/good/model.ckpt", "a", 0);
	expect_part(text, "3 variableskernel1|float 4x3: 12 elements, 48B\n"
			  "words|string 2: 2 elements, 14B\nsteps|int64 scalar: 1 element, 8B\n");
}

static void test_pane_damaged(void **state)
{
	char *text = pane_text("damaged/data_flip/model.ckpt", "a/kernel1", 0);

	(void)state;
	expect_part(text, "damage|its checksum does not match: stored 3199526471, calculated "
			  "753913302 on 48 bytes (in model.ckpt.data-00000-of-00001 from byte 0 "
			  "on)\nleast|");
	text = pane_text("damaged/data_missing/model.ckpt", "a/kernel1", 0);
	expect_part(text, "damage|its data file is missing\n");
	text = pane_text("damaged/slices_gap/model.ckpt", "a/kernel1", 0);
	expect_part(text, "damage|its slices leave elements out (in model.ckpt.index)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_values, close_all),
		cmocka_unit_test_teardown(test_many, close_all),
		cmocka_unit_test_teardown(test_text_bytes, close_all),
		cmocka_unit_test_teardown(test_damaged, close_all),
		cmocka_unit_test_teardown(test_empty, close_all),
		cmocka_unit_test_teardown(test_finding, close_all),
		cmocka_unit_test_teardown(test_pane, close_all),
		cmocka_unit_test_teardown(test_pane_damaged, close_all),
	};

	return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
