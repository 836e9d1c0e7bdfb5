/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several files, one profile: each is opened and recognised, then they are checked to go together,
 * and applied in the order of their stages.
 */
#include "load/beginning.h"
#include "load/find/beside.h"
#include "load/checkpoint/checkpoint.h"
#include "load/find/folders.h"
#include "load/loaders.h"
#include "load/find/foreign.h"
#include "load/find/same.h"
#include "load/sniff.h"
#include "load/tensorflow/savedmodel.h"
#include "tfprof/json.h"

#include <string.h>

#define TELLING 8 /* bytes that any known kind can be told by */

/* One of the files. */
struct input {
	const char *path;
	struct tfp_source *source; /* NULL once handed to its loader */
	const struct tfp_loader *loader;
	int64_t step; /* of run metadata */
	bool loaded;
};

struct session {
	struct input *inputs;
	size_t count;
	struct tfp_job *job;
	struct tfp_diag *diag;
	const char *tags;       /* of a SavedModel, NULL: none are named */
	struct tfp_arena arena; /* paths that were found */
	struct tfp_beginning beginning;
};

/* "[]", "{": JSON that says nothing, or not yet. Returns what it is, NULL for all else. */
static const char *empty_json(const struct tfp_source *source)
{
	const char *at = (const char *)source->data, *end = at + source->size;
	char opens;

	at = tfp_json_pass_blanks(at, end);
	if (at == end || (*at != '[' && *at != '{'))
		return NULL;
	opens = *at;
	at = tfp_json_pass_blanks(at + 1, end);
	if (at < end && *at == (opens == '[' ? ']' : '}'))
		at = tfp_json_pass_blanks(at + 1, end);
	if (at < end)
		return NULL;
	return opens == '[' ? "an empty list" : "an empty object";
}

static void error_unknown(struct session *session, const struct tfp_source *source,
			  const char *path)
{
	const char *empty = empty_json(source);
	char foreign[TFP_FOREIGN_ROOM], kinds[512];
	size_t size = 0;

	if (tfp_sniff_is_mangled(source)) {
		tfp_diag_add(session->diag, TFP_ERROR, path, -1, 0,
			     "a program that took this file for text has destroyed it: all bytes "
			     "above 127 are lost; copy it again, as binary");
		return;
	}
	if (empty) {
		tfp_diag_add(session->diag, TFP_ERROR, path, -1, 0,
			     "%s: there is no event in the file", empty);
		return;
	}
	if (tfp_foreign_what(source, path, foreign)) {
		tfp_diag_add(session->diag, TFP_ERROR, path, -1, 0, "%s", foreign);
		return;
	}
	if (source->size < TELLING) {
		tfp_diag_add(session->diag, TFP_ERROR, path, -1, 0,
			     "%zu byte%s %s not enough to tell what it is", source->size,
			     source->size == 1 ? "" : "s", source->size == 1 ? "is" : "are");
		return;
	}
	for (size_t i = 0; tfp_loaders[i] && size < sizeof(kinds); i++)
		size += (size_t)snprintf(kinds + size, sizeof(kinds) - size, "%s%s", i ? ", " : "",
					 tfp_loaders[i]->label);
	tfp_diag_add(session->diag, TFP_ERROR, path, -1, 0, "no file of a known kind (%s)", kinds);
}

/* An empty file is a step without statistics, unless it is all there is and nobody said so. */
static bool recognise_empty(struct session *session, struct input *input, enum tfp_role role)
{
	if (session->count == 1 && role != TFP_ROLE_RUN_META) {
		tfp_diag_add(session->diag, TFP_ERROR, input->path, -1, 0, "the file is empty");
		return false;
	}
	input->loader =
		tfp_recognise_role(input->source, role == TFP_ROLE_ANY ? TFP_ROLE_RUN_META : role);
	if (role == TFP_ROLE_ANY)
		tfp_diag_add(session->diag, TFP_NOTE, input->path, -1, 0,
			     "the file is empty: taken as a step in which nothing ran");
	return true;
}

static bool recognise(struct session *session, struct input *input, enum tfp_role role)
{
	const char *beside;

	if (!input->source->size)
		return recognise_empty(session, input, role);
	beside = role == TFP_ROLE_ANY ? tfp_beside_what(input->source, input->path) : NULL;
	if (beside) {
		tfp_diag_add(session->diag, TFP_ERROR, input->path, -1, 0, "%s", beside);
		return false;
	}
	input->loader = role == TFP_ROLE_ANY ? tfp_recognise(input->source)
					     : tfp_recognise_role(input->source, role);
	if (!input->loader)
		error_unknown(session, input->source, input->path);
	return input->loader != NULL;
}

/* The path to be opened: a SavedModel may be named by its folder, a checkpoint by what it has in common. */
static const char *find_path(struct session *session, const char *path, enum tfp_role *role)
{
	const char *found = NULL;

	if (*role == TFP_ROLE_ANY || *role == TFP_ROLE_GRAPH)
		found = tfp_savedmodel_find(path, &session->arena);
	if (found)
		return found;
	if (*role == TFP_ROLE_ANY || *role == TFP_ROLE_CHECKPOINT)
		found = tfp_checkpoint_find(path, *role == TFP_ROLE_CHECKPOINT, &session->arena);
	if (!found)
		return path;
	*role = TFP_ROLE_CHECKPOINT;
	return found;
}

/* Shards of a checkpoint, and all its files that were named, are one input. */
static void join_checkpoints(struct session *session)
{
	size_t kept = 0;

	for (size_t i = 0; i < session->count; i++) {
		struct input *input = &session->inputs[i];
		size_t k = 0;

		while (k < kept && (session->inputs[k].loader != input->loader ||
				    input->loader->role != TFP_ROLE_CHECKPOINT ||
				    !tfp_checkpoint_same(session->inputs[k].path, input->path)))
			k++;
		if (k == kept)
			session->inputs[kept++] = *input;
		else
			tfp_source_free(input->source);
	}
	session->count = kept;
}

/* The first of the inputs kept so far, COUNT, that is the same file as INPUT; NULL: none. */
static const struct input *same_as(const struct session *session, size_t count,
				   const struct input *input)
{
	for (size_t i = 0; i < count; i++)
		if (session->inputs[i].loader == input->loader && input->loader->several &&
		    (tfp_same_file(session->inputs[i].source, input->source) ||
		     tfp_same_unpacked(session->inputs[i].source, input->source, session->job)))
			return &session->inputs[i];
	return NULL;
}

/* A file given twice is one host or rank, not two. */
static void drop_same(struct session *session)
{
	size_t kept = 0;

	for (size_t i = 0; i < session->count; i++) {
		struct input *input = &session->inputs[i];
		const struct input *same = same_as(session, kept, input);

		if (!same) {
			session->inputs[kept++] = *input;
			continue;
		}
		tfp_diag_add(session->diag, TFP_WARNING, input->path, -1, 0,
			     "the same file as %s: read once", same->path);
		tfp_source_free(input->source);
	}
	session->count = kept;
}

/* Of the first OPENED files, which are open. */
static void show_beginning(struct session *session, size_t opened)
{
	struct tfp_beginning *beginning = &session->beginning;

	beginning->files.count = 0;
	for (size_t i = 0; i < opened; i++)
		*tfp_array_push(&beginning->files) = (struct tfp_beginning_file){
			session->inputs[i].loader, session->inputs[i].source};
	beginning->expected = session->count;
	tfp_beginning_show(beginning, session->job, session->diag);
}

/* It is recognised as if all of it were there. */
static void await_beginning(struct session *session, struct tfp_source *source)
{
	while (source->unpacking && tfp_recognise_wants_more(source) &&
	       tfp_source_more(source, source->size * 2, session->job, session->diag))
		;
}

/* The first file is shown before others are opened, which may take long. */
static bool open_all(struct session *session, const struct tfp_named_file *files)
{
	bool opened = true;

	for (size_t i = 0; i < session->count; i++) {
		struct input *input = &session->inputs[i];
		enum tfp_role role = files[i].role;

		input->path = find_path(session, files[i].path, &role);
		input->source = tfp_source_begin(input->path, session->job, session->diag);
		if (input->source)
			await_beginning(session, input->source);
		if (tfp_job_cancelled(session->job))
			return false;
		if (!input->source || !recognise(session, input, role))
			opened = false;
		else if (!i)
			show_beginning(session, 1);
	}
	if (opened) {
		join_checkpoints(session);
		drop_same(session);
		show_beginning(session, session->count);
	}
	return opened;
}

/* The variables of a SavedModel come along, unless a checkpoint is named. Room is there for them. */
static bool add_variables(struct session *session)
{
	struct input *input = &session->inputs[session->count];
	const char *index = NULL;

	for (size_t i = 0; i < session->count; i++) {
		if (session->inputs[i].loader->role == TFP_ROLE_CHECKPOINT)
			return true;
		if (session->inputs[i].loader == &tfp_savedmodel_loader)
			index = tfp_savedmodel_variables(session->inputs[i].path, &session->arena);
	}
	if (!index)
		return true;
	input->path = index;
	input->source = tfp_source_open(index, session->job, session->diag);
	input->loader = &tfp_variables_loader;
	session->count += input->source != NULL;
	return !tfp_job_cancelled(session->job);
}

/* A saved profile has no checkpoint in it. */
static bool goes_with_saved(const struct input *a, const struct input *b)
{
	return a->loader->role == TFP_ROLE_CHECKPOINT && b->loader->role == TFP_ROLE_PROFILE;
}

/* Files of one run, each of a host or rank. */
static bool of_one_run(const struct input *a, const struct input *b)
{
	return a->loader == b->loader && a->loader->several;
}

/* Whether two files can be one profile; an error names both if not. */
static bool compatible(struct session *session, const struct input *a, const struct input *b)
{
	if (goes_with_saved(a, b) || goes_with_saved(b, a) || of_one_run(a, b))
		return true;
	if (a->loader->alone || b->loader->alone) {
		const struct input *alone = a->loader->alone ? a : b;
		const struct input *other = alone == a ? b : a;

		tfp_diag_error(
			session->diag,
			"%s is a %s, which is opened by itself; %s is another file: open one of them",
			alone->path, alone->loader->label, other->path);
		return false;
	}
	if (a->loader->role == b->loader->role && a->loader != b->loader) {
		tfp_diag_error(session->diag, "%s is a %s and %s a %s; only one can be opened",
			       a->path, a->loader->label, b->path, b->loader->label);
		return false;
	}
	if (a->loader == b->loader && a->loader->role != TFP_ROLE_RUN_META) {
		tfp_diag_error(session->diag, "both %s and %s are a %s; only one can be opened",
			       a->path, b->path, a->loader->label);
		return false;
	}
	return true;
}

static bool check(struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		for (size_t k = 0; k < i; k++)
			if (!compatible(session, &session->inputs[k], &session->inputs[i]))
				return false;
	return true;
}

/* Run metadata are the steps 0, 1, 2 … in the order given, empty ones too. */
static void number_steps(struct session *session)
{
	int64_t step = 0;

	for (size_t i = 0; i < session->count; i++)
		if (session->inputs[i].loader->role == TFP_ROLE_RUN_META)
			session->inputs[i].step = step++;
}

/* What a file counts for in the job's progress. */
static uint64_t weight_of(const struct tfp_source *source)
{
	return source->unpacking ? source->disk_size : source->size;
}

static void load_one(struct session *session, struct tfp_profile *profile, struct input *input)
{
	struct tfp_source *source = input->source;
	uint64_t end = (session->job ? session->job->done : 0) + weight_of(source);
	struct tfp_source
		*held; /* beyond the loader: whether the file shrank is known when it is read */
	uint32_t file;

	if (!input->loader->grows && !tfp_source_rest(source, session->job, session->diag))
		return;
	input->source = NULL;
	if (!source->size && input->loader->role == TFP_ROLE_RUN_META) {
		tfp_profile_add_file(profile, input->path, input->loader->label, 0, source->mtime);
		input->loaded = session->count == 1;
		tfp_source_free(source);
		return;
	}
	file = tfp_profile_add_file(profile, input->path, input->loader->label, source->disk_size,
				    source->mtime);
	held = tfp_source_part(source, 0);
	input->loaded = input->loader->load(profile, source, file, input->step, session->job,
					    session->diag);
	tfp_source_tell_shrunk(source, session->diag);
	tfp_source_free(held);
	if (session->job)
		tfp_job_progress(session->job, end);
}

static void set_total(struct session *session)
{
	uint64_t total = 0;

	for (size_t i = 0; i < session->count; i++)
		total += weight_of(session->inputs[i].source);
	if (!session->job)
		return;
	session->job->done = 0;
	session->job->total = total;
	session->job->known = (uint64_t)(session->beginning.share * (double)total);
}

/* The first of the stages after AFTER that some file has, INT_MAX if there is none. */
static int next_stage(const struct session *session, int after)
{
	int stage = INT32_MAX;

	for (size_t i = 0; i < session->count; i++)
		if (session->inputs[i].loader->stage > after &&
		    session->inputs[i].loader->stage < stage)
			stage = session->inputs[i].loader->stage;
	return stage;
}

/* A checkpoint alone says nothing of a graph or of a step. */
static bool is_tensorflow(const struct session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		enum tfp_role role = session->inputs[i].loader->role;

		if (role != TFP_ROLE_ANY && role != TFP_ROLE_CHECKPOINT)
			return true;
	}
	return false;
}

/* What loaders do after the last file, each once. */
static bool finish_all(struct session *session, struct tfp_profile *profile)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct tfp_loader *loader = session->inputs[i].loader;
		size_t first = 0;

		while (session->inputs[first].loader != loader)
			first++;
		if (first == i && loader->finish &&
		    !loader->finish(profile, session->job, session->diag))
			return false;
	}
	return true;
}

static struct tfp_profile *load_all(struct session *session)
{
	struct tfp_profile *profile = tfp_profile_new();
	bool loaded = false;

	if (session->tags)
		profile->tags =
			tfp_arena_text(&profile->arena, session->tags, strlen(session->tags));
	if (is_tensorflow(session))
		tfp_profile_make_tensorflow(profile);
	set_total(session);
	for (int stage = next_stage(session, -1); stage != INT32_MAX;
	     stage = next_stage(session, stage))
		for (size_t i = 0; i < session->count; i++)
			if (session->inputs[i].loader->stage == stage)
				load_one(session, profile, &session->inputs[i]);
	for (size_t i = 0; i < session->count; i++)
		loaded = loaded || (session->inputs[i].loaded &&
				    session->inputs[i].loader != &tfp_variables_loader);
	if (loaded && !tfp_job_cancelled(session->job) && finish_all(session, profile)) {
		tfp_profile_finish(profile);
		return profile;
	}
	if (!tfp_job_cancelled(session->job) && !tfp_diag_errors(session->diag))
		tfp_diag_error(session->diag, "the files are empty");
	tfp_profile_free(profile);
	return NULL;
}

/* The profile of the COUNT FILES, none of them a folder of others. */
static struct tfp_profile *load_files(struct session *session, const struct tfp_named_file *files,
				      size_t count)
{
	struct tfp_profile *profile = NULL;

	session->inputs = tfp_alloc_zero(count + 1, sizeof(*session->inputs));
	session->count = count;
	tfp_beginning_start(&session->beginning);
	if (open_all(session, files) && add_variables(session) && check(session)) {
		number_steps(session);
		profile = load_all(session);
	}
	for (size_t i = 0; i < session->count; i++)
		if (session->inputs[i].source)
			tfp_source_free(session->inputs[i].source);
	tfp_array_release(session->inputs);
	tfp_array_free(&session->beginning.files);
	return profile;
}

struct tfp_profile *tfp_load(const struct tfp_named_file *files, size_t count, struct tfp_job *job,
			     struct tfp_diag *diag)
{
	struct session session = {.job = job, .diag = diag};
	struct tfp_file_list list = {0};
	struct tfp_profile *profile = NULL;
	size_t told = tfp_diag_count(diag);

	for (size_t i = 0; i < count; i++)
		session.tags = files[i].tags ? files[i].tags : session.tags;
	if (count && tfp_open_folders(&list, files, count, &session.arena, job, diag))
		profile = load_files(&session, list.at, list.count);
	if (!profile && tfp_job_cancelled(job))
		tfp_diag_keep(diag, told); /* what was not read to its end looks cut */
	tfp_array_free(&list);
	tfp_arena_free(&session.arena);
	return profile;
}
