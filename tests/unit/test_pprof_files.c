/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real pprof files: the reader against protobuf-c's generated code, stack by stack; and the
 * functions and code views against what other decoders and the pprof tool say of each function.
 */
#include "proto/pprof.pb-c.h"
#include "test_path.h"
#include "tfprof/load.h"
#include "tfprof/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"go_cpu", "go_heap", "jax_memory"};

enum { NAMES = sizeof(names) / sizeof(*names) };

/* tests/data/pprof/NAME.KIND */
static char *path_of(char path[TEST_PATH], const char *name, const char *kind)
{
	return test_path(path, "data/pprof/%s.%s", name, kind);
}

static struct tfp_profile *load(const char *name, struct tfp_diag *diag)
{
	char path[TEST_PATH];
	struct tfp_named_file file = {.path = path_of(path, name, "pprof.gz"),
				      .role = TFP_ROLE_ANY};
	struct tfp_profile *profile = tfp_load(&file, 1, NULL, diag);

	assert_non_null(profile);
	assert_int_equal(tfp_diag_count(diag), 0);
	assert_string_equal(profile->format, "pprof");
	return profile;
}

/* ---- against generated code ------------------------------------------------------------------ */

static tfp_str intern(struct tfp_profile *profile, const Tfp__Profile *file, int64_t index)
{
	const ProtobufCBinaryData *text = &file->string_table[index];

	return tfp_strings_add(profile->strings, (const char *)text->data, text->len);
}

static const Tfp__Location *location_of(const Tfp__Profile *file, uint64_t id)
{
	size_t i = 0;

	while (i < file->n_location && file->location[i]->id != id)
		i++;
	assert_true(i < file->n_location);
	return file->location[i];
}

static const Tfp__Function *function_of(const Tfp__Profile *file, uint64_t id)
{
	size_t i = 0;

	while (i < file->n_function && file->function[i]->id != id)
		i++;
	assert_true(i < file->n_function);
	return file->function[i];
}

static uint32_t stack_of(struct tfp_profile *profile, const Tfp__Profile *file,
			 const Tfp__Sample *sample)
{
	uint32_t stack = TFP_NONE;

	for (size_t i = sample->n_location_id; i--;) {
		const Tfp__Location *location = location_of(file, sample->location_id[i]);

		for (size_t k = location->n_line; k--;) {
			const Tfp__Line *line = location->line[k];
			const Tfp__Function *function = function_of(file, line->function_id);
			struct tfp_frame frame = {
				.file = intern(profile, file, function->filename),
				.function = intern(profile, file, function->name),
				.line = line->line ? (int32_t)line->line : -1,
				.start_line =
					function->start_line ? (int32_t)function->start_line : -1,
			};

			stack = tfp_profile_stack(profile, stack,
						  tfp_profile_frame(profile, &frame));
		}
	}
	return stack;
}

static void compare_stacks(struct tfp_profile *profile, const Tfp__Profile *file)
{
	size_t count = profile->stacks.count, columns = profile->metric_count;
	int64_t *sums = calloc(count * columns, sizeof(*sums)), values[TFP_MAX_METRICS];

	for (size_t i = 0; i < file->n_sample; i++) {
		uint32_t stack = stack_of(profile, file, file->sample[i]);

		assert_int_equal(file->sample[i]->n_value, columns);
		assert_int_equal(profile->stacks.count, count);
		for (size_t k = 0; k < columns; k++)
			sums[stack * columns + k] += file->sample[i]->value[k];
	}
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		tfp_profile_values(profile, node, 0, 0, values);
		for (size_t k = 0; k < columns; k++)
			sums[profile->nodes.stack[node] * columns + k] -= values[k];
	}
	for (size_t i = 0; i < count * columns; i++)
		assert_int_equal(sums[i], 0);
	free(sums);
}

static void equals_generated_code(void **state)
{
	(void)state;
	for (size_t i = 0; i < NAMES; i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load(names[i], diag);
		char path[TEST_PATH];
		struct tfp_source *source =
			tfp_source_open(path_of(path, names[i], "pprof.gz"), NULL, diag);
		Tfp__Profile *file = tfp__profile__unpack(NULL, source->size, source->data);

		assert_non_null(file);
		assert_int_equal(profile->metric_count, file->n_sample_type);
		compare_stacks(profile, file);
		tfp__profile__free_unpacked(file, NULL);
		tfp_source_free(source);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

/* ---- against tables -------------------------------------------------------------------------- */

/* A table's row: name, file, self and total of the metrics that its header names. */
struct row {
	char *name, *file;
	int64_t values[2 * TFP_MAX_METRICS];
	bool seen;
};

struct table {
	TFP_ARRAY(struct row) rows;
	uint32_t metrics[TFP_MAX_METRICS]; /* of the profile, by pair of columns */
	size_t columns;
};

static uint32_t metric_of(const struct tfp_profile *profile, const char *key)
{
	uint32_t metric = tfp_profile_find_metric(profile, key);

	assert_true(metric != TFP_NONE);
	return metric;
}

static void read_header(struct table *table, const struct tfp_profile *profile, char *line)
{
	for (char *word = strtok(line, "\t\n"); word; word = strtok(NULL, "\t\n"))
		if (!strncmp(word, "self ", 5))
			table->metrics[table->columns++] = metric_of(profile, word + 5);
}

static void read_row(struct table *table, char *line)
{
	struct row *row = tfp_array_push(&table->rows);

	*row = (struct row){.name = strdup(strsep(&line, "\t"))};
	row->file = strdup(strsep(&line, "\t"));
	for (size_t i = 0; i < 2 * table->columns; i++)
		row->values[i] = strtoll(strsep(&line, "\t\n"), NULL, 10);
}

static struct table read_table(const char *name, const struct tfp_profile *profile)
{
	char path[TEST_PATH], *line = NULL;
	FILE *file = fopen(path_of(path, name, "functions.tsv"), "r");
	struct table table = {0};
	size_t room = 0;

	assert_non_null(file);
	while (getline(&line, &room, file) > 0) {
		if (table.columns)
			read_row(&table, line);
		else
			read_header(&table, profile, line);
	}
	fclose(file);
	free(line);
	return table;
}

static void free_table(struct table *table)
{
	for (size_t i = 0; i < table->rows.count; i++) {
		free(table->rows.at[i].name);
		free(table->rows.at[i].file);
	}
	tfp_array_free(&table->rows);
}

static struct row *find_row(struct table *table, const struct tfp_profile *profile,
			    const struct tfp_frame *frame)
{
	const char *name = tfp_strings_text(profile->strings, frame->function);
	const char *file = tfp_strings_text(profile->strings, frame->file);
	size_t i = 0;

	while (i < table->rows.count && (strcmp(table->rows.at[i].name, name) != 0 ||
					 strcmp(table->rows.at[i].file, file) != 0))
		i++;
	assert_true(i < table->rows.count);
	return &table->rows.at[i];
}

static const struct tfp_frame *frame_of(const struct tfp_profile *profile,
					const struct tfp_base *base, uint32_t row)
{
	return &profile->frames.at[profile->stacks.at[base->stack[row]].frame];
}

/* Each row of the functions view is a row of the table. */
static void compare_functions(const struct tfp_profile *profile, const struct tfp_tree *tree,
			      struct table *table)
{
	const struct tfp_base *base = tree->base;

	assert_int_equal(base->count - 1, table->rows.count);
	for (uint32_t i = 1; i < base->count; i++) {
		struct row *row = find_row(table, profile, frame_of(profile, base, i));

		assert_false(row->seen);
		row->seen = true;
		for (size_t k = 0; k < table->columns; k++) {
			assert_int_equal(tfp_tree_self(tree, i, table->metrics[k]), row->values[k]);
			assert_int_equal(tfp_tree_total(tree, i, table->metrics[k]),
					 row->values[table->columns + k]);
		}
	}
}

/* Whether a caller of ROW in the code view is the same function. */
static bool called_by_itself(const struct tfp_profile *profile, const struct tfp_base *base,
			     uint32_t row)
{
	const struct tfp_frame *frame = frame_of(profile, base, row);

	while ((row = base->parent[row]) != 0) {
		const struct tfp_frame *caller = frame_of(profile, base, row);

		if (caller->function == frame->function && caller->file == frame->file)
			return true;
	}
	return false;
}

/* Self values of all places of a function, and totals of its outermost ones, are the table's. */
static void compare_code(const struct tfp_profile *profile, const struct tfp_tree *tree,
			 struct table *table)
{
	const struct tfp_base *base = tree->base;

	for (uint32_t i = 1; i < base->count; i++) {
		struct row *row = find_row(table, profile, frame_of(profile, base, i));
		bool again = called_by_itself(profile, base, i);

		for (size_t k = 0; k < table->columns; k++) {
			row->values[k] -= tfp_tree_self(tree, i, table->metrics[k]);
			if (!again)
				row->values[table->columns + k] -=
					tfp_tree_total(tree, i, table->metrics[k]);
		}
	}
	for (size_t i = 0; i < table->rows.count; i++)
		for (size_t k = 0; k < 2 * table->columns; k++)
			assert_int_equal(table->rows.at[i].values[k], 0);
}

static struct tfp_tree *run(struct tfp_engine *engine, const char *view, struct tfp_diag *diag)
{
	struct tfp_query query;
	struct tfp_tree *tree;

	tfp_query_init(&query);
	query.view = view;
	tree = tfp_engine_run(engine, &query, NULL, diag);
	tfp_query_free(&query);
	assert_non_null(tree);
	return tree;
}

static void views_equal_the_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < NAMES; i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_engine *engine = tfp_engine_new(load(names[i], diag));
		struct tfp_profile *profile = tfp_engine_profile(engine);
		struct table table = read_table(names[i], profile);
		struct tfp_tree *functions = run(engine, "functions", diag);
		struct tfp_tree *code = run(engine, "code", diag);

		compare_functions(profile, functions, &table);
		compare_code(profile, code, &table);
		tfp_tree_release(functions);
		tfp_tree_release(code);
		free_table(&table);
		tfp_engine_free(engine);
		tfp_diag_free(diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_generated_code),
		cmocka_unit_test(views_equal_the_tables),
	};

	return cmocka_run_group_tests_name("pprof files", tests, NULL, NULL);
}
