/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes records apart ahead of who reads: see ahead.h. The thread may begin anywhere, at what looks like a record, because the
 * reader takes only what begins just where it stands: from there on there is one way to read a text.
 */
#include "load/chrome/ahead.h"

#include <stdatomic.h>

#define BLOCKS 32
#define WORDS  8192                /* of a block */
#define JUMP   ((size_t)256 << 10) /* bytes that are left to the reader where it has caught up */
#define FIXED  5                   /* words of a record before those of its fields */
#define MOST   (FIXED + 2 * FIELDS)
/* what most have at least */
#define RECORD_WORDS 32
#define RECORD_BYTES 256

/* Records one behind another in the text. */
struct block {
	const char *begin, *end;
	uint32_t used; /* words */
	uint64_t words[WORDS];
};

struct chrome_ahead {
	struct tfp_source *source;
	struct block *blocks; /* a ring */
	/* of both: how many blocks were ever written and taken, and where the reader is about now */
	_Atomic uint32_t written, taken;
	_Atomic(const char *) reached;
	/* the thread's */
	struct record_reader reader;
	struct record record;
	const char *at; /* where it goes on */
	/* the reader's: the block at hand, or NULL, and what of it comes next */
	const struct block *block;
	const uint64_t *next;
	const char *begin; /* of that record */
};

/* ---- packing ------------------------------------------------------------------------------------- */

static uint64_t pair(ptrdiff_t high, size_t low)
{
	return (uint64_t)high << 32 | low;
}

/* The record from AT to AFTER: where it is in its block, which fields it has, their texts, their numbers. */
static uint32_t pack(uint64_t *words, const struct record *record, const struct block *block,
		     const char *at, const char *after)
{
	uint64_t *next = words;

	*next++ = pair(at - block->begin, (size_t)(after - at));
	*next++ = record->has;
	*next++ = record->texts;
	*next++ = record->escaped;
	*next++ = record->numbers;
	for (uint64_t left = record->has & FIELDS_OF_USE; left; left &= left - 1) {
		const struct tfp_span *text = &record->text[__builtin_ctzll(left)];

		*next++ = pair(text->at - at, text->size);
	}
	for (uint64_t left = record->numbers & FIELDS_OF_USE; left; left &= left - 1)
		*next++ = (uint64_t)record->number[__builtin_ctzll(left)];
	return (uint32_t)(next - words);
}

/* Returns what follows in the block. */
static const uint64_t *unpack(const uint64_t *next, struct record *record, const char *at)
{
	next++;
	record->has = *next++;
	record->texts = *next++;
	record->escaped = *next++;
	record->numbers = *next++;
	for (uint64_t left = record->has & FIELDS_OF_USE; left; left &= left - 1, next++)
		record->text[__builtin_ctzll(left)] =
			(struct tfp_span){at + (*next >> 32), (uint32_t)*next};
	for (uint64_t left = record->numbers & FIELDS_OF_USE; left; left &= left - 1)
		record->number[__builtin_ctzll(left)] = (int64_t)*next++;
	return next;
}

/* ---- the thread ---------------------------------------------------------------------------------- */

/* Behind what is between two records; where none follows, NULL. */
static const char *next_record(const char *at, const char *end)
{
	do
		at = tfp_json_pass_blanks(at, end);
	while (at < end && *at == ',' && at++);
	return at < end && *at == '{' ? at : NULL;
}

/* Where what follows is no record, or its end is not there yet, the block ends. */
static void fill(struct chrome_ahead *ahead, struct block *block, const char *at)
{
	const char *after;

	block->begin = block->end = at;
	block->used = 0;
	while (at && block->used + MOST <= WORDS) {
		after = record_read(&ahead->reader, at, &ahead->record);
		if (!after || (size_t)(after - block->begin) > UINT32_MAX)
			break;
		block->used += pack(&block->words[block->used], &ahead->record, block, at, after);
		block->end = after;
		at = next_record(after, ahead->reader.end);
	}
}

/* Takes one block of records apart, if SIZE bytes of text have one that the reader will not have read by then. */
static bool work(void *data, size_t size)
{
	struct chrome_ahead *ahead = data;
	const char *end = (const char *)ahead->source->data + size, *at = ahead->at;
	const char *reached = atomic_load_explicit(&ahead->reached, memory_order_relaxed);
	uint32_t written = atomic_load_explicit(&ahead->written, memory_order_relaxed);
	struct block *block = &ahead->blocks[written % BLOCKS];

	if (written - atomic_load_explicit(&ahead->taken, memory_order_acquire) == BLOCKS)
		return false;
	if (at <= reached) {
		if ((size_t)(end - reached) <= JUMP)
			return false;
		at = reached + JUMP;
	}
	at = record_find(at, at, end);
	if (!at)
		return false;
	ahead->reader.end = end;
	fill(ahead, block, at);
	ahead->at = block->used ? block->end : at + 1;
	if (block->used)
		atomic_store_explicit(&ahead->written, written + 1, memory_order_release);
	return block->used != 0;
}

/* ---- the reader ---------------------------------------------------------------------------------- */

struct chrome_ahead *chrome_ahead_start(struct tfp_source *source, const char *at)
{
	struct chrome_ahead *ahead;

	if (!source->unpacking)
		return NULL;
	ahead = tfp_alloc_zero(1, sizeof(*ahead));
	ahead->blocks = tfp_alloc(BLOCKS * sizeof(*ahead->blocks));
	ahead->source = source;
	ahead->at = at;
	atomic_store(&ahead->reached, at);
	record_reader_start(&ahead->reader, at);
	tfp_source_meanwhile(source, work, ahead);
	return ahead;
}

void chrome_ahead_free(struct chrome_ahead *ahead)
{
	if (!ahead)
		return;
	tfp_source_meanwhile(ahead->source, NULL, NULL);
	free(ahead->blocks);
	free(ahead);
}

static void end_block(struct chrome_ahead *ahead)
{
	uint32_t taken = atomic_load_explicit(&ahead->taken, memory_order_relaxed);

	ahead->block = NULL;
	atomic_store_explicit(&ahead->taken, taken + 1, memory_order_release);
}

/* The first block that ends behind AT, if there is one. */
static bool find_block(struct chrome_ahead *ahead, const char *at)
{
	uint32_t taken = atomic_load_explicit(&ahead->taken, memory_order_relaxed);

	while (taken != atomic_load_explicit(&ahead->written, memory_order_acquire)) {
		const struct block *block = &ahead->blocks[taken++ % BLOCKS];

		if (block->begin >= at) {
			ahead->block = block;
			ahead->next = block->words;
			ahead->begin = block->begin;
			return true;
		}
		end_block(ahead);
	}
	return false;
}

/* What comes is in the other core's cache still: what is packed from WORDS on, and the text from AT on, of one record later. */
static inline void fetch(const uint64_t *words, const char *at)
{
	for (int line = 0; line < 3; line++) {
		__builtin_prefetch(words + RECORD_WORDS + line * 8);
		__builtin_prefetch(at + RECORD_BYTES + line * 64);
	}
}

const char *chrome_ahead_take(struct chrome_ahead *ahead, const char *at, struct record *record)
{
	const struct block *block;
	size_t size;

	atomic_store_explicit(&ahead->reached, at, memory_order_relaxed);
	if (!ahead->block && !find_block(ahead, at))
		return NULL;
	if (at < ahead->begin)
		return NULL;
	if (at > ahead->begin) {
		end_block(ahead);
		return NULL;
	}
	block = ahead->block;
	size = (uint32_t)*ahead->next;
	ahead->next = unpack(ahead->next, record, at);
	fetch(ahead->next, at + size);
	if (ahead->next == &block->words[block->used])
		end_block(ahead);
	else
		ahead->begin = block->begin + (*ahead->next >> 32);
	return at + size;
}
