/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restoring the terminal from a signal handler. A handler may not call curses, so the bytes that
 * undo the screen are put together beforehand, and the handler only writes them and sets the old
 * modes. What it needs is static because a handler gets no argument.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "ui/terminal/restore.h"
#include "ui/ui.h"

#define BYTES_ROOM 512
#define STACK_ROOM 65536

struct bytes {
	char at[BYTES_ROOM];
	size_t size;
};

static struct {
	int fd;
	int pipe[2];
	struct termios modes;
	struct bytes bytes[2]; /* one is in use while the other is made anew */
	atomic_int current;
	atomic_bool armed;
	bool (*guard)(void *address);
	void *stack;
} saved = {.pipe = {-1, -1}};

static const struct {
	int signal;
	char event; /* 0: ends the program */
} watched[] = {
	{SIGINT, 0},
	{SIGTERM, 0},
	{SIGHUP, 0},
	{SIGQUIT, 0},
	{SIGSEGV, 0},
	{SIGABRT, 0},
	{SIGBUS, 0},
	{SIGPIPE, 0},
	{SIGWINCH, TFP_EVENT_RESIZE},
	{SIGTSTP, TFP_EVENT_SUSPEND},
	{SIGCONT, TFP_EVENT_CONTINUE},
};

#define WATCHED (sizeof(watched) / sizeof(*watched))

static struct sigaction former[WATCHED];

/* Adds terminfo string TEXT without its padding. */
static void add(struct bytes *bytes, const char *text)
{
	if (!text || text == (const char *)-1)
		return;
	while (*text && bytes->size < BYTES_ROOM) {
		const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (end)
			text = end + 1;
		else
			bytes->at[bytes->size++] = *text++;
	}
}

void tfp_restore_prepare(int rows, bool mouse)
{
	int spare = !atomic_load(&saved.current);
	struct bytes *bytes = &saved.bytes[spare];
	char *region = tigetstr("csr"), *move = tigetstr("cup"), *leave = tigetstr("rmcup");

	bytes->size = 0;
	add(bytes, mouse ? TFP_MOUSE_OFF : NULL);
	if (region && region != (char *)-1)
		add(bytes, tparm(region, 0, rows - 1));
	if (move && move != (char *)-1)
		add(bytes, tparm(move, rows - 1, 0));
	add(bytes, tigetstr("sgr0"));
	add(bytes, tigetstr("op"));
	add(bytes, tigetstr("rmkx"));
	add(bytes, leave && leave != (char *)-1 ? leave : "\r\n");
	add(bytes, tigetstr("cnorm")); /* last: leaving the screen hides it on some terminals */
	atomic_store(&saved.current, spare);
}

/* Async-signal-safe. */
void tfp_ui_leave(void)
{
	const struct bytes *bytes = &saved.bytes[atomic_load(&saved.current)];
	size_t done = 0;

	if (!atomic_exchange(&saved.armed, false))
		return;
	while (done < bytes->size) {
		ssize_t size = write(saved.fd, bytes->at + done, bytes->size - done);

		if (size <= 0)
			break;
		done += (size_t)size;
	}
	tcsetattr(saved.fd, TCSANOW, &saved.modes);
}

static size_t index_of(int number)
{
	size_t i = 0;

	while (watched[i].signal != number)
		i++;
	return i;
}

/*
 * The end: restores, then lets the former action have the signal. One that the machine raised
 * comes again by itself when the instruction is repeated, with all that a debugger or sanitizer
 * wants to know.
 */
static void on_end(int number, siginfo_t *info, void *context)
{
	int kept = errno;

	(void)context;
	if (number == SIGBUS && saved.guard && saved.guard(info->si_addr)) {
		errno = kept;
		return;
	}
	tfp_ui_leave();
	sigaction(number, &former[index_of(number)], NULL);
	if (info->si_code <= 0 || (number != SIGSEGV && number != SIGBUS))
		raise(number);
	errno = kept;
}

static void on_event(int number)
{
	int kept = errno;
	ssize_t size = write(saved.pipe[1], &watched[index_of(number)].event, 1);

	(void)size; /* a full pipe holds enough to wake up for */
	errno = kept;
}

bool tfp_restore_start(int fd)
{
	saved.fd = fd;
	atomic_store(&saved.armed, false);
	return tcgetattr(fd, &saved.modes) == 0 && pipe2(saved.pipe, O_CLOEXEC | O_NONBLOCK) == 0;
}

void tfp_restore_arm(bool (*guard)(void *address))
{
	stack_t stack = {.ss_size = STACK_ROOM};

	saved.guard = guard;
	if (!saved.stack && (saved.stack = malloc(STACK_ROOM))) {
		stack.ss_sp = saved.stack;
		sigaltstack(&stack, NULL);
	}
	atomic_store(&saved.armed, true);
	for (size_t i = 0; i < WATCHED; i++) {
		struct sigaction action = {.sa_flags = SA_RESTART};

		sigfillset(&action.sa_mask);
		if (watched[i].event) {
			action.sa_handler = on_event;
		} else {
			action.sa_sigaction = on_end;
			action.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
			sigemptyset(&action.sa_mask);
		}
		sigaction(watched[i].signal, &action, &former[i]);
	}
}

void tfp_restore_disarm(void)
{
	if (!atomic_exchange(&saved.armed, false))
		return;
	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i].signal, &former[i], NULL);
}

void tfp_restore_stop(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	sigaltstack(&none, NULL);
	free(saved.stack);
	saved.stack = NULL;
	for (int i = 0; i < 2; i++) {
		if (saved.pipe[i] >= 0)
			close(saved.pipe[i]);
		saved.pipe[i] = -1;
	}
}

int tfp_restore_fd(void)
{
	return saved.pipe[0];
}

unsigned tfp_restore_events(void)
{
	unsigned events = 0;
	char bytes[64];
	ssize_t size;

	while ((size = read(saved.pipe[0], bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < size; i++)
			events |= (unsigned)bytes[i];
	return events;
}
