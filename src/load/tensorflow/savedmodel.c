/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SavedModel: one MetaGraphDef for each set of tags, of which one is opened. Its variables are a checkpoint
 * beside it.
 */
#include "load/tensorflow/savedmodel.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load/loaders.h"
#include "load/tensorflow/metagraph.h"
#include "proto/saved_model.pb-c.h"

#define USUAL_TAG   "serve"
#define ASSETS_MOST 1000 /* files that are named */

enum {
	FINGERPRINT_VERSION = 6,
	FINGERPRINT_UUID = 7,
	VERSION_PRODUCER = 1,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static const struct tfp_expect saved_model[] = {
	{SAVED_VERSION, TFP_EXPECT_INT, false, NULL},
	{SAVED_META, TFP_EXPECT_MESSAGE, true, tfp_metagraph_fields},
	{0},
};

static const char *const text_names[] = {"saved_model_schema_version", "meta_graphs", NULL};

static int sniff(const struct tfp_source *source)
{
	return tfp_sniff(source, saved_model, text_names);
}

static bool meta_begins(const uint8_t *bytes, size_t size)
{
	return tfp_sniff_begins(bytes, size, tfp_metagraph_fields);
}

static const struct tfp_element meta_element = {"MetaGraphDef", SAVED_META, meta_begins, NULL};

/* ---- which of the graphs ------------------------------------------------------------------------- */

struct choice {
	struct tfp_arena arena;
	struct tfp_wire meta; /* of the one to be opened */
	const char *tags;     /* its tags */
	char *all;            /* "train; serve" */
	size_t count;
	bool found; /* it has the tags that are wanted */
};

static struct tfp_wire info_of(struct tfp_wire meta)
{
	struct tfp_field field;

	while (tfp_wire_next(&meta, &field))
		if (tfp_field_is(&field, META_INFO))
			return tfp_wire_in(&field);
	return tfp_wire_of(meta.at, 0);
}

static bool has_tag(struct tfp_wire info, struct tfp_span tag)
{
	struct tfp_field field;

	while (tfp_wire_next(&info, &field))
		if (tfp_field_is(&field, INFO_TAG) && tfp_span_equal(tfp_field_span(&field), tag))
			return true;
	return false;
}

/* Whether INFO has exactly the tags of the list WANTED. */
static bool has_tags(struct tfp_wire info, const char *wanted)
{
	size_t count = 0, tags = 0;
	struct tfp_field field;
	struct tfp_wire wire = info;

	while (tfp_wire_next(&wire, &field))
		tags += tfp_field_is(&field, INFO_TAG);
	for (size_t size; *wanted; wanted += size) {
		wanted += strspn(wanted, ", ");
		size = strcspn(wanted, ", ");
		if (size && !has_tag(info, (struct tfp_span){wanted, size}))
			return false;
		count += size > 0;
	}
	return count == tags;
}

static void consider(struct choice *choice, struct tfp_wire meta, const char *wanted)
{
	struct tfp_wire info = info_of(meta);
	char *tags = tfp_metagraph_tags(info, &choice->arena);
	bool fits = has_tags(info, wanted ? wanted : USUAL_TAG);

	choice->all = tfp_arena_printf(&choice->arena, "%s%s%s", choice->all ? choice->all : "",
				       choice->count ? "; " : "", *tags ? tags : "(no tags)");
	if (!choice->count++ || (fits && !choice->found)) {
		choice->meta = meta;
		choice->tags = tags;
	}
	choice->found = choice->found || fits;
}

/* Says which one is opened; false when there is none with the tags that are wanted. */
static bool tell(const struct choice *choice, const char *wanted, const char *path,
		 struct tfp_diag *diag)
{
	if (wanted && !choice->found) {
		tfp_diag_add(diag, TFP_ERROR, path, -1, 0,
			     "no graph has the tags %s; those of its graphs are: %s", wanted,
			     choice->all);
		return false;
	}
	if (choice->count > 1)
		tfp_diag_add(diag, TFP_NOTE, path, -1, 0,
			     "graph %s is open, of: %s; --tags=TAG opens another", choice->tags,
			     choice->all);
	return true;
}

/* ---- its fingerprint ----------------------------------------------------------------------------- */

/* The file that newer writers put beside it. */
static char *fingerprint_of(const char *path, struct tfp_arena *arena)
{
	return tfp_arena_printf(arena, "%.*sfingerprint.pb", (int)(tfp_path_name(path) - path),
				path);
}

static void add_producer(struct tfp_facts *facts, uint32_t section, struct tfp_wire version)
{
	struct tfp_field field;

	while (tfp_wire_next(&version, &field))
		if (tfp_field_is_int(&field, VERSION_PRODUCER))
			tfp_facts_add(facts, section, TFP_SPAN("producer"), "%llu",
				      (unsigned long long)field.value);
}

static void add_fingerprint(struct tfp_facts *facts, struct tfp_wire wire)
{
	static const char *const names[] = {
		NULL,
		"checksum of the file",
		"hash of the graph",
		"hash of the signatures",
		"hash of the objects",
		"hash of the checkpoint",
	};
	uint32_t section = tfp_facts_add(facts, TFP_NONE, TFP_SPAN("fingerprint"), "%s", "");
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (field.type == TFP_WIRE_VARINT && field.number < COUNT(names))
			tfp_facts_add(facts, section, tfp_span_of(names[field.number]), "%llu",
				      (unsigned long long)field.value);
		else if (tfp_field_is(&field, FINGERPRINT_UUID))
			tfp_facts_add(facts, section, TFP_SPAN("uuid"), "%.*s",
				      TFP_FACT(tfp_field_span(&field)));
		else if (tfp_field_is(&field, FINGERPRINT_VERSION))
			add_producer(facts, section, tfp_wire_in(&field));
	}
}

/* ---- assets -------------------------------------------------------------------------------------- */

static int is_visible(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* The files in the folder of assets, whatever the graph says of them. */
static void add_asset_files(struct tfp_facts *facts, const char *path, struct tfp_arena *arena)
{
	char *folder =
		tfp_arena_printf(arena, "%.*sassets", (int)(tfp_path_name(path) - path), path);
	char text[TFP_NUMBER_ROOM];
	struct dirent **list;
	int count = scandir(folder, &list, is_visible, alphasort);
	uint32_t section;

	if (count < 0)
		return;
	section = tfp_facts_add(facts, TFP_NONE, TFP_SPAN("files of assets"), "%d", count);
	for (int i = 0; i < count; i++) {
		char *file = tfp_arena_printf(arena, "%s/%s", folder, list[i]->d_name);
		struct stat status;

		if (i < ASSETS_MOST)
			tfp_facts_add(facts, section, tfp_span_of(list[i]->d_name), "%s",
				      stat(file, &status)
					      ? "can't be read"
					      : tfp_number_screen(text, TFP_BYTES, status.st_size));
		free(list[i]);
	}
	free(list);
}

/* Nobody misses one that can't be read. */
static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_facts facts = {profile};
	char *path = fingerprint_of(data, &arena);
	struct tfp_source *source = exists(path) ? tfp_source_open(path, job, diag) : NULL;

	(void)parts;
	add_asset_files(&facts, data, &arena);
	if (source) {
		add_fingerprint(&facts, tfp_wire_of(source->data, source->size));
		tfp_source_free(source);
	}
	tfp_arena_free(&arena);
	return !tfp_job_cancelled(job);
}

static void release(void *data)
{
	tfp_array_release(data);
}

static void provide_what_is_beside(struct tfp_profile *profile, const char *path)
{
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_MODEL,
						  .fill = fill,
						  .release = release,
						  .data = tfp_strdup(path),
					  });
}

/* ---- loading ------------------------------------------------------------------------------------- */

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct choice choice = {.count = 0};
	struct tfp_walk walk;
	struct tfp_wire wire;
	struct tfp_field field;
	bool chosen;

	(void)step;
	source = tfp_sniff_to_wire(source, text_names, &tfp__saved_model__descriptor, job, diag);
	if (!source)
		return false;
	wire = tfp_walk_start(&walk, source, job, diag);
	while (tfp_walk_next(&walk, &wire, &field, &meta_element))
		if (tfp_field_is(&field, SAVED_META))
			consider(&choice, tfp_wire_in(&field), profile->tags);
	chosen = choice.count && tell(&choice, profile->tags, source->path, diag);
	if (chosen) {
		chosen = tfp_metagraph_read(profile, &walk, choice.meta, source, file);
		provide_what_is_beside(profile, profile->files.at[file].path);
	} else {
		tfp_source_free(source);
	}
	tfp_arena_free(&choice.arena);
	if (!choice.count)
		tfp_diag_add(diag, TFP_ERROR, profile->files.at[file].path, -1, 0,
			     "there is no graph in this SavedModel");
	return chosen;
}

const struct tfp_loader tfp_savedmodel_loader = {
	.name = "savedmodel",
	.label = "SavedModel",
	.role = TFP_ROLE_GRAPH,
	.stage = 0,
	.sniff = sniff,
	.load = load,
};

/* ---- folders ------------------------------------------------------------------------------------- */

char *tfp_savedmodel_find(const char *folder, struct tfp_arena *arena)
{
	static const char *const names[] = {"saved_model.pb", "saved_model.pbtxt"};

	for (size_t i = 0; i < COUNT(names); i++) {
		char *path = tfp_arena_printf(arena, "%s/%s", folder, names[i]);

		if (exists(path))
			return path;
	}
	return NULL;
}

char *tfp_savedmodel_variables(const char *path, struct tfp_arena *arena)
{
	int folder = (int)(tfp_path_name(path) - path);
	char *index = tfp_arena_printf(arena, "%.*svariables/variables.index", folder, path);

	return exists(index) ? index : NULL;
}

bool tfp_is_saved_model(const char *folder)
{
	struct tfp_arena arena = {0};
	bool found = tfp_savedmodel_find(folder, &arena) != NULL;

	tfp_arena_free(&arena);
	return found;
}
