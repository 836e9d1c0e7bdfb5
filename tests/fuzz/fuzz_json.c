/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON, by tokens and with values passed over, and as a timeline. */
#include "tfprof/json.h"

#include <stdlib.h>
#include <string.h>

#include "load/loaders.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Reads all tokens; every KEEP-th that could be passed over is. Returns whether it ended well. */
static bool read_all(const uint8_t *data, size_t size, size_t keep)
{
	struct tfp_json_bytes room = {0};
	struct tfp_json_token token;
	struct tfp_json json;
	size_t count = 0;
	int64_t value;
	bool fine;

	tfp_json_start(&json, (struct tfp_span){(const char *)data, size});
	while (tfp_json_next(&json, &token)) {
		must(++count <= size);
		must(tfp_json_offset(&json) <= size && json.open.count <= size);
		if (token.kind == TFP_JSON_STRING || token.kind == TFP_JSON_KEY)
			tfp_json_string(&token, &room);
		tfp_json_integer(&token, (unsigned int)(count % 10), &value);
		if (keep && count % keep == 0)
			tfp_json_skip(&json, &token);
	}
	must(!token.kind);
	fine = !json.error;
	tfp_json_stop(&json);
	tfp_array_free(&room);
	return fine;
}

static void read_timeline(const uint8_t *data, size_t size)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	uint8_t *copy = tfp_alloc(size);
	struct tfp_source *source;

	if (size)
		memcpy(copy, data, size);
	source = tfp_source_from_bytes("fuzz", copy, size);
	tfp_timeline_loader.sniff(source);
	tfp_profile_add_file(profile, source->path, "timeline", size, 0);
	if (tfp_timeline_loader.load(profile, source, 0, 0, NULL, diag)) {
		tfp_profile_finish(profile);
		must(tfp_profile_need(profile, TFP_PART_EXECS, NULL, diag));
		must(tfp_profile_bytes(profile) < ((size_t)16 << 20) + 512 * size);
	} else {
		must(tfp_diag_errors(diag) > 0);
	}
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Less is looked at in what is passed over, so it may end well where the whole does not. */
	if (read_all(data, size, 0))
		must(read_all(data, size, 1) && read_all(data, size, 3));
	else
		read_all(data, size, 2);
	read_timeline(data, size);
	return 0;
}
