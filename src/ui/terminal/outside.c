/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world outside the screen: the editor, and the terminal's clipboard.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/screen.h"

/* What terminals take at most, and then some. */
#define CLIP_ROOM 65536

static const char *editor_command(const struct tfp_screen *screen)
{
	const char *names[] = {"VISUAL", "EDITOR"};

	if (screen->config->editor)
		return screen->config->editor;
	for (size_t i = 0; i < 2; i++) {
		const char *command = getenv(names[i]);

		if (command && *command)
			return command;
	}
	return "vi";
}

/*
 * Runs the editor's command, which may have words of its own, on FILE. Returns its status, -1:
 * none. A profile may name any file: it must not be taken for an option.
 */
static int run_editor(const char *command, const char *file, int32_t line)
{
	struct tfp_arena arena = {0};
	char *script = tfp_arena_printf(&arena, "exec %s \"$@\"", command);
	char *place = tfp_arena_printf(&arena, "+%d", line > 0 ? line : 1);
	char name[] = "sh", option[] = "-c",
	     *path = tfp_arena_printf(&arena, "%s%s", *file == '/' ? "" : "./", file);
	char *words[] = {name, option, script, name, place, path, NULL};
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		execv("/bin/sh", words);
		_Exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	tfp_arena_free(&arena);
	return child < 0 || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

/* What to do is said first: a path may be long. */
static void say_no_file(struct tfp_screen *screen, const char *file, int error)
{
	const char *why = screen->config->no_sources;

	if (!why)
		why = error ? strerror(error) : "it is not a regular file";
	tfp_screen_fail(screen, "%s; :source-root DIR names a folder that has them: %s", why, file);
}

void tfp_screen_edit(struct tfp_screen *screen, const char *file, int32_t line)
{
	struct tfp_arena arena = {0};
	const char *command = editor_command(screen);
	const char *path = tfp_sources_find(&screen->sources, &arena, file);
	int status;

	if (path) {
		tfp_term_leave(&screen->term);
		status = run_editor(command, path, line);
		tfp_term_enter(&screen->term);
		screen->dirty = true;
		if (status == 127 || status < 0)
			tfp_screen_fail(screen, "the editor (%s) could not be started", command);
		else
			tfp_screen_say(screen, "%s:%d", path, line);
	} else if (!tfp_sources_has_file(file)) {
		tfp_screen_say(screen, TFP_BUILT_IN);
	} else {
		say_no_file(screen, file, access(file, R_OK) ? errno : 0);
	}
	tfp_arena_free(&arena);
}

static size_t to_base64(struct tfp_span bytes, char *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t used = 0;

	for (size_t i = 0; i < bytes.size; i += 3) {
		size_t left = bytes.size - i;
		uint32_t three = (uint32_t)(unsigned char)bytes.at[i] << 16;

		if (left > 1)
			three |= (uint32_t)(unsigned char)bytes.at[i + 1] << 8;
		if (left > 2)
			three |= (unsigned char)bytes.at[i + 2];
		out[used++] = digits[three >> 18];
		out[used++] = digits[three >> 12 & 63];
		out[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
		out[used++] = left > 2 ? digits[three & 63] : '=';
	}
	return used;
}

void tfp_screen_copy(struct tfp_screen *screen, struct tfp_span text)
{
	static const char start[] = "\033]52;c;", end[] = "\a";
	size_t size = text.size < CLIP_ROOM ? text.size : CLIP_ROOM, used = sizeof(start) - 1;
	char *bytes = tfp_alloc(size / 3 * 4 + 16);

	memcpy(bytes, start, used);
	used += to_base64((struct tfp_span){text.at, size}, bytes + used);
	memcpy(bytes + used, end, sizeof(end) - 1);
	tfp_term_write(&screen->term, bytes, used + sizeof(end) - 1);
	free(bytes);
	tfp_screen_say(screen, "copied: %.*s", size < 200 ? (int)size : 200, text.at);
}
