/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places: frames that a view does not tell apart. TensorFlow tells them apart by their label (a
 * base name, a line and a cut function name), other profiles by what they are.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "view/group/frames.h"
#include "view/group/libraries.h"

#define GRADIENT     " (gradient)"
#define LABEL_LENGTH 20 /* longer function names end in "..." in TensorFlow's labels */

void tfp_frames_start(struct tfp_frames *frames, struct tfp_profile *profile, enum tfp_place place,
		      const char *library_paths)
{
	size_t size = profile->frames.count * sizeof(uint32_t);

	*frames = (struct tfp_frames){.profile = profile, .place = place};
	for (int i = 0; i < 2; i++)
		frames->of_frame[i] = memset(tfp_alloc(size), 0xff, size);
	frames->library = tfp_alloc_zero(profile->frames.count, 1);
	frames->library_paths = tfp_libraries_parse(&frames->arena, library_paths);
	frames->table = tfp_lookup_new();
}

void tfp_frames_end(struct tfp_frames *frames)
{
	free(frames->of_frame[0]);
	free(frames->of_frame[1]);
	free(frames->library);
	tfp_array_free(&frames->label);
	tfp_array_free(&frames->frame);
	tfp_array_free(&frames->shared);
	tfp_lookup_free(frames->table);
	tfp_arena_free(&frames->arena);
}

static bool is_scheme(const char *at, const char *end)
{
	for (const char *c = at; c < end; c++) {
		bool letter = (*c | 32) >= 'a' && (*c | 32) <= 'z';

		if (!letter && (c == at || ((*c < '0' || *c > '9') && *c != '.')))
			return false;
	}
	return at < end;
}

/* What follows the host of "scheme://host/path"; the whole of any other path. */
static struct tfp_span local_part(struct tfp_span path)
{
	const char *end = path.at + path.size, *host, *slash;
	const char *mark = memmem(path.at, path.size, "://", 3);

	if (!mark || !is_scheme(path.at, mark))
		return path;
	host = mark + 3;
	slash = memchr(host, '/', (size_t)(end - host));
	if (!slash)
		slash = end;
	return (struct tfp_span){slash, (size_t)(end - slash)};
}

struct tfp_span tfp_frames_basename(struct tfp_span path)
{
	struct tfp_span local = local_part(path);
	const char *slash = memrchr(local.at, '/', local.size);

	if (!slash)
		return local;
	return (struct tfp_span){slash + 1, (size_t)(local.at + local.size - slash - 1)};
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Text under construction; most labels fit in the buffer. */
struct text {
	char *at;
	size_t size;
};

static void put(struct text *text, const char *at, size_t size)
{
	memcpy(text->at + text->size, at, size);
	text->size += size;
}

static void put_number(struct text *text, int32_t number)
{
	text->size += (size_t)sprintf(text->at + text->size, "%d", number);
}

/* "train.py:8:main" */
static void put_tensorflow(struct text *text, const struct tfp_frame *frame, struct tfp_span file,
			   struct tfp_span function)
{
	put(text, file.at, file.size);
	put(text, ":", 1);
	put_number(text, frame->line);
	put(text, ":", 1);
	if (function.size < LABEL_LENGTH) {
		put(text, function.at, function.size);
	} else {
		put(text, function.at, LABEL_LENGTH - 3);
		put(text, "...", 3);
	}
}

/* "main train.py:8", without what is not known or not asked for */
static void put_place(struct text *text, const struct tfp_frame *frame, struct tfp_span file,
		      struct tfp_span function, bool line)
{
	if (function.size)
		put(text, function.at, function.size);
	else
		put(text, "?", 1);
	if (!file.size)
		return;
	put(text, " ", 1);
	put(text, file.at, file.size);
	if (line && frame->line > 0) {
		put(text, ":", 1);
		put_number(text, frame->line);
	}
}

/* "train.py:8 main", without what is not known */
static void put_source(struct text *text, const struct tfp_frame *frame, struct tfp_span file,
		       struct tfp_span function)
{
	put(text, file.at, file.size);
	if (frame->line > 0) {
		put(text, ":", 1);
		put_number(text, frame->line);
	}
	if (text->size && function.size)
		put(text, " ", 1);
	put(text, function.at, function.size);
	if (!text->size)
		put(text, "?", 1);
}

static tfp_str make_label(const struct tfp_frames *frames, const struct tfp_frame *frame,
			  bool gradient)
{
	struct tfp_strings *strings = frames->profile->strings;
	struct tfp_span file = tfp_frames_basename(tfp_strings_get(strings, frame->file));
	struct tfp_span function = tfp_strings_get(strings, frame->function);
	size_t most = file.size + function.size + sizeof(GRADIENT) + 32;
	char buffer[512];
	struct text text = {most <= sizeof(buffer) ? buffer : tfp_alloc(most), 0};
	tfp_str label;

	if (frames->place == TFP_PLACE_LABEL)
		put_tensorflow(&text, frame, file, function);
	else if (frames->place == TFP_PLACE_SOURCE)
		put_source(&text, frame, file, function);
	else
		put_place(&text, frame, file, function, frames->place == TFP_PLACE_LINE);
	if (gradient)
		put(&text, GRADIENT, sizeof(GRADIENT) - 1);
	label = tfp_strings_add(strings, text.at, text.size);
	if (text.at != buffer)
		free(text.at);
	return label;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool same_place(const struct tfp_frames *frames, uint32_t place, uint32_t frame,
		       tfp_str label)
{
	const struct tfp_frame *a = &frames->profile->frames.at[frames->frame.at[place]];
	const struct tfp_frame *b = &frames->profile->frames.at[frame];

	if (frames->label.at[place] != label)
		return false;
	return frames->place == TFP_PLACE_LABEL ||
	       (a->file == b->file && a->function == b->function);
}

/* A place is told by its label; where a label is not the whole truth, by path and function too. */
static uint32_t find_place(struct tfp_frames *frames, uint32_t frame, bool gradient)
{
	tfp_str label = make_label(frames, &frames->profile->frames.at[frame], gradient);
	uint32_t hash = tfp_lookup_mix(label), place;

	TFP_LOOKUP_EACH(place, frames->table, hash)
		if (same_place(frames, place, frame, label)) {
			frames->shared.at[place] = true;
			return place;
		}
	place = (uint32_t)frames->label.count;
	*tfp_array_push(&frames->label) = label;
	*tfp_array_push(&frames->frame) = frame;
	*tfp_array_push(&frames->shared) = false;
	tfp_lookup_add(frames->table, hash, place);
	return place;
}

uint32_t tfp_frames_place(struct tfp_frames *frames, uint32_t frame, bool gradient)
{
	uint32_t *known = &frames->of_frame[gradient][frame];

	if (*known == TFP_NONE)
		*known = find_place(frames, frame, gradient);
	return *known;
}

void tfp_frames_all(struct tfp_frames *frames, bool gradients)
{
	for (uint32_t frame = 0; frame < frames->profile->frames.count; frame++)
		for (int gradient = 0; gradient <= gradients; gradient++)
			tfp_frames_place(frames, frame, gradient);
}

/* ---- libraries ------------------------------------------------------------------------------- */

bool tfp_frames_library(struct tfp_frames *frames, uint32_t frame)
{
	const struct tfp_profile *profile = frames->profile;
	uint8_t *known = &frames->library[frame];

	if (!*known)
		*known = 1 + tfp_libraries_hold(&frames->library_paths,
						tfp_strings_get(profile->strings,
								profile->frames.at[frame].file));
	return *known == 2;
}
