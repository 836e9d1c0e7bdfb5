/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of files that take long to read, to be seen meanwhile.
 */
#ifndef TFPROF_LOAD_BEGINNING_H
#define TFPROF_LOAD_BEGINNING_H

#include "tfprof/load.h"

struct tfp_beginning_file {
	const struct tfp_loader *loader;
	struct tfp_source *source;
};

/* A time, and what the program had waited for until then. */
struct tfp_moment {
	int64_t nanos;
	long fetched,
		waited; /* pages of files that had to come first; times that the thread waited */
};

struct tfp_beginning {
	TFP_ARRAY(struct tfp_beginning_file) files; /* in the order in which they are read */
	size_t expected;                            /* so many there will be */
	uint64_t shown;                             /* bytes of the part that was shown last */
	double share;                               /* of all, that it was */
	bool slow;                                  /* bytes come slowly: from a network, say */
	struct tfp_moment started;                  /* before any file was opened */
};

/* Before any file is opened. */
void tfp_beginning_start(struct tfp_beginning *beginning);
/*
 * Gives JOB a profile of a part of what is there of the files, and then ones of more of them, where that is worth
 * its while: all files are large together, their loaders can make something of a part, and JOB has somebody
 * who looks at it. A later call goes on with more files. Sources may come to have more bytes by it; what is wrong
 * with those is told in DIAG, what is amiss in a part for being one is not.
 */
void tfp_beginning_show(struct tfp_beginning *beginning, struct tfp_job *job,
			struct tfp_diag *diag);

#endif
