/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one key script: the real program in a pseudo-terminal, keys in, screen out. Prints TAP; every line that
 * expects something is one test. CONTRIBUTING.md lists the words of a script.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keys.h"
#include "script.h"

void script_result(struct script *script, bool good, const char *format, ...)
{
	va_list arguments;

	script->tests++;
	script->failed += !good;
	printf("%sok %d - line %d: ", good ? "" : "not ", script->tests, script->line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	if (!good && script->vt)
		for (int row = 0; row < vt_rows(script->vt); row++)
			printf("# |%s\n", vt_row(script->vt, row));
	fflush(stdout);
}

/* ---- keys --------------------------------------------------------------------------------------- */

static void send_named(struct script *script, const char *name)
{
	char control;
	const char *bytes = keys_find(name, &control);

	if (!bytes)
		script_result(script, false, "no key is called <%s>", name);
	else
		vt_send(script->vt, bytes, bytes == &control ? 1 : strlen(bytes));
}

/* `3 t <Down>*5 <Enter>`: words are typed as they are, <Name> is one key, *N repeats a named key. */
static void send_keys(struct script *script, char *text)
{
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		char *close = word[0] == '<' ? strchr(word, '>') : NULL;
		int times = 1;

		if (!close) {
			vt_send(script->vt, word, strlen(word));
			continue;
		}
		if (close[1] == '*')
			times = atoi(close + 2);
		*close = '\0';
		while (times--)
			send_named(script, word + 1);
	}
}

/* ---- what is on the screen ------------------------------------------------------------------------- */

static int find_row(struct script *script, const char *text)
{
	for (int row = 0; row < vt_rows(script->vt); row++)
		if (strstr(vt_row(script->vt, row), text))
			return row;
	return -1;
}

/* Whether the screen comes to hold TEXT, or not to hold it, within MS. */
static bool becomes(struct script *script, const char *text, bool wanted, int ms)
{
	for (; (find_row(script, text) >= 0) != wanted && ms > 0; ms -= 50)
		vt_pump(script->vt, 50);
	return (find_row(script, text) >= 0) == wanted;
}

static void do_wait(struct script *script, char *text)
{
	becomes(script, text, true, LIMIT_MS);
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
	script_result(script, find_row(script, text) >= 0, "wait for '%s'", text);
}

static bool all_ascii(struct script *script)
{
	for (int row = 0; row < vt_rows(script->vt); row++)
		for (const char *at = vt_row(script->vt, row); *at; at++)
			if (*at & 0x80)
				return false;
	return true;
}

/* Byte offset to column: counts characters, which is enough where all are one cell wide. */
static int column_of(const char *row, const char *at)
{
	int column = 0;

	for (; row < at; row++)
		column += (*row & 0xc0) != 0x80;
	return column;
}

static bool has_look(struct vt_look look, const char *name)
{
	const struct {
		const char *name;
		bool has;
	} looks[] = {{"reverse", look.reverse},     {"bold", look.bold},
		     {"underline", look.underline}, {"coloured", look.coloured},
		     {"plain", !look.coloured},     {"upright", !look.reverse}};

	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (!strcmp(name, looks[i].name))
			return looks[i].has;
	return false;
}

static void do_look(struct script *script, char *arguments)
{
	char *name = strtok(arguments, " "), *text = strtok(NULL, "");
	bool good = false;

	if (name && text && becomes(script, text, true, HOLD_MS)) {
		int row = find_row(script, text);
		const char *line = vt_row(script->vt, row);

		good = has_look(vt_look_at(script->vt, row, column_of(line, strstr(line, text))),
				name);
	}
	script_result(script, good, "'%s' is drawn %s", text ? text : "", name ? name : "");
}

/* ---- the clipboard ---------------------------------------------------------------------------------- */

static void from_base64(const char *from, char *to, size_t room)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0;
	const char *digit;
	int count = 0;

	for (; *from && (digit = strchr(digits, *from)) && room > 1; from++) {
		bits = bits << 6 | (uint32_t)(digit - digits);
		count += 6;
		if (count >= 8) {
			count -= 8;
			*to++ = (char)(bits >> count);
			room--;
		}
	}
	*to = '\0';
}

/* ---- the words of a script ------------------------------------------------------------------------------ */

static void do_run(struct script *script, char *arguments)
{
	static char program[4096];
	char *argv[MAX_WORDS] = {program}, *word;
	int count = 1;
	const char *data = getenv("TESTS_DIR");

	snprintf(program, sizeof(program), "%s", getenv("TFPROF") ? getenv("TFPROF") : "./tfprof");
	if (data && chdir(data))
		script_result(script, false, "%s: %s", data, strerror(errno));
	for (word = strtok(arguments, " "); word && count < MAX_WORDS - 1; word = strtok(NULL, " "))
		argv[count++] = word;
	vt_free(script->vt);
	keys_start(script->options.term);
	if (*script->scratch.path && chdir(script->scratch.path))
		script_result(script, false, "%s: %s", script->scratch.path, strerror(errno));
	script->vt = vt_start(argv, &script->options);
	if (data && chdir(data))
		script_result(script, false, "%s: %s", data, strerror(errno));
	script->written = 0;
	if (!script->vt)
		script_result(script, false, "the program could not be started: %s",
			      strerror(errno));
}

static void do_size(struct script *script, char *arguments)
{
	sscanf(arguments, "%dx%d", &script->options.columns, &script->options.rows);
}

static void do_term(struct script *script, char *arguments)
{
	snprintf(script->term, sizeof(script->term), "%s", arguments);
}

static void do_locale(struct script *script, char *arguments)
{
	snprintf(script->locale, sizeof(script->locale), "%s", arguments);
}

/* From here on programs start in an empty folder of the script's own. */
static void do_scratch(struct script *script, char *arguments)
{
	(void)arguments;
	if (!scratch_make(&script->scratch))
		script_result(script, false, "no folder could be made: %s", strerror(errno));
}

/* `copy FILE NAME DATE`: a file of the folder tests goes into the script's own. */
static void do_copy(struct script *script, char *arguments)
{
	const char *from = strtok(arguments, " "), *name = strtok(NULL, " ");
	const char *date = strtok(NULL, " "), *data = getenv("TESTS_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", data ? data : ".", from ? from : "");
	if (!date || !scratch_copy(&script->scratch, path, name, date))
		script_result(script, false, "%s could not be copied: %s", path, strerror(errno));
}

/* A large trace in the script's folder: its name, and how many bytes its last event has. */
static void do_trace(struct script *script, char *arguments)
{
	const char *name = strtok(arguments, " "), *bytes = strtok(NULL, " ");
	const char *step = bytes ? strtok(NULL, " ") : NULL;

	if (!bytes || !scratch_trace(&script->scratch, name, atol(bytes), step))
		script_result(script, false, "no trace: %s", strerror(errno));
}

/* `cut NAME BYTES`: a file of the script's folder ends there from here on. */
static void do_cut(struct script *script, char *arguments)
{
	const char *name = strtok(arguments, " "), *bytes = strtok(NULL, " ");
	char path[8192];

	snprintf(path, sizeof(path), "%s/%s", script->scratch.path, name ? name : "");
	if (!bytes || truncate(path, atol(bytes)))
		script_result(script, false, "%s could not be cut: %s", path, strerror(errno));
}

/* `away NAME`: that of the script's folder is not there any more. */
static void do_away(struct script *script, char *arguments)
{
	char path[8192], gone[8200];

	snprintf(path, sizeof(path), "%s/%s", script->scratch.path, arguments);
	snprintf(gone, sizeof(gone), "%s.gone", path);
	if (rename(path, gone))
		script_result(script, false, "%s is there: %s", path, strerror(errno));
}

/* Without arguments the environment is as it was at first. A % is the script's own folder. */
static void do_env(struct script *script, char *arguments)
{
	int count = *arguments ? script->extra_count : 0;

	if (*arguments && count < MAX_ENV) {
		int before = (int)strcspn(arguments, "%");
		bool own = arguments[before] == '%';

		snprintf(script->extra_text[count], sizeof(script->extra_text[count]),
			 "%.*s%.200s%.200s", before < 200 ? before : 200, arguments,
			 own ? script->scratch.path : "", arguments + before + own);
		script->extra[count] = script->extra_text[count];
		count++;
	}
	script->extra[count] = NULL;
	script->extra_count = count;
}

static void do_keys(struct script *script, char *arguments)
{
	script->written = vt_written(script->vt);
	send_keys(script, arguments);
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
}

static void do_type(struct script *script, char *arguments)
{
	script->written = vt_written(script->vt);
	vt_send(script->vt, arguments, strlen(arguments));
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
}

static void do_expect(struct script *script, char *arguments)
{
	script_result(script, becomes(script, arguments, true, HOLD_MS), "expect '%s'", arguments);
}

static void do_reject(struct script *script, char *arguments)
{
	script_result(script, becomes(script, arguments, false, HOLD_MS), "reject '%s'", arguments);
}

static void do_row(struct script *script, char *arguments)
{
	char *text;
	int row = (int)strtol(arguments, &text, 10);

	text += *text == ' ';
	if (row < 0)
		row += vt_rows(script->vt);
	for (int ms = 0; !strstr(vt_row(script->vt, row), text) && ms < HOLD_MS; ms += 50)
		vt_pump(script->vt, 50);
	script_result(script, strstr(vt_row(script->vt, row), text) != NULL, "row %d holds '%s'",
		      row, text);
}

static void do_bytes(struct script *script, char *arguments)
{
	size_t limit = (size_t)atol(arguments), bytes = vt_written(script->vt) - script->written;

	script_result(script, bytes <= limit, "%zu bytes written, at most %zu", bytes, limit);
}

static void do_ascii(struct script *script, char *arguments)
{
	(void)arguments;
	script_result(script, all_ascii(script), "every character is ASCII");
}

static void do_resize(struct script *script, char *arguments)
{
	int columns = 80, rows = 24;

	sscanf(arguments, "%dx%d", &columns, &rows);
	vt_resize(script->vt, columns, rows);
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
}

static void do_signal(struct script *script, char *arguments)
{
	static const struct {
		const char *name;
		int number;
	} names[] = {{"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},   {"QUIT", SIGQUIT},
		     {"SEGV", SIGSEGV}, {"ABRT", SIGABRT}, {"TSTP", SIGTSTP}, {"CONT", SIGCONT},
		     {"PIPE", SIGPIPE}, {"BUS", SIGBUS}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(arguments, names[i].name))
			vt_signal(script->vt, names[i].number);
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
}

/* What the shell does when the program is suspended, and what `fg` does. */
static void do_stopped(struct script *script, char *arguments)
{
	(void)arguments;
	script_result(script, vt_wait_stopped(script->vt, HOLD_MS), "is suspended");
}

static void do_continue(struct script *script, char *arguments)
{
	(void)arguments;
	script->written = vt_written(script->vt);
	vt_continue(script->vt);
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
}

/* From the next run on, standard input is a pipe. */
static void do_pipe(struct script *script, char *arguments)
{
	(void)arguments;
	script->options.piped = true;
}

static void do_feed(struct script *script, char *path)
{
	const char *error = vt_feed(script->vt, path);

	if (error)
		script_result(script, false, "%s: %s", path, error);
	vt_settle(script->vt, QUIET_MS, LIMIT_MS);
}

static void do_hangup(struct script *script, char *arguments)
{
	(void)arguments;
	vt_hang_up(script->vt);
}

/* The text that was given last to the clipboard of the terminal. */
static void do_copied(struct script *script, char *arguments)
{
	static const char start[] = "\033]52;c;";
	const char *at = vt_tail(script->vt), *found = NULL;
	char text[4096] = "";

	while ((at = strstr(at, start)))
		found = at += sizeof(start) - 1;
	if (found)
		from_base64(found, text, sizeof(text));
	script_result(script, found && !strcmp(text, arguments), "copied '%s', expected '%s'", text,
		      arguments);
}

/* For tests/screen/actions.c: the action that the keys before are a test of. */
static void do_covers(struct script *script, char *arguments)
{
	(void)script;
	(void)arguments;
}

static void do_idle(struct script *script, char *arguments)
{
	size_t before = vt_written(script->vt);

	vt_settle(script->vt, atoi(arguments), atoi(arguments) + 10);
	script_result(script, vt_written(script->vt) == before, "writes nothing for %s ms",
		      arguments);
}

static void do_exit(struct script *script, char *arguments)
{
	int status = vt_wait(script->vt, LIMIT_MS);

	script_result(script, status == atoi(arguments), "ends with %d, expected %s", status,
		      arguments);
}

static void do_restored(struct script *script, char *arguments)
{
	const char *what = NULL;
	bool good;

	(void)arguments;
	vt_settle(script->vt, 50, 1000);
	good = vt_restored(script->vt, &what);
	script_result(script, good, "the terminal is given back%s%s", what ? ": " : "",
		      what ? what : "");
}

/* "mouse on": the program has asked to be told of it; the "Mouse-" keys are sent in any case. */
static void do_mouse(struct script *script, char *arguments)
{
	bool on = !strcmp(arguments, "on");

	script_result(script, vt_has_mouse(script->vt) == on, "the mouse is %s", arguments);
}

struct word {
	const char *name;
	void (*run)(struct script *script, char *arguments);
	bool needs_program;
};

static const struct word words[] = {
	{"size", do_size, false},
	{"term", do_term, false},
	{"locale", do_locale, false},
	{"env", do_env, false},
	{"run", do_run, false},
	{"covers", do_covers, false},
	{"wait", do_wait, true},
	{"keys", do_keys, true},
	{"type", do_type, true},
	{"expect", do_expect, true},
	{"reject", do_reject, true},
	{"row", do_row, true},
	{"look", do_look, true},
	{"looks", script_looks, true},
	{"picture", script_picture, true},
	{"copied", do_copied, true},
	{"bytes", do_bytes, true},
	{"ascii", do_ascii, true},
	{"idle", do_idle, true},
	{"resize", do_resize, true},
	{"signal", do_signal, true},
	{"stopped", do_stopped, true},
	{"continue", do_continue, true},
	{"hangup", do_hangup, true},
	{"pipe", do_pipe, false},
	{"feed", do_feed, true},
	{"exit", do_exit, true},
	{"restored", do_restored, true},
	{"mouse", do_mouse, true},
	{"scratch", do_scratch, false},
	{"copy", do_copy, false},
	{"trace", do_trace, false},
	{"cut", do_cut, false},
	{"away", do_away, false},
};

static void run_line(struct script *script, char *line)
{
	char *arguments = strchr(line, ' ');

	if (arguments)
		*arguments++ = '\0';
	else
		arguments = line + strlen(line);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(line, words[i].name))
			continue;
		if (words[i].needs_program && !script->vt)
			script_result(script, false, "'%s' before 'run'", line);
		else
			words[i].run(script, arguments);
		return;
	}
	script_result(script, false, "no word is called '%s'", line);
}

int main(int argc, char **argv)
{
	struct script script = {
		.path = argc > 1 ? argv[1] : "", .term = "xterm-256color", .locale = "C.UTF-8"};
	FILE *file = fopen(script.path, "r");
	char line[4096];

	if (!file) {
		printf("Bail out! %s: %s\n", script.path, strerror(errno));
		return 99;
	}
	script.generate = getenv("GENERATE") != NULL;
	script.options = (struct vt_options){.columns = 80,
					     .rows = 24,
					     .term = script.term,
					     .locale = script.locale,
					     .extra = script.extra};
	signal(SIGPIPE, SIG_IGN);
	while (fgets(line, sizeof(line), file)) {
		script.line++;
		line[strcspn(line, "\n")] = '\0';
		if (line[0] && line[0] != '#')
			run_line(&script, line);
	}
	printf("1..%d\n", script.tests);
	vt_free(script.vt);
	scratch_remove(&script.scratch);
	fclose(file);
	return script.failed != 0;
}
