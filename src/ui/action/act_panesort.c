/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting the rows of the pane that has the focus. Each kind of pane keeps its order for all rows of the tree.
 */
#include "ui/action/actions.h"

static const struct tfp_breakdown *focused(const struct tfp_screen *screen)
{
	if (screen->focus == TFP_FOCUS_TREE)
		return NULL;
	return screen->drill.details[screen->focus == TFP_FOCUS_SECOND];
}

/* "TIME": what the figures of the pane are called in the tree. */
static const char *value_title(const struct tfp_screen *screen)
{
	const struct tfp_treepane *tree = &screen->tree;

	for (size_t i = 0; i < tree->column_count; i++)
		if (tree->columns[i].kind == TFP_COLUMN_TOTAL &&
		    tree->columns[i].metric == screen->lens.metric)
			return tree->columns[i].title;
	return "value";
}

static const char *title_of(const struct tfp_screen *screen, enum tfp_breakdown_order order)
{
	static const char *const titles[TFP_BREAKDOWN_ORDERS] = {
		[TFP_BREAKDOWN_AS_MADE] = "as it comes", [TFP_BREAKDOWN_BY_NAME] = "name",
		[TFP_BREAKDOWN_BY_RUNS] = "runs",        [TFP_BREAKDOWN_BY_DIFFERENCE] = "DIFF",
		[TFP_BREAKDOWN_BY_RATIO] = "RATIO",
	};

	return titles[order] ? titles[order] : value_title(screen);
}

static void sort(struct tfp_screen *screen, enum tfp_breakdown_kind kind,
		 enum tfp_breakdown_order order, bool reverse)
{
	screen->drill.orders[kind].by = order;
	screen->drill.orders[kind].reverse = reverse;
	tfp_screen_ask_detail(screen);
	tfp_screen_say(screen, "%s by %s%s", screen->about.breakdowns[kind].name,
		       title_of(screen, order), reverse ? ", the other way round" : "");
}

static void choose(struct tfp_screen *screen, int64_t order)
{
	const struct tfp_breakdown *pane = focused(screen);

	if (pane)
		sort(screen, pane->kind, (enum tfp_breakdown_order)order, false);
}

/* The pane, if its rows can be sorted; what cannot says so. */
static const struct tfp_breakdown *sortable(struct tfp_screen *screen)
{
	const struct tfp_breakdown *pane = focused(screen);

	/* What is in the pane, as marks that are gone may still be shown there. */
	bool marked = pane && pane->kind == TFP_BREAKDOWN_KINDS;

	if (pane && !marked && tfp_breakdown_has_order(pane, TFP_BREAKDOWN_BY_NAME))
		return pane;
	tfp_screen_say(screen, marked ? "marked rows are in the order of the tree"
				      : "what is in this pane has its own order");
	return NULL;
}

bool tfp_pane_sort_menu(struct tfp_screen *screen)
{
	const struct tfp_breakdown *pane;

	if (screen->focus == TFP_FOCUS_TREE)
		return false;
	pane = sortable(screen);
	if (!pane)
		return true;
	tfp_menu_begin(screen, "sort the pane by", choose);
	for (int order = 0; order < TFP_BREAKDOWN_ORDERS; order++)
		if (tfp_breakdown_has_order(pane, (enum tfp_breakdown_order)order))
			tfp_menu_add(screen, 0, title_of(screen, (enum tfp_breakdown_order)order),
				     order);
	tfp_menu_open(screen);
	return true;
}

bool tfp_pane_sort_next(struct tfp_screen *screen, int step)
{
	const struct tfp_breakdown *pane;
	unsigned int order;

	if (screen->focus == TFP_FOCUS_TREE)
		return false;
	pane = sortable(screen);
	if (!pane)
		return true;
	order = screen->drill.orders[pane->kind].by;
	do
		order = (order + TFP_BREAKDOWN_ORDERS + (unsigned int)step) % TFP_BREAKDOWN_ORDERS;
	while (!tfp_breakdown_has_order(pane, order));
	sort(screen, pane->kind, order, false);
	return true;
}

bool tfp_pane_reverse(struct tfp_screen *screen)
{
	const struct tfp_breakdown *pane;

	if (screen->focus == TFP_FOCUS_TREE)
		return false;
	pane = sortable(screen);
	if (pane)
		sort(screen, pane->kind, screen->drill.orders[pane->kind].by,
		     !screen->drill.orders[pane->kind].reverse);
	return true;
}
