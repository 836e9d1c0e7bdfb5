/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XPlane recordings: what is loaded of planes, lines and devices of a real one, held against
 * reference tables.
 */
#include "xplane_world.h"

/* ---- planes and lines ------------------------------------------------------------------------ */

static void test_planes(void **state)
{
	static const char *const kinds[] = {"other", "host", "device"};
	struct world *world = *state;
	bool *chosen = tfp_alloc_zero(world->trace->count, sizeof(*chosen));
	struct rows rows = {0};

	for (size_t p = 0; p < world->space.planes.count; p++) {
		const struct tfp_xplane *plane = &world->space.planes.at[p];
		int64_t count = 0, total = 0;

		for (uint32_t i = 0; i < world->trace->count; i++) {
			chosen[i] = plane_of_event(world, i) == p;
			count += chosen[i];
			total += chosen[i] ? tfp_trace_duration(world->trace, i) : 0;
		}
		add_row(&rows, "%zu\t%.*s\t%s\t%zu\t%" PRId64 "\t%zu\t%zu\t%" PRId64 "\t%" PRId64,
			p, (int)plane->name.size, plane->name.at, kinds[plane->kind],
			plane->lines.count, count, plane->metadata.count, plane->stat_names.count,
			total, union_of(world, chosen));
	}
	tfp_array_release(chosen);
	expect_table(world->tables, "planes",
		     "plane name kind lines events event_metadata stat_metadata total_ps busy_ps",
		     &rows);
}

struct line_facts {
	int64_t zero, partial, depth, total;
};

/* By a stack of its own, whatever the kind of the lane. */
static struct line_facts facts_of(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	struct line_facts facts = {0};
	TFP_ARRAY(int64_t) open = {0};

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		int64_t end = tfp_trace_end(trace, i);

		while (open.count && open.at[open.count - 1] <= tfp_trace_start(trace, i))
			open.count--;
		facts.partial += open.count && end > open.at[open.count - 1];
		*tfp_array_push(&open) = end;
		facts.depth = (int64_t)open.count > facts.depth ? (int64_t)open.count : facts.depth;
		facts.zero += !tfp_trace_duration(trace, i);
		facts.total += tfp_trace_duration(trace, i);
	}
	tfp_array_free(&open);
	return facts;
}

static void test_lines(void **state)
{
	struct world *world = *state;
	bool *chosen = tfp_alloc_zero(world->trace->count, sizeof(*chosen));
	struct rows rows = {0};

	for (uint32_t l = 0; l < world->trace->lanes.count; l++) {
		const struct tfp_lane *lane = &world->trace->lanes.at[l];
		struct line_facts facts = facts_of(world->trace, lane);
		size_t line, plane = plane_of(world, l, &line);

		for (uint32_t i = 0; i < world->trace->count; i++)
			chosen[i] = tfp_trace_lane(world->trace, i) == l;
		add_row(&rows,
			"%zu\t%zu\t%" PRId64 "\t%s\t%u\t%" PRId64 "\t%" PRId64 "\t%" PRId64
			"\t%" PRId64 "\t%" PRId64 "\t%" PRId64,
			plane, line, lane->id, text_of(world, lane->name), lane->count, facts.zero,
			facts.partial, facts.depth, facts.total, union_of(world, chosen),
			tfp_trace_start(world->trace, lane->first));
	}
	tfp_array_release(chosen);
	expect_table(world->tables, "lines",
		     "plane line id label events zero partial depth total_ps union_ps first_ps",
		     &rows);
}

/* ---- devices --------------------------------------------------------------------------------- */

static void occupancy_text(char text[32], int32_t occupancy, const char *unknown)
{
	if (occupancy < 0)
		snprintf(text, 32, "%s", unknown);
	else
		snprintf(text, 32, "%g", occupancy / 100.0);
}

static void test_kernels(void **state)
{
	struct world *world = *state;
	struct sums sums = {0};
	struct rows rows = {0};
	char key[KEY_ROOM];

	for (uint32_t i = 0; i < world->trace->count; i++) {
		if (!is_device(world->trace, i))
			continue;
		snprintf(key, sizeof(key), "%zu\t%s\t%s", plane_of_event(world, i),
			 text_of(world, work_of(world, i)->name),
			 class_names[work_of(world, i)->class]);
		add_to(&sums, key, tfp_trace_duration(world->trace, i), 0);
	}
	for (size_t i = 0; i < sums.list.count; i++) {
		const struct sum *sum = &sums.list.at[i];

		add_row(&rows, "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64, sum->key,
			sum->count, sum->total, sum->least, sum->most);
	}
	free_sums(&sums);
	expect_table(world->tables, "kernels", "plane name class count total_ps min_ps max_ps",
		     &rows);
}

static int32_t known(int32_t value)
{
	return value < 0 ? 0 : value;
}

static void test_kernel_variants(void **state)
{
	struct world *world = *state;
	struct sums sums = {0};
	struct rows rows = {0};
	char key[KEY_ROOM], occupancy[32];

	for (uint32_t i = 0; i < world->trace->count; i++) {
		const struct tfp_trace_work *work;

		if (!is_device(world->trace, i))
			continue;
		work = work_of(world, i);
		if (strcmp(class_names[work->class], "kernel") != 0)
			continue;
		occupancy_text(occupancy, work->occupancy, "0");
		snprintf(key, sizeof(key), "%zu\t%s\t%d,%d,%d\t%d,%d,%d\t%d\t%d\t%d\t%s",
			 plane_of_event(world, i), text_of(world, work->name), work->grid[0],
			 work->grid[1], work->grid[2], work->block[0], work->block[1],
			 work->block[2], known(work->registers), known(work->static_shared),
			 known(work->dynamic_shared), occupancy);
		add_to(&sums, key, tfp_trace_duration(world->trace, i), 0);
	}
	for (size_t i = 0; i < sums.list.count; i++)
		add_row(&rows, "%s\t%" PRId64 "\t%" PRId64, sums.list.at[i].key,
			sums.list.at[i].count, sums.list.at[i].total);
	free_sums(&sums);
	expect_table(
		world->tables, "kernel_variants",
		"plane name grid block regs static_shared dynamic_shared occ_pct count total_ps",
		&rows);
}

/* Device events by attributes of their nodes. */
static void expect_by_attributes(struct world *world, const char *table, const char *columns,
				 const char *const *names)
{
	struct sums sums = {0};
	struct rows rows = {0};
	char key[KEY_ROOM];

	for (uint32_t i = 0; i < world->trace->count; i++) {
		int size;

		if (!is_device(world->trace, i) || !strcmp(attribute_of(world, i, names[0]), "-"))
			continue;
		size = snprintf(key, sizeof(key), "%zu", plane_of_event(world, i));
		for (size_t k = 0; names[k]; k++)
			size += snprintf(key + size, sizeof(key) - (size_t)size, "\t%s",
					 attribute_of(world, i, names[k]));
		add_to(&sums, key, tfp_trace_duration(world->trace, i), 0);
	}
	for (size_t i = 0; i < sums.list.count; i++)
		add_row(&rows, "%s\t%" PRId64 "\t%" PRId64, sums.list.at[i].key,
			sums.list.at[i].count, sums.list.at[i].total);
	free_sums(&sums);
	expect_table(world->tables, table, columns, &rows);
}

static void test_hlo_ops(void **state)
{
	static const char *const names[] = {"program_id", "hlo_module", "hlo_op", NULL};

	expect_by_attributes(*state, "hlo_ops", "plane program_id hlo_module hlo_op count total_ps",
			     names);
}

static void test_hlo_modules(void **state)
{
	static const char *const names[] = {"program_id", "hlo_module", NULL};

	expect_by_attributes(*state, "hlo_modules", "plane program_id hlo_module count total_ps",
			     names);
}

static void test_modules_in_file(void **state)
{
	struct world *world = *state;
	struct rows rows = {0};

	for (size_t i = 0; i < world->space.modules.count; i++) {
		struct tfp_hlo hlo;
		size_t named = 0;

		tfp_hlo_read(&hlo, world->space.modules.at[i].proto);
		for (size_t k = 0; k < hlo.instructions.count; k++)
			named += tfp_hlo_path(&hlo, (uint32_t)k).size > 0;
		add_row(&rows, "%" PRIu64 "\t%zu\t%zu", world->space.modules.at[i].program,
			hlo.instructions.count, named);
		tfp_hlo_free(&hlo);
	}
	expect_table(world->tables, "hlo_modules_in_file", "program_id instructions named", &rows);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static const char *rule_of(const struct tfp_profile *profile, uint32_t node)
{
	static const char *const words[] = {"graph",  "name",  "hlo",  "kernel",
					    "hlo_op", "tf_op", "label"};
	const char *by = attribute(profile, node, "path_by");
	size_t i = 0;

	while (strcmp(tfp_xrule_names[i], by) != 0)
		i++;
	return words[i];
}

/* The path is the node's name without the op behind it. */
static void path_of_node(const struct tfp_profile *profile, uint32_t node, const char *rule,
			 char path[KEY_ROOM])
{
	char *slash;

	snprintf(path, KEY_ROOM, "%s",
		 tfp_strings_text(profile->strings, profile->nodes.name[node]));
	slash = strrchr(path, '/');
	if (slash && strcmp(rule, "hlo_op") != 0 && strcmp(rule, "label") != 0)
		*slash = '\0';
}

static void add_scopes(struct sums *scopes, size_t plane, const char *path, int64_t duration)
{
	char key[KEY_ROOM + 64];
	int depth = 1;

	for (const char *end = path; end; depth++) {
		end = strchr(end, '/');
		snprintf(key, sizeof(key), "%zu\t%d\t%.*s", plane, depth,
			 (int)(end ? (size_t)(end - path) : strlen(path)), path);
		add_to(scopes, key, duration, 0);
		end = end ? end + 1 : NULL;
	}
}

static void expect_sums(struct world *world, const char *table, const char *columns,
			struct sums *sums)
{
	struct rows rows = {0};

	for (size_t i = 0; i < sums->list.count; i++)
		add_row(&rows, "%s\t%" PRId64 "\t%" PRId64, sums->list.at[i].key,
			sums->list.at[i].count, sums->list.at[i].total);
	free_sums(sums);
	expect_table(world->tables, table, columns, &rows);
}

/* As the reference has them: by the names of kernels, not by their place in a graph. */
static void test_paths_and_scopes(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_source *source = tfp_source_open(path_of(".xplane.pb.gz"), NULL, world->diag);
	struct sums paths = {0}, scopes = {0};
	char path[KEY_ROOM], key[2 * KEY_ROOM];

	tfp_profile_add_file(profile, source->path, "xplane", source->size, 0);
	assert_true(tfp_xplane_read(profile, source, 1, 0, false, NULL, world->diag));
	leave_out_made(profile->trace);
	for (uint32_t i = 0; i < profile->trace->count; i++) {
		uint32_t node = tfp_trace_node(profile->trace, i);
		const char *rule;

		if (!is_device(profile->trace, i))
			continue;
		rule = rule_of(profile, node);
		path_of_node(profile, node, rule, path);
		snprintf(key, sizeof(key), "%zu\t%s\t%s", plane_of_event(world, i), path, rule);
		add_to(&paths, key, tfp_trace_duration(profile->trace, i), 0);
		add_scopes(&scopes, plane_of_event(world, i), path,
			   tfp_trace_duration(profile->trace, i));
	}
	tfp_profile_free(profile);
	expect_sums(world, "paths", "plane path via count total_ps", &paths);
	expect_sums(world, "scopes", "plane depth scope count total_ps", &scopes);
}

static void test_graph_ops(void **state)
{
	struct world *world = *state;
	struct sums sums = {0};
	char path[KEY_ROOM], key[2 * KEY_ROOM];

	for (uint32_t i = 0; i < world->trace->count; i++) {
		int size;

		if (!is_device(world->trace, i) ||
		    strcmp(rule_of(world->profile, tfp_trace_node(world->trace, i)), "graph") != 0)
			continue;
		size = snprintf(key, sizeof(key), "%zu\t%s", plane_of_event(world, i),
				attribute_of(world, i, "program_id"));
		path_of_node(world->profile, tfp_trace_node(world->trace, i), "graph", path);
		snprintf(key + size, sizeof(key) - (size_t)size, "\t%s\t%s",
			 attribute_of(world, i, "instruction"), path);
		add_to(&sums, key, tfp_trace_duration(world->trace, i), 0);
	}
	expect_sums(world, "graph_ops", "plane program_id hlo_op path count total_ps", &sums);
}

/* A batch of 64 through three layers of 256: forward, and both gradients but one, each in three steps. */
static void test_what_dot_products_take(void **state)
{
	struct world *world = *state;
	int64_t sum = 0, values[TFP_MAX_METRICS];
	char signature[KEY_ROOM] = "";

	if (getenv("XPLANE"))
		skip();
	for (uint32_t i = 0; i < world->profile->nodes.count; i++) {
		const char *name = text_of(world, world->profile->nodes.name[i]);

		tfp_profile_values(world->profile, i, TFP_STEP_MEAN, 0, values);
		sum += values[TFP_TRACE_FLOPS];
		if (strstr(name, "/gemm_fusion_dot.3"))
			snprintf(signature, sizeof(signature), "%s",
				 text_of(world, world->profile->nodes.signature[i]));
	}
	assert_int_equal(sum, 8 * 3 * 2 * 64 * 256 * 256);
	assert_string_equal(signature, "f32[64,8,32]{2,1,0}, f32[8,32,256]{2,1,0}");
}

/* What the file says of the instruction behind a node. */
static void test_what_a_node_is(void **state)
{
	static const char *const facts[][2] = {
		{"path_by", "its place in the CUDA graph"},
		{"opcode", "fusion"},
		{"fusion_kind", "kCustom"},
		{"calls", "gemm_fusion_dot.3_computation"},
		{"contents", "dot"},
		{"shape", "f32[8,64,256]{2,1,0}"},
		{"hlo_op", "command_buffer_1"},
		{"program_id", "3314"},
		{"float_ops_estimate", "8388608 a run, of dot products and convolutions"},
	};
	struct world *world = *state;
	uint32_t node = 0;

	if (getenv("XPLANE"))
		skip();
	while (!strstr(text_of(world, world->profile->nodes.name[node]), "/gemm_fusion_dot.3"))
		node++;
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		assert_string_equal(attribute(world->profile, node, facts[i][0]), facts[i][1]);
	assert_string_equal(text_of(world, world->profile->nodes.op[node]), "custom fusion of dot");
	assert_non_null(strstr(attribute(world->profile, node, "source"), "capture_gpu.py:153"));
}

static void test_nothing_is_amiss(void **state)
{
	struct world *world = *state;

	for (size_t i = 0; i < tfp_diag_count(world->diag); i++)
		assert_int_equal(tfp_diag_get(world->diag, i).severity, TFP_NOTE);
	assert_int_equal(world->trace->unowned.events, 0);
	assert_true(world->profile->has_scopes && world->profile->has_stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_planes),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_kernel_variants),
		cmocka_unit_test(test_hlo_ops),
		cmocka_unit_test(test_hlo_modules),
		cmocka_unit_test(test_modules_in_file),
		cmocka_unit_test(test_paths_and_scopes),
		cmocka_unit_test(test_graph_ops),
		cmocka_unit_test(test_what_dot_products_take),
		cmocka_unit_test(test_what_a_node_is),
		cmocka_unit_test(test_nothing_is_amiss),
	};

	return cmocka_run_group_tests_name("xplane", tests, set_up, tear_down);
}
