/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model: the aggregated profile, one for all formats. Loaders fill it, views read it. Columns
 * (structure of arrays) indexed by node, cell, stack or frame; strings are ids. One thread at a
 * time uses a profile; its string table alone may be read by others.
 *
 * Vocabulary
 *   node   one named thing that has metrics: a graph node; one distinct stack (with labels) of
 *          a pprof file
 *   cell   what one node measured in one step; a node without a cell never ran
 *   step   one run metadata, one training step
 *   stack  a call path: a frame and the stack of its caller
 */
#ifndef TFPROF_MODEL_H
#define TFPROF_MODEL_H

#include "tfprof/alloc.h"
#include "tfprof/base.h"
#include "tfprof/hash.h"
#include "tfprof/tensor.h"

/* ---- metrics --------------------------------------------------------------------------------- */

/* How a metric adds up from self to total. */
enum tfp_metric_kind {
	TFP_SUM,
	TFP_MAX,
	TFP_GIVEN,
	TFP_UNION, /* time in which at least one event of a row's nodes runs: see tfprof/trace.h */
	TFP_OWN,   /* a row has what its own nodes have: nothing goes up */
	TFP_SPREAD, /* of the single events of a row and those below it: found where it is asked for */
	TFP_LENGTH, /* of a step, by its marker: rows that are no steps have none */
};

/* Where the self value of a node comes from. */
enum tfp_metric_origin {
	TFP_FROM_CELLS,     /* cell column `column`; mean over the node's steps if none is chosen */
	TFP_FROM_CELL_PAIR, /* cell column `column` + `second`, added before the mean is taken */
	TFP_FROM_SHAPE,     /* number of elements of the node's own (parameter) shape */
	TFP_FROM_RUNS,      /* node's static value times its run count, once it has any cell;
			       of a recording cut to a range cell column `column` */
	TFP_FROM_EVENTS,    /* a node by itself has none; or from markers */
};

#define TFP_MAX_METRICS      32
#define TFP_MAX_CELL_COLUMNS 64

struct tfp_metric {
	const char *key;   /* word in --select, --order_by, --min_KEY: "micros" */
	const char *label; /* header of reports: "requested bytes" */
	const char *title; /* header on the screen, upper case, short: "TIME" */
	enum tfp_unit unit;
	enum tfp_metric_kind kind;
	enum tfp_metric_origin origin;
	uint8_t column, second;
	bool absent;   /* the files carry no value of it: unknown, not zero */
	bool negative; /* some sum may be below zero, so that a minimum of 0 can hide rows */
	/* TFP_WORDS: the text of each value, from the last in their order to the first; 0 has none */
	const tfp_str *words;
	uint32_t word_count;
	bool remarks; /* they are remarks, whose beginning says most */
};

/* TensorFlow's metrics are the metrics with these indices in every TensorFlow profile. */
enum tfp_tf_metric {
	TFP_TF_BYTES,
	TFP_TF_PEAK_BYTES,
	TFP_TF_RESIDUAL_BYTES,
	TFP_TF_OUTPUT_BYTES,
	TFP_TF_MICROS,
	TFP_TF_ACCELERATOR_MICROS,
	TFP_TF_CPU_MICROS,
	TFP_TF_PARAMS,
	TFP_TF_FLOAT_OPS,
	TFP_TF_RUNS, /* key "occurrence": times the node ran */
	TFP_TF_METRICS
};

/* Cell columns of a TensorFlow profile. */
enum tfp_tf_cell {
	TFP_CELL_BYTES,
	TFP_CELL_PEAK_BYTES,
	TFP_CELL_RESIDUAL_BYTES,
	TFP_CELL_OUTPUT_BYTES,
	TFP_CELL_ACCELERATOR_MICROS,
	TFP_CELL_CPU_MICROS,
	TFP_CELL_RUNS,
	TFP_CELL_ALL_START,  /* earliest start, 0 none; not a metric */
	TFP_CELL_LATEST_END, /* latest end, 0 none; not a metric */
	TFP_TF_CELLS
};

/* ---- parts that are filled when first asked for ---------------------------------------------- */

enum tfp_part {
	TFP_PART_EDGES = 1,      /* inputs of nodes */
	TFP_PART_SHAPES = 2,     /* parameter shapes and output shapes */
	TFP_PART_STACKS = 4,     /* call stacks of nodes */
	TFP_PART_EXECS = 8,      /* single executions with start and duration */
	TFP_PART_ALLOCS = 16,    /* single allocations and releases of memory */
	TFP_PART_MODEL = 32,     /* functions, who calls whom, facts */
	TFP_PART_RECORDS = 64,   /* what single records say: their devices, and memory */
	TFP_PART_STREAMS = 128,  /* executions on single streams, which no report counts */
	TFP_PART_CONTENTS = 256, /* what ops of compiled programs are made of */
};

struct tfp_profile;
struct tfp_lookup;
struct tfp_trace;

/* Pieces of memory. */
struct tfp_spans {
	struct tfp_span *at;
	size_t count, room;
};

/* An attribute of a node, as texts: "strides", "[1, 2, 2, 1]". */
struct tfp_attribute {
	const char *name, *value;
};

struct tfp_attributes {
	struct tfp_arena arena; /* of the texts */
	TFP_ARRAY(struct tfp_attribute) list;
};

/*
 * A loader's promise to fill parts later. DATA may keep sources open; released with the profile.
 * FILL finds the columns of the parts allocated: shape and stack TFP_NONE, output_first and
 * input_first zero. Who fills EDGES or SHAPES writes the whole of input_first or output_first;
 * several may fill EXECS, ALLOCS and RECORDS, in any order. False: the job was cancelled; what was filled is dropped.
 */
struct tfp_provider {
	unsigned parts;
	/* Adds what the files say of NODE alone; NULL: nothing more. */
	void (*describe)(const struct tfp_profile *profile, uint32_t node, void *data,
			 struct tfp_attributes *out);
	/* The same as the files have it: see tfp_profile_raw_attributes. NULL likewise. */
	void (*describe_raw)(const struct tfp_profile *profile, uint32_t node, void *data,
			     struct tfp_spans *out);
	bool (*fill)(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		     struct tfp_diag *diag);
	/*
	 * Of a recording: adds to the cells what the loader measures besides, each time they have been tallied, also
	 * from events cut to a range of time (a duration less, or no node). NULL: nothing
	 */
	void (*measure)(struct tfp_profile *profile, void *data);
	void (*release)(void *data);
	void *data;
};

/* ---- columns --------------------------------------------------------------------------------- */

enum tfp_node_flag {
	TFP_NODE_INVENTED = 1,    /* known from run metadata only */
	TFP_NODE_TYPES_GIVEN = 2, /* its op types are exactly the extra types (saved profile) */
	TFP_NODE_COVERED = 4,     /* met in run metadata when already known */
	TFP_NODE_TRACED = 8,      /* a file gives it a call stack, maybe an empty one */
	TFP_NODE_UNSCOPED = 16,   /* its name is no path of scopes: the scope view is not for it */
	TFP_NODE_UNOWNED = 32,    /* stands for device events whose op is not known */
	TFP_NODE_HELD = 64,       /* stands for memory taken earlier: no op, though it has a row */
	TFP_NODE_AROUND =
		128, /* around ops, or in one, and none itself: marks, calls of Python, what an op calls */
	TFP_NODE_IN_OP =
		256, /* one of these that is below an op, whose time, with all below it, has that of this */
};

/* Where a node's record stands, so that it can be read again. */
struct tfp_record {
	uint64_t offset; /* in the decompressed source */
	uint32_t size;   /* TFP_NONE: no record */
	uint32_t source; /* index in profile.files */
};

struct tfp_nodes {
	uint32_t count, room;
	tfp_str *name;
	tfp_str *op;
	tfp_str *device;    /* canonical device in lower case, 0 none */
	uint32_t *cell;     /* of the latest step, TFP_NONE: never ran; then by cells.older */
	uint32_t *types;    /* head in profile.types, TFP_NONE: no extra types */
	int64_t *float_ops; /* static: of one run */
	struct tfp_record *record;
	uint16_t *flags;
	/* input shapes and types as the file writes them, 0 unknown; NULL: edges have them, if any */
	tfp_str *signature;
	/* where it stands in a compiled program, "jit_step(7)/main.12/fusion.3", 0: in none; NULL: none has one */
	tfp_str *module;
	/*
	 * TFP_PART_SHAPES: shape id of the parameter shape, TFP_NONE none; output shapes of node
	 * i are output_shape[output_first[i] .. output_first[i + 1]), each a shape id or TFP_NONE
	 */
	uint32_t *shape;
	uint32_t *output_first;
	/* TFP_PART_EDGES: inputs of node i are inputs[input_first[i] .. input_first[i + 1]) */
	uint32_t *input_first;
	/* TFP_PART_STACKS: innermost stack, TFP_NONE: no trace or one without frames */
	uint32_t *stack;
};

struct tfp_input {
	uint32_t node;  /* producer, TFP_NONE: not in the graph */
	int32_t output; /* of the producer: the last input that names the producer decides */
	tfp_str name;   /* producer's name */
};

/* Extra op types of a node: a linked list without repeats. */
struct tfp_type {
	tfp_str name;
	uint32_t next;
	uint32_t node;
};

struct tfp_cells {
	uint32_t count, room;
	uint32_t *node;
	uint32_t *step;  /* index in profile.steps; TFP_NONE: all, see tfp_trace_split */
	uint32_t *older; /* the node's cell of the next earlier step, TFP_NONE */
	int64_t *value;  /* value[cell * profile.cell_columns + column] */
};

struct tfp_frame {
	tfp_str file; /* path as recorded */
	tfp_str function;
	tfp_str text; /* source text of the line where recorded, else 0 */
	int32_t line; /* -1 unknown */
	int32_t start_line;
};

struct tfp_stack {
	uint32_t parent; /* caller, TFP_NONE: outermost; smaller than the stack's own index */
	uint32_t frame;  /* index in profile.frames */
};

struct tfp_step {
	int64_t number;
	tfp_str label; /* the file it came from, 0 when inside a saved profile */
	int64_t recorded; /* what its file says for the number, which is another one where an earlier step has that */
};

struct tfp_exec {
	uint32_t node, step;
	tfp_str device;          /* lower case, as recorded */
	uint32_t accelerator;    /* 1: time on an accelerator stream; 0: on the canonical device */
	int64_t start, duration; /* the profile's time unit, TensorFlow: us */
};

/* What a node ran on one stream of an accelerator, or copied. */
struct tfp_stream_run {
	uint32_t node, step;
	tfp_str device;          /* the stream's: lower case, as recorded */
	tfp_str kernel;          /* or the kind of copy; 0: the file does not say */
	int64_t start, duration; /* as in struct tfp_exec */
};

/* The most that an allocator held in a step, by its own account. */
struct tfp_in_use {
	uint32_t step;
	tfp_str allocator;
	int64_t bytes;
	uint32_t file;
};

/* What one run of a node that is on an accelerator held there. */
struct tfp_holding {
	uint32_t node, step;
	int64_t time;       /* us: the end of the run */
	int64_t in_use;     /* bytes of the GPU's allocator, whoever took them */
	int64_t persistent; /* bytes that the node keeps */
};

/* That the files have records of a node on a device in a step, be they with a time or without. */
struct tfp_presence {
	uint32_t node, step;
	tfp_str device; /* lower case, as recorded */
};

/* What a run of a node says of memory: the parts of which the cells are sums. */
struct tfp_memory {
	uint32_t node, step;
	int64_t time; /* us: the end of the run */
	int64_t bytes, peak_bytes, residual_bytes, output_bytes;
	int64_t host_temp, host_persistent, accelerator_temp, accelerator_persistent;
	int64_t in_use; /* bytes of the GPU's allocator */
	/* its outputs are memory_outputs[output_first .. output_first + output_count) */
	uint32_t output_first, output_count;
};

struct tfp_memory_output {
	int32_t slot;
	int64_t bytes;
	uint64_t address;
};

struct tfp_file {
	const char *path;
	const char *kind; /* loader's label: "GraphDef", "RunMetadata", "pprof" */
	uint64_t disk_size;
	int64_t mtime;
};

/* ---- what a graph has besides its nodes --------------------------------------------------------- */

/* A line of what a file says of itself: "serving_default", below "signatures". In preorder. */
struct tfp_fact {
	uint32_t parent;          /* TFP_NONE: none */
	const char *name, *value; /* "" none */
};

/* A node of a function's body. */
struct tfp_body_node {
	tfp_str name, op;
};

struct tfp_function {
	tfp_str name;
	uint32_t node_first, nodes; /* in profile.body */
	uint32_t call_first, calls; /* in profile.calls */
	uint32_t inputs, outputs;   /* arguments of its signature */
	/* nodes of the body, and of all bodies that calls lead to; INT64_MAX: that or more */
	int64_t expanded;
	bool reached;   /* by calls from the graph */
	bool recursive; /* it may be open while it is called */
};

/* A node that calls a function. Those of the graph come first. */
struct tfp_call {
	uint32_t caller;   /* index of a function; TFP_NONE: the graph */
	uint32_t node;     /* in profile.body, or of the graph in profile.nodes */
	uint32_t callee;   /* TFP_NONE: missing */
	tfp_str name;      /* of the callee */
	tfp_str attribute; /* that names it; 0: the op is the function */
};

/* A part of an op of a compiled program: it runs inside of that, and is not measured by itself. */
struct tfp_content {
	tfp_str module;    /* below the op's: see nodes.module */
	tfp_str op, shape; /* "multiply", "f32[8]{0}" */
};

/* A figure known to the digits that were printed: LOW to HIGH, VALUE being what stands there. */
struct tfp_figure {
	int64_t value, low, high;
};

/* A row of a tree that is given. Row I is the node I; row 0 the root. */
struct tfp_given_row {
	uint32_t parent; /* TFP_NONE of the root; smaller than the row's own index */
	bool accounted; /* self values are known: reports print "--" in place of those that are not */
	uint64_t figures; /* bit m: the row has figures of metric m */
	int64_t defined;
};

/*
 * The rows of a printed report in their order, a parent before its children: totals need not be the
 * sums of what is there.
 */
struct tfp_given {
	TFP_ARRAY(struct tfp_given_row) rows;
	/* of row r and metric m: self at 2 * (r * metric_count + m), total behind it */
	TFP_ARRAY(struct tfp_figure) figures;
};

struct tfp_profile {
	struct tfp_strings *strings; /* owned */
	struct tfp_arena arena;      /* texts of metrics, files */
	const char *format;          /* "tensorflow", "pprof": which reports are compatible */
	const char *
		listing; /* what a folder holds, a node each, instead of a profile: one line; else NULL */
	bool tensorflow; /* metrics are enum tfp_tf_metric, reports as TensorFlow's */

	struct tfp_metric metrics[TFP_MAX_METRICS];
	uint32_t metric_count;
	uint32_t default_metric; /* what the screen opens with */
	uint32_t cell_columns;
	uint32_t runs_column; /* cell column that counts runs, TFP_NONE */

	struct tfp_nodes nodes;
	struct tfp_cells cells;
	TFP_ARRAY(struct tfp_type) types;
	TFP_ARRAY(struct tfp_step) steps; /* ascending numbers */
	TFP_ARRAY(struct tfp_file) files;

	TFP_ARRAY(struct tfp_input) inputs;
	TFP_ARRAY(uint32_t) output_shape;
	TFP_ARRAY(struct tfp_frame) frames;
	TFP_ARRAY(struct tfp_stack) stacks;
	TFP_ARRAY(struct tfp_exec) execs; /* by node, then step, then start */
	/* TFP_PART_STREAMS, in any order: also part of what execs have for all streams together */
	TFP_ARRAY(struct tfp_stream_run) streams;
	/* TFP_PART_ALLOCS, in any order */
	struct tfp_allocs allocs;
	TFP_ARRAY(struct tfp_in_use) in_use;
	TFP_ARRAY(struct tfp_holding) holdings;
	/* TFP_PART_RECORDS: those of one node and step in the order of the files */
	TFP_ARRAY(struct tfp_presence) presences;
	TFP_ARRAY(struct tfp_memory) memories;
	TFP_ARRAY(struct tfp_memory_output) memory_outputs;

	/*
	 * shapes: shape s has the dims dims[shape_first[s] .. shape_first[s + 1]); equal shapes
	 * are one id
	 */
	TFP_ARRAY(int64_t) dims;
	TFP_ARRAY(uint32_t) shape_first;

	struct tfp_given given; /* a tree instead of cells; no rows: none */

	struct tfp_trace *trace; /* single events, see tfprof/trace.h; NULL: none */
	double share;            /* of what is still being read, so much is in it; 0: it is all */
	bool sums_steps; /* steps are parts of a recording: their sum takes the place of their mean */
	tfp_str steps_by; /* of a recording that marks none: what, each time that it ran, is taken for a step; 0 */
	bool steps_between; /* a step is not such a run alone but all from one to the next */

	/* TFP_PART_MODEL */
	TFP_ARRAY(struct tfp_fact) facts;
	TFP_ARRAY(struct tfp_function) functions;
	TFP_ARRAY(struct tfp_body_node) body;
	TFP_ARRAY(struct tfp_call) calls;
	uint32_t graph_calls; /* so many calls are the graph's */

	TFP_ARRAY(struct tfp_content) contents; /* TFP_PART_CONTENTS, in any order */

	TFP_ARRAY(struct tfp_tensor) tensors; /* the variables of a checkpoint */
	struct tfp_value_store value_store;   /* where there are tensors: their values */

	bool has_graph;      /* a graph was loaded: scope and graph views */
	bool has_scopes;     /* names are paths of scopes, though there may be no graph */
	bool untyped;        /* no file says op types: the op view has nothing to group by */
	bool has_stacks;     /* some file holds call stacks */
	bool has_model;      /* some file holds functions, or facts of a saved model */
	bool has_streams;    /* some file tells the streams of an accelerator apart */
	bool has_allocs;     /* some file holds allocations with their times */
	bool held_unknown;   /* TFP_PART_ALLOCS of a recording: nobody knows what was held before */
	bool missing_stream; /* accelerator seen, but no stream:all device: the report warns */
	const char *
		tags; /* wanted of a file with several graphs, by commas; NULL: serve, or the first */
	bool outputs_given; /* output indices are the file's: not for TFP_QUIRK_OUTPUT_ZERO */

	/* private to model */
	TFP_ARRAY(uint32_t) node_of_name; /* by string id, TFP_NONE: no node of that name */
	struct tfp_hash_key hash_key;
	struct tfp_lookup *type_table, *shape_table, *frame_table, *stack_table, *tensor_table;
	TFP_ARRAY(struct tfp_provider) providers;
	unsigned filled; /* parts that are there */
};

/* ---- building (for loaders) ------------------------------------------------------------------ */

/* An empty profile, to be freed with all that was added to it. */
struct tfp_profile *tfp_profile_new(void);
void tfp_profile_free(struct tfp_profile *profile);

/* Adds a metric; texts are copied. Returns its index, TFP_NONE when TFP_MAX_METRICS are there. */
uint32_t tfp_profile_add_metric(struct tfp_profile *profile, const struct tfp_metric *metric);
/* The metric with KEY; TFP_NONE. */
uint32_t tfp_profile_find_metric(const struct tfp_profile *profile, const char *key);
/* The metrics that all profiles of TensorFlow's, and all recordings, may have: number INDEX of them; NULL behind the last. */
const struct tfp_metric *tfp_metric_known(size_t index);
/* Sets up format, metrics and cell columns of a TensorFlow profile. */
void tfp_profile_make_tensorflow(struct tfp_profile *profile);

/* A new node named NAME, without looking whether one exists. */
uint32_t tfp_profile_add_node(struct tfp_profile *profile, tfp_str name, tfp_str op);
/*
 * The node of that name, TFP_NONE. Only nodes added by tfp_profile_add_node, the first of each
 * name.
 */
uint32_t tfp_profile_find_node(const struct tfp_profile *profile, tfp_str name);
void tfp_profile_add_type(struct tfp_profile *profile, uint32_t node, tfp_str type); /* a set */
/* What NODE's inputs are, where no edges say it: "[32,3,64,64] float". */
void tfp_profile_set_signature(struct tfp_profile *profile, uint32_t node, tfp_str signature);
/* Where NODE stands in a compiled program: see nodes.module. */
void tfp_profile_set_module(struct tfp_profile *profile, uint32_t node, tfp_str module);
/* The cell of node and step, made (zeros) when absent. */
uint32_t tfp_profile_cell(struct tfp_profile *profile, uint32_t node, uint32_t step);
/* Cells that are kept while the profile has others. */
struct tfp_kept_cells {
	struct tfp_cells cells;
	uint32_t *cell; /* by node, as in struct tfp_nodes */
};
/* Moves the cells of PROFILE to KEPT: it has none then. */
void tfp_profile_keep_cells(struct tfp_profile *profile, struct tfp_kept_cells *kept);
/* PROFILE has those of KEPT again in place of its own, which are freed; nothing is KEPT any more. */
void tfp_profile_restore_cells(struct tfp_profile *profile, struct tfp_kept_cells *kept);
void tfp_kept_cells_free(struct tfp_kept_cells *kept);
/* Index of the step with NUMBER, made when absent: those with greater numbers get indices that are one more. */
uint32_t tfp_profile_step(struct tfp_profile *profile, int64_t number, tfp_str label);
uint32_t tfp_profile_find_step(const struct tfp_profile *profile, int64_t number); /* TFP_NONE */
/* Returns the index in profile.files. Texts are copied; MTIME in seconds. */
uint32_t tfp_profile_add_file(struct tfp_profile *profile, const char *path, const char *kind,
			      uint64_t disk_size, int64_t mtime);
/* The index of a shape, a frame, a stack: equal ones have one. PARENT is TFP_NONE of an outermost frame. */
uint32_t tfp_profile_shape(struct tfp_profile *profile, const int64_t *dims, size_t count);
uint32_t tfp_profile_frame(struct tfp_profile *profile, const struct tfp_frame *frame);
uint32_t tfp_profile_stack(struct tfp_profile *profile, uint32_t parent, uint32_t frame);
/*
 * The same for COUNT pairs of parent and frame, up to a hundred or so: parents are replaced by
 * their new stacks. Many at once wait for memory together.
 */
void tfp_profile_stacks(struct tfp_profile *profile, size_t count, uint32_t *stack,
			const uint32_t *frame);
/* For TFP_PART_ALLOCS. What is of no node is dropped; of several IN_USE the largest counts. */
void tfp_profile_add_alloc(struct tfp_profile *profile, const struct tfp_alloc *alloc);
/* The same of COUNT packed ones at once, in their order; AT, to be freed by tfp_array_release, is taken over. */
void tfp_profile_take_allocs(struct tfp_profile *profile, struct tfp_kept_alloc *at, size_t count);
void tfp_profile_add_in_use(struct tfp_profile *profile, const struct tfp_in_use *in_use);
/* For TFP_PART_ALLOCS; dropped where the node is on no device, or on one whose name has "cpu" in it. */
void tfp_profile_add_holding(struct tfp_profile *profile, const struct tfp_holding *holding);
/* For TFP_PART_RECORDS; one that repeats the last is dropped. */
void tfp_profile_add_presence(struct tfp_profile *profile, const struct tfp_presence *presence);
/* PROVIDER is copied, and its data released with the profile. */
void tfp_profile_add_provider(struct tfp_profile *profile, const struct tfp_provider *provider);
/*
 * To be called when all files are read: absent and negative marks of metrics. An absent mark that
 * is set stays.
 */
void tfp_profile_finish(struct tfp_profile *profile);

/* ---- reading (for views) --------------------------------------------------------------------- */

/*
 * Makes sure that PARTS are filled. False when the job was cancelled; a part that no file carries
 * is filled with "none". The columns of an unfilled part must not be read.
 */
bool tfp_profile_need(struct tfp_profile *profile, unsigned parts, struct tfp_job *job,
		      struct tfp_diag *diag);

/* Is ALLOC of a GPU's memory? One of a saved profile, which keeps no others, is, too. */
bool tfp_profile_alloc_is_gpu(const struct tfp_profile *profile, const struct tfp_alloc *alloc);

/* The attributes of NODE, by name; none where no file has any. OUT, all zero, is freed by the caller. */
void tfp_profile_attributes(const struct tfp_profile *profile, uint32_t node,
			    struct tfp_attributes *out);
void tfp_attributes_free(struct tfp_attributes *attributes);
/*
 * Adds to OUT the attributes of NODE in the wire format of protobuf, as they lie in the files: each
 * an entry of a map, with the name (1) and the AttrValue (2). They are there as long as the profile.
 */
void tfp_profile_raw_attributes(const struct tfp_profile *profile, uint32_t node,
				struct tfp_spans *out);
/* Does any file hold attributes? */
bool tfp_profile_has_attributes(const struct tfp_profile *profile);

/* Which of TensorFlow's accidents with values to repeat. */
enum tfp_quirk {
	TFP_QUIRK_UNSIGNED_MEAN = 1, /* negative sums divide by an unsigned number of steps */
	TFP_QUIRK_OUTPUT_ZERO = 2,   /* the output index of an input is always 0 */
	TFP_QUIRKS_TF = TFP_QUIRK_UNSIGNED_MEAN | TFP_QUIRK_OUTPUT_ZERO,
};

#define TFP_STEP_MEAN UINT32_MAX

/*
 * Self values of NODE for step index STEP (or TFP_STEP_MEAN: each metric's mean over the steps in
 * which the node has a cell, truncated toward zero; its sum where the profile sums steps) into VALUES[metric_count]. A step in which the
 * node has no cell gives zeros; metrics of origin TFP_FROM_RUNS and TFP_FROM_SHAPE as their origin
 * says. TFP_FROM_SHAPE needs TFP_PART_SHAPES (else 0), a step of a recording tfp_trace_split.
 */
void tfp_profile_values(const struct tfp_profile *profile, uint32_t node, uint32_t step,
			unsigned quirks, int64_t *values);
/* The same of the step that CELL of NODE is of. TFP_NONE: one in which it has none. */
void tfp_profile_cell_values(const struct tfp_profile *profile, uint32_t node, uint32_t cell,
			     unsigned quirks, int64_t *values);

/*
 * The op types of NODE (op, device, extra types) in name order without repeats. Returns how many
 * there are, writes at most ROOM.
 */
size_t tfp_profile_types(const struct tfp_profile *profile, uint32_t node, tfp_str *types,
			 size_t room);
/* Shape of input I of NODE by the producer's output shapes: shape id, or TFP_NONE unknown. Needs
 * TFP_PART_EDGES and TFP_PART_SHAPES. */
uint32_t tfp_profile_input_shape(const struct tfp_profile *profile, uint32_t node, uint32_t input,
				 unsigned quirks);
/* "3x3x16x32" into BUFFER; "" for a shape without dims. Returns the length as snprintf does. */
size_t tfp_profile_shape_text(const struct tfp_profile *profile, uint32_t shape, char *buffer,
			      size_t room);
/* Elements of a shape as parameters count: 0 when empty or a dim is negative; wraps. */
int64_t tfp_profile_shape_elements(const struct tfp_profile *profile, uint32_t shape);
size_t tfp_profile_bytes(const struct tfp_profile *profile); /* private memory, about */

#endif
