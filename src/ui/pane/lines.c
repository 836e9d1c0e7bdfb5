/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of source files. Whatever a profile names may be large or no text: so much of it is read, and so
 * many rows get a line, as a person would look at.
 */
#include "ui/pane/lines.h"

#include <stdio.h>
#include <string.h>

#define MOST_ROWS  200
#define MOST_BYTES (1 << 20) /* of a file */
#define MOST_TEXT  300       /* of a line */
#define AROUND     2         /* lines above one, and below it */
#define TAB_CELLS  4

/* The file that was read last. */
struct lines {
	const char *path; /* as the profile has it; NULL: none was read */
	struct tfp_arena arena;
	char *bytes;
	size_t size;
};

static void read_file(struct lines *lines, const struct tfp_sources *sources, const char *path)
{
	const char *found;
	FILE *file;

	tfp_arena_free(&lines->arena);
	lines->arena = (struct tfp_arena){0};
	lines->path = path;
	lines->size = 0;
	found = tfp_sources_find(sources, &lines->arena, path);
	file = found ? fopen(found, "re") : NULL;
	if (!file)
		return;
	lines->bytes = tfp_arena_alloc(&lines->arena, MOST_BYTES);
	lines->size = fread(lines->bytes, 1, MOST_BYTES, file);
	fclose(file);
}

/* Line NUMBER, from 1, without the blanks behind it; at NULL where there is none. */
static struct tfp_span find_line(const struct lines *lines, int32_t number)
{
	const char *at = lines->bytes, *end = at + lines->size, *next;
	struct tfp_span line;

	for (; number > 1 && at < end; number--) {
		next = memchr(at, '\n', (size_t)(end - at));
		at = next ? next + 1 : end;
	}
	if (number != 1 || at >= end)
		return (struct tfp_span){0};
	next = memchr(at, '\n', (size_t)(end - at));
	line = (struct tfp_span){at, (size_t)((next ? next : end) - at)};
	while (line.size && strchr(" \t\r", line.at[line.size - 1]))
		line.size--;
	return line;
}

static struct tfp_span without_indent(struct tfp_span line)
{
	while (line.size && (*line.at == ' ' || *line.at == '\t')) {
		line.at++;
		line.size--;
	}
	return line;
}

/* Puts LINE behind the text OUT, a tab as some blanks and with a line feed at its end. Returns the new end. */
static char *put_line(char *out, struct tfp_span line)
{
	size_t room = MOST_TEXT;

	for (size_t i = 0; i < line.size && room >= TAB_CELLS; i++) {
		size_t cells = line.at[i] == '\t' ? TAB_CELLS : 1;

		memset(out, line.at[i] == '\t' ? ' ' : line.at[i], cells);
		out += cells;
		room -= cells;
	}
	*out++ = '\n';
	return out;
}

static void fill_around(const struct lines *lines, struct tfp_breakdown *detail,
			struct tfp_breakdown_row *row)
{
	int32_t number = row->line > AROUND ? row->line - AROUND : 1;
	char text[(2 * AROUND + 1) * (MOST_TEXT + 1)], *end = text;
	struct tfp_span line;

	row->around_line = number;
	for (; number - AROUND <= row->line && (line = find_line(lines, number)).at; number++)
		end = put_line(end, line);
	row->around = tfp_arena_text(&detail->arena, text, (size_t)(end - text));
}

/* A file of another text than the profile has there is another file, or is of another time. */
static void fill_row(struct lines *lines, const struct tfp_sources *sources,
		     struct tfp_breakdown *detail, struct tfp_breakdown_row *row)
{
	struct tfp_span line;
	const char *text;

	if (!lines->path || strcmp(lines->path, row->file) != 0)
		read_file(lines, sources, row->file);
	if (!lines->size)
		return;
	line = without_indent(find_line(lines, row->line));
	if (!line.size)
		return;
	text = tfp_arena_text(&detail->arena, line.at,
			      line.size < MOST_TEXT ? line.size : MOST_TEXT);
	if (!row->text)
		row->text = text;
	if (!strncmp(row->text, text, MOST_TEXT))
		fill_around(lines, detail, row);
}

void tfp_lines_fill(struct tfp_breakdown *detail, const struct tfp_sources *sources,
		    struct tfp_job *job)
{
	struct lines lines = {0};

	for (size_t i = 0; i < detail->count && i < MOST_ROWS && !tfp_job_cancelled(job); i++)
		if (detail->rows[i].file && detail->rows[i].line > 0)
			fill_row(&lines, sources, detail, &detail->rows[i]);
	tfp_arena_free(&lines.arena);
}
