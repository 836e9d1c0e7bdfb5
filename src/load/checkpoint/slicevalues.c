/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in the tables of a V1 checkpoint: the record of a slice has a list of numbers, fixed ones or
 * varints, or of strings. Varints are counted to find one; where the last reading ended is known.
 */
#include "load/checkpoint/checkpoint.h"

#include <string.h>

#include "load/checkpoint/slicesproto.h"
#include "load/walk.h"

#define POLL ((size_t)1 << 20)

enum coding { CODING_VARINT, CODING_FIXED, CODING_TEXT };

/* Where a TensorProto keeps values of a type. */
static const struct list {
	uint8_t dtype, field;
	enum coding coding;
	uint8_t unit; /* bytes of a fixed number; a complex one is two of them */
} lists[] = {
	{1, 5, CODING_FIXED, 4},    {2, 6, CODING_FIXED, 8},    {3, 7, CODING_VARINT, 0},
	{4, 7, CODING_VARINT, 0},   {5, 7, CODING_VARINT, 0},   {6, 7, CODING_VARINT, 0},
	{7, 8, CODING_TEXT, 0},     {8, 9, CODING_FIXED, 4},    {9, 10, CODING_VARINT, 0},
	{10, 11, CODING_VARINT, 0}, {11, 7, CODING_VARINT, 0},  {12, 7, CODING_VARINT, 0},
	{13, 7, CODING_VARINT, 0},  {14, 13, CODING_VARINT, 0}, {15, 7, CODING_VARINT, 0},
	{16, 7, CODING_VARINT, 0},  {17, 7, CODING_VARINT, 0},  {18, 12, CODING_FIXED, 8},
	{19, 13, CODING_VARINT, 0}, {22, 16, CODING_VARINT, 0}, {23, 17, CODING_VARINT, 0},
	{29, 7, CODING_VARINT, 0},  {30, 7, CODING_VARINT, 0},
};

static const struct list *list_of(const struct tfp_dtype *dtype)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (lists[i].dtype == dtype->id)
			return &lists[i];
	return NULL;
}

static bool fail(const struct tfp_value_reader *reader, const struct tfp_stored_piece *part,
		 struct tfp_diag *diag, const char *what)
{
	tfp_ckpt_error(reader, part, UINT64_MAX, diag, "%s", what);
	return false;
}

/* ---- runs of numbers ---------------------------------------------------------------------------- */

/* A walk over the values of one list: bytes that hold one or many of them. */
struct values {
	const struct list *list;
	struct tfp_wire wire;
	const uint8_t *at, *end;
	bool bad;
};

/* The bytes of the next field of the list, packed or not. */
static bool next_run(struct values *values)
{
	struct tfp_field field;

	for (;;) {
		const uint8_t *start = values->wire.at;
		uint64_t tag;

		if (!tfp_wire_next(&values->wire, &field))
			break;
		if (field.number != values->list->field)
			continue;
		if (field.type == TFP_WIRE_BYTES) {
			values->at = field.data;
			values->end = field.data + field.size;
			return true;
		}
		values->at = tfp_wire_varint(start, values->wire.at, &tag);
		values->end = values->wire.at;
		if (values->list->coding != CODING_TEXT && field.type != TFP_WIRE_GROUP)
			return true;
	}
	values->bad |= values->wire.bad;
	return false;
}

/* Steps over up to COUNT numbers of the run at hand; returns how many there were. */
static uint64_t skip(struct values *values, uint64_t count)
{
	uint64_t there;

	if (values->list->coding == CODING_FIXED) {
		there = (uint64_t)(values->end - values->at) / values->list->unit;
		there = there < count ? there : count;
		values->at += there * values->list->unit;
		if (there < count && values->at < values->end) {
			values->bad = true;
			values->at = values->end;
		}
		return there;
	}
	for (there = 0; there < count && values->at < values->end; values->at++)
		there += *values->at < 0x80;
	return there;
}

/* All numbers, or strings, from where VALUES stands. */
static uint64_t count_all(struct values *values, struct tfp_job *job)
{
	uint64_t count = 0;

	while (!tfp_job_cancelled(job) && next_run(values)) {
		count += values->list->coding == CODING_TEXT;
		while (values->list->coding != CODING_TEXT && values->at < values->end)
			count += skip(values, POLL);
	}
	return count;
}

/* ---- the record of a slice ---------------------------------------------------------------------- */

/* The block that holds the part's record is the reader's. */
static bool load_block(struct tfp_value_reader *reader, uint32_t shard, uint64_t number,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_sstable *table = &reader->checkpoint->tables.at[shard].table;

	if (reader->block_shard == shard && reader->block_number == number)
		return true;
	tfp_sstable_block_free(&reader->block);
	reader->block_shard = TFP_NONE;
	if (number >= table->blocks.count ||
	    !tfp_sstable_block(table, number, &reader->block, job, diag))
		return false;
	reader->wrong |= reader->block.damaged;
	reader->block_shard = shard;
	reader->block_number = number;
	return true;
}

/* The last field NUMBER in BYTES. */
static bool find_field(const uint8_t *bytes, size_t size, uint32_t number, struct tfp_field *found)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;
	bool is_found = false;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, number)) {
			*found = field;
			is_found = true;
		}
	}
	return is_found;
}

static bool find_record(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			struct tfp_span key, struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_sstable *table = &reader->checkpoint->tables.at[part->shard].table;
	struct tfp_entries entries;
	struct tfp_field data, values;
	bool found = false;

	part->block = tfp_sstable_find(table, key);
	if (!load_block(reader, part->shard, part->block, job, diag))
		return false;
	entries = tfp_entries_of(&reader->block);
	while (!found && tfp_entries_next(&entries))
		found = tfp_span_equal(entries.key, key);
	tfp_entries_free(&entries);
	if (!found ||
	    !find_field((const uint8_t *)entries.value.at, entries.value.size, RECORD_DATA,
			&data) ||
	    !find_field(data.data, data.size, DATA_VALUES, &values))
		return false;
	part->data_at = (uint64_t)(values.data - reader->block.at);
	part->data_size = values.size;
	return true;
}

static struct values values_of(const struct tfp_value_reader *reader,
			       const struct tfp_stored_piece *part)
{
	return (struct values){
		.list = list_of(reader->dtype),
		.wire = tfp_wire_of(reader->block.at + part->data_at, (size_t)part->data_size),
	};
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* The low SIZE bytes of VALUE, in the machine's order. */
static void put_natural(uint8_t *to, size_t size, uint64_t value)
{
	uint8_t byte = (uint8_t)value;
	uint16_t two = (uint16_t)value;
	uint32_t four = (uint32_t)value;

	switch (size) {
	case sizeof(byte):
		memcpy(to, &byte, sizeof(byte));
		break;
	case sizeof(two):
		memcpy(to, &two, sizeof(two));
		break;
	case sizeof(four):
		memcpy(to, &four, sizeof(four));
		break;
	default:
		memcpy(to, &value, sizeof(value));
	}
}

/* Up to COUNT varints of the run at hand; returns how many there were. */
static uint64_t take_varints(struct values *values, uint64_t count, uint8_t *to, size_t size)
{
	uint64_t there = 0, value;

	for (; there < count && values->at < values->end; there++, to += size) {
		const uint8_t *next = tfp_wire_varint(values->at, values->end, &value);

		if (!next) {
			values->bad = true;
			values->at = values->end;
			break;
		}
		put_natural(to, size, value);
		values->at = next;
	}
	return there;
}

static uint64_t take_fixed(struct values *values, uint64_t count, uint8_t *to)
{
	const uint8_t *from = values->at;
	uint64_t there = skip(values, count);

	memcpy(to, from, (size_t)there * values->list->unit);
	return there;
}

/* COUNT numbers behind the first SKIPPED ones. */
static bool take_numbers(struct values *values, uint64_t skipped, uint64_t count, uint8_t *to,
			 size_t size)
{
	bool fixed = values->list->coding == CODING_FIXED;

	while (count && !values->bad) {
		uint64_t there;

		if (values->at == values->end && !next_run(values))
			return false;
		if (skipped) {
			skipped -= skip(values, skipped);
			continue;
		}
		there = fixed ? take_fixed(values, count, to)
			      : take_varints(values, count, to, size);
		to += there * (fixed ? values->list->unit : size);
		count -= there;
	}
	return !values->bad;
}

static bool take_texts(struct values *values, uint64_t skipped, uint64_t count,
		       struct tfp_elements *out)
{
	for (; skipped; skipped--)
		if (!next_run(values))
			return false;
	for (; count; count--) {
		size_t length, size;

		if (!next_run(values))
			return false;
		length = (size_t)(values->end - values->at);
		size = out->most && length > out->most ? out->most : length;
		*tfp_array_push(&out->texts) = (struct tfp_string){out->bytes.count, size, length};
		memcpy(tfp_elements_more(out, size), values->at, size);
	}
	return true;
}

/* Where reading may go on: at the wire and within its run, told by offsets in the record. */
static void remember(struct tfp_stored_piece *part, const struct values *values, uint64_t next,
		     const uint8_t *record)
{
	part->next = next;
	part->next_at = (uint64_t)(values->wire.at - record);
	part->next_text = (uint64_t)(values->end - values->at);
}

static struct values resume(const struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			    uint64_t first)
{
	struct values values = values_of(reader, part);
	const uint8_t *record = values.wire.at;

	if (first < part->next || !part->next) {
		part->next = 0;
		return values;
	}
	values.wire.at = record + part->next_at;
	values.end = values.wire.at;
	values.at = values.end - part->next_text;
	return values;
}

static bool read_values(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			uint64_t first, size_t count, struct tfp_elements *out, struct tfp_job *job,
			struct tfp_diag *diag)
{
	uint64_t units = reader->dtype->element == TFP_ELEMENT_COMPLEX ? 2 : 1, skipped;
	size_t size = reader->dtype->size;
	struct values values;
	const uint8_t *record;
	uint8_t *to;
	bool good;

	if (!load_block(reader, part->shard, part->block, job, diag))
		return false;
	record = reader->block.at + part->data_at;
	values = resume(reader, part, first);
	skipped = (first - part->next) * units;
	if (values.list->coding == CODING_TEXT) {
		good = take_texts(&values, skipped, count, out);
		values.at = values.end;
	} else {
		to = tfp_elements_more(out, count * size);
		good = take_numbers(&values, skipped, count * units, to, size);
		if (reader->checkpoint->swapped && values.list->coding == CODING_FIXED)
			tfp_swap_bytes(to, count * (size_t)units, values.list->unit);
	}
	if (!good)
		return fail(reader, part, diag, "the record of its values is damaged");
	remember(part, &values, first + count, record);
	return true;
}

bool tfp_slices_open(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		     struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_slice_key key = {0};
	struct values values;
	uint64_t units = part->elements;
	bool found;

	if (!list_of(reader->dtype))
		return fail(reader, part, diag, "values of its type can't be in such a file");
	tfp_ckpt_key(&key, reader->key, part->extents, reader->rank);
	found = find_record(reader, part, (struct tfp_span){key.at, key.count}, job, diag);
	tfp_array_free(&key);
	if (!found)
		return tfp_job_cancelled(job) ? false
					      : fail(reader, part, diag,
						     "the record of its values is not in the file");
	reader->read = read_values;
	values = values_of(reader, part);
	if (reader->dtype->element == TFP_ELEMENT_COMPLEX)
		units *= 2;
	if (count_all(&values, job) == units && !values.bad)
		return true;
	return tfp_job_cancelled(job) ? false
				      : fail(reader, part, diag,
					     "there are fewer or more values than its shape has");
}
