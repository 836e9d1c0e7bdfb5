/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single values of protobuf text written as wire bytes. Private to codec.
 */
#ifndef TFPROF_CODEC_TEXTWIRE_H
#define TFPROF_CODEC_TEXTWIRE_H

#include "codec/textlex.h"

#include <protobuf-c/protobuf-c.h>

/* Text under a cursor, and the wire bytes that it has become so far. */
struct tfp_textwire {
	struct tfp_textlex lex;
	struct tfp_textlex_bytes out;
	locale_t locale; /* numbers have a point whatever the user's language */
};

enum tfp_textwire_outcome {
	TFP_TEXTWIRE_TAKEN,
	TFP_TEXTWIRE_REFUSED, /* stepped over, it does not fit the field */
	TFP_TEXTWIRE_BROKEN,  /* what follows can't be trusted either */
};

/* To read TEXT up to END. tfp_textwire_done frees what was written, too. */
void tfp_textwire_init(struct tfp_textwire *io, const uint8_t *text, const uint8_t *end);
void tfp_textwire_done(struct tfp_textwire *io);
/*
 * Begins the message NUMBER in the output. tfp_textwire_end, given what this returned, ends it;
 * what began later must have ended.
 */
size_t tfp_textwire_begin(struct tfp_textwire *io, uint32_t number);
void tfp_textwire_end(struct tfp_textwire *io, size_t start);
/* The scalar of FIELD at the cursor. What is not taken leaves nothing in the output. */
enum tfp_textwire_outcome tfp_textwire_scalar(struct tfp_textwire *io,
					      const ProtobufCFieldDescriptor *field);

#endif
