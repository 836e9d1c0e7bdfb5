/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoints: what their index tells of each variable, and the readers of values. V2, the bundle, is an
 * index and data files; V1 is one or more tables that hold everything. Either may store a variable in
 * slices.
 */
#ifndef TFPROF_LOAD_CHECKPOINT_H
#define TFPROF_LOAD_CHECKPOINT_H

#include "tfprof/load.h"

/* What a slice holds of one dimension. */
struct tfp_extent {
	int64_t start, length; /* length -1: all of it */
};
struct tfp_extents {
	struct tfp_extent *at;
	size_t count, room;
};

/* Where values lie in the data files of a bundle. */
struct tfp_stored {
	int64_t shard, offset, size;
	uint32_t crc; /* masked */
};

/* One slice of a variable: RANK extents from FIRST on. A list. */
struct tfp_slice {
	uint32_t first, rank;
	uint32_t shard; /* V1: the table that lists it */
	uint32_t next;  /* TFP_NONE: the last one */
};

struct tfp_variable {
	struct tfp_stored stored; /* V2, of one that is stored as a whole */
	uint32_t slices;          /* the first of them, TFP_NONE: none */
	uint32_t last_slice;
};

/* V2: the entry of a slice, by the bytes of its key. */
struct tfp_slice_entry {
	struct tfp_span key;
	struct tfp_stored stored;
};

/* V1: one of the tables. */
struct tfp_shard_table {
	struct tfp_source *source; /* owned */
	struct tfp_sstable table;
	bool listed; /* it has a list of variables */
};

#define TFP_OPEN_SHARDS 8

struct tfp_checkpoint {
	struct tfp_arena arena; /* keys, texts */
	bool bundle;            /* V2 */
	bool swapped;           /* numbers are not in the machine's byte order */
	const char *prefix;     /* V2: data files are PREFIX.data-00000-of-00001 */
	const char *path;       /* of the index, or of the first table */
	uint32_t shard_count;
	TFP_ARRAY(struct tfp_variable) variables;
	TFP_ARRAY(struct tfp_slice) slices;
	struct tfp_extents extents;
	TFP_ARRAY(struct tfp_slice_entry) slice_entries;
	struct tfp_lookup *slice_table; /* by a hash of their keys */
	struct tfp_hash_key hash_key;
	TFP_ARRAY(int64_t) shard_sizes; /* of the data files that were asked for; see bundle.c */
	TFP_ARRAY(struct tfp_shard_table) tables;
	/* data files that are open: each in the place that its number gives it */
	struct tfp_ranged *open[TFP_OPEN_SHARDS];
	int64_t open_shard[TFP_OPEN_SHARDS];
};

/* What is being filled while an index is read. */
struct tfp_index {
	struct tfp_checkpoint *checkpoint;
	struct tfp_profile *profile;
	struct tfp_job *job;
	struct tfp_diag *diag;
	struct tfp_integers dims;
};

/* ---- messages that both formats have ---------------------------------------------------------- */

enum tfp_shape_fault {
	TFP_SHAPE_GOOD,
	TFP_SHAPE_UNKNOWN_RANK,
	TFP_SHAPE_RANK,     /* more dimensions than TensorFlow can have */
	TFP_SHAPE_NEGATIVE, /* a dimension below 0 */
	TFP_SHAPE_OVERFLOW, /* more bytes than 63 bits can count */
};
extern const char *const tfp_shape_faults[];

/* Reads a TensorShapeProto into DIMS; false if it is damaged. */
bool tfp_ckpt_shape(const struct tfp_field *field, struct tfp_integers *dims, bool *unknown_rank);
/* Whether there are such tensors; *ELEMENTS gets how many elements they have. */
enum tfp_shape_fault tfp_ckpt_elements(const struct tfp_integers *dims, bool unknown_rank,
				       uint64_t *elements);
/* The elements of a TensorShapeProto; 0 where that is not known. */
uint64_t tfp_ckpt_shape_elements(const struct tfp_field *shape);
/* Reads a TensorSliceProto: adds its extents to OUT. False if it is damaged. */
bool tfp_ckpt_slice(const struct tfp_field *field, struct tfp_extents *out);
/* Compares a VersionDef with what we know: warns of files that TensorFlow would refuse. */
void tfp_ckpt_version(const struct tfp_field *field, const char *path, struct tfp_diag *diag);
/* The key under which a table keeps the slice of NAME, into OUT (emptied before). */
struct tfp_slice_key {
	char *at;
	size_t count, room;
};
void tfp_ckpt_key(struct tfp_slice_key *out, struct tfp_span name, const struct tfp_extent *extents,
		  size_t rank);
/* Adds a slice to VARIABLE: its RANK extents are the last ones of the checkpoint's. */
void tfp_ckpt_add_slice(struct tfp_checkpoint *checkpoint, struct tfp_variable *variable,
			uint32_t rank, uint32_t shard);

/* ---- the two formats --------------------------------------------------------------------------- */

/* Lists the variables of the index in SOURCE, which they take over. False: none could be read. */
bool tfp_bundle_read(struct tfp_index *index, struct tfp_source *source);
bool tfp_slices_read(struct tfp_index *index, struct tfp_source *source);

/* Sets the bytes of strings that lie in slices, once all is listed. */
void tfp_ckpt_measure_texts(struct tfp_index *index);

/* "PREFIX.data-00001-of-00004", NUL-ended, in ARENA. */
char *tfp_bundle_path(const struct tfp_checkpoint *checkpoint, int64_t shard,
		      struct tfp_arena *arena);
/* A data file; NULL with the reason. It stays the checkpoint's, until another one is asked for. */
struct tfp_ranged *tfp_bundle_shard(struct tfp_checkpoint *checkpoint, int64_t shard,
				    const char **reason);
/* The entry of a slice, NULL if there is none. */
const struct tfp_slice_entry *tfp_bundle_slice(const struct tfp_checkpoint *checkpoint,
					       struct tfp_span key);

/* ---- readers of values -------------------------------------------------------------------------- */

/* A part of a tensor that is stored in one piece. */
struct tfp_stored_piece {
	const struct tfp_extent *extents; /* RANK of the reader; NULL: all of the tensor */
	uint64_t elements;
	struct tfp_stored stored;
	/* V2: of the SUM_SIZE bytes from SUM_FROM on the first SUMMED are in CRC */
	uint64_t sum_from, sum_size, summed;
	uint32_t crc;
	/* V1: where the record is */
	uint32_t shard;
	uint64_t block, data_at, data_size;
	/* V2 strings, V1: the element that is read next, and where it lies */
	uint64_t next, next_at, next_text;
};

struct tfp_value_reader {
	struct tfp_checkpoint *checkpoint;
	const struct tfp_dtype *dtype;
	struct tfp_span key; /* the name, ended by a NUL */
	const char *name;
	size_t rank;
	int64_t *dims;
	struct tfp_arena arena;
	TFP_ARRAY(struct tfp_stored_piece) parts;
	size_t hint;                    /* the part that was read last */
	bool wrong;                     /* a checksum does not hold, or slices do not fit */
	struct tfp_sstable_block block; /* V1: the block at hand */
	uint32_t block_shard;           /* TFP_NONE: none is */
	uint64_t block_number;
	/* COUNT elements of PART from FIRST on, added to OUT */
	bool (*read)(struct tfp_value_reader *reader, struct tfp_stored_piece *part, uint64_t first,
		     size_t count, struct tfp_elements *out, struct tfp_job *job,
		     struct tfp_diag *diag);
};

/*
 * An error with the values of READER's tensor, at OFFSET (UINT64_MAX: nowhere in particular) of the file of
 * PART, or of the index where that is NULL. Those of different tensors are different problems.
 */
void tfp_ckpt_error(const struct tfp_value_reader *reader, const struct tfp_stored_piece *part,
		    uint64_t offset, struct tfp_diag *diag, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Sets up READER for the parts of a variable of each format. */
bool tfp_bundle_open(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		     struct tfp_job *job, struct tfp_diag *diag);
bool tfp_bundle_check(struct tfp_value_reader *reader, struct tfp_job *job, struct tfp_diag *diag);
/* SIZE bytes of PART, OFFSET behind its beginning; those that come in order are summed up. */
bool tfp_bundle_bytes(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		      uint64_t offset, size_t size, void *out, struct tfp_diag *diag);
bool tfp_bundle_strings(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			struct tfp_job *job, struct tfp_diag *diag);
bool tfp_bundle_read_strings(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			     uint64_t first, size_t count, struct tfp_elements *out,
			     struct tfp_job *job, struct tfp_diag *diag);
bool tfp_slices_open(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		     struct tfp_job *job, struct tfp_diag *diag);
/* Turns the byte order of COUNT numbers of SIZE bytes round. */
void tfp_swap_bytes(uint8_t *at, size_t count, size_t size);
/* The functions by which the profile reads values: see tfp_value_store. */
extern const struct tfp_value_store tfp_checkpoint_store;

/* Room for SIZE more bytes behind those of OUT, which then count. */
uint8_t *tfp_elements_more(struct tfp_elements *out, size_t size);

/* The fill function of TFP_PART_MODEL: the variables as facts. */
bool tfp_checkpoint_facts(struct tfp_profile *profile, unsigned parts, void *data,
			  struct tfp_job *job, struct tfp_diag *diag);

/* ---- finding ------------------------------------------------------------------------------------ */

/*
 * The file that holds the index of the checkpoint that PATH names: by prefix, as a folder, a pattern,
 * the `checkpoint` file, one of the data files, or as itself. NULL if PATH names none in such a way.
 * In ARENA.
 */
char *tfp_checkpoint_find(const char *path, bool sure, struct tfp_arena *arena);
/* Are A and B, found or of the first format, of one checkpoint: the same file, or two shards? */
bool tfp_checkpoint_same(const char *a, const char *b);

#endif
