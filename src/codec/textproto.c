/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protobuf text to wire bytes, so that one reader of a message serves both forms. protobuf-c's
 * descriptors say what a name means; nested messages are a stack of levels.
 *
 * After damage reading goes on at the first line that fits: one that is indented like the fields
 * of an open level and begins with a field of it, or closes such a level.
 */
#include "tfprof/codec.h"

#include "codec/textwire.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS    100
#define STEPS_PER_LOOK 1024
#define NO_COLUMN      SIZE_MAX
#define ANY_VALUE      2 /* field of a packed message that holds its bytes */

/* An open message. */
struct level {
	const ProtobufCMessageDescriptor *message;
	const ProtobufCFieldDescriptor *list; /* between the messages of a [list] of this field */
	size_t start;                         /* of its content in the output */
	size_t column;                        /* of its first field, if that began a line */
	unsigned int hint;                    /* index of the field met last */
	uint8_t close;                        /* the bracket that ends it; 0: the end of the text */
};

struct parser {
	struct tfp_textwire io;
	const char *path;
	const uint8_t *text;
	const uint8_t *counted; /* this is in the line of the number LINE */
	int64_t line;
	struct level levels[MOST_LEVELS];
	size_t depth;
	struct tfp_job *job;
	struct tfp_diag *diag;
	unsigned int steps;
	bool damaged;
};

static struct level *top_of(struct parser *parser)
{
	return &parser->levels[parser->depth - 1];
}

/* ---- problems -------------------------------------------------------------------------------- */

/* The number of the line that the cursor is in; asked for in the order of the text. */
static int64_t line_here(struct parser *parser)
{
	for (; parser->counted < parser->io.lex.at; parser->counted++)
		parser->line += *parser->counted == '\n';
	return parser->line;
}

#define warn(parser, ...)                                                                          \
	tfp_diag_add((parser)->diag, TFP_WARNING, (parser)->path, -1, line_here(parser),           \
		     __VA_ARGS__)

/* One scalar of FIELD, the cursor at it. */
static enum tfp_textwire_outcome read_scalar(struct parser *parser,
					     const ProtobufCFieldDescriptor *field)
{
	enum tfp_textwire_outcome outcome = tfp_textwire_scalar(&parser->io, field);

	/* A newer writer may know words of an enumeration that we do not. */
	if (outcome == TFP_TEXTWIRE_REFUSED && field->type != PROTOBUF_C_TYPE_ENUM)
		warn(parser, "the value of '%s' does not fit and is left out", field->name);
	if (parser->io.lex.odd_escape)
		warn(parser, "an escape in '%s' does not exist, its character is kept",
		     field->name);
	parser->io.lex.odd_escape = false;
	return outcome;
}

/* [a, b], the cursor behind the opening bracket. False when it is broken. */
static bool read_scalar_list(struct parser *parser, const ProtobufCFieldDescriptor *field)
{
	for (;;) {
		tfp_textlex_blank(&parser->io.lex);
		if (tfp_textlex_accept(&parser->io.lex, ']'))
			return true;
		if (tfp_textlex_accept(&parser->io.lex, ','))
			continue;
		if (read_scalar(parser, field) == TFP_TEXTWIRE_BROKEN)
			return false;
	}
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Messages of the kind MESSAGE, whose content begins at START of the output. */
static void push_level(struct parser *parser, const ProtobufCMessageDescriptor *message,
		       size_t start, uint8_t close)
{
	parser->levels[parser->depth++] = (struct level){
		.message = message,
		.start = start,
		.column = NO_COLUMN,
		.close = close,
	};
}

static void pop_level(struct parser *parser)
{
	tfp_textwire_end(&parser->io, top_of(parser)->start);
	parser->depth--;
}

/*
 * A message of the kind that FIELD has begins as field NUMBER, the cursor at its bracket. False when it
 * can't be stepped over.
 */
static bool open_message_as(struct parser *parser, const ProtobufCFieldDescriptor *field,
			    uint32_t number)
{
	if (parser->depth == MOST_LEVELS) {
		warn(parser, "messages are nested deeper than %d, the inner ones are left out",
		     MOST_LEVELS);
		return tfp_textlex_skip_value(&parser->io.lex);
	}
	push_level(parser, field->descriptor, tfp_textwire_begin(&parser->io, number),
		   *parser->io.lex.at++ == '{' ? '}' : '>');
	return true;
}

static bool open_message(struct parser *parser, const ProtobufCFieldDescriptor *field)
{
	return open_message_as(parser, field, field->id);
}

static bool field_is(const ProtobufCFieldDescriptor *field, struct tfp_span name)
{
	return !strncmp(field->name, name.at, name.size) && !field->name[name.size];
}

/* Most writers go by number: the field is often the one met last, or the next. */
static const ProtobufCFieldDescriptor *find_field(struct level *level, struct tfp_span name)
{
	const ProtobufCMessageDescriptor *message = level->message;
	unsigned int low = 0, high = message->n_fields;

	for (unsigned int i = level->hint; i < high && i <= level->hint + 1; i++) {
		if (field_is(&message->fields[i], name)) {
			level->hint = i;
			return &message->fields[i];
		}
	}
	while (low < high) {
		unsigned int middle = low + (high - low) / 2;
		unsigned int index = message->fields_sorted_by_name[middle];
		int order = tfp_span_compare(name, tfp_span_of(message->fields[index].name));

		if (!order) {
			level->hint = index;
			return &message->fields[index];
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* How far AT is from the start of its line; NO_COLUMN when more than blanks are before it. */
static size_t column_of(const struct parser *parser, const uint8_t *at)
{
	const uint8_t *start = at;

	while (start > parser->text && (start[-1] == ' ' || start[-1] == '\t'))
		start--;
	return start == parser->text || start[-1] == '\n' ? (size_t)(at - start) : NO_COLUMN;
}

/* ---- after damage ---------------------------------------------------------------------------- */

static bool begins_value(struct tfp_textlex ahead)
{
	while (tfp_textlex_peek(&ahead) == ' ')
		ahead.at++;
	return tfp_textlex_peek(&ahead) && strchr(":{<[", *ahead.at);
}

/*
 * Whether the line at the cursor fits an open level: then the levels above it are closed and the
 * cursor is where reading goes on.
 */
static bool rejoin_at_line(struct parser *parser)
{
	struct tfp_textlex ahead = parser->io.lex;
	uint8_t first;
	size_t column;
	struct tfp_span name;

	while (tfp_textlex_peek(&ahead) == ' ' || tfp_textlex_peek(&ahead) == '\t')
		ahead.at++;
	column = (size_t)(ahead.at - parser->io.lex.at);
	first = tfp_textlex_peek(&ahead);
	parser->io.lex.at = ahead.at;
	name = tfp_textlex_name(&ahead);
	for (size_t i = parser->depth; i-- > 0;) {
		struct level *level = &parser->levels[i];
		bool closes = i + 1 < parser->depth && first && first == level[1].close;

		if (level->column != column)
			continue;
		if (!closes && !(name.size && begins_value(ahead) && find_field(level, name)))
			continue;
		while (parser->depth > i + 1 + closes)
			pop_level(parser);
		level->list = NULL;
		top_of(parser)->list = NULL;
		return true;
	}
	return false;
}

/*
 * Whether the field at START, which the message on top does not know, shows that this message has
 * lost its end: in its line it fits a level below. Reading goes on there.
 */
static bool rejoin_below(struct parser *parser, const uint8_t *start)
{
	const uint8_t *here = parser->io.lex.at;
	size_t column = column_of(parser, start);

	if (parser->depth == 1 || column == NO_COLUMN || column == top_of(parser)->column)
		return false;
	parser->io.lex.at = start - column;
	if (!rejoin_at_line(parser)) {
		parser->io.lex.at = here;
		return false;
	}
	parser->damaged = true;
	warn(parser, "the message before this line does not end");
	return true;
}

/* Tells of damage and goes on where the text makes sense again. */
static void recover(struct parser *parser, const char *reason)
{
	const uint8_t *newline;

	parser->damaged = true;
	warn(parser, "%s; reading goes on where the text fits again", reason);
	parser->levels[0].column = 0;
	while ((newline = memchr(parser->io.lex.at, '\n',
				 (size_t)(parser->io.lex.end - parser->io.lex.at)))) {
		parser->io.lex.at = newline + 1;
		if (rejoin_at_line(parser))
			return;
	}
	parser->io.lex.at = parser->io.lex.end;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Between the messages of a list. NULL, or what is wrong. */
static const char *list_step(struct parser *parser)
{
	struct level *level = top_of(parser);
	uint8_t first = tfp_textlex_peek(&parser->io.lex);

	if (tfp_textlex_accept(&parser->io.lex, ']'))
		level->list = NULL;
	else if (first == '{' || first == '<')
		return open_message(parser, level->list) ? NULL : "a message does not end";
	else if (!tfp_textlex_accept(&parser->io.lex, ','))
		return "a list does not end";
	return NULL;
}

static const char *message_field(struct parser *parser, const ProtobufCFieldDescriptor *field)
{
	uint8_t first = tfp_textlex_peek(&parser->io.lex);

	if (first == '{' || first == '<')
		return open_message(parser, field) ? NULL : "a message does not end";
	if (tfp_textlex_accept(&parser->io.lex, '[')) {
		top_of(parser)->list = field;
		return NULL;
	}
	if (!tfp_textlex_skip_value(&parser->io.lex))
		return "a field has no value";
	warn(parser, "the value of '%s' is not a message and is left out", field->name);
	return NULL;
}

static const char *scalar_field(struct parser *parser, const ProtobufCFieldDescriptor *field)
{
	if (tfp_textlex_accept(&parser->io.lex, '['))
		return read_scalar_list(parser, field) ? NULL : "a list is damaged";
	return read_scalar(parser, field) == TFP_TEXTWIRE_BROKEN ? "a value is damaged" : NULL;
}

/* The field of the message on top that stands for the type NAME, "type.googleapis.com/tensorflow.X". */
static const ProtobufCFieldDescriptor *find_packed(struct parser *parser, struct tfp_span name)
{
	const char *dot = name.size ? memrchr(name.at, '.', name.size) : NULL;
	const ProtobufCFieldDescriptor *field;

	if (!dot)
		return NULL;
	name = (struct tfp_span){dot + 1, (size_t)(name.at + name.size - dot - 1)};
	field = find_field(top_of(parser), name);
	return field && field->type == PROTOBUF_C_TYPE_MESSAGE ? field : NULL;
}

/* A name in brackets: of a packed message (Any), whose value field 2 is; or of an extension, not ours. */
static const char *bracket_step(struct parser *parser)
{
	struct tfp_textlex *lex = &parser->io.lex;
	const uint8_t *start = lex->at + 1;
	const ProtobufCFieldDescriptor *field;

	while (lex->at < lex->end && *lex->at != ']' && *lex->at != '\n')
		lex->at++;
	field = find_packed(parser,
			    (struct tfp_span){(const char *)start, (size_t)(lex->at - start)});
	if (!tfp_textlex_accept(lex, ']'))
		return "a name in brackets does not end";
	tfp_textlex_blank(lex);
	tfp_textlex_accept(lex, ':');
	tfp_textlex_blank(lex);
	if (field && strchr("{<", tfp_textlex_peek(lex)) && tfp_textlex_peek(lex))
		return open_message_as(parser, field, ANY_VALUE) ? NULL : "a message does not end";
	return tfp_textlex_skip_value(lex) ? NULL : "an unknown field has no value";
}

/* A field with its name. */
static const char *field_step(struct parser *parser)
{
	struct tfp_textlex *lex = &parser->io.lex;
	struct level *level = top_of(parser);
	const uint8_t *start = lex->at;
	struct tfp_span name = tfp_textlex_scalar(lex);
	const ProtobufCFieldDescriptor *field;
	bool colon;

	if (!name.size)
		return "what is here is no field";
	field = find_field(level, name);
	if (!field && rejoin_below(parser, start))
		return NULL;
	if (level->column == NO_COLUMN)
		level->column = column_of(parser, start);
	tfp_textlex_blank(lex);
	colon = tfp_textlex_accept(lex, ':');
	tfp_textlex_blank(lex);
	if (!colon && !strchr("{<[", tfp_textlex_peek(lex)))
		return "a name has no value";
	if (!field)
		return tfp_textlex_skip_value(lex) ? NULL : "an unknown field has no value";
	return field->type == PROTOBUF_C_TYPE_MESSAGE ? message_field(parser, field)
						      : scalar_field(parser, field);
}

/* One step from where a field, or the end of a message, may be. NULL, or what is wrong. */
static const char *step(struct parser *parser)
{
	struct level *level = top_of(parser);
	uint8_t first = tfp_textlex_peek(&parser->io.lex);

	if (level->list)
		return list_step(parser);
	if (tfp_textlex_accept(&parser->io.lex, level->close)) {
		pop_level(parser);
		return NULL;
	}
	if (first == ',' || first == ';') {
		parser->io.lex.at++;
		return NULL;
	}
	return first == '[' ? bracket_step(parser) : field_step(parser);
}

/* False when the job was cancelled. */
static bool look_up(struct parser *parser)
{
	if (++parser->steps % STEPS_PER_LOOK || !parser->job)
		return true;
	tfp_job_progress(parser->job, (uint64_t)(parser->io.lex.at - parser->text));
	return !tfp_job_cancelled(parser->job);
}

/* Walks the whole text. False when the job was cancelled. */
static bool parse(struct parser *parser)
{
	const char *wrong;

	for (;;) {
		tfp_textlex_blank(&parser->io.lex);
		if (parser->io.lex.at == parser->io.lex.end)
			break;
		wrong = step(parser);
		if (wrong)
			recover(parser, wrong);
		if (!look_up(parser))
			return false;
	}
	if (parser->depth > 1 || parser->levels[0].list) {
		parser->damaged = true;
		warn(parser, "the text ends within a message");
	}
	while (parser->depth > 1)
		pop_level(parser);
	return true;
}

/* The source of what was written, NULL with an error if that is nothing but damage. */
static struct tfp_source *finish(struct parser *parser, const struct tfp_source *text)
{
	struct tfp_source *source;

	if (parser->damaged && !parser->io.out.count) {
		tfp_diag_add(parser->diag, TFP_ERROR, parser->path, -1, 0,
			     "nothing in this text can be read");
		return NULL;
	}
	tfp_array_reserve(&parser->io.out, 1);
	source = tfp_source_from_bytes(text->path, parser->io.out.at, parser->io.out.count);
	source->disk_size = text->disk_size;
	source->mtime = text->mtime;
	source->compressed = text->compressed;
	parser->io.out.at = NULL;
	return source;
}

/* Behind the byte order mark that some editors put before UTF-8. */
static const uint8_t *text_start(const uint8_t *bytes, size_t size)
{
	return size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? bytes + 3 : bytes;
}

struct tfp_source *tfp_textproto_to_wire(const struct tfp_source *text,
					 const struct ProtobufCMessageDescriptor *message,
					 struct tfp_job *job, struct tfp_diag *diag)
{
	const uint8_t *start = text_start(text->data, text->size);
	struct parser *parser = tfp_alloc_zero(1, sizeof(*parser));
	struct tfp_source *source = NULL;

	tfp_textwire_init(&parser->io, start, text->data + text->size);
	parser->path = text->path;
	parser->text = parser->counted = start;
	parser->line = 1;
	parser->job = job;
	parser->diag = diag;
	push_level(parser, message, 0, 0);
	if (job)
		atomic_store_explicit(&job->total, text->size, memory_order_relaxed);
	if (parse(parser))
		source = finish(parser, text);
	tfp_textwire_done(&parser->io);
	free(parser);
	return source;
}

int tfp_textproto_sniff(const uint8_t *bytes, size_t size, const char *const *names)
{
	struct tfp_textlex lex = {.at = text_start(bytes, size), .end = bytes + size};
	struct tfp_span word;

	tfp_textlex_blank(&lex);
	word = tfp_textlex_name(&lex);
	tfp_textlex_blank(&lex);
	if (!word.size || !strchr(":{<", tfp_textlex_peek(&lex)))
		return 0;
	for (; *names; names++) {
		if (tfp_span_is(word, *names))
			return tfp_textlex_peek(&lex) ? 100 : 50;
	}
	return 0;
}
