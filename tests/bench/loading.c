/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys while the files are being read, until all rows show; and the same keys for a program that does
 * nothing but echo, while a second thread of it fills as much new memory. Where a machine is slow to give memory,
 * as virtual ones are, that one waits as well, and its figure is the least that ours can be.
 */
#include "probe.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#define MEGABYTE ((size_t)1 << 20)

enum { LOADING_KEYS = 40, LOADING_MS = 110 };

/* ---- the program that only echoes ---- */

/* Fills it again and again: where all is new no more it goes on as a busy thread. */
static void *fill(void *data)
{
	size_t size = *(size_t *)data;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, size, MADV_HUGEPAGE);
	for (unsigned char round = 1;; round++)
		for (size_t at = 0; at + MEGABYTE <= size; at += MEGABYTE)
			memset(memory + at, round, MEGABYTE);
}

int bench_echo(const char *megabytes)
{
	size_t size = strtoul(megabytes, NULL, 10) * MEGABYTE;
	struct termios raw;
	pthread_t thread;
	char key;

	if (tcgetattr(0, &raw))
		return 1;
	cfmakeraw(&raw);
	tcsetattr(0, TCSANOW, &raw);
	if (pthread_create(&thread, NULL, fill, &size))
		return 1;
	for (key = '0'; write(1, &key, 1) == 1 && read(0, &key, 1) == 1;)
		;
	return 0;
}

/* ---- measuring ---- */

/* What the program has of memory that no file backs, now. */
static size_t megabytes_of(pid_t pid)
{
	unsigned long kilobytes = 0;
	char line[128];
	FILE *file;

	snprintf(line, sizeof(line), "/proc/%d/status", (int)pid);
	file = fopen(line, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "RssAnon: %lu", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes / 1024;
}

/* The longest wait of so many KEYS, or fewer if all of the tree shows before; KEYS gets their number. */
static double worst_key(struct bench *bench, int *keys)
{
	double worst = 0;
	int key = 0;

	for (; key < *keys && !bench_shows_all(bench); key++) {
		struct effect effect =
			bench_send(bench, key % 2 ? "q" : "?", LOADING_MS, LOADING_MS);

		worst = effect.first_ms > worst ? effect.first_ms : worst;
	}
	*keys = key;
	return worst;
}

static double worst_echo(size_t megabytes, int keys)
{
	char self[] = "/proc/self/exe", echo[] = "--echo", size[32];
	char *argv[] = {self, echo, size, NULL};
	struct bench other = {.argv = argv};
	double worst;

	snprintf(size, sizeof(size), "%zu", megabytes);
	if (!bench_start(&other) || !vt_pump(other.vt, LIMIT_MS))
		return 0;
	worst = worst_key(&other, &keys);
	vt_free(other.vt);
	return worst;
}

bool bench_loading(struct bench *bench)
{
	int keys = LOADING_KEYS;
	size_t megabytes;
	double worst;

	if (!bench_start(bench) || !bench_wait_for_views(bench))
		return false;
	worst = worst_key(bench, &keys);
	megabytes = megabytes_of(vt_pid(bench->vt));
	vt_free(bench->vt);
	bench_line(worst, 20, "ms", "key to first byte while loading, worst of %d", keys);
	bench_line(worst_echo(megabytes, keys), 0, "ms", "  only echoed, while %zu MB are filled",
		   megabytes);
	return true;
}
