/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gradients by name. TensorFlow gives the ops that it makes for the gradient of "a/b" names such as
 * "gradients/a/b_grad/Mul"; the first occurrence of each mark decides, whatever surrounds it.
 */
#include <string.h>

#include "view/group/gradient.h"

#include "tfprof/view.h"

static const struct tfp_span prefix = {"gradients/", 10};
static const struct tfp_span suffix = {"_grad/", 6};

/* Does WORD end right behind AT, which is in TEXT? */
static bool ends_at(struct tfp_span text, const char *at, struct tfp_span word)
{
	return (size_t)(at + 1 - text.at) >= word.size &&
	       memcmp(at + 1 - word.size, word.at, word.size) == 0;
}

/*
 * True when NAME is that of a gradient (".../gradients/FORWARD_grad/..."); FORWARD becomes the name
 * of its forward op, a part of NAME.
 */
static bool forward_of(struct tfp_span name, struct tfp_span *forward)
{
	const char *end = name.at + name.size, *start = NULL, *stop = NULL;

	/* Both marks end in a slash, and there are few of those. */
	for (const char *at = memchr(name.at, '/', name.size); at && !(start && stop);
	     at = memchr(at + 1, '/', (size_t)(end - at - 1))) {
		if (!start && ends_at(name, at, prefix))
			start = at + 1;
		if (!stop && ends_at(name, at, suffix))
			stop = at + 1 - suffix.size;
	}
	if (!start || !stop || stop == start)
		return false;
	/*
	 * A suffix before the prefix: the original's length wraps around, to the end of the name.
	 */
	if (stop < start)
		stop = end;
	*forward = (struct tfp_span){start, (size_t)(stop - start)};
	return true;
}

uint32_t tfp_gradient_node(const struct tfp_profile *profile, uint32_t node, bool *gradient)
{
	struct tfp_span forward, beyond;
	tfp_str name;

	*gradient =
		forward_of(tfp_strings_get(profile->strings, profile->nodes.name[node]), &forward);
	if (!*gradient || forward_of(forward, &beyond))
		return TFP_NONE;
	name = tfp_strings_find(profile->strings, forward.at, forward.size);
	return name == TFP_NONE ? TFP_NONE : tfp_profile_find_node(profile, name);
}

uint32_t tfp_gradient_stack(const struct tfp_profile *profile, uint32_t node, bool *gradient)
{
	uint32_t forward = TFP_NONE;

	*gradient = false;
	if (profile->tensorflow)
		forward = tfp_gradient_node(profile, node, gradient);
	if (forward != TFP_NONE && profile->nodes.stack[forward] != TFP_NONE)
		return profile->nodes.stack[forward];
	return profile->nodes.stack[node];
}

bool tfp_has_gradients(const struct tfp_profile *profile)
{
	bool gradient;

	for (uint32_t node = 0; profile->tensorflow && node < profile->nodes.count; node++)
		if (tfp_gradient_node(profile, node, &gradient) != TFP_NONE)
			return true;
	return false;
}
