/* SPDX-License-Identifier: Apache-2.0 */
/* What TensorFlow's own regular expressions refuse although ours take it. */
#ifndef TFPROF_VIEW_RE2SYNTAX_H
#define TFPROF_VIEW_RE2SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

/* NULL when RE2 would take PATTERN, else what it refuses; *offset gets the byte where it stands. */
const char *tfp_re2_refuses(const char *pattern, size_t *offset);

#endif
