/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether two files are one: a recording that is given twice, or beside its copy, is no second rank. Bytes are
 * compared only where the sizes are equal, which those of two recordings hardly ever are. A packed copy is unpacked once more
 * for that, and given back as it is compared, where its beginning is the same.
 */
#include "load/find/same.h"

#include <string.h>

#define PIECE ((size_t)65536)

/* Ranks of one program may differ in what stands last alone, and there may be hundreds to compare with each other. */
static bool same_bytes(const struct tfp_source *a, const struct tfp_source *b)
{
	size_t last = a->size < PIECE ? a->size : PIECE, rest = a->size - last;

	return !memcmp(a->data + rest, b->data + rest, last) && !memcmp(a->data, b->data, rest);
}

bool tfp_same_file(const struct tfp_source *a, const struct tfp_source *b)
{
	if (!a->inode || !b->inode)
		return false;
	if (a->inode == b->inode && a->device == b->device)
		return true;
	return !a->compressed && !b->compressed && a->size == b->size && same_bytes(a, b);
}

/* The bytes of SOURCE from the beginning, to be freed. */
static struct tfp_source *read_again(struct tfp_source *source, struct tfp_job *job,
				     struct tfp_diag *diag)
{
	return source->unpacking ? tfp_source_begin(source->path, job, diag)
				 : tfp_source_part(source, source->size);
}

static void await_bytes(struct tfp_source *source, size_t size, struct tfp_job *job,
			struct tfp_diag *diag)
{
	while (source->size < size && tfp_source_more(source, size, job, diag))
		;
}

static size_t in_both(const struct tfp_source *a, const struct tfp_source *b)
{
	return a->size < b->size ? a->size : b->size;
}

static bool compare(struct tfp_source *a, struct tfp_source *b, struct tfp_job *job,
		    struct tfp_diag *diag)
{
	size_t at = 0, end;

	while (!tfp_job_cancelled(job)) {
		await_bytes(a, at + PIECE, job, diag);
		await_bytes(b, at + PIECE, job, diag);
		end = in_both(a, b);
		if (end == at)
			return a->size == b->size && !tfp_job_cancelled(job);
		if (memcmp(a->data + at, b->data + at, end - at) != 0)
			return false;
		at = end;
		tfp_source_release(a, at);
		tfp_source_release(b, at);
	}
	return false;
}

bool tfp_same_unpacked(struct tfp_source *a, struct tfp_source *b, struct tfp_job *job)
{
	struct tfp_source *one, *other;
	struct tfp_diag *diag; /* the sources' own have it all */
	bool same;

	if (!(a->compressed || b->compressed) ||
	    (!a->unpacking && !b->unpacking && a->size != b->size) ||
	    memcmp(a->data, b->data, in_both(a, b)) != 0)
		return false;
	diag = tfp_diag_new();
	one = read_again(a, job, diag);
	other = read_again(b, job, diag);
	same = one && other && compare(one, other, job, diag);
	tfp_source_free(one);
	tfp_source_free(other);
	tfp_diag_free(diag);
	return same;
}
