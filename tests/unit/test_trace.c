/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces: order, nesting and sums of events, against a recording made by hand and against the plain
 * way to do it.
 */
#include "made_trace.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = made_trace();
	return 0;
}

static int tear_down(void **state)
{
	tfp_profile_free(*state);
	return 0;
}

static int set_up_many(void **state)
{
	*state = made_trace_beside(MADE_MANY);
	return 0;
}

static int64_t value(const struct tfp_profile *profile, uint32_t node, int64_t step,
		     enum tfp_trace_metric metric)
{
	int64_t values[TFP_MAX_METRICS];
	uint32_t at = TFP_STEP_MEAN;

	if (step != INT64_MAX) {
		at = tfp_profile_find_step(profile, step);
		assert_int_not_equal(at, TFP_NONE);
	}
	tfp_profile_values(profile, node, at, 0, values);
	return values[metric];
}

#define ALL INT64_MAX /* steps */

static void check_sums(const struct tfp_profile *profile)
{
	assert_int_equal(value(profile, NET, ALL, TFP_TRACE_HOST), 30 + 10 + 5);
	assert_int_equal(value(profile, NET, ALL, TFP_TRACE_RUNS), 3);
	assert_int_equal(value(profile, CONV, ALL, TFP_TRACE_HOST), 40 + 60);
	assert_int_equal(value(profile, CONV, ALL, TFP_TRACE_DEVICE), 50 + 100 + 50 + 40);
	assert_int_equal(value(profile, CONV, ALL, TFP_TRACE_LAUNCHES), 4);
	assert_int_equal(value(profile, LOST, ALL, TFP_TRACE_RUNS), 2);
	assert_int_equal(profile->trace->unowned.events, 2);
}

static void steps_have_cells_once_they_are_asked_for(void **state)
{
	struct tfp_profile *profile = *state;
	struct tfp_job cancelled = {0};

	atomic_store(&cancelled.cancel, true);
	assert_int_equal(profile->cells.count, 4);
	check_sums(profile);
	assert_false(tfp_trace_split(profile, &cancelled));
	assert_int_equal(profile->cells.count, 4);
	check_sums(profile);
	assert_true(tfp_trace_split(profile, NULL));
	assert_int_equal(profile->cells.count, 4 + 3);
	check_sums(profile);
	/* a step that is put before the others moves them */
	tfp_profile_step(profile, -7, 0);
	assert_int_equal(value(profile, CONV, 1, TFP_TRACE_HOST), 60);
}

static void cells_of_all_steps_are_of_none(void **state)
{
	struct tfp_profile *profile = *state;

	tfp_profile_step(profile, -7, 0);
	check_sums(profile);
	for (uint32_t i = 0; i < profile->cells.count; i++)
		assert_int_equal(profile->cells.step[i], TFP_NONE);
}

static void events_stand_in_order(void **state)
{
	const struct tfp_trace *trace = ((struct tfp_profile *)*state)->trace;
	static const int64_t host_starts[] = {100, 110, 150, 300, 310, 900};
	const struct tfp_lane *host = &trace->lanes.at[HOST];

	assert_int_equal(trace->count, MADE_EVENTS);
	assert_int_equal(host->count, 6);
	for (uint32_t i = 0; i < host->count; i++) {
		assert_int_equal(tfp_trace_start(trace, host->first + i), host_starts[i]);
		assert_int_equal(tfp_trace_lane(trace, host->first + i), HOST);
	}
	assert_int_equal(trace->lanes.at[STREAM_A].count, 3);
	assert_int_equal(trace->begin, 90);
	assert_int_equal(trace->end, 905);
}

static void links_lead_to_the_launch_and_to_what_is_around(void **state)
{
	const struct tfp_trace *trace = ((struct tfp_profile *)*state)->trace;
	uint32_t host = trace->lanes.at[HOST].first, stream = trace->lanes.at[STREAM_A].first;

	assert_int_equal(tfp_trace_link(trace, host), TFP_NONE);
	assert_int_equal(tfp_trace_link(trace, host + 1), host);
	assert_int_equal(tfp_trace_link(trace, host + 2), host);
	assert_int_equal(tfp_trace_link(trace, host + 4), host + 3);
	assert_int_equal(tfp_trace_link(trace, stream), host + 1);
	assert_int_equal(tfp_trace_link(trace, stream + 2), host + 4);
}

static void self_time_is_less_what_is_nested(void **state)
{
	const struct tfp_profile *profile = *state;

	assert_int_equal(value(profile, NET, 0, TFP_TRACE_HOST), 100 - 40 - 30);
	/* Of what ends later only the part inside is taken. */
	assert_int_equal(value(profile, NET, 1, TFP_TRACE_HOST), 50 - 40);
	assert_int_equal(value(profile, CONV, 1, TFP_TRACE_HOST), 60);
	assert_int_equal(value(profile, NET, -1, TFP_TRACE_HOST), 5);
	assert_int_equal(value(profile, NET, ALL, TFP_TRACE_HOST), 30 + 10 + 5);
	assert_int_equal(value(profile, NET, ALL, TFP_TRACE_RUNS), 3);
}

static void device_time_belongs_to_the_step_of_the_launch(void **state)
{
	const struct tfp_profile *profile = *state;

	assert_int_equal(value(profile, CONV, 0, TFP_TRACE_DEVICE), 50 + 100 + 50);
	assert_int_equal(value(profile, CONV, 0, TFP_TRACE_BUSY), 130 + 50);
	assert_int_equal(value(profile, CONV, 0, TFP_TRACE_LAUNCHES), 3);
	assert_int_equal(value(profile, CONV, 1, TFP_TRACE_DEVICE), 40);
	assert_int_equal(value(profile, RELU, 0, TFP_TRACE_DEVICE), 20);
	/* Without a launch: the step in which it starts; runs are then device events. */
	assert_int_equal(value(profile, LOST, 1, TFP_TRACE_DEVICE), 10);
	assert_int_equal(value(profile, LOST, 1, TFP_TRACE_RUNS), 2);
	assert_int_equal(profile->trace->unowned.events, 2);
	assert_int_equal(profile->trace->unowned.time, 10);
}

static void tallies_anew_when_there_is_more(void **state)
{
	struct tfp_profile *profile = *state;
	struct tfp_trace *trace = profile->trace;

	tfp_trace_add(trace, HOST, 205, 3, RELU, TFP_NONE, TFP_NONE);
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	tfp_trace_nest(trace, 0);
	assert_true(tfp_trace_tally(profile, NULL));
	assert_int_equal(value(profile, RELU, ALL, TFP_TRACE_HOST), 33);
	assert_int_equal(value(profile, RELU, -1, TFP_TRACE_HOST), 3);
	assert_int_equal(value(profile, CONV, 0, TFP_TRACE_BUSY), 130 + 50);
	assert_int_equal(value(profile, LOST, 1, TFP_TRACE_RUNS), 2);
	assert_int_equal(trace->unowned.events, 2);
}

static void what_no_event_has_is_absent(void **state)
{
	const struct tfp_profile *profile = *state;

	assert_false(profile->metrics[TFP_TRACE_DEVICE].absent);
	assert_true(profile->metrics[TFP_TRACE_BYTES].absent);
	assert_true(profile->metrics[TFP_TRACE_FLOPS].absent);
	assert_int_equal(profile->metrics[TFP_TRACE_BUSY].unit, TFP_NANOS);
}

static void equal_works_are_one(void **state)
{
	struct tfp_profile *profile = *state;
	struct tfp_trace_work other = profile->trace->works.at[0];

	assert_int_equal(profile->trace->works.count, 3);
	assert_int_equal(tfp_trace_add_work(profile, &other), 0);
	other.grid[2]++;
	assert_int_equal(tfp_trace_add_work(profile, &other), 3);
}

static void device_events_are_merged_by_start(void **state)
{
	const struct tfp_trace *trace = ((struct tfp_profile *)*state)->trace;
	static const int64_t starts[] = {120, 150, 200, 260, 350, 350, 120};

	assert_int_equal(trace->device_events, 7);
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(tfp_trace_start(trace, tfp_trace_device_event(trace, i)),
				 starts[i]);
}

static void inner_steps_win(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_PICOS);
	static const struct {
		int64_t time, step;
	} expected[] = {{0, -1}, {10, 4}, {20, 7}, {29, 7}, {30, 4}, {39, 4}, {45, 2}, {60, -1}};
	uint32_t lane = tfp_trace_add_lane(trace, &(struct tfp_lane){.kind = TFP_LANE_HOST});
	tfp_str name = tfp_strings_add_text(profile->strings, "x");
	uint32_t node = tfp_profile_add_node(profile, name, name);

	(void)state;
	tfp_trace_add_device(trace, &(struct tfp_trace_device){.host = true});
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		tfp_trace_add(trace, lane, expected[i].time, 1, node, TFP_NONE, TFP_NONE);
	tfp_trace_mark_step(profile, 0, 0, 4, 0, 10, 40);
	tfp_trace_mark_step(profile, 0, 0, 7, 0, 20, 30);
	tfp_trace_mark_step(profile, 0, 0, 2, 0, 50, 60);
	tfp_trace_mark_step(profile, 0, 0, 2, 0, 45, 50);
	tfp_trace_arrange(trace, &(struct tfp_arranging){0});
	tfp_trace_nest(trace, 0);
	assert_true(tfp_trace_tally(profile, NULL));
	assert_int_equal(profile->steps.count, 4);
	for (uint32_t i = 0; i < trace->count; i++) {
		uint32_t step = tfp_trace_step_of(profile, i);

		assert_int_equal(profile->steps.at[step].number, expected[i].step);
	}
	tfp_profile_free(profile);
}

/* The starts of device events, where the two lanes of them are of FIRST and SECOND, and whether there is a list of these events. */
static void expect_device_events(uint32_t first, uint32_t second, const int64_t *starts,
				 bool listed)
{
	const struct tfp_lane lanes[] = {
		{.device = 0, .kind = TFP_LANE_HOST},
		{.device = first, .kind = TFP_LANE_DEVICE},
		{.device = second, .kind = TFP_LANE_DEVICE},
		{.device = 0, .kind = TFP_LANE_HOST},
	};
	static const int64_t times[][2] = {{5, 9}, {10, 30}, {15, 20}, {6, 40}};
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_PICOS);
	tfp_str name = tfp_strings_add_text(profile->strings, "x");
	uint32_t node = tfp_profile_add_node(profile, name, name);

	for (int i = 0; i < 3; i++)
		tfp_trace_add_device(trace, &(struct tfp_trace_device){.host = i == 0});
	for (uint32_t i = 0; i < 4; i++) {
		tfp_trace_add_lane(trace, &lanes[i]);
		tfp_trace_add(trace, i, times[i][0], 1, node, TFP_NONE, TFP_NONE);
		tfp_trace_add(trace, i, times[i][1], 1, node, TFP_NONE, TFP_NONE);
	}
	tfp_trace_arrange(trace, &(struct tfp_arranging){0});
	assert_true(tfp_trace_tally(profile, NULL));
	assert_int_equal(trace->device_events, 4);
	assert_int_equal(trace->device_order != NULL, listed);
	for (uint32_t i = 0; i < trace->device_events; i++)
		assert_int_equal(tfp_trace_start(trace, tfp_trace_device_event(trace, i)),
				 starts[i]);
	tfp_profile_free(profile);
}

static void device_events_that_lie_in_order_need_no_list(void **state)
{
	static const int64_t of_two[] = {10, 30, 15, 20}, of_one[] = {10, 15, 20, 30},
			     turned[] = {15, 20, 10, 30};

	(void)state;
	expect_device_events(1, 2, of_two, false);
	expect_device_events(1, 1, of_one, true);
	expect_device_events(2, 1, turned, true);
}

/* Files of which each has its clock: an event is in a step of its own file, in none where that has none. */
static void test_steps_of_files(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_PICOS);
	static const struct {
		uint32_t file;
		int64_t time, step;
	} expected[] = {
		{0, 15, 1},  {0, 25, 2},  {0, 110, 3}, {0, 300, -1}, {1, 15, -1},
		{1, 115, 1}, {1, 125, 2}, {1, 135, 3}, {2, 25, -1},  {2, 300, -1},
	};
	tfp_str name = tfp_strings_add_text(profile->strings, "x");
	uint32_t node = tfp_profile_add_node(profile, name, name);

	(void)state;
	for (uint32_t file = 0; file < 3; file++) {
		tfp_trace_add_device(trace, &(struct tfp_trace_device){.file = file});
		tfp_trace_add_lane(trace,
				   &(struct tfp_lane){.device = file, .kind = TFP_LANE_HOST});
	}
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		tfp_trace_add(trace, expected[i].file, expected[i].time, 1, node, TFP_NONE,
			      TFP_NONE);
	tfp_trace_mark_step(profile, 1, 0, 2, 0, 120, 130);
	tfp_trace_mark_step(profile, 1, 0, 1, 0, 110, 120);
	tfp_trace_mark_step(profile, 1, 0, 3, 0, 130, 140);
	tfp_trace_mark_step(profile, 0, 0, 1, 0, 10, 20);
	tfp_trace_mark_step(profile, 0, 0, 2, 0, 20, 30);
	tfp_trace_mark_step(profile, 0, 0, 3, 0, 30, 40);
	tfp_trace_mark_step(profile, 0, 0, 3, 0, 100, 120);
	tfp_trace_arrange(trace, &(struct tfp_arranging){0});
	for (int again = 0; again < 2; again++)
		assert_true(tfp_trace_tally(profile, NULL));
	for (uint32_t i = 0; i < trace->count; i++) {
		uint32_t step = tfp_trace_step_of(profile, i);

		assert_int_equal(profile->steps.at[step].number, expected[i].step);
	}
	tfp_profile_free(profile);
}

/* ---- against the plain way -------------------------------------------------------------------------- */

struct plain {
	uint32_t lane, tag;
	int64_t start, duration;
};

static int compare_plain(const void *left, const void *right)
{
	const struct plain *a = left, *b = right;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->duration != b->duration)
		return a->duration > b->duration ? -1 : 1;
	return a->tag < b->tag ? -1 : a->tag > b->tag;
}

/* Events of all kinds: in order, nearly so, backwards, at random with many ties; the last lane by lane. */
/* So many that threads help. */
enum { COUNT = 40000, KINDS = 5, ALTOGETHER = COUNT * 5 / 4 };

static int64_t some_start(uint32_t kind, int64_t i)
{
	switch (kind) {
	case 0:
		return i;
	case 1:
		return i % 100 == 99 ? i - 90 : i;
	case 2:
		return -i;
	default:
		return rand() % 97;
	}
}

/* Short ones and long ones. */
static int64_t some_duration(void)
{
	return rand() % 3 ? rand() % 5 : INT64_C(0x7ffffffe) + rand() % 4;
}

/* Those of one lane together, or by turns; works on some, none at first. */
static struct plain some_event(uint32_t kind, uint32_t i)
{
	bool together = kind % 4 == 0;

	return (struct plain){together ? i * 2 / COUNT : i % 3, i, some_start(kind, i),
			      kind ? some_duration() : 0};
}

static uint32_t work_of(uint32_t tag)
{
	return tag < 500 || tag % 7 == 0 ? TFP_NONE : tag / 3;
}

static void add_plain(struct tfp_trace *trace, const struct plain *plain)
{
	tfp_trace_add(trace, plain->lane, plain->start, plain->duration, plain->tag,
		      work_of(plain->tag), plain->tag ? plain->tag - 1 : TFP_NONE);
}

/* PLACES are those of events as added. */
static void compare_with(const struct tfp_trace *trace, struct plain *plain, uint32_t count,
			 const uint32_t *places)
{
	qsort(plain, count, sizeof(*plain), compare_plain);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t tag = plain[i].tag;

		assert_int_equal(tfp_trace_node(trace, i), tag);
		assert_int_equal(tfp_trace_lane(trace, i), plain[i].lane);
		assert_int_equal(tfp_trace_start(trace, i), plain[i].start);
		assert_int_equal(tfp_trace_duration(trace, i), plain[i].duration);
		assert_int_equal(tfp_trace_work_of(trace, i), work_of(tag));
		assert_int_equal(tfp_trace_link(trace, i), tag ? places[tag - 1] : TFP_NONE);
		assert_int_equal(places[tag], i);
	}
}

/* A link that is set while the order is looked for. */
struct late_link {
	struct tfp_trace *trace;
	uint32_t event, link;
};

static void set_late(void *data)
{
	const struct late_link *late = data;

	tfp_trace_set_link(late->trace, late->event, late->link);
}

/* Some events, and then more, as of a second file: APART are those on lanes of their own. */
static void arrange_plain(uint32_t kind, bool apart, struct plain *plain, uint32_t *places)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_NANOS);
	uint32_t count = 0;

	for (uint32_t i = 0; i < 6; i++)
		tfp_trace_add_lane(trace, &(struct tfp_lane){.kind = TFP_LANE_HOST});
	for (uint32_t end = COUNT; end <= ALTOGETHER; end += ALTOGETHER - COUNT) {
		/* where each comes to lie is told of what is a piece of itself */
		struct tfp_trace_piece *kept = tfp_realloc_array(NULL, ALTOGETHER, sizeof(*kept));
		uint32_t before = count;
		/* links are indices as added now, and those of before are where they came to lie */
		struct late_link late = {trace, before, before ? places[before - 1] : TFP_NONE};

		for (; count < end; count++) {
			plain[count] = some_event(kind, count);
			if (apart && before)
				plain[count].lane += 3;
			add_plain(trace, &plain[count]);
		}
		for (uint32_t i = 0; i < count; i++)
			kept[i].event = kept[i].loop = i < before ? places[i] : i;
		tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true,
								 .pieces = kept,
								 .count = count,
								 .meanwhile = set_late,
								 .data = &late});
		for (uint32_t i = 0; i < count; i++)
			places[i] = kept[i].event;
		free(kept);
		compare_with(trace, plain, count, places);
	}
	tfp_profile_free(profile);
}

static void sorts_as_the_plain_way_does(void **state)
{
	struct plain *plain = tfp_realloc_array(NULL, ALTOGETHER, sizeof(*plain));
	uint32_t *places = tfp_realloc_array(NULL, ALTOGETHER, sizeof(*places));

	(void)state;
	srand(7);
	for (uint32_t kind = 0; kind < KINDS; kind++) {
		arrange_plain(kind, false, plain, places);
		arrange_plain(kind, true, plain, places);
	}
	free(places);
	free(plain);
}

/* An event that turns out to be of another lane, to last, and to have a work. */
static void events_can_be_changed(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_NANOS);

	(void)state;
	for (uint32_t i = 0; i < 2; i++)
		tfp_trace_add_lane(trace, &(struct tfp_lane){.kind = TFP_LANE_HOST});
	for (uint32_t i = 0; i < 10; i++)
		tfp_trace_add(trace, 0, i, 1, i, TFP_NONE, TFP_NONE);
	tfp_trace_set_lane(trace, 4, 1);
	tfp_trace_set_duration(trace, 3, INT64_MAX - 9);
	tfp_trace_set_duration(trace, 3, INT64_MAX - 8);
	tfp_trace_set_duration(trace, 7, INT64_MAX - 9);
	tfp_trace_set_duration(trace, 7, 2);
	tfp_trace_set_work(trace, 8, 80);
	tfp_trace_set_work(trace, 6, 60);
	tfp_trace_set_work(trace, 2, TFP_NONE);
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	for (uint32_t i = 0; i < 10; i++) {
		uint32_t tag = tfp_trace_node(trace, i);

		assert_int_equal(tag, i < 4 ? i : i < 9 ? i + 1 : 4);
		assert_int_equal(tfp_trace_lane(trace, i), tag == 4);
		assert_int_equal(tfp_trace_duration(trace, i), tag == 3   ? INT64_MAX - 8
							       : tag == 7 ? 2
									  : 1);
		assert_int_equal(tfp_trace_work_of(trace, i), tag == 8   ? 80
							      : tag == 6 ? 60
									 : TFP_NONE);
	}
	tfp_profile_free(profile);
}

static void bad_times_do_no_harm(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_NANOS);
	static const int64_t times[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
	tfp_str name = tfp_strings_add_text(profile->strings, "x");
	uint32_t node = tfp_profile_add_node(profile, name, name);

	(void)state;
	tfp_trace_add_device(trace, &(struct tfp_trace_device){.name = name});
	for (uint32_t i = 0; i < 2; i++)
		tfp_trace_add_lane(trace,
				   &(struct tfp_lane){.kind = i ? TFP_LANE_DEVICE : TFP_LANE_HOST});
	for (uint32_t i = 0; i < 50; i++)
		tfp_trace_add(trace, i / 25, times[i % 5], times[i / 5 % 5], node, TFP_NONE,
			      i * 1000003);
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	tfp_trace_nest(trace, 0);
	assert_true(tfp_trace_tally(profile, NULL));
	assert_int_equal(value(profile, node, ALL, TFP_TRACE_RUNS), 25);
	assert_int_equal(value(profile, node, ALL, TFP_TRACE_LAUNCHES), 25);
	tfp_profile_free(profile);
}

#define TEST(name)      cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_MANY(name) cmocka_unit_test_setup_teardown(name, set_up_many, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_stand_in_order),
		TEST(links_lead_to_the_launch_and_to_what_is_around),
		TEST_MANY(steps_have_cells_once_they_are_asked_for),
		TEST_MANY(cells_of_all_steps_are_of_none),
		TEST(self_time_is_less_what_is_nested),
		TEST(device_time_belongs_to_the_step_of_the_launch),
		TEST(tallies_anew_when_there_is_more),
		TEST(what_no_event_has_is_absent),
		TEST(equal_works_are_one),
		TEST(device_events_are_merged_by_start),
		cmocka_unit_test(inner_steps_win),
		cmocka_unit_test(test_steps_of_files),
		cmocka_unit_test(device_events_that_lie_in_order_need_no_list),
		cmocka_unit_test(sorts_as_the_plain_way_does),
		cmocka_unit_test(events_can_be_changed),
		cmocka_unit_test(bad_times_do_no_harm),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
