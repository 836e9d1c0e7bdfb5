/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Menus: letters in the key line, one of which is then typed.
 */
#ifndef TFP_UI_MENU_H
#define TFP_UI_MENU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tfp_screen;

#define TFP_MENU_ROOM 40

struct tfp_menu_item {
	char letter;
	char label[32];
	int64_t value;
};

struct tfp_menu {
	char refused[TFP_MENU_ROOM]; /* the letters of a menu that did not open */
	char title[32];
	struct tfp_menu_item items[TFP_MENU_ROOM];
	size_t count;
	size_t above;     /* of them stand in the line above the key line */
	char command[16]; /* that takes others as well; "": there are none */
	bool cut;         /* there are others */
	char alias;       /* a letter that is not shown, for the first item */
	void (*choose)(struct tfp_screen *screen, int64_t value);
	void (*renew)(struct tfp_screen *screen,
		      int unused); /* opens it again; NULL: it is not of the files */
};

/* Begins a menu; items follow, then tfp_menu_open. */
void tfp_menu_begin(struct tfp_screen *screen, const char *title,
		    void (*choose)(struct tfp_screen *screen, int64_t value));
/* LETTER 0: the first letter of LABEL that is free. Enter chooses what is added first. */
void tfp_menu_add(struct tfp_screen *screen, char letter, const char *label, int64_t value);
/* LETTER, where no item has it, is one for what is added first: what that is called in other files. */
void tfp_menu_alias(struct tfp_screen *screen, char letter);
/* What has no room in the menu is typed behind COMMAND, which the key for commands begins. */
void tfp_menu_take_others(struct tfp_screen *screen, const char *command);
void tfp_menu_open(struct tfp_screen *screen);
/* What the open menu offers may be more now: it opens again by RENEW, which is given once it is open. */
void tfp_menu_renew_by(struct tfp_screen *screen,
		       void (*renew)(struct tfp_screen *screen, int unused));
void tfp_menu_renew(struct tfp_screen *screen);
/* In place of opening it: one of its LETTERS as the next key is for it, as whoever types blindly means that. */
void tfp_menu_refuse(struct tfp_screen *screen, const char *letters);
/* Was KEY for such a menu? Says so. */
bool tfp_menu_refuses(struct tfp_screen *screen, int32_t key);

#endif
