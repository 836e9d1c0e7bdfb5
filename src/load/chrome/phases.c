/* SPDX-License-Identifier: Apache-2.0 */
/* From records to events of the trace, by the letter of their phase. */
#include <string.h>

#include "load/chrome/chrome.h"

/* ---- categories ---------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum kind kind;
} categories[] = {
	{"cpu_op", KIND_OP},
	{"Operator", KIND_OP},
	{"hpu_op", KIND_OP},
	{"user_annotation", KIND_NOTE},
	{"cuda_runtime", KIND_CALL},
	{"cuda_driver", KIND_CALL},
	{"xpu_runtime", KIND_CALL},
	{"xpu_driver", KIND_CALL},
	{"mtia_runtime", KIND_CALL},
	{"glow_runtime", KIND_CALL},
	{"privateuse1_runtime", KIND_CALL},
	{"privateuse1_driver", KIND_CALL},
	{"Runtime", KIND_CALL},
	{"python_function", KIND_PYTHON},
	{"kernel", KIND_KERNEL},
	{"Kernel", KIND_KERNEL},
	{"mtia_ccp_events", KIND_KERNEL},
	{"mtia_insight", KIND_REPEAT},
	{"mtia_counters", KIND_REPEAT},
	{"gpu_memcpy", KIND_COPY},
	{"Memcpy", KIND_COPY},
	{"gpu_memset", KIND_FILL},
	{"Memset", KIND_FILL},
	{"gpu_user_annotation", KIND_REPEAT},
	{"cuda_sync", KIND_REPEAT},
	{"xpu_sync", KIND_REPEAT},
	{"xpu_scope_profiler", KIND_REPEAT},
	{"hardware_counters", KIND_REPEAT},
	{"external_correlation", KIND_DERIVED},
	{"cuda_event", KIND_REPEAT},
	{"cuda_profiler_range", KIND_REPEAT},
	{"collective_comm", KIND_REPEAT},
	{"overhead", KIND_DERIVED},
	{"Trace", KIND_DERIVED},
	{"cpu_instant_event", KIND_INSTANT},
};

static enum kind find_kind(struct chrome *chrome, struct tfp_span name)
{
	for (size_t i = 0; i < sizeof(categories) / sizeof(*categories); i++)
		if (tfp_span_is(name, categories[i].name)) {
			chrome->torch = true;
			return categories[i].kind;
		}
	return KIND_OTHER;
}

/* Those met last are looked for first. */
static enum kind kind_of(struct chrome *chrome)
{
	struct tfp_span text = chrome->record.text[FIELD_CATEGORY];
	struct category *slot;

	if (!record_is_text(&chrome->record, FIELD_CATEGORY) || !text.size)
		return KIND_OTHER;
	slot = &chrome->categories[(text.size + (unsigned char)*text.at) % CATEGORY_SLOTS];
	if (!tfp_span_equal(text, slot->name))
		*slot = (struct category){chrome_hold(chrome, text), find_kind(chrome, text)};
	return slot->kind;
}

/* ---- what events have besides their time ---------------------------------------------------------- */

static uint32_t small_number(const struct record *record, enum field field)
{
	int64_t number = record_number(record, field, -1);

	return number < 0 || number >= TFP_NONE ? TFP_NONE : (uint32_t)number;
}

/* See NO_ID. */
static uint32_t half_number(const struct record *record, enum field field)
{
	int64_t number = record_number(record, field, -1);

	return number < 0 ? NO_ID : (uint32_t)number;
}

/* A call without a number may have the id that what it launched has too. */
static void add_launch(struct chrome *chrome, uint32_t event)
{
	uint32_t correlation = half_number(&chrome->record, FIELD_CORRELATION);
	uint32_t external = half_number(&chrome->record, FIELD_EXTERNAL);

	if (correlation != NO_ID)
		*tfp_array_push(&chrome->launches) = (struct numbered){correlation, event};
	else if (external != NO_ID)
		*tfp_array_push(&chrome->unnumbered) = (struct numbered){external, event};
}

/* The number of the caller waits in the column of links. */
static void add_call(struct chrome *chrome, uint32_t event)
{
	uint32_t number = half_number(&chrome->record, FIELD_PYTHON_ID);

	if (number == NO_ID)
		return;
	*tfp_array_push(&chrome->calls) = (struct numbered){number, event};
	tfp_trace_set_link(chrome->trace, event, half_number(&chrome->record, FIELD_PYTHON_PARENT));
}

static uint32_t push_rare(struct chrome *chrome, const struct rare_op *rare)
{
	*tfp_array_push(&chrome->rare) = *rare;
	return (uint32_t)chrome->rare.count - 1;
}

static uint32_t push_op(struct chrome *chrome, const struct op *op)
{
	*tfp_array_push(&chrome->ops) = *op;
	return (uint32_t)chrome->ops.count - 1;
}

/* Returns the index of what is kept of the op. */
static uint32_t add_op(struct chrome *chrome)
{
	const struct record *record = &chrome->record;
	struct op op = {
		.external = half_number(record, FIELD_EXTERNAL),
		.sequence = small_number(record, FIELD_SEQUENCE),
		.rare = TFP_NONE,
	};
	int64_t forward = record_number(record, FIELD_FORWARD, 0);
	bool calls = record_is_text(record, FIELD_CALLS);

	chrome->indexed |= record_has(record, FIELD_INDEX);
	if (calls || (forward > 0 && forward < TFP_NONE))
		op.rare =
			push_rare(chrome, &(struct rare_op){
						  .forward = forward > 0 && forward < TFP_NONE
								     ? (uint32_t)forward
								     : 0,
						  .calls = calls ? chrome_calls(chrome) : TFP_NONE,
					  });
	return push_op(chrome, &op);
}

/* An event of another program: it may say what called it, and what it launched. */
static void add_other(struct chrome *chrome, uint32_t event)
{
	struct op op = {.external = NO_ID, .sequence = TFP_NONE};
	struct rare_op rare = {0};

	add_launch(chrome, event);
	chrome_take_bound(chrome);
	rare.calls = chrome_record_stack(chrome, &rare.numbered);
	rare.weight = record_number(&chrome->record, FIELD_WEIGHT, 0);
	if (rare.calls == TFP_NONE && !rare.weight)
		return;
	op.rare = push_rare(chrome, &rare);
	tfp_trace_set_work(chrome->trace, event, push_op(chrome, &op));
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

static enum tfp_work_class work_class(const struct chrome *chrome, enum kind kind,
				      const struct site *site)
{
	if (kind == KIND_COPY)
		return TFP_WORK_COPY;
	if (kind == KIND_FILL)
		return TFP_WORK_FILL;
	return site->communicates || record_has(&chrome->record, FIELD_COLLECTIVE)
		       ? TFP_WORK_COMM
		       : TFP_WORK_KERNEL;
}

static uint32_t add_work(struct chrome *chrome, enum kind kind, const struct site *site)
{
	const struct record *record = &chrome->record;
	struct tfp_trace_work work = {
		.name = site->title,
		.class = (uint8_t)work_class(chrome, kind, site),
		.registers = narrow(record_number(record, FIELD_REGISTERS, -1)),
		.static_shared = narrow(record_number(record, FIELD_SHARED, -1)),
		.dynamic_shared = -1,
		.occupancy = -1,
		.bytes = kind == KIND_KERNEL ? 0 : record_number(record, FIELD_MOVED, 0),
	};
	struct tfp_json_token occupancy = {TFP_JSON_NUMBER, record->text[FIELD_OCCUPANCY], false};
	int64_t hundredths;

	if (record_has(record, FIELD_OCCUPANCY) && tfp_json_integer(&occupancy, 2, &hundredths))
		work.occupancy = narrow(hundredths);
	read_sizes(record, FIELD_GRID, work.grid);
	read_sizes(record, FIELD_BLOCK, work.block);
	return tfp_trace_add_work(chrome->profile, &work);
}

/* The event is tagged with the place of what is kept of it. */
static void add_device_event(struct chrome *chrome, uint32_t event)
{
	const struct record *record = &chrome->record;
	uint32_t site = tfp_trace_node(chrome->trace, event);

	tfp_trace_set_node(chrome->trace, event, (uint32_t)chrome->device_events.count);
	*tfp_array_push(&chrome->device_events) = (struct device_event){
		.event = event,
		.owner = TFP_NONE,
		.site = site,
		.external = half_number(record, FIELD_EXTERNAL),
		.correlation = half_number(record, FIELD_CORRELATION),
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

uint32_t chrome_add(struct chrome *chrome, enum kind kind, int64_t start, int64_t duration)
{
	uint32_t track = chrome_track(chrome, kind), site = chrome_site(chrome, kind);
	uint32_t work = TFP_NONE, event;

	if (kind == KIND_KERNEL || kind == KIND_COPY || kind == KIND_FILL)
		work = add_work(chrome, kind, &chrome->sites.at[site]);
	event = tfp_trace_add(chrome->trace, chrome->tracks.at[track].lane, start, duration, site,
			      work, TFP_NONE);
	chrome_reach(chrome, tfp_wrap_add(start, duration));
	return event;
}

static void tell_early(struct chrome *chrome)
{
	tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, chrome->record_offset, 0,
		     "a record ends before it begins: taken as without duration");
}

/* How long the record lasts; 0, and a problem, where that can't be. */
static int64_t duration_of(struct chrome *chrome)
{
	int64_t duration = record_number(&chrome->record, FIELD_DURATION, CHROME_NO_TIME);
	const char *path = chrome->source->path;

	if (!record_has(&chrome->record, FIELD_DURATION))
		tfp_diag_add(chrome->diag, TFP_NOTE, path, chrome->record_offset, 0,
			     "a complete record says no duration: taken as without one");
	else if (duration == CHROME_NO_TIME)
		tfp_diag_add(chrome->diag, TFP_WARNING, path, chrome->record_offset, 0,
			     "a record has no duration that can be read: taken as without one");
	else if (duration < 0)
		tell_early(chrome);
	return duration < 0 ? 0 : duration;
}

static void take_complete(struct chrome *chrome)
{
	enum kind kind = kind_of(chrome);
	int64_t start = chrome_time(chrome);
	uint32_t event;

	chrome->complete++;
	if (start == CHROME_NO_TIME)
		return;
	event = chrome_add(chrome, kind, start, duration_of(chrome));
	if (kind == KIND_OP || kind == KIND_NOTE) {
		tfp_trace_set_work(chrome->trace, event, add_op(chrome));
	} else if (kind == KIND_CALL) {
		add_launch(chrome, event);
	} else if (kind == KIND_PYTHON) {
		add_call(chrome, event);
	} else if (kind == KIND_OTHER) {
		add_other(chrome, event);
	} else if (tfp_trace_work_of(chrome->trace, event) != TFP_NONE) {
		add_device_event(chrome, event);
	}
}

/* ---- begin and end ------------------------------------------------------------------------------- */

void chrome_begin(struct chrome *chrome, uint32_t event, uint32_t *open)
{
	chrome->looks_back = true;
	*tfp_array_push(&chrome->begun) = (struct begun){event, *open, chrome->record_text};
	*open = (uint32_t)chrome->begun.count - 1;
}

/* An end need not say what it ends; letters may be written in several ways. */
static void check_name(struct chrome *chrome, uint32_t event)
{
	const struct site *site = &chrome->sites.at[tfp_trace_node(chrome->trace, event)];
	struct tfp_span name = record_raw(&chrome->record, FIELD_NAME);

	if (!name.size || tfp_span_equal(name, site->name) ||
	    tfp_span_equal(record_text(&chrome->record, FIELD_NAME, &chrome->room),
			   tfp_strings_get(chrome->profile->strings, site->title)))
		return;
	tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, chrome->record_offset, 0,
		     "an end has another name than what began last, which it ends");
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
	start = tfp_trace_start(chrome->trace, begun->event);
	check_name(chrome, begun->event);
	if (end < start)
		tell_early(chrome);
	tfp_trace_set_duration(chrome->trace, begun->event,
			       end > start ? tfp_wrap_add(end, -start) : 0);
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
		tfp_trace_set_duration(
			chrome->trace, event,
			tfp_wrap_add(chrome->latest, -tfp_trace_start(chrome->trace, event)));
		tfp_diag_add(chrome->diag, TFP_NOTE, chrome->source->path, -1, 0,
			     "what began does not end: it lasts until the end of the trace");
	}
}

/* Python calls have lanes of their own; all else of a thread is one tree. */
static enum kind thread_kind(struct chrome *chrome)
{
	return kind_of(chrome) == KIND_PYTHON ? KIND_PYTHON : KIND_OTHER;
}

/*
 * What its thread began last, and has not ended. py-spy's threads are told apart by their number alone, which a process has from
 * the one that it was forked from.
 */
static uint32_t *open_of_thread(struct chrome *chrome, uint32_t track)
{
	if (!tfp_span_equal(record_raw(&chrome->record, FIELD_CATEGORY), TFP_SPAN("py-spy")))
		return &chrome->tracks.at[track].open;
	return chrome_open(chrome, (uint64_t)chrome_number_of(chrome, FIELD_THREAD));
}

static void take_begin(struct chrome *chrome)
{
	enum kind kind = thread_kind(chrome);
	int64_t start = chrome_time(chrome);
	uint32_t event, track;

	if (start == CHROME_NO_TIME)
		return;
	event = chrome_add(chrome, kind, start, 0);
	if (kind == KIND_OTHER)
		add_other(chrome, event);
	track = chrome_track(chrome, kind);
	chrome_begin(chrome, event, open_of_thread(chrome, track));
}

/* The text of the record that begins an event, and behind it that of the record at hand, which ends it. */
static struct tfp_span join_texts(struct chrome *chrome, struct tfp_span begin)
{
	size_t size = begin.size + chrome->record_text.size;

	tfp_array_reserve(&chrome->joined, size);
	memcpy(chrome->joined.at, begin.at, begin.size);
	memcpy(chrome->joined.at + begin.size, chrome->record_text.at, chrome->record_text.size);
	return (struct tfp_span){chrome->joined.at, size};
}

/* The record at hand ends EVENT, which began with the text BEGIN: its arguments count with those that it began with. */
static void add_arguments(struct chrome *chrome, uint32_t event, struct tfp_span begin)
{
	struct record end = chrome->record;
	struct tfp_span text = chrome->record_text;
	struct tfp_json_bytes words = {0};
	uint32_t site;

	/* a key with backslashes may be that one */
	if ((!tfp_span_holds(text, "\"args\"") && !memchr(text.at, '\\', text.size)) ||
	    !record_read(&chrome->reader, begin.at, &chrome->record))
		return;
	record_plain(&chrome->record, &words);
	record_add_arguments(&chrome->record, &end);
	chrome->record_text = join_texts(chrome, begin);
	site = tfp_trace_node(chrome->trace, event);
	tfp_trace_set_node(chrome->trace, event, chrome_site(chrome, chrome->sites.at[site].kind));
	chrome->record_text = text;
	tfp_array_free(&words);
}

static void take_end(struct chrome *chrome)
{
	uint32_t *open = open_of_thread(chrome, chrome_track(chrome, thread_kind(chrome)));
	uint32_t place = *open;
	struct begun begun = {TFP_NONE, TFP_NONE, {"", 0}};

	if (place != TFP_NONE)
		begun = chrome->begun.at[place];
	chrome_end(chrome, open);
	if (begun.event != TFP_NONE && chrome->begun.at[place].event == TFP_NONE)
		add_arguments(chrome, begun.event, begun.text);
}

/* ---- instants ------------------------------------------------------------------------------------ */

static void add_memory(struct chrome *chrome, uint32_t event)
{
	const struct record *record = &chrome->record;

	tfp_trace_set_work(chrome->trace, event, (uint32_t)chrome->memory.count);
	*tfp_array_push(&chrome->memory) = (struct memory_event){
		.event = event,
		.address = (uint64_t)record_number(record, FIELD_ADDRESS, 0),
		.type = (int32_t)record_number(record, FIELD_DEVICE_TYPE, 0),
		.id = (int32_t)record_number(record, FIELD_DEVICE_ID, -1),
		.bytes = record_number(record, FIELD_BYTES, 0),
		.allocated = record_number(record, FIELD_ALLOCATED, -1),
		.reserved = record_number(record, FIELD_RESERVED, 0),
	};
}

/* There was no room for what is asked for: none of it was taken. */
static void tell_no_memory(struct chrome *chrome)
{
	const struct record *record = &chrome->record;
	char asked[TFP_NUMBER_ROOM], held[TFP_NUMBER_ROOM];

	tfp_diag_add(chrome->diag, TFP_WARNING, chrome->source->path, chrome->record_offset, 0,
		     "out of memory: there was no room for %s beside %s that were allocated",
		     tfp_number_screen(asked, TFP_BYTES, record_number(record, FIELD_BYTES, 0)),
		     tfp_number_screen(held, TFP_BYTES, record_number(record, FIELD_ALLOCATED, 0)));
}

/* It takes no time: how often there is one of a stack says where time goes. */
void chrome_take_sample(struct chrome *chrome)
{
	int64_t time = chrome_time(chrome);

	if (time != CHROME_NO_TIME)
		add_other(chrome, chrome_add(chrome, KIND_SAMPLE, time, 0));
}

static void take_instant(struct chrome *chrome)
{
	int64_t time = chrome_time(chrome);
	uint32_t event;

	kind_of(chrome);
	if (time == CHROME_NO_TIME)
		return;
	event = chrome_add(chrome, KIND_INSTANT, time, 0);
	if (!record_has(&chrome->record, FIELD_BYTES))
		return;
	if (tfp_span_equal(record_text(&chrome->record, FIELD_NAME, &chrome->room),
			   TFP_SPAN("[OutOfMemory]")))
		tell_no_memory(chrome);
	else
		add_memory(chrome, event);
}

/* Dumps of memory and marks of clocks have no place in a profile. */
static void take_nothing(struct chrome *chrome)
{
	(void)chrome;
}

static const struct {
	const char *letters;
	void (*take)(struct chrome *chrome);
} phases[] = {
	{"stf", chrome_take_flow}, /* of these a trace has most */
	{"iIR", take_instant},
	{"P", chrome_take_sample},
	{"C", chrome_take_counter},
	{"M", chrome_take_name},
	{"B", take_begin},
	{"E", take_end},
	{"bSnTpeFNOD", chrome_take_async},
	{"vVc()", take_nothing},
};

void chrome_take(struct chrome *chrome)
{
	struct tfp_span phase = chrome->record.text[FIELD_PHASE];

	if (!chrome->record.has)
		return;
	if (record_is_text(&chrome->record, FIELD_PHASE) && phase.size == 1 && *phase.at == 'X') {
		take_complete(chrome);
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
