/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of known words: see reading.h. */
#include "app/files/reading.h"

#include <string.h>

/* Faults of one file that are told; whoever made more has the wrong file. */
#define FAULTS 40

const struct tfp_yaml *tfp_reading_parse(struct tfp_reading *reading, struct tfp_span bytes)
{
	const struct tfp_yaml *root = NULL;

	if (bytes.size)
		tfp_yaml_parse(bytes, reading->file, reading->arena, &root, reading->diag);
	else
		tfp_diag_add(reading->diag, TFP_NOTE, reading->file, -1, 0, "is empty");
	return root;
}

enum tfp_textfile tfp_reading_open(struct tfp_reading *reading, const struct tfp_yaml **root)
{
	struct tfp_span bytes;
	enum tfp_textfile found = tfp_textfile_read(reading->file, TFP_YAML_SIZE, reading->arena,
						    &bytes, reading->diag);

	*root = found == TFP_TEXTFILE_READ ? tfp_reading_parse(reading, bytes) : NULL;
	return found;
}

void tfp_reading_warn(struct tfp_reading *reading, const struct tfp_yaml *node, const char *format,
		      ...)
{
	char text[512];
	va_list args;

	if (++reading->faults > FAULTS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tfp_yaml_warn(reading->diag, reading->file, node->line, node->column, "%s%s", text,
		      reading->faults == FAULTS ? "; after so many faults the rest is not read"
						: "");
}

void tfp_reading_unknown(struct tfp_reading *reading, const struct tfp_yaml *node, const char *word,
			 const char *what, struct tfp_words valid)
{
	tfp_reading_warn(reading, node, "'%.60s' is not %s%s", word, what,
			 tfp_nearest_hint(reading->arena, word, valid));
}

/* Is the key at INDEX the first of its name? */
static bool is_first(const struct tfp_yaml *map, size_t index)
{
	for (size_t i = 0; i < index; i += 2)
		if (map->items[i]->kind == TFP_YAML_SCALAR &&
		    !strcmp(map->items[i]->text, map->items[index]->text))
			return false;
	return true;
}

void tfp_reading_map(struct tfp_reading *reading, const struct tfp_yaml *map, const char *what,
		     tfp_reading_entry *entry, void *data)
{
	if (tfp_yaml_is_null(map))
		return;
	if (map->kind != TFP_YAML_MAP) {
		tfp_reading_warn(reading, map, "expected %s, one to a line as 'name: value'", what);
		return;
	}
	for (size_t i = 0; i < map->count && reading->faults < FAULTS; i += 2) {
		const struct tfp_yaml *key = map->items[i];

		if (key->kind != TFP_YAML_SCALAR)
			tfp_reading_warn(reading, key, "expected the name of one of %s", what);
		else if (!is_first(map, i))
			tfp_reading_warn(reading, key, "'%.60s' is set twice; the first counts",
					 key->text);
		else
			entry(reading, data, key, map->items[i + 1]);
	}
}

const char *tfp_reading_text(struct tfp_reading *reading, const struct tfp_yaml *key,
			     const struct tfp_yaml *node)
{
	if (node->kind == TFP_YAML_SCALAR && node->text[0])
		return node->text;
	tfp_reading_warn(reading, node, "%.60s: expected one text", key->text);
	return NULL;
}
