/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in recordings: what was held before them counts, in a range of time and in each step; title and rows say the same. Each
 * allocator is looked at alone, be it of a rank or of a device.
 */
#include "opened.h"

#include <setjmp.h>

#include <cmocka.h>

#include "chrome_text.h"

#define MEMORY_ON(device, tid, ts, address, bytes, total)                                          \
	"{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"s\": \"t\", "   \
	"\"pid\": 1, \"tid\": " tid ", \"ts\": " ts ", \"args\": {" device ", \"Addr\": " address  \
	", \"Bytes\": " bytes total "}},\n"
#define GPU(id)                                "\"Device Type\": 1, \"Device Id\": " id
#define CPU                                    "\"Device Type\": 0, \"Device Id\": -1"
#define MEMORY(tid, ts, address, bytes, total) MEMORY_ON(GPU("0"), tid, ts, address, bytes, total)
#define TOTAL(bytes)                           ", \"Total Allocated\": " bytes ", \"Total Reserved\": 10000"
#define OP(name, ts, dur)                      X("cpu_op", name, "1", "1", ts, dur, "\"External id\": 1")
#define STEP(number, ts)                                                                           \
	X("user_annotation", "ProfilerStep#" number, "1", "1", ts, "100", "\"External id\": 1")

/* What a rank holds when it begins: 5,000 and 7,000 bytes; then 1,000 and 2,000 for a while, at last 300 and 400 more. */
static const char *const ranks[] = {
	"{\"distributedInfo\": {\"rank\": 0}, \"traceEvents\": [\n" OP("aten::empty", "100", "50")
		OP("aten::add", "190", "30") MEMORY("1", "110", "1", "1000", TOTAL("6000"))
			MEMORY("1", "130", "1", "-1000", TOTAL("5000"))
				MEMORY("1", "200", "2", "300", TOTAL("5300")) "{}]}",
	"{\"distributedInfo\": {\"rank\": 1}, \"traceEvents\": [\n" OP("aten::empty", "100", "50")
		OP("aten::add", "190", "30") MEMORY("1", "120", "1", "2000", TOTAL("9000"))
			MEMORY("1", "140", "1", "-2000", TOTAL("7000"))
				MEMORY("1", "205", "2", "400", TOTAL("7400")) "{}]}",
};

/* A piece of step 0 is given back in step 1, which then takes less. */
static const char *const steps[] = {
	"{\"traceEvents\": [\n" STEP("0", "100") STEP("1", "300") OP("aten::empty", "110", "50")
		OP("aten::add", "310", "50") MEMORY("1", "120", "1", "1000", TOTAL("6000"))
			MEMORY("1", "320", "1", "-1000", TOTAL("5000"))
				MEMORY("1", "330", "2", "500", TOTAL("5500")) "{}]}",
};

/* As PyTorch wrote it once: the allocator says nothing of itself. */
static const char *const untold[] = {
	"{\"traceEvents\": [\n" OP("aten::empty", "100", "50") MEMORY("1", "110", "1", "1000", "")
		MEMORY("1", "120", "7", "-5000", "") "{}]}",
};

/* The same of two steps, of which the first leaves 1,000 bytes; the second gives 300 of them back. */
static const char *const untold_steps[] = {
	"{\"traceEvents\": [\n" STEP("0", "100") STEP("1", "300") OP("aten::empty", "110", "50")
		OP("aten::add", "310", "50") MEMORY("1", "120", "1", "700", "")
			MEMORY("1", "121", "2", "300", "") MEMORY("1", "130", "7", "-5000", "")
				MEMORY("1", "320", "3", "500", "")
					MEMORY("1", "330", "2", "-300", "")
						MEMORY("1", "340", "8", "-5000", "") "{}]}",
};

/* Without addresses: more is given back than was taken in the recording. */
static const char *const unmatched[] = {
	"{\"traceEvents\": [\n" STEP("0", "100") STEP("1", "300") OP("aten::empty", "110", "50")
		OP("aten::add", "310", "50") MEMORY("1", "120", "0", "-5000", "")
			MEMORY("1", "320", "0", "500", "") "{}]}",
};

/* The host holds most of all, then the second GPU, in step 1; the first one most in step 0. */
static const char *const devices[] = {
	"{\"traceEvents\": [\n" STEP("0", "100") STEP("1", "300") OP("aten::empty", "110", "50")
		OP("aten::add", "310", "50") MEMORY_ON(CPU, "1", "112", "9", "900000", "")
			MEMORY("1", "120", "1", "3000", TOTAL("3000"))
				MEMORY_ON(GPU("1"), "1", "130", "2", "1000", TOTAL("1000"))
					MEMORY("1", "140", "1", "-3000", TOTAL("0"))
						MEMORY_ON(GPU("1"), "1", "330", "3", "4000",
							  TOTAL("5000")) "{}]}",
};

/* Both have a piece at one address; the second gives its back first. */
static const char *const one_address[] = {
	"{\"traceEvents\": [\n" OP("aten::empty", "100", "50") MEMORY("1", "110", "7", "1000", "")
		MEMORY_ON(GPU("1"), "1", "120", "7", "2000", "")
			MEMORY_ON(GPU("1"), "1", "130", "7", "-2000", "")
				MEMORY("1", "140", "7", "-1000", "") "{}]}",
};

/* A GPU has all before the first step, and nothing changes there in any; the other one changes in the second. */
static const char *const loaded[] = {
	"{\"traceEvents\": [\n" STEP("0", "100") STEP("1", "300") STEP("2", "500")
		OP("aten::empty", "10", "50") OP("aten::add", "310", "50")
			MEMORY("1", "20", "1", "5000", TOTAL("6000"))
				MEMORY_ON(GPU("1"), "1", "320", "2", "300", TOTAL("700"))
					MEMORY("1", "700", "1", "-5000", TOTAL("1000")) "{}]}",
};

/* The second rank is 50 us behind, and slower: its step takes twice as long. */
#define RANK(number, from, dur, taken, given)                                                      \
	"{\"distributedInfo\": {\"rank\": " number "}, \"traceEvents\": [\n" X(                    \
		"user_annotation", "ProfilerStep#0", "1", "1", from, dur, "\"External id\": 1")    \
		OP("aten::empty", from, dur) MEMORY("1", taken, "1", "1000", TOTAL("6000"))        \
			MEMORY("1", given, "1", "-1000", TOTAL("5000")) "{}]}"
static const char *const late[] = {
	RANK("0", "100", "100", "120", "130"),
	RANK("1", "150", "200", "170", "180"),
};

static void start(struct worked_world *world, const char *const *texts, size_t count)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();

	for (size_t i = 0; i < count; i++)
		assert_true(load_source(profile, "chrome", source_of_text(texts[i]), -1, diag));
	assert_true(loader_named("chrome")->finish(profile, NULL, diag));
	tfp_profile_finish(profile);
	tfp_diag_free(diag);
	worked_begin(world, profile);
}

static int64_t live(const struct worked_world *world, const char *label)
{
	uint32_t row = worked_row(world, label);

	return row == TFP_NONE ? -1 : tfp_tree_total(world->tree, row, TFP_TRACE_BYTES);
}

static void expect_live(const struct worked_world *world, int64_t all, int64_t before)
{
	assert_non_null(world->tree);
	assert_int_equal(world->tree->base->curve->live, all);
	assert_int_equal(live(world, "_TFProfRoot"), all);
	assert_int_equal(live(world, "held from before"), before);
}

/* Which allocator is shown, and what is said below that. */
static void expect_facts(struct worked_world *world, const char *device, const char *facts)
{
	assert_string_equal(world->tree->base->curve->device, device);
	assert_string_equal(tfp_engine_facts(world->engine, world->tree, 0, &world->arena), facts);
}

static void ranks_are_no_sum(void **state)
{
	static const char *const names[] = {"allocator=rank 0", "allocator=rank 0 GPU",
					    "allocator=RANK 0 gpu 0", "allocator=k 0"};
	struct worked_world world;

	(void)state;
	start(&world, ranks, 2);
	/* of one rank at first, so that memory is read while the other is out of sight */
	WORKED_ASK(&world, "memory", "rank=1");
	expect_live(&world, 9000, 7000);
	assert_int_equal(world.tree->base->curve->allocator, 10000);
	WORKED_ASK(&world, "memory", "rank=0");
	expect_live(&world, 6000, 5000);
	assert_false(world.tree->base->metrics[TFP_TRACE_HOST].absent);
	WORKED_ASK(&world, "memory", "rank=-1");
	expect_live(&world, 9000, 7000);
	/* other columns would be of all ranks */
	assert_true(world.tree->base->metrics[TFP_TRACE_HOST].absent);
	assert_true(world.tree->base->metrics[TFP_TRACE_RUNS].absent);
	assert_int_equal(world.tree->base->curve->allocator, 10000);
	expect_facts(&world, "rank 1 GPU 0",
		     "with all that was held before; 10.00KB reserved by the allocator; "
		     "not shown (--rank, --allocator): rank 0 GPU 0 with 6.00KB at its peak");
	/* by what it is called here, or a part of that */
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		WORKED_ASK(&world, "memory", names[i]);
		assert_string_equal(world.tree->base->curve->device, "rank 0 GPU 0");
	}
	worked_end(&world);
}

static void a_step_begins_when_it_does_in_the_rank(void **state)
{
	static const struct {
		const char *rank;
		int64_t length;
	} cases[] = {{"rank=0", 100000}, {"rank=1", 200000}};
	struct worked_world world;

	(void)state;
	start(&world, late, 2);
	for (size_t i = 0; i < 2; i++) {
		WORKED_ASK(&world, "memory", cases[i].rank, "step=0", "at=-1");
		expect_live(&world, 6000, 5000);
		assert_int_equal(world.tree->base->curve->at, 20);
		assert_int_equal(world.tree->base->curve->marked, cases[i].length);
		/* held since the step began there */
		WORKED_ASK(&world, "memory", "at=0");
		expect_live(&world, 5000, 5000);
	}
	WORKED_ASK(&world, "memory", "rank=0", "baseline=rank:1", "at=20");
	assert_int_equal(tfp_tree_baseline(world.tree, 0, TFP_TRACE_BYTES), 6000);
	worked_end(&world);
}

/* 20.8 us after its step began: what is live after 20 has it not. */
static void nothing_is_live_too_early(void **state)
{
	static const char *const fractions[] = {RANK("0", "100.1", "100", "120.9", "150.0")};
	struct worked_world world;

	(void)state;
	start(&world, fractions, 1);
	WORKED_ASK(&world, "memory", "step=0", "at=20");
	expect_live(&world, 5000, 5000);
	WORKED_ASK(&world, "memory", "at=21");
	expect_live(&world, 6000, 5000);
	worked_end(&world);
}

static void a_range_begins_with_what_is_held(void **state)
{
	struct worked_world world;
	int64_t parts[2];

	(void)state;
	start(&world, ranks, 2);
	WORKED_ASK(&world, "memory", "range=85:110");
	expect_live(&world, 7400, 7000);
	assert_int_equal(world.tree->base->curve->from, 85);
	assert_int_equal(world.tree->base->curve->at, 105);
	tfp_curve_parts(world.tree->base->curve, parts, 2);
	assert_int_equal(parts[0], 7000);
	assert_int_equal(parts[1], 7400);
	assert_int_equal(tfp_curve_turn(world.tree->base->curve, 2, -2), 85);
	WORKED_ASK(&world, "memory", "at=0");
	expect_live(&world, 7000, 7000);
	WORKED_ASK(&world, "memory", "at=-1", "range=");
	expect_live(&world, 9000, 7000);
	worked_end(&world);
}

static void devices_are_no_sum(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, devices, 1);
	/* of the GPUs that which holds more, in whatever step, and the host does not count */
	WORKED_ASK(&world, "memory", NULL);
	expect_live(&world, 5000, 1000);
	assert_int_equal(world.tree->base->curve->step, 1);
	expect_facts(&world, "GPU 1",
		     "with all that was held before; 10.00KB reserved by the allocator; not shown "
		     "(--allocator): CPU with 900.00KB at its peak");
	/* and the same one in each step, so that steps can be compared */
	WORKED_ASK(&world, "memory", "step=0");
	expect_live(&world, 1000, 0);
	expect_facts(&world, "GPU 1",
		     "with all that was held before; 10.00KB reserved by the allocator; not shown "
		     "(--allocator): CPU with 900.00KB, GPU 0 with 3.00KB at their peak");
	worked_end(&world);
}

static void an_address_is_of_a_device(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, one_address, 1);
	WORKED_ASK(&world, "memory", "allocator=GPU 0", "at=30");
	expect_live(&world, 1000, -1);
	assert_int_equal(live(&world, "aten::empty"), 1000);
	WORKED_ASK(&world, "memory", "at=40");
	expect_live(&world, 0, -1);
	worked_end(&world);
}

static void what_is_held_without_a_record_is_there(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, loaded, 1);
	/* held as much before the steps, but that is no step */
	WORKED_ASK(&world, "memory", NULL);
	expect_live(&world, 6000, 6000);
	assert_int_equal(world.tree->base->curve->step, 0);
	for (int step = 0; step < 3; step++) {
		static const char *const query[] = {"step=0", "step=1", "step=2"};
		static const int64_t other[] = {400, 700, 700};

		WORKED_ASK(&world, "memory", "allocator=GPU 0", query[step]);
		expect_live(&world, 6000, 6000);
		assert_int_equal(world.tree->base->curve->marked, 100000);
		assert_non_null(strstr(world.tree->base->curve->others, "GPU 1 with "));
		WORKED_ASK(&world, "memory", "allocator=GPU 1");
		expect_live(&world, other[step], step == 1 ? 400 : other[step]);
	}
	worked_end(&world);
}

/* PyTorch numbers devices of each kind from 0 on. */
static void kinds_of_devices_are_no_sum(void **state)
{
	static const char *const text = "{\"traceEvents\": [\n" OP("aten::empty", "110", "50")
		MEMORY_ON(CPU, "1", "112", "1", "900", "")
			MEMORY_ON(GPU("0"), "1", "113", "2", "500", TOTAL("500"))
				MEMORY_ON("\"Device Type\": 12, \"Device Id\": 0", "1", "114", "3",
					  "700", TOTAL("700"))
					MEMORY_ON("\"Device Type\": 99, \"Device Id\": 1", "1",
						  "115", "4", "600", TOTAL("600")) "{}]}";
	struct worked_world world;

	(void)state;
	start(&world, &text, 1);
	WORKED_ASK(&world, "memory", NULL);
	expect_live(&world, 700, -1);
	assert_int_equal(live(&world, "aten::empty"), 700);
	expect_facts(
		&world, "XPU 0",
		"with all that was held before; 10.00KB reserved by the allocator; not shown "
		"(--allocator): CPU with 900B, device type 99 1 with 600B, GPU 0 with 500B at their peak");
	worked_end(&world);
}

static void allocators_are_chosen_by_name(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, devices, 1);
	WORKED_ASK(&world, "memory", "allocator=GPU 0");
	expect_live(&world, 3000, 0);
	assert_int_equal(world.tree->base->curve->step, 0);
	assert_int_equal(world.tree->base->curve->peak_at, 20);
	WORKED_ASK(&world, "memory", "allocator=C");
	expect_live(&world, 900000, 0);
	expect_facts(
		&world, "CPU",
		"without what was held before the recording, which the file does not say; not shown "
		"(--allocator): GPU 0 with 3.00KB, GPU 1 with 1.00KB at their peak");
	assert_string_equal(tfp_curve_when(world.tree->base->curve, 0, &world.arena),
			    "900.00KB live on CPU, step 0 at 12us of 100.00us, the peak");
	assert_null(WORKED_ASK(&world, "memory", "allocator=TPU"));
	assert_non_null(strstr(tfp_diag_get(world.diag, 0).text, "there are: CPU, GPU 1, GPU 0"));
	worked_end(&world);
}

static void steps_begin_with_what_is_held(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, steps, 1);
	WORKED_ASK(&world, "memory", "step=0");
	expect_live(&world, 6000, 5000);
	WORKED_ASK(&world, "memory", "step=1");
	expect_live(&world, 6000, 6000);
	WORKED_ASK(&world, "memory", "at=99");
	expect_live(&world, 5500, 5000);
	worked_end(&world);
}

/* The cell that ROW has in the column SINCE. */
static const char *since(const struct worked_world *world, uint32_t row)
{
	static struct tfp_cell cell;
	const struct tfp_column column = {.kind = TFP_COLUMN_SINCE};

	tfp_tree_cell(world->tree, row, 0, &column, &cell);
	return cell.text;
}

static void rows_hold_since(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, steps, 1);
	WORKED_ASK(&world, "memory", "step=1");
	assert_string_equal(since(&world, worked_row(&world, "held from before")), "before");
	WORKED_ASK(&world, "memory", "at=99");
	assert_string_equal(since(&world, 0), "before");
	assert_string_equal(since(&world, worked_row(&world, "aten::add")), "30us");
	WORKED_ASK(&world, "memory", "step=0", "at=-1", "baseline=step:1");
	assert_string_equal(since(&world, worked_row(&world, "aten::empty")), "20us");
	assert_string_equal(since(&world, worked_row(&world, "aten::add")), "-");
	worked_end(&world);
}

/* Is the child of the root at PLACE called NAME? */
static bool is_child(const struct worked_world *world, uint32_t place, const char *name)
{
	uint32_t children[16];

	tfp_tree_children(world->tree, 0, children);
	return tfp_span_equal(tfp_base_label(world->tree->base, children[place]),
			      tfp_span_of(name));
}

static void rows_are_sorted_by_it(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, steps, 1);
	/* aten::add holds nothing and is behind those that do in both directions */
	WORKED_ASK(&world, "memory", "step=0", "baseline=step:1", "order_by=since");
	assert_true(is_child(&world, 0, "aten::empty"));
	assert_true(is_child(&world, 1, "held from before"));
	WORKED_ASK(&world, "memory", "reverse");
	assert_true(is_child(&world, 0, "held from before"));
	assert_true(is_child(&world, 1, "aten::empty"));
	/* elsewhere it is no error */
	assert_non_null(WORKED_ASK(&world, "op", "order_by=since"));
	worked_end(&world);
}

/* Who held something in the step compared with and holds nothing now is there, in trees and in lists. */
static void what_another_step_held_is_there(void **state)
{
	static const char *const baselines[] = {"baseline=step:0", "baseline=mean"};
	struct worked_world world;

	(void)state;
	start(&world, steps, 1);
	for (size_t i = 0; i < 4; i++) {
		uint32_t row;

		assert_non_null(WORKED_ASK(&world, "memory", "step=1", baselines[i / 2],
					   i % 2 ? "flat=true" : "flat=false"));
		row = worked_row(&world, "aten::empty");
		assert_int_equal(live(&world, "aten::empty"), 0);
		assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_BYTES), 1000);
		assert_int_equal(tfp_tree_side(world.tree, row), TFP_SIDE_THERE);
		assert_int_equal(world.tree->shown[row], 1);
	}
	/* an order by what became more of another metric is by what is held more */
	WORKED_ASK(&world, "memory", "step=1", "baseline=step:0", "flat=true",
		   "order_by=difference:device");
	assert_int_equal(world.tree->order_metric, TFP_ORDER_DIFFERENCE + TFP_TRACE_BYTES);
	/* what is not compared is as it was */
	WORKED_ASK(&world, "memory", "baseline=", "flat=false", "order_by=device");
	assert_int_equal(world.tree->order_metric, TFP_TRACE_BYTES);
	assert_int_equal(world.tree->shown[worked_row(&world, "aten::empty")], 0);
	worked_end(&world);
}

/* The profile compared with holds nothing for the view: that one is named, not the file at hand. */
static void a_baseline_without_memory_is_told(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *other = tfp_profile_new();
	struct worked_world world;

	(void)state;
	start(&world, steps, 1);
	assert_true(load_source(other, "chrome",
				source_of_text("{\"traceEvents\": [\n" OP("a", "1", "5") "{}]}"),
				-1, diag));
	assert_true(loader_named("chrome")->finish(other, NULL, diag));
	tfp_profile_finish(other);
	tfp_engine_add_baseline(world.engine, "file:b", tfp_engine_new(other));
	assert_null(WORKED_ASK(&world, "memory", "baseline=file:b"));
	assert_non_null(strstr(tfp_diag_get(world.diag, tfp_diag_count(world.diag) - 1).text,
			       "--baseline=file:b: nothing for the memory view in that profile"));
	worked_end(&world);
	tfp_diag_free(diag);
}

static void what_nobody_knows_is_said(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, untold, 1);
	WORKED_ASK(&world, "memory", NULL);
	expect_live(&world, 1000, -1);
	assert_string_equal(
		tfp_engine_facts(world.engine, world.tree, 0, &world.arena),
		"without what was held before the recording, which the file does not say");
	worked_end(&world);
}

static void steps_hold_what_earlier_ones_left(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, untold_steps, 1);
	WORKED_ASK(&world, "memory", NULL);
	expect_live(&world, 1500, 1000);
	WORKED_ASK(&world, "memory", "step=0");
	expect_live(&world, 1000, 0);
	WORKED_ASK(&world, "memory", "step=1");
	expect_live(&world, 1500, 1000);
	worked_end(&world);
	start(&world, unmatched, 1);
	WORKED_ASK(&world, "memory", "step=1");
	expect_live(&world, 500, -1);
	worked_end(&world);
}

/* As TensorFlow's profiler has it: max_in_use_bytes of the allocator. */
static void jax_has_the_peak_of_the_allocator(void **state)
{
	struct worked_world world;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/jax_small.xplane.pb.gz");
	WORKED_ASK(&world, "memory", NULL);
	expect_live(&world, 2818048, 1049088);
	assert_string_equal(tfp_engine_facts(world.engine, world.tree, 0, &world.arena),
			    "with all that was held before");
	worked_end(&world);
}

/* As another program added up the records: what is live at most, and when, and what the allocator had reserved by then. */
static void torch_has_the_peak_of_its_records(void **state)
{
	struct worked_world world;
	const struct tfp_curve *curve;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	WORKED_ASK(&world, "memory", NULL);
	curve = world.tree->base->curve;
	expect_live(&world, 122387456, 69909504);
	assert_int_equal(curve->peak, 122387456);
	assert_int_equal(curve->allocator, 132120576); /* without the host's */
	/* at most a microsecond after the record, which says whole ones */
	assert_in_range(curve->begin + 1000 * curve->peak_at - INT64_C(4957295105971000), 0, 1999);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_no_sum),
		cmocka_unit_test(a_step_begins_when_it_does_in_the_rank),
		cmocka_unit_test(nothing_is_live_too_early),
		cmocka_unit_test(a_range_begins_with_what_is_held),
		cmocka_unit_test(devices_are_no_sum),
		cmocka_unit_test(an_address_is_of_a_device),
		cmocka_unit_test(what_is_held_without_a_record_is_there),
		cmocka_unit_test(kinds_of_devices_are_no_sum),
		cmocka_unit_test(allocators_are_chosen_by_name),
		cmocka_unit_test(steps_begin_with_what_is_held),
		cmocka_unit_test(rows_hold_since),
		cmocka_unit_test(rows_are_sorted_by_it),
		cmocka_unit_test(what_another_step_held_is_there),
		cmocka_unit_test(a_baseline_without_memory_is_told),
		cmocka_unit_test(what_nobody_knows_is_said),
		cmocka_unit_test(steps_hold_what_earlier_ones_left),
		cmocka_unit_test(jax_has_the_peak_of_the_allocator),
		cmocka_unit_test(torch_has_the_peak_of_its_records),
	};

	return cmocka_run_group_tests_name("held", tests, NULL, NULL);
}
