/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces to stacks. A graph of a hundred thousand nodes has more than a million frames but few
 * distinct ones, and a node's trace mostly begins as that of the node before: frames are compared
 * as raw bytes, first with the last trace, then with a cache, and decoded only when both fail.
 */
#include <string.h>

#include "load/tensorflow/codedef.h"

void tfp_codedef_start(struct tfp_codedef_reader *reader, struct tfp_profile *profile,
		       const struct tfp_source *source, struct tfp_diag *diag)
{
	*reader = (struct tfp_codedef_reader){
		.profile = profile,
		.source = source,
		.diag = diag,
		.cache = tfp_alloc_zero(TFP_CODEDEF_CACHE, sizeof(*reader->cache)),
		.key = tfp_hash_key_new(),
	};
}

void tfp_codedef_free(struct tfp_codedef_reader *reader)
{
	tfp_idmap_free(&reader->ids);
	tfp_array_free(&reader->texts);
	tfp_array_free(&reader->levels);
	tfp_array_release(reader->cache);
}

void tfp_codedef_add_text(struct tfp_codedef_reader *reader, const struct tfp_field *entry)
{
	struct tfp_wire wire = tfp_wire_in(entry);
	struct tfp_field field, text = {.data = entry->data};
	uint64_t key = 0;
	uint32_t index;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, 1))
			key = field.value;
		else if (tfp_field_is(&field, 2))
			text = field;
	}
	index = tfp_idmap_add(&reader->ids, key, (uint32_t)reader->texts.count);
	if (index == reader->texts.count)
		tfp_array_push(&reader->texts);
	reader->texts.at[index] =
		tfp_strings_add(reader->profile->strings, (const char *)text.data, text.size);
}

/* A text of a frame: given by id, by old writers as such. */
struct text {
	uint64_t id;
	struct tfp_field direct;
};

/* The string of a text; one that the table lacks is shown as such. */
static tfp_str find_text(struct tfp_codedef_reader *reader, const struct text *text,
			 const struct tfp_field *frame)
{
	uint32_t index = tfp_idmap_get(&reader->ids, text->id);
	struct tfp_strings *strings = reader->profile->strings;
	char placeholder[40];
	int size;

	if (index != TFP_NONE)
		return reader->texts.at[index];
	if (!text->id && text->direct.size)
		return tfp_strings_add(strings, (const char *)text->direct.data, text->direct.size);
	tfp_diag_add(reader->diag, TFP_WARNING, reader->source->path,
		     frame->data - reader->source->data, 0,
		     "a call stack names a string that the file does not hold");
	size = snprintf(placeholder, sizeof(placeholder), "<string %lld>", (long long)text->id);
	return tfp_strings_add(strings, placeholder, (size_t)size);
}

/* Source lines are often not recorded: no string then. */
static tfp_str find_source(struct tfp_codedef_reader *reader, const struct text *text)
{
	uint32_t index = tfp_idmap_get(&reader->ids, text->id);

	if (index != TFP_NONE)
		return text->id ? reader->texts.at[index] : 0;
	return tfp_strings_add(reader->profile->strings, (const char *)text->direct.data,
			       text->direct.size);
}

static uint32_t decode_frame(struct tfp_codedef_reader *reader, const struct tfp_field *trace)
{
	struct tfp_wire wire = tfp_wire_in(trace);
	struct tfp_field field, none = {.data = trace->data};
	struct text file = {0, none}, function = file, source = file;
	struct tfp_frame frame = {.line = 0};

	while (tfp_wire_next(&wire, &field)) {
		if (field.type == TFP_WIRE_VARINT) {
			if (field.number == TRACE_LINE)
				frame.line = (int32_t)field.value;
			else if (field.number == TRACE_START_LINE)
				frame.start_line = (int32_t)field.value;
			else if (field.number == TRACE_FILE)
				file.id = field.value;
			else if (field.number == TRACE_FUNCTION)
				function.id = field.value;
			else if (field.number == TRACE_SOURCE)
				source.id = field.value;
		} else if (tfp_field_is(&field, TRACE_TEXT_FILE)) {
			file.direct = field;
		} else if (tfp_field_is(&field, TRACE_TEXT_FUNCTION)) {
			function.direct = field;
		} else if (tfp_field_is(&field, TRACE_TEXT_SOURCE)) {
			source.direct = field;
		}
	}
	frame.file = find_text(reader, &file, trace);
	frame.function = find_text(reader, &function, trace);
	frame.text = find_source(reader, &source);
	return tfp_profile_frame(reader->profile, &frame);
}

static uint32_t find_frame(struct tfp_codedef_reader *reader, const struct tfp_field *trace)
{
	uint64_t hash = tfp_hash_bytes(reader->key, (const char *)trace->data, trace->size);
	struct tfp_codedef_cached *cached = &reader->cache[hash % TFP_CODEDEF_CACHE];

	if (!cached->at || cached->size != trace->size ||
	    memcmp(cached->at, trace->data, trace->size) != 0)
		*cached = (struct tfp_codedef_cached){trace->data, trace->size,
						      decode_frame(reader, trace)};
	return cached->frame;
}

/* The bits in which the eight bytes at A and those at B differ. */
static inline uint64_t differ(const char *a, const char *b)
{
	uint64_t left, right;

	memcpy(&left, a, sizeof(left));
	memcpy(&right, b, sizeof(right));
	return left ^ right;
}

/* How many bytes two texts have in common at their beginning: mostly some hundreds. */
static size_t common_prefix(struct tfp_span a, struct tfp_span b)
{
	size_t most = a.size < b.size ? a.size : b.size, size = 0;

	for (; size + 32 <= most; size += 32) {
		const char *left = a.at + size, *right = b.at + size;

		if (differ(left, right) | differ(left + 8, right + 8) |
		    differ(left + 16, right + 16) | differ(left + 24, right + 24))
			break;
	}
	for (; size + 8 <= most; size += 8)
		if (differ(a.at + size, b.at + size))
			break;
	while (size < most && a.at[size] == b.at[size])
		size++;
	return size;
}

/*
 * Steps over the frames that CODE begins with and the last trace too, and drops the levels of all
 * others. Returns the stack down to the last common one.
 */
static uint32_t skip_common(struct tfp_codedef_reader *reader, struct tfp_wire *code)
{
	struct tfp_span span = {(const char *)code->at, (size_t)(code->end - code->at)};
	size_t common = common_prefix(reader->last, span), count = reader->levels.count;

	while (count && reader->levels.at[count - 1].end > common)
		count--;
	reader->levels.count = count;
	reader->last = span;
	if (!count)
		return TFP_NONE;
	code->at += reader->levels.at[count - 1].end;
	return reader->levels.at[count - 1].stack;
}

/* Puts the frames of CODE below PARENT; if FIRST, they may have been those of the last trace. */
static uint32_t read_code(struct tfp_codedef_reader *reader, const struct tfp_field *message,
			  uint32_t parent, bool first)
{
	struct tfp_wire code = tfp_wire_in(message);
	struct tfp_field field;
	uint32_t stack = first ? skip_common(reader, &code) : parent;

	while (tfp_wire_next(&code, &field)) {
		if (!tfp_field_is(&field, CODE_TRACE))
			continue;
		stack = tfp_profile_stack(reader->profile, stack, find_frame(reader, &field));
		if (first)
			*tfp_array_push(&reader->levels) = (struct tfp_codedef_level){
				(size_t)(code.at - message->data), stack};
	}
	return stack;
}

uint32_t tfp_codedef_stack(struct tfp_codedef_reader *reader, struct tfp_wire message,
			   uint32_t number)
{
	uint32_t stack = TFP_NONE;
	struct tfp_field field;
	bool first = true;

	for (; tfp_wire_next(&message, &field); first = first && !tfp_field_is(&field, number))
		if (tfp_field_is(&field, number))
			stack = read_code(reader, &field, stack, first);
	return stack;
}
