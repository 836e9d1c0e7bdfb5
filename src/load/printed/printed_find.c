/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in a text the reports are. One begins at its header or, in versions that print none, at its
 * root; what is before the first of these may be the rest of one whose beginning is missing.
 */
#include "load/printed/printed_cells.h"

#define HEADER "node name |"
#define ROOT   "_TFProfRoot"

/* So many pieces can a wrapped line have, and so many bytes all of them. */
#define MOST_PIECES 128
#define MOST_BYTES  (1 << 16)

/* The report at hand. */
struct reader {
	struct tfp_printed *printed;
	struct tfp_printed_lines *lines;
	struct tfp_printed_report report;
	size_t at, end; /* of its lines */
	bool op, bare;
	TFP_ARRAY(char) joined;
	struct tfp_printed_cell cells[TFP_PRINTED_COLUMNS];
	struct tfp_printed_row row; /* that was read last */
};

/* ---- marks in lines --------------------------------------------------------------------------- */

static const char *find_header(struct tfp_span line)
{
	return line.size ? memmem(line.at, line.size, HEADER, sizeof(HEADER) - 1) : NULL;
}

/* A root stands alone, or has its cells behind it. */
static const char *find_root(struct tfp_span line)
{
	const char *root = line.size ? memmem(line.at, line.size, ROOT, sizeof(ROOT) - 1) : NULL;
	struct tfp_span rest;

	if (!root)
		return NULL;
	rest = tfp_span_from(line, (size_t)(root - line.at) + sizeof(ROOT) - 1);
	while (rest.size && rest.at[rest.size - 1] == ' ')
		rest.size--;
	return !rest.size || tfp_span_begins(rest, TFP_SPAN(" (")) ? root : NULL;
}

static const char *find_mark(struct tfp_span line)
{
	const char *header = find_header(line);

	return header ? header : find_root(line);
}

/* What follows a report, or stands before one. */
static bool ends_report(struct tfp_span line)
{
	static const char *const words[] = {"tfprof>", "```", "====", "Doc:", "Profile:"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (tfp_span_begins(line, tfp_span_of(words[i])))
			return true;
	return false;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static bool read_bare(struct tfp_span text, struct tfp_printed_row *row)
{
	size_t indent = 0;

	while (indent < text.size && text.at[indent] == ' ')
		indent++;
	*row = (struct tfp_printed_row){
		.depth = (uint32_t)(indent / 2),
		.name = tfp_span_from(text, indent),
		.shape = {"", 0},
	};
	return row->name.size && (indent || tfp_span_equal(row->name, TFP_SPAN(ROOT)));
}

static bool read_row(struct reader *reader, struct tfp_span text)
{
	const struct tfp_printed_columns *columns = &reader->report.columns;
	struct tfp_printed_row *row = &reader->row;

	if (reader->bare) {
		row->cells = reader->cells;
		return read_bare(text, row);
	}
	if (!reader->op)
		return tfp_printed_tree_row(text, columns, row, reader->cells);
	return tfp_printed_input_row(text, row) ||
	       tfp_printed_op_row(text, columns, row, reader->cells);
}

static struct tfp_span append(struct reader *reader, struct tfp_span piece)
{
	tfp_array_reserve(&reader->joined, reader->joined.count + piece.size + 1);
	if (piece.size)
		memcpy(reader->joined.at + reader->joined.count, piece.at, piece.size);
	reader->joined.count += piece.size;
	return (struct tfp_span){reader->joined.at, reader->joined.count};
}

static bool ends_in_list(const struct reader *reader)
{
	const struct tfp_printed_columns *columns = &reader->report.columns;
	size_t count = columns->count;
	enum tfp_printed_kind kind;

	if (!reader->op || !count || reader->row.input)
		return false;
	kind = columns->at[count - 1].kind;
	if (kind == TFP_PRINTED_SHAPES && count > 1)
		kind = columns->at[count - 2].kind;
	return kind >= TFP_PRINTED_DEVICES;
}

/* A list at the end of a row of an op report does not tell that it goes on. */
static bool list_goes_on(const struct reader *reader, struct tfp_span last, struct tfp_span next)
{
	return ends_in_list(reader) && tfp_printed_continues(reader->lines, last, next) &&
	       !tfp_span_begins(next, TFP_SPAN("...")) && !tfp_span_holds(next, "  ") &&
	       !tfp_span_holds(next, "%") && !tfp_span_begins(next, TFP_SPAN("input_type:"));
}

/* A row that goes on in the next line begins as rows of its report do. */
static bool may_begin(const struct reader *reader, struct tfp_span line)
{
	return reader->op || tfp_span_begins(line, TFP_SPAN("  ")) ||
	       tfp_span_begins(line, TFP_SPAN(ROOT));
}

/*
 * Reads the row that begins at line reader->at, put together of as many lines as it takes. Returns
 * how many those are, 0 when there is no row. TEXT is the whole of it.
 */
static size_t join_row(struct reader *reader, struct tfp_span *text)
{
	struct tfp_span last = tfp_printed_line(reader->lines, reader->at), next;
	size_t pieces = 1, fits = 0, size = 0;

	reader->joined.count = 0;
	*text = append(reader, last);
	while (pieces < MOST_PIECES && text->size < MOST_BYTES) {
		if (read_row(reader, *text)) {
			fits = pieces;
			size = text->size;
		}
		if (reader->at + pieces >= reader->end || !may_begin(reader, *text))
			break;
		next = tfp_printed_line(reader->lines, reader->at + pieces);
		if (fits ? !list_goes_on(reader, last, next)
			 : !tfp_printed_continues(reader->lines, last, next))
			break;
		*text = append(reader, next);
		last = next;
		pieces++;
	}
	text->size = fits ? size : text->size;
	return fits;
}

static void keep_row(struct reader *reader, struct tfp_span text)
{
	struct tfp_arena *arena = &reader->printed->arena;
	size_t count = reader->report.columns.count;
	struct tfp_span kept = {tfp_arena_text(arena, text.at, text.size), text.size};
	struct tfp_printed_row row;

	/* Read again, so that all its texts are in what is kept. */
	if (!read_row(reader, kept))
		return;
	row = reader->row;
	row.line = reader->at + 1;
	if (row.cells) {
		row.cells = tfp_arena_alloc(arena, (count + 1) * sizeof(*row.cells));
		memcpy(row.cells, reader->cells, count * sizeof(*row.cells));
	}
	*tfp_array_push(&reader->report.rows) = row;
}

/* A row that does not begin with its line: its depth is none that it can have there. */
static bool is_cut(const struct reader *reader)
{
	const struct tfp_printed_row *row = &reader->row;

	return !reader->op && !row->depth && !tfp_span_equal(row->name, TFP_SPAN(ROOT));
}

static void cut(struct reader *reader, struct tfp_span *what, struct tfp_span text)
{
	*what = (struct tfp_span){tfp_arena_text(&reader->printed->arena, text.at, text.size),
				  text.size};
	reader->report.cut_line = reader->at < reader->end ? reader->at + 1 : reader->end;
}

/* A list at the end of a file that has no last newline may have been longer. */
static bool may_be_cut(const struct reader *reader, size_t lines)
{
	return reader->at + lines == reader->lines->list.count && reader->lines->open &&
	       ends_in_list(reader);
}

/* Whether TEXT, the end of the file, is what is left of a row. */
static bool ends_cut(const struct reader *reader, struct tfp_span text)
{
	size_t indent = 0;

	while (indent < text.size && text.at[indent] == ' ')
		indent++;
	return reader->end == reader->lines->list.count && reader->report.rows.count &&
	       (reader->op || indent > 1) &&
	       !tfp_span_begins(tfp_span_from(text, indent), TFP_SPAN("..."));
}

static bool is_second_root(const struct reader *reader)
{
	return reader->report.rows.count && !reader->op &&
	       tfp_span_equal(reader->row.name, TFP_SPAN(ROOT));
}

static bool read_rows(struct reader *reader, struct tfp_job *job)
{
	bool whole = true; /* the last line with text was a row */
	struct tfp_span text = {"", 0};
	size_t first = reader->at;

	while (reader->at < reader->end && !tfp_job_cancelled(job)) {
		struct tfp_span line = tfp_printed_line(reader->lines, reader->at);
		size_t lines = 1;

		if (ends_report(line) || (reader->bare && !line.size))
			return true;
		if (line.size) {
			lines = join_row(reader, &text);
			whole = lines > 0 && !may_be_cut(reader, lines);
			lines = whole ? lines : 0;
		}
		if (lines && line.size && is_second_root(reader))
			return true;
		if (lines && line.size && !is_cut(reader))
			keep_row(reader, text);
		else if (line.size && reader->at == first && !reader->report.columns.header)
			cut(reader, &reader->report.cut_head, line);
		reader->at += lines ? lines : 1;
	}
	if (!whole && ends_cut(reader, text))
		cut(reader, &reader->report.cut_row, text);
	return !tfp_job_cancelled(job);
}

/* ---- headers ---------------------------------------------------------------------------------- */

/* Reads the header that begins in the line at hand, which may be wrapped. */
static void read_header(struct reader *reader)
{
	struct tfp_span last = tfp_printed_line(reader->lines, reader->at), text, next;
	struct tfp_printed_columns *columns = &reader->report.columns;
	size_t pieces = 1;
	bool fine;

	reader->joined.count = 0;
	text = append(reader, last);
	fine = tfp_printed_header(tfp_span_from(text, sizeof(HEADER) - 1), columns);
	while (pieces < MOST_PIECES && reader->at + pieces < reader->end) {
		struct tfp_printed_columns more;

		next = tfp_printed_line(reader->lines, reader->at + pieces);
		if (!tfp_printed_continues(reader->lines, last, next) || find_root(next))
			break;
		text = append(reader, next);
		last = next;
		pieces++;
		if (tfp_printed_header(tfp_span_from(text, sizeof(HEADER) - 1), &more)) {
			*columns = more;
			fine = true;
			reader->at += pieces - 1;
			pieces = 1;
		} else if (fine && !tfp_span_holds(next, "|") &&
			   !tfp_span_ends(text, TFP_SPAN("s"))) {
			break;
		}
	}
	reader->at++;
}

/* What rows look like, by the number of their cells. */
struct guesses {
	struct tfp_printed_guess at[TFP_PRINTED_COLUMNS + 1];
	size_t seen[TFP_PRINTED_COLUMNS + 1];
};

/* Rows of trees may lack a cell, those of op reports have as many as most have. */
static const struct tfp_printed_guess *choose_guess(const struct guesses *guesses, bool op)
{
	size_t best = 0;

	for (size_t i = 0; i <= TFP_PRINTED_COLUMNS; i++)
		if (op ? guesses->seen[i] > guesses->seen[best] : guesses->at[i].sure)
			best = i;
	return &guesses->at[best];
}

static void guess_rows(struct reader *reader, bool op, struct tfp_printed_guess *best, size_t *sure)
{
	struct guesses guesses = {0};

	*sure = 0;
	for (size_t i = reader->at; i < reader->end; i++) {
		struct tfp_span line = tfp_printed_line(reader->lines, i);
		struct tfp_printed_guess guess;

		if (ends_report(line) && *sure)
			break;
		if (!(op ? tfp_printed_op_guess : tfp_printed_tree_guess)(line, &guess))
			continue;
		tfp_printed_guess_merge(&guesses.at[guess.count], &guess);
		guesses.seen[guess.count]++;
		*sure += guess.sure;
	}
	*best = *choose_guess(&guesses, op);
}

/* Finds out what the columns are. False when there are no rows to tell from. */
static bool guess_columns(struct reader *reader)
{
	struct tfp_printed_guess tree, op;
	size_t trees, ops;

	guess_rows(reader, false, &tree, &trees);
	guess_rows(reader, true, &op, &ops);
	if (!trees && !ops)
		return false;
	reader->op = ops > trees;
	tfp_printed_guess_columns(reader->op ? &op : &tree, &reader->report.columns);
	return true;
}

/* Whether a root follows: only trees have one. */
static bool root_follows(const struct reader *reader)
{
	for (size_t i = reader->at; i < reader->end && i < reader->at + 3; i++)
		if (find_root(tfp_printed_line(reader->lines, i)))
			return true;
	return false;
}

/* ---- a report --------------------------------------------------------------------------------- */

/* "file.py:12:function" */
static bool is_code_label(struct tfp_span name)
{
	struct tfp_span file, rest, number;
	int64_t line;

	while (tfp_span_split(name, TFP_SPAN(":"), &file, &rest)) {
		if (tfp_span_split(rest, TFP_SPAN(":"), &number, &name) &&
		    tfp_printed_integer(number, &line))
			return file.size > 0;
		name = rest;
	}
	return false;
}

static const char *view_of(const struct reader *reader)
{
	size_t code = 0, count = reader->report.rows.count;

	if (reader->op)
		return "op";
	for (size_t i = 0; i < count; i++)
		code += is_code_label(reader->report.rows.at[i].name);
	return 2 * code > count ? "code" : "tree";
}

/* Reads the report whose mark, if there is one, stands in the first of the lines up to END. */
static bool read_report(struct reader *reader, struct tfp_job *job)
{
	struct tfp_span line = reader->lines->list.at[reader->at];
	const char *mark = find_mark(line);
	struct tfp_span prefix = {line.at, mark ? (size_t)(mark - line.at) : 0};
	bool found = true;

	reader->report = (struct tfp_printed_report){.line = reader->at + 1};
	reader->op = reader->bare = false;
	tfp_printed_settle(reader->lines, prefix, reader->at, reader->end);
	if (mark && mark == find_header(line)) {
		read_header(reader);
		reader->op = !root_follows(reader);
	} else {
		line = tfp_printed_line(reader->lines, reader->at);
		reader->bare = mark && line.size <= sizeof(ROOT);
		found = reader->bare || guess_columns(reader);
	}
	if (!found)
		return !tfp_job_cancelled(job);
	if (!read_rows(reader, job))
		return false;
	reader->report.view = view_of(reader);
	if (reader->report.rows.count)
		*tfp_array_push(&reader->printed->reports) = reader->report;
	return true;
}

/* The next line with a mark after FROM; a root just below its header is no mark. */
static size_t next_mark(const struct tfp_printed_lines *lines, size_t from, bool header)
{
	for (size_t i = from; i < lines->list.count; i++) {
		if (find_header(lines->list.at[i]))
			return i;
		if (!find_root(lines->list.at[i]))
			continue;
		if (!header)
			return i;
		header = false;
	}
	return lines->list.count;
}

bool tfp_printed_read(struct tfp_printed *printed, struct tfp_span text, struct tfp_job *job)
{
	struct reader reader = {.printed = printed, .lines = &printed->lines};
	size_t count, at = 0;
	bool done = true;

	*printed = (struct tfp_printed){0};
	printed->lines.arena = &printed->arena;
	tfp_printed_split(&printed->lines, text);
	count = printed->lines.list.count;
	while (done && at < count) {
		bool header = find_header(printed->lines.list.at[at]);

		reader.at = at;
		reader.end = next_mark(&printed->lines, at + 1, header);
		at = reader.end;
		done = read_report(&reader, job);
	}
	tfp_array_free(&reader.joined);
	return done;
}

void tfp_printed_free(struct tfp_printed *printed)
{
	for (size_t i = 0; i < printed->reports.count; i++)
		tfp_array_free(&printed->reports.at[i].rows);
	tfp_array_free(&printed->reports);
	tfp_array_free(&printed->lines.list);
	tfp_arena_free(&printed->arena);
}
