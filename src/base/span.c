/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of raw bytes: made from text, compared, searched, cut; and of paths. */
#include <string.h>
#include <strings.h>

#include "tfprof/base.h"

struct tfp_span tfp_span_of(const char *text)
{
	return (struct tfp_span){text, strlen(text)};
}

bool tfp_span_is(struct tfp_span span, const char *text)
{
	return tfp_span_equal(span, tfp_span_of(text));
}

bool tfp_span_means(struct tfp_span span, const char *text)
{
	return span.size == strlen(text) && !strncasecmp(span.at, text, span.size);
}

bool tfp_span_begins(struct tfp_span span, struct tfp_span head)
{
	span.size = span.size < head.size ? span.size : head.size;
	return tfp_span_equal(span, head);
}

bool tfp_span_ends(struct tfp_span span, struct tfp_span tail)
{
	return span.size >= tail.size &&
	       tfp_span_equal(tfp_span_from(span, span.size - tail.size), tail);
}

bool tfp_span_holds(struct tfp_span span, const char *part)
{
	return span.size && memmem(span.at, span.size, part, strlen(part));
}

int tfp_span_compare(struct tfp_span a, struct tfp_span b)
{
	size_t common = a.size < b.size ? a.size : b.size;
	int order = common ? memcmp(a.at, b.at, common) : 0;

	return order ? order : (a.size > b.size) - (a.size < b.size);
}

struct tfp_span tfp_span_from(struct tfp_span span, size_t size)
{
	/* what holds nothing may be nowhere */
	return size ? (struct tfp_span){span.at + size, span.size - size} : span;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

struct tfp_span tfp_span_trim(struct tfp_span span)
{
	while (span.size && is_blank(*span.at))
		span = tfp_span_from(span, 1);
	while (span.size && is_blank(span.at[span.size - 1]))
		span.size--;
	return span;
}

bool tfp_span_split(struct tfp_span span, struct tfp_span by, struct tfp_span *head,
		    struct tfp_span *tail)
{
	const char *at = span.size ? memmem(span.at, span.size, by.at, by.size) : NULL;

	*head = span;
	*tail = tfp_span_from(span, span.size);
	if (!at)
		return false;
	head->size = (size_t)(at - span.at);
	*tail = tfp_span_from(span, head->size + by.size);
	return true;
}

const char *tfp_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
