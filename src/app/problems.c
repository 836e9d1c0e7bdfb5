/* SPDX-License-Identifier: Apache-2.0 */
/* Problems on standard error: see problems.h. */
#include "app/problems.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/wrap.h"

static const char *pass_digits(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* Do both say the same, but for numbers? */
static bool same_words(const char *a, const char *b)
{
	while (*a && *b) {
		bool number = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);

		if (!number && *a != *b)
			return false;
		a = number ? pass_digits(a) : a + 1;
		b = number ? pass_digits(b) : b + 1;
	}
	return *a == *b;
}

/* Errors are few, and each is told. */
static bool same_kind(const struct tfp_problem *a, const struct tfp_problem *b)
{
	return a->severity == b->severity && a->severity != TFP_ERROR && a->file && b->file &&
	       same_words(a->text, b->text);
}

/* ---- one line for each damaged file --------------------------------------------------------- */

/* What a file has wrong at one place of it. */
static bool is_damage(const struct tfp_problem *problem)
{
	return problem->severity == TFP_WARNING && problem->file && problem->offset >= 0;
}

static bool is_of(const struct tfp_problem *problem, const char *file)
{
	return problem->severity != TFP_ERROR && problem->file && !strcmp(problem->file, file);
}

/* Is A the cause of B rather than the other way round? */
static bool is_before(const struct tfp_problem *a, const struct tfp_problem *b)
{
	int64_t first = a->line < 0 ? a->line : 0, second = b->line < 0 ? b->line : 0;

	return first != second ? first < second : a->offset < b->offset;
}

/* The damage of FILE that comes first, from FROM on; the number of problems where there is none. */
static size_t first_damage(const struct tfp_diag *diag, size_t from, const char *file)
{
	size_t count = tfp_diag_count(diag), first = count;
	struct tfp_problem best = {0};

	for (size_t i = from; i < count; i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (!is_damage(&problem) || !is_of(&problem, file) ||
		    (first != count && !is_before(&problem, &best)))
			continue;
		best = problem;
		first = i;
	}
	return first;
}

/* By problem: is it of a damaged file, and another one is told? What is wrong first is most often why the others are. */
static bool *find_followers(const struct tfp_diag *diag, size_t from)
{
	size_t count = tfp_diag_count(diag);
	bool *follows = tfp_alloc_zero(count + 1, sizeof(*follows));

	for (size_t i = from; i < count; i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);
		size_t first = problem.severity != TFP_ERROR && problem.file
				       ? first_damage(diag, from, problem.file)
				       : count;

		follows[i] = first != count && first != i;
	}
	return follows;
}

/* A file with an error has no screen on which more could be seen. */
static bool has_error(const struct tfp_diag *diag, const char *file)
{
	for (size_t i = 0; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (problem.severity == TFP_ERROR && problem.file && !strcmp(problem.file, file))
			return true;
	}
	return false;
}

/* "; 12 more problems of other kinds: ! on the screen lists them all" behind the damage AT of a file. */
static void count_followers(const struct tfp_diag *diag, const bool *follows, size_t from,
			    size_t at, char *text, size_t room)
{
	struct tfp_problem damage = tfp_diag_get(diag, at);
	unsigned long long times = 0;
	size_t kinds = 0;

	*text = '\0';
	for (size_t i = from; is_damage(&damage) && i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (!follows[i] || !is_of(&problem, damage.file))
			continue;
		times += problem.count;
		kinds++;
	}
	if (kinds)
		snprintf(text, room, "; %llu more problem%s of %s%s", times, times == 1 ? "" : "s",
			 kinds == 1 ? "another kind" : "other kinds",
			 has_error(diag, damage.file) ? "" : ": ! on the screen lists them all");
}

/* ---- one line for what several files have ------------------------------------------------------ */

/* Is there one of the kind of the problem AT from FROM on and before it, of the same file? */
static bool has_before(const struct tfp_diag *diag, size_t from, size_t at)
{
	struct tfp_problem problem = tfp_diag_get(diag, at);

	for (size_t i = from; i < at; i++) {
		struct tfp_problem other = tfp_diag_get(diag, i);

		if (same_kind(&other, &problem) && !strcmp(other.file, problem.file))
			return true;
	}
	return false;
}

/* Was one of the kind of the problem AT told of another file? */
static bool was_told(const struct tfp_diag *diag, const bool *follows, size_t from, size_t at)
{
	struct tfp_problem problem = tfp_diag_get(diag, at);

	for (size_t i = from; i < at; i++) {
		struct tfp_problem other = tfp_diag_get(diag, i);

		if (!follows[i] && same_kind(&other, &problem) && strcmp(other.file, problem.file))
			return true;
	}
	return false;
}

/* How many other files have one of the kind of the problem AT, and come after it. */
static size_t count_files(const struct tfp_diag *diag, size_t at)
{
	struct tfp_problem problem = tfp_diag_get(diag, at);
	size_t count = 0;

	for (size_t i = at + 1; i < tfp_diag_count(diag); i++) {
		struct tfp_problem other = tfp_diag_get(diag, i);

		count += same_kind(&other, &problem) && !has_before(diag, at, i);
	}
	return count;
}

void tfp_problems_print(const struct tfp_diag *diag, size_t from)
{
	static const char *const words[] = {"note: ", "warning: ", ""};
	char text[2048], line[sizeof(text) + 256], others[48], more[128];
	bool *follows = find_followers(diag, from);

	for (size_t i = from; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);
		size_t files;

		if (follows[i] || was_told(diag, follows, from, i))
			continue;
		files = count_files(diag, i);
		tfp_problem_print(&problem, text, sizeof(text));
		count_followers(diag, follows, from, i, more, sizeof(more));
		snprintf(others, sizeof(others), "; also in %zu other file%s", files,
			 files == 1 ? "" : "s");
		snprintf(line, sizeof(line), "tfprof: %s%s%s%s", words[problem.severity], text,
			 more, files ? others : "");
		tfp_wrap(stderr, "", line, 0, tfp_wrap_width(stderr, 0));
	}
	free(follows);
}
