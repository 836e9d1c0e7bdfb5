/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gzip: ISA-L does the work where it is there, being several times faster, otherwise zlib. Both
 * are hidden behind a small engine that is fed pieces, so that work can be watched and cancelled
 * and the output grows with what a stream really holds, not with what it says.
 */
#include "config.h"

#include "codec/inflate.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#define ZLIB_CONST
#include <zlib.h>
#endif

#define INPUT_PIECE  ((size_t)256 << 10)
#define OUTPUT_PIECE ((size_t)1 << 20)
#define OUTPUT_FIRST ((size_t)64 << 10)

/* What begins as a member does within damaged data is one if so much of it can be inflated. */
#define TRIAL_INPUT  ((size_t)64 << 10)
#define TRIAL_OUTPUT ((size_t)64 << 10)
#define TRIAL_LEAST  ((size_t)4 << 10)
#define MOST_TRIALS  1000
#define HEADER       10

enum step {
	STEP_MORE,     /* wants more input or more room */
	STEP_MEMBER,   /* a member ended well */
	STEP_CHECKSUM, /* a member ended, but its checksum differs */
	STEP_DAMAGED,
};

/* Where an engine reads and writes; it moves all four. */
struct flow {
	const uint8_t *in;
	size_t in_left;
	uint8_t *out;
	size_t out_left;
};

/* ---- the two engines ------------------------------------------------------------------------- */

#ifdef HAVE_ISAL

struct engine {
	struct inflate_state state;
};

static struct engine *engine_new(void)
{
	return tfp_alloc(sizeof(struct engine));
}

static void engine_free(struct engine *engine)
{
	free(engine);
}

/* Cleared, for damaged data may refer to what it has before their beginning: they give the same each time. */
static void engine_start_member(struct engine *engine)
{
	memset(&engine->state, 0, sizeof(engine->state));
	isal_inflate_init(&engine->state);
	engine->state.crc_flag = ISAL_GZIP;
}

static enum step engine_run(struct engine *engine, struct flow *flow)
{
	struct inflate_state *state = &engine->state;
	uint32_t in = (uint32_t)flow->in_left, out = (uint32_t)flow->out_left;
	int result;

	state->next_in = (uint8_t *)(uintptr_t)flow->in;
	state->avail_in = in;
	state->next_out = flow->out;
	state->avail_out = out;
	result = isal_inflate(state);
	flow->in += in - state->avail_in;
	flow->in_left = state->avail_in;
	flow->out += out - state->avail_out;
	flow->out_left = state->avail_out;
	if (result == ISAL_INCORRECT_CHECKSUM)
		return STEP_CHECKSUM;
	if (result < 0 || result == ISAL_NEED_DICT)
		return STEP_DAMAGED;
	return state->block_state == ISAL_BLOCK_FINISH ? STEP_MEMBER : STEP_MORE;
}

#else

struct engine {
	z_stream stream;
};

static struct engine *engine_new(void)
{
	struct engine *engine = tfp_alloc_zero(1, sizeof(*engine));

	if (inflateInit2(&engine->stream, 16 + MAX_WBITS) != Z_OK)
		abort();
	return engine;
}

static void engine_free(struct engine *engine)
{
	inflateEnd(&engine->stream);
	free(engine);
}

static void engine_start_member(struct engine *engine)
{
	inflateReset(&engine->stream);
}

static enum step engine_run(struct engine *engine, struct flow *flow)
{
	z_stream *stream = &engine->stream;
	int result;

	stream->next_in = flow->in;
	stream->avail_in = (uInt)flow->in_left;
	stream->next_out = flow->out;
	stream->avail_out = (uInt)flow->out_left;
	result = inflate(stream, Z_NO_FLUSH);
	flow->in = stream->next_in;
	flow->in_left = stream->avail_in;
	flow->out = stream->next_out;
	flow->out_left = stream->avail_out;
	if (result == Z_STREAM_END)
		return STEP_MEMBER;
	if (result == Z_OK || result == Z_BUF_ERROR)
		return STEP_MORE;
	/* zlib's only way to tell one damage from another is the text. */
	return stream->msg && strstr(stream->msg, "check") ? STEP_CHECKSUM : STEP_DAMAGED;
}

#endif

/* ---- the loop over pieces and members -------------------------------------------------------- */

struct work {
	const char *name;
	const uint8_t *input;
	size_t size, at; /* of the input */
	size_t limit;    /* of the output */
	uint8_t *out;
	size_t out_size, out_room;
	const struct tfp_inflate_room *fixed; /* where OUT is; NULL: it is ours, and grows */
	struct tfp_job *job;
	struct tfp_diag *diag;
	size_t trials; /* of what may be a member behind damage */
	bool whole;    /* a member came to its end */
	enum step end; /* how the last one ended */
	bool cancelled;
};

/* A macro because the collector tells problems apart by their literal text. */
#define complain(work, severity, what)                                                             \
	tfp_diag_add((work)->diag, (severity), (work)->name, (int64_t)(work)->at, TFP_EXPLAINS,    \
		     (what))

/* One byte more than the limit, so that output of just the limit can be told from too much. */
static void make_room(struct work *work)
{
	size_t wanted = work->out_room ? work->out_room * 2 : work->size * 4;

	if (work->fixed || work->out_size < work->out_room)
		return;
	if (wanted < OUTPUT_FIRST)
		wanted = OUTPUT_FIRST;
	if (wanted > work->limit + 1)
		wanted = work->limit + 1;
	work->out = tfp_realloc_array(work->out, wanted, 1);
	work->out_room = wanted;
}

/* Feeds the engine one piece. *IDLE: it could do nothing with it. */
static enum step run_piece(struct work *work, struct engine *engine, bool *idle)
{
	size_t in_left = work->size - work->at, out_left;
	struct flow flow;
	enum step step;

	make_room(work);
	out_left = work->out_room - work->out_size;
	flow = (struct flow){
		.in = work->input + work->at,
		.in_left = in_left < INPUT_PIECE ? in_left : INPUT_PIECE,
		.out = work->out + work->out_size,
		.out_left = out_left < OUTPUT_PIECE ? out_left : OUTPUT_PIECE,
	};
	step = engine_run(engine, &flow);
	*idle = flow.in == work->input + work->at && flow.out == work->out + work->out_size;
	work->at = (size_t)(flow.in - work->input);
	work->out_size = (size_t)(flow.out - work->out);
	if (work->fixed)
		work->fixed->note(work->fixed->data,
				  work->out_size < work->limit ? work->out_size : work->limit,
				  work->at);
	return step;
}

/* Inflates one member. False when nothing after it can or should be read. */
static bool inflate_member(struct work *work, struct engine *engine)
{
	enum step step;
	bool idle;

	engine_start_member(engine);
	do {
		if (tfp_job_cancelled(work->job)) {
			work->cancelled = true;
			return false;
		}
		step = run_piece(work, engine, &idle);
		if (work->job)
			tfp_job_progress(work->job, work->at);
		if (work->out_size > work->limit) {
			work->out_size = work->limit;
			complain(work, TFP_ERROR,
				 "unpacks to far more than a profile of this size can");
			return false;
		}
		if (step == STEP_MORE && idle) {
			complain(work, TFP_WARNING, "the gzip data are cut");
			return false;
		}
	} while (step == STEP_MORE);
	work->end = step;
	work->whole |= step == STEP_MEMBER;
	return step == STEP_MEMBER;
}

/* Can enough be inflated of what begins at AT? ROOM is for what comes of it. */
static bool is_member(const struct work *work, size_t at, struct engine *engine, uint8_t *room)
{
	size_t left = work->size - at;
	struct flow flow = {
		.in = work->input + at,
		.in_left = left < TRIAL_INPUT ? left : TRIAL_INPUT,
		.out = room,
		.out_left = TRIAL_OUTPUT,
	};
	enum step step;
	const uint8_t *in, *out;

	engine_start_member(engine);
	do {
		in = flow.in;
		out = flow.out;
		step = engine_run(engine, &flow);
	} while (step == STEP_MORE && (flow.in != in || flow.out != out));
	return step == STEP_MEMBER ||
	       (step == STEP_MORE && (size_t)(flow.out - room) >= TRIAL_LEAST);
}

static bool is_header(const uint8_t *at)
{
	return at[1] == 0x8b && at[2] == 8 && !(at[3] & 0xe0);
}

/* The first member from FROM on, 0: there is none, or JOB was cancelled. */
static size_t find_member(struct work *work, size_t from, struct engine *engine)
{
	const uint8_t *end = work->input + work->size, *at = work->input + from;
	uint8_t *room = tfp_alloc(TRIAL_OUTPUT);
	size_t found = 0;

	while (!found && end - at > HEADER &&
	       (at = memchr(at, 0x1f, (size_t)(end - at) - HEADER))) {
		size_t offset = (size_t)(at - work->input);

		if (is_header(at) &&
		    (work->trials++ == MOST_TRIALS || tfp_job_cancelled(work->job)))
			break;
		if (is_header(at) && is_member(work, offset, engine, room))
			found = offset;
		at++;
	}
	free(room);
	return found;
}

/*
 * After the member that begins at BEGIN, which is damaged: goes on with the next that is not, if who reads can do with a hole.
 * Where damage is met inflating may have gone beyond the member's end already.
 */
static bool pass_damage(struct work *work, size_t begin, struct engine *engine)
{
	size_t from = begin + 1, next = 0;

	if (work->end == STEP_CHECKSUM) {
		complain(work, TFP_WARNING, "the gzip checksum differs, the data may be wrong");
		from = work->at - (work->at > begin + HEADER ? HEADER : 0);
	}
	if (work->fixed)
		next = find_member(work, from, engine);
	if (work->end == STEP_DAMAGED && !next)
		complain(work, TFP_WARNING, "the gzip data are damaged");
	else if (work->end == STEP_DAMAGED)
		tfp_diag_add(
			work->diag, TFP_WARNING, work->name, (int64_t)begin, TFP_EXPLAINS,
			"the gzip data are damaged: of %zu bytes what can't be unpacked is left out",
			next - begin);
	if (next)
		work->at = next;
	return next;
}

static bool is_damaged(const struct work *work)
{
	return work->end == STEP_DAMAGED || work->end == STEP_CHECKSUM;
}

static void inflate_members(struct work *work)
{
	struct engine *engine = engine_new();

	do {
		size_t begin = work->at;

		work->end = STEP_MORE;
		if (!inflate_member(work, engine) &&
		    !(is_damaged(work) && pass_damage(work, begin, engine)))
			break;
		if (work->at < work->size &&
		    !tfp_inflate_sniff(work->input + work->at, work->size - work->at)) {
			complain(work, TFP_NOTE, "what follows the gzip data is ignored");
			break;
		}
	} while (work->at < work->size);
	engine_free(engine);
}

uint8_t *tfp_inflate(const char *name, const uint8_t *input, size_t size, size_t limit,
		     struct tfp_job *job, struct tfp_diag *diag, size_t *out_size)
{
	struct work work = {
		.name = name,
		.input = input,
		.size = size,
		.limit = limit,
		.job = job,
		.diag = diag,
	};

	if (job)
		atomic_store_explicit(&job->total, size, memory_order_relaxed);
	inflate_members(&work);
	if (work.cancelled || (!work.whole && !work.out_size)) {
		free(work.out);
		return NULL;
	}
	*out_size = work.out_size;
	return tfp_realloc_array(work.out, work.out_size + 1, 1);
}

void tfp_inflate_into(const char *name, const uint8_t *input, size_t size,
		      const struct tfp_inflate_room *room, struct tfp_job *job,
		      struct tfp_diag *diag)
{
	struct work work = {
		.name = name,
		.input = input,
		.size = size,
		.limit = room->size - 1,
		.out = room->at,
		.out_room = room->size,
		.fixed = room,
		.job = job,
		.diag = diag,
	};

	inflate_members(&work);
}
