/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of keys to bytes, by the terminal's own description.
 */
#include "keys.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

struct named_key {
	const char *name;
	const char *capability; /* of terminfo, or NULL */
	const char *bytes;
};

static const struct named_key named_keys[] = {
	{"Up", "kcuu1", NULL},    {"Down", "kcud1", NULL}, {"Left", "kcub1", NULL},
	{"Right", "kcuf1", NULL}, {"Home", "khome", NULL}, {"End", "kend", NULL},
	{"PgUp", "kpp", NULL},    {"PgDn", "knp", NULL},   {"F1", "kf1", NULL},
	{"F2", "kf2", NULL},      {"F3", "kf3", NULL},     {"F4", "kf4", NULL},
	{"F6", "kf6", NULL},      {"F10", "kf10", NULL},   {"Backspace", "kbs", NULL},
	{"Del", "kdch1", NULL},   {"Enter", NULL, "\r"},   {"Tab", NULL, "\t"},
	{"Esc", NULL, "\033"},    {"Space", NULL, " "},    {"Lt", NULL, "<"},
	{"S-Tab", "kcbt", NULL},
};

void keys_start(const char *term)
{
	int error;

	if (cur_term)
		del_curterm(cur_term);
	setupterm(term, STDOUT_FILENO, &error);
}

/* "Mouse-B-X-Y": button B at column X of line Y, both from 0, as terminals report it; NULL: not that. */
static const char *find_mouse(const char *name)
{
	static char bytes[40];
	int button, x, y;

	if (sscanf(name, "Mouse-%d-%d-%d", &button, &x, &y) != 3)
		return NULL;
	snprintf(bytes, sizeof(bytes), "\033[<%d;%d;%dM", button, x + 1, y + 1);
	return bytes;
}

const char *keys_find(const char *name, char *control)
{
	if (!strncmp(name, "C-", 2) && name[2] && !name[3]) {
		*control = (char)(name[2] & 0x1f);
		return control;
	}
	for (size_t i = 0; i < sizeof(named_keys) / sizeof(named_keys[0]); i++) {
		const struct named_key *key = &named_keys[i];
		const char *bytes = key->bytes;

		if (strcmp(name, key->name))
			continue;
		if (!bytes)
			bytes = tigetstr(key->capability);
		return bytes && bytes != (const char *)-1 ? bytes : "";
	}
	return find_mouse(name);
}
