/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file says of itself around its list of records: its GPUs, its rank, where its times begin, and what its profiler
 * complained of.
 */
#include <string.h>

#include "load/chrome/chrome.h"
#include "load/find/ranked.h"

#define MOST_MODELS     4096
#define MOST_COMPLAINTS 16 /* those that differ */

/* A number, maybe written as a string. */
static void read_number(const struct tfp_json_token *value, int64_t *number)
{
	struct tfp_json_token token = *value;
	int64_t read;

	if (token.kind == TFP_JSON_STRING)
		token.kind = TFP_JSON_NUMBER;
	if (tfp_json_integer(&token, 0, &read))
		*number = read;
}

/* ---- GPUs and ranks ------------------------------------------------------------------------------ */

/* A GPU has its place in the list as number where it has none of its own. */
static void read_model(struct chrome *chrome, struct tfp_json *json, int64_t place)
{
	struct model model = {.id = place};
	struct tfp_json_token key, value;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		tfp_json_next(json, &value);
		tfp_json_skip(json, &value);
		if (tfp_span_is(key.text, "name") && value.kind == TFP_JSON_STRING) {
			struct tfp_span text = tfp_json_string(&value, &chrome->room);

			model.name = tfp_strings_add(chrome->profile->strings, text.at, text.size);
		} else if (tfp_span_is(key.text, "id")) {
			read_number(&value, &model.id);
		}
	}
	if (chrome->models.count < MOST_MODELS)
		*tfp_array_push(&chrome->models) = model;
}

static void read_models(struct chrome *chrome, struct tfp_json *json)
{
	struct tfp_json_token token;

	for (int64_t place = 0; tfp_json_next(json, &token) != TFP_JSON_ARRAY_END && token.kind;
	     place++) {
		if (token.kind == TFP_JSON_OBJECT)
			read_model(chrome, json, place);
		else
			tfp_json_skip(json, &token);
	}
}

tfp_str chrome_model(const struct chrome *chrome, int64_t id)
{
	for (size_t i = 0; i < chrome->models.count; i++)
		if (chrome->models.at[i].id == id)
			return chrome->models.at[i].name;
	return 0;
}

static void read_ranks(struct chrome *chrome, struct tfp_json *json)
{
	tfp_ranked_info(json, &chrome->rank, &chrome->ranks);
}

/* ---- complaints ---------------------------------------------------------------------------------- */

/* "WARNING:2024-07-15 10:52:40 1074:1074 CuptiActivityProfiler.cpp:274] text": the text. */
static struct tfp_span without_place(struct tfp_span text)
{
	const char *close = text.size ? memmem(text.at, text.size, "] ", 2) : NULL;

	if (!close)
		return text;
	return (struct tfp_span){close + 2, (size_t)(text.at + text.size - close - 2)};
}

static void complain(struct chrome *chrome, enum tfp_severity severity, struct tfp_span text)
{
	struct tfp_span what = without_place(text);
	char said[512];

	snprintf(said, sizeof(said), "the profiler that wrote the file said: %.*s",
		 what.size < sizeof(said) ? (int)what.size : (int)sizeof(said), what.at);
	tfp_diag_add(chrome->diag, severity, chrome->source->path, -1, 0, "%s", said);
}

static void read_complaints(struct chrome *chrome, struct tfp_json *json,
			    enum tfp_severity severity)
{
	struct tfp_json_token token;

	for (int count = 0; tfp_json_next(json, &token) != TFP_JSON_ARRAY_END && token.kind;
	     count++) {
		tfp_json_skip(json, &token);
		if (token.kind == TFP_JSON_STRING && count < MOST_COMPLAINTS)
			complain(chrome, severity, tfp_json_string(&token, &chrome->room));
	}
}

static void read_warnings(struct chrome *chrome, struct tfp_json *json)
{
	read_complaints(chrome, json, TFP_NOTE);
}

static void read_errors(struct chrome *chrome, struct tfp_json *json)
{
	read_complaints(chrome, json, TFP_WARNING);
}

/* ---- members ------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum tfp_json_kind kind;
	void (*read)(struct chrome *chrome, struct tfp_json *json);
} members[] = {
	{"deviceProperties", TFP_JSON_ARRAY, read_models},
	{"computeProperties", TFP_JSON_ARRAY, read_models},
	{"distributedInfo", TFP_JSON_OBJECT, read_ranks},
	{"stackFrames", TFP_JSON_OBJECT, chrome_read_frames},
	{"WARNING", TFP_JSON_ARRAY, read_warnings},
	{"ERROR", TFP_JSON_ARRAY, read_errors},
};

bool chrome_take_member(struct chrome *chrome, struct tfp_json *json, struct tfp_span key,
			const struct tfp_json_token *value)
{
	if (tfp_span_equal(key, TFP_SPAN("schemaVersion")))
		chrome->torch = true;
	if (tfp_span_equal(key, TFP_SPAN("baseTimeNanoseconds")))
		read_number(value, &chrome->base);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (value->kind == members[i].kind && tfp_span_is(key, members[i].name)) {
			members[i].read(chrome, json);
			return true;
		}
	return false;
}
