/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings, spans, and a reader beside the thread that interns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tfprof/base.h"
#include "tfprof/hash.h"

#define MANY 200000

/* The name of node INDEX as a graph might have it. */
static size_t name_of(char name[64], size_t index)
{
	return (size_t)snprintf(name, 64, "gradients/unit_%zu/sub/conv2d_%zu", index % 97, index);
}

static void empty_is_zero(void **state)
{
	struct tfp_strings *strings = tfp_strings_new();

	(void)state;
	assert_int_equal(tfp_strings_add(strings, NULL, 0), 0);
	assert_int_equal(tfp_strings_add_text(strings, ""), 0);
	assert_int_equal(tfp_strings_find(strings, NULL, 0), 0);
	assert_string_equal(tfp_strings_text(strings, 0), "");
	assert_int_equal(tfp_strings_get(strings, 0).size, 0);
	assert_int_equal(tfp_strings_count(strings), 1);
	tfp_strings_free(strings);
	tfp_strings_free(NULL);
}

static void ids_follow_arrival(void **state)
{
	struct tfp_strings *strings = tfp_strings_new();

	(void)state;
	assert_int_equal(tfp_strings_add_text(strings, "MatMul"), 1);
	assert_int_equal(tfp_strings_add_text(strings, "Conv2D"), 2);
	assert_int_equal(tfp_strings_add(strings, "MatMulGrad", 6), 1);
	assert_int_equal(tfp_strings_find(strings, "Conv2D", 6), 2);
	assert_int_equal(tfp_strings_find(strings, "Conv2", 5), TFP_NONE);
	assert_int_equal(tfp_strings_count(strings), 3);
	tfp_strings_free(strings);
}

static void bytes_are_kept_raw(void **state)
{
	static const char raw[] = "a\0b\xff\x80";
	struct tfp_strings *strings = tfp_strings_new();
	tfp_str id = tfp_strings_add(strings, raw, 5), other = tfp_strings_add(strings, raw, 1);
	struct tfp_span span = tfp_strings_get(strings, id);

	(void)state;
	assert_int_not_equal(id, other);
	assert_int_equal(span.size, 5);
	assert_memory_equal(span.at, raw, 6); /* the NUL too */
	tfp_strings_free(strings);
}

/* Every length around the steps of the hash, differing in one byte at each place. */
static void each_byte_counts(void **state)
{
	struct tfp_strings *strings = tfp_strings_new();
	char text[70];
	uint32_t expected = 1;

	(void)state;
	for (size_t size = 1; size <= sizeof(text); size++) {
		memset(text, 'a', sizeof(text));
		assert_int_equal(tfp_strings_add(strings, text, size), expected++);
		for (size_t i = 0; i < size; i++) {
			text[i] = 'b';
			assert_int_equal(tfp_strings_add(strings, text, size), expected++);
			text[i] = 'a';
		}
	}
	tfp_strings_free(strings);
}

static void many_stay_where_they_are(void **state)
{
	struct tfp_strings *strings = tfp_strings_new();
	const char *first;
	char name[64];

	(void)state;
	first = tfp_strings_text(strings, tfp_strings_add_text(strings, "first"));
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(tfp_strings_add(strings, name, name_of(name, i)), i + 2);
	for (size_t i = 0; i < MANY; i++) {
		size_t size = name_of(name, i);

		assert_int_equal(tfp_strings_find(strings, name, size), i + 2);
		assert_string_equal(tfp_strings_text(strings, (tfp_str)(i + 2)), name);
	}
	assert_ptr_equal(tfp_strings_text(strings, 1), first);
	assert_int_equal(tfp_strings_count(strings), MANY + 2);
	assert_true(tfp_strings_bytes(strings) < (size_t)MANY * 128);
	tfp_strings_free(strings);
}

static void many_at_once_equals_one_by_one(void **state)
{
	struct tfp_strings *one = tfp_strings_new(), *many = tfp_strings_new();
	static char names[5000][64];
	static struct tfp_span spans[5000];
	static tfp_str ids[5000];

	(void)state;
	for (size_t i = 0; i < 5000; i++) /* each name four times, and empty ones */
		if (i % 11)
			spans[i] = (struct tfp_span){names[i], name_of(names[i], i % 1250)};
	for (size_t done = 0, group = 1; done < 5000; done += group, group = group % 40 + 1) {
		group = group < 5000 - done ? group : 5000 - done;
		tfp_strings_add_many(many, spans + done, group, ids + done);
	}
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(tfp_strings_add(one, spans[i].at, spans[i].size), ids[i]);
	assert_int_equal(tfp_strings_count(one), tfp_strings_count(many));
	tfp_strings_free(one);
	tfp_strings_free(many);
}

struct handed_over {
	struct tfp_strings *strings;
	_Atomic uint32_t known; /* ids below may be read */
};

static void *read_what_is_known(void *data)
{
	struct handed_over *shared = data;
	size_t wrong = 0;
	char name[64];

	for (uint32_t known = 0, next = 1; known <= MANY;) {
		known = atomic_load_explicit(&shared->known, memory_order_acquire);
		for (; next < known; next += 1 + next / 16) {
			size_t size = name_of(name, next - 1);
			struct tfp_span span = tfp_strings_get(shared->strings, next);

			wrong += !tfp_span_equal(span, (struct tfp_span){name, size});
		}
	}
	return wrong ? data : NULL;
}

static void readers_need_no_lock(void **state)
{
	struct handed_over shared = {tfp_strings_new(), 0};
	pthread_t reader;
	void *wrong;
	char name[64];

	(void)state;
	assert_int_equal(pthread_create(&reader, NULL, read_what_is_known, &shared), 0);
	for (size_t i = 0; i < MANY; i++) {
		tfp_str id = tfp_strings_add(shared.strings, name, name_of(name, i));

		atomic_store_explicit(&shared.known, id + 1, memory_order_release);
	}
	pthread_join(reader, &wrong);
	assert_null(wrong);
	tfp_strings_free(shared.strings);
}

static void hash_spreads(void **state)
{
	struct tfp_hash_key key = tfp_hash_key_new(), other = tfp_hash_key_new();
	size_t buckets[256] = {0};
	char name[64];

	(void)state;
	assert_true(key.a != other.a && key.b != other.b);
	for (size_t i = 0; i < 25600; i++)
		buckets[tfp_hash_bytes(key, name, name_of(name, i)) >> 56]++;
	for (size_t i = 0; i < 256; i++)
		assert_in_range(buckets[i], 30, 200); /* 100 expected, 10 the usual deviation */
}

static int compare_hashes(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Where a hash stands for an id, no other id may have it: 1000 and 10000 had one, whatever the key. */
static void numbers_have_hashes_of_their_own(void **state)
{
	struct tfp_hash_key key = tfp_hash_key_new();
	uint64_t *hashes = tfp_realloc_array(NULL, MANY + 20, sizeof(*hashes));
	size_t count = 0;
	char text[32];

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		hashes[count++] =
			tfp_hash_bytes(key, text, (size_t)snprintf(text, sizeof(text), "%zu", i));
	for (size_t i = 1000000; count < MANY + 10; i *= 10)
		hashes[count++] =
			tfp_hash_bytes(key, text, (size_t)snprintf(text, sizeof(text), "%zu", i));
	qsort(hashes, count, sizeof(*hashes), compare_hashes);
	for (size_t i = 1; i < count; i++)
		assert_true(hashes[i] != hashes[i - 1]);
	tfp_array_release(hashes);
}

static void spans_compare_bytewise(void **state)
{
	(void)state;
	assert_true(tfp_span_compare(TFP_SPAN("a"), TFP_SPAN("ab")) < 0);
	assert_true(tfp_span_compare(TFP_SPAN("\xff"), TFP_SPAN("a")) > 0);
	assert_true(tfp_span_compare(TFP_SPAN(""), TFP_SPAN("a")) < 0);
	assert_int_equal(tfp_span_compare(TFP_SPAN("ab"), tfp_span_of("ab")), 0);
	assert_int_equal(tfp_span_compare((struct tfp_span){NULL, 0}, TFP_SPAN("")), 0);
	assert_true(tfp_span_equal((struct tfp_span){NULL, 0}, TFP_SPAN("")));
	assert_false(tfp_span_equal(TFP_SPAN("a"), TFP_SPAN("b")));
}

static void spans_begin_end_and_hold(void **state)
{
	const struct tfp_span nothing = {NULL, 0};

	(void)state;
	assert_true(tfp_span_is(TFP_SPAN("ab"), "ab"));
	assert_false(tfp_span_is(TFP_SPAN("ab"), "a"));
	assert_true(tfp_span_is(nothing, ""));
	assert_true(tfp_span_begins(TFP_SPAN("ab"), TFP_SPAN("a")));
	assert_false(tfp_span_begins(TFP_SPAN("a"), TFP_SPAN("ab")));
	assert_true(tfp_span_ends(TFP_SPAN("ab"), TFP_SPAN("b")));
	assert_true(tfp_span_ends(nothing, TFP_SPAN("")));
	assert_false(tfp_span_ends(TFP_SPAN("b"), TFP_SPAN("ab")));
	assert_false(tfp_span_ends(TFP_SPAN("ab"), TFP_SPAN("a")));
	assert_true(tfp_span_holds(TFP_SPAN("abc"), "b"));
	assert_false(tfp_span_holds(TFP_SPAN("abc"), "ac"));
}

static void spans_are_cut(void **state)
{
	const struct tfp_span nothing = {NULL, 0};
	struct tfp_span head, tail;

	(void)state;
	assert_true(tfp_span_is(tfp_span_from(TFP_SPAN("abc"), 1), "bc"));
	assert_true(tfp_span_is(tfp_span_trim(TFP_SPAN(" \ta b\r ")), "a b"));
	assert_true(tfp_span_is(tfp_span_trim(TFP_SPAN("  ")), ""));
	assert_true(tfp_span_split(TFP_SPAN("a: b: c"), TFP_SPAN(": "), &head, &tail));
	assert_true(tfp_span_is(head, "a") && tfp_span_is(tail, "b: c"));
	assert_false(tfp_span_split(TFP_SPAN("abc"), TFP_SPAN(":"), &head, &tail));
	assert_true(tfp_span_is(head, "abc") && !tail.size);
	assert_false(tfp_span_split(nothing, TFP_SPAN(":"), &head, &tail));
	assert_true(!head.size && !tail.size);
}

static void paths_end_in_names(void **state)
{
	(void)state;
	assert_string_equal(tfp_path_name("a/b.c"), "b.c");
	assert_string_equal(tfp_path_name("b.c"), "b.c");
	assert_string_equal(tfp_path_name("a/"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_is_zero),
		cmocka_unit_test(ids_follow_arrival),
		cmocka_unit_test(bytes_are_kept_raw),
		cmocka_unit_test(each_byte_counts),
		cmocka_unit_test(many_stay_where_they_are),
		cmocka_unit_test(many_at_once_equals_one_by_one),
		cmocka_unit_test(readers_need_no_lock),
		cmocka_unit_test(hash_spreads),
		cmocka_unit_test(numbers_have_hashes_of_their_own),
		cmocka_unit_test(spans_compare_bytewise),
		cmocka_unit_test(spans_begin_end_and_hold),
		cmocka_unit_test(spans_are_cut),
		cmocka_unit_test(paths_end_in_names),
	};

	return cmocka_run_group_tests_name("strings", tests, NULL, NULL);
}
