/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure TIMES COMMAND [ARG...]: runs a command that often with its output thrown away and prints the
 * least CPU seconds, the least wall seconds and the peak resident memory in KB. Exit status 1 if the
 * command failed once.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct figures {
	double cpu_s, wall_s;
	long peak_kb;
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

/* Runs ARGV once; returns whether it ended with status 0. */
static int run(char *const argv[], struct figures *figures)
{
	double start = now();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(126);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 0;
	figures->wall_s = now() - start;
	figures->cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	figures->peak_kb = usage.ru_maxrss;
	return status == 0;
}

int main(int argc, char **argv)
{
	struct figures best = {1e9, 1e9, 0}, one;
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
		best.peak_kb = one.peak_kb > best.peak_kb ? one.peak_kb : best.peak_kb;
	}
	printf("%.4f %.4f %ld\n", best.cpu_s, best.wall_s, best.peak_kb);
	return 0;
}
