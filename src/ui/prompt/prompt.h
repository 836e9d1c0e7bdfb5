/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A prompt in the key line: a sign, and a text being typed.
 */
#ifndef TFP_UI_PROMPT_H
#define TFP_UI_PROMPT_H

#include "ui/prompt/edit.h"

struct tfp_screen;

/* What was entered before and Up and Down bring back: each kind of text by itself. */
enum tfp_past_kind { TFP_PAST_COMMANDS, TFP_PAST_SEARCHES, TFP_PAST_FILES, TFP_PAST_KINDS };

struct tfp_prompt_kind {
	const char *sign;
	enum tfp_past_kind remembers;
	void (*changed)(struct tfp_screen *screen, const char *text); /* may be NULL */
	void (*entered)(struct tfp_screen *screen, const char *text);
	void (*dropped)(struct tfp_screen *screen); /* may be NULL */
	/* Lengthens the text as far as it is clear how; may be NULL. */
	void (*complete)(struct tfp_screen *screen, struct tfp_edit *edit);
};

struct tfp_prompt {
	const struct tfp_prompt_kind *kind;
	char sign[80]; /* the kind's, until somebody changes it */
	struct tfp_edit edit;
	TFP_ARRAY(char *) past[TFP_PAST_KINDS]; /* what was entered, oldest first */
	size_t at; /* in the kind's past; its count: what is being typed */
	char typed[TFP_EDIT_ROOM];
};

void tfp_prompt_open(struct tfp_screen *screen, const struct tfp_prompt_kind *kind);

void tfp_prompt_free(struct tfp_prompt *prompt);

#endif
