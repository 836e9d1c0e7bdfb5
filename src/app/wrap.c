/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in lines that fit: see wrap.h. */
#include "app/wrap.h"

#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tfprof/base.h"

/* The least room for text beside what stands before it. */
#define LEAST 16

size_t tfp_wrap_width(FILE *out, size_t otherwise)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return otherwise;
}

/* How many bytes of the LINE, up to its newline or end, go into ROOM cells without breaking a word. */
static size_t fit(const char *line, size_t room)
{
	size_t size = strcspn(line, "\n"), taken, fits;

	if (!room)
		return size;
	fits = tfp_text_fit(line, size, room, &taken);
	if (fits == size || line[fits] == ' ')
		return fits;
	for (size_t at = fits; at > 0; at--)
		if (line[at - 1] == ' ')
			return at - 1;
	return fits + strcspn(line + fits, " \n");
}

void tfp_wrap(FILE *out, const char *head, const char *text, size_t column, size_t width)
{
	size_t room = width > column + LEAST ? width - column : LEAST, taken;

	tfp_text_fit(head, strlen(head), SIZE_MAX, &taken);
	fprintf(out, "%s%s%*s", head, taken > column ? "\n" : "",
		(int)(taken > column ? column : column - taken), "");
	for (;;) {
		size_t size = fit(text, width ? room : 0);

		fprintf(out, "%.*s\n", (int)size, text);
		text += size;
		if (!*text)
			return;
		text++;
		fprintf(out, "%*s", (int)column, "");
	}
}
