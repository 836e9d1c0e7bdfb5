/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What commands take behind their names: what is valid there, and what it does.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

#define FILE_PREFIX "file:" /* of a baseline */
#define RANK_PREFIX "rank:" /* of one, or of what S chooses */

/* The end of a message about TEXT, which is none of what a command takes. */
static void fail_unknown(struct tfp_screen *screen, const char *what, const char *text,
			 struct tfp_words valid, struct tfp_arena *arena)
{
	tfp_screen_fail(screen, "there is no %s '%s'%s", what, text,
			tfp_nearest_hint(arena, text, valid));
}

/* The one of WORDS that TEXT is but for its case; else TEXT. */
static const char *as_spelt(const char *text, struct tfp_words words)
{
	for (size_t i = 0; i < words.count; i++)
		if (!strcasecmp(words.at[i], text))
			return words.at[i];
	return text;
}

/* ---- theme ---- */

static struct tfp_words theme_names(struct tfp_screen *screen, const char *text,
				    struct tfp_arena *arena)
{
	(void)text;
	if (!screen->config->theme_names)
		return (struct tfp_words){0};
	return screen->config->theme_names(screen->config->data, arena);
}

/* The first fault of a theme's file, and how many more there are. */
static void say_theme(struct tfp_screen *screen, const char *name, const struct tfp_diag *diag)
{
	size_t count = tfp_diag_count(diag);
	struct tfp_problem problem;
	char text[512];

	if (!count) {
		tfp_screen_say(screen, "theme %s", name);
		return;
	}
	problem = tfp_diag_get(diag, 0);
	tfp_problem_print(&problem, text, sizeof(text));
	if (count > 1)
		tfp_screen_fail(screen, "%s (and %zu more; {!} lists them)", text, count - 1);
	else
		tfp_screen_fail(screen, "%s", text);
}

/* The faults are listed with those of the files, too. */
static void keep_faults(struct tfp_screen *screen, const struct tfp_diag *diag)
{
	for (size_t i = 0; i < tfp_diag_count(diag); i++) {
		struct tfp_problem problem = tfp_diag_get(diag, i);

		tfp_diag_add(screen->diag, problem.severity, problem.file, problem.offset,
			     problem.line, "%s", problem.text);
	}
}

static void run_theme(struct tfp_screen *screen, const char *name)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_ui_theme theme;

	if (screen->config->read_theme &&
	    screen->config->read_theme(screen->config->data, name, &theme, diag)) {
		tfp_screen_wear(screen, &theme);
		free(screen->theme_name);
		screen->theme_name = tfp_strdup(name);
		keep_faults(screen, diag);
	}
	say_theme(screen, name, diag);
	tfp_diag_free(diag);
}

const struct tfp_argument tfp_takes_theme = {"NAME", theme_names, run_theme};

/* ---- view ---- */

static struct tfp_words view_names(struct tfp_screen *screen, const char *text,
				   struct tfp_arena *arena)
{
	struct tfp_words words = {tfp_arena_zero(arena, TFP_MAX_VIEWS, sizeof(*words.at)), 0};

	(void)text;
	for (size_t i = 0; i < TFP_MAX_VIEWS && tfp_views[i]; i++)
		if (!screen->loaded || !screen->about.view_missing[i])
			words.at[words.count++] = tfp_views[i]->name;
	return words;
}

static void run_view(struct tfp_screen *screen, const char *name)
{
	struct tfp_arena arena = {0};
	struct tfp_words names = view_names(screen, "", &arena);
	const struct tfp_view *view = tfp_view_find(as_spelt(name, names));

	if (view)
		tfp_screen_open_view(screen, view);
	else
		fail_unknown(screen, "view", name, names, &arena);
	tfp_arena_free(&arena);
}

const struct tfp_argument tfp_takes_view = {"NAME", view_names, run_view};

/* ---- column to sort by ---- */

static struct tfp_words column_titles(struct tfp_screen *screen, const char *text,
				      struct tfp_arena *arena)
{
	(void)text;
	return screen->tree.rows.tree ? tfp_sort_titles(screen, arena) : (struct tfp_words){0};
}

static void run_column(struct tfp_screen *screen, const char *title)
{
	struct tfp_arena arena = {0};

	if (screen->tree.rows.tree && !tfp_sort_by_title(screen, title))
		fail_unknown(screen, "column to sort by", title, tfp_sort_titles(screen, &arena),
			     &arena);
	tfp_arena_free(&arena);
}

const struct tfp_argument tfp_takes_column = {"COLUMN", column_titles, run_column};

/* ---- options of the query ---- */

/* Sets options as "set" of the shell does, and asks. */
static void set_option(struct tfp_screen *screen, const char *text)
{
	struct tfp_arena arena = {0};

	tfp_screen_typed(screen, tfp_arena_printf(&arena, "set %s", text));
	tfp_arena_free(&arena);
}

const struct tfp_argument tfp_takes_option = {"OPTION=VALUE", NULL, set_option};

/* ---- step ---- */

static struct tfp_words step_words(struct tfp_screen *screen, struct tfp_arena *arena,
				   const char *const *first, size_t count, const char *before)
{
	size_t steps = screen->loaded ? screen->about.step_count : 0;
	struct tfp_words words = {tfp_arena_zero(arena, count + steps, sizeof(*words.at)), count};

	for (size_t i = 0; i < count; i++)
		words.at[i] = first[i];
	for (size_t i = 0; i < steps; i++)
		words.at[words.count++] = tfp_arena_printf(arena, "%s%lld", before,
							   (long long)screen->about.steps[i]);
	return words;
}

/* WORDS and "rank:N" for each rank that there is, but for the one that is LEFT_OUT; none where there is one. */
static struct tfp_words with_ranks(struct tfp_screen *screen, struct tfp_words words,
				   int64_t left_out, struct tfp_arena *arena)
{
	size_t ranks = screen->loaded ? screen->about.rank_count : 0;
	struct tfp_words more = {tfp_arena_zero(arena, words.count + ranks, sizeof(*more.at)), 0};

	for (size_t i = 0; i < words.count; i++)
		more.at[more.count++] = words.at[i];
	for (size_t i = 0; i < ranks && ranks > 1; i++)
		if (screen->about.ranks[i] != left_out)
			more.at[more.count++] = tfp_arena_printf(arena, RANK_PREFIX "%lld",
								 (long long)screen->about.ranks[i]);
	return more;
}

static struct tfp_words steps(struct tfp_screen *screen, const char *text, struct tfp_arena *arena)
{
	const char *first[] = {screen->about.sums_steps ? "all" : "mean", RANK_PREFIX "all"};
	bool ranks = screen->loaded && screen->about.rank_count > 1;

	(void)text;
	return with_ranks(screen, step_words(screen, arena, first, ranks ? 2 : 1, ""), -1, arena);
}

static bool is_in(struct tfp_words words, const char *text)
{
	for (size_t i = 0; i < words.count; i++)
		if (!strcmp(words.at[i], text))
			return true;
	return false;
}

/* A word that is known is -1 for all, or a number. */
static int64_t number_of(const char *word)
{
	long long number;

	return sscanf(word, "%lld", &number) == 1 ? number : -1;
}

static void run_step(struct tfp_screen *screen, const char *text)
{
	struct tfp_arena arena = {0};
	struct tfp_words valid = steps(screen, text, &arena);
	size_t prefix = strlen(RANK_PREFIX);
	bool all;

	text = as_spelt(text, valid);
	all = !strcmp(text, "mean") || !strcmp(text, "all");
	if (!all && !is_in(valid, text))
		fail_unknown(screen, "step", text, valid, &arena);
	else if (screen->loaded && !strncmp(text, RANK_PREFIX, prefix))
		tfp_screen_choose_rank(screen, number_of(text + prefix));
	else if (screen->loaded)
		tfp_screen_choose_step(screen, number_of(text));
	tfp_arena_free(&arena);
}

const struct tfp_argument tfp_takes_step = {"N", steps, run_step};

/* ---- files and folders ---- */

#define LISTED 1000 /* names of a folder that are looked at */

/* NAME in FOLDER as completion goes on: folders have a slash. */
static char *path_word(struct tfp_arena *arena, const char *shown, const char *folder,
		       const char *name)
{
	struct stat info;
	bool is_folder = !stat(tfp_arena_printf(arena, "%s%s", folder, name), &info) &&
			 S_ISDIR(info.st_mode);

	return tfp_arena_printf(arena, "%s%s%s", shown, name, is_folder ? "/" : "");
}

static struct tfp_words path_words(struct tfp_screen *screen, const char *text,
				   struct tfp_arena *arena)
{
	struct tfp_words words = {tfp_arena_zero(arena, LISTED, sizeof(*words.at)), 0};
	const char *name = tfp_path_name(text);
	char *shown = tfp_arena_text(arena, text, (size_t)(name - text));
	char *folder = tfp_sources_home(arena, *shown ? shown : "./");
	DIR *directory = opendir(folder);
	struct dirent *entry;

	(void)screen;
	while (directory && words.count < LISTED && (entry = readdir(directory)))
		if (!strncmp(entry->d_name, name, strlen(name)) &&
		    (entry->d_name[0] != '.' || *name == '.'))
			words.at[words.count++] = path_word(arena, shown, folder, entry->d_name);
	if (directory)
		closedir(directory);
	return words;
}

const struct tfp_argument tfp_takes_path = {"PATH", path_words, tfp_screen_open};
const struct tfp_argument tfp_takes_output = {"FILE", path_words, tfp_write_to};

/* Paths behind the first SIZE bytes of TEXT. */
static struct tfp_words words_behind(struct tfp_screen *screen, const char *text, size_t size,
				     struct tfp_arena *arena)
{
	struct tfp_words words = path_words(screen, text + size, arena);

	for (size_t i = 0; i < words.count; i++)
		words.at[i] = tfp_arena_printf(arena, "%.*s%s", (int)size, text, words.at[i]);
	return words;
}

/* ---- baseline ---- */

static struct tfp_words baselines(struct tfp_screen *screen, const char *text,
				  struct tfp_arena *arena)
{
	const char *first[4] = {"off"};
	const struct tfp_about *about = &screen->about;
	bool steps = about->step_count > 1, ranks = about->rank_count > 1;
	struct tfp_words words = {first, 1};

	if (!strncmp(text, FILE_PREFIX, strlen(FILE_PREFIX)))
		return words_behind(screen, text, strlen(FILE_PREFIX), arena);
	if (steps || (ranks && screen->query.rank >= 0)) {
		first[words.count++] = "mean";
		first[words.count++] = "median";
	}
	if (tfp_baseline_file(screen))
		first[words.count++] = tfp_baseline_file(screen);
	if (steps)
		words = step_words(screen, arena, first, words.count, "step:");
	return with_ranks(screen, words, screen->query.rank, arena);
}

static void run_baseline(struct tfp_screen *screen, const char *text)
{
	struct tfp_arena arena = {0};
	struct tfp_words valid = baselines(screen, text, &arena);
	const char *step = tfp_arena_printf(&arena, "step:%s", text);

	text = as_spelt(text, valid);
	/* where a number stands alone it is that of a step, as behind S */
	if (is_in(valid, step))
		text = step;
	if (tfp_listing_is(screen)) {
		tfp_screen_say(screen, "{=} compares two profiles of a list");
	} else if (screen->loaded &&
		   (is_in(valid, text) || !strncmp(text, FILE_PREFIX, strlen(FILE_PREFIX)))) {
		tfp_screen_set_baseline(screen, strcmp(text, "off") ? text : "");
		tfp_screen_ask_tree(screen);
	} else if (screen->loaded) {
		fail_unknown(screen, "baseline", text, valid, &arena);
	}
	tfp_arena_free(&arena);
}

const struct tfp_argument tfp_takes_baseline = {"WHAT", baselines, run_baseline};

/* ---- sources ---- */

/* The folder here, behind the sign. */
static struct tfp_words source_words(struct tfp_screen *screen, const char *text,
				     struct tfp_arena *arena)
{
	const char *sign = strchr(text, '=');

	return words_behind(screen, text, sign ? (size_t)(sign + 1 - text) : 0, arena);
}

static void run_sources(struct tfp_screen *screen, const char *text)
{
	struct tfp_diag *diag = tfp_diag_new();

	if (tfp_sources_add(&screen->sources, text, diag)) {
		tfp_diag_free(diag);
		screen->want_detail = true; /* it may show source text now */
		tfp_screen_say(screen, "sources are looked for in %s", text);
	} else {
		tfp_screen_fail_with(screen, diag);
	}
}

const struct tfp_argument tfp_takes_sources = {"DIR or OLD=NEW", source_words, run_sources};
