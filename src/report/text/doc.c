/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands before the rows: a warning where one is due, and one line on the view and on each column, in
 * our own words.
 */
#include "report/text/layout.h"

#include <string.h>

#define MAX_WORDS (TFP_MAX_METRICS + 8)

static void write_line(struct tfp_writer *writer, const char *text)
{
	tfp_write_text(writer, text);
	tfp_write_byte(writer, '\n');
}

static void write_word(struct tfp_writer *writer, const char *word)
{
	const char *text = tfp_word_text(word);

	if (text)
		write_line(writer, text);
}

static void write_tensorflow_word(const struct tfp_report *report, const char *word)
{
	struct tfp_writer *writer = report->writer;

	if (report->base->view->leads && strcmp(word, report->base->view->leads) == 0) {
		write_line(report->writer, "live bytes: taken and not yet given back.");
		return;
	}
	if (strcmp(word, "micros") != 0) {
		write_word(writer, word);
		return;
	}
	write_line(writer, "total execution time: both times below together.");
	write_word(writer, "cpu_micros");
	write_word(writer, "accelerator_micros");
}

/* A metric of another format: what it is called, and in what it is measured; or a word of a checkpoint. */
static void write_metric(const struct tfp_report *report, const char *word)
{
	static const char *const units[] = {
		[TFP_COUNT] = "a count",       [TFP_BYTES] = "bytes",
		[TFP_MICROS] = "microseconds", [TFP_NANOS] = "nanoseconds",
		[TFP_PICOS] = "picoseconds",   [TFP_RATE] = "a rate",
	};
	uint32_t metric = tfp_profile_find_metric(report->profile, word);

	if (metric == TFP_NONE) {
		write_word(report->writer, word);
		return;
	}
	tfp_write_name(report->writer, tfp_span_of(report->base->metrics[metric].label));
	tfp_write_text(report->writer, ": a value of the file, in ");
	write_line(report->writer, units[report->base->metrics[metric].unit]);
}

/*
 * Under --compat=tf the block is TensorFlow's to the byte, for programs that drop it by its lines: these are
 * data of an interface, not ours to word.
 */
static const char compatible_warning[] =
	"\n\n"
	"Found accelerator operation but misses accelerator stream stats!\n"
	"\n"
	"It's likely a gpu tracing issue rather than tf-profiler issue.\n"
	"If you found your operation missing accelerator time, consider to post to "
	"discuss@tensorflow.org!\n"
	"\n";

static const char warning[] =
	"\n\n"
	"An accelerator ran ops, but its own times are not in the files.\n"
	"\n"
	"The trace was taken without the accelerator's tracer (CUPTI for NVIDIA), so\n"
	"accelerator execution time is missing here and total time is too small.\n"
	"\n";

static void write_curve(const struct tfp_report *report)
{
	struct tfp_arena arena = {0};

	write_line(report->writer, tfp_curve_when(report->base->curve, 0, &arena));
	write_line(report->writer, tfp_curve_text(report->base->curve, &arena));
	tfp_arena_free(&arena);
}

/* Of a recording: how much of its time is known by an op and by shapes. */
static void write_coverage(const struct tfp_report *report)
{
	struct tfp_arena arena = {0};
	const char *text = tfp_tree_coverage(report->tree, report->profile, &arena);

	if (text) {
		tfp_write_text(report->writer, "coverage: ");
		write_line(report->writer, text);
	}
	tfp_arena_free(&arena);
}

static void write_baseline(struct tfp_report *report)
{
	struct tfp_arena arena = {0};
	const char *steps = tfp_baseline_steps_text(report->tree, report->profile, &arena);

	tfp_write_text(report->writer, "difference, ratio: to the total of the baseline");
	if (steps) {
		tfp_write_text(report->writer, ", ");
		tfp_write_text(report->writer, steps);
	}
	write_line(report->writer, "; a row that is new or gone is on one side only.");
	tfp_arena_free(&arena);
}

void tfp_report_prefix(struct tfp_report *report)
{
	const struct tfp_view *view = report->base->view;
	const char *words[MAX_WORDS];
	size_t count = tfp_query_selected(&report->tree->query, report->profile, words, MAX_WORDS);

	if (report->profile->missing_stream)
		tfp_write_text(report->writer,
			       report->tree->query.compat ? compatible_warning : warning);
	tfp_write_text(report->writer, "\nDoc:\n");
	tfp_write_text(report->writer, view->name);
	tfp_write_text(report->writer, ": ");
	tfp_write_text(report->writer, view->about);
	write_line(report->writer, ".");
	for (size_t i = 0; i < count && i < MAX_WORDS && !view->text; i++) {
		if (report->profile->tensorflow)
			write_tensorflow_word(report, words[i]);
		else
			write_metric(report, words[i]);
	}
	write_coverage(report);
	if (report->base->curve)
		write_curve(report);
	if (report->tree->baseline)
		write_baseline(report);
	tfp_write_text(report->writer, count ? "\nProfile:\n" : "\n\nProfile:\n");
}
