/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ui: the full screen. One call shows a profile until the person quits; everything that it needs
 * from the program around it comes in one struct.
 */
#ifndef TFP_UI_UI_H
#define TFP_UI_UI_H

#include "tfprof/view.h"

/* ---- themes: how each kind of text (an ink) looks ---- */

enum tfp_look_bit {
	TFP_LOOK_BOLD = 1,
	TFP_LOOK_UNDERLINE = 2,
	TFP_LOOK_REVERSE = 4,
	TFP_LOOK_ITALIC = 8
};

/* Colours that are no number of the terminal's palette of 256, or its own of -1. */
#define TFP_LOOK_RGB 0x1000000

struct tfp_look {
	int32_t color;      /* -1: the terminal's own; 0 to 255; TFP_LOOK_RGB + 0xrrggbb */
	uint8_t attributes; /* bits of enum tfp_look_bit */
	uint8_t plain;      /* the same where there are no colours */
};

#define TFP_UI_INKS 32 /* room for as many */

struct tfp_ui_theme {
	bool ascii; /* no other signs than ASCII's, whatever the locale */
	struct tfp_look looks[TFP_UI_INKS];
};

/* Name of ink INDEX as theme files spell it; NULL when there are no more. */
const char *tfp_ui_ink(size_t index);
/* The theme that is compiled in. */
void tfp_ui_theme_default(struct tfp_ui_theme *theme);

/* ---- keys ---- */

/* What the settings say of an action: its keys, "j Down C-n", and no others; "": none. */
struct tfp_ui_keys {
	const char *action, *keys;
};

/* The keys of ACTION where nothing is set; NULL when there is no such action. */
const char *tfp_ui_action_keys(const char *action);
/* The names of all actions, in ARENA. */
struct tfp_words tfp_action_names(struct tfp_arena *arena);
/* Is there a key called KEY ("C-n", "PgDn"), of SIZE bytes? */
bool tfp_ui_is_key(const char *key, size_t size);
/* The action that has KEY where nothing is set; NULL. */
const char *tfp_ui_key_owner(const char *key, size_t size);
/* ---- settings that the screen can change ---- */

/* A setting by its key in the files, or NAME in the map that it is. VALUE NULL: not set. */
struct tfp_ui_change {
	const char *setting, *name, *value;
};

/* The words for the sizes of the pane, NULL-ended. */
extern const char *const tfp_pane_sizes[];

/* ---- the screen ---- */

/* What the screen is left for. */
enum tfp_ui_next { TFP_UI_QUIT, TFP_UI_BACK, TFP_UI_LIST, TFP_UI_OPEN };

/* What is typed, each kind of text by itself. */
enum tfp_past_kind { TFP_PAST_COMMANDS, TFP_PAST_SEARCHES, TFP_PAST_FILES, TFP_PAST_KINDS };

/* What was entered, the oldest first. All of it is zero in the beginning. */
struct tfp_ui_past {
	TFP_ARRAY(char *) of[TFP_PAST_KINDS];
};

void tfp_ui_past_free(struct tfp_ui_past *past);

/* Where a person was in a profile or a list; keys are those of rows. All belongs to the arena. */
struct tfp_ui_place {
	struct tfp_arena arena;
	const char *view; /* NULL: nothing is known */
	uint64_t cursor;
	const uint64_t *open; /* ascending */
	size_t open_count;
	const char *query; /* as a command line has it; NULL: none */
	const char *why;   /* why nothing is known, not the arena's; NULL: there was no last time */
};

/* QUERY (uninitialised) as the screen begins where nobody says otherwise: all levels, folded. */
void tfp_ui_query(struct tfp_query *query);

struct tfp_ui_config {
	/*
	 * Loads the files and returns an engine over them, which the screen takes over; NULL with
	 * an error in DIAG when nothing could be read. Called by the worker thread, again for each
	 * reload.
	 */
	struct tfp_engine *(*load)(void *data, struct tfp_job *job, struct tfp_diag *diag);
	/*
	 * Loads the files that the baseline TEXT ("file:PATH,…") names, and adds them to ENGINE. False
	 * with an error in DIAG when they can't be read. Called by the worker thread. May be NULL.
	 */
	bool (*load_other)(struct tfp_engine *engine, const char *text, struct tfp_job *job,
			   struct tfp_diag *diag);
	void *data; /* LOAD's */
	/*
	 * The first query; NULL: that of tfp_ui_query. view NULL: the file's own; order_by NULL:
	 * the metric that leads. DEEP is for the views that have it, all the time.
	 */
	const struct tfp_query *query;
	bool columns_given
		[TFP_MAX_VIEWS]; /* the query's columns of that view are the person's, in the order of tfp_views */
	bool flat_given; /* the query's FLAT is what the person wants, whatever the file opens as */
	const char
		*title; /* what is open, raw bytes: "resnet32 graph·2 steps·op log"; may be NULL */
	const char *files; /* the files as shell words, for copied command lines; may be NULL */
	const char *no_sources; /* why source files are not here; NULL: they may be */
	const char *editor;     /* command of the editor; NULL: $VISUAL, $EDITOR, vi */
	const char *lens; /* name of the metric that leads, where the file has it; NULL: its own */
	const char *pane; /* one of tfp_pane_sizes; NULL: the first */
	bool no_bars, exact, of_root;
	bool mouse; /* where the terminal has one */
	/*
	 * Saves settings; *PATH gets the name of the file. False with an error in DIAG. May be NULL.
	 */
	bool (*save)(void *data, const struct tfp_ui_change *changes, size_t count,
		     const char **path, struct tfp_diag *diag);
	void *save_data;
	const struct tfp_ui_theme *theme; /* NULL: the one that is compiled in */
	const struct tfp_ui_keys *keys;   /* that are not as in the action table */
	size_t key_count;
	const char *const *sources; /* where sources lie, as :source-root takes it */
	size_t source_count;
	/*
	 * Reads the theme NAME; what is wrong in its file is a warning in DIAG, and the rest holds.
	 * False with an error or a warning when there is no such theme. May be NULL.
	 */
	bool (*read_theme)(void *data, const char *name, struct tfp_ui_theme *theme,
			   struct tfp_diag *diag);
	/* The names of all themes, in ARENA. May be NULL. */
	struct tfp_words (*theme_names)(void *data, struct tfp_arena *arena);
	/*
	 * ---- more than one thing to open; what is NULL here there is not ----
	 * PLACE is where the person was the last time, and in the end where they were this time.
	 */
	struct tfp_ui_place *place;
	bool again;             /* the list goes on with that place's query */
	enum tfp_ui_next *next; /* gets what the screen was left for */
	const char *notice;     /* to be said first */
	bool has_list;          /* q goes back to a list */
	bool has_former;        /* a list, before which another was shown, to go back to */
	bool has_before; /* something was open: C-o goes back to it, and so does what can't be read */
	struct tfp_ui_past
		*past; /* what was typed into other screens, and in the end into this one */
	void *opener;  /* for the four below */
	/*
	 * Takes what the COUNT nodes of a listing stand for, or what PATH is, to be opened when the
	 * screen is left. False with an error in DIAG when that can't be.
	 */
	bool (*choose)(void *opener, const uint32_t *nodes, size_t count, struct tfp_diag *diag);
	bool (*open)(void *opener, const char *path, struct tfp_diag *diag);
	/* As choose, of NODE, which is to be compared with what the node OTHER stands for. */
	bool (*compare)(void *opener, uint32_t node, uint32_t other, struct tfp_diag *diag);
	/*
	 * Is what NEXT leads back to still there? False with an error in DIAG; nothing of it was read.
	 */
	bool (*is_there)(void *opener, enum tfp_ui_next next, struct tfp_diag *diag);
	/* Asked on SIGBUS with the address: true when the access may be repeated. May be NULL. */
	bool (*guard)(void *address);
	/* Asked after each task: adds to the problems which files lost what it read. May be NULL. */
	void (*tell_lost)(struct tfp_diag *diag);
};

/*
 * Whether this terminal can show the screen: standard output is a terminal of a known type that
 * can place its cursor, and there is a terminal to read keys from. Else false, with the reason as
 * a note in DIAG.
 */
bool tfp_ui_usable(struct tfp_diag *diag);

/*
 * Shows the screen until the person quits. Problems of the files collect in DIAG. Returns the exit
 * status: 0, or 1 with an error in DIAG when nothing could be loaded or the terminal failed. Uses
 * curses, signal handlers and one thread more while it runs, and leaves none of them behind.
 */
int tfp_ui_run(const struct tfp_ui_config *config, struct tfp_diag *diag);

/*
 * Gives the terminal back as it was found, where the screen has it: for a program that is about to end in
 * the middle of something. May be called by any thread and by signal handlers.
 */
void tfp_ui_leave(void);

#endif
