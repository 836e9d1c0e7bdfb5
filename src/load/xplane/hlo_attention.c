/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many floating-point operations a library's call for attention takes: of its matrix products,
 * two forward and five backward, where the scores are made once more. What a mask leaves out counts
 * as well, for no library says how much of it is saved.
 */
#include <string.h>

#include "load/walk.h"
#include "load/xplane/hlo.h"

struct attention {
	int64_t batch, heads, queries, keys;
	int64_t key_size, value_size; /* of a head */
};

static struct tfp_span behind(struct tfp_span text, const char *key)
{
	size_t size = strlen(key);
	const char *at = text.size ? memmem(text.at, text.size, key, size) : NULL;

	if (!at)
		return TFP_SPAN("");
	return (struct tfp_span){at + size, (size_t)(text.at + text.size - at) - size};
}

/* Takes the number that comes next, past what stands before it; 0: none does, or too large a one. */
static int64_t take_number(struct tfp_span *text)
{
	int64_t number = 0;
	size_t i = 0;

	while (i < text->size && strchr("\" =:,[", text->at[i]) && text->at[i])
		i++;
	for (; i < text->size && text->at[i] >= '0' && text->at[i] <= '9'; i++) {
		if (number > INT32_MAX)
			return 0;
		number = number * 10 + (text->at[i] - '0');
	}
	*text = (struct tfp_span){text->at + i, text->size - i};
	return number;
}

static int64_t number_behind(struct tfp_span text, const char *key)
{
	struct tfp_span rest = behind(text, key);

	return take_number(&rest);
}

/* The last dimension of an operand; 0: it has none. */
static int64_t last_of_operand(const struct tfp_hlo *hlo, uint32_t instruction, size_t which)
{
	struct tfp_integers operands = {0}, dims = {0};
	uint32_t at = TFP_NONE;
	int64_t last;

	tfp_hlo_numbers(hlo, instruction, INSTRUCTION_OPERANDS, &operands);
	if (which < operands.count)
		at = tfp_idmap_get(&hlo->instruction_ids, (uint64_t)operands.at[which]);
	if (at != TFP_NONE)
		tfp_hlo_dims(hlo, at, &dims);
	last = dims.count ? dims.at[dims.count - 1] : 0;
	tfp_array_free(&operands);
	tfp_array_free(&dims);
	return last;
}

/* Of cuDNN: the shape of the scores; queries, keys and values are the first operands. */
static struct attention by_scores(const struct tfp_hlo *hlo, uint32_t instruction,
				  struct tfp_span config)
{
	struct tfp_span shape = behind(config, "\"intermediate_tensor_shape\"");
	struct attention it;

	shape = behind(shape, "\"dimensions\"");
	it.batch = take_number(&shape);
	it.heads = take_number(&shape);
	it.queries = take_number(&shape);
	it.keys = take_number(&shape);
	it.key_size = last_of_operand(hlo, instruction, 0);
	it.value_size = last_of_operand(hlo, instruction, 2);
	return it;
}

/* Of Transformer Engine: each by its name. */
static struct attention by_names(struct tfp_span config)
{
	return (struct attention){
		.batch = number_behind(config, "input_batch"),
		.heads = number_behind(config, "attn_heads"),
		.queries = number_behind(config, "q_max_seqlen"),
		.keys = number_behind(config, "kv_max_seqlen"),
		.key_size = number_behind(config, "qk_head_dim"),
		.value_size = number_behind(config, "v_head_dim"),
	};
}

static int64_t count(const struct attention *it, bool back)
{
	int64_t factors[] = {2, it->batch, it->heads, it->queries, it->keys};
	int64_t product;

	if (it->key_size <= 0 || it->key_size > INT32_MAX || it->value_size <= 0 ||
	    it->value_size > INT32_MAX)
		return 0;
	product = back ? 3 * it->key_size + 2 * it->value_size : it->key_size + it->value_size;
	for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++)
		if (__builtin_mul_overflow(product, factors[i], &product))
			return 0;
	return product;
}

bool tfp_hlo_attention(const struct tfp_hlo *hlo, uint32_t instruction, int64_t *flops)
{
	struct tfp_span target = tfp_hlo_field(hlo, instruction, INSTRUCTION_TARGET);
	struct tfp_span config = tfp_hlo_field(hlo, instruction, INSTRUCTION_CONFIG);
	bool cudnn = tfp_span_holds(target, "__cudnn$fmha");
	struct attention it;

	if (!cudnn && !tfp_span_holds(target, "te_fused_attn"))
		return false;
	it = cudnn ? by_scores(hlo, instruction, config) : by_names(config);
	*flops = count(&it, tfp_span_holds(target, "ackward"));
	return true;
}
