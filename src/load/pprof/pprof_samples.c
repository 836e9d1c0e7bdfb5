/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples of a pprof file. They are read a batch at a time, and the stacks of a batch are made
 * level by level: the tables of stacks and nodes outgrow every cache, so that the time goes into
 * waiting for memory unless many look-ups wait at once.
 */
#include "load/pprof/pprof.h"

enum { BATCH = 64 };

#define TICK_BYTES ((size_t)1 << 20) /* how often progress is told */

/*
 * Frames of inlined functions that samples may add beyond one a location, for each byte of the
 * file: one location may hold thousands, and each byte of a sample may name it.
 */
#define INLINED_PER_BYTE 4
#define INLINED_LEAST    65536

/*
 * Whole stacks are remembered by the bytes that name their locations, for files that repeat them
 * (with other labels, or not merged at all). Where few are met again, it is not worth its memory.
 */
#define MEMO_TRIAL 8192 /* stacks after which that is judged */
#define MEMO_WORTH 3    /* one in so many must have been met again */

/*
 * A sample of the batch. What it holds stands in the arrays of the reader, from `first` up to
 * `end`.
 */
struct sample {
	const uint8_t *at;
	struct range {
		size_t first, end;
	} path, values, labels;
	struct tfp_span packed; /* the locations' bytes, if the stack is to be remembered by them */
	uint32_t label_set;
	uint32_t stack;
	uint32_t node;
};

struct memo_entry {
	struct tfp_span packed;
	uint32_t stack;
};

struct memo {
	struct tfp_idmap map; /* hash of the bytes to entry */
	TFP_ARRAY(struct memo_entry) entries;
	struct tfp_arena bytes;
	struct tfp_hash_key key;
	size_t tried, found;
};

struct reader {
	struct tfp_profile *profile;
	struct tfp_pprof_tables *tables;
	const int64_t *scale;
	uint32_t step;
	size_t inlined_left;

	struct sample samples[BATCH];
	size_t count;
	struct tfp_integers locations, values;
	struct tfp_span packed;   /* locations that were met, not yet taken apart */
	TFP_ARRAY(uint32_t) path; /* frames, outermost first */
	struct tfp_pprof_labels labels;

	struct tfp_idmap nodes;     /* stack and set of labels to node */
	TFP_ARRAY(uint32_t) stacks; /* by node */
	struct memo memo;
};

/* ---- stacks met before -------------------------------------------------------------------- */

static uint64_t memo_key(const struct memo *memo, struct tfp_span packed)
{
	return tfp_hash_bytes(memo->key, packed.at, packed.size);
}

static bool memo_is_worth_it(const struct memo *memo)
{
	return memo->tried < MEMO_TRIAL || memo->tried / MEMO_WORTH < memo->found;
}

/* Gives SAMPLE the stack of an earlier one with the same bytes; false if there is none. */
static bool memo_find(struct memo *memo, struct sample *sample)
{
	const struct memo_entry *entry;
	uint32_t index = tfp_idmap_get(&memo->map, memo_key(memo, sample->packed));

	memo->tried++;
	if (index == TFP_NONE)
		return false;
	entry = &memo->entries.at[index];
	if (!tfp_span_equal(entry->packed, sample->packed))
		return false;
	memo->found++;
	sample->stack = entry->stack;
	return true;
}

/* The bytes are copied: side by side they are compared faster than scattered over the file. */
static void memo_add(struct memo *memo, const struct sample *sample)
{
	struct tfp_span packed = sample->packed;
	uint32_t next = (uint32_t)memo->entries.count;

	if (tfp_idmap_add(&memo->map, memo_key(memo, packed), next) != next)
		return;
	packed.at = tfp_arena_text(&memo->bytes, packed.at, packed.size);
	*tfp_array_push(&memo->entries) = (struct memo_entry){packed, sample->stack};
}

/* ---- reading one -------------------------------------------------------------------------- */

/* Takes the run of locations apart that was met last, if any. */
static bool unpack(struct reader *reader)
{
	struct tfp_field field = {
		.type = TFP_WIRE_BYTES,
		.data = (const uint8_t *)reader->packed.at,
		.size = reader->packed.size,
	};

	if (!field.size)
		return true;
	reader->packed.size = 0;
	return tfp_wire_integers(&field, &reader->locations);
}

/* Nearly always one packed run: it may be a stack met before, then its numbers need not be read. */
static bool take_locations(struct reader *reader, const struct tfp_field *field)
{
	if (!unpack(reader))
		return false;
	if (field->type != TFP_WIRE_BYTES || reader->locations.count)
		return tfp_wire_integers(field, &reader->locations);
	reader->packed = tfp_field_span(field);
	return true;
}

/* Takes one field of a sample apart. False when it is damaged. */
static bool take_field(struct reader *reader, const struct tfp_field *field)
{
	switch (field->number) {
	case PPROF_SAMPLE_LOCATION:
		return take_locations(reader, field);
	case PPROF_SAMPLE_VALUE:
		return tfp_wire_integers(field, &reader->values);
	case PPROF_SAMPLE_LABEL:
		return field->type == TFP_WIRE_BYTES &&
		       tfp_pprof_label_read(reader->tables, field, &reader->labels);
	default:
		return true;
	}
}

/*
 * How many of LOCATION's frames may be taken: all, or the innermost one when the file overdoes it.
 */
static uint32_t allowed_frames(struct reader *reader, const struct tfp_pprof_location *location)
{
	if (location->count - 1 <= reader->inlined_left) {
		reader->inlined_left -= location->count - 1;
		return location->count;
	}
	tfp_pprof_problem(reader->tables, TFP_WARNING, reader->tables->source->data,
			  "too many inlined functions; only the innermost are kept");
	return 1;
}

/* The frames of the locations that were read, which stand leaf first. */
static void make_path(struct reader *reader)
{
	struct tfp_pprof_tables *tables = reader->tables;

	for (size_t i = reader->locations.count; i--;) {
		const struct tfp_pprof_location *location =
			tfp_pprof_location_find(tables, (uint64_t)reader->locations.at[i]);

		for (uint32_t frame = allowed_frames(reader, location); frame--;)
			*tfp_array_push(&reader->path) = tables->frames.at[location->first + frame];
	}
}

/* Finds the sample's stack, or makes its path. False when the locations are damaged. */
static bool read_stack(struct reader *reader, struct sample *sample)
{
	if (!reader->locations.count && memo_is_worth_it(&reader->memo)) {
		sample->packed = reader->packed;
		if (sample->packed.size && memo_find(&reader->memo, sample)) {
			sample->packed.size = 0;
			return true;
		}
	}
	if (!unpack(reader))
		return false;
	make_path(reader);
	return true;
}

/* False when the sample is damaged and must be left out. */
static bool read_fields(struct reader *reader, struct sample *sample, struct tfp_span span)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)span.at, span.size);
	struct tfp_field part;

	reader->locations.count = reader->packed.size = 0;
	while (tfp_wire_next(&wire, &part))
		if (!take_field(reader, &part))
			return false;
	return !wire.bad && reader->values.count > sample->values.first &&
	       read_stack(reader, sample);
}

/* Adds a sample to the batch. */
static void read_sample(struct reader *reader, struct tfp_span span)
{
	struct sample *sample = &reader->samples[reader->count];
	size_t wanted = reader->tables->types.count, count;

	*sample = (struct sample){.at = (const uint8_t *)span.at, .stack = TFP_NONE};
	sample->values.first = reader->values.count;
	sample->path.first = reader->path.count;
	sample->labels.first = reader->labels.first = reader->labels.count;
	if (!read_fields(reader, sample, span)) {
		tfp_pprof_problem(reader->tables, TFP_WARNING, sample->at,
				  "a sample is damaged and left out");
		reader->values.count = sample->values.first;
		reader->labels.count = sample->labels.first;
		return;
	}
	sample->label_set = tfp_pprof_label_set(&reader->labels);
	sample->values.end = reader->values.count;
	sample->path.end = reader->path.count;
	sample->labels.end = reader->labels.count;
	count = sample->values.end - sample->values.first;
	if (count != wanted)
		tfp_pprof_problem(reader->tables, TFP_WARNING, sample->at,
				  "a sample has %zu values for %zu sample types", count, wanted);
	reader->count++;
}

/* ---- a batch ------------------------------------------------------------------------------ */

static void make_stacks(struct reader *reader)
{
	struct sample *open[BATCH];
	size_t count = 0, left;

	for (size_t i = 0; i < reader->count; i++)
		if (reader->samples[i].path.first < reader->samples[i].path.end)
			open[count++] = &reader->samples[i];
	for (; count; count = left) {
		uint32_t stack[BATCH], frame[BATCH];

		for (size_t i = 0; i < count; i++) {
			stack[i] = open[i]->stack;
			frame[i] = reader->path.at[open[i]->path.first++];
		}
		tfp_profile_stacks(reader->profile, count, stack, frame);
		left = 0;
		for (size_t i = 0; i < count; i++) {
			open[i]->stack = stack[i];
			if (open[i]->path.first < open[i]->path.end)
				open[left++] = open[i];
		}
	}
}

static tfp_str leaf_name(const struct tfp_profile *profile, uint32_t stack)
{
	if (stack == TFP_NONE)
		return tfp_strings_add_text(profile->strings, "(no stack)");
	return profile->frames.at[profile->stacks.at[stack].frame].function;
}

/* Where the values of NODE are summed: its only cell was made with it and has its number. */
static inline int64_t *sums_of(const struct tfp_profile *profile, uint32_t node)
{
	return &profile->cells.value[(size_t)node * profile->cell_columns];
}

static void add_node(struct reader *reader, const struct sample *sample)
{
	struct tfp_profile *profile = reader->profile;
	tfp_str name = leaf_name(profile, sample->stack);
	uint32_t node = tfp_profile_add_node(profile, name, name);

	profile->nodes.flags[node] |= TFP_NODE_TRACED;
	tfp_profile_cell(profile, node, reader->step);
	*tfp_array_push(&reader->stacks) = sample->stack;
	for (size_t i = sample->labels.first; i < sample->labels.end; i++)
		tfp_profile_add_type(profile, node, reader->labels.at[i]);
}

static void add_values(struct reader *reader, const struct sample *sample)
{
	const int64_t *given = reader->values.at + sample->values.first;
	size_t count = sample->values.end - sample->values.first;
	int64_t *sums = sums_of(reader->profile, sample->node);

	for (size_t i = 0; i < count && i < reader->profile->metric_count; i++) {
		int64_t value = given[i];

		if (__builtin_mul_overflow(value, reader->scale[i], &value))
			tfp_pprof_problem(reader->tables, TFP_WARNING, sample->at,
					  "a value does not fit into 64 bits");
		sums[i] = tfp_wrap_add(sums[i], value);
	}
}

static uint64_t node_key(const struct sample *sample)
{
	return (uint64_t)sample->stack << 32 | sample->label_set;
}

/* Gives the samples of the batch to their nodes, and empties it. */
static void end_batch(struct reader *reader)
{
	struct sample *end = reader->samples + reader->count;

	make_stacks(reader);
	for (struct sample *sample = reader->samples; sample < end; sample++)
		tfp_idmap_fetch(&reader->nodes, node_key(sample));
	for (struct sample *sample = reader->samples; sample < end; sample++) {
		uint32_t next = reader->profile->nodes.count;

		sample->node = tfp_idmap_add(&reader->nodes, node_key(sample), next);
		if (sample->node == next)
			add_node(reader, sample);
		else
			__builtin_prefetch(sums_of(reader->profile, sample->node));
		if (sample->packed.size)
			memo_add(&reader->memo, sample);
	}
	for (struct sample *sample = reader->samples; sample < end; sample++)
		add_values(reader, sample);
	reader->count = reader->values.count = reader->path.count = reader->labels.count = 0;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool read_all(struct reader *reader, struct tfp_job *job)
{
	const struct tfp_pprof_tables *tables = reader->tables;
	const char *mark = (const char *)tables->source->data, *start = mark;
	uint64_t base = job ? job->done : 0;

	for (size_t i = 0; i < tables->samples.count; i++) {
		struct tfp_span span = tables->samples.at[i];

		read_sample(reader, span);
		if (reader->count < BATCH)
			continue;
		end_batch(reader);
		if (tfp_job_cancelled(job))
			return false;
		if (job && span.at >= mark) {
			tfp_job_progress(job, base + (uint64_t)(span.at - start));
			mark = span.at + TICK_BYTES;
		}
	}
	end_batch(reader);
	return true;
}

/* Gives the profile the stacks of its nodes. */
static void hand_over_stacks(struct reader *reader)
{
	tfp_array_reserve(&reader->stacks, 1);
	reader->profile->nodes.stack = reader->stacks.at;
	reader->profile->filled |= TFP_PART_STACKS;
	reader->stacks.at = NULL;
}

bool tfp_pprof_samples_read(struct tfp_pprof_tables *tables, uint32_t step, const int64_t *scale,
			    struct tfp_job *job)
{
	struct reader reader = {
		.profile = tables->profile,
		.tables = tables,
		.scale = scale,
		.step = step,
		.inlined_left = INLINED_LEAST + tables->source->size * (size_t)INLINED_PER_BYTE,
	};
	bool done;

	reader.memo.key = tfp_hash_key_new();
	done = read_all(&reader, job);
	if (done)
		hand_over_stacks(&reader);
	tfp_array_free(&reader.locations);
	tfp_array_free(&reader.values);
	tfp_array_free(&reader.path);
	tfp_array_free(&reader.labels);
	tfp_array_free(&reader.stacks);
	tfp_idmap_free(&reader.labels.sets);
	tfp_idmap_free(&reader.nodes);
	tfp_idmap_free(&reader.memo.map);
	tfp_array_free(&reader.memo.entries);
	tfp_arena_free(&reader.memo.bytes);
	return done;
}
