/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Menus in the key line. Arrows still move what is behind them.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ui/action/actions.h"
#include "ui/action/keys.h"

#define OTHERS "others"

static const struct tfp_menu_item *find(const struct tfp_menu *menu, int32_t letter)
{
	for (size_t i = 0; i < menu->count; i++)
		if (menu->items[i].letter == letter)
			return &menu->items[i];
	return NULL;
}

/* What closes other things closes menus. */
static bool leaves(const struct tfp_screen *screen, int32_t key)
{
	const struct tfp_action *action = tfp_keymap_action(&screen->keymap, key, false);

	return key == TFP_KEY_ESCAPE || key == TFP_KEY_CONTROL('c') ||
	       (action && action->run == tfp_act_close);
}

/* Is KEY for what the menu has no room for? Types the beginning of that command. */
static bool types(struct tfp_screen *screen, int32_t key)
{
	const struct tfp_action *action = tfp_keymap_action(&screen->keymap, key, false);
	char text[sizeof(screen->menu.command) + 1];

	if (!*screen->menu.command || !action || action->run != tfp_act_command)
		return false;
	snprintf(text, sizeof(text), "%s ", screen->menu.command);
	tfp_command_open(screen, text);
	return true;
}

static bool menu_key(struct tfp_screen *screen, int32_t key)
{
	const struct tfp_menu_item *item = find(&screen->menu, key);
	bool first = (key == TFP_KEY_ENTER || key == screen->menu.alias) && screen->menu.count;
	char name[TFP_KEY_ROOM];

	if (key >= TFP_KEY_UP)
		return false;
	screen->mode = NULL;
	if (first && !item)
		item = &screen->menu.items[0];
	if (item)
		screen->menu.choose(screen, item->value);
	else if (!types(screen, key) && !leaves(screen, key))
		tfp_screen_say(screen, "%s is not in the menu %s", tfp_keys_name(name, key),
			       screen->menu.title);
	return true;
}

static void draw_title(const struct tfp_menu *menu, struct tfp_pen *pen)
{
	tfp_pen_printf(pen, TFP_INK_KEY_TEXT, " %s: ", menu->title);
}

static int title_cells(const struct tfp_menu *menu)
{
	return (int)strlen(menu->title) + 3;
}

/* The first item from FIRST on that finds no place in ROOM cells. */
static size_t end_of(const struct tfp_menu *menu, size_t first, int room)
{
	for (; first < menu->count; first++) {
		const char *label = menu->items[first].label;

		room -= (int)tfp_text_cells(label, strlen(label)) + 4;
		if (room < -1) /* the last needs no blank behind it */
			break;
	}
	return first;
}

static void draw_items(const struct tfp_menu *menu, struct tfp_pen *pen, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const char letter[] = {menu->items[i].letter, '\0'};

		tfp_pen_hint(pen, letter, menu->items[i].label, pen->end);
	}
}

/* How many items stand in the line above: none if all fit into the key line of COLS cells. */
static size_t count_above(const struct tfp_menu *menu)
{
	size_t count = end_of(menu, 0, COLS - title_cells(menu));

	return count < menu->count ? count : 0;
}

static bool menu_above(struct tfp_screen *screen, struct tfp_pen *pen)
{
	screen->menu.above = count_above(&screen->menu);
	if (!screen->menu.above)
		return false;
	draw_title(&screen->menu, pen);
	draw_items(&screen->menu, pen, 0, screen->menu.above);
	return true;
}

/* That there are more: how to type them, else a sign. */
static void draw_others(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	char key[TFP_KEY_ROOM];

	if (*screen->menu.command && *tfp_keymap_now(&screen->keymap, ":", key, sizeof(key)))
		tfp_pen_hint(pen, key, OTHERS, pen->end);
	else
		tfp_pen_text(pen, TFP_INK_KEY_TEXT, tfp_symbol(pen, TFP_SYMBOL_GAP));
}

/* Letters that have no room work all the same. */
static void menu_line(struct tfp_screen *screen, struct tfp_pen *pen)
{
	const struct tfp_menu *menu = &screen->menu;
	int others = *menu->command ? (int)strlen(OTHERS) + 5 : 2;
	size_t end;

	/* in a window that holds no item besides it the title goes */
	if (!menu->above && end_of(menu, 0, pen->end - pen->x - title_cells(menu) - others))
		draw_title(menu, pen);
	end = end_of(menu, menu->above, pen->end - pen->x);
	if (end == menu->count && !menu->cut) {
		draw_items(menu, pen, menu->above, end);
		return;
	}
	draw_items(menu, pen, menu->above, end_of(menu, menu->above, pen->end - pen->x - others));
	draw_others(screen, pen);
}

static const struct tfp_mode menu_mode = {menu_key, menu_line, menu_above};

void tfp_menu_begin(struct tfp_screen *screen, const char *title,
		    void (*choose)(struct tfp_screen *screen, int64_t value))
{
	screen->menu.count = screen->menu.above = 0;
	screen->menu.cut = false;
	screen->menu.alias = '\0';
	*screen->menu.command = '\0';
	screen->menu.choose = choose;
	screen->menu.renew = NULL;
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

void tfp_menu_alias(struct tfp_screen *screen, char letter)
{
	screen->menu.alias = letter;
}

void tfp_menu_add(struct tfp_screen *screen, char letter, const char *label, int64_t value)
{
	struct tfp_menu *menu = &screen->menu;
	struct tfp_menu_item *item = &menu->items[menu->count];

	if (menu->count == TFP_MENU_ROOM) {
		menu->cut = true;
		return;
	}
	item->letter = letter && !find(menu, letter) ? letter : free_letter(menu, label);
	item->value = value;
	snprintf(item->label, sizeof(item->label), "%s", label);
	menu->count++;
}

void tfp_menu_take_others(struct tfp_screen *screen, const char *command)
{
	snprintf(screen->menu.command, sizeof(screen->menu.command), "%s", command);
}

void tfp_menu_open(struct tfp_screen *screen)
{
	screen->mode = &menu_mode;
}

void tfp_menu_renew_by(struct tfp_screen *screen,
		       void (*renew)(struct tfp_screen *screen, int unused))
{
	screen->menu.renew = renew;
}

void tfp_menu_renew(struct tfp_screen *screen)
{
	if (screen->mode == &menu_mode && screen->menu.renew)
		screen->menu.renew(screen, 0);
}

void tfp_menu_refuse(struct tfp_screen *screen, const char *letters)
{
	snprintf(screen->menu.refused, sizeof(screen->menu.refused), "%s", letters);
}

bool tfp_menu_refuses(struct tfp_screen *screen, int32_t key)
{
	bool meant = key > ' ' && key <= 'z' && strchr(screen->menu.refused, (int)key);

	screen->menu.refused[0] = '\0';
	if (meant)
		tfp_screen_say(screen, "%c was for a menu that is not here", (char)key);
	return meant;
}
