/* SPDX-License-Identifier: Apache-2.0 */
/* Folders among the files to be loaded: see folders.h. */
#include "load/find/folders.h"

#include <string.h>
#include <sys/stat.h>

#include "load/checkpoint/checkpoint.h"

#define NAMED 3 /* of the profiles that a folder has too many of */

/* SavedModels, and checkpoints called as a folder is, are opened by what the path says already. */
static bool is_folder(const struct tfp_named_file *file, struct tfp_arena *arena)
{
	bool graph = file->role == TFP_ROLE_ANY || file->role == TFP_ROLE_GRAPH;
	struct stat status;

	if (stat(file->path, &status) || !S_ISDIR(status.st_mode))
		return false;
	if (file->role == TFP_ROLE_CHECKPOINT)
		return !tfp_checkpoint_find(file->path, true, arena);
	return !(graph && tfp_is_saved_model(file->path)) &&
	       !(file->role == TFP_ROLE_ANY && tfp_checkpoint_find(file->path, false, arena));
}

bool tfp_is_checkpoint_folder(const char *path)
{
	struct tfp_discovery discovery = {0};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	bool one = tfp_checkpoint_find(path, false, &arena) &&
		   tfp_discover(&discovery, path, NULL, diag) && discovery.found.count == 1;

	tfp_discovery_free(&discovery);
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
	return one;
}

/* The paths of FOUND, which is some of the files of its folder. */
static const char *files_example(const struct tfp_found *found, struct tfp_arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < found->count && i < NAMED; i++)
		text = tfp_arena_printf(arena, "%s%s%s", text, i ? " " : "", found->files[i].path);
	return found->count > NAMED ? tfp_arena_printf(arena, "%s …", text) : text;
}

/* What names one of the profiles, which are two or more: its file, the folder of its files, or all of these. */
static const char *example_of(const struct tfp_discovery *discovery, struct tfp_arena *arena)
{
	const struct tfp_found *found = discovery->found.at;
	const char *path, *slash;

	if (!strcmp(found->name, ".")) /* the folder that has the others, too */
		found++;
	path = found->files[0].path;
	slash = strrchr(path, '/');
	if (found->count == 1)
		return tfp_arena_text(arena, path, strlen(path));
	if (!strcmp(slash + 1, found->name) ||
	    (strrchr(found->name, '/') && !strcmp(slash, strrchr(found->name, '/'))))
		return files_example(found, arena);
	return tfp_arena_text(arena, path, (size_t)(slash - path));
}

/* Are the profiles files of one kind of which several are one? */
static bool are_several(const struct tfp_discovery *discovery)
{
	const struct tfp_loader *loader = discovery->found.at[0].several;

	for (size_t i = 0; i < discovery->found.count; i++)
		if (discovery->found.at[i].several != loader)
			return false;
	return loader != NULL;
}

static void error_profiles(const struct tfp_discovery *discovery, const char *folder,
			   struct tfp_arena *arena, struct tfp_diag *diag)
{
	size_t count = discovery->found.count;
	const char *names = "";

	for (size_t i = 0; i < count && i < NAMED; i++)
		names = tfp_arena_printf(arena, "%s%s%s", names, i ? ", " : "",
					 discovery->found.at[i].name);
	tfp_diag_add(diag, TFP_ERROR, folder, -1, 0,
		     "holds %zu profiles (%s%s): name one, as %s%s; tfprof %s lists them", count,
		     names, count > NAMED ? ", …" : "", example_of(discovery, arena),
		     are_several(discovery) ? ", or each, if they are ranks of one run" : "",
		     folder);
}

/* What a folder is to hold that is named as such. */
static const char *const role_words[] = {
	[TFP_ROLE_GRAPH] = "a graph",           [TFP_ROLE_RUN_META] = "run metadata",
	[TFP_ROLE_OP_LOG] = "an op log",        [TFP_ROLE_PROFILE] = "a saved profile",
	[TFP_ROLE_CHECKPOINT] = "a checkpoint",
};

/* The profiles in FOLDER become those of its role alone, whatever else is there. */
static void keep_role(struct tfp_discovery *discovery, enum tfp_role role)
{
	size_t profiles = 0;

	for (size_t i = 0; i < discovery->found.count; i++) {
		struct tfp_found found = discovery->found.at[i];
		size_t kept = 0;

		for (size_t k = 0; k < found.count; k++)
			if (found.files[k].role == role)
				found.files[kept++] = found.files[k];
		found.count = kept;
		if (kept)
			discovery->found.at[profiles++] = found;
	}
	discovery->found.count = profiles;
}

static void error_none(const struct tfp_discovery *discovery, const struct tfp_named_file *folder,
		       struct tfp_arena *arena, struct tfp_diag *diag)
{
	if (folder->role == TFP_ROLE_ANY)
		tfp_diag_error(diag, "%s", tfp_discovery_describe(discovery, folder->path, arena));
	else
		tfp_diag_add(diag, TFP_ERROR, folder->path, -1, 0,
			     "a folder without %s; name a file, or a folder that holds one",
			     role_words[folder->role]);
}

static void error_many(const struct tfp_discovery *discovery, const struct tfp_named_file *folder,
		       struct tfp_arena *arena, struct tfp_diag *diag)
{
	if (folder->role == TFP_ROLE_ANY)
		error_profiles(discovery, folder->path, arena, diag);
	else
		tfp_diag_add(diag, TFP_ERROR, folder->path, -1, 0,
			     "%zu profiles in this folder have %s: name one, as %s",
			     discovery->found.count, role_words[folder->role],
			     example_of(discovery, arena));
}

/*
 * The files of the one profile in FOLDER, in ARENA, or those of it that FOLDER was named as: all run metadata, or the
 * one graph. NULL with an error: it has none, or several.
 */
static struct tfp_named_file *files_of(const struct tfp_named_file *folder, size_t *count,
				       struct tfp_arena *arena, struct tfp_job *job,
				       struct tfp_diag *diag)
{
	struct tfp_discovery discovery = {0};
	struct tfp_named_file *files = NULL;
	bool found = tfp_discover(&discovery, folder->path, job, diag);
	uint32_t first = 0;

	if (folder->role != TFP_ROLE_ANY)
		keep_role(&discovery, folder->role);
	if (found && !discovery.found.count)
		error_none(&discovery, folder, arena, diag);
	else if (found && discovery.found.count > 1)
		error_many(&discovery, folder, arena, diag);
	else if (found)
		files = tfp_discovery_join(&discovery, &first, 1, arena, count, diag);
	for (size_t i = 0; files && i < *count; i++)
		files[i].tags = folder->tags;
	tfp_discovery_free(&discovery);
	return files;
}

bool tfp_open_folders(struct tfp_file_list *list, const struct tfp_named_file *files, size_t count,
		      struct tfp_arena *arena, struct tfp_job *job, struct tfp_diag *diag)
{
	bool opened = true;

	for (size_t i = 0; i < count; i++) {
		const struct tfp_named_file *held = &files[i];
		size_t held_count = 1;

		if (is_folder(held, arena))
			held = files_of(&files[i], &held_count, arena, job, diag);
		opened = opened && held;
		for (size_t k = 0; held && k < held_count; k++)
			*tfp_array_push(list) = held[k];
	}
	return opened;
}
