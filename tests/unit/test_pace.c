/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pace of frames, on a line that carries 5,800 bytes a second: whatever key is held for however long, where it
 * led to is there soon after it is let go, and a single key is answered at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ui/pace.h"

#define MS          INT64_C(1000000)
#define START       (1000 * MS)
#define REPEAT      (33 * MS)
#define BYTE        (1000 * MS / 5800)
#define BEHIND      (300 * MS)
#define PAGE_BYTES  1300
#define FRAME_BYTES 220

/* Holds a key from START for so long. Returns how long after the last one the line has carried everything. */
static int64_t hold(bool page, int64_t held)
{
	int64_t free_from = 0, key = START, now;
	struct tfp_pace pace;
	enum tfp_paint paint;
	bool dirty = false;

	tfp_pace_start(&pace, 0);
	for (now = START; now < START + held || dirty; now += MS) {
		if (now < START + held && (now - START) % REPEAT == 0) {
			tfp_pace_key(&pace, now);
			key = now;
			dirty = true;
		}
		paint = dirty ? tfp_pace_paint(&pace, now, page) : TFP_PAINT_NONE;
		if (paint == TFP_PAINT_NONE)
			continue;
		free_from = free_from > now ? free_from : now;
		free_from += BYTE * (page ? PAGE_BYTES : FRAME_BYTES) /
			     (paint == TFP_PAINT_PART ? TFP_PAGE_FRAMES : 1);
		dirty = paint == TFP_PAINT_PART;
	}
	return free_from - key;
}

static void test_let_go(void **state)
{
	(void)state;
	/* When a key is held for less the page that it brought first is still on its way. */
	for (int64_t held = 200 * MS; held < 6000 * MS; held += 7 * MS) {
		assert_in_range(hold(true, held), 0, BEHIND);
		assert_in_range(hold(false, held), 0, BEHIND);
	}
}

/* Keys pressed one after the other, not held, are each answered whole, and a first one at once. */
static void test_pressed(void **state)
{
	struct tfp_pace pace;

	(void)state;
	tfp_pace_start(&pace, 0);
	for (int64_t now = START; now < 4 * START; now += 300 * MS) {
		tfp_pace_key(&pace, now);
		if (now == START)
			assert_int_equal(tfp_pace_due(&pace) > now, 0);
		assert_in_range(tfp_pace_due(&pace), 0, now + 50 * MS);
		assert_int_equal(tfp_pace_paint(&pace, now + 50 * MS, true), TFP_PAINT_WHOLE);
	}
}

/* While a key is held something new is seen all the time. */
static void test_held(void **state)
{
	struct tfp_pace pace;
	int64_t seen = START;

	(void)state;
	tfp_pace_start(&pace, 0);
	for (int64_t now = START; now < 6 * START; now += 5 * MS) {
		if ((now - START) % (30 * MS) == 0)
			tfp_pace_key(&pace, now);
		if (tfp_pace_paint(&pace, now, true) != TFP_PAINT_NONE)
			seen = now;
		assert_in_range(now - seen, 0, 400 * MS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_let_go),
		cmocka_unit_test(test_pressed),
		cmocka_unit_test(test_held),
	};

	return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
