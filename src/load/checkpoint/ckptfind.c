/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file has the index of the checkpoint that somebody names: by its prefix, as TensorFlow does, by a
 * folder, whose newest one the file `checkpoint` tells, by one of its files, or by a pattern.
 */
#include "load/checkpoint/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#define STATE_FILE  "checkpoint"
#define STATE_FIELD "model_checkpoint_path:"
#define STATE_ROOM  65536

static bool exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The file of the checkpoint PREFIX: its index, or where it is V1, itself. */
static char *file_of(const char *prefix, struct tfp_arena *arena)
{
	char *index = tfp_arena_printf(arena, "%s.index", prefix);

	if (exists(index))
		return index;
	return exists(prefix) ? tfp_arena_printf(arena, "%s", prefix) : NULL;
}

/* ---- the state file ----------------------------------------------------------------------------- */

/* Takes one character of a quoted text off *AT, which may be an escape. */
static char unescape(const char **at)
{
	static const char letters[] = "ntr", meant[] = "\n\t\r";
	const char *letter;
	unsigned value = 0;
	int digits = 0;

	if (**at != '\\' || !(*at)[1])
		return *(*at)++;
	++*at;
	for (; digits < 3 && **at >= '0' && **at <= '7'; digits++)
		value = value * 8 + (unsigned)(*(*at)++ - '0');
	if (digits)
		return (char)(uint8_t)value;
	letter = strchr(letters, **at);
	++*at;
	return letter ? meant[letter - letters] : (*at)[-1];
}

/* The path that the state file in FOLDER names; NULL if there is none. */
static char *newest_by_state(const char *state, struct tfp_arena *arena)
{
	char *text = tfp_arena_alloc(arena, STATE_ROOM), *path, *to;
	FILE *file = fopen(state, "re");
	const char *at;

	if (!file)
		return NULL;
	text[fread(text, 1, STATE_ROOM - 1, file)] = '\0';
	fclose(file);
	if (strncmp(text, STATE_FIELD, strlen(STATE_FIELD)) != 0)
		return NULL;
	at = text + strlen(STATE_FIELD);
	at += strspn(at, " \t");
	if (*at != '"' && *at != '\'')
		return NULL;
	path = to = tfp_arena_alloc(arena, STATE_ROOM);
	for (char quote = *at++; *at && *at != quote;)
		*to++ = unescape(&at);
	*to = '\0';
	return path;
}

/* The checkpoint that STATE tells, which may have been moved together with its files. */
static char *by_state(const char *state, struct tfp_arena *arena)
{
	char *path = newest_by_state(state, arena), *found = NULL;
	int folder = (int)(tfp_path_name(state) - state);

	if (path && path[0] == '/')
		found = file_of(path, arena);
	else if (path)
		found = file_of(tfp_arena_printf(arena, "%.*s%s", folder, state, path), arena);
	if (path && !found)
		found = file_of(
			tfp_arena_printf(arena, "%.*s%s", folder, state, tfp_path_name(path)),
			arena);
	return found;
}

/* ---- folders and patterns ----------------------------------------------------------------------- */

/* The index in FOLDER that was written last. */
static char *newest_index(const char *folder, struct tfp_arena *arena)
{
	DIR *stream = opendir(folder);
	char *newest = NULL;
	struct timespec time = {0};
	struct dirent *entry;

	while (stream && (entry = readdir(stream))) {
		size_t size = strlen(entry->d_name);
		struct stat status;
		char *path;

		if (size < 6 || strcmp(entry->d_name + size - 6, ".index") != 0)
			continue;
		path = tfp_arena_printf(arena, "%s/%s", folder, entry->d_name);
		if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
			continue;
		if (newest && (status.st_mtim.tv_sec < time.tv_sec ||
			       (status.st_mtim.tv_sec == time.tv_sec &&
				status.st_mtim.tv_nsec < time.tv_nsec)))
			continue;
		newest = path;
		time = status.st_mtim;
	}
	if (stream)
		closedir(stream);
	return newest;
}

static char *in_folder(const char *folder, bool sure, struct tfp_arena *arena)
{
	bool saved_model = exists(tfp_arena_printf(arena, "%s/saved_model.pb", folder)) ||
			   exists(tfp_arena_printf(arena, "%s/saved_model.pbtxt", folder));
	char *found;

	if (saved_model && !sure)
		return NULL;
	found = by_state(tfp_arena_printf(arena, "%s/" STATE_FILE, folder), arena);
	if (!found)
		found = newest_index(folder, arena);
	if (!found && saved_model)
		found = file_of(tfp_arena_printf(arena, "%s/variables/variables", folder), arena);
	return found;
}

/* The first file that PATTERN, or PATTERN.index, matches. */
static char *by_pattern(const char *pattern, struct tfp_arena *arena)
{
	const char *const patterns[] = {tfp_arena_printf(arena, "%s.index", pattern), pattern};
	char *found = NULL;
	glob_t matches;

	for (size_t i = 0; i < 2 && !found; i++) {
		if (glob(patterns[i], 0, NULL, &matches) != 0)
			continue;
		if (exists(matches.gl_pathv[0]))
			found = tfp_arena_printf(arena, "%s", matches.gl_pathv[0]);
		globfree(&matches);
	}
	return found;
}

/* ---- all ---------------------------------------------------------------------------------------- */

/* The index that belongs to the data file PATH; NULL if it is none. */
static char *of_data_file(const char *path, struct tfp_arena *arena)
{
	const char *data = strstr(tfp_path_name(path), ".data-");
	char *index;

	if (!data || !strstr(data, "-of-"))
		return NULL;
	index = tfp_arena_printf(arena, "%.*s.index", (int)(data - path), path);
	return exists(index) ? index : NULL;
}

static char *of_file(const char *path, bool sure, struct tfp_arena *arena)
{
	size_t size = strlen(path);
	char *found = of_data_file(path, arena);

	if (found)
		return found;
	if (size > 6 && !strcmp(path + size - 6, ".index"))
		return tfp_arena_printf(arena, "%s", path);
	if (!strcmp(tfp_path_name(path), STATE_FILE))
		found = by_state(path, arena);
	return found || !sure ? found : file_of(path, arena);
}

char *tfp_checkpoint_find(const char *path, bool sure, struct tfp_arena *arena)
{
	struct stat status;

	if (stat(path, &status) != 0) {
		char *found = errno == ENOENT || errno == ENOTDIR ? file_of(path, arena) : NULL;

		return found || !strpbrk(path, "*?[") ? found : by_pattern(path, arena);
	}
	if (S_ISDIR(status.st_mode))
		return in_folder(path, sure, arena);
	return S_ISREG(status.st_mode) ? of_file(path, sure, arena) : NULL;
}
