/* SPDX-License-Identifier: Apache-2.0 */
/* Places in profiles: see state.h. */
#include "app/state.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/places.h"
#include "app/files/reading.h"
#include "app/files/savefile.h"

#define MOST_PROFILES 200
#define MOST_OPEN     500 /* rows */
#define KEY_DIGITS    16
#define ENDING        ".yaml"

/* ---- which file ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/*
 * Adds what tells a file from others, and from itself when it is changed. A folder stays the same whatever
 * is put into it.
 */
static bool add_file(uint64_t *hash, const char *path)
{
	char *real = realpath(path, NULL);
	struct stat status;
	bool there = real && !stat(real, &status);
	bool regular = there && S_ISREG(status.st_mode);

	there = regular || (there && S_ISDIR(status.st_mode));
	if (there)
		*hash = mix(*hash, real, strlen(real) + 1);
	if (regular) {
		int64_t numbers[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};

		*hash = mix(*hash, numbers, sizeof(numbers));
	}
	free(real);
	return there;
}

char *tfp_state_path(struct tfp_arena *arena, const struct tfp_named_file *files, size_t count)
{
	char *folder = tfp_place_state(arena);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		if (!add_file(&hash, files[i].path))
			return NULL;
	if (!folder || !count)
		return NULL;
	return tfp_arena_printf(arena, "%s/places/%016" PRIx64 ENDING, folder, hash);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_key(const char *text, uint64_t *key)
{
	*key = 0;
	for (int i = 0; i < KEY_DIGITS; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (!digit)
			return false;
		*key = *key << 4 | (uint64_t)(digit - digits);
	}
	return true;
}

static int by_key(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Keys one behind another, without blanks. */
static void take_open(struct tfp_ui_place *place, const char *text)
{
	size_t most = strlen(text) / KEY_DIGITS, count = 0;
	uint64_t *keys;

	most = most < MOST_OPEN ? most : MOST_OPEN;
	keys = tfp_arena_zero(&place->arena, most + 1, sizeof(*keys));
	while (count < most && read_key(text + count * KEY_DIGITS, &keys[count]))
		count++;
	if (count)
		qsort(keys, count, sizeof(*keys), by_key);
	place->open = keys;
	place->open_count = count;
}

static void take_view(struct tfp_ui_place *place, const char *text)
{
	const struct tfp_view *view = tfp_view_find(text);

	place->view = view ? view->name : NULL;
}

static void take_cursor(struct tfp_ui_place *place, const char *text)
{
	if (!read_key(text, &place->cursor))
		place->cursor = 0;
}

static void take_query(struct tfp_ui_place *place, const char *text)
{
	place->query = tfp_arena_text(&place->arena, text, strlen(text));
}

static void take(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
		 const struct tfp_yaml *value)
{
	static const struct {
		const char *key;
		void (*take)(struct tfp_ui_place *place, const char *text);
	} rows[] = {
		{"view", take_view},
		{"cursor", take_cursor},
		{"open", take_open},
		{"query", take_query},
	};

	(void)reading;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(key->text, rows[i].key) && value->kind == TFP_YAML_SCALAR)
			rows[i].take(data, value->text);
}

/* Of a file with any fault nothing is taken: nobody writes these by hand. */
static void take_all(struct tfp_reading *reading, const struct tfp_yaml *root,
		     struct tfp_ui_place *place)
{
	if (!root || tfp_diag_count(reading->diag))
		return;
	tfp_reading_map(reading, root, "a place", take, place);
	if (place->view)
		return;
	tfp_arena_free(&place->arena);
	*place = (struct tfp_ui_place){0};
}

void tfp_state_parse(struct tfp_ui_place *place, struct tfp_span bytes)
{
	struct tfp_arena arena = {0};
	struct tfp_reading reading = {.file = "", .arena = &arena, .diag = tfp_diag_new()};

	take_all(&reading, tfp_reading_parse(&reading, bytes), place);
	tfp_diag_free(reading.diag);
	tfp_arena_free(&arena);
}

/* Can a file PATH be made, as far as its nearest folder that is there says? */
static bool can_write(struct tfp_arena *arena, const char *path)
{
	const char *folder = path;
	struct stat status;

	do
		folder = tfp_place_folder(arena, folder);
	while (access(folder, F_OK) && strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0);
	return !stat(folder, &status) && S_ISDIR(status.st_mode) && !access(folder, W_OK);
}

void tfp_state_read(struct tfp_ui_place *place, const char *path, struct tfp_arena *arena)
{
	struct tfp_arena words = {0};
	struct tfp_reading reading = {.file = path, .arena = &words, .diag = tfp_diag_new()};
	const struct tfp_yaml *root;

	if (tfp_reading_open(&reading, &root) == TFP_TEXTFILE_READ)
		take_all(&reading, root, place);
	else if (!can_write(&words, path))
		place->why = tfp_arena_printf(arena, "%s can't be written",
					      tfp_place_folder(&words, path));
	tfp_diag_free(reading.diag);
	tfp_arena_free(&words);
}

/* ---- writing --------------------------------------------------------------------------------- */

struct kept {
	char *name;
	time_t time;
};

static int newest_first(const void *left, const void *right)
{
	const struct kept *a = left, *b = right;

	return (a->time < b->time) - (a->time > b->time);
}

static bool is_place(const char *name)
{
	uint64_t key;

	return read_key(name, &key) && !strcmp(name + KEY_DIGITS, ENDING);
}

/* Removes the oldest of the files in FOLDER that are ours. */
static void prune(struct tfp_arena *arena, const char *folder)
{
	TFP_ARRAY(struct kept) files = {0};
	DIR *stream = opendir(folder);
	struct dirent *entry;

	while (stream && (entry = readdir(stream))) {
		char *path = tfp_arena_printf(arena, "%s/%s", folder, entry->d_name);
		struct stat status;

		if (is_place(entry->d_name) && !lstat(path, &status) && S_ISREG(status.st_mode))
			*tfp_array_push(&files) = (struct kept){path, status.st_mtime};
	}
	if (stream)
		closedir(stream);
	if (files.count > MOST_PROFILES) {
		qsort(files.at, files.count, sizeof(*files.at), newest_first);
		for (size_t i = MOST_PROFILES; i < files.count; i++)
			unlink(files.at[i].name);
	}
	tfp_array_free(&files);
}

static void print(FILE *out, const struct tfp_ui_place *place, struct tfp_arena *arena)
{
	const char *query = place->query ? tfp_yaml_quote(arena, place->query) : NULL;

	fprintf(out, "view: %s\ncursor: \"%016" PRIx64 "\"\nopen: \"", place->view, place->cursor);
	for (size_t i = 0; i < place->open_count && i < MOST_OPEN; i++)
		fprintf(out, "%016" PRIx64, place->open[i]);
	fputs("\"\n", out);
	if (query)
		fprintf(out, "query: %s\n", query);
}

void tfp_state_write(const struct tfp_ui_place *place, const char *path)
{
	struct tfp_arena arena = {0};
	struct tfp_diag *diag = tfp_diag_new();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		print(out, place, &arena);
		if (!fclose(out) && tfp_savefile_write(path, (struct tfp_span){text, size}, diag))
			prune(&arena, tfp_place_folder(&arena, path));
	}
	free(text);
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
}
