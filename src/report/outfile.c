/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are written whole or not at all: a temporary file beside the target takes its name at the
 * end. What is no regular file (device, pipe, link) can only be written through.
 */
#include "tfprof/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tfp_out_file {
	FILE *stream;
	char *path;
	char *temporary; /* NULL: written through */
	mode_t mode;     /* that the target gets */
	bool lent;       /* the stream stays open */
};

static struct tfp_out_file *fail(const char *path, struct tfp_diag *diag)
{
	tfp_diag_add(diag, TFP_ERROR, path, -1, 0, "can't be written: %s", strerror(errno));
	return NULL;
}

/* The mode that a new file gets here. */
static mode_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static char *temporary_name(const char *path)
{
	size_t size = strlen(path);
	char *name = tfp_alloc(size + sizeof(".XXXXXX"));

	memcpy(name, path, size);
	memcpy(name + size, ".XXXXXX", sizeof(".XXXXXX"));
	return name;
}

static FILE *open_beside(const char *path, char **temporary)
{
	int fd;
	FILE *stream;

	*temporary = temporary_name(path);
	fd = mkstemp(*temporary);
	stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (stream)
		return stream;
	if (fd >= 0) {
		close(fd);
		unlink(*temporary);
	}
	free(*temporary);
	*temporary = NULL;
	return NULL;
}

struct tfp_out_file *tfp_output_open(const char *path, struct tfp_diag *diag)
{
	struct tfp_out_file file = {0}, *result;
	struct stat status;
	bool exists = lstat(path, &status) == 0;

	if (!exists && errno != ENOENT)
		return fail(path, diag);
	if (!exists || S_ISREG(status.st_mode)) {
		if (exists && access(path, W_OK) != 0)
			return fail(path, diag);
		file.mode = exists ? status.st_mode & 0777 : new_mode();
		file.stream = open_beside(path, &file.temporary);
	}
	/* A folder that takes no new file may still hold one that can be written. */
	if (!file.stream)
		file.stream = fopen(path, "w");
	if (!file.stream)
		return fail(path, diag);
	file.path = tfp_strdup(path);
	result = tfp_alloc(sizeof(*result));
	*result = file;
	return result;
}

struct tfp_out_file *tfp_output_lend(FILE *out)
{
	struct tfp_out_file *result = tfp_alloc(sizeof(*result));

	*result = (struct tfp_out_file){
		.stream = out, .path = tfp_strdup("standard output"), .lent = true};
	return result;
}

FILE *tfp_output_stream(struct tfp_out_file *file)
{
	return file->stream;
}

/* Gives the temporary file its mode and the target's name. */
static bool take_place(const struct tfp_out_file *file)
{
	return chmod(file->temporary, file->mode) == 0 && rename(file->temporary, file->path) == 0;
}

bool tfp_output_close(struct tfp_out_file *file, bool commit, struct tfp_diag *diag)
{
	bool done = (file->lent ? fflush(file->stream) : fclose(file->stream)) == 0;

	if (done && commit && file->temporary)
		done = take_place(file);
	if (!done)
		fail(file->path, diag);
	if (file->temporary && !(done && commit))
		unlink(file->temporary);
	free(file->temporary);
	free(file->path);
	free(file);
	return done;
}
