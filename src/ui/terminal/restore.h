/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals while the screen is up: those that end the program restore the terminal first, the
 * others become bytes in a pipe that the event loop reads.
 */
#ifndef TFP_UI_RESTORE_H
#define TFP_UI_RESTORE_H

#include <stdbool.h>

/* Bits of what tfp_restore_events returns. */
enum tfp_event { TFP_EVENT_RESIZE = 1, TFP_EVENT_SUSPEND = 2, TFP_EVENT_CONTINUE = 4 };

/*
 * Remembers the settings of the terminal on FD (to be called before curses changes them) and opens
 * the pipe. False when that fails.
 */
bool tfp_restore_start(int fd);
/*
 * Puts the bytes together that undo a screen of ROWS rows, and what reports of the MOUSE ask for. Curses
 * must know the terminal by now.
 */
void tfp_restore_prepare(int rows, bool mouse);
/* Bytes that ask the terminal for reports of the mouse, and for no more of them. */
#define TFP_MOUSE_ON  "\033[?1000h\033[?1006h"
#define TFP_MOUSE_OFF "\033[?1006l\033[?1000l"
/* Installs the handlers. GUARD is asked first on SIGBUS; it may be NULL. */
void tfp_restore_arm(bool (*guard)(void *address));
/* Takes the handlers away again; the terminal is then curses' to restore. */
void tfp_restore_disarm(void);
/* Closes the pipe. */
void tfp_restore_stop(void);

/* Becomes readable when an event waits. */
int tfp_restore_fd(void);
/* Takes the waiting events (enum tfp_event bits). */
unsigned tfp_restore_events(void);

#endif
