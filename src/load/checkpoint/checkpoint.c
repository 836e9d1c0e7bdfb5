/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoints: the variables of the index become the profile's tensors. With a graph they mark the nodes of
 * their names; alone they are a profile whose nodes they are. Values wait until somebody asks.
 */
#include "load/checkpoint/checkpoint.h"

#include <string.h>

#include "load/loaders.h"
#include "tfprof/lookup.h"

#define INDEX_SUFFIX  ".index"
#define VARIABLE_TYPE "_checkpoint_variables"

enum { METRIC_BYTES, METRIC_PARAMS };

/* A table by its end; where that is not there by its beginning: an empty key, and a record or a header. */
static int sniff(const struct tfp_source *source)
{
	const uint8_t *at = source->data, *end = at + source->size;
	bool index = tfp_span_ends(tfp_span_of(source->path), TFP_SPAN(INDEX_SUFFIX));
	uint64_t size;

	if (tfp_sstable_sniff(source))
		return 100;
	if (source->size < 8 || at[0] || at[1])
		return 0;
	at = tfp_wire_varint(at + 2, end, &size);
	if (!at || at == end || size < 2)
		return 0;
	if (index)
		return *at == (1 << 3 | TFP_WIRE_VARINT) ? 60 : 0;
	return *at == (1 << 3 | TFP_WIRE_BYTES) ? 30 : 0;
}

static void release(void *data)
{
	struct tfp_checkpoint *checkpoint = data;

	for (size_t i = 0; i < checkpoint->tables.count; i++) {
		tfp_sstable_close(&checkpoint->tables.at[i].table);
		tfp_source_free(checkpoint->tables.at[i].source);
	}
	for (size_t i = 0; i < TFP_OPEN_SHARDS; i++)
		tfp_ranged_close(checkpoint->open[i]);
	if (checkpoint->slice_table)
		tfp_lookup_free(checkpoint->slice_table);
	tfp_array_free(&checkpoint->tables);
	tfp_array_free(&checkpoint->variables);
	tfp_array_free(&checkpoint->slices);
	tfp_array_free(&checkpoint->extents);
	tfp_array_free(&checkpoint->slice_entries);
	tfp_array_free(&checkpoint->shard_sizes);
	tfp_arena_free(&checkpoint->arena);
	tfp_array_release(checkpoint);
}

/* ---- a profile of its own ----------------------------------------------------------------------- */

/* Parameter shapes of the nodes, which are the tensors in their order; a scalar is one element. */
static bool fill_shapes(struct tfp_profile *profile, unsigned parts, void *data,
			struct tfp_job *job, struct tfp_diag *diag)
{
	static const int64_t one = 1;

	(void)parts;
	(void)data;
	(void)job;
	(void)diag;
	for (size_t i = 0; i < profile->tensors.count; i++) {
		uint32_t shape = profile->tensors.at[i].shape;

		if (shape != TFP_NONE &&
		    profile->shape_first.at[shape] == profile->shape_first.at[shape + 1])
			shape = tfp_profile_shape(profile, &one, 1);
		profile->nodes.shape[i] = shape;
	}
	return true;
}

static void keep_nothing(void *data)
{
	(void)data;
}

static void make_metrics(struct tfp_profile *profile)
{
	static const struct tfp_metric metrics[] = {
		[METRIC_BYTES] = {.key = "bytes",
				  .label = "stored bytes",
				  .title = "BYTES",
				  .unit = TFP_BYTES,
				  .origin = TFP_FROM_RUNS},
		[METRIC_PARAMS] = {.key = "params",
				   .label = "# parameters",
				   .title = "PARAMS",
				   .unit = TFP_COUNT,
				   .origin = TFP_FROM_SHAPE},
	};

	profile->format = "checkpoint";
	profile->has_scopes = true;
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++)
		tfp_profile_add_metric(profile, &metrics[i]);
	profile->default_metric = METRIC_BYTES;
}

static void add_nodes(struct tfp_profile *profile)
{
	tfp_str type = tfp_strings_add_text(profile->strings, VARIABLE_TYPE);

	make_metrics(profile);
	for (size_t i = 0; i < profile->tensors.count; i++) {
		const struct tfp_tensor *tensor = &profile->tensors.at[i];
		const char *dtype = tfp_dtype_of(tensor->dtype)->name;
		uint32_t node = tfp_profile_add_node(profile, tensor->name,
						     tfp_strings_add_text(profile->strings, dtype));

		profile->nodes.float_ops[node] = (int64_t)tensor->bytes;
		tfp_profile_add_type(profile, node, type);
	}
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_SHAPES,
						  .fill = fill_shapes,
						  .release = keep_nothing,
					  });
}

/* Not the nodes of a saved profile, whose types are as they were saved. */
static void mark_nodes(struct tfp_profile *profile)
{
	tfp_str type = tfp_strings_add_text(profile->strings, VARIABLE_TYPE);

	for (size_t i = 0; i < profile->tensors.count; i++) {
		uint32_t node = tfp_profile_find_node(profile, profile->tensors.at[i].name);

		if (node != TFP_NONE && !(profile->nodes.flags[node] & TFP_NODE_TYPES_GIVEN))
			tfp_profile_add_type(profile, node, type);
	}
}

/* ---- loading ------------------------------------------------------------------------------------ */

/* What stands in place of files that a version control system keeps elsewhere. */
static bool is_pointer(const struct tfp_source *source)
{
	static const char begin[] = "version https://git-lfs";

	return source->size >= sizeof(begin) && !memcmp(source->data, begin, sizeof(begin) - 1);
}

static bool read_index(struct tfp_index *index, struct tfp_source *source)
{
	struct tfp_checkpoint *checkpoint = index->checkpoint;
	size_t size = strlen(source->path);

	checkpoint->path = tfp_arena_text(&checkpoint->arena, source->path, size);
	checkpoint->bundle = tfp_span_ends(tfp_span_of(source->path), TFP_SPAN(INDEX_SUFFIX));
	if (!checkpoint->bundle)
		return tfp_slices_read(index, source);
	checkpoint->prefix =
		tfp_arena_text(&checkpoint->arena, source->path, size - strlen(INDEX_SUFFIX));
	return tfp_bundle_read(index, source);
}

/*
 * A table opens as a checkpoint even if none of its variables can be read: what is wrong was said, or is. False: it is
 * none.
 */
static bool read(struct tfp_profile *profile, struct tfp_source *source, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	struct tfp_index index = {
		.checkpoint = tfp_alloc_zero(1, sizeof(*index.checkpoint)),
		.profile = profile,
		.job = job,
		.diag = diag,
	};
	bool pointer = is_pointer(source), table = tfp_sstable_sniff(source), found;
	size_t told = tfp_diag_count(diag);

	index.checkpoint->hash_key = tfp_hash_key_new();
	found = read_index(&index, source);
	tfp_ckpt_measure_texts(&index);
	tfp_array_free(&index.dims);
	profile->value_store = tfp_checkpoint_store;
	profile->value_store.data = index.checkpoint;
	profile->value_store.release = release;
	if (found || (table && tfp_diag_count(diag) > told))
		return true;
	tfp_diag_add(diag, TFP_ERROR, index.checkpoint->path, -1, 0,
		     "no variables of a checkpoint can be found in it%s",
		     pointer ? ": it is a Git LFS pointer, not the file" : "");
	return table;
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	bool alone = !profile->metric_count;

	(void)file;
	(void)step;
	if (!read(profile, source, job, diag))
		return false;
	if (alone)
		add_nodes(profile);
	else
		mark_nodes(profile);
	return true;
}

static bool load_variables(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
			   int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	(void)file;
	(void)step;
	if (!read(profile, source, job, diag))
		return false;
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_MODEL,
						  .fill = tfp_checkpoint_facts,
						  .release = keep_nothing,
					  });
	return true;
}

const struct tfp_loader tfp_checkpoint_loader = {
	.name = "checkpoint",
	.label = "Checkpoint",
	.role = TFP_ROLE_CHECKPOINT,
	.stage = 2,
	.sniff = sniff,
	.load = load,
};

const struct tfp_loader tfp_variables_loader = {
	.name = "variables",
	.label = "Checkpoint",
	.role = TFP_ROLE_CHECKPOINT,
	.stage = 2,
	.sniff = sniff,
	.load = load_variables,
};
