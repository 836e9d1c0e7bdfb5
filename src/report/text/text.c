/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of a tree: prefix, header, and all rows that are shown, each before the rows below it.
 */
#include "tfprof/report.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "report/text/layout.h"
#include "report/listing.h"

static void write_row(struct tfp_report *report, uint32_t row, uint32_t depth)
{
	if (report->base->view->text)
		tfp_report_sentence(report, row, depth);
	else if (report->rows == TFP_ROWS_OP)
		tfp_report_op_row(report, row, depth);
	else
		tfp_report_tree_row(report, row, depth);
}

/* The op view has no line for its root, unless there is nothing else. */
static void write_rows(struct tfp_report *report)
{
	const struct tfp_tree *tree = report->tree;
	bool rootless = report->rows == TFP_ROWS_OP && tree->root == 0;
	struct tfp_listing listing;
	struct tfp_table_row row;

	if (rootless && !report->profile->nodes.count) {
		write_row(report, 0, 0);
		return;
	}
	if (!report->base->view->text)
		tfp_report_header(report);
	tfp_listing_start(&listing, tree);
	while (tfp_listing_next(&listing, &row))
		if (!rootless || row.depth)
			write_row(report, row.row, row.depth - rootless);
	tfp_listing_free(&listing);
}

static void note_tensor_value(const struct tfp_report *report, struct tfp_diag *diag)
{
	if (!tfp_report_selects(report, "tensor_value"))
		return;
	if (report->rows == TFP_ROWS_CODE || report->rows == TFP_ROWS_OP)
		tfp_diag_note(diag, "the %s view has no tensor values", report->base->view->name);
	else if (!report->profile->tensors.count)
		tfp_diag_note(diag, "tensor_value needs a checkpoint, and none was read");
}

/* The report has TensorFlow's 0; what is meant by it is said beside it. */
static void note_float_ops(const struct tfp_report *report, struct tfp_diag *diag)
{
	if (report->profile->tensorflow && tfp_report_selects(report, "float_ops") &&
	    report->profile->metrics[TFP_TF_FLOAT_OPS].absent)
		tfp_diag_note(diag, "float_ops are unknown, not 0: they come in an op log, which "
				    "tf.compat.v1.profiler.write_op_log makes");
}

static unsigned parts_of(const struct tfp_report *report)
{
	unsigned parts = 0;

	if (!report->profile->tensorflow)
		return 0;
	if (tfp_report_selects(report, "params"))
		parts |= TFP_PART_SHAPES;
	if (tfp_report_selects(report, "input_shapes"))
		parts |= TFP_PART_SHAPES | TFP_PART_EDGES;
	return parts;
}

bool tfp_report_text(FILE *out, const char *path, const struct tfp_tree *tree,
		     struct tfp_engine *engine, bool safe, struct tfp_job *job,
		     struct tfp_diag *diag)
{
	struct tfp_profile *profile = tfp_engine_profile(engine);
	struct tfp_writer *writer = tfp_alloc(sizeof(*writer));
	struct tfp_report report = {
		.writer = writer,
		.tree = tree,
		.base = tree->base,
		.profile = profile,
		.step = TFP_STEP_MEAN,
		.diag = diag,
		.quirks = tree->query.compat ? TFP_QUIRKS_TF : 0,
	};
	bool done = false;

	/* Other formats have names in which anything may stand, even what a terminal obeys. */
	*writer = (struct tfp_writer){
		.out = out, .path = path, .safe = safe || !profile->tensorflow, .job = job};
	writer->ascii = safe && strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	if (tree->query.step >= 0)
		report.step = tfp_profile_find_step(profile, tree->query.step);
	if (tfp_profile_need(profile, parts_of(&report), job, diag)) {
		tfp_report_lay_out(&report);
		note_tensor_value(&report, diag);
		note_float_ops(&report, diag);
		tfp_report_prefix(&report);
		write_rows(&report);
		done = tfp_writer_end(writer, "report", diag);
	}
	tfp_array_free(&report.set);
	free(report.seen);
	free(writer);
	return done;
}
