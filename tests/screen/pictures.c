/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole screens compared with files, row by row: their text, or how each cell is drawn.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "script.h"

/* How a row is drawn, a letter a cell: reverse, underlined, bold, coloured, both, or a blank. */
static const char *looks_row(struct vt *vt, int row)
{
	static char text[1024];
	int size = vt_columns(vt) < (int)sizeof(text) - 1 ? vt_columns(vt) : (int)sizeof(text) - 1;

	for (int column = 0; column < size; column++) {
		struct vt_look look = vt_look_at(vt, row, column);

		text[column] = look.reverse                 ? 'r'
			       : look.underline             ? 'u'
			       : look.bold && look.coloured ? 'B'
			       : look.bold                  ? 'b'
			       : look.coloured              ? 'c'
							    : ' ';
	}
	while (size && text[size - 1] == ' ')
		size--;
	text[size] = '\0';
	return text;
}

static void picture_path(const struct script *script, const char *name, char *path, size_t room)
{
	const char *slash = strrchr(script->path, '/');
	int folder = slash ? (int)(slash - script->path) : 1;

	snprintf(path, room, "%.*s/pictures/%s.txt", folder, slash ? script->path : ".", name);
}

typedef const char *row_text(struct vt *vt, int row);

static void write_picture(struct script *script, const char *path, row_text *text)
{
	FILE *file = fopen(path, "w");

	if (!file) {
		script_result(script, false, "%s: %s", path, strerror(errno));
		return;
	}
	for (int row = 0; row < vt_rows(script->vt); row++)
		fprintf(file, "%s\n", text(script->vt, row));
	fclose(file);
	script_result(script, true, "wrote %s", path);
}

/*
 * The first row that is not as in FILE, whose row goes to WANT; -1: none. Rows are compared whole; `~` at
 * the end of one lets the rest differ.
 */
static int first_difference(struct vt *vt, FILE *file, row_text *text, char *want, int room)
{
	int row = 0;

	rewind(file);
	for (; fgets(want, room, file); row++) {
		size_t size = strcspn(want, "\n");
		const char *got = row < vt_rows(vt) ? text(vt, row) : "";
		bool open_end = size && want[size - 1] == '~';

		want[size] = '\0';
		if (open_end ? strncmp(want, got, size - 1) : strcmp(want, got))
			return row;
	}
	*want = '\0';
	return row == vt_rows(vt) ? -1 : row;
}

static void check_picture(struct script *script, const char *name, row_text *text)
{
	char path[4096], want[4096];
	int row, waited = 0;
	FILE *file;

	picture_path(script, name, path, sizeof(path));
	if (script->generate) {
		write_picture(script, path, text);
		return;
	}
	file = fopen(path, "r");
	if (!file) {
		script_result(script, false, "%s: %s", path, strerror(errno));
		return;
	}
	while ((row = first_difference(script->vt, file, text, want, sizeof(want))) >= 0 &&
	       (waited += 50) <= HOLD_MS)
		vt_pump(script->vt, 50);
	fclose(file);
	if (row < 0)
		script_result(script, true, "picture %s", name);
	else
		script_result(script, false, "picture %s, row %d should be |%s", name, row, want);
}

void script_picture(struct script *script, char *name)
{
	check_picture(script, name, vt_row);
}

void script_looks(struct script *script, char *name)
{
	check_picture(script, name, looks_row);
}
