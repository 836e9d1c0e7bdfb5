/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk FILE: what it takes to pass over an XSpace into every stat of every event, and do nothing with it. The least that any
 * reader does, so how fast this machine is just now for such work; without a line of the reader that is measured by it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* From XSpace into planes, lines, events, stats: the field of each (xplane.proto of TensorFlow's tsl). */
static const uint64_t inside[] = {1, 3, 4, 4};

#define DEPTH (sizeof(inside) / sizeof(*inside))

struct bytes {
	const uint8_t *at, *end;
};

static inline uint64_t varint(struct bytes *bytes)
{
	uint64_t value = 0;

	if (bytes->at < bytes->end && *bytes->at < 0x80) /* as most are */
		return *bytes->at++;
	for (int shift = 0; bytes->at < bytes->end && shift < 64; shift += 7) {
		uint8_t byte = *bytes->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return value;
}

/* The sum of all numbers, so that none of them is passed over unread. */
static uint64_t walk(struct bytes bytes, size_t depth)
{
	uint64_t sum = 0;

	while (bytes.at < bytes.end) {
		uint64_t tag = varint(&bytes), size, word = 0;

		switch (tag & 7) {
		case 0:
			sum += varint(&bytes);
			continue;
		case 1:
			size = 8;
			break;
		case 5:
			size = 4;
			break;
		default:
			size = varint(&bytes);
		}
		if (size > (uint64_t)(bytes.end - bytes.at))
			return sum;
		if ((tag & 7) != 2) {
			memcpy(&word, bytes.at, size);
			sum += word;
		} else if (depth < DEPTH && tag >> 3 == inside[depth]) {
			sum += walk((struct bytes){bytes.at, bytes.at + size}, depth + 1);
		}
		bytes.at += size;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct stat status;
	uint8_t *data;

	if (file < 0 || fstat(file, &status) || !status.st_size) {
		fprintf(stderr, "usage: walk FILE\n");
		return 2;
	}
	data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (data == MAP_FAILED)
		return 1;
	printf("%llu\n", (unsigned long long)walk((struct bytes){data, data + status.st_size}, 0));
	return 0;
}
