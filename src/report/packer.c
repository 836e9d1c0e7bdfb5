/* SPDX-License-Identifier: Apache-2.0 */
/* Packed messages to a file: see packer.h. */
#include "report/packer.h"

static void compress_bytes(struct tfp_packer *packer, const uint8_t *bytes, size_t size, int flush)
{
	uint8_t out[16384];

	packer->zip.next_in = (Bytef *)(uintptr_t)bytes;
	packer->zip.avail_in = (uInt)size;
	do {
		packer->zip.next_out = out;
		packer->zip.avail_out = sizeof(out);
		if (deflate(&packer->zip, flush) == Z_STREAM_ERROR)
			packer->failed = true;
		tfp_write(packer->writer, (const char *)out, sizeof(out) - packer->zip.avail_out);
	} while (!packer->zip.avail_out && !packer->failed);
}

static void append(ProtobufCBuffer *buffer, size_t size, const uint8_t *bytes)
{
	tfp_pack((struct tfp_packer *)buffer, bytes, size);
}

bool tfp_packer_start(struct tfp_packer *packer, struct tfp_writer *writer, bool gzip)
{
	*packer = (struct tfp_packer){.buffer = {append}, .writer = writer, .gzip = gzip};
	return !gzip || deflateInit2(&packer->zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 9,
				     Z_DEFAULT_STRATEGY) == Z_OK;
}

void tfp_pack(struct tfp_packer *packer, const uint8_t *bytes, size_t size)
{
	if (packer->gzip)
		compress_bytes(packer, bytes, size, Z_NO_FLUSH);
	else
		tfp_write(packer->writer, (const char *)bytes, size);
}

bool tfp_packer_end(struct tfp_packer *packer)
{
	if (packer->gzip) {
		compress_bytes(packer, NULL, 0, Z_FINISH);
		deflateEnd(&packer->zip);
	}
	return !packer->failed;
}
