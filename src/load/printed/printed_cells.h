/* SPDX-License-Identifier: Apache-2.0 */
/* Telling cells of printed reports by their look: what rows of trees and of op reports share. */
#ifndef TFPROF_LOAD_PRINTED_CELLS_H
#define TFPROF_LOAD_PRINTED_CELLS_H

#include <string.h>

#include "load/printed/printed.h"

/* What cells of call paths say in place of counts and shapes. */
#define TFP_PRINTED_NO_COUNTS "occurrence N/A in code view"
#define TFP_PRINTED_NO_SHAPES "input_shapes N/A in code view"

static inline struct tfp_span tfp_span_from(struct tfp_span text, size_t from)
{
	return (struct tfp_span){text.at + from, text.size - from};
}

static inline bool tfp_span_ends(struct tfp_span text, struct tfp_span with)
{
	return text.size >= with.size &&
	       !memcmp(text.at + text.size - with.size, with.at, with.size);
}

static inline bool tfp_span_has(struct tfp_span text, struct tfp_span what)
{
	return text.size && memmem(text.at, text.size, what.at, what.size);
}

/* Splits TEXT at the first BY; the whole is HEAD where there is none. */
static inline bool tfp_span_split(struct tfp_span text, struct tfp_span by, struct tfp_span *head,
				  struct tfp_span *tail)
{
	const char *at = text.size ? memmem(text.at, text.size, by.at, by.size) : NULL;

	*head = text;
	*tail = (struct tfp_span){text.at + text.size, 0};
	if (!at)
		return false;
	head->size = (size_t)(at - text.at);
	*tail = tfp_span_from(text, head->size + by.size);
	return true;
}

/* The unit of the figures of KIND. */
enum tfp_unit tfp_printed_kind_unit(enum tfp_printed_kind kind);
/* "3x3x16x32" */
bool tfp_printed_is_shape(struct tfp_span text);
/* The kind that a cell without figures has by its look; *SURE when no other text looks so. */
enum tfp_printed_kind tfp_printed_text_kind(struct tfp_span text, bool *sure);
/* The kind of a figure by its unit; TFP_PRINTED_STRANGE when TEXT is none. */
enum tfp_printed_kind tfp_printed_figure_kind(struct tfp_span text);

#endif
