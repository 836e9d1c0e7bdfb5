/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All loaders, one a format.
 */
#ifndef TFPROF_LOAD_LOADERS_H
#define TFPROF_LOAD_LOADERS_H

#include "tfprof/load.h"

extern const struct tfp_loader tfp_graphdef_loader;
extern const struct tfp_loader tfp_metagraph_loader;
extern const struct tfp_loader tfp_savedmodel_loader;
extern const struct tfp_loader tfp_runmeta_loader;
extern const struct tfp_loader tfp_oplog_loader;
extern const struct tfp_loader tfp_profileproto_loader;
extern const struct tfp_loader tfp_pprof_loader;
extern const struct tfp_loader tfp_checkpoint_loader;
extern const struct tfp_loader tfp_printed_loader;
extern const struct tfp_loader tfp_timeline_loader;
extern const struct tfp_loader tfp_xplane_loader;
extern const struct tfp_loader tfp_kineto_loader;
extern const struct tfp_loader tfp_chrome_loader;

/* The checkpoint that comes with a SavedModel: reports on its graph stay those of the graph alone. */
extern const struct tfp_loader tfp_variables_loader;

/* The loader of the ROLE that is surest of SOURCE, the first of them if none is; NULL: no loader has it. */
const struct tfp_loader *tfp_recognise_role(const struct tfp_source *source, enum tfp_role role);

/* Does it take more of SOURCE to tell what it is? See wants_more of a loader. */
bool tfp_recognise_wants_more(const struct tfp_source *source);

#endif
