/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of raw bytes: made from text, compared, searched. */
#include <string.h>

#include "tfprof/base.h"

struct tfp_span tfp_span_of(const char *text)
{
	return (struct tfp_span){text, strlen(text)};
}

bool tfp_span_equal(struct tfp_span a, struct tfp_span b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

bool tfp_span_begins(struct tfp_span span, struct tfp_span head)
{
	span.size = span.size < head.size ? span.size : head.size;
	return tfp_span_equal(span, head);
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
