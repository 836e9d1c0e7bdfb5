/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of a YAML text, built from libyaml's events. Only a stack of open collections is kept, never
 * deeper than its bound; an alias shares what it names, but counts as if it were written out.
 */
#include "app/files/yaml.h"

#include <string.h>
#include <utf8proc.h>
#include <yaml.h>

#define ANCHORS    256
#define DIRECTIVES 16

struct anchor {
	const char *name;
	const struct tfp_yaml *node;
};

/* A collection whose end has not come yet. */
struct level {
	struct tfp_yaml *node;
	const char *anchor; /* NULL: none */
	TFP_ARRAY(const struct tfp_yaml *) items;
};

struct builder {
	const char *file;
	struct tfp_arena *arena;
	struct tfp_diag *diag;
	const struct tfp_yaml *root;
	struct level levels[TFP_YAML_DEPTH];
	uint32_t depth, nodes;
	struct anchor anchors[ANCHORS];
	size_t anchor_count;
	bool done;
};

void tfp_yaml_warn(struct tfp_diag *diag, const char *file, uint32_t line, uint32_t column,
		   const char *format, ...)
{
	char text[512], place[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* The way of compilers, which editors understand. */
	snprintf(place, sizeof(place), "%s:%u:%u", file, line, column);
	tfp_diag_add(diag, TFP_WARNING, place, -1, 0, "%s", text);
}

static bool refuse(struct builder *builder, const yaml_mark_t *mark, const char *why)
{
	tfp_yaml_warn(builder->diag, builder->file, (uint32_t)mark->line + 1,
		      (uint32_t)mark->column + 1, "%s; what follows is not read", why);
	return false;
}

static const char *keep(struct builder *builder, const yaml_char_t *text, size_t size)
{
	return tfp_arena_text(builder->arena, (const char *)text, size);
}

static const char *keep_anchor(struct builder *builder, const yaml_char_t *anchor)
{
	return anchor ? keep(builder, anchor, strlen((const char *)anchor)) : NULL;
}

static struct tfp_yaml *node_new(struct builder *builder, enum tfp_yaml_kind kind,
				 const yaml_mark_t *mark)
{
	struct tfp_yaml *node = tfp_arena_zero(builder->arena, 1, sizeof(*node));

	node->kind = kind;
	node->line = (uint32_t)mark->line + 1;
	node->column = (uint32_t)mark->column + 1;
	node->nodes = node->height = 1;
	return node;
}

/* A finished node gets its place in the collection around it; a name makes it known to aliases. */
static bool attach(struct builder *builder, const struct tfp_yaml *node, const char *anchor,
		   const yaml_mark_t *mark)
{
	struct level *level;

	if (anchor && builder->anchor_count == ANCHORS)
		return refuse(builder, mark, "too many anchors");
	if (anchor)
		builder->anchors[builder->anchor_count++] = (struct anchor){anchor, node};
	if (!builder->depth) {
		builder->root = node;
		return true;
	}
	level = &builder->levels[builder->depth - 1];
	*tfp_array_push(&level->items) = node;
	level->node->nodes += node->nodes;
	if (level->node->height <= node->height)
		level->node->height = node->height + 1;
	return true;
}

static bool count_nodes(struct builder *builder, uint32_t nodes, const yaml_mark_t *mark)
{
	builder->nodes += nodes;
	return builder->nodes <= TFP_YAML_NODES || refuse(builder, mark, "too many values");
}

static bool add_scalar(struct builder *builder, const yaml_event_t *event)
{
	size_t size = event->data.scalar.length;
	struct tfp_yaml *node = node_new(builder, TFP_YAML_SCALAR, &event->start_mark);

	if (memchr(event->data.scalar.value, '\0', size))
		return refuse(builder, &event->start_mark, "a text with a NUL in it");
	node->text = keep(builder, event->data.scalar.value, size);
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	return count_nodes(builder, 1, &event->start_mark) &&
	       attach(builder, node, keep_anchor(builder, event->data.scalar.anchor),
		      &event->start_mark);
}

static bool add_alias(struct builder *builder, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	size_t at = builder->anchor_count;
	struct tfp_yaml *node;

	/* The newest of a name counts. */
	while (at && strcmp(builder->anchors[at - 1].name, name) != 0)
		at--;
	if (!at)
		return refuse(builder, &event->start_mark, "an alias of nothing that is complete");
	node = node_new(builder, TFP_YAML_SCALAR, &event->start_mark);
	*node = *builder->anchors[at - 1].node;
	node->line = (uint32_t)event->start_mark.line + 1;
	node->column = (uint32_t)event->start_mark.column + 1;
	if (node->kind != TFP_YAML_SCALAR && builder->depth + node->height - 1 > TFP_YAML_DEPTH)
		return refuse(builder, &event->start_mark,
			      "collections too deep inside each other");
	return count_nodes(builder, node->nodes, &event->start_mark) &&
	       attach(builder, node, NULL, &event->start_mark);
}

static bool open_level(struct builder *builder, enum tfp_yaml_kind kind, const yaml_char_t *anchor,
		       const yaml_mark_t *mark)
{
	if (builder->depth == TFP_YAML_DEPTH)
		return refuse(builder, mark, "collections too deep inside each other");
	builder->levels[builder->depth++] = (struct level){
		.node = node_new(builder, kind, mark),
		.anchor = keep_anchor(builder, anchor),
	};
	return count_nodes(builder, 1, mark);
}

/* The items of the innermost collection become its own; a key whose value never came goes. */
static struct level close_items(struct builder *builder)
{
	struct level level = builder->levels[--builder->depth];
	size_t count = level.items.count;

	if (level.node->kind == TFP_YAML_MAP)
		count -= count % 2;
	level.node->count = count;
	level.node->items = tfp_arena_zero(builder->arena, count + 1, sizeof(*level.node->items));
	if (count)
		memcpy(level.node->items, level.items.at, count * sizeof(*level.items.at));
	tfp_array_free(&level.items);
	return level;
}

static bool close_level(struct builder *builder, const yaml_mark_t *mark)
{
	struct level level = close_items(builder);

	return attach(builder, level.node, level.anchor, mark);
}

static bool take_event(struct builder *builder, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return add_scalar(builder, event);
	case YAML_ALIAS_EVENT:
		return add_alias(builder, event);
	case YAML_SEQUENCE_START_EVENT:
		return open_level(builder, TFP_YAML_LIST, event->data.sequence_start.anchor,
				  &event->start_mark);
	case YAML_MAPPING_START_EVENT:
		return open_level(builder, TFP_YAML_MAP, event->data.mapping_start.anchor,
				  &event->start_mark);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_level(builder, &event->start_mark);
	case YAML_DOCUMENT_START_EVENT:
		return !builder->root || refuse(builder, &event->start_mark, "a second document");
	case YAML_STREAM_END_EVENT:
		builder->done = true;
		return true;
	default:
		return true;
	}
}

/* What libyaml could not read. */
static bool refuse_syntax(struct builder *builder, const yaml_parser_t *parser)
{
	const char *problem = parser->problem ? parser->problem : "not YAML";
	char why[256];

	if (parser->context)
		snprintf(why, sizeof(why), "%s (%s)", problem, parser->context);
	else
		snprintf(why, sizeof(why), "%s", problem);
	return refuse(builder, &parser->problem_mark, why);
}

static bool run_parser(struct builder *builder, yaml_parser_t *parser)
{
	yaml_event_t event;

	while (!builder->done) {
		bool taken;

		if (!yaml_parser_parse(parser, &event))
			return refuse_syntax(builder, parser);
		taken = take_event(builder, &event);
		yaml_event_delete(&event);
		if (!taken)
			return false;
	}
	return true;
}

/* After an error: of what is open, the outermost collection counts as it is, the rest is dropped. */
static void close_broken(struct builder *builder)
{
	while (builder->depth) {
		struct level level = close_items(builder);

		if (!builder->depth)
			builder->root = level.node;
	}
}

/* The characters that libyaml takes; of others it names no line. */
static bool is_text(utf8proc_int32_t code)
{
	return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0x7f) ||
	       code == 0x85 || (code >= 0xa0 && code < 0xfffe) || code > 0xffff;
}

/*
 * False with a problem at what is no text. Also where there are more directives than anyone needs:
 * libyaml compares each with all others.
 */
static bool check_text(struct tfp_span bytes, const char *file, struct tfp_diag *diag)
{
	uint32_t line = 1, column = 1, directives = 0;
	const char *why = NULL;
	utf8proc_int32_t code;

	for (size_t i = 0; i < bytes.size; column++) {
		utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)bytes.at + i,
							 (utf8proc_ssize_t)(bytes.size - i), &code);

		if (size <= 0)
			why = "this is not UTF-8 text";
		else if (!is_text(code))
			why = "a control character: this is not a text file";
		else if (code == '%' && column == 1 && ++directives > DIRECTIVES)
			why = "too many directives";
		if (why)
			break;
		i += (size_t)size;
		if (code == '\n') {
			line++;
			column = 0;
		}
	}
	if (why)
		tfp_yaml_warn(diag, file, line, column, "%s", why);
	return !why;
}

bool tfp_yaml_parse(struct tfp_span bytes, const char *file, struct tfp_arena *arena,
		    const struct tfp_yaml **root, struct tfp_diag *diag)
{
	struct builder *builder;
	yaml_parser_t parser;
	bool complete;

	*root = NULL;
	if (bytes.size > TFP_YAML_SIZE) {
		tfp_yaml_warn(diag, file, 1, 1, "longer than %zu bytes", TFP_YAML_SIZE);
		return false;
	}
	if (bytes.size >= 3 && !memcmp(bytes.at, "\xef\xbb\xbf", 3))
		bytes = tfp_span_from(bytes, 3);
	if (!check_text(bytes, file, diag))
		return false;
	if (!yaml_parser_initialize(&parser)) {
		tfp_diag_error(diag, "%s: no memory to read it", file);
		return false;
	}
	builder = tfp_arena_zero(arena, 1, sizeof(*builder));
	*builder = (struct builder){.file = file, .arena = arena, .diag = diag};
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)bytes.at, bytes.size);
	complete = run_parser(builder, &parser);
	close_broken(builder);
	yaml_parser_delete(&parser);
	*root = builder->root;
	return complete;
}

bool tfp_yaml_is_null(const struct tfp_yaml *node)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};

	if (node->kind != TFP_YAML_SCALAR || node->quoted)
		return false;
	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		if (!strcmp(node->text, nulls[i]))
			return true;
	return false;
}

/* ---- writing ------------------------------------------------------------------------------------ */

/* Numbers, and words of letters and harmless signs, that no one takes for something else. */
static bool is_plain(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/";
	static const char rest[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
	int64_t number;

	if (tfp_number_parse(text, &number))
		return text[0] != '+';
	return text[0] && strchr(letters, text[0]) && strcasecmp(text, "null") != 0 &&
	       text[strspn(text, rest)] == '\0';
}

/* CODE in double quotes: as it is, or escaped where it could be lost or take a line's end for its own. */
static char *quote_code(char *to, utf8proc_int32_t code)
{
	if (code == '"' || code == '\\')
		return to + sprintf(to, "\\%c", (char)code);
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return to + sprintf(to, "\\x%02x", (unsigned)code);
	if (code == 0x2028 || code == 0x2029 || code == 0xfeff || code == 0xfffe || code == 0xffff)
		return to + sprintf(to, "\\u%04x", (unsigned)code);
	return to + utf8proc_encode_char(code, (utf8proc_uint8_t *)to);
}

char *tfp_yaml_quote(struct tfp_arena *arena, const char *text)
{
	size_t size = strlen(text);
	utf8proc_int32_t code;
	char *quoted, *to;

	if (is_plain(text))
		return tfp_arena_text(arena, text, size);
	quoted = to = tfp_arena_alloc(arena, size * 4 + 3);
	*to++ = '"';
	for (size_t i = 0; i < size;) {
		utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
							  (utf8proc_ssize_t)(size - i), &code);

		if (bytes <= 0)
			return NULL;
		to = quote_code(to, code);
		i += (size_t)bytes;
	}
	memcpy(to, "\"", 2);
	return quoted;
}
