/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces to stacks. A graph of a hundred thousand nodes has more than a million frames but few
 * distinct ones, and a node's trace mostly begins as that of the node before: frames are compared
 * as raw bytes, first with the last trace, then with a cache, and decoded only when both fail.
 */
#include <string.h>

#include "load/trace.h"

void tfp_trace_start(struct tfp_trace_reader *reader, struct tfp_profile *profile,
		     const struct tfp_source *source, struct tfp_diag *diag)
{
	*reader = (struct tfp_trace_reader){
		.profile = profile,
		.source = source,
		.diag = diag,
		.cache = tfp_alloc_zero(TFP_TRACE_CACHE, sizeof(*reader->cache)),
		.key = tfp_hash_key_new(),
	};
}

void tfp_trace_free(struct tfp_trace_reader *reader)
{
	tfp_idmap_free(&reader->ids);
	tfp_array_free(&reader->texts);
	tfp_array_free(&reader->levels);
	tfp_array_release(reader->cache);
}

void tfp_trace_add_text(struct tfp_trace_reader *reader, const struct tfp_field *entry)
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
static tfp_str find_text(struct tfp_trace_reader *reader, const struct text *text,
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
static tfp_str find_source(struct tfp_trace_reader *reader, const struct text *text)
{
	uint32_t index = tfp_idmap_get(&reader->ids, text->id);

	if (index != TFP_NONE)
		return text->id ? reader->texts.at[index] : 0;
	return tfp_strings_add(reader->profile->strings, (const char *)text->direct.data,
			       text->direct.size);
}

static uint32_t decode_frame(struct tfp_trace_reader *reader, const struct tfp_field *trace)
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

static uint32_t find_frame(struct tfp_trace_reader *reader, const struct tfp_field *trace)
{
	uint64_t hash = tfp_hash_bytes(reader->key, (const char *)trace->data, trace->size);
	struct tfp_trace_cached *cached = &reader->cache[hash % TFP_TRACE_CACHE];

	if (!cached->at || cached->size != trace->size ||
	    memcmp(cached->at, trace->data, trace->size) != 0)
		*cached = (struct tfp_trace_cached){trace->data, trace->size,
						    decode_frame(reader, trace)};
	return cached->frame;
}

/*
 * The stack of TRACE below PARENT, which is at DEPTH; SHARED tells whether all above was as in the
 * last trace.
 */
static uint32_t add_level(struct tfp_trace_reader *reader, const struct tfp_field *trace,
			  uint32_t parent, size_t depth, bool *shared)
{
	struct tfp_trace_level *level;

	if (*shared && depth < reader->levels.count) {
		level = &reader->levels.at[depth];
		if (level->size == trace->size && !memcmp(level->at, trace->data, trace->size))
			return level->stack;
	}
	*shared = false;
	reader->levels.count = depth;
	level = tfp_array_push(&reader->levels);
	*level = (struct tfp_trace_level){
		trace->data, trace->size,
		tfp_profile_stack(reader->profile, parent, find_frame(reader, trace))};
	return level->stack;
}

uint32_t tfp_trace_stack(struct tfp_trace_reader *reader, struct tfp_wire message, uint32_t number)
{
	uint32_t stack = TFP_NONE;
	struct tfp_wire code;
	struct tfp_field field;
	size_t depth = 0;
	bool shared = true;

	while (tfp_wire_next(&message, &field)) {
		if (!tfp_field_is(&field, number))
			continue;
		code = tfp_wire_in(&field);
		while (tfp_wire_next(&code, &field))
			if (tfp_field_is(&field, CODE_TRACE))
				stack = add_level(reader, &field, stack, depth++, &shared);
	}
	return stack;
}
