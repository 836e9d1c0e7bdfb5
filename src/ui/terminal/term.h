/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal: starting and stopping curses, leaving it for a while, its size, and single keys.
 */
#ifndef TFP_UI_TERM_H
#define TFP_UI_TERM_H

#include <signal.h>

#include <curses.h>

#include "tfprof/base.h"

/* What the mouse did: button 0 is the left one, 64 and 65 are the wheel; with bits for Shift and the like. */
struct tfp_mouse_report {
	int button, y, x;
};

struct tfp_term {
	FILE *in, *out;
	SCREEN *screen;
	WINDOW *keys; /* a pad: reading a key from it refreshes nothing */
	bool utf8;
	bool cursor; /* the cursor is visible */
	bool mouse;  /* it tells of the mouse */
	struct tfp_mouse_report report;
	bool (*guard)(void *address);
	struct sigaction interrupt, stop; /* what INT and QUIT did before others had the terminal */
};

/* Starts curses and arms the signals. False with an error in DIAG, and nothing changed. */
bool tfp_term_start(struct tfp_term *term, bool (*guard)(void *address), struct tfp_diag *diag);
/* Gives the terminal back. A suspension that was asked for meanwhile comes now: the next profile's screen would not know of it. */
void tfp_term_stop(struct tfp_term *term);

/*
 * Gives the terminal back to others for a while, and takes it again with whatever size it has
 * then.
 */
void tfp_term_leave(struct tfp_term *term);
void tfp_term_enter(struct tfp_term *term);
/* Stops the program as C-z would; returns when it is continued. */
void tfp_term_suspend(struct tfp_term *term);
/* Takes over the terminal's size. */
void tfp_term_resize(struct tfp_term *term);
/* The next frame draws every cell, whatever curses believes to be there. */
void tfp_term_redraw(struct tfp_term *term);

/* Has the mouse told of, or not. False when the terminal is not known to have one. */
bool tfp_term_mouse(struct tfp_term *term, bool on);

int tfp_term_fd(const struct tfp_term *term);
/* The next key (see keys.h), 0 when none waits. Of TFP_KEY_MOUSE the report says more. */
int32_t tfp_term_key(struct tfp_term *term);
/* Shows the cursor at Y, X; Y < 0: hides it. */
void tfp_term_cursor(struct tfp_term *term, int y, int x);
/* Bytes straight to the terminal, between frames. */
void tfp_term_write(struct tfp_term *term, const char *bytes, size_t size);

#endif
