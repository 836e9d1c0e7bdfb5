/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was found in a folder: as a profile that the files view shows, and as files to be loaded
 * together.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/load.h"

/* The metrics of the list, which are its columns. */
enum { SIZE, DATE, FORMAT, NOTE, RUN, HOST, FILES, METRICS };

static const struct tfp_metric metrics[METRICS] = {
	[SIZE] = {"size", "size on disk", "SIZE", TFP_BYTES, TFP_SUM, .column = SIZE},
	[DATE] = {"date", "time of the newest file", "DATE", TFP_DATE, TFP_MAX, .column = DATE},
	[FORMAT] = {"format", "format", "FORMAT", TFP_WORDS, TFP_MAX, .column = FORMAT},
	[NOTE] = {"note", "what else is known of it", "NOTE", TFP_WORDS, TFP_MAX, .column = NOTE,
		  .remarks = true},
	[RUN] = {"run", "run, by the folder's name", "RUN", TFP_WORDS, TFP_MAX, .column = RUN},
	[HOST] = {"host", "host, by the file's name", "HOST", TFP_WORDS, TFP_MAX, .column = HOST},
	[FILES] = {"files", "files", "FILES", TFP_COUNT, TFP_SUM, .column = FILES},
};

/* ---- words ----------------------------------------------------------------------------------- */

static const char *word_of(const struct tfp_found *found, int metric)
{
	return metric == FORMAT ? found->label
	       : metric == NOTE ? found->note
	       : metric == RUN  ? found->run
				: found->host;
}

static int by_text_down(const void *left, const void *right)
{
	return -strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The words that the finds have for METRIC, each once, the last in order first. */
static struct tfp_words find_words(const struct tfp_discovery *discovery, int metric)
{
	size_t count = discovery->found.count, kept = 0;
	const char **words = tfp_realloc_array(NULL, count + 1, sizeof(*words));

	for (size_t i = 0; i < count; i++)
		words[i] = word_of(&discovery->found.at[i], metric);
	if (count)
		qsort(words, count, sizeof(*words), by_text_down);
	for (size_t i = 0; i < count; i++)
		if (*words[i] && (!kept || strcmp(words[kept - 1], words[i])))
			words[kept++] = words[i];
	return (struct tfp_words){words, kept};
}

static int64_t number_of(struct tfp_words words, const char *word)
{
	const char **at = NULL;

	if (words.count && *word)
		at = bsearch(&word, words.at, words.count, sizeof(*words.at), by_text_down);
	return at ? at - words.at + 1 : 0;
}

/* ---- the list as a profile ------------------------------------------------------------------- */

static int64_t *cell_of(struct tfp_profile *profile, uint32_t node)
{
	return &profile->cells.value[(size_t)profile->nodes.cell[node] * METRICS];
}

/* Adds the metric of words, and the number of each find's word to its cell. */
static void add_words(struct tfp_profile *profile, const struct tfp_discovery *discovery,
		      int metric)
{
	struct tfp_words words = find_words(discovery, metric);
	tfp_str *texts = tfp_arena_zero(&profile->arena, words.count + 1, sizeof(*texts));
	struct tfp_metric row = metrics[metric];

	for (size_t i = 0; i < words.count; i++)
		texts[i + 1] = tfp_strings_add_text(profile->strings, words.at[i]);
	for (uint32_t i = 0; i < discovery->found.count; i++)
		cell_of(profile, i)[metric] =
			number_of(words, word_of(&discovery->found.at[i], metric));
	row.words = texts;
	row.word_count = (uint32_t)words.count + 1;
	row.absent = !words.count;
	tfp_profile_add_metric(profile, &row);
	tfp_array_release(words.at);
}

char *tfp_folder_name(const char *path, struct tfp_arena *arena)
{
	char *whole = realpath(path, NULL);
	const char *name = whole ? tfp_path_name(whole) : path;
	char *text = tfp_arena_text(arena, *name ? name : "/", *name ? strlen(name) : 1);

	free(whole);
	return text;
}

/* What is all of FOLDER has its name; the slash tells it from what is in there and is called so. */
static const char *name_of(const struct tfp_found *found, const char *folder,
			   struct tfp_arena *arena)
{
	if (strcmp(found->name, ".") != 0)
		return found->name;
	return tfp_arena_printf(arena, "%s/", tfp_folder_name(folder, arena));
}

static void add_nodes(struct tfp_profile *profile, const struct tfp_discovery *discovery,
		      const char *folder)
{
	uint32_t step = tfp_profile_step(profile, 0, 0);

	for (size_t i = 0; i < discovery->found.count; i++) {
		const struct tfp_found *found = &discovery->found.at[i];
		uint32_t node = tfp_profile_add_node(
			profile,
			tfp_strings_add_text(profile->strings,
					     name_of(found, folder, &profile->arena)),
			0);
		uint32_t cell = tfp_profile_cell(profile, node, step);
		int64_t *value = &profile->cells.value[(size_t)cell * METRICS];

		value[SIZE] = (int64_t)found->size;
		value[DATE] = found->mtime;
		value[FILES] = (int64_t)found->count;
	}
}

/* "3 profiles in runs" */
static const char *count_in(const struct tfp_discovery *discovery, const char *folder,
			    struct tfp_arena *arena)
{
	size_t count = discovery->found.count, looked = discovery->looked;

	if (count)
		return tfp_arena_printf(arena, "%s in %s",
					tfp_number_count(arena, (int64_t)count, "profile"), folder);
	return tfp_arena_printf(arena, "no profile in %s: looked at %s", folder,
				tfp_number_count(arena, (int64_t)looked, "file"));
}

const char *tfp_discovery_describe(const struct tfp_discovery *discovery, const char *folder,
				   struct tfp_arena *arena)
{
	const char *text = count_in(discovery, folder, arena);

	for (size_t i = 0; !discovery->found.count && tfp_loaders[i]; i++)
		text = tfp_arena_printf(arena, "%s%s%s", text, i ? ", " : " for ",
					tfp_loaders[i]->label);
	return text;
}

struct tfp_profile *tfp_discovery_profile(const struct tfp_discovery *discovery, const char *folder)
{
	struct tfp_profile *profile = tfp_profile_new();

	profile->format = "listing";
	profile->cell_columns = METRICS;
	profile->default_metric = DATE;
	profile->listing = count_in(discovery, folder, &profile->arena);
	add_nodes(profile, discovery, folder);
	for (int metric = 0; metric < METRICS; metric++) {
		if (metrics[metric].unit == TFP_WORDS)
			add_words(profile, discovery, metric);
		else
			tfp_profile_add_metric(profile, &metrics[metric]);
	}
	tfp_profile_finish(profile);
	return profile;
}

/* ---- several as one -------------------------------------------------------------------------- */

static const char *const twice[] = {
	[TFP_ROLE_GRAPH] = "both have a graph",
	[TFP_ROLE_OP_LOG] = "both have an op log",
	[TFP_ROLE_CHECKPOINT] = "both have a checkpoint",
};

/* Why two files are not of one profile; NULL: they can be. */
static const char *obstacle_of(enum tfp_role one, enum tfp_role other)
{
	if (one == TFP_ROLE_ANY || one == TFP_ROLE_PROFILE || other == TFP_ROLE_ANY ||
	    other == TFP_ROLE_PROFILE)
		return "only a graph, an op log and run metadata are one profile";
	return one == other && one < sizeof(twice) / sizeof(*twice) ? twice[one] : NULL;
}

static const char *obstacle(const struct tfp_found *a, const struct tfp_found *b)
{
	const char *why = NULL;

	if (a->several && a->several == b->several)
		return NULL;
	for (size_t i = 0; i < a->count && !why; i++)
		for (size_t k = 0; k < b->count && !why; k++)
			why = obstacle_of(a->files[i].role, b->files[k].role);
	return why;
}

static bool check(const struct tfp_discovery *discovery, const uint32_t *at, size_t count,
		  struct tfp_diag *diag)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct tfp_found *a = &discovery->found.at[at[k]];
			const struct tfp_found *b = &discovery->found.at[at[i]];
			const char *why = obstacle(a, b);

			if (!why)
				continue;
			tfp_diag_error(diag, "%s: %s, %s", why, a->name, b->name);
			return false;
		}
	return true;
}

struct tfp_named_file *tfp_discovery_join(const struct tfp_discovery *discovery, const uint32_t *at,
					  size_t count, struct tfp_arena *arena, size_t *files,
					  struct tfp_diag *diag)
{
	struct tfp_named_file *joined;
	size_t all = 0;

	*files = 0;
	if (!check(discovery, at, count, diag))
		return NULL;
	for (size_t i = 0; i < count; i++)
		all += discovery->found.at[at[i]].count;
	joined = tfp_arena_zero(arena, all, sizeof(*joined));
	for (size_t i = 0; i < count; i++) {
		const struct tfp_found *found = &discovery->found.at[at[i]];

		for (size_t k = 0; k < found->count; k++)
			joined[(*files)++] = (struct tfp_named_file){
				.path = tfp_arena_text(arena, found->files[k].path,
						       strlen(found->files[k].path)),
				.role = found->files[k].role,
			};
	}
	return joined;
}
