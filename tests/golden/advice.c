/* SPDX-License-Identifier: Apache-2.0 */
/* Names and figures of advice: see advice.h. */
#include "advice.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 5

/* A name, and the figures that are said of it. */
struct fact {
	const char *part[MOST_PARTS];
	size_t count;
};

/* Cuts LINE where MARK is; what stands behind that, NULL without one. */
static char *cut_at(char *line, const char *mark)
{
	char *found = strstr(line, mark);

	if (!found)
		return NULL;
	*found = '\0';
	return found + strlen(mark);
}

static void add_part(struct fact *fact, const char *part)
{
	if (part && *part)
		fact->part[fact->count++] = part;
}

/* "device: NAME low utilization: 0.13" */
static bool read_device(char *line, struct fact *fact)
{
	char *figure = cut_at(line, " utilization: ");

	if (!figure || strncmp(line, "device: ", 8) != 0)
		return false;
	cut_at(line, " low");
	add_part(fact, line + 8);
	add_part(fact, figure);
	return true;
}

/* "top 1 graph node: NAME, cpu: 7us, accelerator: 0us, total: 7us (1.00%)" */
static bool read_times(char *line, struct fact *fact)
{
	char *cpu = cut_at(line, ", cpu: "), *accelerator, *total, *share, *name = line;

	if (!cpu)
		return false;
	accelerator = cut_at(cpu, ", accelerator: ");
	total = accelerator ? cut_at(accelerator, ", total: ") : NULL;
	share = total ? cut_at(total, " (") : NULL;
	if (!strncmp(line, "top ", 4) && strstr(line, ": "))
		name = strstr(line, ": ") + 2;
	add_part(fact, name + strspn(name, " "));
	add_part(fact, cpu);
	add_part(fact, accelerator);
	add_part(fact, total);
	if (share)
		cut_at(share, "%");
	add_part(fact, share);
	return true;
}

static bool has_fact(const char *line, size_t size, const struct fact *fact)
{
	for (size_t i = 0; i < fact->count; i++)
		if (!memmem(line, size, fact->part[i], strlen(fact->part[i])))
			return false;
	return true;
}

/* The line behind the first one from GOT on that has FACT; NULL if none has it. */
static const char *find_fact(const char *got, const struct fact *fact)
{
	while (*got) {
		size_t size = strcspn(got, "\n");
		const char *next = got + size + (got[size] == '\n');

		if (has_fact(got, size, fact))
			return next;
		got = next;
	}
	return NULL;
}

static bool same_words(FILE *notes, const char *want, const char *got)
{
	static const char *const words[] = {"FusedBatchNorm", "NHWC"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strstr(want, words[i]) != !strstr(got, words[i])) {
			fprintf(notes, "# one only speaks of %s\n", words[i]);
			return false;
		}
	return true;
}

bool same_advice(FILE *notes, const char *want, const char *got)
{
	char *copy = strdup(want), *rest = copy, *line;
	const char *at = got;
	bool same = copy != NULL;

	while (same && (line = strsep(&rest, "\n"))) {
		struct fact fact = {.count = 0};

		if (!read_device(line, &fact) && !read_times(line, &fact))
			continue;
		at = find_fact(at, &fact);
		same = at != NULL;
		if (!same)
			fprintf(notes, "# no line, in this order, about %s\n", fact.part[0]);
	}
	free(copy);
	return same && same_words(notes, want, got);
}
