/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of one run: see ranked.h. PyTorch writes which of how many ranks a recording is of, before the events or behind them;
 * where it does not, its names say by whom and when.
 */
#include "load/find/ranked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAIL        ((size_t)64 << 10) /* bytes at the end of a file that are looked at */
#define MOST_RANKS  4096               /* of a folder that are looked at together */
#define MINUTE      INT64_C(60000)
#define WHEN_DIGITS 13 /* of ms since 1970; with more they are ns */

/* ---- what a file says ------------------------------------------------------------------------ */

void tfp_ranked_info(struct tfp_json *json, int64_t *rank, int64_t *ranks)
{
	struct tfp_json_token key, value;

	while (tfp_json_next(json, &key) == TFP_JSON_KEY) {
		tfp_json_next(json, &value);
		tfp_json_skip(json, &value);
		if (tfp_span_is(key.text, "rank"))
			tfp_json_integer(&value, 0, rank);
		else if (tfp_span_is(key.text, "world_size"))
			tfp_json_integer(&value, 0, ranks);
	}
}

/* Within a string its quotes would have backslashes. */
static bool find_in_plain(struct tfp_ranked *ranked, struct tfp_span text)
{
	static const char word[] = "\"distributedInfo\"";
	const char *end = text.at + text.size;
	const char *at = text.size ? memmem(text.at, text.size, word, sizeof(word) - 1) : NULL;
	const char *open = at ? memchr(at, '{', (size_t)(end - at)) : NULL;
	int64_t rank = -1, ranks = 0;
	struct tfp_json_token token;
	struct tfp_json json;

	if (!open)
		return false;
	tfp_json_start(&json, (struct tfp_span){open, (size_t)(end - open)});
	tfp_json_next(&json, &token);
	tfp_ranked_info(&json, &rank, &ranks);
	tfp_json_stop(&json);
	if (rank >= 0 && ranks > 1) {
		ranked->rank = rank;
		ranked->ranks = ranks;
	}
	return true;
}

static bool find_info(struct tfp_ranked *ranked, const char *text, size_t size)
{
	struct tfp_json_bytes room = {0};
	bool found = find_in_plain(ranked, tfp_json_plain((struct tfp_span){text, size}, &room));

	tfp_array_free(&room);
	return found;
}

/* It may follow the events. What is packed has none of its words there. */
static void look_at_end(struct tfp_ranked *ranked, const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = tfp_alloc(TAIL);

	if (file && (!fseek(file, -(long)TAIL, SEEK_END) || !fseek(file, 0, SEEK_SET)))
		find_info(ranked, text, fread(text, 1, TAIL, file));
	if (file)
		fclose(file);
	free(text);
}

/* "WORKER.TIME.pt.trace.json", as TensorBoard has it, with or without ".gz". */
static void read_name(struct tfp_ranked *ranked, const char *name)
{
	const char *end = strstr(name, ".pt.trace.json"), *dot;

	dot = end && end > name ? memrchr(name, '.', (size_t)(end - name)) : NULL;
	if (!dot || dot == name || end - dot - 1 < WHEN_DIGITS)
		return;
	for (const char *at = dot + 1; at < end; at++)
		if (*at < '0' || *at > '9')
			return;
	for (const char *at = dot + 1; at <= dot + WHEN_DIGITS; at++)
		ranked->when = ranked->when * 10 + (*at - '0');
	ranked->worker = (struct tfp_span){name, (size_t)(dot - name)};
}

void tfp_ranked_read(struct tfp_ranked *ranked, const struct tfp_source *head, const char *path)
{
	*ranked = (struct tfp_ranked){0};
	read_name(ranked, tfp_path_name(path));
	if (!find_info(ranked, (const char *)head->data, head->size))
		look_at_end(ranked, path);
}

/* ---- what belongs together --------------------------------------------------------------------- */

static bool says_anything(const struct tfp_ranked *file)
{
	return file->ranks || file->worker.size;
}

static bool is_same_rank(const struct tfp_ranked *a, const struct tfp_ranked *b)
{
	return a->ranks ? a->rank == b->rank : tfp_span_equal(a->worker, b->worker);
}

/*
 * Are they of one run, as far as they say it? Ranks write when they have recorded the same steps, so hardly minutes apart;
 * by names alone two runs in one folder would look so, too.
 */
static bool is_same_run(const struct tfp_ranked *a, const struct tfp_ranked *b)
{
	int64_t apart = a->when > b->when ? a->when - b->when : b->when - a->when;

	if (a->ranks != b->ranks)
		return false;
	return !a->when || !b->when || apart <= (a->ranks ? 10 * MINUTE : MINUTE);
}

/* Each goes into the first group of its run that has not its rank yet. */
void tfp_ranked_group(const struct tfp_ranked *files, size_t count, uint32_t *group)
{
	uint32_t groups = 0, *first = tfp_realloc_array(NULL, count + 1, sizeof(*first));
	bool *open = tfp_alloc_zero(count + 1, sizeof(*open));

	for (size_t i = 0; i < count; i++) {
		bool looks = says_anything(&files[i]) && count <= MOST_RANKS;
		uint32_t at = 0;

		for (uint32_t k = 0; looks && k < groups; k++)
			open[k] = says_anything(&files[first[k]]) &&
				  is_same_run(&files[i], &files[first[k]]);
		for (size_t k = 0; looks && k < i; k++)
			if (is_same_rank(&files[i], &files[k]))
				open[group[k]] = false;
		while (looks && at < groups && !open[at])
			at++;
		if (!looks || at == groups) {
			at = groups;
			first[groups++] = (uint32_t)i;
		}
		group[i] = at;
	}
	free(open);
	tfp_array_release(first);
}
