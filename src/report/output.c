/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value of --output: "type" or "type:key=value,key=value".
 */
#include "tfprof/report.h"

#include <string.h>

static const struct {
	const char *type;
	const char *key; /* the one that it needs; NULL: it takes none */
} types[] = {
	{"file", "outfile"},
	{"none", NULL},
	{"stdout", NULL},
};

#define TYPES (sizeof(types) / sizeof(*types))

static size_t find_type(struct tfp_span name)
{
	size_t i = 0;

	while (i < TYPES && !tfp_span_equal(tfp_span_of(types[i].type), name))
		i++;
	return i;
}

/* Parts between '=', empty ones dropped, from the second on, again joined by '='. */
static char *join_value(struct tfp_span option, struct tfp_arena *arena)
{
	char *value = tfp_arena_alloc(arena, option.size + 1), *to = value;
	size_t parts = 0;

	for (size_t at = 0; at < option.size;) {
		const char *equals = memchr(option.at + at, '=', option.size - at);
		size_t end = equals ? (size_t)(equals - option.at) : option.size;

		if (end > at && parts++) {
			if (to > value)
				*to++ = '=';
			memcpy(to, option.at + at, end - at);
			to += end - at;
		}
		at = end + 1;
	}
	*to = '\0';
	return parts < 2 ? NULL : value;
}

/* The first part that is not empty. */
static struct tfp_span key_of(struct tfp_span option)
{
	const char *equals;

	while (option.size && *option.at == '=')
		option = (struct tfp_span){option.at + 1, option.size - 1};
	equals = memchr(option.at, '=', option.size);
	if (equals)
		option.size = (size_t)(equals - option.at);
	return option;
}

static bool take_option(struct tfp_output *output, size_t type, struct tfp_span option,
			struct tfp_arena *arena, struct tfp_diag *diag)
{
	struct tfp_span key = key_of(option);
	char *value = join_value(option, arena);

	if (!value) {
		tfp_diag_error(diag, "--output=%s: options are key=value, with commas between",
			       output->type);
		return false;
	}
	if (!types[type].key || !tfp_span_equal(key, tfp_span_of(types[type].key))) {
		tfp_diag_error(diag, "--output=%s: there is no option \"%.*s\"; valid: %s",
			       output->type, (int)key.size, key.at,
			       types[type].key ? types[type].key : "none");
		return false;
	}
	output->outfile = value;
	return true;
}

static bool take_type(struct tfp_output *output, struct tfp_span name, size_t *type,
		      struct tfp_diag *diag)
{
	*type = find_type(name);
	if (*type == TYPES) {
		tfp_diag_error(diag, "--output: there is no kind \"%.*s\"; valid: file none stdout",
			       (int)name.size, name.at);
		return false;
	}
	output->type = types[*type].type;
	return true;
}

bool tfp_output_parse(const char *text, struct tfp_output *output, struct tfp_arena *arena,
		      struct tfp_diag *diag)
{
	const char *colon = strchr(text, ':'), *at = colon ? colon + 1 : "";
	struct tfp_span name = {text, colon ? (size_t)(colon - text) : strlen(text)};
	size_t type;

	*output = (struct tfp_output){.type = "stdout", .outfile = ""};
	if (!*text)
		return true;
	if (!take_type(output, name, &type, diag))
		return false;
	while (*at) {
		size_t size = strcspn(at, ",");

		if (size && !take_option(output, type, (struct tfp_span){at, size}, arena, diag))
			return false;
		at += size + (at[size] == ',');
	}
	if (types[type].key && !*output->outfile) {
		tfp_diag_error(diag, "--output=%s needs a file: --output=%s:%s=FILE", output->type,
			       output->type, types[type].key);
		return false;
	}
	return true;
}
