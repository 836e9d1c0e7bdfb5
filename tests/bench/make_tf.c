/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_tf NODES DIRECTORY: writes graph.pb, run_meta_0.pb and op_log.pb of a made training job with about
 * that many nodes, the same bytes every time. It is several networks of stacked layers, each with its
 * variables, gradients and updates, and in the end the nodes that initialise and save all variables.
 */
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { LAYERS = 40, HELPERS = 8, NAME_ROOM = 400 };

/* Outputs of a part: the layer's data, its two variables, or one number. */
enum part_shape { DATA, WEIGHTS, BIASES, SCALAR, SHAPES };

/*
 * A node that every layer has. In NAME and INPUTS (separated by blanks) '@' is the layer's scope, '<' what
 * the layer below made, '~' the gradient that came from above.
 */
struct part {
	const char *name, *op, *inputs;
	enum node_kind kind;
	enum part_shape shape;
	unsigned outputs;
	bool heavy; /* has float operations */
};

static const struct part variable_parts[] = {
	{"@/Initializer/random_uniform/shape", "Const", "", NODE_INITIAL, SHAPES, 1, false},
	{"@/Initializer/random_uniform/min", "Const", "", NODE_INITIAL, SCALAR, 1, false},
	{"@/Initializer/random_uniform/RandomUniform", "RandomUniform",
	 "@/Initializer/random_uniform/shape", NODE_INITIAL, WEIGHTS, 1, false},
	{"@/Initializer/random_uniform", "Add",
	 "@/Initializer/random_uniform/RandomUniform @/Initializer/random_uniform/min",
	 NODE_INITIAL, WEIGHTS, 1, false},
	{"@", "VariableV2", "", NODE_VARIABLE, WEIGHTS, 1, false},
	{"@/Assign", "Assign", "@ @/Initializer/random_uniform", NODE_INITIAL, WEIGHTS, 1, false},
	{"@/read", "Identity", "@", NODE_VARIABLE, WEIGHTS, 1, false},
};

static const struct part slot_parts[] = {
	{"@/Momentum/Initializer/zeros", "Const", "", NODE_INITIAL, WEIGHTS, 1, false},
	{"@/Momentum", "VariableV2", "", NODE_UPDATE, WEIGHTS, 1, false},
	{"@/Momentum/Assign", "Assign", "@/Momentum @/Momentum/Initializer/zeros", NODE_INITIAL,
	 WEIGHTS, 1, false},
	{"@/Momentum/read", "Identity", "@/Momentum", NODE_UPDATE, WEIGHTS, 1, false},
};

static const struct part forward_parts[] = {
	{"@/Conv2D", "Conv2D", "< @/weights/read", NODE_FORWARD, DATA, 1, true},
	{"@/BiasAdd", "BiasAdd", "@/Conv2D @/biases/read", NODE_FORWARD, DATA, 1, true},
	{"@/BatchNorm/Const", "Const", "", NODE_FORWARD, SCALAR, 1, false},
	{"@/BatchNorm/FusedBatchNorm", "FusedBatchNorm",
	 "@/BiasAdd @/biases/read @/biases/read @/BatchNorm/Const", NODE_FORWARD, DATA, 3, false},
	{"@/Relu", "Relu", "@/BatchNorm/FusedBatchNorm", NODE_FORWARD, DATA, 1, false},
};

static const struct part gradient_parts[] = {
	{"gradients/@/Relu_grad/ReluGrad", "ReluGrad", "~ @/Relu", NODE_GRADIENT, DATA, 1, false},
	{"gradients/@/BatchNorm/FusedBatchNorm_grad/FusedBatchNormGrad", "FusedBatchNormGrad",
	 "gradients/@/Relu_grad/ReluGrad @/BiasAdd @/BatchNorm/FusedBatchNorm:1 "
	 "@/BatchNorm/FusedBatchNorm:2",
	 NODE_GRADIENT, DATA, 3, false},
	{"gradients/@/BiasAdd_grad/BiasAddGrad", "BiasAddGrad",
	 "gradients/@/BatchNorm/FusedBatchNorm_grad/FusedBatchNormGrad", NODE_GRADIENT, BIASES, 1,
	 true},
	{"gradients/@/BiasAdd_grad/tuple/group_deps", "NoOp",
	 "^gradients/@/BatchNorm/FusedBatchNorm_grad/FusedBatchNormGrad "
	 "^gradients/@/BiasAdd_grad/BiasAddGrad",
	 NODE_GRADIENT, SCALAR, 0, false},
	{"gradients/@/BiasAdd_grad/tuple/control_dependency", "Identity",
	 "gradients/@/BatchNorm/FusedBatchNorm_grad/FusedBatchNormGrad "
	 "^gradients/@/BiasAdd_grad/tuple/group_deps",
	 NODE_GRADIENT, DATA, 1, false},
	{"gradients/@/Conv2D_grad/ShapeN", "ShapeN", "< @/weights/read", NODE_GRADIENT, SHAPES, 2,
	 false},
	{"gradients/@/Conv2D_grad/Conv2DBackpropInput", "Conv2DBackpropInput",
	 "gradients/@/Conv2D_grad/ShapeN @/weights/read "
	 "gradients/@/BiasAdd_grad/tuple/control_dependency",
	 NODE_GRADIENT, DATA, 1, true},
	{"gradients/@/Conv2D_grad/Conv2DBackpropFilter", "Conv2DBackpropFilter",
	 "< gradients/@/Conv2D_grad/ShapeN:1 gradients/@/BiasAdd_grad/tuple/control_dependency",
	 NODE_GRADIENT, WEIGHTS, 1, true},
	{"train/update_@/weights/ApplyMomentum", "ApplyMomentum",
	 "@/weights @/weights/Momentum train/rate gradients/@/Conv2D_grad/Conv2DBackpropFilter",
	 NODE_UPDATE, WEIGHTS, 1, false},
	{"train/update_@/biases/ApplyMomentum", "ApplyMomentum",
	 "@/biases @/biases/Momentum train/rate gradients/@/BiasAdd_grad/BiasAddGrad", NODE_UPDATE,
	 BIASES, 1, false},
};

/* Ops of the small nodes around a layer; early ones are frequent. */
static const char *const helper_ops[] = {
	"Const",     "Identity",   "Reshape",   "Mul",        "Cast",       "Shape",
	"Add",       "Sub",        "Pack",      "Sum",        "ConcatV2",   "StridedSlice",
	"Transpose", "ExpandDims", "Squeeze",   "Tile",       "Fill",       "GatherV2",
	"Mean",      "Maximum",    "RealDiv",   "Neg",        "Prod",       "Range",
	"Greater",   "Select",     "Split",     "Slice",      "Pad",        "Square",
	"Sqrt",      "Rsqrt",      "Exp",       "Log",        "Tanh",       "Sigmoid",
	"Softmax",   "ArgMax",     "OneHot",    "Equal",      "LogicalAnd", "Floor",
	"Minimum",   "Pow",        "ZerosLike", "OnesLike",   "Where",      "Unpack",
	"FloorDiv",  "FloorMod",   "All",       "Any",        "Max",        "Min",
	"Cumsum",    "ReverseV2",  "ScatterNd", "GatherNd",   "TopKV2",     "BatchMatMul",
	"L2Loss",    "Round",      "Sign",      "Abs",        "Ceil",       "StopGradient",
	"Switch",    "Merge",      "Enter",     "Exit",       "LoopCond",   "NextIteration",
	"Softplus",  "Softsign",   "Erf",       "SegmentSum", "Bincount",   "ScalarSummary",
};

/* A kind of network: what its layers are called and how large they are. */
static const struct style {
	const char *stage, *unit, *layer; /* scopes, the first two with a number */
	struct node_shape data, weights, biases;
	int64_t flops;
} styles[] = {
	{"resnet/stage",
	 "unit",
	 "convolution",
	 {4, {32, 28, 28, 64}},
	 {4, {3, 3, 64, 64}},
	 {1, {64}},
	 1849688064},
	{"encoder/stack",
	 "layer",
	 "attention/dense",
	 {3, {16, 128, 512}},
	 {2, {512, 512}},
	 {1, {512}},
	 1073741824},
	{"rnn/while/cell",
	 "step",
	 "gates",
	 {2, {64, 1024}},
	 {2, {1024, 256}},
	 {1, {256}},
	 33554432},
};

static const struct node_shape scalar = {0, {0}}, shapes = {1, {4}};

/* What the variables are called, for the nodes that touch all of them; each ends with a NUL. */
struct names {
	char *at;
	size_t size, room;
};

/* The layer that is being made. */
struct layer {
	const struct style *style;
	struct node_facts facts;
	char scope[NAME_ROOM], below[NAME_ROOM], gradient[NAME_ROOM];
};

static void add_name(struct names *names, const char *name)
{
	size_t size = strlen(name) + 1;

	if (names->size + size > names->room) {
		names->room = (names->size + size) * 2;
		names->at = realloc(names->at, names->room);
		if (!names->at)
			abort();
	}
	memcpy(names->at + names->size, name, size);
	names->size += size;
}

/* The first SIZE bytes of PATTERN with the signs of struct part replaced. SCOPE stands for '@'. */
static void expand(char *out, const char *pattern, size_t size, const struct layer *layer,
		   const char *scope)
{
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		const char *text = pattern[i] == '@'   ? scope
				   : pattern[i] == '<' ? layer->below
				   : pattern[i] == '~' ? layer->gradient
						       : NULL;
		int more = text ? snprintf(out + used, 512 - used, "%s", text)
				: snprintf(out + used, 512 - used, "%c", pattern[i]);

		used += (size_t)more;
		if (used >= 512)
			abort();
	}
	out[used] = '\0';
}

static const struct node_shape *shape_of(const struct layer *layer, enum part_shape shape,
					 bool biases)
{
	switch (shape) {
	case DATA:
		return &layer->style->data;
	case WEIGHTS:
		return biases ? &layer->style->biases : &layer->style->weights;
	case BIASES:
		return &layer->style->biases;
	case SHAPES:
		return &shapes;
	default:
		return &scalar;
	}
}

/* One part below SCOPE, which is the layer's or that of one of its variables. */
static void make_part(struct records *records, const struct part *part, const struct layer *layer,
		      const char *scope, bool biases)
{
	struct node_facts facts = layer->facts;
	char name[512];

	expand(name, part->name, strlen(part->name), layer, scope);
	records_begin(records, name, part->op);
	for (const char *input = part->inputs; *input;) {
		size_t size = strcspn(input, " ");

		expand(name, input, size, layer, scope);
		records_input(records, name);
		input += size + (input[size] == ' ');
	}
	facts.kind = part->kind;
	facts.shape = shape_of(layer, part->shape, biases);
	facts.outputs = part->outputs;
	facts.flops = part->heavy ? layer->style->flops : 0;
	facts.at = part->kind == NODE_FORWARD || part->kind == NODE_GRADIENT ? NULL : scope;
	facts.trainable = part->kind == NODE_VARIABLE && part->op[0] == 'V';
	records_end(records, &facts);
}

static void make_parts(struct records *records, const struct part *parts, size_t count,
		       const struct layer *layer, const char *variable)
{
	char scope[512];

	snprintf(scope, sizeof(scope), "%s%s", layer->scope, variable);
	for (size_t i = 0; i < count; i++)
		make_part(records, &parts[i], layer, scope, !strcmp(variable, "/biases"));
}

/* Small nodes beside a layer, a chain: what models compute by the way. */
static void make_helpers(struct records *records, const struct layer *layer)
{
	char name[512], input[512];
	unsigned count = records_random(records, HELPERS + 1);

	snprintf(input, sizeof(input), "%s/Relu", layer->scope);
	for (unsigned i = 0; i < count; i++) {
		unsigned pick = records_random(records, COUNT(helper_ops));
		unsigned rank = records_random(records, pick + 1);
		const char *op = helper_ops[records_random(records, rank + 1)];
		struct node_facts facts = layer->facts;

		snprintf(name, sizeof(name), "%s/helper_%u/%s", layer->scope, i, op);
		records_begin(records, name, op);
		if (strcmp(op, "Const"))
			records_input(records, input);
		if (rank % 2) {
			snprintf(input, sizeof(input), "^%s/Conv2D", layer->scope);
			records_input(records, input);
		}
		facts.kind = NODE_FORWARD;
		facts.shape = rank % 3 ? &layer->style->data : &layer->style->biases;
		facts.outputs = 1;
		facts.flops = rank % 7 ? 0 : 4096;
		records_end(records, &facts);
		snprintf(input, sizeof(input), "%s", name);
	}
}

static void make_forward(struct records *records, const struct layer *layer,
			 struct names *variables)
{
	static const char *const ends[] = {"/weights", "/biases"};
	char name[512];

	for (size_t i = 0; i < COUNT(ends); i++) {
		make_parts(records, variable_parts, COUNT(variable_parts), layer, ends[i]);
		snprintf(name, sizeof(name), "%s%s", layer->scope, ends[i]);
		add_name(variables, name);
	}
	make_parts(records, forward_parts, COUNT(forward_parts), layer, "");
	make_helpers(records, layer);
}

static void make_backward(struct records *records, const struct layer *layer)
{
	make_parts(records, slot_parts, COUNT(slot_parts), layer, "/weights");
	make_parts(records, slot_parts, COUNT(slot_parts), layer, "/biases");
	make_parts(records, gradient_parts, COUNT(gradient_parts), layer, "");
}

static void make_node(struct records *records, const char *name, const char *op, const char *input,
		      const struct node_facts *facts)
{
	records_begin(records, name, op);
	if (input)
		records_input(records, input);
	records_end(records, facts);
}

/* Layer INDEX of a network, on top of the layer before it. */
static struct layer next_layer(unsigned network, unsigned index, const char *below)
{
	struct layer layer = {.style = &styles[network % COUNT(styles)]};

	layer.facts.device = network % 5 == 4 ? 0 : 1 + network % 2;
	layer.facts.network = network;
	layer.facts.block = index / 8;
	layer.facts.unit = index % 8 + network % 11;
	snprintf(layer.scope, sizeof(layer.scope), "net_%u/%s_%u/%s_%u/%s", network,
		 layer.style->stage, layer.facts.block, layer.style->unit, index % 8,
		 layer.style->layer);
	snprintf(layer.below, sizeof(layer.below), "%s", below);
	return layer;
}

/* At most LAYERS layers, so that no path through the graph is longer than a few hundred nodes. */
static void make_network(struct records *records, unsigned network, long target,
			 struct names *variables)
{
	struct layer layers[LAYERS];
	struct node_facts facts;
	char below[NAME_ROOM + 8], name[NAME_ROOM];
	unsigned count = 0;

	snprintf(below, sizeof(below), "net_%u/images", network);
	facts = next_layer(network, 0, below).facts;
	facts.shape = &scalar;
	facts.outputs = 1;
	make_node(records, below, "Placeholder", NULL, &facts);
	while (count < LAYERS && (!count || records_nodes(records) + 20 * (long)count < target)) {
		layers[count] = next_layer(network, count, below);
		make_forward(records, &layers[count], variables);
		snprintf(below, sizeof(below), "%s/Relu", layers[count++].scope);
	}
	snprintf(name, sizeof(name), "net_%u/loss", network);
	make_node(records, name, "Mean", below, &facts);
	snprintf(name, sizeof(name), "gradients/net_%u/loss_grad/Fill", network);
	facts.kind = NODE_GRADIENT;
	make_node(records, name, "Fill", below, &facts);
	while (count--) {
		snprintf(layers[count].gradient, sizeof(name), "%s", name);
		make_backward(records, &layers[count]);
		snprintf(name, sizeof(name), "gradients/%.300s/Conv2D_grad/Conv2DBackpropInput",
			 layers[count].scope);
	}
}

/* One node that has something of each variable as an input. */
static void make_wide(struct records *records, const char *name, const char *op, const char *before,
		      const char *after, const struct names *variables)
{
	struct node_facts facts = {.kind = NODE_SAVING, .shape = &scalar};
	char input[600];

	records_begin(records, name, op);
	for (size_t i = 0; i < variables->size; i += strlen(variables->at + i) + 1) {
		snprintf(input, sizeof(input), "%s%s%s", before, variables->at + i, after);
		records_input(records, input);
	}
	records_end(records, &facts);
}

/* The nodes that initialise, update, save and restore all variables. */
static void make_common(struct records *records, const struct names *variables)
{
	struct node_facts facts = {.kind = NODE_SAVING, .shape = &shapes, .outputs = 1};
	char name[64], restored[64];
	unsigned number = 0;

	make_wide(records, "init", "NoOp", "^", "/Assign", variables);
	make_wide(records, "train/all", "NoOp", "^train/update_", "/ApplyMomentum", variables);
	make_wide(records, "save/SaveV2", "SaveV2", "", "", variables);
	make_node(records, "save/RestoreV2", "RestoreV2", NULL, &facts);
	for (size_t i = 0; i < variables->size; i += strlen(variables->at + i) + 1) {
		facts.at = variables->at + i;
		if (number)
			snprintf(name, sizeof(name), "save/Assign_%u", number);
		else
			snprintf(name, sizeof(name), "save/Assign");
		snprintf(restored, sizeof(restored), "save/RestoreV2:%u", number++);
		records_begin(records, name, "Assign");
		records_input(records, facts.at);
		records_input(records, restored);
		records_end(records, &facts);
	}
}

int main(int argc, char **argv)
{
	struct node_facts facts = {.kind = NODE_UPDATE, .shape = &scalar, .outputs = 1};
	long nodes = argc == 3 ? atol(argv[1]) : 0;
	struct records *records = nodes < 1000 ? NULL : records_open(argv[2]);
	struct names variables = {0};
	long target = nodes - nodes / 25; /* the rest saves the variables */

	if (nodes < 1000) {
		fprintf(stderr, "usage: make_tf NODES DIRECTORY (1000 nodes or more)\n");
		return 2;
	}
	if (!records) {
		perror(argv[2]);
		return 1;
	}
	make_node(records, "train/rate", "Const", NULL, &facts);
	for (unsigned network = 0; records_nodes(records) < target; network++)
		make_network(records, network, target, &variables);
	make_common(records, &variables);
	nodes = records_nodes(records);
	free(variables.at);
	if (!records_close(records, argv[2])) {
		perror(argv[2]);
		return 1;
	}
	printf("%ld nodes\n", nodes);
	return 0;
}
