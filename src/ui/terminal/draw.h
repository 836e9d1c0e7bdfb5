/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawing: a pen that writes one line of the screen from left to right, in inks and in cells, and
 * never over its right end. Everything that is drawn goes through it, so that no byte of a file
 * reaches the terminal uncleaned. Curses finds what changed; whoever paints a line paints all of
 * it.
 */
#ifndef TFP_UI_DRAW_H
#define TFP_UI_DRAW_H

#include "tfprof/base.h"
#include "ui/terminal/theme.h"

struct tfp_pen {
	const struct tfp_theme *theme;
	bool utf8;  /* the terminal shows Unicode; else only ASCII is drawn */
	bool faded; /* all is drawn dimmed */
	int y, x, end;
};

/* A part of the screen. */
struct tfp_area {
	int y, x, rows, cols;
};

enum tfp_symbol {
	TFP_SYMBOL_OPEN,
	TFP_SYMBOL_CLOSED,
	TFP_SYMBOL_DOWN, /* sorted, largest first */
	TFP_SYMBOL_UP,
	TFP_SYMBOL_RULE,
	TFP_SYMBOL_SIGHT, /* a part of a rule that is in sight */
	TFP_SYMBOL_FORK,  /* where a rule meets the line below it */
	TFP_SYMBOL_BETWEEN,
	TFP_SYMBOL_GAP,   /* for what a shortened text lost */
	TFP_SYMBOL_CHAIN, /* below the row above, though not indented */
	TFP_SYMBOL_LINK,  /* what has its row elsewhere */
	TFP_SYMBOL_LOOP,  /* what closes a loop */
	TFP_SYMBOLS
};

const char *tfp_symbol(const struct tfp_pen *pen, enum tfp_symbol symbol);

/* Room that cleaned text of any length needs: longer raw text loses its middle. */
#define TFP_CLEAN_ROOM 4096

/*
 * Makes RAW safe to draw on this terminal, in BUFFER of TFP_CLEAN_ROOM bytes; returns its bytes.
 * Our own signs get an ASCII form where needed.
 */
size_t tfp_pen_clean(const struct tfp_pen *pen, char *buffer, struct tfp_span raw);

/* Puts the pen on line Y at X, not to write at END or beyond. */
void tfp_pen_start(struct tfp_pen *pen, int y, int x, int end);
/* Our own text, or text that was cleaned. Clipped at the pen's end. */
void tfp_pen_text(struct tfp_pen *pen, enum tfp_ink ink, const char *text);
void tfp_pen_size(struct tfp_pen *pen, enum tfp_ink ink, const char *text, size_t size);
/* The first place where TEXT holds MATCH; smart case: capitals count when MATCH has any. NULL. */
const char *tfp_match_find(const char *text, const char *match);
/* Our own text, or cleaned, with what MATCH finds in it pointed out; MATCH NULL or "": nothing. */
void tfp_pen_match(struct tfp_pen *pen, enum tfp_ink ink, const char *text, const char *match);
/* Raw text, cleaned; what does not fit loses its end, and a sign says so. */
void tfp_pen_raw(struct tfp_pen *pen, enum tfp_ink ink, struct tfp_span raw);
void tfp_pen_printf(struct tfp_pen *pen, enum tfp_ink ink, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* " KEY text ", if all of it fits before END; else false, and nothing is drawn. */
bool tfp_pen_hint(struct tfp_pen *pen, const char *key, const char *text, int end);
/* TEXT at the right of WIDTH cells; of too long a text the start, and a sign that it is cut. */
void tfp_pen_right(struct tfp_pen *pen, enum tfp_ink ink, const char *text, int width);
/* Blanks, or COUNT times a symbol. Blanks up to column X. */
void tfp_pen_blank(struct tfp_pen *pen, int count);
void tfp_pen_fill(struct tfp_pen *pen, enum tfp_ink ink, int count); /* blanks in an ink */
void tfp_pen_repeat(struct tfp_pen *pen, enum tfp_ink ink, enum tfp_symbol symbol, int count);
void tfp_pen_to(struct tfp_pen *pen, int x);
/* A bar over FRACTION (0 to 1) of WIDTH cells, then blanks. */
void tfp_pen_bar(struct tfp_pen *pen, double fraction, int width);
/* Blanks to the pen's end. */
void tfp_pen_finish(struct tfp_pen *pen);
/* Cleaned TEXT in LINES lines from the pen's on, divided at blanks; the last shows that it is cut. */
void tfp_pen_wrapped(struct tfp_pen *pen, enum tfp_ink ink, const char *text, int lines);
/* How many lines of COLS columns that would take. */
int tfp_text_lines(const char *text, int cols);

#endif
