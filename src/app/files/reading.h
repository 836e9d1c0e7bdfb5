/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reading settings and reading themes have in common: walking a map whose keys are known words,
 * with a warning at the place of each fault, and going on behind it.
 */
#ifndef TFPROF_APP_READING_H
#define TFPROF_APP_READING_H

#include "app/files/textfile.h"
#include "app/files/yaml.h"
#include "tfprof/view.h"

struct tfp_reading {
	const char *file;
	struct tfp_arena *arena; /* of all texts */
	struct tfp_diag *diag;
	unsigned int faults; /* warned about; after some dozens the rest of the file is left */
};

/*
 * Reads the regular file READING names, and its YAML. ROOT is NULL when there is nothing to take. Faults
 * are warnings, but that the file is absent is not told.
 */
enum tfp_textfile tfp_reading_open(struct tfp_reading *reading, const struct tfp_yaml **root);

/* The YAML in BYTES of the file READING names; NULL when there is nothing in it. */
const struct tfp_yaml *tfp_reading_parse(struct tfp_reading *reading, struct tfp_span bytes);

/* A warning at NODE. */
void tfp_reading_warn(struct tfp_reading *reading, const struct tfp_yaml *node, const char *format,
		      ...) __attribute__((format(printf, 3, 4)));
/* A warning that WORD, at NODE, is no WHAT, with the valid words. */
void tfp_reading_unknown(struct tfp_reading *reading, const struct tfp_yaml *node, const char *word,
			 const char *what, struct tfp_words valid);

/* Called for each key of a map, which is KEY->text. */
typedef void tfp_reading_entry(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
			       const struct tfp_yaml *value);
/*
 * Walks MAP, of which WHAT says what it should hold; null is an empty map. A key that is met again is a
 * fault and is not given to ENTRY.
 */
void tfp_reading_map(struct tfp_reading *reading, const struct tfp_yaml *map, const char *what,
		     tfp_reading_entry *entry, void *data);

/* The text of the scalar NODE, the value of KEY; NULL with a warning when it is none or empty. */
const char *tfp_reading_text(struct tfp_reading *reading, const struct tfp_yaml *key,
			     const struct tfp_yaml *node);

#endif
