/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prompts. Up and down bring back what was entered before, the page keys move what is behind them.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/action/keys.h"
#include "ui/screen.h"

/* ---- what was entered before ---- */

static void remember(struct tfp_screen *screen)
{
	struct tfp_ui_past *past = screen->config->past;
	const char *text = screen->prompt.edit.text;
	enum tfp_past_kind kind = screen->prompt.kind->remembers;
	size_t count = past->of[kind].count;

	if (*text && (!count || strcmp(past->of[kind].at[count - 1], text) != 0))
		*tfp_array_push(&past->of[kind]) = tfp_strdup(text);
}

static void recall(struct tfp_screen *screen, bool older)
{
	struct tfp_prompt *prompt = &screen->prompt;
	const struct tfp_ui_past *past = screen->config->past;
	enum tfp_past_kind kind = prompt->kind->remembers;
	size_t count = past->of[kind].count;

	if (older ? !prompt->at : prompt->at == count)
		return;
	if (prompt->at == count)
		strcpy(prompt->typed, prompt->edit.text);
	prompt->at += older ? -(size_t)1 : 1;
	tfp_edit_set(&prompt->edit,
		     prompt->at == count ? prompt->typed : past->of[kind].at[prompt->at]);
}

void tfp_ui_past_free(struct tfp_ui_past *past)
{
	for (int kind = 0; kind < TFP_PAST_KINDS; kind++) {
		for (size_t i = 0; i < past->of[kind].count; i++)
			free(past->of[kind].at[i]);
		tfp_array_free(&past->of[kind]);
	}
}

/* ---- keys ---- */

static void finish(struct tfp_screen *screen, bool entered)
{
	struct tfp_prompt *prompt = &screen->prompt;

	screen->mode = NULL;
	remember(screen);
	if (entered)
		prompt->kind->entered(screen, prompt->edit.text);
	else if (prompt->kind->dropped)
		prompt->kind->dropped(screen);
}

static void tell(struct tfp_screen *screen)
{
	if (screen->prompt.kind->changed)
		screen->prompt.kind->changed(screen, screen->prompt.edit.text);
}

static bool prompt_key(struct tfp_screen *screen, int32_t key)
{
	struct tfp_prompt *prompt = &screen->prompt;
	struct tfp_edit *edit = &prompt->edit;
	bool older = key == TFP_KEY_UP || key == TFP_KEY_CONTROL('p');
	enum tfp_edit_result result;

	if (key == TFP_KEY_ENTER || key == TFP_KEY_ESCAPE || key == TFP_KEY_CONTROL('c') ||
	    (key == TFP_KEY_BACKSPACE && !edit->size)) {
		finish(screen, key == TFP_KEY_ENTER);
		return true;
	}
	if (key == TFP_KEY_TAB && prompt->kind->complete) {
		prompt->kind->complete(screen, edit);
		return true;
	}
	if (older || key == TFP_KEY_DOWN || key == TFP_KEY_CONTROL('n')) {
		recall(screen, older);
		tell(screen);
		return true;
	}
	result = tfp_edit_key(edit, key);
	if (result == TFP_EDIT_CHANGED)
		tell(screen);
	return result != TFP_EDIT_IGNORED || key < TFP_KEY_UP;
}

static void prompt_line(struct tfp_screen *screen, struct tfp_pen *pen)
{
	int end = pen->end;

	/* What is asked for is shortened, so that what is typed is to be seen. */
	pen->end -= (pen->end - pen->x) / 3;
	tfp_pen_raw(pen, TFP_INK_KEY, tfp_span_of(screen->prompt.sign));
	pen->end = end;
	screen->cursor_y = pen->y;
	screen->cursor_x = tfp_edit_draw(&screen->prompt.edit, pen, TFP_INK_PLAIN);
}

static const struct tfp_mode prompt_mode = {prompt_key, prompt_line, NULL};

void tfp_prompt_open(struct tfp_screen *screen, const struct tfp_prompt_kind *kind)
{
	screen->prompt.kind = kind;
	snprintf(screen->prompt.sign, sizeof(screen->prompt.sign), "%s", kind->sign);
	screen->prompt.at = screen->config->past->of[kind->remembers].count;
	tfp_edit_set(&screen->prompt.edit, "");
	screen->mode = &prompt_mode;
}
