/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output "pprof": the code view as a profile for the pprof tool, sample by sample what
 * TensorFlow's profiler writes. A location is the line of a caller, with the function that it
 * calls; so the outermost frame of a stack has none.
 */
#include <stdlib.h>

#include "proto/pprof.pb-c.h"
#include "report/listing.h"
#include "report/outputs.h"
#include "report/packer.h"
#include "tfprof/lookup.h"

/* What a profile can be of: one selected metric. */
struct kind {
	const char *unit, *comment;
};

static const struct kind kinds[TFP_TF_METRICS] = {
	[TFP_TF_BYTES] = {"bytes",
			  "Sum of operation total memory requests, excluding deallocations."},
	[TFP_TF_PEAK_BYTES] = {"bytes", "Sum of operation peak memory usage."},
	[TFP_TF_RESIDUAL_BYTES] = {"bytes", "Sum of operation allocated memory after finish."},
	[TFP_TF_OUTPUT_BYTES] = {"bytes", "Sum of operation output size."},
	[TFP_TF_MICROS] = {"microseconds",
			   "Sum of accelerator execution time and cpu execution time."},
	[TFP_TF_ACCELERATOR_MICROS] = {"microseconds", "Accelerator execution time."},
	[TFP_TF_CPU_MICROS] = {"microseconds", "CPU execution time."},
	[TFP_TF_PARAMS] = {"count", "Model parameters."},
	[TFP_TF_FLOAT_OPS] = {"count", "Model float operations (Only available if defined)."},
};

struct function {
	tfp_str file, text; /* of struct maker's texts */
	int64_t start;
	int64_t name, filename; /* of the string table */
	uint64_t id;
};

struct location {
	tfp_str file, text;
	int64_t line;
	uint64_t id, function;
};

struct sample {
	tfp_str key;                   /* of the string table */
	int64_t label;                 /* likewise */
	uint32_t path_first, path_end; /* in struct maker's paths */
	int64_t value;
};

/* What a row at DEPTH adds to the path of those below it. */
struct step {
	uint32_t depth;
	uint64_t location;
};

struct maker {
	const struct tfp_profile *profile;
	const struct tfp_tree *tree;
	uint32_t metric, step;
	unsigned quirks;
	struct tfp_strings *table; /* the file's string table: ids are its indices */
	struct tfp_strings *texts; /* files and functions, by which parts are told apart */
	struct tfp_strings *keys;  /* of samples */
	struct tfp_lookup *function_table, *location_table;
	TFP_ARRAY(struct function) functions;
	TFP_ARRAY(struct location) locations;
	TFP_ARRAY(struct sample) samples;
	TFP_ARRAY(uint64_t) paths;   /* of samples, innermost first */
	TFP_ARRAY(struct step) path; /* of the row in hand, outermost first */
};

/* ---- functions and locations ----------------------------------------------------------------- */

static const struct tfp_frame *frame_of(const struct maker *maker, uint32_t row)
{
	uint32_t stack = maker->tree->base->stack[row];

	if (stack == TFP_NONE)
		return NULL;
	return &maker->profile->frames.at[maker->profile->stacks.at[stack].frame];
}

/* The function of ROW; in the path of a gradient it says so. */
static tfp_str function_text(struct maker *maker, uint32_t row, const struct tfp_frame *frame)
{
	static const char mark[] = " (gradient)";
	size_t size = sizeof(mark) - 1;
	struct tfp_span label = tfp_base_label(maker->tree->base, row);
	struct tfp_span name = tfp_strings_get(maker->profile->strings, frame->function);
	char *text;
	tfp_str id;

	if (label.size < size || memcmp(label.at + label.size - size, mark, size) != 0)
		return tfp_strings_add(maker->texts, name.at, name.size);
	text = tfp_alloc(name.size + size + 1);
	memcpy(text, name.at, name.size);
	memcpy(text + name.size, mark, size);
	id = tfp_strings_add(maker->texts, text, name.size + size);
	free(text);
	return id;
}

/* "module:function": the file's name without folders and suffix. */
static int64_t add_name(struct maker *maker, struct tfp_span file, struct tfp_span function)
{
	const char *slash = file.size ? memrchr(file.at, '/', file.size) : NULL, *dot;
	struct tfp_arena arena = {0};
	char *text;
	tfp_str id;

	if (slash)
		file = (struct tfp_span){slash + 1, (size_t)(file.at + file.size - slash - 1)};
	dot = file.size ? memrchr(file.at, '.', file.size) : NULL;
	if (dot)
		file.size = (size_t)(dot - file.at);
	text = tfp_arena_alloc(&arena, file.size + function.size + 1);
	memcpy(text, file.at, file.size);
	text[file.size] = ':';
	memcpy(text + file.size + 1, function.at, function.size);
	id = tfp_strings_add(maker->table, text, file.size + function.size + 1);
	tfp_arena_free(&arena);
	return id;
}

static uint64_t find_function(struct maker *maker, tfp_str file, tfp_str text, int64_t start)
{
	uint32_t hash = tfp_lookup_mix(((uint64_t)file << 32 | text) ^ ((uint64_t)start << 20));
	struct tfp_span path = tfp_strings_get(maker->texts, file);
	uint32_t found;

	TFP_LOOKUP_EACH(found, maker->function_table, hash) {
		const struct function *function = &maker->functions.at[found];

		if (function->file == file && function->text == text && function->start == start)
			return function->id;
	}
	found = (uint32_t)maker->functions.count;
	tfp_lookup_add(maker->function_table, hash, found);
	*tfp_array_push(&maker->functions) = (struct function){
		.file = file,
		.text = text,
		.start = start,
		.id = found + 1,
		.name = add_name(maker, path, tfp_strings_get(maker->texts, text)),
	};
	maker->functions.at[found].filename = tfp_strings_add(maker->table, path.at, path.size);
	return found + 1;
}

static tfp_str file_text(struct maker *maker, const struct tfp_frame *frame)
{
	struct tfp_span file = tfp_strings_get(maker->profile->strings, frame->file);

	return tfp_strings_add(maker->texts, file.at, file.size);
}

/* The line of CALLER that calls ROW, whose frame is CALLEE. */
static uint64_t find_location(struct maker *maker, const struct tfp_frame *caller, uint32_t row,
			      const struct tfp_frame *callee)
{
	tfp_str file = file_text(maker, caller), text = function_text(maker, row, callee);
	uint32_t hash =
		tfp_lookup_mix(((uint64_t)file << 32 | text) ^ ((uint64_t)caller->line << 20));
	uint32_t found;

	TFP_LOOKUP_EACH(found, maker->location_table, hash) {
		const struct location *location = &maker->locations.at[found];

		if (location->file == file && location->text == text &&
		    location->line == caller->line)
			return location->id;
	}
	found = (uint32_t)maker->locations.count;
	tfp_lookup_add(maker->location_table, hash, found);
	*tfp_array_push(&maker->locations) = (struct location){
		.file = file,
		.text = text,
		.line = caller->line,
		.id = found + 1,
		.function =
			find_function(maker, file_text(maker, callee), text, callee->start_line),
	};
	return found + 1;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The node's name, with so many '@' behind it that no other sample has the same. */
static tfp_str sample_key(struct maker *maker, struct tfp_span name)
{
	char *text = tfp_alloc(name.size + 1);
	size_t size = name.size, count;
	tfp_str key;

	memcpy(text, name.at, size);
	for (;;) {
		count = tfp_strings_count(maker->keys);
		key = tfp_strings_add(maker->keys, text, size);
		if (key >= count)
			break;
		text = tfp_realloc_array(text, size + 2, 1);
		text[size++] = '@';
	}
	free(text);
	return key;
}

static void add_sample(struct maker *maker, uint32_t node)
{
	struct tfp_span name =
		tfp_strings_get(maker->profile->strings, maker->profile->nodes.name[node]);
	int64_t values[TFP_MAX_METRICS];
	struct sample sample = {.path_first = (uint32_t)maker->paths.count};

	tfp_profile_values(maker->profile, node, maker->step, maker->quirks, values);
	sample.key = sample_key(maker, name);
	sample.value = values[maker->metric];
	for (size_t i = maker->path.count; i-- > 0;)
		*tfp_array_push(&maker->paths) = maker->path.at[i].location;
	sample.path_end = (uint32_t)maker->paths.count;
	tfp_strings_add_text(maker->table, "graph node:");
	sample.label = tfp_strings_add(maker->table, name.at, name.size);
	*tfp_array_push(&maker->samples) = sample;
}

static int compare_names(const void *left, const void *right, void *data)
{
	const struct tfp_profile *profile = data;

	return tfp_span_compare(
		tfp_strings_get(profile->strings, profile->nodes.name[*(const uint32_t *)left]),
		tfp_strings_get(profile->strings, profile->nodes.name[*(const uint32_t *)right]));
}

/* Samples of the nodes that hang on ROW, by name. */
static void add_nodes(struct maker *maker, uint32_t row)
{
	const struct tfp_base *base = maker->tree->base;
	uint32_t count = base->pick_first[row + 1] - base->pick_first[row];
	uint32_t *nodes;

	if (!count)
		return;
	nodes = tfp_realloc_array(NULL, count, sizeof(*nodes));
	memcpy(nodes, base->picks + base->pick_first[row], count * sizeof(*nodes));
	qsort_r(nodes, count, sizeof(*nodes), compare_names, (void *)(uintptr_t)maker->profile);
	for (uint32_t i = 0; i < count; i++)
		add_sample(maker, nodes[i]);
	tfp_array_release(nodes);
}

/* Samples of all that hangs on the leaves below ROW, shown or not. */
static void add_leaves(struct maker *maker, uint32_t row)
{
	const struct tfp_base *base = maker->tree->base;

	for (uint32_t leaf = row; leaf < base->end[row]; leaf++)
		if (base->end[leaf] == leaf + 1)
			add_nodes(maker, leaf);
}

static void take_row(struct maker *maker, const struct tfp_table_row *row)
{
	const struct tfp_frame *frame = frame_of(maker, row->row);
	const struct tfp_frame *caller = row->depth ? frame_of(maker, row->above) : NULL;

	while (maker->path.count && maker->path.at[maker->path.count - 1].depth >= row->depth)
		maker->path.count--;
	if (caller && frame)
		*tfp_array_push(&maker->path) =
			(struct step){row->depth, find_location(maker, caller, row->row, frame)};
	if (frame && !maker->tree->child_count[row->row])
		add_leaves(maker, row->row);
}

/* ---- order of emission ----------------------------------------------------------------------- */

static int compare_texts(const struct maker *maker, tfp_str a, tfp_str b)
{
	return tfp_span_compare(tfp_strings_get(maker->texts, a), tfp_strings_get(maker->texts, b));
}

/* Lines are told apart without a sign: unknown ones come last. */
static int compare_lines(int64_t a, int64_t b)
{
	return (uint64_t)a < (uint64_t)b ? -1 : (uint64_t)a > (uint64_t)b;
}

static int compare_functions(const void *left, const void *right, void *data)
{
	const struct function *a = left, *b = right;
	int order = compare_texts(data, a->file, b->file);

	order = order ? order : compare_texts(data, a->text, b->text);
	return order ? order : compare_lines(a->start, b->start);
}

static int compare_locations(const void *left, const void *right, void *data)
{
	const struct location *a = left, *b = right;
	int order = compare_texts(data, a->file, b->file);

	order = order ? order : compare_texts(data, a->text, b->text);
	return order ? order : compare_lines(a->line, b->line);
}

static int compare_samples(const void *left, const void *right, void *data)
{
	const struct sample *a = left, *b = right;
	const struct maker *maker = data;

	return tfp_span_compare(tfp_strings_get(maker->keys, a->key),
				tfp_strings_get(maker->keys, b->key));
}

static void sort_all(struct maker *maker)
{
	if (maker->functions.count)
		qsort_r(maker->functions.at, maker->functions.count, sizeof(struct function),
			compare_functions, maker);
	if (maker->locations.count)
		qsort_r(maker->locations.at, maker->locations.count, sizeof(struct location),
			compare_locations, maker);
	if (maker->samples.count)
		qsort_r(maker->samples.at, maker->samples.count, sizeof(struct sample),
			compare_samples, maker);
}

/* ---- the file -------------------------------------------------------------------------------- */

/*
 * The messages are packed one by one, as repeated fields of a profile that has nothing else: so the
 * file is never whole in memory, and its fields still come in the order of their numbers.
 */
static void pack_sample(const struct maker *maker, struct tfp_packer *packer,
			const struct sample *sample)
{
	int64_t values[] = {1, sample->value};
	Tfp__Label label = TFP__LABEL__INIT, *labels[] = {&label};
	Tfp__Sample message = TFP__SAMPLE__INIT, *messages[] = {&message};
	Tfp__Profile profile = TFP__PROFILE__INIT;

	label.has_key = label.has_str = true;
	label.key = tfp_strings_find(maker->table, "graph node:", 11);
	label.str = sample->label;
	message.n_location_id = sample->path_end - sample->path_first;
	message.location_id = maker->paths.at + sample->path_first;
	message.n_value = 2;
	message.value = values;
	message.n_label = 1;
	message.label = labels;
	profile.n_sample = 1;
	profile.sample = messages;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

static void pack_location(struct tfp_packer *packer, const struct location *location)
{
	Tfp__Line line = TFP__LINE__INIT, *lines[] = {&line};
	Tfp__Location message = TFP__LOCATION__INIT, *messages[] = {&message};
	Tfp__Profile profile = TFP__PROFILE__INIT;

	line.has_function_id = true;
	line.function_id = location->function;
	line.has_line = location->line != 0;
	line.line = location->line;
	message.has_id = true;
	message.id = location->id;
	message.n_line = 1;
	message.line = lines;
	profile.n_location = 1;
	profile.location = messages;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

static void pack_function(struct tfp_packer *packer, const struct function *function)
{
	Tfp__Function message = TFP__FUNCTION__INIT, *messages[] = {&message};
	Tfp__Profile profile = TFP__PROFILE__INIT;

	message.has_id = message.has_name = true;
	message.id = function->id;
	message.name = function->name;
	message.has_filename = function->filename != 0;
	message.filename = function->filename;
	message.has_start_line = function->start != 0;
	message.start_line = function->start;
	profile.n_function = 1;
	profile.function = messages;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

static void pack_string(struct tfp_packer *packer, struct tfp_span text)
{
	ProtobufCBinaryData string = {text.size, (uint8_t *)(uintptr_t)text.at};
	Tfp__Profile profile = TFP__PROFILE__INIT;

	profile.n_string_table = 1;
	profile.string_table = &string;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

static void pack_type(struct tfp_packer *packer, int64_t type, int64_t unit)
{
	Tfp__ValueType message = TFP__VALUE_TYPE__INIT, *messages[] = {&message};
	Tfp__Profile profile = TFP__PROFILE__INIT;

	message.has_type = message.has_unit = true;
	message.type = type;
	message.unit = unit;
	profile.n_sample_type = 1;
	profile.sample_type = messages;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

static void pack_all(struct maker *maker, struct tfp_packer *packer)
{
	const struct kind *kind = &kinds[maker->metric];
	const char *key = maker->profile->metrics[maker->metric].key;
	int64_t count = tfp_strings_add_text(maker->table, "count");
	int64_t type = tfp_strings_add_text(maker->table, key);
	int64_t unit = tfp_strings_add_text(maker->table, kind->unit);
	int64_t comment = tfp_strings_add_text(maker->table, kind->comment);
	Tfp__Profile profile = TFP__PROFILE__INIT;

	pack_type(packer, count, count);
	pack_type(packer, type, unit);
	for (size_t i = 0; i < maker->samples.count; i++)
		pack_sample(maker, packer, &maker->samples.at[i]);
	for (size_t i = 0; i < maker->locations.count; i++)
		pack_location(packer, &maker->locations.at[i]);
	for (size_t i = 0; i < maker->functions.count; i++)
		pack_function(packer, &maker->functions.at[i]);
	for (tfp_str i = 0; i < tfp_strings_count(maker->table); i++)
		pack_string(packer, tfp_strings_get(maker->table, i));
	profile.n_comment = 1;
	profile.comment = &comment;
	protobuf_c_message_pack_to_buffer(&profile.base, &packer->buffer);
}

static bool write_packed(struct tfp_writer *writer, void *data)
{
	struct tfp_packer packer;

	if (!tfp_packer_start(&packer, writer, true))
		return false;
	pack_all(data, &packer);
	return tfp_packer_end(&packer);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void free_maker(struct maker *maker)
{
	tfp_strings_free(maker->table);
	tfp_strings_free(maker->texts);
	tfp_strings_free(maker->keys);
	tfp_lookup_free(maker->function_table);
	tfp_lookup_free(maker->location_table);
	tfp_array_free(&maker->functions);
	tfp_array_free(&maker->locations);
	tfp_array_free(&maker->samples);
	tfp_array_free(&maker->paths);
	tfp_array_free(&maker->path);
}

static bool write_tree(const struct tfp_output_task *task, const struct tfp_tree *tree,
		       uint32_t metric)
{
	const struct tfp_profile *profile = tfp_engine_profile(task->engine);
	struct maker maker = {
		.profile = profile,
		.tree = tree,
		.metric = metric,
		.step = task->query->step < 0 ? TFP_STEP_MEAN
					      : tfp_profile_find_step(profile, task->query->step),
		.quirks = task->query->compat ? TFP_QUIRKS_TF : 0,
		.table = tfp_strings_new(),
		.texts = tfp_strings_new(),
		.keys = tfp_strings_new(),
		.function_table = tfp_lookup_new(),
		.location_table = tfp_lookup_new(),
	};
	struct tfp_listing listing;
	struct tfp_table_row row;
	bool done;

	tfp_listing_start(&listing, tree);
	while (tfp_listing_next(&listing, &row))
		take_row(&maker, &row);
	tfp_listing_free(&listing);
	sort_all(&maker);
	done = tfp_output_file(task, task->output->outfile, "pprof", write_packed, &maker);
	free_maker(&maker);
	return done;
}

/* The one metric that is selected; TFP_NONE with an error when there is not one. */
static uint32_t find_metric(const struct tfp_output_task *task)
{
	const struct tfp_profile *profile = tfp_engine_profile(task->engine);
	const char *selected[2];
	uint32_t metric;

	if (tfp_query_selected(task->query, profile, selected, 2) != 1) {
		tfp_diag_error(task->diag, "--output=pprof needs one metric: --select=micros");
		return TFP_NONE;
	}
	metric = tfp_profile_find_metric(profile, selected[0]);
	if (metric < TFP_TF_METRICS && kinds[metric].unit)
		return metric;
	tfp_diag_error(task->diag,
		       "--output=pprof can't be of %s; of bytes, times, params or float_ops",
		       selected[0]);
	return TFP_NONE;
}

bool tfp_pprof_fits(const struct tfp_base *base)
{
	return base->tensorflow && !strcmp(base->view->name, "code");
}

bool tfp_pprof_write(const struct tfp_output_task *task)
{
	struct tfp_profile *profile = tfp_engine_profile(task->engine);
	uint32_t metric;
	struct tfp_tree *tree;
	bool done;

	if (!profile->tensorflow || strcmp(task->query->view, "code") != 0) {
		tfp_diag_error(task->diag,
			       "--output=pprof is for the code view of TensorFlow's profiles");
		return false;
	}
	metric = find_metric(task);
	if (metric == TFP_NONE ||
	    (metric == TFP_TF_PARAMS &&
	     !tfp_profile_need(profile, TFP_PART_SHAPES, task->job, task->diag)))
		return false;
	tree = tfp_engine_run(task->engine, task->query, task->job, task->diag);
	done = tree && write_tree(task, tree, metric);
	tfp_tree_release(tree);
	return done;
}
