/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curses, started on standard output and on the terminal that has the keyboard (which is not
 * standard input when a profile comes in there).
 */
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "ui/action/keys.h"
#include "ui/terminal/restore.h"
#include "ui/terminal/term.h"
#include "ui/ui.h"

/* Milliseconds that the rest of a key's sequence may take after its escape. */
#define ESCAPE_WAIT 50

/* What a report of the mouse begins with, and the key code that we have curses give for it. */
#define REPORT_START "\033[<"
#define REPORT_CODE  (KEY_MAX + 1)
#define REPORT_MOST  100000 /* above all columns and lines */

static int open_keyboard(void)
{
	if (isatty(STDIN_FILENO))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	return open("/dev/tty", O_RDWR | O_CLOEXEC);
}

/* NULL if terminfo knows the terminal and it can place its cursor; else what is wrong. */
static const char *terminal_fault(void)
{
	const char *fault = NULL, *name = getenv("TERM");
	int known;

	if (!name || !*name)
		return "TERM is not set";
	if (setupterm(NULL, STDOUT_FILENO, &known) == ERR)
		return "the terminal type is unknown";
	if (!tigetstr("cup") || tigetflag("hc") > 0)
		fault = "the terminal cannot place its cursor";
	del_curterm(cur_term);
	return fault;
}

bool tfp_ui_usable(struct tfp_diag *diag)
{
	const char *name = getenv("TERM"), *fault;
	int keyboard;

	if (!isatty(STDOUT_FILENO)) {
		tfp_diag_note(diag, "standard output is not a terminal");
		return false;
	}
	keyboard = open_keyboard();
	if (keyboard < 0) {
		tfp_diag_note(diag, "there is no terminal to read keys from");
		return false;
	}
	close(keyboard);
	fault = terminal_fault();
	if (fault)
		tfp_diag_note(diag, "%s (TERM=%s)", fault, name ? name : "");
	return !fault;
}

static bool open_streams(struct tfp_term *term)
{
	int in = open_keyboard(), out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	term->in = in < 0 ? NULL : fdopen(in, "r");
	term->out = out < 0 ? NULL : fdopen(out, "w");
	return term->in && term->out;
}

static void close_streams(struct tfp_term *term)
{
	if (term->in)
		fclose(term->in);
	if (term->out)
		fclose(term->out);
	term->in = term->out = NULL;
}

static void set_modes(struct tfp_term *term)
{
	raw();
	noecho();
	nonl();
	set_escdelay(ESCAPE_WAIT);
	idlok(stdscr, TRUE);
	leaveok(stdscr, TRUE);
	term->keys = newpad(1, 1);
	keypad(term->keys, TRUE);
	nodelay(term->keys, TRUE);
	define_key(REPORT_START, REPORT_CODE);
	curs_set(0);
	term->cursor = false;
}

/* Armed before curses starts: it catches what it finds not caught, and would end us in its own way. */
bool tfp_term_start(struct tfp_term *term, bool (*guard)(void *address), struct tfp_diag *diag)
{
	*term = (struct tfp_term){.guard = guard};
	setlocale(LC_CTYPE, "");
	term->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (open_streams(term) && tfp_restore_start(fileno(term->out))) {
		tfp_restore_arm(guard);
		term->screen = newterm(NULL, term->out, term->in);
	}
	if (!term->screen) {
		tfp_diag_error(diag, "the terminal could not be set up");
		tfp_restore_disarm();
		tfp_restore_stop();
		close_streams(term);
		return false;
	}
	set_modes(term);
	tfp_restore_prepare(LINES, term->mouse);
	return true;
}

/* Asks for reports of the mouse, if they are wanted, or for no more of them for now. */
static void tell_of_mouse(struct tfp_term *term, bool on)
{
	const char *bytes = on ? TFP_MOUSE_ON : TFP_MOUSE_OFF;

	if (term->mouse)
		tfp_term_write(term, bytes, strlen(bytes));
}

bool tfp_term_mouse(struct tfp_term *term, bool on)
{
	const char *known = tigetstr("kmous");

	if (!known || known == (const char *)-1)
		return false;
	term->mouse = true;
	tell_of_mouse(term, on);
	term->mouse = on;
	tfp_restore_prepare(LINES, on);
	return true;
}

/* Curses shows the cursor, then leaves the screen, on which some terminals hide it again. */
static void end_window(struct tfp_term *term)
{
	const char *show = tigetstr("cnorm");

	if (isendwin())
		return;
	endwin();
	if (show && show != (const char *)-1 && !strstr(show, "$<"))
		tfp_term_write(term, show, strlen(show));
}

void tfp_term_stop(struct tfp_term *term)
{
	bool suspend;

	if (!term->screen)
		return;
	delwin(term->keys);
	tell_of_mouse(term, false);
	end_window(term);
	tfp_restore_disarm();
	suspend = tfp_restore_events() & TFP_EVENT_SUSPEND;
	tfp_restore_stop();
	delscreen(term->screen);
	term->screen = NULL;
	close_streams(term);
	if (suspend)
		kill(0, SIGTSTP);
}

/*
 * While others have the terminal, C-c is theirs: it must not end us, and not in the moment between
 * either.
 */
void tfp_term_leave(struct tfp_term *term)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t keyboard, before;

	sigemptyset(&keyboard);
	sigaddset(&keyboard, SIGINT);
	sigaddset(&keyboard, SIGQUIT);
	pthread_sigmask(SIG_BLOCK, &keyboard, &before);
	curs_set(1);
	term->cursor = false;
	tell_of_mouse(term, false);
	end_window(term);
	tfp_restore_disarm();
	sigaction(SIGINT, &ignore, &term->interrupt);
	sigaction(SIGQUIT, &ignore, &term->stop);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void tfp_term_enter(struct tfp_term *term)
{
	tfp_term_resize(term);
	tfp_term_redraw(term);
	refresh();
	tell_of_mouse(term, true);
	curs_set(0);
	sigaction(SIGINT, &term->interrupt, NULL);
	sigaction(SIGQUIT, &term->stop, NULL);
	tfp_restore_arm(term->guard);
}

void tfp_term_suspend(struct tfp_term *term)
{
	tfp_term_leave(term);
	tfp_restore_events(); /* what was asked for until here, this stop answers; later it is asked for anew */
	kill(0, SIGTSTP);
	tfp_term_enter(term);
}

void tfp_term_resize(struct tfp_term *term)
{
	struct winsize size;

	if (ioctl(fileno(term->out), TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col &&
	    (size.ws_row != LINES || size.ws_col != COLS))
		resizeterm(size.ws_row, size.ws_col);
	tfp_restore_prepare(LINES, term->mouse);
}

void tfp_term_redraw(struct tfp_term *term)
{
	(void)term;
	clearok(curscr, TRUE);
}

int tfp_term_fd(const struct tfp_term *term)
{
	return fileno(term->in);
}

/* The rest of a report, "0;12;5M": button, column, line; "m" at its end lets the button go. False: no press. */
static bool read_report(struct tfp_term *term)
{
	int numbers[3] = {0}, which = 0;
	wint_t sign = 0;

	wtimeout(term->keys, ESCAPE_WAIT);
	while (which < 3 && wget_wch(term->keys, &sign) == OK &&
	       ((sign >= '0' && sign <= '9') || sign == ';'))
		if (sign == ';')
			which++;
		else if (numbers[which] < REPORT_MOST)
			numbers[which] = numbers[which] * 10 + (int)(sign - '0');
	nodelay(term->keys, TRUE);
	term->report = (struct tfp_mouse_report){numbers[0], numbers[2] - 1, numbers[1] - 1};
	return term->mouse && which == 2 && sign == 'M';
}

/*
 * The event of a new size, which curses puts among the keys, is a signal's to tell. A button that is let go
 * is nothing.
 */
static int next_code(struct tfp_term *term, wint_t *code)
{
	for (;;) {
		int kind;

		*code = 0;
		kind = wget_wch(term->keys, code);
		if (kind != KEY_CODE_YES || (*code != KEY_RESIZE && *code != REPORT_CODE) ||
		    (*code == REPORT_CODE && read_report(term)))
			return kind;
	}
}

/*
 * Behind Esc: a control sequence that the terminal's description does not know is one key, unknown.
 * Whatever else follows is keys of its own.
 */
static bool skip_sequence(struct tfp_term *term)
{
	wint_t code;
	int kind = next_code(term, &code);

	if (kind == OK && code == '[') {
		while ((kind = next_code(term, &code)) == OK && (code < '@' || code > '~'))
			;
		return true;
	}
	if (kind == OK)
		unget_wch((wchar_t)code);
	else if (kind == KEY_CODE_YES && code != REPORT_CODE)
		ungetch((int)code);
	return false;
}

int32_t tfp_term_key(struct tfp_term *term)
{
	wint_t code;
	int kind = next_code(term, &code);

	if (kind == ERR)
		return 0;
	if (kind == KEY_CODE_YES && code == REPORT_CODE)
		return TFP_KEY_MOUSE;
	if (kind == KEY_CODE_YES)
		return tfp_keys_of_code((int32_t)code);
	if (code == TFP_KEY_ESCAPE && skip_sequence(term))
		return TFP_KEY_OTHER;
	return tfp_keys_of_character((int32_t)code);
}

void tfp_term_cursor(struct tfp_term *term, int y, int x)
{
	bool wanted = y >= 0;

	if (wanted) {
		move(y < LINES ? y : LINES - 1, x < COLS ? x : COLS - 1);
	}
	if (wanted == term->cursor)
		return;
	leaveok(stdscr, !wanted);
	curs_set(wanted);
	term->cursor = wanted;
}

void tfp_term_write(struct tfp_term *term, const char *bytes, size_t size)
{
	fwrite(bytes, 1, size, term->out);
	fflush(term->out);
}
