/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles in a folder and below it. Files are recognised by their first bytes; those of TensorFlow
 * that lie in one folder are one profile where they can be opened together.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load/find/beside.h"
#include "load/find/cut.h"
#include "load/checkpoint/checkpoint.h"
#include "load/find/members.h"
#include "load/find/place.h"
#include "load/find/ranked.h"
#include "load/find/twin.h"
#include "load/loaders.h"
#include "tfprof/load.h"

#define MOST_ENTRIES 100000
#define MOST_DEPTH   32
#define HEAD         ((size_t)64 << 10) /* bytes that a file is recognised by */
#define LONG_HEAD    ((size_t)17 << 20) /* the same of JSON that has much before its records */

/* A folder still to be looked at. */
struct folder {
	const char *path; /* to open it by */
	const char *name; /* below the first one; "" is that */
	unsigned int depth;
};

/* A file of the folder at hand. */
struct file {
	const char *path, *name;
	const struct tfp_loader *loader; /* NULL: it is empty, maybe a step in which nothing ran */
	uint64_t size;
	int64_t mtime;
	struct tfp_ranked ranked;
	struct tfp_twin twin; /* of a loader of several */
	const char *host;     /* by its place, of whose recordings of a run it is; NULL: of none */
	bool cut;
	uint32_t group; /* files of one run have one number */
};

struct finder {
	struct tfp_discovery *discovery;
	struct tfp_arena *arena;
	struct tfp_job *job;
	struct tfp_diag *diag;
	TFP_ARRAY(struct folder) folders; /* the last is next */
	TFP_ARRAY(struct file) files;
	size_t entries;
	bool full;
};

static void warn(struct finder *finder, const char *path, const char *why)
{
	tfp_diag_add(finder->diag, TFP_WARNING, path, -1, 0, "%s", why);
}

/* The host that recorded the file at PATH of a run, by its place; NULL: none. */
static const char *host_of(struct finder *finder, const struct tfp_loader *loader, const char *path)
{
	struct tfp_found place = {0};

	if (!loader || !loader->several)
		return NULL;
	tfp_place_read(&place, path, finder->arena);
	return *place.host ? place.host : NULL;
}

/* ---- a folder's entries ---------------------------------------------------------------------- */

static void add_folder(struct finder *finder, const struct folder *above, const char *path,
		       const char *name)
{
	if (!strcmp(tfp_path_name(name), ".git"))
		return;
	if (above->depth >= MOST_DEPTH)
		warn(finder, path, "is too deep to be looked into");
	else
		*tfp_array_push(&finder->folders) = (struct folder){path, name, above->depth + 1};
}

/* What is packed is unpacked as far as it takes to tell what it is. */
static struct tfp_source *open_head(const char *path, struct tfp_diag *diag)
{
	struct tfp_source *source = tfp_source_head(path, HEAD, diag);

	if (!source || source->mapped || !tfp_recognise_wants_more(source))
		return source;
	tfp_source_free(source);
	return tfp_source_head(path, LONG_HEAD, diag);
}

/* Recognises the file and keeps it if it is of a known format, or empty. */
static void add_file(struct finder *finder, const char *path, const char *name,
		     const struct stat *status)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = open_head(path, diag);
	const char *beside = source ? tfp_beside_what(source, path) : NULL;
	const struct tfp_loader *loader =
		source && source->size && !beside ? tfp_recognise(source) : NULL;

	finder->discovery->looked++;
	if (beside && tfp_beside_missed(source, path))
		warn(finder, path, beside);
	if (tfp_diag_count(diag))
		warn(finder, path, tfp_diag_get(diag, 0).text);
	if (loader || (source && !source->size && !beside)) {
		struct file *file = tfp_array_push(&finder->files);

		*file = (struct file){
			.path = path,
			.name = name,
			.loader = loader,
			.size = (uint64_t)status->st_size,
			.mtime = status->st_mtim.tv_sec,
			.host = host_of(finder, loader, path),
			.cut = loader &&
			       tfp_ends_early(loader, source, path, (uint64_t)status->st_size),
		};
		if (loader && loader->several) {
			tfp_ranked_read(&file->ranked, source, path);
			tfp_twin_read(&file->twin, source, path);
		}
	}
	tfp_source_free(source);
	tfp_diag_free(diag);
}

/* Links to files count as files; those to folders could lead in circles. */
static void add_entry(struct finder *finder, const struct folder *folder, const char *entry)
{
	size_t size = strlen(folder->path);
	const char *gap = size && folder->path[size - 1] == '/' ? "" : "/";
	const char *path = tfp_arena_printf(finder->arena, "%s%s%s", folder->path, gap, entry);
	const char *name = tfp_arena_printf(finder->arena, "%s%s%s", folder->name,
					    *folder->name ? "/" : "", entry);
	struct stat status;

	if (lstat(path, &status))
		return;
	if (S_ISDIR(status.st_mode)) {
		add_folder(finder, folder, path, name);
		return;
	}
	if (S_ISLNK(status.st_mode) && stat(path, &status))
		return;
	if (S_ISREG(status.st_mode))
		add_file(finder, path, name, &status);
}

/* Numbers in names count as numbers: step 2 is before step 10. */
static int by_text(const void *left, const void *right)
{
	return strverscmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names in the folder, sorted; they are the arena's. False: it can't be read. */
static bool list_entries(struct finder *finder, const struct folder *folder,
			 struct tfp_words *entries)
{
	TFP_ARRAY(const char *) names = {0};
	DIR *stream = opendir(folder->path);
	struct dirent *entry;

	if (!stream)
		return false;
	while (!finder->full && (entry = readdir(stream))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		finder->full = ++finder->entries > MOST_ENTRIES;
		*tfp_array_push(&names) =
			tfp_arena_text(finder->arena, entry->d_name, strlen(entry->d_name));
	}
	closedir(stream);
	if (names.count)
		qsort(names.at, names.count, sizeof(*names.at), by_text);
	*entries = (struct tfp_words){names.at, names.count};
	return true;
}

/* ---- files that belong together -------------------------------------------------------------- */

/* Are two names the same but for the digits in them? */
static bool same_but_digits(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	while (*a && *b) {
		size_t of_a = strspn(a, digits), of_b = strspn(b, digits);

		if (!of_a != !of_b || (!of_a && *a != *b))
			return false;
		a += of_a ? of_a : 1;
		b += of_b ? of_b : 1;
	}
	return *a == *b;
}

/* An empty file is a step where it is called as the other steps are; else it goes. */
static const struct tfp_loader *loader_of_empty(const struct finder *finder,
						const struct file *empty)
{
	for (size_t i = 0; i < finder->files.count; i++) {
		const struct file *file = &finder->files.at[i];

		if (file->loader && file->loader->role == TFP_ROLE_RUN_META &&
		    same_but_digits(file->name, empty->name))
			return file->loader;
	}
	return NULL;
}

static void settle_empty(struct finder *finder)
{
	size_t kept = 0;

	for (size_t i = 0; i < finder->files.count; i++) {
		struct file *file = &finder->files.at[i];

		if (!file->loader)
			file->loader = loader_of_empty(finder, file);
		if (file->loader)
			finder->files.at[kept++] = *file;
	}
	finder->files.count = kept;
}

static size_t count_role(const struct finder *finder, enum tfp_role role)
{
	size_t count = 0;

	for (size_t i = 0; i < finder->files.count; i++)
		count += !finder->files.at[i].loader->alone &&
			 finder->files.at[i].loader->role == role;
	return count;
}

static struct tfp_found *begin(struct finder *finder, const char *name, const char *label,
			       const char *path)
{
	struct tfp_found *found = tfp_array_push(&finder->discovery->found);

	*found = (struct tfp_found){.name = name, .label = label, .note = ""};
	found->files = tfp_arena_zero(finder->arena, finder->files.count, sizeof(*found->files));
	tfp_place_read(found, path, finder->arena);
	return found;
}

static void put(struct tfp_found *found, const struct file *file)
{
	found->files[found->count++] =
		(struct tfp_named_file){.path = file->path, .role = file->loader->role};
	found->size += file->size;
	found->cut += file->cut;
	if (found->count == 1 || file->mtime > found->mtime)
		found->mtime = file->mtime;
}

/* ---- hosts and ranks of one run -------------------------------------------------------------- */

static bool is_beside(const struct file *a, const struct file *b)
{
	size_t size = (size_t)(tfp_path_name(a->path) - a->path);

	return size == (size_t)(tfp_path_name(b->path) - b->path) &&
	       !memcmp(a->path, b->path, size);
}

/* Who asked for a trace of Perfetto may look for it. */
static void tell_perfetto(struct finder *finder, const struct file *file, const char *recording)
{
	tfp_diag_add(finder->diag, TFP_NOTE, file->path, -1, 0,
		     "is not read: it says the same as %s beside it, and less", recording);
}

/* What JAX writes beside a host's recording says the same again, and less. */
static bool repeats_host(struct finder *finder, const struct file *file)
{
	const char *name = tfp_path_name(file->name);

	if (!strstr(name, "trace.json"))
		return false;
	for (size_t i = 0; i < finder->files.count; i++) {
		const struct file *recording = &finder->files.at[i];
		const char *other = tfp_path_name(recording->name);
		const char *end = strstr(other, ".xplane.pb");

		if (!end || recording == file || !recording->host || !is_beside(recording, file))
			continue;
		if (!strncmp(name, other, (size_t)(end - other)) &&
		    !strcmp(name + (end - other), ".trace.json.gz"))
			return true;
		if (!strcmp(name, "perfetto_trace.json.gz")) {
			tell_perfetto(finder, file, other);
			return true;
		}
	}
	return false;
}

/* The size of NAME without ".gz" and the ending before it. */
static size_t stem_of(const char *name)
{
	size_t size = strlen(name);
	const char *dot;

	if (size > 3 && !strcmp(name + size - 3, ".gz"))
		size -= 3;
	dot = memrchr(name, '.', size);
	return dot ? (size_t)(dot - name) : size;
}

/* Is one the other in another encoding, as graph.pb and graph.pbtxt are, or another file of it? */
static bool is_twin(const struct file *a, const struct file *b)
{
	size_t size = stem_of(a->name);

	if (a->loader != b->loader)
		return false;
	if (a->loader->role == TFP_ROLE_CHECKPOINT)
		return tfp_checkpoint_same(a->path, b->path);
	return a->loader->role == TFP_ROLE_GRAPH && size == stem_of(b->name) &&
	       !memcmp(a->name, b->name, size);
}

/* Is FILE a twin of one of the COUNT first? */
static bool repeats_twin(const struct finder *finder, const struct file *file, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_twin(&finder->files.at[i], file))
			return true;
	return false;
}

static void drop_repeats(struct finder *finder)
{
	size_t kept = 0;

	for (size_t i = 0; i < finder->files.count; i++)
		if (!repeats_host(finder, &finder->files.at[i]))
			finder->files.at[kept++] = finder->files.at[i];
	finder->files.count = kept;
	kept = 0;
	for (size_t i = 0; i < finder->files.count; i++)
		if (!repeats_twin(finder, &finder->files.at[i], kept))
			finder->files.at[kept++] = finder->files.at[i];
	finder->files.count = kept;
}

/* The number of the hosts of a folder that LOADER reads: there are fewer files than that. */
static uint32_t hosts_of(const struct tfp_loader *loader)
{
	uint32_t index = 0;

	while (tfp_loaders[index] != loader)
		index++;
	return TFP_NONE - 1 - index;
}

/* Numbers what belongs together: hosts of a run by their place, ranks by what they say; others are each alone. */
static void find_groups(struct finder *finder)
{
	struct file *files = finder->files.at;
	size_t count = finder->files.count;
	struct tfp_ranked *ranked = tfp_realloc_array(NULL, count + 1, sizeof(*ranked));
	uint32_t *group = tfp_realloc_array(NULL, count + 1, sizeof(*group));

	for (size_t i = 0; i < count; i++)
		ranked[i] = files[i].ranked;
	tfp_ranked_group(ranked, count, group);
	for (size_t i = 0; i < count; i++)
		files[i].group = files[i].host ? hosts_of(files[i].loader) : group[i];
	tfp_array_release(ranked);
	tfp_array_release(group);
}

/* Is it alone in its folder with several files? Else the folder would name others, too. */
static bool is_only_group(const struct finder *finder, uint32_t group)
{
	for (size_t i = 0; i < finder->files.count; i++)
		if (finder->files.at[i].group != group)
			return false;
	return true;
}

/* Says of the find of FILE alone which one before it in the folder is the same: opened with that, it is read once. */
static void tell_twin(struct finder *finder, struct tfp_found *found, const struct file *file)
{
	const struct file *other = finder->files.at;

	while (other < file &&
	       (other->loader != file->loader || !tfp_twins(&other->twin, &file->twin)))
		other++;
	if (other < file)
		found->note =
			tfp_arena_printf(finder->arena, "same as %s", tfp_path_name(other->name));
}

/* What belongs to the file FIRST, which is one of several, is one profile with it. */
static void join_group(struct finder *finder, const struct folder *folder, size_t first)
{
	const struct file *files = finder->files.at;
	struct tfp_member *members;
	struct tfp_found *found;

	for (size_t i = 0; i < first; i++)
		if (files[i].group == files[first].group)
			return;
	members = tfp_realloc_array(NULL, finder->files.count, sizeof(*members));
	found = begin(finder, files[first].name, files[first].loader->label, files[first].path);
	found->several = files[first].loader;
	for (size_t i = first; i < finder->files.count; i++)
		if (files[i].group == files[first].group) {
			members[found->count] =
				(struct tfp_member){files[i].host, &files[i].ranked};
			put(found, &files[i]);
		}
	found->host = tfp_members_text(members, found->count, finder->arena);
	tfp_array_release(members);
	if (found->count > 1)
		found->note = tfp_number_count(finder->arena, (int64_t)found->count,
					       files[first].host ? "host" : "rank");
	if (found->count == 1)
		tell_twin(finder, found, &files[first]);
	if (found->count > 1 && (files[first].host || is_only_group(finder, files[first].group)))
		found->name = *folder->name ? folder->name : ".";
}

/* Is it the only one of its role? */
static bool stands_for_role(const struct finder *finder, const struct file *file)
{
	for (const struct file *other = finder->files.at;
	     other < finder->files.at + finder->files.count; other++)
		if (other != file && !other->loader->alone &&
		    other->loader->role == file->loader->role)
			return false;
	return true;
}

/* The files of the folder that can be one profile of TensorFlow's: all but those ALONE or of two kinds. */
static bool joins(const struct finder *finder, const struct file *file)
{
	return !file->loader->alone &&
	       (file->loader->role == TFP_ROLE_RUN_META || stands_for_role(finder, file));
}

/* "3 steps" */
static const char *count_steps(const struct finder *finder)
{
	size_t steps = count_role(finder, TFP_ROLE_RUN_META);

	if (!steps)
		return "no steps";
	return tfp_number_count(finder->arena, (int64_t)steps, "step");
}

/* One graph at most, one op log at most, and run metadata in the order of their names, the steps. */
static void join_files(struct finder *finder, const struct folder *folder)
{
	const struct file *only = NULL;
	struct tfp_found *found;
	size_t count = 0;

	for (size_t i = 0; i < finder->files.count; i++)
		if (joins(finder, &finder->files.at[i])) {
			only = &finder->files.at[i];
			count++;
		}
	if (!count)
		return;
	if (count == 1) {
		found = begin(finder, only->name, only->loader->label, only->path);
	} else {
		found = begin(finder, *folder->name ? folder->name : ".", "TensorFlow", only->path);
		found->note = count_steps(finder);
	}
	for (size_t i = 0; i < finder->files.count; i++)
		if (joins(finder, &finder->files.at[i]))
			put(found, &finder->files.at[i]);
}

static void put_alone(struct finder *finder, const struct file *file)
{
	struct tfp_found *found = begin(finder, file->name, file->loader->label, file->path);

	put(found, file);
}

static void find_profiles(struct finder *finder, const struct folder *folder)
{
	settle_empty(finder);
	drop_repeats(finder);
	find_groups(finder);
	join_files(finder, folder);
	for (size_t i = 0; i < finder->files.count; i++) {
		const struct file *file = &finder->files.at[i];

		if (joins(finder, file))
			continue;
		if (file->loader->several)
			join_group(finder, folder, i);
		else
			put_alone(finder, file);
	}
	finder->files.count = 0;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool look_into(struct finder *finder, const struct folder *folder)
{
	struct tfp_words entries;

	if (!list_entries(finder, folder, &entries))
		return false;
	for (size_t i = 0; i < entries.count && !tfp_job_cancelled(finder->job); i++)
		add_entry(finder, folder, entries.at[i]);
	tfp_array_release(entries.at);
	find_profiles(finder, folder);
	return true;
}

static int by_name(const void *left, const void *right)
{
	const struct tfp_found *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* False: the folder itself can't be read. */
static bool walk(struct finder *finder, const char *path)
{
	*tfp_array_push(&finder->folders) = (struct folder){path, "", 0};
	while (finder->folders.count && !tfp_job_cancelled(finder->job)) {
		struct folder folder = finder->folders.at[--finder->folders.count];

		if (look_into(finder, &folder))
			continue;
		if (!folder.depth) {
			tfp_diag_add(finder->diag, TFP_ERROR, path, -1, 0, "can't be read: %s",
				     strerror(errno));
			return false;
		}
		warn(finder, folder.path, strerror(errno));
	}
	return !tfp_job_cancelled(finder->job);
}

bool tfp_discover(struct tfp_discovery *discovery, const char *folder, struct tfp_job *job,
		  struct tfp_diag *diag)
{
	struct finder finder = {.discovery = discovery, .job = job, .diag = diag};
	bool done;

	*discovery = (struct tfp_discovery){0};
	finder.arena = &discovery->arena;
	done = walk(&finder, tfp_arena_text(finder.arena, folder, strlen(folder)));
	if (finder.full)
		tfp_diag_add(diag, TFP_WARNING, folder, -1, 0,
			     "has more than %d entries; the rest was not looked at", MOST_ENTRIES);
	tfp_note_cut(discovery);
	if (discovery->found.count)
		qsort(discovery->found.at, discovery->found.count, sizeof(*discovery->found.at),
		      by_name);
	tfp_array_free(&finder.folders);
	tfp_array_free(&finder.files);
	return done;
}

void tfp_discovery_free(struct tfp_discovery *discovery)
{
	tfp_array_free(&discovery->found);
	tfp_arena_free(&discovery->arena);
}
