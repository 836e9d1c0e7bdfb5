/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof: the profile.proto of Go, of JAX's device memory and of many samplers. The samples of one
 * stack and one set of labels are one node, named after its leaf function; the labels are extra op
 * types. What is measured is whatever sample types the file declares. Stacks are filled at once:
 * they are the profile.
 */
#include "load/pprof/pprof.h"
#include "load/loaders.h"

static void note_patterns(const struct tfp_pprof_tables *tables)
{
	if (tables->drop_frames || tables->keep_frames)
		tfp_pprof_problem(tables, TFP_NOTE, tables->source->data,
				  "the file names frames to drop from its stacks; all are kept");
}

static bool has_values(const struct tfp_profile *profile, uint32_t metric)
{
	uint32_t column = profile->metrics[metric].column;

	for (uint32_t cell = 0; cell < profile->cells.count; cell++)
		if (profile->cells.value[(size_t)cell * profile->cell_columns + column])
			return true;
	return false;
}

/* The type that the file names may hold nothing; then the last that holds something says more. */
static void choose_metric(struct tfp_profile *profile)
{
	uint32_t metric = profile->metric_count;

	if (has_values(profile, profile->default_metric))
		return;
	while (metric-- > 0)
		if (has_values(profile, metric)) {
			profile->default_metric = metric;
			return;
		}
}

static bool read_file(struct tfp_pprof_tables *tables, uint32_t file, struct tfp_job *job)
{
	struct tfp_profile *profile = tables->profile;
	int64_t scale[TFP_MAX_METRICS];
	tfp_str label;

	if (!tfp_pprof_tables_read(tables, job))
		return false;
	if (!tables->samples.count && !tables->types.count) {
		tfp_pprof_problem(tables, TFP_ERROR, tables->source->data,
				  "no sample and no sample type can be read");
		return false;
	}
	note_patterns(tables);
	profile->format = "pprof";
	profile->has_stacks = true;
	tfp_pprof_metrics_make(tables, scale);
	label = tfp_strings_add_text(profile->strings, profile->files.at[file].path);
	if (!tfp_pprof_samples_read(tables, tfp_profile_step(profile, 0, label), scale, job))
		return false;
	choose_metric(profile);
	return true;
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_pprof_tables tables = {.profile = profile, .source = source, .diag = diag};
	bool done;

	(void)step;
	done = read_file(&tables, file, job);
	tfp_pprof_tables_free(&tables);
	tfp_source_free(source);
	return done;
}

const struct tfp_loader tfp_pprof_loader = {
	.name = "pprof",
	.label = "pprof profile",
	.alone = true,
	.sniff = tfp_pprof_sniff,
	.load = load,
};
