/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocators that never return NULL, and the growth of arrays. A program that shows profiles has
 * nothing useful left to do without memory, so running out is handled here once, by a hook.
 */
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tfprof/base.h"
#include "base/memory.h"

/* Below this an array doubles; above, the kernel moves pages and half again is enough. */
#define DOUBLE_BELOW ((size_t)128 << 10)

/*
 * Page faults were a fifth of a report's time, so blocks from here on lie in huge pages. Most of them
 * stand side by side in the heap, which grows in steps that are worth it; those too large to be
 * copied when they grow have mappings of their own.
 */
#define HUGE_FROM ((size_t)64 << 10)
#define HUGE_PAGE ((uintptr_t)2 << 20)
#define HEAP_STEP (64 << 20)
#define MAP_FROM  (32 << 20)

/* The only state of this library: the terminal must be restored wherever memory ends. */
static void (*_Atomic end_hook)(void);

void tfp_memory_on_end(void (*hook)(void))
{
	atomic_store(&end_hook, hook);
}

_Noreturn void tfp_memory_end(void)
{
	void (*hook)(void) = atomic_load(&end_hook);

	if (hook)
		hook();
	abort();
}

void tfp_memory_start(void)
{
	mallopt(M_MMAP_THRESHOLD, MAP_FROM);
	mallopt(M_TOP_PAD, HEAP_STEP);
	mallopt(M_TRIM_THRESHOLD, 2 * HEAP_STEP);
	mallopt(M_ARENA_MAX, 2); /* one heap for the first thread, which loads, one for others */
}

void tfp_memory_give_back(void)
{
	malloc_trim(0);
}

/*
 * Asks for huge pages from MEMORY to its end, and in the heap on behind it: advice must come before
 * the first touch. A kernel that declines changes nothing.
 */
static void advise(char *memory, size_t size)
{
	uintptr_t start = (uintptr_t)memory, end = start + size, heap_end = (uintptr_t)sbrk(0);
	uintptr_t before = start & (HUGE_PAGE - 1);

	if (end <= heap_end)
		end = heap_end - end < HEAP_STEP ? heap_end : end + HEAP_STEP;
	madvise(memory - before, end - start + before, MADV_HUGEPAGE);
}

/* Takes what malloc gave for SIZE bytes. */
static void *check(void *memory, size_t size)
{
	if (!memory)
		tfp_memory_end();
	if (size >= HUGE_FROM)
		advise(memory, size);
	return memory;
}

void *tfp_alloc(size_t size)
{
	return check(malloc(size ? size : 1), size);
}

void *tfp_alloc_zero(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	return check(memory, memory ? count * size : 0);
}

void *tfp_realloc_array(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		tfp_memory_end();
	return check(realloc(old, bytes ? bytes : 1), bytes);
}

char *tfp_strdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(tfp_alloc(size), text, size);
}

void *tfp_array_grow(void *at, size_t *room, size_t wanted, size_t size)
{
	size_t half = *room / 2, more = *room < DOUBLE_BELOW / size ? *room : half;
	size_t grown = *room + more;

	if (grown < *room || grown < wanted)
		grown = wanted;
	if (grown < 8)
		grown = 8;
	at = tfp_realloc_array(at, grown, size);
	*room = grown;
	return at;
}

void tfp_array_release(void *at)
{
	free(at);
}
