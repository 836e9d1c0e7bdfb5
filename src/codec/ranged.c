/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading pieces of a file that may be larger than memory. What is asked for in small pieces comes from
 * a few pages that are kept, each in the place that its number gives it.
 */
#include "tfprof/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_SIZE  ((size_t)64 << 10)
#define PAGE_COUNT 16

struct page {
	uint64_t number; /* UINT64_MAX: nothing is kept here */
	size_t size;
	uint8_t *bytes;
};

struct tfp_ranged {
	int fd;
	uint64_t size;
	struct page pages[PAGE_COUNT];
};

struct tfp_ranged *tfp_ranged_open(const char *path, const char **reason)
{
	struct tfp_ranged *file;
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*reason = NULL;
	if (fd < 0 || fstat(fd, &status) < 0)
		*reason = strerror(errno);
	else if (!S_ISREG(status.st_mode))
		*reason = "it is no regular file";
	if (*reason) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	file = tfp_alloc_zero(1, sizeof(*file));
	file->fd = fd;
	file->size = (uint64_t)status.st_size;
	for (size_t i = 0; i < PAGE_COUNT; i++)
		file->pages[i].number = UINT64_MAX;
	return file;
}

void tfp_ranged_close(struct tfp_ranged *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < PAGE_COUNT; i++)
		free(file->pages[i].bytes);
	close(file->fd);
	free(file);
}

uint64_t tfp_ranged_size(const struct tfp_ranged *file)
{
	return file->size;
}

static bool read_all(int fd, uint64_t offset, size_t size, uint8_t *out)
{
	while (size) {
		ssize_t got = pread(fd, out, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		out += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return true;
}

/* The page NUMBER, which lies in the file. NULL if it can't be read. */
static const struct page *find_page(struct tfp_ranged *file, uint64_t number)
{
	struct page *page = &file->pages[number % PAGE_COUNT];
	uint64_t offset = number * PAGE_SIZE;

	if (page->number == number)
		return page;
	page->number = UINT64_MAX;
	page->size = file->size - offset < PAGE_SIZE ? (size_t)(file->size - offset) : PAGE_SIZE;
	if (!page->bytes)
		page->bytes = tfp_alloc(PAGE_SIZE);
	if (!read_all(file->fd, offset, page->size, page->bytes))
		return NULL;
	page->number = number;
	return page;
}

bool tfp_ranged_read(struct tfp_ranged *file, uint64_t offset, size_t size, void *out)
{
	uint8_t *to = out;

	if (offset > file->size || size > file->size - offset)
		return false;
	if (size >= PAGE_SIZE)
		return read_all(file->fd, offset, size, to);
	while (size) {
		const struct page *page = find_page(file, offset / PAGE_SIZE);
		size_t from = (size_t)(offset % PAGE_SIZE), count;

		if (!page)
			return false;
		count = page->size - from < size ? page->size - from : size;
		memcpy(to, page->bytes + from, count);
		to += count;
		offset += count;
		size -= count;
	}
	return true;
}
