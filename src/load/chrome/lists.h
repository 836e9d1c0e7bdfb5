/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in JSON that stand in a record as text: inputs of ops, one after another. */
#ifndef TFPROF_LOAD_CHROME_LISTS_H
#define TFPROF_LOAD_CHROME_LISTS_H

#include "tfprof/json.h"

/* What is left of a list. */
struct elements {
	const char *at, *end;
};

/* Those of LIST; none when it is something else. */
struct elements list_elements(struct tfp_span list);
/* The next element as it stands, strings with their quotes. False: there is none. */
bool list_next(struct elements *elements, struct tfp_span *element);
/*
 * A TEXT in place of a list, as Ascend's profiler has them, "2,3;4" of dimensions and "float;int" of types, as one whose elements
 * have OPEN before and CLOSE behind them. In ROOM.
 */
struct tfp_span list_of_text(struct tfp_span text, char open, char close,
			     struct tfp_json_bytes *room);
/* What is between the quotes of TEXT; "" when it has none. */
struct tfp_span list_text(struct tfp_span text);

#endif
