/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printed reports: a profile whose tree is given. Each row is a node; what was printed of it, with the
 * bounds of each figure, are its attributes. Several reports in one file are rows below one root.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "load/loaders.h"
#include "load/printed/printed_cells.h"

/* A row of a report, which is a node. */
struct place {
	uint32_t report, row; /* TFP_NONE: made, not printed */
};

struct data {
	struct tfp_printed printed;
	struct tfp_source *source;
	TFP_ARRAY(struct place) places; /* by node */
};

/* A row with rows below it. */
struct level {
	uint32_t depth, row;
};

struct maker {
	struct tfp_profile *profile;
	struct data *data;
	struct tfp_diag *diag;
	uint32_t metric[TFP_PRINTED_COLUMNS]; /* of the columns of the report at hand */
	uint32_t time, runs;                  /* metrics of its lines of inputs */
	TFP_ARRAY(struct level) above;        /* the rows above the one at hand */
};

/* ---- metrics ---------------------------------------------------------------------------------- */

static uint32_t need_metric(struct tfp_profile *profile, const char *key, const char *label,
			    const char *title, enum tfp_unit unit)
{
	uint32_t metric = tfp_profile_find_metric(profile, key);

	if (metric != TFP_NONE)
		return metric;
	return tfp_profile_add_metric(profile, &(struct tfp_metric){
						       .key = key,
						       .label = label,
						       .title = title,
						       .unit = unit,
						       .kind = TFP_GIVEN,
						       .origin = TFP_FROM_CELLS,
						       .column = (uint8_t)profile->metric_count,
						       .absent = true,
					       });
}

static bool has_inputs(const struct tfp_printed_report *report)
{
	for (size_t i = 0; i < report->rows.count; i++)
		if (report->rows.at[i].input)
			return true;
	return false;
}

static void make_metrics(struct maker *maker, const struct tfp_printed_report *report)
{
	struct tfp_profile *profile = maker->profile;

	for (size_t i = 0; i < report->columns.count; i++) {
		const struct tfp_printed_column *column = &report->columns.at[i];

		maker->metric[i] = TFP_NONE;
		if (column->key)
			maker->metric[i] =
				need_metric(profile, column->key, column->label, column->title,
					    tfp_printed_kind_unit(column->kind));
	}
	maker->time = maker->runs = TFP_NONE;
	if (!has_inputs(report))
		return;
	maker->time = need_metric(profile, "micros", "total execution time", "TIME", TFP_MICROS);
	maker->runs = need_metric(profile, "occurrence", "op occurrence (run|defined)", "RUNS",
				  TFP_COUNT);
}

/* All metrics of all reports, before there are rows: figures have a place for each. */
static void make_all_metrics(struct maker *maker)
{
	struct tfp_profile *profile = maker->profile;

	for (size_t i = 0; i < maker->data->printed.reports.count; i++)
		make_metrics(maker, &maker->data->printed.reports.at[i]);
	if (!profile->metric_count)
		need_metric(profile, "rows", "rows", "ROWS", TFP_COUNT);
	profile->cell_columns = profile->metric_count;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static struct tfp_figure *figures_of(struct tfp_profile *profile, uint32_t row, uint32_t metric)
{
	return &profile->given.figures.at[2 * ((size_t)row * profile->metric_count + metric)];
}

static void set_figure(struct tfp_profile *profile, uint32_t row, uint32_t metric,
		       const struct tfp_figure *self, const struct tfp_figure *total)
{
	struct tfp_figure *figures;

	if (metric == TFP_NONE)
		return;
	figures = figures_of(profile, row, metric);
	if (self)
		figures[0] = *self;
	figures[1] = *total;
	profile->given.rows.at[row].figures |= UINT64_C(1) << metric;
	profile->metrics[metric].absent = false;
}

static uint32_t add_row(struct maker *maker, struct tfp_span name, uint32_t parent,
			struct place place)
{
	struct tfp_profile *profile = maker->profile;
	size_t figures = (size_t)2 * profile->metric_count;
	tfp_str id = tfp_strings_add(profile->strings, name.at, name.size);
	uint32_t row = tfp_profile_add_node(profile, id, 0);

	*tfp_array_push(&profile->given.rows) = (struct tfp_given_row){.parent = parent};
	*tfp_array_push(&maker->data->places) = place;
	tfp_array_reserve(&profile->given.figures, profile->given.figures.count + figures);
	memset(profile->given.figures.at + profile->given.figures.count, 0,
	       figures * sizeof(struct tfp_figure));
	profile->given.figures.count += figures;
	return row;
}

/* Own values are what breakdowns add up. */
static void fill_cell(struct tfp_profile *profile, uint32_t row)
{
	uint32_t cell = tfp_profile_cell(profile, row, 0);
	int64_t *value = profile->cells.value + (size_t)cell * profile->cell_columns;

	for (uint32_t i = 0; i < profile->metric_count; i++)
		value[i] = figures_of(profile, row, i)[0].value;
}

static void add_types(struct tfp_profile *profile, uint32_t node, struct tfp_span list)
{
	struct tfp_span type;
	bool more = list.size > 0;

	while (more) {
		more = tfp_span_split(list, TFP_SPAN("|"), &type, &list);
		tfp_profile_add_type(profile, node,
				     tfp_strings_add(profile->strings, type.at, type.size));
	}
}

static void fill_row(struct maker *maker, const struct tfp_printed_report *report, uint32_t at,
		     const struct tfp_printed_row *row)
{
	struct tfp_profile *profile = maker->profile;
	struct tfp_given_row *given = &profile->given.rows.at[at];

	given->accounted = !report->columns.count;
	for (size_t i = 0; i < report->columns.count; i++) {
		const struct tfp_printed_cell *cell = &row->cells[i];
		enum tfp_printed_kind kind = report->columns.at[i].kind;

		if (kind == TFP_PRINTED_TYPES)
			add_types(profile, at, cell->text);
		else if (kind == TFP_PRINTED_DEVICES && cell->text.size &&
			 !memchr(cell->text.at, '|', cell->text.size))
			profile->nodes.device[at] =
				tfp_strings_add(profile->strings, cell->text.at, cell->text.size);
		if (kind >= TFP_PRINTED_DEVICES && kind != TFP_PRINTED_COUNTS)
			continue;
		if (!cell->known)
			continue;
		given->accounted = given->accounted || cell->has_self;
		given->defined = cell->defined_total.value;
		set_figure(profile, at, maker->metric[i], cell->has_self ? &cell->self : NULL,
			   &cell->total);
	}
}

static void fill_inputs(struct maker *maker, uint32_t at, const struct tfp_printed_row *row)
{
	struct tfp_figure runs = {row->runs, row->runs, row->runs};

	set_figure(maker->profile, at, maker->time, &row->time, &row->time);
	set_figure(maker->profile, at, maker->runs, &runs, &runs);
	maker->profile->given.rows.at[at].defined = row->defined;
	maker->profile->given.rows.at[at].accounted = true;
}

/* The row above one of DEPTH: the last that is less deep. */
static uint32_t find_parent(struct maker *maker, uint32_t depth)
{
	while (maker->above.count > 1 && maker->above.at[maker->above.count - 1].depth >= depth)
		maker->above.count--;
	return maker->above.at[maker->above.count - 1].row;
}

/* Inputs stand behind tabs, which would be no name on a screen. */
static struct tfp_span name_of(struct maker *maker, const struct tfp_printed_row *row)
{
	char *name;

	if (!row->input || !row->name.size)
		return row->name;
	name = tfp_arena_text(&maker->data->printed.arena, row->name.at, row->name.size);
	for (size_t i = 0; i < row->name.size; i++)
		if (name[i] == '\t')
			name[i] = ' ';
	return (struct tfp_span){name, row->name.size};
}

/* Rows of trees are one level deeper in a file of several, and so are those of op reports. */
static void add_rows(struct maker *maker, uint32_t index, uint32_t top)
{
	const struct tfp_printed_report *report = &maker->data->printed.reports.at[index];

	make_metrics(maker, report);
	maker->above.count = 0;
	*tfp_array_push(&maker->above) = (struct level){0, top};
	for (uint32_t i = 0; i < report->rows.count; i++) {
		const struct tfp_printed_row *row = &report->rows.at[i];
		bool root = !i && report->view[0] != 'o' && !row->depth;
		uint32_t depth = row->depth + 1, at = top;

		if (root)
			maker->data->places.at[top] = (struct place){index, i};
		else
			at = add_row(maker, name_of(maker, row), find_parent(maker, depth),
				     (struct place){index, i});
		if (row->input)
			fill_inputs(maker, at, row);
		else
			fill_row(maker, report, at, row);
		fill_cell(maker->profile, at);
		if (!root)
			*tfp_array_push(&maker->above) = (struct level){depth, at};
	}
}

/* ---- roots ------------------------------------------------------------------------------------ */

/* A root that was not printed is worth what is right below it. */
static void add_up(struct tfp_profile *profile, uint32_t top)
{
	struct tfp_given *given = &profile->given;

	for (uint32_t row = top + 1; row < given->rows.count; row++) {
		if (given->rows.at[row].parent != top)
			continue;
		for (uint32_t i = 0; i < profile->metric_count; i++) {
			const struct tfp_figure *from = &figures_of(profile, row, i)[1];
			struct tfp_figure *to = &figures_of(profile, top, i)[1];

			to->value = tfp_wrap_add(to->value, from->value);
			to->low = tfp_wrap_add(to->low, from->low);
			to->high = tfp_wrap_add(to->high, from->high);
		}
		given->rows.at[top].figures |= given->rows.at[row].figures;
		given->rows.at[top].defined += given->rows.at[row].defined;
	}
}

/* Of several reports there is no sum: the root is worth the most of them. */
static void take_most(struct tfp_profile *profile)
{
	struct tfp_given *given = &profile->given;

	for (uint32_t row = 1; row < given->rows.count; row++)
		for (uint32_t i = 0; !given->rows.at[row].parent && i < profile->metric_count;
		     i++) {
			const struct tfp_figure *from = &figures_of(profile, row, i)[1];
			struct tfp_figure *to = &figures_of(profile, 0, i)[1];

			if (from->value > to->value)
				*to = *from;
			given->rows.at[0].figures |= given->rows.at[row].figures;
		}
}

/* Where nothing was measured, rows are counted. */
static void count_rows(struct tfp_profile *profile)
{
	if (strcmp(profile->metrics[0].key, "rows"))
		return;
	profile->metrics[0].absent = false;
	for (uint32_t row = (uint32_t)profile->given.rows.count; row-- > 0;) {
		struct tfp_figure *figures = figures_of(profile, row, 0), *above;
		uint32_t parent = profile->given.rows.at[row].parent;
		int64_t total = figures[1].value + 1;

		figures[0] = (struct tfp_figure){1, 1, 1};
		figures[1] = (struct tfp_figure){total, total, total};
		profile->given.rows.at[row].figures = 1;
		if (parent == TFP_NONE)
			continue;
		above = figures_of(profile, parent, 0);
		above[1].value += total;
	}
}

/* The first time of which there is any, else the first metric of which there is any. */
static void choose_metric(struct tfp_profile *profile)
{
	int best = -1;

	for (uint32_t i = 0; i < profile->metric_count; i++) {
		int good = 2 * (figures_of(profile, 0, i)[1].value != 0) +
			   (profile->metrics[i].unit == TFP_MICROS);

		if (good > best) {
			best = good;
			profile->default_metric = i;
		}
	}
}

static void add_reports(struct maker *maker)
{
	struct tfp_printed *printed = &maker->data->printed;
	const struct place nowhere = {TFP_NONE, TFP_NONE};
	uint32_t root = add_row(maker, TFP_SPAN("_TFProfRoot"), TFP_NONE, nowhere);
	bool several = printed->reports.count > 1;

	for (uint32_t i = 0; i < printed->reports.count; i++) {
		const struct tfp_printed_report *report = &printed->reports.at[i];
		uint32_t top = root;
		char name[64];

		snprintf(name, sizeof(name), "%" PRIu32 ": %s, line %zu", i + 1, report->view,
			 report->line);
		if (several)
			top = add_row(maker, tfp_span_of(name), root, nowhere);
		add_rows(maker, i, top);
		if (maker->data->places.at[top].report == TFP_NONE)
			add_up(maker->profile, top);
	}
	if (several)
		take_most(maker->profile);
	count_rows(maker->profile);
	choose_metric(maker->profile);
}

/* ---- what was printed, as attributes ------------------------------------------------------------ */

static void put_attribute(struct tfp_attributes *out, const char *name, struct tfp_span value)
{
	*tfp_array_push(&out->list) = (struct tfp_attribute){
		.name = name,
		.value = tfp_arena_text(&out->arena, value.at, value.size),
	};
}

/* "930.58k: 930,575 to 930,584" */
static void put_bounds(struct tfp_attributes *out, const char *name, struct tfp_figure figure)
{
	char low[TFP_NUMBER_ROOM], high[TFP_NUMBER_ROOM];

	if (figure.low == figure.high)
		return;
	*tfp_array_push(&out->list) = (struct tfp_attribute){
		.name = tfp_arena_printf(&out->arena, "%s, total", name),
		.value =
			tfp_arena_printf(&out->arena, "%s to %s", tfp_number_exact(low, figure.low),
					 tfp_number_exact(high, figure.high)),
	};
}

static void describe(const struct tfp_profile *profile, uint32_t node, void *data,
		     struct tfp_attributes *out)
{
	const struct data *mine = data;
	const struct tfp_printed_report *report;
	const struct tfp_printed_row *row;

	(void)profile;
	if (node >= mine->places.count || mine->places.at[node].report == TFP_NONE)
		return;
	report = &mine->printed.reports.at[mine->places.at[node].report];
	row = &report->rows.at[mine->places.at[node].row];
	put_attribute(out, "line", tfp_span_of(tfp_arena_printf(&out->arena, "%zu", row->line)));
	if (row->shape.size)
		put_attribute(out, "shape", row->shape);
	for (size_t i = 0; row->cells && i < report->columns.count; i++) {
		const struct tfp_printed_cell *cell = &row->cells[i];

		if (cell->text.size)
			put_attribute(out, report->columns.at[i].label, cell->text);
		if (cell->known)
			put_bounds(out, report->columns.at[i].label, cell->total);
	}
}

static void release(void *data)
{
	struct data *mine = data;

	tfp_printed_free(&mine->printed);
	tfp_array_free(&mine->places);
	tfp_source_free(mine->source);
	free(mine);
}

/* ---- the loader ------------------------------------------------------------------------------- */

static void note_reports(const struct maker *maker)
{
	const struct tfp_printed *printed = &maker->data->printed;
	const char *path = maker->data->source->path;

	if (printed->reports.count > 1)
		tfp_diag_add(maker->diag, TFP_NOTE, path, -1, 0,
			     "%zu reports, each a row of its own; --zoom=ROW shows one alone",
			     printed->reports.count);
	for (size_t i = 0; i < printed->reports.count; i++)
		if (printed->reports.at[i].cut_head.size || printed->reports.at[i].cut_row.size)
			tfp_diag_add(maker->diag, TFP_WARNING, path, -1,
				     (int64_t)printed->reports.at[i].cut_line,
				     "a row is cut here and left out");
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct data *data = tfp_alloc_zero(1, sizeof(*data));
	struct maker maker = {.profile = profile, .data = data, .diag = diag};
	struct tfp_span text = {(const char *)source->data, source->size};

	(void)step;
	data->source = source;
	if (!tfp_printed_read(&data->printed, text, job) || !data->printed.reports.count) {
		if (!tfp_job_cancelled(job))
			tfp_diag_add(diag, TFP_ERROR, source->path, -1, 0,
				     "no row of a report can be read");
		release(data);
		return false;
	}
	profile->format = "printed";
	tfp_profile_step(profile, 0,
			 tfp_strings_add_text(profile->strings, profile->files.at[file].path));
	make_all_metrics(&maker);
	add_reports(&maker);
	note_reports(&maker);
	tfp_array_free(&maker.above);
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .describe = describe,
						  .release = release,
						  .data = data,
					  });
	return true;
}

const struct tfp_loader tfp_printed_loader = {
	.name = "printed",
	.label = "printed report",
	.alone = true,
	.sniff = tfp_printed_sniff,
	.load = load,
};
