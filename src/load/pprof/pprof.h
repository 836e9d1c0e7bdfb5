/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the files of the pprof reader: the tables of a file (what its samples refer to) and its
 * sample types.
 */
#ifndef TFPROF_LOAD_PPROF_H
#define TFPROF_LOAD_PPROF_H

#include "load/idmap.h"
#include "tfprof/codec.h"
#include "tfprof/model.h"

/* Field numbers of the messages in pprof's profile.proto. */
enum {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE = 2,
	PPROF_MAPPING = 3,
	PPROF_LOCATION = 4,
	PPROF_FUNCTION = 5,
	PPROF_STRING = 6,
	PPROF_DROP_FRAMES = 7,
	PPROF_KEEP_FRAMES = 8,
	PPROF_TIME = 9,
	PPROF_DURATION = 10,
	PPROF_PERIOD_TYPE = 11,
	PPROF_PERIOD = 12,
	PPROF_COMMENT = 13,
	PPROF_DEFAULT_TYPE = 14,
	PPROF_DOC_URL = 15,
	PPROF_FIELDS = 16,

	PPROF_SAMPLE_LOCATION = 1,
	PPROF_SAMPLE_VALUE = 2,
	PPROF_SAMPLE_LABEL = 3,

	PPROF_LOCATION_LINE = 4,
};

/*
 * Ids of one table. Nearly always they count up from the first one; a map serves when they do not.
 */
struct tfp_pprof_ids {
	uint64_t first;
	uint32_t count;
	bool scattered;
	struct tfp_idmap map;
};

struct tfp_pprof_string {
	const char *at;
	uint32_t size;
	tfp_str id; /* TFP_NONE: not interned yet */
};

struct tfp_pprof_type {
	uint32_t type, unit; /* indices of strings, as all texts below */
};

struct tfp_pprof_function {
	uint32_t name, file;
	int32_t start_line;
};

/* A place in a program: frames that are worked out when a sample first refers to it. */
struct tfp_pprof_location {
	const uint8_t *at; /* its message */
	uint32_t size;
	uint32_t first, count; /* its frames in tables.frames, innermost first; count 0: not yet */
};

struct tfp_pprof_tables {
	struct tfp_profile *profile;
	const struct tfp_source *source;
	struct tfp_diag *diag;

	TFP_ARRAY(struct tfp_span) samples; /* their messages */
	TFP_ARRAY(struct tfp_pprof_string) strings;
	TFP_ARRAY(struct tfp_pprof_type) types;
	TFP_ARRAY(uint32_t) mappings; /* file name */
	TFP_ARRAY(struct tfp_pprof_function) functions;
	TFP_ARRAY(struct tfp_pprof_location) locations;
	TFP_ARRAY(uint32_t) frames; /* indices in profile.frames */
	struct tfp_pprof_ids mapping_ids, function_ids, location_ids;

	uint64_t default_type; /* string index, 0 none */
	uint64_t drop_frames, keep_frames;
	bool broken; /* damage was met, and no text since */
	bool ended; /* the file ends early, which was told: so much of what is referred to is missing */
	bool strings_end; /* later texts have lost their places */
};

/* How much SOURCE looks like pprof; 0 not at all. Whether BYTES are the content of a sample. */
int tfp_pprof_sniff(const struct tfp_source *source);
bool tfp_pprof_sample_begins(const uint8_t *bytes, size_t size);

/*
 * Walks SOURCE and fills the tables; the samples are only listed, the profile gets nothing yet.
 * False when the job was cancelled.
 */
bool tfp_pprof_tables_read(struct tfp_pprof_tables *tables, struct tfp_job *job);
void tfp_pprof_tables_free(struct tfp_pprof_tables *tables);

/*
 * The location with ID; one that the file does not hold is made up, with a problem. Its frames are
 * ready.
 */
struct tfp_pprof_location *tfp_pprof_location_find(struct tfp_pprof_tables *tables, uint64_t id);
/* Bytes of string INDEX; empty for an index out of range. */
struct tfp_span tfp_pprof_string_get(const struct tfp_pprof_tables *tables, uint64_t index);
/* Notes a problem of the file at the byte AT. */
#define tfp_pprof_problem(tables, severity, at, ...)                                               \
	tfp_diag_add((tables)->diag, (severity), (tables)->source->path,                           \
		     (const uint8_t *)(at) - (tables)->source->data, 0, __VA_ARGS__)

/*
 * Scalars of a small message: value[n] of field n, 0 when absent, for the fields 1 .. COUNT; VALUE
 * has COUNT + 1 places. False when the message is damaged (what could be read is there).
 */
bool tfp_pprof_scalars(const struct tfp_field *message, uint64_t *value, uint32_t count);

/*
 * Makes the metrics of the profile from the sample types: metric and cell column I are sample type
 * I. SCALE[I] (TFP_MAX_METRICS places) is what a value of it is to be multiplied by, so that it
 * counts the metric's unit.
 */
void tfp_pprof_metrics_make(struct tfp_pprof_tables *tables, int64_t *scale);

/* Labels of samples: those from FIRST on belong to the one being read. */
struct tfp_pprof_labels {
	tfp_str *at;
	size_t count, room;
	size_t first;
	struct tfp_idmap sets; /* set and one more label to set; 0 is the empty set */
	uint32_t set_count;
};

/* Adds the label in FIELD. False when it is damaged. */
bool tfp_pprof_label_read(struct tfp_pprof_tables *tables, const struct tfp_field *field,
			  struct tfp_pprof_labels *labels);
/* The number of the sample's set of labels. */
uint32_t tfp_pprof_label_set(struct tfp_pprof_labels *labels);

/*
 * Gives the profile the samples as nodes with cells of STEP and stacks. False when the job was
 * cancelled.
 */
bool tfp_pprof_samples_read(struct tfp_pprof_tables *tables, uint32_t step, const int64_t *scale,
			    struct tfp_job *job);

#endif
