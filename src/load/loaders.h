/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All loaders, one a format.
 */
#ifndef TFPROF_LOAD_LOADERS_H
#define TFPROF_LOAD_LOADERS_H

#include "tfprof/load.h"

extern const struct tfp_loader tfp_graphdef_loader;
extern const struct tfp_loader tfp_runmeta_loader;
extern const struct tfp_loader tfp_oplog_loader;
extern const struct tfp_loader tfp_profileproto_loader;
extern const struct tfp_loader tfp_pprof_loader;
extern const struct tfp_loader tfp_checkpoint_loader;

#endif
