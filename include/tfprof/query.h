/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view, the query: all options as one plain value, read from option text and written as option text, and
 * the lines of commands that set it. What a query gives is in view.h.
 */
#ifndef TFPROF_QUERY_H
#define TFPROF_QUERY_H

#include "tfprof/model.h"

/* ---- query --------------------------------------------------------------------------------- */

/* The lists of patterns (or, in text mode, of literal texts). */
enum tfp_list { TFP_ACCOUNT, TFP_START, TFP_TRIM, TFP_SHOW, TFP_HIDE, TFP_LISTS };

struct tfp_minimum {
	const char *metric; /* key, resolved when the query runs */
	int64_t value;      /* in the metric's unit, */
	bool timed;         /* or picoseconds */
};

/* As an option has it: "1000", or a time "1500us". In ARENA. */
const char *tfp_minimum_print(const struct tfp_minimum *minimum, struct tfp_arena *arena);

#define TFP_MAX_MINIMUMS 40
#define TFP_MAX_VIEWS    16

/*
 * All options as one plain value. Texts belong to the query's own arena. A query copies by
 * tfp_query_copy, parses from and prints to option text, so that whatever is on a screen can be written as a
 * command line.
 */
struct tfp_query {
	struct tfp_arena arena;
	const char *view; /* "scope" */
	int64_t max_depth;
	struct tfp_minimum minimums[TFP_MAX_MINIMUMS];
	size_t minimum_count;
	int64_t step; /* step number, negative: mean */
	int64_t at;   /* --at=MICROS: time of the memory view; negative: the peak */
	const char *
		allocator; /* --allocator=NAME: whose memory, of several; NULL or "": that with the highest peak */
	int64_t range_from; /* --range=FROM:TO: ns since the recording began; TO not above FROM: all of it */
	int64_t range_to;
	int64_t rank;         /* --rank=N: events of this rank alone; negative: of all */
	const char *order_by; /* "" the view's natural order; NULL not given */
	bool reverse; /* --reverse: ascending instead of descending and the other way round */
	struct tfp_words lists[TFP_LISTS];
	bool account_displayed_op_only;
	struct tfp_words select; /* as given; checked against the profile when the query runs */
	const char *output;      /* "" is stdout */
	bool compat;             /* --compat=tf */
	/* an invalid pattern is an error in the diag and matches nothing, but the query still runs: what a
	 * report does; set by no option */
	bool forgiving;
	/* what the screen adds */
	bool flat;            /* --flat: a ranked list of leaves instead of a tree */
	bool context;         /* --context: filtered rows keep their ancestors */
	bool deep;            /* --deep: op view with input shapes and nodes below each type */
	bool merge_gradients; /* --merge_gradients: gradients count with their forward op */
	bool fold_siblings; /* --fold_siblings: a row above siblings that differ only in a number */
	bool modules;       /* --modules: scope view by HLO module, computation and instruction */
	bool fold_library;  /* --fold_library: call paths without the frames of libraries */
	/* --library_paths=TEXT,…: a path that holds one of these, or after ^ begins so, is a library's; NULL: the usual ones */
	const char *library_paths;
	bool consumers; /* --consumers: graph view with users of outputs below each node */
	/* graph view: rows for what has its row elsewhere; they have no figures, so no option sets it */
	bool links;
	/* what single events took is to be found, whether a column shows it or not; no option sets it */
	bool spread;
	/* --show_text= … : literal text anywhere in the name, smart case; NULL none */
	const char *text[TFP_LISTS];
	const char *zoom;  /* --zoom=NAME: only this row and what is below it; NULL none */
	const char *shape; /* --shape=TEXT: only nodes with these input shapes; NULL none */
	/*
	 * --baseline=step:N, rank:N, mean, median (of the other steps, or ranks), file:PATH,…: what is compared with;
	 * NULL or "": nothing
	 */
	const char *baseline;
	/*
	 * --columns=VIEW:NAME,…: the columns of screen and tables, by view in the order of tfp_views: "total,self:30",
	 * a priority behind the colon; NULL: those that come with the lens. Reports have SELECT
	 */
	const char *choices[TFP_MAX_VIEWS];
};

/* Defaults of the command line (max_depth 10, order_by name, select micros …). */
void tfp_query_init(struct tfp_query *query);
void tfp_query_copy(struct tfp_query *to, const struct tfp_query *from); /* TO uninitialised */
void tfp_query_free(struct tfp_query *query);
/* TO gets the columns of FROM. */
void tfp_query_choose(struct tfp_query *to, const struct tfp_query *from);

/* One row of the option table: name, kind of value, one line of help. */
struct tfp_option {
	const char *name;  /* "min_bytes" without dashes */
	const char *value; /* "N", "REGEX,…", "WORD"; NULL: a flag that may stand alone */
	const char *help;
	bool original;       /* one of tfprof's 21 */
	uint8_t kind, which; /* how it is read and where it is kept: see options.c */
};
extern const struct tfp_option tfp_options[]; /* ended by a NULL name, in the order of listings */
const struct tfp_option *tfp_option_find(const char *name); /* also min_KEY of any metric key */
/* Is WORD a yes or no, as flags take it? *VALUE says which. */
bool tfp_option_boolean(struct tfp_span word, bool *value);

/*
 * Sets option NAME (without dashes) from VALUE (NULL: flag without a value). False with an error that
 * names option, value and what would be valid. Metric words are checked later, by tfp_query_check.
 */
bool tfp_query_set(struct tfp_query *query, const char *name, const char *value,
		   struct tfp_diag *diag);
/*
 * What today's option is of an option NAME that names a file to read: itself, or another, with a note in
 * DIAG.
 */
const char *tfp_old_input(const char *name, struct tfp_diag *diag);
/* One line about an old NAME of an option, a word or anything of the original; NULL: it is none. In ARENA. */
char *tfp_old_name_text(struct tfp_arena *arena, const char *name);
/* The names of all options, in ARENA. */
struct tfp_words tfp_option_names(struct tfp_arena *arena);
/* What select takes of a TensorFlow profile besides its metrics; ended by NULL. */
extern const char *const tfp_select_words[];
/*
 * The words of select in bytewise order without repeats; where none was given, the main metric. Writes at
 * most ROOM, returns how many there are. The texts live as long as QUERY and PROFILE.
 */
size_t tfp_query_selected(const struct tfp_query *query, const struct tfp_profile *profile,
			  const char **out, size_t room);
/* Checks the words of select, order_by and minimums against the profile; errors list the valid ones. */
bool tfp_query_check_words(const struct tfp_query *query, const struct tfp_profile *profile,
			   struct tfp_diag *diag);
/* These, and view, step and baseline, and that an order by difference has one. */
bool tfp_query_check(const struct tfp_query *query, const struct tfp_profile *profile,
		     struct tfp_diag *diag);
/* "scope --order_by=micros --show_name_regexes='.*conv.*'": what differs from the defaults, shell quoted. */
char *tfp_query_command(const struct tfp_query *query, struct tfp_arena *arena);
/* WORDS as the value of an option that takes a list: commas of the words behind backslashes. In ARENA. */
char *tfp_words_print(struct tfp_arena *arena, struct tfp_words words);
/* TEXT as one word of a shell: as it is when it is harmless, else in single quotes. In ARENA. */
char *tfp_shell_quote(struct tfp_arena *arena, const char *text);
bool tfp_query_equal(const struct tfp_query *a, const struct tfp_query *b);
/* The ranks there are, one a file, into RANKS; returns how many, at most ROOM. */
size_t tfp_ranks(const struct tfp_trace *trace, int64_t *ranks, size_t room);
/* What the devices of RANK are named with in front, "host-b"; empty where that is the rank. Until a string is added. */
struct tfp_span tfp_rank_host(const struct tfp_profile *profile, int64_t rank);
/* The range of QUERY by the clock of TRACE; false: none is asked for. */
bool tfp_query_range(const struct tfp_query *query, const struct tfp_trace *trace, int64_t *from,
		     int64_t *to);
/* Does the range of QUERY begin behind all of the recording? */
bool tfp_query_is_beyond(const struct tfp_query *query, const struct tfp_profile *profile);
/* Does the baseline TEXT (may be NULL) name files? */
bool tfp_baseline_is_file(const char *text);
/* The files that the baseline TEXT (may be NULL) names; none if it is of another kind. In ARENA. */
struct tfp_words tfp_baseline_files(struct tfp_arena *arena, const char *text);
/* Can METRIC be another in what the baseline TEXT (NULL, "": nothing) names? Parameters are those of every step. */
bool tfp_baseline_concerns(const char *text, const struct tfp_metric *metric);
/* The metric's key in a word of --order_by: "micros" of "difference:micros"; "" where it has none. */
const char *tfp_order_key(const char *word);
/* The order by runs in TensorFlow's profiles, in which "occurrence" is by nodes, or by name. */
#define TFP_ORDER_RUNS "run_count"

/* ---- lines of commands: the shell's, and those behind ":" on the screen ---------------------------- */

enum tfp_verb {
	TFP_VERB_NONE, /* an empty line */
	TFP_VERB_VIEW, /* the query has its name */
	TFP_VERB_ADVISE,
	TFP_VERB_SET,
	TFP_VERB_HELP,
	TFP_VERB_END,
};

/* What a line says besides the query. */
struct tfp_typed {
	enum tfp_verb verb;
	const char *about; /* help: what about, NULL nothing; in the query's arena */
	bool options;      /* it names some */
};

/*
 * Reads TEXT, "scope -max_depth 3": a command, then options as the original takes them, also as --name=value, and
 * with quotes where a value has blanks or commas. QUERY gets what it says; on errors it has a part of it, so let it be
 * a copy. With STRICT, all that the original refuses is refused. Words are checked against PROFILE, which may be NULL.
 * False with an error in DIAG.
 */
bool tfp_typed_parse(const char *text, bool strict, const struct tfp_profile *profile,
		     struct tfp_query *query, struct tfp_typed *typed, struct tfp_diag *diag);
/* Are the first SIZE bytes of TEXT a command of such lines? */
bool tfp_typed_is_command(const char *text, size_t size);
/* The names of the commands, in ARENA. */
struct tfp_words tfp_typed_commands(struct tfp_arena *arena);
/* One line about a command, an option or an old name of one; NULL: NAME is none. In ARENA. */
char *tfp_typed_help(struct tfp_arena *arena, const char *name);
/* Further lines about NAME: options of a view, an example. NULL: there are none. In ARENA. */
char *tfp_typed_more(struct tfp_arena *arena, const char *name);

/* What values can be, as far as it is known. */
struct tfp_typed_words {
	const struct tfp_metric *metrics;
	size_t metric_count;
	const int64_t *steps; /* their numbers */
	size_t step_count;
	const struct tfp_profile *profile; /* for names and types; NULL: these are not known */
};

/*
 * What could stand in place of the end of TEXT from *FROM on. Words that end in '=', ':' or '/' want more behind
 * them. In ARENA.
 */
struct tfp_words tfp_typed_complete(const char *text, const struct tfp_typed_words *known,
				    size_t *from, struct tfp_arena *arena);
/*
 * What OPTION, one of the original, is in QUERY, as the original's shell lists it. Without PROFILE (NULL) what
 * depends on the files is as the query has it. In ARENA.
 */
const char *tfp_query_value(const struct tfp_query *query, const struct tfp_option *option,
			    const struct tfp_profile *profile, struct tfp_arena *arena);

#endif
