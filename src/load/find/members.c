/* SPDX-License-Identifier: Apache-2.0 */
/* Who recorded the files of one run: see members.h. */
#include "load/find/members.h"

#include <stdlib.h>

#define MOST_NAMED 4 /* of many */

/* The ranks of all of them, sorted; NULL: not all say theirs. */
static int64_t *sorted_ranks(const struct tfp_member *members, size_t count)
{
	int64_t *ranks = tfp_realloc_array(NULL, count, sizeof(*ranks));

	for (size_t i = 0; i < count; i++) {
		if (members[i].host || !members[i].ranked->ranks) {
			tfp_array_release(ranks);
			return NULL;
		}
		ranks[i] = members[i].ranked->rank;
	}
	qsort(ranks, count, sizeof(*ranks), tfp_number_compare);
	return ranks;
}

/* "rank 3", "ranks 0-2, 5": what follows one another is a range. */
static const char *ranks_text(const int64_t *ranks, size_t count, struct tfp_arena *arena)
{
	const char *text = count == 1 ? "rank" : "ranks";

	for (size_t i = 0, end; i < count; i = end) {
		const char *before = i ? "," : "";

		for (end = i + 1; end < count && ranks[end] == ranks[end - 1] + 1;)
			end++;
		if (end - i > 1)
			text = tfp_arena_printf(arena, "%s%s %lld-%lld", text, before,
						(long long)ranks[i], (long long)ranks[end - 1]);
		else
			text = tfp_arena_printf(arena, "%s%s %lld", text, before,
						(long long)ranks[i]);
	}
	return text;
}

static const char *name_of(const struct tfp_member *member, struct tfp_arena *arena)
{
	if (member->host)
		return member->host;
	if (member->ranked->ranks)
		return tfp_arena_printf(arena, "rank %lld", (long long)member->ranked->rank);
	return tfp_arena_text(arena, member->ranked->worker.at, member->ranked->worker.size);
}

const char *tfp_members_text(const struct tfp_member *members, size_t count,
			     struct tfp_arena *arena)
{
	int64_t *ranks = sorted_ranks(members, count);
	size_t named = count > MOST_NAMED + 1 ? MOST_NAMED : count;
	const char *text;

	if (ranks) {
		text = ranks_text(ranks, count, arena);
		tfp_array_release(ranks);
		return text;
	}
	text = name_of(&members[0], arena);
	for (size_t i = 1; i < named; i++)
		text = tfp_arena_printf(arena, "%s, %s", text, name_of(&members[i], arena));
	if (named < count)
		text = tfp_arena_printf(arena, "%s and %zu more", text, count - named);
	return text;
}
