/* SPDX-License-Identifier: Apache-2.0 */
/* One thing after another: see opening.h. */
#include "app/opening.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/places.h"
#include "app/state.h"
#include "tfprof/report.h"

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* A SavedModel is opened, not listed, and so is a single checkpoint. */
static bool is_list(const char *path)
{
	return is_folder(path) && !tfp_is_saved_model(path) && !tfp_is_checkpoint_folder(path);
}

static bool wants_list(const struct tfp_command *command)
{
	const char *name = command->query.view;
	const struct tfp_view *view = name ? tfp_view_find(name) : NULL;

	return view && view->listing;
}

const char *tfp_opening_folder(const struct tfp_command *command)
{
	const struct tfp_named_file *files = command->files.at;

	if (!command->files.count)
		return ".";
	if (command->files.count == 1 && files->role == TFP_ROLE_ANY &&
	    (is_list(files->path) || (wants_list(command) && is_folder(files->path))))
		return files->path;
	return NULL;
}

/* ---- the list -------------------------------------------------------------------------------- */

static struct tfp_engine *list(struct tfp_discovery *discovery, const char *folder,
			       struct tfp_job *job, struct tfp_diag *diag)
{
	tfp_discovery_free(discovery);
	if (!tfp_discover(discovery, folder, job, diag))
		return NULL;
	return tfp_engine_new(tfp_discovery_profile(discovery, folder));
}

struct tfp_engine *tfp_opening_load(struct tfp_opening *opening, struct tfp_job *job,
				    struct tfp_diag *diag)
{
	return list(&opening->discovery, opening->now.folder, job, diag);
}

/* One level of rows is a list already, and has the order of names where none is asked for. */
static void ask_for_list(struct tfp_query *query, const struct tfp_query *asked)
{
	tfp_query_copy(query, asked);
	query->view = "files";
	query->max_depth = INT32_MAX;
	query->flat = false;
	if (!query->order_by)
		query->order_by = "name";
}

bool tfp_opening_print(FILE *out, const char *folder, const struct tfp_query *asked, bool *wrong,
		       struct tfp_diag *diag)
{
	struct tfp_discovery discovery = {0};
	struct tfp_engine *engine = list(&discovery, folder, NULL, diag);
	struct tfp_query query;
	bool written = false, right;

	ask_for_list(&query, asked);
	right = engine && tfp_query_check_words(&query, tfp_engine_profile(engine), diag);
	*wrong = engine && !right;
	if (right && !discovery.found.count)
		written = fprintf(out, "%s\n",
				  tfp_discovery_describe(&discovery, folder, &query.arena)) > 0;
	else if (right)
		written = tfp_output_write(engine, &query, out, NULL, diag);
	tfp_engine_free(engine);
	tfp_discovery_free(&discovery);
	tfp_query_free(&query);
	return written;
}

/* ---- going on -------------------------------------------------------------------------------- */

static const struct tfp_named_file *copy_files(struct tfp_arena *arena,
					       const struct tfp_named_file *files, size_t count)
{
	struct tfp_named_file *copies = tfp_arena_zero(arena, count, sizeof(*copies));

	for (size_t i = 0; i < count; i++) {
		copies[i] = files[i];
		copies[i].path = tfp_arena_text(arena, files[i].path, strlen(files[i].path));
	}
	return copies;
}

/* The files of the rows that the person chose are what is open next. */
static bool choose(void *data, const uint32_t *nodes, size_t count, struct tfp_diag *diag)
{
	struct tfp_opening *opening = data;
	struct tfp_arena arena = {0};
	size_t files;
	struct tfp_named_file *joined =
		tfp_discovery_join(&opening->discovery, nodes, count, &arena, &files, diag);

	if (joined)
		opening->wanted = (struct tfp_visit){
			.files = copy_files(&opening->command->arena, joined, files),
			.count = files,
		};
	tfp_arena_free(&arena);
	return joined != NULL;
}

/* The one is open next, the other what it is compared with. */
static bool compare(void *data, uint32_t node, uint32_t other, struct tfp_diag *diag)
{
	struct tfp_opening *opening = data;
	struct tfp_arena *arena = &opening->command->arena;
	size_t count;
	struct tfp_named_file *files =
		tfp_discovery_join(&opening->discovery, &other, 1, arena, &count, diag);
	struct tfp_words paths = {tfp_arena_zero(arena, count, sizeof(*paths.at)), count};

	for (size_t i = 0; i < count; i++)
		paths.at[i] = files[i].path;
	if (!files || !choose(data, &node, 1, diag))
		return false;
	opening->wanted.baseline =
		tfp_arena_printf(arena, "file:%s", tfp_words_print(arena, paths));
	return true;
}

/* PATH for ever; that of the list as it was left is the same text, so that its place is known. */
static const char *keep_folder(struct tfp_opening *opening, const char *path)
{
	if (opening->listed && !strcmp(opening->listed, path))
		return opening->listed;
	return tfp_arena_text(&opening->command->arena, path, strlen(path));
}

static bool open_path(void *data, const char *text, struct tfp_diag *diag)
{
	struct tfp_opening *opening = data;
	struct tfp_arena *arena = &opening->command->arena;
	const char *path = strncmp(text, "~/", 2) ? text : tfp_place_path(arena, text, ".");
	const struct tfp_named_file file = {.path = path};
	struct stat status;

	if (stat(path, &status)) {
		tfp_diag_error(diag, "%s: %s", text, strerror(errno));
		return false;
	}
	if (S_ISDIR(status.st_mode) && is_list(path))
		opening->wanted = (struct tfp_visit){.folder = keep_folder(opening, path)};
	else
		opening->wanted =
			(struct tfp_visit){.files = copy_files(arena, &file, 1), .count = 1};
	return true;
}

/* How many of what was open before there are left when one has gone back: to the last, or further to a list. */
static size_t count_left(const struct tfp_opening *opening, bool to_list)
{
	size_t count = opening->past.count;

	do
		count--;
	while (to_list && !opening->past.at[count].folder && count);
	return count;
}

/* Standard input can't go; a checkpoint may be named by what its files have in common, or by a pattern. */
static bool can_be_read(const char *path, struct tfp_arena *arena)
{
	return !strcmp(path, "-") || strpbrk(path, "*?[") ||
	       !access(tfp_arena_printf(arena, "%s.index", path), R_OK) || !access(path, R_OK);
}

static bool is_there(void *data, enum tfp_ui_next next, struct tfp_diag *diag)
{
	const struct tfp_opening *opening = data;
	struct tfp_arena arena = {0};
	const struct tfp_visit *before =
		&opening->past.at[count_left(opening, next == TFP_UI_LIST)];
	const char *gone = NULL;

	if (before->folder && access(before->folder, R_OK | X_OK))
		gone = before->folder;
	for (size_t i = 0; !gone && i < before->count; i++)
		if (!can_be_read(before->files[i].path, &arena))
			gone = before->files[i].path;
	if (gone)
		tfp_diag_error(diag, "the way back, %s: %s", gone, strerror(errno));
	tfp_arena_free(&arena);
	return !gone;
}

void tfp_opening_init(struct tfp_opening *opening, struct tfp_command *command, const char *folder)
{
	*opening = (struct tfp_opening){.command = command, .now.folder = folder};
	command->opening = opening;
	if (folder) {
		command->files.count = 0;
		return;
	}
	opening->now.files = copy_files(&command->arena, command->files.at, command->files.count);
	opening->now.count = command->files.count;
	opening->now.demo = command->demo;
}

static void forget(struct tfp_ui_place *place)
{
	tfp_arena_free(&place->arena);
	*place = (struct tfp_ui_place){0};
}

void tfp_opening_free(struct tfp_opening *opening)
{
	forget(&opening->list);
	forget(&opening->profile);
	tfp_discovery_free(&opening->discovery);
	tfp_array_free(&opening->past);
	tfp_ui_past_free(&opening->typed);
	free(opening->notice);
	opening->command->opening = NULL;
}

/* Where the person was in what the COUNT FILES are, unless PLACE knows it. */
static void recall(struct tfp_opening *opening, struct tfp_ui_place *place,
		   const struct tfp_named_file *files, size_t count)
{
	struct tfp_arena *arena = &opening->command->arena;

	opening->state = NULL;
	if (opening->command->no_config)
		place->why = "--no-config keeps nothing";
	else
		opening->state = tfp_state_path(arena, files, count);
	if (opening->state && !place->view)
		tfp_state_read(place, opening->state, arena);
}

static void recall_profile(struct tfp_opening *opening)
{
	recall(opening, &opening->profile, opening->now.files, opening->now.count);
	if (opening->command->given.texts[TFP_SETTING_VIEW]) /* which wins */
		opening->profile.view = NULL;
}

static void recall_list(struct tfp_opening *opening)
{
	const struct tfp_named_file folder = {.path = opening->now.folder};

	if (opening->listed != opening->now.folder)
		forget(&opening->list);
	recall(opening, &opening->list, &folder, 1);
}

/* Was a list on the way here? */
static bool has_list(const struct tfp_opening *opening)
{
	size_t i = opening->past.count;

	while (i && !opening->past.at[i - 1].folder)
		i--;
	return i;
}

void tfp_opening_fill(struct tfp_opening *opening, struct tfp_ui_config *config)
{
	const char *folder = opening->now.folder;

	opening->next = TFP_UI_QUIT;
	config->again = folder && opening->listed == folder;
	if (folder)
		recall_list(opening);
	else
		recall_profile(opening);
	config->opener = opening;
	config->next = &opening->next;
	config->place = folder ? &opening->list : &opening->profile;
	config->notice = opening->notice;
	config->past = &opening->typed;
	config->open = open_path;
	config->is_there = is_there;
	config->has_before = opening->past.count;
	config->has_list = !folder && has_list(opening);
	config->has_former = folder && has_list(opening);
	if (!folder)
		return;
	opening->listed = folder;
	config->choose = choose;
	config->compare = compare;
	config->title = NULL; /* the list says where it is */
	config->files = tfp_shell_quote(&opening->command->arena, folder);
}

/* The last error, which is why something did not open. Paths are long: the name of the file says which, and leaves room for the reason. */
static char *last_error(const struct tfp_diag *diag)
{
	char text[512];

	for (size_t i = tfp_diag_count(diag); i-- > 0;) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (problem.severity != TFP_ERROR)
			continue;
		if (!problem.file)
			return tfp_strdup(problem.text);
		snprintf(text, sizeof(text), "%s: %s", tfp_path_name(problem.file), problem.text);
		return tfp_strdup(text);
	}
	return NULL;
}

/* What was told of a file that did not open is no error of what is shown instead, but can be looked up there. */
static void make_warnings(struct tfp_diag *diag)
{
	struct tfp_diag *told = tfp_diag_new();

	for (size_t i = 0; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		tfp_diag_add(told, problem.severity == TFP_ERROR ? TFP_WARNING : problem.severity,
			     problem.file, problem.offset, problem.line, "%s", problem.text);
	}
	tfp_diag_clear(diag);
	tfp_diag_take(diag, told);
	tfp_diag_free(told);
}

/* What NOW is becomes what the command names. */
static void show(struct tfp_opening *opening, struct tfp_visit now)
{
	struct tfp_command *command = opening->command;

	opening->now = now;
	command->demo = now.demo;
	command->files.count = 0;
	for (size_t i = 0; i < now.count; i++)
		*tfp_array_push(&command->files) = now.files[i];
}

/* A list that is asked for where it is shown is read again. */
static void go_on(struct tfp_opening *opening)
{
	if (!opening->wanted.folder || opening->wanted.folder != opening->now.folder)
		*tfp_array_push(&opening->past) = opening->now;
	show(opening, opening->wanted);
}

/* To what was open before, or further back to a list. */
static void go_back(struct tfp_opening *opening, bool to_list)
{
	opening->past.count = count_left(opening, to_list);
	show(opening, opening->past.at[opening->past.count]);
}

bool tfp_opening_next(struct tfp_opening *opening, int status, struct tfp_diag *diag)
{
	bool at_list = opening->now.folder, failed = status && opening->past.count;
	const struct tfp_ui_place *place = at_list ? &opening->list : &opening->profile;

	if (!status && opening->state && place->view)
		tfp_state_write(place, opening->state);
	free(opening->notice);
	opening->notice = failed ? last_error(diag) : NULL;
	if (!failed && (status || opening->next == TFP_UI_QUIT))
		return false;
	if (!at_list)
		forget(&opening->profile);
	if (!failed && opening->next == TFP_UI_OPEN)
		go_on(opening);
	else
		go_back(opening, !failed && opening->next == TFP_UI_LIST);
	if (failed)
		make_warnings(diag);
	else
		tfp_diag_clear(diag);
	return true;
}
