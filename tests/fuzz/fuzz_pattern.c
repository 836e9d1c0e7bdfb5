/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as a pattern and any bytes as names: nothing hangs, and the short ways (literals in order,
 * literal text) give what the long ones give. The first line is the pattern, the others are names.
 */
#include <stdlib.h>
#include <string.h>

#include "view/match/match.h"
#include "view/match/re2syntax.h"

#define MOST_NAMES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static bool compile(struct tfp_patterns *patterns, const char *pattern, bool compat,
		    struct tfp_diag *diag)
{
	struct tfp_query query;
	bool compiled;

	tfp_query_init(&query);
	query.lists[TFP_HIDE] = (struct tfp_words){&pattern, 1};
	query.compat = compat;
	compiled = tfp_patterns_init(patterns, &query, TFP_HIDE, diag);
	tfp_query_free(&query);
	return compiled;
}

/* The same pattern in a group is no list of literals, so that the matcher sees it. */
static void check_grouped(const char *pattern, struct tfp_span name, int result)
{
	char *grouped = tfp_alloc(strlen(pattern) + 5);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_patterns patterns;

	sprintf(grouped, "(?:%s)", pattern);
	if (compile(&patterns, grouped, false, diag)) {
		int other = tfp_patterns_match(&patterns, name);

		/* Limits are reached sooner or later. */
		must(result < 0 || other < 0 || result == other);
		tfp_patterns_free(&patterns);
	}
	tfp_diag_free(diag);
	free(grouped);
}

static char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte;
}

/* Looks at every place, one byte after another. */
static bool holds(struct tfp_span name, const char *text)
{
	size_t size = strlen(text);
	bool exact = false;

	for (size_t i = 0; i < size; i++)
		exact = exact || text[i] != lower(text[i]);
	for (size_t at = 0; at + size <= name.size; at++) {
		size_t same = 0;

		while (same < size &&
		       (exact ? name.at[at + same] : lower(name.at[at + same])) == text[same])
			same++;
		if (same == size)
			return true;
	}
	return false;
}

static void check_name(struct tfp_patterns *patterns, const char *pattern, struct tfp_span name,
		       bool verbatim)
{
	struct tfp_finder *finder = tfp_finder_new(pattern);
	int result = tfp_patterns_match(patterns, name);

	must(tfp_finder_match(finder, name) == holds(name, pattern));
	tfp_finder_free(finder);
	if (verbatim)
		check_grouped(pattern, name, result);
}

/* Things whose meaning a group around them, or its closing, changes. */
static bool can_be_grouped(const char *pattern)
{
	return !strstr(pattern, "\\Q") && !strstr(pattern, "\\E") && !strstr(pattern, "(?") &&
	       !strstr(pattern, "(*") && !strchr(pattern, '#');
}

static void check_names(struct tfp_patterns *patterns, const char *pattern, const char *at,
			const char *end)
{
	for (int i = 0; i < MOST_NAMES && at < end; i++) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		const char *stop = line ? line : end;

		check_name(patterns, pattern, (struct tfp_span){at, (size_t)(stop - at)},
			   can_be_grouped(pattern));
		at = stop + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *line = size ? memchr(at, '\n', size) : NULL;
	size_t length = line ? (size_t)(line - at) : size, offset;
	struct tfp_arena arena = {0};
	char *pattern = tfp_arena_text(&arena, size ? at : "", length);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_patterns patterns;

	tfp_re2_refuses(pattern, &offset);
	for (int compat = 0; compat < 2; compat++) {
		bool compiled = compile(&patterns, pattern, compat, diag);

		must(compiled || (!compat && tfp_diag_errors(diag)));
		if (!compiled)
			continue;
		if (line && !compat)
			check_names(&patterns, pattern, line + 1, at + size);
		tfp_patterns_free(&patterns);
	}
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
	return 0;
}
