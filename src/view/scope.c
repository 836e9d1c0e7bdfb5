/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scope view: names are paths. Nodes are sorted so that a scope stands right before what is in it; one
 * walk over them then makes the rows in preorder. A scope that is no node itself is a row of its own,
 * whose label is the head of the first name in it.
 */
#include <stdlib.h>
#include <string.h>

#include "view/base.h"
#include "view/names.h"

#define SCOPE_TYPE "_kTFScopeParent" /* TensorFlow's op type of a scope that is no node */
#define POLL       4096

/* A row before there are columns. */
struct entry {
	uint32_t parent;
	uint32_t node; /* whose name the label is the head of */
	uint32_t size; /* of the label */
	bool is_node;
};

struct maker {
	struct tfp_build *build;
	TFP_ARRAY(struct entry) entries;
	TFP_ARRAY(uint32_t) open; /* rows from the root to the last row */
};

static struct tfp_span name_of(const struct maker *maker, uint32_t node)
{
	const struct tfp_profile *profile = maker->build->profile;

	return tfp_strings_get(profile->strings, profile->nodes.name[node]);
}

static struct tfp_named *sort_names(const struct maker *maker)
{
	uint32_t count = maker->build->profile->nodes.count;
	struct tfp_named *items = tfp_realloc_array(NULL, count, sizeof(*items));

	for (uint32_t i = 0; i < count; i++) {
		items[i].name = name_of(maker, i);
		items[i].id = i;
	}
	if (tfp_names_sort(items, count, TFP_NAMES_PATHS, maker->build->job))
		return items;
	free(items);
	return NULL;
}

static size_t shared_head(struct tfp_span a, struct tfp_span b)
{
	size_t size = a.size < b.size ? a.size : b.size, at = 0;
	uint64_t left, right;

	for (; size - at >= sizeof(left); at += sizeof(left)) {
		memcpy(&left, a.at + at, sizeof(left));
		memcpy(&right, b.at + at, sizeof(right));
		if (left != right)
			break;
	}
	while (at < size && a.at[at] == b.at[at])
		at++;
	return at;
}

static void add_entry(struct maker *maker, uint32_t node, size_t size, bool is_node)
{
	uint32_t row = (uint32_t)maker->entries.count;

	*tfp_array_push(&maker->entries) = (struct entry){
		.parent = maker->open.at[maker->open.count - 1],
		.node = node,
		.size = (uint32_t)size,
		.is_node = is_node,
	};
	*tfp_array_push(&maker->open) = row;
}

/* Closes the rows that NAME, which shares its first SHARED bytes with the last name, does not lie below. */
static void close_rows(struct maker *maker, struct tfp_span name, size_t shared)
{
	while (maker->open.count > 1) {
		uint32_t row = maker->open.at[maker->open.count - 1];
		uint32_t size = maker->entries.at[row].size;

		if (size <= shared && size < name.size && name.at[size] == '/')
			return;
		maker->open.count--;
	}
}

static void add_name(struct maker *maker, struct tfp_span name, uint32_t node)
{
	size_t from = 0;

	if (maker->open.count > 1)
		from = maker->entries.at[maker->open.at[maker->open.count - 1]].size + (size_t)1;
	while (from <= name.size) {
		const char *slash = memchr(name.at + from, '/', name.size - from);

		if (!slash)
			break;
		add_entry(maker, node, (size_t)(slash - name.at), false);
		from = (size_t)(slash - name.at) + 1;
	}
	add_entry(maker, node, name.size, true);
}

/* The rows, row 0 being the root. False when cancelled. */
static bool make_entries(struct maker *maker)
{
	uint32_t count = maker->build->profile->nodes.count;
	struct tfp_named *items = sort_names(maker);
	struct tfp_span last = {"", 0};

	if (!items)
		return false;
	tfp_array_reserve(&maker->entries, (size_t)count + count / 4 + 1);
	*tfp_array_push(&maker->entries) = (struct entry){.parent = TFP_NONE};
	*tfp_array_push(&maker->open) = 0;
	for (uint32_t i = 0; i < count; i++) {
		close_rows(maker, items[i].name, shared_head(last, items[i].name));
		add_name(maker, items[i].name, items[i].id);
		last = items[i].name;
	}
	free(items);
	return true;
}

/* Structure, names and the account of one row. False when a match limit was reached. */
static bool fill_row(struct maker *maker, struct tfp_base *base, uint32_t row, bool scopes)
{
	const struct entry *entry = &maker->entries.at[row];
	int times = scopes;

	base->parent[row] = entry->parent;
	base->name[row] = maker->build->profile->nodes.name[entry->node];
	base->name_size[row] = entry->size;
	base->key[row] = tfp_key_name(tfp_base_label(base, row));
	if (entry->is_node) {
		base->node[row] = entry->node;
		base->flags[row] = TFP_ROW_NODE | TFP_ROW_LEAF;
		tfp_base_set(base, maker->build, row, entry->node);
		times = tfp_account_node(&maker->build->account, entry->node);
	}
	if (times > 0)
		base->flags[row] |= TFP_ROW_ACCOUNTED;
	return times >= 0;
}

static struct tfp_base *make_base(struct maker *maker)
{
	uint32_t count = (uint32_t)maker->entries.count;
	int scopes = tfp_account_type(&maker->build->account, TFP_SPAN(SCOPE_TYPE));
	struct tfp_base *base;

	if (scopes < 0)
		return NULL;
	base = tfp_base_new(&tfp_view_scope, maker->build, count);
	tfp_base_add_sizes(base);
	for (uint32_t row = 1; row < count; row++) {
		bool stop = row % POLL == 0 && tfp_job_cancelled(maker->build->job);

		if (stop || !fill_row(maker, base, row, scopes)) {
			tfp_base_release(base);
			return NULL;
		}
	}
	tfp_base_sum(base, true);
	return base;
}

static struct tfp_base *build_scope(struct tfp_engine *engine, const struct tfp_query *query,
				    struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_base *base = NULL;
	struct tfp_build build;
	struct maker maker = {.build = &build};

	if (!tfp_build_begin(&build, engine, query, 0, job, diag))
		return NULL;
	if (make_entries(&maker))
		base = make_base(&maker);
	tfp_array_free(&maker.entries);
	tfp_array_free(&maker.open);
	tfp_build_end(&build);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->has_graph || profile->tensorflow ? NULL
							 : "These files have no named scopes";
}

static const struct tfp_view_rules rules = {
	.self_minimums = true,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_scope = {
	.name = "scope",
	.title = "scope",
	.digit = '1',
	.missing = missing,
	.build = build_scope,
	.rules = &rules,
};
