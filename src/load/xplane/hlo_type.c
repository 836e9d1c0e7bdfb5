/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The type of an instruction, for views that put those of a type together. The opcode says too little
 * of what are most of the instructions that run: of a fusion there is its kind as well, and whether
 * products are in it; of a call into a library, what it calls.
 */
#include "load/walk.h"
#include "load/xplane/hlo.h"

/* "loop fusion", as profilers of XLA call them; "fusion" for kinds that are new. */
static const char *kind_of(const struct tfp_hlo *hlo, uint32_t instruction)
{
	static const char *const kinds[][2] = {
		{"kLoop", "loop fusion"},
		{"kInput", "input fusion"},
		{"kOutput", "output fusion"},
		{"kCustom", "custom fusion"},
	};
	struct tfp_span kind = tfp_hlo_field(hlo, instruction, INSTRUCTION_FUSION_KIND);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (tfp_span_is(kind, kinds[i][0]))
			return kinds[i][1];
	return "fusion";
}

/* The first opcode of those in a fusion that are products; NULL: it has none. */
static const char *product_in(const struct tfp_hlo *hlo, uint32_t instruction, size_t *budget)
{
	static const char *const products[] = {"dot", "convolution"};
	const struct tfp_hlo_instruction *fusion = &hlo->instructions.at[instruction];
	uint32_t at =
		fusion->calls ? tfp_idmap_get(&hlo->computation_ids, fusion->called) : TFP_NONE;
	const struct tfp_hlo_computation *computation;

	if (at == TFP_NONE)
		return NULL;
	computation = &hlo->computations.at[at];
	for (uint32_t i = 0; i < computation->count && *budget; i++, --*budget) {
		struct tfp_span opcode = hlo->instructions.at[computation->first + i].opcode;

		for (size_t k = 0; k < sizeof(products) / sizeof(*products); k++)
			if (tfp_span_is(opcode, products[k]))
				return products[k];
	}
	return NULL;
}

void tfp_hlo_put_type(const struct tfp_hlo *hlo, uint32_t instruction, size_t *budget,
		      struct tfp_hlo_text *text)
{
	struct tfp_span opcode = hlo->instructions.at[instruction].opcode, target;
	const char *product;

	if (tfp_span_is(opcode, "fusion")) {
		product = product_in(hlo, instruction, budget);
		tfp_hlo_put(text, "%s%s%s", kind_of(hlo, instruction), product ? " of " : "",
			    product ? product : "");
		return;
	}
	target = tfp_span_is(opcode, "custom-call")
			 ? tfp_hlo_field(hlo, instruction, INSTRUCTION_TARGET)
			 : TFP_SPAN("");
	if (target.size)
		opcode = target;
	tfp_hlo_put(text, "%.*s", (int)(opcode.size < INT32_MAX ? opcode.size : 0), opcode.at);
}
