/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and numbers of keys.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>

#include "ui/keys.h"

static const struct {
	const char *name;
	int32_t key;
	int code; /* curses', 0 none */
} named[] = {
	{"Up", TFP_KEY_UP, KEY_UP},
	{"Down", TFP_KEY_DOWN, KEY_DOWN},
	{"Left", TFP_KEY_LEFT, KEY_LEFT},
	{"Right", TFP_KEY_RIGHT, KEY_RIGHT},
	{"PgUp", TFP_KEY_PAGE_UP, KEY_PPAGE},
	{"PgDn", TFP_KEY_PAGE_DOWN, KEY_NPAGE},
	{"Home", TFP_KEY_HOME, KEY_HOME},
	{"End", TFP_KEY_END, KEY_END},
	{"Delete", TFP_KEY_DELETE, KEY_DC},
	{"S-Tab", TFP_KEY_BACK_TAB, KEY_BTAB},
	{"Backspace", TFP_KEY_BACKSPACE, KEY_BACKSPACE},
	{"Enter", TFP_KEY_ENTER, KEY_ENTER},
	{"Tab", TFP_KEY_TAB, 0},
	{"Esc", TFP_KEY_ESCAPE, 0},
	{"Space", ' ', 0},
};

#define NAMED (sizeof(named) / sizeof(*named))

int32_t tfp_keys_of_character(int32_t character)
{
	if (character == '\n')
		return TFP_KEY_ENTER;
	return character == '\b' ? TFP_KEY_BACKSPACE : character;
}

int32_t tfp_keys_of_code(int32_t code)
{
	for (size_t i = 0; i < NAMED; i++)
		if (named[i].code == code)
			return named[i].key;
	if (code > KEY_F0 && code <= KEY_F(63))
		return TFP_KEY_F0 + (code - KEY_F0);
	return TFP_KEY_OTHER;
}

int32_t tfp_keys_of_name(const char *name, size_t size)
{
	if (size == 1)
		return (unsigned char)*name;
	if (size == 3 && name[0] == 'C' && name[1] == '-')
		return TFP_KEY_CONTROL(name[2]);
	if (size > 1 && name[0] == 'F' && name[1] >= '1' && name[1] <= '9')
		return TFP_KEY_F0 + (int32_t)strtol(name + 1, NULL, 10);
	for (size_t i = 0; i < NAMED; i++)
		if (strlen(named[i].name) == size && !memcmp(named[i].name, name, size))
			return named[i].key;
	return 0;
}

char *tfp_keys_name(char buffer[TFP_KEY_ROOM], int32_t key)
{
	size_t size;

	for (size_t i = 0; i < NAMED; i++)
		if (named[i].key == key)
			return strcpy(buffer, named[i].name);
	if (key > TFP_KEY_F0) {
		snprintf(buffer, TFP_KEY_ROOM, "F%d", key - TFP_KEY_F0);
	} else if (key > 0 && key < ' ') {
		snprintf(buffer, TFP_KEY_ROOM, "C-%c", key + (key <= 26 ? 'a' - 1 : '@'));
	} else {
		size = tfp_keys_text(key, buffer);
		if (!size)
			strcpy(buffer, "this key");
	}
	return buffer;
}

size_t tfp_keys_text(int32_t key, char text[5])
{
	size_t size = 0;

	if (key >= ' ' && key < 0x7f)
		text[size++] = (char)key;
	else if (key >= 0xa0 && key < 0x800)
		text[size++] = (char)(0xc0 | key >> 6);
	else if (key >= 0x800 && key < 0x10000)
		text[size++] = (char)(0xe0 | key >> 12);
	else if (key >= 0x10000 && key < 0x110000)
		text[size++] = (char)(0xf0 | key >> 18);
	if (key >= 0x10000 && size)
		text[size++] = (char)(0x80 | (key >> 12 & 63));
	if (key >= 0x800 && size)
		text[size++] = (char)(0x80 | (key >> 6 & 63));
	if (key >= 0xa0 && size)
		text[size++] = (char)(0x80 | (key & 63));
	text[size] = '\0';
	return size;
}

bool tfp_keys_include(const char *keys, int32_t key)
{
	while (*keys) {
		size_t size = strcspn(keys, " ");

		if (size && tfp_keys_of_name(keys, size) == key)
			return true;
		keys += size + (keys[size] == ' ');
	}
	return false;
}
