/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where planes begin: what a recording is recognised by, and what the walk over its planes goes on with
 * once a byte is lost and no length in the file is true any more.
 */
#include "load/xplane/space.h"

#include <string.h>
#include <strings.h>

#include "load/sniff.h"

#define TAG(number) ((number) << 3 | TFP_WIRE_BYTES)

enum {
	NAME_LEAST = 4,
	NAME_MOST = 127,
	HEAD_MOST = 256, /* bytes of a plane up to the end of its name, and more */
	MOST_LATER = 16, /* fields of later versions in a row */
	LATEST = 31,     /* and their numbers */
};

static const struct tfp_expect any[] = {{0}};

static const struct tfp_expect plane_fields[] = {
	{PLANE_ID, TFP_EXPECT_INT, false, NULL},
	{PLANE_NAME, TFP_EXPECT_TEXT, true, NULL},
	{PLANE_LINE, TFP_EXPECT_BYTES, false, NULL},
	{PLANE_EVENT_METADATA, TFP_EXPECT_BYTES, false, NULL},
	{PLANE_STAT_METADATA, TFP_EXPECT_BYTES, false, NULL},
	{PLANE_STAT, TFP_EXPECT_BYTES, false, NULL},
	{0},
};

static bool plane_begins(const uint8_t *bytes, size_t size)
{
	return size > 1 && tfp_sniff_begins(bytes, size, plane_fields);
}

/* Names of planes begin with a slash, but for a few. */
static bool is_plane_name(struct tfp_span name)
{
	static const char *const others[] = {"Task Environment", "Host CPUs", "Syscalls", "#Chip"};

	if (name.size && *name.at == '/')
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (tfp_span_holds(name, others[i]))
			return true;
	return false;
}

static bool is_visible(struct tfp_span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.at[i] < ' ' || text.at[i] == 0x7f)
			return false;
	return true;
}

bool tfp_xplane_at(const uint8_t *at, const uint8_t *end)
{
	uint64_t size, id, name;
	struct tfp_span text;

	if (at == end || *at != TAG(SPACE_PLANE))
		return false;
	at = tfp_wire_varint(at + 1, end, &size);
	if (at && at < end && *at == (PLANE_ID << 3 | TFP_WIRE_VARINT))
		at = tfp_wire_varint(at + 1, end, &id);
	if (!at || at == end || *at != TAG(PLANE_NAME))
		return false;
	at = tfp_wire_varint(at + 1, end, &name);
	if (!at || name < NAME_LEAST || name > NAME_MOST || name > (uint64_t)(end - at) ||
	    size < name)
		return false;
	text = (struct tfp_span){(const char *)at, (size_t)name};
	return is_plane_name(text) && is_visible(text);
}

/* Where the next plane begins, from AT on; NULL: nowhere before END. */
static const uint8_t *find_plane(const uint8_t *at, const uint8_t *end)
{
	while (at < end && (at = memchr(at, TAG(SPACE_PLANE), (size_t)(end - at))) != NULL) {
		if (tfp_xplane_at(at, end))
			return at;
		at++;
	}
	return NULL;
}

/* ---- recognising ----------------------------------------------------------------------------- */

static bool is_called_so(const char *path)
{
	static const char *const ends[] = {".xplane.pb", ".xplane.pb.gz", ".xplane.pb.zst"};
	size_t size = path ? strlen(path) : 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (size > strlen(ends[i]) && !strcasecmp(path + size - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

/* More than what any other kind is of damaged elements. */
#define BY_ITS_NAME 60

/*
 * The name of the first plane tells it, whatever is behind: one lost byte in that plane, and nothing is where
 * the lengths say. Of a file whose first bytes are damaged its own name does, if it may be any such message.
 */
int tfp_xspace_sniff(const struct tfp_source *source)
{
	static const struct tfp_expect top[] = {
		{SPACE_PLANE, TFP_EXPECT_MESSAGE, true, plane_fields},
		{SPACE_ERROR, TFP_EXPECT_TEXT, false, any},
		{SPACE_WARNING, TFP_EXPECT_TEXT, false, any},
		{SPACE_HOST, TFP_EXPECT_TEXT, false, any},
		{0},
	};
	const uint8_t *end = source->data + source->size;
	int sure;

	if (tfp_xplane_at(source->data, end) && !tfp_sniff_is_mangled(source))
		return 100;
	sure = tfp_sniff(source, top, NULL) / 2;
	if (sure < BY_ITS_NAME && is_called_so(source->path) && !tfp_sniff_is_mangled(source) &&
	    find_plane(source->data, end))
		return BY_ITS_NAME;
	return sure;
}

/* ---- from plane to plane --------------------------------------------------------------------- */

bool tfp_xspace_goes_on(struct tfp_wire wire, uint32_t first, uint32_t last)
{
	struct tfp_field field;

	for (int i = 0; i < MOST_LATER && wire.at < wire.end; i++) {
		uint32_t number = *wire.at >> 3;

		if (number >= first && number <= last)
			return (*wire.at & 7) == TFP_WIRE_BYTES;
		if (!tfp_wire_next(&wire, &field) || field.number > LATEST)
			return false;
	}
	return true;
}

/* Of the lines of the plane before, nothing may be read that is of the plane at FOUND. */
static void end_lines(struct tfp_xspace *space, const uint8_t *found)
{
	struct tfp_xplane *plane = &space->planes.at[space->planes.count - 1];

	for (size_t i = 0; i < plane->lines.count; i++) {
		struct tfp_span *bytes = &plane->lines.at[i].bytes;
		const uint8_t *at = (const uint8_t *)bytes->at;

		if (at + bytes->size > found)
			bytes->size = at < found ? (size_t)(found - at) : 0;
	}
}

/*
 * The plane after the one that was last, which may have been said to reach over its beginning. All in all no more
 * is read than searches of the walk may.
 */
static const uint8_t *find_back(struct tfp_xspace *space, const uint8_t *at, const uint8_t *end)
{
	struct tfp_walk *walk = &space->walk;
	const uint8_t *from = space->last_plane, *found;

	if (!from || (size_t)(at - from) > walk->search)
		from = at;
	if ((size_t)(end - from) > walk->search)
		end = from + walk->search;
	found = find_plane(from, end);
	walk->search -= (size_t)((found ? found : end) - from);
	if (found && found < at) {
		size_t again = (size_t)(at - found);

		walk->search -= again < walk->search ? again : walk->search;
		end_lines(space, found);
	}
	return found;
}

static bool take_found(struct tfp_xspace *space, struct tfp_wire *wire, struct tfp_field *field,
		       const uint8_t *found)
{
	if (!space->told)
		tfp_walk_damaged(&space->walk, wire->at, "XPlane");
	wire->at = found;
	wire->bad = false;
	return tfp_wire_next(wire, field) || tfp_wire_next_cut(wire, field);
}

/* What is longer than the file, but for another plane that begins in it: there it ends. */
static bool take_long(struct tfp_xspace *space, struct tfp_wire *wire, struct tfp_field *field)
{
	const uint8_t *found = find_plane(wire->at + 1, wire->end);
	struct tfp_wire rest = *wire;

	if (!found || !tfp_wire_next_cut(&rest, field) || field->data > found)
		return false;
	tfp_walk_damaged(&space->walk, wire->at, "XPlane");
	field->size = (size_t)(found - field->data);
	wire->at = found;
	wire->bad = false;
	return true;
}

/*
 * Has FIELD the length of a plane that has lost or got some bytes? The next plane is not where it ends then, but
 * near it.
 */
static void end_at_next(struct tfp_xspace *space, struct tfp_wire *wire, struct tfp_field *field)
{
	size_t before = field->size < TFP_XBACK ? field->size : TFP_XBACK;
	size_t left = (size_t)(wire->end - wire->at);
	const uint8_t *end = wire->at + (left < HEAD_MOST ? left : HEAD_MOST);
	const uint8_t *found = find_plane(wire->at - before, end);

	space->moved = found && found <= wire->at + TFP_XBACK;
	if (!space->moved)
		return;
	field->size = (size_t)(found - field->data);
	wire->at = found;
}

bool tfp_xspace_next(struct tfp_xspace *space, struct tfp_wire *wire, struct tfp_field *field)
{
	static const struct tfp_element plane = {"XPlane", SPACE_PLANE, plane_begins, NULL};
	const uint8_t *at = wire->at, *found;
	bool taken;

	if (at >= space->walk.mark && !tfp_walk_tick(&space->walk, at))
		return false;
	taken = tfp_wire_next(wire, field);
	if (!taken && !wire->bad)
		return false;
	space->moved = false;
	if (taken && tfp_xplane_at(at, wire->end) &&
	    !tfp_xspace_goes_on(*wire, SPACE_PLANE, SPACE_HOST))
		end_at_next(space, wire, field);
	if (tfp_xplane_at(at, wire->end))
		return taken || take_long(space, wire, field) ||
		       tfp_walk_mend(&space->walk, wire, field, &plane);
	if (taken && tfp_xspace_goes_on(*wire, SPACE_PLANE, SPACE_HOST))
		return true;
	found = find_back(space, at, wire->end);
	if (found) {
		wire->at = at;
		return take_found(space, wire, field, found);
	}
	return taken || tfp_walk_mend(&space->walk, wire, field, &plane);
}
