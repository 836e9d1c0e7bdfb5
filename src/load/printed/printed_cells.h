/* SPDX-License-Identifier: Apache-2.0 */
/* Telling cells of printed reports by their look: what rows of trees and of op reports share. */
#ifndef TFPROF_LOAD_PRINTED_CELLS_H
#define TFPROF_LOAD_PRINTED_CELLS_H

#include "load/printed/printed.h"

/* What cells of call paths say in place of counts and shapes. */
#define TFP_PRINTED_NO_COUNTS "occurrence N/A in code view"
#define TFP_PRINTED_NO_SHAPES "input_shapes N/A in code view"

/* The unit of the figures of KIND. */
enum tfp_unit tfp_printed_kind_unit(enum tfp_printed_kind kind);
/* "3x3x16x32" */
bool tfp_printed_is_shape(struct tfp_span text);
/* The kind that a cell without figures has by its look; *SURE when no other text looks so. */
enum tfp_printed_kind tfp_printed_text_kind(struct tfp_span text, bool *sure);
/* The kind of a figure by its unit; TFP_PRINTED_STRANGE when TEXT is none. */
enum tfp_printed_kind tfp_printed_figure_kind(struct tfp_span text);

#endif
