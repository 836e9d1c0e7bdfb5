/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of packed messages on their way to a writer, compressed or as they are.
 */
#ifndef TFPROF_REPORT_PACKER_H
#define TFPROF_REPORT_PACKER_H

#include <protobuf-c/protobuf-c.h>
#include <zlib.h>

#include "report/writer.h"

struct tfp_packer {
	ProtobufCBuffer buffer; /* first: protobuf-c hands it back */
	struct tfp_writer *writer;
	bool gzip;
	z_stream zip;
	bool failed;
};

/* Begins a file for WRITER; false when there is no room to compress with. To be ended then, not else. */
bool tfp_packer_start(struct tfp_packer *packer, struct tfp_writer *writer, bool gzip);
void tfp_pack(struct tfp_packer *packer, const uint8_t *bytes, size_t size);
/* Ends the file; false when compressing failed. What the writer could not write it tells itself. */
bool tfp_packer_end(struct tfp_packer *packer);

#endif
