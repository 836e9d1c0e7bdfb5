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
	TFP_ROLE_CHECKPOINT, /* the path may also be a prefix, a folder or a pattern */
};

struct tfp_named_file {
	const char *path;
	enum tfp_role role;
	const char *
		tags; /* of a SavedModel: which of its graphs, by commas; NULL: serve, or the first */
};

/* Whether FOLDER is a SavedModel, which is opened as a file is. */
bool tfp_is_saved_model(const char *folder);
/* Whether the folder PATH holds a checkpoint, and no other profile: it is opened as well. Looks through the folder. */
bool tfp_is_checkpoint_folder(const char *path);

/*
 * Loads files as one profile: any of one graph (which may be in a SavedModel, whose variables come along), one op log, run metadata (steps 0, 1, 2 … in the
 * order given); or one saved profile; or one file of another format, or several that are hosts or
 * ranks of one run. A folder stands for the profile that is in it or below it, if there is one and no
 * other. A checkpoint goes with any of
 * TensorFlow's, or alone. TensorFlow's are applied graph, op log, checkpoint, run metadata, whatever
 * their order. Damage becomes problems in DIAG and what
 * parsed is kept. NULL when nothing could be read, a combination is not possible (the error names
 * both files), or the job was cancelled before anything was loaded.
 */
struct tfp_profile *tfp_load(const struct tfp_named_file *files, size_t count, struct tfp_job *job,
			     struct tfp_diag *diag);

/* ---- what there is in a folder ---------------------------------------------------------------- */

struct tfp_loader;

/* A profile found: a file, or several that belong together. */
struct tfp_found {
	const char *name;  /* path below the folder, of the file or of what holds the files; "." */
	const char *label; /* what it is: "PyTorch trace" */
	const char *
		note; /* what else is to be said of it: "2 ranks", "same as a.json", "cut short"; "" */
	const char *run, *host; /* by the place in a TensorBoard log folder; "" where it has none */
	uint64_t size;          /* of all its files on disk */
	int64_t mtime;          /* of the newest */
	struct tfp_named_file *files; /* as tfp_load takes them */
	size_t count, cut;            /* files; those that end too early */
	/* NULL, or the loader of files of which several are one profile: hosts or ranks of one run */
	const struct tfp_loader *several;
};

struct tfp_discovery {
	struct tfp_arena arena;
	TFP_ARRAY(struct tfp_found) found; /* by name */
	size_t looked;                     /* regular files that were looked at */
};

/*
 * Looks for profiles in FOLDER and what is below it: each regular file is recognised by its first
 * bytes, none is loaded. Links to folders and .git are passed over; depth and number of entries are
 * bounded. What can't be read is a warning in DIAG. False, with an error in DIAG, when FOLDER itself
 * can't be read, and without one when JOB was cancelled. Free it with tfp_discovery_free either way.
 */
bool tfp_discover(struct tfp_discovery *discovery, const char *folder, struct tfp_job *job,
		  struct tfp_diag *diag);
void tfp_discovery_free(struct tfp_discovery *discovery);
/* What the folder at PATH is called, whatever it is named by: "runs" of ".". In ARENA. */
char *tfp_folder_name(const char *path, struct tfp_arena *arena);
/* "3 profiles in runs"; what was looked for where there is none. In ARENA. */
const char *tfp_discovery_describe(const struct tfp_discovery *discovery, const char *folder,
				   struct tfp_arena *arena);
/*
 * What was found in FOLDER as a profile with a node for each, in their order: metrics size, date,
 * files, attributes format, note, run, host. The files view shows it.
 */
struct tfp_profile *tfp_discovery_profile(const struct tfp_discovery *discovery,
					  const char *folder);
/*
 * The files of the COUNT finds AT as one list, in ARENA. NULL, with an error in DIAG that says which two
 * are not one profile, when they can't be opened together.
 */
struct tfp_named_file *tfp_discovery_join(const struct tfp_discovery *discovery, const uint32_t *at,
					  size_t count, struct tfp_arena *arena, size_t *files,
					  struct tfp_diag *diag);

/* One format. */
struct tfp_loader {
	const char *name;  /* "graphdef" */
	const char *label; /* "TensorFlow GraphDef" */
	enum tfp_role role;
	int stage; /* files are applied by stage: 0 graph, 1 op log, 2 checkpoint, 3 run metadata */
	bool alone;   /* makes a profile of its own */
	bool several; /* alone, but for others of its kind: hosts or ranks of one run */
	bool grows;   /* takes a source that is not all there yet: see tfp_source_more */
	/* 0: no. 1 to 100: how sure. Looks at the first elements only. */
	int (*sniff)(const struct tfp_source *source);
	/*
	 * SOURCE is the beginning of a file: could sniff say another thing with more of it? What a packed file is must not hang
	 * on how much of it happens to be unpacked. NULL: the first elements always tell.
	 */
	bool (*wants_more)(const struct tfp_source *source);
	/*
	 * Adds the file to PROFILE; takes over SOURCE (frees it, or keeps it in a provider). FILE
	 * is the index in profile.files; STEP the step number for run metadata. False: nothing
	 * could be read.
	 */
	bool (*load)(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		     int64_t step, struct tfp_job *job, struct tfp_diag *diag);
	/*
	 * For who looks on while all is read: adds about SHARE of SOURCE, of which so much is there, to PROFILE.
	 * SOURCE stays the caller's. NULL: a part of such a file says nothing.
	 */
	bool (*part)(struct tfp_profile *profile, struct tfp_source *source, double share,
		     uint32_t file, struct tfp_job *job, struct tfp_diag *diag);
	/*
	 * Once all files are loaded, those of other kinds too: the sums over them. NULL where there is
	 * nothing to do. False: the job was cancelled.
	 */
	bool (*finish)(struct tfp_profile *profile, struct tfp_job *job, struct tfp_diag *diag);
};

extern const struct tfp_loader *const tfp_loaders[]; /* NULL-ended */

/* The loader that is surest of SOURCE, NULL if none is. */
const struct tfp_loader *tfp_recognise(const struct tfp_source *source);

#endif
