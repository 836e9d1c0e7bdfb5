/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensor: the variables of a checkpoint. The profile lists them; their values are read from the files
 * when they are asked for, a range at a time, so that no tensor has to fit in memory.
 */
#ifndef TFPROF_TENSOR_H
#define TFPROF_TENSOR_H

#include "tfprof/base.h"

struct tfp_profile;

/* ---- types of elements ------------------------------------------------------------------------ */

enum tfp_element_kind {
	TFP_ELEMENT_OTHER, /* known by name only */
	TFP_ELEMENT_SIGNED,
	TFP_ELEMENT_UNSIGNED,
	TFP_ELEMENT_REAL,
	TFP_ELEMENT_COMPLEX,
	TFP_ELEMENT_STRING,
};

struct tfp_dtype {
	const char *name; /* as TensorFlow's short spelling: "float", "half" */
	uint8_t id;       /* TensorFlow's number */
	uint8_t size;     /* bytes of an element, 0: they differ */
	enum tfp_element_kind element;
};
/* The type with the number ID; one that is named "invalid" where there is none. Never NULL. */
const struct tfp_dtype *tfp_dtype_of(uint32_t id);

/* One element by itself. */
struct tfp_scalar {
	enum tfp_element_kind element;
	int64_t whole;    /* SIGNED */
	uint64_t natural; /* UNSIGNED */
	double real, imaginary;
};
/* What the bytes AT of an element of a type with a size say; in the machine's byte order. */
struct tfp_scalar tfp_scalar_of(const struct tfp_dtype *dtype, const uint8_t *at);
/* The same as floating point numbers, of COUNT elements that are neither complex nor strings. */
void tfp_scalars_real(const struct tfp_dtype *dtype, const uint8_t *at, size_t count, double *out);
/* The shortest text that reads back as the element, NUL-ended, into TEXT. Returns TEXT. */
#define TFP_SCALAR_ROOM 64
char *tfp_scalar_text(char text[TFP_SCALAR_ROOM], const struct tfp_dtype *dtype,
		      struct tfp_scalar scalar);

/* ---- the list --------------------------------------------------------------------------------- */

struct tfp_tensor {
	tfp_str name;
	uint32_t dtype; /* TensorFlow's number, as stored */
	uint32_t shape; /* a shape of the profile; TFP_NONE: not known */
	uint64_t elements;
	uint64_t bytes;    /* of its values as stored; of strings with their lengths */
	uint32_t slices;   /* that it is stored in; 1: as a whole */
	uint32_t entry;    /* private to the loader */
	const char *fault; /* why its values can't be read, as far as the index tells; or NULL */
};

struct tfp_elements;

/* How a loader reads values. A reader belongs to one tensor. */
struct tfp_value_store {
	/* NULL with an error in DIAG. */
	void *(*open)(void *data, const struct tfp_profile *profile, uint32_t tensor,
		      struct tfp_job *job, struct tfp_diag *diag);
	/* COUNT elements from FIRST on, which exist, into OUT, which is empty. */
	bool (*read)(void *reader, uint64_t first, size_t count, struct tfp_elements *out,
		     struct tfp_job *job, struct tfp_diag *diag);
	/* Compares the stored checksums. What was read in order need not be read again. */
	bool (*check)(void *reader, struct tfp_job *job, struct tfp_diag *diag);
	void (*close)(void *reader);
	void (*release)(void *data);
	void *data;
};

/* Adds a tensor; false if there is one of that name. */
bool tfp_profile_add_tensor(struct tfp_profile *profile, const struct tfp_tensor *tensor);
/* Index of the tensor NAME, TFP_NONE. */
uint32_t tfp_profile_find_tensor(const struct tfp_profile *profile, tfp_str name);

/* ---- values ----------------------------------------------------------------------------------- */

/* Elements that were read. Zero-initialise to start; may be used again and again. */
struct tfp_string {
	size_t at, size; /* the bytes that were kept of it */
	uint64_t length; /* all of them */
};
struct tfp_elements {
	size_t count;
	size_t most;                        /* of each string so many bytes are kept; 0: all */
	TFP_ARRAY(uint8_t) bytes;           /* in the machine's byte order */
	TFP_ARRAY(struct tfp_string) texts; /* strings: where each is in the bytes */
};
void tfp_elements_free(struct tfp_elements *elements);

/* One tensor whose values are being read. The profile must outlive it. */
struct tfp_values;
/* NULL with an error in DIAG (which file, where, what), or when the job was cancelled. */
struct tfp_values *tfp_values_open(const struct tfp_profile *profile, uint32_t tensor,
				   struct tfp_job *job, struct tfp_diag *diag);
void tfp_values_close(struct tfp_values *values);
const struct tfp_tensor *tfp_values_tensor(const struct tfp_values *values);
const struct tfp_dtype *tfp_values_dtype(const struct tfp_values *values);
/*
 * COUNT elements from FIRST on, in row-major order, into OUT; fewer at the end. Time and memory are
 * those of the range; strings are searched from the beginning. False with an error in DIAG, or when the
 * job was cancelled.
 */
bool tfp_values_read(struct tfp_values *values, uint64_t first, size_t count,
		     struct tfp_elements *out, struct tfp_job *job, struct tfp_diag *diag);
/*
 * Whether all of the values have the checksums that were stored with them; reads what was not yet read in
 * order. False with a problem in DIAG, or when the job was cancelled.
 */
bool tfp_values_check(struct tfp_values *values, struct tfp_job *job, struct tfp_diag *diag);

/* ---- statistics ------------------------------------------------------------------------------- */

#define TFP_HISTOGRAM_BARS 48

/* Bar i counts the values from (first + i) * width on, up to the next bar. WIDTH is a power of 2. */
struct tfp_histogram {
	double width;
	int64_t first;
	size_t count; /* bars; 0: there are no finite values */
	uint64_t bars[TFP_HISTOGRAM_BARS];
};

struct tfp_measures {
	uint64_t elements;
	uint64_t nan, infinite, zeros,
		finite;                     /* complex: NaN if a part is, else infinite if one is */
	struct tfp_scalar min, max, mean;   /* of the finite ones, where there are any; of complex
						  ones only the mean */
	uint64_t shortest, longest, length; /* of strings, in bytes; LENGTH is of all together */
	struct tfp_histogram histogram;     /* not of complex numbers and strings */
	bool right;                         /* the stored checksums hold */
};
/*
 * Reads all values once, piece by piece, and their checksums with them. JOB counts elements. False as
 * tfp_values_read; MEASURES then holds what was read.
 */
bool tfp_values_measure(struct tfp_values *values, struct tfp_measures *measures,
			struct tfp_job *job, struct tfp_diag *diag);

#endif
