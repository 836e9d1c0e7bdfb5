/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings and themes: whatever the bytes, what is read is in its bounds, and settings that were read are
 * the same when they are printed and read again. The first byte chooses between the two.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/settings/config.h"
#include "app/settings/themefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_theme(struct tfp_span bytes)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_ui_theme theme;

	tfp_themefile_parse(bytes, "theme.yaml", &theme, diag);
	for (size_t i = 0; tfp_ui_ink(i); i++) {
		struct tfp_look look = theme.looks[i];

		must(look.color >= -1 && look.color <= TFP_LOOK_RGB + 0xffffff);
		must(look.color < 256 || look.color >= TFP_LOOK_RGB);
		must(look.attributes < 16 && look.plain < 16);
	}
	tfp_diag_free(diag);
}

static const char *option(const struct tfp_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->options.count; i++)
		if (!strcmp(settings->options.at[i].name, name))
			return settings->options.at[i].value;
	return NULL;
}

static void must_equal(const struct tfp_settings *a, const struct tfp_settings *b)
{
	for (size_t i = 0; i < TFP_SETTING_TEXTS; i++)
		must(!a->texts[i] == !b->texts[i] &&
		     (!a->texts[i] || !strcmp(a->texts[i], b->texts[i])));
	must(a->options.count == b->options.count);
	for (size_t i = 0; i < a->options.count; i++) {
		const char *other = option(b, a->options.at[i].name);

		must(other && !strcmp(a->options.at[i].value, other));
	}
}

static void check_config(struct tfp_span bytes)
{
	struct tfp_diag *diag = tfp_diag_new(), *clean = tfp_diag_new();
	struct tfp_config config, again;
	struct tfp_query query;
	char *text = NULL;
	FILE *out = open_memstream(&text, &bytes.size);

	tfp_config_init(&config);
	tfp_config_init(&again);
	/* The stream sets its size only when it is closed. */
	tfp_config_parse(&config, bytes, "config.yaml", diag);
	tfp_settings_print(out, &config.now, "");
	fclose(out);
	bytes.at = text;
	tfp_config_parse(&again, bytes, "config.yaml", clean);
	must(tfp_diag_count(clean) == 0);
	must_equal(&config.now, &again.now);
	tfp_query_init(&query);
	tfp_settings_query(&config.now, &query, diag);
	tfp_query_free(&query);
	tfp_config_free(&again);
	tfp_config_free(&config);
	tfp_diag_free(clean);
	tfp_diag_free(diag);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_span bytes = {(const char *)data + 1, size - 1};

	if (!size)
		return 0;
	if (data[0] % 2)
		check_theme(bytes);
	else
		check_config(bytes);
	return 0;
}
