/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of scopes and nodes from names in the order of paths: see scopes.h. */
#include "view/group/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "view/group/names.h"

static tfp_str name_id(const struct tfp_scopes *scopes, uint32_t node)
{
	return scopes->names ? scopes->names[node] : scopes->profile->nodes.name[node];
}

struct tfp_span tfp_scopes_name(const struct tfp_scopes *scopes, uint32_t node)
{
	return tfp_strings_get(scopes->profile->strings, name_id(scopes, node));
}

/* What is only named, but is no node. */
static bool is_part(const struct tfp_scopes *scopes, uint32_t node)
{
	return node >= scopes->profile->nodes.count;
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

static void add_row(struct tfp_scopes *scopes, uint32_t node, size_t size, bool is_node)
{
	uint32_t row = (uint32_t)scopes->rows.count;

	*tfp_array_push(&scopes->rows) = (struct tfp_scope_row){
		.parent = scopes->open.at[scopes->open.count - 1],
		.node = node,
		.size = (uint32_t)size,
		.is_node = is_node,
	};
	*tfp_array_push(&scopes->open) = row;
}

/* Closes the rows that NAME, which shares its first SHARED bytes with the last name, does not lie below. */
static void close_rows(struct tfp_scopes *scopes, struct tfp_span name, size_t shared)
{
	while (scopes->open.count > 1) {
		uint32_t row = scopes->open.at[scopes->open.count - 1];
		uint32_t size = scopes->rows.at[row].size;

		if (size <= shared && size < name.size && name.at[size] == '/')
			return;
		scopes->open.count--;
	}
}

void tfp_scopes_begin(struct tfp_scopes *scopes, uint32_t parent)
{
	*tfp_array_push(&scopes->rows) = (struct tfp_scope_row){.parent = parent, .node = TFP_NONE};
	scopes->open.count = 0;
	*tfp_array_push(&scopes->open) = (uint32_t)scopes->rows.count - 1;
	scopes->last = (struct tfp_span){"", 0};
	scopes->above = TFP_NONE;
	scopes->named = TFP_NONE;
}

/* Adds NODE to the row of the node before it, if that has its name. */
static bool join(struct tfp_scopes *scopes, uint32_t node)
{
	struct tfp_scope_row *row;

	if (!scopes->joins || is_part(scopes, node))
		return false;
	*tfp_array_push(&scopes->nodes) = node;
	if (scopes->named == TFP_NONE)
		return false;
	row = &scopes->rows.at[scopes->named];
	if (name_id(scopes, row->node) != name_id(scopes, node))
		return false;
	row->count++;
	return true;
}

void tfp_scopes_add(struct tfp_scopes *scopes, uint32_t node)
{
	struct tfp_span name = tfp_scopes_name(scopes, node);
	size_t from = 0;

	if (join(scopes, node) || (is_part(scopes, node) && tfp_span_equal(scopes->last, name)))
		return;
	if (scopes->forward && scopes->above != TFP_NONE &&
	    scopes->forward[node] == scopes->above) {
		add_row(scopes, node, name.size, true);
		scopes->open.count--;
		return;
	}
	scopes->above = node;
	close_rows(scopes, name, shared_head(scopes->last, name));
	scopes->last = name;
	if (scopes->open.count > 1)
		from = scopes->rows.at[scopes->open.at[scopes->open.count - 1]].size + (size_t)1;
	while (from <= name.size) {
		const char *slash = memchr(name.at + from, '/', name.size - from);

		if (!slash)
			break;
		add_row(scopes, node, (size_t)(slash - name.at), false);
		from = (size_t)(slash - name.at) + 1;
	}
	add_row(scopes, node, name.size, !is_part(scopes, node));
	if (is_part(scopes, node)) {
		scopes->named = TFP_NONE;
		return;
	}
	scopes->named = (uint32_t)scopes->rows.count - 1;
	scopes->rows.at[scopes->named].first = (uint32_t)scopes->nodes.count - scopes->joins;
	scopes->rows.at[scopes->named].count = 1;
}

/* Puts NODES into the order of paths. False when cancelled. */
static bool sort_nodes(const struct tfp_scopes *scopes, struct tfp_job *job, uint32_t *nodes,
		       uint32_t count)
{
	struct tfp_named *items = tfp_realloc_array(NULL, count, sizeof(*items));
	bool sorted;

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct tfp_named){tfp_scopes_name(scopes, nodes[i]), nodes[i], 0};
	sorted = tfp_names_sort(items, count, TFP_NAMES_PATHS, job);
	for (uint32_t i = 0; i < count; i++)
		nodes[i] = items[i].id;
	free(items);
	return sorted;
}

bool tfp_scopes_make(struct tfp_scopes *scopes, struct tfp_build *build, struct tfp_merge *merge,
		     uint32_t *nodes, uint32_t count)
{
	scopes->profile = build->profile;
	scopes->joins = build->profile->trace != NULL;
	if (!sort_nodes(scopes, build->job, nodes, count))
		return false;
	if (merge) {
		tfp_merge_order(merge, nodes, count);
		scopes->forward = merge->forward;
	}
	tfp_array_reserve(&scopes->rows, (size_t)count + count / 4 + 1);
	tfp_scopes_begin(scopes, TFP_NONE);
	for (uint32_t i = 0; i < count; i++)
		tfp_scopes_add(scopes, nodes[i]);
	return !build->query->fold_siblings || tfp_scopes_fold(scopes, build->job);
}

bool tfp_scopes_is_part(const struct tfp_scopes *scopes, uint32_t row)
{
	const struct tfp_scope_row *at = &scopes->rows.at[row];

	return at->node != TFP_NONE && is_part(scopes, at->node) &&
	       at->size == tfp_scopes_name(scopes, at->node).size;
}

void tfp_scopes_free(struct tfp_scopes *scopes)
{
	tfp_array_free(&scopes->rows);
	tfp_array_free(&scopes->open);
	tfp_array_free(&scopes->nodes);
}

/* What row ROW of the base is made of. */
static const struct tfp_scope_row *row_of(const struct tfp_scopes *scopes, uint32_t row)
{
	return &scopes->rows.at[row - scopes->before];
}

void tfp_scopes_fill(const struct tfp_scopes *scopes, const struct tfp_build *build,
		     struct tfp_base *base, uint32_t row)
{
	const struct tfp_scope_row *from = row_of(scopes, row);

	base->parent[row] = scopes->before + from->parent;
	base->name[row] = name_id(scopes, from->node);
	base->name_size[row] = from->size;
	if (from->fold) {
		base->name[row] = from->fold;
		base->name_size[row] =
			(uint32_t)tfp_strings_get(scopes->profile->strings, from->fold).size;
		base->flags[row] |= TFP_ROW_FOLD;
	}
	if (!from->is_node)
		return;
	base->flags[row] = TFP_ROW_LEAF;
	if (from->count > 1)
		return;
	base->node[row] = from->node;
	base->flags[row] |= TFP_ROW_NODE;
	if (!scopes->joins)
		tfp_base_set(base, build, row, from->node);
}

int tfp_scopes_take(const struct tfp_scopes *scopes, struct tfp_build *build, struct tfp_base *base,
		    uint32_t row)
{
	const struct tfp_scope_row *from = row_of(scopes, row);
	uint32_t next;
	int taken = 0;

	if (!base->picks)
		tfp_base_add_picks(base, (uint32_t)scopes->nodes.count);
	next = base->pick_first[row];
	for (uint32_t i = 0; from->is_node && i < from->count; i++) {
		uint32_t node = scopes->nodes.at[from->first + i];
		int times = tfp_account_node(&build->account, node);

		if (times < 0)
			return -1;
		if (!times)
			continue;
		base->picks[next++] = node;
		tfp_base_add(base, build, row, node, 1);
		taken++;
	}
	base->pick_first[row + 1] = next;
	return taken;
}

bool tfp_scopes_account(const struct tfp_scopes *scopes, struct tfp_build *build,
			struct tfp_base *base, uint32_t row, int of_scopes)
{
	int taken = scopes->joins ? tfp_scopes_take(scopes, build, base, row) : 0;
	int times = of_scopes;

	if (base->flags[row] & TFP_ROW_LEAF)
		times = scopes->joins ? taken : tfp_account_node(&build->account, base->node[row]);
	if (times > 0)
		base->flags[row] |= TFP_ROW_ACCOUNTED;
	return times >= 0 && taken >= 0;
}

struct tfp_span tfp_scopes_identity(const struct tfp_scopes *scopes, const struct tfp_base *base,
				    uint32_t row)
{
	struct tfp_span label = tfp_base_label(base, row);

	label.size = row_of(scopes, row)->size;
	return label;
}
