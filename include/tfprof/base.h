/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base: what every other room stands on. Regions of memory, interned strings, growable arrays,
 * collected diagnostics, the text of numbers, the width of text in a terminal, and the progress and
 * cancelling of long work.
 */
#ifndef TFPROF_BASE_H
#define TFPROF_BASE_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------- */

/*
 * Allocators that never return NULL. When memory ends they call the hook set by
 * tfp_memory_on_end (which may restore a terminal and must not return), then abort.
 * COUNT * SIZE is checked for overflow. tfp_realloc_array keeps the old content.
 */
void *tfp_alloc(size_t size);
void *tfp_alloc_zero(size_t count, size_t size);
void *tfp_realloc_array(void *old, size_t count, size_t size);
char *tfp_strdup(const char *text);
/* For programs that load large files, before they allocate: what the heap does at what size. */
void tfp_memory_start(void);
/* Gives the system what was freed, but lies between what is used: for who has read large files, and stays. */
void tfp_memory_give_back(void);
void tfp_memory_on_end(void (*hook)(void));

/* A region: pieces are allocated one after another and freed together. Zero-initialise to start. */
struct tfp_arena {
	struct tfp_arena_block *block;
	size_t bytes; /* taken from the system so far */
};

void *tfp_arena_alloc(struct tfp_arena *arena, size_t size); /* aligned to 8, not cleared */
void *tfp_arena_zero(struct tfp_arena *arena, size_t count, size_t size);
char *tfp_arena_text(struct tfp_arena *arena, const char *text, size_t size); /* copy + NUL */
char *tfp_arena_printf(struct tfp_arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tfp_arena_free(struct tfp_arena *arena);

/*
 * Growable arrays: any struct with the members `type *at; size_t count, room;`.
 *
 *	TFP_ARRAY(struct row) rows = {0};
 *	*tfp_array_push(&rows) = row;
 *	tfp_array_free(&rows);
 */
#define TFP_ARRAY(type)                                                                            \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t count, room;                                                                \
	}
#define tfp_array_reserve(array, wanted)                                                           \
	((void)((array)->room < (size_t)(wanted) &&                                                \
		((array)->at = tfp_array_grow((array)->at, &(array)->room, (wanted),               \
					      sizeof(*(array)->at)),                               \
		 1)))
#define tfp_array_push(array)                                                                      \
	(tfp_array_reserve((array), (array)->count + 1), &(array)->at[(array)->count++])
#define tfp_array_free(array)                                                                      \
	(tfp_array_release((array)->at), (array)->at = NULL, (array)->count = (array)->room = 0)
/* What these are made of; release frees any AT of such an array that was taken out of it. */
void *tfp_array_grow(void *at, size_t *room, size_t wanted, size_t size);
void tfp_array_release(void *at);

/*
 * Sorts as qsort_r; equal ones keep their order. COUNT times its logarithm is the worst: what is in order in long stretches, as
 * files have it, is looked at a few times.
 */
void tfp_sort_nearly(void *at, size_t count, size_t size,
		     int (*compare)(const void *left, const void *right, void *data), void *data);

/* ---- strings ------------------------------------------------------------------------------ */

/* A piece of memory that holds raw bytes; not ended by NUL unless said. */
struct tfp_span {
	const char *at;
	size_t size;
};

#define TFP_SPAN(literal) ((struct tfp_span){(literal), sizeof(literal) - 1})
struct tfp_span tfp_span_of(const char *text); /* which must outlive it */
static inline bool tfp_span_equal(struct tfp_span a, struct tfp_span b)
{
	return a.size == b.size && (!a.size || !memcmp(a.at, b.at, a.size));
}
bool tfp_span_is(struct tfp_span span, const char *text);
/* The same whatever the case of its letters. */
bool tfp_span_means(struct tfp_span span, const char *text);
bool tfp_span_begins(struct tfp_span span, struct tfp_span head);
bool tfp_span_ends(struct tfp_span span, struct tfp_span tail);
bool tfp_span_holds(struct tfp_span span, const char *part); /* is PART in it, as it is spelt? */
int tfp_span_compare(struct tfp_span a, struct tfp_span b);  /* bytewise unsigned, shorter first */
/* SPAN without its first SIZE bytes, of which it has as many; without blanks, tabs and returns at its ends. */
struct tfp_span tfp_span_from(struct tfp_span span, size_t size);
struct tfp_span tfp_span_trim(struct tfp_span span);
/* Splits SPAN at the first BY. False: there is none, all is HEAD, and TAIL is empty. */
bool tfp_span_split(struct tfp_span span, struct tfp_span by, struct tfp_span *head,
		    struct tfp_span *tail);

/* What is behind the last '/' of PATH; all of it where there is none. */
const char *tfp_path_name(const char *path);

/* A list of texts. */
struct tfp_words {
	const char **at;
	size_t count;
};

/* The word of VALID that is written most like WORD, whatever the case; NULL if none is near. */
const char *tfp_nearest(const char *word, struct tfp_words valid);
/*
 * The end of a message about WORD: "; did you mean scope? (scope, graph, op, code)". Of a long list
 * there are the first words, and none where one of it is near. In ARENA.
 */
char *tfp_nearest_hint(struct tfp_arena *arena, const char *word, struct tfp_words valid);

/*
 * Interned strings: equal bytes get equal ids. Id 0 is the empty string. Bytes are kept raw, each
 * string is followed by a NUL that does not count. A string never moves: one thread may intern
 * while others read ids that were handed to them (through a lock or a published tree).
 */
typedef uint32_t tfp_str;
#define TFP_NONE UINT32_MAX

struct tfp_strings;
struct tfp_strings *tfp_strings_new(void);
void tfp_strings_free(struct tfp_strings *strings);
/* The id of a string, which is copied where it is new. */
tfp_str tfp_strings_add(struct tfp_strings *strings, const char *at, size_t size);
tfp_str tfp_strings_add_text(struct tfp_strings *strings, const char *text);
/*
 * Adds COUNT strings at once, IDS gets their ids. For a large table this is several times faster
 * than one after another: the waits for memory overlap. Worth it from about four strings on.
 */
void tfp_strings_add_many(struct tfp_strings *strings, const struct tfp_span *spans, size_t count,
			  tfp_str *ids);
/* The id of a string that is there; TFP_NONE. */
tfp_str tfp_strings_find(const struct tfp_strings *strings, const char *at, size_t size);
struct tfp_span tfp_strings_get(const struct tfp_strings *strings, tfp_str id);
const char *tfp_strings_text(const struct tfp_strings *strings, tfp_str id); /* NUL ended */
uint32_t tfp_strings_count(const struct tfp_strings *strings);
size_t tfp_strings_bytes(const struct tfp_strings *strings); /* of memory */

/* ---- diagnostics -------------------------------------------------------------------------- */

enum tfp_severity { TFP_NOTE, TFP_WARNING, TFP_ERROR };

/*
 * In place of a line: what explains what else is wrong with the file. It ends too early or is damaged as it is packed;
 * and before that, it ends where it did not when it was opened.
 */
#define TFP_EXPLAINS  (-1)
#define TFP_CUT_SHORT (-2)

/* One thing found wrong, and how often. */
struct tfp_problem {
	enum tfp_severity severity;
	const char *file; /* NULL if not about a file */
	int64_t offset;   /* byte of the file where it was first seen, -1 unknown */
	int64_t line;     /* line of a text file, 0 unknown; or one of these */
	const char *text; /* one sentence without newline or final stop */
	uint64_t count;   /* times seen */
};

/*
 * A collector of problems. Two problems of the same file with the same format are one problem
 * counted twice (for the format "%s": with the same text); what is kept is bounded whatever a file
 * holds.
 * Safe to add from one thread and read from another.
 */
struct tfp_diag;
struct tfp_diag *tfp_diag_new(void);
void tfp_diag_free(struct tfp_diag *diag);
/* Drops all problems; nothing else uses DIAG meanwhile. */
void tfp_diag_clear(struct tfp_diag *diag);
/* Drops those that were added since there were COUNT. */
void tfp_diag_keep(struct tfp_diag *diag, size_t count);
/* Adds a problem, whose texts are copied. FILE, OFFSET and LINE: see struct tfp_problem. */
void tfp_diag_add(struct tfp_diag *diag, enum tfp_severity severity, const char *file,
		  int64_t offset, int64_t line, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* Shorthands without a place. */
void tfp_diag_error(struct tfp_diag *diag, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tfp_diag_note(struct tfp_diag *diag, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds the problems of FROM, those that are there already not once more. */
void tfp_diag_take(struct tfp_diag *diag, const struct tfp_diag *from);
size_t tfp_diag_count(const struct tfp_diag *diag); /* 0 of NULL */
/* Copy of problem INDEX; its texts live as long as DIAG. */
struct tfp_problem tfp_diag_get(const struct tfp_diag *diag, size_t index);
size_t tfp_diag_errors(const struct tfp_diag *diag); /* distinct problems of severity error */
/*
 * "file:line: text", "file: at byte N: text (3 times)" into BUFFER, made safe to print; returns the
 * length as snprintf.
 */
size_t tfp_problem_print(const struct tfp_problem *problem, char *buffer, size_t room);

/* ---- numbers ------------------------------------------------------------------------------ */

enum tfp_unit {
	TFP_COUNT,
	TFP_BYTES,
	TFP_MICROS,
	TFP_NANOS,
	TFP_PICOS,
	TFP_RATE,
	TFP_DATE, /* seconds since 1970; on the screen by the clock of the place */
	TFP_WORDS /* a text by its number: see struct tfp_metric */
};

/* Room for any text that the functions below make, NUL included. */
#define TFP_NUMBER_ROOM 32

/*
 * The original's number texts (counts 1.23k, times 1.23ms, memory 1.23KB in powers of 1000; the
 * unit is chosen before rounding; negative values take the plain form). TFP_NANOS and TFP_PICOS
 * print like times, with ns and ps below 1000 of them; TFP_RATE prints as a count. Return BUFFER.
 */
char *tfp_number_compat(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value);
/* The same without NUL; returns its end. All of the room may be written to. */
char *tfp_number_put(char to[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value);
/*
 * The screen's number texts: like the above but promoted when rounding reaches the next unit, with
 * "s" for seconds, then "min" and "h", GB and TB, counts of millions as "2.45M" and up to "P" (10^15), rates as "46.50G/s",
 * and a minus sign that scales.
 */
char *tfp_number_screen(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value);
/* Every digit, grouped by thousands with ','. */
char *tfp_number_exact(char buffer[TFP_NUMBER_ROOM], int64_t value);
/*
 * TIME, nanoseconds or picoseconds, as a whole number of the largest unit of which STEP holds one at least: "120,300us".
 */
char *tfp_number_tick(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t time, int64_t step);
/* The times FROM and TO, as on the screen, or where these would hardly differ with as many digits as it takes. */
void tfp_number_times(char from_text[TFP_NUMBER_ROOM], char to_text[TFP_NUMBER_ROOM],
		      enum tfp_unit unit, int64_t from, int64_t to);
/* How near to each other the nearest of COUNT sorted TIMES are that would look the same; UINT64_MAX: none would. */
uint64_t tfp_number_nearest(enum tfp_unit unit, const int64_t *times, size_t count);
/* TIME as on the screen, or with as many digits as all of a list need whose nearest are so far APART. */
char *tfp_number_time(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t time,
		      uint64_t apart);
/* "1 step", "1,100 steps": so many of WHAT. In ARENA. */
char *tfp_number_count(struct tfp_arena *arena, int64_t count, const char *what);
/* Whole decimal text to int64: optional sign, digits; false if there is more, or on overflow. */
bool tfp_number_parse(const char *text, int64_t *value);
/* For qsort of int64_t: the least first. */
int tfp_number_compare(const void *left, const void *right);

/* Two's complement sums and products of file values: wrap, never overflow. */
static inline int64_t tfp_wrap_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t tfp_wrap_mul(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* ---- text in a terminal -------------------------------------------------------------------- */

/*
 * Makes raw bytes safe to draw: control characters, bidi controls and broken UTF-8 become visible
 * replacements (U+FFFD or '?' when ASCII only). Writes at most ROOM bytes with NUL into BUFFER and
 * returns the bytes written without it; never splits a character. ASCII: all non-ASCII becomes '?'.
 */
size_t tfp_text_clean(char *buffer, size_t room, struct tfp_span raw, bool ascii);
/* Are all of TEXT's bytes UTF-8? */
bool tfp_text_is_utf8(struct tfp_span text);
/* Terminal cells that clean UTF-8 text takes. */
size_t tfp_text_cells(const char *text, size_t size);
/* Longest prefix of clean text that fits in CELLS; returns its bytes, *taken gets its cells. */
size_t tfp_text_fit(const char *text, size_t size, size_t cells, size_t *taken);
/*
 * Shortens clean text to CELLS: what is lost is the middle, never the last path part if it fits;
 * the gap shows as ELLIPSIS (one cell). Returns the bytes written to BUFFER (NUL added).
 */
size_t tfp_text_shorten(char *buffer, size_t room, const char *text, size_t size, size_t cells,
			const char *ellipsis);
/*
 * The same, but what is lost is the beginning, as of files whose ends tell them apart: up to a path
 * part where at least two parts stay whole.
 */
size_t tfp_text_shorten_start(char *buffer, size_t room, const char *text, size_t size,
			      size_t cells, const char *ellipsis);
/*
 * What stands in CELLS of a text that is pushed to the left by FROM: all of it where it fits; else no
 * more is lost at the start than is needed to see the end, and each end that is lost shows as ELLIPSIS.
 */
size_t tfp_text_shorten_from(char *buffer, size_t room, const char *text, size_t size, size_t from,
			     size_t cells, const char *ellipsis);
/* Bytes of a text at which others differ from it, as many as are of use. */
struct tfp_apart_at {
	size_t at[8], count;
};
/* Those that would look the same when shortened, and the others: without the first, it can be shortened like any text. */
struct tfp_apart {
	struct tfp_apart_at alike, others;
};
/* Adds to APART where TEXT and OTHER differ, when both are longer than CELLS. */
void tfp_text_compare(struct tfp_apart *apart, const char *text, size_t size, const char *other,
		      size_t other_size, size_t cells, const char *ellipsis);
/*
 * Shortens like tfp_text_shorten, but of what looks the same first the characters at APART stay, then the last path
 * part, then the words at APART: what lies between may be lost.
 */
size_t tfp_text_shorten_apart(char *buffer, size_t room, const char *text, size_t size,
			      const struct tfp_apart *apart, size_t cells, const char *ellipsis);

/* ---- long work ---------------------------------------------------------------------------- */

struct tfp_profile;

/*
 * Shared between one worker and those who watch it. The worker polls tfp_job_cancelled between
 * pieces of work of at most a few milliseconds, and sets done and total (bytes while loading).
 * A NULL job is never cancelled and drops progress.
 */
struct tfp_job {
	atomic_bool cancel;
	_Atomic uint64_t done, total;
	_Atomic uint64_t known; /* of TOTAL: what was read before and is passed in a moment */
	_Atomic uint64_t made, to_make; /* rows of a view that takes long; 0: it does not say */
	void (*tick)(struct tfp_job *job,
		     void *data); /* called by the worker now and then; may be NULL */
	/*
	 * Takes over a profile of a part of files that are still to be read. Called by the worker, each time with
	 * more of them; NULL: nobody wants to see one.
	 */
	void (*begin)(struct tfp_job *job, struct tfp_profile *profile);
	void *data;
};

static inline bool tfp_job_cancelled(struct tfp_job *job)
{
	return job && atomic_load_explicit(&job->cancel, memory_order_relaxed);
}
void tfp_job_progress(struct tfp_job *job, uint64_t done); /* sets done, calls tick */
void tfp_job_tick(struct tfp_job *job);                    /* calls tick alone */

#endif
