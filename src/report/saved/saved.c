/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile saved as one file (ProfileProto), which TensorFlow's profiler reads: nodes one after
 * another, each packed by itself, so that the file is never whole in memory.
 */
#include "report/outputs.h"
#include "report/saved/saved.h"

#define PARTS                                                                                      \
	(TFP_PART_EDGES | TFP_PART_SHAPES | TFP_PART_STACKS | TFP_PART_EXECS | TFP_PART_ALLOCS |   \
	 TFP_PART_RECORDS)

/* Fields of messages, all of wire type bytes but for the key. */
enum {
	TAG_NODES = 1 << 3 | 2,
	TAG_KEY = 1 << 3,
	TAG_VALUE = 2 << 3 | 2,
	TAG_ATTRS = 11 << 3 | 2,
};

/* ---- wire format ----------------------------------------------------------------------------- */

#define MOST_VARINT 10

static size_t put_varint(uint8_t *to, uint64_t value)
{
	size_t size = 0;

	for (; value >= 0x80; value >>= 7)
		to[size++] = (uint8_t)(value | 0x80);
	to[size++] = (uint8_t)value;
	return size;
}

/* TAG, which is one byte, and VALUE: a length or a number. */
static size_t put_field(uint8_t *to, uint8_t tag, uint64_t value)
{
	*to = tag;
	return 1 + put_varint(to + 1, value);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Packs the node but for its attributes into saved->packed. */
static void pack_node(struct tfp_saved *saved, uint32_t node)
{
	Tfp__ProfileNode message;
	size_t size;

	tfp_saved_node(saved, node, &message);
	size = tfp__profile_node__get_packed_size(&message);
	tfp_array_reserve(&saved->packed, size);
	saved->packed.count = tfp__profile_node__pack(&message, saved->packed.at);
	tfp_arena_free(&saved->arena);
}

/* Attributes are copied as they lie in the files: a constant may be most of a graph. */
static void write_node(struct tfp_saved *saved, struct tfp_packer *packer, uint32_t node)
{
	uint8_t key[1 + MOST_VARINT], head[1 + MOST_VARINT];
	size_t key_size = put_field(key, TAG_KEY, node), size;

	pack_node(saved, node);
	saved->attributes.count = 0;
	tfp_profile_raw_attributes(saved->profile, node, &saved->attributes);
	size = saved->packed.count;
	for (size_t i = 0; i < saved->attributes.count; i++)
		size += saved->attributes.at[i].size +
			put_field(head, TAG_ATTRS, saved->attributes.at[i].size);
	tfp_pack(packer, head,
		 put_field(head, TAG_NODES, key_size + put_field(head, TAG_VALUE, size) + size));
	tfp_pack(packer, key, key_size);
	tfp_pack(packer, head, put_field(head, TAG_VALUE, size));
	tfp_pack(packer, saved->packed.at, saved->packed.count);
	for (size_t i = 0; i < saved->attributes.count; i++) {
		const struct tfp_span *entry = &saved->attributes.at[i];

		tfp_pack(packer, head, put_field(head, TAG_ATTRS, entry->size));
		tfp_pack(packer, (const uint8_t *)entry->at, entry->size);
	}
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void write_text(struct tfp_saved *saved, struct tfp_packer *packer, size_t id)
{
	Tfp__IdToStringEntry entry = TFP__ID_TO_STRING_ENTRY__INIT, *entries[] = {&entry};
	Tfp__ProfileProto profile = TFP__PROFILE_PROTO__INIT;

	entry.has_key = entry.has_value = true;
	entry.key = (int64_t)id;
	entry.value =
		id ? tfp_saved_text(saved, saved->texts.at[id]) : tfp_saved_bytes(TFP_SPAN("none"));
	profile.n_id_to_string = 1;
	profile.id_to_string = entries;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

/* What is said once of the whole profile. */
static void write_facts(struct tfp_saved *saved, struct tfp_packer *packer)
{
	Tfp__ProfileProto profile = TFP__PROFILE_PROTO__INIT;
	size_t count = saved->profile->steps.count;
	int64_t *steps = tfp_realloc_array(NULL, count, sizeof(*steps));

	for (size_t i = 0; i < count; i++)
		steps[i] = saved->profile->steps.at[i].number;
	profile.n_steps = count;
	profile.steps = steps;
	TFP_SAVED_SET(&profile, has_trace, saved->profile->has_stacks);
	TFP_SAVED_SET(&profile, miss_accelerator_stream, saved->profile->missing_stream);
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
	tfp_array_release(steps);
}

/* Id 0 is the text "none", which stands for no text, too. */
static void start_texts(struct tfp_saved *saved)
{
	const struct tfp_strings *strings = saved->profile->strings;
	size_t count = tfp_strings_count(strings);
	tfp_str none = tfp_strings_find(strings, "none", 4);

	saved->text_id = tfp_realloc_array(NULL, count, sizeof(*saved->text_id));
	memset(saved->text_id, 0xff, count * sizeof(*saved->text_id));
	*tfp_array_push(&saved->texts) = none;
	if (none != TFP_NONE)
		saved->text_id[none] = 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

struct task {
	struct tfp_saved saved;
	bool gzip;
};

static bool write_all(struct tfp_writer *writer, void *data)
{
	struct task *task = data;
	struct tfp_saved *saved = &task->saved;
	struct tfp_packer packer;

	if (!tfp_packer_start(&packer, writer, task->gzip))
		return false;
	for (uint32_t node = 0; node < saved->profile->nodes.count; node++)
		write_node(saved, &packer, node);
	write_facts(saved, &packer);
	for (size_t i = 0; i < saved->texts.count && saved->profile->has_stacks; i++)
		write_text(saved, &packer, i);
	return tfp_packer_end(&packer);
}

static void start(struct tfp_saved *saved)
{
	size_t nodes = saved->profile->nodes.count;

	start_texts(saved);
	tfp_saved_start_execs(saved);
	saved->noted = tfp_realloc_array(NULL, nodes, sizeof(*saved->noted));
	memset(saved->noted, 0xff, nodes * sizeof(*saved->noted));
}

static void end(struct tfp_saved *saved)
{
	tfp_saved_end_execs(saved);
	tfp_array_release(saved->noted);
	tfp_array_release(saved->text_id);
	tfp_array_free(&saved->texts);
	tfp_array_free(&saved->attributes);
	tfp_array_free(&saved->packed);
}

static bool has_other_allocs(const struct tfp_profile *profile)
{
	for (size_t i = 0; i < profile->allocs.count; i++) {
		struct tfp_alloc alloc = tfp_allocs_get(&profile->allocs, i);

		if (!tfp_profile_alloc_is_gpu(profile, &alloc))
			return true;
	}
	return false;
}

/* Says once what the format has no place for. */
static void note_losses(const struct tfp_profile *profile, const char *path, struct tfp_diag *diag)
{
	const struct {
		bool lost;
		const char *what;
	} losses[] = {
		{has_other_allocs(profile), "memory over time, but for a GPU's (view 8)"},
		{profile->has_model, "functions and what a saved model says of itself (view 5)"},
		{profile->tensors.count > 0, "values of variables"},
	};
	struct tfp_arena arena = {0};
	char *text = NULL;

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		if (losses[i].lost)
			text = tfp_arena_printf(&arena, "%s%s%s", text ? text : "",
						text ? "; " : "", losses[i].what);
	if (text)
		tfp_diag_add(diag, TFP_WARNING, path, -1, 0,
			     "such a file has no place for %s: keep the files that it was made of",
			     text);
	tfp_arena_free(&arena);
}

bool tfp_report_profile(FILE *out, const char *path, struct tfp_profile *profile, bool compat,
			struct tfp_diag *diag)
{
	struct tfp_output_task output = {.out = out, .diag = diag};
	struct task task = {
		.saved = {.profile = profile, .compat = compat},
		.gzip = tfp_span_ends(tfp_span_of(path), TFP_SPAN(".gz")),
	};
	bool done;

	if (!profile->tensorflow) {
		tfp_diag_error(diag, "only profiles of TensorFlow can be saved as one");
		return false;
	}
	if (!profile->nodes.count) {
		tfp_diag_error(diag, "there is nothing in these files to be saved");
		return false;
	}
	if (!tfp_profile_need(profile, PARTS, NULL, diag))
		return false;
	start(&task.saved);
	done = tfp_output_file(&output, path, "profile", write_all, &task);
	end(&task.saved);
	if (done)
		note_losses(profile, path, diag);
	if (done && task.saved.lost)
		tfp_diag_add(
			diag, TFP_WARNING, path, -1, 0,
			"TensorFlow will not see the %llu inputs that name no node of the graph",
			(unsigned long long)task.saved.lost);
	return done;
}
