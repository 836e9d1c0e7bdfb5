/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going to a thing: to a node, to where a row leads, and back to where one came from.
 */
#include "ui/action/actions.h"
#include "ui/tree/listing.h"

/* Remembers the cursor's row: from there one goes elsewhere. */
static void leave(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);
	struct tfp_jumps *jumps = &screen->jumps;

	if (row == TFP_NONE)
		return;
	jumps->list[jumps->next] =
		(struct tfp_jump){tree->base->view, tree->base->key[row], screen->tree.time.cursor};
	jumps->next = (jumps->next + 1) % TFP_JUMPS;
	jumps->count += jumps->count < TFP_JUMPS;
}

/* In this tree if it has the node, else in the scope view. */
void tfp_screen_go_to_node(struct tfp_screen *screen, uint32_t node)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_find_node(&screen->tree, node);

	if (row == TFP_NONE || tree->base->node[row] != node) {
		tfp_screen_go_to_node_in(screen, "scope", node);
		return;
	}
	leave(screen);
	screen->focus = TFP_FOCUS_TREE;
	tfp_treepane_go(&screen->tree, row);
}

void tfp_screen_go_to_node_in(struct tfp_screen *screen, const char *view, uint32_t node)
{
	if (screen->outdated) {
		tfp_screen_say(screen, "what was read is being shown; once more, please");
		return;
	}
	leave(screen);
	screen->focus = TFP_FOCUS_TREE;
	if (!tfp_screen_set_view(screen, tfp_view_find(view)))
		return;
	screen->query.flat = false;
	screen->jump = node;
	tfp_screen_ask_tree(screen);
}

/* What a finding compares is compared where it leads to. */
static void compare(struct tfp_screen *screen, const struct tfp_contrast *contrast)
{
	char baseline[32] = "median", other[32] = "the median of the others";

	if (!contrast || contrast->rank < 0)
		return;
	if (contrast->other >= 0) {
		snprintf(baseline, sizeof(baseline), "rank:%lld", (long long)contrast->other);
		snprintf(other, sizeof(other), "rank %lld", (long long)contrast->other);
	}
	screen->query.rank = contrast->rank;
	tfp_screen_set_baseline(screen, baseline);
	tfp_screen_say(screen, "rank %lld against %s; {=} o ends that, {S} r shows all ranks",
		       (long long)contrast->rank, other);
}

static void go_to_view(struct tfp_screen *screen, const struct tfp_view *view, uint64_t key,
		       const struct tfp_contrast *contrast)
{
	if (!view || !tfp_screen_set_view(screen, view))
		return;
	compare(screen, contrast);
	screen->query.flat = false;
	screen->jump_key = key;
	tfp_screen_ask_tree(screen);
}

void tfp_screen_go_to_key_in(struct tfp_screen *screen, const struct tfp_view *view, uint64_t key)
{
	leave(screen);
	screen->focus = TFP_FOCUS_TREE;
	if (!view || !tfp_screen_set_view(screen, view))
		return;
	screen->jump_key = key;
	tfp_screen_ask_tree(screen);
}

/* True when the cursor's row is a link. */
static bool follow_link(struct tfp_screen *screen, uint32_t row)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t place = tfp_base_place(tree->base, row);

	if (!(tree->base->flags[row] & TFP_ROW_LINK))
		return false;
	leave(screen);
	tfp_treepane_go(&screen->tree, tfp_tree_shown_parent(tree, place));
	tfp_screen_say(screen, "{C-o} goes back");
	return true;
}

/* A gap is to be seen where it leads to. */
static void want_time(struct tfp_screen *screen, uint32_t row)
{
	int64_t from, to;

	if (tfp_tree_gap(screen->tree.rows.tree, row, &from, &to))
		tfp_timepane_want(&screen->tree.time, from, to);
}

bool tfp_screen_follow(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);
	const struct tfp_target *target;

	if (row == TFP_NONE)
		return false;
	if (follow_link(screen, row))
		return true;
	if (!tree->base->target || !tree->base->target[row].view)
		return false;
	target = &tree->base->target[row];
	want_time(screen, row);
	leave(screen);
	go_to_view(screen, tfp_view_find(target->view), target->key,
		   tree->base->contrast ? &tree->base->contrast[row] : NULL);
	return true;
}

static void return_to(struct tfp_screen *screen, const struct tfp_jump *jump)
{
	if (jump->view == tfp_view_find("time"))
		tfp_timepane_return(&screen->tree.time, jump->time);
	go_to_view(screen, jump->view, jump->key, NULL);
}

void tfp_act_jump_back(struct tfp_screen *screen, int unused)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	struct tfp_jumps *jumps = &screen->jumps;
	const struct tfp_jump *jump;
	uint32_t row = TFP_NONE;

	(void)unused;
	if (!tree || !jumps->count) {
		tfp_screen_go_before(screen);
		return;
	}
	jumps->next = (jumps->next + TFP_JUMPS - 1) % TFP_JUMPS;
	jumps->count--;
	jump = &jumps->list[jumps->next];
	screen->focus = TFP_FOCUS_TREE;
	if (jump->view == tree->base->view)
		row = tfp_tree_find(tree, jump->key);
	if (row != TFP_NONE)
		tfp_treepane_go(&screen->tree, row);
	else if (jump->view == tree->base->view)
		tfp_screen_say(screen, "the row that one came from is hidden now");
	else
		return_to(screen, jump);
}
