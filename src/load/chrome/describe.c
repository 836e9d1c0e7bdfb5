/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the file says of a node beyond figures: the arguments of the first record of its kind, of which the text is kept, as there
 * are few kinds.
 */
#include "load/chrome/chrome.h"

#define MOST_KEPT ((size_t)16 << 20) /* bytes of all texts */

/* What says where a record stands among others, not what it is. */
static bool is_number_of_record(struct tfp_span name)
{
	static const char *const names[] = {"External id",      "Ev Idx",      "Record function id",
					    "Sequence number",  "correlation", "Python id",
					    "Python parent id", "cbid"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tfp_span_is(name, names[i]))
			return true;
	return false;
}

static const char *copy_value(struct tfp_attributes *out, const struct tfp_json_token *value,
			      struct tfp_span nested)
{
	struct tfp_json_bytes room = {0};
	struct tfp_span text =
		nested.size ? tfp_json_plain(nested, &room) : tfp_json_string(value, &room);
	char *copy = tfp_arena_text(&out->arena, text.at, text.size);

	tfp_array_free(&room);
	return copy;
}

/* NULL: there is none. */
static struct tfp_attribute *find_attribute(struct tfp_attributes *out, struct tfp_span name)
{
	for (size_t i = 0; i < out->list.count; i++)
		if (tfp_span_is(name, out->list.at[i].name))
			return &out->list.at[i];
	return NULL;
}

/* What the end of an event says counts, not what its beginning says. */
static void set_attribute(struct tfp_attributes *out, struct tfp_span name, const char *value)
{
	struct tfp_attribute *attribute = find_attribute(out, name);

	if (!attribute) {
		attribute = tfp_array_push(&out->list);
		attribute->name = tfp_arena_text(&out->arena, name.at, name.size);
	}
	attribute->value = value;
}

static void describe_member(struct tfp_json *json, const struct tfp_json_token *key,
			    struct tfp_attributes *out)
{
	struct tfp_json_token value;
	const char *begin;
	struct tfp_span nested = {0};

	tfp_json_next(json, &value);
	begin = json->at - 1;
	if (value.kind == TFP_JSON_OBJECT || value.kind == TFP_JSON_ARRAY) {
		tfp_json_skip(json, &value);
		nested = (struct tfp_span){begin, (size_t)(json->at - begin)};
	}
	if (!value.kind || is_number_of_record(key->text))
		return;
	if (tfp_span_equal(value.text, TFP_SPAN("null")) && find_attribute(out, key->text))
		return;
	set_attribute(out, key->text, copy_value(out, &value, nested));
}

static void describe_arguments(struct tfp_json *json, struct tfp_attributes *out)
{
	struct tfp_json_token key;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY)
		describe_member(json, &key, out);
}

/* Returns what stands behind the record. */
static struct tfp_span describe_record(struct tfp_span text, struct tfp_attributes *out)
{
	struct tfp_json_token key, value;
	struct tfp_json json;
	const char *end = text.at + text.size;

	tfp_json_start(&json, text);
	tfp_json_next(&json, &key);
	while (tfp_json_next(&json, &key) == TFP_JSON_KEY) {
		tfp_json_next(&json, &value);
		if (tfp_span_equal(key.text, TFP_SPAN("args")) && value.kind == TFP_JSON_OBJECT)
			describe_arguments(&json, out);
		else
			tfp_json_skip(&json, &value);
	}
	if (key.kind == TFP_JSON_OBJECT_END)
		text = (struct tfp_span){json.at, (size_t)(end - json.at)};
	else
		text.size = 0;
	tfp_json_stop(&json);
	return text;
}

void chrome_describe(const struct tfp_profile *profile, uint32_t node, void *data,
		     struct tfp_attributes *out)
{
	const struct chrome_parts *parts = data;
	struct tfp_span text;

	(void)profile;
	if (node >= parts->texts.count)
		return;
	for (text = parts->texts.at[node]; text.size;)
		text = describe_record(text, out);
}

struct tfp_span chrome_keep_text(struct chrome_parts *parts, struct tfp_span text)
{
	if (parts->kept.bytes + text.size > MOST_KEPT)
		return (struct tfp_span){"", 0};
	return (struct tfp_span){tfp_arena_text(&parts->kept, text.at, text.size), text.size};
}

void chrome_set_text(struct chrome_parts *parts, uint32_t node, struct tfp_span text)
{
	while (parts->texts.count <= node)
		*tfp_array_push(&parts->texts) = (struct tfp_span){"", 0};
	if (!parts->texts.at[node].size)
		parts->texts.at[node] = text;
}
