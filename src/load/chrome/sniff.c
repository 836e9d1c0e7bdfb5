/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a file a Chrome trace, and whose? What stands before its list of records may be long, so the members of the whole are
 * passed one by one up to there.
 */
#include "load/chrome/sniff.h"

#include <string.h>

#include "tfprof/json.h"

#define SNIFF_BYTES ((size_t)64 << 10)
#define SNIFF_FAR   ((size_t)16 << 20) /* what mostly stands before the list of records at most */
#define KEY_MOST    ((size_t)128)      /* bytes of its key, however it is written */

/* What the members of the whole say. */
struct members {
	size_t list;  /* where the list of records begins; 0: there is none, or not yet */
	bool version; /* a key of PyTorch that is in all of its files was before it */
	bool torch;   /* that, or another of PyTorch */
	bool closed;  /* the whole ended: it has no more members */
};

/* Looks at the first bytes from the offset FROM on. */
static bool holds(const struct tfp_source *source, size_t from, const char *word)
{
	size_t size = source->size - from < SNIFF_BYTES ? source->size - from : SNIFF_BYTES;
	struct tfp_span text = {(const char *)source->data + from, size};
	struct tfp_json_bytes room = {0};
	bool found = tfp_span_holds(tfp_json_plain(text, &room), word);

	tfp_array_free(&room);
	return found;
}

/* The first byte that is no blank, behind a byte order mark; 0: none. */
static char first_byte(const struct tfp_source *source)
{
	const char *at = (const char *)source->data, *end = at + source->size;

	if (source->size >= 3 && !memcmp(at, "\xef\xbb\xbf", 3))
		at += 3;
	at = tfp_json_pass_blanks(at, end);
	return (char)(at < end ? *at : 0);
}

static void note_key(struct members *members, struct tfp_span key)
{
	if (tfp_span_equal(key, TFP_SPAN("schemaVersion")))
		members->version = members->torch = true;
	else if (tfp_span_equal(key, TFP_SPAN("deviceProperties")) ||
		 tfp_span_equal(key, TFP_SPAN("baseTimeNanoseconds")))
		members->torch = true;
}

/* In the first SIZE bytes. */
static struct members members_in(const struct tfp_source *source, size_t size)
{
	struct tfp_json_token key = {0}, value;
	struct members found = {0};
	struct tfp_json json;

	tfp_json_start(&json, (struct tfp_span){(const char *)source->data, size});
	if (tfp_json_next(&json, &value) == TFP_JSON_OBJECT)
		while (!found.list && tfp_json_next(&json, &key) == TFP_JSON_KEY) {
			struct tfp_span name = key.text;

			note_key(&found, name);
			if (!tfp_json_next(&json, &value))
				break;
			if (tfp_span_equal(name, TFP_SPAN("traceEvents")))
				found.list = tfp_json_offset(&json);
			else
				tfp_json_skip(&json, &value);
		}
	found.closed = key.kind == TFP_JSON_OBJECT_END;
	tfp_json_stop(&json);
	return found;
}

/* Where the list is far behind, all is passed up to there, but only if its name is there at all: that is found much faster. */
static struct members find_members(const struct tfp_source *source)
{
	size_t near = source->size < SNIFF_FAR ? source->size : SNIFF_FAR;
	struct members found = members_in(source, near);
	size_t from = near - (near < KEY_MOST ? near : KEY_MOST);
	struct tfp_span rest = {(const char *)source->data + from, source->size - from};

	if (found.list || found.closed || !tfp_json_find_string(rest, TFP_SPAN("traceEvents")))
		return found;
	return members_in(source, source->size);
}

/* TensorFlow's timelines have a reader of their own. */
static bool is_timeline(const struct tfp_source *source)
{
	return holds(source, 0, "\"cat\": \"Op\"") || holds(source, 0, "\"cat\":\"Op\"") ||
	       holds(source, 0, " Compute\"");
}

/* Keys and categories of PyTorch's profiler: which comes first varies. */
static bool is_torch(const struct tfp_source *source, const struct members *members)
{
	static const char *const words[] = {"\"schemaVersion\"",       "\"deviceProperties\"",
					    "\"baseTimeNanoseconds\"", "\"cpu_op\"",
					    "\"cuda_runtime\"",        "\"python_function\""};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (holds(source, 0, words[i]) ||
		    (members->list && holds(source, members->list, words[i])))
			return true;
	return members->torch;
}

/*
 * A list of records, or an object with one. Of one that is cut or damaged before there, the word is enough, or what PyTorch
 * has first; one that ends without it is something else.
 */
static bool is_trace(const struct tfp_source *source, struct members *members)
{
	char first = first_byte(source);

	*members = (struct members){0};
	if (first == '[')
		return holds(source, 0, "\"ph\"");
	if (first != '{')
		return false;
	*members = find_members(source);
	return members->list ||
	       (!members->closed && (members->version || holds(source, 0, "\"traceEvents\"")));
}

int chrome_sniff_torch(const struct tfp_source *source)
{
	struct members members;

	return is_trace(source, &members) && is_torch(source, &members) ? 90 : 0;
}

int chrome_sniff(const struct tfp_source *source)
{
	struct members members;

	if (!is_trace(source, &members))
		return 0;
	return is_timeline(source) ? 40 : 70;
}

bool chrome_wants_more(const struct tfp_source *source)
{
	char first = first_byte(source);
	struct members members;

	if (!first)
		return source->size < SNIFF_FAR;
	if (first != '{')
		return first == '[' && source->size < SNIFF_BYTES;
	members = find_members(source);
	if (members.list)
		return source->size < members.list + SNIFF_BYTES;
	return !members.closed;
}
