/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of the screen, from config.yaml (the person's own, never written) and saved.yaml (written when
 * the person saves, read after it). One table says which there are.
 */
#ifndef TFPROF_APP_CONFIG_H
#define TFPROF_APP_CONFIG_H

#include "app/files/reading.h"
#include "ui/ui.h"

/* Settings that are one text. */
enum tfp_setting_text {
	TFP_SETTING_THEME,
	TFP_SETTING_VIEW,
	TFP_SETTING_EDITOR,
	TFP_SETTING_LENS,
	TFP_SETTING_PANE,
	TFP_SETTING_BARS,
	TFP_SETTING_MOUSE,
	TFP_SETTING_UNITS,
	TFP_SETTING_SHARES,
	TFP_SETTING_LIBRARIES,
	TFP_SETTING_TEXTS
};

/* An option of the first query: by its name on the command line, and as its value is written there. */
struct tfp_option_value {
	const char *name, *value;
};

struct tfp_settings {
	const char *texts[TFP_SETTING_TEXTS]; /* NULL: not set */
	TFP_ARRAY(struct tfp_option_value) options;
	TFP_ARRAY(struct tfp_ui_keys) keys;
	TFP_ARRAY(const char *) sources;            /* as :source-root takes them */
	TFP_ARRAY(struct tfp_option_value) columns; /* by view; a value NULL: those of the lens */
};

/* A setting's row in the table. */
struct tfp_setting {
	const char *key;
	const char *value;    /* what it takes: "NAME" */
	const char *standard; /* what holds where it is not set */
	const char *help;
	const struct tfp_setting_kind *kind;
	enum tfp_setting_text which; /* of a text */
	/* The value that the text at NODE means; NULL with a warning. */
	const char *(*take)(struct tfp_reading *reading, const struct tfp_yaml *key,
			    const struct tfp_yaml *node);
};

/* What settings of one kind have in common. */
struct tfp_setting_kind {
	/* Sets what NODE says, or warns; null makes it unset. */
	void (*read)(struct tfp_reading *reading, const struct tfp_setting *setting,
		     const struct tfp_yaml *key, const struct tfp_yaml *node,
		     struct tfp_settings *settings);
	/* Writes it as YAML with comments, whether set or not. */
	void (*print)(FILE *out, const struct tfp_setting *setting,
		      const struct tfp_settings *settings);
	/* Writes what is not as in BASE, as YAML. */
	void (*save)(FILE *out, const struct tfp_setting *setting,
		     const struct tfp_settings *settings, const struct tfp_settings *base);
	/* Sets it, or NAME in a map, to VALUE; texts must outlive SETTINGS. NULL: not from the screen. */
	void (*change)(struct tfp_settings *settings, const struct tfp_setting *setting,
		       const char *name, const char *value);
};

extern const struct tfp_setting tfp_setting_table[]; /* ended by a NULL key */

struct tfp_config {
	struct tfp_arena arena;
	struct tfp_settings now;
	struct tfp_settings base; /* without saved.yaml */
	const char *files;        /* that were read, "" none */
	const char *save_path;    /* saved.yaml; NULL: settings can't be saved */
};

void tfp_config_init(struct tfp_config *config);
void tfp_config_free(struct tfp_config *config);

/*
 * Reads FILE, or where it is NULL config.yaml and saved.yaml in the person's folder, which may be absent.
 * What is wrong in a file is a warning in DIAG, and the rest counts. False with an error when FILE is
 * absent.
 */
bool tfp_config_read(struct tfp_config *config, const char *file, struct tfp_diag *diag);
/* Takes the settings in BYTES, of the file named FILE, into config->now. */
void tfp_config_parse(struct tfp_config *config, struct tfp_span bytes, const char *file,
		      struct tfp_diag *diag);

/* Sets an option in SETTINGS, whose texts must outlive it; VALUE NULL makes it unset. */
void tfp_settings_option(struct tfp_settings *settings, const char *name, const char *value);
/* Gives ACTION the KEYS, "" none, in SETTINGS, which texts must outlive. */
void tfp_settings_keys(struct tfp_settings *settings, const char *action, const char *keys);
/* The columns of VIEW, "total,self:30"; NULL: those of the lens. Texts must outlive SETTINGS. */
void tfp_settings_columns(struct tfp_settings *settings, const char *view, const char *columns);
bool tfp_settings_has_columns(const struct tfp_settings *settings, const char *view);
void tfp_settings_columns_query(const struct tfp_settings *settings, struct tfp_query *query);
/* Sets in TO what is set in FROM. */
void tfp_settings_add(struct tfp_settings *to, const struct tfp_settings *from);
void tfp_settings_free(struct tfp_settings *settings);
/* Is the option NAME among them? */
bool tfp_settings_has(const struct tfp_settings *settings, const char *name);
/*
 * Sets the options in QUERY. Each was checked when it was read; what they can't be together is a warning
 * in DIAG.
 */
void tfp_settings_query(const struct tfp_settings *settings, struct tfp_query *query,
			struct tfp_diag *diag);
/* All SETTINGS as YAML with comments, which is valid again as config.yaml. FILES: they are from there. */
void tfp_settings_print(FILE *out, const struct tfp_settings *settings, const char *files);

/*
 * Writes saved.yaml: what is not as in config.yaml alone. The old file stays when that fails, which is an
 * error in DIAG. Makes the folder if it is not there.
 */
bool tfp_config_save(const struct tfp_config *config, struct tfp_diag *diag);

#endif
