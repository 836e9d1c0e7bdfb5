/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program in a pseudo-terminal, with a terminal emulator looking at what it writes.
 */
#ifndef TESTS_SCREEN_VT_H
#define TESTS_SCREEN_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct vt;

struct vt_options {
	int columns, rows;
	const char *term;         /* TERM */
	const char *locale;       /* LC_ALL */
	bool piped;               /* standard input is a pipe, for vt_feed */
	const char *const *extra; /* more NAME=VALUE of the environment, NULL-terminated; or NULL */
};

/* Starts ARGV in a new pseudo-terminal. NULL with errno set when that fails. */
struct vt *vt_start(char *const *argv, const struct vt_options *options);
/* Ends the program if it still runs and frees all. */
void vt_free(struct vt *vt);

/* Sends the bytes, and takes what the program writes meanwhile. */
void vt_send(struct vt *vt, const char *bytes, size_t size);
/* Sends the bytes and takes nothing; as write does it. */
ssize_t vt_press(struct vt *vt, const char *bytes, size_t size);
void vt_resize(struct vt *vt, int columns, int rows);
/* Tells the program alone, which the emulator, as large as it is, looks at further; not to be more than that. */
void vt_tell_size(struct vt *vt, int columns, int rows);
void vt_signal(struct vt *vt, int number);
/* Reads for at most MS; true if anything came. */
bool vt_pump(struct vt *vt, int ms);
/* The same for at most MOST bytes. */
bool vt_pump_some(struct vt *vt, int ms, size_t most);
/* Reads until nothing came for QUIET ms (at most LIMIT ms in all). */
void vt_settle(struct vt *vt, int quiet, int limit);
/* Waits for the end of the program, at most LIMIT ms: its exit status, 128 + signal, or -1. */
int vt_wait(struct vt *vt, int limit);
bool vt_has_ended(struct vt *vt);
/* Waits until the program is stopped, at most LIMIT ms. */
bool vt_wait_stopped(struct vt *vt, int limit);
/* Continues the stopped program in the foreground. */
void vt_continue(struct vt *vt);
/* Writes the file at PATH into the standard input of a piped program and ends that; errno's message or NULL. */
const char *vt_feed(struct vt *vt, const char *path);
/* The terminal goes away, as when its window is closed. */
void vt_hang_up(struct vt *vt);

/* Its process; 0 after vt_wait saw it end. */
pid_t vt_pid(const struct vt *vt);
/* Bytes the program has written so far. */
size_t vt_written(const struct vt *vt);
/* The last bytes it has written, at most VT_TAIL, ended by NUL. */
enum { VT_TAIL = 65536 };
const char *vt_tail(const struct vt *vt);
int vt_columns(const struct vt *vt);
int vt_rows(const struct vt *vt);
/* Has it asked for reports of the mouse? */
bool vt_has_mouse(const struct vt *vt);
/* Row as UTF-8 without trailing blanks; valid until the next call. */
const char *vt_row(struct vt *vt, int row);
/* Whether the character at the place is drawn reversed, bold, underlined, in a colour of its own. */
struct vt_look {
	bool reverse, bold, underline, coloured;
};
struct vt_look vt_look_at(struct vt *vt, int row, int column);
/* Terminal state that a program must give back: alternate screen off, cursor seen, same line modes. */
bool vt_restored(struct vt *vt, const char **what);

#endif
