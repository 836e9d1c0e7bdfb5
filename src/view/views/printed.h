/* SPDX-License-Identifier: Apache-2.0 */
/* What the printed view and breakdowns of its rows share. */
#ifndef TFPROF_VIEW_PRINTED_H
#define TFPROF_VIEW_PRINTED_H

/* The row for what the rows below another do not explain of its total. */
#define TFP_PRINTED_REST "(not in this report)"

#endif
