/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one record of a Chrome trace: see record.h. */
#include "load/chrome/record.h"

#include <string.h>

#include "load/chrome/decimal.h"

/* ---- names of members -------------------------------------------------------------------------- */

static const struct named {
	const char *name;
	enum field field;
} members[] =
	{
		{"ph", FIELD_PHASE},          {"cat", FIELD_CATEGORY},
		{"name", FIELD_NAME},         {"pid", FIELD_PROCESS},
		{"tid", FIELD_THREAD},        {"ts", FIELD_TIME},
		{"dur", FIELD_DURATION},      {"id", FIELD_ID},
		{"id2", FIELD_ID2},           {"scope", FIELD_SCOPE},
		{"args", FIELD_ARGUMENTS},    {"sf", FIELD_FRAME},
		{"stack", FIELD_STACK},       {"bp", FIELD_BINDING},
		{"bind_id", FIELD_BOUND},     {"flow_in", FIELD_FLOW_IN},
		{"flow_out", FIELD_FLOW_OUT}, {"weight", FIELD_WEIGHT},
},
  arguments[] = {
	  {"External id", FIELD_EXTERNAL},
	  {"External Id", FIELD_EXTERNAL},
	  {"external id", FIELD_EXTERNAL},
	  {"correlation", FIELD_CORRELATION},
	  {"correlation_id", FIELD_CORRELATION},
	  {"Sequence number", FIELD_SEQUENCE},
	  {"Fwd thread id", FIELD_FORWARD},
	  {"Fwd thread Id", FIELD_FORWARD},
	  {"Ev Idx", FIELD_INDEX},
	  {"Profiler Event Index", FIELD_INDEX},
	  {"Record function id", FIELD_RECORD_FUNCTION},
	  {"Input Dims", FIELD_DIMS},
	  {"Input dims", FIELD_DIMS},
	  {"Input type", FIELD_TYPES},
	  {"Input Strides", FIELD_STRIDES},
	  {"Concrete Inputs", FIELD_INPUTS},
	  {"Call stack", FIELD_CALLS},
	  {"Module Hierarchy", FIELD_MODULES},
	  {"device", FIELD_DEVICE},
	  {"bytes", FIELD_MOVED},
	  {"grid", FIELD_GRID},
	  {"block", FIELD_BLOCK},
	  {"registers per thread", FIELD_REGISTERS},
	  {"shared memory", FIELD_SHARED},
	  {"est. achieved occupancy %", FIELD_OCCUPANCY},
	  {"Bytes", FIELD_BYTES},
	  {"Addr", FIELD_ADDRESS},
	  {"Device Type", FIELD_DEVICE_TYPE},
	  {"Device Id", FIELD_DEVICE_ID},
	  {"Total Allocated", FIELD_ALLOCATED},
	  {"Total Reserved", FIELD_RESERVED},
	  {"name", FIELD_TITLE},
	  {"labels", FIELD_TITLE},
	  {"sort_index", FIELD_PLACE},
	  {"Collective name", FIELD_COLLECTIVE},
	  {"flops", FIELD_FLOPS},
	  {"tf_op", FIELD_PATH},
	  {"hlo_module", FIELD_MODULE},
	  {"kernel_details", FIELD_DETAILS},
	  {"long_name", FIELD_DETAILS},
	  {"step_num", FIELD_STEP},
	  {"filename", FIELD_FILE},
	  {"line", FIELD_LINE},
	  {"queued", FIELD_QUEUED},
	  {"context", FIELD_CONTEXT},
	  {"stream", FIELD_STREAM},
	  {"blocks per SM", FIELD_BLOCKS},
	  {"warps per SM", FIELD_WARPS},
	  {"memory bandwidth (GB/s)", FIELD_BANDWIDTH},
	  {"cbid", FIELD_CALL_NUMBER},
	  {"Python id", FIELD_PYTHON_ID},
	  {"Python parent id", FIELD_PYTHON_PARENT},
	  {"Python module id", FIELD_PYTHON_MODULE},
};

/* The first eight bytes of a key with zeros behind it; END is that of the text. */
static inline uint64_t first_bytes(const char *at, size_t size, const char *end)
{
	uint64_t word = 0;

	if (size >= sizeof(word) || end - at >= (ptrdiff_t)sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		return size < sizeof(word) ? word & ((UINT64_C(1) << 8 * size) - 1) : word;
	}
	memcpy(&word, at, size);
	return word;
}

static inline size_t slot_of(uint64_t first, size_t size)
{
	return ((first ^ size) * UINT64_C(0x9e3779b97f4a7c15)) >> 57;
}

static void add_keys(struct keys *keys, const struct named *named, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct tfp_span text = tfp_span_of(named[i].name);
		uint64_t first = first_bytes(text.at, text.size, text.at + text.size);
		size_t at = slot_of(first, text.size);

		while (keys->slot[at].text.at)
			at = (at + 1) % KEY_SLOTS;
		keys->slot[at] = (struct key){first, text, (uint8_t)named[i].field};
	}
}

static inline enum field find_key(const struct keys *keys, const char *at, size_t size,
				  const char *end)
{
	uint64_t first = first_bytes(at, size, end);

	for (size_t i = slot_of(first, size); keys->slot[i].text.at; i = (i + 1) % KEY_SLOTS) {
		const struct key *key = &keys->slot[i];

		if (key->first == first && key->text.size == size &&
		    (size <= sizeof(first) || !memcmp(key->text.at + sizeof(first),
						      at + sizeof(first), size - sizeof(first))))
			return (enum field)key->field;
	}
	return FIELD_UNKNOWN;
}

/* The same of a key with backslashes, which hardly any file has. */
__attribute__((noinline, cold)) static enum field find_escaped(const struct keys *keys,
							       struct tfp_span text)
{
	struct tfp_json_bytes room = {0};
	struct tfp_span key = tfp_json_unescape(text, &room);
	enum field field = find_key(keys, key.at, key.size, key.at + key.size);

	tfp_array_free(&room);
	return field;
}

void record_reader_start(struct record_reader *reader, const char *end)
{
	*reader = (struct record_reader){.end = end};
	add_keys(&reader->members, members, sizeof(members) / sizeof(*members));
	add_keys(&reader->arguments, arguments, sizeof(arguments) / sizeof(*arguments));
	for (int i = 0; i < FIELD_PLACES; i++)
		for (int k = 0; k < 4; k++)
			reader->hops[i][k / 2][k % 2].beyond = HOP_NONE;
}

/* ---- numbers ----------------------------------------------------------------------------------- */

/* Half a nanosecond and more is one more, below zero too. */
static inline bool to_nanoseconds(const struct decimal *decimal, int64_t *value)
{
	int64_t places = decimal->places;

	if (decimal->large || decimal->whole > (uint64_t)(INT64_MAX / 1000) - 2)
		return false;
	*value = (int64_t)decimal->whole * 1000;
	if (decimal->minus)
		*value = -*value - (places + 4) / 10;
	else
		*value += (places + 5) / 10;
	return true;
}

/* One with an exponent: cut to nanoseconds where it is too large for one place more. */
static bool slow_nanoseconds(struct tfp_span text, int64_t *value)
{
	struct tfp_json_token token = {.kind = TFP_JSON_NUMBER, .text = text};
	int64_t sum;

	if (!tfp_json_integer(&token, 4, &sum))
		return tfp_json_integer(&token, 3, value);
	sum = sum > INT64_MAX - 5 ? INT64_MAX : sum + 5;
	*value = sum / 10 - (sum < 0 && sum % 10);
	return true;
}

bool record_nanoseconds(struct tfp_span text, int64_t *value)
{
	struct decimal decimal;
	const char *after;

	if (!text.size)
		return false;
	after = decimal_take(&decimal, text.at, text.at + text.size);
	if (after == text.at + text.size)
		return to_nanoseconds(&decimal, value);
	return slow_nanoseconds(text, value);
}

/* ---- values ------------------------------------------------------------------------------------ */

static bool is_word(char c)
{
	return decimal_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '.' || c == '+' || c == '-';
}

/* A number with an exponent, true, NaN: kept as text. */
static const char *take_word(struct record *record, enum field field, const char *at,
			     const char *end)
{
	struct tfp_json_token token = {.kind = TFP_JSON_NUMBER};
	const char *begin = at;
	uint64_t bit = UINT64_C(1) << field;

	while (at < end && is_word(*at))
		at++;
	token.text = (struct tfp_span){begin, (size_t)(at - begin)};
	record->text[field] = token.text;
	record->has |= bit;
	if (field == FIELD_TIME || field == FIELD_DURATION) {
		if (record_nanoseconds(token.text, &record->number[field]))
			record->numbers |= bit;
	} else if (tfp_json_integer(&token, 0, &record->number[field])) {
		record->numbers |= bit;
	}
	return at == begin ? NULL : at;
}

/* One that is long, or not whole. */
static inline const char *take_decimal(struct record *record, enum field field, const char *at,
				       const char *end)
{
	struct decimal decimal;
	const char *after = decimal_take(&decimal, at, end);

	if (!after || decimal.large || (after < end && is_word(*after)))
		return take_word(record, field, at, end);
	record->text[field] = (struct tfp_span){at, (size_t)(after - at)};
	record->has |= UINT64_C(1) << field;
	if (field == FIELD_TIME || field == FIELD_DURATION) {
		if (!to_nanoseconds(&decimal, &record->number[field]))
			return after;
	} else {
		record->number[field] =
			decimal.minus ? -(int64_t)decimal.whole : (int64_t)decimal.whole;
	}
	record->numbers |= UINT64_C(1) << field;
	return after;
}

static inline const char *take_number(struct record *record, enum field field, const char *at,
				      const char *end)
{
	const char *after = NULL;
	int64_t number;

	if (end - at > DECIMAL_ROOM)
		after = decimal_take_short(&number, at);
	if (!after)
		return take_decimal(record, field, at, end);
	if (field == FIELD_TIME || field == FIELD_DURATION)
		number *= 1000;
	record->text[field] = (struct tfp_span){at, (size_t)(after - at)};
	record->number[field] = number;
	record->has |= UINT64_C(1) << field;
	record->numbers |= UINT64_C(1) << field;
	return after;
}

static inline const char *take_string(struct record *record, enum field field, const char *at,
				      const char *end)
{
	bool escaped;
	const char *quote = tfp_json_string_end(at + 1, end, &escaped);

	if (!quote)
		return NULL;
	record->text[field] = (struct tfp_span){at + 1, (size_t)(quote - at - 1)};
	record->has |= UINT64_C(1) << field;
	record->texts |= UINT64_C(1) << field;
	record->escaped |= (uint64_t)escaped << field;
	return quote + 1;
}

static inline const char *take_nested(struct record *record, enum field field, const char *at,
				      const char *end)
{
	const char *after = tfp_json_pass_nested(at, end);

	if (!after)
		return NULL;
	record->text[field] = (struct tfp_span){at, (size_t)(after - at)};
	record->has |= UINT64_C(1) << field;
	return after;
}

/* A value that is no string has the better part of a text behind it, or the text ends. */
static inline const char *take_value(struct record *record, enum field field, const char *at,
				     const char *end)
{
	if (*at == '"')
		return take_string(record, field, at, end);
	if (*at == '{' || *at == '[')
		return take_nested(record, field, at, end);
	return take_number(record, field, at, end);
}

static const char *fail(struct record_reader *reader, const char *at)
{
	reader->stop = at;
	reader->cut = at == reader->end;
	return NULL;
}

/* ---- from value to value ------------------------------------------------------------------------- */

/* The field of the key whose quote is AT, and its value; NULL when they are not there. */
static const char *take_key(struct record_reader *reader, const char *at, struct place *place)
{
	const struct keys *keys = place->arguments ? &reader->arguments : &reader->members;
	const char *quote;
	bool escaped;

	quote = tfp_json_string_end(at + 1, reader->end, &escaped);
	if (!quote)
		return fail(reader, reader->end);
	if (escaped)
		place->field =
			find_escaped(keys, (struct tfp_span){at + 1, (size_t)(quote - at - 1)});
	else
		place->field = find_key(keys, at + 1, (size_t)(quote - at - 1), reader->end);
	at = tfp_json_pass_blanks(quote + 1, reader->end);
	if (at == reader->end || *at != ':')
		return fail(reader, at);
	at = tfp_json_pass_blanks(at + 1, reader->end);
	return at == reader->end ? fail(reader, at) : at;
}

/* From AT, behind a value or (FRESH) an opening brace, to the next value. NULL when what is there can't be read. */
static const char *step_over(struct record_reader *reader, const char *at, struct place *place,
			     bool fresh)
{
	const char *end = reader->end;

	for (;; fresh = false) {
		at = tfp_json_pass_blanks(at, end);
		if (at < end && *at == ',' && !fresh)
			at = tfp_json_pass_blanks(at + 1, end);
		else if (at < end && *at != '}' && !fresh)
			return fail(reader, at);
		while (at < end && *at == '"') {
			at = take_key(reader, at, place);
			if (!at || place->field != FIELD_ARGUMENTS || *at != '{')
				return at;
			place->arguments = true;
			at = tfp_json_pass_blanks(at + 1, end);
		}
		if (at == end || *at != '}')
			return fail(reader, at);
		at++;
		if (!place->arguments) {
			place->field = FIELD_END;
			return at;
		}
		place->arguments = false;
	}
}

#ifdef __SSE2__
/* A bit for each of the sixteen bytes AT that is the same as that of TEXT. */
static inline unsigned int same_bytes(const char *text, const char *at)
{
	__m128i be = _mm_loadu_si128((const __m128i *)(const void *)text);
	__m128i is = _mm_loadu_si128((const __m128i *)(const void *)at);

	return (unsigned int)_mm_movemask_epi8(_mm_cmpeq_epi8(is, be));
}
#endif

/*
 * Do the bytes of HOP stand AT, and what it leads to? A value may have blanks in front of it that it had not when the hop was met.
 * There are more than HOP_MOST bytes.
 */
static inline bool is_hop(const struct hop *hop, const char *at)
{
#ifdef __SSE2__
	if ((same_bytes(hop->text, at) | hop->beyond) != 0xffff)
		return false;
	for (uint32_t left = hop->size; left > 16; left -= 16)
		if (same_bytes(hop->text + left - 16, at + left - 16) != 0xffff)
			return false;
#else
	if (!hop->size || memcmp(hop->text, at, hop->size) != 0)
		return false;
#endif
	return (unsigned char)at[hop->size] > hop->above;
}

/* FROM: there are HOP_MOST bytes. */
static void keep_hop(struct record_reader *reader, struct hop hops[2], const char *from,
		     const char *to, struct place place)
{
	hops[1] = hops[0];
	memcpy(hops[0].text, from, HOP_MOST);
	hops[0].size = (uint32_t)(to - from);
	hops[0].beyond = hops[0].size < 16 ? 0xffffU << hops[0].size & 0xffff : 0;
	hops[0].above = place.field == FIELD_END ? -1 : ' ';
	hops[0].place = place;
	hops[0].next = reader->hops[place.field][place.arguments];
}

/* The first of the two HOPS that stands AT, before END; NULL: none does. */
static inline struct hop *find_hop(struct hop *hops, const char *at, const char *end)
{
	if (end - at <= HOP_MOST)
		return NULL;
	if (is_hop(hops, at))
		return hops;
	return is_hop(hops + 1, at) ? hops + 1 : NULL;
}

/* Takes what leads on from AT, behind PLACE, apart, as none of the hops there does. To be found again it becomes one. */
__attribute__((noinline)) static const char *make_hop(struct record_reader *reader, const char *at,
						      struct place *place)
{
	struct hop *hops = reader->hops[place->field][place->arguments];
	const char *from = at;
	bool room = reader->end - at >= HOP_MOST;

	at = step_over(reader, at, place, place->field == FIELD_START);
	if (at && room && at - from <= HOP_MOST)
		keep_hop(reader, hops, from, at, *place);
	return at;
}

const char *record_read(struct record_reader *reader, const char *at, struct record *record)
{
	struct hop *hops = reader->hops[FIELD_START][false], *hop;
	struct place place = {.field = FIELD_START};
	const char *value;

	record->has = record->texts = record->escaped = record->numbers = 0;
	for (at++;; at = value) {
		hop = find_hop(hops, at, reader->end);
		if (hop) {
			at += hop->size;
			place = hop->place;
			hops = hop->next;
		} else {
			at = make_hop(reader, at, &place);
			hops = reader->hops[place.field][place.arguments];
		}
		if (!at || place.field == FIELD_END)
			return at;
		value = take_value(record, place.field, at, reader->end);
		if (!value)
			return fail(reader,
				    *at == '"' || *at == '{' || *at == '[' ? reader->end : at);
	}
}

/* Does a key that records begin with stand AT, in quotes? */
static bool is_first_key(const char *at, const char *end)
{
	static const char *const keys[] = {"\"ph\"",  "\"cat\"", "\"name\"", "\"pid\"",
					   "\"tid\"", "\"ts\"",  "\"args\""};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		size_t size = strlen(keys[i]);

		if ((size_t)(end - at) >= size && !memcmp(at, keys[i], size))
			return true;
	}
	return false;
}

/* What is before AT, blanks apart; 0: the text begins. */
static char before(const char *begin, const char *at)
{
	while (at > begin && (unsigned char)at[-1] <= ' ')
		at--;
	return at > begin ? at[-1] : 0;
}

const char *record_find(const char *begin, const char *at, const char *end)
{
	while (at < end && (at = memchr(at, '{', (size_t)(end - at)))) {
		if (is_first_key(tfp_json_pass_blanks(at + 1, end), end) &&
		    before(begin, at) != ':')
			return at;
		at++;
	}
	return NULL;
}
