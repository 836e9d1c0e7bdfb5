/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every action of the action table is pressed in a screen test. A script says of its keys which action they
 * are a test of, "covers NAME"; the line of keys before or after must hold a key of that action, or ":NAME".
 * Prints TAP, one test an action, and one a script for what it says.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/action/actions.h"

enum { MAX_ACTIONS = 512, LINE = 1024 };

struct coverage {
	bool covered[MAX_ACTIONS]; /* by place in the table */
	int tests, failed;
};

static void result(struct coverage *coverage, bool good, const char *text, const char *more)
{
	coverage->tests++;
	coverage->failed += !good;
	printf("%sok %d - %s%s\n", good ? "" : "not ", coverage->tests, text, more);
}

/* WORD of a script is KEY of the table: "j", or "<C-d>" and "<Down>*3" for "C-d" and "Down". */
static bool is_key(const char *word, const char *key, size_t size)
{
	if (size == 1 && *key == '<')
		return !strncmp(word, "<Lt>", 4);
	if (size == 1)
		return word[0] == *key && !word[1];
	return word[0] == '<' && !strncmp(word + 1, key, size) && word[size + 1] == '>';
}

static bool is_pressed_by(const char *word, const struct tfp_action *action)
{
	const char *key = action->keys;

	if (word[0] == ':' && !strcmp(word + 1, action->name))
		return true;
	while (*key) {
		size_t size = strcspn(key, " ");

		if (is_key(word, key, size))
			return true;
		key += size + (key[size] == ' ');
	}
	return false;
}

static bool is_pressed(const char *line, const struct tfp_action *action)
{
	char words[LINE], *rest = words, *word;

	snprintf(words, sizeof(words), "%s", line);
	while ((word = strsep(&rest, " ")))
		if (is_pressed_by(word, action))
			return true;
	return false;
}

/* Notes that NAME is covered by the LINE of keys; false if that is not so. */
static bool cover(struct coverage *coverage, const char *name, const char *line)
{
	const struct tfp_action *action = tfp_action_find(name);

	if (!action || !is_pressed(line, action))
		return false;
	coverage->covered[action - tfp_actions] = true;
	return true;
}

/* Reads one line; PENDING is an action that the keys to come must press. False when they do not. */
static bool read_line(struct coverage *coverage, const char *line, char *keys, char *pending)
{
	bool good = true;

	if (!strncmp(line, "keys ", 5)) {
		strcpy(keys, line + 5);
		good = !*pending || cover(coverage, pending, keys);
		*pending = '\0';
	} else if (!strncmp(line, "covers ", 7) && !cover(coverage, line + 7, keys)) {
		good = !*pending;
		strcpy(pending, line + 7);
	}
	return good;
}

static void read_script(struct coverage *coverage, const char *path)
{
	char line[LINE], keys[LINE] = "", pending[LINE] = "", last[LINE] = "", wrong[256] = "";
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (*pending)
			strcpy(last, pending);
		if (!read_line(coverage, line, keys, pending))
			snprintf(wrong, sizeof(wrong), ": no keys press '%.100s'", last);
	}
	if (*pending)
		snprintf(wrong, sizeof(wrong), ": no keys press '%.100s'", pending);
	if (!file)
		snprintf(wrong, sizeof(wrong), ": %s", strerror(errno));
	result(coverage, !*wrong, path, wrong);
	if (file)
		fclose(file);
}

/* The scripts that `make check` plays, by their paths from the folder above the tests. */
static void read_scripts(struct coverage *coverage)
{
	const char *list = getenv("SCREEN_TESTS"), *folder = getenv("TESTS_DIR");
	char *words = strdup(list ? list : ""), *rest = words, *word, path[4096];

	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		snprintf(path, sizeof(path), "%s/../%s", folder ? folder : ".", word);
		read_script(coverage, path);
	}
	free(words);
}

int main(void)
{
	struct coverage coverage = {.tests = 0};

	read_scripts(&coverage);
	for (size_t i = 0; i < MAX_ACTIONS && tfp_actions[i].help; i++)
		if (tfp_actions[i].name)
			result(&coverage, coverage.covered[i], tfp_actions[i].name,
			       coverage.covered[i] ? "" : " is pressed in no script");
	printf("1..%d\n", coverage.tests);
	return coverage.failed != 0;
}
