/* SPDX-License-Identifier: Apache-2.0 */
/* Which file a theme's name means, and which names there are. */
#include "app/settings/themefile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/files/places.h"

#define SUFFIX ".yaml"
#define NAMES  100

/* Folders in which themes lie, the first found counts; NULL-ended. */
static void theme_folders(struct tfp_arena *arena, char *folders[3])
{
	char *own = tfp_place_own(arena);
	size_t count = 0;

	if (own)
		folders[count++] = tfp_arena_printf(arena, "%s/themes", own);
	folders[count++] = tfp_place_themes(arena);
	folders[count] = NULL;
}

const char *tfp_themefile_find(struct tfp_arena *arena, const char *name)
{
	char *folders[3];

	if (strchr(name, '/'))
		return access(name, F_OK) ? NULL : name;
	theme_folders(arena, folders);
	for (size_t i = 0; folders[i]; i++) {
		char *path = tfp_arena_printf(arena, "%s/%s" SUFFIX, folders[i], name);

		/* The one that comes with the program is the one that is compiled in. */
		if (!folders[i + 1] && !strcmp(name, TFP_THEME_BUILTIN))
			return "";
		if (!access(path, F_OK))
			return path;
	}
	return NULL;
}

static void add_name(struct tfp_arena *arena, struct tfp_words *names, const char *name,
		     size_t size)
{
	char *copy = tfp_arena_text(arena, name, size);

	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->at[i], copy))
			return;
	if (names->count < NAMES)
		names->at[names->count++] = copy;
}

static void add_folder(struct tfp_arena *arena, struct tfp_words *names, const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		size_t size = strlen(entry->d_name), suffix = strlen(SUFFIX);

		if (size > suffix && !strcmp(entry->d_name + size - suffix, SUFFIX))
			add_name(arena, names, entry->d_name, size - suffix);
	}
	closedir(directory);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct tfp_words tfp_themefile_names(struct tfp_arena *arena)
{
	struct tfp_words names = {tfp_arena_zero(arena, NAMES, sizeof(*names.at)), 0};
	char *folders[3];

	theme_folders(arena, folders);
	add_name(arena, &names, TFP_THEME_BUILTIN, strlen(TFP_THEME_BUILTIN));
	for (size_t i = 0; folders[i]; i++)
		add_folder(arena, &names, folders[i]);
	qsort(names.at, names.count, sizeof(*names.at), compare_names);
	return names;
}
