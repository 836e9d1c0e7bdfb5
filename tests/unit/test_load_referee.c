/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf-c as the referee: each bundled file is also unpacked by its generated code, and what
 * both read must agree in count and in sum.
 */
#include "load_help.h"

#include <setjmp.h>

#include <cmocka.h>

#include "proto/graph.pb-c.h"
#include "proto/step_stats.pb-c.h"
#include "proto/tfprof_log.pb-c.h"

static const char *const networks[] = {"tiny", "rnn", "resnet32"};
#define NETWORKS (sizeof(networks) / sizeof(*networks))

static struct tfp_source *open_file(const char *network, const char *file)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source;
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.gz", network, file);
	source = open_fixture(path, diag);
	tfp_diag_free(diag);
	return source;
}

/* Loads FILE of the network if it is bundled. */
static bool load_file(struct tfp_profile *profile, const char *network, const char *file,
		      const char *loader, int64_t step)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = open_file(network, file);
	bool there = source != NULL;

	if (there) {
		assert_true(load_source(profile, loader, source, step, diag));
		assert_true(tfp_profile_need(profile, 0, NULL, diag));
		assert_int_equal(tfp_diag_count(diag), 0);
	}
	tfp_diag_free(diag);
	return there;
}

static struct tfp_profile *new_profile(void)
{
	struct tfp_profile *profile = tfp_profile_new();

	tfp_profile_make_tensorflow(profile);
	return profile;
}

static void need(struct tfp_profile *profile)
{
	struct tfp_diag *diag = tfp_diag_new();

	assert_true(tfp_profile_need(profile, 15, NULL, diag));
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_diag_free(diag);
}

static void *unpack(const char *network, const char *file,
		    const ProtobufCMessageDescriptor *descriptor)
{
	struct tfp_source *source = open_file(network, file);
	void *message = NULL;

	if (source)
		message = protobuf_c_message_unpack(descriptor, NULL, source->size, source->data);
	if (source)
		tfp_source_free(source);
	return message;
}

static bool bytes_are(ProtobufCBinaryData bytes, const char *text)
{
	return bytes.len == strlen(text) && !memcmp(bytes.data, text, bytes.len);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

struct graph_sums {
	size_t nodes, inputs, outputs;
	int64_t dims, parameters;
};

static void add_dims(struct graph_sums *sums, const Tfp__TensorShapeProto *shape)
{
	sums->outputs++;
	for (size_t i = 0; i < shape->n_dim; i++)
		sums->dims += shape->dim[i]->size;
	if (!shape->n_dim && !shape->unknown_rank)
		sums->dims++;
}

static int64_t parameters_of(const Tfp__TensorShapeProto *shape)
{
	int64_t product = 1;

	for (size_t i = 0; i < shape->n_dim; i++)
		product *= shape->dim[i]->size < 0 ? 0 : shape->dim[i]->size;
	return shape->n_dim || !shape->unknown_rank ? product : 0;
}

static void add_attr(struct graph_sums *sums, const Tfp__NodeDef__AttrEntry *attr)
{
	const Tfp__AttrValue *value = attr->value;

	if (bytes_are(attr->key, "shape") && value->shape)
		sums->parameters += parameters_of(value->shape);
	if (bytes_are(attr->key, "_output_shapes") && value->list)
		for (size_t i = 0; i < value->list->n_shape; i++)
			add_dims(sums, value->list->shape[i]);
}

static struct graph_sums referee_graph(const Tfp__GraphDef *graph)
{
	struct graph_sums sums = {.nodes = graph->n_node};

	for (size_t i = 0; i < graph->n_node; i++) {
		sums.inputs += graph->node[i]->n_input;
		for (size_t k = 0; k < graph->node[i]->n_attr; k++)
			add_attr(&sums, graph->node[i]->attr[k]);
	}
	return sums;
}

static struct graph_sums our_graph(struct tfp_profile *profile)
{
	struct graph_sums sums = {.nodes = profile->nodes.count,
				  .inputs = profile->inputs.count,
				  .outputs = profile->output_shape.count};
	int64_t values[TFP_MAX_METRICS];

	for (size_t i = 0; i < profile->output_shape.count; i++) {
		uint32_t shape = profile->output_shape.at[i];

		for (uint32_t k = shape == TFP_NONE ? 0 : profile->shape_first.at[shape];
		     shape != TFP_NONE && k < profile->shape_first.at[shape + 1]; k++)
			sums.dims += profile->dims.at[k];
	}
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		tfp_profile_values(profile, node, 0, 0, values);
		sums.parameters += values[TFP_TF_PARAMS];
	}
	return sums;
}

static void check_graph(const char *network, const char *file)
{
	Tfp__GraphDef *graph = unpack(network, "graph.pb", &tfp__graph_def__descriptor);
	struct tfp_profile *profile = new_profile();
	struct graph_sums ours, theirs;

	if (graph && load_file(profile, network, file, "graphdef", 0)) {
		need(profile);
		ours = our_graph(profile);
		theirs = referee_graph(graph);
		assert_int_equal(ours.nodes, theirs.nodes);
		assert_int_equal(ours.inputs, theirs.inputs);
		assert_int_equal(ours.outputs, theirs.outputs);
		assert_int_equal(ours.dims, theirs.dims);
		assert_int_equal(ours.parameters, theirs.parameters);
	}
	if (graph)
		protobuf_c_message_free_unpacked(&graph->base, NULL);
	tfp_profile_free(profile);
}

static void graphs_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < NETWORKS; i++) {
		check_graph(networks[i], "graph.pb");
		check_graph(networks[i], "graph.pbtxt");
	}
}

/* ---- run metadata ---------------------------------------------------------------------------- */

struct run_sums {
	size_t records;
	int64_t micros, bytes, peak, residual, output;
};

static void add_record(struct run_sums *sums, const Tfp__NodeExecStats *stats)
{
	int64_t temp = 0, persistent = 0;

	if (bytes_are(stats->node_name, "_SOURCE") || bytes_are(stats->node_name, "RecvTensor") ||
	    stats->all_start_micros <= 0)
		return;
	sums->records++;
	sums->micros += stats->op_end_rel_micros ? stats->op_end_rel_micros : 1;
	for (size_t i = 0; i < stats->n_memory; i++) {
		sums->bytes += stats->memory[i]->total_bytes;
		sums->peak += stats->memory[i]->peak_bytes;
		sums->residual += stats->memory[i]->live_bytes;
	}
	for (size_t i = 0; i < stats->n_output; i++) {
		const Tfp__TensorDescription *tensor = stats->output[i]->tensor_description;
		const Tfp__AllocationDescription *allocation =
			tensor ? tensor->allocation_description : NULL;

		if (allocation)
			sums->output += allocation->allocated_bytes > allocation->requested_bytes
						? allocation->allocated_bytes
						: allocation->requested_bytes;
	}
	if (stats->memory_stats) {
		temp = stats->memory_stats->temp_memory_size;
		persistent = stats->memory_stats->persistent_memory_size;
	}
	sums->bytes += temp + persistent;
	sums->peak += temp + persistent;
	sums->residual += persistent;
}

static struct run_sums referee_run(const Tfp__RunMetadata *run)
{
	struct run_sums sums = {0};

	for (size_t i = 0; i < run->step_stats->n_dev_stats; i++)
		for (size_t k = 0; k < run->step_stats->dev_stats[i]->n_node_stats; k++)
			add_record(&sums, run->step_stats->dev_stats[i]->node_stats[k]);
	return sums;
}

static struct run_sums our_run(const struct tfp_profile *profile)
{
	struct run_sums sums = {.records = profile->execs.count};
	int64_t values[TFP_MAX_METRICS];

	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		tfp_profile_values(profile, node, 0, 0, values);
		sums.micros += values[TFP_TF_MICROS];
		sums.bytes += values[TFP_TF_BYTES];
		sums.peak += values[TFP_TF_PEAK_BYTES];
		sums.residual += values[TFP_TF_RESIDUAL_BYTES];
		sums.output += values[TFP_TF_OUTPUT_BYTES];
	}
	return sums;
}

static void check_run(const char *network, const char *file)
{
	Tfp__RunMetadata *run = unpack(network, file, &tfp__run_metadata__descriptor);
	struct tfp_profile *profile = new_profile();
	struct run_sums ours, theirs;

	if (run && run->step_stats && load_file(profile, network, file, "runmeta", 0)) {
		need(profile);
		ours = our_run(profile);
		theirs = referee_run(run);
		assert_memory_equal(&ours, &theirs, sizeof(ours));
	}
	if (run)
		protobuf_c_message_free_unpacked(&run->base, NULL);
	tfp_profile_free(profile);
}

/* The bundled networks ran on one CPU device, so every record counts. */
static void run_metadata_agrees(void **state)
{
	(void)state;
	for (size_t i = 0; i < NETWORKS; i++) {
		check_run(networks[i], "run_meta_0.pb");
		check_run(networks[i], "run_meta_1.pb");
	}
}

/* ---- op logs --------------------------------------------------------------------------------- */

static int64_t referee_frames(const Tfp__CodeDef *code)
{
	int64_t lines = 0;

	for (size_t i = 0; code && i < code->n_traces; i++)
		lines += code->traces[i]->lineno;
	return lines;
}

static int64_t our_frames(const struct tfp_profile *profile, uint32_t node)
{
	int64_t lines = 0;
	uint32_t stack = profile->nodes.stack[node];

	for (; stack != TFP_NONE; stack = profile->stacks.at[stack].parent)
		lines += profile->frames.at[profile->stacks.at[stack].frame].line;
	return lines;
}

static void check_entry(const struct tfp_profile *profile, const Tfp__OpLogEntry *entry)
{
	tfp_str name =
		tfp_strings_find(profile->strings, (const char *)entry->name.data, entry->name.len);
	uint32_t node = tfp_profile_find_node(profile, name);
	tfp_str types[8];

	assert_int_not_equal(node, TFP_NONE);
	assert_int_equal(profile->nodes.float_ops[node], entry->float_ops);
	assert_int_equal(our_frames(profile, node), referee_frames(entry->code_def));
	assert_int_equal(tfp_profile_types(profile, node, types, 8), 1 + entry->n_types);
}

static void check_log(const char *network)
{
	Tfp__OpLogProto *log = unpack(network, "op_log.pb", &tfp__op_log_proto__descriptor);
	struct tfp_profile *profile = new_profile();

	if (log && load_file(profile, network, "graph.pb", "graphdef", 0)) {
		assert_true(load_file(profile, network, "op_log.pb", "oplog", 0));
		need(profile);
		for (size_t i = 0; i < log->n_log_entries; i++)
			check_entry(profile, log->log_entries[i]);
	}
	if (log)
		protobuf_c_message_free_unpacked(&log->base, NULL);
	tfp_profile_free(profile);
}

static void op_logs_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < NETWORKS; i++)
		check_log(networks[i]);
}

/* ---- saved profiles -------------------------------------------------------------------------- */

static size_t count_times(const Tfp__ProfileNode *node)
{
	size_t count = 0;

	for (size_t i = 0; i < node->n_execs; i++) {
		const Tfp__ExecProfile *exec = node->execs[i]->value;

		for (size_t k = 0; k < exec->n_cpu_execs; k++)
			count += exec->cpu_execs[k]->value->n_times;
		for (size_t k = 0; k < exec->n_accelerator_execs; k++)
			count += exec->accelerator_execs[k]->value->n_times;
	}
	return count;
}

static void check_saved_node(const struct tfp_profile *profile, const Tfp__ProfileNode *theirs)
{
	tfp_str name = tfp_strings_find(profile->strings, (const char *)theirs->name.data,
					theirs->name.len);
	uint32_t node = tfp_profile_find_node(profile, name);
	const struct tfp_nodes *nodes = &profile->nodes;

	assert_int_not_equal(node, TFP_NONE);
	assert_int_equal(nodes->float_ops[node], theirs->float_ops);
	assert_int_equal(nodes->input_first[node + 1] - nodes->input_first[node], theirs->n_inputs);
	assert_int_equal(nodes->output_first[node + 1] - nodes->output_first[node],
			 theirs->n_output_shapes);
	assert_int_equal(tfp_profile_types(profile, node, NULL, 0), theirs->n_op_types);
	assert_int_equal(our_frames(profile, node), referee_frames(theirs->trace));
	assert_int_equal(nodes->shape[node] != TFP_NONE, theirs->n_shape > 0);
}

static void check_saved(const char *network)
{
	Tfp__ProfileProto *theirs = unpack(network, "profile.pb", &tfp__profile_proto__descriptor);
	struct tfp_profile *profile = new_profile();
	size_t execs = 0;

	if (theirs && load_file(profile, network, "profile.pb", "profileproto", 0)) {
		need(profile);
		assert_int_equal(profile->nodes.count, theirs->n_nodes);
		assert_int_equal(profile->steps.count, theirs->n_steps);
		assert_int_equal(profile->has_stacks, theirs->has_trace);
		for (size_t i = 0; i < theirs->n_nodes; i++) {
			check_saved_node(profile, theirs->nodes[i]->value);
			execs += count_times(theirs->nodes[i]->value);
		}
		assert_int_equal(profile->execs.count, execs);
	}
	if (theirs)
		protobuf_c_message_free_unpacked(&theirs->base, NULL);
	tfp_profile_free(profile);
}

static void saved_profiles_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < NETWORKS; i++)
		check_saved(networks[i]);
}

/* ---- one network, both ways ------------------------------------------------------------------ */

/* The saved profile of a network tells the same numbers as the files it was made from. */
static void saved_profiles_equal_their_files(void **state)
{
	struct tfp_profile *files = new_profile(), *saved = new_profile();
	int64_t a[TFP_MAX_METRICS], b[TFP_MAX_METRICS];

	(void)state;
	assert_true(load_file(files, "rnn", "graph.pb", "graphdef", 0));
	assert_true(load_file(files, "rnn", "op_log.pb", "oplog", 0));
	assert_true(load_file(files, "rnn", "run_meta_0.pb", "runmeta", 0));
	assert_true(load_file(files, "rnn", "run_meta_1.pb", "runmeta", 1));
	assert_true(load_file(saved, "rnn", "profile.pb", "profileproto", 0));
	need(files);
	need(saved);
	assert_int_equal(files->nodes.count, saved->nodes.count);
	for (uint32_t node = 0; node < files->nodes.count; node++) {
		assert_string_equal(tfp_strings_text(files->strings, files->nodes.name[node]),
				    tfp_strings_text(saved->strings, saved->nodes.name[node]));
		for (uint32_t step = 0; step < 3; step++) {
			uint32_t asked = step == 2 ? TFP_STEP_MEAN : step;

			tfp_profile_values(files, node, asked, TFP_QUIRKS_TF, a);
			tfp_profile_values(saved, node, asked, TFP_QUIRKS_TF, b);
			assert_memory_equal(a, b, TFP_TF_METRICS * sizeof(*a));
		}
	}
	assert_int_equal(files->stacks.count, saved->stacks.count);
	assert_int_equal(files->execs.count, saved->execs.count);
	tfp_profile_free(files);
	tfp_profile_free(saved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_agree),
		cmocka_unit_test(run_metadata_agrees),
		cmocka_unit_test(op_logs_agree),
		cmocka_unit_test(saved_profiles_agree),
		cmocka_unit_test(saved_profiles_equal_their_files),
	};

	return cmocka_run_group_tests_name("load referee", tests, NULL, NULL);
}
