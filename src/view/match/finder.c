/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Literal text anywhere in a name, with smart case: small letters find both cases, a capital letter asks
 * for exactly what was typed.
 */
#include <stdlib.h>
#include <string.h>

#include "view/match/match.h"
#include "view/match/needle.h"

struct tfp_finder {
	bool exact;
	struct tfp_needle needle;
	char text[];
};

struct tfp_finder *tfp_finder_new(const char *text)
{
	size_t size = strlen(text);
	struct tfp_finder *finder = tfp_alloc(sizeof(*finder) + size + 1);

	finder->exact = false;
	for (size_t i = 0; i < size; i++)
		finder->exact |= text[i] >= 'A' && text[i] <= 'Z';
	memcpy(finder->text, text, size + 1);
	finder->needle = tfp_needle_of((struct tfp_span){finder->text, size});
	return finder;
}

void tfp_finder_free(struct tfp_finder *finder)
{
	free(finder);
}

bool tfp_finder_match(const struct tfp_finder *finder, struct tfp_span name)
{
	if (finder->exact)
		return tfp_needle_find(&finder->needle, name.at, name.size) != NULL;
	return tfp_needle_find_any_case(&finder->needle, name);
}
