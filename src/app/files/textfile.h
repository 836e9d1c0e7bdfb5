/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small files of the person's own, read whole: settings and themes.
 */
#ifndef TFPROF_APP_TEXTFILE_H
#define TFPROF_APP_TEXTFILE_H

#include "tfprof/base.h"

enum tfp_textfile { TFP_TEXTFILE_READ, TFP_TEXTFILE_ABSENT, TFP_TEXTFILE_FAILED };

/*
 * The content of the regular file PATH, at most LIMIT bytes, in ARENA. FAILED comes with a warning that
 * names the file, ABSENT without. What is not a regular file is not opened: that may wait or act.
 */
enum tfp_textfile tfp_textfile_read(const char *path, size_t limit, struct tfp_arena *arena,
				    struct tfp_span *bytes, struct tfp_diag *diag);

#endif
