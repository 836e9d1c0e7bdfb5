/* SPDX-License-Identifier: Apache-2.0 */
/* Settings, query and theme of the first screen: see startup.h. */
#include "app/startup.h"

#include <string.h>

#include "app/files/places.h"
#include "app/settings/themefile.h"

bool tfp_startup_theme(struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_arena *arena = &command->arena;
	const char **theme = &command->given.texts[TFP_SETTING_THEME], *name = *theme;

	if (!name)
		return true;
	if (strchr(name, '/'))
		*theme = tfp_place_path(arena, name, ".");
	if (tfp_themefile_find(arena, *theme))
		return true;
	tfp_diag_error(diag, "--theme=%s: there is no such theme%s", name,
		       tfp_nearest_hint(arena, name, tfp_themefile_names(arena)));
	return false;
}

static void make_query(struct tfp_startup *startup, struct tfp_diag *diag)
{
	const struct tfp_settings *settings = &startup->settings;

	if (settings->texts[TFP_SETTING_LIBRARIES])
		tfp_query_set(&startup->query, "library_paths",
			      settings->texts[TFP_SETTING_LIBRARIES], diag);
	tfp_settings_query(settings, &startup->query, diag);
	tfp_settings_columns_query(settings, &startup->query);
	startup->query.view = settings->texts[TFP_SETTING_VIEW];
}

bool tfp_startup_make(struct tfp_startup *startup, struct tfp_command *command,
		      struct tfp_diag *diag)
{
	const char *theme;

	memset(startup, 0, sizeof(*startup));
	tfp_config_init(&startup->config);
	tfp_ui_query(&startup->query);
	if (!command->no_config && !tfp_config_read(&startup->config, command->config, diag))
		return false;
	if (!tfp_startup_theme(command, diag))
		return false;
	tfp_settings_add(&startup->settings, &startup->config.now);
	tfp_settings_add(&startup->settings, &command->given);
	make_query(startup, diag);
	theme = startup->settings.texts[TFP_SETTING_THEME];
	tfp_themefile_load(theme ? theme : TFP_THEME_BUILTIN, &startup->theme, diag);
	return true;
}

void tfp_startup_free(struct tfp_startup *startup)
{
	tfp_query_free(&startup->query);
	tfp_settings_free(&startup->settings);
	tfp_config_free(&startup->config);
}
