/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the trial of a PyTorch trace share: the file, the table at hand, rows that add up. */
#ifndef TFPROF_TESTS_KINETO_TRIAL_H
#define TFPROF_TESTS_KINETO_TRIAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "load_help.h"
#include "load/chrome/chrome.h"
#include "tables.h"

/* The sums of a row of several tables. */
struct line {
	char *key;
	int64_t count, total, self, least, most;
	int64_t device_total, device_self, device_events;
	int64_t memory[2], memory_self[2]; /* of the host, of devices */
};

struct sheet {
	struct line *at;
	size_t count, room;
};

static inline struct line *line_of(struct sheet *rows, const char *key)
{
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(rows->at[i].key, key))
			return &rows->at[i];
	*tfp_array_push(rows) = (struct line){.key = tfp_strdup(key), .least = INT64_MAX};
	return &rows->at[rows->count - 1];
}

static inline void free_sheet(struct sheet *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->at[i].key);
	tfp_array_free(rows);
}

static inline const char *text(const struct tfp_profile *profile, tfp_str id)
{
	return tfp_strings_text(profile->strings, id);
}

/* What stands for a file: its events, and the ops of one lane as PyTorch counts them. */
struct trial {
	struct tfp_profile *profile;
	const struct tfp_trace *trace;
	const struct chrome_parts *parts;
	const char *tables;
	struct rows rows; /* of the table at hand */
};

#endif
