/* SPDX-License-Identifier: Apache-2.0 */
/* Lines typed before: see pastlines.h. */
#include "app/shell/pastlines.h"

#include <stdlib.h>
#include <string.h>

#include "app/files/savefile.h"
#include "app/files/textfile.h"

#define LARGEST ((size_t)4 << 20) /* bytes of the file that is read */

static void push(struct tfp_pastlines *past, const char *line)
{
	size_t count = past->lines.count;

	if (count && !strcmp(past->lines.at[count - 1], line))
		return;
	if (count == TFP_PASTLINES) {
		free(past->lines.at[0]);
		memmove(past->lines.at, past->lines.at + 1, --count * sizeof(*past->lines.at));
		past->lines.count = count;
	}
	*tfp_array_push(&past->lines) = tfp_strdup(line);
}

void tfp_pastlines_read(struct tfp_pastlines *past, const char *path)
{
	struct tfp_arena arena = {0};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_span bytes = {"", 0};
	char *rest, *line;

	if (path && tfp_textfile_read(path, LARGEST, &arena, &bytes, diag) == TFP_TEXTFILE_READ) {
		rest = tfp_arena_text(&arena, bytes.at, bytes.size);
		while ((line = strsep(&rest, "\n")))
			if (*line)
				push(past, line);
	}
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
}

static void save(const struct tfp_pastlines *past, const char *path)
{
	struct tfp_diag *diag = tfp_diag_new();
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && i < past->lines.count; i++)
		fprintf(out, "%s\n", past->lines.at[i]);
	if (out && !fclose(out))
		tfp_savefile_write(path, (struct tfp_span){text, size}, diag);
	free(text);
	tfp_diag_free(diag);
}

void tfp_pastlines_add(struct tfp_pastlines *past, const char *line, const char *path)
{
	push(past, line);
	if (path)
		save(past, path);
}

void tfp_pastlines_free(struct tfp_pastlines *past)
{
	for (size_t i = 0; i < past->lines.count; i++)
		free(past->lines.at[i]);
	tfp_array_free(&past->lines);
}
