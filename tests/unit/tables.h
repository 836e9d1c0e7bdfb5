/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reference tables: text files in which "= NAME", a tab and the names of columns head each table, whose
 * rows have a tab between cells. A test makes the rows that it expects to be there; they are compared
 * as sets.
 */
#ifndef TFPROF_TESTS_TABLES_H
#define TFPROF_TESTS_TABLES_H

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tfprof/codec.h"

#include <cmocka.h>

#define MOST_CELLS 32

struct rows {
	TFP_ARRAY(char *) list;
};

__attribute__((format(printf, 2, 3))) static inline void add_row(struct rows *rows,
								 const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	assert_true(vasprintf(&text, format, arguments) >= 0);
	va_end(arguments);
	*tfp_array_push(&rows->list) = text;
}

static inline int compare_rows(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static inline void sort_rows(struct rows *rows)
{
	if (rows->list.count)
		qsort(rows->list.at, rows->list.count, sizeof(*rows->list.at), compare_rows);
}

static inline void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->list.count; i++)
		free(rows->list.at[i]);
	tfp_array_free(&rows->list);
}

/* Cuts LINE at its tabs; returns how many cells there are. */
static inline size_t split_row(char *line, char *cells[MOST_CELLS])
{
	size_t count = 0;

	while (line && count < MOST_CELLS)
		cells[count++] = strsep(&line, "\t");
	return count;
}

/* Which of the cells of the head have the names in WANTED, by blanks. */
static inline size_t choose_columns(char *head, const char *wanted, size_t chosen[MOST_CELLS])
{
	char *cells[MOST_CELLS], *names = strdup(wanted), *rest = names, *name;
	size_t count = split_row(head, cells), chosen_count = 0;

	while ((name = strsep(&rest, " "))) {
		size_t i = 0;

		while (i < count && strcmp(cells[i], name) != 0)
			i++;
		assert_true(i < count);
		chosen[chosen_count++] = i;
	}
	free(names);
	return chosen_count;
}

/* The rows of the table NAME in FILE, of each only the cells of the columns in WANTED. */
static inline void read_table(const char *file, const char *name, const char *wanted,
			      struct rows *rows)
{
	char *text = strdup(file), *rest = text, *line;
	size_t chosen[MOST_CELLS], columns = 0;

	while ((line = strsep(&rest, "\n"))) {
		char *cells[MOST_CELLS], joined[8192] = "";
		size_t count, size = 0;

		if (*line == '=') {
			char *head = line + 2;

			columns = strcmp(strsep(&head, "\t"), name)
					  ? 0
					  : choose_columns(head, wanted, chosen);
			continue;
		}
		count = *line ? split_row(line, cells) : 0;
		for (size_t i = 0; i < columns && count; i++)
			size += (size_t)snprintf(joined + size, sizeof(joined) - size, "%s%s",
						 i ? "\t" : "", cells[chosen[i]]);
		if (columns && count)
			add_row(rows, "%s", joined);
	}
	free(text);
}

/* That the rows of the table are ROWS, which are freed. */
static inline void expect_table(const char *file, const char *name, const char *wanted,
				struct rows *rows)
{
	struct rows expected = {0};
	size_t wrong = 0;

	read_table(file, name, wanted, &expected);
	sort_rows(&expected);
	sort_rows(rows);
	for (size_t i = 0; i < expected.list.count || i < rows->list.count; i++) {
		const char *is = i < rows->list.count ? rows->list.at[i] : "(nothing)";
		const char *be = i < expected.list.count ? expected.list.at[i] : "(nothing)";

		if (strcmp(is, be) && wrong++ < 4)
			print_error("%s: row %zu is\n  %s\nand should be\n  %s\n", name, i, is, be);
	}
	free_rows(&expected);
	free_rows(rows);
	assert_int_equal(wrong, 0);
}

/* Sums under a key that is a text. */
struct sum {
	char *key;
	int64_t count, total, self, least, most;
};

struct sums {
	TFP_ARRAY(struct sum) list;
};

static inline struct sum *sum_of(struct sums *sums, const char *key)
{
	for (size_t i = 0; i < sums->list.count; i++)
		if (!strcmp(sums->list.at[i].key, key))
			return &sums->list.at[i];
	*tfp_array_push(&sums->list) = (struct sum){.key = strdup(key), .least = INT64_MAX};
	return &sums->list.at[sums->list.count - 1];
}

static inline void add_to(struct sums *sums, const char *key, int64_t value, int64_t self)
{
	struct sum *sum = sum_of(sums, key);

	sum->count++;
	sum->total += value;
	sum->self += self;
	sum->least = value < sum->least ? value : sum->least;
	sum->most = value > sum->most ? value : sum->most;
}

static inline void free_sums(struct sums *sums)
{
	for (size_t i = 0; i < sums->list.count; i++)
		free(sums->list.at[i].key);
	tfp_array_free(&sums->list);
}

#endif
