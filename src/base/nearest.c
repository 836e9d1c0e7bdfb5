/* SPDX-License-Identifier: Apache-2.0 */
/* Distance of words by the usual table of their beginnings, of which three rows are kept. */
#include "tfprof/base.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 40 /* letters of a word that is compared */
#define FAR     99u
#define LISTED  24 /* words of a list that is shown whole */
#define FIRST   12 /* words of one that is not */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Letters to insert, drop, change or swap with their neighbour to make B of A, whatever their case.
 */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][LONGEST + 1];
	size_t a_size = strlen(a), b_size = strlen(b);

	if (a_size > LONGEST || b_size > LONGEST)
		return FAR;
	for (size_t j = 0; j <= b_size; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a_size; i++) {
		unsigned int *row = rows[i % 3];
		const unsigned int *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_size; j++) {
			unsigned int change = above[j - 1] + !same(a[i - 1], b[j - 1]);

			row[j] = least(change, 1 + least(above[j], row[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], above2[j - 2] + 1);
		}
	}
	return rows[a_size % 3][b_size];
}

/* How far WORD may be from what is meant; the first letter is seldom the wrong one. */
static unsigned int most_of(const char *word, const char *meant)
{
	unsigned int most = (unsigned int)(strlen(word) + 4) / 4;

	return most > 1 && !same(*word, *meant) ? most / 2 : most;
}

const char *tfp_nearest(const char *word, struct tfp_words valid)
{
	const char *best = NULL;
	unsigned int near = FAR;

	for (size_t i = 0; i < valid.count; i++) {
		unsigned int far = distance(word, valid.at[i]);

		if (far < near && far <= most_of(word, valid.at[i])) {
			best = valid.at[i];
			near = far;
		}
	}
	return best;
}

char *tfp_nearest_hint(struct tfp_arena *arena, const char *word, struct tfp_words valid)
{
	const char *best = tfp_nearest(word, valid);
	char *list;

	if (best && valid.count > LISTED)
		return tfp_arena_printf(arena, "; did you mean %s?", best);
	list = tfp_arena_printf(arena, "%s", valid.count ? valid.at[0] : "nothing");
	for (size_t i = 1; i < valid.count && (i < FIRST || valid.count <= LISTED); i++)
		list = tfp_arena_printf(arena, "%s, %s", list, valid.at[i]);
	if (best)
		return tfp_arena_printf(arena, "; did you mean %s? (%s)", best, list);
	if (valid.count > LISTED)
		list = tfp_arena_printf(arena, "%s, ... (%zu in all)", list, valid.count);
	return tfp_arena_printf(arena, "; valid: %s", list);
}
