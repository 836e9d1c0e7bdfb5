/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines from a terminal by libedit: see lineedit.h.
 */
#include "app/shell/lineedit.h"

#include <histedit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/shell/pastlines.h"

struct tfp_lineedit {
	const struct tfp_lineedit_kind *kind;
	EditLine *editor; /* NULL: standard input is no terminal */
	History *history;
	struct tfp_pastlines past;
	char *line; /* without an editor: the last one */
	size_t room;
	bool ended; /* C-c on an empty line */
};

static struct tfp_lineedit *edit_of(EditLine *editor)
{
	void *edit = NULL;

	el_get(editor, EL_CLIENTDATA, &edit);
	return edit;
}

static char *prompt_of(EditLine *editor)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s", edit_of(editor)->kind->prompt);
	return text;
}

/* ---- keys --------------------------------------------------------------------------------------- */

/* Bytes that all WORDS begin with. */
static size_t shared_start(struct tfp_words words)
{
	size_t shared = strlen(words.at[0]);

	for (size_t i = 1; i < words.count; i++)
		for (size_t at = 0; at < shared; at++)
			if (words.at[i][at] != words.at[0][at])
				shared = at;
	return shared;
}

static void show_words(struct tfp_words words)
{
	size_t cells = 0;

	putchar('\n');
	for (size_t i = 0; i < words.count; i++) {
		char text[256];
		size_t size = tfp_text_clean(text, sizeof(text), tfp_span_of(words.at[i]), false);

		if (cells && cells + size + 2 > 78) {
			putchar('\n');
			cells = 0;
		}
		printf("%s  ", text);
		cells += size + 2;
	}
	putchar('\n');
	fflush(stdout);
}

/* TYPED bytes of WORDS stand there: adds what all share, and a blank to what is whole; or shows them. */
static unsigned char lengthen(EditLine *editor, struct tfp_words words, size_t typed,
			      struct tfp_arena *arena)
{
	const char *first = words.count ? words.at[0] : "";
	size_t shared = words.count ? shared_start(words) : 0;
	bool whole = words.count == 1 && shared && !strchr("=:/", first[shared - 1]);
	const char *more = tfp_arena_printf(arena, "%.*s%s", (int)(shared - typed), first + typed,
					    whole ? " " : "");

	if (*more)
		return el_insertstr(editor, more) ? CC_REFRESH_BEEP : CC_REFRESH;
	if (words.count)
		show_words(words);
	return words.count ? CC_REDISPLAY : CC_REFRESH_BEEP;
}

static unsigned char complete(EditLine *editor, int key)
{
	const LineInfo *line = el_line(editor);
	const struct tfp_lineedit *edit = edit_of(editor);
	struct tfp_arena arena = {0};
	struct tfp_words words;
	unsigned char result = CC_REFRESH_BEEP;
	size_t from;
	char *text;

	(void)key;
	text = tfp_arena_text(&arena, line->buffer, (size_t)(line->cursor - line->buffer));
	words = edit->kind->ends(edit->kind->data, text, &from, &arena);
	if (words.count)
		result = lengthen(editor, words, strlen(text) - from, &arena);
	tfp_arena_free(&arena);
	return result;
}

/* C-c drops what was typed, or where nothing was ends the shell: a profile may have taken long to read. */
static unsigned char drop(EditLine *editor, int key)
{
	const LineInfo *line = el_line(editor);
	int size = (int)(line->lastchar - line->buffer);

	(void)key;
	edit_of(editor)->ended = !size;
	if (!size)
		return CC_EOF;
	el_cursor(editor, (int)(line->lastchar - line->cursor));
	el_deletestr(editor, size);
	return CC_REFRESH;
}

static unsigned char suspend(EditLine *editor, int key)
{
	(void)editor;
	(void)key;
	raise(SIGTSTP); /* the terminal is put in order by libedit, before and after */
	return CC_REDISPLAY;
}

/* ---- beginning and end -------------------------------------------------------------------------- */

static void recall(struct tfp_lineedit *edit)
{
	HistEvent event;

	edit->history = history_init();
	if (!edit->history)
		return;
	history(edit->history, &event, H_SETSIZE, TFP_PASTLINES);
	history(edit->history, &event, H_SETUNIQUE, 1);
	for (size_t i = 0; i < edit->past.lines.count; i++)
		history(edit->history, &event, H_ENTER, edit->past.lines.at[i]);
	el_set(edit->editor, EL_HIST, history, edit->history);
}

static void open_terminal(struct tfp_lineedit *edit)
{
	edit->editor = el_init("tfprof", stdin, stdout, stderr);
	if (!edit->editor)
		return;
	el_set(edit->editor, EL_CLIENTDATA, (void *)edit);
	el_set(edit->editor, EL_PROMPT, prompt_of);
	el_set(edit->editor, EL_SIGNAL, 1);
	el_set(edit->editor, EL_EDITOR, "emacs");
	el_set(edit->editor, EL_ADDFN, "tfprof-complete", "completes", complete);
	el_set(edit->editor, EL_BIND, "^I", "tfprof-complete", NULL);
	el_set(edit->editor, EL_ADDFN, "tfprof-drop", "drops the line", drop);
	el_set(edit->editor, EL_ADDFN, "tfprof-suspend", "suspends", suspend);
	el_set(edit->editor, EL_SETTY, "-d", "-isig", NULL); /* C-c and C-z are keys like others */
	el_set(edit->editor, EL_BIND, "^Z", "tfprof-suspend", NULL);
	el_set(edit->editor, EL_BIND, "^C", "tfprof-drop", NULL);
	el_set(edit->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
	tfp_pastlines_read(&edit->past, edit->kind->history);
	recall(edit);
	el_source(edit->editor, NULL);
}

struct tfp_lineedit *tfp_lineedit_new(const struct tfp_lineedit_kind *kind)
{
	struct tfp_lineedit *edit = tfp_alloc_zero(1, sizeof(*edit));

	edit->kind = kind;
	if (isatty(STDIN_FILENO))
		open_terminal(edit);
	return edit;
}

void tfp_lineedit_free(struct tfp_lineedit *edit)
{
	if (edit->history)
		history_end(edit->history);
	if (edit->editor)
		el_end(edit->editor);
	tfp_pastlines_free(&edit->past);
	free(edit->line);
	free(edit);
}

/* ---- lines -------------------------------------------------------------------------------------- */

static void remember(struct tfp_lineedit *edit, const char *line)
{
	HistEvent event;

	if (!line[strspn(line, " ")])
		return;
	if (edit->history)
		history(edit->history, &event, H_ENTER, line);
	tfp_pastlines_add(&edit->past, line, edit->kind->history);
}

static const char *type_line(struct tfp_lineedit *edit)
{
	int size = 0;
	const char *typed = el_gets(edit->editor, &size);

	if (!typed || size <= 0 || edit->ended) {
		putchar('\n');
		return NULL;
	}
	free(edit->line);
	edit->line = tfp_strdup(typed);
	edit->line[strcspn(edit->line, "\n")] = '\0';
	remember(edit, edit->line);
	return edit->line;
}

const char *tfp_lineedit_read(struct tfp_lineedit *edit)
{
	ssize_t size;

	if (edit->editor)
		return type_line(edit);
	size = getline(&edit->line, &edit->room, stdin);
	if (size < 0)
		return NULL;
	if (size && edit->line[size - 1] == '\n')
		edit->line[size - 1] = '\0';
	return edit->line;
}
