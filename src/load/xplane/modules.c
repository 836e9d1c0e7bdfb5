/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where device events stand in their program: HLO module, computation, instruction, as a path. Computations
 * that an instruction calls are below it; those of a loop or a branch run by themselves, all others are
 * inside of what calls them, as what is in a fusion is in its kernel.
 */
#include "load/walk.h"
#include "load/xplane/reader.h"

/* Computations nested deeper than that begin a path anew, as do those that come back to themselves. */
#define MOST_NESTED 16
/* Parts of instructions that are listed of one file. */
#define MOST_CONTENTS 200000

/* Does what INSTRUCTION calls run by itself? */
static bool only_controls(const struct tfp_hlo_instruction *instruction)
{
	static const char *const opcodes[] = {"while", "conditional", "call", "async-start"};

	for (size_t i = 0; i < sizeof(opcodes) / sizeof(*opcodes); i++)
		if (tfp_span_is(instruction->opcode, opcodes[i]))
			return true;
	return false;
}

static void put_span(struct tfp_hlo_text *text, struct tfp_span span)
{
	tfp_hlo_put(text, "%.*s", (int)span.size, span.at);
}

/* "jit_step(3314)", which the name may be already. */
static void put_module(struct tfp_hlo_text *text, struct tfp_span name, uint64_t program)
{
	put_span(text, name);
	if (!name.size || name.at[name.size - 1] != ')')
		tfp_hlo_put(text, "(%llu)", (unsigned long long)program);
}

/* Has INSTRUCTION more computations than one below it? */
static bool calls_several(const struct tfp_hlo *hlo, uint32_t instruction)
{
	struct tfp_integers called = {0};
	bool several;

	tfp_hlo_numbers(hlo, instruction, INSTRUCTION_CALLED, &called);
	several = called.count > 1;
	tfp_array_free(&called);
	return several;
}

/* Sets place and kernel of a computation, whose caller's are set. */
static void settle(struct tfp_strings *strings, struct tfp_xprogram *program, uint32_t index,
		   bool top)
{
	struct tfp_hlo *hlo = &program->hlo;
	struct tfp_hlo_computation *at = &hlo->computations.at[index];
	struct tfp_hlo_text text = {.size = 0};

	if (top || at->caller == TFP_NONE) {
		struct tfp_span name = program->of->name.size ? program->of->name : hlo->name;

		put_module(&text, name, program->of->program);
		tfp_hlo_put(&text, "/");
		put_span(&text, at->name);
	} else {
		const struct tfp_hlo_instruction *caller = &hlo->instructions.at[at->caller];
		uint32_t outer = tfp_hlo_computation_of(hlo, at->caller);

		put_span(&text, tfp_strings_get(strings, hlo->computations.at[outer].place));
		tfp_hlo_put(&text, "/");
		put_span(&text, caller->name);
		if (calls_several(hlo, at->caller)) {
			tfp_hlo_put(&text, "/");
			put_span(&text, at->name);
		}
		at->kernel = hlo->computations.at[outer].kernel;
		if (at->kernel == TFP_NONE && !only_controls(caller))
			at->kernel = at->caller;
	}
	at->place = tfp_strings_add(strings, text.at, text.size);
}

/* The computation INDEX, its place and those of all that it is below known. */
static const struct tfp_hlo_computation *place(struct tfp_strings *strings,
					       struct tfp_xprogram *program, uint32_t index)
{
	struct tfp_hlo *hlo = &program->hlo;
	uint32_t chain[MOST_NESTED], count = 0;

	for (uint32_t at = index; !hlo->computations.at[at].place && count < MOST_NESTED;) {
		chain[count++] = at;
		if (hlo->computations.at[at].caller == TFP_NONE)
			break;
		at = tfp_hlo_computation_of(hlo, hlo->computations.at[at].caller);
	}
	for (bool top = count == MOST_NESTED; count; top = false)
		settle(strings, program, chain[--count], top);
	return &hlo->computations.at[index];
}

static tfp_str path_below(struct tfp_strings *strings, tfp_str above, struct tfp_span name)
{
	struct tfp_hlo_text text = {.size = 0};

	put_span(&text, tfp_strings_get(strings, above));
	tfp_hlo_put(&text, "/");
	put_span(&text, name);
	return tfp_strings_add(strings, text.at, text.size);
}

tfp_str tfp_xslot_place(struct tfp_xreader *reader, const struct tfp_xslot *slot)
{
	struct tfp_strings *strings = reader->profile->strings;
	struct tfp_hlo_text text = {.size = 0};
	struct tfp_span module =
		slot->hlo_module.size ? slot->hlo_module : tfp_xchip_program(reader, slot);

	if (slot->instruction != TFP_NONE) {
		struct tfp_xprogram *program = &reader->facts->programs.at[slot->module];
		uint32_t computation = tfp_hlo_computation_of(&program->hlo, slot->instruction);

		return path_below(strings, place(strings, program, computation)->place,
				  program->hlo.instructions.at[slot->instruction].name);
	}
	if (!module.size || !slot->hlo_op.size)
		return 0;
	if (slot->in_program)
		put_module(&text, module, slot->program);
	else
		put_span(&text, module);
	tfp_hlo_put(&text, "/");
	put_span(&text, slot->hlo_op);
	return tfp_strings_add(strings, text.at, text.size);
}

/* ---- what is inside ---------------------------------------------------------------------------- */

static void add_part(struct tfp_profile *profile, const struct tfp_hlo_instruction *instruction,
		     tfp_str above)
{
	struct tfp_hlo_text shape = {.size = 0};

	tfp_hlo_put_shape(&shape, instruction->shape);
	*tfp_array_push(&profile->contents) = (struct tfp_content){
		.module = path_below(profile->strings, above, instruction->name),
		.op = tfp_strings_add(profile->strings, instruction->opcode.at,
				      instruction->opcode.size),
		.shape = tfp_strings_add(profile->strings, shape.at, shape.size),
	};
}

/* What is in the instructions of PROGRAM that RAN. Operands are the callers' own. */
static void add_parts(struct tfp_profile *profile, struct tfp_xprogram *program, const bool *ran)
{
	const struct tfp_hlo *hlo = &program->hlo;

	for (uint32_t i = 0; i < hlo->computations.count; i++) {
		const struct tfp_hlo_computation *in = place(profile->strings, program, i);

		if (in->kernel == TFP_NONE || !ran[in->kernel])
			continue;
		for (uint32_t k = in->first; k < in->first + in->count; k++)
			if (profile->contents.count < MOST_CONTENTS &&
			    !tfp_span_equal(hlo->instructions.at[k].opcode, TFP_SPAN("parameter")))
				add_part(profile, &hlo->instructions.at[k], in->place);
	}
}

bool tfp_xplane_contents(struct tfp_profile *profile, struct tfp_xfacts *facts, struct tfp_job *job,
			 struct tfp_diag *diag)
{
	for (size_t i = 0; i < facts->programs.count; i++) {
		struct tfp_xprogram *program = &facts->programs.at[i];
		bool *ran;

		if (!program->read || tfp_job_cancelled(job))
			continue;
		ran = tfp_alloc_zero(program->hlo.instructions.count + 1, sizeof(*ran));
		for (size_t k = 0; k < facts->slots.count; k++)
			if (facts->slots.at[k].module == i &&
			    facts->slots.at[k].instruction != TFP_NONE)
				ran[facts->slots.at[k].instruction] = true;
		add_parts(profile, program, ran);
		tfp_array_release(ran);
	}
	if (profile->contents.count == MOST_CONTENTS)
		tfp_diag_note(diag, "HLO modules: the first %d parts of instructions are listed",
			      MOST_CONTENTS);
	return !tfp_job_cancelled(job);
}
