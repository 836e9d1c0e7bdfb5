/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RunMetadata: field numbers (of config.proto and step_stats.proto), devices and single records, shared by the walk that sums them up and
 * the one that lists executions.
 */
#ifndef TFPROF_LOAD_RUNMETA_H
#define TFPROF_LOAD_RUNMETA_H

#include "load/match.h"
#include "load/walk.h"

enum {
	RUN_STEP_STATS = 1,
	STATS_DEVICE = 1,
	DEVICE_NAME = 1,
	DEVICE_NODE = 2,

	EXEC_NAME = 1,
	EXEC_START = 2,
	EXEC_OP_END = 4,
	EXEC_MEMORY = 6,
	EXEC_OUTPUT = 7,
	EXEC_MEMORY_STATS = 12,

	MEMORY_ALLOCATOR = 1,
	MEMORY_TOTAL = 2,
	MEMORY_PEAK = 3,
	MEMORY_LIVE = 4,
	MEMORY_IN_USE = 5,
	MEMORY_RECORD = 6,
	ALLOC_MICROS = 1,
	ALLOC_BYTES = 2,
	OUTPUT_SLOT = 1,
	OUTPUT_TENSOR = 3,
	TENSOR_ALLOCATION = 4,
	ALLOCATION_REQUESTED = 1,
	ALLOCATION_ALLOCATED = 2,
	ALLOCATION_ADDRESS = 6,
	STATS_TEMP = 1,
	STATS_PERSISTENT = 3,
};

/* What a device's name says about the records that stand under it. */
struct tfp_run_device {
	tfp_str name;     /* in lower case */
	bool cpu;         /* "cpu" is part of the name */
	bool canonical;   /* ".../cpu:0", ".../device:gpu:0": its records count as CPU time */
	bool accelerator; /* "stream:all": its records count as accelerator time */
	bool stream;      /* one stream of an accelerator, or its copies */
	bool gpu;         /* "gpu" is part of the name */
};

/* NAME is a DeviceStepStats's: "/job:localhost/replica:0/task:0/device:GPU:0/stream:all". */
struct tfp_run_device tfp_run_device_of(struct tfp_strings *strings, struct tfp_span name);
/* What ran by the LABEL of a record on a stream: a kernel, or a kind of copy; empty: it does not say. */
struct tfp_span tfp_run_kernel_of(struct tfp_span label);

/* One NodeExecStats. */
struct tfp_run_record {
	struct tfp_span name;  /* cut at the first ':' */
	struct tfp_span label; /* the whole of it: "fc/MatMul:MatMul@@volta_sgemm" */
	int64_t start;         /* us; not above 0: unknown */
	int64_t op_end;        /* us after start */
	int64_t bytes, peak_bytes, residual_bytes, output_bytes;
	int64_t temp, persistent; /* two of what these are made of */
	bool allocs;              /* it lists allocations; known with MEMORY only */
	struct tfp_span raw;      /* the whole message */
};

/* One NodeOutput, and whether it says what it takes. */
struct tfp_run_output {
	bool known;
	int32_t slot;
	int64_t requested, allocated, bytes; /* bytes: the larger of the two */
	uint64_t address;
};
struct tfp_run_output tfp_run_output_read(const struct tfp_field *message);

/* One AllocatorMemoryUsed: whose memory it is, and how much of that is in use. */
struct tfp_run_allocator {
	struct tfp_span name;
	bool gpu;
	int64_t in_use;
};
struct tfp_run_allocator tfp_run_allocator_read(const struct tfp_field *message);

/*
 * What to do with each part of a file. ON_RECORD must be there; its NODE is TFP_NONE when no node
 * has the name. The functions read, and do not change, the device that they are called for.
 */
struct tfp_run_visitor {
	struct tfp_profile *profile;
	void (*on_stats)(struct tfp_run_visitor *visitor); /* once, before all others */
	void (*on_device)(struct tfp_run_visitor *visitor);
	void (*on_record)(struct tfp_run_visitor *visitor, const struct tfp_run_record *record,
			  uint32_t node);
	bool memory; /* records are wanted with what they say about memory */

	struct tfp_run_device device;
	bool stats;       /* a StepStats was met */
	uint64_t records; /* how many there were */
	struct tfp_walk walk;
	struct tfp_match match;
};

/* Visits all records of SOURCE. False when the job was cancelled. */
bool tfp_run_visit(struct tfp_run_visitor *visitor, const struct tfp_source *source,
		   struct tfp_job *job, struct tfp_diag *diag);

/*
 * Adds what RECORD, read with MEMORY, says of memory over time to the columns of TFP_PART_ALLOCS
 * (runallocs.c).
 */
void tfp_run_allocs_add(struct tfp_profile *profile, const struct tfp_run_record *record,
			uint32_t node, uint32_t step);
/* Adds the memory of RECORD, on DEVICE, to those of TFP_PART_RECORDS (runmemory.c). */
void tfp_run_memory_add(struct tfp_profile *profile, const struct tfp_run_record *record,
			const struct tfp_run_device *device, uint32_t node, uint32_t step);
/* The same of one AllocationRecord. */
void tfp_run_alloc_add(struct tfp_profile *profile, const struct tfp_field *record, uint32_t node,
		       uint32_t step);

/* Us that a record ran: 0 is rounded up. */
static inline int64_t tfp_run_duration(const struct tfp_run_record *record)
{
	return record->op_end ? record->op_end : 1;
}

#endif
