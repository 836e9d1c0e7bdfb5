/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a query's result goes: the value of --output, "type" or "type:key=value,key=value", and the
 * kinds that there are. To add one: its row, and its function.
 */
#include "report/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- reports --------------------------------------------------------------------------------- */

static bool write_report(const struct tfp_output_task *task, FILE *out)
{
	struct tfp_tree *tree = tfp_engine_run(task->engine, task->query, NULL, task->diag);
	bool done =
		tree && tfp_report_text(out, tree, task->engine, isatty(fileno(out)), task->diag);

	tfp_tree_release(tree);
	if (done && fflush(out)) {
		tfp_diag_error(task->diag, "the report could not be written: %s", strerror(errno));
		return false;
	}
	return done;
}

static bool write_stdout(const struct tfp_output_task *task)
{
	return write_report(task, task->out);
}

static bool write_file(const struct tfp_output_task *task)
{
	struct tfp_out_file *file = tfp_output_open(task->outfile, task->diag);
	bool done = file && write_report(task, tfp_output_stream(file));

	return file && tfp_output_close(file, done, task->diag) && done;
}

/* The query is still checked. */
static bool write_none(const struct tfp_output_task *task)
{
	struct tfp_tree *tree = tfp_engine_run(task->engine, task->query, NULL, task->diag);

	tfp_tree_release(tree);
	return tree != NULL;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const struct tfp_output_kind types[] = {
	{"file", "outfile", write_file},
	{"none", NULL, write_none},
	{"pprof", "outfile", tfp_pprof_write},
	{"stdout", NULL, write_stdout},
	{"timeline", "outfile", tfp_timeline_write},
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
		tfp_diag_error(diag,
			       "--output: there is no kind \"%.*s\"; valid: file none pprof "
			       "stdout timeline",
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

/* ---- writing --------------------------------------------------------------------------------- */

bool tfp_output_file(const struct tfp_output_task *task, const char *path, const char *what,
		     bool (*write)(struct tfp_writer *writer, void *data), void *data)
{
	struct tfp_out_file *file = tfp_output_open(path, task->diag);
	struct tfp_writer *writer;
	bool done;

	if (!file)
		return false;
	writer = tfp_alloc(sizeof(*writer));
	*writer = (struct tfp_writer){.out = tfp_output_stream(file)};
	done = write(writer, data);
	tfp_writer_flush(writer);
	if (writer->error)
		tfp_diag_add(task->diag, TFP_ERROR, path, -1, 0, "can't be written: %s",
			     strerror(writer->error));
	done = done && !writer->error;
	free(writer);
	done = tfp_output_close(file, done, task->diag) && done;
	if (done)
		fprintf(task->out, "%s: %s\n", what, path);
	return done;
}

bool tfp_output_write(struct tfp_engine *engine, const struct tfp_query *query, FILE *out,
		      struct tfp_diag *diag)
{
	struct tfp_output_task task = {.engine = engine, .query = query, .out = out, .diag = diag};
	struct tfp_arena arena = {0};
	struct tfp_output output;
	bool done = tfp_output_parse(query->output, &output, &arena, diag);

	task.outfile = output.outfile;
	for (size_t i = 0; i < TYPES && done; i++)
		if (!strcmp(types[i].type, output.type)) {
			done = types[i].write(&task);
			break;
		}
	tfp_arena_free(&arena);
	return done;
}
