/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lenses: TensorFlow's five ways of looking at a profile, and one for each sample type of other
 * formats.
 */
#include <ctype.h>
#include <string.h>

#include "tfprof/columns.h"

static const struct tfp_lens tensorflow_lenses[] = {
	{"time", 't', TFP_TF_MICROS, ".*"},
	{"memory", 'm', TFP_TF_BYTES, ".*"},
	{"params", 'p', TFP_TF_PARAMS, "_trainable_variables"},
	{"flops", 'f', TFP_TF_FLOAT_OPS, ".*"},
	{"count", 'c', TFP_TF_RUNS, ".*"},
};

#define TENSORFLOW_LENSES (sizeof(tensorflow_lenses) / sizeof(*tensorflow_lenses))

bool tfp_lens_known(const char *name)
{
	for (size_t i = 0; i < TENSORFLOW_LENSES; i++)
		if (strcmp(tensorflow_lenses[i].name, name) == 0)
			return true;
	return false;
}

static bool is_taken(const struct tfp_lens *lenses, size_t count, char letter)
{
	for (size_t i = 0; i < count; i++)
		if (lenses[i].letter == letter)
			return true;
	return false;
}

/* The first letter of NAME that no lens has; else any that is free; 0 when there is none. */
static char free_letter(const struct tfp_lens *lenses, size_t count, const char *name)
{
	for (; *name; name++) {
		char letter = (char)tolower((unsigned char)*name);

		if (letter >= 'a' && letter <= 'z' && !is_taken(lenses, count, letter))
			return letter;
	}
	for (char letter = 'a'; letter <= 'z'; letter++)
		if (!is_taken(lenses, count, letter))
			return letter;
	return 0;
}

/* Without an op log no node is known to be trained: then all count, whatever else is called TYPE. */
static bool has_type(const struct tfp_profile *profile, const char *type)
{
	tfp_str name = tfp_strings_find(profile->strings, type, strlen(type));

	for (size_t i = 0; name != TFP_NONE && i < profile->types.count; i++)
		if (profile->types.at[i].name == name)
			return true;
	return false;
}

size_t tfp_lenses(const struct tfp_profile *profile, struct tfp_lens *out, size_t room)
{
	size_t all = profile->tensorflow ? TENSORFLOW_LENSES : profile->metric_count;
	size_t count = 0;

	for (size_t i = 0; i < all && count < room; i++) {
		struct tfp_lens lens;

		if (profile->tensorflow) {
			lens = tensorflow_lenses[i];
			if (!has_type(profile, lens.account))
				lens.account = ".*";
		} else {
			const char *key = profile->metrics[i].key;

			lens = (struct tfp_lens){key, free_letter(out, count, key), (uint32_t)i,
						 ".*"};
		}
		if (!profile->metrics[lens.metric].absent &&
		    profile->metrics[lens.metric].kind < TFP_SPREAD)
			out[count++] = lens;
	}
	return count;
}
