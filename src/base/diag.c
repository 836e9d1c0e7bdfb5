/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collected problems. A damaged file may repeat one problem a million times, or invent a million
 * different ones: equal ones are counted, and beyond a number of distinct ones only a count of the
 * rest is kept. Texts may quote a file, so they are made safe to print when they come in.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tfprof/base.h"
#include "tfprof/hash.h"

#define DISTINCT  256
#define TEXT_ROOM 512
#define FILE_ROOM 1024

/* What makes two problems the same one. */
struct key {
	uint64_t hash;
	const char *file; /* "" for none */
	const char *text;
};

struct tfp_diag {
	pthread_mutex_t mutex;
	pthread_mutex_t *lock; /* the same; lets a const diag be locked */
	struct tfp_hash_key hash_key;
	struct tfp_arena texts;
	size_t count, last; /* LAST was found or added last: what repeats, repeats at once */
	struct key keys[DISTINCT + 1];
	struct tfp_problem problems[DISTINCT + 1];
};

struct tfp_diag *tfp_diag_new(void)
{
	struct tfp_diag *diag = tfp_alloc_zero(1, sizeof(*diag));

	pthread_mutex_init(&diag->mutex, NULL);
	diag->lock = &diag->mutex;
	diag->hash_key = tfp_hash_key_new();
	return diag;
}

void tfp_diag_free(struct tfp_diag *diag)
{
	if (!diag)
		return;
	pthread_mutex_destroy(&diag->mutex);
	tfp_arena_free(&diag->texts);
	free(diag);
}

void tfp_diag_clear(struct tfp_diag *diag)
{
	tfp_arena_free(&diag->texts);
	diag->count = diag->last = 0;
}

void tfp_diag_keep(struct tfp_diag *diag, size_t count)
{
	if (!diag)
		return;
	pthread_mutex_lock(diag->lock);
	if (count < diag->count)
		diag->count = count;
	diag->last = 0;
	pthread_mutex_unlock(diag->lock);
}

static struct key key_make(const struct tfp_diag *diag, const char *file, const char *text)
{
	struct key key = {0, file ? file : "", text};

	key.hash = tfp_hash_bytes(diag->hash_key, key.file, strlen(key.file)) +
		   3 * tfp_hash_bytes(diag->hash_key, text, strlen(text));
	return key;
}

static bool key_equal(const struct key *a, const struct key *b)
{
	return a->hash == b->hash && strcmp(a->file, b->file) == 0 && strcmp(a->text, b->text) == 0;
}

/* The index of the problem with this key, or the number of problems. */
static size_t find(const struct tfp_diag *diag, const struct key *key)
{
	if (diag->count && key_equal(&diag->keys[diag->last], key))
		return diag->last;
	for (size_t i = 0; i < diag->count; i++)
		if (key_equal(&diag->keys[i], key))
			return i;
	return diag->count;
}

static char *copy_text(struct tfp_diag *diag, const char *text)
{
	return tfp_arena_text(&diag->texts, text, strlen(text));
}

/* Adds a problem of a new kind, or the one that stands for all that find no place any more. */
static void add_new(struct tfp_diag *diag, struct key key, struct tfp_problem problem)
{
	char clean[TEXT_ROOM];

	if (diag->count == DISTINCT) {
		problem = (struct tfp_problem){problem.severity, NULL, -1, 0, NULL, 1};
		key = key_make(diag, NULL, "");
		problem.text = "there are more problems of other kinds";
	} else {
		tfp_text_clean(clean, sizeof(clean), tfp_span_of(problem.text), false);
		problem.text = copy_text(diag, clean);
		problem.file = problem.file ? copy_text(diag, problem.file) : NULL;
		key.file = problem.file ? problem.file : "";
		key.text = copy_text(diag, key.text);
	}
	diag->keys[diag->count] = key;
	diag->problems[diag->count++] = problem;
}

/* Counts a problem that is already there; SEVERITY is that of the new one. */
static void add_again(struct tfp_diag *diag, size_t at, enum tfp_severity severity)
{
	struct tfp_problem *problem = &diag->problems[at];

	problem->count++;
	if (problem->severity < severity)
		problem->severity = severity;
	diag->last = at;
}

static void print_text(char *text, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* What is too long ends behind a word. */
static void print_text(char *text, const char *format, va_list args)
{
	static const char more[] = " ...";
	size_t end = TEXT_ROOM - sizeof(more);

	if (vsnprintf(text, TEXT_ROOM, format, args) < TEXT_ROOM)
		return;
	while (end > TEXT_ROOM / 2 && text[end] != ' ')
		end--;
	memcpy(text + end, more, sizeof(more));
}

static void add_args(struct tfp_diag *diag, struct tfp_problem problem, const char *format,
		     va_list args) __attribute__((format(printf, 3, 0)));

static void add_args(struct tfp_diag *diag, struct tfp_problem problem, const char *format,
		     va_list args)
{
	/* A caller that passes a finished text means that text. */
	bool finished = strcmp(format, "%s") == 0;
	char text[TEXT_ROOM];
	struct key key;
	size_t at;

	if (finished)
		print_text(text, format, args);
	pthread_mutex_lock(diag->lock);
	key = key_make(diag, problem.file, finished ? text : format);
	at = find(diag, &key);
	if (at == diag->count && at <= DISTINCT) {
		if (!finished)
			print_text(text, format, args);
		problem.text = text;
		add_new(diag, key, problem);
		diag->last = at;
	} else {
		add_again(diag, at <= DISTINCT ? at : DISTINCT, problem.severity);
	}
	pthread_mutex_unlock(diag->lock);
}

void tfp_diag_add(struct tfp_diag *diag, enum tfp_severity severity, const char *file,
		  int64_t offset, int64_t line, const char *format, ...)
{
	struct tfp_problem problem = {severity, file, offset, line, NULL, 1};
	va_list args;

	va_start(args, format);
	add_args(diag, problem, format, args);
	va_end(args);
}

void tfp_diag_error(struct tfp_diag *diag, const char *format, ...)
{
	struct tfp_problem problem = {TFP_ERROR, NULL, -1, 0, NULL, 1};
	va_list args;

	va_start(args, format);
	add_args(diag, problem, format, args);
	va_end(args);
}

void tfp_diag_note(struct tfp_diag *diag, const char *format, ...)
{
	struct tfp_problem problem = {TFP_NOTE, NULL, -1, 0, NULL, 1};
	va_list args;

	va_start(args, format);
	add_args(diag, problem, format, args);
	va_end(args);
}

static bool has_problem(const struct tfp_diag *diag, const struct tfp_problem *problem)
{
	struct key key = key_make(diag, problem->file, problem->text);
	bool found;

	pthread_mutex_lock(diag->lock);
	found = find(diag, &key) < diag->count;
	pthread_mutex_unlock(diag->lock);
	return found;
}

void tfp_diag_take(struct tfp_diag *diag, const struct tfp_diag *from)
{
	for (size_t i = 0; i < tfp_diag_count(from); i++) {
		struct tfp_problem problem = tfp_diag_get(from, i);

		if (!has_problem(diag, &problem))
			tfp_diag_add(diag, problem.severity, problem.file, problem.offset,
				     problem.line, "%s", problem.text);
	}
}

size_t tfp_diag_count(const struct tfp_diag *diag)
{
	size_t count;

	if (!diag)
		return 0;
	pthread_mutex_lock(diag->lock);
	count = diag->count;
	pthread_mutex_unlock(diag->lock);
	return count;
}

struct tfp_problem tfp_diag_get(const struct tfp_diag *diag, size_t index)
{
	struct tfp_problem problem = {TFP_NOTE, NULL, -1, 0, "", 0};

	pthread_mutex_lock(diag->lock);
	if (index < diag->count)
		problem = diag->problems[index];
	pthread_mutex_unlock(diag->lock);
	return problem;
}

size_t tfp_diag_errors(const struct tfp_diag *diag)
{
	size_t errors = 0;

	pthread_mutex_lock(diag->lock);
	for (size_t i = 0; i < diag->count; i++)
		errors += diag->problems[i].severity == TFP_ERROR;
	pthread_mutex_unlock(diag->lock);
	return errors;
}

/* "file:line: ", "file: at byte N: " or as much of it as is known; AT has room for any of them. */
static void print_place(const struct tfp_problem *problem, char *at, size_t room)
{
	char file[FILE_ROOM];

	*at = '\0';
	if (!problem->file)
		return;
	tfp_text_clean(file, sizeof(file), tfp_span_of(problem->file), false);
	if (problem->line > 0)
		snprintf(at, room, "%s:%lld: ", file, (long long)problem->line);
	else if (problem->offset >= 0)
		snprintf(at, room, "%s: at byte %lld: ", file, (long long)problem->offset);
	else
		snprintf(at, room, "%s: ", file);
}

size_t tfp_problem_print(const struct tfp_problem *problem, char *buffer, size_t room)
{
	char place[FILE_ROOM + 64], times[48] = "";

	print_place(problem, place, sizeof(place));
	if (problem->count > 1)
		snprintf(times, sizeof(times), " (%llu times)", (unsigned long long)problem->count);
	return (size_t)snprintf(buffer, room, "%s%s%s", place, problem->text, times);
}
