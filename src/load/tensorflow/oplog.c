/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpLogProto: float_ops and extra types of nodes, and where their call stacks are. Entries for
 * names that no node has are passed over.
 */
#include "load/loaders.h"
#include "load/match.h"
#include "load/sniff.h"
#include "load/tensorflow/codedef.h"
#include "load/walk.h"
#include "proto/tfprof_log.pb-c.h"

enum {
	LOG_ENTRY = 1,
	LOG_STRING = 2,
	ENTRY_NAME = 1,
	ENTRY_FLOAT_OPS = 2,
	ENTRY_TYPE = 3,
	ENTRY_CODE = 4,
};

static const struct tfp_expect trace[] = {
	{1, TFP_EXPECT_TEXT, false, NULL},
	{2, TFP_EXPECT_INT, false, NULL},
	{3, TFP_EXPECT_TEXT, false, NULL},
	{4, TFP_EXPECT_BYTES, false, NULL},
	{5, TFP_EXPECT_INT, false, NULL},
	{6, TFP_EXPECT_INT, false, NULL},
	{7, TFP_EXPECT_INT, false, NULL},
	{8, TFP_EXPECT_INT, false, NULL},
	{0},
};
static const struct tfp_expect code_def[] = {
	{CODE_TRACE, TFP_EXPECT_MESSAGE, false, trace},
	{0},
};
static const struct tfp_expect log_entry[] = {
	{ENTRY_NAME, TFP_EXPECT_TEXT, true, NULL},
	{ENTRY_FLOAT_OPS, TFP_EXPECT_INT, false, NULL},
	{ENTRY_TYPE, TFP_EXPECT_TEXT, false, NULL},
	{ENTRY_CODE, TFP_EXPECT_MESSAGE, false, code_def},
	{0},
};
static const struct tfp_expect string_entry[] = {
	{1, TFP_EXPECT_INT, false, NULL},
	{2, TFP_EXPECT_BYTES, false, NULL},
	{0},
};
static const struct tfp_expect op_log[] = {
	{LOG_ENTRY, TFP_EXPECT_MESSAGE, false, log_entry},
	{LOG_STRING, TFP_EXPECT_MESSAGE, false, string_entry},
	{0},
};

static const char *const text_names[] = {"log_entries", "id_to_string", NULL};

static int sniff(const struct tfp_source *source)
{
	return tfp_sniff(source, op_log, text_names);
}

static bool entry_begins(const uint8_t *bytes, size_t size)
{
	return tfp_sniff_begins(bytes, size, log_entry);
}

static const struct tfp_element entry_element = {"OpLogEntry", LOG_ENTRY, entry_begins, NULL};

/* ---- what is kept for call stacks ------------------------------------------------------------ */

struct place {
	uint64_t offset; /* of the entry */
	uint32_t size;
	uint32_t node;
};

struct provided {
	struct tfp_source *source; /* owned */
	TFP_ARRAY(struct place) places;
	uint64_t strings_begin,
		strings_end; /* between these stand all entries of the string table */
};

static void read_strings(const struct provided *provided, struct tfp_codedef_reader *reader)
{
	struct tfp_wire wire =
		tfp_wire_of(provided->source->data + provided->strings_begin,
			    (size_t)(provided->strings_end - provided->strings_begin));
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, LOG_STRING))
			tfp_codedef_add_text(reader, &field);
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	const struct provided *provided = data;
	struct tfp_codedef_reader reader;
	bool going = true;

	(void)parts;
	tfp_codedef_start(&reader, profile, provided->source, diag);
	read_strings(provided, &reader);
	for (size_t i = 0; i < provided->places.count && going; i++) {
		const struct place *place = &provided->places.at[i];
		struct tfp_wire entry =
			tfp_wire_of(provided->source->data + place->offset, place->size);

		profile->nodes.stack[place->node] = tfp_codedef_stack(&reader, entry, ENTRY_CODE);
		going = (i & 1023) || !tfp_job_cancelled(job);
	}
	tfp_codedef_free(&reader);
	return going;
}

static void release(void *data)
{
	struct provided *provided = data;

	tfp_source_free(provided->source);
	tfp_array_free(&provided->places);
	tfp_array_release(provided);
}

static struct provided *add_provider(struct tfp_profile *profile, struct tfp_source *source)
{
	struct provided *provided = tfp_alloc_zero(1, sizeof(*provided));

	provided->source = source;
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_STACKS,
						  .fill = fill,
						  .release = release,
						  .data = provided,
					  });
	return provided;
}

/* ---- loading --------------------------------------------------------------------------------- */

struct reader {
	struct tfp_profile *profile;
	struct provided *provided;
	struct tfp_walk walk;
	struct tfp_match match;
	uint64_t entries;
};

struct entry {
	struct tfp_field name;
	int64_t float_ops;
	bool typed, coded;
};

/* As for NodeDef: a second name that is an entry of its own tells of a wrong length. */
static bool read_entry(struct reader *reader, struct tfp_wire *outer, struct tfp_field *record,
		       struct entry *entry)
{
	struct tfp_wire wire = tfp_wire_in(record);
	const uint8_t *at = wire.at;
	struct tfp_field field;

	*entry = (struct entry){.float_ops = 0};
	for (; tfp_wire_next(&wire, &field); at = wire.at) {
		if (tfp_field_is(&field, ENTRY_NAME)) {
			if (entry->name.data && entry_begins(field.data, field.size)) {
				record->size = (size_t)(at - record->data);
				outer->at = at;
				wire.bad = true;
				break;
			}
			entry->name = field;
		} else if (tfp_field_is_int(&field, ENTRY_FLOAT_OPS)) {
			entry->float_ops = (int64_t)field.value;
		} else if (field.type == TFP_WIRE_BYTES) {
			entry->typed = entry->typed || field.number == ENTRY_TYPE;
			entry->coded = entry->coded || field.number == ENTRY_CODE;
		}
	}
	if (wire.bad)
		tfp_walk_damaged(&reader->walk, record->data, entry_element.name);
	return entry->name.data || (!wire.bad && !reader->walk.cut);
}

static void add_types(struct tfp_profile *profile, const struct tfp_field *record, uint32_t node)
{
	struct tfp_wire wire = tfp_wire_in(record);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, ENTRY_TYPE))
			tfp_profile_add_type(profile, node,
					     tfp_strings_add(profile->strings,
							     (const char *)field.data, field.size));
}

/* The first entry with a call stack is the node's, even if the stack is empty. */
static void note_place(struct reader *reader, const struct tfp_field *record, uint32_t node)
{
	reader->profile->has_stacks = true;
	if (reader->profile->nodes.flags[node] & TFP_NODE_TRACED)
		return;
	reader->profile->nodes.flags[node] |= TFP_NODE_TRACED;
	*tfp_array_push(&reader->provided->places) = (struct place){
		.offset = tfp_walk_offset(&reader->walk, record->data),
		.size = record->size < TFP_NONE ? (uint32_t)record->size : TFP_NONE - 1,
		.node = node,
	};
}

static void add_entry(struct reader *reader, struct tfp_wire *outer, struct tfp_field *record)
{
	struct tfp_profile *profile = reader->profile;
	struct entry entry;
	uint32_t node;

	if (!read_entry(reader, outer, record, &entry))
		return;
	reader->entries++;
	node = tfp_match_node(&reader->match, entry.name.data ? (const char *)entry.name.data : "",
			      entry.name.size);
	if (node == TFP_NONE)
		return;
	if (entry.float_ops)
		profile->nodes.float_ops[node] = entry.float_ops;
	if (entry.typed)
		add_types(profile, record, node);
	if (entry.coded)
		note_place(reader, record, node);
}

static void note_string(struct reader *reader, const uint8_t *begin, const uint8_t *end)
{
	struct provided *provided = reader->provided;

	if (!provided->strings_end)
		provided->strings_begin = tfp_walk_offset(&reader->walk, begin);
	provided->strings_end = tfp_walk_offset(&reader->walk, end);
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct reader reader = {.profile = profile, .match = {.profile = profile}};
	struct tfp_wire wire;
	struct tfp_field field;
	const uint8_t *at;

	(void)file;
	(void)step;
	source = tfp_sniff_to_wire(source, text_names, &tfp__op_log_proto__descriptor, job, diag);
	if (!source)
		return false;
	reader.provided = add_provider(profile, source);
	wire = tfp_walk_start(&reader.walk, source, job, diag);
	for (at = wire.at; tfp_walk_next(&reader.walk, &wire, &field, &entry_element);
	     at = wire.at) {
		if (tfp_field_is(&field, LOG_ENTRY))
			add_entry(&reader, &wire, &field);
		else if (tfp_field_is(&field, LOG_STRING))
			note_string(&reader, at, wire.at);
	}
	return reader.entries ||
	       tfp_walk_found_nothing(&reader.walk, tfp_oplog_loader.label, sniff(source));
}

const struct tfp_loader tfp_oplog_loader = {
	.name = "oplog",
	.label = "OpLogProto",
	.role = TFP_ROLE_OP_LOG,
	.stage = 1,
	.sniff = sniff,
	.load = load,
};
