/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes: adding them, finding them by name, and their op types.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/model.h"
#include "model/private.h"
#include "tfprof/lookup.h"

static void grow_nodes(struct tfp_nodes *nodes)
{
	uint32_t room = tfp_room_after(nodes->room);

	nodes->name = tfp_realloc_array(nodes->name, room, sizeof(*nodes->name));
	nodes->op = tfp_realloc_array(nodes->op, room, sizeof(*nodes->op));
	nodes->device = tfp_realloc_array(nodes->device, room, sizeof(*nodes->device));
	nodes->cell = tfp_realloc_array(nodes->cell, room, sizeof(*nodes->cell));
	nodes->types = tfp_realloc_array(nodes->types, room, sizeof(*nodes->types));
	nodes->float_ops = tfp_realloc_array(nodes->float_ops, room, sizeof(*nodes->float_ops));
	nodes->record = tfp_realloc_array(nodes->record, room, sizeof(*nodes->record));
	nodes->flags = tfp_realloc_array(nodes->flags, room, sizeof(*nodes->flags));
	if (nodes->signature)
		nodes->signature =
			tfp_realloc_array(nodes->signature, room, sizeof(*nodes->signature));
	if (nodes->module)
		nodes->module = tfp_realloc_array(nodes->module, room, sizeof(*nodes->module));
	if (nodes->stack)
		nodes->stack = tfp_realloc_array(nodes->stack, room, sizeof(*nodes->stack));
	nodes->room = room;
}

static void name_node(struct tfp_profile *profile, tfp_str name, uint32_t node)
{
	size_t old = profile->node_of_name.count;

	if (name >= old) {
		tfp_array_reserve(&profile->node_of_name, (size_t)name + 1);
		profile->node_of_name.count = profile->node_of_name.room;
		memset(profile->node_of_name.at + old, 0xff,
		       (profile->node_of_name.room - old) * sizeof(uint32_t));
	}
	if (profile->node_of_name.at[name] == TFP_NONE)
		profile->node_of_name.at[name] = node;
}

uint32_t tfp_profile_add_node(struct tfp_profile *profile, tfp_str name, tfp_str op)
{
	struct tfp_nodes *nodes = &profile->nodes;
	uint32_t node = nodes->count;

	if (node == nodes->room)
		grow_nodes(nodes);
	nodes->name[node] = name;
	nodes->op[node] = op;
	nodes->device[node] = 0;
	nodes->cell[node] = TFP_NONE;
	nodes->types[node] = TFP_NONE;
	nodes->float_ops[node] = 0;
	nodes->record[node] = (struct tfp_record){0, TFP_NONE, TFP_NONE};
	nodes->flags[node] = 0;
	if (nodes->signature)
		nodes->signature[node] = 0;
	if (nodes->module)
		nodes->module[node] = 0;
	if (nodes->stack)
		nodes->stack[node] = TFP_NONE;
	nodes->count++;
	name_node(profile, name, node);
	return node;
}

uint32_t tfp_profile_find_node(const struct tfp_profile *profile, tfp_str name)
{
	return name < profile->node_of_name.count ? profile->node_of_name.at[name] : TFP_NONE;
}

void tfp_profile_add_type(struct tfp_profile *profile, uint32_t node, tfp_str type)
{
	uint64_t pair = (uint64_t)node << 32 | type;
	uint32_t hash =
		(uint32_t)tfp_hash_fold(pair ^ profile->hash_key.a, profile->hash_key.b | 1);
	uint32_t id;

	TFP_LOOKUP_EACH(id, profile->type_table, hash)
		if (profile->types.at[id].node == node && profile->types.at[id].name == type)
			return;
	tfp_lookup_add(profile->type_table, hash, (uint32_t)profile->types.count);
	*tfp_array_push(&profile->types) = (struct tfp_type){
		.name = type,
		.next = profile->nodes.types[node],
		.node = node,
	};
	profile->nodes.types[node] = (uint32_t)profile->types.count - 1;
}

/* Sets an entry of a column that is made with the first. */
static void set_text(const struct tfp_nodes *nodes, tfp_str **column, uint32_t node, tfp_str text)
{
	if (!*column)
		*column = tfp_alloc_zero(nodes->room, sizeof(**column));
	(*column)[node] = text;
}

void tfp_profile_set_signature(struct tfp_profile *profile, uint32_t node, tfp_str signature)
{
	set_text(&profile->nodes, &profile->nodes.signature, node, signature);
}

void tfp_profile_set_module(struct tfp_profile *profile, uint32_t node, tfp_str module)
{
	set_text(&profile->nodes, &profile->nodes.module, node, module);
}

static int compare_names(const void *left, const void *right, void *data)
{
	const struct tfp_strings *strings = data;
	tfp_str a = *(const tfp_str *)left, b = *(const tfp_str *)right;

	return tfp_span_compare(tfp_strings_get(strings, a), tfp_strings_get(strings, b));
}

size_t tfp_profile_types(const struct tfp_profile *profile, uint32_t node, tfp_str *types,
			 size_t room)
{
	const struct tfp_nodes *nodes = &profile->nodes;
	tfp_str own[2] = {nodes->op[node], nodes->device[node]};
	bool given = nodes->flags[node] & TFP_NODE_TYPES_GIVEN;
	bool wanted[2] = {!given, !given && own[1] && own[1] != own[0]};
	size_t count = 0;

	for (uint32_t i = nodes->types[node]; i != TFP_NONE; i = profile->types.at[i].next) {
		tfp_str type = profile->types.at[i].name;

		wanted[0] = wanted[0] && type != own[0];
		wanted[1] = wanted[1] && type != own[1];
		if (count++ < room)
			types[count - 1] = type;
	}
	for (size_t i = 0; i < 2; i++)
		if (wanted[i] && count++ < room)
			types[count - 1] = own[i];
	if (room)
		qsort_r(types, count < room ? count : room, sizeof(*types), compare_names,
			profile->strings);
	return count;
}
