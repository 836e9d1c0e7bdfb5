/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of checkers, and two of them: how busy accelerators are, and which ops have a faster kind.
 */
#include "view/views/advise.h"

#include <stdlib.h>
#include <string.h>

#include "view/base.h"

static const struct {
	const char *name;
	bool (*check)(struct tfp_adviser *adviser);
} checkers[] = {
	{"AcceleratorUtilizationChecker", tfp_advise_accelerators},
	{"OperationChecker", tfp_advise_operations},
	{"ExpensiveOperationChecker", tfp_advise_expensive},
};

static void add(struct tfp_adviser *adviser, struct tfp_advice_line line)
{
	line.checker = adviser->checker;
	*tfp_array_push(&adviser->advice->list) = line;
}

void tfp_advise(struct tfp_adviser *adviser, const char *brief, const char *text,
		struct tfp_target target)
{
	add(adviser, (struct tfp_advice_line){.brief = brief, .text = text, .target = target});
}

void tfp_advise_skipped(struct tfp_adviser *adviser, const char *needs)
{
	add(adviser,
	    (struct tfp_advice_line){
		    .text = tfp_arena_printf(&adviser->advice->arena, "skipped: %s", needs),
		    .skipped = true,
	    });
}

bool tfp_engine_advise(struct tfp_engine *engine, bool compat, struct tfp_advice *advice,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_adviser adviser = {
		.engine = engine,
		.profile = tfp_engine_profile(engine),
		.compat = compat,
		.advice = advice,
		.job = job,
		.diag = diag,
	};
	bool done = true;

	*advice = (struct tfp_advice){0};
	if (!adviser.profile->tensorflow) {
		tfp_diag_error(diag, "advice is for profiles of TensorFlow; 0 on the screen, or "
				     "tfprof summary, shows what stands out in this one");
		return false;
	}
	for (size_t i = 0; i < sizeof(checkers) / sizeof(*checkers) && done; i++) {
		size_t before = advice->list.count;

		adviser.checker = checkers[i].name;
		done = checkers[i].check(&adviser);
		if (done && advice->list.count == before)
			add(&adviser, (struct tfp_advice_line){.text = "nothing to say"});
	}
	if (!done)
		tfp_advice_free(advice);
	return done;
}

void tfp_advice_free(struct tfp_advice *advice)
{
	tfp_array_free(&advice->list);
	tfp_arena_free(&advice->arena);
}

/* ---- accelerators ---------------------------------------------------------------------------- */

/* What ran on a device: in the latest step of each of its nodes. */
struct device {
	tfp_str name;
	struct tfp_span text;
	int64_t start, end, busy; /* us; start 0: not known */
};

#define LOW 0.5 /* of the time: below it an accelerator is hardly used */

static bool has(const struct tfp_profile *profile, tfp_str text, const char *part)
{
	return tfp_span_holds(tfp_strings_get(profile->strings, text), part);
}

static int compare_devices(const void *left, const void *right)
{
	const struct device *a = left, *b = right;

	return tfp_span_compare(a->text, b->text);
}

static void add_cell(struct device *device, const int64_t *cell)
{
	int64_t start = cell[TFP_CELL_ALL_START];

	if (start && (!device->start || start < device->start))
		device->start = start;
	if (cell[TFP_CELL_LATEST_END] > device->end)
		device->end = cell[TFP_CELL_LATEST_END];
	device->busy = tfp_wrap_add(device->busy, cell[TFP_CELL_ACCELERATOR_MICROS]);
}

static void tell_device(struct tfp_adviser *adviser, const struct device *device)
{
	struct tfp_arena *arena = &adviser->advice->arena;
	int64_t total = (int64_t)((uint64_t)device->end - (uint64_t)device->start);
	double busy = (double)device->busy / (double)total;
	const char *slash = memrchr(device->text.at, '/', device->text.size);
	const char *name = slash ? slash + 1 : device->text.at;
	int size = (int)(device->text.at + device->text.size - name);

	if (total <= 0)
		return;
	tfp_advise(adviser,
		   busy > 1
			   ? tfp_arena_printf(arena, "%.*s: kernels overlap, %.1fx the time in all",
					      size, name, busy)
			   : tfp_arena_printf(arena, "%.*s busy %.0f%%", size, name, 100 * busy),
		   tfp_arena_printf(arena,
				    "%.*s: %s%.2f of the time from its first op to its last are "
				    "spent in kernels%s",
				    (int)device->text.size, device->text.at,
				    busy < LOW ? "hardly used, " : "", busy,
				    busy > 1 ? ", which overlap" : ""),
		   (struct tfp_target){NULL, 0});
}

/* Is there time on accelerators that no device has, as in a timeline of sums? */
static bool has_sums(const struct tfp_profile *profile)
{
	for (uint32_t cell = 0; cell < profile->cells.count; cell++)
		if (profile->cells.value[(size_t)cell * profile->cell_columns +
					 TFP_CELL_ACCELERATOR_MICROS])
			return true;
	return false;
}

bool tfp_advise_accelerators(struct tfp_adviser *adviser)
{
	const struct tfp_profile *profile = adviser->profile;
	TFP_ARRAY(struct device) devices = {0};

	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		uint32_t cell = profile->nodes.cell[node];
		tfp_str name = profile->nodes.device[node];
		size_t i = 0;

		if (cell == TFP_NONE || !has(profile, name, "gpu"))
			continue;
		while (i < devices.count && devices.at[i].name != name)
			i++;
		if (i == devices.count)
			*tfp_array_push(&devices) = (struct device){
				.name = name, .text = tfp_strings_get(profile->strings, name)};
		add_cell(&devices.at[i],
			 profile->cells.value + (size_t)cell * profile->cell_columns);
	}
	if (devices.count)
		qsort(devices.at, devices.count, sizeof(*devices.at), compare_devices);
	for (size_t i = 0; i < devices.count; i++)
		tell_device(adviser, &devices.at[i]);
	if (!devices.count)
		tfp_advise_skipped(adviser,
				   has_sums(profile)
					   ? "needs when each op ran, and on which device: this "
					     "has sums of time on accelerators"
					   : "needs what ran on a GPU, made by a run with "
					     "RunOptions(trace_level=FULL_TRACE) there");
	tfp_array_free(&devices);
	return true;
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool says(const struct tfp_profile *profile, uint32_t node, const char *name,
		 const char *value)
{
	struct tfp_attributes attributes = {0};
	bool found = false;

	tfp_profile_attributes(profile, node, &attributes);
	for (size_t i = 0; i < attributes.list.count && !found; i++)
		found = !strcmp(attributes.list.at[i].name, name) &&
			!strcmp(attributes.list.at[i].value, value);
	tfp_attributes_free(&attributes);
	return found;
}

/* The first node whose batch normalization is of several ops; TFP_NONE if there is none, or a fused one. */
static uint32_t find_unfused(const struct tfp_profile *profile)
{
	tfp_str fused = tfp_strings_find(profile->strings, "FusedBatchNorm", 14);
	uint32_t found = TFP_NONE;

	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		if (fused && profile->nodes.op[node] == fused)
			return TFP_NONE;
		if (found == TFP_NONE && has(profile, profile->nodes.name[node], "BatchNorm"))
			found = node;
	}
	return found;
}

static uint32_t find_nhwc(const struct tfp_profile *profile)
{
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		if (has(profile, profile->nodes.device[node], "gpu") &&
		    says(profile, node, "data_format", "NHWC"))
			return node;
	return TFP_NONE;
}

static void advise_node(struct tfp_adviser *adviser, uint32_t node, const char *brief,
			const char *text)
{
	const struct tfp_profile *profile = adviser->profile;
	struct tfp_span name = tfp_strings_get(profile->strings, profile->nodes.name[node]);

	tfp_advise(adviser, brief,
		   tfp_arena_printf(&adviser->advice->arena, "%s: %.*s", text, (int)name.size,
				    name.at),
		   (struct tfp_target){"scope", tfp_key_name(name)});
}

bool tfp_advise_operations(struct tfp_adviser *adviser)
{
	uint32_t unfused = find_unfused(adviser->profile), nhwc = find_nhwc(adviser->profile);

	if (!adviser->profile->has_graph) {
		tfp_advise_skipped(adviser, "needs the graph, made by "
					    "tf.io.write_graph(graph, folder, name)");
		return true;
	}
	if (unfused != TFP_NONE)
		advise_node(adviser, unfused, "batch normalization is not fused",
			    "FusedBatchNorm is one op for what these BatchNorm scopes do in many");
	if (nhwc != TFP_NONE)
		advise_node(adviser, nhwc, "NHWC on a GPU",
			    "data_format NHWC on a GPU, where NCHW is mostly faster");
	return true;
}
