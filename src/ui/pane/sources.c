/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where sources lie. What is found must be a regular file: a profile may name a pipe or a device.
 */
#include "ui/pane/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return false;
	errno = ENOTDIR;
	return S_ISDIR(info.st_mode);
}

static bool is_readable(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, R_OK);
}

char *tfp_sources_home(struct tfp_arena *arena, const char *path)
{
	const char *home = getenv("HOME");
	bool at_home = home && path[0] == '~' && (!path[1] || path[1] == '/');

	return tfp_arena_printf(arena, "%s%s", at_home ? home : "", path + at_home);
}

/* TEXT without the slashes at its end, from the home folder on. To be freed. */
static char *folder_text(const char *text, size_t size)
{
	struct tfp_arena arena = {0};
	char *folder;

	while (size > 1 && text[size - 1] == '/')
		size--;
	folder = tfp_strdup(tfp_sources_home(&arena, tfp_arena_text(&arena, text, size)));
	tfp_arena_free(&arena);
	return folder;
}

bool tfp_sources_add(struct tfp_sources *sources, const char *text, struct tfp_diag *diag)
{
	const char *sign = strchr(text, '=');
	const char *folder = sign ? sign + 1 : text;
	struct tfp_source_root root = {.to = folder_text(folder, strlen(folder))};

	if (!is_folder(root.to)) {
		tfp_diag_error(diag, "there are no sources in %s: %s", root.to,
			       *root.to ? strerror(errno) : "no folder is named");
		free(root.to);
		return false;
	}
	if (sign)
		root.from = folder_text(text, (size_t)(sign - text));
	*tfp_array_push(&sources->roots) = root;
	return true;
}

void tfp_sources_copy(struct tfp_sources *to, const struct tfp_sources *from)
{
	*to = (struct tfp_sources){0};
	for (size_t i = 0; i < from->roots.count; i++) {
		const struct tfp_source_root *root = &from->roots.at[i];

		*tfp_array_push(&to->roots) = (struct tfp_source_root){
			.from = root->from ? tfp_strdup(root->from) : NULL,
			.to = tfp_strdup(root->to),
		};
	}
}

void tfp_sources_free(struct tfp_sources *sources)
{
	for (size_t i = 0; i < sources->roots.count; i++) {
		free(sources->roots.at[i].from);
		free(sources->roots.at[i].to);
	}
	tfp_array_free(&sources->roots);
}

/* Would PATH, put behind a folder, leave it again? */
static bool leads_out(const char *path)
{
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (!strncmp(part, "..", 2) && (part[2] == '/' || !part[2]))
			return true;
	}
	return false;
}

/* What stands for PATH when it lies below what the root is from; NULL. */
static const char *replaced(const struct tfp_source_root *root, struct tfp_arena *arena,
			    const char *path)
{
	size_t size = strlen(root->from);
	const char *found;

	if (strncmp(path, root->from, size) != 0 || leads_out(path + size) ||
	    (size && root->from[size - 1] != '/' && path[size] != '/'))
		return NULL;
	found = tfp_arena_printf(arena, "%s/%s", root->to, path + size + (path[size] == '/'));
	return is_readable(found) ? found : NULL;
}

/* END of a path below one of the folders; NULL. */
static const char *below(const struct tfp_sources *sources, struct tfp_arena *arena,
			 const char *end)
{
	for (size_t i = sources->roots.count; i-- > 0;) {
		const char *found;

		if (sources->roots.at[i].from)
			continue;
		found = tfp_arena_printf(arena, "%s/%s", sources->roots.at[i].to, end);
		if (is_readable(found))
			return found;
	}
	return NULL;
}

bool tfp_sources_has_file(const char *path)
{
	return *path && *path != '<';
}

const char *tfp_sources_find(const struct tfp_sources *sources, struct tfp_arena *arena,
			     const char *path)
{
	const char *found = NULL, *end = path;

	for (size_t i = sources->roots.count; i-- > 0 && !found;)
		if (sources->roots.at[i].from)
			found = replaced(&sources->roots.at[i], arena, path);
	if (found || !*path)
		return found;
	if (is_readable(path))
		return path;
	while (end && !found) {
		end += strspn(end, "/");
		if (*end && !leads_out(end))
			found = below(sources, arena, end);
		end = strchr(end, '/');
	}
	return found;
}
