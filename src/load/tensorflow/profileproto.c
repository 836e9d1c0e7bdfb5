/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ProfileProto, the profile that TensorFlow saves. Its nodes are a map in any order, so a first
 * walk notes their ids and places, and a second one adds them by ascending id.
 */
#include <stdlib.h>

#include "load/tensorflow/attrvalue.h"
#include "load/tensorflow/profileproto.h"
#include "load/loaders.h"
#include "load/sniff.h"
#include "proto/tfprof_log.pb-c.h"

/* ---- recognising ----------------------------------------------------------------------------- */

static const struct tfp_expect profile_node[] = {
	{PNODE_NAME, TFP_EXPECT_TEXT, false, NULL},
	{PNODE_INPUT, TFP_EXPECT_BYTES, false, NULL},
	{3, TFP_EXPECT_BYTES, false, NULL},
	{PNODE_SHAPE, TFP_EXPECT_BYTES, false, NULL},
	{PNODE_TYPE, TFP_EXPECT_TEXT, false, NULL},
	{PNODE_DEVICE, TFP_EXPECT_TEXT, false, NULL},
	{7, TFP_EXPECT_TEXT, false, NULL},
	{PNODE_FLOAT_OPS, TFP_EXPECT_INT, false, NULL},
	{PNODE_OP, TFP_EXPECT_TEXT, false, NULL},
	{PNODE_TRACE, TFP_EXPECT_BYTES, false, NULL},
	{11, TFP_EXPECT_BYTES, false, NULL},
	{PNODE_EXEC, TFP_EXPECT_BYTES, false, NULL},
	{13, TFP_EXPECT_INT, false, NULL},
	{PNODE_SOURCE_OUTPUT, TFP_EXPECT_BYTES, false, NULL},
	{PNODE_OUTPUT_SHAPE, TFP_EXPECT_BYTES, false, NULL},
	{PNODE_INPUT_SHAPE, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect node_entry[] = {
	{ENTRY_KEY, TFP_EXPECT_INT, false, NULL},
	{ENTRY_VALUE, TFP_EXPECT_MESSAGE, true, profile_node},
	{0},
};
static const struct tfp_expect string_entry[] = {
	{ENTRY_KEY, TFP_EXPECT_INT, false, NULL},
	{ENTRY_VALUE, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect profile_proto[] = {
	{PROFILE_NODE, TFP_EXPECT_MESSAGE, false, node_entry},
	{PROFILE_HAS_TRACE, TFP_EXPECT_INT, false, NULL},
	{PROFILE_STEP, TFP_EXPECT_BYTES, false, NULL},
	{PROFILE_STRING, TFP_EXPECT_MESSAGE, false, string_entry},
	{PROFILE_NO_STREAM, TFP_EXPECT_INT, false, NULL},
	{0},
};

static const char *const text_names[] = {"nodes", "has_trace", "steps", "miss_accelerator_stream",
					 NULL};

static int sniff(const struct tfp_source *source)
{
	return tfp_sniff(source, profile_proto, text_names);
}

static bool entry_begins(const uint8_t *bytes, size_t size)
{
	return tfp_sniff_begins(bytes, size, node_entry);
}

static const struct tfp_element node_element = {"ProfileNode", PROFILE_NODE, entry_begins, NULL};

/* ---- the first walk: places of nodes, steps -------------------------------------------------- */

struct place {
	int64_t id;
	uint64_t offset; /* of the ProfileNode; also tells which of two equal ids came later */
	uint32_t size;
};

struct exec_place {
	int64_t step;
	struct tfp_field exec;
};

struct reader {
	struct tfp_profile *profile;
	struct tfp_saved_profile *saved;
	struct tfp_walk walk;
	TFP_ARRAY(struct place) places;
	struct tfp_integers steps;
	TFP_ARRAY(struct exec_place) execs; /* of the node at hand */
	struct tfp_exec_times times;
	int64_t *cell; /* that the times being read belong to */
	unsigned column;
};

/* The keys of the executions of a node are steps too, should the list of steps lack them. */
static void note_exec_steps(struct reader *reader, const struct tfp_field *node)
{
	struct tfp_wire wire = tfp_wire_in(node);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, PNODE_EXEC))
			*tfp_array_push(&reader->steps) = tfp_map_entry_read(&field).key;
	if (wire.bad)
		tfp_walk_damaged(&reader->walk, node->data, node_element.name);
}

/* If the length of ENTRY is wrong so that it holds another, ends it there; OUTER goes on there. */
static void end_before_next(struct reader *reader, struct tfp_wire *outer, struct tfp_field *entry)
{
	struct tfp_wire wire = tfp_wire_in(entry);
	const uint8_t *at = wire.at;
	struct tfp_field field;

	for (; tfp_wire_next(&wire, &field); at = wire.at) {
		if (!tfp_field_is(&field, PROFILE_NODE) || !entry_begins(field.data, field.size))
			continue;
		tfp_walk_damaged(&reader->walk, entry->data, node_element.name);
		entry->size = (size_t)(at - entry->data);
		outer->at = at;
		return;
	}
}

static void note_node(struct reader *reader, struct tfp_wire *outer, struct tfp_field *entry)
{
	struct tfp_map_entry node;

	end_before_next(reader, outer, entry);
	node = tfp_map_entry_read(entry);
	*tfp_array_push(&reader->places) = (struct place){
		.id = node.key,
		.offset = tfp_walk_offset(&reader->walk, node.value.data),
		.size = node.value.size < TFP_NONE ? (uint32_t)node.value.size : TFP_NONE - 1,
	};
	note_exec_steps(reader, &node.value);
}

static void walk_file(struct reader *reader, const struct tfp_source *source, struct tfp_job *job,
		      struct tfp_diag *diag)
{
	struct tfp_wire wire = tfp_walk_start(&reader->walk, source, job, diag);
	struct tfp_field field;

	while (tfp_walk_next(&reader->walk, &wire, &field, &node_element)) {
		if (tfp_field_is(&field, PROFILE_NODE))
			note_node(reader, &wire, &field);
		else if (tfp_field_is_int(&field, PROFILE_HAS_TRACE))
			reader->profile->has_stacks = field.value != 0;
		else if (tfp_field_is_int(&field, PROFILE_NO_STREAM))
			reader->profile->missing_stream = field.value != 0;
		else if (field.number == PROFILE_STEP)
			tfp_wire_integers(&field, &reader->steps);
	}
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* ---- the second walk: nodes by ascending id -------------------------------------------------- */

static void add_time(void *data, int64_t start, int64_t duration)
{
	struct reader *reader = data;

	(void)start;
	reader->cell[reader->column] = tfp_wrap_add(reader->cell[reader->column], duration);
}

static void add_memory(int64_t *cell, const struct tfp_field *memory)
{
	static const uint8_t columns[] = {
		[PMEMORY_REQUESTED] = TFP_CELL_BYTES,
		[PMEMORY_PEAK] = TFP_CELL_PEAK_BYTES,
		[PMEMORY_RESIDUAL] = TFP_CELL_RESIDUAL_BYTES,
		[PMEMORY_OUTPUT] = TFP_CELL_OUTPUT_BYTES,
	};
	struct tfp_wire wire = tfp_wire_in(memory);
	int64_t values[PMEMORY_OUTPUT + 1] = {0};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.type == TFP_WIRE_VARINT && field.number <= PMEMORY_OUTPUT)
			values[field.number] = (int64_t)field.value;
	for (size_t i = PMEMORY_REQUESTED; i <= PMEMORY_OUTPUT; i++)
		cell[columns[i]] = tfp_wrap_add(cell[columns[i]], values[i]);
}

static void add_exec(struct reader *reader, const struct tfp_field *exec)
{
	struct tfp_wire wire = tfp_wire_in(exec);
	struct tfp_field field;
	int64_t *cell = reader->cell;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, PEXEC_RUNS)) {
			cell[TFP_CELL_RUNS] = (int64_t)field.value;
		} else if (tfp_field_is_int(&field, PEXEC_START)) {
			cell[TFP_CELL_ALL_START] = (int64_t)field.value;
		} else if (tfp_field_is_int(&field, PEXEC_END)) {
			cell[TFP_CELL_LATEST_END] = (int64_t)field.value;
		} else if (tfp_field_is(&field, PEXEC_ACCELERATOR) ||
			   tfp_field_is(&field, PEXEC_CPU)) {
			reader->column = field.number == PEXEC_CPU ? TFP_CELL_CPU_MICROS
								   : TFP_CELL_ACCELERATOR_MICROS;
			tfp_exec_times_read(&reader->times, &field);
		} else if (tfp_field_is(&field, PEXEC_MEMORY)) {
			add_memory(cell, &field);
		} else if (tfp_field_is(&field, PEXEC_ALLOC)) {
			reader->profile->has_allocs = true;
		}
	}
}

static void add_exec_entry(struct reader *reader, const struct exec_place *place, uint32_t node)
{
	struct tfp_profile *profile = reader->profile;
	uint32_t step = tfp_profile_find_step(profile, place->step);
	uint32_t cell = tfp_profile_cell(profile, node, step);

	reader->cell = profile->cells.value + (size_t)cell * TFP_TF_CELLS;
	add_exec(reader, &place->exec);
}

static int compare_execs(const void *left, const void *right)
{
	const struct exec_place *a = left, *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return a->exec.data < b->exec.data ? -1 : a->exec.data > b->exec.data;
}

/*
 * By ascending step, which is the order in which cells are quickly added; of equal steps the last
 * counts.
 */
static void add_execs(struct reader *reader, uint32_t node)
{
	size_t count = reader->execs.count;
	const struct exec_place *execs = reader->execs.at;

	if (count > 1)
		qsort(reader->execs.at, count, sizeof(*execs), compare_execs);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count || execs[i].step != execs[i + 1].step)
			add_exec_entry(reader, &execs[i], node);
	reader->execs.count = 0;
}

static void note_exec(struct reader *reader, const struct tfp_field *entry)
{
	struct tfp_map_entry exec = tfp_map_entry_read(entry);

	*tfp_array_push(&reader->execs) = (struct exec_place){exec.key, exec.value};
}

static tfp_str intern(struct tfp_profile *profile, const struct tfp_field *text)
{
	return tfp_strings_add(profile->strings, (const char *)text->data, text->size);
}

static void add_fields(struct reader *reader, const struct place *place, uint32_t node)
{
	struct tfp_profile *profile = reader->profile;
	struct tfp_wire wire =
		tfp_wire_of(reader->saved->source->data + place->offset, place->size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, PNODE_TYPE))
			tfp_profile_add_type(profile, node, intern(profile, &field));
		else if (tfp_field_is(&field, PNODE_DEVICE))
			profile->nodes.device[node] = intern(profile, &field);
		else if (tfp_field_is_int(&field, PNODE_FLOAT_OPS))
			profile->nodes.float_ops[node] = (int64_t)field.value;
		else if (tfp_field_is(&field, PNODE_TRACE))
			profile->nodes.flags[node] |= TFP_NODE_TRACED;
		else if (tfp_field_is(&field, PNODE_EXEC))
			note_exec(reader, &field);
	}
	add_execs(reader, node);
}

static void add_node(struct reader *reader, const struct place *place)
{
	struct tfp_profile *profile = reader->profile;
	struct tfp_wire wire =
		tfp_wire_of(reader->saved->source->data + place->offset, place->size);
	struct tfp_field field, name = {.data = wire.at}, op = name;
	bool named = false;
	tfp_str name_id;
	uint32_t node;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, PNODE_NAME)) {
			name = field;
			named = true;
		} else if (tfp_field_is(&field, PNODE_OP)) {
			op = field;
		}
	if (!named && reader->walk.damaged)
		return;
	name_id = intern(profile, &name);
	node = tfp_profile_find_node(profile, name_id);
	if (node != TFP_NONE) {
		tfp_diag_add(reader->walk.diag, TFP_WARNING, reader->saved->source->path,
			     (int64_t)place->offset, 0,
			     "two nodes have the same name; the first is kept");
		tfp_idmap_add(&reader->saved->nodes, (uint64_t)place->id, node);
		return;
	}
	node = tfp_profile_add_node(profile, name_id, intern(profile, &op));
	tfp_idmap_add(&reader->saved->nodes, (uint64_t)place->id, node);
	profile->nodes.flags[node] |= TFP_NODE_TYPES_GIVEN;
	profile->nodes.record[node] = (struct tfp_record){place->offset, place->size, 0};
	add_fields(reader, place, node);
}

static void add_nodes(struct reader *reader)
{
	const struct place *places = reader->places.at;
	size_t count = reader->places.count;

	for (size_t i = 0; i < count && !tfp_job_cancelled(reader->walk.job); i++)
		if (i + 1 == count || places[i].id != places[i + 1].id)
			add_node(reader, &places[i]);
	if (reader->times.broken)
		tfp_diag_add(reader->walk.diag, TFP_WARNING, reader->saved->source->path, -1, 0,
			     "%llu executions have no start or no duration",
			     (unsigned long long)reader->times.broken);
}

/* ---- loading --------------------------------------------------------------------------------- */

static void release(void *data)
{
	struct tfp_saved_profile *saved = data;

	tfp_source_free(saved->source);
	tfp_idmap_free(&saved->nodes);
	tfp_array_release(saved);
}

static struct tfp_wire record_of(const struct tfp_profile *profile, uint32_t node,
				 const struct tfp_saved_profile *saved)
{
	const struct tfp_record *record = &profile->nodes.record[node];

	return tfp_wire_of(saved->source->data + record->offset,
			   record->size == TFP_NONE ? 0 : record->size);
}

static void describe(const struct tfp_profile *profile, uint32_t node, void *data,
		     struct tfp_attributes *out)
{
	tfp_attributes_read(record_of(profile, node, data), PNODE_ATTR, out);
}

static void describe_raw(const struct tfp_profile *profile, uint32_t node, void *data,
			 struct tfp_spans *out)
{
	tfp_attributes_find(record_of(profile, node, data), PNODE_ATTR, out);
}

static struct tfp_saved_profile *add_provider(struct tfp_profile *profile,
					      struct tfp_source *source)
{
	struct tfp_saved_profile *saved = tfp_alloc_zero(1, sizeof(*saved));

	saved->source = source;
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_EDGES | TFP_PART_SHAPES |
							   TFP_PART_STACKS | TFP_PART_EXECS |
							   TFP_PART_ALLOCS | TFP_PART_RECORDS,
						  .fill = tfp_saved_profile_fill,
						  .describe = describe,
						  .describe_raw = describe_raw,
						  .release = release,
						  .data = saved,
					  });
	return saved;
}

static void sort(struct reader *reader)
{
	if (reader->places.count)
		qsort(reader->places.at, reader->places.count, sizeof(*reader->places.at),
		      compare_places);
	if (reader->steps.count)
		qsort(reader->steps.at, reader->steps.count, sizeof(*reader->steps.at),
		      tfp_number_compare);
	for (size_t i = 0; i < reader->steps.count; i++)
		tfp_profile_step(reader->profile, reader->steps.at[i], 0);
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct reader reader = {.profile = profile};

	(void)file;
	(void)step;
	source = tfp_sniff_to_wire(source, text_names, &tfp__profile_proto__descriptor, job, diag);
	if (!source)
		return false;
	reader.saved = add_provider(profile, source);
	reader.times.visit = add_time;
	reader.times.data = &reader;
	walk_file(&reader, source, job, diag);
	sort(&reader);
	add_nodes(&reader);
	tfp_array_free(&reader.places);
	tfp_array_free(&reader.steps);
	tfp_array_free(&reader.execs);
	tfp_array_free(&reader.times.numbers);
	profile->has_graph = true;
	profile->outputs_given = true;
	return profile->nodes.count ||
	       tfp_walk_found_nothing(&reader.walk, tfp_profileproto_loader.label, sniff(source));
}

const struct tfp_loader tfp_profileproto_loader = {
	.name = "profileproto",
	.label = "ProfileProto",
	.role = TFP_ROLE_PROFILE,
	.stage = 0,
	.alone = true,
	.sniff = sniff,
	.load = load,
};
