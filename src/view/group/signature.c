/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures: the label of op and input shapes is made once for each distinct list of shapes, and
 * what looks alike is alike.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "view/group/signature.h"

/* A distinct op with its distinct input shapes, and a node that has them. */
struct tfp_variant {
	uint32_t node;
	uint32_t signature;
};

/* Of these ops two inputs say all: what is differentiated, and the gradient that comes in. */
static const struct {
	const char *op;
	uint32_t subject, gradient;
} backward[] = {
	{"Conv2DBackpropFilter", 0, 2},
	{"Conv2DBackpropInput", 1, 2},
	{"Conv3DBackpropFilterV2", 0, 2},
	{"Conv3DBackpropInputV2", 1, 2},
	{"DepthwiseConv2dNativeBackpropFilter", 0, 2},
	{"DepthwiseConv2dNativeBackpropInput", 1, 2},
};

#define FOLD_FROM  4   /* so many equal shapes in a row are written once, with their number */
#define MOST_RUNS  64  /* shapes that a label writes before it says that there are more */
#define SHAPE_ROOM 128 /* longer shapes are cut */

void tfp_signatures_start(struct tfp_signatures *signatures, struct tfp_profile *profile,
			  unsigned quirks)
{
	*signatures = (struct tfp_signatures){.profile = profile, .quirks = quirks};
	signatures->of_node = tfp_realloc_array(NULL, profile->nodes.count, sizeof(uint32_t));
	memset(signatures->of_node, 0xff, profile->nodes.count * sizeof(uint32_t));
	signatures->exact = tfp_lookup_new();
	signatures->named = tfp_lookup_new();
}

void tfp_signatures_end(struct tfp_signatures *signatures)
{
	free(signatures->of_node);
	tfp_lookup_free(signatures->exact);
	tfp_lookup_free(signatures->named);
	tfp_array_free(&signatures->variants);
	tfp_array_free(&signatures->label);
	tfp_array_free(&signatures->op);
}

static uint32_t input_count(const struct tfp_profile *profile, uint32_t node)
{
	return profile->nodes.input_first[node + 1] - profile->nodes.input_first[node];
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void put_shape(const struct tfp_signatures *signatures, FILE *out, uint32_t shape)
{
	char text[SHAPE_ROOM] = "";

	if (shape != TFP_NONE)
		tfp_profile_shape_text(signatures->profile, shape, text, sizeof(text));
	fputs(*text ? text : "?", out);
}

static uint32_t input_shape(const struct tfp_signatures *signatures, uint32_t node, uint32_t input)
{
	return tfp_profile_input_shape(signatures->profile, node, input, signatures->quirks);
}

static void put_inputs(const struct tfp_signatures *signatures, FILE *out, uint32_t node)
{
	uint32_t count = input_count(signatures->profile, node), run, runs = 0;

	for (uint32_t i = 0; i < count; i += run) {
		uint32_t shape = input_shape(signatures, node, i);

		if (runs++ == MOST_RUNS) {
			fputs(" …", out);
			return;
		}
		for (run = 1; i + run < count; run++)
			if (input_shape(signatures, node, i + run) != shape)
				break;
		fputs(i ? " · " : " ", out);
		put_shape(signatures, out, shape);
		if (run >= FOLD_FROM)
			fprintf(out, " ×%u", run);
		else
			run = 1;
	}
}

static bool put_backward(const struct tfp_signatures *signatures, FILE *out, uint32_t node,
			 const char *op)
{
	for (size_t i = 0; i < sizeof(backward) / sizeof(*backward); i++) {
		if (strcmp(op, backward[i].op) != 0)
			continue;
		if (input_count(signatures->profile, node) <= backward[i].gradient)
			return false;
		fputc(' ', out);
		put_shape(signatures, out, input_shape(signatures, node, backward[i].subject));
		fputs(" ← ", out);
		put_shape(signatures, out, input_shape(signatures, node, backward[i].gradient));
		return true;
	}
	return false;
}

static void put_given(const struct tfp_signatures *signatures, FILE *out, uint32_t node)
{
	const struct tfp_profile *profile = signatures->profile;
	struct tfp_span given;

	if (!profile->nodes.signature || !profile->nodes.signature[node])
		return;
	given = tfp_strings_get(profile->strings, profile->nodes.signature[node]);
	fputc(' ', out);
	fwrite(given.at, 1, given.size, out);
}

static tfp_str make_label(struct tfp_signatures *signatures, uint32_t node)
{
	struct tfp_profile *profile = signatures->profile;
	struct tfp_span op = tfp_strings_get(profile->strings, profile->nodes.op[node]);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	tfp_str label;

	if (!out)
		return profile->nodes.op[node];
	fwrite(op.at, 1, op.size, out);
	put_given(signatures, out, node);
	if (!put_backward(signatures, out, node, op.at))
		put_inputs(signatures, out, node);
	fclose(out);
	label = tfp_strings_add(profile->strings, text, size);
	free(text);
	return label;
}

static uint32_t find_signature(struct tfp_signatures *signatures, uint32_t node)
{
	tfp_str label = make_label(signatures, node), op = signatures->profile->nodes.op[node];
	uint32_t hash = tfp_lookup_mix(label), signature;

	TFP_LOOKUP_EACH(signature, signatures->named, hash)
		if (signatures->label.at[signature] == label && signatures->op.at[signature] == op)
			return signature;
	signature = (uint32_t)signatures->label.count;
	*tfp_array_push(&signatures->label) = label;
	*tfp_array_push(&signatures->op) = op;
	tfp_lookup_add(signatures->named, hash, signature);
	return signature;
}

/* ---- variants -------------------------------------------------------------------------------- */

static tfp_str given_of(const struct tfp_profile *profile, uint32_t node)
{
	return profile->nodes.signature ? profile->nodes.signature[node] : 0;
}

static uint32_t hash_inputs(const struct tfp_signatures *signatures, uint32_t node)
{
	uint64_t hash = signatures->profile->nodes.op[node] |
			(uint64_t)given_of(signatures->profile, node) << 32;
	uint32_t count = input_count(signatures->profile, node);

	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ input_shape(signatures, node, i)) * 0x9e3779b97f4a7c15u +
		       (hash >> 31);
	return tfp_lookup_mix(hash);
}

static bool same_inputs(const struct tfp_signatures *signatures, uint32_t a, uint32_t b)
{
	const struct tfp_profile *profile = signatures->profile;
	uint32_t count = input_count(profile, a);

	if (profile->nodes.op[a] != profile->nodes.op[b] ||
	    given_of(profile, a) != given_of(profile, b) || count != input_count(profile, b))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (input_shape(signatures, a, i) != input_shape(signatures, b, i))
			return false;
	return true;
}

static uint32_t find_variant(struct tfp_signatures *signatures, uint32_t node)
{
	uint32_t hash = hash_inputs(signatures, node), variant;

	TFP_LOOKUP_EACH(variant, signatures->exact, hash)
		if (same_inputs(signatures, signatures->variants.at[variant].node, node))
			return signatures->variants.at[variant].signature;
	tfp_lookup_add(signatures->exact, hash, (uint32_t)signatures->variants.count);
	*tfp_array_push(&signatures->variants) =
		(struct tfp_variant){node, find_signature(signatures, node)};
	return signatures->variants.at[signatures->variants.count - 1].signature;
}

uint32_t tfp_signature(struct tfp_signatures *signatures, uint32_t node)
{
	uint32_t *known = &signatures->of_node[node];

	if (*known == TFP_NONE)
		*known = find_variant(signatures, node);
	return *known;
}
