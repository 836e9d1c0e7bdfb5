/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sites: records that say the same of what happened are one, found by the bytes of their names, shapes and types, so
 * that each of these texts is understood once.
 */
#include <stdlib.h>
#include <string.h>

#include "load/chrome/chrome.h"

#define MOST_SIGNATURE 1000 /* bytes; the rest is left out */

/* ---- shapes and types ---------------------------------------------------------------------------- */

/* The elements of a list in JSON, one after another. */
struct elements {
	const char *at, *end;
};

static struct elements elements_of(struct tfp_span list)
{
	if (list.size < 2 || *list.at != '[')
		return (struct elements){list.at, list.at};
	return (struct elements){list.at + 1, list.at + list.size - 1};
}

/* The next element as it stands, strings with their quotes. */
static bool next_element(struct elements *elements, struct tfp_span *element)
{
	const char *at = tfp_json_pass_blanks(elements->at, elements->end), *end = elements->end,
		   *after;
	bool escaped;

	if (at == end)
		return false;
	if (*at == '[' || *at == '{') {
		after = tfp_json_pass_nested(at, end);
	} else if (*at == '"') {
		after = tfp_json_string_end(at + 1, end, &escaped);
		after = after ? after + 1 : NULL;
	} else {
		after = memchr(at, ',', (size_t)(end - at));
	}
	if (!after)
		after = end;
	*element = (struct tfp_span){at, (size_t)(after - at)};
	at = tfp_json_pass_blanks(after, end);
	elements->at = at < end && *at == ',' ? at + 1 : at;
	return true;
}

static struct tfp_span without_quotes(struct tfp_span text)
{
	if (text.size < 2 || *text.at != '"')
		return (struct tfp_span){"", 0};
	return (struct tfp_span){text.at + 1, text.size - 2};
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
static tfp_str make_signature(struct tfp_profile *profile, const struct site *site)
{
	struct elements dims = elements_of(site->dims), types = elements_of(site->types);
	struct tfp_span dim, type;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	tfp_str signature;
	bool any = false;

	while (out && next_element(&dims, &dim) && ftell(out) < MOST_SIGNATURE) {
		bool typed = next_element(&types, &type);

		type = typed ? without_quotes(type) : (struct tfp_span){"", 0};
		if ((typed || dim.size <= 2) && is_scalar(type))
			continue;
		fputs(any ? ", " : "", out);
		any = true;
		if (!is_list_of_lists(dim) && !tfp_span_equal(type, TFP_SPAN("TensorList"))) {
			put_dims(out, dim);
			fputc(' ', out);
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

static bool begins(struct tfp_span text, const char *with)
{
	size_t size = strlen(with);

	return text.size >= size && !memcmp(text.at, with, size);
}

/* "ProfilerStep#12": the marker of a step. */
static void read_step(struct tfp_profile *profile, struct site *site, struct tfp_span name)
{
	static const char marker[] = "ProfilerStep#";
	size_t size = sizeof(marker) - 1;
	char digits[20];

	if (!begins(name, marker) || name.size - size >= sizeof(digits))
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

	site->module = begins(name, marker) && name.size > size;
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

/* The digits of TEXT up to its end as a line; -1: there are other bytes, none, or too many. */
static int32_t line_of(const char *at, const char *end)
{
	int32_t line = 0;

	if (at == end || end - at > 9)
		return -1;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9')
			return -1;
		line = line * 10 + (*at - '0');
	}
	return line;
}

static struct tfp_span part_of(const char *from, const char *to)
{
	return (struct tfp_span){from, (size_t)(to - from)};
}

/* What a label of a call says. */
struct call {
	struct tfp_span file, function;
	int32_t line; /* -1: neither file nor line are known */
};

/* "torch/nn/modules/module.py(1783): _call_impl", as PyTorch has it. */
static bool read_torch_call(struct tfp_span name, struct call *call)
{
	const char *end = name.at + name.size, *close, *open;

	close = memmem(name.at, name.size, "): ", 3);
	open = close ? memrchr(name.at, '(', (size_t)(close - name.at)) : NULL;
	call->line = open && open > name.at ? line_of(open + 1, close) : -1;
	if (call->line < 0)
		return false;
	call->file = part_of(name.at, open);
	call->function = part_of(close + 3, end);
	return true;
}

/* "$api.py:2757 block_until_ready", as JAX has it. */
static bool read_jax_call(struct tfp_span name, struct call *call)
{
	const char *end = name.at + name.size, *space, *colon;

	if (!name.size || *name.at != '$')
		return false;
	space = memchr(name.at, ' ', name.size);
	colon = space ? memrchr(name.at, ':', (size_t)(space - name.at)) : NULL;
	call->line = colon ? line_of(colon + 1, space) : -1;
	if (call->line < 0)
		return false;
	call->file = part_of(name.at + 1, colon);
	call->function = part_of(space + 1, end);
	return true;
}

/* Of a name that has no file and line in it the whole is the function. */
static uint32_t make_frame(struct tfp_profile *profile, struct tfp_span name)
{
	struct call call = {.line = -1};
	struct tfp_frame frame;

	if (!read_torch_call(name, &call) && !read_jax_call(name, &call))
		call.function = name;
	frame = (struct tfp_frame){
		.file = call.file.size
				? tfp_strings_add(profile->strings, call.file.at, call.file.size)
				: 0,
		.function = tfp_strings_add(profile->strings, call.function.at, call.function.size),
		.line = call.line,
		.start_line = call.line,
	};
	return tfp_profile_frame(profile, &frame);
}

/* "jit(f)/dot_general:": the path of scopes of what ran, with the type behind a colon. */
static tfp_str make_path(struct chrome *chrome)
{
	struct tfp_span path = record_text(&chrome->record, FIELD_PATH, &chrome->room);
	const char *colon = path.size ? memrchr(path.at, ':', path.size) : NULL;

	if (colon)
		path.size = (size_t)(colon - path.at);
	return tfp_strings_add(chrome->profile->strings, path.at, path.size);
}

static void understand(struct chrome *chrome, struct site *site)
{
	struct tfp_profile *profile = chrome->profile;
	struct tfp_span name = record_text(&chrome->record, FIELD_NAME, &chrome->room);

	if (site->kind == KIND_PYTHON)
		name = without_address(name, &chrome->room);
	site->title = site->op = tfp_strings_add(profile->strings, name.at, name.size);
	if (site->kind == KIND_PYTHON) {
		read_module(profile, site, name);
		site->frame = site->module ? TFP_NONE : make_frame(profile, name);
	} else if (site->kind == KIND_NOTE || site->kind == KIND_REPEAT) {
		read_step(profile, site, name);
	} else if (site->kind == KIND_KERNEL) {
		site->communicates = tfp_span_holds(name, "nccl") || tfp_span_holds(name, "rccl");
	}
	if (site->kind == KIND_OTHER) {
		site->frame = make_frame(profile, name);
		site->path = make_path(chrome);
	} else if (site->dims.size) {
		site->signature = make_signature(profile, site);
	}
	site->flops = record_number(&chrome->record, FIELD_FLOPS, 0);
}

/* ---- finding ------------------------------------------------------------------------------------- */

/* What a site is found by. */
struct wanted {
	struct tfp_span name, dims, types;
	uint64_t hash;
	enum kind kind;
};

static inline bool is_site(const struct site *site, const struct wanted *wanted)
{
	return site->hash == wanted->hash && site->kind == wanted->kind &&
	       tfp_span_equal(site->name, wanted->name) &&
	       tfp_span_equal(site->dims, wanted->dims) &&
	       tfp_span_equal(site->types, wanted->types);
}

static inline struct tfp_span text_of(const struct record *record, enum field field)
{
	return record_has(record, field) ? record->text[field] : (struct tfp_span){"", 0};
}

static struct wanted wanted_of(const struct chrome *chrome, enum kind kind)
{
	const struct record *record = &chrome->record;
	struct tfp_hash_key key = chrome->profile->hash_key;
	struct wanted wanted = {.name = text_of(record, FIELD_NAME), .kind = kind};

	wanted.hash = tfp_hash_bytes(key, wanted.name.at, wanted.name.size) + kind;
	if ((kind == KIND_OP || kind == KIND_NOTE) && record_has(record, FIELD_DIMS)) {
		wanted.dims = record->text[FIELD_DIMS];
		wanted.types = text_of(record, FIELD_TYPES);
	} else if (kind == KIND_OTHER && record_is_text(record, FIELD_PATH)) {
		wanted.dims = record->text[FIELD_PATH];
	} else {
		return wanted;
	}
	key.a ^= wanted.hash;
	key.a ^= tfp_hash_bytes(key, wanted.dims.at, wanted.dims.size);
	wanted.hash = tfp_hash_bytes(key, wanted.types.at, wanted.types.size);
	return wanted;
}

static uint32_t add_site(struct chrome *chrome, const struct wanted *wanted)
{
	struct site site = {
		.hash = wanted->hash,
		.name = wanted->name,
		.dims = wanted->dims,
		.types = wanted->types,
		.kind = (uint8_t)wanted->kind,
		.node = TFP_NONE,
		.frame = TFP_NONE,
	};

	understand(chrome, &site);
	if (site.kind == KIND_OP || site.kind == KIND_NOTE || site.kind == KIND_OTHER)
		site.text = chrome_keep_text(chrome->parts, chrome->record_text);
	tfp_lookup_add(chrome->site_table, (uint32_t)site.hash, (uint32_t)chrome->sites.count);
	*tfp_array_push(&chrome->sites) = site;
	return (uint32_t)chrome->sites.count - 1;
}

uint32_t chrome_site(struct chrome *chrome, enum kind kind)
{
	struct wanted wanted = wanted_of(chrome, kind);
	uint32_t hash = (uint32_t)wanted.hash, id;
	size_t at;

	for (id = tfp_lookup_first(chrome->site_table, hash, &at); id != TFP_NONE;
	     id = tfp_lookup_next(chrome->site_table, hash, &at))
		if (is_site(&chrome->sites.at[id], &wanted))
			return id;
	return add_site(chrome, &wanted);
}

/* "a.py(3): f;b.py(1): g", the innermost first. */
uint32_t chrome_calls(struct chrome *chrome)
{
	struct tfp_span text = record_text(&chrome->record, FIELD_CALLS, &chrome->room);
	const char *end = text.at + text.size;
	uint32_t stack = TFP_NONE;

	while (end > text.at) {
		const char *begin = memrchr(text.at, ';', (size_t)(end - text.at));
		struct tfp_span call;

		begin = begin ? begin + 1 : text.at;
		call = (struct tfp_span){begin, (size_t)(end - begin)};
		while (call.size && *call.at == ' ')
			call.at++, call.size--;
		if (call.size)
			stack = tfp_profile_stack(chrome->profile, stack,
						  make_frame(chrome->profile, call));
		end = begin > text.at ? begin - 1 : text.at;
	}
	return stack;
}
