/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load: files to one profile. A format is one file in src/load and one row in the registry.
 */
#ifndef TFPROF_LOAD_H
#define TFPROF_LOAD_H

#include "tfprof/codec.h"
#include "tfprof/model.h"

/* What a file was named as on the command line. */
enum tfp_role {
	TFP_ROLE_ANY, /* recognised by content */
	TFP_ROLE_GRAPH,
	TFP_ROLE_RUN_META,
	TFP_ROLE_OP_LOG,
	TFP_ROLE_PROFILE,
};

struct tfp_named_file {
	const char *path;
	enum tfp_role role;
};

/*
 * Loads files as one profile: any of one graph, one op log, run metadata (steps 0, 1, 2 … in the
 * order given); or one saved profile; or one file of another format. TensorFlow's are applied
 * graph, op log, run metadata, whatever their order. Damage becomes problems in DIAG and what
 * parsed is kept. NULL when nothing could be read, a combination is not possible (the error names
 * both files), or the job was cancelled before anything was loaded.
 */
struct tfp_profile *tfp_load(const struct tfp_named_file *files, size_t count, struct tfp_job *job,
			     struct tfp_diag *diag);

/* One format. */
struct tfp_loader {
	const char *name;  /* "graphdef" */
	const char *label; /* "TensorFlow GraphDef" */
	enum tfp_role role;
	int stage;  /* files are applied by stage: 0 graph, 1 op log, 2 run metadata */
	bool alone; /* makes a profile of its own */
	/* 0: no. 1 to 100: how sure. Looks at the first elements only. */
	int (*sniff)(const struct tfp_source *source);
	/*
	 * Adds the file to PROFILE; takes over SOURCE (frees it, or keeps it in a provider). FILE
	 * is the index in profile.files; STEP the step number for run metadata. False: nothing
	 * could be read.
	 */
	bool (*load)(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		     int64_t step, struct tfp_job *job, struct tfp_diag *diag);
};

extern const struct tfp_loader *const tfp_loaders[]; /* NULL-ended */

/* The loader that is surest of SOURCE, NULL if none is. */
const struct tfp_loader *tfp_recognise(const struct tfp_source *source);

#endif
