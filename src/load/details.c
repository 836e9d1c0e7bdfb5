/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the profiler wrote as text about a kernel or a copy: words "key:value", by blanks or lines.
 */
#include <string.h>

#include "load/details.h"

/* The next word of TEXT, cut at its first colon. False at the end. */
static bool next_word(struct tfp_span *text, struct tfp_span *key, struct tfp_span *value)
{
	const char *end, *at = text->at, *colon;

	if (!text->size) /* of what has none it may be nowhere */
		return false;
	end = at + text->size;
	while (at < end && (*at == ' ' || *at == '\n'))
		at++;
	if (at == end)
		return false;
	key->at = at;
	while (at < end && *at != ' ' && *at != '\n')
		at++;
	*text = (struct tfp_span){at, (size_t)(end - at)};
	colon = memchr(key->at, ':', (size_t)(at - key->at));
	key->size = (size_t)((colon ? colon : at) - key->at);
	value->at = colon ? colon + 1 : at;
	value->size = (size_t)(at - value->at);
	return true;
}

/* The digits that TEXT begins with; goes on behind them. At most 2^62. */
static int64_t take_number(struct tfp_span *text)
{
	int64_t value = 0;

	while (text->size && *text->at >= '0' && *text->at <= '9') {
		if (value < INT64_C(1) << 58)
			value = value * 10 + (*text->at - '0');
		text->at++;
		text->size--;
	}
	return value;
}

static int32_t take_int(struct tfp_span *text)
{
	int64_t value = take_number(text);

	return value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

static void read_three(struct tfp_span text, int32_t out[3])
{
	for (int i = 0; i < 3 && text.size; i++) {
		out[i] = take_int(&text);
		if (text.size && *text.at == ',') {
			text.at++;
			text.size--;
		}
	}
}

/* "56.25" as hundredths; some write 0 for a figure that they do not know. */
static int32_t read_occupancy(struct tfp_span text)
{
	int64_t whole = take_number(&text), part = 0;

	if (text.size && *text.at == '.') {
		text.at++;
		text.size--;
		for (int64_t unit = 1000; unit && text.size; unit /= 10, text.at++, text.size--)
			part += *text.at >= '0' && *text.at <= '9' ? unit * (*text.at - '0') : 0;
	}
	if (whole > 100 || (!whole && !part))
		return -1;
	return (int32_t)(whole * 100 + (part + 50) / 100);
}

void tfp_xdetails_kernel(struct tfp_span details, struct tfp_trace_work *work)
{
	struct tfp_span key, value;

	while (next_word(&details, &key, &value)) {
		if (tfp_span_equal(key, TFP_SPAN("grid")))
			read_three(value, work->grid);
		else if (tfp_span_equal(key, TFP_SPAN("block")))
			read_three(value, work->block);
		else if (tfp_span_equal(key, TFP_SPAN("regs")))
			work->registers = take_int(&value);
		else if (tfp_span_equal(key, TFP_SPAN("static_shared")))
			work->static_shared = take_int(&value);
		else if (tfp_span_equal(key, TFP_SPAN("dynamic_shared")))
			work->dynamic_shared = take_int(&value);
		else if (tfp_span_equal(key, TFP_SPAN("occ_pct")))
			work->occupancy = read_occupancy(value);
	}
}

int64_t tfp_xdetails_size(struct tfp_span details)
{
	struct tfp_span key, value;

	while (next_word(&details, &key, &value))
		if (tfp_span_equal(key, TFP_SPAN("size")) ||
		    tfp_span_equal(key, TFP_SPAN("num_bytes")))
			return take_number(&value);
	return 0;
}

/* NCCL and RCCL, the libraries of collectives, put their names into those of their kernels; instructions are called as HLO calls them. */
bool tfp_is_collective(struct tfp_span name)
{
	static const char *const opcodes[] = {
		"all-reduce",        "all-gather",         "all-to-all",
		"ragged-all-to-all", "collective-permute", "collective-broadcast",
		"send-done",         "recv-done",          "reduce-scatter",
	};

	for (size_t i = 0; i < sizeof(opcodes) / sizeof(*opcodes); i++)
		if (tfp_span_begins(name, tfp_span_of(opcodes[i])))
			return true;
	return tfp_span_holds(name, "nccl") || tfp_span_holds(name, "rccl") ||
	       tfp_span_begins(name, TFP_SPAN("hcom_"));
}
