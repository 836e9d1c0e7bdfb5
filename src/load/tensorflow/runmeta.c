/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RunMetadata: one step. Each record adds its times and its memory to the cell of its node; single
 * executions are listed only when a view asks.
 */
#include "load/tensorflow/runfacts.h"
#include "load/tensorflow/runmeta.h"
#include "load/loaders.h"
#include "load/tensorflow/graphdef.h"
#include "proto/step_stats.pb-c.h"

/* ---- recognising ----------------------------------------------------------------------------- */

static const struct tfp_expect exec_stats[] = {
	{EXEC_NAME, TFP_EXPECT_TEXT, true, NULL},
	{EXEC_START, TFP_EXPECT_INT, false, NULL},
	{3, TFP_EXPECT_INT, false, NULL},
	{EXEC_OP_END, TFP_EXPECT_INT, false, NULL},
	{5, TFP_EXPECT_INT, false, NULL},
	{EXEC_MEMORY, TFP_EXPECT_BYTES, false, NULL},
	{EXEC_OUTPUT, TFP_EXPECT_BYTES, false, NULL},
	{8, TFP_EXPECT_TEXT, false, NULL},
	{9, TFP_EXPECT_INT, false, NULL},
	{10, TFP_EXPECT_INT, false, NULL},
	{11, TFP_EXPECT_BYTES, false, NULL},
	{EXEC_MEMORY_STATS, TFP_EXPECT_BYTES, false, NULL},
	{13, TFP_EXPECT_INT, false, NULL},
	{14, TFP_EXPECT_INT, false, NULL},
	{15, TFP_EXPECT_INT, false, NULL},
	{16, TFP_EXPECT_INT, false, NULL},
	{17, TFP_EXPECT_INT, false, NULL},
	{0},
};
static const struct tfp_expect device_stats[] = {
	{DEVICE_NAME, TFP_EXPECT_TEXT, false, NULL},
	{DEVICE_NODE, TFP_EXPECT_MESSAGE, false, exec_stats},
	{3, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect step_stats[] = {
	{STATS_DEVICE, TFP_EXPECT_MESSAGE, false, device_stats},
	{0},
};
static const struct tfp_expect cost_node[] = {
	{1, TFP_EXPECT_TEXT, true, NULL},   {2, TFP_EXPECT_TEXT, false, NULL},
	{3, TFP_EXPECT_INT, false, NULL},   {4, TFP_EXPECT_BYTES, false, NULL},
	{5, TFP_EXPECT_BYTES, false, NULL}, {6, TFP_EXPECT_INT, false, NULL},
	{7, TFP_EXPECT_INT, false, NULL},   {8, TFP_EXPECT_BYTES, false, NULL},
	{9, TFP_EXPECT_INT, false, NULL},   {0},
};
static const struct tfp_expect cost_graph[] = {
	{1, TFP_EXPECT_MESSAGE, false, cost_node},
	{2, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect function_graphs[] = {
	{1, TFP_EXPECT_MESSAGE, false, tfp_graphdef_fields},
	{2, TFP_EXPECT_MESSAGE, false, tfp_graphdef_fields},
	{3, TFP_EXPECT_MESSAGE, false, tfp_graphdef_fields},
	{0},
};
static const struct tfp_expect run_metadata[] = {
	{RUN_STEP_STATS, TFP_EXPECT_MESSAGE, false, step_stats},
	{2, TFP_EXPECT_MESSAGE, false, cost_graph},
	{3, TFP_EXPECT_MESSAGE, false, tfp_graphdef_fields},
	{4, TFP_EXPECT_MESSAGE, false, function_graphs},
	{5, TFP_EXPECT_BYTES, false, NULL},
	{0},
};

static const char *const text_names[] = {"step_stats",      "cost_graph",       "partition_graphs",
					 "function_graphs", "session_metadata", NULL};

static int sniff(const struct tfp_source *source)
{
	return tfp_sniff(source, run_metadata, text_names);
}

/* ---- summing up ------------------------------------------------------------------------------ */

/* What is kept to read a file again. */
struct provided {
	struct tfp_source *source; /* owned */
	int64_t step;              /* its number */
	/*
	 * where the records stand that were taken for their nodes' own though their device has no
	 * name, since the nodes had no device then
	 */
	TFP_ARRAY(uint64_t) nameless;
};

struct summer {
	struct tfp_run_visitor visitor; /* first, so that a visitor is the summer */
	int64_t number;                 /* of the step */
	tfp_str label;
	uint32_t step; /* its index, TFP_NONE before the first StepStats */
	struct provided *provided;
	bool gpu, gpu_stream; /* met: a GPU, a GPU's stream:all */
};

static void sum_stats(struct tfp_run_visitor *visitor)
{
	struct summer *summer = (struct summer *)visitor;

	summer->step = tfp_profile_step(visitor->profile, summer->number, summer->label);
}

static void sum_device(struct tfp_run_visitor *visitor)
{
	struct summer *summer = (struct summer *)visitor;
	const struct tfp_run_device *device = &visitor->device;

	visitor->profile->has_streams |= device->stream;
	summer->gpu = summer->gpu || device->gpu;
	summer->gpu_stream = summer->gpu_stream || (device->gpu && device->accelerator);
}

static bool span_is(struct tfp_span span, const char *text)
{
	return tfp_span_is(span, text);
}

/* A node that only run metadata knows; TFP_NONE for names that are no nodes. */
static uint32_t invent_node(struct tfp_profile *profile, struct tfp_span name)
{
	tfp_str id;
	uint32_t node;

	if (span_is(name, "RecvTensor") || span_is(name, "_SOURCE") ||
	    tfp_span_holds(name, "MEMCPY"))
		return TFP_NONE;
	id = tfp_strings_add(profile->strings, name.at, name.size);
	node = tfp_profile_add_node(profile, id, id);
	profile->nodes.flags[node] |= TFP_NODE_INVENTED;
	return node;
}

static void sum_time(int64_t *cell, const struct tfp_run_device *device,
		     const struct tfp_run_record *record)
{
	int64_t duration = tfp_run_duration(record), end = tfp_wrap_add(record->start, duration);

	if (!cell[TFP_CELL_ALL_START] || record->start < cell[TFP_CELL_ALL_START])
		cell[TFP_CELL_ALL_START] = record->start;
	if (end > cell[TFP_CELL_LATEST_END])
		cell[TFP_CELL_LATEST_END] = end;
	if (device->accelerator) {
		cell[TFP_CELL_ACCELERATOR_MICROS] =
			tfp_wrap_add(cell[TFP_CELL_ACCELERATOR_MICROS], duration);
	} else if (device->canonical) {
		cell[TFP_CELL_CPU_MICROS] = tfp_wrap_add(cell[TFP_CELL_CPU_MICROS], duration);
		cell[TFP_CELL_RUNS] = tfp_wrap_add(cell[TFP_CELL_RUNS], 1);
	}
}

static void sum_memory(int64_t *cell, const struct tfp_run_record *record)
{
	cell[TFP_CELL_BYTES] = tfp_wrap_add(cell[TFP_CELL_BYTES], record->bytes);
	cell[TFP_CELL_PEAK_BYTES] = tfp_wrap_add(cell[TFP_CELL_PEAK_BYTES], record->peak_bytes);
	cell[TFP_CELL_RESIDUAL_BYTES] =
		tfp_wrap_add(cell[TFP_CELL_RESIDUAL_BYTES], record->residual_bytes);
	cell[TFP_CELL_OUTPUT_BYTES] =
		tfp_wrap_add(cell[TFP_CELL_OUTPUT_BYTES], record->output_bytes);
}

/* Whether the record is the node's: the first canonical device of a node is its only one. */
static bool belongs(const struct tfp_profile *profile, uint32_t node,
		    const struct tfp_run_device *device)
{
	tfp_str canonical = profile->nodes.device[node];

	return !device->canonical || !canonical || canonical == device->name;
}

static uint64_t record_offset(const struct tfp_run_visitor *visitor,
			      const struct tfp_run_record *record)
{
	return tfp_walk_offset(&visitor->walk, (const uint8_t *)record->raw.at);
}

static void sum_record(struct tfp_run_visitor *visitor, const struct tfp_run_record *record,
		       uint32_t node)
{
	const struct tfp_run_device *device = &visitor->device;
	struct summer *summer = (struct summer *)visitor;
	struct tfp_profile *profile = visitor->profile;
	uint32_t index;
	int64_t *cell;

	if (node != TFP_NONE)
		profile->nodes.flags[node] |= TFP_NODE_COVERED;
	else
		node = invent_node(profile, record->name);
	if (node == TFP_NONE || !belongs(profile, node, device))
		return;
	if (device->canonical)
		profile->nodes.device[node] = device->name;
	index = tfp_profile_cell(profile, node, summer->step);
	cell = profile->cells.value + (size_t)index * TFP_TF_CELLS;
	if (record->start <= 0)
		return;
	sum_time(cell, device, record);
	if (device->name == profile->nodes.device[node]) {
		sum_memory(cell, record);
		if (!device->name)
			*tfp_array_push(&summer->provided->nameless) =
				record_offset(visitor, record);
	}
	profile->has_allocs |= record->allocs;
}

/* ---- executions ------------------------------------------------------------------------------ */

struct lister {
	struct tfp_run_visitor visitor;
	const struct provided *provided;
	size_t nameless; /* so many of these were met */
	uint32_t step;
	unsigned parts;
};

static struct tfp_exec exec_of(const struct lister *lister, const struct tfp_run_record *record,
			       uint32_t node)
{
	const struct tfp_run_device *device = &lister->visitor.device;

	return (struct tfp_exec){
		.node = node,
		.step = lister->step,
		.device = device->name,
		.accelerator = device->accelerator,
		.start = record->start,
		.duration = tfp_run_duration(record),
	};
}

static void list_stream(struct lister *lister, const struct tfp_run_record *record, uint32_t node)
{
	struct tfp_profile *profile = lister->visitor.profile;
	struct tfp_span kernel = tfp_run_kernel_of(record->label);

	*tfp_array_push(&profile->streams) = (struct tfp_stream_run){
		.node = node,
		.step = lister->step,
		.device = lister->visitor.device.name,
		.kernel = tfp_strings_add(profile->strings, kernel.at, kernel.size),
		.start = record->start,
		.duration = tfp_run_duration(record),
	};
}

/* Is what RECORD says of memory the node's own? As it was when the file was first walked. */
static bool is_own(struct lister *lister, const struct tfp_run_record *record, uint32_t node)
{
	const struct tfp_run_visitor *visitor = &lister->visitor;
	const struct provided *provided = lister->provided;
	size_t next = lister->nameless;

	if (visitor->device.name)
		return visitor->device.name == visitor->profile->nodes.device[node];
	if (next == provided->nameless.count ||
	    provided->nameless.at[next] != record_offset(visitor, record))
		return false;
	lister->nameless++;
	return true;
}

/* What a record that has a time says. */
static void list_timed(struct lister *lister, const struct tfp_run_record *record, uint32_t node)
{
	const struct tfp_run_device *device = &lister->visitor.device;
	struct tfp_profile *profile = lister->visitor.profile;
	bool own = is_own(lister, record, node);

	if (lister->parts & TFP_PART_EXECS && (device->accelerator || device->canonical))
		*tfp_array_push(&profile->execs) = exec_of(lister, record, node);
	if (lister->parts & TFP_PART_STREAMS && device->stream)
		list_stream(lister, record, node);
	if (lister->parts & TFP_PART_ALLOCS && own)
		tfp_run_allocs_add(profile, record, node, lister->step);
	if (lister->parts & TFP_PART_RECORDS && own)
		tfp_run_memory_add(profile, record, device, node, lister->step);
}

static void list_record(struct tfp_run_visitor *visitor, const struct tfp_run_record *record,
			uint32_t node)
{
	struct lister *lister = (struct lister *)visitor;

	if (node == TFP_NONE || !belongs(visitor->profile, node, &visitor->device))
		return;
	if (lister->parts & TFP_PART_RECORDS)
		tfp_profile_add_presence(
			visitor->profile,
			&(struct tfp_presence){node, lister->step, visitor->device.name});
	if (record->start > 0)
		list_timed(lister, record, node);
}

/* Damage was told when the file was first walked, so the second walk's problems go nowhere. */
static bool list_records(struct tfp_profile *profile, unsigned parts,
			 const struct provided *provided, struct tfp_job *job)
{
	struct lister lister = {
		.visitor = {.profile = profile,
			    .on_record = list_record,
			    .memory = parts & (TFP_PART_ALLOCS | TFP_PART_RECORDS)},
		.provided = provided,
		.parts = parts,
		.step = tfp_profile_find_step(profile, provided->step),
	};
	struct tfp_diag *quiet = tfp_diag_new();
	bool finished = tfp_run_visit(&lister.visitor, provided->source, job, quiet);

	tfp_diag_free(quiet);
	return finished;
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	const struct provided *provided = data;
	struct tfp_facts facts = {profile};

	(void)diag;
	if (parts & TFP_PART_MODEL)
		tfp_run_facts(&facts, provided->source, provided->step);
	return !(parts & ~(unsigned)TFP_PART_MODEL) || list_records(profile, parts, provided, job);
}

static void release(void *data)
{
	struct provided *provided = data;

	tfp_source_free(provided->source);
	tfp_array_free(&provided->nameless);
	tfp_array_release(provided);
}

static struct provided *add_provider(struct tfp_profile *profile, struct tfp_source *source,
				     int64_t step)
{
	struct provided *provided = tfp_alloc_zero(1, sizeof(*provided));

	provided->source = source;
	provided->step = step;
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_EXECS | TFP_PART_STREAMS |
							   TFP_PART_ALLOCS | TFP_PART_RECORDS |
							   TFP_PART_MODEL,
						  .fill = fill,
						  .release = release,
						  .data = provided,
					  });
	return provided;
}

/* ---- loading --------------------------------------------------------------------------------- */

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct summer summer = {
		.visitor = {.profile = profile,
			    .on_stats = sum_stats,
			    .on_device = sum_device,
			    .on_record = sum_record,
			    .memory = true},
		.number = step,
		.label = tfp_strings_add_text(profile->strings, profile->files.at[file].path),
		.step = TFP_NONE,
	};

	source = tfp_sniff_to_wire(source, text_names, &tfp__run_metadata__descriptor, job, diag);
	if (!source)
		return false;
	summer.provided = add_provider(profile, source, step);
	tfp_run_visit(&summer.visitor, source, job, diag);
	profile->has_model = profile->has_model || tfp_run_has_graphs(source);
	if (summer.gpu && !summer.gpu_stream)
		profile->missing_stream = true;
	if (summer.step == TFP_NONE)
		tfp_diag_add(diag, TFP_NOTE, source->path, -1, 0,
			     "no step statistics in this file");
	return summer.visitor.records ||
	       tfp_walk_found_nothing(&summer.visitor.walk, tfp_runmeta_loader.label,
				      sniff(source));
}

const struct tfp_loader tfp_runmeta_loader = {
	.name = "runmeta",
	.label = "RunMetadata",
	.role = TFP_ROLE_RUN_META,
	.stage = 3,
	.sniff = sniff,
	.load = load,
};
