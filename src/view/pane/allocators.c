/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory is full when that of one allocator is: what a host and its devices, or several ranks, hold at the same time is no sum
 * of anything. So they are told apart, and one of them is shown.
 */
#include "view/pane/allocators.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tfprof/query.h"
#include "view/query/line.h"

#define LISTED 3  /* of those not shown */
#define NAMED  16 /* where none has the name */

/* ---- what each held -------------------------------------------------------------------------- */

bool tfp_allocator_has(const struct tfp_allocator *allocator, tfp_str name, uint32_t file)
{
	return allocator->name == name && allocator->file == file;
}

static uint32_t find(struct tfp_allocators *all, const struct tfp_alloc *alloc)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)alloc->file << 32 | alloc->allocator), id;

	if (!all->places)
		all->places = tfp_lookup_new();
	TFP_LOOKUP_EACH(id, all->places, hash)
		if (tfp_allocator_has(&all->list.at[id], alloc->allocator, alloc->file))
			return id;
	id = (uint32_t)all->list.count;
	tfp_lookup_add(all->places, hash, id);
	*tfp_array_push(&all->list) = (struct tfp_allocator){
		.name = alloc->allocator, .file = alloc->file, .peak = -1, .now = TFP_NONE};
	return id;
}

/* What is live has been so until now. */
static void look(struct tfp_allocator *at, uint32_t outside)
{
	int64_t live = at->live > 0 ? at->live : 0;

	if (at->now == TFP_NONE || live < at->peak)
		return;
	if (live == at->peak && (at->step != outside || at->now == outside))
		return;
	at->peak = live;
	at->step = at->now;
}

void tfp_allocators_add(struct tfp_allocators *all, struct tfp_alloc_list list, uint32_t step)
{
	struct tfp_alloc alloc;

	while (tfp_alloc_list_next(&list, &alloc)) {
		int64_t time = alloc.time / list.micro;
		struct tfp_allocator *at;

		if (all->last >= all->list.count ||
		    !tfp_allocator_has(&all->list.at[all->last], alloc.allocator, alloc.file))
			all->last = find(all, &alloc);
		at = &all->list.at[all->last];
		/* what happens in one microsecond happens at once */
		if (at->now != step || (at->time != time && alloc.time > list.from))
			look(at, all->outside);
		if (at->now != step)
			at->live = 0;
		at->now = step;
		at->time = time;
		at->live = tfp_wrap_add(at->live, alloc.bytes);
	}
}

void tfp_allocators_end(struct tfp_allocators *all)
{
	for (size_t i = 0; i < all->list.count; i++)
		look(&all->list.at[i], all->outside);
}

void tfp_allocators_free(struct tfp_allocators *all)
{
	if (all->places)
		tfp_lookup_free(all->places);
	tfp_array_free(&all->list);
}

/* ---- what they are called -------------------------------------------------------------------- */

static bool of_ranks(const struct tfp_allocators *all)
{
	for (size_t i = 1; i < all->list.count; i++)
		if (all->list.at[i].file != all->list.at[0].file)
			return true;
	return false;
}

static int64_t number_of(const struct tfp_trace *trace, uint32_t file)
{
	for (size_t i = 0; trace && i < trace->devices.count; i++)
		if (trace->devices.at[i].file == file && trace->devices.at[i].rank)
			return tfp_device_rank(&trace->devices.at[i]);
	return file;
}

const char *tfp_allocator_name(const struct tfp_allocators *all,
			       const struct tfp_allocator *allocator,
			       const struct tfp_profile *profile, struct tfp_arena *arena)
{
	const char *name = tfp_strings_text(profile->strings, allocator->name);
	struct tfp_span host = {0};
	int64_t rank;

	if (!*name)
		name = "a nameless allocator";
	if (!of_ranks(all))
		return tfp_arena_printf(arena, "%s", name);
	rank = number_of(profile->trace, allocator->file);
	if (profile->trace)
		host = tfp_rank_host(profile, rank);
	if (host.size)
		return tfp_arena_printf(arena, "%.*s %s", (int)(host.size < 200 ? host.size : 200),
					host.at, name);
	return tfp_arena_printf(arena, "rank %lld %s", (long long)rank, name);
}

static int by_peak(const void *left, const void *right)
{
	const struct tfp_allocator *a = left, *b = right;

	if (a->peak != b->peak)
		return a->peak > b->peak ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void sort_by_peak(struct tfp_allocators *all)
{
	if (all->list.count)
		qsort(all->list.at, all->list.count, sizeof(*all->list.at), by_peak);
}

struct tfp_words tfp_allocator_names(struct tfp_allocators *all, const struct tfp_profile *profile,
				     struct tfp_arena *arena)
{
	struct tfp_words names = {tfp_arena_zero(arena, all->list.count, sizeof(*names.at)), 0};

	sort_by_peak(all);
	for (size_t i = 0; i < all->list.count; i++)
		names.at[names.count++] = tfp_allocator_name(all, &all->list.at[i], profile, arena);
	return names;
}

/* ---- which is shown -------------------------------------------------------------------------- */

/* "rank 1 GPU" is how "rank 1 GPU 0" begins, "rank 1" is none of "rank 10 GPU 0". */
static bool begins_with_words(const char *name, const char *text)
{
	size_t size = strlen(text);

	return !strncasecmp(name, text, size) && name[size] == ' ';
}

/* How well NAME, or what is OWN of it, is TEXT; 0: not at all. As it is spelt is better than in another case. */
static int fitness_of_name(const char *name, const char *own, const char *text)
{
	const bool fits[] = {
		!strcmp(name, text),           !strcasecmp(name, text), !strcmp(own, text),
		!strcasecmp(own, text),        strstr(own, text),       strcasestr(own, text),
		begins_with_words(name, text), strcasestr(name, text),
	};
	const int count = sizeof(fits) / sizeof(*fits);

	for (int i = 0; i < count; i++)
		if (fits[i])
			return count - i;
	return 0;
}

/* "CPU", "cpu", "mklcpu", "gpu_host_bfc" */
static bool is_of_host(const char *name)
{
	return strcasestr(name, "cpu") || strcasestr(name, "host");
}

/* How well AT is what is looked for; 0: not at all. */
static int fitness_of(const struct tfp_allocators *all, const struct tfp_allocator *at,
		      const struct tfp_profile *profile, const char *text)
{
	const char *own = tfp_strings_text(profile->strings, at->name);
	struct tfp_arena arena = {0};
	int fitness;

	if (!text || !*text)
		return at->peak > 0 && !is_of_host(own) ? 2 : 1;
	fitness = fitness_of_name(tfp_allocator_name(all, at, profile, &arena), own, text);
	tfp_arena_free(&arena);
	return fitness;
}

const struct tfp_allocator *tfp_allocators_pick(const struct tfp_allocators *all,
						const struct tfp_profile *profile, const char *text)
{
	const struct tfp_allocator *best = NULL;
	int highest = 0;

	for (size_t i = 0; i < all->list.count; i++) {
		const struct tfp_allocator *at = &all->list.at[i];
		int fitness = fitness_of(all, at, profile, text);

		if (fitness > highest || (fitness && fitness == highest && at->peak > best->peak)) {
			best = at;
			highest = fitness;
		}
	}
	return best;
}

/* ---- in words -------------------------------------------------------------------------------- */

const char *tfp_allocators_others(struct tfp_allocators *all, const struct tfp_allocator *shown,
				  const struct tfp_profile *profile, struct tfp_arena *arena)
{
	const char *hint = of_ranks(all) ? "--rank, --allocator" : "--allocator";
	struct tfp_line line = {.arena = arena};
	char peak[TFP_NUMBER_ROOM];
	size_t count = 0;

	sort_by_peak(all);
	for (size_t i = 0; i < all->list.count; i++) {
		const struct tfp_allocator *at = &all->list.at[i];

		if (at->peak <= 0 || tfp_allocator_has(shown, at->name, at->file) ||
		    ++count > LISTED)
			continue;
		tfp_number_screen(peak, TFP_BYTES, at->peak);
		tfp_line_add(&line, ", ",
			     tfp_arena_printf(arena, "%s with %s",
					      tfp_allocator_name(all, at, profile, arena), peak));
	}
	if (!count)
		return NULL;
	if (count > LISTED)
		tfp_line_add(&line, ", ", tfp_arena_printf(arena, "%zu more", count - LISTED));
	return tfp_arena_printf(arena, "not shown (%s): %s at %s peak", hint, line.text,
				count > 1 ? "their" : "its");
}

void tfp_allocators_refuse(const struct tfp_allocators *all, const struct tfp_profile *profile,
			   const char *text, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_line line = {.arena = &arena};

	for (size_t i = 0; i < all->list.count && i < NAMED; i++)
		tfp_line_add(&line, ", ",
			     tfp_allocator_name(all, &all->list.at[i], profile, &arena));
	tfp_diag_error(diag, "--allocator=%s: there is none with that in its name; there are: %s%s",
		       text, line.text, all->list.count > NAMED ? ", ..." : "");
	tfp_arena_free(&arena);
}
