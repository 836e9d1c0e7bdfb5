/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The aggregated profile as a whole: making, freeing, its files and how much memory it holds.
 */
#include "model/private.h"
#include "tfprof/lookup.h"

struct tfp_profile *tfp_profile_new(void)
{
	struct tfp_profile *profile = tfp_alloc_zero(1, sizeof(*profile));

	profile->strings = tfp_strings_new();
	profile->runs_column = TFP_NONE;
	profile->hash_key = tfp_hash_key_new();
	profile->type_table = tfp_lookup_new();
	profile->shape_table = tfp_lookup_new();
	profile->frame_table = tfp_lookup_new();
	profile->stack_table = tfp_lookup_new();
	profile->tensor_table = tfp_lookup_new();
	*tfp_array_push(&profile->shape_first) = 0;
	return profile;
}

static void free_nodes(struct tfp_nodes *nodes)
{
	void *columns[] = {nodes->name,      nodes->op,           nodes->device,      nodes->cell,
			   nodes->types,     nodes->float_ops,    nodes->record,      nodes->flags,
			   nodes->shape,     nodes->output_first, nodes->input_first, nodes->stack,
			   nodes->signature, nodes->module};

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		tfp_array_release(columns[i]);
}

void tfp_profile_free(struct tfp_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->providers.count; i++)
		profile->providers.at[i].release(profile->providers.at[i].data);
	if (profile->value_store.release)
		profile->value_store.release(profile->value_store.data);
	tfp_trace_release(profile->trace);
	free_nodes(&profile->nodes);
	tfp_cells_release(&profile->cells);
	tfp_array_free(&profile->types);
	tfp_array_free(&profile->steps);
	tfp_array_free(&profile->files);
	tfp_array_free(&profile->inputs);
	tfp_array_free(&profile->output_shape);
	tfp_array_free(&profile->frames);
	tfp_array_free(&profile->stacks);
	tfp_array_free(&profile->execs);
	tfp_array_free(&profile->streams);
	tfp_allocs_free(&profile->allocs);
	tfp_array_free(&profile->in_use);
	tfp_array_free(&profile->holdings);
	tfp_array_free(&profile->facts);
	tfp_array_free(&profile->functions);
	tfp_array_free(&profile->body);
	tfp_array_free(&profile->calls);
	tfp_array_free(&profile->contents);
	tfp_array_free(&profile->given.rows);
	tfp_array_free(&profile->given.figures);
	tfp_array_free(&profile->presences);
	tfp_array_free(&profile->memories);
	tfp_array_free(&profile->memory_outputs);
	tfp_array_free(&profile->tensors);
	tfp_array_free(&profile->dims);
	tfp_array_free(&profile->shape_first);
	tfp_array_free(&profile->node_of_name);
	tfp_array_free(&profile->providers);
	tfp_lookup_free(profile->type_table);
	tfp_lookup_free(profile->shape_table);
	tfp_lookup_free(profile->frame_table);
	tfp_lookup_free(profile->stack_table);
	tfp_lookup_free(profile->tensor_table);
	tfp_arena_free(&profile->arena);
	tfp_strings_free(profile->strings);
	tfp_array_release(profile);
}

uint32_t tfp_profile_add_file(struct tfp_profile *profile, const char *path, const char *kind,
			      uint64_t disk_size, int64_t mtime)
{
	*tfp_array_push(&profile->files) = (struct tfp_file){
		.path = tfp_arena_printf(&profile->arena, "%s", path),
		.kind = tfp_arena_printf(&profile->arena, "%s", kind),
		.disk_size = disk_size,
		.mtime = mtime,
	};
	return (uint32_t)profile->files.count - 1;
}

static size_t node_bytes(const struct tfp_nodes *nodes)
{
	size_t row = 6 * sizeof(uint32_t) + sizeof(int64_t) + sizeof(struct tfp_record);
	size_t lazy = (nodes->shape != NULL) + (nodes->output_first != NULL) +
		      (nodes->input_first != NULL) + (nodes->stack != NULL) +
		      (nodes->signature != NULL) + (nodes->module != NULL);

	return nodes->room * row + nodes->count * lazy * sizeof(uint32_t);
}

#define ARRAY_BYTES(array) ((array).room * sizeof(*(array).at))

size_t tfp_profile_bytes(const struct tfp_profile *profile)
{
	size_t cell = 3 * sizeof(uint32_t) + profile->cell_columns * sizeof(int64_t);

	return sizeof(*profile) + tfp_trace_bytes(profile->trace) +
	       tfp_strings_bytes(profile->strings) + profile->arena.bytes +
	       node_bytes(&profile->nodes) + profile->cells.room * cell +
	       ARRAY_BYTES(profile->types) + ARRAY_BYTES(profile->steps) +
	       ARRAY_BYTES(profile->files) + ARRAY_BYTES(profile->inputs) +
	       ARRAY_BYTES(profile->output_shape) + ARRAY_BYTES(profile->frames) +
	       ARRAY_BYTES(profile->stacks) + ARRAY_BYTES(profile->execs) +
	       ARRAY_BYTES(profile->streams) + ARRAY_BYTES(profile->facts) +
	       ARRAY_BYTES(profile->functions) + ARRAY_BYTES(profile->body) +
	       ARRAY_BYTES(profile->calls) + ARRAY_BYTES(profile->given.rows) +
	       ARRAY_BYTES(profile->given.figures) + ARRAY_BYTES(profile->presences) +
	       ARRAY_BYTES(profile->memories) + ARRAY_BYTES(profile->memory_outputs) +
	       tfp_allocs_bytes(&profile->allocs) + ARRAY_BYTES(profile->tensors) +
	       ARRAY_BYTES(profile->dims) + ARRAY_BYTES(profile->shape_first) +
	       ARRAY_BYTES(profile->node_of_name) + tfp_lookup_bytes(profile->type_table) +
	       tfp_lookup_bytes(profile->shape_table) + tfp_lookup_bytes(profile->frame_table) +
	       tfp_lookup_bytes(profile->stack_table) + tfp_lookup_bytes(profile->tensor_table);
}
