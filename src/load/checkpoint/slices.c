/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a V1 checkpoint: each of its tables begins with a record that lists variables and their
 * slices. Of several tables all are listed, each variable once.
 */
#include "load/checkpoint/checkpoint.h"

#include <string.h>

#include "load/checkpoint/slicesproto.h"
#include "load/walk.h"

#define MOST_SHARDS 100000
#define MOST_LOST   16 /* tables of a set that are not there, before one stops looking */

struct reader {
	struct tfp_index *index;
	struct tfp_checkpoint *checkpoint;
	uint32_t shard;
	const char *path; /* of the table at hand */
};

static void warn(struct reader *reader, const char *name, const char *what)
{
	tfp_diag_add(reader->index->diag, TFP_WARNING, reader->path, -1, 0, "%s: %s", name, what);
}

/* ---- one variable ------------------------------------------------------------------------------- */

/* What the record says of a variable. */
struct meta {
	struct tfp_span name;
	uint32_t dtype;
	bool unknown_rank, parsed;
	struct tfp_variable variable;
	uint32_t slices;
};

static void read_meta(struct reader *reader, const struct tfp_field *record, struct meta *meta)
{
	struct tfp_extents *extents = &reader->checkpoint->extents;
	struct tfp_wire wire = tfp_wire_in(record);
	struct tfp_field field;

	*meta = (struct meta){
		.name = {"", 0},
		.parsed = true,
		.variable = {.slices = TFP_NONE, .last_slice = TFP_NONE},
	};
	reader->index->dims.count = 0;
	while (tfp_wire_next(&wire, &field)) {
		size_t first = extents->count;

		if (tfp_field_is(&field, META_NAME)) {
			meta->name = tfp_field_span(&field);
		} else if (tfp_field_is(&field, META_SHAPE)) {
			meta->parsed &=
				tfp_ckpt_shape(&field, &reader->index->dims, &meta->unknown_rank);
		} else if (tfp_field_is_int(&field, META_TYPE)) {
			meta->dtype = (uint32_t)field.value;
		} else if (tfp_field_is(&field, META_SLICE)) {
			meta->parsed &= tfp_ckpt_slice(&field, extents);
			tfp_ckpt_add_slice(reader->checkpoint, &meta->variable,
					   (uint32_t)(extents->count - first), reader->shard);
			meta->slices++;
		}
	}
	meta->parsed &= !wire.bad;
}

/* Slices of a variable that an earlier table listed, too. */
static void add_to_known(struct reader *reader, struct tfp_tensor *tensor, const struct meta *meta,
			 uint32_t shape)
{
	struct tfp_variable *known = &reader->checkpoint->variables.at[tensor->entry];
	const char *name = tfp_strings_text(reader->index->profile->strings, tensor->name);

	if (meta->dtype != tensor->dtype || shape != tensor->shape) {
		warn(reader, name, "another table has another shape or type of it");
		return;
	}
	if (meta->variable.slices == TFP_NONE)
		return;
	if (known->slices == TFP_NONE)
		known->slices = meta->variable.slices;
	else
		reader->checkpoint->slices.at[known->last_slice].next = meta->variable.slices;
	known->last_slice = meta->variable.last_slice;
	tensor->slices += meta->slices;
}

static void take_meta(struct reader *reader, const struct tfp_field *record)
{
	struct tfp_profile *profile = reader->index->profile;
	struct tfp_integers *dims = &reader->index->dims;
	struct tfp_tensor tensor = {.shape = TFP_NONE};
	enum tfp_shape_fault shape;
	struct meta meta;
	uint32_t known;

	read_meta(reader, record, &meta);
	tensor.name = tfp_strings_add(profile->strings, meta.name.at, meta.name.size);
	tensor.dtype = meta.dtype;
	tensor.slices = meta.slices;
	tensor.entry = (uint32_t)reader->checkpoint->variables.count;
	shape = tfp_ckpt_elements(dims, meta.unknown_rank, &tensor.elements);
	if (shape == TFP_SHAPE_GOOD && meta.parsed)
		tensor.shape = tfp_profile_shape(profile, dims->at, dims->count);
	known = tfp_profile_find_tensor(profile, tensor.name);
	if (known != TFP_NONE) {
		add_to_known(reader, &profile->tensors.at[known], &meta, tensor.shape);
		return;
	}
	tensor.bytes = tensor.elements * tfp_dtype_of(tensor.dtype)->size;
	if (!meta.parsed)
		tensor.fault = "what the file says of it is damaged";
	else if (shape != TFP_SHAPE_GOOD)
		tensor.fault = tfp_shape_faults[shape];
	else if (!meta.slices)
		tensor.fault = "the file lists no slice of it";
	if (tensor.fault)
		warn(reader, tfp_strings_text(profile->strings, tensor.name), tensor.fault);
	tfp_profile_add_tensor(profile, &tensor);
	*tfp_array_push(&reader->checkpoint->variables) = meta.variable;
}

/* ---- one table ---------------------------------------------------------------------------------- */

static void take_header(struct reader *reader, const struct tfp_field *meta)
{
	struct tfp_wire wire = tfp_wire_in(meta);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, HEADER_TENSOR))
			take_meta(reader, &field);
		else if (tfp_field_is(&field, HEADER_VERSIONS))
			tfp_ckpt_version(&field, reader->path, reader->index->diag);
	}
	if (wire.bad)
		tfp_diag_add(reader->index->diag, TFP_WARNING, reader->path, -1, 0,
			     "the list of variables is damaged: those before the damage are shown");
}

/* The list of variables is the value of the empty key. */
static bool find_header(struct reader *reader, const struct tfp_sstable_block *block)
{
	struct tfp_entries entries = tfp_entries_of(block);
	bool found = false;

	if (tfp_entries_next(&entries) && !entries.key.size) {
		struct tfp_wire wire =
			tfp_wire_of((const uint8_t *)entries.value.at, entries.value.size);
		struct tfp_field field;

		while (tfp_wire_next(&wire, &field) ||
		       (wire.bad && tfp_wire_next_cut(&wire, &field)))
			if (tfp_field_is(&field, RECORD_META)) {
				found = true;
				take_header(reader, &field);
			}
	}
	tfp_entries_free(&entries);
	return found;
}

static void read_table(struct reader *reader, struct tfp_source *source)
{
	struct tfp_checkpoint *checkpoint = reader->checkpoint;
	struct tfp_shard_table *shard = tfp_array_push(&checkpoint->tables);
	struct tfp_sstable_block block;

	shard->source = source;
	shard->listed = false;
	reader->path = source->path;
	tfp_sstable_open(&shard->table, source, reader->index->diag);
	if (shard->table.blocks.count &&
	    tfp_sstable_block(&shard->table, 0, &block, reader->index->job, reader->index->diag)) {
		shard->listed = find_header(reader, &block);
		tfp_sstable_block_free(&block);
	}
	reader->shard++;
}

/* ---- all tables --------------------------------------------------------------------------------- */

/* Splits "model-00000-of-00004". False if PATH is not the like. */
static bool is_shard(const char *path, size_t *stem, unsigned *number, unsigned *count)
{
	const char *of = NULL, *at = path;
	int used = 0;

	while ((at = strstr(at, "-of-")))
		of = at++;
	if (!of || of - path < 6 || of[-6] != '-')
		return false;
	*stem = (size_t)(of - path) - 6;
	return sscanf(of - 5, "%5u-of-%u%n", number, count, &used) == 2 && of[used - 5] == '\0' &&
	       *count > 1 && *count < MOST_SHARDS;
}

bool tfp_checkpoint_same(const char *a, const char *b)
{
	unsigned number, count_a, count_b;
	size_t stem_a, stem_b;

	if (!strcmp(a, b))
		return true;
	return is_shard(a, &stem_a, &number, &count_a) && is_shard(b, &stem_b, &number, &count_b) &&
	       stem_a == stem_b && count_a == count_b && !memcmp(a, b, stem_a);
}

static void read_others(struct reader *reader, const char *path)
{
	struct tfp_index *index = reader->index;
	struct tfp_arena arena = {0};
	unsigned number, count, lost = 0;
	size_t stem;

	if (!is_shard(path, &stem, &number, &count))
		return;
	for (unsigned i = 0; i < count && lost < MOST_LOST && !tfp_job_cancelled(index->job); i++) {
		char *other =
			tfp_arena_printf(&arena, "%.*s-%05u-of-%05u", (int)stem, path, i, count);
		struct tfp_source *source;

		if (i == number)
			continue;
		source = tfp_source_open(other, index->job, index->diag);
		if (source)
			read_table(reader, source);
		else
			lost++;
	}
	tfp_arena_free(&arena);
}

/* Whether some table has a list of variables; then those that have none are told. */
static bool any_listed(struct reader *reader)
{
	const struct tfp_checkpoint *checkpoint = reader->checkpoint;

	if (!reader->index->profile->tensors.count)
		return false;
	for (size_t i = 0; i < checkpoint->tables.count; i++)
		if (!checkpoint->tables.at[i].listed)
			tfp_diag_add(
				reader->index->diag, TFP_WARNING,
				checkpoint->tables.at[i].source->path, -1, 0,
				"no list of variables at the beginning of the checkpoint file");
	return true;
}

bool tfp_slices_read(struct tfp_index *index, struct tfp_source *source)
{
	struct reader reader = {.index = index, .checkpoint = index->checkpoint};
	const uint16_t one = 1;

	index->checkpoint->swapped = *(const uint8_t *)&one == 0;
	read_table(&reader, source);
	read_others(&reader, index->checkpoint->path);
	return any_listed(&reader);
}
