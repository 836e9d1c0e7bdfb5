/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pseudo-terminal and the emulator (libvterm) of the screen tests.
 */
#include "vt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#include "job.h"

enum { CHANGES = 16 };

struct vt {
	struct job job;
	int feed;          /* the end of the pipe that is its standard input, or -1 */
	int master, slave; /* the slave stays open so that line modes can be read after the end */
	VTerm *term;
	VTermScreen *screen;
	bool alternate, cursor_hidden, mouse;
	struct termios before;
	size_t written;
	int rows, columns;
	char text[4096];
	char tail[VT_TAIL + 1];
	size_t tail_size;
};

static int on_property(VTermProp property, VTermValue *value, void *data)
{
	struct vt *vt = data;

	if (property == VTERM_PROP_ALTSCREEN)
		vt->alternate = value->boolean;
	if (property == VTERM_PROP_CURSORVISIBLE)
		vt->cursor_hidden = !value->boolean;
	if (property == VTERM_PROP_MOUSE)
		vt->mouse = value->number != VTERM_PROP_MOUSE_NONE;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

/* Nothing of the person who runs the tests, their settings least of all, may reach the program. */
static const char *const always[] = {"LINES",
				     "COLUMNS",
				     "NO_COLOR",
				     "VISUAL",
				     "EDITOR",
				     "LANG",
				     "HOME=/nonexistent",
				     "XDG_CONFIG_HOME=/nonexistent",
				     "XDG_STATE_HOME=/dev/null"};

static bool start_job(struct vt *vt, char *const *argv, const struct vt_options *options)
{
	char term[128], locale[128];
	const char *changes[CHANGES + sizeof(always) / sizeof(always[0]) + 3] = {term, locale};
	int input[2] = {-1, -1};
	size_t count = 2;
	bool started;

	snprintf(term, sizeof(term), "TERM=%s", options->term);
	snprintf(locale, sizeof(locale), "LC_ALL=%s", options->locale);
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		changes[count++] = always[i];
	for (size_t i = 0; options->extra && options->extra[i] && i < CHANGES; i++)
		changes[count++] = options->extra[i];
	fcntl(vt->master, F_SETFD, FD_CLOEXEC);
	if (options->piped && pipe2(input, O_CLOEXEC))
		return false;
	vt->feed = input[1];
	started = job_start(&vt->job, vt->slave, input[0], argv, changes);
	if (options->piped)
		close(input[0]);
	return started;
}

struct vt *vt_start(char *const *argv, const struct vt_options *options)
{
	struct vt *vt = calloc(1, sizeof(*vt));
	struct winsize size = {.ws_row = (unsigned short)options->rows,
			       .ws_col = (unsigned short)options->columns};

	if (!vt || openpty(&vt->master, &vt->slave, NULL, NULL, &size)) {
		free(vt);
		return NULL;
	}
	vt->feed = -1;
	vt->rows = options->rows;
	vt->columns = options->columns;
	vt->term = vterm_new(options->rows, options->columns);
	vterm_set_utf8(vt->term, !strstr(options->locale, "UTF-8") ? 0 : 1);
	vt->screen = vterm_obtain_screen(vt->term);
	vterm_screen_enable_altscreen(vt->screen, 1);
	vterm_screen_set_callbacks(vt->screen, &callbacks, vt);
	vterm_screen_reset(vt->screen, 1);
	tcgetattr(vt->slave, &vt->before);
	if (start_job(vt, argv, options))
		return vt;
	vt_free(vt);
	return NULL;
}

void vt_free(struct vt *vt)
{
	if (!vt)
		return;
	vt_hang_up(vt);
	if (vt->feed >= 0)
		close(vt->feed);
	job_end(&vt->job);
	close(vt->slave);
	vterm_free(vt->term);
	free(vt);
}

void vt_send(struct vt *vt, const char *bytes, size_t size)
{
	while (size) {
		ssize_t sent = vt_press(vt, bytes, size > 256 ? 256 : size);

		if (sent <= 0)
			return;
		bytes += sent;
		size -= (size_t)sent;
		vt_pump(vt, 0);
	}
}

ssize_t vt_press(struct vt *vt, const char *bytes, size_t size)
{
	return write(vt->master, bytes, size);
}

void vt_tell_size(struct vt *vt, int columns, int rows)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	ioctl(vt->master, TIOCSWINSZ, &size);
}

void vt_resize(struct vt *vt, int columns, int rows)
{
	vt->rows = rows;
	vt->columns = columns;
	vterm_set_size(vt->term, rows, columns);
	/* The emulator would go back to a saved place even if that is outside of it by now. */
	vterm_input_write(vt->term, "\0337", 2);
	vt_tell_size(vt, columns, rows);
}

void vt_signal(struct vt *vt, int number)
{
	job_update(&vt->job);
	if (vt->job.pid)
		kill(vt->job.pid, number);
}

/* What the emulator answers (cursor reports and the like) goes to the program. */
static void send_answers(struct vt *vt)
{
	char answer[256];
	size_t size = vterm_output_read(vt->term, answer, sizeof(answer));

	if (size && write(vt->master, answer, size) < 0)
		return;
}

static void add_tail(struct vt *vt, const char *bytes, size_t size)
{
	size_t over = vt->tail_size + size > VT_TAIL ? vt->tail_size + size - VT_TAIL : 0;

	memmove(vt->tail, vt->tail + over, vt->tail_size - over);
	vt->tail_size -= over;
	memcpy(vt->tail + vt->tail_size, bytes, size);
	vt->tail_size += size;
	vt->tail[vt->tail_size] = '\0';
}

bool vt_pump_some(struct vt *vt, int ms, size_t most)
{
	struct pollfd ready = {.fd = vt->master, .events = POLLIN};
	char bytes[8192];
	ssize_t size;

	if (poll(&ready, 1, ms) <= 0 || !(ready.revents & POLLIN))
		return false;
	size = read(vt->master, bytes, most < sizeof(bytes) ? most : sizeof(bytes));
	if (size <= 0)
		return false;
	vt->written += (size_t)size;
	add_tail(vt, bytes, (size_t)size);
	vterm_input_write(vt->term, bytes, (size_t)size);
	send_answers(vt);
	return true;
}

bool vt_pump(struct vt *vt, int ms)
{
	return vt_pump_some(vt, ms, SIZE_MAX);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void vt_settle(struct vt *vt, int quiet, int limit)
{
	long end = now_ms() + limit;

	while (now_ms() < end && vt_pump(vt, quiet))
		;
}

int vt_wait(struct vt *vt, int limit)
{
	long end = now_ms() + limit;

	job_update(&vt->job);
	while (vt->job.pid && now_ms() < end) {
		vt_pump(vt, 10);
		job_update(&vt->job);
	}
	vt_settle(vt, 20, 1000);
	return vt->job.status;
}

bool vt_has_ended(struct vt *vt)
{
	job_update(&vt->job);
	return vt->job.pid == 0;
}

bool vt_wait_stopped(struct vt *vt, int limit)
{
	long end = now_ms() + limit;

	while (vt->job.pid && !vt->job.stopped && now_ms() < end) {
		vt_pump(vt, 10);
		job_update(&vt->job);
	}
	vt_settle(vt, 20, 1000);
	return vt->job.stopped;
}

void vt_continue(struct vt *vt)
{
	job_continue(&vt->job);
}

const char *vt_feed(struct vt *vt, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	char bytes[8192];
	ssize_t size;

	if (file < 0)
		return strerror(errno);
	while ((size = read(file, bytes, sizeof(bytes))) > 0)
		if (write(vt->feed, bytes, (size_t)size) != size)
			break;
	close(file);
	close(vt->feed);
	vt->feed = -1;
	return NULL;
}

void vt_hang_up(struct vt *vt)
{
	if (vt->master >= 0)
		close(vt->master);
	vt->master = -1;
}

pid_t vt_pid(const struct vt *vt)
{
	return vt->job.pid;
}

const char *vt_tail(const struct vt *vt)
{
	return vt->tail;
}

size_t vt_written(const struct vt *vt)
{
	return vt->written;
}

int vt_columns(const struct vt *vt)
{
	return vt->columns;
}

int vt_rows(const struct vt *vt)
{
	return vt->rows;
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 63));
		out[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 63));
	out[2] = (char)(0x80 | (c >> 6 & 63));
	out[3] = (char)(0x80 | (c & 63));
	return 4;
}

const char *vt_row(struct vt *vt, int row)
{
	size_t size = 0;

	for (int column = 0; column < vt->columns && size + 32 < sizeof(vt->text);) {
		VTermPos place = {.row = row, .col = column};
		VTermScreenCell cell = {0};

		vterm_screen_get_cell(vt->screen, place, &cell);
		if (!cell.chars[0] || cell.chars[0] == (uint32_t)-1)
			vt->text[size++] = ' ';
		else
			for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
				size += put_utf8(vt->text + size, cell.chars[i]);
		column += cell.width > 1 ? cell.width : 1;
	}
	while (size && vt->text[size - 1] == ' ')
		size--;
	vt->text[size] = '\0';
	return vt->text;
}

struct vt_look vt_look_at(struct vt *vt, int row, int column)
{
	VTermPos place = {.row = row, .col = column};
	VTermScreenCell cell = {0};

	vterm_screen_get_cell(vt->screen, place, &cell);
	return (struct vt_look){
		.reverse = cell.attrs.reverse,
		.bold = cell.attrs.bold,
		.underline = cell.attrs.underline != 0,
		.coloured = !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ||
			    !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg),
	};
}

bool vt_has_mouse(const struct vt *vt)
{
	return vt->mouse;
}

bool vt_restored(struct vt *vt, const char **what)
{
	struct termios now;

	*what = vt->alternate       ? "the alternate screen is still on"
		: vt->cursor_hidden ? "the cursor is still hidden"
		: vt->mouse         ? "the mouse is still told of"
				    : NULL;
	if (*what)
		return false;
	if (tcgetattr(vt->slave, &now) || now.c_lflag != vt->before.c_lflag ||
	    now.c_iflag != vt->before.c_iflag || now.c_oflag != vt->before.c_oflag) {
		*what = "the line modes differ";
		return false;
	}
	return true;
}
