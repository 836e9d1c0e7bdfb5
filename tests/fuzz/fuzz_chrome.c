/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a Chrome trace, once and as two ranks of one profile: what is loaded hangs together and is in proportion, and
 * one record reads as the cursor over JSON reads it.
 */
#include "load_bytes.h"

#include "load/chrome/record.h"
#include "tfprof/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the cursor says of a member of the first object, where it is no object itself; it stands behind the key. */
static void check_member(const struct tfp_json_token *key, const struct tfp_json_token *value,
			 const struct record *record)
{
	if (key->text.size == 2 && !memcmp(key->text.at, "ts", 2)) {
		int64_t time;

		fuzz_abort_unless(record_has(record, FIELD_TIME));
		if (value->kind == TFP_JSON_NUMBER && record_nanoseconds(value->text, &time))
			fuzz_abort_unless(record->text[FIELD_TIME].at != value->text.at ||
					  record_number(record, FIELD_TIME, -7) == time);
	}
	if (key->text.size == 4 && !memcmp(key->text.at, "name", 4))
		fuzz_abort_unless(record_has(record, FIELD_NAME));
}

static void pass_arguments(struct tfp_json *json)
{
	struct tfp_json_token key, value;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		tfp_json_next(json, &value);
		tfp_json_skip(json, &value);
	}
}

/* Whether the cursor reads an object from the beginning of the bytes; then the reader of records does, too. */
static void compare_readers(const uint8_t *data, size_t size)
{
	struct record_reader reader;
	static struct record record;
	struct tfp_json_token key, value;
	struct tfp_json json;
	const char *at = (const char *)data, *after;

	if (!size || *at != '{')
		return;
	record_reader_start(&reader, at + size);
	after = record_read(&reader, at, &record);
	fuzz_abort_unless(!after || (after > at && after <= at + size));
	fuzz_abort_unless(after || (reader.stop >= at && reader.stop <= at + size));
	tfp_json_start(&json, (struct tfp_span){at, size});
	tfp_json_next(&json, &key);
	while (tfp_json_next(&json, &key) == TFP_JSON_KEY) {
		tfp_json_next(&json, &value);
		/* Of arguments the reader looks at each, of other values that hold some at none. */
		if (value.kind == TFP_JSON_OBJECT && key.text.size == 4 &&
		    !memcmp(key.text.at, "args", 4))
			pass_arguments(&json);
		else
			tfp_json_skip(&json, &value);
		if (after && !json.error)
			check_member(&key, &value, &record);
	}
	if (key.kind == TFP_JSON_OBJECT_END && !json.error)
		fuzz_abort_unless(after == at + tfp_json_offset(&json));
	tfp_json_stop(&json);
}

static void check_event(const struct tfp_profile *profile, uint32_t event)
{
	const struct tfp_trace *trace = profile->trace;
	enum tfp_lane_kind kind = tfp_trace_kind(trace, event);

	fuzz_abort_unless(tfp_trace_lane(trace, event) < trace->lanes.count);
	fuzz_abort_unless(tfp_trace_node(trace, event) < profile->nodes.count);
	fuzz_abort_unless(tfp_trace_duration(trace, event) >= 0);
	fuzz_abort_unless(tfp_trace_work_of(trace, event) == TFP_NONE ||
			  tfp_trace_work_of(trace, event) < trace->works.count);
	fuzz_abort_unless(tfp_trace_link(trace, event) == TFP_NONE ||
			  tfp_trace_link(trace, event) < trace->count);
	if (kind != TFP_LANE_DEVICE && tfp_trace_link(trace, event) != TFP_NONE)
		fuzz_abort_unless(tfp_trace_link(trace, event) < event);
	if (kind == TFP_LANE_DEVICE)
		fuzz_abort_unless(tfp_trace_work_of(trace, event) != TFP_NONE);
}

static void check(struct tfp_profile *profile, size_t size, struct tfp_diag *diag)
{
	const struct tfp_trace *trace = profile->trace;

	fuzz_abort_unless(tfp_profile_need(profile, TFP_PART_STACKS | TFP_PART_ALLOCS, NULL, diag));
	fuzz_abort_unless(tfp_profile_bytes(profile) < ((size_t)16 << 20) + 1024 * size);
	for (uint32_t i = 0; i < trace->count; i++)
		check_event(profile, i);
	for (uint32_t i = 0; i < profile->nodes.count; i++) {
		struct tfp_attributes attributes = {.list = {0}};

		fuzz_walk_stack(profile, profile->nodes.stack[i]);
		tfp_profile_attributes(profile, i, &attributes);
		tfp_attributes_free(&attributes);
	}
	for (size_t i = 0; i < profile->allocs.count; i++) {
		struct tfp_alloc alloc = tfp_allocs_get(&profile->allocs, i);

		fuzz_abort_unless(alloc.node < profile->nodes.count &&
				  alloc.step < profile->steps.count);
	}
}

static void load(const uint8_t *data, size_t size, int files)
{
	const struct tfp_loader *loader = fuzz_loader("chrome");
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	bool any = false;

	for (int i = 0; i < files; i++) {
		struct tfp_source *source = fuzz_source(data, size);
		uint32_t file = tfp_profile_add_file(profile, "fuzz", "chrome", size, 0);
		bool loaded;

		loader->sniff(source);
		loaded = loader->load(profile, source, file, 0, NULL, diag);
		fuzz_abort_unless(loaded || tfp_diag_errors(diag));
		any = any || loaded;
	}
	if (any) {
		fuzz_abort_unless(loader->finish(profile, NULL, diag));
		tfp_profile_finish(profile);
		check(profile, size * (size_t)files, diag);
	}
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	compare_readers(data, size);
	load(data, size, 1);
	load(data, size, 2);
	return 0;
}
