/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model view: what a saved model or a function library holds besides the nodes of its graph. Calls are
 * followed: the body of a function stands below the first call that leads to it, and all others lead
 * there. So there are as many rows as the file has things, however often functions are called.
 */
#include <stdlib.h>

#include "view/views/overview.h"

#define POLL 4096

/* A body whose nodes are being added. */
struct visit {
	uint32_t function;
	uint32_t node, call; /* the next ones, in profile.body and profile.calls */
	uint32_t row;        /* of the call */
	uint32_t node_row;   /* of the node added last */
};

struct maker {
	struct tfp_outline outline;
	const struct tfp_profile *profile;
	uint32_t *row_of; /* by function: the row that its body is below; 0: none yet */
	bool *is_open;    /* by function */
	TFP_ARRAY(struct visit) open;
	uint32_t steps;
};

static const struct tfp_target nowhere;

static uint32_t add(struct maker *maker, uint32_t parent, const char *text)
{
	return tfp_outline_add(&maker->outline, parent, text, nowhere);
}

static const char *text_of(const struct maker *maker, tfp_str name)
{
	return tfp_strings_text(maker->profile->strings, name);
}

/* ---- facts --------------------------------------------------------------------------------------- */

static void add_facts(struct maker *maker)
{
	const struct tfp_profile *profile = maker->profile;
	uint32_t first = (uint32_t)maker->outline.rows.count;

	for (size_t i = 0; i < profile->facts.count; i++) {
		const struct tfp_fact *fact = &profile->facts.at[i];
		uint32_t parent = fact->parent == TFP_NONE ? 0 : first + fact->parent;

		add(maker, parent,
		    tfp_arena_printf(&maker->outline.arena, "%s%s%s", fact->name,
				     *fact->value ? ": " : "", fact->value));
	}
}

/* ---- calls --------------------------------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* "4 nodes, 3 arguments, 1 result; 94 nodes when all calls are open" */
static char *describe(struct maker *maker, const struct tfp_function *function)
{
	struct tfp_arena *arena = &maker->outline.arena;
	char nodes[TFP_NUMBER_ROOM], expanded[TFP_NUMBER_ROOM], *text;

	tfp_number_exact(nodes, function->nodes);
	tfp_number_exact(expanded, function->expanded);
	text = tfp_arena_printf(arena, "%s node%s, %u argument%s, %u result%s", nodes,
				plural(function->nodes), function->inputs, plural(function->inputs),
				function->outputs, plural(function->outputs));
	if (!function->calls)
		return text;
	return tfp_arena_printf(arena, "%s; %s nodes when all calls are open%s", text, expanded,
				function->recursive ? ", recursive" : "");
}

static void open_body(struct maker *maker, uint32_t index, uint32_t row)
{
	const struct tfp_function *function = &maker->profile->functions.at[index];

	maker->row_of[index] = row;
	maker->is_open[index] = true;
	*tfp_array_push(&maker->open) = (struct visit){
		.function = index,
		.node = function->node_first,
		.call = function->call_first,
		.row = row,
	};
}

/* A row below PARENT that leads to the body of the function, which is shown already. */
static void add_link(struct maker *maker, uint32_t index, const char *label, uint32_t parent)
{
	const char *name = text_of(maker, maker->profile->functions.at[index].name);
	uint32_t row = add(maker, parent,
			   tfp_arena_printf(&maker->outline.arena, "%s%s, %s", label, name,
					    maker->is_open[index] ? "which is open: recursion"
								  : "shown above"));

	maker->outline.rows.at[row].place = maker->row_of[index];
}

/* The row of the function, and its body below it or a way to it. LABEL comes before its name. */
static void add_function(struct maker *maker, uint32_t index, const char *label, uint32_t parent)
{
	const struct tfp_function *function = &maker->profile->functions.at[index];

	if (maker->row_of[index]) {
		add_link(maker, index, label, parent);
		return;
	}
	open_body(maker, index,
		  add(maker, parent,
		      tfp_arena_printf(&maker->outline.arena, "%s%s: %s", label,
				       text_of(maker, function->name), describe(maker, function))));
}

static void add_call(struct maker *maker, const struct tfp_call *call, uint32_t parent)
{
	struct tfp_arena *arena = &maker->outline.arena;
	const char *label =
		call->attribute ? tfp_arena_printf(arena, "%s = ", text_of(maker, call->attribute))
				: "";

	if (call->callee != TFP_NONE)
		add_function(maker, call->callee, label, parent);
	else
		add(maker, parent,
		    tfp_arena_printf(arena, "%s%s, not in the library", label,
				     text_of(maker, call->name)));
}

static uint32_t add_node(struct maker *maker, tfp_str name, tfp_str op, uint32_t parent)
{
	return add(maker, parent,
		   tfp_arena_printf(&maker->outline.arena, "%s (%s)", text_of(maker, name),
				    text_of(maker, op)));
}

/* Adds the next call or node of the body on top, or closes it. */
static void step(struct maker *maker)
{
	const struct tfp_profile *profile = maker->profile;
	struct visit *visit = &maker->open.at[maker->open.count - 1];
	const struct tfp_function *function = &profile->functions.at[visit->function];
	bool calls = visit->call < function->call_first + function->calls;

	if (calls && profile->calls.at[visit->call].node < visit->node) {
		const struct tfp_call *call = &profile->calls.at[visit->call++];

		add_call(maker, call, visit->node_row);
	} else if (visit->node < function->node_first + function->nodes) {
		const struct tfp_body_node *node = &profile->body.at[visit->node++];

		visit->node_row = add_node(maker, node->name, node->op, visit->row);
	} else {
		maker->is_open[visit->function] = false;
		maker->open.count--;
	}
}

/* Adds all that is open. False when cancelled. */
static bool finish(struct maker *maker)
{
	while (maker->open.count) {
		step(maker);
		if (++maker->steps % POLL == 0 && tfp_job_cancelled(maker->outline.build->job))
			return false;
	}
	return true;
}

/* ---- sections ------------------------------------------------------------------------------------ */

/* How many rows there are when all calls of the graph are open. */
static int64_t count_expanded(const struct tfp_profile *profile)
{
	int64_t sum = profile->nodes.count;

	for (uint32_t i = 0; i < profile->graph_calls; i++) {
		uint32_t callee = profile->calls.at[i].callee;

		if (callee != TFP_NONE &&
		    __builtin_add_overflow(sum, profile->functions.at[callee].expanded, &sum))
			return INT64_MAX;
	}
	return sum;
}

static bool add_graph_calls(struct maker *maker)
{
	const struct tfp_profile *profile = maker->profile;
	char calls[TFP_NUMBER_ROOM], expanded[TFP_NUMBER_ROOM];
	uint32_t section, last = TFP_NONE, row = 0;

	if (!profile->graph_calls)
		return true;
	tfp_number_exact(calls, profile->graph_calls);
	tfp_number_exact(expanded, count_expanded(profile));
	section = add(maker, 0,
		      tfp_arena_printf(&maker->outline.arena,
				       "calls of the graph: %s; %s nodes when all are open", calls,
				       expanded));
	for (uint32_t i = 0; i < profile->graph_calls; i++) {
		const struct tfp_call *call = &profile->calls.at[i];

		if (call->node != last)
			row = add_node(maker, profile->nodes.name[call->node],
				       profile->nodes.op[call->node], section);
		last = call->node;
		add_call(maker, call, row);
		if (!finish(maker))
			return false;
	}
	return true;
}

static bool add_unreached(struct maker *maker)
{
	const struct tfp_profile *profile = maker->profile;
	char text[TFP_NUMBER_ROOM];
	uint32_t section;
	int64_t count = 0;

	for (size_t i = 0; i < profile->functions.count; i++)
		count += !profile->functions.at[i].reached;
	if (!count)
		return true;
	section = add(maker, 0,
		      tfp_arena_printf(&maker->outline.arena,
				       "functions that the graph does not reach: %s",
				       tfp_number_exact(text, count)));
	for (uint32_t i = 0; i < profile->functions.count; i++) {
		if (profile->functions.at[i].reached)
			continue;
		add_function(maker, i, "", section);
		if (!finish(maker))
			return false;
	}
	return true;
}

static struct tfp_base *build_model(struct tfp_build *build)
{
	struct maker maker = {.outline.build = build, .profile = build->profile};
	struct tfp_base *base = NULL;

	maker.row_of = tfp_alloc_zero(maker.profile->functions.count, sizeof(*maker.row_of));
	maker.is_open = tfp_alloc_zero(maker.profile->functions.count, sizeof(*maker.is_open));
	tfp_outline_add(&maker.outline, TFP_NONE, "", nowhere);
	add_facts(&maker);
	if (add_graph_calls(&maker) && add_unreached(&maker))
		base = tfp_outline_base(&maker.outline, &tfp_view_model, "model");
	free(maker.row_of);
	free(maker.is_open);
	tfp_array_free(&maker.open);
	tfp_array_free(&maker.outline.rows);
	tfp_arena_free(&maker.outline.arena);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->has_model
		       ? NULL
		       : "These files hold no functions, no frozen variables and nothing of a saved model";
}

static const struct tfp_view_rules rules = {
	.natural = true,
};

const struct tfp_view tfp_view_model = {
	.name = "model",
	.title = "model",
	.about = "what a saved model holds besides its graph, and who calls which function",
	.example = "model -max_depth 5",
	.digit = '5',
	.missing = missing,
	.parts = TFP_PART_MODEL,
	.build = build_model,
	.rules = &rules,
	.shallow = true,
	.text = true,
};
