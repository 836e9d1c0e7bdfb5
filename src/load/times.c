/* SPDX-License-Identifier: Apache-2.0 */
/* What is odd about the times of a recording's events. */
#include "load/times.h"

uint32_t tfp_times_outside(const struct tfp_trace *trace, uint32_t first, int64_t from, int64_t to)
{
	uint32_t outside = 0;

	for (uint32_t i = first; i < trace->count; i++)
		outside += tfp_trace_start(trace, i) < from || tfp_trace_end(trace, i) > to;
	return outside;
}

uint32_t tfp_times_astray(const struct tfp_trace *trace, uint32_t first, int64_t far)
{
	uint32_t count = trace->count - first, astray;
	int64_t middle, from, to;

	if (!count)
		return 0;
	middle = tfp_trace_start(trace, first + count / 2);
	if (__builtin_sub_overflow(middle, far, &from))
		from = INT64_MIN;
	if (__builtin_add_overflow(middle, far, &to))
		to = INT64_MAX;
	astray = tfp_times_outside(trace, first, from, to);
	return astray < count - astray ? astray : count - astray;
}
