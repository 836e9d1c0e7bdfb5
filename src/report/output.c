/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a query's result goes: the value of --output, "type" or "type:key=value,key=value", and files
 * that are written whole. The kinds that there are: outputkinds.c.
 */
#include "report/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

const struct tfp_output_kind *tfp_output_find(struct tfp_span type)
{
	const struct tfp_output_kind *kind = tfp_output_kinds;

	while (kind->type && !tfp_span_is(type, kind->type))
		kind++;
	return kind->type ? kind : NULL;
}

/* How long the suffix of LIST is that PATH ends in; 0: in none. */
static size_t suffix_size(const char *list, const char *path)
{
	size_t most = 0, length = strlen(path);

	for (const char *at = list; *at; at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		if (size <= length && size > most && !strncasecmp(path + length - size, at, size))
			most = size;
		at += size;
	}
	return most;
}

const struct tfp_output_kind *tfp_output_of_path(const char *path)
{
	const struct tfp_output_kind *found = NULL;
	size_t most = 0;

	for (const struct tfp_output_kind *kind = tfp_output_kinds; kind->type; kind++) {
		size_t size = kind->suffixes ? suffix_size(kind->suffixes, path) : 0;

		if (size > most) {
			most = size;
			found = kind;
		}
	}
	return found;
}

struct tfp_words tfp_output_paths(const struct tfp_output *output, const struct tfp_query *query,
				  struct tfp_words steps, struct tfp_arena *arena)
{
	struct tfp_words one = {tfp_arena_zero(arena, 1, sizeof(*one.at)), 1};

	if (output->kind->paths)
		return output->kind->paths(output, query, steps, arena);
	one.at[0] = output->outfile;
	return one;
}

/* The names of all kinds with blanks between. In ARENA. */
static char *type_names(struct tfp_arena *arena)
{
	char *text = tfp_arena_text(arena, "", 0);

	for (size_t i = 0; tfp_output_kinds[i].type; i++)
		text = tfp_arena_printf(arena, "%s%s%s", text, i ? " " : "",
					tfp_output_kinds[i].type);
	return text;
}

/* ---- parsing --------------------------------------------------------------------------------- */

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
		option = tfp_span_from(option, 1);
	equals = memchr(option.at, '=', option.size);
	if (equals)
		option.size = (size_t)(equals - option.at);
	return option;
}

static bool take_option(struct tfp_output *output, struct tfp_span option, struct tfp_arena *arena,
			struct tfp_diag *diag)
{
	const char *type = output->kind->type, *known = output->kind->key;
	struct tfp_span key = key_of(option);
	char *value = join_value(option, arena);

	if (!value) {
		tfp_diag_error(diag, "--output=%s: options are key=value, with commas between",
			       type);
		return false;
	}
	if (!known || !tfp_span_is(key, known)) {
		tfp_diag_error(diag, "--output=%s: there is no option \"%.*s\"; valid: %s", type,
			       (int)key.size, key.at, known ? known : "none");
		return false;
	}
	output->outfile = value;
	return true;
}

static bool take_options(struct tfp_output *output, const char *at, struct tfp_arena *arena,
			 struct tfp_diag *diag)
{
	const char *type = output->kind->type, *key = output->kind->key;

	while (*at) {
		size_t size = strcspn(at, ",");

		if (size && !take_option(output, (struct tfp_span){at, size}, arena, diag))
			return false;
		at += size + (at[size] == ',');
	}
	if (output->kind->table && !*output->outfile) {
		output->outfile = TFP_STANDARD_OUTPUT;
	} else if (key && !*output->outfile) {
		tfp_diag_error(diag, "--output=%s needs a file: --output=%s:%s=FILE", type, type,
			       key);
		return false;
	}
	return true;
}

bool tfp_output_parse(const char *text, struct tfp_output *output, struct tfp_arena *arena,
		      struct tfp_diag *diag)
{
	const char *colon = strchr(text, ':');
	struct tfp_span type = {text, colon ? (size_t)(colon - text) : strlen(text)};

	if (!*text)
		type = tfp_span_of("stdout");
	*output = (struct tfp_output){.kind = tfp_output_find(type), .outfile = ""};
	if (!output->kind) {
		tfp_diag_error(diag, "--output: there is no kind \"%.*s\"; valid: %s",
			       (int)type.size, type.at, type_names(arena));
		return false;
	}
	return take_options(output, colon ? colon + 1 : "", arena, diag);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The original takes the sign for standard output as a file's name, and has no tables. */
static bool is_standard(const struct tfp_output_task *task, const char *path)
{
	return !strcmp(path, TFP_STANDARD_OUTPUT) && !(task->query && task->query->compat);
}

struct tfp_out_file *tfp_output_begin(const struct tfp_output_task *task, const char *path)
{
	if (!is_standard(task, path))
		return tfp_output_open(path, task->diag);
	if (task->out)
		return tfp_output_lend(task->out);
	tfp_diag_error(task->diag, "standard output is the screen; give a file");
	return NULL;
}

bool tfp_output_file(const struct tfp_output_task *task, const char *path, const char *what,
		     bool (*write)(struct tfp_writer *writer, void *data), void *data)
{
	struct tfp_out_file *file = tfp_output_begin(task, path);
	struct tfp_writer *writer;
	bool done;

	if (!file)
		return false;
	writer = tfp_alloc(sizeof(*writer));
	*writer = (struct tfp_writer){.out = tfp_output_stream(file), .job = task->job};
	done = write(writer, data);
	tfp_writer_flush(writer);
	if (writer->error && writer->error != ECANCELED)
		tfp_diag_add(task->diag, TFP_ERROR, path, -1, 0, "can't be written: %s",
			     strerror(writer->error));
	done = done && !writer->error;
	free(writer);
	done = tfp_output_close(file, done, task->diag) && done;
	if (done && task->out && !is_standard(task, path))
		fprintf(task->out, "%s: %s\n", what, path);
	return done;
}

bool tfp_output_make(struct tfp_engine *engine, const struct tfp_query *query,
		     const struct tfp_output *output, FILE *out, struct tfp_job *job,
		     struct tfp_diag *diag)
{
	struct tfp_output_task task = {engine, query, output, out, job, diag};

	return output->kind->write(&task);
}

bool tfp_output_write(struct tfp_engine *engine, const struct tfp_query *query, FILE *out,
		      struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_output output;
	bool done = tfp_output_parse(query->output, &output, &arena, diag);

	output.as_named = !tfp_engine_profile(engine)->tensorflow;
	done = done && tfp_output_make(engine, query, &output, out, job, diag);
	tfp_arena_free(&arena);
	return done;
}
