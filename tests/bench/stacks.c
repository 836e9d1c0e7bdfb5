/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The op log's side of a made node: its float operations and types, and a Python call stack of twelve
 * frames that parts from others where those of real programs do.
 */
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { SOURCE_LINES = 4096 };

/* What a frame's line number depends on, so that stacks part as those of real programs do. */
enum differs { ALWAYS, NETWORK, BLOCK, UNIT, OP };

struct stack_frame {
	unsigned char file, function;
	unsigned short line;
	enum differs differs;
};

static const char *const source_files[] = {
	"/project/train.py",
	"/project/trainer.py",
	"/project/models/network.py",
	"/project/models/stages.py",
	"/project/models/units.py",
	"/project/layers/convolution.py",
	"/project/layers/normalise.py",
	"/project/optimise.py",
	"/project/checkpoint.py",
	"/lib/python/tensorflow/python/layers/base.py",
	"/lib/python/tensorflow/python/ops/variable_scope.py",
	"/lib/python/tensorflow/python/ops/variables.py",
	"/lib/python/tensorflow/python/ops/nn_ops.py",
	"/lib/python/tensorflow/python/ops/gradients_impl.py",
	"/lib/python/tensorflow/python/ops/nn_grad.py",
	"/lib/python/tensorflow/python/training/optimizer.py",
	"/lib/python/tensorflow/python/training/slot_creator.py",
	"/lib/python/tensorflow/python/training/saver.py",
	"/lib/python/tensorflow/python/ops/gen_ops.py",
	"/lib/python/tensorflow/python/framework/op_def_library.py",
	"/lib/python/tensorflow/python/framework/ops.py",
};

static const char *const functions[] = {
	"<module>",  "main",          "train",     "build",          "add_stage",     "add_unit",
	"convolve",  "__call__",      "apply",     "get_variable",   "initial_value", "minimize",
	"gradients", "_MaybeRun",     "_UnitGrad", "apply_gradient", "create_slot",   "build_saver",
	"save_op",   "_generated_op", "apply_op",  "create_op",      "normal_layer",
};

enum { FIRST_FUNCTION = 1 + COUNT(source_files), FIRST_LINE = FIRST_FUNCTION + COUNT(functions) };

/* Frames from the outermost in, where the kinds of nodes differ; common ones go before and after. */
static const struct stack_frame outer_frames[] = {
	{0, 0, 301, ALWAYS},
	{0, 1, 274, ALWAYS},
	{1, 2, 88, NETWORK},
};

static const struct stack_frame kind_frames[][6] = {
	[NODE_FORWARD] = {{2, 3, 41, ALWAYS},
			  {3, 4, 60, BLOCK},
			  {4, 5, 33, UNIT},
			  {5, 6, 71, OP},
			  {9, 7, 480, ALWAYS},
			  {12, 8, 1040, OP}},
	[NODE_VARIABLE] = {{2, 3, 41, ALWAYS},
			   {3, 4, 60, BLOCK},
			   {4, 5, 33, UNIT},
			   {6, 22, 25, ALWAYS},
			   {10, 9, 1065, ALWAYS},
			   {11, 9, 233, OP}},
	[NODE_INITIAL] = {{2, 3, 41, ALWAYS},
			  {3, 4, 60, BLOCK},
			  {4, 5, 33, UNIT},
			  {6, 22, 26, ALWAYS},
			  {10, 9, 1065, ALWAYS},
			  {11, 10, 349, OP}},
	[NODE_GRADIENT] = {{7, 11, 52, ALWAYS},
			   {15, 11, 388, ALWAYS},
			   {13, 12, 540, BLOCK},
			   {13, 13, 348, UNIT},
			   {14, 14, 200, OP},
			   {12, 8, 1900, OP}},
	[NODE_UPDATE] = {{7, 11, 58, ALWAYS},
			 {15, 15, 560, BLOCK},
			 {15, 15, 720, UNIT},
			 {16, 16, 98, OP},
			 {16, 16, 160, ALWAYS},
			 {11, 9, 290, OP}},
	[NODE_SAVING] = {{8, 17, 30, ALWAYS},
			 {17, 17, 1102, ALWAYS},
			 {17, 17, 1139, ALWAYS},
			 {17, 17, 720, OP},
			 {17, 18, 411, OP},
			 {11, 9, 291, ALWAYS}},
};

static const struct stack_frame inner_frames[] = {
	{18, 19, 700, OP},
	{19, 20, 787, ALWAYS},
	{20, 21, 3290, ALWAYS},
};

static unsigned line_of(const struct stack_frame *frame, const struct node_facts *facts,
			const char *op)
{
	unsigned hash = 5381;

	for (const char *c = op; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	switch (frame->differs) {
	case NETWORK:
		return frame->line + facts->network % 5;
	case BLOCK:
		return frame->line + 3 * (facts->block % 9);
	case UNIT:
		return frame->line + 2 * (facts->unit % 17);
	case OP:
		return frame->line + hash % 311;
	default:
		return frame->line;
	}
}

static void put_frames(struct stacks *stacks, const struct stack_frame *frames, size_t count,
		       const struct node_facts *facts, const char *op)
{
	struct put *put = &stacks->log;

	for (size_t i = 0; i < count; i++) {
		unsigned line = line_of(&frames[i], facts, op);
		unsigned place = frames[i].file * SOURCE_LINES + line;

		put_open(put, 1);
		put_number(put, 2, line);
		put_number(put, 5, -1);
		put_number(put, 6, 1 + frames[i].file);
		put_number(put, 7, FIRST_FUNCTION + frames[i].function);
		put_number(put, 8, FIRST_LINE + place);
		put_close(put);
		stacks->seen_lines[place] = 1;
	}
}

bool stacks_begin(struct stacks *stacks)
{
	stacks->seen_lines = calloc(COUNT(source_files), SOURCE_LINES);
	return stacks->seen_lines != NULL;
}

void stacks_add(struct stacks *stacks, const char *name, const char *op,
		const struct node_facts *facts)
{
	struct put *put = &stacks->log;

	put_open(put, 1);
	put_text(put, 1, name);
	put_count(put, 2, facts->flops);
	if (facts->trainable)
		put_text(put, 3, "_trainable_variables");
	put_open(put, 4);
	put_frames(stacks, outer_frames, COUNT(outer_frames), facts, op);
	put_frames(stacks, kind_frames[facts->kind], COUNT(kind_frames[0]), facts, op);
	put_frames(stacks, inner_frames, COUNT(inner_frames), facts, op);
	put_close(put);
	put_close(put);
}

static void put_string(struct put *put, size_t id, const char *text)
{
	put_open(put, 2);
	put_number(put, 1, (int64_t)id);
	put_text(put, 2, text);
	put_close(put);
}

void stacks_end(struct stacks *stacks)
{
	struct put *put = &stacks->log;
	char text[80];

	for (size_t i = 0; i < COUNT(source_files); i++)
		put_string(put, 1 + i, source_files[i]);
	for (size_t i = 0; i < COUNT(functions); i++)
		put_string(put, FIRST_FUNCTION + i, functions[i]);
	for (size_t i = 0; i < COUNT(source_files) * SOURCE_LINES; i++)
		if (stacks->seen_lines[i]) {
			snprintf(text, sizeof(text), "  value_%zu = make(inputs, name=scope)",
				 i % SOURCE_LINES);
			put_string(put, FIRST_LINE + i, text);
		}
}

void stacks_free(struct stacks *stacks)
{
	free(stacks->log.at);
	free(stacks->seen_lines);
}
