/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice as text: each checker's name, and what it says.
 */
#include <stdlib.h>

#include "report/writer.h"
#include "tfprof/report.h"

bool tfp_report_advice(FILE *out, const struct tfp_advice *advice, bool safe, struct tfp_diag *diag)
{
	struct tfp_writer *writer = tfp_alloc(sizeof(*writer));
	const char *checker = NULL;
	bool written;

	*writer = (struct tfp_writer){.out = out, .safe = safe};
	for (size_t i = 0; i < advice->list.count; i++) {
		const struct tfp_advice_line *line = &advice->list.at[i];

		if (line->checker != checker) {
			tfp_write_byte(writer, '\n');
			tfp_write_text(writer, line->checker);
			tfp_write_text(writer, ":\n");
		}
		checker = line->checker;
		tfp_write_name(writer, tfp_span_of(line->text));
		tfp_write_byte(writer, '\n');
	}
	written = tfp_writer_end(writer, "report", diag);
	free(writer);
	return written;
}
