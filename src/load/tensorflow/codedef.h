/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python traces, as op logs and saved profiles hold them: the table of strings that they share, and
 * CodeDef messages turned into stacks.
 */
#ifndef TFPROF_LOAD_CODEDEF_H
#define TFPROF_LOAD_CODEDEF_H

#include "load/idmap.h"
#include "load/walk.h"

enum {
	TRACE_TEXT_FILE = 1,
	TRACE_LINE = 2,
	TRACE_TEXT_FUNCTION = 3,
	TRACE_TEXT_SOURCE = 4,
	TRACE_START_LINE = 5,
	TRACE_FILE = 6,
	TRACE_FUNCTION = 7,
	TRACE_SOURCE = 8,
	CODE_TRACE = 1,
};

/* Frames lately seen, by their raw bytes. */
#define TFP_CODEDEF_CACHE 4096

struct tfp_codedef_cached {
	const uint8_t *at;
	size_t size; /* 0: free */
	uint32_t frame;
};

/* A frame of the last trace: where it ends in its CodeDef, and the stack down to it. */
struct tfp_codedef_level {
	size_t end;
	uint32_t stack;
};

struct tfp_codedef_reader {
	struct tfp_profile *profile;
	const struct tfp_source *source;
	struct tfp_diag *diag;
	struct tfp_idmap ids; /* string id of the file to index in texts */
	TFP_ARRAY(tfp_str) texts;
	struct tfp_span last;                       /* the CodeDef of the last trace */
	TFP_ARRAY(struct tfp_codedef_level) levels; /* its frames, outermost first */
	struct tfp_codedef_cached *cache;
	struct tfp_hash_key key;
};

/* Starts without texts, for frames and stacks of PROFILE. SOURCE outlives READER, which tfp_codedef_free frees. */
void tfp_codedef_start(struct tfp_codedef_reader *reader, struct tfp_profile *profile,
		       const struct tfp_source *source, struct tfp_diag *diag);
void tfp_codedef_free(struct tfp_codedef_reader *reader);

/* Takes one entry (key 1, value 2) of the table; an entry with the same key replaces it. */
void tfp_codedef_add_text(struct tfp_codedef_reader *reader, const struct tfp_field *entry);

/*
 * The stack of the traces in all CodeDef fields NUMBER of MESSAGE, which count as one; TFP_NONE
 * when there are no frames.
 */
uint32_t tfp_codedef_stack(struct tfp_codedef_reader *reader, struct tfp_wire message,
			   uint32_t number);

#endif
