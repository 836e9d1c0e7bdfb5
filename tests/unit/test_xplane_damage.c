/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real XPlane recording that is cut or changed; and protobuf-c as the referee of what it holds.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "load/loaders.h"
#include "load/xplane/layouts.h"
#include "load/xplane/reader.h"
#include "proto/xplane.pb-c.h"
#include "test_path.h"
#include "xplane_lines.h"

#include <cmocka.h>

static struct tfp_source *open_real(void)
{
	char path[TEST_PATH];
	struct tfp_source *source =
		tfp_source_open(test_path(path, "data/gpu/jax_small.xplane.pb.gz"), NULL, NULL);

	assert_non_null(source);
	return source;
}

/* Where events end in the file, ascending. */
struct ends {
	TFP_ARRAY(size_t) list;
};

static void find_ends(const struct tfp_source *source, struct ends *ends)
{
	struct tfp_wire file = tfp_wire_of(source->data, source->size);
	struct tfp_field plane, line, event;

	while (tfp_wire_next(&file, &plane)) {
		struct tfp_wire in_plane = tfp_wire_in(&plane);

		while (plane.number == SPACE_PLANE && tfp_wire_next(&in_plane, &line)) {
			struct tfp_wire in_line = tfp_wire_in(&line);

			while (line.number == PLANE_LINE && tfp_wire_next(&in_line, &event))
				if (tfp_field_is(&event, LINE_EVENT))
					*tfp_array_push(&ends->list) =
						(size_t)(event.data + event.size - source->data);
		}
		if (plane.number != SPACE_PLANE)
			break;
	}
}

static uint32_t count_events(const uint8_t *bytes, size_t size, size_t *problems)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	uint8_t *copy = tfp_alloc(size);
	uint32_t count = 0;

	memcpy(copy, bytes, size);
	tfp_profile_add_file(profile, "cut", "xplane", size, 0);
	tfp_xplane_read(profile, tfp_source_from_bytes("cut", copy, size), 1, 0, true, NULL, diag);
	assert_true(tfp_xplane_loader.finish(profile, NULL, diag));
	if (profile->trace) {
		leave_out_made(profile->trace);
		count = profile->trace->count;
	}
	*problems = 0;
	for (size_t i = 0; i < tfp_diag_count(diag); i++)
		*problems += tfp_diag_get(diag, i).severity != TFP_NOTE;
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	return count;
}

#define CUTS 1000

static void test_a_cut_file_keeps_what_is_whole(void **state)
{
	struct tfp_source *source = open_real();
	struct ends ends = {0};

	(void)state;
	find_ends(source, &ends);
	srand(1);
	for (int i = 0; i < CUTS; i++) {
		size_t size = 1 + (size_t)rand() % source->size, problems;
		uint32_t whole = 0, count = count_events(source->data, size, &problems);

		while (whole < ends.list.count && ends.list.at[whole] <= size)
			whole++;
		if (count < whole || count > whole + 1 || problems > (count ? 1 : 2))
			print_error("cut to %zu: %u events, %u were whole, %zu problems\n", size,
				    count, whole, problems);
		assert_true(count == whole || count == whole + 1);
		/* that nothing of it can be read is one more */
		assert_true(problems <= (count ? 1 : 2));
	}
	tfp_array_free(&ends.list);
	tfp_source_free(source);
}

/* Most events stay when a few bytes are changed. */
static void test_changed_bytes(void **state)
{
	struct tfp_source *source = open_real();
	uint8_t *bytes = tfp_alloc(source->size);

	(void)state;
	srand(2);
	for (int i = 0; i < 300; i++) {
		size_t problems;

		memcpy(bytes, source->data, source->size);
		for (int k = 0; k < 1 + i / 30; k++)
			bytes[(size_t)rand() % source->size] = (uint8_t)rand();
		count_events(bytes, source->size, &problems);
	}
	tfp_array_release(bytes);
	tfp_source_free(source);
}

/* BYTES with MORE of them put in at AT, or so many taken out; *SIZE becomes theirs. */
static uint8_t *shifted(const uint8_t *bytes, size_t *size, size_t at, int more)
{
	size_t from = more < 0 ? at + (size_t)-more : at, to = more > 0 ? at + (size_t)more : at;
	uint8_t *copy = tfp_alloc(*size + (size_t)(more > 0 ? more : 0));

	memcpy(copy, bytes, at);
	memset(copy + at, 'x', to - at);
	memcpy(copy + to, bytes + from, *size - from);
	*size = *size - from + to;
	return copy;
}

#define FRONT 20 /* bytes in which the first plane says what it is */
#define LOST  9  /* events that may be amiss where bytes are */

/* Of a file in which bytes are lost, or too many, no length around them is true; it is read on behind them. */
static void test_lost_and_inserted_bytes(void **state)
{
	static const int more[] = {-7, -1, 1, 5};
	struct tfp_source *source = open_real();
	struct ends ends = {0};

	(void)state;
	find_ends(source, &ends);
	srand(4);
	for (int i = 0; i < 300; i++) {
		size_t size = source->size, problems;
		size_t at = FRONT + (size_t)rand() % (size - FRONT - 8);
		uint8_t *bytes = shifted(source->data, &size, at, more[i % 4]);
		uint32_t count = count_events(bytes, size, &problems);
		struct tfp_source *changed = tfp_source_from_bytes("changed", bytes, size);

		if (count + LOST < ends.list.count || !problems)
			print_error("%d at %zu: %u events of %zu, %zu problems\n", more[i % 4], at,
				    count, ends.list.count, problems);
		assert_true(tfp_recognise(changed) == &tfp_xplane_loader);
		assert_true(count + LOST >= ends.list.count);
		tfp_source_free(changed);
	}
	tfp_array_free(&ends.list);
	tfp_source_free(source);
}

/* Where the first plane itself can't be known, by the name of the file. */
static void test_a_damaged_front(void **state)
{
	struct tfp_source *source = open_real();
	size_t size = source->size;
	uint8_t *bytes = shifted(source->data, &size, 1, -2);
	struct tfp_source *named = tfp_source_from_bytes("a.xplane.pb", bytes, size);

	(void)state;
	assert_true(tfp_recognise(named) == &tfp_xplane_loader);
	tfp_source_free(named);
	tfp_source_free(source);
}

/* ---- the referee ----------------------------------------------------------------------------- */

static bool is(ProtobufCBinaryData theirs, struct tfp_span ours)
{
	return tfp_span_equal((struct tfp_span){(const char *)theirs.data, theirs.len}, ours);
}

static const Tfp__XStat *first_stat(const Tfp__XPlane *plane, const Tfp__XEvent *event,
				    const char *name)
{
	for (size_t i = 0; i < event->n_stats; i++)
		for (size_t k = 0; k < plane->n_stat_metadata; k++)
			if (plane->stat_metadata[k]->key == event->stats[i]->metadata_id &&
			    is(plane->stat_metadata[k]->value->name, tfp_span_of(name)))
				return event->stats[i];
	return NULL;
}

static void compare_stat(const Tfp__XStat *theirs, const struct tfp_xvalues *ours,
			 enum tfp_xstat stat)
{
	const struct tfp_xvalue *value = &ours->at[stat];

	assert_int_equal(theirs != NULL, tfp_xvalues_have(ours, stat));
	if (!theirs)
		return;
	switch (value->type) {
	case STAT_UINT:
		assert_true(theirs->has_uint64_value && theirs->uint64_value == value->value);
		break;
	case STAT_INT:
		assert_true(theirs->has_int64_value &&
			    theirs->int64_value == (int64_t)value->value);
		break;
	case STAT_REF:
		assert_true(theirs->has_ref_value && theirs->ref_value == value->value);
		break;
	case STAT_DOUBLE:
		assert_true(theirs->has_double_value &&
			    theirs->double_value == tfp_xvalue_real(ours, stat));
		break;
	default:
		assert_true(is(value->type == STAT_TEXT ? theirs->str_value : theirs->bytes_value,
			       value->text));
	}
}

static void compare_line(const Tfp__XPlane *plane, const Tfp__XLine *theirs,
			 const struct tfp_xplane *ours, const struct tfp_xline *line)
{
	static const struct {
		const char *name;
		enum tfp_xstat stat;
	} stats[] = {
		{"correlation_id", XSTAT_CORRELATION},
		{"kernel_details", XSTAT_KERNEL},
		{"cuda_graph_node_id", XSTAT_GRAPH_NODE},
		{"hlo_op", XSTAT_HLO_OP},
		{"theoretical_occupancy_pct", XSTAT_OCCUPANCY},
		{"step_num", XSTAT_STEP},
		{"program_id", XSTAT_PROGRAM},
		{"allocator_name", XSTAT_ALLOCATOR},
		{"bytes_allocated", XSTAT_ALLOCATED},
		{"_r", XSTAT_ROOT},
	};
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)line->bytes.at, line->bytes.size);
	struct tfp_field field;
	size_t count = 0;

	assert_true(theirs->id == line->id && theirs->timestamp_ns == line->timestamp);
	assert_true(is(theirs->name, line->name));
	while (tfp_wire_next(&wire, &field)) {
		struct tfp_xevent event;
		const Tfp__XEvent *other;

		if (!tfp_field_is(&field, LINE_EVENT))
			continue;
		tfp_xevent_read(ours, &field, TFP_XSTATS_ALL, NULL, &event);
		assert_true(count < theirs->n_events);
		other = theirs->events[count++];
		assert_true(other->metadata_id == event.metadata);
		assert_true(other->offset_ps == event.offset);
		assert_true(other->duration_ps == event.duration);
		for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++)
			compare_stat(first_stat(plane, other, stats[i].name), &event.stats,
				     stats[i].stat);
	}
	assert_int_equal(count, theirs->n_events);
}

static void test_protobuf_reads_the_same(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = open_real();
	Tfp__XSpace *theirs = tfp__xspace__unpack(NULL, source->size, source->data);
	struct tfp_xspace space = {.planes = {0}};

	(void)state;
	assert_non_null(theirs);
	assert_true(tfp_xspace_read(&space, source, 1, NULL, diag));
	assert_int_equal(space.planes.count, theirs->n_planes);
	for (size_t p = 0; p < theirs->n_planes; p++) {
		const Tfp__XPlane *plane = theirs->planes[p];
		const struct tfp_xplane *ours = &space.planes.at[p];

		assert_true(is(plane->name, ours->name));
		assert_int_equal(plane->n_lines, ours->lines.count);
		assert_int_equal(plane->n_event_metadata, ours->metadata.count);
		assert_int_equal(plane->n_stat_metadata, ours->stat_names.count);
		for (size_t i = 0; i < plane->n_lines; i++)
			compare_line(plane, plane->lines[i], ours, &ours->lines.at[i]);
	}
	tfp__xspace__free_unpacked(theirs, NULL);
	tfp_xspace_free(&space);
	tfp_source_free(source);
	tfp_diag_free(diag);
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* Numbers, of events of devices and of hosts. */
#define NUMBERS                                                                                    \
	(TFP_XSTAT(XSTAT_UNKNOWN) | TFP_XSTAT(XSTAT_CORRELATION) | TFP_XSTAT(XSTAT_GRAPH_NODE) |   \
	 TFP_XSTAT(XSTAT_KERNEL) | TFP_XSTAT(XSTAT_HLO_OP) | TFP_XSTAT(XSTAT_PROGRAM) |            \
	 TFP_XSTAT(XSTAT_ALLOCATED) | TFP_XSTAT(XSTAT_ADDRESS) | TFP_XSTAT(XSTAT_STEP))

static void assert_same_event(const struct tfp_xevent *a, const struct tfp_xevent *b)
{
	assert_true(a->metadata == b->metadata && a->offset == b->offset &&
		    a->duration == b->duration);
	assert_true(a->aggregated == b->aggregated && a->damaged == b->damaged);
	assert_true(a->stats.seen == b->stats.seen);
	for (unsigned stat = 0; stat < XSTATS; stat++) {
		const struct tfp_xvalue *left = &a->stats.at[stat], *right = &b->stats.at[stat];

		if (!(a->stats.seen >> stat & 1))
			continue;
		assert_true(left->type == right->type);
		assert_true(left->type == STAT_TEXT || left->type == STAT_BYTES
				    ? left->text.at == right->text.at
				    : left->value == right->value);
	}
}

static void read_twice(const struct tfp_xplane *plane, const struct tfp_xline *line,
		       struct tfp_xlayouts *layouts)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)line->bytes.at, line->bytes.size);
	struct tfp_xevent alone, like;
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (!tfp_field_is(&field, LINE_EVENT))
			continue;
		tfp_xevent_read(plane, &field, NUMBERS, NULL, &alone);
		tfp_xevent_read(plane, &field, NUMBERS, layouts, &like);
		assert_same_event(&alone, &like);
	}
}

/* Of BYTES, with and without the layouts of the events before. */
static void compare_readings(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = tfp_alloc(size);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = tfp_source_from_bytes("changed", copy, size);
	struct tfp_xlayouts *layouts = tfp_xlayouts_new();
	struct tfp_xspace space = {.planes = {0}};

	memcpy(copy, bytes, size);
	tfp_xspace_read(&space, source, 1, NULL, diag);
	for (size_t p = 0; p < space.planes.count; p++) {
		const struct tfp_xplane *plane = &space.planes.at[p];

		tfp_xlayouts_begin(layouts, plane, NUMBERS);
		for (size_t i = 0; i < plane->lines.count; i++)
			read_twice(plane, &plane->lines.at[i], layouts);
	}
	tfp_array_release(layouts);
	tfp_xspace_free(&space);
	tfp_source_free(source);
	tfp_diag_free(diag);
}

static void test_layouts_change_nothing(void **state)
{
	struct tfp_source *source = open_real();
	uint8_t *bytes = tfp_alloc(source->size);
	struct ends ends = {0};

	(void)state;
	find_ends(source, &ends);
	srand(3);
	for (int i = 0; i < 200; i++) {
		memcpy(bytes, source->data, source->size);
		/* most within events, some bits alone, as those that say where values end */
		for (int k = 0; k < i * 2; k++) {
			size_t at = ends.list.at[(size_t)rand() % ends.list.count] -
				    (size_t)rand() % 80;

			bytes[at] =
				k % 2 ? (uint8_t)rand() : bytes[at] ^ (uint8_t)(1 << rand() % 8);
		}
		compare_readings(bytes, source->size);
	}
	tfp_array_free(&ends.list);
	tfp_array_release(bytes);
	tfp_source_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_cut_file_keeps_what_is_whole),
		cmocka_unit_test(test_changed_bytes),
		cmocka_unit_test(test_lost_and_inserted_bytes),
		cmocka_unit_test(test_a_damaged_front),
		cmocka_unit_test(test_protobuf_reads_the_same),
		cmocka_unit_test(test_layouts_change_nothing),
	};

	return cmocka_run_group_tests_name("xplane_damage", tests, NULL, NULL);
}
