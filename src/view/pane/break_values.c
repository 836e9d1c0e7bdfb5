/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown into values: what a checkpoint holds of the variable that has the name of the row. Statistics
 * of all of it, a histogram, and a page of the values themselves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/pane/breakdown.h"
#include "view/engine.h"

#define PAGE_LINES  256  /* of values, in one page */
#define LINE_VALUES 8    /* at most; a line never goes beyond the last dimension */
#define TEXT_MOST   4000 /* bytes of a string that are shown: more than a screen can be pushed by */
#define BAR_CELLS   40
#define MOST_BARS   16
#define MOST_ROWS   (PAGE_LINES + MOST_BARS + 32)

uint32_t tfp_tree_tensor(const struct tfp_tree *tree, const struct tfp_profile *profile,
			 uint32_t row)
{
	struct tfp_span label = tfp_base_label(tree->base, row);
	tfp_str name;

	if (!row || !profile->tensors.count)
		return TFP_NONE;
	name = tfp_strings_find(profile->strings, label.at, label.size);
	return name == TFP_NONE ? TFP_NONE : tfp_profile_find_tensor(profile, name);
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* What is being shown. */
struct showing {
	struct tfp_work *work;
	struct tfp_breakdown *out;
	struct tfp_values *values;
	const struct tfp_tensor *tensor;
	const struct tfp_dtype *dtype;
	const int64_t *dims;
	size_t rank;
	size_t room;     /* for rows */
	size_t problems; /* that are shown */
};

static void make_room(struct showing *showing, size_t room)
{
	struct tfp_breakdown *out = showing->out;

	out->rows = tfp_arena_alloc(&out->arena, (room + 1) * sizeof(*out->rows));
	showing->room = room;
}

static void add(struct showing *showing, const char *label, const char *text)
{
	if (showing->out->count == showing->room)
		return;
	showing->out->rows[showing->out->count++] = (struct tfp_breakdown_row){
		.label = label,
		.text = text,
		.share = -1,
		.runs = -1,
		.defined = -1,
		.node = TFP_NONE,
	};
}

#define TEXT(showing, ...) tfp_arena_printf(&(showing)->out->arena, __VA_ARGS__)

/* The reason comes first, and of the file its name alone: a line of a pane ends soon. */
static const char *damage_text(struct showing *showing, const struct tfp_problem *problem)
{
	const char *text = problem->text, *file = tfp_path_name(problem->file ? problem->file : "");
	struct tfp_span name =
		tfp_strings_get(showing->work->build.profile->strings, showing->tensor->name);

	if (!strncmp(text, name.at, name.size) && !strncmp(text + name.size, ": ", 2))
		text += name.size + 2;
	if (!*file)
		return TEXT(showing, "%s", text);
	if (problem->offset < 0)
		return TEXT(showing, "%s (in %s)", text, file);
	return TEXT(showing, "%s (in %s from byte %lld on)", text, file,
		    (long long)problem->offset);
}

/* What was found wrong and is not yet shown. */
static void add_problems(struct showing *showing, const struct tfp_diag *diag)
{
	for (size_t i = showing->problems; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		add(showing, "damage", damage_text(showing, &problem));
	}
	showing->problems = tfp_diag_count(diag);
}

/* "float 3x4: 12 elements, 48B" */
static const char *shape_text(struct showing *showing, const struct tfp_tensor *tensor)
{
	const struct tfp_profile *profile = showing->work->build.profile;
	char size[TFP_NUMBER_ROOM], elements[TFP_NUMBER_ROOM], shape[256] = "shape unknown";
	const char *slices = "";

	if (tensor->shape != TFP_NONE &&
	    !tfp_profile_shape_text(profile, tensor->shape, shape, sizeof(shape)))
		snprintf(shape, sizeof(shape), "scalar");
	if (tensor->slices > 1)
		slices = TEXT(showing, ", in %u slices", tensor->slices);
	tfp_number_screen(size, TFP_BYTES, (int64_t)tensor->bytes);
	tfp_number_exact(elements, (int64_t)tensor->elements);
	return TEXT(showing, "%s %s: %s element%s, %s%s", tfp_dtype_of(tensor->dtype)->name, shape,
		    elements, tensor->elements == 1 ? "" : "s", size, slices);
}

/* ---- statistics --------------------------------------------------------------------------------- */

static const char *scalar_text(struct showing *showing, struct tfp_scalar scalar)
{
	char text[TFP_SCALAR_ROOM];

	return TEXT(showing, "%s", tfp_scalar_text(text, showing->dtype, scalar));
}

static const char *count_text(struct showing *showing, uint64_t count)
{
	char text[TFP_NUMBER_ROOM];

	return TEXT(showing, "%s", tfp_number_exact(text, (int64_t)count));
}

static void add_numbers(struct showing *showing, const struct tfp_measures *measures)
{
	bool complex = measures->mean.element == TFP_ELEMENT_COMPLEX;

	if (measures->finite && !complex) {
		add(showing, "least", scalar_text(showing, measures->min));
		add(showing, "most", scalar_text(showing, measures->max));
	}
	if (measures->finite && complex)
		add(showing, "mean",
		    TEXT(showing, "%.9g%+.9gi", measures->mean.real, measures->mean.imaginary));
	else if (measures->finite)
		add(showing, "mean", TEXT(showing, "%.9g", measures->mean.real));
	add(showing, "zeros", count_text(showing, measures->zeros));
	if (showing->dtype->element == TFP_ELEMENT_REAL || complex) {
		add(showing, "NaN", count_text(showing, measures->nan));
		add(showing, "infinite", count_text(showing, measures->infinite));
	}
}

static void add_strings(struct showing *showing, const struct tfp_measures *measures)
{
	add(showing, "bytes", count_text(showing, measures->length));
	if (measures->elements)
		add(showing, "lengths",
		    TEXT(showing, "%s to %s", count_text(showing, measures->shortest),
			 count_text(showing, measures->longest)));
}

/* A line of signs in proportion to COUNT of MOST; something where there is anything. */
static const char *bar_text(struct showing *showing, uint64_t count, uint64_t most)
{
	double part = most ? (double)count / (double)most : 0;
	int cells = count ? (int)ceil(part * BAR_CELLS) : 0;

	return TEXT(showing, "%.*s %s", cells, "########################################",
		    count_text(showing, count));
}

/* One bar of each two, until a pane has room for them. */
static void narrow(struct tfp_histogram *histogram)
{
	while (histogram->count > MOST_BARS) {
		uint64_t bars[TFP_HISTOGRAM_BARS] = {0};
		int64_t first = histogram->first >> 1;
		size_t to = 0;

		for (size_t i = 0; i < histogram->count; i++) {
			to = (size_t)(((histogram->first + (int64_t)i) >> 1) - first);
			bars[to] += histogram->bars[i];
		}
		memcpy(histogram->bars, bars, sizeof(bars));
		histogram->first = first;
		histogram->count = to + 1;
		histogram->width *= 2;
	}
}

static void add_histogram(struct showing *showing, struct tfp_histogram *histogram)
{
	uint64_t most = 0;

	narrow(histogram);
	for (size_t i = 0; i < histogram->count; i++)
		if (histogram->bars[i] > most)
			most = histogram->bars[i];
	for (size_t i = 0; i < histogram->count; i++)
		add(showing,
		    TEXT(showing, "from %.6g",
			 ((double)histogram->first + (double)i) * histogram->width),
		    bar_text(showing, histogram->bars[i], most));
}

static bool add_statistics(struct showing *showing, struct tfp_diag *diag)
{
	struct tfp_measures measures;

	if (!tfp_values_measure(showing->values, &measures, showing->work->build.job, diag))
		return false;
	add_problems(showing, diag);
	if (showing->dtype->element == TFP_ELEMENT_STRING)
		add_strings(showing, &measures);
	else
		add_numbers(showing, &measures);
	if (measures.right)
		add(showing, "checksum", "right");
	if (showing->tensor->elements > 1)
		add_histogram(showing, &measures.histogram);
	return true;
}

/* ---- the values --------------------------------------------------------------------------------- */

/* "[2,1,0]" of element NUMBER. */
static const char *place_text(struct showing *showing, uint64_t number)
{
	const char *text = "";

	for (size_t i = showing->rank; i-- > 0;) {
		uint64_t dim = (uint64_t)showing->dims[i];

		text = TEXT(showing, "%llu%s%s", (unsigned long long)(number % dim),
			    *text ? "," : "", text);
		number /= dim;
	}
	return TEXT(showing, "[%s]", text);
}

static const char *element_text(struct showing *showing, const struct tfp_elements *elements,
				size_t i)
{
	const struct tfp_string *string;

	if (showing->dtype->element != TFP_ELEMENT_STRING)
		return scalar_text(showing,
				   tfp_scalar_of(showing->dtype,
						 elements->bytes.at + i * showing->dtype->size));
	string = &elements->texts.at[i];
	return TEXT(showing, "'%.*s%s", (int)string->size,
		    (const char *)elements->bytes.at + string->at,
		    string->size < string->length ? "..." : "'");
}

/* Elements in a line, and lines in all. */
static uint64_t line_size(const struct showing *showing)
{
	uint64_t last = showing->rank ? (uint64_t)showing->dims[showing->rank - 1] : 1;

	if (showing->dtype->element == TFP_ELEMENT_STRING || !last)
		return 1;
	return last < LINE_VALUES ? last : LINE_VALUES;
}

static uint64_t count_lines(const struct showing *showing)
{
	uint64_t last = showing->rank ? (uint64_t)showing->dims[showing->rank - 1] : 1;
	uint64_t size = line_size(showing);

	return showing->tensor->elements
		       ? showing->tensor->elements / last * ((last + size - 1) / size)
		       : 0;
}

/* So that numbers stand below one another. */
static int cells_of(const struct tfp_dtype *dtype)
{
	if (dtype->element == TFP_ELEMENT_REAL)
		return dtype->size == 8 ? 22 : 13;
	return dtype->element == TFP_ELEMENT_STRING || dtype->element == TFP_ELEMENT_COMPLEX ? 0
											     : 4;
}

/* Adds line NUMBER. False when its elements can't be read. */
static bool add_line(struct showing *showing, uint64_t number, struct tfp_elements *elements,
		     struct tfp_diag *diag)
{
	uint64_t last = showing->rank ? (uint64_t)showing->dims[showing->rank - 1] : 1;
	uint64_t size = line_size(showing), lines = (last + size - 1) / size;
	uint64_t from = number % lines * size;
	uint64_t first = number / lines * last + from;
	const char *text = "";

	if (size > last - from)
		size = last - from;
	if (!tfp_values_read(showing->values, first, (size_t)size, elements,
			     showing->work->build.job, diag))
		return false;
	for (size_t i = 0; i < elements->count; i++)
		text = TEXT(showing, "%s%*s%s", text, cells_of(showing->dtype),
			    element_text(showing, elements, i), i + 1 < elements->count ? " " : "");
	add(showing, place_text(showing, first), text);
	return true;
}

/* The page that the engine was turned to. */
static bool add_page(struct showing *showing, struct tfp_diag *diag)
{
	struct tfp_elements elements = {.most = TEXT_MOST};
	uint64_t lines = count_lines(showing), page = showing->work->build.engine->page;
	bool good = true;

	showing->out->pages = (lines + PAGE_LINES - 1) / PAGE_LINES;
	if (page >= showing->out->pages)
		page = showing->out->pages ? showing->out->pages - 1 : 0;
	showing->out->page = page;
	if (showing->out->pages > 1)
		showing->out->note =
			TEXT(showing,
			     "page %llu of %llu of the values: the cursor turns it at "
			     "either end",
			     (unsigned long long)page + 1, (unsigned long long)showing->out->pages);
	for (uint64_t i = page * PAGE_LINES; i < lines && i < (page + 1) * PAGE_LINES && good; i++)
		good = add_line(showing, i, &elements, diag);
	tfp_elements_free(&elements);
	return good;
}

void tfp_engine_turn(struct tfp_engine *engine, uint64_t page)
{
	engine->page = page;
}

/* ---- all ---------------------------------------------------------------------------------------- */

static void show(struct showing *showing, uint32_t index, struct tfp_diag *diag)
{
	const struct tfp_profile *profile = showing->work->build.profile;
	uint32_t shape = profile->tensors.at[index].shape;

	if (shape != TFP_NONE) {
		showing->dims = profile->dims.at + profile->shape_first.at[shape];
		showing->rank = profile->shape_first.at[shape + 1] - profile->shape_first.at[shape];
		add(showing, "shape", shape_text(showing, showing->tensor));
	}
	showing->values = tfp_values_open(profile, index, showing->work->build.job, diag);
	if (!showing->values)
		return;
	/* Later pages are what somebody turned to: the rest was seen before. */
	if (showing->work->build.engine->page || add_statistics(showing, diag))
		add_page(showing, diag);
	tfp_values_close(showing->values);
}

/* NODE, a variable, without the SCOPE that it is in. */
static void add_variable(struct showing *showing, uint32_t node, struct tfp_span scope)
{
	const struct tfp_profile *profile = showing->work->build.profile;
	const char *name = tfp_strings_text(profile->strings, profile->nodes.name[node]);
	uint32_t at = tfp_profile_find_tensor(profile, profile->nodes.name[node]);

	if (scope.size && !strncmp(name, scope.at, scope.size) && name[scope.size] == '/')
		name += scope.size + 1;
	add(showing, name, shape_text(showing, &profile->tensors.at[at]));
	showing->out->rows[showing->out->count - 1].node = node;
}

static const char *variables_text(struct showing *showing, size_t count, size_t shown)
{
	char all[TFP_NUMBER_ROOM], most[TFP_NUMBER_ROOM];

	tfp_number_exact(all, (int64_t)count);
	tfp_number_exact(most, (int64_t)shown);
	if (shown < count)
		return TEXT(showing, "%s variables, of which these are the %s largest", all, most);
	return TEXT(showing, "%s variable%s", all, count == 1 ? "" : "s");
}

/* The variables below a scope, the largest first. */
static void list_variables(struct showing *showing)
{
	struct tfp_work *work = showing->work;
	const struct tfp_profile *profile = work->build.profile;
	struct tfp_rank *items = tfp_realloc_array(NULL, work->nodes.count, sizeof(*items));
	struct tfp_span scope = tfp_base_label(work->tree->base, work->row);
	size_t count = 0, most;

	for (size_t i = 0; i < work->nodes.count && !tfp_work_stopped(work, i); i++) {
		uint32_t at =
			tfp_profile_find_tensor(profile, profile->nodes.name[work->nodes.at[i]]);

		if (at != TFP_NONE)
			items[count++] = (struct tfp_rank){(int64_t)profile->tensors.at[at].bytes,
							   work->nodes.at[i]};
	}
	most = tfp_rank_largest(items, count);
	make_room(showing, most);
	for (size_t i = 0; i < most; i++)
		add_variable(showing, items[i].id, work->row ? scope : TFP_SPAN(""));
	work->out->note = count ? variables_text(showing, count, most)
				: "the checkpoint has no variable of this name";
	free(items);
}

bool tfp_break_values(struct tfp_work *work)
{
	uint32_t index = tfp_tree_tensor(work->tree, work->build.profile, work->row);
	struct showing showing = {.work = work, .out = work->out};
	struct tfp_diag *diag;

	if (index == TFP_NONE) {
		list_variables(&showing);
		return !tfp_job_cancelled(work->build.job);
	}
	diag = tfp_diag_new();
	make_room(&showing, MOST_ROWS);
	showing.tensor = &work->build.profile->tensors.at[index];
	showing.dtype = tfp_dtype_of(showing.tensor->dtype);
	show(&showing, index, diag);
	add_problems(&showing, diag);
	if (work->build.diag)
		tfp_diag_take(work->build.diag, diag);
	tfp_diag_free(diag);
	return !tfp_job_cancelled(work->build.job);
}
