/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes count. A node has a few op types out of few in all, so every type is matched once and the
 * answers are kept as one bit a pattern (and one for the literal text).
 */
#include <stdlib.h>
#include <string.h>

#include "view/match/match.h"
#include "view/match/shape.h"

#define BITS 64

bool tfp_account_init(struct tfp_account *account, const struct tfp_profile *profile,
		      const struct tfp_query *query, struct tfp_diag *diag)
{
	*account = (struct tfp_account){.profile = profile};
	if (!tfp_patterns_init(&account->patterns, query, TFP_ACCOUNT, diag))
		return false;
	account->shape = query->shape && *query->shape ? query->shape : NULL;
	account->quirks = query->compat ? TFP_QUIRKS_TF : 0;
	account->count_each = query->compat && !account->patterns.all;
	account->all = account->patterns.all && !account->shape;
	account->words = (account->patterns.count + BITS) / BITS;
	account->sum = tfp_alloc_zero(account->words, sizeof(*account->sum));
	return true;
}

void tfp_account_free(struct tfp_account *account)
{
	tfp_patterns_free(&account->patterns);
	tfp_array_free(&account->masks);
	free(account->place);
	free(account->sum);
}

/* Writes the bits of one type. False when a limit was reached. */
static bool match_type(struct tfp_account *account, struct tfp_span type, uint64_t *mask)
{
	const struct tfp_patterns *patterns = &account->patterns;
	size_t last = patterns->count;

	for (size_t i = 0; i < patterns->count; i++) {
		int result = patterns->open ? 1 : tfp_patterns_match_one(patterns, i, type);

		if (result < 0)
			return false;
		mask[i / BITS] |= (uint64_t)result << i % BITS;
	}
	if (!patterns->text || tfp_finder_match(patterns->text, type))
		mask[last / BITS] |= UINT64_C(1) << last % BITS;
	return true;
}

/* Adds what is known about TYPE to the node in hand. */
static bool add_type(struct tfp_account *account, tfp_str type)
{
	uint64_t *mask;

	if (type >= account->place_count) {
		size_t count = tfp_strings_count(account->profile->strings);

		free(account->place);
		account->place = tfp_alloc_zero(count, sizeof(*account->place));
		account->place_count = count;
		account->masks.count = 0;
	}
	if (!account->place[type]) {
		size_t at = account->masks.count;

		tfp_array_reserve(&account->masks, at + account->words);
		mask = memset(account->masks.at + at, 0, account->words * sizeof(*mask));
		if (!match_type(account, tfp_strings_get(account->profile->strings, type), mask))
			return false;
		account->masks.count += account->words;
		account->place[type] = (uint32_t)(at / account->words) + 1;
	}
	mask = account->masks.at + (size_t)(account->place[type] - 1) * account->words;
	for (size_t i = 0; i < account->words; i++)
		account->sum[i] |= mask[i];
	return true;
}

static bool add_types(struct tfp_account *account, uint32_t node)
{
	const struct tfp_profile *profile = account->profile;
	const struct tfp_nodes *nodes = &profile->nodes;

	if (!(nodes->flags[node] & TFP_NODE_TYPES_GIVEN)) {
		if (!add_type(account, nodes->op[node]))
			return false;
		if (nodes->device[node] && !add_type(account, nodes->device[node]))
			return false;
	}
	for (uint32_t i = nodes->types[node]; i != TFP_NONE; i = profile->types.at[i].next)
		if (!add_type(account, profile->types.at[i].name))
			return false;
	return true;
}

/* How many patterns match, by the bits gathered; one is enough unless each counts. */
static int weigh(const struct tfp_account *account)
{
	size_t last = account->patterns.count;
	int count = 0;

	if (!(account->sum[last / BITS] >> last % BITS & 1))
		return 0;
	for (size_t i = 0; i < account->words; i++)
		count += __builtin_popcountll(account->sum[i]);
	count--; /* the bit of the text */
	return account->count_each ? count : count > 0;
}

void tfp_account_need_runs(struct tfp_account *account)
{
	account->ran_only = true;
	account->all = false;
}

int tfp_account_node(struct tfp_account *account, uint32_t node)
{
	if (account->ran_only && account->profile->nodes.cell[node] == TFP_NONE)
		return 0;
	if (account->all)
		return 1;
	if (account->shape &&
	    !tfp_shape_passes(account->profile, node, account->shape, account->quirks))
		return 0;
	if (account->patterns.all)
		return 1;
	memset(account->sum, 0, account->words * sizeof(*account->sum));
	return add_types(account, node) ? weigh(account) : -1;
}

int tfp_account_type(struct tfp_account *account, struct tfp_span type)
{
	if (account->shape)
		return 0;
	if (account->all)
		return 1;
	memset(account->sum, 0, account->words * sizeof(*account->sum));
	if (!match_type(account, type, account->sum))
		return -1;
	return weigh(account) > 0;
}
