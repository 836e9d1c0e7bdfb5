/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GraphDef: of each NodeDef the name, the op and where it stands. Inputs and shapes wait until a
 * view asks; constants and all other attributes are stepped over.
 */
#include "load/tensorflow/graphdef.h"
#include "load/tensorflow/library.h"
#include "load/loaders.h"
#include "proto/graph.pb-c.h"

static const struct tfp_expect attr_entry[] = {
	{MAP_KEY, TFP_EXPECT_TEXT, false, NULL},
	{MAP_VALUE, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect node_def[] = {
	{NODE_NAME, TFP_EXPECT_TEXT, true, NULL},
	{NODE_OP, TFP_EXPECT_WORD, true, NULL},
	{NODE_INPUT, TFP_EXPECT_TEXT, false, NULL},
	{4, TFP_EXPECT_TEXT, false, NULL},
	{NODE_ATTR, TFP_EXPECT_MESSAGE, false, attr_entry},
	{6, TFP_EXPECT_BYTES, false, NULL},
	{7, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
const struct tfp_expect tfp_graphdef_fields[] = {
	{GRAPH_NODE, TFP_EXPECT_MESSAGE, false, node_def},
	{2, TFP_EXPECT_BYTES, false, NULL},
	{3, TFP_EXPECT_INT, false, NULL},
	{4, TFP_EXPECT_BYTES, false, NULL},
	{5, TFP_EXPECT_BYTES, false, NULL},
	{0},
};

static const char *const text_names[] = {"node", "library", "versions", NULL};

static int sniff(const struct tfp_source *source)
{
	return tfp_sniff(source, tfp_graphdef_fields, text_names);
}

static bool node_begins(const uint8_t *bytes, size_t size)
{
	return tfp_sniff_begins(bytes, size, node_def);
}

static const struct tfp_element node_element = {"NodeDef", GRAPH_NODE, node_begins, NULL};

#define WAITING_MOST 32

struct reader {
	struct tfp_profile *profile;
	struct tfp_walk *walk;
	uint32_t file;
	/* nodes that wait to be added: names are looked up many at once */
	size_t waiting;
	struct tfp_span name[WAITING_MOST], op[WAITING_MOST];
	struct tfp_record record[WAITING_MOST];
};

/* Whether WIRE is what the end of the file left of an element, which was told. */
static bool ends_cut(const struct tfp_walk *walk, const struct tfp_wire *wire)
{
	return walk->cut && wire->end == walk->source->data + walk->source->size;
}

/*
 * Takes name and op of the NodeDef RECORD. A second name that is itself a NodeDef tells that the
 * length of the record is wrong: the walk OUTER then goes on there. False when it is damaged and
 * lacks one of them.
 */
static bool read_node(struct reader *reader, struct tfp_wire *outer, struct tfp_field *record,
		      struct tfp_field *name, struct tfp_field *op)
{
	struct tfp_wire wire = tfp_wire_in(record);
	const uint8_t *at = wire.at;
	struct tfp_field field;

	name->data = op->data = NULL;
	name->size = op->size = 0;
	for (; tfp_wire_next(&wire, &field); at = wire.at) {
		if (tfp_field_is(&field, NODE_NAME)) {
			if (name->data && node_begins(field.data, field.size)) {
				record->size = (size_t)(at - record->data);
				outer->at = at;
				wire.bad = true;
				break;
			}
			*name = field;
		} else if (tfp_field_is(&field, NODE_OP)) {
			*op = field;
		}
	}
	if (wire.bad && !ends_cut(reader->walk, &wire))
		tfp_walk_damaged(reader->walk, record->data, node_element.name);
	return (name->data && op->data) || (!wire.bad && !reader->walk->cut);
}

/* Of equal names the first node is the one that counts. */
static void add_waiting(struct reader *reader)
{
	struct tfp_profile *profile = reader->profile;
	tfp_str names[WAITING_MOST], ops[WAITING_MOST];

	tfp_strings_add_many(profile->strings, reader->name, reader->waiting, names);
	tfp_strings_add_many(profile->strings, reader->op, reader->waiting, ops);
	for (size_t i = 0; i < reader->waiting; i++) {
		uint32_t node;

		if (tfp_profile_find_node(profile, names[i]) != TFP_NONE)
			continue;
		node = tfp_profile_add_node(profile, names[i], ops[i]);
		profile->nodes.record[node] = reader->record[i];
	}
	reader->waiting = 0;
}

static void take_node(struct reader *reader, struct tfp_wire *outer, struct tfp_field *record)
{
	struct tfp_field name, op;
	size_t i = reader->waiting;

	if (!read_node(reader, outer, record, &name, &op))
		return;
	reader->name[i] = tfp_field_span(&name);
	reader->op[i] = tfp_field_span(&op);
	reader->record[i] = (struct tfp_record){
		.offset = tfp_walk_offset(reader->walk, record->data),
		.size = record->size < TFP_NONE ? (uint32_t)record->size : TFP_NONE - 1,
		.source = reader->file,
	};
	if (++reader->waiting == WAITING_MOST)
		add_waiting(reader);
}

static void release(void *data)
{
	struct tfp_graph_data *graph = data;

	tfp_source_free(graph->source);
	tfp_array_release(graph);
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	const unsigned own = TFP_PART_EDGES | TFP_PART_SHAPES;

	if (parts & own && !tfp_graph_fill(profile, parts & own, data, job, diag))
		return false;
	if (parts & TFP_PART_MODEL)
		tfp_graph_add_weights(profile, data);
	return !(parts & TFP_PART_MODEL) || tfp_library_fill(profile, data, job, diag);
}

void tfp_graph_provide(struct tfp_profile *profile, struct tfp_source *source,
		       struct tfp_wire graph, uint32_t file)
{
	struct tfp_graph_data *data = tfp_alloc(sizeof(*data));

	*data = (struct tfp_graph_data){source, graph, file};
	profile->has_model = profile->has_model || tfp_graph_is_frozen(profile, data);
	tfp_profile_add_provider(profile,
				 &(struct tfp_provider){
					 .parts = TFP_PART_EDGES | TFP_PART_SHAPES | TFP_PART_MODEL,
					 .fill = fill,
					 .describe = tfp_graph_describe,
					 .describe_raw = tfp_graph_describe_raw,
					 .release = release,
					 .data = data,
				 });
}

void tfp_graph_read(struct tfp_profile *profile, struct tfp_walk *walk, struct tfp_wire graph,
		    uint32_t file)
{
	struct reader reader = {.profile = profile, .walk = walk, .file = file};
	struct tfp_field field;

	while (tfp_walk_next(walk, &graph, &field, &node_element)) {
		if (tfp_field_is(&field, GRAPH_NODE))
			take_node(&reader, &graph, &field);
		else if (tfp_field_is(&field, GRAPH_LIBRARY) && field.size)
			profile->has_model = true;
	}
	add_waiting(&reader);
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_walk walk;
	struct tfp_wire graph;

	(void)step;
	source = tfp_sniff_to_wire(source, text_names, &tfp__graph_def__descriptor, job, diag);
	if (!source)
		return false;
	graph = tfp_walk_start(&walk, source, job, diag);
	tfp_graph_read(profile, &walk, graph, file);
	tfp_graph_provide(profile, source, graph, file);
	if (!profile->nodes.count &&
	    !tfp_walk_found_nothing(&walk, tfp_graphdef_loader.label, sniff(source)))
		return false;
	profile->has_graph = true;
	return true;
}

const struct tfp_loader tfp_graphdef_loader = {
	.name = "graphdef",
	.label = "GraphDef",
	.role = TFP_ROLE_GRAPH,
	.stage = 0,
	.sniff = sniff,
	.load = load,
};
