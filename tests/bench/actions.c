/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each action once, with all rows of the tree open, which is when it costs most: what keeps the thread that
 * reads the keys busy, and so delays the next key. Only what is over the bound is printed, with the time
 * until everything is there.
 */
#include "probe.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOUND  50
#define ESCAPE "\033"
#define ENTER  "\r"

/* Each leaves the tree as it was, or says how to come back. */
static const struct {
	const char *name, *keys, *back;
} actions[] = {
	{"open all", "E", NULL},
	{"down", DOWN, NULL},
	{"page down", PAGE_DOWN, NULL},
	{"last", "G", NULL},
	{"parent of the last", "\177", NULL},
	{"next sibling", "]", NULL},
	{"previous sibling", "[", NULL},
	{"first", HOME, NULL},
	{"next sibling of the first", "l]", HOME},
	{"sideways", "}", "{"},
	{"close the root", "h", NULL},
	{"open the root", "l", NULL},
	{"open or close by Enter", ENTER, ENTER},
	{"open all below", "*", NULL},
	{"hot path", "L", HOME},
	{"close all", "C", "E"},
	{"search, one letter", "/a", NULL},
	{"search, three letters", "dd", NULL},
	{"to the match", ENTER, NULL},
	{"next match", "n", NULL},
	{"match before", "N", ESCAPE},
	{"search without a match", "/zzzz" ENTER, ESCAPE ESCAPE HOME},
	{"zoom", "Gz", NULL},
	{"zoom out", "z", HOME},
	{"mark", " ", NULL},
	{"mark a second", "G ", NULL},
	{"copy as a table", "yt", NULL},
	{"copy all as CSV to a file", "w/dev/null" ENTER, NULL},
	{"unmark all", "U", HOME},
	{"write what is visible", "w\025/dev/null" ENTER, ESCAPE},
	{"exact values", "i", "i" ESCAPE},
	{"focus", "\t", "\t"},
	{"next pane", "d", "D"},
	{"pane size", "v", "vv"},
	{"sort by the next column", ">", NULL},
	{"sort by the column before", "<", NULL},
	{"reverse", "r", "r"},
	{"sort by name", "s" ENTER, NULL},
	{"undo", "u", NULL},
	{"redo", "\022", "u"},
	{"metric", "mm", NULL},
	{"metric time", "mt", NULL},
	{"step", ")", "("},
	{"compare", "=m", NULL},
	{"sort by the difference", "r", NULL},
	{"compare off", "=o", NULL},
	{"merge gradients", "om", "om"},
	{"unfold siblings", "on", NULL},
	{"fold siblings", "on", NULL},
	{"library frames", "ol", "ol"},
	{"percent of the root", "op", "op"},
	{"flat", "t", NULL},
	{"reverse the flat list", "r", "r"},
	{"flat list by name", "s" ENTER, NULL},
	{"mark in the flat list", "G ", "U" HOME},
	{"tree", "t", NULL},
	{"filter form", "f", NULL},
	{"filter by text", "add", NULL},
	{"show everything", ESCAPE "F", NULL},
	{"view 2", "2", NULL},
	{"open all of view 2", "E", NULL},
	{"view 3", "3", NULL},
	{"open all of view 3", "E", NULL},
	{"view 4", "4", NULL},
	{"open all of view 4", "E", NULL},
	{"view 5", "5", NULL},
	{"open all of view 5", "E", NULL},
	{"view 6", "6", NULL},
	{"view 8", "8", NULL},
	{"open all of view 8", "E", NULL},
	{"view 0", "0", NULL},
	{"view 2 again", "2", NULL},
	{"view 1 again", "1", NULL},
	{"problems", "!", ESCAPE},
	{"help", "?", ESCAPE},
	{"command", ":", ESCAPE},
};

/* The thread that has the terminal: of two the one that was not the first. */
static int screen_thread(int pid)
{
	struct dirent *entry;
	char path[64];
	int thread = pid;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	while (folder && thread == pid && (entry = readdir(folder)))
		if (atoi(entry->d_name) > 0)
			thread = atoi(entry->d_name);
	if (folder)
		closedir(folder);
	return thread;
}

/* CPU time of the thread that has the terminal. */
static double thread_ms(const struct bench *bench)
{
	unsigned long long nanoseconds = 0;
	int pid = (int)vt_pid(bench->vt);
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, screen_thread(pid));
	file = fopen(path, "r");
	if (file && fscanf(file, "%llu", &nanoseconds) != 1)
		nanoseconds = 0;
	if (file)
		fclose(file);
	return (double)nanoseconds / 1e6;
}

/* Until nothing has come for a while, and nothing is being asked for; when the last byte came. */
static double last_byte(struct bench *bench, double begun)
{
	double last = 0;

	do
		while (vt_pump(bench->vt, PANE_MS))
			last = bench_now() - begun;
	while (bench_shows(bench, " making the ") && bench_now() - begun < LIMIT_MS);
	return last;
}

bool bench_actions(struct bench *bench)
{
	size_t count = sizeof(actions) / sizeof(actions[0]), over = 0;
	double most = 0;

	bench_settle(bench);
	for (size_t i = 0; i < count; i++) {
		double before = thread_ms(bench), begun = bench_now(), last, busy;

		vt_send(bench->vt, actions[i].keys, strlen(actions[i].keys));
		last = last_byte(bench, begun);
		busy = thread_ms(bench) - before;
		most = busy > most ? busy : most;
		over += busy > BOUND;
		if (busy > BOUND)
			bench_line(busy, BOUND, "ms", "%s (all there in %.0f ms)", actions[i].name,
				   last);
		if (actions[i].back)
			bench_send(bench, actions[i].back, PANE_MS, LIMIT_MS);
		if (vt_wait(bench->vt, 0) >= 0) {
			printf("  %s: the program ended\n", actions[i].name);
			return false;
		}
	}
	bench_line(most, BOUND, "ms", "the slowest of %zu actions, %zu over", count, over);
	return true;
}
