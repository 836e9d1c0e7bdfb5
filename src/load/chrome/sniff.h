/* SPDX-License-Identifier: Apache-2.0 */
/* Recognising Chrome traces: how sure one can be, as of tfp_loader. */
#ifndef TFPROF_LOAD_CHROME_SNIFF_H
#define TFPROF_LOAD_CHROME_SNIFF_H

#include "tfprof/load.h"

/* That SOURCE is any; that it is of PyTorch's profiler. */
int chrome_sniff(const struct tfp_source *source);
int chrome_sniff_torch(const struct tfp_source *source);
/* That SOURCE, the beginning of JSON, ends before what tells. */
bool chrome_wants_more(const struct tfp_source *source);

#endif
