/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The original's options as its shell lists them: each with the value that it has.
 */
#include <string.h>

#include "view/query/check.h"
#include "view/query/options.h"

#define SELECTED 64 /* words of select that are listed */

static const char *print_selected(const struct tfp_query *query, const struct tfp_profile *profile,
				  struct tfp_arena *arena)
{
	const char *words[SELECTED];
	size_t count;

	if (!profile)
		return tfp_words_print(arena, query->select);
	count = tfp_query_selected(query, profile, words, SELECTED);
	return tfp_words_print(arena, (struct tfp_words){words, count});
}

static const char *print_minimum(const struct tfp_query *query, const char *metric,
				 struct tfp_arena *arena)
{
	for (size_t i = 0; i < query->minimum_count; i++)
		if (!strcmp(query->minimums[i].metric, metric))
			return tfp_minimum_print(&query->minimums[i], arena);
	return "0";
}

static const char *print_order(const struct tfp_query *query, const struct tfp_profile *profile)
{
	if (query->order_by)
		return query->order_by;
	if (!profile)
		return "";
	return profile->tensorflow ? "name" : tfp_main_metric(profile);
}

static const char *print_output(const struct tfp_query *query, struct tfp_arena *arena)
{
	const char *output = *query->output ? query->output : "stdout";

	return tfp_arena_printf(arena, "%s%s", output, strchr(output, ':') ? "" : ":");
}

const char *tfp_query_value(const struct tfp_query *query, const struct tfp_option *option,
			    const struct tfp_profile *profile, struct tfp_arena *arena)
{
	switch ((enum tfp_option_kind)option->kind) {
	case TFP_OPTION_DEPTH:
		return tfp_arena_printf(arena, "%lld", (long long)query->max_depth);
	case TFP_OPTION_STEP:
		return tfp_arena_printf(arena, "%lld", (long long)query->step);
	case TFP_OPTION_MINIMUM:
		return print_minimum(query, option->name + strlen("min_"), arena);
	case TFP_OPTION_ORDER:
		return print_order(query, profile);
	case TFP_OPTION_LIST:
		return tfp_words_print(arena, query->lists[option->which]);
	case TFP_OPTION_SELECT:
		return print_selected(query, profile, arena);
	case TFP_OPTION_FLAG:
		return query->account_displayed_op_only ? "true" : "false";
	case TFP_OPTION_OUTPUT:
		return print_output(query, arena);
	default:
		return "";
	}
}
