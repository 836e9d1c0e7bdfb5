/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of keys in the manual page: what the screen's action table says.
 */
#include <string.h>

#include "describe.h"
#include "ui/action/actions.h"

/* KEYS, a list with spaces between, as bold words with commas between. */
static void put_keys(FILE *out, const char *keys)
{
	char key[32];

	while (*keys) {
		size_t size = strcspn(keys, " ");

		snprintf(key, sizeof(key), "%.*s", (int)size, keys);
		describe_man_text(out, key);
		keys += size;
		keys += strspn(keys, " ");
		if (*keys)
			fputs("\\fR, \\fB", out);
	}
}

/* The keys of ACTION and the command that is the same. */
static void put_action(FILE *out, const struct tfp_action *action)
{
	fputs(".TP\n\\fB", out);
	put_keys(out, action->keys);
	fputs(*action->keys ? "\\fR, \\fB:" : ":", out);
	describe_man_text(out, action->name);
	fputs("\\fR", out);
	if (action->takes) {
		fputs(" \\fI", out);
		describe_man_text(out, action->takes->value);
		fputs("\\fR", out);
	}
	fputs("\n", out);
	describe_man_text(out, action->help);
	fputs(".\n", out);
}

static void put_heading(FILE *out, const char *text)
{
	fputs(".SS \"", out);
	describe_man_text(out, text);
	fputs("\"\n", out);
}

static void put_dialogs(FILE *out)
{
	for (const struct tfp_dialog_key *key = tfp_dialog_keys; key->help; key++) {
		if (!key->keys) {
			put_heading(out, key->help);
			continue;
		}
		fputs(".TP\n\\fB", out);
		put_keys(out, key->keys);
		fputs("\\fR\n", out);
		describe_man_text(out, key->help);
		fputs(".\n", out);
	}
}

void describe_man_keys(FILE *out)
{
	for (const struct tfp_action *action = tfp_actions; action->help; action++) {
		if (action->name) {
			put_action(out, action);
			continue;
		}
		put_heading(out, action->help);
	}
	put_dialogs(out);
}
