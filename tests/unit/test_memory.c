/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators, regions and growable arrays. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "tfprof/base.h"

/* Runs what must end the program in a child; true if the hook was what ended it. */
static void hook_exit(void)
{
	_exit(42);
}

static int ends_how(void (*body)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		tfp_memory_on_end(hook_exit);
		body();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void product_overflows(void)
{
	tfp_realloc_array(NULL, SIZE_MAX / 2, 3);
}

static void region_product_overflows(void)
{
	struct tfp_arena arena = {0};

	tfp_arena_zero(&arena, SIZE_MAX / 2, 3);
}

static void overflow_ends_by_the_hook(void **state)
{
	(void)state;
	assert_int_equal(ends_how(product_overflows), 42);
	assert_int_equal(ends_how(region_product_overflows), 42);
}

static void nothing_is_something(void **state)
{
	void *a = tfp_alloc(0), *b = tfp_alloc_zero(0, 8), *c = tfp_realloc_array(NULL, 0, 8);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	free(a);
	free(b);
	free(c);
}

static void realloc_keeps_content(void **state)
{
	char *text = tfp_strdup("gradients/AddN"), *large = tfp_alloc_zero(3, 1 << 20);

	(void)state;
	text = tfp_realloc_array(text, 4 << 20, 1);
	assert_string_equal(text, "gradients/AddN");
	assert_int_equal(large[(3 << 20) - 1], 0);
	free(text);
	free(large);
}

static void array_grows_and_keeps(void **state)
{
	TFP_ARRAY(uint64_t) array = {0};
	size_t moves = 0, room = 0;

	(void)state;
	for (uint64_t i = 0; i < 300000; i++) {
		*tfp_array_push(&array) = i * i;
		moves += array.room != room;
		room = array.room;
	}
	assert_int_equal(array.count, 300000);
	for (uint64_t i = 0; i < array.count; i++)
		assert_true(array.at[i] == i * i);
	assert_true(moves < 25);
	assert_true(array.room < array.count * 2);
	tfp_array_free(&array);
	assert_null(array.at);
	assert_int_equal(array.room, 0);
}

static void array_reserves_what_is_wanted(void **state)
{
	TFP_ARRAY(char) array = {0};

	(void)state;
	tfp_array_reserve(&array, 1000);
	assert_true(array.room >= 1000);
	assert_int_equal(array.count, 0);
	tfp_array_free(&array);
}

static void region_pieces_are_aligned_and_apart(void **state)
{
	struct tfp_arena arena = {0};
	unsigned char *pieces[200];

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		pieces[i] = tfp_arena_alloc(&arena, i * 7);
		assert_int_equal((uintptr_t)pieces[i] % 8, 0);
		memset(pieces[i], (int)i, i * 7);
		assert_string_equal(tfp_arena_text(&arena, "abc", i % 3 + 1), i % 3 == 0   ? "a"
									      : i % 3 == 1 ? "ab"
											   : "abc");
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t j = 0; j < i * 7; j++)
			assert_int_equal(pieces[i][j], i);
	tfp_arena_free(&arena);
	assert_int_equal(arena.bytes, 0);
}

static void region_takes_big_and_small(void **state)
{
	struct tfp_arena arena = {0};
	char *big = tfp_arena_zero(&arena, 5, 1 << 20), *small, *again;

	(void)state;
	assert_int_equal(big[0], 0);
	assert_int_equal(big[(5 << 20) - 1], 0);
	small = tfp_arena_alloc(&arena, 8);
	tfp_arena_alloc(&arena, 8 << 20);
	again = tfp_arena_alloc(&arena, 8);
	assert_ptr_equal(again, small + 8); /* a big piece does not end the block in use */
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(*(uint64_t *)tfp_arena_zero(&arena, 1, 8 + i), 0);
	tfp_arena_free(&arena);
}

static void region_grows_in_proportion(void **state)
{
	struct tfp_arena arena = {0};
	size_t used = 0;

	(void)state;
	tfp_arena_alloc(&arena, 8);
	assert_true(arena.bytes <= 4096);
	for (; used < (32 << 20); used += 24)
		tfp_arena_alloc(&arena, 24);
	assert_true(arena.bytes < used + (8 << 20));
	tfp_arena_free(&arena);
}

static void region_prints(void **state)
{
	struct tfp_arena arena = {0};
	char *text = tfp_arena_printf(&arena, "%s/%d", "conv", 7);
	char *wide = tfp_arena_printf(&arena, "%*s", 1000, "x");

	(void)state;
	assert_string_equal(text, "conv/7");
	assert_int_equal(strlen(wide), 1000);
	assert_int_equal(wide[999], 'x');
	tfp_arena_free(&arena);
}

static void *allocate(void *unused)
{
	(void)unused;
	return tfp_alloc(10000);
}

/* Else the screen would wait while the heap of whoever loads grows, with its lock held. */
static void second_thread_has_a_heap_of_its_own(void **state)
{
	char *first, *second;
	pthread_t thread;
	void *got;

	(void)state;
	tfp_memory_start();
	first = tfp_alloc(10000);
	assert_int_equal(pthread_create(&thread, NULL, allocate, NULL), 0);
	assert_int_equal(pthread_join(thread, &got), 0);
	second = got;
	if (first < (char *)sbrk(0)) /* where it is the system's allocator */
		assert_true(second > (char *)sbrk(0));
	free(first);
	free(second);
}

/* An address sanitizer has a heap of its own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

#ifndef SANITIZED
/* Pages of this process in memory that are no file's. */
static long own_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long all, resident, shared;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld %ld %ld", &all, &resident, &shared), 3);
	fclose(file);
	return resident - shared;
}

/* The last piece is still used, so that the heap itself can't become shorter. */
static void what_was_freed_is_given_back(void **state)
{
	enum { PIECES = 200, SIZE = 50000, PAGE = 4096 };
	char *pieces[PIECES];
	long before;

	(void)state;
	for (int i = 0; i < PIECES; i++)
		pieces[i] = memset(tfp_alloc(SIZE), 1, SIZE);
	for (int i = 0; i + 1 < PIECES; i++)
		free(pieces[i]);
	before = own_pages();
	tfp_memory_give_back();
	assert_in_range(own_pages(), 0, before - PIECES * SIZE / PAGE / 2);
	free(pieces[PIECES - 1]);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overflow_ends_by_the_hook),
		cmocka_unit_test(nothing_is_something),
		cmocka_unit_test(realloc_keeps_content),
		cmocka_unit_test(array_grows_and_keeps),
		cmocka_unit_test(array_reserves_what_is_wanted),
		cmocka_unit_test(region_pieces_are_aligned_and_apart),
		cmocka_unit_test(region_takes_big_and_small),
		cmocka_unit_test(region_grows_in_proportion),
		cmocka_unit_test(region_prints),
#ifndef SANITIZED
		cmocka_unit_test(what_was_freed_is_given_back),
#endif
		cmocka_unit_test(second_thread_has_a_heap_of_its_own),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
