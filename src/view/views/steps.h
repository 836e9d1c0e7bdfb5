/* SPDX-License-Identifier: Apache-2.0 */
/* Steps as rows. */
#ifndef TFPROF_VIEW_STEPS_H
#define TFPROF_VIEW_STEPS_H

#include "tfprof/view.h"

#define TFP_STEP_LABEL_ROOM 256

/* "step 2  run_meta_2.pb.gz", "step 12, recorded as 2" into BUFFER, which it returns. */
char *tfp_step_label(char buffer[TFP_STEP_LABEL_ROOM], const struct tfp_profile *profile,
		     uint32_t step);

/* The view of all events that count, and, of recordings of several ranks, that with rows for them. */
struct tfp_base *tfp_steps_build(struct tfp_build *build);
struct tfp_base *tfp_steps_build_ranks(struct tfp_build *build);
/* Has PROFILE steps, and several ranks? */
bool tfp_steps_have_ranks(const struct tfp_profile *profile);

#endif
