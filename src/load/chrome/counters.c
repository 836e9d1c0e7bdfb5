/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters: what a program measured now and then. Each series of values is a lane, on which a value lasts until the next;
 * what is shown of it is the value, for there is no other place for it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/chrome/chrome.h"

#define MOST_LABELS                                                                                \
	20000 /* distinct values that are shown; more have the name of the series alone */
#define LABEL_ROOM 256

/* "12.30k"; a value that is no whole number, or small, by three digits. */
static void put_value(char *to, size_t room, double value)
{
	char number[TFP_NUMBER_ROOM];

	if (fabs(value) < 1000 || fabs(value) > 9e18)
		snprintf(to, room, "%.3g", value);
	else
		snprintf(to, room, "%s", tfp_number_screen(number, TFP_COUNT, (int64_t)value));
}

/* Values are numbers, or written as texts. */
static bool read_value(const struct tfp_json_token *token, double *value,
		       struct tfp_json_bytes *room)
{
	struct tfp_span text = tfp_json_string(token, room);
	char digits[64], *end;

	if ((token->kind != TFP_JSON_NUMBER && token->kind != TFP_JSON_STRING) ||
	    text.size >= sizeof(digits))
		return false;
	memcpy(digits, text.at, text.size);
	digits[text.size] = 0;
	*value = strtod(digits, &end);
	return end > digits && isfinite(*value);
}

/* "memory used" of the key "used"; one that is just a value has the name alone. */
static tfp_str series_name(struct chrome *chrome, struct tfp_span key)
{
	struct tfp_strings *strings = chrome->profile->strings;
	struct tfp_span name = record_label(&chrome->record, FIELD_NAME, &chrome->room);
	char text[LABEL_ROOM], id[64] = "";

	if (record_has(&chrome->record, FIELD_ID))
		snprintf(id, sizeof(id), "[%.*s]", (int)(chrome->record.text[FIELD_ID].size % 60),
			 chrome->record.text[FIELD_ID].at);
	if (tfp_span_equal(key, TFP_SPAN("value")) || tfp_span_equal(key, name))
		key.size = 0;
	snprintf(text, sizeof(text), "%.*s%s%s%.*s", name.size < 100 ? (int)name.size : 100,
		 name.at, id, key.size ? " " : "", key.size < 80 ? (int)key.size : 80, key.at);
	return tfp_strings_add_text(strings, text);
}

/* Adds an event for the value. */
static void add_value(struct chrome *chrome, struct tfp_span key, double value, int64_t time)
{
	tfp_str series = series_name(chrome, key);
	char label[LABEL_ROOM + 64];
	uint32_t track = chrome_series(chrome, series), site;
	size_t size;

	if (track == TFP_NONE)
		return;
	size = (size_t)snprintf(label, sizeof(label), "%s",
				tfp_strings_text(chrome->profile->strings, series));
	if (chrome->counted < MOST_LABELS) {
		snprintf(label + size, sizeof(label) - size, ": ");
		put_value(label + size + 2, sizeof(label) - size - 2, value);
	}
	site = chrome_label(chrome, tfp_strings_add_text(chrome->profile->strings, label));
	tfp_trace_add(chrome->trace, chrome->tracks.at[track].lane, time, 0, site, TFP_NONE,
		      TFP_NONE);
}

/* Returns whether there are any. */
static bool take_values(struct chrome *chrome, struct tfp_json *json, int64_t time)
{
	struct tfp_json_token key, value;
	double number;
	bool any = false;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		tfp_json_next(json, &value);
		tfp_json_skip(json, &value);
		if (!read_value(&value, &number, &chrome->room))
			continue;
		add_value(chrome, key.text, number, time);
		any = true;
	}
	return any;
}

void chrome_take_counter(struct chrome *chrome)
{
	int64_t time = chrome_time(chrome);
	struct tfp_json_token key, value;
	struct tfp_json json;
	bool any = false;

	if (time == CHROME_NO_TIME)
		return;
	chrome_reach(chrome, time);
	tfp_json_start(&json, chrome->record_text);
	tfp_json_next(&json, &key);
	while (tfp_json_next(&json, &key) == TFP_JSON_KEY) {
		tfp_json_next(&json, &value);
		if (tfp_span_equal(key.text, TFP_SPAN("args")) && value.kind == TFP_JSON_OBJECT)
			any |= take_values(chrome, &json, time);
		else
			tfp_json_skip(&json, &value);
	}
	tfp_json_stop(&json);
	if (!any)
		chrome_add(chrome, KIND_INSTANT, time, 0);
}

void chrome_settle_counters(struct chrome *chrome)
{
	struct tfp_trace *trace = chrome->trace;

	for (size_t i = 0; i < chrome->tracks.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[chrome->tracks.at[i].lane];
		uint32_t end = lane->first + lane->count;

		for (uint32_t k = lane->first; chrome->tracks.at[i].kind == KIND_COUNTER && k < end;
		     k++) {
			int64_t until = k + 1 < end ? tfp_trace_start(trace, k + 1) : chrome->until;

			tfp_trace_set_duration(
				trace, k,
				until > tfp_trace_start(trace, k)
					? tfp_wrap_add(until, -tfp_trace_start(trace, k))
					: 0);
		}
	}
}
