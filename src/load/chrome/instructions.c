/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What xprof says of an op of a chip, its HLO instruction: category, shapes, source, operations and bytes, as the same stats
 * of an XPlane. Read once for each op, from the text of the record.
 */
#include "load/chrome/chrome.h"
#include "load/written.h"

enum said {
	SAID_CATEGORY,
	SAID_NAME,
	SAID_SHAPE,
	SAID_STACK,
	SAID_SOURCE,
	SAID_FLOPS,
	SAID_MODEL_FLOPS,
	SAID_BYTES,
	SAIDS
};

static const char *const keys[SAIDS] = {
	[SAID_CATEGORY] = "hlo_category",   [SAID_NAME] = "long_name",
	[SAID_SHAPE] = "shape_with_layout", [SAID_STACK] = "source_stack",
	[SAID_SOURCE] = "source",           [SAID_FLOPS] = "flops",
	[SAID_MODEL_FLOPS] = "model_flops", [SAID_BYTES] = "bytes_accessed",
};

/* What the arguments at JSON say, each in a room of its own. */
static void read_arguments(struct tfp_json *json, struct tfp_json_bytes said[SAIDS])
{
	struct tfp_json_token key, value;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		struct tfp_json_bytes room = {0};
		struct tfp_span text;

		tfp_json_next(json, &value);
		for (int i = 0; i < SAIDS; i++) {
			if (!tfp_span_is(key.text, keys[i]) ||
			    (value.kind != TFP_JSON_STRING && value.kind != TFP_JSON_NUMBER))
				continue;
			text = tfp_json_string(&value, &room);
			said[i].count = 0;
			tfp_array_reserve(&said[i], text.size + 1);
			memcpy(said[i].at, text.at, text.size);
			said[i].count = text.size;
		}
		tfp_json_skip(json, &value);
		tfp_array_free(&room);
	}
}

static void read_record(struct tfp_span text, struct tfp_json_bytes said[SAIDS])
{
	struct tfp_json_token key, value;
	struct tfp_json json;

	tfp_json_start(&json, text);
	tfp_json_next(&json, &key);
	while (tfp_json_next(&json, &key) == TFP_JSON_KEY) {
		tfp_json_next(&json, &value);
		if (tfp_span_is(key.text, "args") && value.kind == TFP_JSON_OBJECT)
			read_arguments(&json, said);
		else
			tfp_json_skip(&json, &value);
	}
	tfp_json_stop(&json);
}

static struct tfp_span span_of(const struct tfp_json_bytes *said)
{
	return (struct tfp_span){said->count ? said->at : "", said->count};
}

static int64_t number_of(const struct tfp_json_bytes *said)
{
	struct tfp_json_token token = {.kind = TFP_JSON_NUMBER, .text = span_of(said)};
	int64_t number;

	return tfp_json_integer(&token, 0, &number) && number > 0 ? number : 0;
}

/* The shapes of the operands, else that of the result. */
static tfp_str shapes_of(struct tfp_profile *profile, const struct tfp_json_bytes said[SAIDS])
{
	struct tfp_hlo_text text = {.size = 0};
	struct tfp_span shape = span_of(&said[SAID_SHAPE]);

	tfp_hlo_put_written(&text, span_of(&said[SAID_NAME]));
	if (text.size)
		shape = (struct tfp_span){text.at, text.size};
	return shape.size ? tfp_strings_add(profile->strings, shape.at, shape.size) : 0;
}

void chrome_read_instruction(struct chrome *chrome, struct site *site)
{
	struct tfp_profile *profile = chrome->profile;
	struct tfp_json_bytes said[SAIDS] = {0};
	struct tfp_span category;

	if (!tfp_span_holds(chrome->record_text, keys[SAID_CATEGORY]) &&
	    !tfp_span_holds(chrome->record_text, keys[SAID_NAME]))
		return;
	read_record(chrome->record_text, said);
	category = span_of(&said[SAID_CATEGORY]);
	if (category.size)
		site->op = tfp_strings_add(profile->strings, category.at, category.size);
	site->signature = shapes_of(profile, said);
	site->stack = tfp_written_stack(
		profile, span_of(&said[said[SAID_STACK].count ? SAID_STACK : SAID_SOURCE]));
	site->flops = number_of(&said[said[SAID_FLOPS].count ? SAID_FLOPS : SAID_MODEL_FLOPS]);
	site->bytes = number_of(&said[SAID_BYTES]);
	for (int i = 0; i < SAIDS; i++)
		tfp_array_free(&said[i]);
}
