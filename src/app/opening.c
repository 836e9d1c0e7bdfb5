/* SPDX-License-Identifier: Apache-2.0 */
/* One thing after another: see opening.h. */
#include "app/opening.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/places.h"
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
	return list(&opening->discovery, opening->folder, job, diag);
}

static bool print_table(FILE *out, const struct tfp_tree *tree, uint32_t lead,
			struct tfp_diag *diag)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	size_t count, column_count = tfp_columns(tree, lead, NULL, columns, TFP_MAX_COLUMNS);
	struct tfp_table_row *rows = tfp_table_all(tree, tree->order_metric, tree->reverse, &count);
	struct tfp_table table = {
		.tree = tree,
		.columns = columns,
		.column_count = column_count,
		.rows = rows + 1, /* the first is the folder */
		.count = count - 1,
		.apart = true,
	};
	bool written = tfp_table_write(out, &table, TFP_TABLE_TXT, diag) && !fflush(out);

	tfp_array_release(rows);
	return written;
}

bool tfp_opening_print(FILE *out, const char *folder, struct tfp_diag *diag)
{
	struct tfp_discovery discovery = {0};
	struct tfp_engine *engine = list(&discovery, folder, NULL, diag);
	struct tfp_query query;
	struct tfp_tree *tree = NULL;
	bool written = false;

	tfp_query_init(&query);
	query.view = "files";
	query.max_depth = INT32_MAX;
	query.order_by = "name";
	if (engine && !discovery.found.count)
		written = fprintf(out, "%s\n",
				  tfp_discovery_describe(&discovery, folder, &query.arena)) > 0;
	else if (engine)
		tree = tfp_engine_run(engine, &query, NULL, diag);
	if (tree)
		written = print_table(out, tree, tfp_engine_profile(engine)->default_metric, diag);
	tfp_tree_release(tree);
	tfp_engine_free(engine);
	tfp_discovery_free(&discovery);
	tfp_query_free(&query);
	return written;
}

/* ---- going on -------------------------------------------------------------------------------- */

/* The files of the rows that the person chose are what is open next. */
static bool choose(void *data, const uint32_t *nodes, size_t count, struct tfp_diag *diag)
{
	struct tfp_opening *opening = data;
	struct tfp_arena arena = {0};
	size_t files;
	struct tfp_named_file *joined =
		tfp_discovery_join(&opening->discovery, nodes, count, &arena, &files, diag);

	if (joined)
		opening->command->files.count = 0;
	for (size_t i = 0; joined && i < files; i++)
		tfp_command_add_file(opening->command, joined[i].path, joined[i].role);
	tfp_arena_free(&arena);
	opening->former_count = 0;
	opening->baseline = NULL;
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
	opening->baseline = tfp_arena_printf(arena, "file:%s", tfp_words_print(arena, paths));
	return true;
}

/* What is open is kept, in case that what is asked for is not. */
static void keep_former(struct tfp_opening *opening)
{
	struct tfp_command *command = opening->command;
	struct tfp_named_file *files =
		tfp_arena_zero(&command->arena, command->files.count, sizeof(*files));

	for (size_t i = 0; i < command->files.count; i++)
		files[i] = command->files.at[i];
	opening->former = files;
	opening->former_count = opening->at_list ? 0 : command->files.count;
	opening->former_demo = command->demo;
}

static void list_another(struct tfp_opening *opening, const char *folder)
{
	if (opening->folder && !strcmp(opening->folder, folder))
		return;
	if (opening->folder)
		*tfp_array_push(&opening->lists) = opening->folder;
	opening->folder = tfp_arena_text(&opening->command->arena, folder, strlen(folder));
}

static bool open_path(void *data, const char *text, struct tfp_diag *diag)
{
	struct tfp_opening *opening = data;
	struct tfp_command *command = opening->command;
	const char *path =
		strncmp(text, "~/", 2) ? text : tfp_place_path(&command->arena, text, ".");
	struct stat status;

	if (stat(path, &status)) {
		tfp_diag_error(diag, "%s: %s", text, strerror(errno));
		return false;
	}
	keep_former(opening);
	opening->baseline = NULL;
	command->demo = false;
	command->files.count = 0;
	if (S_ISDIR(status.st_mode) && is_list(path))
		list_another(opening, path);
	else
		tfp_command_add_file(command, path, TFP_ROLE_ANY);
	return true;
}

void tfp_opening_init(struct tfp_opening *opening, struct tfp_command *command, const char *folder)
{
	*opening = (struct tfp_opening){
		.command = command,
		.folder = folder,
		.at_list = folder != NULL,
	};
	command->opening = opening;
	if (folder)
		command->files.count = 0;
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
	tfp_array_free(&opening->lists);
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
	const struct tfp_command *command = opening->command;

	recall(opening, &opening->profile, command->files.at, command->files.count);
	if (command->given.texts[TFP_SETTING_VIEW]) /* which wins */
		opening->profile.view = NULL;
}

static void recall_list(struct tfp_opening *opening)
{
	const struct tfp_named_file folder = {.path = opening->folder};

	if (opening->listed != opening->folder)
		forget(&opening->list);
	recall(opening, &opening->list, &folder, 1);
}

/* Is there something to go back to from what was chosen, if it does not open? */
static bool can_go_back(const struct tfp_opening *opening)
{
	return opening->opened && (opening->folder || opening->former_count);
}

void tfp_opening_fill(struct tfp_opening *opening, struct tfp_ui_config *config)
{
	opening->next = TFP_UI_QUIT;
	config->again = opening->at_list && opening->listed == opening->folder;
	if (opening->at_list)
		recall_list(opening);
	else
		recall_profile(opening);
	if (opening->at_list)
		opening->listed = opening->folder;
	config->opener = opening;
	config->next = &opening->next;
	config->place = opening->at_list ? &opening->list : &opening->profile;
	config->notice = opening->notice;
	config->open = open_path;
	config->returns = can_go_back(opening);
	config->has_list = opening->folder && !opening->at_list;
	config->has_former = opening->at_list && opening->lists.count;
	if (!opening->at_list)
		return;
	config->choose = choose;
	config->compare = compare;
	config->title = NULL; /* the list says where it is */
	config->files = tfp_shell_quote(&opening->command->arena, opening->folder);
}

/* The last error, which is why something did not open. Paths are long: the screen has room for the reason. */
static char *last_error(const struct tfp_diag *diag)
{
	char text[512];

	for (size_t i = tfp_diag_count(diag); i-- > 0;) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		if (problem.severity != TFP_ERROR)
			continue;
		if (!problem.file)
			return tfp_strdup(problem.text);
		snprintf(text, sizeof(text), "%s: %s", problem.text, problem.file);
		return tfp_strdup(text);
	}
	return NULL;
}

/* Back to the profile that was open before, or to the list. */
static void go_back(struct tfp_opening *opening)
{
	struct tfp_command *command = opening->command;

	command->files.count = 0;
	for (size_t i = 0; i < opening->former_count; i++)
		*tfp_array_push(&command->files) = opening->former[i];
	command->demo = opening->former_count && opening->former_demo;
	opening->former_count = 0;
}

/* From a list to the one before it. */
static void go_to_former_list(struct tfp_opening *opening)
{
	if (opening->at_list && opening->lists.count)
		opening->folder = opening->lists.at[--opening->lists.count];
}

bool tfp_opening_next(struct tfp_opening *opening, int status, struct tfp_diag *diag)
{
	bool failed = status && can_go_back(opening);
	const struct tfp_ui_place *place = opening->at_list ? &opening->list : &opening->profile;

	if (!status && opening->state && place->view)
		tfp_state_write(place, opening->state);
	free(opening->notice);
	opening->notice = failed ? last_error(diag) : NULL;
	if (!failed && (status || opening->next == TFP_UI_QUIT))
		return false;
	if (failed || opening->next == TFP_UI_LIST)
		go_to_former_list(opening);
	if (failed)
		go_back(opening);
	if (opening->next == TFP_UI_LIST || failed)
		opening->baseline = NULL;
	if (opening->next == TFP_UI_LIST)
		opening->command->files.count = 0;
	if (!opening->at_list)
		forget(&opening->profile);
	opening->at_list = !opening->command->files.count;
	opening->opened = opening->next == TFP_UI_OPEN;
	tfp_diag_clear(diag);
	return true;
}
