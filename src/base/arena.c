/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions: pieces are cut from blocks one after another and all freed together. Blocks double from
 * a few kilobytes to some megabytes, so a small region is cheap and a large one costs few calls.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tfprof/base.h"
#include "base/memory.h"

#define FIRST_BLOCK ((size_t)4 << 10)
#define LAST_BLOCK  ((size_t)4 << 20)

struct tfp_arena_block {
	struct tfp_arena_block *next;
	size_t used, room; /* of DATA */
	_Alignas(8) char data[];
};

/* A new block for ROOM bytes, zeroed by the system if CLEAR. Does not link it. */
static struct tfp_arena_block *block_new(struct tfp_arena *arena, size_t room, bool clear)
{
	struct tfp_arena_block *block;
	size_t bytes;

	if (__builtin_add_overflow(sizeof(*block), room, &bytes))
		tfp_memory_end();
	block = clear ? tfp_alloc_zero(1, bytes) : tfp_alloc(bytes);
	block->next = NULL;
	block->used = 0;
	block->room = room;
	arena->bytes += bytes;
	return block;
}

/* A piece so big that it gets a block of its own, behind the one that is being filled. */
static void *alloc_big(struct tfp_arena *arena, size_t size, bool clear)
{
	struct tfp_arena_block *block = block_new(arena, size, clear);

	block->used = size;
	if (arena->block) {
		block->next = arena->block->next;
		arena->block->next = block;
	} else {
		arena->block = block;
	}
	return block->data;
}

static size_t next_room(const struct tfp_arena *arena)
{
	size_t room = arena->bytes < FIRST_BLOCK ? FIRST_BLOCK : arena->bytes;

	room = room < LAST_BLOCK ? room : LAST_BLOCK;
	return room - sizeof(struct tfp_arena_block);
}

static void *alloc_from_new(struct tfp_arena *arena, size_t size)
{
	struct tfp_arena_block *block;
	size_t room = next_room(arena);

	if (size > room / 4)
		return alloc_big(arena, size, false);
	block = block_new(arena, room, false);
	block->next = arena->block;
	block->used = size;
	arena->block = block;
	return block->data;
}

/* ALIGN is a power of two, at most 8. */
static inline void *alloc_aligned(struct tfp_arena *arena, size_t size, size_t align)
{
	struct tfp_arena_block *block = arena->block;
	size_t start;

	if (!block)
		return alloc_from_new(arena, size);
	start = (block->used + align - 1) & ~(align - 1);
	if (start > block->room || size > block->room - start)
		return alloc_from_new(arena, size);
	block->used = start + size;
	return block->data + start;
}

void *tfp_arena_alloc(struct tfp_arena *arena, size_t size)
{
	return alloc_aligned(arena, size, 8);
}

void *tfp_arena_zero(struct tfp_arena *arena, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		tfp_memory_end();
	if (bytes > LAST_BLOCK / 4)
		return alloc_big(arena, bytes, true);
	return memset(alloc_aligned(arena, bytes, 8), 0, bytes);
}

char *tfp_arena_text(struct tfp_arena *arena, const char *text, size_t size)
{
	char *copy;

	if (size == SIZE_MAX)
		tfp_memory_end();
	copy = alloc_aligned(arena, size + 1, 1);
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

char *tfp_arena_printf(struct tfp_arena *arena, const char *format, ...)
{
	char start[256];
	va_list args, again;
	char *text;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(start, sizeof(start), format, args);
	va_end(args);
	if (length < 0)
		length = 0, start[0] = '\0';
	text = alloc_aligned(arena, (size_t)length + 1, 1);
	if ((size_t)length < sizeof(start))
		memcpy(text, start, (size_t)length + 1);
	else
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void tfp_arena_free(struct tfp_arena *arena)
{
	struct tfp_arena_block *block = arena->block, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->block = NULL;
	arena->bytes = 0;
}
