/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions: everything that a key can do, in one table with names, keys and help. Keys, the help
 * page, the key line and the completion of commands are made from it.
 */
#ifndef TFP_UI_ACTIONS_H
#define TFP_UI_ACTIONS_H

#include "ui/screen.h"

/* What a command may have behind its name. */
struct tfp_argument {
	const char *value; /* "NAME", as the help spells it */
	/* What could stand there, of which a part begins with TEXT, in ARENA; NULL: as in the shell. */
	struct tfp_words (*valid)(struct tfp_screen *screen, const char *text,
				  struct tfp_arena *arena);
	void (*run)(struct tfp_screen *screen, const char *text); /* TEXT is not empty */
};

struct tfp_action {
	/* "view-scope"; NULL: the row only begins a group. Keys of "time-…" are so in the time view alone */
	const char *name;
	const char *keys;                 /* "1", "j Down C-n"; "": none */
	const char *help;                 /* what it does; the heading of a group */
	const struct tfp_argument *takes; /* NULL: nothing stands behind its name */
	void (*run)(struct tfp_screen *screen, int argument); /* NULL: not without what it takes */
	int argument;
};

extern const struct tfp_action tfp_actions[]; /* ended by a row without help */

/* A key of a dialog, which takes keys before the actions do; they are not in the key map. */
struct tfp_dialog_key {
	const char *keys; /* NULL: the row only begins a dialog */
	const char *help; /* NULL: the end */
};

extern const struct tfp_dialog_key tfp_dialog_keys[];

const struct tfp_action *tfp_action_find(const char *name);
/* Runs ACTION; one that takes something is asked for on the command line. */
void tfp_action_run(struct tfp_screen *screen, const struct tfp_action *action);

/* An entry of the key line. */
struct tfp_hint {
	const char *key, *text;
};
/* Entry INDEX for where the focus is; NULL at the end. */
const struct tfp_hint *tfp_actions_hint(const struct tfp_screen *screen, size_t index);

/* ---- what actions take (arguments.c) ---- */

extern const struct tfp_argument tfp_takes_allocator, tfp_takes_baseline, tfp_takes_column,
	tfp_takes_option, tfp_takes_output, tfp_takes_path, tfp_takes_sources, tfp_takes_step,
	tfp_takes_theme, tfp_takes_view;

/* ---- lines of the shell (typedline.c) ---- */

/* Does what the line TEXT says. */
void tfp_screen_typed(struct tfp_screen *screen, const char *text);
/* How the line TEXT can go on from *FROM on. In ARENA. */
struct tfp_words tfp_screen_typed_ends(const struct tfp_screen *screen, const char *text,
				       size_t *from, struct tfp_arena *arena);

/* ---- the functions, by file ---- */

/* act_allocator.c */
void tfp_act_allocator_menu(struct tfp_screen *screen, int unused);

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
/* VIEW itself, where another has its digit, too. */
void tfp_screen_open_view(struct tfp_screen *screen, const struct tfp_view *view);
void tfp_act_flat(struct tfp_screen *screen, int unused);
void tfp_act_zoom(struct tfp_screen *screen, int in);
void tfp_act_filter(struct tfp_screen *screen, int unused);
void tfp_act_unfilter(struct tfp_screen *screen, int unused);
/* Sorting where the pane has the focus; false: it has not. */
bool tfp_pane_sort_menu(struct tfp_screen *screen);
bool tfp_pane_sort_next(struct tfp_screen *screen, int step);
bool tfp_pane_reverse(struct tfp_screen *screen);
void tfp_act_sort_menu(struct tfp_screen *screen, int unused);
/* The titles of the columns that can be sorted by, in ARENA; sorts by the one called TITLE. */
struct tfp_words tfp_sort_titles(struct tfp_screen *screen, struct tfp_arena *arena);
bool tfp_sort_by_title(struct tfp_screen *screen, const char *title);
/* Sorts by ORDER; once more: the other way round. */
void tfp_sort_by_order(struct tfp_screen *screen, int order);
void tfp_act_sort_next(struct tfp_screen *screen, int step);
void tfp_act_reverse(struct tfp_screen *screen, int unused);
void tfp_act_metric_menu(struct tfp_screen *screen, int unused);
void tfp_act_step_menu(struct tfp_screen *screen, int unused);
void tfp_act_step_next(struct tfp_screen *screen, int step);

/* The other files that are compared with, or were to be at the start: "file:…"; NULL: none. */
const char *tfp_baseline_file(const struct tfp_screen *screen);
/* One step or rank is wanted from now on, negative: all of them. What can't be compared so is compared no longer, which is told. */
void tfp_screen_choose_step(struct tfp_screen *screen, int64_t step);
void tfp_screen_choose_rank(struct tfp_screen *screen, int64_t rank);

/* curve.c */
void tfp_act_memory_turn(struct tfp_screen *screen, int parts);
void tfp_act_baseline_menu(struct tfp_screen *screen, int unused);

/* act_save.c */
void tfp_act_save(struct tfp_screen *screen, int unused);

/* chooser.c */
void tfp_act_columns(struct tfp_screen *screen, int unused);

/* act_pane.c */
void tfp_act_pane_kind(struct tfp_screen *screen, int back);
void tfp_act_shape(struct tfp_screen *screen, int unused);
void tfp_act_pane_size(struct tfp_screen *screen, int unused);
void tfp_act_search(struct tfp_screen *screen, int unused);
void tfp_act_search_next(struct tfp_screen *screen, int forward);
void tfp_act_edit(struct tfp_screen *screen, int unused);

/* act_copy.c */
void tfp_act_copy_menu(struct tfp_screen *screen, int unused);
/* A query, uninitialised, for a report of what is on the screen: of one metric, or of those shown. */
void tfp_screen_report_query(const struct tfp_screen *screen, bool one_metric,
			     struct tfp_query *query);

/* act_write.c */
void tfp_act_write(struct tfp_screen *screen, int unused);
/* As if PATH had been typed at the prompt. */
void tfp_write_to(struct tfp_screen *screen, const char *path);
/* Writes what OUTPUT is of QUERY; asks first where a file is there already. */
void tfp_write_query(struct tfp_screen *screen, const struct tfp_query *query,
		     const struct tfp_output *output);

/* act_mark.c */
void tfp_act_mark(struct tfp_screen *screen, int unused);
void tfp_act_unmark(struct tfp_screen *screen, int unused);
void tfp_act_undo(struct tfp_screen *screen, int back);

/* act_time.c */
void tfp_act_time_move(struct tfp_screen *screen, int columns);
void tfp_act_time_turn(struct tfp_screen *screen, int halves);
void tfp_act_time_zoom(struct tfp_screen *screen, int in);
void tfp_act_time_fit(struct tfp_screen *screen, int unused);
void tfp_act_time_event(struct tfp_screen *screen, int back);
void tfp_act_time_edge(struct tfp_screen *screen, int end);
void tfp_act_time_link(struct tfp_screen *screen, int unused);
void tfp_act_time_open(struct tfp_screen *screen, int unused);
void tfp_act_range(struct tfp_screen *screen, int end);
void tfp_act_range_off(struct tfp_screen *screen, int unused);
/* Is the time view shown? */
bool tfp_time_is(const struct tfp_screen *screen);
/* What is under its cursor. */
struct tfp_piece tfp_time_piece(const struct tfp_screen *screen);
/* Is that the one that was gone to? */
bool tfp_time_on_place(const struct tfp_screen *screen);
/* Is that one of those that another view led to, and back to which Enter leads? */
bool tfp_time_leads_back(const struct tfp_screen *screen);
/* Goes to what the event under the cursor belongs to; false: there is none. */
bool tfp_time_enter(struct tfp_screen *screen);
/* In the time view: goes to the next of the events that are pointed out; false: there are none. */
bool tfp_time_next(struct tfp_screen *screen, bool forward);
/* In the time view: nothing is pointed out from now on; false: nothing was. */
bool tfp_time_forget(struct tfp_screen *screen);
/* Says what is pointed out, when the time view comes. */
void tfp_time_arrive(struct tfp_screen *screen);
/* In the time view: points out events with TEXT in their names, and goes to the first from FROM on; how many. */
size_t tfp_time_find(struct tfp_screen *screen, const char *text, int64_t from);

/* act_option.c */
void tfp_act_option_menu(struct tfp_screen *screen, int unused);

/* listing.c, place.c */
void tfp_act_list(struct tfp_screen *screen, int unused);
void tfp_act_resume(struct tfp_screen *screen, int unused);

/* act_page.c */
void tfp_act_help(struct tfp_screen *screen, int unused);
void tfp_act_problems(struct tfp_screen *screen, int unused);
void tfp_act_exact(struct tfp_screen *screen, int unused);
/* What the command, view, option or action NAME is; false: nothing is called so. */
bool tfp_page_about(struct tfp_screen *screen, const char *name);
/* The options of the wanted query with their values. */
void tfp_page_options(struct tfp_screen *screen);
/* The page of exact values anew, if it is open, now that what it waited for may be there. */
void tfp_page_exact_again(struct tfp_screen *screen);

/* command.c: the line behind ":" */
void tfp_act_command(struct tfp_screen *screen, int unused);
/* Opens it with TEXT typed already. */
void tfp_command_open(struct tfp_screen *screen, const char *text);

/* mouse.c */
void tfp_act_mouse(struct tfp_screen *screen, int unused);
/* Does what the mouse was used for. */
void tfp_mouse_take(struct tfp_screen *screen);

/* act_life.c */
void tfp_act_escape(struct tfp_screen *screen, int unused);
void tfp_act_close(struct tfp_screen *screen, int unused);
void tfp_act_quit(struct tfp_screen *screen, int unused);
void tfp_act_stop(struct tfp_screen *screen, int unused);
void tfp_act_suspend(struct tfp_screen *screen, int unused);
void tfp_act_redraw(struct tfp_screen *screen, int unused);
void tfp_act_reload(struct tfp_screen *screen, int unused);

#endif
