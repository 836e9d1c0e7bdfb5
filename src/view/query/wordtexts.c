/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the words of --select are, each in a line for people: reports and the help have it from here.
 */
#include <string.h>

#include "tfprof/columns.h"

static const struct {
	const char *word;
	const char *text;
} word_lines[] = {
	{"accelerator_micros", "accelerator execution time: time on the accelerator's own stream."},
	{"bytes", "requested bytes: all memory that was asked for, added up."},
	{"cpu_micros",
	 "cpu execution time: from start to end of the op on its device, waiting included; "
	 "for an op on an accelerator the time to launch it."},
	{"device", "device: where the op was placed."},
	{"float_ops", "flops: float operations, where the op has a known formula."},
	{"input_shapes", "input shape: shapes of what goes in, by input."},
	{"micros", "total execution time: on accelerators and on CPUs together."},
	{"occurrence", "occurrence: how often it ran, and how many there are."},
	{"op_types", "op_types: name of the op, its device, and types given by the user."},
	{"output_bytes", "output bytes: size of what came out, whoever allocated it."},
	{"params", "param: elements of the variables."},
	{"peak_bytes", "peak bytes: the most memory held at one time."},
	{"residual_bytes", "residual bytes: memory that was still held at the end."},
	{"dtype", "type: of the elements of a variable."},
	{"shape", "shape: dimensions of a variable."},
	{"slices", "slices: into how many pieces a variable is cut in the checkpoint."},
	{"tensor_value", "tensor_value: what a checkpoint holds, of floats six digits."},
};

const char *tfp_word_text(const char *word)
{
	for (size_t i = 0; i < sizeof(word_lines) / sizeof(*word_lines); i++)
		if (!strcmp(word_lines[i].word, word))
			return word_lines[i].text;
	return NULL;
}
