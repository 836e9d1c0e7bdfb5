/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What files of other programs begin with, or are called: archives, what other programs pack, pictures and documents, databases
 * and reports of other profilers, and what stands for a file that is not here.
 */
#include "load/find/foreign.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tfprof/json.h"

struct head {
	size_t at;
	const char *bytes;
	size_t size;
	const char *what;
};

#define HEAD(at, bytes, what)                                                                      \
	{                                                                                          \
		at, bytes, sizeof(bytes) - 1, what                                                 \
	}

static const struct head heads[] = {
	HEAD(0, "PK\5\6", "a zip archive with nothing in it"),
	HEAD(257, "ustar", "a tar archive; unpack it with tar -xf, and open what is in it"),
	HEAD(0,
	     "\xfd"
	     "7zXZ",
	     "packed by xz; unpack it with xz -d first: only gzip is read as it is"),
	HEAD(0, "BZh",
	     "packed by bzip2; unpack it with bzip2 -d first: only gzip is read as it is"),
	HEAD(0, "\x28\xb5\x2f\xfd",
	     "packed by zstd; unpack it with zstd -d first: only gzip is read as it is"),
	HEAD(0, "\x04\x22\x4d\x18",
	     "packed by lz4; unpack it with lz4 -d first: only gzip is read as it is"),
	HEAD(0, "\xff\xfe", "text in UTF-16; make it UTF-8 with iconv -f UTF-16 -t UTF-8"),
	HEAD(0, "\xfe\xff", "text in UTF-16; make it UTF-8 with iconv -f UTF-16 -t UTF-8"),
	HEAD(0, "version https://git-lfs",
	     "what Git LFS leaves for a file that is not here; git lfs pull gets it"),
	HEAD(0, "SQLite format 3",
	     "an SQLite database, as Nsight Systems exports one, which cannot be read"),
	HEAD(0,
	     "\x7f"
	     "ELF",
	     "a program, not a recording of one"),
	HEAD(0, "\x89PNG\r\n", "a picture"),
	HEAD(0, "\xff\xd8\xff", "a picture"),
	HEAD(0, "GIF8", "a picture"),
	HEAD(0, "%PDF-", "a PDF document"),
	HEAD(0, "\x89HDF\r\n", "an HDF5 file, as Keras saves models, which cannot be read"),
	HEAD(0, "\x93NUMPY", "an array of NumPy"),
};

/* How names end, of files whose beginning could be anything. */
static const struct {
	const char *end, *what;
} names[] = {
	{".pftrace",
	 "a trace of Perfetto's own format, which cannot be read; its form as JSON can"},
	{".perfetto-trace",
	 "a trace of Perfetto's own format, which cannot be read; its form as JSON can"},
	{".nsys-rep", "a report of Nsight Systems, which cannot be read"},
	{".qdrep", "a report of Nsight Systems, which cannot be read"},
	{".ncu-rep", "a report of Nsight Compute, which cannot be read"},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* An object, with a name at its beginning, or a list. */
static bool is_json(const struct tfp_source *source)
{
	const char *at = (const char *)source->data, *end = at + source->size;

	at = tfp_json_pass_blanks(at, end);
	/* "ESC[" begins the colours of a terminal */
	if (memchr(source->data, '\33', (size_t)(at - (const char *)source->data)))
		return false;
	if (at < end && *at == '[')
		return true;
	if (at == end || *at != '{')
		return false;
	at = tfp_json_pass_blanks(at + 1, end);
	return at < end && *at == '"';
}

/*
 * What pickles of each protocol begin with: a number and an opcode that makes something, or without it a dictionary, a list or
 * a tuple that is remembered.
 */
static bool is_pickle(const struct tfp_source *source)
{
	const uint8_t *at = source->data;

	if (source->size < 4)
		return false;
	if (at[0] == 0x80)
		return at[1] >= 2 && at[1] <= 5 && at[2] && strchr("\x95}](cXUK\x8c)", at[2]);
	if ((at[0] == '}' || at[0] == ']') && at[1] == 'q')
		return !at[2];
	return at[0] == '(' && at[1] && strchr("dlit", at[1]) && at[2] == 'p' && at[3] >= '0' &&
	       at[3] <= '9';
}

static bool is_text(const uint8_t *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (at[i] < '\t' || at[i] > '~')
			return false;
	return true;
}

/* Two bytes that say how it was packed, with a check of themselves, and no more; "x^2" passes it, too. */
static bool is_zlib(const struct tfp_source *source)
{
	const uint8_t *at = source->data;

	return source->size > 2 && at[0] == 0x78 && (at[0] << 8 | at[1]) % 31 == 0 &&
	       !is_text(at, source->size < 64 ? source->size : 64);
}

static bool is_web_page(const struct tfp_source *source)
{
	static const char *const begins[] = {"<!doctype html", "<html", "<?xml"};
	const char *at = (const char *)source->data, *end = at + source->size;

	if (source->size > 3 && !memcmp(at, "\xef\xbb\xbf", 3))
		at += 3;
	at = tfp_json_pass_blanks(at, end);
	for (size_t i = 0; i < COUNT(begins); i++)
		if ((size_t)(end - at) > strlen(begins[i]) &&
		    !strncasecmp(at, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* What takes more than some bytes to tell. */
static const struct {
	bool (*is)(const struct tfp_source *source);
	const char *what;
} kinds[] = {
	{is_pickle,
	 "a pickle of Python, as torch.cuda.memory writes; a trace with profile_memory=True has allocations, too"},
	{is_zlib, "packed by zlib; unpack it with pigz -dz first: only gzip is read as it is"},
	{is_web_page, "a web page, or XML, maybe in place of a file that was to be fetched"},
	{is_json,
	 "JSON, but there is no list of records in it, as in traces, where it is mostly called \"traceEvents\""},
};

/* The name of the first file in a zip archive says which kind of one it is; empty: there is none. */
static struct tfp_span first_in_zip(const struct tfp_source *source)
{
	const uint8_t *at = source->data;
	size_t size;

	if (source->size < 30 || memcmp(at, "PK\3\4", 4) != 0)
		return (struct tfp_span){"", 0};
	size = (size_t)at[26] | (size_t)at[27] << 8;
	return (struct tfp_span){(const char *)at + 30,
				 size < source->size - 30 ? size : source->size - 30};
}

static bool is_zip(const struct tfp_source *source, char what[TFP_FOREIGN_ROOM])
{
	struct tfp_span name = first_in_zip(source);
	char clean[80];

	if (source->size < 4 || memcmp(source->data, "PK\3\4", 4) != 0)
		return false;
	tfp_text_clean(clean, sizeof(clean), name, false);
	if (tfp_span_ends(name, TFP_SPAN("/data.pkl")))
		snprintf(what, TFP_FOREIGN_ROOM, "what torch.save wrote, a model and no recording");
	else if (*clean)
		snprintf(what, TFP_FOREIGN_ROOM,
			 "a zip archive, with %s first; unzip it, and open what is in it", clean);
	else
		snprintf(what, TFP_FOREIGN_ROOM, "a zip archive; unzip it, and open what is in it");
	return true;
}

static const char *by_bytes(const struct tfp_source *source)
{
	for (size_t i = 0; i < COUNT(heads); i++)
		if (source->size >= heads[i].at + heads[i].size &&
		    !memcmp(source->data + heads[i].at, heads[i].bytes, heads[i].size))
			return heads[i].what;
	return NULL;
}

static const char *by_name(const char *path)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (tfp_span_ends(tfp_span_of(path), tfp_span_of(names[i].end)))
			return names[i].what;
	return NULL;
}

static const char *by_content(const struct tfp_source *source)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].is(source))
			return kinds[i].what;
	return NULL;
}

bool tfp_foreign_what(const struct tfp_source *source, const char *path,
		      char what[TFP_FOREIGN_ROOM])
{
	const char *known;

	if (is_zip(source, what))
		return true;
	known = by_bytes(source);
	if (!known)
		known = by_name(path);
	if (!known)
		known = by_content(source);
	if (known)
		snprintf(what, TFP_FOREIGN_ROOM, "%s", known);
	return known != NULL;
}
