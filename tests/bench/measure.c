/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure TIMES COMMAND [ARG...]: runs a command that often with its output thrown away and prints the
 * least CPU seconds, the least wall seconds and the most memory in KB. Exit status 1 if the command failed
 * once.
 *
 * Memory is what the process itself made: anonymous pages. Pages of mapped files are left out, since the
 * kernel takes them back when it likes; so the peak that wait4 reports would not do. One more run is
 * watched for it through /proc, every half millisecond.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct figures {
	double cpu_s, wall_s;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static pid_t start(char *const argv[])
{
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(126);
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid;
}

/* Runs ARGV once; returns whether it ended with status 0. */
static int run(char *const argv[], struct figures *figures)
{
	double begun = now();
	struct rusage usage;
	int status;
	pid_t pid = start(argv);

	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 0;
	figures->wall_s = now() - begun;
	figures->cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	return status == 0;
}

/* Anonymous memory of a process now, in KB; 0 when it can't be read. */
static long anonymous_kb(const char *path)
{
	char text[4096];
	const char *line;
	int file = open(path, O_RDONLY);
	ssize_t size = file < 0 ? -1 : read(file, text, sizeof(text) - 1);

	if (file >= 0)
		close(file);
	if (size <= 0)
		return 0;
	text[size] = '\0';
	line = strstr(text, "\nRssAnon:");
	return line ? atol(line + strlen("\nRssAnon:")) : 0;
}

/* Runs ARGV once and watches it. */
static long peak_kb(char *const argv[])
{
	const struct timespec pause = {.tv_nsec = 500000};
	char path[64];
	long peak = 0, kb;
	pid_t pid = start(argv);

	if (pid < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	while (!waitpid(pid, NULL, WNOHANG)) {
		kb = anonymous_kb(path);
		peak = kb > peak ? kb : peak;
		nanosleep(&pause, NULL);
	}
	return peak;
}

int main(int argc, char **argv)
{
	struct figures best = {1e9, 1e9}, one;
	int times = argc > 2 ? atoi(argv[1]) : 0;

	if (times < 1) {
		fprintf(stderr, "usage: measure TIMES COMMAND [ARG...]\n");
		return 2;
	}
	for (int i = 0; i < times; i++) {
		if (!run(argv + 2, &one)) {
			fprintf(stderr, "measure: %s failed\n", argv[2]);
			return 1;
		}
		best.cpu_s = one.cpu_s < best.cpu_s ? one.cpu_s : best.cpu_s;
		best.wall_s = one.wall_s < best.wall_s ? one.wall_s : best.wall_s;
	}
	printf("%.4f %.4f %ld\n", best.cpu_s, best.wall_s, peak_kb(argv + 2));
	return 0;
}
