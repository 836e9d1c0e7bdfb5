/* SPDX-License-Identifier: Apache-2.0 */
/* The option --range: two times in microseconds with up to three decimals, kept as nanoseconds. */
#include <string.h>

#include "view/query/options.h"

#define NANOS_PER_MICRO 1000
#define MOST_MICROS     INT64_C(9000000000000000) /* 285 years */

/* "1500.25" up to END; false: it is no such number. */
static bool read_time(const char *at, const char *end, int64_t *nanos)
{
	int64_t micros = 0, part = 0, scale = NANOS_PER_MICRO;
	const char *begin = at;

	for (; at < end && *at >= '0' && *at <= '9'; at++) {
		micros = micros * 10 + (*at - '0');
		if (micros > MOST_MICROS)
			return false;
	}
	if (at == begin)
		return false;
	if (at < end && *at == '.') {
		for (at++; at < end && *at >= '0' && *at <= '9' && scale > 1; at++) {
			scale /= 10;
			part += (*at - '0') * scale;
		}
	}
	*nanos = micros * NANOS_PER_MICRO + part;
	return at == end;
}

bool tfp_range_set(struct tfp_query *query, const char *value, struct tfp_diag *diag)
{
	const char *colon = strchr(value, ':');
	int64_t from, to;

	if (!*value) {
		query->range_from = query->range_to = 0;
		return true;
	}
	if (!colon || !read_time(value, colon, &from) ||
	    !read_time(colon + 1, value + strlen(value), &to)) {
		tfp_diag_error(diag,
			       "--range=%s: no FROM:TO, two times in microseconds since the "
			       "beginning, as 1500:2750.5",
			       value);
		return false;
	}
	if (to <= from) {
		tfp_diag_error(diag,
			       "--range=%s: the second time must be above the first, as in "
			       "1500:2750.5",
			       value);
		return false;
	}
	query->range_from = from;
	query->range_to = to;
	return true;
}

/* No more digits than there are. */
static char *print_time(int64_t nanos, struct tfp_arena *arena)
{
	int64_t micros = nanos / NANOS_PER_MICRO;
	int part = (int)(nanos % NANOS_PER_MICRO), digits = 3;

	if (!part)
		return tfp_arena_printf(arena, "%lld", (long long)micros);
	for (; part % 10 == 0; digits--)
		part /= 10;
	return tfp_arena_printf(arena, "%lld.%0*d", (long long)micros, digits, part);
}

char *tfp_range_print(const struct tfp_query *query, struct tfp_arena *arena)
{
	if (query->range_to <= query->range_from)
		return NULL;
	return tfp_arena_printf(arena, "%s:%s", print_time(query->range_from, arena),
				print_time(query->range_to, arena));
}
