/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options as a person types them at a prompt.
 */
#include <string.h>

#include "tfprof/view.h"

struct tfp_words tfp_option_names(struct tfp_arena *arena)
{
	struct tfp_words names = {0};
	size_t count = 0;

	while (tfp_options[count].name)
		count++;
	names.at = tfp_arena_zero(arena, count + 1, sizeof(*names.at));
	for (; names.count < count; names.count++)
		names.at[names.count] = tfp_options[names.count].name;
	return names;
}

bool tfp_query_set_line(struct tfp_query *query, const char *text, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	const char *start = text + strspn(text, "- ");
	size_t size = strcspn(start, "= "), blanks = strspn(start + size, " ");
	const char *value = start + size + blanks;
	char *name = tfp_arena_text(&arena, start, size);
	const struct tfp_option *option = tfp_option_find(name);
	bool done = false;

	value += *value == '=' ? 1 + strspn(value + 1, " ") : 0;
	if (!option)
		tfp_diag_error(diag, "there is no option '%s'%s", name,
			       tfp_nearest_hint(&arena, name, tfp_option_names(&arena)));
	else
		done = tfp_query_set(query, name, start[size + blanks] ? value : NULL, diag);
	tfp_arena_free(&arena);
	return done;
}
