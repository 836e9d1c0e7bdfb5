/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asynchronous events and objects, which are not of one thread: what begins and what ends them is told by a category and an
 * id, which may be written in several ways.
 */
#include "load/chrome/chrome.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "0x1f"; -1: something else, or too large. */
static int64_t hex_number(struct tfp_span text)
{
	int64_t number = 0;

	if (text.size < 3 || text.at[0] != '0' || (text.at[1] | 0x20) != 'x')
		return -1;
	for (size_t i = 2; i < text.size; i++) {
		int digit = hex_digit(text.at[i]);

		if (digit < 0 || number >> 58)
			return -1;
		number = number * 16 + digit;
	}
	return number;
}

/* A number by its value, whether it is written as one or as text, decimal or hexadecimal. */
static uint64_t id_hash(struct chrome *chrome, enum field field)
{
	const struct record *record = &chrome->record;
	struct tfp_span text = record_text(record, field, &chrome->room);
	struct tfp_hash_key key = chrome->profile->hash_key;
	int64_t number = record_number(record, field, -1);

	if (number < 0)
		number = hex_number(text);
	if (number >= 0)
		return tfp_hash_fold((uint64_t)number ^ key.a, key.b);
	if (!record_is_text(record, field))
		text = record_raw(record, field);
	return tfp_hash_bytes(key, text.at, text.size);
}

static uint64_t hash_of_id(struct chrome *chrome)
{
	return id_hash(chrome, record_has(&chrome->record, FIELD_ID) ? FIELD_ID : FIELD_ID2);
}

uint64_t chrome_bound_key(struct chrome *chrome)
{
	return id_hash(chrome, FIELD_BOUND);
}

static uint64_t hash_text(struct chrome *chrome, enum field field, uint64_t seed)
{
	struct tfp_hash_key key = chrome->profile->hash_key;
	struct tfp_span text = record_text(&chrome->record, field, &chrome->room);

	key.a ^= seed;
	return tfp_hash_bytes(key, text.at, text.size);
}

/* What the records of one asynchronous event have in common; of one that is local, the process too. */
static uint64_t async_key(struct chrome *chrome, char kind)
{
	uint64_t key = hash_of_id(chrome) + (uint64_t)(unsigned char)kind;

	key = hash_text(chrome, FIELD_CATEGORY, key);
	key = hash_text(chrome, FIELD_SCOPE, key);
	if (kind != 'b')
		key = hash_text(chrome, FIELD_NAME, key);
	if (!record_has(&chrome->record, FIELD_ID) && record_has(&chrome->record, FIELD_ID2) &&
	    tfp_span_holds(chrome->record.text[FIELD_ID2], "local"))
		key ^= (uint64_t)chrome_number_of(chrome, FIELD_PROCESS) *
		       UINT64_C(0x9e3779b97f4a7c15);
	return key;
}

uint32_t *chrome_open(struct chrome *chrome, uint64_t key)
{
	uint32_t next = (uint32_t)chrome->open.count;
	uint32_t place = tfp_idmap_add(&chrome->open_map, key, next);

	if (place == next)
		*tfp_array_push(&chrome->open) = TFP_NONE;
	return &chrome->open.at[place];
}

static uint32_t *open_of(struct chrome *chrome, char kind)
{
	return chrome_open(chrome, async_key(chrome, kind));
}

static void add_async(struct chrome *chrome, char begins)
{
	int64_t time = chrome_time(chrome);
	uint32_t event;

	if (time == CHROME_NO_TIME)
		return;
	event = chrome_add(chrome, KIND_ASYNC, time, 0);
	if (begins)
		chrome_begin(chrome, event, open_of(chrome, begins));
}

/* What begins an event, what ends it; all else is in between. */
static const struct {
	char begin, end;
} pairs[] = {{'b', 'e'}, {'S', 'F'}, {'N', 'D'}};

void chrome_take_async(struct chrome *chrome)
{
	char phase = *chrome->record.text[FIELD_PHASE].at;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (phase == pairs[i].end) {
			chrome_end(chrome, open_of(chrome, pairs[i].begin));
			return;
		}
		if (phase == pairs[i].begin) {
			add_async(chrome, phase);
			return;
		}
	}
	add_async(chrome, 0);
}

uint64_t chrome_flow_key(struct chrome *chrome)
{
	return hash_text(chrome, FIELD_CATEGORY, hash_text(chrome, FIELD_NAME, hash_of_id(chrome)));
}
