/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as options, one "name=value" a line: whatever is accepted copies, prints and runs in every view
 * of a small profile, and a printed list reads as itself.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/report.h"
#include "../unit/worked.h"
#include "view/query/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void set_line(struct tfp_query *query, char *line, struct tfp_diag *diag)
{
	char *sign = strchr(line, '=');

	if (sign)
		*sign++ = '\0';
	tfp_query_set(query, line, sign, diag);
}

static void set_lines(struct tfp_query *query, const uint8_t *data, size_t size,
		      struct tfp_diag *diag)
{
	char *text = tfp_alloc(size + 1), *rest = text, *line;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	while ((line = strsep(&rest, "\n")))
		set_line(query, line, diag);
	free(text);
}

/* What a list prints is read as a list that prints the same. */
static void check_lists(const struct tfp_query *query)
{
	struct tfp_arena arena = {0};

	for (int i = 0; i < TFP_LISTS; i++) {
		char *text = tfp_words_print(&arena, query->lists[i]);
		struct tfp_words words = tfp_words_parse(&arena, text);
		char *again = tfp_words_print(&arena, words);

		must(strcmp(again, tfp_words_print(&arena, tfp_words_parse(&arena, again))) == 0);
	}
	tfp_arena_free(&arena);
}

static void check_copy(const struct tfp_query *query)
{
	struct tfp_arena arena = {0};
	struct tfp_query copy;

	tfp_query_copy(&copy, query);
	must(tfp_query_equal(&copy, query));
	must(strcmp(tfp_query_command(&copy, &arena), tfp_query_command(query, &arena)) == 0);
	tfp_query_free(&copy);
	tfp_arena_free(&arena);
}

static void run_views(struct worked_world *world)
{
	struct tfp_output output;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && tfp_views[i]; i++)
		if (worked_ask(world, tfp_views[i]->name, NULL))
			must(tfp_report_text(out, NULL, world->tree, world->engine, true, NULL,
					     world->diag));
	tfp_output_parse(world->query.output, &output, &world->arena, world->diag);
	if (out)
		fclose(out);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct worked_world world;

	worked_begin(&world, worked_profile(2));
	set_lines(&world.query, data, size, world.diag);
	check_lists(&world.query);
	check_copy(&world.query);
	run_views(&world);
	worked_end(&world);
	return 0;
}
