/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint make DIRECTORY: writes many.* (10,000 variables) and big.* (one of 1 GB, whose data file has holes).
 * checkpoint page PREFIX: reads a thousand values in the midst of the first variable.
 * checkpoint all PREFIX: all statistics of it.
 */
#include <endian.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tfprof/load.h"

#define MANY     10000
#define BIG_ROWS 262144
#define BIG_COLS 1024
#define TYPE_F32 1

/* Bytes being made. */
struct bytes {
	uint8_t *at;
	size_t count, room;
};

static void put(struct bytes *bytes, const void *at, size_t size)
{
	tfp_array_reserve(bytes, bytes->count + size);
	if (size)
		memcpy(bytes->at + bytes->count, at, size);
	bytes->count += size;
}

static void put_varint(struct bytes *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*tfp_array_push(bytes) = (uint8_t)(value | 0x80);
	*tfp_array_push(bytes) = (uint8_t)value;
}

static void put_fixed32(struct bytes *bytes, uint32_t value)
{
	value = htole32(value);
	put(bytes, &value, sizeof(value));
}

static uint32_t mask(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

/* An entry of a table whose keys share nothing. */
static void put_entry(struct bytes *block, const char *key, const struct bytes *value)
{
	put_varint(block, 0);
	put_varint(block, strlen(key));
	put_varint(block, value->count);
	put(block, key, strlen(key));
	put(block, value->at, value->count);
}

/* Ends BLOCK and adds it to FILE; its place goes into PLACE. */
static void put_block(struct bytes *file, struct bytes *block, struct bytes *place)
{
	static const uint8_t raw;

	put_fixed32(block, 0);
	put_fixed32(block, 1);
	put_varint(place, file->count);
	put_varint(place, block->count);
	put(block, &raw, 1);
	put(file, block->at, block->count);
	put_fixed32(file, mask(tfp_crc32c(0, block->at, block->count)));
	block->count = 0;
}

/* What the index says of a matrix. */
static void put_tensor(struct bytes *out, uint64_t rows, uint64_t cols, uint64_t offset,
		       uint32_t crc)
{
	uint64_t dims[] = {rows, cols};
	struct bytes shape = {0}, dim = {0};

	for (size_t i = 0; i < 2; i++) {
		dim.count = 0;
		put_varint(&dim, 1 << 3);
		put_varint(&dim, dims[i]);
		put_varint(&shape, 2 << 3 | TFP_WIRE_BYTES);
		put_varint(&shape, dim.count);
		put(&shape, dim.at, dim.count);
	}
	put_varint(out, 1 << 3);
	put_varint(out, TYPE_F32);
	put_varint(out, 2 << 3 | TFP_WIRE_BYTES);
	put_varint(out, shape.count);
	put(out, shape.at, shape.count);
	put_varint(out, 4 << 3);
	put_varint(out, offset);
	put_varint(out, 5 << 3);
	put_varint(out, rows * cols * sizeof(float));
	put_varint(out, 6 << 3 | TFP_WIRE_FIXED32);
	put_fixed32(out, mask(crc));
	tfp_array_free(&shape);
	tfp_array_free(&dim);
}

/* The checksum of so many zeros. */
static uint32_t zeros_crc(uint64_t size)
{
	static const uint8_t zeros[1 << 16];
	uint32_t crc = 0;

	for (; size; size -= size < sizeof(zeros) ? size : sizeof(zeros))
		crc = tfp_crc32c(crc, zeros, size < sizeof(zeros) ? size : sizeof(zeros));
	return crc;
}

static bool write_file(const char *path, const struct bytes *bytes, uint64_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	bool good = fd >= 0 && write(fd, bytes->at, bytes->count) == (ssize_t)bytes->count &&
		    (!size || ftruncate(fd, (off_t)size) == 0);

	if (fd >= 0)
		close(fd);
	return good;
}

/* COUNT equal matrices one behind the other. */
static bool make(const char *directory, const char *name, unsigned count, uint64_t rows,
		 uint64_t cols)
{
	static const uint8_t header[] = {8, 1, 0x1a, 2, 8, 1};
	static const uint8_t magic[] = {0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb};
	struct bytes file = {0}, block = {0}, value = {0}, place = {0}, footer = {0}, none = {0};
	uint64_t size = rows * cols * sizeof(float);
	uint32_t crc = zeros_crc(size);
	char path[4096];
	bool good;

	put(&value, header, sizeof(header));
	put_entry(&block, "", &value);
	for (unsigned i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "model/block_%03u/layer_%02u/kernel_%u", i / 100,
			 i / 10 % 10, i % 10);
		value.count = 0;
		put_tensor(&value, rows, cols, i * size, crc);
		put_entry(&block, path, &value);
	}
	put_block(&file, &block, &place);
	put_block(&file, &block, &footer);
	put_entry(&block, "n", &place);
	put_block(&file, &block, &footer);
	while (footer.count < 40)
		*tfp_array_push(&footer) = 0;
	put(&footer, magic, sizeof(magic));
	put(&file, footer.at, footer.count);
	snprintf(path, sizeof(path), "%s/%s.index", directory, name);
	good = write_file(path, &file, 0);
	snprintf(path, sizeof(path), "%s/%s.data-00000-of-00001", directory, name);
	good = good && write_file(path, &none, size * count);
	tfp_array_free(&file);
	tfp_array_free(&block);
	tfp_array_free(&value);
	tfp_array_free(&place);
	tfp_array_free(&footer);
	return good;
}

static bool read_values(const char *prefix, bool all)
{
	struct tfp_named_file file = {.path = prefix, .role = TFP_ROLE_CHECKPOINT};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = tfp_load(&file, 1, NULL, diag);
	struct tfp_values *values = profile ? tfp_values_open(profile, 0, NULL, diag) : NULL;
	struct tfp_elements elements = {0};
	struct tfp_measures measures;
	bool good = values != NULL;

	if (good && all)
		good = tfp_values_measure(values, &measures, NULL, diag) && measures.right;
	else if (good)
		good = tfp_values_read(values, tfp_values_tensor(values)->elements / 2, 1000,
				       &elements, NULL, diag);
	tfp_elements_free(&elements);
	tfp_values_close(values);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	return good;
}

int main(int argc, char **argv)
{
	bool good = false;

	if (argc == 3 && !strcmp(argv[1], "make"))
		good = make(argv[2], "many", MANY, 64, 64) &&
		       make(argv[2], "big", 1, BIG_ROWS, BIG_COLS);
	else if (argc == 3)
		good = read_values(argv[2], !strcmp(argv[1], "all"));
	if (!good)
		fprintf(stderr, "checkpoint make DIRECTORY, or page or all PREFIX: failed\n");
	return !good;
}
