/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions: everything that a key can do, in one table with names, keys and help. Keys, the help
 * page, the key line and the completion of commands are made from it.
 */
#ifndef TFP_UI_ACTIONS_H
#define TFP_UI_ACTIONS_H

#include "ui/screen.h"

struct tfp_action {
	const char *name;  /* "view-scope" */
	const char *keys;  /* "1", "j Down C-n"; "": none */
	const char *help;  /* what it does; NULL: the row only begins the group GROUP */
	const char *group; /* heading in the help, of rows without help */
	void (*run)(struct tfp_screen *screen, int argument);
	int argument;
};

extern const struct tfp_action tfp_actions[]; /* ended by a NULL name and group */

/* The action of KEY; NULL. */
const struct tfp_action *tfp_action_of_key(int32_t key);
const struct tfp_action *tfp_action_find(const char *name);

/* An entry of the key line. */
struct tfp_hint {
	const char *key, *text;
};
/* Entry INDEX for where the focus is; NULL at the end. */
const struct tfp_hint *tfp_actions_hint(const struct tfp_screen *screen, size_t index);

/* ---- the functions, by file ---- */

/* act_move.c */
void tfp_act_move(struct tfp_screen *screen, int move);
void tfp_act_forward(struct tfp_screen *screen, int unused);
void tfp_act_back(struct tfp_screen *screen, int unused);
void tfp_act_enter(struct tfp_screen *screen, int unused);
void tfp_act_jump_back(struct tfp_screen *screen, int unused);
void tfp_act_parent(struct tfp_screen *screen, int unused);
void tfp_act_sibling(struct tfp_screen *screen, int next);
void tfp_act_open_below(struct tfp_screen *screen, int unused);
void tfp_act_set_all(struct tfp_screen *screen, int open);
void tfp_act_hot_path(struct tfp_screen *screen, int unused);
void tfp_act_sideways(struct tfp_screen *screen, int cells);
void tfp_act_focus(struct tfp_screen *screen, int unused);

/* act_query.c */
void tfp_act_view(struct tfp_screen *screen, int digit);
void tfp_act_flat(struct tfp_screen *screen, int unused);
void tfp_act_zoom(struct tfp_screen *screen, int in);
void tfp_act_filter(struct tfp_screen *screen, int unused);
void tfp_act_unfilter(struct tfp_screen *screen, int unused);
void tfp_act_sort_menu(struct tfp_screen *screen, int unused);
void tfp_act_sort_next(struct tfp_screen *screen, int step);
void tfp_act_reverse(struct tfp_screen *screen, int unused);
void tfp_act_metric_menu(struct tfp_screen *screen, int unused);
void tfp_act_step_menu(struct tfp_screen *screen, int unused);
void tfp_act_step_next(struct tfp_screen *screen, int step);

/* curve.c */
void tfp_act_memory_turn(struct tfp_screen *screen, int parts);
void tfp_act_baseline_menu(struct tfp_screen *screen, int unused);

/* act_pane.c */
void tfp_act_pane_kind(struct tfp_screen *screen, int back);
void tfp_act_pane_size(struct tfp_screen *screen, int unused);
void tfp_act_search(struct tfp_screen *screen, int unused);
void tfp_act_search_next(struct tfp_screen *screen, int forward);
void tfp_act_edit(struct tfp_screen *screen, int unused);

/* act_copy.c */
void tfp_act_copy_menu(struct tfp_screen *screen, int unused);
void tfp_act_write(struct tfp_screen *screen, int unused);

/* act_mark.c */
void tfp_act_mark(struct tfp_screen *screen, int unused);
void tfp_act_unmark(struct tfp_screen *screen, int unused);
void tfp_act_undo(struct tfp_screen *screen, int back);

/* act_option.c */
void tfp_act_option_menu(struct tfp_screen *screen, int unused);

/* act_page.c */
void tfp_act_help(struct tfp_screen *screen, int unused);
void tfp_act_problems(struct tfp_screen *screen, int unused);
void tfp_act_exact(struct tfp_screen *screen, int unused);

/* act_life.c */
void tfp_act_command(struct tfp_screen *screen, int unused);
void tfp_act_escape(struct tfp_screen *screen, int unused);
void tfp_act_close(struct tfp_screen *screen, int unused);
void tfp_act_quit(struct tfp_screen *screen, int unused);
void tfp_act_stop(struct tfp_screen *screen, int unused);
void tfp_act_suspend(struct tfp_screen *screen, int unused);
void tfp_act_redraw(struct tfp_screen *screen, int unused);
void tfp_act_reload(struct tfp_screen *screen, int unused);

#endif
