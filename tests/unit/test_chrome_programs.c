/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome traces of programs other than PyTorch's profiler of today: where they say what called an event, what launched it, and
 * which step it was in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "asking.h"
#include "chrome_text.h"
#include "load/chrome/chrome.h"

static const struct tfp_frame *frame_at(const struct tfp_profile *profile, uint32_t stack)
{
	assert_int_not_equal(stack, TFP_NONE);
	return &profile->frames.at[profile->stacks.at[stack].frame];
}

/* The stack of the event's node is FRAMES, the innermost first: "function file:line". */
static void expect_stack(const struct tfp_profile *profile, const char *name,
			 const char *const *frames)
{
	uint32_t stack = profile->nodes.stack[node_named(profile, name)];

	for (; *frames; frames++, stack = profile->stacks.at[stack].parent) {
		const struct tfp_frame *frame = frame_at(profile, stack);
		char text[256];

		snprintf(text, sizeof(text), "%s %s:%d",
			 tfp_strings_text(profile->strings, frame->function),
			 tfp_strings_text(profile->strings, frame->file), frame->line);
		assert_string_equal(text, *frames);
	}
	assert_int_equal(stack, TFP_NONE);
}

/* ---- what called an event ---------------------------------------------------------------------------- */

/* A forked process goes on with the threads of its parent: the end of what began there has another process. */
static void py_spy_tells_threads_apart_by_their_number(void **state)
{
#define SPY(phase, name, line, pid, ts)                                                            \
	"{\"args\": {\"filename\": \"/a.py\", \"line\": " line                                     \
	"}, \"cat\": \"py-spy\", \"name\": "                                                       \
	"\"" name "\", \"ph\": \"" phase "\", \"pid\": " pid ", \"tid\": 99, \"ts\": " ts "},\n"
	static const char *const stack[] = {"f /a.py:7", "main /a.py:3", NULL};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile =
		load_text("[" SPY("B", "main", "3", "1", "0") SPY("B", "f", "7", "1", "10")
				  SPY("E", "f", "7", "2", "30") SPY("B", "f", "8", "2", "30")
					  SPY("E", "f", "8", "1", "50")
						  SPY("E", "main", "null", "1", "90") "{}]",
			  diag);

	(void)state;
	assert_int_equal(profile->trace->count, 3);
	expect_stack(profile, "main/f", stack);
	assert_int_equal(tfp_trace_duration(profile->trace, event_named(profile, "main")), 90000);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void names_may_have_file_and_line(void **state)
{
	static const char *const stack[] = {"f /app/few.py:5", "builtins.exec :-1", NULL};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"traceEvents\": ["
		"{\"ph\": \"X\", \"name\": \"f (/app/few.py:5)\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"dur\": 1},"
		"{\"ph\": \"X\", \"name\": \"builtins.exec\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 5}"
		"]}",
		diag);

	(void)state;
	expect_stack(profile, "builtins.exec/f (few.py:5)", stack);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Frames stand behind the events, in a chain that leads back into itself, or in the event. */
static void stacks_are_listed_once_and_named_by_number(void **state)
{
	static const char *const of_a[] = {"f app.py:-1", "main app.py:-1", NULL};
	static const char *const of_b[] = {"g :-1", "f app.py:-1", "main app.py:-1", NULL};
	static const char *const of_c[] = {"n :-1", "m m.py:4", NULL};
	static const char *const of_d[] = {"y :-1", "x :-1", NULL};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"traceEvents\": ["
		"{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1, \"sf\": 2},"
		"{\"ph\": \"B\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"sf\": \"3\"},"
		"{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 4},"
		"{\"ph\": \"X\", \"name\": \"c\", \"pid\": 1, \"tid\": 1, \"ts\": 5, \"dur\": 1,"
		" \"stack\": [\"m.py(4): m\", \"n\"]},"
		"{\"ph\": \"X\", \"name\": \"d\", \"pid\": 1, \"tid\": 1, \"ts\": 7, \"dur\": 1, \"sf\": 5},"
		"{\"ph\": \"X\", \"name\": \"e\", \"pid\": 1, \"tid\": 1, \"ts\": 9, \"dur\": 1, \"sf\": 99}"
		"], \"stackFrames\": {\"1\": {\"name\": \"main\", \"category\": \"app.py\"},"
		"\"2\": {\"name\": \"f\", \"category\": \"app.py\", \"parent\": 1},"
		"\"3\": {\"name\": \"g\", \"parent\": \"2\"}, \"7\": 1,"
		"\"4\": {\"name\": \"x\", \"parent\": 5}, \"5\": {\"name\": \"y\", \"parent\": 4}}}",
		diag);

	(void)state;
	expect_stack(profile, "a", of_a);
	expect_stack(profile, "b", of_b);
	expect_stack(profile, "c", of_c);
	expect_stack(profile, "d", of_d);
	assert_int_equal(profile->nodes.stack[node_named(profile, "e")], TFP_NONE);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* A stack that never ends costs no more than others, and what it lacks is told. */
static void stacks_are_cut(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fputs("{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, "
	      "\"dur\": 1, \"sf\": 10001}, {\"ph\": \"X\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 3, "
	      "\"dur\": 1, \"stack\": [\"f\"",
	      out);
	for (int i = 0; i < 10000; i++)
		fputs(", \"g\"", out);
	fputs("]}], \"stackFrames\": {\"1\": {\"name\": \"main\"}", out);
	for (int i = 2; i <= 10001; i++)
		fprintf(out, ", \"%d\": {\"name\": \"f\", \"parent\": %d}", i, i - 1);
	fputs("}}", out);
	fclose(out);
	profile = load_text(text, diag);
	assert_int_equal(tfp_diag_count(diag), 1);
	assert_string_equal(tfp_diag_get(diag, 0).text,
			    "stacks of more than 10000 frames, which were cut: 2");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	free(text);
}

/* Samples in the list of records, and in one of their own: each counts as one run where its stack says. */
static void samples_count_by_their_stacks(void **state)
{
	static const char *const of_one[] = {"f :-1", "main :-1", NULL};
	static const char *const of_two[] = {"main :-1", NULL};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"samples\": ["
		"{\"cpu\": 0, \"tid\": 1, \"ts\": 1, \"name\": \"cycles\", \"sf\": 2, \"weight\": 1},"
		"{\"cpu\": 0, \"tid\": 1, \"ts\": 2, \"name\": \"cycles\", \"sf\": 2, \"weight\": 1},"
		"7, {\"cpu\": 0, \"tid\": 1, \"name\": \"cycles\"}],"
		"\"traceEvents\": ["
		"{\"ph\": \"P\", \"name\": \"ticks\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"sf\": 1},"
		"{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9}],"
		"\"stackFrames\": {\"1\": {\"name\": \"main\"}, \"2\": {\"name\": \"f\", \"parent\": 1}}}",
		diag);

	(void)state;
	assert_int_equal(profile->trace->count, 4);
	expect_stack(profile, "cycles", of_one);
	expect_stack(profile, "ticks", of_two);
	assert_int_equal(
		value_of(profile, "cycles", TFP_STEP_MEAN, 0, (enum tfp_tf_metric)TFP_TRACE_RUNS),
		2);
	assert_string_equal(lane_of(profile, event_named(profile, "ticks")), "thread 1 samples");
	assert_true(profile->metrics[tfp_profile_find_metric(profile, "weight")].absent);
	assert_int_equal(problem_with(diag, "other than a record").count, 1);
	assert_int_equal(problem_with(diag, "has no time").count, 1);
	assert_int_equal(tfp_diag_count(diag), 2);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* What NODE has of the metric KEY. */
static int64_t metric_of(const struct tfp_profile *profile, const char *node, const char *key)
{
	uint32_t metric = tfp_profile_find_metric(profile, key);

	assert_int_not_equal(metric, TFP_NONE);
	return value_of(profile, node, TFP_STEP_MEAN, 0, (enum tfp_tf_metric)metric);
}

/* A sample stands for as many events as it weighs, one without a word for one; they lead, as nothing takes time. */
static void samples_have_weights(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"samples\": ["
		"{\"cpu\": 0, \"tid\": 1, \"ts\": 1, \"name\": \"cycles\", \"sf\": 2, \"weight\": 100},"
		"{\"cpu\": 0, \"tid\": 1, \"ts\": 2, \"name\": \"cycles\", \"sf\": 2, \"weight\": 50},"
		"{\"cpu\": 0, \"tid\": 1, \"ts\": 3, \"name\": \"misses\", \"weight\": 7}],"
		"\"traceEvents\": ["
		"{\"ph\": \"P\", \"name\": \"ticks\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"sf\": 1}],"
		"\"stackFrames\": {\"1\": {\"name\": \"main\"}, \"2\": {\"name\": \"f\", \"parent\": 1}}}",
		diag);

	(void)state;
	assert_int_equal(metric_of(profile, "cycles", "weight"), 150);
	assert_int_equal(metric_of(profile, "misses", "weight"), 7);
	assert_int_equal(metric_of(profile, "ticks", "weight"), 1);
	assert_int_equal(metric_of(profile, "cycles", "occurrence"), 2);
	assert_string_equal(profile->metrics[profile->default_metric].key, "weight");
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* The record that ends an event may say more of it than the one that begins it, or otherwise; null says nothing. */
static void what_ends_an_event_says_more_of_it(void **state)
{
	static const char *const stack[] = {"f /b.py:9", NULL};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"B\", \"name\": \"f\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"args\": {\"filename\": \"/a.py\", \"line\": 9, \"x\": 1, \"z\": 3}},"
		"{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 9, \"args\": {\"filename\": \"/b.py\", \"line\": null, \"y\": [2], \"x\": \"new\", \"z\": null}},"
		"{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 9, \"args\": {\"y\": 5}}]",
		diag);
	static const char *const wanted[][2] = {
		{"filename", "/b.py"}, {"line", "9"}, {"x", "new"}, {"y", "[2]"}, {"z", "3"}};
	struct tfp_attributes attributes = {.list = {0}};

	(void)state;
	expect_event(profile, "f", 1000, 8000);
	expect_stack(profile, "f", stack);
	tfp_profile_attributes(profile, node_named(profile, "f"), &attributes);
	assert_int_equal(attributes.list.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(attributes.list.at[i].name, wanted[i][0]);
		assert_string_equal(attributes.list.at[i].value, wanted[i][1]);
	}
	assert_int_equal(problem_with(diag, "has no beginning").count, 1);
	tfp_attributes_free(&attributes);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- what was measured now and then -------------------------------------------------------------------- */

/* Each value is an event that lasts until the next; the last until the end of all. */
static void values_of_counters_last_until_the_next(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"C\", \"name\": \"mem\", \"pid\": 1, \"ts\": 10, \"args\": {\"used\": 12300, \"free\": \"7\"}},"
		"{\"ph\": \"C\", \"name\": \"mem\", \"pid\": 1, \"ts\": 5, \"args\": {\"used\": 1, \"free\": \"none\"}},"
		"{\"ph\": \"C\", \"name\": \"load\", \"id\": 3, \"pid\": 1, \"ts\": 11, \"args\": {\"value\": 0.25}},"
		"{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 40}]",
		diag);

	(void)state;
	expect_event(profile, "mem used: 1", 5000, 5000);
	expect_event(profile, "mem used: 12.30k", 10000, 30000);
	expect_event(profile, "mem free: 7", 10000, 30000);
	expect_event(profile, "load[3]: 0.25", 11000, 29000);
	assert_string_equal(lane_of(profile, event_named(profile, "mem free: 7")), "mem free");
	assert_int_equal(profile->trace->count, 5);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- what processes and threads are called ----------------------------------------------------------- */

#define META(what, pid, tid, argument)                                                             \
	"{\"ph\": \"M\", \"name\": \"" what "\", \"pid\": " pid ", \"tid\": " tid                  \
	", \"args\": {" argument "}},\n"
#define RAN(name, pid, tid)                                                                        \
	"{\"ph\": \"X\", \"name\": \"" name "\", \"pid\": " pid ", \"tid\": " tid                  \
	", \"ts\": 1, \"dur\": 1},\n"

static void equal_names_are_told_apart(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[" META("process_name", "1", "0", "\"name\": \"Renderer\"") META(
			"process_name", "2", "0", "\"name\": \"Renderer\"")
			META("process_name", "3", "0", "\"name\": \"Renderer\"") META(
				"process_labels", "3", "0", "\"labels\": \"Mail\"")
				META("process_labels", "4", "0", "\"labels\": \"Maps\"") META(
					"thread_name", "1", "6", "\"name\": \"Worker\"")
					META("thread_name", "1", "7", "\"name\": \"Worker\"") META(
						"thread_name", "2", "7", "\"name\": \"Worker\"")
						RAN("a", "1", "6") RAN("b", "1", "7")
							RAN("c", "2", "7") RAN("d", "3", "7")
								RAN("e", "4", "7") "{}]",
		diag);
	static const char *const names[][3] = {{"a", "Renderer (1)", "Worker (6)"},
					       {"b", "Renderer (1)", "Worker (7)"},
					       {"c", "Renderer (2)", "Worker"},
					       {"d", "Renderer (Mail)", "thread 7"},
					       {"e", "Maps", "thread 7"}};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		uint32_t event = event_named(profile, names[i][0]);

		assert_string_equal(device_of(profile, event), names[i][1]);
		assert_string_equal(lane_of(profile, event), names[i][2]);
	}
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Processes stand in the order that the file gives, and so do threads; what it gives no place to stands at 0. */
static void lanes_stand_where_the_file_wants_them(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[" RAN("a", "1", "7") RAN("b", "3", "1") RAN("c", "1", "8") RAN("d", "1", "9")
			RAN("e", "2", "5") META("process_sort_index", "1", "0", "\"sort_index\": 4")
				META("process_sort_index", "2", "0", "\"sort_index\": -1")
					META("thread_sort_index", "1", "7", "\"sort_index\": \"3\"")
						META("thread_sort_index", "1", "8",
						     "\"sort_index\": 5") "{}]",
		diag);
	struct worked_world world;

	(void)state;
	worked_begin(&world, profile);
	WORKED_ASK(&world, "time", "max_depth=9");
	assert_string_equal(worked_text(&world, TFP_TRACE_HOST), "_TFProfRoot 5000\n"
								 "  process 2 1000\n"
								 "    thread 5 1000\n"
								 "  process 3 1000\n"
								 "    thread 1 1000\n"
								 "  process 1 3000\n"
								 "    thread 9 1000\n"
								 "    thread 7 1000\n"
								 "    thread 8 1000\n");
	worked_end(&world);
	tfp_diag_free(diag);
}

/* What a lane has for all of its kind is not said twice. */
static void a_name_says_its_kind_once(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile =
		load_text("[" META("thread_name", "1", "5", "\"name\": \"main Python\"")
				  X("python_function", "f", "1", "5", "1", "2", "")
					  X("cpu_op", "op", "1", "5", "1", "2", "") "]",
			  diag);

	(void)state;
	assert_string_equal(lane_of(profile, event_named(profile, "f")), "main Python");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- what launched an event -------------------------------------------------------------------------- */

static uint32_t launch_of(const struct tfp_profile *profile, uint32_t place)
{
	return tfp_trace_link(profile->trace, tfp_trace_device_event(profile->trace, place));
}

/* The profiler of PyTorch before its present one: processes are texts, and arrows the only links. */
static void the_first_profiler_of_pytorch_links_by_arrows(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"name\": \"aten::add\", \"ph\": \"X\", \"ts\": 1, \"dur\": 10, \"tid\": 1, \"pid\": \"CPU functions\", \"args\": {}},"
		"{\"name\": \"aten::add\", \"ph\": \"s\", \"ts\": 1, \"tid\": 1, \"pid\": \"CPU functions\", \"id\": 1, \"cat\": \"cpu_to_cuda\", \"args\": {}},"
		"{\"name\": \"aten::add\", \"ph\": \"f\", \"ts\": 20.5, \"tid\": 0, \"pid\": \"CUDA functions\", \"id\": 1, \"cat\": \"cpu_to_cuda\", \"args\": {}},"
		"{\"name\": \"add_kernel\", \"ph\": \"X\", \"ts\": 20.5, \"dur\": 3, \"tid\": 0, \"pid\": \"CUDA functions\", \"args\": {}},"
		"{\"name\": \"lost\", \"ph\": \"X\", \"ts\": 30, \"dur\": 3, \"tid\": 0, \"pid\": \"CUDA functions\", \"args\": {}}]",
		diag);

	(void)state;
	assert_int_equal(profile->trace->device_events, 2);
	assert_string_equal(owner_of(profile, 20500), "aten::add");
	assert_string_equal(owner_of(profile, 30000), "no operation found/lost");
	assert_string_equal(profile->format, "kineto");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void arrows_lead_to_what_begins_next_or_is_around(void **state)
{
#define ARROW(phase, tid, id, ts, more)                                                            \
	"{\"ph\": \"" phase "\", \"cat\": \"c\", \"name\": \"n\", \"id\": " id ", \"pid\": " tid   \
	", \"ts\": " ts more "},\n"
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"X\", \"name\": \"launch\", \"pid\": \"Process 1\", \"tid\": 1, \"ts\": 1, \"dur\": 8},"
		"{\"ph\": \"X\", \"name\": \"k1\", \"pid\": \"Device 0\", \"tid\": \"Stream 7\", \"ts\": 20, \"dur\": 5},"
		"{\"ph\": \"X\", \"name\": \"k2\", \"pid\": \"Device 0\", \"tid\": \"Stream 7\", \"ts\": 30, \"dur\": 5},"
		"{\"ph\": \"X\", \"name\": \"k3\", \"pid\": \"Device 0\", \"tid\": \"Stream 7\", \"ts\": 40, \"dur\": 5}," ARROW(
			"s", "\"Process 1\", \"tid\": 1", "\"0x1f\"", "3",
			"") ARROW("f", "\"Device 0\", \"tid\": \"Stream 7\"", "31", "15",
				  "") ARROW("s", "\"Process 1\", \"tid\": 1", "32", "4",
					    "") ARROW("f", "\"Device 0\", \"tid\": \"Stream 7\"",
						      "32", "33", ", \"bp\": \"e\"")
			ARROW("f", "\"Device 0\", \"tid\": \"Stream 7\"", "77", "40",
			      "") ARROW("s", "\"nobody\", \"tid\": 1", "78", "4", "")
				ARROW("f", "\"Device 0\", \"tid\": \"Stream 7\"", "78", "40", ""),
		diag);

	(void)state;
	assert_int_equal(profile->trace->device_events, 3);
	assert_int_equal(launch_of(profile, 0), event_named(profile, "launch"));
	assert_int_equal(launch_of(profile, 1), event_named(profile, "launch"));
	assert_int_equal(launch_of(profile, 2), TFP_NONE);
	assert_string_equal(owner_of(profile, 20000), "k1");
	assert_string_equal(profile->format, "chrome");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Arrows as events say them of themselves. */
static void events_may_be_ends_of_arrows(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"X\", \"name\": \"launch\", \"pid\": 7, \"tid\": 1, \"ts\": 1, \"dur\": 8, \"bind_id\": \"0x1f\", \"flow_out\": true},"
		"{\"ph\": \"X\", \"name\": \"k1\", \"pid\": \"Device 0\", \"tid\": \"Stream 7\", \"ts\": 20, \"dur\": 5, \"bind_id\": 31, \"flow_in\": true},"
		"{\"ph\": \"X\", \"name\": \"k2\", \"pid\": \"Device 0\", \"tid\": \"Stream 7\", \"ts\": 30, \"dur\": 5, \"bind_id\": 31, \"flow_in\": false}]",
		diag);

	(void)state;
	assert_int_equal(profile->trace->device_events, 2);
	assert_int_equal(launch_of(profile, 0), event_named(profile, "launch"));
	assert_int_equal(launch_of(profile, 1), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* What the profiler of JAX exports: numbers of launches, paths, what a kernel is, and steps. */
static void jax_says_what_it_launched(void **state)
{
	static const char *const stack[] = {"launch :-1", "f /a.py:9", "train :-1", NULL};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"traceEvents\": ["
		"{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": \"/device:GPU:0\"}},"
		"{\"ph\": \"M\", \"pid\": 1, \"tid\": 4, \"name\": \"thread_name\", \"args\": {\"name\": \"Stream #4\"}},"
		"{\"ph\": \"M\", \"pid\": 1, \"tid\": 5, \"name\": \"thread_name\", \"args\": {\"name\": \"XLA Ops\"}},"
		"{\"ph\": \"X\", \"pid\": 7, \"tid\": 4, \"name\": \"train 3\", \"ts\": 1, \"dur\": 40, \"args\": {\"step_num\": \"3\"}},"
		"{\"ph\": \"X\", \"pid\": 7, \"tid\": 4, \"name\": \"$/a.py:9 f\", \"ts\": 2, \"dur\": 30},"
		"{\"ph\": \"X\", \"pid\": 7, \"tid\": 4, \"name\": \"launch\", \"ts\": 3, \"dur\": 2, \"args\": {\"correlation_id\": \"12\"}},"
		"{\"ph\": \"X\", \"pid\": 1, \"tid\": 4, \"name\": \"fusion_1\", \"ts\": 50, \"dur\": 2, \"args\": {"
		"\"correlation_id\": \"12\", \"hlo_module\": \"jit_f\", \"hlo_op\": \"fusion.1\", \"name\": \"jit(f)/add\","
		"\"kernel_details\": \"regs:58 static_shared:0 dynamic_shared:8192 grid:64,1,1 block:128,1,1 occ_pct:50\","
		"\"tf_op\": \"XlaModule:\"}},"
		"{\"ph\": \"X\", \"pid\": 1, \"tid\": 4, \"name\": \"fusion_2\", \"ts\": 60, \"dur\": 2, \"args\": {"
		"\"hlo_module\": \"jit_f\", \"tf_op\": \"XlaModule:\"}},"
		"{\"ph\": \"X\", \"pid\": 1, \"tid\": 5, \"name\": \"fusion.1\", \"ts\": 50, \"dur\": 2, \"args\": {\"correlation_id\": \"12\"}},{}]}",
		diag);
	const struct tfp_trace *trace = profile->trace;
	const struct tfp_trace_work *work =
		&trace->works.at[tfp_trace_work_of(trace, tfp_trace_device_event(trace, 0))];

	(void)state;
	assert_int_equal(trace->device_events, 2);
	assert_string_equal(owner_of(profile, 50000), "jit(f)/add/fusion_1");
	assert_string_equal(owner_of(profile, 60000), "fusion_2");
	assert_string_equal(name_of(profile, launch_of(profile, 0)), "$a.py:9 f/launch");
	assert_int_equal(launch_of(profile, 1), TFP_NONE);
	expect_stack(profile, "jit(f)/add/fusion_1", stack);
	assert_int_equal(work->registers, 58);
	assert_int_equal(work->grid[0], 64);
	assert_int_equal(work->occupancy, 5000);
	assert_int_equal(
		profile->steps.at[tfp_trace_step_of(profile, tfp_trace_device_event(trace, 0))]
			.number,
		3);
	assert_int_not_equal(event_named(profile, "train"), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- recognising ------------------------------------------------------------------------------------- */

/* A list of records that has very much before it. */
static void a_list_is_found_behind_much_else(void **state)
{
	static const char begin[] = "{\"metadata\": {\"x\": \"",
			  end[] = "\"}, \"traceEvents\": [\n" X("cpu_op", "a", "1", "1", "1", "2",
								"") "]}";
	size_t filler = 300000, size = sizeof(begin) - 1 + filler + sizeof(end) - 1;
	char *text = tfp_alloc(size);
	struct tfp_source *source;

	(void)state;
	memcpy(text, begin, sizeof(begin) - 1);
	memset(text + sizeof(begin) - 1, 'y', filler);
	memcpy(text + sizeof(begin) - 1 + filler, end, sizeof(end) - 1);
	source = source_of("text", text, size);
	assert_ptr_equal(tfp_recognise(source), loader_named("kineto"));
	tfp_source_free(source);
	tfp_array_release(text);
}

/* JAX writes so many events into its Chrome traces and no more, by versions. */
static void what_may_have_been_cut_off(void **state)
{
	(void)state;
	assert_true(chrome_is_cap(1000000));
	assert_true(chrome_is_cap(5000000));
	assert_false(chrome_is_cap(999999));
	assert_false(chrome_is_cap(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(py_spy_tells_threads_apart_by_their_number),
		cmocka_unit_test(names_may_have_file_and_line),
		cmocka_unit_test(stacks_are_listed_once_and_named_by_number),
		cmocka_unit_test(what_ends_an_event_says_more_of_it),
		cmocka_unit_test(stacks_are_cut),
		cmocka_unit_test(samples_count_by_their_stacks),
		cmocka_unit_test(samples_have_weights),
		cmocka_unit_test(what_may_have_been_cut_off),
		cmocka_unit_test(values_of_counters_last_until_the_next),
		cmocka_unit_test(equal_names_are_told_apart),
		cmocka_unit_test(lanes_stand_where_the_file_wants_them),
		cmocka_unit_test(a_name_says_its_kind_once),
		cmocka_unit_test(the_first_profiler_of_pytorch_links_by_arrows),
		cmocka_unit_test(arrows_lead_to_what_begins_next_or_is_around),
		cmocka_unit_test(events_may_be_ends_of_arrows),
		cmocka_unit_test(jax_says_what_it_launched),
		cmocka_unit_test(a_list_is_found_behind_much_else),
	};

	return cmocka_run_group_tests_name("chrome programs", tests, NULL, NULL);
}
