/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sites: records that say the same of what happened are one, found by the bytes of their names, shapes and types, so
 * that each of these texts is understood once.
 */
#include <stdlib.h>
#include <string.h>

#include "load/chrome/chrome.h"
#include "load/chrome/flops.h"
#include "load/chrome/lists.h"
#include "load/details.h"

#define MOST_SIGNATURE 1000 /* bytes; the rest is left out */

/* ---- shapes and types ---------------------------------------------------------------------------- */

/* "c10::BFloat16" is long, and the same without the library's name in front. */
static struct tfp_span short_type(struct tfp_span type)
{
	static const char space[] = "c10::";
	size_t size = sizeof(space) - 1;

	if (type.size <= size || memcmp(type.at, space, size))
		return type;
	return tfp_span_from(type, size);
}

static bool is_scalar(struct tfp_span type)
{
	return !type.size || tfp_span_equal(type, TFP_SPAN("Scalar")) ||
	       tfp_span_equal(type, TFP_SPAN("ScalarList"));
}

/* "[32, 3]" as "[32,3]"; a list of tensors by its type alone. */
static void put_dims(FILE *out, struct tfp_span dims)
{
	for (size_t i = 0; i < dims.size; i++)
		if ((unsigned char)dims.at[i] > ' ')
			fputc(dims.at[i], out);
}

static bool is_list_of_lists(struct tfp_span dims)
{
	return dims.size > 2 && memchr(dims.at + 1, '[', dims.size - 1);
}

/* The tensors among the inputs: "[32,3] float, [3] float". Scalars say nothing of the size of the work. */
static tfp_str make_signature(struct tfp_profile *profile, const struct flops_inputs *inputs)
{
	struct elements dims = list_elements(inputs->dims), types = list_elements(inputs->types);
	struct tfp_span dim, type;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	tfp_str signature;
	bool any = false;

	while (out && list_next(&dims, &dim) && ftell(out) < MOST_SIGNATURE) {
		bool typed = list_next(&types, &type);

		type = typed ? short_type(list_text(type)) : (struct tfp_span){"", 0};
		if ((typed || dim.size <= 2) && is_scalar(type))
			continue;
		fputs(any ? ", " : "", out);
		any = true;
		if (!is_list_of_lists(dim) && !tfp_span_equal(type, TFP_SPAN("TensorList"))) {
			put_dims(out, dim);
			fputs(type.size ? " " : "", out);
		}
		fwrite(type.at, 1, type.size, out);
	}
	if (out)
		fclose(out);
	signature = size ? tfp_strings_add(profile->strings, text, size) : 0;
	free(text);
	return signature;
}

/* ---- names --------------------------------------------------------------------------------------- */

/* "ProfilerStep#12": the marker of a step. "Optimizer.step#SGD.step" runs once in each. */
static void read_step(struct tfp_profile *profile, struct site *site, struct tfp_span name)
{
	static const char marker[] = "ProfilerStep#";
	size_t size = sizeof(marker) - 1;
	char digits[20];

	site->optimizer = tfp_span_begins(name, TFP_SPAN("Optimizer.step#"));
	if (!tfp_span_begins(name, TFP_SPAN(marker)) || name.size - size >= sizeof(digits))
		return;
	memcpy(digits, name.at + size, name.size - size);
	digits[name.size - size] = 0;
	site->step = tfp_number_parse(digits, &site->number) && site->number >= 0;
	if (site->step)
		site->op = tfp_strings_add_text(profile->strings, "ProfilerStep*");
}

static void read_module(struct tfp_profile *profile, struct site *site, struct tfp_span name)
{
	static const char marker[] = "nn.Module: ";
	size_t size = sizeof(marker) - 1;

	site->module = tfp_span_begins(name, TFP_SPAN(marker)) && name.size > size;
	if (site->module)
		site->title = tfp_strings_add(profile->strings, name.at + size, name.size - size);
}

/* Where an object stands in memory makes no other function of its method. */
static struct tfp_span without_address(struct tfp_span name, struct tfp_json_bytes *room)
{
	static const char part[] = " at 0x";
	const char *found, *after, *end = name.at + name.size;

	found = memmem(name.at, name.size, part, sizeof(part) - 1);
	if (!found)
		return name;
	after = found + sizeof(part) - 1;
	while (after < end &&
	       ((*after >= '0' && *after <= '9') || (*after >= 'a' && *after <= 'f')))
		after++;
	room->count = 0;
	tfp_array_reserve(room, name.size);
	memmove(room->at, name.at, (size_t)(found - name.at));
	memmove(room->at + (found - name.at), after, (size_t)(end - after));
	return (struct tfp_span){room->at, name.size - (size_t)(after - found)};
}

/* Where the record has the path of scopes of what ran; FIELD_UNKNOWN: nowhere. */
static enum field path_field(const struct record *record)
{
	if (record_has(record, FIELD_MODULE) && record_is_text(record, FIELD_TITLE))
		return FIELD_TITLE;
	if (record_is_text(record, FIELD_PATH) &&
	    !tfp_span_equal(record->text[FIELD_PATH], TFP_SPAN("XlaModule:")))
		return FIELD_PATH;
	return FIELD_UNKNOWN;
}

/* "jit(f)/dot_general:": the path, with the type behind a colon. */
static tfp_str make_path(struct chrome *chrome)
{
	enum field field = path_field(&chrome->record);
	struct tfp_span path;
	const char *colon;

	if (field == FIELD_UNKNOWN)
		return 0;
	path = record_text(&chrome->record, field, &chrome->room);
	colon = path.size ? memrchr(path.at, ':', path.size) : NULL;
	if (colon)
		path.size = (size_t)(colon - path.at);
	return tfp_strings_add(chrome->profile->strings, path.at, path.size);
}

/* "train 12" of the step 12 is a "train". */
static void read_numbered_step(struct chrome *chrome, struct site *site, struct tfp_span name)
{
	const char *space = name.size ? memrchr(name.at, ' ', name.size) : NULL;
	char number[TFP_NUMBER_ROOM];
	struct tfp_span end;

	site->number = record_number(&chrome->record, FIELD_STEP, -1);
	site->step = site->number >= 0;
	if (!site->step || !space || space == name.at)
		return;
	end = (struct tfp_span){space + 1, (size_t)(name.at + name.size - space - 1)};
	snprintf(number, sizeof(number), "%lld", (long long)site->number);
	if (tfp_span_is(end, number))
		site->op = tfp_strings_add(chrome->profile->strings, name.at,
					   (size_t)(space - name.at));
}

/* "busy (/home/user/app.py:5)" is "busy (app.py:5)" in a path: the folders of its file are no scopes. */
static tfp_str make_part(struct chrome *chrome, const struct site *site)
{
	struct tfp_profile *profile = chrome->profile;
	struct tfp_span name = tfp_strings_get(profile->strings, site->op);
	struct tfp_span file =
		tfp_strings_get(profile->strings, profile->frames.at[site->frame].file);
	const char *slash = file.size ? memrchr(file.at, '/', file.size) : NULL;
	const char *found = slash ? memmem(name.at, name.size, file.at, file.size) : NULL;
	size_t before, folders;

	if (!found)
		return site->op;
	before = (size_t)(found - name.at);
	folders = (size_t)(slash + 1 - file.at);
	chrome->room.count = 0;
	tfp_array_reserve(&chrome->room, name.size);
	memcpy(chrome->room.at, name.at, before);
	memcpy(chrome->room.at + before, found + folders, name.size - before - folders);
	return tfp_strings_add(profile->strings, chrome->room.at, name.size - folders);
}

/* An event of another program than PyTorch. */
static void understand_other(struct chrome *chrome, struct site *site, struct tfp_span name)
{
	read_numbered_step(chrome, site, name);
	site->frame =
		chrome_frame(chrome->profile, tfp_strings_get(chrome->profile->strings, site->op));
	site->python = tfp_span_begins(name, TFP_SPAN("$")) &&
		       chrome->profile->frames.at[site->frame].file;
	site->part = make_part(chrome, site);
	site->path = make_path(chrome);
	if (record_is_text(&chrome->record, FIELD_FILE))
		site->frame = chrome_frame_of_record(chrome, site->title);
	chrome_read_instruction(chrome, site);
}

/* What PyTorch says of an op. */
static void understand_op(struct chrome *chrome, struct site *site, struct tfp_span name)
{
	struct tfp_json_bytes dims = {0}, types = {0}, listed = {0}, values = {0};
	struct flops_inputs inputs = {.dims = site->dims};

	if (!site->dims.size)
		return;
	inputs.types = tfp_json_plain(site->types, &types);
	if (record_is_text(&chrome->record, FIELD_DIMS))
		inputs.dims = list_of_text(inputs.dims, '[', ']', &dims);
	if (record_is_text(&chrome->record, FIELD_TYPES))
		inputs.types = list_of_text(inputs.types, '"', '"', &listed);
	inputs.values = tfp_json_plain(record_raw(&chrome->record, FIELD_INPUTS), &values);
	site->signature = make_signature(chrome->profile, &inputs);
	if (!site->flops && site->kind == KIND_OP) {
		site->flops = flops_of(name, &inputs);
		site->estimated = site->flops > 0;
	}
	tfp_array_free(&dims);
	tfp_array_free(&types);
	tfp_array_free(&listed);
	tfp_array_free(&values);
}

static void understand(struct chrome *chrome, struct site *site)
{
	struct tfp_profile *profile = chrome->profile;
	struct tfp_span name = record_label(&chrome->record, FIELD_NAME, &chrome->room);

	if (!name.size)
		name = TFP_SPAN("no name");
	if (site->kind == KIND_PYTHON)
		name = without_address(name, &chrome->room);
	site->title = site->op = tfp_strings_add(profile->strings, name.at, name.size);
	name = tfp_strings_get(profile->strings, site->title);
	site->flops = record_number(&chrome->record, FIELD_FLOPS, 0);
	if (site->kind == KIND_PYTHON) {
		read_module(profile, site, name);
		site->frame = site->module ? TFP_NONE : chrome_frame(profile, name);
	} else if (site->kind == KIND_OP || site->kind == KIND_NOTE || site->kind == KIND_REPEAT) {
		read_step(profile, site, name);
		understand_op(chrome, site, name);
	} else if (site->kind == KIND_KERNEL) {
		site->communicates = tfp_is_collective(name);
	} else if (chrome_is_other(site->kind)) {
		understand_other(chrome, site, name);
	}
	if (!site->part)
		site->part = site->op;
}

/* ---- finding ------------------------------------------------------------------------------------- */

/* What a site is found by. */
struct wanted {
	struct tfp_span name, dims, types, values, hierarchy;
	uint64_t hash;
	enum kind kind;
};

static inline bool is_site(const struct site *site, const struct wanted *wanted)
{
	return site->hash == wanted->hash && site->kind == wanted->kind &&
	       tfp_span_equal(site->name, wanted->name) &&
	       tfp_span_equal(site->dims, wanted->dims) &&
	       tfp_span_equal(site->types, wanted->types) &&
	       tfp_span_equal(site->values, wanted->values) &&
	       tfp_span_equal(site->hierarchy, wanted->hierarchy);
}

/* Do the values of the op tell its operations? Asked of each event, and looked for in its name once. */
static bool needs_values(struct chrome *chrome, const struct wanted *wanted)
{
	struct valued *slot = &chrome->valued[wanted->hash % NAME_SLOTS];

	if (!slot->met || slot->hash != wanted->hash)
		*slot = (struct valued){
			wanted->hash, true,
			flops_need_values(record_text(&chrome->record, FIELD_NAME, &chrome->room))};
	return slot->needs;
}

/* What tells apart events of one name. False: nothing else does. */
static bool want_more(struct chrome *chrome, enum kind kind, struct wanted *wanted)
{
	const struct record *record = &chrome->record;

	if (kind == KIND_OP || kind == KIND_NOTE) {
		wanted->dims = record_raw(record, FIELD_DIMS);
		wanted->types = record_raw(record, FIELD_TYPES);
		wanted->hierarchy = record_raw(record, FIELD_MODULES);
		if (record_has(record, FIELD_FLOPS))
			wanted->values = record_raw(record, FIELD_FLOPS);
		else if (needs_values(chrome, wanted))
			wanted->values = record_raw(record, FIELD_INPUTS);
	} else if (chrome_is_other(kind)) {
		enum field path = path_field(record);

		wanted->dims = record_raw(record, path == FIELD_UNKNOWN ? FIELD_FILE : path);
		wanted->types = record_raw(record, FIELD_LINE);
		wanted->values = record_raw(record, FIELD_DETAILS);
		wanted->hierarchy = record_raw(record, FIELD_STEP);
	}
	return wanted->dims.size || wanted->hierarchy.size || wanted->values.size;
}

static uint64_t fold(const struct chrome *chrome, uint64_t hash, struct tfp_span text)
{
	struct tfp_hash_key key = chrome->profile->hash_key;

	key.a ^= hash;
	return tfp_hash_bytes(key, text.at, text.size);
}

static struct wanted wanted_of(struct chrome *chrome, enum kind kind)
{
	const struct record *record = &chrome->record;
	struct tfp_hash_key key = chrome->profile->hash_key;
	struct wanted wanted = {.name = record_raw(record, FIELD_NAME), .kind = kind};

	wanted.hash = tfp_hash_bytes(key, wanted.name.at, wanted.name.size) + kind;
	if (!want_more(chrome, kind, &wanted))
		return wanted;
	wanted.hash = fold(chrome, wanted.hash, wanted.dims);
	if (wanted.types.size)
		wanted.hash = fold(chrome, wanted.hash, wanted.types);
	if (wanted.values.size)
		wanted.hash = fold(chrome, wanted.hash, wanted.values);
	if (wanted.hierarchy.size)
		wanted.hash = fold(chrome, wanted.hash, wanted.hierarchy);
	return wanted;
}

static uint32_t add_site(struct chrome *chrome, const struct wanted *wanted)
{
	struct site site = {
		.hash = wanted->hash,
		.name = chrome_hold(chrome, wanted->name),
		.dims = chrome_hold(chrome, wanted->dims),
		.types = chrome_hold(chrome, wanted->types),
		.values = chrome_hold(chrome, wanted->values),
		.hierarchy = chrome_hold(chrome, wanted->hierarchy),
		.kind = (uint8_t)wanted->kind,
		.node = TFP_NONE,
		.frame = TFP_NONE,
		.between = TFP_NONE,
		.stack = TFP_NONE,
	};

	understand(chrome, &site);
	if (site.kind == KIND_OP || site.kind == KIND_NOTE || chrome_is_other(site.kind))
		site.text = chrome_keep_text(chrome->parts, chrome->record_text);
	tfp_lookup_add(chrome->site_table, (uint32_t)site.hash, (uint32_t)chrome->sites.count);
	*tfp_array_push(&chrome->sites) = site;
	return (uint32_t)chrome->sites.count - 1;
}

uint32_t chrome_site(struct chrome *chrome, enum kind kind)
{
	struct wanted wanted = wanted_of(chrome, kind);
	uint32_t hash = (uint32_t)wanted.hash, id;

	TFP_LOOKUP_EACH(id, chrome->site_table, hash)
		if (is_site(&chrome->sites.at[id], &wanted))
			return id;
	return add_site(chrome, &wanted);
}

uint32_t chrome_label(struct chrome *chrome, tfp_str text)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)KIND_COUNTER << 32 | text), id;

	TFP_LOOKUP_EACH(id, chrome->site_table, hash)
		if (chrome->sites.at[id].kind == KIND_COUNTER && chrome->sites.at[id].op == text)
			return id;
	tfp_lookup_add(chrome->site_table, hash, (uint32_t)chrome->sites.count);
	*tfp_array_push(&chrome->sites) = (struct site){
		.hash = hash,
		.kind = KIND_COUNTER,
		.title = text,
		.op = text,
		.node = TFP_NONE,
		.frame = TFP_NONE,
		.between = TFP_NONE,
		.stack = TFP_NONE,
	};
	chrome->counted++;
	return (uint32_t)chrome->sites.count - 1;
}
