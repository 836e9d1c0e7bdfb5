/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of PyTorch against tables that another program made of it: threads, names, ops as PyTorch's own table counts them,
 * kernels, streams, devices, memory, who owns what.
 */
#include "kineto_devices.h"
#include "test_path.h"

/* ---- lanes --------------------------------------------------------------------------------------- */

/* The time in which at least one event of the lane runs. */
static int64_t union_of(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	int64_t end = INT64_MIN, sum = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		int64_t from = tfp_trace_start(trace, i) > end ? tfp_trace_start(trace, i) : end;

		end = tfp_trace_end(trace, i) > end ? tfp_trace_end(trace, i) : end;
		sum += end > from ? end - from : 0;
	}
	return sum;
}

static int64_t last_of(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	int64_t last = INT64_MIN;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
		last = tfp_trace_end(trace, i) > last ? tfp_trace_end(trace, i) : last;
	return last;
}

static void add_thread(struct trial *trial, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = trial->trace;
	int64_t total = 0, partial = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t parent = tfp_trace_link(trace, i);

		total += tfp_trace_duration(trace, i);
		partial += parent != TFP_NONE &&
			   tfp_trace_end(trace, i) > tfp_trace_end(trace, parent);
	}
	add_row(&trial->rows, "%s\t%lld\t%u\t%lld\t%lld\t%lld\t%lld\t%lld",
		lane->kind == TFP_LANE_HOST ? "host" : "python", (long long)lane->id, lane->count,
		(long long)total, (long long)union_of(trace, lane), (long long)partial,
		(long long)tfp_trace_start(trace, lane->first), (long long)last_of(trace, lane));
}

static void add_threads(struct trial *trial)
{
	for (size_t i = 0; i < trial->trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trial->trace->lanes.at[i];

		if (lane->kind == TFP_LANE_HOST || lane->kind == TFP_LANE_PYTHON)
			add_thread(trial, lane);
	}
}

/* ---- names --------------------------------------------------------------------------------------- */

static const char *group_of(const struct tfp_lane *lane)
{
	static const char *const groups[] = {"device", "host", "derived", "python"};

	return groups[lane->kind];
}

static int64_t self_of(const struct tfp_trace *trace, uint32_t event, int64_t *self)
{
	uint32_t parent = tfp_trace_link(trace, event);

	self[event] += tfp_trace_duration(trace, event);
	if (parent != TFP_NONE) {
		int64_t end = tfp_trace_end(trace, event);

		end = end < tfp_trace_end(trace, parent) ? end : tfp_trace_end(trace, parent);
		self[parent] -= end - tfp_trace_start(trace, event);
	}
	return self[event];
}

static void add_name(struct trial *trial, struct sheet *rows, uint32_t event, int64_t self)
{
	const struct tfp_trace *trace = trial->trace;
	const struct tfp_nodes *nodes = &trial->profile->nodes;
	const struct tfp_lane *lane = &trace->lanes.at[tfp_trace_lane(trace, event)];
	tfp_str name = lane->kind == TFP_LANE_HOST ? nodes->op[tfp_trace_node(trace, event)]
		       : lane->kind == TFP_LANE_DEVICE
			       ? trace->works.at[tfp_trace_work_of(trace, event)].name
			       : nodes->name[tfp_trace_node(trace, event)];
	char key[4096];
	struct line *row;

	snprintf(key, sizeof(key), "%s\t%s", group_of(lane), text(trial->profile, name));
	row = line_of(rows, key);
	row->count++;
	row->total += tfp_trace_duration(trace, event);
	row->self += self;
	row->least = tfp_trace_duration(trace, event) < row->least
			     ? tfp_trace_duration(trace, event)
			     : row->least;
	row->most = tfp_trace_duration(trace, event) > row->most ? tfp_trace_duration(trace, event)
								 : row->most;
}

/* Instants are not in the table. */
static bool is_instant(const struct trial *trial, uint32_t event)
{
	const struct tfp_lane *lane = &trial->trace->lanes.at[tfp_trace_lane(trial->trace, event)];

	const char *name = text(trial->profile, lane->name);

	return strstr(name, "instants") || !strcmp(name, "recording starts") ||
	       !strcmp(name, "recording ends");
}

static void add_names(struct trial *trial)
{
	const struct tfp_trace *trace = trial->trace;
	int64_t *self = tfp_alloc_zero(trace->count, sizeof(*self));
	struct sheet rows = {0};

	for (uint32_t i = 0; i < trace->count; i++)
		if (tfp_trace_kind(trace, i) == TFP_LANE_HOST ||
		    tfp_trace_kind(trace, i) == TFP_LANE_PYTHON)
			self_of(trace, i, self);
		else
			self[i] = tfp_trace_duration(trace, i);
	for (uint32_t i = 0; i < trace->count; i++)
		if (!is_instant(trial, i))
			add_name(trial, &rows, i, self[i]);
	for (size_t i = 0; i < rows.count; i++) {
		const struct line *row = &rows.at[i];

		add_row(&trial->rows, "%s\t%lld\t%lld\t%lld\t%lld\t%lld", row->key,
			(long long)row->count, (long long)row->total, (long long)row->self,
			(long long)row->least, (long long)row->most);
	}
	free_sheet(&rows);
	free(self);
}

/* ---- ops ----------------------------------------------------------------------------------------- */

/* What PyTorch's table says of an event, by its place in the trace. */
struct counted {
	bool left_out;     /* no op of the table */
	uint32_t parent;   /* the event around it that is one, TFP_NONE */
	uint32_t children; /* directly in it */
	bool merged;       /* with its parent */
	int64_t self, device_self, device_total, device_events;
	int64_t memory[2], memory_self[2];
};

static bool is_left_out(const char *name)
{
	static const char *const names[] = {"[memory]", "[OutOfMemory]", "aten::is_leaf",
					    "aten::output_nr", "aten::_version"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "profiler::_record_function_enter", 32) ||
	       !strncmp(name, "profiler::_record_function_exit", 31);
}

static const char *op_of(const struct trial *trial, uint32_t event)
{
	return text(trial->profile, trial->profile->nodes.op[tfp_trace_node(trial->trace, event)]);
}

static void count_tree(const struct trial *trial, const struct tfp_lane *lane,
		       struct counted *counted)
{
	const struct tfp_trace *trace = trial->trace;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t parent = tfp_trace_link(trace, i);

		counted[i].left_out = is_left_out(op_of(trial, i));
		while (parent != TFP_NONE && counted[parent].left_out)
			parent = counted[parent].parent;
		counted[i].parent = parent;
		counted[i].self += tfp_trace_duration(trace, i);
		if (parent != TFP_NONE && !counted[i].left_out) {
			counted[parent].children++;
			counted[parent].self -= tfp_trace_duration(trace, i);
		}
	}
}

static void count_memory(const struct trial *trial, uint32_t event, struct counted *counted)
{
	const struct tfp_trace *trace = trial->trace;

	for (size_t i = 0; i < trial->parts->memory.count; i++) {
		const struct kept_memory *memory = &trial->parts->memory.at[i];
		int64_t time = tfp_trace_start(trace, memory->event);
		bool device = strcmp(text(trial->profile, memory->allocator), "CPU");

		if (time >= tfp_trace_start(trace, event) && time <= tfp_trace_end(trace, event))
			counted[event].memory[device] += memory->bytes;
	}
}

/* From the last to the first: children before their parents. */
static void add_up(const struct trial *trial, const struct tfp_lane *lane, struct counted *counted)
{
	for (uint32_t i = lane->first + lane->count; i-- > lane->first;) {
		struct counted *mine = &counted[i], *parent;

		mine->device_total += mine->device_self;
		for (int type = 0; type < 2; type++)
			mine->memory_self[type] += mine->memory[type];
		if (mine->parent == TFP_NONE || mine->left_out)
			continue;
		parent = &counted[mine->parent];
		parent->device_total += mine->device_total;
		for (int type = 0; type < 2; type++)
			parent->memory_self[type] -= mine->memory[type];
		mine->merged = parent->children == 1 &&
			       !strcmp(op_of(trial, mine->parent), op_of(trial, i));
		if (!mine->merged)
			continue;
		parent->self += mine->self;
		parent->device_self += mine->device_self;
		parent->device_total -= mine->device_self;
		parent->device_events += mine->device_events;
		for (int type = 0; type < 2; type++)
			parent->memory_self[type] += mine->memory_self[type];
	}
}

static void add_counted(const struct trial *trial, struct sheet *rows, uint32_t event,
			const struct counted *mine, bool shapes)
{
	tfp_str signature =
		trial->profile->nodes.signature
			? trial->profile->nodes.signature[tfp_trace_node(trial->trace, event)]
			: 0;
	char key[4096];
	struct line *row;

	snprintf(key, sizeof(key), "%s%s%s", op_of(trial, event), shapes ? "\t" : "",
		 shapes ? text(trial->profile, signature) : "");
	row = line_of(rows, key);
	row->count++;
	row->total += tfp_trace_duration(trial->trace, event);
	row->self += mine->self;
	row->device_total += mine->device_total;
	row->device_self += mine->device_self;
	row->device_events += mine->device_events;
	for (int type = 0; type < 2; type++) {
		row->memory[type] += mine->memory[type];
		row->memory_self[type] += mine->memory_self[type];
	}
}

static struct counted *count_all(const struct trial *trial)
{
	struct counted *counted = tfp_alloc_zero(trial->trace->count, sizeof(*counted));

	for (size_t i = 0; i < trial->parts->owned.count; i++) {
		struct counted *owner = &counted[trial->parts->owned.at[i].owner];

		owner->device_events++;
		owner->device_self +=
			tfp_trace_duration(trial->trace, trial->parts->owned.at[i].event);
	}
	for (size_t i = 0; i < trial->trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trial->trace->lanes.at[i];

		if (lane->kind != TFP_LANE_HOST)
			continue;
		count_tree(trial, lane, counted);
		for (uint32_t j = lane->first; j < lane->first + lane->count; j++)
			count_memory(trial, j, counted);
		add_up(trial, lane, counted);
	}
	return counted;
}

static void add_ops(struct trial *trial, const struct counted *counted, bool shapes)
{
	struct sheet rows = {0};

	for (uint32_t i = 0; i < trial->trace->count; i++)
		if (tfp_trace_kind(trial->trace, i) == TFP_LANE_HOST && !counted[i].left_out &&
		    !counted[i].merged)
			add_counted(trial, &rows, i, &counted[i], shapes);
	for (size_t i = 0; i < rows.count; i++) {
		const struct line *row = &rows.at[i];

		add_row(&trial->rows,
			"%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld", row->key,
			(long long)row->count, (long long)row->total, (long long)row->self,
			(long long)row->device_total, (long long)row->device_self,
			(long long)row->device_events, (long long)row->memory[0],
			(long long)row->memory_self[0], (long long)row->memory[1],
			(long long)row->memory_self[1]);
	}
	free_sheet(&rows);
}

/* The metrics of the profile are those of the table, for what PyTorch does not leave out. */
static void check_metrics(const struct trial *trial, const struct counted *counted)
{
	const struct tfp_profile *profile = trial->profile;
	int64_t cpu = 0, device = 0, runs = 0, values[TFP_MAX_METRICS];
	int64_t got_cpu = 0, got_device = 0, got_runs = 0;

	for (uint32_t i = 0; i < trial->trace->count; i++) {
		if (tfp_trace_kind(trial->trace, i) != TFP_LANE_HOST || counted[i].merged)
			continue;
		cpu += tfp_trace_duration(trial->trace, i);
		device += counted[i].device_total;
		runs++;
	}
	for (uint32_t i = 0; i < profile->nodes.count; i++) {
		tfp_profile_values(profile, i, TFP_STEP_MEAN, 0, values);
		got_cpu += values[TFP_TRACE_METRICS];
		got_device += values[TFP_TRACE_METRICS + 1];
		got_runs += profile->nodes.flags[i] & TFP_NODE_UNOWNED ? 0 : values[TFP_TRACE_RUNS];
	}
	assert_int_equal(got_cpu, cpu);
	assert_int_equal(got_device, device);
	assert_int_equal(got_runs, runs);
}

/* What is one run with the op around it has the node of that, and is none by itself. */
static void check_merged(const struct trial *trial, const struct counted *counted)
{
	const struct tfp_trace *trace = trial->trace;
	size_t merged = 0;

	for (uint32_t i = 0; i < trace->count; i++) {
		if (tfp_trace_kind(trace, i) != TFP_LANE_HOST)
			continue;
		assert_int_equal(tfp_trace_is_joined(trace, i), counted[i].merged);
		if (!counted[i].merged)
			continue;
		merged++;
		assert_int_equal(tfp_trace_node(trace, i),
				 tfp_trace_node(trace, counted[i].parent));
	}
	assert_true(merged || getenv("TRACE"));
}

/* ---- all ----------------------------------------------------------------------------------------- */

static void hold(struct trial *trial, const char *table, const char *columns)
{
	expect_table(trial->tables, table, columns, &trial->rows);
	trial->rows = (struct rows){0};
}

#define OP_COLUMNS                                                                                 \
	"count cpu_total cpu_self device_total device_self device_events cpu_mem cpu_mem_self "    \
	"device_mem device_mem_self"

static void hold_all(struct trial *trial)
{
	struct counted *counted = count_all(trial);

	add_threads(trial);
	hold(trial, "threads", "kind tid events total union partial first last");
	add_names(trial);
	hold(trial, "names", "group name count total self min max");
	add_ops(trial, counted, false);
	hold(trial, "ops", "name " OP_COLUMNS);
	add_ops(trial, counted, true);
	hold(trial, "shapes", "name signature " OP_COLUMNS);
	add_kernels(trial);
	hold(trial, "kernels", "class name count total min max occ_min occ_max");
	add_streams(trial);
	hold(trial, "streams", "device stream count total busy first last");
	add_devices(trial);
	hold(trial, "devices",
	     "device count total busy first last idle compute comm copy exposed_comm exposed_copy");
	add_memory(trial, "CPU", "0\t-1");
	add_memory(trial, "GPU 0", "1\t0");
	hold(trial, "memory",
	     "device_type device_id allocations allocated frees freed max_allocated max_reserved "
	     "max_allocated_at");
	add_links(trial);
	hold(trial, "links", "device_events no_owner no_runtime_event");
	add_python(trial);
	hold(trial, "python", "events roots");
	check_metrics(trial, counted);
	check_merged(trial, counted);
	free(counted);
}

/* Another file with its tables beside it is compared when its path, less its ends, is in TRACE. */
static const char *path_of(char path[TEST_PATH], const char *end)
{
	const char *other = getenv("TRACE");

	if (!other)
		return test_path(path, "data/gpu/torch_small%s", end);
	snprintf(path, TEST_PATH, "%s%s", other, end);
	return path;
}

static void tables_hold(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	char path[TEST_PATH];
	struct tfp_source *tables = tfp_source_open(path_of(path, ".tables.txt"), NULL, diag);
	struct tfp_named_file file = {.path = path_of(path, ".json.gz")};
	struct trial trial = {.profile = tfp_load(&file, 1, NULL, diag)};
	char *text;

	(void)state;
	assert_non_null(trial.profile);
	assert_non_null(tables);
	assert_int_equal(tfp_diag_count(diag), 0);
	assert_string_equal(trial.profile->format, "kineto");
	text = strndup((const char *)tables->data, tables->size);
	trial.trace = trial.profile->trace;
	trial.parts = chrome_parts_of(trial.profile);
	trial.tables = text;
	hold_all(&trial);
	free(text);
	tfp_source_free(tables);
	tfp_profile_free(trial.profile);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_hold),
	};

	return cmocka_run_group_tests_name("kineto", tests, NULL, NULL);
}
