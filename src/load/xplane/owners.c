/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From kinds of device events to nodes. Which instruction of which module a kind belongs to, and by
 * which path, is found by the first of several rules that fits; those for one instruction, path and
 * class of work are one node.
 */
#include <string.h>

#include "load/xplane/reader.h"

const char *const tfp_xrule_names[] = {
	[XRULE_GRAPH] = "its place in the CUDA graph",
	[XRULE_NAME] = "the name with the event",
	[XRULE_HLO] = "the HLO instruction",
	[XRULE_KERNEL] = "the name of the kernel, which other instructions may share",
	[XRULE_HLO_OP] = "the name of the HLO op; its module is not in the file",
	[XRULE_TF_OP] = "the op with the event",
	[XRULE_NVTX] = "the NVTX range that it was launched in",
	[XRULE_LABEL] = "nothing: the file names no op",
};

/* ---- modules --------------------------------------------------------------------------------- */

static void list_programs(struct tfp_xfacts *facts)
{
	for (size_t i = 0; i < facts->space.modules.count; i++) {
		struct tfp_xmodule *module = &facts->space.modules.at[i];

		*tfp_array_push(&facts->programs) = (struct tfp_xprogram){.of = module};
		tfp_idmap_add(&facts->program_ids, module->program, (uint32_t)i);
	}
}

struct tfp_hlo *tfp_xslot_hlo(struct tfp_xreader *reader, struct tfp_xslot *slot)
{
	struct tfp_xprogram *program;

	slot->module = slot->in_program ? tfp_idmap_get(&reader->facts->program_ids, slot->program)
					: TFP_NONE;
	if (slot->module == TFP_NONE)
		return NULL;
	program = &reader->facts->programs.at[slot->module];
	if (!program->read) {
		tfp_hlo_read(&program->hlo, program->of->proto);
		program->known = tfp_alloc_zero(program->hlo.instructions.count + 1,
						sizeof(*program->known));
		program->budget = 4 * program->hlo.instructions.count;
		program->read = true;
		if (program->hlo.damaged)
			tfp_xproblem(reader, TFP_WARNING, "a damaged HLO module");
	}
	return &program->hlo;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* "scope/op:Type" of TensorFlow; JAX says the same of all its kernels, which says nothing. */
static bool has_tf_op(const struct tfp_xslot *slot)
{
	static const char *const nothing[] = {"", "XlaModule:", "(null)"};

	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++)
		if (tfp_span_is(slot->tf_op, nothing[i]))
			return false;
	return true;
}

/* The name before the colon. */
static struct tfp_span head_of_tf_op(struct tfp_span op)
{
	const char *colon = memchr(op.at, ':', op.size);

	return colon && colon > op.at ? (struct tfp_span){op.at, (size_t)(colon - op.at)} : op;
}

static void take_path(struct tfp_xslot *slot, enum tfp_xrule rule, struct tfp_span path)
{
	if (slot->path.size)
		return;
	slot->rule = (uint8_t)rule;
	slot->path = path;
}

/* Behind the last "::", where annotations are nested. */
static struct tfp_span last_part(struct tfp_span op)
{
	for (size_t i = op.size; i > 1; i--)
		if (op.at[i - 1] == ':' && op.at[i - 2] == ':')
			return tfp_span_from(op, i);
	return op;
}

/* Sets the path of SLOT, and its instruction unless its place in a graph has named it already. */
static void find_path(struct tfp_xreader *reader, struct tfp_xslot *slot)
{
	const struct tfp_hlo *hlo = tfp_xslot_hlo(reader, slot);
	/* an event of a TPU is called as its instruction is */
	struct tfp_span name = slot->hlo_op.size ? last_part(slot->hlo_op) : slot->label;
	uint32_t called = hlo ? tfp_hlo_find(hlo, name) : TFP_NONE;

	slot->rule = XRULE_NAME;
	if (slot->instruction != TFP_NONE) {
		take_path(slot, XRULE_GRAPH, tfp_hlo_path(hlo, slot->instruction));
		take_path(slot, XRULE_GRAPH, hlo->instructions.at[slot->instruction].name);
		return;
	}
	if (called != TFP_NONE)
		slot->instruction = called;
	else if (hlo)
		slot->instruction = tfp_hlo_find_kernel(hlo, slot->label);
	if (slot->instruction != TFP_NONE)
		take_path(slot, called == TFP_NONE ? XRULE_KERNEL : XRULE_HLO,
			  tfp_hlo_path(hlo, slot->instruction));
	if (!slot->chip)
		take_path(slot, XRULE_HLO_OP, slot->hlo_op);
	if (has_tf_op(slot))
		take_path(slot, XRULE_TF_OP, head_of_tf_op(slot->tf_op));
	take_path(slot, XRULE_HLO_OP, slot->hlo_op);
	take_path(slot, XRULE_NVTX, slot->nvtx);
	take_path(slot, XRULE_LABEL, slot->label);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static struct tfp_span instruction_name(const struct tfp_xreader *reader,
					const struct tfp_xslot *slot)
{
	if (slot->instruction == TFP_NONE)
		return last_part(slot->hlo_op);
	return reader->facts->programs.at[slot->module].hlo.instructions.at[slot->instruction].name;
}

/* The path up to its first semicolon, and below it the instruction where it has a name of its own. */
static tfp_str name_of(struct tfp_xreader *reader, const struct tfp_xslot *slot)
{
	struct tfp_strings *strings = reader->profile->strings;
	struct tfp_span path = slot->path, op = instruction_name(reader, slot);
	const char *end = memchr(path.at, ';', path.size);
	TFP_ARRAY(char) text = {0};
	tfp_str name;

	if (end)
		path.size = (size_t)(end - path.at);
	if (slot->rule == XRULE_HLO_OP || slot->rule == XRULE_LABEL || !op.size ||
	    tfp_span_equal(path, op))
		return tfp_strings_add(strings, path.at, path.size);
	tfp_array_reserve(&text, path.size + 1 + op.size);
	memcpy(text.at, path.at, path.size);
	text.at[path.size] = '/';
	memcpy(text.at + path.size + 1, op.at, op.size);
	name = tfp_strings_add(strings, text.at, path.size + 1 + op.size);
	tfp_array_free(&text);
	return name;
}

/* "fusion" of "fusion.12": XLA calls an instruction what it is, and numbers those of one name. */
static struct tfp_span without_number(struct tfp_span name)
{
	size_t size = name.size;

	while (size && name.at[size - 1] >= '0' && name.at[size - 1] <= '9')
		size--;
	if (size > 1 && size < name.size && name.at[size - 1] == '.')
		name.size = size - 1;
	return name;
}

/* The type of what has no instruction: that of the TensorFlow op, else what ran, else what the instruction is called. */
static struct tfp_span type_of(const struct tfp_xslot *slot)
{
	static const char *const classes[] = {
		[TFP_WORK_KERNEL] = "kernel", [TFP_WORK_COPY] = "memcpy",
		[TFP_WORK_FILL] = "memset",   [TFP_WORK_COMM] = "collective",
		[TFP_WORK_OTHER] = "other",
	};
	const char *colon = has_tf_op(slot) ? memchr(slot->tf_op.at, ':', slot->tf_op.size) : NULL;

	if (slot->category.size)
		return slot->category;
	if (colon && colon + 1 < slot->tf_op.at + slot->tf_op.size)
		return (struct tfp_span){colon + 1,
					 (size_t)(slot->tf_op.at + slot->tf_op.size - colon) - 1};
	if (slot->class == TFP_WORK_OTHER && slot->hlo_op.size)
		return without_number(last_part(slot->hlo_op));
	return tfp_span_of(classes[slot->class]);
}

const struct tfp_xinstruction *tfp_xslot_known(struct tfp_xreader *reader,
					       const struct tfp_xslot *slot)
{
	struct tfp_xprogram *program = &reader->facts->programs.at[slot->module];
	struct tfp_xinstruction *known = &program->known[slot->instruction];
	struct tfp_hlo_text text = {.size = 0}, type = {.size = 0};

	if (known->known)
		return known;
	tfp_hlo_put_type(&program->hlo, slot->instruction, &program->budget, &type);
	tfp_hlo_put_signature(&program->hlo, slot->instruction, &text);
	known->known = true;
	known->type = tfp_strings_add(reader->profile->strings, type.at, type.size);
	known->signature = tfp_strings_add(reader->profile->strings, text.at, text.size);
	known->stack = tfp_hlo_stack(&program->hlo, slot->instruction, reader->profile);
	known->flops =
		tfp_hlo_flops(&program->hlo, slot->instruction, &program->budget, &known->looping);
	return known;
}

/* What a node is, for finding it again. */
struct identity {
	tfp_str name, op, signature;
	uint32_t stack;
	uint64_t program;
	tfp_str hlo_op;     /* as recorded */
	tfp_str hlo_module; /* of what has no program */
	uint32_t rule;
	uint32_t instruction;
};

/* The shapes of an op whose module the file does not have. */
static tfp_str said_shapes(struct tfp_xreader *reader, const struct tfp_xslot *slot)
{
	struct tfp_hlo_text text = {.size = 0};

	if (slot->chip)
		tfp_hlo_put_written(&text, slot->written);
	if (text.size)
		return tfp_strings_add(reader->profile->strings, text.at, text.size);
	return tfp_strings_add(reader->profile->strings, slot->shape.at, slot->shape.size);
}

struct makers {
	struct tfp_xreader *reader;
	struct tfp_lookup *table;
	TFP_ARRAY(struct identity) identities; /* of nodes from `first` on */
	TFP_ARRAY(uint32_t) nodes;
};

/* An earlier file's node of the same name, type, shapes and stack: another host ran the same. */
static uint32_t earlier_node(const struct tfp_xreader *reader, const struct identity *identity)
{
	const struct tfp_nodes *nodes = &reader->profile->nodes;
	uint32_t node = tfp_profile_find_node(reader->profile, identity->name);

	if (node == TFP_NONE || !reader->file || node >= reader->first_node ||
	    nodes->op[node] != identity->op || reader->stacks.at[node] != identity->stack ||
	    (nodes->signature ? nodes->signature[node] : 0) != identity->signature)
		return TFP_NONE;
	return node;
}

static uint32_t make_node(struct tfp_xreader *reader, const struct identity *identity)
{
	bool unowned = identity->rule == XRULE_LABEL;
	uint32_t node = earlier_node(reader, identity);

	if (node != TFP_NONE)
		return node;
	node = tfp_xreader_node(reader, identity->name, identity->op, identity->stack,
				unowned ? TFP_NODE_UNOWNED : 0);
	if (identity->signature)
		tfp_profile_set_signature(reader->profile, node, identity->signature);
	return node;
}

static uint32_t find_node(struct makers *makers, struct tfp_xslot *slot)
{
	struct tfp_xreader *reader = makers->reader;
	const struct tfp_xinstruction *known =
		slot->instruction == TFP_NONE ? NULL : tfp_xslot_known(reader, slot);
	struct tfp_span type = type_of(slot);
	struct identity identity;
	uint32_t hash, found;

	memset(&identity, 0, sizeof(identity));
	identity.name = name_of(reader, slot);
	identity.op =
		known ? known->type : tfp_strings_add(reader->profile->strings, type.at, type.size);
	identity.signature = known ? known->signature : said_shapes(reader, slot);
	identity.stack = known ? known->stack : TFP_NONE;
	if (identity.stack == TFP_NONE)
		identity.stack = tfp_written_stack(reader->profile, slot->source);
	identity.program = slot->program;
	identity.hlo_op =
		tfp_strings_add(reader->profile->strings, slot->hlo_op.at, slot->hlo_op.size);
	if (!slot->in_program)
		identity.hlo_module = tfp_strings_add(reader->profile->strings, slot->hlo_module.at,
						      slot->hlo_module.size);
	identity.rule = slot->rule;
	identity.instruction = slot->instruction;
	hash = (uint32_t)tfp_hash_bytes(reader->key, (const char *)&identity, sizeof(identity));
	TFP_LOOKUP_EACH(found, makers->table, hash)
		if (!memcmp(&makers->identities.at[found], &identity, sizeof(identity)))
			return makers->nodes.at[found];
	tfp_lookup_add(makers->table, hash, (uint32_t)makers->identities.count);
	*tfp_array_push(&makers->identities) = identity;
	*tfp_array_push(&makers->nodes) = make_node(reader, &identity);
	return makers->nodes.at[makers->nodes.count - 1];
}

/* Of a node that several hosts have, the first says where it stands. */
static void place_node(struct tfp_xreader *reader, const struct tfp_xslot *slot)
{
	const struct tfp_nodes *nodes = &reader->profile->nodes;
	tfp_str place;

	if (nodes->module && nodes->module[slot->node])
		return;
	place = tfp_xslot_place(reader, slot);
	if (place)
		tfp_profile_set_module(reader->profile, slot->node, place);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void own_lane(struct tfp_xreader *reader, const struct tfp_lane *lane)
{
	struct tfp_trace *trace = reader->trace;
	const struct tfp_xslot *slots = reader->facts->slots.at;
	bool counts = lane->kind == TFP_LANE_DEVICE;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
		tfp_trace_set_node(trace, i,
				   counts ? slots[tfp_trace_node(trace, i)].node : TFP_NONE);
}

void tfp_xdevice_owners(struct tfp_xreader *reader)
{
	struct makers makers = {.reader = reader, .table = tfp_lookup_new()};
	struct tfp_xfacts *facts = reader->facts;

	list_programs(facts);
	reader->first_node = reader->profile->nodes.count;
	if (reader->graphs)
		tfp_xgraph_settle(reader);
	for (size_t i = 0; i < facts->slots.count; i++) {
		struct tfp_xslot *slot = &facts->slots.at[i];

		if (!slot->counts)
			continue;
		find_path(reader, slot);
		slot->node = find_node(&makers, slot);
		place_node(reader, slot);
		tfp_idmap_add(&facts->slot_of_node, slot->node, (uint32_t)i);
	}
	tfp_xoperations(reader);
	for (size_t i = reader->first_lane; i < reader->trace->lanes.count; i++) {
		const struct tfp_lane *lane = &reader->trace->lanes.at[i];

		if (!reader->trace->devices.at[lane->device].host)
			own_lane(reader, lane);
	}
	reader->profile->has_scopes = reader->profile->has_scopes || facts->slots.count;
	tfp_lookup_free(makers.table);
	tfp_array_free(&makers.identities);
	tfp_array_free(&makers.nodes);
}
