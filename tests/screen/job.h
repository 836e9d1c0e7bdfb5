/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as the foreground job of a small shell of its own, so that it can be suspended and continued
 * as at a real terminal.
 */
#ifndef TESTS_SCREEN_JOB_H
#define TESTS_SCREEN_JOB_H

#include <stdbool.h>
#include <sys/types.h>

struct job {
	pid_t shell, pid;    /* pid is 0 once the program has ended */
	int reports, orders; /* pipes from and to the shell */
	bool stopped;
	int status; /* of the end: exit status, or 128 + signal; -1 while it runs */
};

/*
 * Starts ARGV with the terminal TTY as its standard streams and controlling terminal, and with the "NAME=VALUE"
 * and "NAME" (to unset) of CHANGES, NULL-terminated, done to the environment. INPUT is its standard input
 * instead if it is not -1. False with errno set.
 */
bool job_start(struct job *job, int tty, int input, char *const *argv, const char *const *changes);
/* Takes what has happened to the program since into the fields; never waits. */
void job_update(struct job *job);
/* What `fg` does: gives the terminal to the stopped program and continues it. Returns when it runs. */
void job_continue(struct job *job);
/* Kills the program if it still runs, and ends the shell. */
void job_end(struct job *job);

#endif
