/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of settings share. */
#ifndef TFPROF_APP_SETTINGS_H
#define TFPROF_APP_SETTINGS_H

#include "app/settings/config.h"

/* Options of the query, a map. */
extern const struct tfp_setting_kind tfp_setting_options;
/* Keys of actions, a map. */
extern const struct tfp_setting_kind tfp_setting_keys;

/* Folders of sources, a list. */
extern const struct tfp_setting_kind tfp_setting_sources;

/* The texts in LIST as the one text that the command line would have. NULL with a warning. */
const char *tfp_setting_join(struct tfp_reading *reading, const struct tfp_yaml *list);

/* Columns of each view, a map. */
extern const struct tfp_setting_kind tfp_setting_columns;

/* Writes "key: value" behind INDENT; VALUE NULL is null. A comment where YAML can't hold it. */
void tfp_setting_write(FILE *out, const char *indent, const char *key, const char *value);
/* Are two values the same, or both not set? */
bool tfp_setting_same(const char *a, const char *b);

#endif
