/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks: what labels say of file, line and function, stacks that stand in a record, and those that the file lists once
 * and records name by a number.
 */
#include <string.h>

#include "load/chrome/chrome.h"
#include "load/chrome/lists.h"

#define DEEPEST 10000 /* frames of a stack */

/* ---- labels ---------------------------------------------------------------------------------------- */

/* The digits of TEXT up to its end as a line; -1: there are other bytes, none, or too many. */
static int32_t line_of(const char *at, const char *end)
{
	int32_t line = 0;

	if (at == end || end - at > 9)
		return -1;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9')
			return -1;
		line = line * 10 + (*at - '0');
	}
	return line;
}

static struct tfp_span part_of(const char *from, const char *to)
{
	return (struct tfp_span){from, (size_t)(to - from)};
}

/* What a label of a call says. */
struct call {
	struct tfp_span file, function;
	int32_t line; /* -1: neither file nor line are known */
};

/* "torch/nn/modules/module.py(1783): _call_impl", as PyTorch has it. */
static bool read_torch_call(struct tfp_span name, struct call *call)
{
	const char *end = name.at + name.size, *close, *open;

	close = memmem(name.at, name.size, "): ", 3);
	open = close ? memrchr(name.at, '(', (size_t)(close - name.at)) : NULL;
	call->line = open && open > name.at ? line_of(open + 1, close) : -1;
	if (call->line < 0)
		return false;
	call->file = part_of(name.at, open);
	call->function = part_of(close + 3, end);
	return true;
}

/* "busy (/home/user/app.py:5)", as VizTracer has it. */
static bool read_viz_call(struct tfp_span name, struct call *call)
{
	const char *end = name.at + name.size, *open, *colon;

	if (!name.size || end[-1] != ')')
		return false;
	open = memrchr(name.at, '(', name.size);
	colon = open && open - name.at > 1 && open[-1] == ' '
			? memrchr(open, ':', (size_t)(end - open))
			: NULL;
	call->line = colon && colon > open + 1 ? line_of(colon + 1, end - 1) : -1;
	if (call->line < 0)
		return false;
	call->file = part_of(open + 1, colon);
	call->function = part_of(name.at, open - 1);
	return true;
}

/* "$api.py:2757 block_until_ready", as JAX has it. */
static bool read_jax_call(struct tfp_span name, struct call *call)
{
	const char *end = name.at + name.size, *space, *colon;

	if (!name.size || *name.at != '$')
		return false;
	space = memchr(name.at, ' ', name.size);
	colon = space ? memrchr(name.at, ':', (size_t)(space - name.at)) : NULL;
	call->line = colon ? line_of(colon + 1, space) : -1;
	if (call->line < 0)
		return false;
	call->file = part_of(name.at + 1, colon);
	call->function = part_of(space + 1, end);
	return true;
}

uint32_t chrome_frame(struct tfp_profile *profile, struct tfp_span name)
{
	struct call call = {.line = -1};
	struct tfp_frame frame;

	if (!read_torch_call(name, &call) && !read_jax_call(name, &call) &&
	    !read_viz_call(name, &call))
		call.function = name;
	frame = (struct tfp_frame){
		.file = call.file.size
				? tfp_strings_add(profile->strings, call.file.at, call.file.size)
				: 0,
		.function = tfp_strings_add(profile->strings, call.function.at, call.function.size),
		.line = call.line,
		.start_line = call.line,
	};
	return tfp_profile_frame(profile, &frame);
}

uint32_t chrome_frame_of_record(struct chrome *chrome, tfp_str function)
{
	struct tfp_span file = record_text(&chrome->record, FIELD_FILE, &chrome->room);
	int64_t line = record_number(&chrome->record, FIELD_LINE, 0);
	struct tfp_frame frame = {
		.file = tfp_strings_add(chrome->profile->strings, file.at, file.size),
		.function = function,
		.line = line > 0 && line <= INT32_MAX ? (int32_t)line : -1,
	};

	frame.start_line = frame.line;
	return tfp_profile_frame(chrome->profile, &frame);
}

/* ---- stacks of a record ------------------------------------------------------------------------------ */

/* "a.py(3): f;b.py(1): g", the innermost first. */
uint32_t chrome_calls(struct chrome *chrome)
{
	struct tfp_span text = record_text(&chrome->record, FIELD_CALLS, &chrome->room);
	const char *end = text.at + text.size;
	uint32_t stack = TFP_NONE;

	while (end > text.at) {
		const char *begin = memrchr(text.at, ';', (size_t)(end - text.at));
		struct tfp_span call;

		begin = begin ? begin + 1 : text.at;
		call = (struct tfp_span){begin, (size_t)(end - begin)};
		while (call.size && *call.at == ' ')
			call.at++, call.size--;
		if (call.size)
			stack = tfp_profile_stack(chrome->profile, stack,
						  chrome_frame(chrome->profile, call));
		end = begin > text.at ? begin - 1 : text.at;
	}
	return stack;
}

/* ["main", "f"], the outermost first. */
static uint32_t listed_stack(struct chrome *chrome)
{
	struct elements elements = list_elements(chrome->record.text[FIELD_STACK]);
	struct tfp_span element;
	uint32_t stack = TFP_NONE;

	for (int depth = 0; list_next(&elements, &element); depth++) {
		if (depth == DEEPEST) {
			chrome->cut_stacks++;
			break;
		}
		element = tfp_json_unescape(list_text(element), &chrome->room);
		if (element.size)
			stack = tfp_profile_stack(chrome->profile, stack,
						  chrome_frame(chrome->profile, element));
	}
	return stack;
}

/* ---- stacks of the file ------------------------------------------------------------------------------ */

static uint64_t key_of(const struct chrome *chrome, struct tfp_span id)
{
	return tfp_hash_bytes(chrome->profile->hash_key, id.at, id.size);
}

static uint32_t frame_numbered(struct chrome *chrome, struct tfp_span id)
{
	uint32_t next = (uint32_t)chrome->frames.count;
	uint32_t place = tfp_idmap_add(&chrome->frame_map, key_of(chrome, id), next);

	if (place == next)
		*tfp_array_push(&chrome->frames) = (struct numbered_frame){
			.frame = TFP_NONE, .parent = TFP_NONE, .stack = TFP_NONE};
	return place;
}

/* One of them: its name, where it is from, and what called it. */
static void read_frame(struct chrome *chrome, struct tfp_json *json, uint32_t place)
{
	struct tfp_json_token key, value;
	tfp_str name = 0, category = 0;
	uint32_t parent = TFP_NONE;
	struct tfp_frame frame;
	uint32_t made;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		struct tfp_span text = {"", 0};

		tfp_json_next(json, &value);
		tfp_json_skip(json, &value);
		if (value.kind == TFP_JSON_STRING)
			text = tfp_json_string(&value, &chrome->room);
		if (tfp_span_equal(key.text, TFP_SPAN("name")))
			name = tfp_strings_add(chrome->profile->strings, text.at, text.size);
		else if (tfp_span_equal(key.text, TFP_SPAN("category")))
			category = tfp_strings_add(chrome->profile->strings, text.at, text.size);
		else if (tfp_span_equal(key.text, TFP_SPAN("parent")) &&
			 (value.kind == TFP_JSON_STRING || value.kind == TFP_JSON_NUMBER))
			parent = frame_numbered(chrome,
						value.kind == TFP_JSON_STRING ? text : value.text);
	}
	made = chrome_frame(chrome->profile, tfp_strings_get(chrome->profile->strings, name));
	frame = chrome->profile->frames.at[made];
	if (!frame.file && category) {
		frame.file = category;
		made = tfp_profile_frame(chrome->profile, &frame);
	}
	chrome->frames.at[place].frame = made;
	chrome->frames.at[place].parent = parent;
}

void chrome_read_frames(struct chrome *chrome, struct tfp_json *json)
{
	struct tfp_json_token key, value;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		uint32_t place = frame_numbered(chrome, key.text);

		tfp_json_next(json, &value);
		if (value.kind == TFP_JSON_OBJECT)
			read_frame(chrome, json, place);
		else
			tfp_json_skip(json, &value);
	}
}

void chrome_tell_stacks(const struct chrome *chrome)
{
	if (chrome->cut_stacks)
		tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, -1, 0,
			     "stacks of more than %d frames, which were cut: %u", DEEPEST,
			     chrome->cut_stacks);
}

uint32_t chrome_record_stack(struct chrome *chrome, bool *numbered)
{
	*numbered = record_has(&chrome->record, FIELD_FRAME);
	if (*numbered)
		return frame_numbered(chrome, chrome->record.text[FIELD_FRAME]);
	return record_has(&chrome->record, FIELD_STACK) ? listed_stack(chrome) : TFP_NONE;
}

/* Each is made once; a chain that leads back into itself ends there. */
uint32_t chrome_numbered_stack(struct chrome *chrome, uint32_t place)
{
	TFP_ARRAY(uint32_t) chain = {0};
	uint32_t stack = TFP_NONE;

	for (; place != TFP_NONE; place = chrome->frames.at[place].parent) {
		struct numbered_frame *frame = &chrome->frames.at[place];

		if (frame->seen) {
			stack = frame->stack;
			break;
		}
		if (chain.count == DEEPEST) {
			chrome->cut_stacks++;
			break;
		}
		frame->seen = true;
		*tfp_array_push(&chain) = place;
	}
	while (chain.count) {
		struct numbered_frame *frame = &chrome->frames.at[chain.at[--chain.count]];

		if (frame->frame != TFP_NONE)
			stack = tfp_profile_stack(chrome->profile, stack, frame->frame);
		frame->stack = stack;
	}
	tfp_array_free(&chain);
	return stack;
}
