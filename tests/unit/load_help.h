/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of loaders share: sources from text protos and fixtures, loading one source, and
 * short ways to ask a profile.
 */
#ifndef TFPROF_TESTS_LOAD_HELP_H
#define TFPROF_TESTS_LOAD_HELP_H

#include <string.h>

#include "test_path.h"
#include "tfprof/load.h"

static inline const struct tfp_loader *loader_named(const char *name)
{
	size_t i = 0;

	while (strcmp(tfp_loaders[i]->name, name) != 0)
		i++;
	return tfp_loaders[i];
}

static inline struct tfp_source *source_of(const char *name, const void *bytes, size_t size)
{
	uint8_t *copy = tfp_alloc(size);

	if (size)
		memcpy(copy, bytes, size);
	return tfp_source_from_bytes(name, copy, size);
}

static inline struct tfp_source *source_of_text(const char *text)
{
	return source_of("text", text, strlen(text));
}

/* tests/data/tf/PATH, inflated. */
static inline struct tfp_source *open_fixture(const char *path, struct tfp_diag *diag)
{
	char whole[TEST_PATH];

	return tfp_source_open(test_path(whole, "data/tf/%s", path), NULL, diag);
}

static inline bool load_source(struct tfp_profile *profile, const char *loader,
			       struct tfp_source *source, int64_t step, struct tfp_diag *diag)
{
	uint32_t file = tfp_profile_add_file(profile, source->path, loader, source->size, 0);

	return loader_named(loader)->load(profile, source, file, step, NULL, diag);
}

static inline uint32_t node_named(const struct tfp_profile *profile, const char *name)
{
	return tfp_profile_find_node(profile,
				     tfp_strings_find(profile->strings, name, strlen(name)));
}

static inline int64_t value_of(const struct tfp_profile *profile, const char *name, uint32_t step,
			       unsigned quirks, enum tfp_tf_metric metric)
{
	int64_t values[TFP_MAX_METRICS];

	tfp_profile_values(profile, node_named(profile, name), step, quirks, values);
	return values[metric];
}

/* The problem whose text holds PART, or one with count 0. */
static inline struct tfp_problem problem_with(const struct tfp_diag *diag, const char *part)
{
	for (size_t i = 0; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (strstr(problem.text, part))
			return problem;
	}
	return (struct tfp_problem){.text = ""};
}

#endif
