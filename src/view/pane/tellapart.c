/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a breakdown that would read the same: nobody could tell which is which.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/hash.h"
#include "view/pane/breakdown.h"

struct place {
	uint64_t key; /* of the label */
	struct tfp_breakdown_row *row;
};

/* Rows lie in one array: alike ones keep their order. */
static int compare(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->row < right->row ? -1 : left->row > right->row;
}

bool tfp_work_tell_apart(struct tfp_work *work,
			 void (*tell)(void *data, struct tfp_breakdown_row **alike, size_t count),
			 void *data)
{
	struct tfp_breakdown *out = work->out;
	size_t count = out->count - (out->others > 0), end;
	struct place *places = tfp_realloc_array(NULL, count, sizeof(*places));
	struct tfp_breakdown_row **alike = tfp_realloc_array(NULL, count, sizeof(*alike));
	bool told = false;

	for (size_t i = 0; i < count; i++) {
		struct tfp_span label = tfp_span_of(out->rows[i].label);

		places[i].key = tfp_hash_bytes(work->build.profile->hash_key, label.at, label.size);
		places[i].row = &out->rows[i];
	}
	qsort(places, count, sizeof(*places), compare);
	for (size_t first = 0; first < count; first = end) {
		for (end = first; end < count && places[end].key == places[first].key; end++)
			alike[end - first] = places[end].row;
		if (end - first < 2)
			continue;
		tell(data, alike, end - first);
		told = true;
	}
	free(places);
	free(alike);
	return told;
}

void tfp_row_tell(struct tfp_work *work, struct tfp_breakdown_row *row, const char *text)
{
	if (!*text)
		return;
	if (!row->alike)
		row->alike = strlen(row->label);
	row->label = tfp_arena_printf(&work->out->arena, "%s  %s", row->label, text);
}

struct tfp_span tfp_row_name(const struct tfp_breakdown_row *row)
{
	return row->alike ? (struct tfp_span){row->label, row->alike} : tfp_span_of(row->label);
}
