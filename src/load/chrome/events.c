/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a Chrome trace: its list of records, which may be the whole of it, and what else the file says of itself.
 */
#include <string.h>

#include "load/chrome/chrome.h"

#define POLL   1024                  /* records between looks at the job */
#define SAMPLE ((uint64_t)16 * POLL) /* records that tell how many there will be */
#define SLACK  1.02
#define DOUBT  1.2               /* of a text whose size is not known yet */
#define MORE   ((size_t)1 << 20) /* bytes to wait for */
#define TAIL   ((size_t)1 << 20) /* bytes, at the end of a file, that may say what is called how */
#define PASSED                                                                                     \
	((size_t)1 << 20) /* bytes of something else before the records that are worth a word */
#define SPOILT 8          /* records there that can't be read, before that is left */

static int64_t offset_of(const struct chrome *chrome, const char *at)
{
	return at - (const char *)chrome->source->data;
}

/* ---- a text that is not all there yet ------------------------------------------------------------ */

static void take_size(struct chrome *chrome)
{
	chrome->reader.end = (const char *)chrome->source->data + chrome->source->size;
}

/*
 * Waits for more of the text where what stands AT has no end in it. Twice as much each time: what is long is read again
 * few times. False: it was all there already.
 */
static bool read_more(struct chrome *chrome, const char *at)
{
	size_t least = chrome->source->size + (size_t)(chrome->reader.end - at) + MORE;
	bool growing = chrome->source->unpacking != NULL;

	tfp_source_more(chrome->source, least, chrome->job, chrome->diag);
	take_size(chrome);
	return growing && !tfp_job_cancelled(chrome->job);
}

/* There is text until AT: it is only not known here yet. */
static void read_until(struct chrome *chrome, const char *at)
{
	tfp_source_more(chrome->source, (size_t)offset_of(chrome, at), chrome->job, chrome->diag);
	take_size(chrome);
}

/* What is before AT will not be read again. */
static void let_go(struct chrome *chrome, const char *at)
{
	if (!chrome->goes || chrome->looks_back)
		return;
	tfp_source_release(chrome->source, (size_t)offset_of(chrome, at));
	chrome->first = at;
}

/* A word that was written with backslashes is not. */
static bool is_of_file(const struct chrome *chrome, struct tfp_span text)
{
	const char *begin = (const char *)chrome->source->data;

	return text.at >= begin && text.at < begin + chrome->source->size;
}

struct tfp_span chrome_hold(struct chrome *chrome, struct tfp_span text)
{
	if (!text.size || (!chrome->goes && is_of_file(chrome, text)))
		return text;
	return (struct tfp_span){tfp_arena_text(&chrome->held, text.at, text.size), text.size};
}

static void read_rest(struct chrome *chrome)
{
	tfp_source_rest(chrome->source, chrome->job, chrome->diag);
	take_size(chrome);
}

/* ---- the list ------------------------------------------------------------------------------------ */

/* What is behind the list, text or word AT; NULL: it does not end. */
static const char *pass_value(const char *at, const char *end)
{
	bool escaped;

	if (*at == '[')
		return tfp_json_pass_nested(at, end);
	if (*at == '"') {
		at = tfp_json_string_end(at + 1, end, &escaped);
		return at ? at + 1 : NULL;
	}
	while (++at < end && !memchr(",]{[\"", *at, 5))
		continue;
	return at;
}

/* Passes over what stands in place of a record. NULL: what that is can't be told, or it does not end, see reader. */
static const char *pass_other(struct chrome *chrome, const char *at)
{
	struct record_reader *reader = &chrome->reader;
	const char *after = pass_value(at, reader->end), *next = after;

	if (after)
		next = tfp_json_pass_blanks(after, reader->end);
	reader->cut = !after || (next == reader->end && chrome->source->unpacking);
	reader->stop = reader->cut ? reader->end : at;
	if (reader->cut || (next < reader->end && !memchr(",]{", *next, 3)))
		return NULL;
	tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, offset_of(chrome, at), 0,
		     "something other than a record was left out");
	return after;
}

/* Room for as many events as there will be if the rest of the file is like its beginning, and little more. */
static void reserve(struct chrome *chrome, const char *at)
{
	double rest = (double)tfp_source_expected(chrome->source) / (double)offset_of(chrome, at) *
		      (chrome->source->unpacking ? SLACK * DOUBT : SLACK);
	double events =
		chrome->first_event + (double)(chrome->trace->count - chrome->first_event) * rest;

	if (events < TFP_NONE && events > chrome->trace->room)
		tfp_trace_reserve(chrome->trace, (uint32_t)events - chrome->trace->count);
	tfp_array_reserve(&chrome->ops, (size_t)((double)chrome->ops.count * rest));
}

/* What of the job is done. */
static uint64_t done_at(const struct chrome *chrome, const char *at)
{
	double share = (double)offset_of(chrome, at) / (double)tfp_source_expected(chrome->source);

	return (uint64_t)(share * (double)chrome->weight);
}

static bool watch(struct chrome *chrome, const char *at)
{
	if (++chrome->records % POLL)
		return true;
	let_go(chrome, at);
	if (chrome->records == SAMPLE)
		reserve(chrome, at);
	if (chrome->job)
		tfp_job_progress(chrome->job, chrome->begun_at + done_at(chrome, at));
	return !tfp_job_cancelled(chrome->job);
}

/* The record AT, NULL: it can't be read. */
static const char *read_record(struct chrome *chrome, const char *at)
{
	const char *after = NULL;

	if (chrome->damaged)
		return chrome_read_doubtful(chrome, at);
	if (chrome->ahead)
		after = chrome_ahead_take(chrome->ahead, at, &chrome->record);
	if (!after)
		return record_read(&chrome->reader, at, &chrome->record);
	if (after > chrome->reader.end)
		read_until(chrome, after);
	return after;
}

/* Where a record was damaged, a bracket AT may be of a list in it: the record that follows then, else NULL. */
static const char *record_behind(struct chrome *chrome, const char *at)
{
	if (!chrome->damaged)
		return NULL;
	read_rest(chrome);
	return chrome_behind_end(chrome, at);
}

/* What is done with a record. */
typedef void take_record(struct chrome *chrome);

/* Reads the records from AT, behind the bracket, to the one that closes the list. NULL: the text ended, or cancelled. */
static const char *read_records(struct chrome *chrome, const char *at, take_record *take)
{
	const char *behind = NULL, *after; /* BEHIND: the record before, where one was read */

	chrome->listed |= take == chrome_take;
	if (!chrome->ahead)
		chrome->ahead = chrome_ahead_start(chrome->source, at);
	for (;;) {
		at = tfp_json_pass_blanks(at, chrome->reader.end);
		if (at == chrome->reader.end) {
			if (!read_more(chrome, at))
				break;
			continue;
		}
		if (*at == ']') {
			after = record_behind(chrome, at);
			if (!after)
				return at;
			at = after;
			continue;
		}
		if (*at == ',') {
			at++;
			continue;
		}
		chrome->record_offset = offset_of(chrome, at);
		after = *at == '{' ? read_record(chrome, at) : pass_other(chrome, at);
		if (!after && chrome->reader.cut && read_more(chrome, at))
			continue;
		if (!after) {
			read_rest(chrome);
			after = chrome_go_on(chrome, at);
			behind = NULL;
		} else if (*at == '{') {
			chrome_note_layout(chrome, behind, at, after);
			chrome->record_text = (struct tfp_span){at, (size_t)(after - at)};
			record_plain(&chrome->record, &chrome->words);
			take(chrome);
			behind = after;
		}
		if (!after || !watch(chrome, after))
			return NULL;
		at = after;
	}
	chrome->unended = true;
	return NULL;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static bool read_list(struct chrome *chrome, struct tfp_json *json, take_record *take)
{
	const char *at = read_records(chrome, json->at, take);

	read_rest(chrome);
	json->end = chrome->reader.end;
	if (at)
		json->at = at;
	return at != NULL;
}

/* What is before JSON, from the offset FROM on, under KEY, is no part of the recording. */
static void tell_passed(struct chrome *chrome, const struct tfp_json *json,
			const struct tfp_json_token *key, size_t from)
{
	size_t size = tfp_json_offset(json) - from;
	char name[64], number[TFP_NUMBER_ROOM];

	if (chrome->listed || size < PASSED)
		return;
	tfp_text_clean(name, sizeof(name), key->text, false);
	tfp_diag_add(chrome->diag, TFP_NOTE, chrome->source->path, (int64_t)from, 0,
		     "\"%s\", of %s bytes, is no part of the recording: it was passed over", name,
		     tfp_number_exact(number, (int64_t)size));
}

/* One member of the whole; false: nothing follows it. */
static bool read_member(struct chrome *chrome, struct tfp_json *json,
			const struct tfp_json_token *key)
{
	size_t from = tfp_json_offset(json);
	struct tfp_json_token value;

	if (!tfp_json_next(json, &value))
		return false;
	if (tfp_span_is(key->text, "traceEvents") && value.kind == TFP_JSON_ARRAY) {
		return read_list(chrome, json, chrome_take) && tfp_json_next(json, &value);
	}
	if (tfp_span_is(key->text, "samples") && value.kind == TFP_JSON_ARRAY)
		return read_list(chrome, json, chrome_take_sample) && tfp_json_next(json, &value);
	if (!chrome_take_member(chrome, json, key->text, &value)) {
		tfp_json_skip(json, &value);
		tell_passed(chrome, json, key, from);
	}
	return true;
}

const char *chrome_find_list(const char *at, const char *end)
{
	return tfp_json_find_string((struct tfp_span){at, (size_t)(end - at)},
				    TFP_SPAN("traceEvents"));
}

/* Damage before the list of records does not lose it. */
static void find_list(struct chrome *chrome)
{
	const char *end = chrome->reader.end, *at = chrome_find_list(chrome->first, end);

	if (!at)
		return;
	at = tfp_json_pass_blanks(at, end);
	if (at < end && *at == ':')
		at = tfp_json_pass_blanks(at + 1, end);
	if (at < end && *at == '[')
		read_records(chrome, at + 1, chrome_take);
}

/* AT: behind the end of the whole. More is there where files were joined, or written over. */
static void tell_rest(struct chrome *chrome, const char *at)
{
	const char *end = chrome->reader.end;
	char number[TFP_NUMBER_ROOM];

	at = tfp_json_pass_blanks(at, end);
	if (at < end)
		tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path,
			     (int64_t)offset_of(chrome, at), 0,
			     "%s more bytes follow the end of the recording: they were not read",
			     tfp_number_exact(number, end - at));
}

static void read_whole(struct chrome *chrome, struct tfp_json *json)
{
	struct tfp_json_token token;

	if (tfp_json_next(json, &token) == TFP_JSON_ARRAY) {
		if (read_list(chrome, json, chrome_take))
			tell_rest(chrome, json->at + 1);
		return;
	}
	while (tfp_json_next(json, &token) == TFP_JSON_KEY)
		if (!read_member(chrome, json, &token))
			break;
	if (token.kind == TFP_JSON_OBJECT_END)
		tell_rest(chrome, json->at);
	if (json->error && !chrome->listed)
		find_list(chrome);
	if (json->error)
		tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path,
			     (int64_t)tfp_json_offset(json), 0, "%s", json->error);
}

/* ---- a part ------------------------------------------------------------------------------------ */

static bool is_name(const struct record *record)
{
	return record_is_text(record, FIELD_PHASE) &&
	       tfp_span_equal(record->text[FIELD_PHASE], TFP_SPAN("M"));
}

/* Where reading begins it is not known what the text is in the middle of, so what is no record is passed over. */
void chrome_look_ahead(struct chrome *chrome)
{
	const struct tfp_source *whole = chrome->source->whole;
	const char *begin, *end, *at, *after;
	int spoilt = 0;

	if (!whole || whole->unpacking)
		return;
	begin = (const char *)whole->data + chrome->source->size;
	end = (const char *)whole->data + whole->size;
	if ((size_t)(end - begin) > TAIL)
		begin = end - TAIL;
	record_reader_start(&chrome->reader, end);
	for (at = begin; (at = record_find(begin, at, end)) && spoilt < SPOILT; at = after) {
		after = record_read(&chrome->reader, at, &chrome->record);
		record_plain(&chrome->record, &chrome->words);
		if (after && is_name(&chrome->record))
			chrome_take_name(chrome);
		spoilt += !after;
		after = after ? after : at + 1;
	}
}

/* A list that is all of the file need not end: the program that wrote it may have been ended, or the file is cut. */
static void tell_end(struct chrome *chrome)
{
	const char *begin = (const char *)chrome->source->data;
	const char *end = begin + chrome->source->size;
	bool alone = *tfp_json_pass_blanks(begin, end) == '[';

	tfp_diag_add(chrome->diag, alone && !chrome->torch ? TFP_NOTE : TFP_WARNING,
		     chrome->source->path, end - begin, TFP_EXPLAINS,
		     "the file ends before its list of records does");
}

/* Does the list of records begin in what is there of SOURCE? */
static bool has_list(const struct tfp_source *source)
{
	const char *begin = (const char *)source->data, *end = begin + source->size;
	const char *at = tfp_json_pass_blanks(begin, end);

	if (at < end && *at == '[')
		return true;
	at = chrome_find_list(begin, end);
	return at && memchr(at, '[', (size_t)(end - at));
}

bool chrome_read(struct chrome *chrome)
{
	struct tfp_json json;
	struct tfp_span text;

	chrome->goes = chrome->source->unpacking != NULL;
	chrome->first = (const char *)chrome->source->data;
	chrome->begun_at = chrome->job ? chrome->job->done : 0;
	chrome->weight =
		chrome->source->unpacking ? chrome->source->disk_size : chrome->source->size;
	if (!has_list(chrome->source))
		tfp_source_rest(chrome->source, chrome->job, chrome->diag);
	text = (struct tfp_span){(const char *)chrome->source->data, chrome->source->size};
	record_reader_start(&chrome->reader, text.at + text.size);
	tfp_json_start(&json, text);
	read_whole(chrome, &json);
	tfp_json_stop(&json);
	if (chrome->unended)
		tell_end(chrome);
	return !tfp_job_cancelled(chrome->job);
}
