/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences put together from parts: facts, findings, the query line.
 */
#ifndef TFPROF_VIEW_LINE_H
#define TFPROF_VIEW_LINE_H

#include "tfprof/model.h"

/* A line under construction; TEXT is NULL until there is a part. */
struct tfp_line {
	struct tfp_arena *arena;
	char *text;
};

/* Adds TEXT, and BEFORE in front of it if it is not the first. */
static inline void tfp_line_add(struct tfp_line *line, const char *before, const char *text)
{
	line->text = line->text ? tfp_arena_printf(line->arena, "%s%s%s", line->text, before, text)
				: tfp_arena_printf(line->arena, "%s", text);
}

#endif
