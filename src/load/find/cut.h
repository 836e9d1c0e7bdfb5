/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a file of a list lacks its end, as what is still copied, or was recorded by what died, does. Only its ends are looked at:
 * it may lack it and not look so.
 */
#ifndef TFPROF_LOAD_CUT_H
#define TFPROF_LOAD_CUT_H

#include "tfprof/load.h"

/* Does the file at PATH, of so many bytes, of which HEAD is what tfp_source_head gives, end before LOADER has all of it? */
bool tfp_ends_early(const struct tfp_loader *loader, const struct tfp_source *head,
		    const char *path, uint64_t size);
/* Has the notes of all that was found begin with how many of its files end early. */
void tfp_note_cut(struct tfp_discovery *discovery);

#endif
