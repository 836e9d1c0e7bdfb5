/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What files of other programs begin with, or are called: archives, what other programs pack, databases and reports of
 * other profilers, and what stands for a file that is not here.
 */
#include "load/find/foreign.h"

#include <string.h>

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
	HEAD(0, "PK\3\4", "a zip archive; unzip it, and open what is in it"),
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
	HEAD(0, "\x80\4\x95",
	     "a pickle of Python, as torch.cuda.memory writes; a trace with profile_memory=True has allocations, too"),
	HEAD(0,
	     "\x7f"
	     "ELF",
	     "a program, not a recording of one"),
	HEAD(0, "<!DOCTYPE", "a web page, maybe in place of a file that was to be fetched"),
	HEAD(0, "<html", "a web page, maybe in place of a file that was to be fetched"),
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
	if (at < end && *at == '[')
		return true;
	if (at == end || *at != '{')
		return false;
	at = tfp_json_pass_blanks(at + 1, end);
	return at < end && *at == '"';
}

const char *tfp_foreign_what(const struct tfp_source *source, const char *path)
{
	for (size_t i = 0; i < COUNT(heads); i++)
		if (source->size >= heads[i].at + heads[i].size &&
		    !memcmp(source->data + heads[i].at, heads[i].bytes, heads[i].size))
			return heads[i].what;
	for (size_t i = 0; i < COUNT(names); i++)
		if (tfp_span_ends(tfp_span_of(path), tfp_span_of(names[i].end)))
			return names[i].what;
	return is_json(source)
		       ? "JSON, but no list of records stands near its beginning, as in traces, where it is mostly "
			 "called \"traceEvents\""
		       : NULL;
}
