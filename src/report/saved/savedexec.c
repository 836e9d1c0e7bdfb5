/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ran, as a saved profile keeps it: of each node and step the times by device, what each run
 * says of memory, and the allocations of the GPU.
 */
#include <stdlib.h>

#include "report/saved/saved.h"

/* ---- columns in order ------------------------------------------------------------------------ */

/* A column's elements begin so, but for allocations. */
struct place {
	uint32_t node, step;
};

static const void *element(const struct tfp_saved_column *column, size_t index)
{
	return column->at + column->order[index] * column->size;
}

static struct place place_of(const struct tfp_saved_column *column, size_t index)
{
	if (column->allocs) {
		struct tfp_alloc alloc = tfp_allocs_get(column->allocs, column->order[index]);

		return (struct place){alloc.node, alloc.step};
	}
	return *(const struct place *)element(column, index);
}

/* Orders ELEMENTS by their step, or their node, which is below KEYS; equal ones stay as they are. */
static void sort_by(struct tfp_saved_column *column, bool by_node, size_t keys)
{
	uint32_t *sorted = tfp_realloc_array(NULL, column->count, sizeof(*sorted));
	size_t *end = tfp_alloc_zero(keys + 1, sizeof(*end));

	for (size_t i = 0; i < column->count; i++) {
		struct place place = place_of(column, i);

		end[(by_node ? place.node : place.step) + 1]++;
	}
	for (size_t i = 0; i < keys; i++)
		end[i + 1] += end[i];
	for (size_t i = 0; i < column->count; i++) {
		struct place place = place_of(column, i);

		sorted[end[by_node ? place.node : place.step]++] = column->order[i];
	}
	tfp_array_release(end);
	tfp_array_release(column->order);
	column->order = sorted;
}

static void open_column(struct tfp_saved *saved, struct tfp_saved_column *column, const void *at,
			size_t size, size_t count, const struct tfp_allocs *allocs)
{
	*column = (struct tfp_saved_column){
		.at = at,
		.allocs = allocs,
		.size = size,
		.count = count,
		.order = tfp_realloc_array(NULL, count, sizeof(*column->order)),
	};
	for (size_t i = 0; i < count; i++)
		column->order[i] = (uint32_t)i;
	sort_by(column, false, saved->profile->steps.count);
	sort_by(column, true, saved->profile->nodes.count);
}

#define OPEN(saved, name, allocs)                                                                  \
	open_column((saved), &(saved)->name, (saved)->profile->name.at,                            \
		    sizeof(*(saved)->profile->name.at), (saved)->profile->name.count, (allocs))

void tfp_saved_start_execs(struct tfp_saved *saved)
{
	OPEN(saved, execs, NULL);
	OPEN(saved, allocs, &saved->profile->allocs);
	OPEN(saved, memories, NULL);
	OPEN(saved, presences, NULL);
}

void tfp_saved_end_execs(struct tfp_saved *saved)
{
	tfp_array_release(saved->execs.order);
	tfp_array_release(saved->allocs.order);
	tfp_array_release(saved->memories.order);
	tfp_array_release(saved->presences.order);
}

/* The next element of NODE in STEP; NULL when there is none. Earlier ones are passed over. */
static const void *take(struct tfp_saved_column *column, uint32_t node, uint32_t step)
{
	while (column->next < column->count) {
		struct place place = place_of(column, column->next);

		if (place.node > node || (place.node == node && place.step > step))
			return NULL;
		column->next++;
		if (place.node == node && place.step == step)
			return element(column, column->next - 1);
	}
	return NULL;
}

/* How many elements take() can give at most. */
static size_t count_ahead(const struct tfp_saved_column *column, uint32_t node, uint32_t step)
{
	size_t end = column->next;

	while (end < column->count) {
		struct place place = place_of(column, end);

		if (place.node > node || (place.node == node && place.step > step))
			break;
		end++;
	}
	return end - column->next;
}

/* ---- times ----------------------------------------------------------------------------------- */

static int compare_names(const struct tfp_saved *saved, tfp_str a, tfp_str b)
{
	const struct tfp_strings *strings = saved->profile->strings;

	return a == b ? 0
		      : tfp_span_compare(tfp_strings_get(strings, a), tfp_strings_get(strings, b));
}

/* Accelerators last, by device, then by time. */
static int compare_execs(const void *left, const void *right, void *data)
{
	const struct tfp_exec *a = *(const struct tfp_exec *const *)left;
	const struct tfp_exec *b = *(const struct tfp_exec *const *)right;

	if (a->accelerator != b->accelerator)
		return a->accelerator < b->accelerator ? -1 : 1;
	if (a->device != b->device)
		return compare_names(data, a->device, b->device);
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->duration < b->duration ? -1 : a->duration > b->duration;
}

static Tfp__Tuple *make_time(struct tfp_saved *saved, const struct tfp_exec *exec)
{
	Tfp__Tuple *tuple = TFP_SAVED_NEW(saved, Tfp__Tuple, 1);

	tfp__tuple__init(tuple);
	tuple->n_int64_values = 2;
	tuple->int64_values = TFP_SAVED_NEW(saved, int64_t, 2);
	tuple->int64_values[0] = exec->start;
	tuple->int64_values[1] = exec->duration;
	return tuple;
}

/* The times of COUNT executions on one device. */
static Tfp__ExecProfile__ExecsEntry *make_times(struct tfp_saved *saved,
						const struct tfp_exec *const *execs, size_t count)
{
	Tfp__ExecProfile__ExecsEntry *entry = TFP_SAVED_NEW(saved, Tfp__ExecProfile__ExecsEntry, 1);
	Tfp__ExecTime *times = TFP_SAVED_NEW(saved, Tfp__ExecTime, 1);

	tfp__exec_time__init(times);
	times->n_times = count;
	times->times = TFP_SAVED_NEW(saved, Tfp__Tuple *, count);
	for (size_t i = 0; i < count; i++)
		times->times[i] = make_time(saved, execs[i]);
	tfp__exec_profile__execs_entry__init(entry);
	entry->has_key = true;
	entry->key = tfp_saved_text(saved, execs[0]->device);
	entry->value = times;
	return entry;
}

static void make_execs(struct tfp_saved *saved, uint32_t node, uint32_t step,
		       Tfp__ExecProfile *message)
{
	size_t count = 0, room = count_ahead(&saved->execs, node, step);
	const struct tfp_exec **execs = TFP_SAVED_NEW(saved, const struct tfp_exec *, room), *exec;

	while ((exec = take(&saved->execs, node, step)))
		execs[count++] = exec;
	if (count)
		qsort_r(execs, count, sizeof(*execs), compare_execs, saved);
	message->cpu_execs = TFP_SAVED_NEW(saved, Tfp__ExecProfile__ExecsEntry *, count);
	message->accelerator_execs = TFP_SAVED_NEW(saved, Tfp__ExecProfile__ExecsEntry *, count);
	for (size_t first = 0, end; first < count; first = end) {
		Tfp__ExecProfile__ExecsEntry *entry;

		for (end = first + 1; end < count && execs[end]->device == execs[first]->device &&
				      execs[end]->accelerator == execs[first]->accelerator;)
			end++;
		entry = make_times(saved, execs + first, end - first);
		if (execs[first]->accelerator)
			message->accelerator_execs[message->n_accelerator_execs++] = entry;
		else
			message->cpu_execs[message->n_cpu_execs++] = entry;
	}
}

/* ---- devices --------------------------------------------------------------------------------- */

static int compare_devices(const void *left, const void *right, void *data)
{
	return compare_names(data, *(const tfp_str *)left, *(const tfp_str *)right);
}

/* A set, in the order of the names. */
static void make_devices(struct tfp_saved *saved, uint32_t node, uint32_t step,
			 Tfp__ExecProfile *message)
{
	size_t count = 0, room = count_ahead(&saved->presences, node, step);
	tfp_str *devices = TFP_SAVED_NEW(saved, tfp_str, room);
	const struct tfp_presence *presence;

	while ((presence = take(&saved->presences, node, step)))
		devices[count++] = presence->device;
	if (count)
		qsort_r(devices, count, sizeof(*devices), compare_devices, saved);
	message->devices = TFP_SAVED_NEW(saved, ProtobufCBinaryData, count);
	for (size_t i = 0; i < count; i++)
		if (!i || devices[i] != devices[i - 1])
			message->devices[message->n_devices++] = tfp_saved_text(saved, devices[i]);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static Tfp__ExecMemory__OutputMemoryEntry *make_output(struct tfp_saved *saved,
						       const struct tfp_memory_output *output)
{
	Tfp__ExecMemory__OutputMemoryEntry *entry =
		TFP_SAVED_NEW(saved, Tfp__ExecMemory__OutputMemoryEntry, 1);
	Tfp__Memory *memory = TFP_SAVED_NEW(saved, Tfp__Memory, 1);

	tfp__memory__init(memory);
	TFP_SAVED_SET(memory, bytes, output->bytes);
	TFP_SAVED_SET(memory, ptr, output->address);
	tfp__exec_memory__output_memory_entry__init(entry);
	entry->has_key = true;
	entry->key = output->slot;
	entry->value = memory;
	return entry;
}

static Tfp__ExecMemory *make_memory(struct tfp_saved *saved, const struct tfp_memory *memory)
{
	const struct tfp_memory_output *outputs = saved->profile->memory_outputs.at;
	Tfp__ExecMemory *message = TFP_SAVED_NEW(saved, Tfp__ExecMemory, 1);

	tfp__exec_memory__init(message);
	TFP_SAVED_SET(message, memory_micros, memory->time);
	TFP_SAVED_SET(message, host_temp_bytes, memory->host_temp);
	TFP_SAVED_SET(message, host_persistent_bytes, memory->host_persistent);
	TFP_SAVED_SET(message, accelerator_temp_bytes, memory->accelerator_temp);
	TFP_SAVED_SET(message, accelerator_persistent_bytes, memory->accelerator_persistent);
	TFP_SAVED_SET(message, requested_bytes, memory->bytes);
	TFP_SAVED_SET(message, peak_bytes, memory->peak_bytes);
	TFP_SAVED_SET(message, residual_bytes, memory->residual_bytes);
	TFP_SAVED_SET(message, output_bytes, memory->output_bytes);
	TFP_SAVED_SET(message, allocator_bytes_in_use, memory->in_use);
	message->n_output_memory = memory->output_count;
	message->output_memory =
		TFP_SAVED_NEW(saved, Tfp__ExecMemory__OutputMemoryEntry *, memory->output_count);
	for (uint32_t i = 0; i < memory->output_count; i++)
		message->output_memory[i] = make_output(saved, &outputs[memory->output_first + i]);
	return message;
}

static void make_memories(struct tfp_saved *saved, uint32_t node, uint32_t step,
			  Tfp__ExecProfile *message)
{
	size_t room = count_ahead(&saved->memories, node, step);
	const struct tfp_memory *memory;

	message->memory_execs = TFP_SAVED_NEW(saved, Tfp__ExecMemory *, room);
	while ((memory = take(&saved->memories, node, step)))
		message->memory_execs[message->n_memory_execs++] = make_memory(saved, memory);
}

/* Those of the GPU: TensorFlow saves no others. */
static void make_allocations(struct tfp_saved *saved, uint32_t node, uint32_t step,
			     Tfp__ExecProfile *message)
{
	size_t room = count_ahead(&saved->allocs, node, step);
	const struct tfp_kept_alloc *kept;

	message->allocations = TFP_SAVED_NEW(saved, Tfp__AllocationRecord *, room);
	while ((kept = take(&saved->allocs, node, step))) {
		struct tfp_alloc alloc = tfp_allocs_unpack(&saved->profile->allocs, kept);
		Tfp__AllocationRecord *record;

		if (!tfp_profile_alloc_is_gpu(saved->profile, &alloc))
			continue;
		record = TFP_SAVED_NEW(saved, Tfp__AllocationRecord, 1);
		tfp__allocation_record__init(record);
		TFP_SAVED_SET(record, alloc_micros, alloc.time);
		TFP_SAVED_SET(record, alloc_bytes, alloc.bytes);
		message->allocations[message->n_allocations++] = record;
	}
}

/* ---- steps ----------------------------------------------------------------------------------- */

static Tfp__ProfileNode__ExecsEntry *make_step(struct tfp_saved *saved, uint32_t node,
					       uint32_t cell)
{
	const struct tfp_profile *profile = saved->profile;
	const int64_t *values = profile->cells.value + (size_t)cell * profile->cell_columns;
	uint32_t step = profile->cells.step[cell];
	Tfp__ProfileNode__ExecsEntry *entry = TFP_SAVED_NEW(saved, Tfp__ProfileNode__ExecsEntry, 1);
	Tfp__ExecProfile *message = TFP_SAVED_NEW(saved, Tfp__ExecProfile, 1);

	tfp__exec_profile__init(message);
	TFP_SAVED_SET(message, run_count, values[TFP_CELL_RUNS]);
	TFP_SAVED_SET(message, all_start_micros, values[TFP_CELL_ALL_START]);
	TFP_SAVED_SET(message, latest_end_micros, values[TFP_CELL_LATEST_END]);
	make_execs(saved, node, step, message);
	make_devices(saved, node, step, message);
	make_memories(saved, node, step, message);
	make_allocations(saved, node, step, message);
	tfp__profile_node__execs_entry__init(entry);
	entry->has_key = true;
	entry->key = profile->steps.at[step].number;
	entry->value = message;
	return entry;
}

void tfp_saved_execs(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message)
{
	const struct tfp_profile *profile = saved->profile;
	size_t count = 0, i = 0;
	uint32_t *cells;

	for (uint32_t cell = profile->nodes.cell[node]; cell != TFP_NONE;
	     cell = profile->cells.older[cell])
		count++;
	cells = TFP_SAVED_NEW(saved, uint32_t, count);
	for (uint32_t cell = profile->nodes.cell[node]; cell != TFP_NONE;
	     cell = profile->cells.older[cell])
		cells[count - ++i] = cell;
	message->n_execs = count;
	message->execs = TFP_SAVED_NEW(saved, Tfp__ProfileNode__ExecsEntry *, count);
	for (i = 0; i < count; i++)
		message->execs[i] = make_step(saved, node, cells[i]);
}
