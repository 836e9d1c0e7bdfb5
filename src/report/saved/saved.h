/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile as TensorFlow saves it (ProfileProto), made node by node: what the files that make it
 * share.
 */
#ifndef TFPROF_REPORT_SAVED_H
#define TFPROF_REPORT_SAVED_H

#include "proto/tfprof_log.pb-c.h"
#include "report/packer.h"
#include "tfprof/model.h"

/* A column of the profile, walked in the order of node and step, with which its elements begin, but for allocations. */
struct tfp_saved_column {
	const char *at;
	const struct tfp_allocs *allocs; /* that it is; else NULL */
	size_t size, count, next;
	uint32_t *order;
};

struct tfp_saved {
	const struct tfp_profile *profile;
	bool compat; /* output indices are 0, as where TensorFlow's releases save */
	struct tfp_saved_column execs, allocs, memories, presences;
	uint32_t *text_id; /* by string: its id in the file, TFP_NONE before it is needed */
	TFP_ARRAY(tfp_str) texts;
	uint32_t *noted; /* by node: the last node that it was noted for as a producer */
	uint64_t lost;   /* inputs that name no node */
	/* of the node in hand */
	struct tfp_arena arena;
	struct tfp_spans attributes;
	TFP_ARRAY(uint8_t) packed;
};

/* A number that is 0 where it is absent. */
#define TFP_SAVED_SET(message, member, number)                                                     \
	((message)->has_##member = (number) != 0, (message)->member = (number))

/* COUNT messages, or pointers to them, until the node in hand is written. */
#define TFP_SAVED_NEW(saved, type, count)                                                          \
	((type *)tfp_arena_alloc(&(saved)->arena, (count) * sizeof(type)))

static inline ProtobufCBinaryData tfp_saved_bytes(struct tfp_span span)
{
	return (ProtobufCBinaryData){span.size, (uint8_t *)(uintptr_t)span.at};
}

static inline ProtobufCBinaryData tfp_saved_text(const struct tfp_saved *saved, tfp_str text)
{
	return tfp_saved_bytes(tfp_strings_get(saved->profile->strings, text));
}

/* savedexec.c: brings the columns of SAVED into order; the profile has the parts. */
void tfp_saved_start_execs(struct tfp_saved *saved);
void tfp_saved_end_execs(struct tfp_saved *saved);
/* What ran in each step in which NODE ran. Nodes must come in their order. */
void tfp_saved_execs(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message);

/* savednode.c: NODE but for its attributes. */
void tfp_saved_node(struct tfp_saved *saved, uint32_t node, Tfp__ProfileNode *message);

#endif
