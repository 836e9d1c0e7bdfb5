/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What three files say about one node of a made TensorFlow network: its record in the graph, what ran of
 * it in the one step that was traced, its entry in the op log.
 */
#ifndef TESTS_BENCH_RECORDS_H
#define TESTS_BENCH_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

struct records;

struct node_shape {
	unsigned rank;
	int64_t sizes[4];
};

/* What a node is for: decides its call stack and whether a training step runs it. */
enum node_kind {
	NODE_FORWARD,
	NODE_VARIABLE,
	NODE_INITIAL,
	NODE_GRADIENT,
	NODE_UPDATE,
	NODE_SAVING
};

struct node_facts {
	enum node_kind kind;
	const struct node_shape *shape; /* of the outputs */
	unsigned outputs;
	unsigned device; /* 0 the processor, 1 and 2 accelerators */
	int64_t flops;   /* 0 none */
	const char *at;  /* the variable it stands beside, or NULL */
	bool trainable;
	/* the layer it belongs to: source lines differ by these */
	unsigned network, block, unit;
};

/* Opens DIRECTORY/graph.pb and op_log.pb. NULL when that fails. */
struct records *records_open(const char *directory);
/* The next random number below LIMIT. */
unsigned records_random(struct records *records, unsigned limit);
/* A node: begin, any number of inputs, end. */
void records_begin(struct records *records, const char *name, const char *op);
void records_input(struct records *records, const char *name);
void records_end(struct records *records, const struct node_facts *facts);
long records_nodes(const struct records *records);
/* Writes DIRECTORY/run_meta_0.pb and what is left of the others, frees all. False when a write failed. */
bool records_close(struct records *records, const char *directory);

#endif
