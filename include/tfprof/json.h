/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cursor over JSON text: one token at a time, where it lies, without building objects. It takes
 * what programs write besides JSON: a comma before a closing bracket, NaN, Infinity, and a text that
 * ends early.
 */
#ifndef TFPROF_CODEC_JSON_H
#define TFPROF_CODEC_JSON_H

#include "tfprof/base.h"

enum tfp_json_kind {
	TFP_JSON_END, /* of the text; or what follows can't be read: see error */
	TFP_JSON_OBJECT,
	TFP_JSON_OBJECT_END,
	TFP_JSON_ARRAY,
	TFP_JSON_ARRAY_END,
	TFP_JSON_KEY, /* its value is the next token */
	TFP_JSON_STRING,
	TFP_JSON_NUMBER,
	TFP_JSON_TRUE,
	TFP_JSON_FALSE,
	TFP_JSON_NULL,
};

struct tfp_json {
	const char *begin, *at, *end;
	TFP_ARRAY(char) open; /* the brackets that are open: '{' or '[' */
	bool value_done;      /* a value ended here: next comes a comma or a closing bracket */
	bool key_done;        /* next comes the value of a key */
	const char *error;    /* why reading ended, NULL: at the end */
};

struct tfp_json_token {
	enum tfp_json_kind kind;
	struct tfp_span text; /* of a string or key what is between the quotes, as it stands */
	bool escaped;         /* there are backslashes in it */
};

/* To be ended by tfp_json_stop. TEXT must outlive it. */
void tfp_json_start(struct tfp_json *json, struct tfp_span text);
void tfp_json_stop(struct tfp_json *json);
/* Reads the next token; its kind. After an error all are TFP_JSON_END. */
enum tfp_json_kind tfp_json_next(struct tfp_json *json, struct tfp_json_token *token);
/* Passes over what TOKEN, an object or array just opened, holds, and over nothing else. False: it does not end. */
bool tfp_json_skip(struct tfp_json *json, const struct tfp_json_token *token);
/* Where the cursor is, in bytes. */
static inline size_t tfp_json_offset(const struct tfp_json *json)
{
	return (size_t)(json->at - json->begin);
}

struct tfp_json_bytes {
	char *at;
	size_t count, room;
};

/* The bytes of a string: where they stand, or without its backslashes in ROOM, which is then written over. */
struct tfp_span tfp_json_string(const struct tfp_json_token *token, struct tfp_json_bytes *room);
/*
 * The number TOKEN times 10 to the power of DIGITS (0 to 9), cut to an integer. False when it is no number or too large.
 */
bool tfp_json_integer(const struct tfp_json_token *token, unsigned int digits, int64_t *value);

#endif
