/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts that are filled when first asked for: the columns are made empty, every provider adds what
 * its files hold, and executions are brought into order.
 */
#include <stdlib.h>
#include <string.h>

#include "model/private.h"

void tfp_profile_add_provider(struct tfp_profile *profile, const struct tfp_provider *provider)
{
	*tfp_array_push(&profile->providers) = *provider;
}

static uint32_t *new_column(size_t count, int byte)
{
	uint32_t *column = tfp_realloc_array(NULL, count, sizeof(*column));

	return memset(column, byte, count * sizeof(*column));
}

static void make_columns(struct tfp_profile *profile, unsigned parts)
{
	struct tfp_nodes *nodes = &profile->nodes;
	size_t count = nodes->count;

	if (parts & TFP_PART_EDGES)
		nodes->input_first = new_column(count + 1, 0);
	if (parts & TFP_PART_SHAPES) {
		nodes->shape = new_column(count, 0xff);
		nodes->output_first = new_column(count + 1, 0);
	}
	if (parts & TFP_PART_STACKS)
		nodes->stack = new_column(nodes->room, 0xff);
}

static void drop_column(uint32_t **column)
{
	tfp_array_release(*column);
	*column = NULL;
}

static void drop_columns(struct tfp_profile *profile, unsigned parts)
{
	struct tfp_nodes *nodes = &profile->nodes;

	if (parts & TFP_PART_EDGES) {
		drop_column(&nodes->input_first);
		tfp_array_free(&profile->inputs);
	}
	if (parts & TFP_PART_SHAPES) {
		drop_column(&nodes->shape);
		drop_column(&nodes->output_first);
		tfp_array_free(&profile->output_shape);
	}
	if (parts & TFP_PART_STACKS)
		drop_column(&nodes->stack);
	if (parts & TFP_PART_EXECS)
		tfp_array_free(&profile->execs);
	if (parts & TFP_PART_STREAMS)
		tfp_array_free(&profile->streams);
	if (parts & TFP_PART_ALLOCS) {
		tfp_allocs_free(&profile->allocs);
		tfp_array_free(&profile->in_use);
		tfp_array_free(&profile->holdings);
	}
	if (parts & TFP_PART_MODEL) {
		tfp_array_free(&profile->facts);
		tfp_array_free(&profile->functions);
		tfp_array_free(&profile->body);
		tfp_array_free(&profile->calls);
	}
	if (parts & TFP_PART_CONTENTS)
		tfp_array_free(&profile->contents);
	if (parts & TFP_PART_RECORDS) {
		tfp_array_free(&profile->presences);
		tfp_array_free(&profile->memories);
		tfp_array_free(&profile->memory_outputs);
	}
}

static int compare_execs(const void *left, const void *right)
{
	const struct tfp_exec *a = left, *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->accelerator != b->accelerator)
		return a->accelerator < b->accelerator ? -1 : 1;
	return a->device < b->device ? -1 : a->device > b->device;
}

/* By node in one counting pass, then within each node. */
static void sort_execs(struct tfp_profile *profile)
{
	size_t count = profile->execs.count, nodes = profile->nodes.count;
	struct tfp_exec *old = profile->execs.at, *sorted;
	uint32_t *end = new_column(nodes + 1, 0);

	sorted = tfp_realloc_array(NULL, count, sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		end[old[i].node + 1]++;
	for (size_t i = 0; i < nodes; i++)
		end[i + 1] += end[i];
	for (size_t i = 0; i < count; i++)
		sorted[end[old[i].node]++] = old[i];
	for (size_t i = 0, first = 0; i < nodes; first = end[i++])
		if (end[i] - first > 1)
			qsort(sorted + first, end[i] - first, sizeof(*sorted), compare_execs);
	tfp_array_release(end);
	tfp_array_release(old);
	profile->execs.at = sorted;
	profile->execs.room = count;
}

static bool ask_providers(struct tfp_profile *profile, unsigned parts, struct tfp_job *job,
			  struct tfp_diag *diag)
{
	for (size_t i = 0; i < profile->providers.count; i++) {
		struct tfp_provider *provider = &profile->providers.at[i];

		if (provider->parts & parts &&
		    !provider->fill(profile, provider->parts & parts, provider->data, job, diag))
			return false;
	}
	return true;
}

/* What parts hold is of all of a recording, whatever part of that is looked at. */
static bool run_providers(struct tfp_profile *profile, unsigned parts, struct tfp_job *job,
			  struct tfp_diag *diag)
{
	struct tfp_trace *cut = profile->trace;
	bool done;

	if (cut && cut->whole)
		profile->trace = cut->whole;
	done = ask_providers(profile, parts, job, diag);
	profile->trace = cut;
	return done;
}

bool tfp_profile_need(struct tfp_profile *profile, unsigned parts, struct tfp_job *job,
		      struct tfp_diag *diag)
{
	unsigned missing = parts & ~profile->filled;

	if (!missing)
		return true;
	make_columns(profile, missing);
	if (!run_providers(profile, missing, job, diag)) {
		drop_columns(profile, missing);
		return false;
	}
	if (missing & TFP_PART_EXECS && profile->execs.count)
		sort_execs(profile);
	if (missing & TFP_PART_MODEL)
		tfp_functions_settle(profile);
	profile->filled |= missing;
	if (missing & TFP_PART_SHAPES)
		tfp_metrics_shapes_known(profile);
	return true;
}
