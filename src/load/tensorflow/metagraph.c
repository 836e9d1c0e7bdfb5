/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MetaGraphDef, the .meta file of a Saver: its graph is read as any graph, and what it says besides is
 * kept as facts until a view asks.
 */
#include "load/tensorflow/metagraph.h"
#include "load/loaders.h"
#include "proto/saved_model.pb-c.h"

static const struct tfp_expect meta_info[] = {
	{INFO_FORMAT, TFP_EXPECT_TEXT, false, NULL},
	{2, TFP_EXPECT_BYTES, false, NULL},
	{3, TFP_EXPECT_BYTES, false, NULL},
	{INFO_TAG, TFP_EXPECT_TEXT, false, NULL},
	{INFO_TENSORFLOW, TFP_EXPECT_WORD, false, NULL},
	{6, TFP_EXPECT_TEXT, false, NULL},
	{INFO_STRIPPED, TFP_EXPECT_INT, false, NULL},
	{8, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect map_entry[] = {
	{MAP_KEY, TFP_EXPECT_TEXT, true, NULL},
	{MAP_VALUE, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
const struct tfp_expect tfp_metagraph_fields[] = {
	{META_INFO, TFP_EXPECT_MESSAGE, false, meta_info},
	{META_GRAPH, TFP_EXPECT_MESSAGE, true, tfp_graphdef_fields},
	{META_SAVER, TFP_EXPECT_BYTES, false, NULL},
	{META_COLLECTION, TFP_EXPECT_MESSAGE, false, map_entry},
	{META_SIGNATURE, TFP_EXPECT_MESSAGE, false, map_entry},
	{META_ASSET, TFP_EXPECT_BYTES, false, NULL},
	{META_OBJECTS, TFP_EXPECT_BYTES, false, NULL},
	{0},
};

static const char *const text_names[] = {
	"meta_info_def", "graph_def",      "saver_def", "collection_def",
	"signature_def", "asset_file_def", NULL};

static int sniff(const struct tfp_source *source)
{
	return tfp_sniff(source, tfp_metagraph_fields, text_names);
}

/* There is one of each part: behind a damaged one nothing is looked for. */
static bool no_part_begins(const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return false;
}

static const struct tfp_element part_element = {"part of a MetaGraphDef", META_GRAPH,
						no_part_begins, NULL};

char *tfp_metagraph_tags(struct tfp_wire info, struct tfp_arena *arena)
{
	char *tags = tfp_arena_text(arena, "", 0);
	struct tfp_field field;

	while (tfp_wire_next(&info, &field))
		if (tfp_field_is(&field, INFO_TAG))
			tags = tfp_arena_printf(arena, "%s%s%.*s", tags, *tags ? ", " : "",
						TFP_FACT(tfp_field_span(&field)));
	return tags;
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	struct tfp_wire *meta = data;
	struct tfp_facts facts = {profile};

	(void)parts;
	(void)diag;
	tfp_metagraph_facts(&facts, *meta);
	return !tfp_job_cancelled(job);
}

static void release(void *data)
{
	tfp_array_release(data);
}

/* The bytes of META belong to the provider of the graph. */
static void provide_facts(struct tfp_profile *profile, struct tfp_wire meta)
{
	struct tfp_wire *data = tfp_alloc(sizeof(*data));

	*data = meta;
	profile->has_model = true;
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_MODEL,
						  .fill = fill,
						  .release = release,
						  .data = data,
					  });
}

bool tfp_metagraph_read(struct tfp_profile *profile, struct tfp_walk *walk, struct tfp_wire meta,
			struct tfp_source *source, uint32_t file)
{
	struct tfp_wire wire = meta, graph = tfp_wire_of(meta.at, 0);
	struct tfp_field field;

	while (tfp_walk_next(walk, &wire, &field, &part_element)) {
		if (!tfp_field_is(&field, META_GRAPH))
			continue;
		graph = tfp_wire_in(&field);
		tfp_graph_read(profile, walk, graph, file);
	}
	provide_facts(profile, meta);
	tfp_graph_provide(profile, source, graph, file);
	profile->has_graph = true;
	return graph.end > graph.at;
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_walk walk;
	struct tfp_wire meta;

	(void)step;
	source = tfp_sniff_to_wire(source, text_names, &tfp__meta_graph_def__descriptor, job, diag);
	if (!source)
		return false;
	meta = tfp_walk_start(&walk, source, job, diag);
	return tfp_metagraph_read(profile, &walk, meta, source, file) ||
	       tfp_walk_found_nothing(&walk, tfp_metagraph_loader.label, sniff(source));
}

const struct tfp_loader tfp_metagraph_loader = {
	.name = "metagraph",
	.label = "MetaGraphDef",
	.role = TFP_ROLE_GRAPH,
	.stage = 0,
	.sniff = sniff,
	.load = load,
};
