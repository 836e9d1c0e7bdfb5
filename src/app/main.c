/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry of the program: command line to screen or report, problems to standard error, exit status.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/encoding.h"
#include "app/guard.h"
#include "app/help.h"
#include "app/opening.h"
#include "app/files/places.h"
#include "app/problems.h"
#include "app/settings/saving.h"
#include "app/shell/shell.h"
#include "app/startup.h"
#include "app/settings/themefile.h"
#include "tfprof/codec.h"
#include "tfprof/report.h"
#include "ui/ui.h"

enum { EXIT_PRINTED = 0, EXIT_NOTHING = 1, EXIT_USAGE = 2 };

/* False where it is not at hand: it is data that a program which was only built, or carried away, may lack. */
static bool add_demo_files(struct tfp_command *command, struct tfp_diag *diag)
{
	static const char *const names[] = {"graph.pb.gz", "op_log.pb.gz", "run_meta_0.pb.gz",
					    "run_meta_1.pb.gz", "run_meta_2.pb.gz"};
	static const enum tfp_role roles[] = {TFP_ROLE_GRAPH, TFP_ROLE_OP_LOG, TFP_ROLE_RUN_META,
					      TFP_ROLE_RUN_META, TFP_ROLE_RUN_META};
	struct tfp_arena arena = {0};
	char *folder = tfp_arena_printf(&arena, "%s/demo", tfp_place_data(&arena));
	bool there = access(folder, R_OK) == 0;

	if (!there)
		tfp_diag_error(
			diag,
			"there is no %s: make install puts the demo there, and TFPROF_DATADIR "
			"names another folder that has it, as data of the sources",
			folder);
	for (size_t i = 0; there && i < sizeof(names) / sizeof(names[0]); i++)
		tfp_command_add_file(command, tfp_arena_printf(&arena, "%s/%s", folder, names[i]),
				     roles[i]);
	tfp_arena_free(&arena);
	return there;
}

static bool is_file(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Are the files of B those of A? In another order the steps are others. */
static bool are_files(const struct tfp_profile *a, const struct tfp_profile *b)
{
	if (a->files.count != b->files.count)
		return false;
	for (size_t i = 0; i < a->files.count; i++)
		if (!is_file(a->files.at[i].path, b->files.at[i].path))
			return false;
	return true;
}

/* The profile of the files that the baseline names, if it names any, for ENGINE. False: unreadable. */
static bool load_baseline(struct tfp_engine *engine, const char *baseline, struct tfp_job *job,
			  struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_words paths = tfp_baseline_files(&arena, baseline);
	struct tfp_named_file *files = tfp_arena_zero(&arena, paths.count, sizeof(*files));
	struct tfp_profile *profile = NULL;

	for (size_t i = 0; i < paths.count; i++)
		files[i].path = paths.at[i];
	if (paths.count)
		profile = tfp_load(files, paths.count, job, diag);
	if (profile)
		tfp_engine_add_baseline(engine, baseline, tfp_engine_new(profile));
	if (profile && are_files(tfp_engine_profile(engine), profile))
		tfp_engine_compares_itself(engine, baseline);
	tfp_arena_free(&arena);
	return profile || !paths.count;
}

static struct tfp_engine *load_profile(const struct tfp_command *command, struct tfp_job *job,
				       struct tfp_diag *diag)
{
	const char *baseline = command->query.baseline;
	struct tfp_profile *profile;
	struct tfp_engine *engine;

	if (job && tfp_baseline_is_file(baseline))
		job->begin = NULL; /* what is compared is whole */
	profile = tfp_load(command->files.at, command->files.count, job, diag);
	engine = profile ? tfp_engine_new(profile) : NULL;
	if (!engine || load_baseline(engine, baseline, job, diag))
		return engine;
	tfp_engine_free(engine);
	return NULL;
}

/* What is open: a profile, or on the screen the list of a folder. */
static struct tfp_engine *load_engine(void *data, struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_command *command = data;

	if (command->opening && command->opening->now.folder)
		return tfp_opening_load(command->opening, job, diag);
	return load_profile(command, job, diag);
}

/*
 * Prints the report of the query's view, or of the file's default view where none is named. NOTES, which
 * may be NULL, say why there is no screen: where nothing follows, they would only hide the error.
 */
static int report(struct tfp_command *command, const struct tfp_diag *notes, struct tfp_diag *diag)
{
	struct tfp_engine *engine = load_profile(command, NULL, diag);
	size_t loaded = tfp_diag_count(diag);
	int status = EXIT_USAGE;

	tfp_problems_print(diag, 0);
	if (!engine)
		return EXIT_NOTHING;
	if (notes)
		tfp_problems_print(notes, 0);
	if (!command->query.view)
		command->query.view = tfp_view_default(tfp_engine_profile(engine))->name;
	command->query.forgiving = true;
	if (tfp_query_check_words(&command->query, tfp_engine_profile(engine), diag))
		status = tfp_output_write(engine, &command->query, stdout, NULL, diag)
				 ? EXIT_PRINTED
				 : EXIT_NOTHING;
	tfp_sources_tell_shrunk(diag);
	tfp_problems_print(diag, loaded);
	tfp_engine_free(engine);
	return status;
}

/* What the title line says is open: the file's own name, or the folder that holds the first of several. */
static char *title_of(struct tfp_command *command)
{
	const char *path = command->files.count ? command->files.at[0].path : "";
	const char *slash = strrchr(path, '/'), *name;

	if (command->demo)
		return tfp_arena_printf(&command->arena, "demo: ResNet-32 in training");
	if (command->files.count == 1 || !slash)
		return tfp_arena_printf(&command->arena, "%s%s", slash ? slash + 1 : path,
					command->files.count > 1 ? " …" : "");
	for (name = slash; name > path && name[-1] != '/';)
		name--;
	if ((slash - name == 1 && name[0] == '.') || (slash - name == 2 && !strncmp(name, "..", 2)))
		return tfp_folder_name(
			tfp_arena_text(&command->arena, path, (size_t)(slash - path)),
			&command->arena);
	return tfp_arena_printf(&command->arena, "%.*s", (int)(slash - name), name);
}

/* The files as words of a shell, for command lines that the screen hands out. */
static char *shell_words(struct tfp_command *command)
{
	char *text = tfp_arena_text(&command->arena, "", 0);

	if (command->demo)
		return tfp_arena_printf(&command->arena, "--demo");
	if (command->files.count && command->files.at[0].tags)
		text = tfp_arena_printf(
			&command->arena, "--tags=%s ",
			tfp_shell_quote(&command->arena, command->files.at[0].tags));
	for (size_t i = 0; i < command->files.count; i++)
		text = tfp_arena_printf(
			&command->arena, "%s%s%s", text, i ? " " : "",
			tfp_shell_quote(&command->arena, command->files.at[i].path));
	return text;
}

static bool read_theme(void *data, const char *name, struct tfp_ui_theme *theme,
		       struct tfp_diag *diag)
{
	(void)data;
	return tfp_themefile_load(name, theme, diag);
}

static struct tfp_words theme_names(void *data, struct tfp_arena *arena)
{
	(void)data;
	return tfp_themefile_names(arena);
}

static bool is_text(const struct tfp_startup *startup, enum tfp_setting_text which,
		    const char *word)
{
	const char *text = startup->settings.texts[which];

	return text && !strcmp(text, word);
}

static int run_screen(struct tfp_command *command, struct tfp_startup *startup,
		      struct tfp_diag *diag)
{
	const char *chosen = command->opening->now.baseline;
	struct tfp_query query = startup->query;
	struct tfp_ui_config config = {
		.load = load_engine,
		.load_other = load_baseline,
		.data = command,
		.query = &query,
		.flat_given = tfp_settings_has(&startup->settings, "flat"),
		.theme = &startup->theme,
		.keys = startup->settings.keys.at,
		.key_count = startup->settings.keys.count,
		.lens = startup->settings.texts[TFP_SETTING_LENS],
		.pane = startup->settings.texts[TFP_SETTING_PANE],
		.sources = startup->settings.sources.at,
		.source_count = startup->settings.sources.count,
		.mouse = is_text(startup, TFP_SETTING_MOUSE, "true"),
		.no_bars = is_text(startup, TFP_SETTING_BARS, "false"),
		.exact = is_text(startup, TFP_SETTING_UNITS, "exact"),
		.of_root = is_text(startup, TFP_SETTING_SHARES, "root"),
		.save = tfp_saving_run,
		.save_data = &startup->config,
		.read_theme = read_theme,
		.theme_names = theme_names,
		.editor = startup->settings.texts[TFP_SETTING_EDITOR],
		.title = title_of(command),
		.no_sources = command->demo ? "the sources of the demo do not come with it" : NULL,
		.files = shell_words(command),
		.guard = tfp_source_guard,
		.tell_lost = tfp_sources_tell_shrunk,
	};

	for (size_t i = 0; tfp_views[i]; i++)
		config.columns_given[i] =
			tfp_settings_has_columns(&command->given, tfp_views[i]->name);
	if (chosen)
		query.baseline = chosen;
	command->query.baseline = query.baseline;
	tfp_opening_fill(command->opening, &config);
	return tfp_ui_run(&config, diag);
}

/* One thing after another, until the person quits. DIAG has the problems of the settings. */
static int run_screens(struct tfp_command *command, struct tfp_startup *startup, const char *folder,
		       struct tfp_diag *diag)
{
	struct tfp_opening opening;
	int status;

	tfp_opening_init(&opening, command, folder);
	do
		status = run_screen(command, startup, diag);
	while (tfp_opening_next(&opening, status, diag));
	tfp_problems_print(diag, 0);
	tfp_opening_free(&opening);
	return status;
}

/* Without a screen a folder's list is a table. */
static int print_list(const struct tfp_command *command, const char *folder,
		      const struct tfp_diag *notes, struct tfp_diag *diag)
{
	bool wrong, printed = tfp_opening_print(stdout, folder, &command->query, &wrong, diag);

	if (printed && notes)
		tfp_problems_print(notes, 0);
	tfp_problems_print(diag, 0);
	return printed ? EXIT_PRINTED : wrong ? EXIT_USAGE : EXIT_NOTHING;
}

/* What there is for who has no terminal; NOTES say why. */
static int without_screen(struct tfp_command *command, const char *folder, struct tfp_diag *notes,
			  struct tfp_diag *diag)
{
	tfp_diag_note(notes,
		      "so here is the report; tfprof VIEW FILE... prints one without this note");
	return folder ? print_list(command, folder, notes, diag) : report(command, notes, diag);
}

static int screen(struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_startup startup;
	struct tfp_diag *notes = tfp_diag_new();
	const char *folder = tfp_opening_folder(command);
	int status = EXIT_USAGE;

	if (!tfp_ui_usable(notes)) {
		status = without_screen(command, folder, notes, diag);
		tfp_diag_free(notes);
		return status;
	}
	tfp_diag_free(notes);
	if (tfp_startup_make(&startup, command, diag))
		status = run_screens(command, &startup, folder, diag);
	else
		tfp_problems_print(diag, 0);
	tfp_startup_free(&startup);
	return status;
}

static int print_config(struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_startup startup;
	bool made = tfp_startup_make(&startup, command, diag);

	if (made)
		tfp_settings_print(stdout, &startup.settings, startup.config.files);
	tfp_problems_print(diag, 0);
	tfp_startup_free(&startup);
	return made ? EXIT_PRINTED : EXIT_USAGE;
}

static int no_files(void)
{
	fputs("tfprof: name the files of a profile, or try tfprof --demo; tfprof --help lists all "
	      "options\n",
	      stderr);
	return EXIT_USAGE;
}

static int advise(struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_engine *engine = load_engine(command, NULL, diag);
	size_t loaded = tfp_diag_count(diag);
	struct tfp_advice advice;
	bool printed = false;

	tfp_problems_print(diag, 0);
	if (!engine)
		return EXIT_NOTHING;
	if (tfp_engine_advise(engine, command->query.compat, &advice, NULL, diag)) {
		printed = tfp_report_advice(stdout, &advice, isatty(STDOUT_FILENO), diag);
		tfp_advice_free(&advice);
	}
	tfp_problems_print(diag, loaded);
	tfp_engine_free(engine);
	return printed ? EXIT_PRINTED : EXIT_NOTHING;
}

/* Lines of standard input, each a command. */
static int shell(struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_engine *engine = load_engine(command, NULL, diag);
	bool done;

	tfp_problems_print(diag, 0);
	if (!engine)
		return EXIT_NOTHING;
	done = tfp_shell_run(engine, &command->query);
	tfp_engine_free(engine);
	return done ? EXIT_PRINTED : EXIT_NOTHING;
}

/* About the names given, or all. */
static int help(struct tfp_command *command)
{
	bool known = true;

	if (!command->files.count)
		tfp_help_all(stdout);
	for (size_t i = 0; i < command->files.count; i++) {
		const char *name = command->files.at[i].path;

		if (tfp_help_about(stdout, name))
			continue;
		known = false;
		fprintf(stderr, "tfprof: nothing is called '%s'; --help lists all\n", name);
	}
	return known ? EXIT_PRINTED : EXIT_USAGE;
}

/* Is there a file named so, and not a device or a pipe, that must not be lost? */
static bool is_taken(const struct tfp_command *command, struct tfp_diag *diag)
{
	struct stat status;

	if (command->force || stat(command->out, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	tfp_diag_add(diag, TFP_ERROR, command->out, -1, 0,
		     "is there already; --force writes over it");
	return true;
}

/* Saves the profile whole, in one file. */
static int merge(const struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_profile *profile = NULL;
	bool written = false;

	if (!is_taken(command, diag))
		profile = tfp_load(command->files.at, command->files.count, NULL, diag);
	if (profile)
		written = tfp_report_profile(stdout, command->out, profile, command->query.compat,
					     diag);
	tfp_problems_print(diag, 0);
	tfp_profile_free(profile);
	return written ? EXIT_PRINTED : EXIT_NOTHING;
}

/* What is named to be listed is no folder, or more than one thing. */
static void refuse_files(const struct tfp_named_file *file, struct tfp_diag *diag)
{
	struct stat status;

	if (stat(file->path, &status))
		tfp_diag_add(diag, TFP_ERROR, file->path, -1, 0, "%s", strerror(errno));
	else
		tfp_diag_error(diag, "tfprof files lists one folder, no files");
}

/* What the view named first shows. */
static int print(struct tfp_command *command, struct tfp_diag *diag)
{
	const char *folder = tfp_opening_folder(command);

	if (tfp_view_find(command->query.view)->listing) {
		if (folder)
			return print_list(command, folder, NULL, diag);
		refuse_files(&command->files.at[0], diag);
		tfp_problems_print(diag, 0);
		return EXIT_USAGE;
	}
	if (command->files.count)
		return report(command, NULL, diag);
	return no_files();
}

static int run(struct tfp_command *command, struct tfp_diag *diag)
{
	if (command->mode == TFP_MODE_HELP)
		return help(command);
	if (command->mode == TFP_MODE_VERSION) {
		puts(PACKAGE_STRING);
		return EXIT_PRINTED;
	}
	if (command->mode == TFP_MODE_CONFIG)
		return print_config(command, diag);
	if (!tfp_startup_theme(command, diag)) {
		tfp_problems_print(diag, 0);
		return EXIT_USAGE;
	}
	if (command->demo && !add_demo_files(command, diag)) {
		tfp_problems_print(diag, 0);
		return EXIT_NOTHING;
	}
	if (command->mode == TFP_MODE_ADVISE)
		return command->files.count ? advise(command, diag) : no_files();
	if (command->mode == TFP_MODE_SHELL)
		return command->files.count ? shell(command, diag) : no_files();
	if (command->mode == TFP_MODE_MERGE)
		return command->files.count ? merge(command, diag) : no_files();
	return command->mode == TFP_MODE_REPORT ? print(command, diag) : screen(command, diag);
}

/* Whether all that was printed is out. Who failed before has said why. */
static int check_printed(int status)
{
	bool failed = fflush(stdout) != 0;

	if (status != EXIT_PRINTED || (!failed && !ferror(stdout)))
		return status;
	fputs("tfprof: standard output could not be written\n", stderr);
	return EXIT_NOTHING;
}

/* What a file claims is never the reason, so it is what the machine or a limit allows. */
static void end_without_memory(void)
{
	static const char text[] = "tfprof: there is not enough memory for this\n";

	tfp_ui_leave();
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(EXIT_NOTHING);
	_exit(EXIT_NOTHING);
}

int main(int argc, char **argv)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_command command;
	int status = EXIT_USAGE;

	tfp_memory_start();
	tfp_memory_on_end(end_without_memory);
	tfp_encoding_set();
	tfp_guard_start();
	if (tfp_command_parse(&command, argc, argv, diag))
		status = run(&command, diag);
	else
		tfp_problems_print(diag, 0);
	tfp_command_free(&command);
	tfp_diag_free(diag);
	return check_printed(status);
}
