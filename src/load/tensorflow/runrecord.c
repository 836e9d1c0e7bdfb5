/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of RunMetadata: classes of devices, the numbers of one NodeExecStats, and the walk
 * over all of a file.
 */
#include <string.h>

#include "load/tensorflow/runmeta.h"

/* ---- devices --------------------------------------------------------------------------------- */

static bool take_prefix(struct tfp_span *text, const char *prefix)
{
	size_t size = strlen(prefix);

	if (text->size < size || memcmp(text->at, prefix, size))
		return false;
	text->at += size;
	text->size -= size;
	return true;
}

/*
 * Whether all of a lower case name is ".*" and "/", then "cpu:" or "gpu:" (or "device:" and these)
 * and digits.
 */
static bool is_canonical(struct tfp_span name)
{
	const char *slash = memrchr(name.at, '/', name.size);
	struct tfp_span rest;

	if (!slash || memchr(name.at, '\n', name.size))
		return false;
	rest = (struct tfp_span){slash + 1, (size_t)(name.at + name.size - slash - 1)};
	take_prefix(&rest, "device:");
	if ((!take_prefix(&rest, "cpu:") && !take_prefix(&rest, "gpu:")) || !rest.size)
		return false;
	for (size_t i = 0; i < rest.size; i++)
		if (rest.at[i] < '0' || rest.at[i] > '9')
			return false;
	return true;
}

struct tfp_run_device tfp_run_device_of(struct tfp_strings *strings, struct tfp_span name)
{
	char *lower = tfp_alloc(name.size + 1);
	struct tfp_span span = {lower, name.size};
	struct tfp_run_device device;

	for (size_t i = 0; i < name.size; i++)
		lower[i] = (char)(name.at[i] >= 'A' && name.at[i] <= 'Z' ? name.at[i] | 0x20
									 : name.at[i]);
	device = (struct tfp_run_device){
		.name = tfp_strings_add(strings, span.at, span.size),
		.canonical = is_canonical(span),
		.accelerator = tfp_span_holds(span, "stream:all"),
		.gpu = tfp_span_holds(span, "gpu"),
		.cpu = tfp_span_holds(span, "cpu"),
	};
	device.stream = !device.accelerator &&
			(tfp_span_holds(span, "stream:") || tfp_span_holds(span, "/memcpy"));
	tfp_array_release(lower);
	return device;
}

/* ---- one record ------------------------------------------------------------------------------ */

static void read_memory(const struct tfp_field *memory, struct tfp_run_record *out)
{
	struct tfp_wire wire = tfp_wire_in(memory);
	struct tfp_field field;
	int64_t total = 0, peak = 0, live = 0;

	while (tfp_wire_next(&wire, &field)) {
		out->allocs |= tfp_field_is(&field, MEMORY_RECORD);
		if (field.type != TFP_WIRE_VARINT)
			continue;
		if (field.number == MEMORY_TOTAL)
			total = (int64_t)field.value;
		else if (field.number == MEMORY_PEAK)
			peak = (int64_t)field.value;
		else if (field.number == MEMORY_LIVE)
			live = (int64_t)field.value;
	}
	out->bytes = tfp_wrap_add(out->bytes, total);
	out->peak_bytes = tfp_wrap_add(out->peak_bytes, peak);
	out->residual_bytes = tfp_wrap_add(out->residual_bytes, live);
}

static void read_allocation(const struct tfp_field *message, struct tfp_run_output *output)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	output->known = true;
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, ALLOCATION_REQUESTED))
			output->requested = (int64_t)field.value;
		else if (tfp_field_is_int(&field, ALLOCATION_ALLOCATED))
			output->allocated = (int64_t)field.value;
		else if (tfp_field_is_int(&field, ALLOCATION_ADDRESS))
			output->address = field.value;
	}
}

struct tfp_run_output tfp_run_output_read(const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message), tensor;
	struct tfp_run_output output = {.slot = 0};
	struct tfp_field field, inner;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, OUTPUT_SLOT))
			output.slot = (int32_t)field.value;
		if (!tfp_field_is(&field, OUTPUT_TENSOR))
			continue;
		tensor = tfp_wire_in(&field);
		while (tfp_wire_next(&tensor, &inner))
			if (tfp_field_is(&inner, TENSOR_ALLOCATION))
				read_allocation(&inner, &output);
	}
	output.bytes = output.allocated > output.requested ? output.allocated : output.requested;
	return output;
}

/* Temporary and persistent bytes, which are one message however often it occurs. */
static void read_memory_stats(const struct tfp_field *message, struct tfp_run_record *out)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, STATS_TEMP))
			out->temp = (int64_t)field.value;
		else if (tfp_field_is_int(&field, STATS_PERSISTENT))
			out->persistent = (int64_t)field.value;
	}
}

/* Whether the bytes begin a NodeExecStats. */
static bool record_begins(const uint8_t *bytes, size_t size)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;

	if (!tfp_wire_next(&wire, &field) || !tfp_field_is(&field, EXEC_NAME) || !field.size)
		return false;
	for (size_t i = 0; i < field.size && i < 256; i++)
		if (field.data[i] < ' ')
			return false;
	return tfp_wire_next(&wire, &field) && tfp_field_is_int(&field, EXEC_START);
}

struct tfp_span tfp_run_kernel_of(struct tfp_span label)
{
	static const char mark[] = "@@", copy[] = "MEMCPY";
	const char *at = memmem(label.at, label.size, mark, sizeof(mark) - 1);
	const char *colon = label.size ? memrchr(label.at, ':', label.size) : NULL;
	struct tfp_span rest = {label.at, label.size};

	if (at || colon)
		rest.at = at ? at + sizeof(mark) - 1 : colon + 1;
	rest.size = (size_t)(label.at + label.size - rest.at);
	if (at || (rest.size >= sizeof(copy) - 1 && !memcmp(rest.at, copy, sizeof(copy) - 1)))
		return rest;
	return (struct tfp_span){label.at, 0};
}

/* The part of NAME before its first ':'. */
static struct tfp_span cut_name(const struct tfp_field *name)
{
	const uint8_t *colon = name->size ? memchr(name->data, ':', name->size) : NULL;

	return (struct tfp_span){(const char *)name->data,
				 colon ? (size_t)(colon - name->data) : name->size};
}

/*
 * Reads the NodeExecStats RECORD; what it says about memory only if MEMORY. False when it is
 * damaged: what came before the damage is in OUT. If another record is found within it, its length
 * was wrong: *resume then gets where that one's field begins, else NULL.
 */
static bool read_record(const struct tfp_field *record, bool memory, struct tfp_run_record *out,
			const uint8_t **resume)
{
	struct tfp_wire wire = tfp_wire_in(record);
	const uint8_t *at = wire.at;
	struct tfp_field field, name = {.data = record->data};
	int64_t held;

	*out = (struct tfp_run_record){.raw = tfp_field_span(record)};
	*resume = NULL;
	for (; tfp_wire_next(&wire, &field); at = wire.at) {
		if (field.type == TFP_WIRE_VARINT) {
			if (field.number == EXEC_START)
				out->start = (int64_t)field.value;
			else if (field.number == EXEC_OP_END)
				out->op_end = (int64_t)field.value;
			continue;
		}
		if (field.type != TFP_WIRE_BYTES)
			continue;
		if (field.number == EXEC_NAME) {
			name = field;
		} else if (field.number == DEVICE_NODE && record_begins(field.data, field.size)) {
			*resume = at;
			break;
		} else if (memory && field.number == EXEC_MEMORY) {
			read_memory(&field, out);
		} else if (memory && field.number == EXEC_OUTPUT) {
			out->output_bytes =
				tfp_wrap_add(out->output_bytes, tfp_run_output_read(&field).bytes);
		} else if (memory && field.number == EXEC_MEMORY_STATS) {
			read_memory_stats(&field, out);
		}
	}
	out->name = cut_name(&name);
	out->label = tfp_field_span(&name);
	held = tfp_wrap_add(out->persistent, out->temp);
	out->residual_bytes = tfp_wrap_add(out->residual_bytes, out->persistent);
	out->bytes = tfp_wrap_add(out->bytes, held);
	out->peak_bytes = tfp_wrap_add(out->peak_bytes, held);
	return !wire.bad && !*resume;
}

/* ---- all records ----------------------------------------------------------------------------- */

static bool device_begins(const uint8_t *bytes, size_t size)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;

	if (!tfp_wire_next(&wire, &field) || !tfp_field_is(&field, DEVICE_NAME))
		return false;
	return field.size && *field.data == '/';
}

/* A StepStats, cut or whole, or a device that a wrong length above has put in its place. */
static bool stats_begins(const uint8_t *bytes, size_t size)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;

	if (device_begins(bytes, size))
		return true;
	return (tfp_wire_next(&wire, &field) || tfp_wire_next_cut(&wire, &field)) &&
	       tfp_field_is(&field, STATS_DEVICE) && device_begins(field.data, field.size);
}

static const struct tfp_element record_element = {"NodeExecStats", DEVICE_NODE, record_begins,
						  NULL};
static const struct tfp_element device_element = {"DeviceStepStats", STATS_DEVICE, device_begins,
						  &record_element};
static const struct tfp_element stats_element = {"StepStats", RUN_STEP_STATS, stats_begins,
						 &record_element};

/* The device's name is its first field in all but strange files. */
static struct tfp_span device_name(const struct tfp_field *device)
{
	struct tfp_wire wire = tfp_wire_in(device);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, DEVICE_NAME))
			return tfp_field_span(&field);
	return (struct tfp_span){"", 0};
}

/* Visits one record; WIRE goes back to where another begins within it. */
static void visit_record(struct tfp_run_visitor *visitor, struct tfp_wire *wire,
			 const struct tfp_field *field)
{
	const struct tfp_run_device *device = &visitor->device;
	bool memory = visitor->memory && (device->canonical || !device->name);
	struct tfp_run_record record;
	const uint8_t *resume;

	if (!read_record(field, memory, &record, &resume)) {
		if (resume || !tfp_walk_ends(&visitor->walk, field))
			tfp_walk_damaged(&visitor->walk, field->data, record_element.name);
		wire->at = resume ? resume : wire->at;
	}
	if (visitor->walk.damaged && !record.name.size)
		return;
	visitor->records++;
	visitor->on_record(visitor, &record,
			   tfp_match_node(&visitor->match, record.name.at, record.name.size));
}

/* Visits a device; OUTER goes back to where another begins within it. */
static void visit_device(struct tfp_run_visitor *visitor, struct tfp_wire *outer,
			 const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	const uint8_t *at = wire.at;
	struct tfp_field field;

	visitor->device = tfp_run_device_of(visitor->profile->strings, device_name(message));
	visitor->match.next = 0;
	if (visitor->on_device)
		visitor->on_device(visitor);
	for (; tfp_walk_next(&visitor->walk, &wire, &field, &record_element); at = wire.at) {
		if (tfp_field_is(&field, DEVICE_NODE)) {
			visit_record(visitor, &wire, &field);
		} else if (tfp_field_is(&field, STATS_DEVICE) &&
			   device_begins(field.data, field.size)) {
			outer->at = at;
			return;
		}
	}
}

/* What stands a level too high, because a length above it is too short. */
static bool visit_stray(struct tfp_run_visitor *visitor, struct tfp_wire *wire,
			const struct tfp_field *field)
{
	bool record = tfp_field_is(field, DEVICE_NODE) && record_begins(field->data, field->size);
	bool device = tfp_field_is(field, STATS_DEVICE) && device_begins(field->data, field->size);

	if (!visitor->stats || (!record && !device))
		return false;
	tfp_walk_damaged(&visitor->walk, field->data, record ? "DeviceStepStats" : "StepStats");
	if (record)
		visit_record(visitor, wire, field);
	else
		visit_device(visitor, wire, field);
	return true;
}

static void visit_stats(struct tfp_run_visitor *visitor, const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	if (visitor->on_stats && !visitor->stats)
		visitor->on_stats(visitor);
	visitor->stats = true;
	while (tfp_walk_next(&visitor->walk, &wire, &field, &device_element)) {
		if (tfp_field_is(&field, STATS_DEVICE))
			visit_device(visitor, &wire, &field);
		else
			visit_stray(visitor, &wire, &field);
	}
}

bool tfp_run_visit(struct tfp_run_visitor *visitor, const struct tfp_source *source,
		   struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_wire wire = tfp_walk_start(&visitor->walk, source, job, diag);
	struct tfp_field field;

	visitor->match.profile = visitor->profile;
	while (tfp_walk_next(&visitor->walk, &wire, &field, &stats_element))
		if (!visit_stray(visitor, &wire, &field) && tfp_field_is(&field, RUN_STEP_STATS))
			visit_stats(visitor, &field);
	return !visitor->walk.cancelled;
}
