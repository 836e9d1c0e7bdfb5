/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of settings: found, read one over the other, saved. What stands in them is the
 * matter of the table in settings.c.
 */
#include "app/settings/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/files/places.h"
#include "app/files/savefile.h"

void tfp_config_init(struct tfp_config *config)
{
	*config = (struct tfp_config){.files = ""};
}

void tfp_config_free(struct tfp_config *config)
{
	tfp_settings_free(&config->now);
	tfp_settings_free(&config->base);
	tfp_arena_free(&config->arena);
}

/* ---- reading ------------------------------------------------------------------------------------ */

static void take_setting(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
			 const struct tfp_yaml *value)
{
	const char *names[32];
	struct tfp_words keys = {names, 0};

	for (const struct tfp_setting *setting = tfp_setting_table; setting->key; setting++) {
		if (!strcmp(setting->key, key->text)) {
			setting->kind->read(reading, setting, key, value, data);
			return;
		}
		if (keys.count < sizeof(names) / sizeof(*names))
			names[keys.count++] = setting->key;
	}
	tfp_reading_unknown(reading, key, key->text, "a setting", keys);
}

static void take_settings(struct tfp_config *config, struct tfp_reading *reading,
			  const struct tfp_yaml *root)
{
	if (root)
		tfp_reading_map(reading, root, "settings", take_setting, &config->now);
}

void tfp_config_parse(struct tfp_config *config, struct tfp_span bytes, const char *file,
		      struct tfp_diag *diag)
{
	struct tfp_reading reading = {.file = file, .arena = &config->arena, .diag = diag};

	take_settings(config, &reading, tfp_reading_parse(&reading, bytes));
}

/* False when there is no such file. */
static bool read_file(struct tfp_config *config, const char *path, struct tfp_diag *diag)
{
	struct tfp_reading reading = {.file = path, .arena = &config->arena, .diag = diag};
	const struct tfp_yaml *root;
	enum tfp_textfile found = tfp_reading_open(&reading, &root);

	take_settings(config, &reading, root);
	if (found == TFP_TEXTFILE_READ)
		config->files = tfp_arena_printf(&config->arena, "%s%s%s", config->files,
						 *config->files ? ", " : "", path);
	return found != TFP_TEXTFILE_ABSENT;
}

bool tfp_config_read(struct tfp_config *config, const char *file, struct tfp_diag *diag)
{
	char *folder = tfp_place_own(&config->arena);

	if (file) {
		if (read_file(config, tfp_arena_printf(&config->arena, "%s", file), diag))
			return true;
		tfp_diag_error(diag, "--config=%s: there is no such file", file);
		return false;
	}
	if (!folder)
		return true;
	read_file(config, tfp_arena_printf(&config->arena, "%s/config.yaml", folder), diag);
	tfp_settings_add(&config->base, &config->now);
	config->save_path = tfp_arena_printf(&config->arena, "%s/saved.yaml", folder);
	read_file(config, config->save_path, diag);
	return true;
}

/* ---- writing ------------------------------------------------------------------------------------ */

bool tfp_config_save(const struct tfp_config *config, struct tfp_diag *diag)
{
	struct tfp_span bytes;
	char *text = NULL;
	FILE *out;
	bool saved;

	if (!config->save_path) {
		tfp_diag_error(diag, "settings cannot be saved with --config or --no-config");
		return false;
	}
	out = open_memstream(&text, &bytes.size);
	if (!out) {
		tfp_diag_error(diag, "settings cannot be saved: %s", strerror(errno));
		return false;
	}
	fputs("# Written by tfprof when settings are saved, and again each time. Put your own into\n"
	      "# config.yaml beside it, which is never written; this file is read after it.\n",
	      out);
	for (const struct tfp_setting *setting = tfp_setting_table; setting->key; setting++)
		setting->kind->save(out, setting, &config->now, &config->base);
	fclose(out);
	bytes.at = text;
	saved = tfp_savefile_write(config->save_path, bytes, diag);
	free(text);
	return saved;
}
