/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a record that can't be read costs: no other. What is around it is known by how records before were written, since within a
 * record there may be what looks like one.
 */
#include <string.h>

#include "load/chrome/chrome.h"

#define WASTED 8                  /* times its own size a text may cost in what can't be read */
#define NEAR   ((size_t)1 << 20)  /* bytes in which the next record as those before is looked for */
#define SHORT  ((size_t)64 << 10) /* bytes that a record is looked at for, once some was damaged, */
#define CHAIN  3                  /* records that are enough to know that they are such */
#define TIMES  4                  /* and times the longest before it */

static void warn(struct chrome *chrome, const char *at, int64_t line, const char *what)
{
	tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path,
		     at - (const char *)chrome->source->data, line, "%s", what);
}

void chrome_note_layout(struct chrome *chrome, const char *behind, const char *at,
			const char *after)
{
	struct layout *layout = &chrome->layout;
	size_t size = (size_t)(after - at);

	if (size > layout->longest && !chrome->damaged)
		layout->longest = size;
	if (layout->between_size || !behind || (size_t)(at - behind) > sizeof(layout->between))
		return;
	layout->between_size = (uint32_t)(at - behind);
	memcpy(layout->between, behind, layout->between_size);
}

/* Does what is before AT stand between records? */
static bool is_listed(const struct chrome *chrome, const char *at)
{
	size_t size = chrome->layout.between_size;

	return (size_t)(at - chrome->first) > size && at[-(ptrdiff_t)size - 1] == '}' &&
	       !memcmp(at - size, chrome->layout.between, size);
}

/* The end of the text, or what is MOST bytes behind AT. */
static const char *end_near(const struct chrome *chrome, const char *at, size_t most)
{
	const char *end = chrome->reader.end;

	return (size_t)(end - at) > most ? at + most : end;
}

/* More than a record takes, by those before. */
static size_t most_of_record(const struct chrome *chrome)
{
	size_t most = chrome->layout.longest * TIMES;

	return most > SHORT ? most : SHORT;
}

/* The next record from AT on that is not far, and laid out as those before; NULL: there is none. */
static const char *find_listed(const struct chrome *chrome, const char *at)
{
	const char *end = end_near(chrome, at, NEAR);

	if (!chrome->layout.between_size)
		return NULL;
	while ((at = record_find(chrome->first, at, end)) && !is_listed(chrome, at))
		at++;
	return at;
}

/* The same, but outside of the brackets that are open AT, in a record. NULL, too, where damage does not let them be counted. */
static const char *find_outside(const struct chrome *chrome, const char *at)
{
	const char *end = end_near(chrome, at, TIMES * chrome->layout.longest);
	bool escaped;
	int depth = 0;

	for (; at && at < end; at++) {
		if (*at == '{' && depth < 0 && is_listed(chrome, at))
			return record_find(chrome->first, at, end) == at ? at : NULL;
		if (*at == '{' || *at == '[')
			depth++;
		else if (*at == '}' || *at == ']')
			depth--;
		else if (*at == '"' && !(at = tfp_json_string_end(at + 1, end, &escaped)))
			return NULL;
	}
	return NULL;
}

/* record_read that looks at not much of the text. */
static const char *read_near(struct chrome *chrome, const char *at)
{
	const char *end = chrome->reader.end, *after;

	chrome->reader.end = end_near(chrome, at, most_of_record(chrome));
	after = record_read(&chrome->reader, at, &chrome->record);
	chrome->reader.end = end;
	return after;
}

/* Do records follow each other from AT on, as they would not within one? */
static bool leads_on(struct chrome *chrome, const char *at)
{
	ptrdiff_t size = (ptrdiff_t)chrome->layout.between_size;

	for (int i = 0; i < CHAIN; i++) {
		at = read_near(chrome, at);
		if (!at || chrome->reader.end - at <= size)
			return false;
		at += size;
		if (*at != '{' || !is_listed(chrome, at))
			return false;
	}
	return true;
}

static const char *find_next(struct chrome *chrome, const char *at)
{
	const char *listed = find_listed(chrome, at), *outside;

	if (!listed) {
		chrome->wasted += (uint64_t)(end_near(chrome, at, NEAR) - at);
		return record_find(chrome->first, at, chrome->reader.end);
	}
	if (leads_on(chrome, listed))
		return listed;
	outside = find_outside(chrome, at);
	return outside ? outside : listed;
}

/* A bracket that is not closed may be closed by one that is too many, records later. */
static bool holds_others(const struct chrome *chrome, const char *at, const char *after)
{
	const char *other;

	if ((size_t)(after - at) <= chrome->layout.longest)
		return false;
	other = find_listed(chrome, at + 1);
	return other && other < after;
}

const char *chrome_read_doubtful(struct chrome *chrome, const char *at)
{
	const char *near = end_near(chrome, at, most_of_record(chrome));
	const char *after = read_near(chrome, at);

	if (after ? !holds_others(chrome, at, after)
		  : !chrome->reader.cut || near == chrome->reader.end)
		return after;
	chrome->reader.cut = false;
	chrome->reader.stop = at + 1;
	chrome->wasted += (uint64_t)((after ? after : near) - at);
	return NULL;
}

const char *chrome_go_on(struct chrome *chrome, const char *at)
{
	const char *stop = chrome->reader.stop, *next;
	/* or it went on into those behind it */
	bool cut = chrome->reader.cut || (size_t)(stop - at) > chrome->layout.longest;

	chrome->damaged = true;
	next = find_next(chrome, cut ? at + 1 : stop);
	if (!next && !cut) {
		chrome->wasted += (uint64_t)(chrome->reader.end - stop);
		next = find_next(chrome, at + 1);
	}
	chrome->wasted += (uint64_t)(stop - at);
	if (chrome->wasted > WASTED * (uint64_t)chrome->source->size) {
		warn(chrome, at, 0, "too much of the file is damaged: the rest was not read");
		return NULL;
	}
	if (next)
		warn(chrome, stop, 0, "a record can't be read: reading went on at the next one");
	else if (!chrome->source->broken)
		warn(chrome, at, TFP_EXPLAINS,
		     "the file ends in the middle of a record, which was left out");
	return next;
}

const char *chrome_behind_end(const struct chrome *chrome, const char *at)
{
	const char *next = chrome->damaged ? find_listed(chrome, at + 1) : NULL;

	/* another list may follow, behind one of samples */
	return next && !chrome_find_list(at, next) ? next : NULL;
}
