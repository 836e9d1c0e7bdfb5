/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as lines of the shell: what is read runs, is listed and prints as a command; and the text can be completed
 * at each of its ends without a word that it does not begin.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/worked.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void complete(const char *line, const struct worked_world *world)
{
	static const int64_t steps[] = {0, 1};
	const struct tfp_profile *profile = tfp_engine_profile(world->engine);
	struct tfp_typed_words known = {profile->metrics, profile->metric_count, steps, 2, profile};
	struct tfp_arena arena = {0};
	size_t from;
	struct tfp_words words = tfp_typed_complete(line, &known, &from, &arena);

	must(from <= strlen(line));
	for (size_t i = 0; i < words.count; i++)
		must(!strncmp(words.at[i], line + from, strlen(line + from)));
	tfp_arena_free(&arena);
}

static void list(const struct tfp_query *query, const struct tfp_profile *profile)
{
	struct tfp_arena arena = {0};

	for (const struct tfp_option *option = tfp_options; option->name; option++)
		must(tfp_query_value(query, option, profile, &arena) != NULL);
	must(tfp_query_command(query, &arena) != NULL);
	tfp_arena_free(&arena);
}

static void run_line(const char *line, bool strict, struct worked_world *world)
{
	const struct tfp_profile *profile = tfp_engine_profile(world->engine);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_typed typed;
	struct tfp_query query;
	struct tfp_tree *tree = NULL;

	tfp_query_copy(&query, &world->query);
	if (tfp_typed_parse(line, strict, profile, &query, &typed, diag)) {
		list(&query, profile);
		query.forgiving = true;
		if (typed.verb == TFP_VERB_VIEW)
			tree = tfp_engine_run(world->engine, &query, NULL, diag);
	} else {
		must(tfp_diag_errors(diag) > 0);
	}
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_diag_free(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct worked_world world;
	char *text = tfp_alloc(size + 1), *rest = text, *line;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	worked_begin(&world, worked_profile(2));
	while ((line = strsep(&rest, "\n"))) {
		complete(line, &world);
		run_line(line, false, &world);
		run_line(line, true, &world);
	}
	worked_end(&world);
	free(text);
	return 0;
}
