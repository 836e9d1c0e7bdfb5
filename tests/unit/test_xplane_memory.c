/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in XPlane recordings made by hand: whose each piece is, and that it is read only once somebody asks.
 */
#include "made_xplane.h"

#define MEMORY                                                                                     \
	"event_metadata { key: 4 value { name: \"MemoryAllocation\" } } "                          \
	"event_metadata { key: 5 value { name: \"MemoryDeallocation\" } } "                        \
	"stat_metadata { key: 12 value { name: \"allocation_bytes\" } } "                          \
	"stat_metadata { key: 13 value { name: \"addr\" } } "                                      \
	"stat_metadata { key: 6 value { name: \"_r\" } } "                                         \
	"stat_metadata { key: 7 value { name: \"step_num\" } } "

/* Of BYTES at ADDRESS, which are texts, as all the others. */
#define RECORD(kind, time, lasts, bytes, address)                                                  \
	"events { metadata_id: " kind " offset_ps: " time " duration_ps: " lasts                   \
	" stats { metadata_id: 12 int64_value: " bytes " } "                                       \
	"stats { metadata_id: 13 uint64_value: " address " } } "
#define TAKEN(time, bytes, address) RECORD("4", time, "0", bytes, address)
#define GIVEN(time, bytes, address) RECORD("5", time, "0", bytes, address)

/* Compares the allocations, once asked for, with pairs of name and bytes, NULL-ended. */
struct expected {
	const char *name;
	int64_t bytes;
};

static struct tfp_alloc alloc_at(const struct world *world, size_t index)
{
	return tfp_allocs_get(&world->profile->allocs, index);
}

static void expect_allocs(struct world *world, const struct expected *expected)
{
	const struct tfp_profile *profile = world->profile;
	size_t count = 0;

	assert_true(tfp_profile_need(world->profile, TFP_PART_ALLOCS, NULL, world->diag));
	for (; expected[count].name; count++) {
		struct tfp_alloc alloc;

		assert_true(count < profile->allocs.count);
		alloc = tfp_allocs_get(&profile->allocs, count);
		assert_string_equal(text_of(world, profile->nodes.name[alloc.node]),
				    expected[count].name);
		assert_int_equal(alloc.bytes, expected[count].bytes);
	}
	assert_int_equal(profile->allocs.count, count);
}

/* A piece of memory is of the event around that which says so, and given back by its address. */
static void test_memory_belongs_to_who_took_it(void **state)
{
	struct world *world = *state;
	uint32_t op;

	load(world,
	     "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	     "events { metadata_id: 1 duration_ps: 40 } "
	     "events { metadata_id: 4 offset_ps: 10 stats { metadata_id: 11 str_value: \"G\" } "
	     "stats { metadata_id: 12 int64_value: 100 } "
	     "stats { metadata_id: 13 uint64_value: 77 } } "
	     "events { metadata_id: 5 offset_ps: 90 stats { metadata_id: 11 str_value: \"G\" } "
	     "stats { metadata_id: 12 int64_value: 100 } "
	     "stats { metadata_id: 13 uint64_value: 77 } } "
	     "events { metadata_id: 5 offset_ps: 95 stats { metadata_id: 11 str_value: \"G\" } "
	     "stats { metadata_id: 12 int64_value: 100 } "
	     "stats { metadata_id: 13 uint64_value: 77 } } } "
	     "event_metadata { key: 4 value { name: \"MemoryAllocation\" } } "
	     "event_metadata { key: 5 value { name: \"MemoryDeallocation\" } } "
	     "stat_metadata { key: 11 value { name: \"allocator_name\" } } "
	     "stat_metadata { key: 12 value { name: \"allocation_bytes\" } } "
	     "stat_metadata { key: 13 value { name: \"addr\" } } " NAMES "}");
	op = node_named(world, "one");
	assert_true(tfp_profile_need(world->profile, TFP_PART_ALLOCS, NULL, world->diag));
	assert_int_equal(world->profile->allocs.count, 2);
	assert_int_equal(alloc_at(world, 0).node, op);
	assert_int_equal(alloc_at(world, 0).bytes, 100);
	assert_int_equal(alloc_at(world, 1).node, op);
	assert_int_equal(alloc_at(world, 1).bytes, -100);
	assert_true(world->profile->held_unknown);
}

/* Threads take and give by turns, and their events do not stand by time. */
static void test_records_are_those_of_all_threads_by_time(void **state)
{
	static const struct expected expected[] = {
		{"one", 10}, {"two", 20}, {"two", -20}, {"one", 30}, {"one", -10}, {NULL, 0},
	};
	struct world *world = *state;

	load(world,
	     "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" " GIVEN("90000000", "10",
										"1")
		     TAKEN("10000000", "10", "1") "events { metadata_id: 1 duration_ps: 80000000 } " TAKEN(
			     "50000000", "30",
			     "3") "} lines { id: 2 name: \"other\" "
				  "events { metadata_id: 2 duration_ps: 99000000 } " TAKEN(
					  "20000000", "20", "2")
					  GIVEN("40000000", "20", "2") "} " MEMORY NAMES "}");
	assert_true(world->profile->has_allocs);
	assert_int_equal(world->profile->allocs.count, 0);
	expect_allocs(world, expected);
	assert_int_equal(alloc_at(world, 1).time, 20000);
}

/* Two at one time: arranged events have the longer one first, and each is found. */
static void test_records_of_one_time_are_all_found(void **state)
{
	static const struct expected expected[] = {
		{"one", 20}, {"one", -20}, {"MemoryDeallocation", 10}, {NULL, 0}};
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 1 duration_ps: 80 } " TAKEN("5", "20", "2")
			    TAKEN("10", "10", "1")
				    RECORD("5", "10", "5", "20", "2") "} " MEMORY NAMES "}");
	expect_allocs(world, expected);
}

/* What says which op it is for is of that, unless an op is around it; also of one of which the file says nothing else, if it has a scope. */
static void test_records_that_name_their_op(void **state)
{
#define FOR(time, bytes, op)                                                                       \
	"events { metadata_id: 4 offset_ps: " time " stats { metadata_id: 12 int64_value: " bytes  \
	" } stats { metadata_id: 15 str_value: \"" op "\" } } "
	static const struct expected expected[] = {{"net/Relu", 10},  {"net/MatMul", 20},
						   {"net/Relu", 30},  {"one", 40},
						   {"net/Other", 50}, {NULL, 0}};
	struct world *world = *state;

	load(world,
	     "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	     "events { metadata_id: 20 offset_ps: 20 duration_ps: 10 } "
	     "events { metadata_id: 1 offset_ps: 40 duration_ps: 90 } " FOR(
		     "10", "10", "net/Relu") FOR("20", "20",
						 "net/Relu") FOR("50", "30",
								 "net/Relu:Relu") FOR("60", "40",
										      "unknown")
		     FOR("70", "50",
			 "net/Other:Other") "} lines { id: 2 name: \"other\" events { metadata_id: 21 duration_ps: 5 } } "
					    "event_metadata { key: 20 value { name: \"net/MatMul:MatMul\" } } "
					    "event_metadata { key: 21 value { name: \"net/Relu:Relu\" } } "
					    "stat_metadata { key: 15 value { name: \"tf_op\" } } " MEMORY
						    NAMES "}");
	expect_allocs(world, expected);
}

/* Terabytes in use, and pieces of many gigabytes: what is held besides is known to the byte. */
static void test_numbers_may_be_large(void **state)
{
#define IN_USE(bytes) " stats { metadata_id: 14 int64_value: " bytes " } } "
#define LARGE(kind, time, bytes, address, in_use)                                                  \
	"events { metadata_id: " kind " offset_ps: " time                                          \
	" stats { metadata_id: 12 int64_value: " bytes " } "                                       \
	"stats { metadata_id: 13 uint64_value: " address " } " IN_USE(in_use)
	static const struct expected expected[] = {
		{"held from before", 1},
		{"one", 5000000000},
		{"held from before", 3000000000000},
		{"one", 3},
		{"one", -5000000000},
		{"one", -3},
		{"held from before", -2999999999999},
		{"one", 9},
		{NULL, 0},
	};
	struct world *world = *state;

	load(world,
	     "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	     "events { metadata_id: 1 duration_ps: 90000000 } " LARGE(
		     "4", "10000000", "5000000000", "1",
		     "5000000001") LARGE("4", "20000000", "3", "2",
					 "3005000000004") LARGE("5", "30000000", "5000000000", "1",
								"3000000000004")
		     LARGE("5", "40000000", "3", "2", "3000000000001") LARGE(
			     "4", "50000000", "9", "3",
			     "11") "} "
				   "stat_metadata { key: 14 value { name: \"bytes_allocated\" } } " MEMORY
					   NAMES "}");
	expect_allocs(world, expected);
}

/* Names may say what stats do elsewhere, so that each is an other kind of event. */
static void test_records_in_names(void **state)
{
	static const struct expected expected[] = {{"one", 7}, {"one", -7}, {NULL, 0}};
	struct world *world = *state;

	load(world,
	     "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	     "events { metadata_id: 1 duration_ps: 80 } "
	     "events { metadata_id: 700 offset_ps: 10 } events { offset_ps: 20 metadata_id: 701 } "
	     "} event_metadata { key: 700 value { name: "
	     "\"MemoryAllocation#allocation_bytes=7,addr=5#\" } } "
	     "event_metadata { key: 701 value { name: "
	     "\"MemoryDeallocation#allocation_bytes=7,addr=5#\" } } " NAMES "}");
	expect_allocs(world, expected);
}

/* What is called so and says nothing is no memory. */
static void test_names_alone_are_no_memory(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 4 offset_ps: 10 } } " MEMORY NAMES "}");
	assert_false(world->profile->has_allocs);
	assert_int_equal(world->profile->nodes.count, 1);
}

/* The second host's clock is far from the first's, and its times are moved: its memory with them. */
static void test_memory_of_a_host_that_was_moved(void **state)
{
#define HOST(at)                                                                                    \
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" timestamp_ns: " at               \
	" events { metadata_id: 2 duration_ps: 90000000 "                                           \
	"stats { metadata_id: 6 int64_value: 1 } stats { metadata_id: 7 int64_value: 3 } } " TAKEN( \
		"10000000", "10", "1") "} " MEMORY NAMES "}"
	static const struct expected expected[] = {{"two", 10}, {"two", 10}, {NULL, 0}};
	struct world *world = *state;

	add_file(world, wire_of(HOST("1000"), world->diag), "run/a.xplane.pb");
	add_file(world, wire_of(HOST("5001000"), world->diag), "run/b.xplane.pb");
	finish(world);
	expect_allocs(world, expected);
	assert_int_equal(alloc_at(world, 0).time, alloc_at(world, 1).time);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_memory_belongs_to_who_took_it),
		TEST(test_records_are_those_of_all_threads_by_time),
		TEST(test_records_of_one_time_are_all_found),
		TEST(test_records_that_name_their_op),
		TEST(test_numbers_may_be_large),
		TEST(test_records_in_names),
		TEST(test_names_alone_are_no_memory),
		TEST(test_memory_of_a_host_that_was_moved),
	};

	return cmocka_run_group_tests_name("xplane_memory", tests, NULL, NULL);
}
