/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option table, and how a value of each kind is read into a query. First the 21 options of the
 * original in the order of its listing, then what we add.
 */
#include "view/query/options.h"

#include <string.h>
#include <strings.h>

#include "view/query/baseline.h"
#include "view/tree/choice.h"
#include "view/query/oldnames.h"
#include "view/query/words.h"

#define MIN_PREFIX "min_"

const struct tfp_option tfp_options[] = {
	{"max_depth", "N",
	 "levels shown, the root is level 1, or all; op view: rows after the first", true,
	 TFP_OPTION_DEPTH, 0},
	{"min_bytes", "N", "hide rows with fewer requested bytes", true, TFP_OPTION_MINIMUM, 0},
	{"min_peak_bytes", "N", "hide rows with fewer peak bytes", true, TFP_OPTION_MINIMUM, 0},
	{"min_residual_bytes", "N", "hide rows that leave fewer bytes", true, TFP_OPTION_MINIMUM,
	 0},
	{"min_output_bytes", "N", "hide rows with fewer output bytes", true, TFP_OPTION_MINIMUM, 0},
	{"min_micros", "N", "hide rows that took fewer microseconds", true, TFP_OPTION_MINIMUM, 0},
	{"min_accelerator_micros", "N", "likewise, on the accelerator", true, TFP_OPTION_MINIMUM,
	 0},
	{"min_cpu_micros", "N", "likewise, on the CPU", true, TFP_OPTION_MINIMUM, 0},
	{"min_params", "N", "hide rows with fewer parameters", true, TFP_OPTION_MINIMUM, 0},
	{"min_float_ops", "N", "hide rows with fewer float operations", true, TFP_OPTION_MINIMUM,
	 0},
	{"min_occurrence", "N", "hide rows that ran less often; op view: with fewer nodes", true,
	 TFP_OPTION_MINIMUM, 0},
	{"step", "N", "step to look at; -1: the mean of the steps", true, TFP_OPTION_STEP, 0},
	{"order_by", "WORD", "name, or a metric: the largest first", true, TFP_OPTION_ORDER, 0},
	{"account_type_regexes", "REGEX,...", "count nodes with such an op type or device", true,
	 TFP_OPTION_LIST, TFP_ACCOUNT},
	{"start_name_regexes", "REGEX,...", "start at rows with such a name", true, TFP_OPTION_LIST,
	 TFP_START},
	{"trim_name_regexes", "REGEX,...", "stop at rows with such a name", true, TFP_OPTION_LIST,
	 TFP_TRIM},
	{"show_name_regexes", "REGEX,...", "show rows with such a name", true, TFP_OPTION_LIST,
	 TFP_SHOW},
	{"hide_name_regexes", "REGEX,...", "hide rows with such a name", true, TFP_OPTION_LIST,
	 TFP_HIDE},
	{"account_displayed_op_only", NULL, "totals of the rows shown alone", true, TFP_OPTION_FLAG,
	 TFP_FLAG_DISPLAYED},
	{"select", "WORD,...", "columns to print", true, TFP_OPTION_SELECT, 0},
	{"output", "KIND", "stdout, none; file, timeline, pprof, csv, json, md, txt:outfile=FILE",
	 true, TFP_OPTION_OUTPUT, 0},
	{"compat", "tf", "repeat what TensorFlow's own tfprof gets wrong", false, TFP_OPTION_COMPAT,
	 0},
	{"reverse", NULL, "turn the order round", false, TFP_OPTION_FLAG, TFP_FLAG_REVERSE},
	{"flat", NULL, "a list of what has values of its own, instead of a tree", false,
	 TFP_OPTION_FLAG, TFP_FLAG_FLAT},
	{"context", NULL, "keep the rows above a row that is shown", false, TFP_OPTION_FLAG,
	 TFP_FLAG_CONTEXT},
	{"deep", NULL, "op view: input shapes and nodes below each type", false, TFP_OPTION_FLAG,
	 TFP_FLAG_DEEP},
	{"merge_gradients", NULL, "count each gradient with its forward operation", false,
	 TFP_OPTION_FLAG, TFP_FLAG_MERGE},
	{"fold_siblings", NULL, "scope view: one row for ops that differ only in a number", false,
	 TFP_OPTION_FLAG, TFP_FLAG_FOLD},
	{"fold_library", NULL, "code view: leave out the frames of libraries", false,
	 TFP_OPTION_FLAG, TFP_FLAG_LIBRARY},
	{"library_paths", "TEXT,...",
	 "a file with TEXT in its path (^TEXT: at its beginning) is a library's", false,
	 TFP_OPTION_LIBRARIES, 0},
	{"consumers", NULL, "graph view: below each node what uses its outputs", false,
	 TFP_OPTION_FLAG, TFP_FLAG_CONSUMERS},
	{"modules", NULL, "scope view: by HLO module, computation and instruction", false,
	 TFP_OPTION_FLAG, TFP_FLAG_MODULES},
	{"account_text", "TEXT", "count nodes with TEXT in an op type or device", false,
	 TFP_OPTION_TEXT, TFP_ACCOUNT},
	{"start_text", "TEXT", "start at rows with TEXT in the name", false, TFP_OPTION_TEXT,
	 TFP_START},
	{"trim_text", "TEXT", "stop at rows with TEXT in the name", false, TFP_OPTION_TEXT,
	 TFP_TRIM},
	{"show_text", "TEXT", "show rows with TEXT in the name", false, TFP_OPTION_TEXT, TFP_SHOW},
	{"hide_text", "TEXT", "hide rows with TEXT in the name", false, TFP_OPTION_TEXT, TFP_HIDE},
	{"zoom", "NAME", "the row with this whole name and what is below it", false,
	 TFP_OPTION_ZOOM, 0},
	{"shape", "SHAPES", "count nodes with these input shapes: 4x3, or 0:4x3|1:3", false,
	 TFP_OPTION_SHAPE, 0},
	{"baseline", "WHAT", "compare with step:N, rank:N, mean, median (of others), file:PATH",
	 false, TFP_OPTION_BASELINE, 0},
	{"at", "MICROS", "memory view: this long after the step began; -1: at the peak", false,
	 TFP_OPTION_AT, 0},
	{"allocator", "NAME", "memory view: of several this one, or one with NAME in it: CPU",
	 false, TFP_OPTION_ALLOCATOR, 0},
	{"rank", "N", "count the events of this rank, or file of the recording, alone; -1: of all",
	 false, TFP_OPTION_RANK, 0},
	{"range", "FROM:TO",
	 "of a trace only this time, in microseconds since it began: 1500:2750.5", false,
	 TFP_OPTION_RANGE, 0},
	{"columns", "[VIEW:]NAME,...", "columns of the screen, a priority behind a colon: self:30",
	 false, TFP_OPTION_COLUMNS, 0},
	{NULL, NULL, NULL, false, 0, 0},
};

static const struct tfp_option any_minimum = {
	"min_KEY",
	"N",
	"hide rows with less of the metric KEY, in the file's unit, or in one given: 20us",
	false,
	TFP_OPTION_MINIMUM,
	0,
};

const struct tfp_option *tfp_option_find(const char *name)
{
	for (const struct tfp_option *option = tfp_options; option->name; option++)
		if (strcmp(option->name, name) == 0)
			return option;
	if (strncmp(name, MIN_PREFIX, strlen(MIN_PREFIX)) == 0 && name[strlen(MIN_PREFIX)])
		return &any_minimum;
	return tfp_old_option_find(name);
}

struct tfp_words tfp_option_names(struct tfp_arena *arena)
{
	struct tfp_words names = {0};
	size_t count = sizeof(tfp_options) / sizeof(*tfp_options) - 1;

	names.at = tfp_arena_zero(arena, count + 1, sizeof(*names.at));
	for (; names.count < count; names.count++)
		names.at[names.count] = tfp_options[names.count].name;
	return names;
}

bool *tfp_query_flag(struct tfp_query *query, unsigned int which)
{
	bool *const flags[] = {
		[TFP_FLAG_DISPLAYED] = &query->account_displayed_op_only,
		[TFP_FLAG_REVERSE] = &query->reverse,
		[TFP_FLAG_FLAT] = &query->flat,
		[TFP_FLAG_CONTEXT] = &query->context,
		[TFP_FLAG_DEEP] = &query->deep,
		[TFP_FLAG_MERGE] = &query->merge_gradients,
		[TFP_FLAG_FOLD] = &query->fold_siblings,
		[TFP_FLAG_LIBRARY] = &query->fold_library,
		[TFP_FLAG_CONSUMERS] = &query->consumers,
		[TFP_FLAG_MODULES] = &query->modules,
	};

	return flags[which];
}

const char **tfp_query_text(struct tfp_query *query, const struct tfp_option *option)
{
	switch ((enum tfp_option_kind)option->kind) {
	case TFP_OPTION_ORDER:
		return &query->order_by;
	case TFP_OPTION_OUTPUT:
		return &query->output;
	case TFP_OPTION_TEXT:
		return &query->text[option->which];
	case TFP_OPTION_ZOOM:
		return &query->zoom;
	case TFP_OPTION_SHAPE:
		return &query->shape;
	case TFP_OPTION_BASELINE:
		return &query->baseline;
	case TFP_OPTION_ALLOCATOR:
		return &query->allocator;
	case TFP_OPTION_LIBRARIES:
		return &query->library_paths;
	default:
		return NULL;
	}
}

/* ---- values ------------------------------------------------------------------------------------- */

static const char *keep(struct tfp_query *query, const char *text)
{
	return tfp_arena_text(&query->arena, text, strlen(text));
}

static bool read_number(const char *name, const char *value, int64_t low, int64_t high,
			int64_t *number, struct tfp_diag *diag)
{
	if (tfp_number_parse(value, number) && *number >= low && *number <= high)
		return true;
	tfp_diag_error(diag, "--%s=%s: give a whole number from %lld to %lld", name, value,
		       (long long)low, (long long)high);
	return false;
}

static bool set_minimum(struct tfp_query *query, const char *name, const char *value,
			struct tfp_diag *diag)
{
	const char *metric = name + strlen(MIN_PREFIX);
	struct tfp_minimum minimum;
	size_t at = 0;

	if (!tfp_minimum_parse(value, &minimum)) {
		tfp_diag_error(diag, "--%s=%s: give a whole number, or a time as 20us or 1.5ms",
			       name, value);
		return false;
	}
	while (at < query->minimum_count && strcmp(query->minimums[at].metric, metric) != 0)
		at++;
	if (at == TFP_MAX_MINIMUMS) {
		tfp_diag_error(diag, "--%s: there are more than %d minimums", name,
			       TFP_MAX_MINIMUMS);
		return false;
	}
	minimum.metric =
		at < query->minimum_count ? query->minimums[at].metric : keep(query, metric);
	query->minimum_count += at == query->minimum_count;
	query->minimums[at] = minimum;
	return true;
}

bool tfp_option_boolean(struct tfp_span word, bool *value)
{
	static const char *const words[] = {"true",  "t", "yes", "y", "1",
					    "false", "f", "no",  "n", "0"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == word.size && !strncasecmp(words[i], word.at, word.size)) {
			*value = i < 5;
			return true;
		}
	return false;
}

bool tfp_option_read_flag(const char *name, const char *value, bool *flag, struct tfp_diag *diag)
{
	if (!value) {
		*flag = true;
		return true;
	}
	if (tfp_option_boolean(tfp_span_of(value), flag))
		return true;
	tfp_diag_error(diag, "--%s=%s: give true or false (also t f yes no y n 1 0)", name, value);
	return false;
}

static bool set_compat(struct tfp_query *query, const char *value, struct tfp_diag *diag)
{
	query->compat = strcmp(value, "tf") == 0;
	if (query->compat || strcmp(value, "none") == 0)
		return true;
	tfp_diag_error(diag, "--compat=%s: give tf or none", value);
	return false;
}

static bool set_baseline(struct tfp_query *query, const char *value, struct tfp_diag *diag)
{
	struct tfp_baseline baseline;

	if (*value && !tfp_baseline_parse(value, &baseline, diag))
		return false;
	query->baseline = *value ? keep(query, value) : NULL;
	return true;
}

static void set_words(struct tfp_query *query, const struct tfp_option *option, const char *value,
		      struct tfp_diag *diag)
{
	bool selects = option->kind == TFP_OPTION_SELECT;
	struct tfp_words *words = selects ? &query->select : &query->lists[option->which];

	*words = tfp_words_parse(&query->arena, value);
	tfp_old_words(option, words, diag);
}

static bool set_depth(struct tfp_query *query, const char *name, const char *value,
		      struct tfp_diag *diag)
{
	if (strcmp(value, TFP_ALL_LEVELS) != 0)
		return read_number(name, value, INT32_MIN, INT32_MAX, &query->max_depth, diag);
	query->max_depth = INT32_MAX;
	return true;
}

bool tfp_query_set(struct tfp_query *query, const char *name, const char *value,
		   struct tfp_diag *diag)
{
	const struct tfp_option *option = tfp_option_find(name);
	const char **text;

	if (!option || (!value && option->value)) {
		tfp_diag_error(diag, option ? "--%s needs a value" : "there is no option --%s",
			       name);
		return false;
	}
	switch ((enum tfp_option_kind)option->kind) {
	case TFP_OPTION_DEPTH:
		return set_depth(query, name, value, diag);
	case TFP_OPTION_MINIMUM:
		return set_minimum(query, name, value, diag);
	case TFP_OPTION_STEP:
		return read_number(name, value, INT64_MIN, INT64_MAX, &query->step, diag);
	case TFP_OPTION_RANK:
		return read_number(name, value, -1, INT32_MAX, &query->rank, diag);
	case TFP_OPTION_AT:
		return read_number(name, value, -1, INT64_MAX, &query->at, diag);
	case TFP_OPTION_RANGE:
		return tfp_range_set(query, value, diag);
	case TFP_OPTION_LIST:
	case TFP_OPTION_SELECT:
		set_words(query, option, value, diag);
		return true;
	case TFP_OPTION_ORDER:
		query->order_by = keep(query, tfp_old_word(option, value, diag));
		return true;
	case TFP_OPTION_OLD:
		return tfp_old_option_set(query, option, value, diag);
	case TFP_OPTION_COMPAT:
		return set_compat(query, value, diag);
	case TFP_OPTION_FLAG:
		return tfp_option_read_flag(name, value, tfp_query_flag(query, option->which),
					    diag);
	case TFP_OPTION_BASELINE:
		return set_baseline(query, value, diag);
	case TFP_OPTION_COLUMNS:
		return tfp_choice_set(query, value, diag);
	default:
		text = tfp_query_text(query, option);
		if (text)
			*text = keep(query, value);
		return text != NULL;
	}
}
