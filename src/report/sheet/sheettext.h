/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of writing a sheet share: for people (sheet.c) and for programs (sheetdata.c). */
#ifndef TFPROF_REPORT_SHEETTEXT_H
#define TFPROF_REPORT_SHEETTEXT_H

#include "report/sheet/sheet.h"

struct tfp_sheet_text {
	const struct tfp_sheet *sheet;
	struct tfp_writer writer;
	TFP_ARRAY(char) clean; /* the text at hand, made safe */
	TFP_ARRAY(char) made;  /* the same with what surrounds it */
};

/* Tells how far the job is; false when it is cancelled. */
bool tfp_sheet_goes_on(const struct tfp_sheet *sheet, size_t row);
/* RAW made safe, until the next call: without control characters, and valid UTF-8. */
struct tfp_span tfp_sheet_clean(struct tfp_sheet_text *text, struct tfp_span raw);

void tfp_sheet_csv(struct tfp_sheet_text *text);
void tfp_sheet_json(struct tfp_sheet_text *text);

#endif
