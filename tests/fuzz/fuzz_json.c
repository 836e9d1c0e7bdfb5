/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON, by tokens and with values passed over, and as a timeline. */
#include "tfprof/json.h"

#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
		fuzz_abort_unless(++count <= size);
		fuzz_abort_unless(tfp_json_offset(&json) <= size && json.open.count <= size);
		if (token.kind == TFP_JSON_STRING || token.kind == TFP_JSON_KEY)
			tfp_json_string(&token, &room);
		tfp_json_integer(&token, (unsigned int)(count % 10), &value);
		if (keep && count % keep == 0)
			tfp_json_skip(&json, &token);
	}
	fuzz_abort_unless(!token.kind);
	fine = !json.error;
	tfp_json_stop(&json);
	tfp_array_free(&room);
	return fine;
}

static void check_timeline(struct tfp_profile *profile, size_t size, struct tfp_diag *diag)
{
	fuzz_abort_unless(tfp_profile_need(profile, TFP_PART_EXECS, NULL, diag));
	fuzz_abort_unless(tfp_profile_bytes(profile) < ((size_t)16 << 20) + 512 * size);
	tfp_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Less is looked at in what is passed over, so it may end well where the whole does not. */
	if (read_all(data, size, 0))
		fuzz_abort_unless(read_all(data, size, 1) && read_all(data, size, 3));
	else
		read_all(data, size, 2);
	fuzz_load_alone("timeline", data, size, check_timeline);
	return 0;
}
