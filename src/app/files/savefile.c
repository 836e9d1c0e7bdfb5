/* SPDX-License-Identifier: Apache-2.0 */
/* Writing small files: see savefile.h. */
#include "app/files/savefile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *path, struct tfp_diag *diag, const char *why)
{
	tfp_diag_add(diag, TFP_ERROR, path, -1, 0, "cannot be saved: %s", why);
	return false;
}

/* Makes the folders above PATH that are not there. */
static bool make_folders(const char *path)
{
	char *copy = tfp_strdup(path);
	bool made = true;

	for (char *slash = strchr(copy + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		made = !access(copy, F_OK) || !mkdir(copy, 0700);
		*slash = '/';
	}
	free(copy);
	return made;
}

static bool write_all(int file, struct tfp_span bytes)
{
	while (bytes.size) {
		ssize_t part = write(file, bytes.at, bytes.size);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return false;
		bytes.at += part;
		bytes.size -= (size_t)part;
	}
	return !fsync(file);
}

/* Closes FILE whatever came before. */
static bool fill(int file, struct tfp_span bytes, mode_t mode)
{
	bool written = write_all(file, bytes) && !fchmod(file, mode);
	int error = errno;
	bool closed = !close(file);

	if (!written)
		errno = error;
	return written && closed;
}

static bool replace(const char *path, struct tfp_span bytes, mode_t mode)
{
	struct tfp_arena arena = {0};
	char *beside = tfp_arena_printf(&arena, "%s.XXXXXX", path);
	int file = mkstemp(beside), error;
	bool done = file >= 0 && fill(file, bytes, mode) && !rename(beside, path);

	error = errno;
	if (file >= 0 && !done)
		unlink(beside);
	tfp_arena_free(&arena);
	errno = error;
	return done;
}

bool tfp_savefile_write(const char *path, struct tfp_span bytes, struct tfp_diag *diag)
{
	struct stat info = {.st_mode = S_IFREG | 0600};
	char *target;
	bool done;

	if (!make_folders(path))
		return fail(path, diag, strerror(errno));
	if (stat(path, &info) ? errno != ENOENT : access(path, W_OK))
		return fail(path, diag, strerror(errno));
	if (!S_ISREG(info.st_mode))
		return fail(path, diag, "is not a regular file");
	target = realpath(path, NULL);
	done = replace(target ? target : path, bytes, info.st_mode & 0777);
	free(target);
	return done || fail(path, diag, strerror(errno));
}
