/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognising a protobuf file by its first elements. All of TensorFlow's files, and several others,
 * begin with the byte 0x0a, so each loader has a table of the fields that its messages may have.
 */
#ifndef TFPROF_LOAD_SNIFF_H
#define TFPROF_LOAD_SNIFF_H

#include "tfprof/load.h"

enum tfp_expected {
	TFP_EXPECT_INT,
	TFP_EXPECT_BYTES,
	TFP_EXPECT_TEXT,    /* without control characters */
	TFP_EXPECT_WORD,    /* not empty, only visible ASCII */
	TFP_EXPECT_MESSAGE, /* as the table `message` says */
};

/* One field of a message; a table of them ends with number 0. */
struct tfp_expect {
	uint32_t number;
	enum tfp_expected what;
	bool needed; /* a message without it does not fit */
	const struct tfp_expect *message;
};

struct ProtobufCMessageDescriptor;

/*
 * How sure one can be (0 to 100) that SOURCE is the message of the table TOP, in wire form: its
 * first elements are held against the table, as are the first fields in them; half of them may be
 * damaged. Or in text form, whose first field is one of NAMES (NULL-ended; NULL when there is no
 * text form).
 */
int tfp_sniff(const struct tfp_source *source, const struct tfp_expect *top,
	      const char *const *names);

/* Whether BYTES begin the content of a message as TABLE says. Looks at a bounded number of them. */
bool tfp_sniff_begins(const uint8_t *bytes, size_t size, const struct tfp_expect *table);

/*
 * Has a program that takes a binary file for text been at it? Each byte that is no UTF-8 is then three,
 * the sign for what cannot be shown.
 */
bool tfp_sniff_is_mangled(const struct tfp_source *source);

/*
 * SOURCE itself when it is in wire form, else (when the first field is one of NAMES) its text
 * turned into the wire form of MESSAGE; the text is freed. NULL when none of the text could be
 * read.
 */
struct tfp_source *tfp_sniff_to_wire(struct tfp_source *source, const char *const *names,
				     const struct ProtobufCMessageDescriptor *message,
				     struct tfp_job *job, struct tfp_diag *diag);

#endif
