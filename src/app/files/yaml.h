/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML text to a tree of nodes that know their place, bounded in size, depth and number. Settings and
 * themes are read from it.
 */
#ifndef TFPROF_APP_YAML_H
#define TFPROF_APP_YAML_H

#include "tfprof/base.h"

#define TFP_YAML_SIZE  ((size_t)1 << 20) /* bytes of a document */
#define TFP_YAML_DEPTH 32u               /* collections inside each other */
#define TFP_YAML_NODES 100000u           /* aliases written out */

enum tfp_yaml_kind { TFP_YAML_SCALAR, TFP_YAML_LIST, TFP_YAML_MAP };

struct tfp_yaml {
	enum tfp_yaml_kind kind;
	bool quoted;           /* a scalar in quotes, or a block of text */
	uint32_t line, column; /* of its first character, from 1 */
	const char *text;      /* of a scalar: UTF-8 without NUL inside */
	/* items of a list; of a map keys and values by turns, so an even count */
	const struct tfp_yaml **items;
	size_t count;
	uint32_t nodes, height; /* of the tree below, itself included */
};

/*
 * Reads the document in BYTES; FILE names it in problems. The tree, in ARENA, is NULL when there is no
 * document. False with a problem in DIAG when the text ends in error; the tree then has the entries of
 * the outermost collection that were complete before it. An alias is a copy of what it names.
 */
bool tfp_yaml_parse(struct tfp_span bytes, const char *file, struct tfp_arena *arena,
		    const struct tfp_yaml **root, struct tfp_diag *diag);

/* Nothing was written: an empty plain scalar, ~ or null. */
bool tfp_yaml_is_null(const struct tfp_yaml *node);

/* A warning about the place LINE, COLUMN of FILE: "file:line:column: text". */
void tfp_yaml_warn(struct tfp_diag *diag, const char *file, uint32_t line, uint32_t column,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * TEXT as a scalar that is read back as it is: plain where that is safe, else in double quotes. In
 * ARENA; NULL when TEXT is not UTF-8, which YAML can't hold.
 */
char *tfp_yaml_quote(struct tfp_arena *arena, const char *text);

#endif
