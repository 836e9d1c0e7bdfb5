/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pattern lists: compiling and matching. A pattern of literals and ".*" never reaches PCRE2; the others run
 * in its JIT, or its interpreter where there is no JIT, under limits that end in an error.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pcre2.h>

#include "view/match/glob.h"
#include "view/match/inner.h"
#include "view/match/match.h"
#include "view/match/re2syntax.h"
#include "view/match/utf8.h"

#define MATCH_LIMIT    1000000u /* backtracking steps for one name */
#define HEAP_LIMIT     20000u   /* KiB, for the interpreter */
#define JIT_STACK      (1 << 20)
#define SECONDS_LIMIT  20 /* in one list, over all names */
#define CLOCK_INTERVAL 256

#define ANCHORS (PCRE2_ANCHORED | PCRE2_ENDANCHORED)

/* Compiled code, which is translated for the machine when it is first run. */
struct program {
	pcre2_code *code; /* NULL: there is none */
	bool started, jit;
};

struct tfp_pattern {
	const char *text;
	bool refused; /* matches nothing */
	struct tfp_glob glob;
	struct program whole; /* the pattern, anchored at both ends */
	struct program inner; /* the same for names without line ends: see inner.h */
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
};

/* What a list may take, over all names. */
struct tfp_budget {
	unsigned int calls;
	struct timespec start; /* of the list */
};

static const char *const list_options[TFP_LISTS] = {
	[TFP_ACCOUNT] = "account_type_regexes", [TFP_START] = "start_name_regexes",
	[TFP_TRIM] = "trim_name_regexes",       [TFP_SHOW] = "show_name_regexes",
	[TFP_HIDE] = "hide_name_regexes",
};

/* ---- compiling ---------------------------------------------------------------------------------- */

/* PATTERN with runs of ".*" made one: they say the same, and each more costs a factor of the name. */
static char *collapse(const char *pattern)
{
	char *copy = tfp_strdup(pattern), *to = copy;
	bool in_class = false, after_any = false;

	if (strstr(pattern, "\\Q"))
		return copy;
	for (const char *at = pattern; *at;) {
		bool any = !in_class && at[0] == '.' && at[1] == '*' &&
			   !(at[2] && strchr("?+*{", at[2]));

		if (any && after_any) {
			at += 2;
			continue;
		}
		after_any = any;
		in_class = in_class ? *at != ']' : *at == '[';
		*to++ = *at++;
		if ((any || at[-1] == '\\') && *at)
			*to++ = *at++;
	}
	*to = '\0';
	return copy;
}

static pcre2_code *compile_text(const char *text, uint32_t anchors, int *error, size_t *offset)
{
	uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | anchors;
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	pcre2_code *code;

	if (context)
		pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, error, offset,
			     context);
	pcre2_compile_context_free(context);
	return code;
}

/* What is inside of the pattern's ".*", open at the ends where they stood. */
static pcre2_code *compile_inner(const char *text)
{
	struct tfp_inner inner;
	pcre2_code *code;
	size_t offset;
	int error;

	if (!tfp_inner_init(&inner, text))
		return NULL;
	code = compile_text(inner.text,
			    (inner.head ? 0 : PCRE2_ANCHORED) |
				    (inner.tail ? 0 : PCRE2_ENDANCHORED),
			    &error, &offset);
	free(inner.text);
	return code;
}

/* False with REASON (perhaps in MESSAGE) and the offset in the pattern as it was typed. */
static bool compile(struct tfp_pattern *pattern, const char **reason, size_t *offset,
		    char message[256])
{
	char *collapsed = collapse(pattern->text);
	int error = 0;

	pattern->whole.code = compile_text(collapsed, ANCHORS, &error, offset);
	if (!pattern->whole.code && strcmp(collapsed, pattern->text) != 0)
		pattern->whole.code = compile_text(pattern->text, ANCHORS, &error, offset);
	if (pattern->whole.code && !tfp_glob_init(&pattern->glob, pattern->text))
		pattern->inner.code = compile_inner(collapsed);
	free(collapsed);
	if (pattern->whole.code)
		return true;
	pcre2_get_error_message(error, (PCRE2_UCHAR *)message, 256);
	*reason = message;
	return false;
}

/*
 * Under --compat=tf a pattern that TensorFlow refuses is noted and matches nothing; else it is an error, and
 * the query fails unless it is a forgiving one.
 */
static bool prepare(struct tfp_patterns *patterns, struct tfp_pattern *pattern,
		    const struct tfp_query *query)
{
	char message[256];
	const char *reason = NULL;
	size_t offset = 0;

	if (query->compat)
		reason = tfp_re2_refuses(pattern->text, &offset);
	if (!reason && compile(pattern, &reason, &offset, message))
		return true;
	pattern->refused = true;
	if (query->compat)
		tfp_diag_note(
			patterns->diag,
			"--%s: TensorFlow refuses \"%s\" (%s at byte %zu): it matches nothing",
			patterns->option, pattern->text, reason, offset);
	else
		tfp_diag_error(patterns->diag, "--%s: invalid pattern \"%s\": %s at byte %zu%s",
			       patterns->option, pattern->text, reason, offset,
			       query->forgiving ? ": it matches nothing" : "");
	return query->compat || query->forgiving;
}

bool tfp_patterns_init(struct tfp_patterns *patterns, const struct tfp_query *query,
		       enum tfp_list list, struct tfp_diag *diag)
{
	const struct tfp_words *words = &query->lists[list];
	const char *text = query->text[list];
	*patterns = (struct tfp_patterns){.option = list_options[list], .diag = diag};
	if (text && *text)
		patterns->text = tfp_finder_new(text);
	patterns->either = patterns->text && (list == TFP_HIDE || list == TFP_TRIM);
	patterns->open = words->count == 1 && strcmp(words->at[0], ".*") == 0 && list != TFP_HIDE &&
			 list != TFP_TRIM;
	patterns->all = patterns->open && !patterns->text;
	patterns->none = !words->count && !patterns->either;
	patterns->at = tfp_alloc_zero(words->count, sizeof(*patterns->at));
	patterns->count = words->count;
	patterns->budget = tfp_alloc_zero(1, sizeof(*patterns->budget));
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &patterns->budget->start);
	for (size_t i = 0; i < words->count; i++)
		patterns->at[i].text = words->at[i];
	for (size_t i = 0; i < words->count; i++) {
		if (prepare(patterns, &patterns->at[i], query))
			continue;
		tfp_patterns_free(patterns);
		return false;
	}
	return true;
}

void tfp_patterns_free(struct tfp_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		struct tfp_pattern *pattern = &patterns->at[i];

		if (pattern->glob.parts)
			tfp_glob_free(&pattern->glob);
		pcre2_match_data_free(pattern->data);
		pcre2_match_context_free(pattern->context);
		pcre2_jit_stack_free(pattern->stack);
		pcre2_code_free(pattern->whole.code);
		pcre2_code_free(pattern->inner.code);
	}
	free(patterns->at);
	free(patterns->budget);
	tfp_finder_free(patterns->text);
	*patterns = (struct tfp_patterns){0};
}

/* ---- matching ----------------------------------------------------------------------------------- */

static bool start_matching(struct tfp_pattern *pattern)
{
	pattern->data = pcre2_match_data_create(1, NULL);
	pattern->context = pcre2_match_context_create(NULL);
	if (!pattern->data || !pattern->context)
		return false;
	pcre2_set_match_limit(pattern->context, MATCH_LIMIT);
	pcre2_set_heap_limit(pattern->context, HEAP_LIMIT);
	pattern->stack = pcre2_jit_stack_create(32 * 1024, JIT_STACK, NULL);
	if (pattern->stack)
		pcre2_jit_stack_assign(pattern->context, NULL, pattern->stack);
	return true;
}

/* True, with an error, when a list has taken so long that nobody can want to wait for it. */
static bool out_of_time(const struct tfp_patterns *patterns)
{
	struct tfp_budget *budget = patterns->budget;
	struct timespec now;

	if (++budget->calls % CLOCK_INTERVAL)
		return false;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	if (now.tv_sec - budget->start.tv_sec <= SECONDS_LIMIT)
		return false;
	tfp_diag_error(patterns->diag, "--%s takes too long", patterns->option);
	return true;
}

static int fail(const struct tfp_patterns *patterns, const struct tfp_pattern *pattern,
		struct tfp_span name, const char *reason)
{
	int shown = name.size < 80 ? (int)name.size : 80;

	tfp_diag_error(patterns->diag, "--%s: pattern \"%s\" %s (at the name \"%.*s\")",
		       patterns->option, pattern->text, reason, shown, name.at);
	return -1;
}

static int run(struct program *program, const struct tfp_pattern *pattern, struct tfp_span name)
{
	PCRE2_SPTR at = (PCRE2_SPTR)name.at;

	if (!program->started)
		program->jit = pcre2_jit_compile(program->code, PCRE2_JIT_COMPLETE) == 0;
	program->started = true;
	if (program->jit)
		return pcre2_jit_match(program->code, at, name.size, 0, 0, pattern->data,
				       pattern->context);
	return pcre2_match(program->code, at, name.size, 0, PCRE2_NO_UTF_CHECK, pattern->data,
			   pattern->context);
}

static int match_code(const struct tfp_patterns *patterns, struct tfp_pattern *pattern,
		      struct tfp_span name, bool lines)
{
	bool inner = pattern->inner.code && !lines;
	int result;

	if (!pattern->data && !start_matching(pattern))
		return fail(patterns, pattern, name, "finds no memory");
	result = run(inner ? &pattern->inner : &pattern->whole, pattern, name);
	if (result >= 0)
		return 1;
	if (result == PCRE2_ERROR_NOMATCH)
		return 0;
	return fail(patterns, pattern, name, "backtracks too much");
}

/* What has to be known about a name before a pattern sees it. */
struct name_kind {
	bool valid; /* UTF-8 */
	bool lines; /* holds a line end, which "." does not match */
};

static struct name_kind look_at(struct tfp_span name)
{
	if (tfp_utf8_plain(name))
		return (struct name_kind){true, false};
	return (struct name_kind){tfp_utf8_valid(name), memchr(name.at, '\n', name.size) != NULL};
}

static int match_one(const struct tfp_patterns *patterns, size_t index, struct tfp_span name,
		     struct name_kind kind)
{
	struct tfp_pattern *pattern = &patterns->at[index];

	if (pattern->refused || !kind.valid)
		return 0;
	if (pattern->glob.parts && !kind.lines)
		return tfp_glob_match(&pattern->glob, name);
	return match_code(patterns, pattern, name, kind.lines);
}

int tfp_patterns_match_one(const struct tfp_patterns *patterns, size_t index, struct tfp_span name)
{
	if (out_of_time(patterns))
		return -1;
	return match_one(patterns, index, name, look_at(name));
}

static int match_any(const struct tfp_patterns *patterns, struct tfp_span name)
{
	struct name_kind kind;

	if (!patterns->count)
		return 0;
	kind = look_at(name);
	for (size_t i = 0; i < patterns->count; i++) {
		int result = match_one(patterns, i, name, kind);

		if (result)
			return result;
	}
	return 0;
}

int tfp_patterns_match(const struct tfp_patterns *patterns, struct tfp_span name)
{
	int result;

	if (patterns->all || patterns->none)
		return patterns->all;
	if (out_of_time(patterns))
		return -1;
	if (patterns->either && tfp_finder_match(patterns->text, name))
		return 1;
	result = patterns->open ? 1 : match_any(patterns, name);
	if (result > 0 && patterns->text && !patterns->either)
		return tfp_finder_match(patterns->text, name);
	return result;
}
