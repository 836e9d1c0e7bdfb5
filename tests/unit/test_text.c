/* SPDX-License-Identifier: Apache-2.0 */
/* Text in a terminal: cleaning, measuring, cutting, shortening; the progress of a job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tfprof/base.h"

#define BAD "\uFFFD"

struct clean_case {
	struct tfp_span raw;
	const char *utf8, *ascii;
};

static void hostile_bytes_become_visible(void **state)
{
	static const struct clean_case cases[] = {
		{{"conv2d/Relu:0", 13}, "conv2d/Relu:0", "conv2d/Relu:0"},
		{{"", 0}, "", ""},
		{{NULL, 0}, "", ""},
		{{"a\tb\nc\033[31m\x7f", 11}, "a" BAD "b" BAD "c" BAD "[31m" BAD, "a?b?c?[31m?"},
		{{"a\0b", 3}, "a" BAD "b", "a?b"},
		{{"\xc2\x9b"
		  "1m",
		  4},
		 BAD "1m",
		 "?1m"}, /* C1 control sequence introducer */
		{{"\u202Egnp.exe\u202C", 13}, BAD "gnp.exe" BAD, "?gnp.exe?"},
		{{"\u2066a\u2069\u200Fb\u061C", 12}, BAD "a" BAD BAD "b" BAD, "?a??b?"},
		{{"\uFEFFx\u200By\u200D\u00ADz", 14}, BAD "x" BAD "y" BAD BAD "z", "?x?y??z"},
		{{"a\u2028b\u2029", 8}, "a" BAD "b" BAD, "a?b?"},
		{{"\xff\xfe", 2}, BAD BAD, "??"},
		{{"\xc3", 1}, BAD, "?"}, /* cut short */
		{{"\xe4\xbd", 2}, BAD BAD, "??"},
		{{"\xc0\xaf", 2}, BAD BAD, "??"},                   /* overlong */
		{{"\xed\xa0\x80", 3}, BAD BAD BAD, "???"},          /* surrogate */
		{{"\xf4\x90\x80\x80", 4}, BAD BAD BAD BAD, "????"}, /* above U+10FFFF */
		{{"\xef\xbf\xbf\xef\xb7\x90", 6}, BAD BAD, "??"},   /* noncharacters */
		{{"\xf3\xa0\x81\x81", 4}, BAD, "?"},                /* a tag */
		{{"中é", 5}, "中é", "??"},
		{{"e\u0301", 3}, "e\u0301", "e?"},
		{{"\u0301x", 3}, BAD "x", "?x"}, /* a mark with nothing below it */
	};
	char buffer[100];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tfp_text_clean(buffer, sizeof(buffer), cases[i].raw, false),
				 strlen(cases[i].utf8));
		assert_string_equal(buffer, cases[i].utf8);
		tfp_text_clean(buffer, sizeof(buffer), cases[i].raw, true);
		assert_string_equal(buffer, cases[i].ascii);
	}
}

static void marks_do_not_pile_up(void **state)
{
	struct tfp_span zalgo = TFP_SPAN("a\u0301\u0302\u0303\u0304\u0305\u0306");
	char buffer[100];

	(void)state;
	tfp_text_clean(buffer, sizeof(buffer), zalgo, false);
	assert_string_equal(buffer, "a\u0301\u0302\u0303\u0304" BAD "\u0306");
}

static void cleaning_never_splits(void **state)
{
	char buffer[8] = "-------";

	(void)state;
	assert_int_equal(tfp_text_clean(buffer, 0, TFP_SPAN("abc"), false), 0);
	assert_int_equal(buffer[0], '-');
	assert_int_equal(tfp_text_clean(buffer, 1, TFP_SPAN("abc"), false), 0);
	assert_string_equal(buffer, "");
	assert_int_equal(tfp_text_clean(buffer, 3, TFP_SPAN("中a"), false), 0);
	assert_int_equal(tfp_text_clean(buffer, 4, TFP_SPAN("中a"), false), 3);
	assert_int_equal(tfp_text_clean(buffer, 6, TFP_SPAN("a\x80\x80"), false), 4);
	assert_string_equal(buffer, "a" BAD);
}

static void cells_of_text(void **state)
{
	static const struct {
		const char *text;
		size_t cells;
	} cases[] = {
		{"", 0},           {"conv", 4},         {"中文", 4},
		{"e\u0301", 1},    {"\u00B0\u2192", 2}, {"\u2026", 1},
		{"\U0001F600", 2}, {"\uD55C", 2},       {"\u1112\u1161\u11AB", 2},
		{"\uFF71", 1},     {"\u0915\u093E", 2}, {BAD, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(tfp_text_cells(cases[i].text, strlen(cases[i].text)),
				 cases[i].cells);
	assert_int_equal(tfp_text_cells("\xff\xc3", 2), 2); /* not clean, yet safe */
}

static void fitting_takes_whole_characters(void **state)
{
	size_t taken;

	(void)state;
	assert_int_equal(tfp_text_fit("conv2d", 6, 4, &taken), 4);
	assert_int_equal(taken, 4);
	assert_int_equal(tfp_text_fit("中文", 6, 3, &taken), 3);
	assert_int_equal(taken, 2);
	assert_int_equal(tfp_text_fit("e\u0301x", 4, 1, NULL), 3);
	assert_int_equal(tfp_text_fit("abc", 3, 0, &taken), 0);
	assert_int_equal(taken, 0);
	assert_int_equal(tfp_text_fit("abc", 3, SIZE_MAX, &taken), 3);
}

static void the_middle_is_lost(void **state)
{
	static const struct {
		const char *text;
		size_t cells;
		const char *ellipsis, *expected;
	} cases[] = {
		{"conv2d", 6, "…", "conv2d"},
		{"conv2d", 0, "…", ""},
		{"conv2d", 1, "…", "…"},
		{"gradients/unit_1_3/sub2/conv2", 20, "…", "gradient…/sub2/conv2"},
		{"gradients/unit_1_3/sub2/conv2", 7, "…", "…/conv2"},
		{"gradients/unit_1_3/sub2/conv2", 6, "…", "…conv2"},
		{"gradients/unit_1_3/sub2/conv2", 5, "…", "g…nv2"},
		{"a/b/c/d/e/f/g", 7, "~", "a/~/f/g"},
		{"vectorized_elementwise_kernel", 10, "…", "vec…kernel"},
		{"模型/中间层/卷积核", 9, "…", "…/卷积核"},
		{"abcde\u0301fgh", 4, "…", "a…gh"},
		{"x/", 1, "…", "…"},
	};
	char buffer[100];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t size =
			tfp_text_shorten(buffer, sizeof(buffer), cases[i].text,
					 strlen(cases[i].text), cases[i].cells, cases[i].ellipsis);

		assert_int_equal(size, strlen(buffer));
		assert_true(tfp_text_cells(buffer, size) <= cases[i].cells);
		assert_string_equal(buffer, cases[i].expected);
	}
}

static void the_start_is_lost(void **state)
{
	static const struct {
		const char *text;
		size_t cells;
		const char *expected;
	} cases[] = {
		{"ckpt/run/block_0/model.index", 28, "ckpt/run/block_0/model.index"},
		{"ckpt/run/block_0/model.index", 27, "…/run/block_0/model.index"},
		{"ckpt/run/block_0/model.index", 21, "…/block_0/model.index"},
		{"ckpt/run/block_0/model.index", 19, "…lock_0/model.index"},
		{"ckpt/run/block_0/model.index", 6, "…index"},
		{"model.index", 6, "…index"},
		{"a/模型", 4, "…型"},
		{"model.index", 1, "…"},
		{"model.index", 0, ""},
	};
	char buffer[100];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tfp_text_shorten_start(buffer, sizeof(buffer), cases[i].text, strlen(cases[i].text),
				       cases[i].cells, "…");
		assert_string_equal(buffer, cases[i].expected);
	}
	assert_int_equal(tfp_text_shorten_start(buffer, 4, "model", 5, 4, "…"), 3);
	assert_string_equal(buffer, "…");
}

static void texts_are_pushed(void **state)
{
	static const struct {
		size_t from, cells;
		const char *expected;
	} cases[] = {
		{0, 11, "model.index"},
		{8, 11, "model.index"},
		{0, 7, "mo…ndex"},
		{2, 7, "…el.in…"},
		{4, 7, "….index"},
		{800, 7, "….index"},
		{2, 1, "…"},
		{2, 0, ""},
	};
	char buffer[100];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tfp_text_shorten_from(buffer, sizeof(buffer), "model.index", 11, cases[i].from,
				      cases[i].cells, "…");
		assert_string_equal(buffer, cases[i].expected);
	}
}

static void the_last_part_stays(void **state)
{
	static const char *const names[] = {
		"gradients/resnet/unit_1_3/sub2/conv2/Conv2DBackpropFilter",
		"模型/中间层/卷积核/输出",
		"model/a_rather_long_scope_without_any_end/x",
	};
	char buffer[100];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *last = strrchr(names[i], '/') + 1;
		size_t part = tfp_text_cells(last, strlen(last)), size = strlen(names[i]);

		for (size_t cells = part + 1; cells < size; cells++) {
			tfp_text_shorten(buffer, sizeof(buffer), names[i], size, cells, "…");
			assert_non_null(strstr(buffer, last));
			assert_true(tfp_text_cells(buffer, strlen(buffer)) <= cells);
		}
	}
}

static void names_alike_are_told_apart(void **state)
{
	static const char one[] = "engine: ReluBackward > aten > launch";
	static const char other[] = "engine: MeanBackward > aten > launch";
	struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};
	char buffer[64];

	(void)state;
	/* what fits, differs when shortened, or is the same has no need of that */
	tfp_text_compare(&apart, one, strlen(one), other, strlen(other), 40, "~");
	tfp_text_compare(&apart, "abcdefgh", 8, "bbcdefgh", 8, 4, "~");
	tfp_text_compare(&apart, one, strlen(one), one, strlen(one), 16, "~");
	assert_int_equal(apart.alike.count, 0);
	tfp_text_shorten_apart(buffer, sizeof(buffer), "model/a/b/c", 11, &apart, 6, "~");
	assert_string_equal(buffer, "m~/b/c");
	tfp_text_compare(&apart, one, strlen(one), other, strlen(other), 16, "~");
	tfp_text_compare(&apart, one, strlen(one), other, strlen(other), 16, "~");
	assert_int_equal(apart.alike.count, 1);
	assert_int_equal(apart.alike.at[0], 8);
	tfp_text_shorten_apart(buffer, sizeof(buffer), one, strlen(one), &apart, 16, "~");
	assert_string_equal(buffer, "en~ReluBackward~");
	tfp_text_shorten_apart(buffer, sizeof(buffer), other, strlen(other), &apart, 34, "~");
	assert_string_equal(buffer, "engin~MeanBackward > aten > launch");
}

/* Kernels have no path, but long words. */
static void kernels_alike_begin_with_parts_of_words(void **state)
{
	static const char *const names[] = {
		"void cudnn::precompiled::nchwToNhwcKernel<float, true, (cudnnKernelDataType_t)0>(int)",
		"void cudnn::precompiled::nchwToNhwcKernel<float, true, (cudnnKernelDataType_t)2>(int)",
		"void cudnn::precompiled::nhwcToNchwKernel<float, true, (cudnnKernelDataType_t)0>(int)",
	};
	char cut[3][100];

	(void)state;
	for (size_t cells = 12; cells < 84; cells++) {
		for (size_t i = 0; i < 3; i++) {
			struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};

			for (size_t j = 0; j < 3; j++)
				tfp_text_compare(&apart, names[i], strlen(names[i]), names[j],
						 strlen(names[j]), cells, "~");
			tfp_text_shorten_apart(cut[i], sizeof(cut[i]), names[i], strlen(names[i]),
					       &apart, cells, "~");
		}
		assert_string_not_equal(cut[0], cut[1]);
		assert_string_not_equal(cut[0], cut[2]);
		if (cells == 36) {
			assert_string_equal(cut[0], "void c~nchwToNhwcKernel~pe_t)0>(int)");
			assert_string_equal(cut[2], "void c~nhwcToNchwKernel~pe_t)0>(int)");
		}
	}
}

/* Names of some thousand letters, which differ early and end alike. */
static void very_long_names_are_told_apart(void **state)
{
	char names[2][3000], cut[2][100];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		memset(names[i], 'x', sizeof(names[i]));
		memcpy(names[i] + 40, i ? " Forward," : " Backward,", i ? 9 : 10);
		memset(names[i] + 50, 'y', 2900);
	}
	for (size_t i = 0; i < 2; i++) {
		struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};

		tfp_text_compare(&apart, names[i], 3000, names[1 - i], 3000, 27, "~");
		tfp_text_shorten_apart(cut[i], sizeof(cut[i]), names[i], 3000, &apart, 27, "~");
		assert_non_null(strstr(cut[i], i ? "Forward" : "Backward"));
	}
}

/* Paths of a network, in which several parts differ; returns the bytes. */
static size_t path_of(size_t i, char path[100])
{
	static const char *const ends[] = {"Filter", "Input"};

	return (size_t)snprintf(path, 100,
				"gradients/unit_%zu_%zu/模型%zu/conv1/Conv2D_grad/Conv2DBackprop%s",
				i / 12 % 3 + 1, i / 4 % 3, i / 2 % 2, ends[i % 2]);
}

static void shorten_path(size_t i, size_t count, size_t cells, char out[100])
{
	struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};
	char path[100], other[100];
	size_t size = path_of(i, path);

	for (size_t j = 0; j < count; j++)
		tfp_text_compare(&apart, path, size, other, path_of(j, other), cells, "…");
	tfp_text_shorten_apart(out, 100, path, size, &apart, cells, "…");
	assert_true(tfp_text_cells(out, strlen(out)) <= cells);
}

static void paths_alike_keep_what_differs_and_their_last_part(void **state)
{
	static char cut[36][100];
	char path[100];

	(void)state;
	for (size_t cells = 1; cells < 70; cells++)
		for (size_t i = 0; i < 36; i++) {
			size_t part = (path_of(i, path), strlen(strrchr(path, '/')));

			shorten_path(i, 36, cells, cut[i]);
			/* three letters that differ, and as many gaps */
			if (cells >= part + 9)
				assert_non_null(strstr(cut[i], strrchr(path, '/')));
			for (size_t j = 0; cells >= 16 && j < i; j++)
				assert_string_not_equal(cut[i], cut[j]);
		}
	shorten_path(17, 36, 46, cut[0]);
	assert_string_equal(cut[0], "gradien…unit_2_1…模型0…rad/Conv2DBackpropInput");
}

static void shortening_respects_room(void **state)
{
	char buffer[32];

	(void)state;
	assert_int_equal(tfp_text_shorten(buffer, 0, "abc", 3, 3, "…"), 0);
	for (size_t room = 1; room < sizeof(buffer); room++) {
		memset(buffer, '#', sizeof(buffer));
		assert_true(tfp_text_shorten(buffer, room, "模型/中间层/卷积", 23, 12, "…") < room);
		assert_true(tfp_text_cells(buffer, strlen(buffer)) <= 12);
		if (room < sizeof(buffer) - 1)
			assert_int_equal(buffer[room], '#');
	}
	assert_int_equal(tfp_text_shorten(buffer, sizeof(buffer), NULL, 0, 5, "…"), 0);
}

static void count_tick(struct tfp_job *job, void *data)
{
	*(uint64_t *)data += atomic_load(&job->done);
}

static void job_tells_and_ends(void **state)
{
	uint64_t told = 0;
	struct tfp_job job = {.tick = count_tick, .data = &told}, quiet = {0};

	(void)state;
	tfp_job_progress(&job, 3);
	tfp_job_progress(&job, 4);
	tfp_job_progress(&quiet, 9);
	tfp_job_progress(NULL, 9);
	assert_int_equal(told, 7);
	assert_int_equal(atomic_load(&quiet.done), 9);
	assert_false(tfp_job_cancelled(NULL));
	assert_false(tfp_job_cancelled(&job));
	atomic_store(&job.cancel, true);
	assert_true(tfp_job_cancelled(&job));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_bytes_become_visible),
		cmocka_unit_test(marks_do_not_pile_up),
		cmocka_unit_test(cleaning_never_splits),
		cmocka_unit_test(cells_of_text),
		cmocka_unit_test(fitting_takes_whole_characters),
		cmocka_unit_test(the_middle_is_lost),
		cmocka_unit_test(the_start_is_lost),
		cmocka_unit_test(texts_are_pushed),
		cmocka_unit_test(the_last_part_stays),
		cmocka_unit_test(shortening_respects_room),
		cmocka_unit_test(names_alike_are_told_apart),
		cmocka_unit_test(kernels_alike_begin_with_parts_of_words),
		cmocka_unit_test(very_long_names_are_told_apart),
		cmocka_unit_test(paths_alike_keep_what_differs_and_their_last_part),
		cmocka_unit_test(job_tells_and_ends),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
