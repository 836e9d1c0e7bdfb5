/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortening of names. In a profile the end of a name tells most (the op), then its beginning (the
 * scope), so the middle goes; of files the end alone.
 */
#include <string.h>

#include "tfprof/base.h"
#include "base/text.h"

/* A buffer that takes whole characters as long as they fit. */
struct out {
	char *buffer;
	size_t room, used; /* room for the NUL included */
};

static void append(struct out *out, const char *text, size_t size)
{
	size_t left = out->room - 1 - out->used, i = 0;

	while (i < size) {
		size_t bytes = tfp_glyph_at(text + i, size - i).bytes;

		if (bytes > left - i)
			break;
		i += bytes;
	}
	if (i)
		memcpy(out->buffer + out->used, text, i);
	out->used += i;
	out->buffer[out->used] = '\0';
}

/* The start of the longest end of TEXT that takes at most CELLS of its TOTAL cells. */
static size_t tail_start(const char *text, size_t size, size_t total, size_t cells)
{
	size_t lost = 0, i = 0;

	while (i < size) {
		struct tfp_glyph glyph = tfp_glyph_at(text + i, size - i);

		/* A mark must not slide onto the ellipsis. */
		if (total - lost <= cells && glyph.cells)
			break;
		lost += glyph.cells;
		i += glyph.bytes;
	}
	return i;
}

/* Where the last path part begins, with its slash. 0 if TEXT is one part. */
static size_t last_part(const char *text, size_t size)
{
	const char *slash = size ? memrchr(text, '/', size - 1) : NULL;

	return slash ? (size_t)(slash - text) : 0;
}

/*
 * Where the end that is kept begins: at two thirds of BUDGET, further left to have the last part
 * whole, a little further right to begin with a part.
 */
static size_t choose_tail(const char *text, size_t size, size_t total, size_t budget)
{
	size_t last = last_part(text, size), cells = budget - budget / 3, start;
	size_t part = tfp_text_cells(text + last, size - last);
	const char *slash;

	if (last && part == budget + 1)
		return last + 1; /* it fits without its slash */
	if (last && part > cells && part <= budget)
		return last;
	start = tail_start(text, size, total, cells);
	slash = memchr(text + start, '/', size - start);
	if (slash && tfp_text_cells(text + start, (size_t)(slash - text) - start) <= budget / 6)
		start = (size_t)(slash - text);
	return start;
}

/* The beginning that is kept ends after a slash if one is near. */
static size_t choose_head(const char *text, size_t size, size_t cells, size_t slack)
{
	size_t taken, head = tfp_text_fit(text, size, cells, &taken);
	const char *slash = memrchr(text, '/', head);
	size_t end = slash ? (size_t)(slash - text) + 1 : head;

	return tfp_text_cells(text + end, head - end) <= slack ? end : head;
}

size_t tfp_text_shorten(char *buffer, size_t room, const char *text, size_t size, size_t cells,
			const char *ellipsis)
{
	struct out out = {buffer, room, 0};
	size_t total = tfp_text_cells(text, size), gap_size = strlen(ellipsis);
	size_t gap = tfp_text_cells(ellipsis, gap_size), budget, tail, head;

	if (room == 0)
		return 0;
	buffer[0] = '\0';
	if (total <= cells) {
		append(&out, text, size);
		return out.used;
	}
	if (gap > cells)
		return 0;
	budget = cells - gap;
	tail = choose_tail(text, size, total, budget);
	head = choose_head(text, tail, budget - tfp_text_cells(text + tail, size - tail),
			   budget / 6);
	append(&out, text, head);
	append(&out, ellipsis, gap_size);
	append(&out, text + tail, size - tail);
	return out.used;
}

size_t tfp_text_shorten_start(char *buffer, size_t room, const char *text, size_t size,
			      size_t cells, const char *ellipsis)
{
	struct out out = {buffer, room, 0};
	size_t total = tfp_text_cells(text, size), gap_size = strlen(ellipsis);
	size_t gap = tfp_text_cells(ellipsis, gap_size), start;
	const char *slash;

	if (total <= cells || gap > cells || room == 0)
		return tfp_text_shorten(buffer, room, text, size, cells, ellipsis);
	start = tail_start(text, size, total, cells - gap);
	slash = memchr(text + start, '/', size - start);
	if (slash && (size_t)(slash - text) < last_part(text, size))
		start = (size_t)(slash - text);
	append(&out, ellipsis, gap_size);
	append(&out, text + start, size - start);
	return out.used;
}

size_t tfp_text_shorten_from(char *buffer, size_t room, const char *text, size_t size, size_t from,
			     size_t cells, const char *ellipsis)
{
	struct out out = {buffer, room, 0};
	size_t total = tfp_text_cells(text, size), gap_size = strlen(ellipsis);
	size_t gap = tfp_text_cells(ellipsis, gap_size), start, end;

	if (!from || total <= cells || 2 * gap > cells || room == 0)
		return tfp_text_shorten(buffer, room, text, size, cells, ellipsis);
	if (from >= total - cells) {
		start = tail_start(text, size, total, cells - gap);
		end = size;
	} else {
		start = tfp_text_fit(text, size, from + gap, NULL);
		end = start + tfp_text_fit(text + start, size - start, cells - 2 * gap, NULL);
	}
	append(&out, ellipsis, gap_size);
	append(&out, text + start, end - start);
	if (end < size)
		append(&out, ellipsis, gap_size);
	return out.used;
}
