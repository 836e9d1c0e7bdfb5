/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of a recording and what their allocator says of itself: see counted.h. */
#include "load/counted.h"

/* The place of KEY; NEXT where it is new. */
static uint32_t place_of(struct tfp_counted_places *places, uint64_t key, size_t next)
{
	if (!places->asked || places->key != key) {
		places->asked = true;
		places->key = key;
		places->place = tfp_idmap_add(&places->map, key, (uint32_t)next);
	}
	return places->place;
}

uint32_t tfp_counting_teller(struct tfp_counting *counting, const struct tfp_alloc *alloc)
{
	uint32_t teller =
		place_of(&counting->tellers, (uint64_t)alloc->file << 32 | alloc->allocator,
			 counting->tells.count);

	if (teller == counting->tells.count)
		*tfp_array_push(&counting->tells) = false;
	return teller;
}

void tfp_counting_tell(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total)
{
	uint32_t teller = tfp_counting_teller(counting, alloc);

	counting->tells.at[teller] |= total > 0;
}

static struct tfp_account_held *account_of(struct tfp_counting *counting, uint32_t step,
					   uint32_t teller)
{
	uint32_t place = place_of(&counting->places, (uint64_t)step << 32 | teller,
				  counting->accounts.count);

	if (place == counting->accounts.count)
		*tfp_array_push(&counting->accounts) = (struct tfp_account_held){0};
	return &counting->accounts.at[place];
}

/* When the step of ALLOC begins for its rank, in ns; what is held before its first record is held since then. */
static int64_t begin_of(const struct tfp_profile *profile, const struct tfp_alloc *alloc)
{
	int64_t unit = profile->trace->unit == TFP_PICOS ? 1000 : 1;
	int64_t begin = tfp_trace_step_begin(profile, alloc->file, alloc->step) / unit;

	return begin < alloc->time ? begin : alloc->time;
}

/* What TOTAL shows to be held beyond what the records before ALLOC add up to. */
static void find_missing(struct tfp_counting *counting, struct tfp_account_held *account,
			 const struct tfp_alloc *alloc, int64_t total, struct tfp_alloc *missing)
{
	*missing = *alloc;
	missing->node = counting->before;
	missing->bytes =
		(int64_t)((uint64_t)total - (uint64_t)alloc->bytes - (uint64_t)account->held);
	if (!account->begun)
		missing->time = begin_of(counting->profile, alloc);
	account->held = total;
	account->begun = true;
}

bool tfp_counting_count(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total,
			struct tfp_alloc *missing)
{
	uint32_t teller = tfp_counting_teller(counting, alloc);
	bool known = counting->tells.at[teller];
	struct tfp_account_held *account = account_of(counting, alloc->step, teller);

	missing->bytes = 0;
	counting->profile->held_unknown |= !known;
	if (!known && alloc->node == counting->before)
		return false;
	if (known && total >= 0)
		find_missing(counting, account, alloc, total, missing);
	else
		account->held = tfp_wrap_add(account->held, alloc->bytes);
	return true;
}

/* What the records of TELLER add up to, in all steps. */
static int64_t *sum_of(struct tfp_counting *counting, uint32_t teller)
{
	while (counting->sums.count <= teller)
		*tfp_array_push(&counting->sums) = 0;
	return &counting->sums.at[teller];
}

/*
 * Its allocator says no totals, so the sum of the records stands for them: what earlier steps left is held in the step of
 * ALLOC from before. Where more was given back than taken, that is not known.
 */
static void find_left(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total,
		      struct tfp_alloc *missing)
{
	struct tfp_account_held *account =
		account_of(counting, alloc->step, tfp_counting_teller(counting, alloc));
	int64_t left = tfp_wrap_add(total, tfp_wrap_mul(alloc->bytes, -1));

	if (!account->begun && left < 0)
		account->held = left;
	find_missing(counting, account, alloc, total, missing);
}

void tfp_counting_add(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total,
		      bool recorded)
{
	uint32_t teller = tfp_counting_teller(counting, alloc);
	int64_t *sum = sum_of(counting, teller);
	struct tfp_alloc missing = {.bytes = 0};
	bool told = counting->tells.at[teller];

	*sum = tfp_wrap_add(*sum, recorded ? alloc->bytes : 0);
	if (alloc->step == TFP_NONE)
		return;
	counting->profile->held_unknown |= !told;
	if (told)
		tfp_counting_count(counting, alloc, total, &missing);
	else if (recorded)
		find_left(counting, alloc, *sum, &missing);
	if (missing.bytes)
		tfp_profile_add_alloc(counting->profile, &missing);
	if (told || recorded)
		tfp_profile_add_alloc(counting->profile, alloc);
}

bool tfp_counting_has(const struct tfp_counting *counting, uint32_t step, uint32_t teller)
{
	return tfp_idmap_get(&counting->places.map, (uint64_t)step << 32 | teller) != TFP_NONE;
}

void tfp_counting_end(struct tfp_counting *counting)
{
	tfp_idmap_free(&counting->tellers.map);
	tfp_idmap_free(&counting->places.map);
	tfp_array_free(&counting->tells);
	tfp_array_free(&counting->sums);
	tfp_array_free(&counting->accounts);
}
