/* SPDX-License-Identifier: Apache-2.0 */
/* From records to events of the trace, by the letter of their phase. */
#include <string.h>

#include "load/chrome/chrome.h"

/* ---- categories ---------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum class class;
} categories[] = {
	{"cpu_op", CLASS_OP},
	{"Operator", CLASS_OP},
	{"hpu_op", CLASS_OP},
	{"user_annotation", CLASS_NOTE},
	{"cuda_runtime", CLASS_CALL},
	{"cuda_driver", CLASS_CALL},
	{"xpu_runtime", CLASS_CALL},
	{"xpu_driver", CLASS_CALL},
	{"mtia_runtime", CLASS_CALL},
	{"glow_runtime", CLASS_CALL},
	{"privateuse1_runtime", CLASS_CALL},
	{"privateuse1_driver", CLASS_CALL},
	{"Runtime", CLASS_CALL},
	{"python_function", CLASS_PYTHON},
	{"kernel", CLASS_KERNEL},
	{"Kernel", CLASS_KERNEL},
	{"mtia_ccp_events", CLASS_KERNEL},
	{"gpu_memcpy", CLASS_COPY},
	{"Memcpy", CLASS_COPY},
	{"gpu_memset", CLASS_FILL},
	{"Memset", CLASS_FILL},
	{"gpu_user_annotation", CLASS_REPEAT},
	{"cuda_sync", CLASS_REPEAT},
	{"cuda_event", CLASS_REPEAT},
	{"cuda_profiler_range", CLASS_REPEAT},
	{"collective_comm", CLASS_REPEAT},
	{"overhead", CLASS_DERIVED},
	{"Trace", CLASS_DERIVED},
	{"cpu_instant_event", CLASS_INSTANT},
};

static enum class class_of(struct chrome *chrome) {
	struct tfp_span text = chrome->record.text[FIELD_CATEGORY];

	if (!record_is_text(&chrome->record, FIELD_CATEGORY)) return CLASS_OTHER;
	if (chrome->class_known &&
	    tfp_span_equal(text, chrome->last_category)) return chrome->last_class;
	chrome->last_category = text;
	chrome->last_class = CLASS_OTHER;
	chrome->class_known = true;
	for (size_t i = 0; i < sizeof(categories) / sizeof(*categories);
	     i++) if (tfp_span_equal(text, tfp_span_of(categories[i].name)))
		chrome->last_class = categories[i].class;
	chrome->torch = chrome->torch || chrome->last_class != CLASS_OTHER;
	return chrome->last_class;
}

/* ---- what events have besides their time ---------------------------------------------------------- */

static uint32_t small_number(const struct record *record, enum field field)
{
	int64_t number = record_number(record, field, -1);

	return number < 0 || number >= TFP_NONE ? TFP_NONE : (uint32_t)number;
}

static uint32_t add_calls(struct chrome *chrome)
{
	struct tfp_span text;

	if (!record_is_text(&chrome->record, FIELD_CALLS))
		return TFP_NONE;
	text = record_text(&chrome->record, FIELD_CALLS, &chrome->room);
	return tfp_strings_add(chrome->profile->strings, text.at, text.size);
}

/* Returns the index of what is kept of the op. */
static uint32_t add_op(struct chrome *chrome, uint32_t event)
{
	const struct record *record = &chrome->record;
	uint32_t forward = small_number(record, FIELD_FORWARD);

	*tfp_array_push(&chrome->ops) = (struct op){
		.external = (uint64_t)record_number(record, FIELD_EXTERNAL, -1),
		.event = event,
		.sequence = small_number(record, FIELD_SEQUENCE),
		.forward = forward == TFP_NONE ? 0 : forward,
		.calls = add_calls(chrome),
	};
	return (uint32_t)chrome->ops.count - 1;
}

static void read_sizes(const struct record *record, enum field field, int32_t sizes[3])
{
	struct tfp_span text = record->text[field];
	int count = 0;

	if (!record_has(record, field))
		return;
	for (size_t i = 0; i < text.size && count < 3; i++) {
		int64_t value = 0;

		if (text.at[i] < '0' || text.at[i] > '9')
			continue;
		for (; i < text.size && text.at[i] >= '0' && text.at[i] <= '9'; i++)
			if (value < INT32_MAX / 10)
				value = value * 10 + (text.at[i] - '0');
		sizes[count++] = (int32_t)value;
	}
}

static int32_t narrow(int64_t value)
{
	return value < 0 || value > INT32_MAX ? -1 : (int32_t)value;
}

/* Communication is told by the library's name, or by what ops of it say. */
static enum tfp_work_class work_class(const struct chrome *chrome, enum class class,
				      const struct site *site)
{
	struct tfp_span name = tfp_strings_get(chrome->profile->strings, site->title);

	if (class == CLASS_COPY)
		return TFP_WORK_COPY;
	if (class == CLASS_FILL)
		return TFP_WORK_FILL;
	if (tfp_span_holds(name, "nccl") || tfp_span_holds(name, "rccl") ||
	    record_has(&chrome->record, FIELD_COLLECTIVE))
		return TFP_WORK_COMM;
	return TFP_WORK_KERNEL;
}

static uint32_t add_work(struct chrome *chrome, enum class class, const struct site *site)
{
	const struct record *record = &chrome->record;
	struct tfp_trace_work work = {
		.name = site->title,
		.class = (uint8_t)work_class(chrome, class, site),
		.registers = narrow(record_number(record, FIELD_REGISTERS, -1)),
		.static_shared = narrow(record_number(record, FIELD_SHARED, -1)),
		.dynamic_shared = -1,
		.occupancy = -1,
		.bytes = class == CLASS_KERNEL ? 0 : record_number(record, FIELD_MOVED, 0),
	};
	struct tfp_json_token occupancy = {TFP_JSON_NUMBER, record->text[FIELD_OCCUPANCY], false};
	int64_t hundredths;

	if (record_has(record, FIELD_OCCUPANCY) && tfp_json_integer(&occupancy, 2, &hundredths))
		work.occupancy = narrow(hundredths);
	read_sizes(record, FIELD_GRID, work.grid);
	read_sizes(record, FIELD_BLOCK, work.block);
	return tfp_trace_add_work(chrome->profile, &work);
}

static void add_device_event(struct chrome *chrome, uint32_t event)
{
	const struct record *record = &chrome->record;

	*tfp_array_push(&chrome->device_events) = (struct device_event){
		.event = event,
		.external = record_number(record, FIELD_EXTERNAL, -1),
		.correlation = record_number(record, FIELD_CORRELATION, -1),
		.owner = TFP_NONE,
	};
}

/* ---- complete events ----------------------------------------------------------------------------- */

int64_t chrome_time(struct chrome *chrome)
{
	int64_t time = record_number(&chrome->record, FIELD_TIME, CHROME_NO_TIME);

	if (time == CHROME_NO_TIME)
		tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, chrome->record_offset,
			     0, "a record has no time that can be read");
	return time;
}

void chrome_reach(struct chrome *chrome, int64_t time)
{
	if (time > chrome->latest)
		chrome->latest = time;
}

uint32_t chrome_add(struct chrome *chrome, enum class class, int64_t start, int64_t duration)
{
	uint32_t track = chrome_track(chrome, class), site = chrome_site(chrome, class);
	uint32_t work = TFP_NONE, event;

	if (class == CLASS_KERNEL || class == CLASS_COPY || class == CLASS_FILL)
		work = add_work(chrome, class, &chrome->sites.at[site]);
	event = tfp_trace_add(chrome->trace, chrome->tracks.at[track].lane, start, duration, site,
			      work, TFP_NONE);
	chrome_reach(chrome, tfp_wrap_add(start, duration));
	return event;
}

static void take_complete(struct chrome *chrome)
{
	enum class class = class_of(chrome);
	int64_t start = chrome_time(chrome), correlation;
	int64_t duration = record_number(&chrome->record, FIELD_DURATION, 0);
	uint32_t event;

	if (start == CHROME_NO_TIME)
		return;
	if (duration < 0)
		tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, chrome->record_offset,
			     0, "a record ends before it begins: taken as without duration");
	event = chrome_add(chrome, class, start, duration < 0 ? 0 : duration);
	if (class == CLASS_OP || class == CLASS_NOTE) {
		chrome->trace->link[event] = add_op(chrome, event);
	} else if (class == CLASS_CALL) {
		correlation = record_number(&chrome->record, FIELD_CORRELATION, -1);
		if (correlation >= 0)
			tfp_idmap_add(&chrome->launches, (uint64_t)correlation, event);
	} else if (chrome->trace->work[event] != TFP_NONE) {
		add_device_event(chrome, event);
	}
}

/* ---- begin and end ------------------------------------------------------------------------------- */

void chrome_begin(struct chrome *chrome, uint32_t event, uint32_t *open)
{
	*tfp_array_push(&chrome->begun) = (struct begun){event, *open};
	*open = (uint32_t)chrome->begun.count - 1;
}

void chrome_end(struct chrome *chrome, uint32_t *open)
{
	struct begun *begun;
	int64_t start, end = chrome_time(chrome);

	if (*open == TFP_NONE) {
		tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, chrome->record_offset,
			     0, "an end has no beginning");
		return;
	}
	if (end == CHROME_NO_TIME)
		return;
	begun = &chrome->begun.at[*open];
	start = chrome->trace->start[begun->event];
	chrome->trace->duration[begun->event] = end > start ? tfp_wrap_add(end, -start) : 0;
	chrome_reach(chrome, end);
	begun->event = TFP_NONE;
	*open = begun->around;
}

void chrome_close(struct chrome *chrome)
{
	for (size_t i = 0; i < chrome->begun.count; i++) {
		uint32_t event = chrome->begun.at[i].event;

		if (event == TFP_NONE)
			continue;
		chrome->trace->duration[event] =
			tfp_wrap_add(chrome->latest, -chrome->trace->start[event]);
		tfp_diag_add(chrome->diag, TFP_NOTE, chrome->source->path, -1, 0,
			     "what began does not end: it lasts until the end of the trace");
	}
}

/* Python calls have lanes of their own; all else of a thread is one tree. */
static enum class thread_class(struct chrome *chrome) {
	return class_of(chrome) == CLASS_PYTHON ? CLASS_PYTHON : CLASS_OTHER;
}

static void take_begin(struct chrome *chrome)
{
	enum class class = thread_class(chrome);
	int64_t start = chrome_time(chrome);
	uint32_t event, track;

	if (start == CHROME_NO_TIME)
		return;
	event = chrome_add(chrome, class, start, 0);
	track = chrome_track(chrome, class);
	chrome_begin(chrome, event, &chrome->tracks.at[track].open);
}

static void take_end(struct chrome *chrome)
{
	uint32_t track = chrome_track(chrome, thread_class(chrome));

	chrome_end(chrome, &chrome->tracks.at[track].open);
}

/* ---- instants ------------------------------------------------------------------------------------ */

static void add_memory(struct chrome *chrome, uint32_t event)
{
	const struct record *record = &chrome->record;

	*tfp_array_push(&chrome->memory) = (struct memory_event){
		.event = event,
		.type = (int32_t)record_number(record, FIELD_DEVICE_TYPE, 0),
		.id = (int32_t)record_number(record, FIELD_DEVICE_ID, -1),
		.bytes = record_number(record, FIELD_BYTES, 0),
		.allocated = record_number(record, FIELD_ALLOCATED, 0),
		.reserved = record_number(record, FIELD_RESERVED, 0),
	};
}

static void take_instant(struct chrome *chrome)
{
	int64_t time = chrome_time(chrome);
	uint32_t event;

	class_of(chrome);
	if (time == CHROME_NO_TIME)
		return;
	event = chrome_add(chrome, CLASS_INSTANT, time, 0);
	if (record_has(&chrome->record, FIELD_BYTES))
		add_memory(chrome, event);
}

static void take_names(struct chrome *chrome)
{
	struct tfp_span name = record_text(&chrome->record, FIELD_NAME, &chrome->room);

	if (tfp_span_equal(name, TFP_SPAN("process_name")))
		chrome_add_name(chrome, NAME_PROCESS);
	else if (tfp_span_equal(name, TFP_SPAN("process_labels")))
		chrome_add_name(chrome, NAME_LABELS);
	else if (tfp_span_equal(name, TFP_SPAN("thread_name")))
		chrome_add_name(chrome, NAME_THREAD);
}

/* Flows say what correlation says; dumps of memory and marks of clocks have no place in a profile. */
static void take_nothing(struct chrome *chrome)
{
	(void)chrome;
}

static const struct {
	const char *letters;
	void (*take)(struct chrome *chrome);
} phases[] = {
	{"X", take_complete},  {"iIRCP", take_instant}, {"M", take_names},
	{"B", take_begin},     {"E", take_end},         {"bSnTpeFNOD", chrome_take_async},
	{"stf", take_nothing}, {"vVc()", take_nothing},
};

void chrome_take(struct chrome *chrome)
{
	struct tfp_span phase = chrome->record.text[FIELD_PHASE];

	if (!chrome->record.has) {
		chrome->empty++;
		return;
	}
	for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++)
		if (record_is_text(&chrome->record, FIELD_PHASE) && phase.size == 1 &&
		    strchr(phases[i].letters, *phase.at)) {
			phases[i].take(chrome);
			return;
		}
	tfp_diag_add(chrome->diag, TFP_NOTE, chrome->source->path, chrome->record_offset, 0,
		     "a record of a kind that is not known was left out");
}
