/* SPDX-License-Identifier: Apache-2.0 */
/* Reading small files: see textfile.h. */
#include "app/files/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum tfp_textfile fail(const char *path, struct tfp_diag *diag, const char *why)
{
	tfp_diag_add(diag, TFP_WARNING, path, -1, 0, "%s", why);
	return TFP_TEXTFILE_FAILED;
}

static enum tfp_textfile fail_system(const char *path, struct tfp_diag *diag)
{
	if (errno == ENOENT || errno == ENOTDIR)
		return TFP_TEXTFILE_ABSENT;
	return fail(path, diag, strerror(errno));
}

static enum tfp_textfile check_kind(const char *path, const struct stat *info,
				    struct tfp_diag *diag)
{
	if (S_ISREG(info->st_mode))
		return TFP_TEXTFILE_READ;
	return fail(path, diag,
		    S_ISDIR(info->st_mode) ? "is a directory, not a file"
					   : "is not a regular file");
}

/* Bytes read into BUFFER, at most ROOM; -1 with errno. */
static ssize_t read_all(int file, char *buffer, size_t room)
{
	size_t size = 0;

	while (size < room) {
		ssize_t part = read(file, buffer + size, room - size);

		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -1;
		if (!part)
			break;
		size += (size_t)part;
	}
	return (ssize_t)size;
}

static enum tfp_textfile read_open(int file, const char *path, size_t limit,
				   struct tfp_arena *arena, struct tfp_span *bytes,
				   struct tfp_diag *diag)
{
	struct stat info;
	char *buffer;
	ssize_t size;

	if (fstat(file, &info))
		return fail_system(path, diag);
	if (check_kind(path, &info, diag) != TFP_TEXTFILE_READ)
		return TFP_TEXTFILE_FAILED;
	if ((uint64_t)info.st_size > limit)
		return fail(path, diag, "is too large for what it should be");
	buffer = tfp_arena_alloc(arena, (size_t)info.st_size + 1);
	size = read_all(file, buffer, (size_t)info.st_size + 1);
	if (size < 0)
		return fail(path, diag, strerror(errno));
	if (size > info.st_size)
		return fail(path, diag, "changed while it was read");
	*bytes = (struct tfp_span){buffer, (size_t)size};
	return TFP_TEXTFILE_READ;
}

enum tfp_textfile tfp_textfile_read(const char *path, size_t limit, struct tfp_arena *arena,
				    struct tfp_span *bytes, struct tfp_diag *diag)
{
	enum tfp_textfile result;
	struct stat info;
	int file;

	if (stat(path, &info))
		return fail_system(path, diag);
	if (check_kind(path, &info, diag) != TFP_TEXTFILE_READ)
		return TFP_TEXTFILE_FAILED;
	/* The kind may have changed since: then at least it is not waited for. */
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		return fail_system(path, diag);
	result = read_open(file, path, limit, arena, bytes, diag);
	close(file);
	return result;
}
