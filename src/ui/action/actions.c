/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The action table. To add an action: one row, and its function.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

#define GROUP(title)                                                                               \
	{                                                                                          \
		.help = title                                                                      \
	}

const struct tfp_action tfp_actions[] = {
	GROUP("Move"),
	{"down", "j Down C-n", "one row down", NULL, tfp_act_move, TFP_MOVE_DOWN},
	{"up", "k Up C-p", "one row up", NULL, tfp_act_move, TFP_MOVE_UP},
	{"half-down", "C-d", "half a page down", NULL, tfp_act_move, TFP_MOVE_HALF_DOWN},
	{"half-up", "C-u", "half a page up", NULL, tfp_act_move, TFP_MOVE_HALF_UP},
	{"page-down", "PgDn C-f", "a page down", NULL, tfp_act_move, TFP_MOVE_PAGE_DOWN},
	{"page-up", "PgUp C-b", "a page up", NULL, tfp_act_move, TFP_MOVE_PAGE_UP},
	{"first", "g Home", "first row", NULL, tfp_act_move, TFP_MOVE_FIRST},
	{"last", "G End", "last row", NULL, tfp_act_move, TFP_MOVE_LAST},
	{"parent", "Backspace", "to the parent", NULL, tfp_act_parent, 0},
	{"jump-back", "C-o", "back to where Enter or :open came from", NULL, tfp_act_jump_back, 0},
	{"sibling-next", "]", "next row of the same parent", NULL, tfp_act_sibling, 1},
	{"sibling-previous", "[", "the one before", NULL, tfp_act_sibling, 0},
	{"left", "{", "push long names to the right", NULL, tfp_act_sideways, -8},
	{"right", "}", "push long names to the left", NULL, tfp_act_sideways, 8},
	GROUP("Open and close"),
	{"open", "l Right +", "open the row, its first child; :open a file", &tfp_takes_path,
	 tfp_act_forward, 0},
	{"close", "h Left -", "close, then to the parent; zoomed: zoom out", NULL, tfp_act_back, 0},
	{"enter", "Enter", "open or close; in the pane: go there", NULL, tfp_act_enter, 0},
	{"open-below", "*", "open all that is below the row", NULL, tfp_act_open_below, 0},
	{"open-all", "E", "open everything", NULL, tfp_act_set_all, 1},
	{"close-all", "C", "close everything", NULL, tfp_act_set_all, 0},
	{"hot-path", "L", "open the heaviest path while it holds half", NULL, tfp_act_hot_path, 0},
	{"zoom", "z", "this row and what is below; again: out", NULL, tfp_act_zoom, 1},
	GROUP("Views; one in parentheses has nothing here, and its key says what is missing"),
	{"view-summary", "0", "what the file is, and findings", NULL, tfp_act_view, '0'},
	{"view-scope", "1", "name scopes; or a report that was printed", NULL, tfp_act_view, '1'},
	{"view-graph", "2", "inputs below each node", NULL, tfp_act_view, '2'},
	{"view-op", "3", "op types, their shapes and nodes; or functions", NULL, tfp_act_view, '3'},
	{"view-code", "4", "call stacks", NULL, tfp_act_view, '4'},
	{"view-5", "5", "streams and kernels; or what a model holds", NULL, tfp_act_view, '5'},
	{"view-steps", "6", "step by step", NULL, tfp_act_view, '6'},
	{"view-idle", "7", "idle times of devices", NULL, tfp_act_view, '7'},
	{"view-memory", "8", "memory over time", NULL, tfp_act_view, '8'},
	{"view-time", "9", "lanes against time", NULL, tfp_act_view, '9'},
	{"flat", "t", "tree, or a ranked list of its leaves", NULL, tfp_act_flat, 0},
	{"metric", "m", "metric: time, memory, parameters, …", NULL, tfp_act_metric_menu, 0},
	{"step", "S", "step, or rank: all, or one", &tfp_takes_step, tfp_act_step_menu, 0},
	{"step-previous", "(", "previous step", NULL, tfp_act_step_next, -1},
	{"step-next", ")", "next step", NULL, tfp_act_step_next, 1},
	{"baseline", "=", "compare with other steps or ranks", &tfp_takes_baseline,
	 tfp_act_baseline_menu, 0},
	{"memory-earlier", ",", "memory view: earlier", NULL, tfp_act_memory_turn, -1},
	{"memory-later", ".", "memory view: later", NULL, tfp_act_memory_turn, 1},
	{"memory-peak", "P", "memory view: when most is live", NULL, tfp_act_memory_turn, 0},
	{"allocator", "M", "memory view: of which device, host or rank", &tfp_takes_allocator,
	 tfp_act_allocator_menu, 0},
	GROUP("Time view"),
	{"time-left", "h Left", "earlier", NULL, tfp_act_time_move, -1},
	{"time-right", "l Right", "later", NULL, tfp_act_time_move, 1},
	{"time-first", "Home", "where the recording begins", NULL, tfp_act_time_edge, 0},
	{"time-last", "End", "where it ends", NULL, tfp_act_time_edge, 1},
	{"time-page-left", "{ ,", "earlier by half of what is in sight", NULL, tfp_act_time_turn,
	 -1},
	{"time-page-right", "} .", "later by half of it", NULL, tfp_act_time_turn, 1},
	{"time-zoom-in", "+", "zoom in: half of the time", NULL, tfp_act_time_zoom, 1},
	{"time-zoom-out", "-", "zoom out: twice the time", NULL, tfp_act_time_zoom, 0},
	{"time-fit", "z", "the event under the cursor, or everything", NULL, tfp_act_time_fit, 0},
	{"time-next", "]", "next event of the lane", NULL, tfp_act_time_event, 0},
	{"time-previous", "[", "the event before", NULL, tfp_act_time_event, 1},
	{"time-link", "x", "from a kernel to its launch, and back", NULL, tfp_act_time_link, 0},
	{"time-open", "t", "what is nested in the lane: open or close", NULL, tfp_act_time_open, 0},
	{"time-from", "a", "a range of time begins here", NULL, tfp_act_range, 0},
	{"time-to", "b", "it ends here: all views count it alone", NULL, tfp_act_range, 1},
	{"range-off", "A", "count all of the recording again", NULL, tfp_act_range_off, 0},
	GROUP("Find, filter, sort"),
	{"search", "/", "search; looks inside closed rows", NULL, tfp_act_search, 0},
	{"search-next", "n", "next match", NULL, tfp_act_search_next, 1},
	{"search-previous", "N", "match before", NULL, tfp_act_search_next, 0},
	{"filter", "f F4", "filter form: every key filters", NULL, tfp_act_filter, 0},
	{"shape", "x", "only nodes with the input shapes of the row", NULL, tfp_act_shape, 0},
	{"unfilter", "F", "show everything", NULL, tfp_act_unfilter, 0},
	{"sort", "s F6", "sort by a column; in the pane: its rows", &tfp_takes_column,
	 tfp_act_sort_menu, 0},
	{"sort-previous", "<", "sort by the column before", NULL, tfp_act_sort_next, -1},
	{"sort-next", ">", "sort by the next column", NULL, tfp_act_sort_next, 1},
	{"reverse", "r", "turn the order round", NULL, tfp_act_reverse, 0},
	{"columns", "c F2", "choose the columns of this view", NULL, tfp_act_columns, 0},
	{"undo", "u", "undo the last change of what is asked for", NULL, tfp_act_undo, 1},
	{"redo", "C-r", "do again what was undone", NULL, tfp_act_undo, 0},
	{"options", "o", "options of the display", NULL, tfp_act_option_menu, 0},
	GROUP("Pane below the tree"),
	{"focus", "Tab", "tree, pane, tree", NULL, tfp_act_focus, 0},
	{"pane-next", "d", "next kind of pane", NULL, tfp_act_pane_kind, 0},
	{"pane-previous", "D", "the kind before", NULL, tfp_act_pane_kind, 1},
	{"pane-size", "v", "pane small, large, off", NULL, tfp_act_pane_size, 0},
	GROUP("More"),
	{"exact", "i", "all values of the row, every digit", NULL, tfp_act_exact, 0},
	{"edit", "e", "source line in $VISUAL, $EDITOR or vi", NULL, tfp_act_edit, 0},
	{"mark", "Space", "mark the row, or not; two and more compare", NULL, tfp_act_mark, 0},
	{"unmark-all", "U", "unmark all rows", NULL, tfp_act_unmark, 0},
	{"copy", "y", "copy to the terminal's clipboard", NULL, tfp_act_copy_menu, 0},
	{"write", "w", "write a file: rows, report, timeline, pprof", &tfp_takes_output,
	 tfp_act_write, 0},
	{"save", "", "save what was changed here as settings", NULL, tfp_act_save, 0},
	{"problems", "!", "problems found in files and settings", NULL, tfp_act_problems, 0},
	{"reload", "R", "read the files again", NULL, tfp_act_reload, 0},
	{"list", "", "back to the list that this is from", NULL, tfp_act_list, 0},
	{"resume", "", "the query of the last time", NULL, tfp_act_resume, 0},
	{"command", ":", "type the name of an action; Tab completes", NULL, tfp_act_command, 0},
	{"view", "", "view by its name", &tfp_takes_view, NULL, 0},
	{"set", "", "option of the command line, by its name", &tfp_takes_option, NULL, 0},
	{"theme", "", "how the screen looks", &tfp_takes_theme, NULL, 0},
	{"mouse", "", "mouse on (Shift still selects text), or off", NULL, tfp_act_mouse, 0},
	{"source-root", "", "where the sources of another machine lie", &tfp_takes_sources, NULL,
	 0},
	{"help", "? F1", "this page", NULL, tfp_act_help, 0},
	{"escape", "Esc", "close or end what is open; never quits", NULL, tfp_act_escape, 0},
	{"quit-level", "q", "close what is open; at the top quit", NULL, tfp_act_close, 0},
	{"quit", "Q", "quit", NULL, tfp_act_quit, 0},
	{"stop", "C-c", "stop reading or asking; twice: quit", NULL, tfp_act_stop, 0},
	{"suspend", "C-z", "suspend; fg comes back", NULL, tfp_act_suspend, 0},
	{"redraw", "C-l", "draw the screen anew", NULL, tfp_act_redraw, 0},
	{.help = NULL},
};

/* What the key line shows, most wanted first. */
static const struct tfp_hint tree_hints[] = {
	{"l", "open"},      {"L", "hot path"}, {"/", "find"},    {"f", "filter"},
	{"s", "sort"},      {"m", "metric"},   {"t", "flat"},    {"d", "pane"},
	{"Tab", "to pane"}, {"e", "editor"},   {"S", "step"},    {"z", "zoom"},
	{"i", "exact"},     {"y", "copy"},     {"=", "compare"}, {NULL, NULL},
};

static const struct tfp_hint flat_hints[] = {
	{"t", "tree"},  {"/", "find"},   {"f", "filter"}, {"s", "sort"},      {"m", "metric"},
	{"d", "pane"},  {"e", "editor"}, {"v", "size"},   {"Tab", "to pane"}, {"S", "step"},
	{"i", "exact"}, {"y", "copy"},   {NULL, NULL},
};

static const struct tfp_hint memory_hints[] = {
	{", .", "earlier, later"},
	{"P", "peak"},
	{"M", "device"},
	{"l", "open"},
	{"L", "hot path"},
	{"/", "find"},
	{"f", "filter"},
	{"S", "step"},
	{"d", "pane"},
	{NULL, NULL},
};

static const struct tfp_hint time_hints[] = {
	{"h l", "move"}, {"+ -", "zoom"},   {"z", "fit"},     {"[ ]", "event"},
	{"Enter", "op"}, {"t", "nested"},   {"a b", "range"}, {"x", "launch"},
	{"S", "step"},   {"{ }", "scroll"}, {NULL, NULL},
};

/* In place of the one above while one is where another view led to. */
static const struct tfp_hint leads_back_hint = {"Enter", "back"};

static const struct tfp_hint text_hints[] = {
	{"Enter", "go there"}, {"l", "open"}, {"/", "find"}, {"1-9", "views"},
	{"!", "problems"},     {"q", "quit"}, {NULL, NULL},
};

static const struct tfp_hint list_hints[] = {
	{"Enter", "open"}, {"Space", "mark"},   {"/", "find"}, {"f", "filter"}, {"s", "sort"},
	{"r", "reverse"},  {"R", "list again"}, {"q", "quit"}, {NULL, NULL},
};

/* Behind the first of the others: in a profile from a list, and while something is compared. */
static const struct tfp_hint back_hint = {"q", "list"};
static const struct tfp_hint baseline_hint = {"=", "other baseline"};

static const struct tfp_hint pane_hints[] = {
	{"Enter", "go to node"}, {"Tab", "to tree"},
	{"d", "pane"},           {"e", "editor"},
	{"v", "size"},           {"x", "only this shape"},
	{"/", "find"},           {"f", "filter"},
	{"y", "copy"},           {NULL, NULL},
};

/* From the first of two panes. */
static const struct tfp_hint second_hint = {"Tab", "to second pane"};

static const struct tfp_hint loading_hints[] = {
	{"C-c", "stop"},
	{"q", "quit"},
	{":", "command"},
	{NULL, NULL},
};

static const struct tfp_hint page_hints[] = {
	{"j k PgDn", "scroll"},
	{"/", "find"},
	{"Esc q", "close"},
	{NULL, NULL},
};

const struct tfp_action *tfp_action_find(const char *name)
{
	for (const struct tfp_action *action = tfp_actions; action->help; action++)
		if (action->name && !strcmp(action->name, name))
			return action;
	return NULL;
}

/* What is typed rather than pressed: it takes something, or has no key. */
static bool is_typed(const struct tfp_action *action)
{
	return action->takes || !*action->keys;
}

struct tfp_words tfp_action_names(struct tfp_arena *arena)
{
	struct tfp_words names = {0};
	size_t count = 0;

	while (tfp_actions[count].help)
		count++;
	names.at = tfp_arena_zero(arena, count, sizeof(*names.at));
	for (int typed = 1; typed >= 0; typed--)
		for (size_t i = 0; i < count; i++)
			if (tfp_actions[i].name && is_typed(&tfp_actions[i]) == typed)
				names.at[names.count++] = tfp_actions[i].name;
	return names;
}

void tfp_action_run(struct tfp_screen *screen, const struct tfp_action *action)
{
	char text[64];

	if (tfp_listing_refuses(screen, action))
		return;
	snprintf(text, sizeof(text), "%s ", action->name);
	if (action->run)
		action->run(screen, action->argument);
	else
		tfp_command_open(screen, text);
}

static const struct tfp_hint *hints_of(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (screen->page.open)
		return page_hints;
	if (!screen->loaded)
		return loading_hints;
	if (screen->focus != TFP_FOCUS_TREE)
		return pane_hints;
	if (tfp_listing_is(screen))
		return list_hints;
	if (tree && tree->base->view->text)
		return text_hints;
	if (tree && tree->base->strips)
		return time_hints;
	if (tree && tree->base->curve)
		return memory_hints;
	return tree && tree->query.flat ? flat_hints : tree_hints;
}

/* Those that the state of things asks for, in AT; NULL behind them. */
static size_t add_hints(const struct tfp_screen *screen, const struct tfp_hint *at[3])
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	size_t count = 0;

	if (screen->config->has_list)
		at[count++] = &back_hint;
	if (tree && tree->baseline)
		at[count++] = &baseline_hint;
	at[count] = NULL;
	return count;
}

static bool is_among(const struct tfp_hint *const *at, const char *key)
{
	while (*at && strcmp((*at)->key, key) != 0)
		at++;
	return *at;
}

/* Is HINT of a pane that has no room? One that was turned off comes back. */
static bool lacks_room(const struct tfp_screen *screen, const struct tfp_hint *hint)
{
	static const char *const keys[] = {"d", "v", "Tab"};

	if (screen->drill.size == TFP_PANE_OFF || tfp_screen_has_pane(screen))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(hint->key, keys[i]))
			return true;
	return false;
}

const struct tfp_hint *tfp_actions_hint(const struct tfp_screen *screen, size_t index)
{
	const struct tfp_hint *hints = hints_of(screen), *added[3];
	size_t count = add_hints(screen, added);

	if (hints == pane_hints && screen->focus == TFP_FOCUS_PANE && screen->drill.count > 1 &&
	    hints[index].key && !strcmp(hints[index].key, second_hint.key))
		return &second_hint;
	if (hints == page_hints || hints == pane_hints)
		return hints[index].key ? &hints[index] : NULL;
	if (index && index <= count)
		return added[index - 1];
	index -= index ? count : 0;
	for (; hints->key; hints++)
		if (!is_among(added, hints->key) && !lacks_room(screen, hints) &&
		    !index--) /* in a list's profile q does not quit */
			return !strcmp(hints->key, leads_back_hint.key) &&
					       tfp_time_leads_back(screen)
				       ? &leads_back_hint
				       : hints;
	return NULL;
}
