/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocators that never return NULL, and the growth of arrays. A program that shows profiles has
 * nothing useful left to do without memory, so running out is handled here once, by a hook.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tfprof/base.h"
#include "base/memory.h"

/* Below this an array doubles; above, the kernel moves pages and half again is enough. */
#define DOUBLE_BELOW ((size_t)128 << 10)

/* From here on we ask for huge pages: a page fault costs more than filling the page. */
#define HUGE_FROM ((size_t)2 << 20)

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

/* Takes what malloc gave for SIZE bytes. A kernel that declines the advice changes nothing. */
static void *check(void *memory, size_t size)
{
	uintptr_t page, start;

	if (!memory)
		tfp_memory_end();
	if (size >= HUGE_FROM) {
		page = (uintptr_t)sysconf(_SC_PAGESIZE);
		start = (uintptr_t)memory & ~(page - 1);
		madvise((char *)memory - ((uintptr_t)memory - start),
			(uintptr_t)memory + size - start, MADV_HUGEPAGE);
	}
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
