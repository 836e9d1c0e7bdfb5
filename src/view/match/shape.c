/* SPDX-License-Identifier: Apache-2.0 */
/* The shape filter compares texts, so that whatever a report or the screen shows can be typed. */
#include "view/match/shape.h"

#include <ctype.h>
#include <string.h>

struct bytes {
	char *at;
	size_t count, room;
};

static void append_input(struct bytes *text, const struct tfp_profile *profile, uint32_t node,
			 uint32_t input, unsigned quirks)
{
	uint32_t shape = tfp_profile_input_shape(profile, node, input, quirks);
	size_t size = shape == TFP_NONE ? 0 : tfp_profile_shape_text(profile, shape, NULL, 0);

	tfp_array_reserve(text, text->count + size + 32);
	text->count += (size_t)sprintf(text->at + text->count, "%u:", input);
	if (size)
		tfp_profile_shape_text(profile, shape, text->at + text->count, size + 1);
	else
		size = (size_t)sprintf(text->at + text->count, "unknown");
	text->count += size;
}

/* Is "1:4x3" what was asked for, with its place or without? */
static bool is_wanted(struct tfp_span wanted, struct tfp_span input)
{
	struct tfp_span dims = input;

	if (tfp_span_equal(input, wanted))
		return true;
	while (dims.size && *dims.at != ':')
		dims = tfp_span_from(dims, 1);
	return dims.size && tfp_span_equal(tfp_span_from(dims, 1), wanted);
}

/* Is WANTED the whole of what the file gives as NODE's inputs, or a part that nothing longer holds? */
static bool given_passes(const struct tfp_profile *profile, uint32_t node, struct tfp_span wanted)
{
	struct tfp_span given = tfp_strings_get(profile->strings, profile->nodes.signature[node]);
	const char *at = given.at, *end = given.at + given.size;

	while ((at = memmem(at, (size_t)(end - at), wanted.at, wanted.size))) {
		bool begins = at == given.at || !isalnum((unsigned char)at[-1]);
		bool ends = at + wanted.size == end || !isalnum((unsigned char)at[wanted.size]);

		if (begins && ends)
			return true;
		at++;
	}
	return false;
}

char *tfp_shape_text(struct tfp_profile *profile, uint32_t node, unsigned quirks,
		     struct tfp_arena *arena)
{
	uint32_t first = profile->nodes.input_first[node];
	uint32_t inputs = profile->nodes.input_first[node + 1] - first;
	struct bytes text = {0};
	char *kept = NULL;

	if (profile->nodes.signature && profile->nodes.signature[node])
		return tfp_arena_printf(
			arena, "%s",
			tfp_strings_text(profile->strings, profile->nodes.signature[node]));

	for (uint32_t i = 0; i < inputs; i++) {
		if (i)
			*tfp_array_push(&text) = '|';
		append_input(&text, profile, node, i, quirks);
	}
	if (inputs)
		kept = tfp_arena_text(arena, text.at, text.count);
	tfp_array_free(&text);
	return kept;
}

bool tfp_shape_passes(const struct tfp_profile *profile, uint32_t node, const char *wanted,
		      unsigned quirks)
{
	uint32_t first = profile->nodes.input_first[node];
	uint32_t inputs = profile->nodes.input_first[node + 1] - first;
	struct tfp_span span = tfp_span_of(wanted);
	struct bytes text = {0};
	bool passes = false;

	if (profile->nodes.signature && profile->nodes.signature[node])
		return given_passes(profile, node, span);
	for (uint32_t i = 0; i < inputs && !passes; i++) {
		size_t start;

		if (i)
			*tfp_array_push(&text) = '|';
		start = text.count;
		append_input(&text, profile, node, i, quirks);
		passes = is_wanted(span, (struct tfp_span){text.at + start, text.count - start});
	}
	passes = passes || (inputs && tfp_span_equal((struct tfp_span){text.at, text.count}, span));
	tfp_array_free(&text);
	return passes;
}
