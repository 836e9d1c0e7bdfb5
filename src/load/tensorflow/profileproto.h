/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ProfileProto, the saved profile: field numbers (of tfprof_log.proto) and what its two files share.
 */
#ifndef TFPROF_LOAD_PROFILEPROTO_H
#define TFPROF_LOAD_PROFILEPROTO_H

#include "load/idmap.h"
#include "load/walk.h"

enum {
	PROFILE_NODE = 1,
	PROFILE_HAS_TRACE = 2,
	PROFILE_STEP = 3,
	PROFILE_STRING = 4,
	PROFILE_NO_STREAM = 5,

	/* of the entry of any map */
	ENTRY_KEY = 1,
	ENTRY_VALUE = 2,

	PNODE_NAME = 1,
	PNODE_INPUT = 2,
	PNODE_SHAPE = 4,
	PNODE_TYPE = 5,
	PNODE_DEVICE = 6,
	PNODE_FLOAT_OPS = 8,
	PNODE_OP = 9,
	PNODE_TRACE = 10,
	PNODE_ATTR = 11,
	PNODE_EXEC = 12,
	PNODE_SOURCE_OUTPUT = 14,
	PNODE_OUTPUT_SHAPE = 15,
	PNODE_INPUT_SHAPE = 16,

	PEXEC_RUNS = 1,
	PEXEC_START = 2,
	PEXEC_END = 3,
	PEXEC_ACCELERATOR = 4,
	PEXEC_CPU = 5,
	PEXEC_DEVICE = 6,
	PEXEC_MEMORY = 7,
	PEXEC_ALLOC = 11,

	PMEMORY_MICROS = 1,
	PMEMORY_HOST_TEMP = 2,
	PMEMORY_HOST_PERSISTENT = 3,
	PMEMORY_TEMP = 4,       /* on an accelerator */
	PMEMORY_PERSISTENT = 5, /* likewise */
	PMEMORY_REQUESTED = 6,
	PMEMORY_PEAK = 7,
	PMEMORY_RESIDUAL = 8,
	PMEMORY_OUTPUT = 9,
	PMEMORY_IN_USE = 10,
	PMEMORY_OUTPUT_MAP = 11,

	POUTPUT_BYTES = 1,
	POUTPUT_ADDRESS = 2,

	TIME_TUPLE = 1,
	TUPLE_VALUE = 1,
};

/* What the provider of a saved profile holds. */
struct tfp_saved_profile {
	struct tfp_source *source; /* owned */
	struct tfp_idmap nodes;    /* id of the file to node */
};

/* An entry of a map whose key is a number: KEY, and the bytes of the value. */
struct tfp_map_entry {
	int64_t key;
	struct tfp_field value; /* empty when absent */
};

static inline struct tfp_map_entry tfp_map_entry_read(const struct tfp_field *entry)
{
	struct tfp_wire wire = tfp_wire_in(entry);
	struct tfp_map_entry out = {0, {.data = entry->data}};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, ENTRY_KEY))
			out.key = (int64_t)field.value;
		else if (tfp_field_is(&field, ENTRY_VALUE))
			out.value = field;
	return out;
}

/*
 * Visits the executions in the ExecTime map entry DEVICE of an ExecProfile: calls VISIT with start
 * and duration of each. Returns how many had not two values.
 */
struct tfp_exec_times {
	void (*visit)(void *data, int64_t start, int64_t duration);
	void *data;
	struct tfp_span device;      /* set for the visits */
	struct tfp_integers numbers; /* room for one tuple; the caller frees it */
	uint64_t broken;             /* tuples that had not two values */
};
void tfp_exec_times_read(struct tfp_exec_times *times, const struct tfp_field *device);

/* The fill function of the provider: all parts. */
bool tfp_saved_profile_fill(struct tfp_profile *profile, unsigned parts, void *data,
			    struct tfp_job *job, struct tfp_diag *diag);

#endif
