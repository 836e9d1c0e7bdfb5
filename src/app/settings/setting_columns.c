/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The setting that says which columns a view has: a map of views to lists of names, each checked as on
 * the command line.
 */
#include "app/settings/settings.h"

#include <string.h>

static const char *columns_of(const struct tfp_settings *settings, const char *view)
{
	for (size_t i = 0; i < settings->columns.count; i++)
		if (!strcmp(settings->columns.at[i].name, view))
			return settings->columns.at[i].value;
	return NULL;
}

bool tfp_settings_has_columns(const struct tfp_settings *settings, const char *view)
{
	return columns_of(settings, view) != NULL;
}

void tfp_settings_columns(struct tfp_settings *settings, const char *view, const char *columns)
{
	size_t at = 0;

	while (at < settings->columns.count && strcmp(settings->columns.at[at].name, view) != 0)
		at++;
	if (at == settings->columns.count)
		(void)tfp_array_push(&settings->columns);
	settings->columns.at[at] = (struct tfp_option_value){view, columns};
}

void tfp_settings_columns_query(const struct tfp_settings *settings, struct tfp_query *query)
{
	struct tfp_diag *diag = tfp_diag_new();

	for (size_t i = 0; i < settings->columns.count; i++) {
		const struct tfp_option_value *of = &settings->columns.at[i];

		if (of->value)
			tfp_query_set(query, "columns",
				      tfp_arena_printf(&query->arena, "%s:%s", of->name, of->value),
				      diag);
	}
	tfp_diag_free(diag);
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* Would the command line take it as a column? Else a warning. */
static bool check_column(struct tfp_reading *reading, const struct tfp_yaml *node)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;
	bool valid;

	tfp_query_init(&query);
	valid = node->kind == TFP_YAML_SCALAR && !strchr(node->text, ',') &&
		tfp_query_set(&query, "columns", node->text, diag);
	if (!valid)
		tfp_reading_warn(reading, node, "%s",
				 tfp_diag_count(diag) ? tfp_diag_get(diag, 0).text
						      : "expected the name of a column");
	tfp_query_free(&query);
	tfp_diag_free(diag);
	return valid;
}

/* The names that are valid. */
static const char *join(struct tfp_reading *reading, const struct tfp_yaml *list)
{
	char *text = tfp_arena_text(reading->arena, "", 0);

	for (size_t i = 0; i < list->count; i++)
		if (check_column(reading, list->items[i]))
			text = tfp_arena_printf(reading->arena, "%s%s%s", text, *text ? "," : "",
						list->items[i]->text);
	return *text ? text : NULL;
}

static void take_view(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
		      const struct tfp_yaml *node)
{
	const struct tfp_view *view = tfp_view_find(key->text);
	const char *names[TFP_MAX_VIEWS];
	struct tfp_words views = {names, 0};

	if (!view) {
		for (; tfp_views[views.count]; views.count++)
			names[views.count] = tfp_views[views.count]->name;
		tfp_reading_unknown(reading, key, key->text, "a view", views);
	} else if (tfp_yaml_is_null(node)) {
		tfp_settings_columns(data, view->name, NULL);
	} else if (node->kind == TFP_YAML_LIST) {
		tfp_settings_columns(data, view->name, join(reading, node));
	} else {
		tfp_reading_warn(reading, node, "%s: expected a list of columns: [total, self]",
				 view->name);
	}
}

static void read_columns(struct tfp_reading *reading, const struct tfp_setting *setting,
			 const struct tfp_yaml *key, const struct tfp_yaml *node,
			 struct tfp_settings *settings)
{
	(void)setting;
	(void)key;
	tfp_reading_map(reading, node, "views", take_view, settings);
}

/* ---- writing ------------------------------------------------------------------------------------ */

/* "[total, "self:30"]": names are quoted where they need it. */
static void write_list(FILE *out, const char *view, const char *columns)
{
	struct tfp_arena arena = {0};

	fprintf(out, "  %s: [", view);
	for (const char *at = columns; *at;) {
		size_t size = strcspn(at, ",");
		const char *name = tfp_arena_text(&arena, at, size);
		const char *quoted = tfp_yaml_quote(&arena, name);

		fprintf(out, "%s%s", at == columns ? "" : ", ", quoted ? quoted : "total");
		at += size + (at[size] == ',');
	}
	fputs("]\n", out);
	tfp_arena_free(&arena);
}

static void print_columns(FILE *out, const struct tfp_setting *setting,
			  const struct tfp_settings *settings)
{
	fprintf(out, "\n# %s\n# If not set: %s.\n%s:\n", setting->help, setting->standard,
		setting->key);
	for (size_t i = 0; tfp_views[i]; i++) {
		const char *columns = columns_of(settings, tfp_views[i]->name);

		if (columns)
			write_list(out, tfp_views[i]->name, columns);
		else if (!tfp_views[i]->text && !tfp_views[i]->listing)
			fprintf(out, "  #%s: [total, share, bar, self]\n", tfp_views[i]->name);
	}
}

static void save_columns(FILE *out, const struct tfp_setting *setting,
			 const struct tfp_settings *settings, const struct tfp_settings *base)
{
	const char *heading = setting->key;

	for (size_t i = 0; i < settings->columns.count; i++) {
		const struct tfp_option_value *of = &settings->columns.at[i];

		if (tfp_setting_same(of->value, columns_of(base, of->name)))
			continue;
		if (heading)
			fprintf(out, "%s:\n", heading);
		heading = NULL;
		if (of->value)
			write_list(out, of->name, of->value);
		else
			tfp_setting_write(out, "  ", of->name, NULL);
	}
}

static void change_columns(struct tfp_settings *settings, const struct tfp_setting *setting,
			   const char *name, const char *value)
{
	(void)setting;
	tfp_settings_columns(settings, name, value);
}

const struct tfp_setting_kind tfp_setting_columns = {read_columns, print_columns, save_columns,
						     change_columns};
