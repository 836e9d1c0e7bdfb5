/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A prompt in the key line: a sign, and a text being typed.
 */
#ifndef TFP_UI_PROMPT_H
#define TFP_UI_PROMPT_H

#include "ui/prompt/edit.h"
#include "ui/ui.h"

struct tfp_screen;

struct tfp_prompt_kind {
	const char *sign;
	enum tfp_past_kind remembers; /* what Up and Down bring back */
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
	size_t at; /* in the kind's past; its count: what is being typed */
	char typed[TFP_EDIT_ROOM];
};

void tfp_prompt_open(struct tfp_screen *screen, const struct tfp_prompt_kind *kind);

#endif
