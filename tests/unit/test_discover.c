/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is found in a folder: formats by content, files that belong together, runs and hosts by the
 * place, and folders that are empty, hostile or large.
 */
#include <ftw.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tfprof/load.h"

#include <cmocka.h>

#include "test_path.h"

#define GRAPH "node { name: \"a\" op: \"Conv2D\" }\n"
#define STEP                                                                                       \
	"step_stats { dev_stats { device: \"/cpu:0\" node_stats { node_name: \"a\" "               \
	"all_start_micros: 1 } } }\n"
#define LOG "log_entries { name: \"a\" float_ops: 3 }\n"

struct world {
	char folder[4096];
	struct tfp_diag *diag;
	struct tfp_discovery found;
};

static int set_up(void **state)
{
	struct world *world = tfp_alloc_zero(1, sizeof(*world));
	const char *parent = getenv("TMPDIR");

	snprintf(world->folder, sizeof(world->folder), "%s/tfprof-discover-XXXXXX",
		 parent ? parent : P_tmpdir);
	if (!mkdtemp(world->folder))
		return -1;
	world->diag = tfp_diag_new();
	*state = world;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static int tear_down(void **state)
{
	struct world *world = *state;

	nftw(world->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	tfp_discovery_free(&world->found);
	tfp_diag_free(world->diag);
	tfp_array_release(world);
	return 0;
}

static const char *path_of(const struct world *world, const char *name)
{
	static char path[8192];

	snprintf(path, sizeof(path), "%s/%s", world->folder, name);
	return path;
}

/* Writes a file, and makes the folders above it. */
static void write_bytes(const struct world *world, const char *name, const void *bytes, size_t size)
{
	char *path = tfp_strdup(path_of(world, name));
	FILE *file;

	for (char *slash = strchr(path + strlen(world->folder) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	tfp_array_release(path);
}

static void add_file(const struct world *world, const char *name, const char *text)
{
	write_bytes(world, name, text, strlen(text));
}

static void discover(struct world *world)
{
	assert_true(tfp_discover(&world->found, world->folder, NULL, world->diag));
}

static const struct tfp_found *found_at(const struct world *world, size_t index, const char *name)
{
	assert_true(index < world->found.found.count);
	assert_string_equal(world->found.found.at[index].name, name);
	return &world->found.found.at[index];
}

static void test_files_of_one_folder_are_one_profile(void **state)
{
	struct world *world = *state;
	const struct tfp_found *found;

	add_file(world, "run/graph.pbtxt", GRAPH);
	add_file(world, "run/step2", STEP);
	add_file(world, "run/step1", STEP);
	add_file(world, "run/log", LOG);
	add_file(world, "run/README", "what is here was measured in spring\n");
	add_file(world, "run/empty", "");
	add_file(world, "run/step10", "");
	discover(world);
	assert_int_equal(world->found.found.count, 1);
	found = found_at(world, 0, "run");
	assert_string_equal(found->label, "TensorFlow");
	assert_string_equal(found->note, "3 steps");
	assert_int_equal(found->count, 5);
	assert_int_equal(found->size, strlen(GRAPH) + 2 * strlen(STEP) + strlen(LOG));
	assert_string_equal(strrchr(found->files[2].path, '/'), "/step1");
	assert_string_equal(strrchr(found->files[3].path, '/'), "/step2");
	assert_string_equal(strrchr(found->files[4].path, '/'), "/step10");
	assert_int_equal(world->found.looked, 7);
}

static void test_a_slash_at_the_end_is_not_doubled(void **state)
{
	struct world *world = *state;

	add_file(world, "graph.pbtxt", GRAPH);
	assert_true(tfp_discover(&world->found, path_of(world, ""), NULL, world->diag));
	assert_string_equal(found_at(world, 0, "graph.pbtxt")->files[0].path,
			    path_of(world, "graph.pbtxt"));
}

static void test_two_graphs_are_two(void **state)
{
	struct world *world = *state;

	add_file(world, "a", GRAPH);
	add_file(world, "b", GRAPH);
	add_file(world, "c", STEP);
	add_file(world, "d", STEP);
	discover(world);
	assert_int_equal(world->found.found.count, 3);
	assert_int_equal(found_at(world, 0, ".")->count, 2);
	assert_string_equal(found_at(world, 1, "a")->label, "GraphDef");
	found_at(world, 2, "b");
}

static void test_a_graph_in_two_encodings_is_one(void **state)
{
	struct world *world = *state;

	add_file(world, "graph.pb", GRAPH);
	add_file(world, "graph.pbtxt.gz", GRAPH);
	add_file(world, "steps", STEP);
	add_file(world, "two/a.1.pb", GRAPH);
	add_file(world, "two/a.2.pb", GRAPH);
	discover(world);
	assert_int_equal(world->found.found.count, 3);
	assert_int_equal(found_at(world, 0, ".")->count, 2);
	assert_string_equal(strrchr(found_at(world, 0, ".")->files[0].path, '/'), "/graph.pb");
	found_at(world, 1, "two/a.1.pb");
	found_at(world, 2, "two/a.2.pb");
}

static void test_run_and_host_are_the_place(void **state)
{
	struct world *world = *state;
	const struct tfp_found *found;

	add_file(world, "logs/plugins/profile/2026_11_28/host-1.local.xplane.pb", GRAPH);
	add_file(world, "logs/plugins/profile/other", GRAPH);
	discover(world);
	found = found_at(world, 0, "logs/plugins/profile/2026_11_28/host-1.local.xplane.pb");
	assert_string_equal(found->run, "2026_11_28");
	assert_string_equal(found->host, "host-1.local");
	found = found_at(world, 1, "logs/plugins/profile/other");
	assert_string_equal(found->run, "");
	assert_string_equal(found->host, "");
}

static void test_nothing_is_found_in_an_empty_folder(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile;
	struct tfp_arena arena = {0};
	const char *text;

	add_file(world, ".git/graph", GRAPH);
	discover(world);
	assert_int_equal(world->found.found.count, 0);
	profile = tfp_discovery_profile(&world->found, "logs");
	assert_string_equal(profile->listing, "no profile in logs: looked at 0 files");
	text = tfp_discovery_describe(&world->found, "logs", &arena);
	assert_non_null(strstr(text, "looked at 0 files for GraphDef, RunMetadata, "));
	tfp_arena_free(&arena);
	tfp_profile_free(profile);
}

static void test_what_cannot_be_read_is_a_problem(void **state)
{
	struct world *world = *state;

	add_file(world, "shut/graph", GRAPH);
	add_file(world, "good", GRAPH);
	add_file(world, "secret", GRAPH);
	chmod(path_of(world, "secret"), 0);
	chmod(path_of(world, "shut"), 0);
	discover(world);
	chmod(path_of(world, "shut"), 0700);
	if (geteuid()) { /* who may read everything is told of nothing */
		assert_int_equal(world->found.found.count, 1);
		assert_int_equal(tfp_diag_count(world->diag), 2);
	}
	assert_int_equal(tfp_diag_errors(world->diag), 0);
	tfp_discovery_free(&world->found);
	assert_false(tfp_discover(&world->found, path_of(world, "none"), NULL, world->diag));
	assert_int_equal(tfp_diag_errors(world->diag), 1);
}

static void test_links_do_not_go_in_circles(void **state)
{
	struct world *world = *state;

	add_file(world, "one/graph", GRAPH);
	assert_int_equal(symlink("..", path_of(world, "one/up")), 0);
	assert_int_equal(symlink("nowhere", path_of(world, "one/broken")), 0);
	assert_int_equal(symlink("graph", path_of(world, "one/same")), 0);
	assert_int_equal(mkfifo(path_of(world, "one/pipe"), 0600), 0);
	discover(world);
	assert_int_equal(world->found.found.count, 2);
	found_at(world, 0, "one/graph");
	found_at(world, 1, "one/same");
}

static void test_depth_is_bounded(void **state)
{
	struct world *world = *state;
	char name[256] = "";

	for (int i = 0; i < 40; i++)
		strcat(name, "d/");
	strcat(name, "graph");
	add_file(world, name, GRAPH);
	discover(world);
	assert_int_equal(world->found.found.count, 0);
	assert_int_equal(tfp_diag_count(world->diag), 1);
}

static void test_damaged_files_are_passed_over(void **state)
{
	struct world *world = *state;

	add_file(world, "cut.gz", "\x1f\x8b\x08");
	add_file(world, "noise", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
	discover(world);
	assert_int_equal(world->found.found.count, 0);
	assert_int_equal(world->found.looked, 2);
}

static void test_ten_thousand_files_are_listed_at_once(void **state)
{
	struct world *world = *state;
	clock_t start;
	char name[64];

	for (int i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "%d/file%d", i / 100, i);
		add_file(world, name, i % 10 ? "no profile\n" : GRAPH);
	}
	start = clock();
	discover(world);
	assert_int_equal(world->found.looked, 10000);
	assert_int_equal(world->found.found.count, 1000);
	assert_true(clock() - start < 5 * CLOCKS_PER_SEC); /* sanitizers take their time */
}

static void test_a_cancelled_search_ends(void **state)
{
	struct world *world = *state;
	struct tfp_job job = {.cancel = true};

	add_file(world, "graph", GRAPH);
	assert_false(tfp_discover(&world->found, world->folder, &job, world->diag));
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

static void test_the_list_is_a_profile_of_words_and_figures(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile;
	int64_t values[TFP_MAX_METRICS];

	add_file(world, "plugins/profile/r2/h.xplane.pb", GRAPH);
	add_file(world, "plugins/profile/r1/h.xplane.pb", STEP);
	add_file(world, "z", GRAPH);
	discover(world);
	profile = tfp_discovery_profile(&world->found, world->folder);
	assert_int_equal(profile->nodes.count, 3);
	assert_int_equal(profile->metric_count, 7);
	tfp_profile_values(profile, 0, TFP_STEP_MEAN, 0, values);
	assert_int_equal(values[0], strlen(STEP));
	assert_string_equal(
		tfp_strings_text(profile->strings, profile->metrics[4].words[values[4]]), "r1");
	tfp_profile_values(profile, 2, TFP_STEP_MEAN, 0, values);
	assert_int_equal(values[4], 0);
	assert_true(profile->metrics[3].absent);
	assert_false(profile->metrics[5].absent);
	tfp_profile_free(profile);
}

static void test_what_goes_together_is_opened_together(void **state)
{
	struct world *world = *state;
	struct tfp_arena arena = {0};
	size_t count;

	add_file(world, "a/graph", GRAPH);
	add_file(world, "b/step", STEP);
	add_file(world, "c/graph", GRAPH);
	discover(world);
	assert_non_null(tfp_discovery_join(&world->found, (uint32_t[]){0, 1}, 2, &arena, &count,
					   world->diag));
	assert_int_equal(count, 2);
	assert_null(tfp_discovery_join(&world->found, (uint32_t[]){0, 2}, 2, &arena, &count,
				       world->diag));
	assert_string_equal(tfp_diag_get(world->diag, 0).text,
			    "both have a graph: a/graph, c/graph");
	tfp_arena_free(&arena);
}

/* The bytes of a recording with one plane that has a name and nothing else. */
#define RECORDING "\x0a\x0b\x12\x09/host:CPU"

#define CHROME                                                                                     \
	"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"name\":\"a\"},{}]}"

static void test_hosts_of_a_run_are_one_profile(void **state)
{
	struct world *world = *state;
	const struct tfp_found *found;

	add_file(world, "plugins/profile/may/b.xplane.pb", RECORDING);
	add_file(world, "plugins/profile/may/a.xplane.pb", RECORDING);
	add_file(world, "plugins/profile/june/a.xplane.pb", RECORDING);
	add_file(world, "plugins/profile/june/a.trace.json.gz", CHROME);
	add_file(world, "plugins/profile/june/perfetto_trace.json.gz", CHROME);
	add_file(world, "alone/perfetto_trace.json.gz", CHROME);
	add_file(world, "loose/a.xplane.pb", RECORDING);
	add_file(world, "loose/b.xplane.pb", RECORDING);
	discover(world);
	assert_int_equal(world->found.found.count, 5);
	found_at(world, 0, "alone/perfetto_trace.json.gz");
	found = found_at(world, 4, "plugins/profile/may");
	assert_string_equal(found->label, "XPlane recording");
	assert_string_equal(found->note, "2 hosts");
	assert_string_equal(found->run, "may");
	assert_string_equal(found->host, "a, b");
	assert_int_equal(found->count, 2);
	found = found_at(world, 3, "plugins/profile/june/a.xplane.pb");
	assert_string_equal(found->host, "a");
	assert_int_equal(found->count, 1);
	found_at(world, 1, "loose/a.xplane.pb");
	assert_int_equal(tfp_diag_count(world->diag), 1);
	assert_int_equal(tfp_diag_get(world->diag, 0).severity, TFP_NOTE);
	assert_string_equal(tfp_diag_get(world->diag, 0).text,
			    "is not read: it says the same as a.xplane.pb beside it, and less");
}

#define TORCH(info)                                                                                \
	"{\"schemaVersion\":1," info                                                               \
	"\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"name\":\"a\"}]"
#define INFO(rank, ranks)                                                                          \
	"\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " rank ", \"world_size\": " ranks  \
	"}"
#define TORCH_RANK(rank, ranks) TORCH(INFO(rank, ranks) ",") "}"

/* What PyTorch's files say, before their events or behind them, tells ranks of one run. */
static void test_ranks_of_a_run_are_one_profile(void **state)
{
	struct world *world = *state;
	const struct tfp_found *found;

	add_file(world, "job/r0.json", TORCH_RANK("0", "2"));
	add_file(world, "job/r1.json", TORCH("") "," INFO("1", "2") "}");
	add_file(world, "more/a.json", TORCH_RANK("0", "2"));
	add_file(world, "more/b.json", TORCH_RANK("1", "2"));
	add_file(world, "more/c.json", TORCH_RANK("1", "2")); /* of another time */
	add_file(world, "more/d.json", TORCH_RANK("2", "4")); /* of another run */
	add_file(world, "more/e.json", TORCH_RANK("0", "1")); /* the only one */
	add_file(world, "more/f.json", TORCH("") "}");        /* says nothing */
	add_file(world, "more/g.json", TORCH("") "}");
	discover(world);
	assert_int_equal(world->found.found.count, 7);
	found = found_at(world, 0, "job");
	assert_string_equal(found->label, "PyTorch trace");
	assert_string_equal(found->note, "2 ranks");
	assert_string_equal(found->host, "ranks 0-1");
	assert_int_equal(found->count, 2);
	found = found_at(world, 1, "more/a.json");
	assert_int_equal(found->count, 2);
	assert_string_equal(found->files[1].path, path_of(world, "more/b.json"));
	assert_int_equal(found_at(world, 2, "more/c.json")->count, 1);
	assert_int_equal(found_at(world, 6, "more/g.json")->count, 1);
}

/* Where they say nothing their names tell who wrote them at one time; a worker's second is of another. */
static void test_workers_of_a_run_are_one_profile(void **state)
{
	struct world *world = *state;
	const struct tfp_found *found;

	add_file(world, "log/h_1.1790857026000.pt.trace.json", TORCH("") "}");
	add_file(world, "log/h_1.1790857086001.pt.trace.json", TORCH("") "}");
	add_file(world, "log/h_2.1790857028000000000.pt.trace.json", TORCH("") "}");
	add_file(world, "log/h_3.1790957028000.pt.trace.json", TORCH("") "}");
	add_file(world, "log/h_4.pt.trace.json", TORCH("") "}");
	discover(world);
	assert_int_equal(world->found.found.count, 4);
	found = found_at(world, 0, "log/h_1.1790857026000.pt.trace.json");
	assert_string_equal(found->label, "PyTorch trace");
	assert_string_equal(found->note, "2 ranks");
	assert_string_equal(found->host, "h_1, h_2");
	assert_int_equal(found->count, 2);
	assert_int_equal(found_at(world, 1, "log/h_1.1790857086001.pt.trace.json")->count, 1);
}

/* A folder that holds ranks of one run is opened as that run; one that holds more names its files. */
static void test_a_folder_of_ranks_is_opened(void **state)
{
	struct world *world = *state;
	struct tfp_named_file folder = {0};
	struct tfp_profile *profile;
	struct tfp_diag *diag = tfp_diag_new();

	add_file(world, "job/r0.json", TORCH_RANK("0", "2"));
	add_file(world, "job/r1.json", TORCH_RANK("1", "2"));
	folder.path = path_of(world, "job");
	profile = tfp_load(&folder, 1, NULL, diag);
	assert_non_null(profile);
	assert_int_equal(profile->files.count, 2);
	tfp_profile_free(profile);
	add_file(world, "job/s.json", TORCH("") "}");
	folder.path = path_of(world, "job");
	assert_null(tfp_load(&folder, 1, NULL, diag));
	assert_non_null(strstr(tfp_diag_get(diag, tfp_diag_count(diag) - 1).text, "r0.json "));
	tfp_diag_free(diag);
}

/* A module "m" of a computation "main" that adds. */
#define HLO                                                                                        \
	"\n\x1f\n\x01m\x12\x04main\x1a\x14\n\x04main\x12\x0c\n\x01"                                \
	"a\x12\x03"                                                                                \
	"add\x1a\x02\x10\x0b"

static void test_what_lies_beside_recordings_is_passed_over(void **state)
{
	static const struct {
		const char *name, *content, *why;
	} cases[] = {
		{"a.overview_page.pb", GRAPH, "a table that was made of a recording"},
		{"ALL_HOSTS.op_stats_v2.pb", GRAPH, "a table that was made of a recording"},
		{"a.memory_profile.json.gz", CHROME, "a table that was made of a recording"},
		{"cache_version.txt", "2.24", "a table that was made of a recording"},
		{"jit_step(7).hlo_proto.pb", HLO, "an HLO module without times"},
		{"before_optimizations", HLO, "an HLO module without times"},
		{"events.out.tfevents.7.a", GRAPH, "TensorBoard's events"},
		{"a.xplane.riegeli", "what", "a Riegeli container"},
		{"et.json",
		 "{\n  \"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": [{\"name\": \"execution_trace\"}]}",
		 "an execution trace of PyTorch"},
		{"memory.json", "[[17958, 17959], [[0, 3], [1, 2]]]", "lists of numbers"},
		{"raw.json", "[[-1, 1, 864, 0], [-1, 1, 32, 0]]", "lists of numbers"},
		{"stacks.txt", "a.py(42):_<module>;a.py(30):_f 35\nb.py(1):_g 2\n",
		 "folded stacks"},
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		add_file(world, cases[i].name, cases[i].content);
	add_file(world, "a.xplane.pb", RECORDING);
	discover(world);
	assert_int_equal(world->found.found.count, 1);
	found_at(world, 0, "a.xplane.pb");
	assert_int_equal(tfp_diag_count(world->diag), 1);
	assert_non_null(strstr(tfp_diag_get(world->diag, 0).text, "a Riegeli container"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_named_file file = {.path = path_of(world, cases[i].name)};
		struct tfp_diag *diag = tfp_diag_new();

		assert_null(tfp_load(&file, 1, NULL, diag));
		assert_non_null(strstr(tfp_diag_get(diag, 0).text, cases[i].why));
		tfp_diag_free(diag);
	}
}

/* A copy of a recording, packed or not, is told as what it is read once with; what only begins as another is none. */
static void test_copies_are_told(void **state)
{
	static const struct {
		const char *name, *note;
	} told[] = {
		{"a.json", ""},
		{"a.json.gz", "same as a.json"},
		{"b.json.gz", "same as a.json.gz"},
		{"c.json", "same as a.json"},
		{"d.json", ""},
		{"f.json.gz", "cut short"},
		{"g.json.gz", ""}, /* gzip says of it what it was */
	};
	struct world *world = *state;
	char path[TEST_PATH], raw[1 << 16], *other;
	FILE *file = fopen(test_path(path, "data/traces/torch_cpu.json.gz"), "r");
	struct tfp_source *source = tfp_source_open(path, NULL, world->diag);
	size_t size;

	assert_non_null(file);
	size = fread(raw, 1, sizeof(raw), file);
	fclose(file);
	write_bytes(world, "a.json.gz", raw, size);
	write_bytes(world, "b.json.gz", raw, size);
	write_bytes(world, "f.json.gz", raw, size / 2);
	raw[size * 3 / 4] ^= 1;
	write_bytes(world, "g.json.gz", raw, size);
	write_bytes(world, "a.json", source->data, source->size);
	write_bytes(world, "c.json", source->data, source->size);
	other = tfp_alloc(source->size);
	memcpy(other, source->data, source->size);
	strchr(other + source->size / 2, ',')[-1] ^= 1; /* a digit, or a sign of a name */
	write_bytes(world, "d.json", other, source->size);
	discover(world);
	assert_int_equal(world->found.found.count, 7);
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		assert_string_equal(found_at(world, i, told[i].name)->note, told[i].note);
	free(other);
	tfp_source_free(source);
}

/* What lacks its end says so where the end shows it; a list of records need not be closed. */
static void test_files_that_lack_their_end_are_told(void **state)
{
	static const struct {
		const char *name, *content, *note;
	} told[] = {
		{"closed.json", TORCH("") "}\n", ""},
		{"cut.json", TORCH(""), "cut short"},
		{"cut.xplane.pb", RECORDING RECORDING "\x0a\x0b\x12\x09/host", "cut short"},
		{"job/r0.json", TORCH_RANK("0", "2"), "1 cut short, 2 ranks"},
		{"open.json", "[{\"ph\":\"X\",\"ts\":1},\n", ""},
		{"whole.xplane.pb", RECORDING, ""},
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		add_file(world, told[i].name, told[i].content);
	add_file(world, "job/r1.json", TORCH(INFO("1", "2") ","));
	discover(world);
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		assert_string_equal(world->found.found.at[i].note, told[i].note);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(test_files_of_one_folder_are_one_profile),
		TEST(test_a_slash_at_the_end_is_not_doubled),
		TEST(test_two_graphs_are_two),
		TEST(test_a_graph_in_two_encodings_is_one),
		TEST(test_run_and_host_are_the_place),
		TEST(test_nothing_is_found_in_an_empty_folder),
		TEST(test_what_cannot_be_read_is_a_problem),
		TEST(test_links_do_not_go_in_circles),
		TEST(test_depth_is_bounded),
		TEST(test_damaged_files_are_passed_over),
		TEST(test_ten_thousand_files_are_listed_at_once),
		TEST(test_a_cancelled_search_ends),
		TEST(test_the_list_is_a_profile_of_words_and_figures),
		TEST(test_what_goes_together_is_opened_together),
		TEST(test_hosts_of_a_run_are_one_profile),
		TEST(test_ranks_of_a_run_are_one_profile),
		TEST(test_workers_of_a_run_are_one_profile),
		TEST(test_a_folder_of_ranks_is_opened),
		TEST(test_copies_are_told),
		TEST(test_files_that_lack_their_end_are_told),
		TEST(test_what_lies_beside_recordings_is_passed_over),
	};

	return cmocka_run_group_tests_name("discover", tests, NULL, NULL);
}
