/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for one script: see scratch.h. */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool scratch_make(struct scratch *scratch)
{
	const char *parent = getenv("TMPDIR");

	snprintf(scratch->path, sizeof(scratch->path), "%s/tfprof-screen-XXXXXX",
		 parent && *parent == '/' ? parent : P_tmpdir);
	if (mkdtemp(scratch->path))
		return true;
	*scratch->path = '\0';
	return false;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

void scratch_remove(struct scratch *scratch)
{
	if (*scratch->path)
		nftw(scratch->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	*scratch->path = '\0';
}

static bool copy_bytes(const char *from, const char *to)
{
	FILE *in = fopen(from, "r"), *out = in ? fopen(to, "w") : NULL;
	char bytes[65536];
	bool good = out != NULL;
	size_t size;

	while (good && (size = fread(bytes, 1, sizeof(bytes), in)))
		good = fwrite(bytes, 1, size, out) == size;
	if (in)
		fclose(in);
	return (!out || !fclose(out)) && good;
}

bool scratch_trace(const struct scratch *scratch, const char *name, long bytes, const char *step)
{
	static const char record[] =
		"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s_%d\", \"pid\": 1, \"tid\": 1, "
		"\"ts\": %9d, \"dur\": %d, \"args\": {\"pad\": \"%60s";
	char path[8192];
	FILE *out;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", scratch->path, name);
	out = fopen(path, "w");
	if (!out)
		return false;
	fputs("{\"traceEvents\": [\n", out);
	if (step)
		fprintf(out,
			"{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%s\", "
			"\"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 600000},\n",
			step);
	for (int i = 0; i < 60000; i++) {
		fprintf(out, record, "op", i % 5, i * 10, 5 + i % 5, "");
		fputs("\"}},\n", out);
	}
	fprintf(out, record, "last", 0, 600000, 9, "");
	good = !fseek(out, bytes, SEEK_CUR);
	fputs("\"}}\n]}\n", out);
	return !fclose(out) && good;
}

bool scratch_copy(const struct scratch *scratch, const char *from, const char *name,
		  const char *date)
{
	char path[8192];
	struct tm day = {.tm_hour = 12};
	struct timespec times[2] = {{0}};

	snprintf(path, sizeof(path), "%s/%s", scratch->path, name);
	for (char *slash = strchr(path + strlen(scratch->path) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	if (!strptime(date, "%Y-%m-%d", &day)) {
		errno = EINVAL;
		return false;
	}
	times[0].tv_sec = times[1].tv_sec = timegm(&day);
	return copy_bytes(from, path) && !utimensat(AT_FDCWD, path, times, 0);
}
