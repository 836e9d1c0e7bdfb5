/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles that are saved, field by field against those that TensorFlow saved of the same files. Both are
 * unpacked, their maps brought into one order and their ids into texts; then each node must be packed alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/tfprof_log.pb-c.h"
#include "test_path.h"
#include "tfprof/load.h"
#include "tfprof/report.h"

/* ---- one order ------------------------------------------------------------------------------- */

static size_t pack(const ProtobufCMessage *message, uint8_t **bytes)
{
	size_t size = protobuf_c_message_get_packed_size(message);

	*bytes = malloc(size ? size : 1);
	assert_non_null(*bytes);
	return protobuf_c_message_pack(message, *bytes);
}

static int compare_messages(const void *left, const void *right)
{
	uint8_t *a, *b;
	size_t a_size = pack(*(ProtobufCMessage *const *)left, &a);
	size_t b_size = pack(*(ProtobufCMessage *const *)right, &b);
	int order = memcmp(a, b, a_size < b_size ? a_size : b_size);

	free(a);
	free(b);
	return order ? order : (a_size > b_size) - (a_size < b_size);
}

/* The entries of a map, or what has no order either. */
static void sort(void *messages, size_t count)
{
	if (count)
		qsort(messages, count, sizeof(ProtobufCMessage *), compare_messages);
}

static void order_times(Tfp__ExecProfile__ExecsEntry **devices, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sort(devices[i]->value->times, devices[i]->value->n_times);
	sort(devices, count);
}

static void order_exec(Tfp__ExecProfile *exec)
{
	order_times(exec->cpu_execs, exec->n_cpu_execs);
	order_times(exec->accelerator_execs, exec->n_accelerator_execs);
	for (size_t i = 0; i < exec->n_memory_execs; i++)
		sort(exec->memory_execs[i]->output_memory, exec->memory_execs[i]->n_output_memory);
}

/* The text of an id in FRAME becomes the text itself. */
static void name_text(const Tfp__ProfileProto *profile, protobuf_c_boolean *has_id, int64_t id,
		      ProtobufCBinaryData *text, protobuf_c_boolean *has_text)
{
	for (size_t i = 0; i < profile->n_id_to_string; i++) {
		const Tfp__IdToStringEntry *entry = profile->id_to_string[i];

		if (entry->key != id)
			continue;
		text->len = entry->value.len;
		text->data = malloc(text->len ? text->len : 1);
		assert_non_null(text->data);
		memcpy(text->data, entry->value.data, text->len);
		*has_text = true;
	}
	*has_id = false;
}

static void name_frame(const Tfp__ProfileProto *profile, Tfp__CodeDef__Trace *frame)
{
	name_text(profile, &frame->has_file_id, frame->file_id, &frame->file, &frame->has_file);
	name_text(profile, &frame->has_function_id, frame->function_id, &frame->function,
		  &frame->has_function);
	name_text(profile, &frame->has_line_id, frame->line_id, &frame->line, &frame->has_line);
}

static void order_node(const Tfp__ProfileProto *profile, Tfp__ProfileNode *node)
{
	for (size_t i = 0; i < node->n_execs; i++)
		order_exec(node->execs[i]->value);
	for (size_t i = 0; node->trace && i < node->trace->n_traces; i++)
		name_frame(profile, node->trace->traces[i]);
	sort(node->inputs, node->n_inputs);
	sort(node->src_output_index, node->n_src_output_index);
	sort(node->output_shapes, node->n_output_shapes);
	sort(node->attrs, node->n_attrs);
	sort(node->execs, node->n_execs);
}

static int compare_ids(const void *left, const void *right)
{
	int64_t a = (*(Tfp__ProfileProto__NodesEntry *const *)left)->key;
	int64_t b = (*(Tfp__ProfileProto__NodesEntry *const *)right)->key;

	return a < b ? -1 : a > b;
}

static int compare_steps(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* The profile in PATH, in order. */
static Tfp__ProfileProto *read_profile(const char *path, struct tfp_diag *diag)
{
	struct tfp_source *source = tfp_source_open(path, NULL, diag);
	Tfp__ProfileProto *profile;

	assert_non_null(source);
	profile = tfp__profile_proto__unpack(NULL, source->size, source->data);
	assert_non_null(profile);
	tfp_source_free(source);
	qsort(profile->nodes, profile->n_nodes, sizeof(*profile->nodes), compare_ids);
	qsort(profile->steps, profile->n_steps, sizeof(*profile->steps), compare_steps);
	for (size_t i = 0; i < profile->n_nodes; i++)
		order_node(profile, profile->nodes[i]->value);
	return profile;
}

/* ---- both ------------------------------------------------------------------------------------ */

static void assert_same_node(const Tfp__ProfileProto__NodesEntry *want,
			     const Tfp__ProfileProto__NodesEntry *got)
{
	uint8_t *a, *b;
	size_t size = pack(&want->base, &a);

	assert_int_equal(pack(&got->base, &b), size);
	assert_memory_equal(a, b, size);
	free(a);
	free(b);
}

static void assert_same(const char *want_path, const char *got_path, struct tfp_diag *diag)
{
	Tfp__ProfileProto *want = read_profile(want_path, diag);
	Tfp__ProfileProto *got = read_profile(got_path, diag);

	assert_int_equal(got->n_nodes, want->n_nodes);
	for (size_t i = 0; i < want->n_nodes; i++)
		assert_same_node(want->nodes[i], got->nodes[i]);
	assert_int_equal(got->n_steps, want->n_steps);
	assert_memory_equal(got->steps, want->steps, want->n_steps * sizeof(*want->steps));
	assert_int_equal(got->has_trace, want->has_trace);
	assert_int_equal(got->miss_accelerator_stream, want->miss_accelerator_stream);
	tfp__profile_proto__free_unpacked(want, NULL);
	tfp__profile_proto__free_unpacked(got, NULL);
}

/* The files of NETWORK that are there, saved as one at OUT. */
static void save(const char *const *files, size_t count, const char *out, struct tfp_diag *diag)
{
	struct tfp_named_file named[8] = {{.path = NULL}};
	struct tfp_profile *profile;
	FILE *said = fopen("/dev/null", "w");

	for (size_t i = 0; i < count; i++)
		named[i].path = files[i];
	profile = tfp_load(named, count, NULL, diag);
	assert_non_null(profile);
	assert_non_null(said);
	assert_true(tfp_report_profile(said, out, profile, true, diag));
	fclose(said);
	tfp_profile_free(profile);
}

static void check_network(const char *network, const char *const *names, size_t count)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	char out[] = "/tmp/tfprof-saved-XXXXXX";
	const char *files[8], *saved;
	char path[TEST_PATH];
	int fd = mkstemp(out);

	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < count; i++)
		files[i] = tfp_arena_printf(&arena, "%s",
					    test_path(path, "data/tf/%s/%s.gz", network, names[i]));
	saved = test_path(path, "data/tf/%s/profile.pb.gz", network);
	save(files, count, out, diag);
	assert_same(saved, out, diag);
	save(&saved, 1, out, diag);
	assert_same(saved, out, diag);
	unlink(out);
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
}

static void tiny_is_saved_as_tensorflow_does(void **state)
{
	static const char *const files[] = {"graph.pb", "op_log.pb", "run_meta_0.pb"};

	(void)state;
	check_network("tiny", files, 3);
}

static void rnn_is_saved_as_tensorflow_does(void **state)
{
	static const char *const files[] = {"graph.pbtxt", "op_log.pb", "run_meta_0.pb",
					    "run_meta_1.pb"};

	(void)state;
	check_network("rnn", files, 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiny_is_saved_as_tensorflow_does),
		cmocka_unit_test(rnn_is_saved_as_tensorflow_does),
	};

	return cmocka_run_group_tests_name("saved", tests, NULL, NULL);
}
