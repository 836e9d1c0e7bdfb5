/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffered writing of report text. Failure is kept and asked for once, at the end.
 */
#ifndef TFPROF_REPORT_WRITER_H
#define TFPROF_REPORT_WRITER_H

#include <string.h>

#include "tfprof/base.h"

#define TFP_WRITER_ROOM 65536

struct tfp_writer {
	FILE *out;
	bool safe;        /* names are made safe for a terminal */
	bool ascii;       /* likewise, without any character beyond ASCII */
	const char *path; /* that an error names; NULL: it is no file, or that is told elsewhere */
	int error;        /* errno of the first failure, 0 none; ECANCELED: the job is cancelled */
	struct tfp_job *
		job; /* NULL, or what is asked whether to stop, and told how many bytes are written */
	uint64_t written;
	size_t used;
	char buffer[TFP_WRITER_ROOM];
};

void tfp_writer_flush(struct tfp_writer *writer);
/*
 * The same at the end of WHAT ("report"); false when something could not be written, with an error unless the
 * job was cancelled.
 */
bool tfp_writer_end(struct tfp_writer *writer, const char *what, struct tfp_diag *diag);
/* Bytes that do not fit in what is left of the buffer. */
void tfp_write_long(struct tfp_writer *writer, const char *at, size_t size);

static inline void tfp_write(struct tfp_writer *writer, const char *at, size_t size)
{
	if (size > sizeof(writer->buffer) - writer->used) {
		tfp_write_long(writer, at, size);
		return;
	}
	memcpy(writer->buffer + writer->used, at, size);
	writer->used += size;
}

static inline void tfp_write_text(struct tfp_writer *writer, const char *text)
{
	tfp_write(writer, text, strlen(text));
}

static inline void tfp_write_byte(struct tfp_writer *writer, char byte)
{
	tfp_write(writer, &byte, 1);
}

/* COUNT spaces. */
void tfp_write_spaces(struct tfp_writer *writer, size_t count);
/* Raw bytes of a file: as they are, or made safe. */
void tfp_write_name(struct tfp_writer *writer, struct tfp_span name);
/* Number in the report's form, and every digit of it. */
void tfp_write_number(struct tfp_writer *writer, enum tfp_unit unit, int64_t value);
void tfp_write_integer(struct tfp_writer *writer, int64_t value);
/* TEXT right-aligned in WIDTH bytes. */
void tfp_write_right(struct tfp_writer *writer, const char *text, size_t width);

#endif
