/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the built program over the reference cases of one network and compares what it writes with
 * TensorFlow's own reports, from the line `Profile:` on. Argument: a .cases file (docs in README.md
 * beside it). $TFPROF is the program, $TESTS_DIR the folder of the tests. Prints TAP.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "advice.h"

#define TIME_LIMIT_S 120
#define MAX_WORDS    96
#define PATH_ROOM    4096

enum { ID, NETWORK, FILES, MODE, KIND, COMMAND, FIELDS };

struct bytes {
	char *at;
	size_t size;
};

struct scratch {
	char dir[PATH_ROOM];
	char report[PATH_ROOM + 16]; /* where a case's {out} goes */
};

struct argv {
	char *word[MAX_WORDS + 1];
	size_t count;
};

struct result {
	int status; /* as waitpid gives it */
	struct bytes out, err;
};

static void stop(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *print(const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		stop("memory");
	va_end(args);
	return text;
}

static void add_word(struct argv *argv, char *word)
{
	if (argv->count == MAX_WORDS)
		stop("too many words in a case");
	argv->word[argv->count++] = word;
	argv->word[argv->count] = NULL;
}

/* The content of PATH, plain or gzip, with a NUL after it; {NULL, 0} if there is no such file. */
static struct bytes read_file(const char *path)
{
	struct bytes bytes = {NULL, 0};
	size_t room = 1 << 16;
	gzFile file = gzopen(path, "rb");
	int got;

	if (!file)
		return bytes;
	bytes.at = malloc(room);
	while (bytes.at &&
	       (got = gzread(file, bytes.at + bytes.size, (unsigned)(room - bytes.size - 1))) > 0) {
		bytes.size += (size_t)got;
		if (bytes.size == room - 1)
			bytes.at = realloc(bytes.at, room *= 2);
	}
	gzclose(file);
	if (!bytes.at)
		stop("memory");
	bytes.at[bytes.size] = '\0';
	return bytes;
}

/* From the first line that is exactly `Profile:` on; empty if there is none. */
static struct bytes report_part(struct bytes all)
{
	static const char mark[] = "\nProfile:\n";
	size_t length = sizeof(mark) - 1;
	char *found;

	if (all.size >= length - 1 && !memcmp(all.at, mark + 1, length - 1))
		return all;
	found = all.size ? memmem(all.at, all.size, mark, length) : NULL;
	if (!found)
		return (struct bytes){NULL, 0};
	return (struct bytes){found + 1, all.size - (size_t)(found + 1 - all.at)};
}

/* Where the input NAME of NETWORK lies; the demo's files are not stored twice. */
static char *input_path(const char *tests, const char *network, const char *name)
{
	char *path = print("%s/data/tf/%s/%s.gz", tests, network, name);

	if (!access(path, R_OK))
		return path;
	free(path);
	return print("%s/../data/demo/%s.gz", tests, name);
}

/* --run_meta_path=A,B for STEPS "0,2". */
static char *run_meta_flag(const char *tests, const char *network, char *steps)
{
	char *flag = print("--run_meta_path="), *rest = steps, *step;
	const char *comma = "";

	while ((step = strsep(&rest, ","))) {
		char *name = print("run_meta_%s.pb", step);
		char *path = input_path(tests, network, name);
		char *longer = print("%s%s%s", flag, comma, path);

		free(name);
		free(path);
		free(flag);
		flag = longer;
		comma = ",";
	}
	return flag;
}

/* --graph_path=TESTS/data/PATH for PART "graph_path=PATH". */
static char *placed_flag(const char *tests, const char *part)
{
	int name = (int)strcspn(part, "=");

	return print("--%.*s=%s/data/%s", name, part, tests, part + name + 1);
}

static void add_inputs(struct argv *argv, const char *tests, const char *network, char *files)
{
	static const struct {
		const char *word, *flag, *name;
	} inputs[] = {
		{"graph", "graph_path", "graph.pb"},
		{"pbtxt", "graph_path", "graph.pbtxt"},
		{"op_log", "op_log_path", "op_log.pb"},
		{"profile", "profile_path", "profile.pb"},
	};
	char *part;

	while ((part = strsep(&files, ";"))) {
		if (!strncmp(part, "run_meta=", 9)) {
			add_word(argv, run_meta_flag(tests, network, part + 9));
			continue;
		}
		if (strchr(part, '/')) {
			add_word(argv, placed_flag(tests, part));
			continue;
		}
		for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++) {
			char *path;

			if (strcmp(part, inputs[i].word))
				continue;
			path = input_path(tests, network, inputs[i].name);
			add_word(argv, print("--%s=%s", inputs[i].flag, path));
			free(path);
		}
	}
}

/* The words of COMMAND, {out} replaced. */
static void add_command(struct argv *argv, const struct scratch *scratch, char *command)
{
	char *word;

	while ((word = strsep(&command, " "))) {
		char *out = strstr(word, "{out}");

		if (out)
			add_word(argv, print("%.*s%s%s", (int)(out - word), word, scratch->report,
					     out + strlen("{out}")));
		else
			add_word(argv, print("%s", word));
	}
}

static void child(const struct scratch *scratch, char *const argv[])
{
	int in = open("/dev/null", O_RDONLY), out, err;

	if (chdir(scratch->dir))
		_exit(126);
	out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(126);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", scratch->dir, 1);
	alarm(TIME_LIMIT_S);
	execv(argv[0], argv);
	_exit(127);
}

static struct result run(const struct scratch *scratch, const struct argv *argv)
{
	struct result result;
	char *out = print("%s/stdout", scratch->dir), *err = print("%s/stderr", scratch->dir);
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		child(scratch, argv->word);
	if (pid < 0 || waitpid(pid, &result.status, 0) < 0)
		stop("run");
	result.out = read_file(out);
	result.err = read_file(err);
	free(out);
	free(err);
	return result;
}

/* The number of the first line in which WANT and GOT differ, and that line of each, as TAP remarks. */
static void show_difference(FILE *notes, struct bytes want, struct bytes got)
{
	size_t at = 0, start = 0, line = 1;

	while (at < want.size && at < got.size && want.at[at] == got.at[at]) {
		if (want.at[at++] == '\n') {
			start = at;
			line++;
		}
	}
	fprintf(notes, "# line %zu\n", line);
	fprintf(notes, "# want: %.*s\n", (int)strcspn(want.at + start, "\n"), want.at + start);
	if (start < got.size)
		fprintf(notes, "# got:  %.*s\n", (int)strcspn(got.at + start, "\n"),
			got.at + start);
	else
		fprintf(notes, "# got:  nothing more\n");
}

/* The reference file NAME, plain or packed. */
static struct bytes read_golden(const char *tests, const char *name)
{
	char *plain = print("%s/golden/tf/%s", tests, name), *packed = print("%s.gz", plain);
	struct bytes want = read_file(plain);

	if (!want.at)
		want = read_file(packed);
	if (!want.at)
		stop(plain);
	free(plain);
	free(packed);
	return want;
}

static bool same_bytes(FILE *notes, const char *tests, const char *name, struct bytes got)
{
	struct bytes want = read_golden(tests, name);
	bool same;

	same = want.size == got.size && !memcmp(want.at, got.at ? got.at : "", want.size);
	if (!same)
		show_difference(notes, want, got);
	free(want.at);
	return same;
}

static bool same_report(FILE *notes, const char *tests, const char *id, struct bytes all)
{
	char *name = print("%s.txt", id);
	bool same = same_bytes(notes, tests, name, report_part(all));

	free(name);
	return same;
}

static bool same_facts(FILE *notes, const char *tests, const char *id, struct bytes got)
{
	char *name = print("%s.txt", id);
	struct bytes want = read_golden(tests, name);
	bool same = same_advice(notes, want.at, got.at ? got.at : "");

	free(name);
	free(want.at);
	return same;
}

static bool same_pprof(FILE *notes, const char *tests, const char *id, struct bytes got)
{
	char *name = print("%s.pprof", id);
	bool same = same_bytes(notes, tests, name, got);

	free(name);
	return same;
}

/* How many files in FOLDER have names that begin with BEGIN. */
static size_t count_files(const char *folder, const char *begin)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t count = 0;

	while (dir && (entry = readdir(dir)))
		count += !strncmp(entry->d_name, begin, strlen(begin));
	if (dir)
		closedir(dir);
	return count;
}

/* A timeline is a file for each step: "report_0" is ID.timeline_0.json. */
static bool same_timelines(FILE *notes, const char *tests, const char *id,
			   const struct scratch *scratch)
{
	char *folder = print("%s/golden/tf", tests), *begin = print("%s.timeline_", id);
	size_t wanted = count_files(folder, begin), written = count_files(scratch->dir, "report_");
	DIR *dir = opendir(scratch->dir);
	struct dirent *entry;
	bool same = wanted && wanted == written;

	if (!same)
		fprintf(notes, "# %zu files written, not %zu\n", written, wanted);
	while (same && dir && (entry = readdir(dir))) {
		char *path = print("%s/%s", scratch->dir, entry->d_name), *name;
		struct bytes got;

		if (!strncmp(entry->d_name, "report_", 7)) {
			name = print("%s%s.json", begin, entry->d_name + 7);
			got = read_file(path);
			same = same_bytes(notes, tests, name, got);
			free(name);
			free(got.at);
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	free(folder);
	free(begin);
	return same;
}

static bool judge(FILE *notes, const char *tests, const struct scratch *scratch,
		  char *const field[], const struct result *result)
{
	struct bytes file = read_file(scratch->report);
	bool ok = false, silent = !report_part(result->out).size && !file.at;

	if (!strcmp(field[KIND], "none"))
		ok = silent && !result->status;
	else if (!strcmp(field[KIND], "error"))
		ok = silent && result->err.size && WIFEXITED(result->status) &&
		     WEXITSTATUS(result->status);
	else if (!strcmp(field[KIND], "file"))
		ok = !result->status && same_report(notes, tests, field[ID], file);
	else if (!strcmp(field[KIND], "timeline"))
		ok = !result->status && same_timelines(notes, tests, field[ID], scratch);
	else if (!strcmp(field[KIND], "advise"))
		ok = !result->status && same_facts(notes, tests, field[ID], result->out);
	else if (!strcmp(field[KIND], "pprof"))
		ok = !result->status && same_pprof(notes, tests, field[ID], file);
	else if (!strcmp(field[KIND], "text"))
		ok = !result->status && same_report(notes, tests, field[ID], result->out);
	else
		fprintf(notes, "# there is no kind %s\n", field[KIND]);
	if (result->status)
		fprintf(notes, "# ended with status 0x%x\n", (unsigned)result->status);
	free(file.at);
	return ok;
}

static void show_command(FILE *notes, const struct argv *argv, struct bytes err)
{
	fprintf(notes, "#");
	for (size_t i = 0; i < argv->count; i++)
		fprintf(notes, " '%s'", argv->word[i]);
	fprintf(notes, "\n# stderr: %.*s\n", err.at ? (int)strcspn(err.at, "\n") : 0,
		err.at ? err.at : "");
}

/* What a run left: reports and timelines. */
static void clear_scratch(const struct scratch *scratch)
{
	DIR *dir = opendir(scratch->dir);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

static void test_case(size_t number, const char *tests, const struct scratch *scratch,
		      char *field[])
{
	struct argv argv = {.count = 0};
	struct result result;
	char *name = print("%s %s", field[ID], field[COMMAND]), *said = NULL;
	size_t size;
	FILE *notes = open_memstream(&said, &size);
	bool ok;

	if (!notes)
		stop("memory");
	add_word(&argv, print("%s", getenv("TFPROF")));
	add_command(&argv, scratch, field[COMMAND]);
	add_inputs(&argv, tests, field[NETWORK], field[FILES]);
	if (!strcmp(field[MODE], "tf"))
		add_word(&argv, print("--compat=tf"));
	result = run(scratch, &argv);
	ok = judge(notes, tests, scratch, field, &result);
	if (!ok)
		show_command(notes, &argv, result.err);
	fclose(notes);
	printf("%s %zu - %s\n%s", ok ? "ok" : "not ok", number, name, ok ? "" : said);
	free(said);
	clear_scratch(scratch);
	for (size_t i = 0; i < argv.count; i++)
		free(argv.word[i]);
	free(name);
	free(result.out.at);
	free(result.err.at);
}

/* Cuts LINE at its tabs; false if it has not the fields of a case. */
static bool cut(char *line, char *field[FIELDS])
{
	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < FIELDS; i++)
		if (!(field[i] = strsep(&line, "\t")))
			return false;
	return strcmp(field[ID], "id") != 0;
}

static void make_scratch(struct scratch *scratch)
{
	const char *base = getenv("TMPDIR");

	snprintf(scratch->dir, sizeof(scratch->dir), "%s/tfprof-golden-XXXXXX",
		 base ? base : "/tmp");
	if (!mkdtemp(scratch->dir))
		stop("scratch folder");
	snprintf(scratch->report, sizeof(scratch->report), "%s/report", scratch->dir);
}

int main(int argc, char **argv)
{
	const char *tests = getenv("TESTS_DIR"), *only = getenv("CASE");
	FILE *cases = argc == 2 ? fopen(argv[1], "r") : NULL;
	struct scratch scratch;
	char *line = NULL, *field[FIELDS];
	size_t room = 0, number = 0;

	if (!tests || !getenv("TFPROF") || !cases)
		stop("usage: TFPROF=program TESTS_DIR=tests golden FILE.cases");
	make_scratch(&scratch);
	while (getline(&line, &room, cases) > 0) {
		if (!cut(line, field) || (only && strcmp(only, field[ID])))
			continue;
		number++;
		test_case(number, tests, &scratch, field);
	}
	printf("1..%zu\n", number);
	free(line);
	fclose(cases);
	clear_scratch(&scratch);
	rmdir(scratch.dir);
	return 0;
}
