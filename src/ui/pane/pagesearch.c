/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search in the page of text that is open, as it is in the tree: typing goes to the first line that has
 * the text, Esc back to where it began.
 */
#include "ui/screen.h"

static void say_count(struct tfp_screen *screen, size_t lines)
{
	const char *text = screen->page.match;

	if (lines)
		tfp_screen_say(screen, "%zu %s with \"%s\"   {n} next, {N} before", lines,
			       lines == 1 ? "line" : "lines", text);
	else
		tfp_screen_fail(screen, "\"%s\" is not on this page", text);
}

static void search(struct tfp_screen *screen, const char *text)
{
	struct tfp_textpane *page = &screen->page;
	size_t lines = tfp_textpane_search(page, text);

	page->found = page->scroll.top = page->before;
	if (!page->match)
		return;
	tfp_textpane_next(page, true, true);
	say_count(screen, lines);
}

static void drop(struct tfp_screen *screen)
{
	search(screen, "");
}

static const struct tfp_prompt_kind page_prompt = {
	.sign = "/",
	.remembers = TFP_PAST_SEARCHES,
	.changed = search,
	.entered = search,
	.dropped = drop,
};

void tfp_page_search_prompt(struct tfp_screen *screen)
{
	screen->page.before = screen->page.scroll.top;
	tfp_prompt_open(screen, &page_prompt);
}

void tfp_page_search_next(struct tfp_screen *screen, bool forward)
{
	struct tfp_textpane *page = &screen->page;

	if (page->match)
		tfp_textpane_next(page, forward, false);
	else
		tfp_screen_say(screen, "nothing to search for yet: {/} asks for a text");
}
