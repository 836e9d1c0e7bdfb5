/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of settings and themes: see places.h. */
#include "app/files/places.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_ROOM 4096

/* Relative folders in the environment are to be ignored, says the rule that $XDG_CONFIG_HOME is from. */
static const char *folder_of(const char *variable)
{
	const char *folder = getenv(variable);

	return folder && folder[0] == '/' ? folder : NULL;
}

char *tfp_place_own(struct tfp_arena *arena)
{
	const char *settings = folder_of("XDG_CONFIG_HOME"), *home = folder_of("HOME");

	if (settings)
		return tfp_arena_printf(arena, "%s/tfprof", settings);
	return home ? tfp_arena_printf(arena, "%s/.config/tfprof", home) : NULL;
}

char *tfp_place_state(struct tfp_arena *arena)
{
	const char *state = folder_of("XDG_STATE_HOME"), *home = folder_of("HOME");

	if (state)
		return tfp_arena_printf(arena, "%s/tfprof", state);
	return home ? tfp_arena_printf(arena, "%s/.local/state/tfprof", home) : NULL;
}

/* The folder that the program lies in; NULL where the system does not tell. */
static char *program_folder(struct tfp_arena *arena)
{
	char path[PATH_ROOM];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size <= 0)
		return NULL;
	path[size] = 0;
	return tfp_place_folder(arena, path);
}

static char *find_shipped(struct tfp_arena *arena, const char *variable, const char *installed,
			  const char *name)
{
	static const char *const near[] = {"", "/.."};
	const char *named = getenv(variable);
	char *program, *place;

	if (named && *named)
		return tfp_arena_printf(arena, "%s", named);
	program = access(installed, R_OK) ? program_folder(arena) : NULL;
	for (size_t i = 0; program && i < sizeof(near) / sizeof(*near); i++) {
		place = tfp_arena_printf(arena, "%s%s/%s", program, near[i], name);
		if (!access(place, R_OK))
			return place;
	}
	return tfp_arena_printf(arena, "%s", installed);
}

char *tfp_place_data(struct tfp_arena *arena)
{
	return find_shipped(arena, "TFPROF_DATADIR", TFP_DATADIR, "data");
}

char *tfp_place_themes(struct tfp_arena *arena)
{
	return find_shipped(arena, "TFPROF_THEMEDIR", TFP_DATADIR "/themes", "themes");
}

/* PATH from the root on, so that it means the same to whoever reads it elsewhere. */
static char *absolute_path(struct tfp_arena *arena, const char *path)
{
	char *found = realpath(path, NULL), *copy;

	copy = tfp_arena_printf(arena, "%s", found ? found : path);
	free(found);
	return copy;
}

char *tfp_place_path(struct tfp_arena *arena, const char *path, const char *folder)
{
	const char *home = folder_of("HOME");

	if (!strncmp(path, "~/", 2) && home)
		return tfp_arena_printf(arena, "%s%s", home, path + 1);
	if (path[0] == '/')
		return tfp_arena_text(arena, path, strlen(path));
	return absolute_path(arena, tfp_arena_printf(arena, "%s/%s", folder, path));
}

char *tfp_place_folder(struct tfp_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return tfp_arena_text(arena, ".", 1);
	return tfp_arena_text(arena, path, slash == path ? 1 : (size_t)(slash - path));
}
