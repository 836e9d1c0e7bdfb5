/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes in an instruction that is written out, as profilers of TPUs call their ops. */
#include <string.h>

#include "load/xplane/hlo.h"

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
