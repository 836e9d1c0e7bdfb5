/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocators that never return NULL, and the growth of arrays. A program that shows profiles has
 * nothing useful left to do without memory, so running out is handled here once, by a hook.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tfprof/base.h"
#include "base/memory.h"

/* Below this an array doubles; above, the kernel moves pages and half again is enough. */
#define DOUBLE_BELOW ((size_t)128 << 10)

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

void *tfp_alloc(size_t size)
{
	void *memory = malloc(size ? size : 1);

	if (!memory)
		tfp_memory_end();
	return memory;
}

void *tfp_alloc_zero(size_t count, size_t size)
{
	void *memory = calloc(count && size ? count : 1, size ? size : 1);

	if (!memory)
		tfp_memory_end();
	return memory;
}

void *tfp_realloc_array(void *old, size_t count, size_t size)
{
	size_t bytes;
	void *memory = NULL;

	if (!__builtin_mul_overflow(count, size, &bytes))
		memory = realloc(old, bytes ? bytes : 1);
	if (!memory)
		tfp_memory_end();
	return memory;
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
