/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An HLO module: what its instructions are called, where they come from, and in which order they
 * run. Read when a device event of the module is met; all else of an instruction is read from its
 * bytes when it is asked for. Texts are spans of the source.
 */
#ifndef TFPROF_LOAD_XPLANE_HLO_H
#define TFPROF_LOAD_XPLANE_HLO_H

#include "load/idmap.h"
#include "load/written.h"
#include "tfprof/codec.h"
#include "tfprof/lookup.h"
#include "tfprof/model.h"

/* Field numbers of the messages in XLA's hlo.proto and xla_data.proto. */
enum {
	HLO_MODULE = 1,

	MODULE_NAME = 1,
	MODULE_COMPUTATION = 3,
	MODULE_ENTRY = 6,
	MODULE_SCHEDULE = 7,
	MODULE_FRAMES = 17,

	COMPUTATION_NAME = 1,
	COMPUTATION_INSTRUCTION = 2,
	COMPUTATION_ID = 5,
	COMPUTATION_ROOT = 6,

	INSTRUCTION_NAME = 1,
	INSTRUCTION_OPCODE = 2,
	INSTRUCTION_SHAPE = 3,
	INSTRUCTION_METADATA = 7,
	INSTRUCTION_FUSION_KIND = 11,
	INSTRUCTION_CONVOLUTION = 16,
	INSTRUCTION_TARGET = 28,
	INSTRUCTION_DOT = 30,
	INSTRUCTION_ID = 35,
	INSTRUCTION_OPERANDS = 36,
	INSTRUCTION_CALLED = 38,
	INSTRUCTION_CONFIG = 43,

	DOT_LHS_CONTRACTED = 1,
	CONVOLUTION_KERNEL_OUTPUT = 4,

	OP_NAME = 2,
	OP_FILE = 3,
	OP_LINE = 4,
	OP_FRAME = 15,

	SHAPE_TYPE = 2,
	SHAPE_DIMENSION = 3,
	SHAPE_TUPLE = 4,
	SHAPE_LAYOUT = 5,
	SHAPE_DYNAMIC = 6,
	LAYOUT_MINOR_TO_MAJOR = 1,
	LAYOUT_TILE = 6,
	LAYOUT_ELEMENT_BITS = 7,
	LAYOUT_MEMORY_SPACE = 8,
	TILE_DIMENSION = 1,
};

struct tfp_hlo_instruction {
	struct tfp_span name, opcode, op_name, shape;
	struct tfp_span bytes; /* all of it */
	bool calls;
	uint64_t called; /* id of the first computation that it calls */
};

struct tfp_hlo_computation {
	struct tfp_span name;
	int64_t root; /* id of an instruction */
	uint32_t first, count;
	uint32_t caller; /* the first instruction that calls it; TFP_NONE */
	tfp_str place;   /* once asked for: its path in the program */
	uint32_t kernel; /* with that: the instruction inside of which it runs; TFP_NONE */
};

struct tfp_hlo_location {
	uint32_t file, function; /* from 1; 0 none */
	int32_t line;
};

struct tfp_hlo_frame {
	uint32_t location, parent; /* from 1; 0 none */
	uint32_t stack;            /* of the profile, once made; TFP_NONE */
};

struct tfp_hlo {
	struct tfp_span name;
	TFP_ARRAY(struct tfp_hlo_instruction) instructions;
	TFP_ARRAY(struct tfp_hlo_computation) computations;
	struct tfp_idmap instruction_ids, computation_ids;
	struct tfp_lookup *by_name, *by_code; /* code: the name as kernels are called */
	struct tfp_hash_key key;
	uint64_t entry;
	TFP_ARRAY(uint32_t) schedule; /* what computations launch, in order, the entry's first */
	TFP_ARRAY(size_t) sequences;  /* where that of each of them ends */
	TFP_ARRAY(struct tfp_span) files;
	TFP_ARRAY(struct tfp_span) functions;
	TFP_ARRAY(struct tfp_hlo_location) locations;
	TFP_ARRAY(struct tfp_hlo_frame) frames;
	bool damaged;
};

/* Reads the module in an HloProto, which must outlive it. Free it with tfp_hlo_free. */
void tfp_hlo_read(struct tfp_hlo *hlo, struct tfp_span proto);
void tfp_hlo_free(struct tfp_hlo *hlo);

/* The first instruction called NAME, of any computation; TFP_NONE. */
uint32_t tfp_hlo_find(const struct tfp_hlo *hlo, struct tfp_span name);
/* The only instruction with an op name whose kernel is called LABEL; TFP_NONE: none, or several. */
uint32_t tfp_hlo_find_kernel(const struct tfp_hlo *hlo, struct tfp_span label);
/* The first instruction whose kernel is called LABEL; TFP_NONE. */
uint32_t tfp_hlo_find_code(const struct tfp_hlo *hlo, struct tfp_span label);
/* Whether a kernel called LABEL is named after INSTRUCTION. */
bool tfp_hlo_named_after(const struct tfp_hlo *hlo, uint32_t instruction, struct tfp_span label);

/* The path of scopes of INSTRUCTION, of a fusion without one that of its root; maybe empty. */
struct tfp_span tfp_hlo_path(const struct tfp_hlo *hlo, uint32_t instruction);
/* The computation that INSTRUCTION is in. */
uint32_t tfp_hlo_computation_of(const struct tfp_hlo *hlo, uint32_t instruction);

/* The call stack by which Python came to it; TFP_NONE. */
uint32_t tfp_hlo_stack(struct tfp_hlo *hlo, uint32_t instruction, struct tfp_profile *profile);

/*
 * Floating-point operations of one run, an estimate: its dot products and convolutions, those in loops as often as these run.
 * 0: it has none, or not known. At most BUDGET instructions are looked at, and taken from it. UNKNOWN: it has a loop of which the
 * compiler does not say how often it runs; what is in that is left out.
 */
int64_t tfp_hlo_flops(const struct tfp_hlo *hlo, uint32_t instruction, size_t *budget,
		      bool *unknown);

/* The dimensions of its result behind those in OUT, of a tuple those of its first part. */
void tfp_hlo_dims(const struct tfp_hlo *hlo, uint32_t instruction, struct tfp_integers *out);
/* The same of a call for attention into FLOPS, 0: not known; false where INSTRUCTION is no such call. */
bool tfp_hlo_attention(const struct tfp_hlo *hlo, uint32_t instruction, int64_t *flops);

/* "bf16[4096,2,1024]{2,1,0:T(8,128)S(1)}" of the message SHAPE, as XLA writes it; tuples in parentheses. */
void tfp_hlo_put_shape(struct tfp_hlo_text *text, struct tfp_span shape);
/*
 * Its type: "loop fusion", "custom fusion of dot", what a custom call calls, else its opcode. At most BUDGET
 * instructions are looked at, and taken from it.
 */
void tfp_hlo_put_type(const struct tfp_hlo *hlo, uint32_t instruction, size_t *budget,
		      struct tfp_hlo_text *text);
/* The shapes of the operands, "-> " and that of the result if there are none. */
void tfp_hlo_put_signature(const struct tfp_hlo *hlo, uint32_t instruction,
			   struct tfp_hlo_text *text);

/* The last field NUMBER of INSTRUCTION that holds bytes; empty: none. */
struct tfp_span tfp_hlo_field(const struct tfp_hlo *hlo, uint32_t instruction, uint32_t number);
/* The numbers in the fields NUMBER of INSTRUCTION, behind those in OUT. */
void tfp_hlo_numbers(const struct tfp_hlo *hlo, uint32_t instruction, uint32_t number,
		     struct tfp_integers *out);

#endif
