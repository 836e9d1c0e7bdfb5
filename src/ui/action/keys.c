/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and numbers of keys.
 */
#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "ui/action/keys.h"

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

#define NAMED         (sizeof(named) / sizeof(*named))
#define FUNCTION_KEYS 63

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
	if (code > KEY_F0 && code <= KEY_F(FUNCTION_KEYS))
		return TFP_KEY_F0 + (code - KEY_F0);
	return TFP_KEY_OTHER;
}

/* "é": a single character of more than one byte; 0. */
static int32_t wide_character(const char *name, size_t size)
{
	int32_t lead = (unsigned char)name[0], key;
	char text[5];

	if (size < 2 || size > 4)
		return 0;
	key = lead & (0x7f >> size);
	for (size_t i = 1; i < size; i++)
		key = key << 6 | (name[i] & 0x3f);
	return tfp_keys_text(key, text) == size && !memcmp(text, name, size) ? key : 0;
}

/* "F12": the number; 0. */
static int function_number(const char *name, size_t size)
{
	int number = 0;

	if (size < 2 || size > 3 || name[0] != 'F' || name[1] == '0')
		return 0;
	for (size_t i = 1; i < size; i++) {
		if (name[i] < '0' || name[i] > '9')
			return 0;
		number = number * 10 + (name[i] - '0');
	}
	return number <= FUNCTION_KEYS ? number : 0;
}

int32_t tfp_keys_of_name(const char *name, size_t size)
{
	int function = function_number(name, size);

	if (size == 1)
		return *name > ' ' && *name < 0x7f ? *name : 0;
	if (size == 3 && name[0] == 'C' && name[1] == '-')
		return name[2] >= '@' && name[2] < 0x7f ? TFP_KEY_CONTROL(name[2]) : 0;
	if (function)
		return TFP_KEY_F0 + function;
	for (size_t i = 0; i < NAMED; i++)
		if (strlen(named[i].name) == size && !memcmp(named[i].name, name, size))
			return named[i].key;
	return wide_character(name, size);
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
