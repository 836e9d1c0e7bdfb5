/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries against profiles: which words are valid is known only when the files are read. Errors list
 * what would have been valid.
 */
#include "view/query/check.h"

#include <string.h>

#include "view/query/baseline.h"
#include "view/query/options.h"
#include "view/trace/lengths.h"
#include "view/trace/window.h"

const char *const tfp_select_words[] = {"device", "input_shapes", "op_types", "tensor_value", NULL};

/* What those of a checkpoint alone can. */
static const char *const checkpoint_words[] = {"dtype", "shape", "slices", "tensor_value", NULL};
static const char *const no_words[] = {NULL};

#define LISTED_STEPS 20 /* in a message */
#define USUAL        4  /* most columns where nothing was selected */

/* A list of words being written into a message. */
struct listing {
	char text[1024];
	size_t used;
};

static void list_word(struct listing *listing, const char *word)
{
	size_t size = strlen(word);

	if (listing->used + size + 2 > sizeof(listing->text))
		return;
	if (listing->used)
		listing->text[listing->used++] = ' ';
	memcpy(listing->text + listing->used, word, size + 1);
	listing->used += size;
}

static void list_metrics(struct listing *listing, const struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < profile->metric_count; i++)
		list_word(listing, profile->metrics[i].key);
}

/* ---- orders ------------------------------------------------------------------------------------- */

/* Orders by something else than totals; a metric may follow the word. */
static const struct {
	const char *word;
	int order;
	bool compares; /* with a baseline */
} special[] = {
	{"difference", TFP_ORDER_DIFFERENCE, true},
	{"ratio", TFP_ORDER_RATIO, true},
	{"self", TFP_ORDER_SELF, false},
	{"baseline", TFP_ORDER_BASELINE, true},
	{"rate", TFP_ORDER_RATE, false},
	{"busy_share", TFP_ORDER_BUSY_SHARE, false},
	{"grid", TFP_ORDER_LAUNCH, false},
	{"block", TFP_ORDER_LAUNCH + 0x100, false},
	{"registers", TFP_ORDER_LAUNCH + 0x200, false},
	{"shared", TFP_ORDER_LAUNCH + 0x300, false},
	{"occupancy", TFP_ORDER_LAUNCH + 0x400, false},
	{"since", TFP_ORDER_SINCE, false},
	{"defined", TFP_ORDER_NODES, false},
};

#define SPECIALS (sizeof(special) / sizeof(*special))

/* What stands behind WORD and a colon in TEXT, "" if nothing does; NULL: TEXT begins otherwise. */
static const char *key_after(const char *text, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(text, word, size) != 0 || (text[size] && text[size] != ':'))
		return NULL;
	return text + size + (text[size] == ':');
}

const char *tfp_order_key(const char *word)
{
	if (!strcmp(word, TFP_ORDER_RUNS))
		return "occurrence";
	for (size_t i = 0; i < SPECIALS; i++) {
		const char *key = key_after(word, special[i].word);

		if (key)
			return key;
	}
	return word;
}

const char *tfp_order_word(int order)
{
	for (size_t i = 0; i < SPECIALS; i++)
		if (special[i].order >= TFP_ORDER_DIFFERENCE &&
		    (order & ~(TFP_ORDER_DIFFERENCE - 1)) == special[i].order)
			return special[i].word;
	return NULL;
}

/* An index of those; SPECIALS for any other order. */
static size_t special_of(const char *word)
{
	size_t i = 0;

	while (i < SPECIALS && !key_after(word, special[i].word))
		i++;
	return i;
}

/* ---- resolving ---------------------------------------------------------------------------------- */

const struct tfp_view *tfp_query_view(const struct tfp_query *query,
				      const struct tfp_profile *profile)
{
	return query->view ? tfp_view_find(query->view) : tfp_view_default(profile);
}

const char *tfp_main_metric(const struct tfp_profile *profile)
{
	uint32_t metric = profile->tensorflow ? (uint32_t)TFP_TF_MICROS : profile->default_metric;

	return metric < profile->metric_count ? profile->metrics[metric].key : "";
}

/* Steps stand by their length, if they have one. */
static const char *order_of_steps(const struct tfp_profile *profile)
{
	uint32_t length = tfp_length_metric(profile->metrics, profile->metric_count);

	return length == TFP_NONE ? NULL : profile->metrics[length].key;
}

/*
 * What is shown where nothing was selected, into WORDS: lanes of devices are busy while those of hosts have time, a step has a length,
 * and of a checkpoint that is listed what its index says. Returns how many.
 */
static size_t usual_words(const struct tfp_query *query, const struct tfp_profile *profile,
			  const char *words[USUAL])
{
	static const char *const variables[USUAL] = {"bytes", "dtype", "shape", "slices"};
	static const uint32_t times[] = {TFP_TRACE_BUSY, TFP_TRACE_HOST};
	const struct tfp_view *view = tfp_query_view(query, profile);
	const char *length = view && view->of_steps ? order_of_steps(profile) : NULL;
	size_t count = 0;

	if (!profile->tensorflow && profile->tensors.count) {
		memcpy(words, variables, sizeof(variables));
		return USUAL;
	}
	if (profile->trace && view && view->rules->drawn) {
		for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
			if (!profile->metrics[times[i]].absent)
				words[count++] = profile->metrics[times[i]].key;
		return count;
	}
	words[0] = view && view->leads ? view->leads : tfp_main_metric(profile);
	count = *words[0] != '\0';
	if (length)
		words[count++] = length;
	return count;
}

size_t tfp_query_selected(const struct tfp_query *query, const struct tfp_profile *profile,
			  const char **out, size_t room)
{
	const char *usual[USUAL], *last = NULL;
	struct tfp_words words = query->select;
	size_t count = 0;

	if (!words.at)
		words = (struct tfp_words){usual, usual_words(query, profile, usual)};
	for (;;) {
		const char *next = NULL;

		for (size_t i = 0; i < words.count; i++)
			if ((!last || strcmp(words.at[i], last) > 0) &&
			    (!next || strcmp(words.at[i], next) < 0))
				next = words.at[i];
		if (!next)
			return count;
		if (count < room)
			out[count] = next;
		count++;
		last = next;
	}
}

/* The metric of a special order: the one it names, else the first column, else the main one; of rates operations. */
static uint32_t special_metric(const struct tfp_query *query, const struct tfp_profile *profile)
{
	const char *key = tfp_order_key(query->order_by);
	uint32_t metric = TFP_NONE;

	if (*key)
		return tfp_profile_find_metric(profile, key);
	if (key_after(query->order_by, "busy_share"))
		return TFP_TRACE_BUSY;
	if (key_after(query->order_by, "rate"))
		return profile->trace ? (uint32_t)TFP_TRACE_FLOPS : (uint32_t)TFP_TF_FLOAT_OPS;
	for (size_t i = 0; i < query->select.count && metric == TFP_NONE; i++)
		metric = tfp_profile_find_metric(profile, query->select.at[i]);
	return metric == TFP_NONE ? tfp_profile_find_metric(profile, tfp_main_metric(profile))
				  : metric;
}

int tfp_query_order(const struct tfp_query *query, const struct tfp_profile *profile)
{
	const char *word = query->order_by;
	const struct tfp_view *view = tfp_query_view(query, profile);
	uint32_t metric;
	size_t other;

	if (!word && view && view->of_steps)
		word = order_of_steps(profile);
	if (view && (view->text || (!word && view->rules->natural)))
		return TFP_ORDER_NONE;
	if (!word)
		word = profile->tensorflow ? "name" : tfp_main_metric(profile);
	if (!*word)
		return TFP_ORDER_NONE;
	other = special_of(word);
	if (other < SPECIALS && special[other].order == TFP_ORDER_NODES)
		return TFP_ORDER_NODES;
	if (other < SPECIALS) {
		metric = special_metric(query, profile);
		return metric == TFP_NONE ? TFP_ORDER_NONE : special[other].order + (int)metric;
	}
	metric = tfp_profile_find_metric(profile, tfp_order_key(word));
	if (metric == TFP_NONE)
		return TFP_ORDER_NAME;
	if (!strcmp(word, TFP_ORDER_RUNS))
		return (int)metric;
	if (!profile->tensorflow || metric != TFP_TF_RUNS || !view)
		return (int)metric;
	return view->rules->count == TFP_COUNT_RUNS ? TFP_ORDER_NAME : TFP_ORDER_DEFINED;
}

int64_t tfp_query_minimum(const struct tfp_query *query, const struct tfp_profile *profile,
			  uint32_t metric)
{
	for (size_t i = 0; i < query->minimum_count; i++)
		if (strcmp(query->minimums[i].metric, profile->metrics[metric].key) == 0)
			return tfp_minimum_in(&query->minimums[i], profile->metrics[metric].unit);
	return 0;
}

bool tfp_query_uses(const struct tfp_query *query, const struct tfp_profile *profile,
		    uint32_t metric)
{
	const char *key = profile->metrics[metric].key;

	if (tfp_query_minimum(query, profile, metric) != 0)
		return true;
	if (query->order_by && strcmp(tfp_order_key(query->order_by), key) == 0)
		return true;
	if (!query->select.at)
		return strcmp(tfp_main_metric(profile), key) == 0;
	for (size_t i = 0; i < query->select.count; i++)
		if (strcmp(query->select.at[i], key) == 0)
			return true;
	return false;
}

/* ---- checking ----------------------------------------------------------------------------------- */

static bool check_view(const struct tfp_query *query, const struct tfp_profile *profile,
		       struct tfp_diag *diag)
{
	const struct tfp_view *view = tfp_query_view(query, profile);
	struct listing listing = {0};
	const char *missing;

	if (!view) {
		for (size_t i = 0; tfp_views[i]; i++)
			list_word(&listing, tfp_views[i]->name);
		tfp_diag_error(diag, "there is no view \"%s\"; valid: %s", query->view,
			       listing.text);
		return false;
	}
	missing = tfp_view_missing(view, profile);
	if (missing)
		tfp_diag_error(diag, "%s view: %s", view->name, missing);
	return !missing;
}

const char *const *tfp_other_words(const struct tfp_profile *profile)
{
	if (profile->tensorflow)
		return tfp_select_words;
	return profile->tensors.count ? checkpoint_words : no_words;
}

static bool is_selectable(const struct tfp_profile *profile, const char *word)
{
	if (tfp_profile_find_metric(profile, word) != TFP_NONE)
		return true;
	for (const char *const *other = tfp_other_words(profile); *other; other++)
		if (strcmp(word, *other) == 0)
			return true;
	return false;
}

static bool check_select(const struct tfp_query *query, const struct tfp_profile *profile,
			 struct tfp_diag *diag)
{
	for (size_t i = 0; i < query->select.count; i++) {
		struct listing listing = {0};

		if (is_selectable(profile, query->select.at[i]))
			continue;
		list_metrics(&listing, profile);
		for (const char *const *other = tfp_other_words(profile); *other; other++)
			list_word(&listing, *other);
		tfp_diag_error(diag, "--select: there is no column \"%s\"; valid: %s",
			       query->select.at[i], listing.text);
		return false;
	}
	return true;
}

/* An order by differences needs something to differ from, one by rates the time that they are by. */
static bool check_special(const struct tfp_query *query, const struct tfp_profile *profile,
			  struct tfp_diag *diag)
{
	size_t other = query->order_by ? special_of(query->order_by) : SPECIALS;

	if (other < SPECIALS && special[other].order == TFP_ORDER_RATE && !profile->trace &&
	    !profile->tensorflow) {
		tfp_diag_error(diag, "--order_by=%s: the file has nothing that is by the second",
			       query->order_by);
		return false;
	}
	if (other < SPECIALS && special[other].order == TFP_ORDER_BUSY_SHARE &&
	    !order_of_steps(profile)) {
		tfp_diag_error(diag, "--order_by=%s: nothing in the file marks steps",
			       query->order_by);
		return false;
	}
	if (other < SPECIALS && special[other].order == TFP_ORDER_SINCE) {
		if (!tfp_view_missing(&tfp_view_memory, profile))
			return true;
		tfp_diag_error(diag, "--order_by=%s: the file does not say when memory was taken",
			       query->order_by);
		return false;
	}
	if (other < SPECIALS && special[other].order >= TFP_ORDER_LAUNCH && !profile->trace) {
		tfp_diag_error(diag,
			       "--order_by=%s: the file does not say how kernels were launched",
			       query->order_by);
		return false;
	}
	if (other == SPECIALS || !special[other].compares || (query->baseline && *query->baseline))
		return true;
	tfp_diag_error(diag, "--order_by=%s needs a --baseline", query->order_by);
	return false;
}

static bool check_order(const struct tfp_query *query, const struct tfp_profile *profile,
			struct tfp_diag *diag)
{
	const char *word = query->order_by, *key = word ? tfp_order_key(word) : NULL;
	bool other = word && special_of(word) < SPECIALS;
	struct listing listing = {0};

	if (!word || !*key || (!other && strcmp(word, "name") == 0) ||
	    tfp_profile_find_metric(profile, key) != TFP_NONE)
		return true;
	list_word(&listing, other ? "" : "name");
	list_metrics(&listing, profile);
	tfp_diag_error(diag, "--order_by: there is no order \"%s\"; valid: %s", word, listing.text);
	return false;
}

static bool check_minimums(const struct tfp_query *query, const struct tfp_profile *profile,
			   struct tfp_diag *diag)
{
	for (size_t i = 0; i < query->minimum_count; i++) {
		struct listing listing = {0};
		const struct tfp_minimum *minimum = &query->minimums[i];
		uint32_t metric = tfp_profile_find_metric(profile, minimum->metric);

		if (metric != TFP_NONE && tfp_minimum_fits(minimum, profile->metrics[metric].unit))
			continue;
		if (metric != TFP_NONE) {
			tfp_diag_error(diag, "--min_%s: %s is no time: give a number alone",
				       minimum->metric, profile->metrics[metric].label);
			return false;
		}
		list_metrics(&listing, profile);
		tfp_diag_error(diag, "--min_%s: there is no metric of that name; valid: %s",
			       minimum->metric, listing.text);
		return false;
	}
	return true;
}

static bool check_step(const struct tfp_query *query, const struct tfp_profile *profile,
		       struct tfp_diag *diag)
{
	struct listing listing = {0};
	char number[TFP_NUMBER_ROOM];
	size_t last = profile->steps.count - 1, listed = 0;

	if (query->step < 0 || tfp_profile_find_step(profile, query->step) != TFP_NONE)
		return true;
	for (size_t i = 0; i < profile->steps.count; i++) {
		if (profile->steps.at[i].number < 0 || (listed > LISTED_STEPS && i < last))
			continue;
		snprintf(number, sizeof(number), "%lld", (long long)profile->steps.at[i].number);
		list_word(&listing, listed++ == LISTED_STEPS && i < last ? "..." : number);
	}
	tfp_diag_error(diag, "--step=%lld: there is no such step; %s%s", (long long)query->step,
		       listing.used ? "valid: " : "the files hold none", listing.text);
	return false;
}

bool tfp_query_check_words(const struct tfp_query *query, const struct tfp_profile *profile,
			   struct tfp_diag *diag)
{
	return check_select(query, profile, diag) && check_order(query, profile, diag) &&
	       check_minimums(query, profile, diag);
}

static bool check_range(const struct tfp_query *query, const struct tfp_profile *profile,
			struct tfp_diag *diag)
{
	if (query->range_to <= query->range_from || profile->trace)
		return true;
	tfp_diag_error(diag, "--range needs single events with their times, as traces have them");
	return false;
}

static bool check_rank(const struct tfp_query *query, const struct tfp_profile *profile,
		       struct tfp_diag *diag)
{
	const struct tfp_trace *trace = profile->trace;
	struct listing listing = {0};
	char number[TFP_NUMBER_ROOM];
	int64_t ranks[LISTED_STEPS + 1];
	size_t count;

	if (query->rank < 0 || (trace && tfp_rank_file(trace, query->rank) != TFP_NONE))
		return true;
	count = trace ? tfp_ranks(trace, ranks, LISTED_STEPS + 1) : 0;
	for (size_t i = 0; i < count; i++) {
		snprintf(number, sizeof(number), "%lld", (long long)ranks[i]);
		list_word(&listing, i < LISTED_STEPS ? number : "...");
	}
	tfp_diag_error(diag, "--rank=%lld: there is no such rank; %s%s", (long long)query->rank,
		       listing.used ? "valid: " : "only recordings have ranks", listing.text);
	return false;
}

bool tfp_query_check(const struct tfp_query *query, const struct tfp_profile *profile,
		     struct tfp_diag *diag)
{
	return check_view(query, profile, diag) && check_range(query, profile, diag) &&
	       check_rank(query, profile, diag) && check_special(query, profile, diag) &&
	       tfp_query_check_words(query, profile, diag) && check_step(query, profile, diag) &&
	       tfp_baseline_check(query, profile, diag);
}
