/* SPDX-License-Identifier: Apache-2.0 */
/* Twins by what shows at their ends: see twin.h. */
#include "load/find/twin.h"

#include <stdio.h>
#include <string.h>

#include "tfprof/hash.h"

#define BEGIN   4096 /* bytes that are compared */
#define END     4096
#define TRAILER 8 /* of gzip: the sum, and the size */
#define PIECE   4096

static const struct tfp_hash_key key = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)};

static uint64_t hash_of(const char *at, size_t size)
{
	return tfp_hash_bytes(key, at, size);
}

static uint64_t little_endian(const unsigned char *at)
{
	return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

/* The last bytes of the file at PATH, at most SIZE. Returns how many. */
static size_t read_end(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "rb");
	size_t count = 0;

	if (file && (!fseek(file, -(long)size, SEEK_END) || !fseek(file, 0, SEEK_SET)))
		count = fread(text, 1, size, file);
	if (file)
		fclose(file);
	return count;
}

void tfp_twin_read(struct tfp_twin *twin, const struct tfp_source *head, const char *path)
{
	char text[END];
	size_t size;

	*twin = (struct tfp_twin){.path = path, .packed = !head->mapped, .size = head->size};
	twin->begin =
		hash_of((const char *)head->data, head->size < BEGIN ? head->size : (size_t)BEGIN);
	size = read_end(path, text, twin->packed ? TRAILER : END);
	twin->known = size >= TRAILER || (size && !twin->packed);
	if (twin->known && twin->packed) {
		twin->end = little_endian((const unsigned char *)text);
		twin->size = little_endian((const unsigned char *)text + 4);
	} else {
		twin->end = hash_of(text, size);
	}
}

/* More than so many bytes, unpacked, are not read for a word in a list. */
#define MOST ((uint64_t)64 << 20)

static bool is_small(const struct tfp_twin *a, const struct tfp_twin *b)
{
	return a->size <= MOST && b->size <= MOST;
}

/* What both say, unpacked. */
static bool same_content(const char *one, const char *other)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *a = tfp_source_open(one, NULL, diag);
	struct tfp_source *b = a ? tfp_source_open(other, NULL, diag) : NULL;
	bool same = b && a->size == b->size && !memcmp(a->data, b->data, a->size);

	tfp_source_free(a);
	tfp_source_free(b);
	tfp_diag_free(diag);
	return same;
}

/* As they lie on the disk. */
static bool same_files(const char *one, const char *other)
{
	FILE *a = fopen(one, "rb"), *b = a ? fopen(other, "rb") : NULL;
	char here[PIECE], there[PIECE];
	bool same = b != NULL;
	size_t size = 1;

	while (same && size) {
		size = fread(here, 1, PIECE, a);
		same = fread(there, 1, PIECE, b) == size && !memcmp(here, there, size) &&
		       !ferror(a) && !ferror(b);
	}
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return same;
}

static bool named_alike(const char *plain, const char *packed)
{
	size_t size = strlen(plain);

	return !strncmp(plain, packed, size) && !strcmp(packed + size, ".gz");
}

bool tfp_twins(const struct tfp_twin *a, const struct tfp_twin *b)
{
	if (!a->known || !b->known || a->begin != b->begin)
		return false;
	if (a->packed != b->packed)
		return (uint32_t)a->size == (uint32_t)b->size &&
		       named_alike(a->packed ? b->path : a->path, a->packed ? a->path : b->path) &&
		       is_small(a, b) && same_content(a->path, b->path);
	if (a->size != b->size || a->end != b->end)
		return false;
	if (!a->packed)
		return is_small(a, b) && same_files(a->path, b->path);
	return same_files(a->path, b->path) || (is_small(a, b) && same_content(a->path, b->path));
}
