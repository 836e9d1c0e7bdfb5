/* SPDX-License-Identifier: Apache-2.0 */
/* What profilers of XLA write of an instruction: see written.h. */
#include "load/written.h"

#include <stdarg.h>
#include <string.h>

#define MOST_FRAMES 256

/* ---- text in a bounded room ------------------------------------------------------------------ */

void tfp_hlo_put(struct tfp_hlo_text *text, const char *format, ...)
{
	size_t room = sizeof(text->at) - sizeof("…") - text->size;
	va_list arguments;
	int size;

	if (text->full)
		return;
	va_start(arguments, format);
	size = vsnprintf(text->at + text->size, room, format, arguments);
	va_end(arguments);
	text->full = size < 0 || (size_t)size >= room;
	if (text->full)
		size = snprintf(text->at + text->size, sizeof("…"), "…");
	text->size += (size_t)size;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Behind the bracket that closes the one that TEXT begins with; the end where none does. */
static size_t skip_brackets(struct tfp_span text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.size; i++) {
		if (strchr("([{", text.at[i]))
			depth++;
		else if (strchr(")]}", text.at[i]) && !--depth)
			return i + 1;
	}
	return text.size;
}

static struct tfp_span from(struct tfp_span text, size_t place)
{
	place = place < text.size ? place : text.size;
	return tfp_span_from(text, place);
}

/* A shape ends at a blank or a comma that no bracket holds. */
static size_t shape_size(struct tfp_span text)
{
	size_t i = 0;

	while (i < text.size && text.at[i] && !strchr(" ,)", text.at[i]))
		i += strchr("([{", text.at[i]) ? skip_brackets(from(text, i)) : 1;
	return i;
}

/* The operands, "f32[8] %x, f32[] %y"; those without a shape are left out. Returns how many have one. */
static size_t put_operands(struct tfp_hlo_text *text, struct tfp_span operands)
{
	size_t count = 0;

	while (operands.size && !text->full) {
		size_t size = shape_size(operands);

		if (size && *operands.at != '%')
			tfp_hlo_put(text, "%s%.*s", count++ ? ", " : "", (int)size, operands.at);
		while (size < operands.size && operands.at[size] != ',')
			size++;
		while (size < operands.size && strchr(", ", operands.at[size]))
			size++;
		operands = from(operands, size);
	}
	return count;
}

void tfp_hlo_put_written(struct tfp_hlo_text *text, struct tfp_span instruction)
{
	const char *begin =
		instruction.size ? memmem(instruction.at, instruction.size, " = ", 3) : NULL;
	struct tfp_span rest, shape;
	const char *open;
	size_t size;

	if (!begin || *instruction.at != '%')
		return;
	rest = from(instruction, (size_t)(begin - instruction.at) + 3);
	size = shape_size(rest);
	shape = (struct tfp_span){rest.at, size};
	rest = from(rest, size);
	open = rest.size ? memchr(rest.at, '(', rest.size) : NULL;
	if (!size || !open)
		return;
	rest = from(rest, (size_t)(open - rest.at));
	size = skip_brackets(rest);
	if (size < 2 || !put_operands(text, (struct tfp_span){rest.at + 1, size - 2}))
		tfp_hlo_put(text, "-> %.*s", (int)shape.size, shape.at);
}

/* ---- source lines ---------------------------------------------------------------------------- */

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

uint32_t tfp_written_stack(struct tfp_profile *profile, struct tfp_span text)
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
