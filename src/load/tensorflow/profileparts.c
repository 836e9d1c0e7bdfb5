/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read of a saved profile when a view asks for it: inputs, shapes, call stacks and
 * executions.
 */
#include <string.h>

#include "load/tensorflow/profileproto.h"
#include "load/tensorflow/runmeta.h"
#include "load/tensorflow/codedef.h"

struct filler {
	struct tfp_profile *profile;
	struct tfp_saved_profile *saved;
	struct tfp_diag *diag;
	unsigned parts;
	uint32_t node;
	struct tfp_codedef_reader traces;
	struct tfp_integers numbers;
	struct tfp_exec_times times;
	struct tfp_exec exec;               /* what the times being read have in common */
	TFP_ARRAY(struct tfp_input) inputs; /* of the node at hand, by index */
	TFP_ARRAY(uint32_t) shapes;         /* its output shapes, by index */
	TFP_ARRAY(int32_t) outputs;         /* by node: output index noted for the node at hand */
	TFP_ARRAY(uint32_t) noted;          /* by node: the node it was noted for */
};

static void problem(struct filler *filler, const uint8_t *at, const char *text)
{
	tfp_diag_add(filler->diag, TFP_WARNING, filler->saved->source->path,
		     at - filler->saved->source->data, 0, "%s", text);
}

/* ---- executions ------------------------------------------------------------------------------ */

void tfp_exec_times_read(struct tfp_exec_times *times, const struct tfp_field *device)
{
	struct tfp_wire wire = tfp_wire_in(device), tuple;
	struct tfp_field field, value = {.data = device->data};

	times->device = (struct tfp_span){"", 0};
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, ENTRY_KEY))
			times->device = tfp_field_span(&field);
		else if (tfp_field_is(&field, ENTRY_VALUE))
			value = field;
	wire = tfp_wire_in(&value);
	while (tfp_wire_next(&wire, &field)) {
		if (!tfp_field_is(&field, TIME_TUPLE))
			continue;
		times->numbers.count = 0;
		tuple = tfp_wire_in(&field);
		while (tfp_wire_next(&tuple, &field))
			if (field.number == TUPLE_VALUE)
				tfp_wire_integers(&field, &times->numbers);
		if (times->numbers.count == 2)
			times->visit(times->data, times->numbers.at[0], times->numbers.at[1]);
		else
			times->broken++;
	}
}

static void list_time(void *data, int64_t start, int64_t duration)
{
	struct filler *filler = data;

	filler->exec.start = start;
	filler->exec.duration = duration;
	filler->exec.device = tfp_strings_add(filler->profile->strings, filler->times.device.at,
					      filler->times.device.size);
	*tfp_array_push(&filler->profile->execs) = filler->exec;
}

static void list_execs(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry step = tfp_map_entry_read(entry);
	struct tfp_wire wire = tfp_wire_in(&step.value);
	struct tfp_field field;

	filler->exec.node = filler->node;
	filler->exec.step = tfp_profile_find_step(filler->profile, step.key);
	while (tfp_wire_next(&wire, &field)) {
		if (!tfp_field_is(&field, PEXEC_ACCELERATOR) && !tfp_field_is(&field, PEXEC_CPU))
			continue;
		filler->exec.accelerator = field.number == PEXEC_ACCELERATOR;
		tfp_exec_times_read(&filler->times, &field);
	}
}

/* ---- memory over time ------------------------------------------------------------------------ */

static void read_holding(struct filler *filler, const struct tfp_field *memory, uint32_t step)
{
	struct tfp_wire wire = tfp_wire_in(memory);
	struct tfp_holding holding = {.node = filler->node, .step = step};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, PMEMORY_MICROS))
			holding.time = (int64_t)field.value;
		else if (tfp_field_is_int(&field, PMEMORY_PERSISTENT))
			holding.persistent = (int64_t)field.value;
		else if (tfp_field_is_int(&field, PMEMORY_IN_USE))
			holding.in_use = (int64_t)field.value;
	}
	tfp_profile_add_in_use(filler->profile,
			       &(struct tfp_in_use){.step = step, .bytes = holding.in_use});
	tfp_profile_add_holding(filler->profile, &holding);
}

static void list_allocs(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry exec = tfp_map_entry_read(entry);
	struct tfp_wire wire = tfp_wire_in(&exec.value);
	uint32_t step = tfp_profile_find_step(filler->profile, exec.key);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, PEXEC_ALLOC))
			tfp_run_alloc_add(filler->profile, &field, filler->node, step);
		else if (tfp_field_is(&field, PEXEC_MEMORY))
			read_holding(filler, &field, step);
	}
}

/* ---- memory by record ------------------------------------------------------------------------ */

static void read_memory_output(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry slot = tfp_map_entry_read(entry);
	struct tfp_wire wire = tfp_wire_in(&slot.value);
	struct tfp_memory_output output = {.slot = (int32_t)slot.key};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, POUTPUT_BYTES))
			output.bytes = (int64_t)field.value;
		else if (tfp_field_is_int(&field, POUTPUT_ADDRESS))
			output.address = field.value;
	*tfp_array_push(&filler->profile->memory_outputs) = output;
}

static void read_memory(struct filler *filler, const struct tfp_field *message, uint32_t step)
{
	struct tfp_profile *profile = filler->profile;
	struct tfp_memory memory = {
		.node = filler->node,
		.step = step,
		.output_first = (uint32_t)profile->memory_outputs.count,
	};
	int64_t *const members[] = {
		[PMEMORY_MICROS] = &memory.time,
		[PMEMORY_HOST_TEMP] = &memory.host_temp,
		[PMEMORY_HOST_PERSISTENT] = &memory.host_persistent,
		[PMEMORY_TEMP] = &memory.accelerator_temp,
		[PMEMORY_PERSISTENT] = &memory.accelerator_persistent,
		[PMEMORY_REQUESTED] = &memory.bytes,
		[PMEMORY_PEAK] = &memory.peak_bytes,
		[PMEMORY_RESIDUAL] = &memory.residual_bytes,
		[PMEMORY_OUTPUT] = &memory.output_bytes,
		[PMEMORY_IN_USE] = &memory.in_use,
	};
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, PMEMORY_OUTPUT_MAP))
			read_memory_output(filler, &field);
		else if (field.type == TFP_WIRE_VARINT && field.number <= PMEMORY_IN_USE)
			*members[field.number] = (int64_t)field.value;
	memory.output_count = (uint32_t)profile->memory_outputs.count - memory.output_first;
	*tfp_array_push(&profile->memories) = memory;
}

static void list_records(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry exec = tfp_map_entry_read(entry);
	struct tfp_wire wire = tfp_wire_in(&exec.value);
	struct tfp_profile *profile = filler->profile;
	struct tfp_presence presence = {
		.node = filler->node,
		.step = tfp_profile_find_step(profile, exec.key),
	};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, PEXEC_MEMORY))
			read_memory(filler, &field, presence.step);
		if (!tfp_field_is(&field, PEXEC_DEVICE))
			continue;
		presence.device =
			tfp_strings_add(profile->strings, (const char *)field.data, field.size);
		tfp_profile_add_presence(profile, &presence);
	}
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The shape of the numbers at hand; none when there are none. */
static uint32_t take_shape(struct filler *filler)
{
	if (!filler->numbers.count)
		return TFP_NONE;
	return tfp_profile_shape(filler->profile, filler->numbers.at, filler->numbers.count);
}

/*
 * Whether INDEX is one that a list may be made as long as: files are believed as far as their bytes
 * could hold all smaller indices too.
 */
static bool index_fits(struct filler *filler, int64_t index, const struct tfp_field *entry)
{
	if (index >= 0 && index < filler->profile->nodes.record[filler->node].size)
		return true;
	problem(filler, entry->data, "an index of an input or output is out of range");
	return false;
}

static void read_output_shape(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry shape = tfp_map_entry_read(entry);
	struct tfp_wire wire = tfp_wire_in(&shape.value);
	struct tfp_field field;

	if (!index_fits(filler, shape.key, entry))
		return;
	filler->numbers.count = 0;
	while (tfp_wire_next(&wire, &field))
		if (field.number == TUPLE_VALUE)
			tfp_wire_integers(&field, &filler->numbers);
	while (filler->shapes.count <= (uint64_t)shape.key)
		*tfp_array_push(&filler->shapes) = TFP_NONE;
	filler->shapes.at[shape.key] = take_shape(filler);
}

static void store_shapes(struct filler *filler)
{
	struct tfp_profile *profile = filler->profile;

	profile->nodes.output_first[filler->node] = (uint32_t)profile->output_shape.count;
	for (size_t i = 0; i < filler->shapes.count; i++)
		*tfp_array_push(&profile->output_shape) = filler->shapes.at[i];
	filler->shapes.count = 0;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static tfp_str dangling_name(struct filler *filler, int64_t id)
{
	char text[40];
	int size = snprintf(text, sizeof(text), "<node %lld>", (long long)id);

	return tfp_strings_add(filler->profile->strings, text, (size_t)size);
}

/* A value of a map from numbers to numbers. */
static struct tfp_map_entry read_pair(const struct tfp_field *entry)
{
	struct tfp_wire wire = tfp_wire_in(entry);
	struct tfp_map_entry pair = {0, {.data = entry->data, .value = 0}};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, ENTRY_KEY))
			pair.key = (int64_t)field.value;
		else if (tfp_field_is_int(&field, ENTRY_VALUE))
			pair.value.value = field.value;
	return pair;
}

/* Those up to INDEX that are not named are no node's. */
static void reach_input(struct filler *filler, int64_t index)
{
	while (filler->inputs.count <= (uint64_t)index)
		*tfp_array_push(&filler->inputs) = (struct tfp_input){TFP_NONE, 0, 0};
}

static void read_input(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry pair = read_pair(entry);
	struct tfp_input *input;

	if (!index_fits(filler, pair.key, entry))
		return;
	reach_input(filler, pair.key);
	input = &filler->inputs.at[pair.key];
	input->node = tfp_idmap_get(&filler->saved->nodes, pair.value.value);
	if (input->node != TFP_NONE) {
		input->name = filler->profile->nodes.name[input->node];
		return;
	}
	problem(filler, entry->data, "an input is a node that the file does not hold");
	input->name = dangling_name(filler, (int64_t)pair.value.value);
}

/* Shapes of inputs follow from the producers'; what counts is that there is such an input. */
static void read_input_shape(struct filler *filler, const struct tfp_field *entry)
{
	int64_t index = tfp_map_entry_read(entry).key;

	if (index_fits(filler, index, entry))
		reach_input(filler, index);
}

static void read_source_output(struct filler *filler, const struct tfp_field *entry)
{
	struct tfp_map_entry pair = read_pair(entry);
	uint32_t producer = tfp_idmap_get(&filler->saved->nodes, (uint64_t)pair.key);

	if (producer == TFP_NONE)
		return;
	filler->noted.at[producer] = filler->node;
	filler->outputs.at[producer] = (int32_t)pair.value.value;
}

static void store_inputs(struct filler *filler)
{
	struct tfp_profile *profile = filler->profile;

	profile->nodes.input_first[filler->node] = (uint32_t)profile->inputs.count;
	for (size_t i = 0; i < filler->inputs.count; i++) {
		struct tfp_input input = filler->inputs.at[i];

		if (input.node != TFP_NONE && filler->noted.at[input.node] == filler->node)
			input.output = filler->outputs.at[input.node];
		*tfp_array_push(&profile->inputs) = input;
	}
	filler->inputs.count = 0;
}

/* ---- all nodes ------------------------------------------------------------------------------- */

static struct tfp_wire record_of(const struct filler *filler)
{
	const struct tfp_record *record = &filler->profile->nodes.record[filler->node];

	return tfp_wire_of(filler->saved->source->data + record->offset, record->size);
}

static void read_field(struct filler *filler, const struct tfp_field *field)
{
	static const struct {
		uint32_t number;
		unsigned part;
		void (*read)(struct filler *filler, const struct tfp_field *field);
	} readers[] = {
		{PNODE_INPUT, TFP_PART_EDGES, read_input},
		{PNODE_INPUT_SHAPE, TFP_PART_EDGES, read_input_shape},
		{PNODE_SOURCE_OUTPUT, TFP_PART_EDGES, read_source_output},
		{PNODE_OUTPUT_SHAPE, TFP_PART_SHAPES, read_output_shape},
		{PNODE_EXEC, TFP_PART_EXECS, list_execs},
		{PNODE_EXEC, TFP_PART_ALLOCS, list_allocs},
		{PNODE_EXEC, TFP_PART_RECORDS, list_records},
	};

	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (filler->parts & readers[i].part && tfp_field_is(field, readers[i].number))
			readers[i].read(filler, field);
}

static void read_parameter_shape(struct filler *filler)
{
	struct tfp_wire wire = record_of(filler);
	struct tfp_field field;

	filler->numbers.count = 0;
	while (tfp_wire_next(&wire, &field))
		if (field.number == PNODE_SHAPE)
			tfp_wire_integers(&field, &filler->numbers);
	filler->profile->nodes.shape[filler->node] = take_shape(filler);
}

static void fill_node(struct filler *filler)
{
	struct tfp_wire wire = record_of(filler);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		read_field(filler, &field);
	if (filler->parts & TFP_PART_EDGES)
		store_inputs(filler);
	if (filler->parts & TFP_PART_SHAPES) {
		read_parameter_shape(filler);
		store_shapes(filler);
	}
	if (filler->parts & TFP_PART_STACKS)
		filler->profile->nodes.stack[filler->node] =
			tfp_codedef_stack(&filler->traces, record_of(filler), PNODE_TRACE);
}

static void start(struct filler *filler)
{
	const struct tfp_source *source = filler->saved->source;
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	size_t nodes = filler->profile->nodes.count;
	struct tfp_field field;

	filler->times.visit = list_time;
	filler->times.data = filler;
	if (filler->parts & TFP_PART_STACKS) {
		tfp_codedef_start(&filler->traces, filler->profile, source, filler->diag);
		while (tfp_wire_next(&wire, &field))
			if (tfp_field_is(&field, PROFILE_STRING))
				tfp_codedef_add_text(&filler->traces, &field);
	}
	if (filler->parts & TFP_PART_EDGES) {
		tfp_array_reserve(&filler->outputs, nodes);
		tfp_array_reserve(&filler->noted, nodes);
		if (nodes)
			memset(filler->noted.at, 0xff, nodes * sizeof(*filler->noted.at));
	}
}

static void finish(struct filler *filler)
{
	struct tfp_profile *profile = filler->profile;
	uint32_t count = profile->nodes.count;

	if (filler->parts & TFP_PART_EDGES)
		profile->nodes.input_first[count] = (uint32_t)profile->inputs.count;
	if (filler->parts & TFP_PART_SHAPES)
		profile->nodes.output_first[count] = (uint32_t)profile->output_shape.count;
	if (filler->parts & TFP_PART_STACKS)
		tfp_codedef_free(&filler->traces);
	tfp_array_free(&filler->numbers);
	tfp_array_free(&filler->times.numbers);
	tfp_array_free(&filler->inputs);
	tfp_array_free(&filler->shapes);
	tfp_array_free(&filler->outputs);
	tfp_array_free(&filler->noted);
}

bool tfp_saved_profile_fill(struct tfp_profile *profile, unsigned parts, void *data,
			    struct tfp_job *job, struct tfp_diag *diag)
{
	struct filler filler = {.profile = profile, .saved = data, .diag = diag, .parts = parts};
	bool going = true;

	start(&filler);
	for (; filler.node < profile->nodes.count && going; filler.node++) {
		fill_node(&filler);
		going = (filler.node & 1023) || !tfp_job_cancelled(job);
	}
	finish(&filler);
	return going;
}
