/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pattern lists of a query, ready to match: regular expressions that must match a whole name, and the
 * literal text that may stand anywhere in it.
 */
#ifndef TFPROF_VIEW_MATCH_H
#define TFPROF_VIEW_MATCH_H

#include "tfprof/view.h"

struct tfp_pattern;
struct tfp_finder;
struct tfp_budget;

struct tfp_patterns {
	bool all;    /* every name passes, whatever it holds: the list is ".*" alone, and no text */
	bool none;   /* no name passes */
	bool open;   /* the list is ".*" alone, which also passes names that are not UTF-8 */
	bool either; /* there is a text, and it passes a name by itself */
	size_t count;
	struct tfp_pattern *at;
	struct tfp_finder *text; /* NULL: no literal text */
	struct tfp_budget *budget;
	const char *option;    /* "show_name_regexes", for messages */
	struct tfp_diag *diag; /* where a failure at match time is reported */
};

/*
 * Compiles list LIST of QUERY. False with an error (pattern, offset, reason) in DIAG. What the lists
 * mean when both patterns and text are given: a name passes show, account and start when both pass, hide
 * and trim when one does.
 */
bool tfp_patterns_init(struct tfp_patterns *patterns, const struct tfp_query *query,
		       enum tfp_list list, struct tfp_diag *diag);
void tfp_patterns_free(struct tfp_patterns *patterns);
/* 1: NAME passes, 0: it does not, -1: a match limit was reached (an error is in the diag). */
int tfp_patterns_match(const struct tfp_patterns *patterns, struct tfp_span name);
/* Does pattern INDEX alone match? As above. The text is not looked at. */
int tfp_patterns_match_one(const struct tfp_patterns *patterns, size_t index, struct tfp_span name);

/* Literal search with smart case: text without capitals finds both cases. */
struct tfp_finder *tfp_finder_new(const char *text);
void tfp_finder_free(struct tfp_finder *finder);
bool tfp_finder_match(const struct tfp_finder *finder, struct tfp_span name);

/*
 * Which nodes are accounted: list TFP_ACCOUNT over the op types of a node, and the shape filter. Results
 * are kept by type, so that a pattern sees each type once.
 */
struct tfp_account {
	const struct tfp_profile *profile;
	struct tfp_patterns patterns;
	bool all;        /* every node counts once */
	bool ran_only;   /* one that never ran does not */
	bool count_each; /* as TensorFlow has it: a node counts once for each pattern it matches */
	uint32_t *place; /* by string id: 1 + index of its words in masks, 0 not matched yet */
	size_t place_count;
	size_t words; /* 64-bit words of a mask, one bit a pattern */
	TFP_ARRAY(uint64_t) masks;
	uint64_t *sum;     /* of the node in hand */
	const char *shape; /* NULL: any */
	unsigned quirks;
};

bool tfp_account_init(struct tfp_account *account, const struct tfp_profile *profile,
		      const struct tfp_query *query, struct tfp_diag *diag);
void tfp_account_free(struct tfp_account *account);
/* From now on nodes that never ran do not count. */
void tfp_account_need_runs(struct tfp_account *account);
/* How often NODE counts: 0 not at all. -1: a match limit was reached (an error is in the diag). */
int tfp_account_node(struct tfp_account *account, uint32_t node);
/* The same for a thing that is no node and has one op type: 0, 1 or -1. */
int tfp_account_type(struct tfp_account *account, struct tfp_span type);

#endif
