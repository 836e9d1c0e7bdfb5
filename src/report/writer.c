/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered writing: see writer.h. */
#include "report/writer.h"

#include <errno.h>
#include <stdlib.h>

static void put(struct tfp_writer *writer, const char *at, size_t size)
{
	if (tfp_job_cancelled(writer->job))
		writer->error = ECANCELED;
	if (!size || writer->error)
		return;
	errno = 0;
	if (fwrite(at, 1, size, writer->out) != size)
		writer->error = errno ? errno : EIO;
	writer->written += size;
	tfp_job_progress(writer->job, writer->written);
}

void tfp_writer_flush(struct tfp_writer *writer)
{
	put(writer, writer->buffer, writer->used);
	writer->used = 0;
}

bool tfp_writer_end(struct tfp_writer *writer, const char *what, struct tfp_diag *diag)
{
	tfp_writer_flush(writer);
	if (writer->error && writer->error != ECANCELED && writer->path)
		tfp_diag_add(diag, TFP_ERROR, writer->path, -1, 0, "can't be written: %s",
			     strerror(writer->error));
	else if (writer->error && writer->error != ECANCELED)
		tfp_diag_error(diag, "the %s could not be written: %s", what,
			       strerror(writer->error));
	return !writer->error;
}

void tfp_write_long(struct tfp_writer *writer, const char *at, size_t size)
{
	tfp_writer_flush(writer);
	if (size >= sizeof(writer->buffer)) {
		put(writer, at, size);
		return;
	}
	memcpy(writer->buffer, at, size);
	writer->used = size;
}

void tfp_write_spaces(struct tfp_writer *writer, size_t count)
{
	static const char spaces[] =
		"                                                                ";

	for (; count >= sizeof(spaces); count -= sizeof(spaces) - 1)
		tfp_write(writer, spaces, sizeof(spaces) - 1);
	tfp_write(writer, spaces, count);
}

void tfp_write_name(struct tfp_writer *writer, struct tfp_span name)
{
	size_t room = name.size * 3 + 1; /* a byte becomes three at most */
	char few[512], *clean = few;

	if (!writer->safe) {
		tfp_write(writer, name.at, name.size);
		return;
	}
	if (room > sizeof(few))
		clean = tfp_alloc(room);
	tfp_write(writer, clean, tfp_text_clean(clean, room, name, writer->ascii));
	if (clean != few)
		free(clean);
}

void tfp_write_number(struct tfp_writer *writer, enum tfp_unit unit, int64_t value)
{
	char *at;

	if (sizeof(writer->buffer) - writer->used < TFP_NUMBER_ROOM)
		tfp_writer_flush(writer);
	at = writer->buffer + writer->used;
	writer->used += (size_t)(tfp_number_put(at, unit, value) - at);
}

void tfp_write_integer(struct tfp_writer *writer, int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char text[TFP_NUMBER_ROOM], *at = text + sizeof(text);

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--at = '-';
	tfp_write(writer, at, (size_t)(text + sizeof(text) - at));
}

void tfp_write_right(struct tfp_writer *writer, const char *text, size_t width)
{
	size_t size = strlen(text);

	if (size < width)
		tfp_write_spaces(writer, width - size);
	tfp_write(writer, text, size);
}
