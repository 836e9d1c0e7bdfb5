/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile names: whatever the bytes, what is drawn is valid, free of controls and never wider than
 * its place. The first byte chooses the cells, the second the room, the rest is the name.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "tfprof/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Valid UTF-8 without anything that could steer a terminal or turn its text around. */
static void must_be_safe(const char *text, size_t size, bool ascii)
{
	utf8proc_int32_t code;

	must(text[size] == '\0');
	for (size_t i = 0; i < size;) {
		utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
							  (utf8proc_ssize_t)(size - i), &code);

		must(bytes > 0);
		must(code >= 0x20 && (code < 0x7f || (!ascii && code >= 0xa0)));
		must(!(code >= 0x202a && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069));
		must(code != 0x200e && code != 0x200f && code != 0x61c && code != 0xfeff);
		i += (size_t)bytes;
	}
}

static void check_clean(struct tfp_span raw, size_t room, bool ascii)
{
	char *buffer = tfp_alloc(room), *again = tfp_alloc(room);
	size_t size = tfp_text_clean(buffer, room, raw, ascii);

	must(size < room);
	must_be_safe(buffer, size, ascii);
	if (ascii)
		must(tfp_text_cells(buffer, size) == size);
	/* What is clean stays as it is. */
	must(tfp_text_clean(again, room, (struct tfp_span){buffer, size}, ascii) == size);
	must(memcmp(buffer, again, size) == 0);
	free(buffer);
	free(again);
}

static void check_fit(const char *text, size_t size, size_t cells)
{
	size_t taken, total = tfp_text_cells(text, size);
	size_t bytes = tfp_text_fit(text, size, cells, &taken);

	must(bytes <= size && taken <= cells);
	must(tfp_text_cells(text, bytes) == taken);
	must((bytes == size) == (total <= cells));
}

static void check_shorten(const char *text, size_t size, size_t cells, size_t room)
{
	char *buffer = tfp_alloc(room);
	size_t bytes = tfp_text_shorten(buffer, room, text, size, cells, "\u2026");

	must(bytes < room);
	must_be_safe(buffer, bytes, false);
	must(tfp_text_cells(buffer, bytes) <= cells);
	if (tfp_text_cells(text, size) <= cells && size < room)
		must(bytes == size && memcmp(buffer, text, size) == 0);
	free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_span raw;
	size_t cells, room, clean_size;
	char *clean;

	if (size < 2)
		return 0;
	cells = data[0];
	room = (size_t)data[1] + 1;
	raw = (struct tfp_span){(const char *)data + 2, size - 2};
	check_clean(raw, room, false);
	check_clean(raw, room, true);
	clean = tfp_alloc(raw.size * 3 + 1);
	clean_size = tfp_text_clean(clean, raw.size * 3 + 1, raw, false);
	check_fit(clean, clean_size, cells);
	check_shorten(clean, clean_size, cells, room);
	check_shorten(clean, clean_size, cells, clean_size + 4);
	free(clean);
	return 0;
}
