/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inflate FILE: what zlib alone takes to unpack a gzip file, without looking at what comes out.
 */
#define ZLIB_CONST
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

static unsigned char room[1 << 20];

static int unpack(const unsigned char *bytes, size_t size)
{
	z_stream stream = {.next_in = bytes, .avail_in = (uInt)size};
	int result = inflateInit2(&stream, 16 + MAX_WBITS);

	while (result == Z_OK) {
		stream.next_out = room;
		stream.avail_out = sizeof(room);
		result = inflate(&stream, Z_NO_FLUSH);
	}
	inflateEnd(&stream);
	return result == Z_STREAM_END;
}

int main(int argc, char **argv)
{
	int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct stat status;
	void *bytes;

	if (file < 0 || fstat(file, &status) || !status.st_size) {
		fprintf(stderr, "usage: inflate FILE\n");
		return 2;
	}
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	return bytes == MAP_FAILED || !unpack(bytes, (size_t)status.st_size);
}
