/* SPDX-License-Identifier: Apache-2.0 */
/* Who recorded the files of a run, in words: few, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "load/find/members.h"

#define MOST 8

/* Of so many RANKS. */
static const char *text_of(const int64_t *ranks, size_t count, struct tfp_arena *arena)
{
	struct tfp_ranked ranked[MOST] = {{0}};
	struct tfp_member members[MOST];

	for (size_t i = 0; i < count; i++) {
		ranked[i] = (struct tfp_ranked){.rank = ranks[i], .ranks = 64};
		members[i] = (struct tfp_member){NULL, &ranked[i]};
	}
	return tfp_members_text(members, count, arena);
}

static void ranks_are_ranges(void **state)
{
	struct tfp_arena arena = {0};

	(void)state;
	assert_string_equal(text_of((int64_t[]){3}, 1, &arena), "rank 3");
	assert_string_equal(text_of((int64_t[]){1, 0}, 2, &arena), "ranks 0-1");
	assert_string_equal(text_of((int64_t[]){2, 5, 0, 1, 7, 8}, 6, &arena), "ranks 0-2, 5, 7-8");
	tfp_arena_free(&arena);
}

static void of_many_names_the_first_are_told(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
	struct tfp_ranked ranked = {0};
	struct tfp_member members[6];
	struct tfp_arena arena = {0};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		members[i] = (struct tfp_member){names[i], &ranked};
	assert_string_equal(tfp_members_text(members, 2, &arena), "a, b");
	assert_string_equal(tfp_members_text(members, 5, &arena), "a, b, c, d, e");
	assert_string_equal(tfp_members_text(members, 6, &arena), "a, b, c, d and 2 more");
	/* who has no place has the name of the worker */
	ranked.worker = TFP_SPAN("h_1");
	members[1].host = NULL;
	assert_string_equal(tfp_members_text(members, 2, &arena), "a, h_1");
	tfp_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_ranges),
		cmocka_unit_test(of_many_names_the_first_are_told),
	};

	return cmocka_run_group_tests_name("members", tests, NULL, NULL);
}
