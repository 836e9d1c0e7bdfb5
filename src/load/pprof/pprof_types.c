/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample types of a pprof file become metrics: "cpu" in "nanoseconds" is the metric cpu. Units
 * of time and memory become the model's, by a whole factor where the model has no such unit
 * (seconds count as microseconds, kilobytes as bytes), so that no value loses a digit. Every other
 * unit is a count whose label names it.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "load/pprof/pprof.h"

enum { NAME_ROOM = 64 };

/* What files write, singular; a plural s is taken off before the search. */
static const struct unit {
	const char *name;
	enum tfp_unit unit;
	int64_t scale;
} units[] = {
	{"picosecond", TFP_PICOS, 1},
	{"nanosecond", TFP_NANOS, 1},
	{"ns", TFP_NANOS, 1},
	{"microsecond", TFP_MICROS, 1},
	{"us", TFP_MICROS, 1},
	{"millisecond", TFP_MICROS, 1000},
	{"ms", TFP_MICROS, 1000},
	{"second", TFP_MICROS, 1000000},
	{"sec", TFP_MICROS, 1000000},
	{"s", TFP_MICROS, 1000000},
	{"minute", TFP_MICROS, 60000000},
	{"hour", TFP_MICROS, INT64_C(3600000000)},
	{"byte", TFP_BYTES, 1},
	{"b", TFP_BYTES, 1},
	{"kilobyte", TFP_BYTES, 1 << 10},
	{"kb", TFP_BYTES, 1 << 10},
	{"megabyte", TFP_BYTES, 1 << 20},
	{"mb", TFP_BYTES, 1 << 20},
	{"gigabyte", TFP_BYTES, 1 << 30},
	{"gb", TFP_BYTES, 1 << 30},
};

/* Whether WORD is NAME, in either number and any case. */
static bool word_is(struct tfp_span word, const char *name)
{
	size_t size = strlen(name);

	if (size > 2 && word.size == size + 1 && tolower((unsigned char)word.at[size]) == 's')
		word.size--;
	return word.size == size && !strncasecmp(word.at, name, size);
}

static struct unit unit_of(struct tfp_span word)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (word_is(word, units[i].name))
			return units[i];
	return (struct unit){NULL, TFP_COUNT, 1};
}

/* The word that options name the type NAME by: no blanks or signs that lists and shells know. */
static void make_key(const struct tfp_profile *profile, const char *name, char *key, size_t room)
{
	size_t size = 0;

	for (; name[size] && size < room - 1; size++)
		key[size] = (char)(isalnum((unsigned char)name[size]) || (name[size] & 0x80) ||
						   strchr("_-.", name[size])
					   ? name[size]
					   : '_');
	key[size] = 0;
	/* At most TFP_MAX_METRICS keys are there, so that two digits tell them apart. */
	size = size < room - 4 ? size : room - 4;
	for (unsigned int i = 2; tfp_profile_find_metric(profile, key) != TFP_NONE; i++)
		snprintf(key + size, room - size, "_%u", i);
}

static void make_title(const char *key, char *title)
{
	for (; *key; key++)
		*title++ = (char)(*key == '_' ? ' ' : toupper((unsigned char)*key));
	*title = 0;
}

static void add_metric(struct tfp_pprof_tables *tables, struct tfp_span type, struct tfp_span word,
		       struct unit unit)
{
	char name[NAME_ROOM], counted[NAME_ROOM], label[2 * NAME_ROOM + 4];
	char key[NAME_ROOM], title[NAME_ROOM];

	tfp_text_clean(name, sizeof(name), type.size ? type : TFP_SPAN("value"), false);
	if (unit.scale != 1)
		word = unit.unit == TFP_BYTES ? TFP_SPAN("bytes") : TFP_SPAN("microseconds");
	tfp_text_clean(counted, sizeof(counted), word, false);
	snprintf(label, sizeof(label), *counted ? "%s (%s)" : "%s", name, counted);
	make_key(tables->profile, name, key, sizeof(key));
	make_title(key, title);
	tfp_profile_add_metric(tables->profile,
			       &(struct tfp_metric){
				       .key = key,
				       .label = label,
				       .title = title,
				       .unit = unit.unit,
				       .kind = TFP_SUM,
				       .origin = TFP_FROM_CELLS,
				       .column = (uint8_t)tables->profile->metric_count,
			       });
}

/* Whether values of this type say how often something was seen. */
static bool counts_samples(struct tfp_span type, struct tfp_span unit)
{
	return word_is(unit, "count") && (word_is(type, "sample") || word_is(type, "count"));
}

void tfp_pprof_metrics_make(struct tfp_pprof_tables *tables, int64_t *scale)
{
	struct tfp_profile *profile = tables->profile;
	struct tfp_span wanted = tfp_pprof_string_get(tables, tables->default_type);
	uint32_t chosen = TFP_NONE;

	if (!tables->types.count)
		*tfp_array_push(&tables->types) = (struct tfp_pprof_type){0, 0};
	for (size_t i = 0; i < tables->types.count && i < TFP_MAX_METRICS; i++) {
		struct tfp_span type = tfp_pprof_string_get(tables, tables->types.at[i].type);
		struct tfp_span word = tfp_pprof_string_get(tables, tables->types.at[i].unit);
		struct unit unit = unit_of(word);

		add_metric(tables, type, word, unit);
		scale[i] = unit.scale;
		if (wanted.size && tfp_span_equal(type, wanted))
			chosen = (uint32_t)i;
		if (profile->runs_column == TFP_NONE && counts_samples(type, word))
			profile->runs_column = (uint32_t)i;
	}
	if (tables->types.count > TFP_MAX_METRICS)
		tfp_pprof_problem(tables, TFP_WARNING, tables->source->data,
				  "%zu sample types: the last %zu are left out",
				  tables->types.count, tables->types.count - TFP_MAX_METRICS);
	profile->cell_columns = profile->metric_count;
	profile->default_metric = chosen != TFP_NONE ? chosen : profile->metric_count - 1;
}
