/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What TensorBoard, XLA, JAX and PyTorch put beside recordings: tables made of a recording, HLO modules by
 * themselves, containers that cannot be read. Some of them have fields as TensorFlow's files have, and
 * were opened as such.
 */
#include "load/find/beside.h"

#include <string.h>

#include "load/sniff.h"
#include "load/walk.h"

static const char table[] =
	"a table that was made of a recording; open the .xplane.pb file that it lies beside";
static const char container[] = "a Riegeli container, which cannot be read; an .xplane.pb file can";

/* How names end, past ".gz". */
static const char *const tables[] = {
	".input_pipeline.pb", ".overview_page.pb",    ".kernel_stats.pb",
	".op_stats.pb",       ".op_stats_v2.pb",      ".tensorflow_stats.pb",
	".memory_profile.pb", ".memory_profile.json", ".dcn_collective_stats.pb",
	".pod_viewer.pb",     ".smart_suggestion.pb", ".SSTABLE",
	".cached_tools.json", "cache_version.txt",    NULL,
};

static bool is_table(const char *path)
{
	struct tfp_span name = tfp_span_of(path);

	if (tfp_span_ends(name, TFP_SPAN(".gz")))
		name.size -= 3;
	for (size_t i = 0; tables[i]; i++)
		if (tfp_span_ends(name, tfp_span_of(tables[i])))
			return true;
	return false;
}

/* An HloProto: a module with its name, that of its entry, and computations of instructions. */
static bool is_hlo(const struct tfp_source *source)
{
	static const struct tfp_expect instruction[] = {
		{1, TFP_EXPECT_WORD, true, NULL},    /* name */
		{2, TFP_EXPECT_WORD, true, NULL},    /* opcode */
		{3, TFP_EXPECT_BYTES, true, NULL},   /* shape */
		{7, TFP_EXPECT_BYTES, false, NULL},  /* metadata */
		{9, TFP_EXPECT_INT, false, NULL},    /* number of a parameter */
		{35, TFP_EXPECT_INT, false, NULL},   /* id */
		{36, TFP_EXPECT_BYTES, false, NULL}, /* operands */
		{0, TFP_EXPECT_INT, false, NULL},
	};
	static const struct tfp_expect computation[] = {
		{1, TFP_EXPECT_WORD, true, NULL},
		{2, TFP_EXPECT_MESSAGE, true, instruction},
		{0, TFP_EXPECT_INT, false, NULL},
	};
	static const struct tfp_expect module[] = {
		{1, TFP_EXPECT_WORD, true, NULL}, /* name */
		{2, TFP_EXPECT_WORD, true, NULL}, /* name of the entry */
		{3, TFP_EXPECT_MESSAGE, true, computation},
		{0, TFP_EXPECT_INT, false, NULL},
	};
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	struct tfp_field field;

	if (!tfp_wire_next(&wire, &field) && !tfp_wire_next_cut(&wire, &field))
		return false;
	return tfp_field_is(&field, 1) && tfp_sniff_begins(field.data, field.size, module);
}

/* The head of a container's first block. */
static bool is_container(const struct tfp_source *source)
{
	static const uint8_t head[] = {0x83, 0xaf, 0x70, 0xd1, 0x0d, 0x88, 0x4a, 0x3f, 0, 0, 0, 0,
				       0,    0,    0,    0,    0x40, 0,    0,    0,    0, 0, 0, 0};

	return source->size >= sizeof(head) && !memcmp(source->data, head, sizeof(head));
}

/* ---- what PyTorch writes besides traces --------------------------------------------------------- */

#define LOOKED_AT 4096 /* bytes that say what it is */

static bool holds(const struct tfp_source *source, const char *text)
{
	size_t size = source->size < LOOKED_AT ? source->size : LOOKED_AT;

	return size && memmem(source->data, size, text, strlen(text));
}

/* Lists in a list, of numbers. */
static bool is_memory_timeline(const struct tfp_source *source)
{
	const char *text = (const char *)source->data;

	return source->size > 4 && text[0] == '[' && text[1] == '[' &&
	       (text[2] == '-' || (text[2] >= '0' && text[2] <= '9'));
}

/* Lines of frames with semicolons between them and a number behind them: looks at the first. */
static bool is_folded(const struct tfp_source *source)
{
	const char *text = (const char *)source->data;
	size_t size = source->size < LOOKED_AT ? source->size : LOOKED_AT;
	const char *end = size ? memchr(text, '\n', size) : NULL, *at = end;

	while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at && at < end && at > text && at[-1] == ' ' &&
	       memchr(text, ';', (size_t)(at - text)) &&
	       memmem(text, (size_t)(at - text), "):_", 3);
}

static const char *what_torch_wrote(const struct tfp_source *source)
{
	if (holds(source, "\"schema\"") && holds(source, "\"nodes\"") &&
	    holds(source, "execution_trace"))
		return "an execution trace of PyTorch, without times; export_chrome_trace() of "
		       "torch.profiler writes a trace with them";
	if (is_memory_timeline(source))
		return "lists of numbers, as export_memory_timeline() writes; a trace with "
		       "profile_memory=True has what they are made of";
	if (is_folded(source))
		return "folded stacks, as export_stacks() writes; a trace with with_stack=True has "
		       "what they are made of";
	return NULL;
}

/* ---- what a file is ------------------------------------------------------------------------------ */

bool tfp_beside_missed(const struct tfp_source *source, const char *path)
{
	return tfp_span_ends(tfp_span_of(path), TFP_SPAN(".riegeli")) || is_container(source);
}

const char *tfp_beside_what(const struct tfp_source *source, const char *path)
{
	if (tfp_beside_missed(source, path))
		return container;
	if (is_table(path))
		return table;
	if (!strncmp(tfp_path_name(path), "events.out.tfevents.", 20))
		return "TensorBoard's events, which hold no profile; recordings are in the folder "
		       "plugins/profile";
	if (is_hlo(source))
		return "an HLO module without times; a recording, .xplane.pb, has them, and the "
		       "modules too";
	return what_torch_wrote(source);
}
