/* SPDX-License-Identifier: Apache-2.0 */
/* How whole files end: see cut.h. */
#include "load/find/cut.h"

#include <string.h>

#include "tfprof/json.h"

#define TIGHTEST ((uint64_t)1032) /* times smaller than its content gzip data are at most */
#define FIELDS   1000             /* of a message that are stepped over */
#define BLANKS   4096             /* that may stand behind a text */

/* The size of what was packed stands last. Where the end is lost other bytes do, which mostly are more than can be. */
static bool is_cut_gzip(const char *path, uint64_t size)
{
	uint8_t last[4] = {0};
	FILE *file = fopen(path, "rb");
	bool known = file && !fseek(file, -(long)sizeof(last), SEEK_END) &&
		     fread(last, 1, sizeof(last), file) == sizeof(last);
	uint32_t claim = last[0] | (uint32_t)last[1] << 8 | (uint32_t)last[2] << 16 |
			 (uint32_t)last[3] << 24;

	if (file)
		fclose(file);
	return known && claim > TIGHTEST * size;
}

/* A list of records need not be closed. */
static bool is_cut_json(const char *at, const char *end)
{
	const char *least = end - at > BLANKS ? end - BLANKS : at;

	while (end > least && strchr(" \t\r\n", end[-1]))
		end--;
	return end > least && !strchr(*at == '[' ? "]}," : "}", end[-1]);
}

static bool is_cut_message(const struct tfp_source *source)
{
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	struct tfp_field field;
	int fields = 0;

	while (fields < FIELDS && tfp_wire_next(&wire, &field))
		fields++;
	return wire.bad;
}

bool tfp_ends_early(const struct tfp_loader *loader, const struct tfp_source *head,
		    const char *path, uint64_t size)
{
	const char *at = (const char *)head->data, *end = at + head->size;

	if (!head->mapped)
		return is_cut_gzip(path, size);
	if (!loader->several) /* those of TensorFlow may be text, which ends anyhow */
		return false;
	at = tfp_json_pass_blanks(at, end);
	if (at < end && (*at == '{' || *at == '['))
		return is_cut_json(at, end);
	return is_cut_message(head);
}

void tfp_note_cut(struct tfp_discovery *discovery)
{
	struct tfp_arena *arena = &discovery->arena;

	for (size_t i = 0; i < discovery->found.count; i++) {
		struct tfp_found *found = &discovery->found.at[i];
		const char *gap = *found->note ? ", " : "";

		if (found->cut && found->count == 1)
			found->note = tfp_arena_printf(arena, "cut short%s%s", gap, found->note);
		else if (found->cut)
			found->note = tfp_arena_printf(arena, "%zu cut short%s%s", found->cut, gap,
						       found->note);
	}
}
