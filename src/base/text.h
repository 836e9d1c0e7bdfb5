/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One character at a time, for the files of base that measure and cut text.
 */
#ifndef TFPROF_BASE_TEXT_H
#define TFPROF_BASE_TEXT_H

#include <stddef.h>

/* A character of a text: its bytes, its cells, and whether it may be drawn as it is. */
struct tfp_glyph {
	size_t bytes; /* at least 1; a byte that is not UTF-8 counts alone */
	size_t cells; /* 0: joins the character before it */
	int safe;
};

/* The character at AT, of which SIZE > 0 bytes may be read. */
struct tfp_glyph tfp_glyph_at(const char *at, size_t size);

#endif
