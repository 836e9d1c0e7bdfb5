/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames are earned by time, and a few may be owed for when the keys have stopped. A page of new rows is dear, and
 * nothing is saved up for it. While pages are held it comes in parts, each as soon as a key has come, so that little
 * is on its way when the key turns out to have been the last.
 */
#include "ui/pace.h"

#define MS INT64_C(1000000)

/* While keys keep coming a frame may be drawn so often … */
#define FRAME_EVERY (75 * MS)
/* … but the first few after a rest at once. */
#define FRAMES_AHEAD 4
/* Who lets a key go sees where it led: keys that do not come for so long have stopped … */
#define KEYS_REST (45 * MS)
/* … and the frame is then drawn on credit, so many at most. */
#define FRAMES_OWED 8
/* Nobody presses so many keys as fast as a key that is held repeats. */
#define HELD_RUN 2

void tfp_pace_start(struct tfp_pace *pace, int64_t now)
{
	*pace = (struct tfp_pace){.paint = now, .frames = FRAMES_AHEAD};
}

void tfp_pace_key(struct tfp_pace *pace, int64_t now)
{
	pace->run = now - pace->key < KEYS_REST ? pace->run + 1 : 0;
	pace->key = now;
	pace->fresh = true;
}

/* When FRAMES more than there are will have been earned. */
static int64_t when_earned(const struct tfp_pace *pace, int frames)
{
	return frames > 0 ? pace->paint + frames * FRAME_EVERY : 0;
}

int64_t tfp_pace_due(const struct tfp_pace *pace)
{
	int64_t earned = when_earned(pace, 1 - pace->frames);
	int64_t credit = when_earned(pace, 1 - FRAMES_OWED - pace->frames);
	int64_t rest = pace->key + KEYS_REST;

	if (credit < rest)
		credit = rest;
	if (pace->mixed && !pace->fresh)
		return credit;
	return earned < credit ? earned : credit;
}

static void earn(struct tfp_pace *pace, int64_t now)
{
	int64_t earned = (now - pace->paint) / FRAME_EVERY;

	if (earned <= 0)
		return;
	pace->frames =
		earned + pace->frames > FRAMES_AHEAD ? FRAMES_AHEAD : pace->frames + (int)earned;
	pace->paint += earned * FRAME_EVERY;
}

enum tfp_paint tfp_pace_paint(struct tfp_pace *pace, int64_t now, bool page)
{
	bool held = pace->run >= HELD_RUN && now - pace->key < KEYS_REST, due;

	earn(pace, now);
	page |= pace->mixed;
	pace->mixed = page && held;
	due = tfp_pace_due(pace) <= now;
	pace->fresh = false;
	if (!due)
		return TFP_PAINT_NONE;
	if (page && pace->frames > 1)
		pace->frames = 1;
	pace->frames -= page && !held ? TFP_PAGE_FRAMES : 1;
	return pace->mixed ? TFP_PAINT_PART : TFP_PAINT_WHOLE;
}
