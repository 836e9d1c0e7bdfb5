/* SPDX-License-Identifier: Apache-2.0 */
/* Is a name UTF-8? Names of profiles need not be. */
#ifndef TFPROF_VIEW_UTF8_H
#define TFPROF_VIEW_UTF8_H

#include "tfprof/base.h"

/* True for well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. */
bool tfp_utf8_valid(struct tfp_span text);

/* True for ASCII without a line end: what nearly every name is, told faster than the above. */
bool tfp_utf8_plain(struct tfp_span text);

#endif
