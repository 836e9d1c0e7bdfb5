/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that events say as text: a frame a line, the innermost first. */
#include <string.h>

#include "load/xplane/reader.h"

#define MOST_FRAMES 256

/* Takes ":DIGITS" off the end of TEXT; -1: there are none. */
static int32_t take_number(struct tfp_span *text)
{
	size_t begin = text->size;
	int64_t value = 0;

	while (begin && text->at[begin - 1] >= '0' && text->at[begin - 1] <= '9')
		begin--;
	if (!begin || begin == text->size || text->at[begin - 1] != ':' || text->size - begin > 9)
		return -1;
	for (size_t i = begin; i < text->size; i++)
		value = value * 10 + (text->at[i] - '0');
	text->size = begin - 1;
	return (int32_t)value;
}

/* "FILE:LINE", "FILE:LINE:COLUMN". What has no line is the name of a function. */
static uint32_t add_frame(struct tfp_profile *profile, uint32_t below, struct tfp_span text)
{
	int32_t line = take_number(&text), earlier = line < 0 ? -1 : take_number(&text);
	struct tfp_frame frame = {.line = earlier < 0 ? line : earlier};
	tfp_str name = tfp_strings_add(profile->strings, text.at, text.size);

	if (line < 0)
		frame.function = name;
	else
		frame.file = name;
	return tfp_profile_stack(profile, below, tfp_profile_frame(profile, &frame));
}

uint32_t tfp_xsource_stack(struct tfp_profile *profile, struct tfp_span text)
{
	struct tfp_span lines[MOST_FRAMES];
	uint32_t count = 0, stack = TFP_NONE;

	while (text.size && count < MOST_FRAMES) {
		const char *end = memchr(text.at, '\n', text.size);
		size_t size = end ? (size_t)(end - text.at) : text.size;

		lines[count] = tfp_span_trim((struct tfp_span){text.at, size});
		count += lines[count].size > 0;
		size += end != NULL;
		text = tfp_span_from(text, size);
	}
	while (count)
		stack = add_frame(profile, stack, lines[--count]);
	return stack;
}
