/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that were changed on the screen: see saving.h. */
#include "app/settings/saving.h"

#include <string.h>

static const char *keep(struct tfp_config *config, const char *text)
{
	return text ? tfp_arena_text(&config->arena, text, strlen(text)) : NULL;
}

static void apply(struct tfp_config *config, const struct tfp_ui_change *change)
{
	for (const struct tfp_setting *setting = tfp_setting_table; setting->key; setting++)
		if (!strcmp(setting->key, change->setting) && setting->kind->change)
			setting->kind->change(&config->now, setting, keep(config, change->name),
					      keep(config, change->value));
}

bool tfp_saving_run(void *data, const struct tfp_ui_change *changes, size_t count,
		    const char **path, struct tfp_diag *diag)
{
	struct tfp_config *config = data;
	struct tfp_settings before = {0};

	tfp_settings_add(&before, &config->now);
	for (size_t i = 0; i < count; i++)
		apply(config, &changes[i]);
	*path = config->save_path;
	if (tfp_config_save(config, diag)) {
		tfp_settings_free(&before);
		return true;
	}
	tfp_settings_free(&config->now);
	config->now = before;
	return false;
}
