/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof files encoded by hand, one trait each, and how they are read.
 */
#ifndef TFPROF_TESTS_PPROF_BYTES_H
#define TFPROF_TESTS_PPROF_BYTES_H

#include "load/loaders.h"
#include "wire_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- writing protobuf ---------------------------------------------------------------------- */

/* A message of the integers of LIST, ended by -1, as fields 1, 2, 3 …; zeros are left out. */
static inline void put_ints(struct bytes *bytes, uint32_t field, const int64_t *list)
{
	struct bytes message = {0};

	for (uint32_t i = 0; list[i] != -1; i++)
		if (list[i])
			put_int(&message, i + 1, (uint64_t)list[i]);
	put_message(bytes, field, &message);
}

#define PUT_INTS(bytes, field, ...) put_ints((bytes), (field), (const int64_t[]){__VA_ARGS__, -1})

static inline void put_repeated(struct bytes *bytes, uint32_t field, bool packed,
				const uint64_t *list, size_t count)
{
	struct bytes run = {0};

	for (size_t i = 0; i < count; i++) {
		if (packed)
			put_varint(&run, list[i]);
		else
			put_int(bytes, field, list[i]);
	}
	if (packed)
		put_message(bytes, field, &run);
}

static inline void put_strings(struct bytes *bytes, const char *const *strings)
{
	for (; *strings; strings++)
		put_bytes(bytes, 6, *strings, strlen(*strings));
}

/* ---- a small profile ------------------------------------------------------------------------ */

static const char *const texts[] = {
	"",      "samples", "count",  "cpu", "milliseconds", "main", "main.c",           "hot",
	"inlin", "lib.c",   "thread", "a",   "bytes",        "kb",   "/usr/lib/libx.so", NULL,
};

enum {
	SAMPLES = 1,
	COUNT,
	CPU,
	MILLISECONDS,
	MAIN,
	MAIN_C,
	HOT,
	INLINED,
	LIB_C,
	THREAD,
	A,
	BYTES,
	KB,
	LIBX
};

struct shape {
	bool packed;       /* repeated integers are packed */
	bool strings_last; /* else first */
	uint64_t ids;      /* ids of locations and functions are multiples of this */
};

static inline void put_sample(struct bytes *file, const struct shape *shape,
			      const uint64_t *locations, size_t count, int64_t runs, int64_t time,
			      const int64_t *label)
{
	uint64_t ids[8], values[2] = {(uint64_t)runs, (uint64_t)time};
	struct bytes sample = {0};

	for (size_t i = 0; i < count; i++)
		ids[i] = locations[i] * shape->ids;
	put_repeated(&sample, 1, shape->packed, ids, count);
	put_repeated(&sample, 2, shape->packed, values, 2);
	if (label)
		put_ints(&sample, 3, label);
	put_message(file, 2, &sample);
}

/* main calls hot, into which something is inlined; main calls code without a name. */
static inline void put_tables(struct bytes *file, const struct shape *shape)
{
	int64_t ids = (int64_t)shape->ids;
	struct bytes location = {0};

	PUT_INTS(file, 3, 7, 0, 0, 0, LIBX);
	put_int(&location, 1, 1 * shape->ids);
	PUT_INTS(&location, 4, 1 * ids, 5);
	put_message(file, 4, &location);
	put_int(&location, 1, 2 * shape->ids);
	PUT_INTS(&location, 4, 3 * ids, 21);
	PUT_INTS(&location, 4, 2 * ids, 12);
	put_message(file, 4, &location);
	PUT_INTS(file, 4, 3 * ids, 7, 0xdead);
	PUT_INTS(file, 5, 1 * ids, MAIN, MAIN, MAIN_C, 1);
	PUT_INTS(file, 5, 2 * ids, HOT, HOT, LIB_C, 10);
	PUT_INTS(file, 5, 3 * ids, 0, INLINED, LIB_C, 20);
}

static inline struct bytes small_profile(const struct shape *shape)
{
	static const uint64_t hot[] = {2, 1}, nameless[] = {3, 1};
	static const int64_t thread[] = {THREAD, A, -1}, size[] = {BYTES, 0, 64, KB, -1};
	struct bytes file = {0};

	if (!shape->strings_last)
		put_strings(&file, texts);
	put_int(&file, 9, 1234567890123456789);
	PUT_INTS(&file, 1, SAMPLES, COUNT);
	PUT_INTS(&file, 1, CPU, MILLISECONDS);
	put_sample(&file, shape, hot, 2, 1, 10, thread);
	put_sample(&file, shape, nameless, 2, 2, 20, size);
	put_sample(&file, shape, hot, 2, 3, 30, thread);
	put_tables(&file, shape);
	put_sample(&file, shape, hot, 2, 4, -40, NULL);
	if (shape->strings_last)
		put_strings(&file, texts);
	return file;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct loaded {
	struct tfp_diag *diag;
	struct tfp_profile *profile;
	bool done;
	int sure;
};

static inline struct loaded load(const struct bytes *file)
{
	struct loaded loaded = {tfp_diag_new(), tfp_profile_new(), false, 0};
	uint8_t *copy = memcpy(tfp_alloc(file->count), file->at, file->count);
	struct tfp_source *source = tfp_source_from_bytes("test.pprof", copy, file->count);

	loaded.sure = tfp_pprof_loader.sniff(source);
	tfp_profile_add_file(loaded.profile, source->path, tfp_pprof_loader.label, 0, 0);
	loaded.done = tfp_pprof_loader.load(loaded.profile, source, 0, 0, NULL, loaded.diag);
	tfp_profile_finish(loaded.profile);
	return loaded;
}

static inline struct loaded load_once(struct bytes *file)
{
	struct loaded loaded = load(file);

	tfp_array_free(file);
	return loaded;
}

static inline void unload(struct loaded *loaded)
{
	tfp_profile_free(loaded->profile);
	tfp_diag_free(loaded->diag);
}

/* "main main.c:5 < hot …", innermost first, of a node. */
static inline const char *stack_text(const struct tfp_profile *profile, uint32_t node)
{
	static char text[512];
	size_t size = 0;

	*text = 0;
	for (uint32_t i = profile->nodes.stack[node]; i != TFP_NONE;
	     i = profile->stacks.at[i].parent) {
		const struct tfp_frame *frame = &profile->frames.at[profile->stacks.at[i].frame];

		size += (size_t)snprintf(
			text + size, sizeof(text) - size, "%s%s %s:%d", size ? " < " : "",
			tfp_strings_text(profile->strings, frame->function),
			tfp_strings_text(profile->strings, frame->file), frame->line);
	}
	return text;
}

static inline const char *node_name(const struct tfp_profile *profile, uint32_t node)
{
	return tfp_strings_text(profile->strings, profile->nodes.name[node]);
}

static inline void assert_values(const struct tfp_profile *profile, uint32_t node, int64_t first,
				 int64_t second)
{
	int64_t values[TFP_MAX_METRICS] = {0};

	tfp_profile_values(profile, node, 0, 0, values);
	assert_int_equal(values[0], first);
	assert_int_equal(values[1], second);
}

static inline bool has_problem(const struct tfp_diag *diag, const char *part)
{
	for (size_t i = 0; i < tfp_diag_count(diag); i++)
		if (strstr(tfp_diag_get(diag, i).text, part))
			return true;
	return false;
}

#endif
