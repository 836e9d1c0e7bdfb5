/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys as numbers and as names. A key is a character's code (control characters included), or one
 * of the numbers below for keys that have none.
 */
#ifndef TFP_UI_KEYS_H
#define TFP_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TFP_KEY_CONTROL(letter) ((letter)&31)

enum tfp_key {
	TFP_KEY_TAB = 9,
	TFP_KEY_ENTER = 13,
	TFP_KEY_ESCAPE = 27,
	TFP_KEY_BACKSPACE = 127,
	TFP_KEY_UP = 0x110000, /* above all characters */
	TFP_KEY_DOWN,
	TFP_KEY_LEFT,
	TFP_KEY_RIGHT,
	TFP_KEY_PAGE_UP,
	TFP_KEY_PAGE_DOWN,
	TFP_KEY_HOME,
	TFP_KEY_END,
	TFP_KEY_DELETE,
	TFP_KEY_BACK_TAB,
	TFP_KEY_OTHER, /* one that we know no name for */
	TFP_KEY_MOUSE, /* no key: the mouse */
	TFP_KEY_F0,    /* F1 is TFP_KEY_F0 + 1 … */
};

/* Keys from what curses read: a character, or a key code. */
int32_t tfp_keys_of_character(int32_t character);
int32_t tfp_keys_of_code(int32_t code);
/* Key of a NAME of SIZE bytes ("j", "C-n", "PgDn", "F4"); 0 if there is none. */
int32_t tfp_keys_of_name(const char *name, size_t size);
/* Is KEY one of the names in KEYS, which blanks separate? */
bool tfp_keys_include(const char *keys, int32_t key);
/* Name of KEY into BUFFER; returns BUFFER. */
#define TFP_KEY_ROOM 16
char *tfp_keys_name(char buffer[TFP_KEY_ROOM], int32_t key);
/* The character that KEY types, as UTF-8 in TEXT; its bytes, 0 if it types none. */
size_t tfp_keys_text(int32_t key, char text[5]);

#endif
