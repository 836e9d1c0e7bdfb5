/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames as the code view sees them: which count as the same place, and what they are called.
 */
#ifndef TFPROF_VIEW_FRAMES_H
#define TFPROF_VIEW_FRAMES_H

#include "tfprof/model.h"

/* How much of a frame makes a place. */
enum tfp_place {
	TFP_PLACE_LABEL,    /* what its label shows: "train.py:8:main", as TensorFlow */
	TFP_PLACE_LINE,     /* function, whole path and line: "main train.py:8" */
	TFP_PLACE_FUNCTION, /* function and whole path: "main train.py" */
	TFP_PLACE_SOURCE,   /* as LINE, written "train.py:8 main" */
};

/* Places of a profile's frames, found when asked for. Needs TFP_PART_STACKS while in use. */
struct tfp_frames {
	struct tfp_profile *profile; /* labels are interned in its strings */
	enum tfp_place place;
	uint32_t *of_frame[2];    /* by frame: its place; [1] as part of a gradient's path */
	TFP_ARRAY(tfp_str) label; /* by place */
	struct tfp_lookup *table;
	TFP_ARRAY(uint32_t) frame; /* by place: a frame there */
	TFP_ARRAY(bool) shared;    /* by place: more than one frame is there, of those asked for */
	uint8_t *library;          /* by frame: 0 not known yet, 1 no, 2 yes */
	struct tfp_arena arena;
	struct tfp_words library_paths; /* what paths of libraries hold; in the arena */
};

/* LIBRARY_PATHS: what the query has; NULL: the usual. */
void tfp_frames_start(struct tfp_frames *frames, struct tfp_profile *profile, enum tfp_place place,
		      const char *library_paths);
void tfp_frames_end(struct tfp_frames *frames);

/*
 * The place of FRAME, a small number. In a GRADIENT's path places are apart from others, by their
 * label.
 */
uint32_t tfp_frames_place(struct tfp_frames *frames, uint32_t frame, bool gradient);
/* Asks for the places of all frames, with GRADIENTS as parts of gradients' paths too. */
void tfp_frames_all(struct tfp_frames *frames, bool gradients);
/*
 * Does FRAME belong to a library or an interpreter rather than to the people whose program it is?
 */
bool tfp_frames_library(struct tfp_frames *frames, uint32_t frame);
/* Text after the last '/' of a path; of "scheme://host/path" only the path counts. */
struct tfp_span tfp_frames_basename(struct tfp_span path);

#endif
