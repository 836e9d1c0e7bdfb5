/* SPDX-License-Identifier: Apache-2.0 */
/* What the fields of a record say, and of two records together: see record.h. */
#include <string.h>

#include "load/chrome/record.h"

int64_t record_written_number(const struct record *record, enum field field, int64_t otherwise)
{
	struct tfp_json_token token = {.kind = TFP_JSON_NUMBER, .text = record->text[field]};
	int64_t value;

	if (!record_is_text(record, field))
		return otherwise;
	if (field == FIELD_TIME || field == FIELD_DURATION)
		return record_nanoseconds(token.text, &value) ? value : otherwise;
	return tfp_json_integer(&token, 0, &value) ? value : otherwise;
}

struct tfp_span record_text(const struct record *record, enum field field,
			    struct tfp_json_bytes *room)
{
	if (!record_is_text(record, field))
		return (struct tfp_span){"", 0};
	if (record->escaped >> field & 1)
		return tfp_json_unescape(record->text[field], room);
	return record->text[field];
}

struct tfp_span record_label(const struct record *record, enum field field,
			     struct tfp_json_bytes *room)
{
	return record->numbers >> field & 1 ? record->text[field]
					    : record_text(record, field, room);
}

void record_unescape_words(struct record *record, struct tfp_json_bytes *room)
{
	const uint64_t words = record->escaped & ~FIELDS_AS_THEY_STAND;
	struct tfp_json_bytes one = {0};
	size_t size = 0;

	for (uint64_t left = words; left; left &= left - 1)
		size += record->text[__builtin_ctzll(left)].size;
	room->count = 0;
	tfp_array_reserve(room, size * 2);
	for (uint64_t left = words; left; left &= left - 1) {
		struct tfp_span *text = &record->text[__builtin_ctzll(left)];
		struct tfp_span plain = tfp_json_unescape(*text, &one);

		*text = (struct tfp_span){room->at + room->count, plain.size};
		memcpy(room->at + room->count, plain.at, plain.size);
		room->count += plain.size;
	}
	record->escaped &= FIELDS_AS_THEY_STAND;
	tfp_array_free(&one);
}

void record_add_arguments(struct record *record, const struct record *end)
{
	for (int i = FIELD_ARGUMENTS + 1; FIELDS_OF_USE >> i; i++) {
		uint64_t bit = UINT64_C(1) << i;

		if (!(end->has & bit) || tfp_span_equal(end->text[i], TFP_SPAN("null")))
			continue;
		record->text[i] = end->text[i];
		record->number[i] = end->number[i];
		record->has |= bit;
		record->texts = (record->texts & ~bit) | (end->texts & bit);
		record->escaped = (record->escaped & ~bit) | (end->escaped & bit);
		record->numbers = (record->numbers & ~bit) | (end->numbers & bit);
	}
}
