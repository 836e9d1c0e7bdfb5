/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a tensor that is stored as a whole or in slices. Its elements are numbered in row-major order; from
 * any of them on, as many lie together in one slice as the slice is whole in the last dimensions.
 */
#include "load/checkpoint/checkpoint.h"

#include <stdlib.h>
#include <string.h>

uint8_t *tfp_elements_more(struct tfp_elements *out, size_t size)
{
	tfp_array_reserve(&out->bytes, out->bytes.count + size + 1);
	out->bytes.count += size;
	return out->bytes.at + out->bytes.count - size;
}

/* The file that PART lies in; of all of them where PART is NULL. */
static const char *path_of(const struct tfp_value_reader *reader,
			   const struct tfp_stored_piece *part, struct tfp_arena *arena)
{
	const struct tfp_checkpoint *checkpoint = reader->checkpoint;

	if (!part)
		return checkpoint->path;
	return checkpoint->bundle ? tfp_bundle_path(checkpoint, part->stored.shard, arena)
				  : checkpoint->tables.at[part->shard].source->path;
}

void tfp_ckpt_error(const struct tfp_value_reader *reader, const struct tfp_stored_piece *part,
		    uint64_t offset, struct tfp_diag *diag, const char *format, ...)
{
	struct tfp_arena arena = {0};
	char text[512];
	size_t used;
	va_list args;

	used = (size_t)snprintf(text, sizeof(text) / 2, "%s: ", reader->name);
	used = used < sizeof(text) / 2 ? used : sizeof(text) / 2 - 1;
	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - used, format, args);
	va_end(args);
	tfp_diag_add(diag, TFP_ERROR, path_of(reader, part, &arena),
		     offset == UINT64_MAX ? -1 : (int64_t)offset, 0, "%s", text);
	tfp_arena_free(&arena);
}

/* ---- slices ------------------------------------------------------------------------------------- */

/* The extents of a slice as they are written. */
static const struct tfp_extent *extents_of(const struct tfp_value_reader *reader,
					   const struct tfp_slice *slice)
{
	static const struct tfp_extent none;

	return slice->rank ? reader->checkpoint->extents.at + slice->first : &none;
}

/* The extents of a slice as they are meant; NULL, and an error, if they are not within the tensor. */
static struct tfp_extent *resolve(struct tfp_value_reader *reader, const struct tfp_slice *slice,
				  uint64_t *elements, struct tfp_diag *diag)
{
	const struct tfp_extent *from = extents_of(reader, slice);
	struct tfp_extent *to = tfp_arena_zero(&reader->arena, reader->rank + 1, sizeof(*to));
	bool fits = slice->rank == reader->rank;

	*elements = 1;
	for (size_t i = 0; i < reader->rank && fits; i++) {
		int64_t dim = reader->dims[i];

		to[i] = from[i];
		fits = from[i].start >= 0 && from[i].start <= dim;
		if (to[i].length < 0)
			to[i].length = dim - to[i].start;
		fits = fits && to[i].length <= dim - to[i].start;
		*elements *= (uint64_t)to[i].length;
	}
	if (fits)
		return to;
	tfp_ckpt_error(reader, NULL, UINT64_MAX, diag, "a slice does not lie within its shape");
	return NULL;
}

static bool add_slices(struct tfp_value_reader *reader, const struct tfp_variable *variable,
		       bool (*open)(struct tfp_value_reader *, struct tfp_stored_piece *,
				    struct tfp_job *, struct tfp_diag *),
		       struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_slice *slices = reader->checkpoint->slices.at;

	for (uint32_t i = variable->slices; i != TFP_NONE; i = slices[i].next) {
		struct tfp_stored_piece part = {.shard = slices[i].shard};

		/* The key of a slice has its extents as they were written. */
		if (!resolve(reader, &slices[i], &part.elements, diag))
			return false;
		part.extents = extents_of(reader, &slices[i]);
		if (tfp_job_cancelled(job) || !open(reader, &part, job, diag))
			return false;
		part.extents = resolve(reader, &slices[i], &part.elements, diag);
		*tfp_array_push(&reader->parts) = part;
	}
	return true;
}

static int compare_parts(const void *left, const void *right, void *data)
{
	const struct tfp_stored_piece *a = left, *b = right;
	const size_t *rank = data;

	for (size_t i = 0; i < *rank; i++)
		if (a->extents[i].start != b->extents[i].start)
			return a->extents[i].start < b->extents[i].start ? -1 : 1;
	return 0;
}

static bool same_slice(const struct tfp_value_reader *reader, const struct tfp_stored_piece *a,
		       const struct tfp_stored_piece *b)
{
	return !memcmp(a->extents, b->extents, reader->rank * sizeof(*a->extents));
}

/* Brings slices into order, drops those that are there twice, and compares their sum with the tensor. */
static void order_slices(struct tfp_value_reader *reader, uint64_t elements, struct tfp_diag *diag)
{
	uint64_t sum = 0;
	size_t kept = 0;

	if (reader->parts.count > 1)
		qsort_r(reader->parts.at, reader->parts.count, sizeof(*reader->parts.at),
			compare_parts, &reader->rank);
	for (size_t i = 0; i < reader->parts.count; i++) {
		struct tfp_stored_piece *part = &reader->parts.at[i];

		if (kept && same_slice(reader, part, &reader->parts.at[kept - 1])) {
			tfp_ckpt_error(reader, NULL, UINT64_MAX, diag, "a slice is listed twice");
			continue;
		}
		reader->parts.at[kept++] = *part;
		sum += part->elements;
	}
	reader->parts.count = kept;
	reader->wrong |= sum != elements;
	if (sum > elements)
		tfp_ckpt_error(reader, NULL, UINT64_MAX, diag, "its slices overlap");
	else if (sum < elements)
		tfp_ckpt_error(reader, NULL, UINT64_MAX, diag, "its slices leave elements out");
}

/* ---- ranges ------------------------------------------------------------------------------------- */

static bool holds(const struct tfp_value_reader *reader, const struct tfp_stored_piece *part,
		  const int64_t *at)
{
	for (size_t i = 0; part->extents && i < reader->rank; i++)
		if (at[i] < part->extents[i].start ||
		    at[i] - part->extents[i].start >= part->extents[i].length)
			return false;
	return true;
}

/* The part that holds the element AT, beginning with the one that was read last; NULL if none does. */
static struct tfp_stored_piece *find_part(struct tfp_value_reader *reader, const int64_t *at)
{
	for (size_t i = 0; i < reader->parts.count; i++) {
		size_t number = reader->hint + i;

		if (number >= reader->parts.count)
			number -= reader->parts.count;
		if (holds(reader, &reader->parts.at[number], at)) {
			reader->hint = number;
			return &reader->parts.at[number];
		}
	}
	return NULL;
}

/* The number that element AT has within PART; *RUN gets how many follow it in both. */
static uint64_t locate(const struct tfp_value_reader *reader, const struct tfp_stored_piece *part,
		       const int64_t *at, uint64_t *run)
{
	uint64_t number = 0, inner = 1, behind = 0;
	size_t partial = reader->rank;

	for (size_t i = 0; i < reader->rank; i++) {
		const struct tfp_extent *extent = &part->extents[i];

		number = number * (uint64_t)extent->length + (uint64_t)(at[i] - extent->start);
		if (extent->length != reader->dims[i])
			partial = i;
	}
	if (partial == reader->rank)
		partial = 0;
	for (size_t i = reader->rank; i-- > partial;) {
		behind += (uint64_t)(at[i] - part->extents[i].start) * inner;
		inner *= (uint64_t)part->extents[i].length;
	}
	*run = inner - behind;
	return number;
}

/* The coordinates of element NUMBER. */
static void coordinates(const struct tfp_value_reader *reader, uint64_t number, int64_t *at)
{
	for (size_t i = reader->rank; i-- > 0;) {
		at[i] = (int64_t)(number % (uint64_t)reader->dims[i]);
		number /= (uint64_t)reader->dims[i];
	}
}

static bool read_range(void *data, uint64_t first, size_t count, struct tfp_elements *out,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_value_reader *reader = data;
	int64_t at[256];

	while (count) {
		struct tfp_stored_piece *part = reader->parts.at;
		uint64_t number = first, run = count;

		if (tfp_job_cancelled(job))
			return false;
		if (reader->parts.count != 1 || part->extents) {
			coordinates(reader, first, at);
			part = find_part(reader, at);
			if (!part) {
				tfp_ckpt_error(reader, NULL, UINT64_MAX, diag,
					       "no slice has the elements asked for");
				return false;
			}
			number = locate(reader, part, at, &run);
		}
		if (run > count)
			run = count;
		if (!reader->read(reader, part, number, (size_t)run, out, job, diag))
			return false;
		first += run;
		count -= (size_t)run;
	}
	return true;
}

/* ---- readers ------------------------------------------------------------------------------------ */

static void close_reader(void *data)
{
	struct tfp_value_reader *reader = data;

	tfp_sstable_block_free(&reader->block);
	tfp_array_free(&reader->parts);
	tfp_arena_free(&reader->arena);
	tfp_array_release(reader);
}

static struct tfp_value_reader *new_reader(struct tfp_checkpoint *checkpoint,
					   const struct tfp_profile *profile,
					   const struct tfp_tensor *tensor)
{
	struct tfp_value_reader *reader = tfp_alloc_zero(1, sizeof(*reader));
	uint32_t first = profile->shape_first.at[tensor->shape];

	reader->checkpoint = checkpoint;
	reader->dtype = tfp_dtype_of(tensor->dtype);
	reader->key = tfp_strings_get(profile->strings, tensor->name);
	reader->name = reader->key.at;
	reader->rank = profile->shape_first.at[tensor->shape + 1] - first;
	reader->dims = tfp_arena_zero(&reader->arena, reader->rank + 1, sizeof(*reader->dims));
	for (size_t i = 0; i < reader->rank; i++)
		reader->dims[i] = profile->dims.at[first + i];
	reader->block_shard = TFP_NONE;
	return reader;
}

static void *open_reader(void *data, const struct tfp_profile *profile, uint32_t index,
			 struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_checkpoint *checkpoint = data;
	const struct tfp_tensor *tensor = &profile->tensors.at[index];
	const struct tfp_variable *variable = &checkpoint->variables.at[tensor->entry];
	struct tfp_value_reader *reader = new_reader(checkpoint, profile, tensor);
	struct tfp_stored_piece whole = {.elements = tensor->elements, .stored = variable->stored};
	bool good;

	if (variable->slices != TFP_NONE) {
		good = add_slices(reader, variable,
				  checkpoint->bundle ? tfp_bundle_open : tfp_slices_open, job,
				  diag);
		if (good)
			order_slices(reader, tensor->elements, diag);
	} else {
		good = tfp_bundle_open(reader, &whole, job, diag);
		*tfp_array_push(&reader->parts) = whole;
	}
	if (good)
		return reader;
	close_reader(reader);
	return NULL;
}

static bool check(void *data, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_value_reader *reader = data;

	if (reader->checkpoint->bundle)
		return tfp_bundle_check(reader, job, diag);
	return !reader->wrong;
}

const struct tfp_value_store tfp_checkpoint_store = {
	.open = open_reader,
	.read = read_range,
	.check = check,
	.close = close_reader,
};
