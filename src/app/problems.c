/* SPDX-License-Identifier: Apache-2.0 */
/* Problems on standard error: see problems.h. */
#include "app/problems.h"

void tfp_problems_print(const struct tfp_diag *diag, size_t from)
{
	static const char *const words[] = {"note: ", "warning: ", ""};
	char text[1024];

	for (size_t i = from; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		tfp_problem_print(&problem, text, sizeof(text));
		fprintf(stderr, "tfprof: %s%s\n", words[problem.severity], text);
	}
}
