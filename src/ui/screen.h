/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen: everything that is shown and in hand, as one value that the actions change and the
 * frame draws.
 */
#ifndef TFP_UI_SCREEN_H
#define TFP_UI_SCREEN_H

#include "ui/prompt/chooser.h"
#include "ui/pane/drillpane.h"
#include "ui/prompt/filter.h"
#include "ui/tree/history.h"
#include "ui/action/keymap.h"
#include "ui/pace.h"
#include "ui/prompt/menu.h"
#include "ui/prompt/prompt.h"
#include "ui/tree/search.h"
#include "ui/pane/sources.h"
#include "ui/terminal/term.h"
#include "ui/pane/textpane.h"
#include "ui/tree/picked.h"
#include "ui/tree/treepane.h"
#include "ui/ui.h"

#define TFP_KEPT_ROOM  32 /* settings that can be saved */
#define TFP_AHEAD_ROOM 1000
#define TFP_JUMPS      32 /* that can be gone back */

enum tfp_focus { TFP_FOCUS_TREE, TFP_FOCUS_PANE, TFP_FOCUS_SECOND };

struct tfp_screen;

/* A press of the mouse on a row, by which the next one may be the second half of a double click. */
struct tfp_click {
	int64_t time;
	int zone;
	size_t side, index;
};

/* Keys typed ahead: they are for the rows that are read, or the one that a search goes to, and wait. */
struct tfp_ahead {
	int32_t keys[TFP_AHEAD_ROOM];
	size_t first, count;
};

/* Rows that one went elsewhere from. */
struct tfp_jump {
	const struct tfp_view *view;
	uint64_t key;
	int64_t time; /* where the cursor was in the time view */
};

struct tfp_jumps {
	struct tfp_jump list[TFP_JUMPS]; /* a ring */
	size_t next, count;
};

/* What the pane was asked for last. */
struct tfp_pane_content {
	const struct tfp_tree *tree; /* to compare with, not to look into */
	uint32_t row;
	enum tfp_breakdown_kind kinds[TFP_DETAILS];
	size_t kind_count; /* 0: only the facts of the row */
};

/* What the prompt for writing offers. */
struct tfp_write_choice {
	enum tfp_picked rows;
	const struct tfp_output_kind
		*kind; /* NULL: rows, in the format that the name's ending says */
};

/* A file that a person wants. */
struct tfp_wish {
	char *path; /* NULL: none */
	char *said; /* the names of all files that it becomes */
	struct tfp_output output;
	enum tfp_picked rows;
	char *text; /* of a pane's rows: these, as they were when they were wished, else NULL */
	size_t size, count;
	char *pane;    /* "nodes pane" */
	bool of_query; /* what OUTPUT is of QUERY, else rows */
	struct tfp_query query;
};

/* What takes the keys before the actions do: a menu, a prompt, the filter form. */
struct tfp_mode {
	/* True when the key was for it; else the actions get it. */
	bool (*key)(struct tfp_screen *screen, int32_t key);
	/* Draws the last line of the screen, the key line. */
	void (*line)(struct tfp_screen *screen, struct tfp_pen *pen);
	/* Draws the line above it, if it needs that too; else false. NULL: it never does. */
	bool (*above)(struct tfp_screen *screen, struct tfp_pen *pen);
};

struct tfp_screen {
	const struct tfp_ui_config *config;
	struct tfp_diag *diag;
	struct tfp_term term;
	struct tfp_keymap keymap;
	struct tfp_theme theme;
	bool utf8;                 /* signs beyond ASCII: the terminal and the theme have them */
	char *kept[TFP_KEPT_ROOM]; /* settings as they began, or were saved: see act_save.c */
	char *theme_name;          /* chosen on the screen; NULL: as it began */
	struct tfp_worker *worker;

	bool loaded;   /* about is valid */
	bool outdated; /* more was read, or anew; the trees shown are of what was before */
	bool touched;  /* a key was pressed since a part of the files is there */
	bool silent;   /* the first message is still to come */
	struct tfp_about about;

	struct tfp_query query; /* what is wanted; the tree shows what is there */
	struct tfp_lens lens;   /* wanted with it */
	const char *
		own_lens; /* name of the one that came with the files; NULL: settings or a person asked for an order */
	int64_t step_found; /* the wanted step as rows that are steps were come to: another was chosen there */
	bool lens_chosen;  /* by a person, even if it is the same */
	bool order_chosen; /* likewise; the other way round is the same order */
	bool lens_counts; /* what the lens has counted is so again behind a view with a metric of its own */
	/* is each view a list when it is shown next? in the order of tfp_views; of the one shown, the query has it */
	bool flat[TFP_MAX_VIEWS];
	/* the columns of that view were typed, and what of them it has not is still to be told; in the same order */
	bool columns_typed[TFP_MAX_VIEWS];
	const struct tfp_view *
		later; /* chosen while what is read so far has nothing for it: shown once there is; NULL: none */
	bool refused; /* while the filter form is open: the wanted query is not valid */
	char *summary[TFP_BRIEFEST + 1]; /* of the tree, in fewer and fewer words */
	char *part; /* the tree is of so much of the files, "3%"; NULL: of all */
	struct tfp_treepane tree;
	struct tfp_drillpane drill;
	struct tfp_pane_content content;
	enum tfp_focus focus;

	const struct tfp_mode *mode; /* NULL: keys are actions */
	struct tfp_menu menu;
	struct tfp_prompt prompt;
	struct tfp_write_choice write_choice; /* of the prompt for writing */
	struct tfp_wish wish;                 /* while it is asked whether to overwrite */
	struct tfp_filter filter;
	struct tfp_chooser chooser;
	struct tfp_search search;
	struct tfp_history history;
	struct tfp_jumps jumps;
	struct tfp_textpane page;
	struct tfp_sources sources; /* of another machine, and where they lie here */

	struct tfp_click click;
	struct tfp_ahead ahead;
	char *resume;  /* the query of the last time; NULL: none is known */
	char *message; /* on the message line; NULL: none */
	bool is_error;
	const void *armed; /* action that asked to be repeated before it does something grave */

	uint32_t jump;     /* node to go to in the next tree, TFP_NONE */
	uint64_t jump_key; /* row to go to in the next tree, 0: none */
	bool exact_waits;  /* the page of exact values, for what single events took */
	bool edit;         /* an answer about a place is for the editor … */
	bool narrow;       /* … or for the shape filter */
	bool want_detail;  /* the pane does not show what it is to show */
	struct tfp_pace pace;
	int64_t painted_key;    /* time of the last key whose effect was drawn */
	int64_t ask_time;       /* ns of the clock: last query … */
	int64_t load_time;      /* … start of loading, then how long it took */
	int64_t hold;           /* no frame before this time */
	size_t painted_top;     /* first row of the tree, or line of the page, in the last frame */
	int painted_part;       /* of the rows, in that frame; see enum tfp_paint */
	int cursor_y, cursor_x; /* of the text cursor, -1: none */
	bool dirty;
	bool quit;
	int status;
};

/* ---- messages (screen.c) ---- */

/* In FORMAT keys of the action table stand in braces, "{n} next": they are shown as they are now. */
void tfp_screen_say(struct tfp_screen *screen, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tfp_screen_fail(struct tfp_screen *screen, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The newest error of DIAG as a failure; DIAG is freed. */
void tfp_screen_fail_with(struct tfp_screen *screen, struct tfp_diag *diag);
/* Shows everything in the looks of THEME, NULL: those that are compiled in. */
void tfp_screen_wear(struct tfp_screen *screen, const struct tfp_ui_theme *theme);
/* Nanoseconds of the monotonic clock. */
int64_t tfp_screen_now(void);

/* ---- questions and answers (ask.c, answers.c) ---- */

/* Asks for the tree of the wanted query. */
void tfp_screen_ask_tree(struct tfp_screen *screen);
/* Before there is any tree: asks for the query before this one. False if this is the first. */
bool tfp_screen_ask_former(struct tfp_screen *screen);
/* Notices that the pane does not show what it is to show: after whatever keys, sizes, answers. */
void tfp_screen_check_pane(struct tfp_screen *screen);
/* Asks for the pane of the cursor's row, at once. */
void tfp_screen_ask_detail(struct tfp_screen *screen);
/* Asks for source line and shapes of the cursor's row, and sets WANTED: edit or narrow. */
void tfp_screen_ask_place(struct tfp_screen *screen, bool *wanted);
/* Takes what the worker has answered. */
void tfp_screen_take_answers(struct tfp_screen *screen);
/* Says that the tree has nothing left to show, where that is so, and what helps. */
void tfp_screen_say_left(struct tfp_screen *screen);
/* Whether only a part of the files was read so far, which is to be looked at and no more. */
bool tfp_screen_has_part(const struct tfp_screen *screen);
/* "so far: " before what is said of these files, while there is only a part of them; else "". */
const char *tfp_screen_so_far(const struct tfp_screen *screen);
/* Whether there is only a part, which is said. */
bool tfp_screen_refuses_part(struct tfp_screen *screen);
/* Lets go of all trees and of what is made from them. */
void tfp_screen_drop_trees(struct tfp_screen *screen);

/* ---- the wanted query (wanted.c) ---- */

/* The query, which is none yet, becomes that of the settings. */
void tfp_screen_first_query(struct tfp_screen *screen);
/* The first query of files that were read: what the settings, or these files, begin with. */
void tfp_screen_begin_query(struct tfp_screen *screen);
/*
 * The same after more of the files was read, as far as nobody has chosen anything; where only a view was, say, metric
 * and order are chosen anew. What the person sees stays where it is once a key was pressed.
 */
void tfp_screen_begin_query_again(struct tfp_screen *screen);
/* The lens is one of files that were read again. */
void tfp_screen_renew_lens(struct tfp_screen *screen);
/* The wanted query becomes that of the tree shown again. */
void tfp_screen_take_back(struct tfp_screen *screen);
/* The word that --order_by has for an order of rows. */
const char *tfp_screen_order_word(struct tfp_screen *screen, int order);
/* The lens becomes that of the wanted query's order. */
void tfp_screen_use_order(struct tfp_screen *screen);
/* Chooses lens INDEX of the profile's: metric, order and account, in the wanted query. */
void tfp_screen_set_lens(struct tfp_screen *screen, size_t index);
/* What the wanted query compares with ("": nothing), and its order by that. */
void tfp_screen_set_baseline(struct tfp_screen *screen, const char *baseline);
/* Only nodes with these input shapes; NULL: there are none to take. */
void tfp_screen_set_shape(struct tfp_screen *screen, const char *shape);
/*
 * The wanted view; false with a message when the file has nothing to show there: of a part of the files that is one
 * for later.
 */
bool tfp_screen_set_view(struct tfp_screen *screen, const struct tfp_view *view);
/* More was read: the view that was wanted for later is the wanted one, if there is something for it now. */
void tfp_screen_set_later(struct tfp_screen *screen);
/* It is not wanted any more. False: none was. */
bool tfp_screen_forget_later(struct tfp_screen *screen);
/* A recording is the sum of its steps, which none of them can be compared with: is one to be chosen for VIEW (act_query.c)? */
bool tfp_screen_needs_step(const struct tfp_screen *screen, const struct tfp_view *view);
/* Of a comparison of steps the one under the cursor goes along into VIEW (act_query.c). */
void tfp_screen_take_step_along(struct tfp_screen *screen, const struct tfp_view *view);
/* Where rows are steps: the one that other views show, whichever row the cursor is on; negative: none. */
int64_t tfp_screen_held_step(const struct tfp_screen *screen);

/* ---- what is remembered (act_mark.c) ---- */

/* The wanted query, sooner or later asked, is one that undo comes back to. */
void tfp_screen_note_query(struct tfp_screen *screen);
/* From the second marked row on the pane is about the marked rows. */
void tfp_screen_show_marked(struct tfp_screen *screen);

/* ---- going to a thing (act_jump.c) ---- */

void tfp_screen_go_to_node(struct tfp_screen *screen, uint32_t node);
/* In the view with that name. */
void tfp_screen_go_to_node_in(struct tfp_screen *screen, const char *view, uint32_t node);
/* To the row with KEY. */
void tfp_screen_go_to_key_in(struct tfp_screen *screen, const struct tfp_view *view, uint64_t key);
/* Goes where the cursor's row leads to; false if it leads nowhere. */
bool tfp_screen_follow(struct tfp_screen *screen);

/* ---- files (act_copy.c, act_write.c) ---- */

/* The rows of the pane that has the focus; false: the tree has it, or there are none. */
bool tfp_screen_pane_table(const struct tfp_screen *screen, struct tfp_pane_table *table);
/* "nodes pane", "values pane, page 2 of 7": what TABLE is. In ARENA. */
char *tfp_pane_table_text(const struct tfp_pane_table *table, struct tfp_arena *arena);

void tfp_wish_free(struct tfp_wish *wish);
void tfp_screen_take_writing(struct tfp_screen *screen, struct tfp_answer *answer);

/* ---- saving (act_save.c) ---- */

/* From now on only what becomes different is a change to be saved. */
void tfp_screen_keep(struct tfp_screen *screen);
void tfp_screen_keep_nothing(struct tfp_screen *screen);

/* ---- the frame (frame.c) ---- */

/* The parts of the screen that the mouse finds something in. */
enum tfp_zone { TFP_ZONE_NONE, TFP_ZONE_TABS, TFP_ZONE_BODY, TFP_ZONE_PANE };
/* The one that line Y is in, and the AREA that it has. */
enum tfp_zone tfp_screen_zone(const struct tfp_screen *screen, int y, struct tfp_area *area);
/* With PART the rows are those of one of the parts that a page is drawn in, by turns, and the screen stays dirty. */
void tfp_screen_paint(struct tfp_screen *screen, bool part);
/* Why what is shown has no pane, however many lines there are; NULL: it has one. */
const char *tfp_screen_lacks_pane(const struct tfp_screen *screen);
/* Whether the pane is to be seen at this size of the terminal. */
bool tfp_screen_has_pane(const struct tfp_screen *screen);

/* ---- header lines (querybar.c) ---- */

void tfp_querybar_tabs(const struct tfp_screen *screen, struct tfp_pen *pen);
/* The digit of the tab at column X of COLS; '\0': none. */
char tfp_querybar_digit(const struct tfp_screen *screen, int cols, int x);
void tfp_querybar_query(const struct tfp_screen *screen, struct tfp_pen *pen);
/* What is missing for VIEW; NULL if it can be shown. */
const char *tfp_screen_view_missing(const struct tfp_screen *screen, const struct tfp_view *view);
/* The same of the view of DIGIT. */
const char *tfp_querybar_missing(const struct tfp_screen *screen, char digit);
/* NULL: none of that digit */
const struct tfp_view *tfp_querybar_view(const struct tfp_screen *screen, char digit);

/* ---- editor and clipboard (outside.c) ---- */

void tfp_screen_edit(struct tfp_screen *screen, const char *file, int32_t line);
/* Puts raw TEXT into the clipboard of the terminal (OSC 52). */
void tfp_screen_copy(struct tfp_screen *screen, struct tfp_span text);

#endif
