/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gzip data that are unpacked by a thread of their own, while what is there already is read. Private to codec.
 */
#ifndef TFPROF_CODEC_UNPACK_H
#define TFPROF_CODEC_UNPACK_H

#include "tfprof/codec.h"

/*
 * Starts to unpack PACKED, which it takes over, to at most LIMIT bytes: a source that grows. NULL where there is no room
 * for them; PACKED stays the caller's then.
 */
struct tfp_source *tfp_unpack_begin(struct tfp_source *packed, size_t limit);
/* For tfp_source_more. */
bool tfp_unpack_more(struct tfp_source *source, size_t least, struct tfp_job *job,
		     struct tfp_diag *diag);
/* For tfp_source_release. */
void tfp_unpack_release(struct tfp_source *source, size_t before);
/* For tfp_source_meanwhile. */
void tfp_unpack_meanwhile(struct tfp_source *source, tfp_source_work *work, void *data);
/* How much of the file is unpacked, and to how much. */
void tfp_unpack_share(const struct tfp_source *source, size_t *packed, size_t *size);
/* Gives up what is not unpacked so far. */
void tfp_unpack_end(struct tfp_source *source);

#endif
