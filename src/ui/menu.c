/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Menus in the key line. Arrows still move what is behind them.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ui/keys.h"
#include "ui/screen.h"

static const struct tfp_menu_item *find(const struct tfp_menu *menu, int32_t letter)
{
	for (size_t i = 0; i < menu->count; i++)
		if (menu->items[i].letter == letter)
			return &menu->items[i];
	return NULL;
}

static bool menu_key(struct tfp_screen *screen, int32_t key)
{
	const struct tfp_menu_item *item = find(&screen->menu, key);
	bool first = key == TFP_KEY_ENTER && screen->menu.count;
	char name[TFP_KEY_ROOM];

	if (key >= TFP_KEY_UP)
		return false;
	screen->mode = NULL;
	if (first)
		item = &screen->menu.items[0];
	if (item)
		screen->menu.choose(screen, item->value);
	else if (key != TFP_KEY_ESCAPE && key != TFP_KEY_CONTROL('c') && key != 'q')
		tfp_screen_say(screen, "%s is not in the menu %s", tfp_keys_name(name, key),
			       screen->menu.title);
	return true;
}

static void menu_line(struct tfp_screen *screen, struct tfp_pen *pen)
{
	const struct tfp_menu *menu = &screen->menu;

	tfp_pen_printf(pen, TFP_INK_KEY_TEXT, " %s:", menu->title);
	for (size_t i = 0; i < menu->count; i++) {
		tfp_pen_printf(pen, TFP_INK_KEY, "  %c", menu->items[i].letter);
		tfp_pen_printf(pen, TFP_INK_KEY_TEXT, " %s", menu->items[i].label);
	}
}

static const struct tfp_mode menu_mode = {menu_key, menu_line};

void tfp_menu_begin(struct tfp_screen *screen, const char *title,
		    void (*choose)(struct tfp_screen *screen, int64_t value))
{
	screen->menu.count = 0;
	screen->menu.choose = choose;
	snprintf(screen->menu.title, sizeof(screen->menu.title), "%s", title);
}

/* The first letter of LABEL, else of the alphabet, that no item has yet. q leaves menus. */
static char free_letter(const struct tfp_menu *menu, const char *label)
{
	for (; *label; label++) {
		char letter = (char)tolower((unsigned char)*label);

		if (letter >= 'a' && letter <= 'z' && letter != 'q' && !find(menu, letter))
			return letter;
	}
	for (char letter = 'a'; letter <= 'z'; letter++)
		if (letter != 'q' && !find(menu, letter))
			return letter;
	return '?';
}

void tfp_menu_add(struct tfp_screen *screen, char letter, const char *label, int64_t value)
{
	struct tfp_menu *menu = &screen->menu;
	struct tfp_menu_item *item = &menu->items[menu->count];

	if (menu->count == TFP_MENU_ROOM)
		return;
	item->letter = letter && !find(menu, letter) ? letter : free_letter(menu, label);
	item->value = value;
	snprintf(item->label, sizeof(item->label), "%s", label);
	menu->count++;
}

void tfp_menu_open(struct tfp_screen *screen)
{
	screen->mode = &menu_mode;
}
