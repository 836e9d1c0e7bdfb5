/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mouse: a press goes where it points to, a second one soon after it is Enter, the wheel turns what is
 * under it. Off until the person wants it, because the terminal cannot select text while it is on.
 */
#include "ui/action/actions.h"

#define AGAIN      (400 * INT64_C(1000000)) /* ns to the second press of a double click */
#define MODIFIERS  28                       /* bits for Shift, Alt and Control */
#define WHEEL_UP   64
#define WHEEL_DOWN 65
#define WHEEL_ROWS 3

void tfp_act_mouse(struct tfp_screen *screen, int unused)
{
	bool on = !screen->term.mouse;

	(void)unused;
	if (!tfp_term_mouse(&screen->term, on))
		tfp_screen_fail(screen, "this terminal is not known to have a mouse");
	else if (on)
		tfp_screen_say(screen, "the mouse is on; with Shift most terminals select text");
	else
		tfp_screen_say(screen, "the mouse is off; the terminal selects text by it");
}

/* Is CLICK the second one on its row? A third begins anew. */
static bool is_second(struct tfp_screen *screen, struct tfp_click click)
{
	const struct tfp_click *last = &screen->click;
	bool same =
		last->zone == click.zone && last->side == click.side && last->index == click.index;

	click.time = tfp_screen_now();
	same &= click.time - last->time < AGAIN;
	screen->click = same ? (struct tfp_click){0} : click;
	return same;
}

static void press_tree(struct tfp_screen *screen, struct tfp_area area, int y, int x)
{
	struct tfp_scroll *list = &screen->tree.list;
	struct tfp_tree_spot spot;

	if (screen->page.open || !tfp_treepane_spot(&screen->tree, area, y, x, &spot))
		return;
	screen->focus = TFP_FOCUS_TREE;
	if (spot.header) {
		tfp_sort_by_order(screen, spot.order);
		return;
	}
	list->cursor = spot.index;
	tfp_scroll_settle(list);
	if (spot.sign)
		tfp_treepane_toggle(&screen->tree);
	else if (is_second(screen, (struct tfp_click){.zone = TFP_ZONE_BODY, .index = spot.index}))
		tfp_act_enter(screen, 0);
}

static void press_pane(struct tfp_screen *screen, struct tfp_area area, int y, int x)
{
	size_t side, index;
	bool on_row = tfp_drillpane_spot(&screen->drill, area, y, x, &side, &index);

	if (side >= screen->drill.count)
		return;
	screen->focus = side ? TFP_FOCUS_SECOND : TFP_FOCUS_PANE;
	if (!on_row)
		return;
	screen->drill.scrolls[side].cursor = index;
	tfp_scroll_settle(&screen->drill.scrolls[side]);
	if (is_second(screen,
		      (struct tfp_click){.zone = TFP_ZONE_PANE, .side = side, .index = index}))
		tfp_act_enter(screen, 0);
}

static void press_tabs(struct tfp_screen *screen, struct tfp_area area, int x)
{
	char digit = tfp_querybar_digit(screen, area.cols, x);

	if (digit && !screen->page.open)
		tfp_act_view(screen, digit);
}

/* What the wheel turns at a place; NULL: nothing. */
static struct tfp_scroll *list_at(struct tfp_screen *screen, enum tfp_zone zone,
				  struct tfp_area area, int y, int x)
{
	size_t side, index;

	if (zone == TFP_ZONE_BODY)
		return screen->page.open ? &screen->page.scroll : &screen->tree.list;
	if (zone != TFP_ZONE_PANE || screen->mode)
		return NULL;
	tfp_drillpane_spot(&screen->drill, area, y, x, &side, &index);
	return side < screen->drill.count ? &screen->drill.scrolls[side] : NULL;
}

void tfp_mouse_take(struct tfp_screen *screen)
{
	const struct tfp_mouse_report *at = &screen->term.report;
	int button = at->button & ~MODIFIERS;
	struct tfp_area area;
	enum tfp_zone zone = tfp_screen_zone(screen, at->y, &area);
	struct tfp_scroll *list = list_at(screen, zone, area, at->y, at->x);

	if (button == WHEEL_UP || button == WHEEL_DOWN) {
		if (list)
			tfp_scroll_turn(list, button == WHEEL_DOWN, WHEEL_ROWS);
	} else if (button || screen->mode) {
		return;
	} else if (zone == TFP_ZONE_TABS) {
		press_tabs(screen, area, at->x);
	} else if (zone == TFP_ZONE_BODY) {
		press_tree(screen, area, at->y, at->x);
	} else if (zone == TFP_ZONE_PANE) {
		press_pane(screen, area, at->y, at->x);
	}
}
