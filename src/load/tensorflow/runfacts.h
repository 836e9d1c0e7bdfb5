/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of run metadata. */
#ifndef TFPROF_LOAD_RUNFACTS_H
#define TFPROF_LOAD_RUNFACTS_H

#include "load/facts.h"
#include "tfprof/codec.h"

/* Whether SOURCE, run metadata, holds a cost graph or other graphs. */
bool tfp_run_has_graphs(const struct tfp_source *source);
/* Adds what SOURCE, run metadata of step NUMBER, has. */
void tfp_run_facts(struct tfp_facts *facts, const struct tfp_source *source, int64_t number);

#endif
