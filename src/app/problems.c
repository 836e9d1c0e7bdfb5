/* SPDX-License-Identifier: Apache-2.0 */
/* Problems on standard error: see problems.h. */
#include "app/problems.h"

#include <ctype.h>
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

/* Is there one of the kind of the problem AT from FROM on and before it, of the same file or of another? */
static bool has_before(const struct tfp_diag *diag, size_t from, size_t at, bool same_file)
{
	struct tfp_problem problem = tfp_diag_get(diag, at);

	for (size_t i = from; i < at; i++) {
		struct tfp_problem other = tfp_diag_get(diag, i);

		if (same_kind(&other, &problem) && !strcmp(other.file, problem.file) == same_file)
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

		count += same_kind(&other, &problem) && !has_before(diag, at, i, true);
	}
	return count;
}

void tfp_problems_print(const struct tfp_diag *diag, size_t from)
{
	static const char *const words[] = {"note: ", "warning: ", ""};
	char text[2048], line[sizeof(text) + 96], more[48];

	for (size_t i = from; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);
		size_t files;

		if (has_before(diag, from, i, false))
			continue;
		files = count_files(diag, i);
		tfp_problem_print(&problem, text, sizeof(text));
		snprintf(more, sizeof(more), "; also in %zu other file%s", files,
			 files == 1 ? "" : "s");
		snprintf(line, sizeof(line), "tfprof: %s%s%s", words[problem.severity], text,
			 files ? more : "");
		tfp_wrap(stderr, "", line, 0, tfp_wrap_width(stderr, 0));
	}
}
