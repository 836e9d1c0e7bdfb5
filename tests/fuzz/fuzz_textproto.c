/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as protobuf text: what comes out is in proportion and protobuf-c can read it. The first
 * byte chooses the message.
 */
#include "tfprof/codec.h"

#include "proto/graph.pb-c.h"
#include "proto/pprof.pb-c.h"
#include "proto/step_stats.pb-c.h"
#include "proto/tfprof_log.pb-c.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GROWTH 16 /* a negative number of two characters takes eleven bytes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const ProtobufCMessageDescriptor *const messages[] = {
		&tfp__graph_def__descriptor,    &tfp__run_metadata__descriptor,
		&tfp__op_log_proto__descriptor, &tfp__profile_proto__descriptor,
		&tfp__profile__descriptor,
	};
	const ProtobufCMessageDescriptor *message;
	struct tfp_source *text, *wire;
	struct tfp_diag *diag;
	uint8_t *copy;

	if (!size)
		return 0;
	message = messages[data[0] % (sizeof(messages) / sizeof(*messages))];
	copy = tfp_alloc(size);
	memcpy(copy, data + 1, size - 1);
	text = tfp_source_from_bytes("fuzz", copy, size - 1);
	diag = tfp_diag_new();
	wire = tfp_textproto_to_wire(text, message, NULL, diag);
	must(wire || tfp_diag_errors(diag));
	if (wire) {
		ProtobufCMessage *read =
			protobuf_c_message_unpack(message, NULL, wire->size, wire->data);

		must(read && wire->size <= size * MOST_GROWTH);
		protobuf_c_message_free_unpacked(read, NULL);
	}
	tfp_source_free(wire);
	tfp_source_free(text);
	tfp_diag_free(diag);
	return 0;
}
