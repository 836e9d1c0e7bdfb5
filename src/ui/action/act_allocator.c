/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which allocator the memory view is of: the menu of them, and the command that takes a name.
 */
#include "ui/action/actions.h"
#include "ui/pane/curve.h"

static struct tfp_words names_of(const struct tfp_screen *screen)
{
	const struct tfp_curve *curve = tfp_curve_of(screen);

	return curve ? curve->allocators : (struct tfp_words){0};
}

static void run_allocator(struct tfp_screen *screen, const char *name)
{
	const char *missing = tfp_querybar_missing(screen, '8');
	struct tfp_diag *diag;

	if (!screen->loaded)
		return;
	if (missing) {
		tfp_screen_fail(screen, "%s", missing);
		return;
	}
	diag = tfp_diag_new();
	tfp_query_set(&screen->query, "allocator", name, diag);
	tfp_diag_free(diag);
	tfp_screen_ask_tree(screen);
}

static void choose_allocator(struct tfp_screen *screen, int64_t index)
{
	struct tfp_words names = names_of(screen);

	if ((size_t)index < names.count)
		run_allocator(screen, names.at[index]);
}

void tfp_act_allocator_menu(struct tfp_screen *screen, int unused)
{
	struct tfp_words names = names_of(screen);

	(void)unused;
	if (!tfp_curve_of(screen)) {
		tfp_screen_say(screen, "this chooses whose memory the memory view is of: 8");
		return;
	}
	if (names.count < 2) {
		tfp_screen_say(screen, "the files have allocations of one allocator alone");
		return;
	}
	tfp_menu_begin(screen, "memory of", choose_allocator);
	tfp_menu_take_others(screen, "allocator");
	for (size_t i = 0; i < names.count; i++)
		tfp_menu_add(screen, i < 10 ? (char)('0' + i) : 0, names.at[i], (int64_t)i);
	tfp_menu_open(screen);
	tfp_menu_renew_by(screen, tfp_act_allocator_menu);
}

static struct tfp_words valid_names(struct tfp_screen *screen, const char *text,
				    struct tfp_arena *arena)
{
	(void)text;
	(void)arena;
	return names_of(screen);
}

const struct tfp_argument tfp_takes_allocator = {"NAME", valid_names, run_allocator};
