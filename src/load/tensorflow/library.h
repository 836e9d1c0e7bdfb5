/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function libraries: the bodies of functions, and who calls whom.
 */
#ifndef TFPROF_LOAD_LIBRARY_H
#define TFPROF_LOAD_LIBRARY_H

#include "load/tensorflow/graphdef.h"

/*
 * Fills profile.functions, .body and .calls from the GraphDef in GRAPH, whose nodes were read as those of
 * DATA. False when JOB was cancelled.
 */
bool tfp_library_fill(struct tfp_profile *profile, const struct tfp_graph_data *data,
		      struct tfp_job *job, struct tfp_diag *diag);

#endif
