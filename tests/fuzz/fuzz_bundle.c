/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a V2 checkpoint: two tell how many are the index, the rest is its one data file.
 */
#include "ask_values.h"

#include <fcntl.h>
#include <unistd.h>

#define DATA_FILE "x.data-00000-of-00001"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The folder of the data file, made when first asked for. */
static const char *folder(void)
{
	static char path[] = "/tmp/fuzz-bundle-XXXXXX";
	static bool made;

	if (!made)
		fuzz_abort_unless(mkdtemp(path) != NULL);
	made = true;
	return path;
}

static void write_data(const uint8_t *data, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/" DATA_FILE, folder());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	fuzz_abort_unless(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void remove_data(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/" DATA_FILE, folder());
	unlink(path);
	rmdir(folder());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool once;
	size_t index;
	uint8_t *copy;
	char path[64];

	if (size < 2)
		return 0;
	if (!once)
		once = atexit(remove_data) == 0;
	index = data[0] | (size_t)data[1] << 8;
	index = index < size - 2 ? index : size - 2;
	write_data(data + 2 + index, size - 2 - index);
	copy = tfp_alloc(index);
	if (index)
		memcpy(copy, data + 2, index);
	snprintf(path, sizeof(path), "%s/x.index", folder());
	fuzz_checkpoint(tfp_source_from_bytes(path, copy, index));
	return 0;
}
