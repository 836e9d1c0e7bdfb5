/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the views made of call paths share.
 */
#ifndef TFPROF_VIEW_CODE_H
#define TFPROF_VIEW_CODE_H

#include "view/group/paths.h"

/* Why the profile has no call paths to show, NULL if it has. */
const char *tfp_code_missing(const struct tfp_profile *profile);

/*
 * The paths in preorder: *ORDER gets the path of each row, *ROW the row of each path. Both have
 * paths.count entries, and the caller frees them.
 */
void tfp_paths_order(const struct tfp_paths *paths, uint32_t **order, uint32_t **row);

#endif
