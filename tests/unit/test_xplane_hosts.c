/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XPlane recordings: what is loaded of hosts, launches, steps and memory of a real one, held against
 * reference tables.
 */
#include "xplane_world.h"

/* ---- hosts ----------------------------------------------------------------------------------- */

/* Durations less the nested parts. */
static int64_t *self_times(const struct tfp_trace *trace)
{
	int64_t *self = tfp_alloc_zero(trace->count, sizeof(*self));

	for (uint32_t i = 0; i < trace->count; i++) {
		uint32_t around = is_device(trace, i) ? TFP_NONE : tfp_trace_link(trace, i);
		int64_t end = tfp_trace_end(trace, i);

		self[i] += tfp_trace_duration(trace, i);
		if (around == TFP_NONE)
			continue;
		if (end > tfp_trace_end(trace, around))
			end = tfp_trace_end(trace, around);
		self[around] -= end - tfp_trace_start(trace, i);
	}
	return self;
}

static const char *label_of(const struct world *world, uint32_t event)
{
	return text_of(world, world->profile->nodes.name[tfp_trace_node(world->trace, event)]);
}

/* "outer ;; inner" */
static size_t put_path(const struct world *world, uint32_t event, char path[KEY_ROOM])
{
	uint32_t chain[256], count = 0;
	size_t size = 0;

	for (; event != TFP_NONE; event = tfp_trace_link(world->trace, event))
		chain[count++] = event;
	while (count--)
		size += (size_t)snprintf(path + size, KEY_ROOM - size, "%s%s", size ? " ;; " : "",
					 label_of(world, chain[count]));
	return size;
}

static void expect_host(struct world *world, const char *table, const char *columns, bool paths)
{
	int64_t *self = self_times(world->trace);
	struct sums sums = {0};
	struct rows rows = {0};
	char key[KEY_ROOM + 64], path[KEY_ROOM];

	for (uint32_t i = 0; i < world->trace->count; i++) {
		size_t plane, line;

		if (is_device(world->trace, i))
			continue;
		plane = plane_of(world, tfp_trace_lane(world->trace, i), &line);
		if (paths)
			put_path(world, i, path);
		else
			snprintf(path, sizeof(path), "%s", label_of(world, i));
		snprintf(key, sizeof(key), "%zu\t%zu\t%s", plane, line, path);
		add_to(&sums, key, tfp_trace_duration(world->trace, i), self[i]);
	}
	for (size_t i = 0; i < sums.list.count; i++) {
		const struct sum *sum = &sums.list.at[i];

		add_row(&rows, "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64, sum->key, sum->count,
			sum->total, sum->self);
	}
	free_sums(&sums);
	tfp_array_release(self);
	expect_table(world->tables, table, columns, &rows);
}

static void test_host_events(void **state)
{
	expect_host(*state, "host_events", "plane line name count total_ps self_ps", false);
}

static void test_host_paths(void **state)
{
	expect_host(*state, "host_paths", "plane line path count total_ps self_ps", true);
}

/* The cells hold what the events add up to. */
static void test_cells_hold_all(void **state)
{
	struct world *world = *state;
	int64_t *self = self_times(world->trace), host = 0, device = 0, values[TFP_MAX_METRICS];

	for (uint32_t i = 0; i < world->trace->count; i++) {
		if (is_device(world->trace, i))
			device += tfp_trace_duration(world->trace, i);
		else
			host += self[i];
	}
	for (uint32_t i = 0; i < world->profile->nodes.count; i++) {
		tfp_profile_values(world->profile, i, TFP_STEP_MEAN, 0, values);
		host -= values[TFP_TRACE_HOST];
		device -= values[TFP_TRACE_DEVICE];
	}
	tfp_array_release(self);
	assert_int_equal(host, 0);
	assert_int_equal(device, 0);
}

static void test_launches(void **state)
{
	struct world *world = *state;
	struct sums sums = {0};
	struct rows rows = {0};
	bool *met = tfp_alloc_zero(world->trace->count, sizeof(*met));

	for (uint32_t i = 0; i < world->trace->count; i++) {
		uint32_t launch = tfp_trace_link(world->trace, i);

		if (!is_device(world->trace, i) || launch == TFP_NONE)
			continue;
		add_to(&sums, label_of(world, launch), tfp_trace_duration(world->trace, i),
		       !met[launch]);
		met[launch] = true;
	}
	for (size_t i = 0; i < sums.list.count; i++)
		add_row(&rows, "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64, sums.list.at[i].key,
			sums.list.at[i].self, sums.list.at[i].count, sums.list.at[i].total);
	free_sums(&sums);
	tfp_array_release(met);
	expect_table(world->tables, "launches", "name launches device_events device_total_ps",
		     &rows);
}

static void test_steps(void **state)
{
	struct world *world = *state;
	bool *chosen = tfp_alloc_zero(world->trace->count, sizeof(*chosen));
	struct rows rows = {0};

	for (uint32_t s = 0; s < world->profile->steps.count; s++) {
		const struct tfp_step *step = &world->profile->steps.at[s];
		int64_t count = 0, total = 0;

		if (world->trace->steps.at[s].start > world->trace->steps.at[s].end)
			continue; /* no marker */
		for (uint32_t i = 0; i < world->trace->count; i++) {
			chosen[i] = is_device(world->trace, i) &&
				    tfp_trace_step_of(world->profile, i) == s;
			count += chosen[i];
			total += chosen[i] ? tfp_trace_duration(world->trace, i) : 0;
		}
		add_row(&rows,
			"%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64
			"\t%" PRId64,
			text_of(world, step->label), step->number, world->trace->steps.at[s].start,
			world->trace->steps.at[s].end, count, total, union_of(world, chosen));
	}
	tfp_array_release(chosen);
	expect_table(world->tables, "steps",
		     "name step_num start_ps end_ps device_events device_total_ps device_union_ps",
		     &rows);
}

/* Memory taken before the recording is given back by nobody we know. */
static void test_allocators(void **state)
{
	struct world *world = *state;
	int64_t count[2] = {0}, taken = 0, most = 0, live = 0;
	struct tfp_alloc last = {0};
	struct rows rows = {0};

	assert_true(tfp_profile_need(world->profile, TFP_PART_ALLOCS, NULL, world->diag));
	for (size_t i = 0; i < world->profile->allocs.count; i++) {
		struct tfp_alloc alloc = tfp_allocs_get(&world->profile->allocs, i);
		bool held = world->profile->nodes.flags[alloc.node] & TFP_NODE_HELD;

		/* each step begins with what is held */
		live = i && alloc.step == last.step ? live + alloc.bytes : alloc.bytes;
		most = live > most ? live : most;
		last = alloc;
		if (held && alloc.bytes > 0)
			continue;
		count[alloc.bytes < 0]++;
		taken += alloc.bytes < 0 ? 0 : alloc.bytes;
	}
	add_row(&rows, "%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64,
		text_of(world, last.allocator), count[0], count[1], taken, most);
	expect_table(world->tables, "allocators",
		     "allocator allocations deallocations allocation_bytes max_in_use_bytes",
		     &rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_events),    cmocka_unit_test(test_host_paths),
		cmocka_unit_test(test_cells_hold_all), cmocka_unit_test(test_launches),
		cmocka_unit_test(test_steps),          cmocka_unit_test(test_allocators),
	};

	return cmocka_run_group_tests_name("xplane_hosts", tests, set_up, tear_down);
}
