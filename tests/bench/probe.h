/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the measures of the screen share: a program in a terminal, keys sent to it and what they bring.
 */
#ifndef TESTS_BENCH_PROBE_H
#define TESTS_BENCH_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "../screen/vt.h"

#define DOWN      "\033OB"
#define PAGE_DOWN "\033[6~"
#define HOME      "g"
#define CONTROL_T "\024"

enum {
	COLUMNS = 80,
	ROWS = 24,
	TRIES = 4,
	KEYS = 5,      /* rows of the smallest tree pane below its second row, about */
	HELD_MS = 40,  /* between the keys of one that is held: less than the pane waits */
	KEY_MS = 70,   /* what comes later belongs to the pane */
	PANE_MS = 600, /* by then it has come */
	LIMIT_MS = 60000,
	IDLE_MS = 3000,
};

struct bench {
	struct vt *vt;
	char *const *argv;
	bool large; /* whether the bounds for large files are the ones to hold */
	bool grows; /* it is a recording, of which a part shows before all is read */
};

/* What one key did. */
struct effect {
	double first_ms;
	size_t bytes;
};

double bench_now(void);
/* One line of the table; BOUND 0: none was set. */
void bench_line(double value, double bound, const char *unit, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Starts the program in a new terminal; false if that fails. */
bool bench_start(struct bench *bench);
bool bench_shows(struct bench *bench, const char *text);
/* Waits until some row holds TEXT; false if none does in a minute. */
bool bench_wait_for(struct bench *bench, const char *text);
/* The tree, and not only one of a part of the files. */
bool bench_shows_all(struct bench *bench);
/* Waits for it; BYTES that were written while a part was shown last, 0: none was. */
bool bench_wait_for_all(struct bench *bench, size_t *bytes);
/* The same until some row holds the views. */
bool bench_wait_for_views(struct bench *bench);
/* Until nothing comes any more, the pane included. */
void bench_settle(struct bench *bench);
/* Sends KEYS and takes what comes until QUIET ms without a byte, at most LIMIT ms. */
struct effect bench_send(struct bench *bench, const char *keys, int quiet, double limit);
/* Sends KEY as one of a key that is held. */
struct effect bench_held(struct bench *bench, const char *key);
/* Mean bytes of KEYS times KEY. */
double bench_mean_bytes(struct bench *bench, const char *key, int keys);
/* Mean bytes of a page that is drawn at once: while the key is held not each is, nor is the pane. */
double bench_page_bytes(struct bench *bench);
/* ---- the measures in files of their own ---- */

/*
 * Help opens and closes while the files are being read: the longest wait, and that of a program that only echoes.
 * False if nothing is shown.
 */
bool bench_loading(struct bench *bench);
/* The program that only echoes keys while it fills so many MEGABYTES; returns its exit status. */
int bench_echo(const char *megabytes);
/* Presses each action once and prints those over their bound. False if the program ends. */
bool bench_actions(struct bench *bench);
/* Keys held on a slow link: how far the screen is behind when they are let go. */
void bench_slow_link(struct bench *bench);
/* Ours, started by OURS, and another program, by the shell's COMMAND. 1 if one could not be started. */
int bench_beside(char *const *ours, const char *name, char *command);

#endif
