/* SPDX-License-Identifier: Apache-2.0 */
/* Problems on standard error: see problems.h. */
#include "app/problems.h"

#include "app/wrap.h"

void tfp_problems_print(const struct tfp_diag *diag, size_t from)
{
	static const char *const words[] = {"note: ", "warning: ", ""};
	char text[2048], line[sizeof(text) + 32];

	for (size_t i = from; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		tfp_problem_print(&problem, text, sizeof(text));
		snprintf(line, sizeof(line), "tfprof: %s%s", words[problem.severity], text);
		tfp_wrap(stderr, "", line, 0, tfp_wrap_width(stderr, 0));
	}
}
