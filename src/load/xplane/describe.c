/* SPDX-License-Identifier: Apache-2.0 */
/* What the file says of one node: how it was found, and the instruction behind it. */
#include "load/walk.h"
#include "load/xplane/reader.h"

static void put(struct tfp_attributes *out, const char *name, struct tfp_span value)
{
	if (value.size)
		*tfp_array_push(&out->list) = (struct tfp_attribute){
			name, tfp_arena_text(&out->arena, value.at, value.size)};
}

static void put_text(struct tfp_attributes *out, const char *name, const struct tfp_hlo_text *text)
{
	put(out, name, (struct tfp_span){text->at, text->size});
}

/* The opcodes in a computation, each with how often it is there, in the order of their first. */
static void put_opcodes(const struct tfp_hlo *hlo, const struct tfp_hlo_computation *computation,
			struct tfp_hlo_text *text)
{
	const struct tfp_hlo_instruction *at = hlo->instructions.at + computation->first;
	uint32_t count = computation->count < 1000 ? computation->count : 1000;

	for (uint32_t i = 0; i < count && !text->full; i++) {
		uint32_t times = 0;
		bool first = true;

		for (uint32_t k = 0; k < count && first; k++) {
			if (!tfp_span_equal(at[k].opcode, at[i].opcode))
				continue;
			first = k >= i;
			times++;
		}
		if (!first || tfp_span_equal(at[i].opcode, TFP_SPAN("parameter")))
			continue;
		tfp_hlo_put(text, "%s%.*s", text->size ? ", " : "", (int)at[i].opcode.size,
			    at[i].opcode.at);
		if (times > 1)
			tfp_hlo_put(text, " x%u", times);
	}
}

static void put_called(const struct tfp_hlo *hlo, uint32_t instruction, struct tfp_attributes *out)
{
	struct tfp_integers called = {0};
	struct tfp_hlo_text names = {.size = 0}, content = {.size = 0};

	tfp_hlo_numbers(hlo, instruction, INSTRUCTION_CALLED, &called);
	for (size_t i = 0; i < called.count && !names.full; i++) {
		uint32_t at = tfp_idmap_get(&hlo->computation_ids, (uint64_t)called.at[i]);

		if (at == TFP_NONE)
			continue;
		tfp_hlo_put(&names, "%s%.*s", names.size ? ", " : "",
			    (int)hlo->computations.at[at].name.size,
			    hlo->computations.at[at].name.at);
		if (!content.size)
			put_opcodes(hlo, &hlo->computations.at[at], &content);
	}
	tfp_array_free(&called);
	put_text(out, "calls", &names);
	put_text(out, "contents", &content);
}

static void put_flops(const struct tfp_hlo *hlo, uint32_t instruction, struct tfp_attributes *out)
{
	size_t budget = hlo->instructions.count;
	bool unknown;
	int64_t flops = tfp_hlo_flops(hlo, instruction, &budget, &unknown);

	if (unknown)
		*tfp_array_push(&out->list) = (struct tfp_attribute){
			"float_ops_unknown",
			"of a loop: the compiler does not say how often it runs"};
	if (flops)
		*tfp_array_push(&out->list) = (struct tfp_attribute){
			"float_ops_estimate",
			tfp_arena_printf(&out->arena,
					 "%lld a run, of dot products and convolutions",
					 (long long)flops)};
}

/* The innermost line of source. */
static void put_source(const struct tfp_profile *profile, uint32_t node, struct tfp_attributes *out)
{
	uint32_t stack = profile->nodes.stack[node];
	const struct tfp_frame *frame;

	if (stack == TFP_NONE)
		return;
	frame = &profile->frames.at[profile->stacks.at[stack].frame];
	if (frame->file)
		*tfp_array_push(&out->list) = (struct tfp_attribute){
			"source", tfp_arena_printf(&out->arena, "%s:%d",
						   tfp_strings_text(profile->strings, frame->file),
						   (int)frame->line)};
}

static void put_instruction(const struct tfp_hlo *hlo, uint32_t instruction,
			    struct tfp_attributes *out)
{
	const struct tfp_hlo_instruction *at = &hlo->instructions.at[instruction];
	struct tfp_hlo_text shape = {.size = 0}, operands = {.size = 0};

	put(out, "instruction", at->name);
	put(out, "opcode", at->opcode);
	put(out, "op_name", at->op_name);
	tfp_hlo_put_shape(&shape, at->shape);
	put_text(out, "shape", &shape);
	tfp_hlo_put_signature(hlo, instruction, &operands);
	put_text(out, "operands", &operands);
	put(out, "fusion_kind", tfp_hlo_field(hlo, instruction, INSTRUCTION_FUSION_KIND));
	put(out, "custom_call_target", tfp_hlo_field(hlo, instruction, INSTRUCTION_TARGET));
	put_called(hlo, instruction, out);
	put_flops(hlo, instruction, out);
}

void tfp_xplane_describe(const struct tfp_profile *profile, uint32_t node, void *data,
			 struct tfp_attributes *out)
{
	const struct tfp_xfacts *facts = data;
	uint32_t place = tfp_idmap_get(&facts->slot_of_node, node);
	const struct tfp_xslot *slot;

	if (place == TFP_NONE)
		return;
	slot = &facts->slots.at[place];
	put(out, "path_by", tfp_span_of(tfp_xrule_names[slot->rule]));
	put(out, "hlo_op", slot->hlo_op);
	put(out, "hlo_module", slot->hlo_module);
	if (slot->in_program)
		*tfp_array_push(&out->list) = (struct tfp_attribute){
			"program_id",
			tfp_arena_printf(&out->arena, "%lld", (long long)slot->program)};
	put(out, "tf_op", slot->tf_op);
	put_source(profile, node, out);
	if (slot->instruction != TFP_NONE)
		put_instruction(&facts->programs.at[slot->module].hlo, slot->instruction, out);
}
