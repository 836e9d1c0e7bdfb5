/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The menu of options: what is merged, folded and left out, and how figures are drawn.
 */
#include <stddef.h>
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

/* A switch: where the screen keeps it, and what to say when it is on and off. */
struct option {
	char letter;
	const char *label;
	size_t flag;
	bool asks; /* part of the query */
	const char *on, *off;
	const char *view; /* the only one that it is for; NULL: any */
};

static const struct option options[] = {
	{'m', "gradients", offsetof(struct tfp_screen, query.merge_gradients), true,
	 "gradients count with their forward operation", "gradients stand for themselves", NULL},
	{'n', "numbered", offsetof(struct tfp_screen, query.fold_siblings), true,
	 "ops that differ only in a number are one row", "every numbered op has its own row", NULL},
	{'l', "library", offsetof(struct tfp_screen, query.fold_library), true,
	 "call paths come without the frames of libraries",
	 "call paths have the frames of libraries", NULL},
	{'c', "consumers", offsetof(struct tfp_screen, query.consumers), true,
	 "the graph view has the users of outputs below each node",
	 "the graph view has the inputs below each node", "graph"},
	{'h', "HLO modules", offsetof(struct tfp_screen, query.modules), true,
	 "scopes are HLO modules, where the file has them", "scopes are those of the names",
	 "scope"},
	{'p', "%", offsetof(struct tfp_screen, tree.of_root), false, "shares are of the whole",
	 "shares are of the parent", NULL},
	{'b', "bars", offsetof(struct tfp_screen, tree.no_bars), false, "no bars", "bars", NULL},
	{'u', "units", offsetof(struct tfp_screen, tree.exact), false, "every digit of figures",
	 "figures in short units", NULL},
	{'a', "parents", offsetof(struct tfp_screen, query.context), true,
	 "filtered rows keep the rows above them", "filtered rows come without the rows above them",
	 NULL},
};

static void choose_option(struct tfp_screen *screen, int64_t index)
{
	const struct option *option = &options[index];
	bool *flag = (bool *)((char *)screen + option->flag);

	*flag = !*flag;
	if (option->asks)
		tfp_screen_ask_tree(screen);
	else
		tfp_treepane_columns(&screen->tree, &screen->query);
	tfp_screen_say(screen, "%s", *flag ? option->on : option->off);
}

void tfp_act_option_menu(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (!screen->loaded)
		return;
	tfp_menu_begin(screen, "options", choose_option);
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *view = options[i].view;

		if (view && strcmp(screen->query.view, view) != 0)
			continue;
		if (options[i].asks && tfp_listing_is(screen)) /* which has no ops */
			continue;
		tfp_menu_add(screen, options[i].letter, options[i].label, (int64_t)i);
	}
	tfp_menu_open(screen);
}
