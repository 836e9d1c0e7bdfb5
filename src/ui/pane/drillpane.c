/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the drill-down pane shows, and of which kind.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/pane/drillpane.h"

const char *const tfp_pane_sizes[] = {
	[TFP_PANE_SMALL] = "small",
	[TFP_PANE_LARGE] = "large",
	[TFP_PANE_OFF] = "off",
	NULL,
};

void tfp_drillpane_clear(struct tfp_drillpane *pane)
{
	for (size_t i = 0; i < TFP_DETAILS; i++) {
		if (pane->details[i])
			tfp_breakdown_free(pane->details[i]);
		pane->details[i] = NULL;
		pane->scrolls[i] = (struct tfp_scroll){.height = pane->scrolls[i].height};
	}
	free(pane->facts);
	free(pane->name);
	pane->facts = pane->name = NULL;
	pane->count = 0;
	pane->row = TFP_NONE;
	pane->sideways = 0;
}

void tfp_drillpane_give(struct tfp_drillpane *pane, struct tfp_answer *answer)
{
	memcpy(answer->details, pane->details, sizeof(pane->details));
	memset(pane->details, 0, sizeof(pane->details));
	tfp_drillpane_clear(pane);
}

void tfp_drillpane_free(struct tfp_drillpane *pane)
{
	tfp_drillpane_clear(pane);
}

void tfp_drillpane_take(struct tfp_drillpane *pane, struct tfp_answer *answer, struct tfp_span name)
{
	struct tfp_breakdown *details[TFP_DETAILS];

	memcpy(details, answer->details, sizeof(details));
	memset(answer->details, 0, sizeof(answer->details));
	tfp_drillpane_give(pane, answer);
	for (size_t i = 0; i < TFP_DETAILS && details[i]; i++) {
		enum tfp_breakdown_kind kind = details[i]->kind;

		pane->details[i] = details[i];
		tfp_breakdown_sort(pane->details[i], pane->orders[kind].by,
				   pane->orders[kind].reverse);
		pane->scrolls[i].count = details[i]->count;
		if (pane->to_end)
			tfp_scroll_move(&pane->scrolls[i], TFP_MOVE_LAST);
		pane->count++;
	}
	for (size_t i = pane->count; i < TFP_DETAILS; i++)
		if (details[i])
			tfp_breakdown_free(details[i]);
	pane->to_end = false;
	pane->row = answer->row;
	pane->facts = answer->facts;
	answer->facts = NULL;
	pane->name = tfp_alloc(name.size + 1);
	if (name.size)
		memcpy(pane->name, name.at, name.size);
	pane->name[name.size] = '\0';
}

void tfp_drillpane_take_marked(struct tfp_drillpane *pane, struct tfp_breakdown *marked)
{
	for (size_t i = 0; i < TFP_DETAILS; i++) {
		if (pane->details[i])
			tfp_breakdown_free(pane->details[i]);
		pane->details[i] = NULL;
	}
	pane->details[0] = marked;
	pane->scrolls[0].count = marked->count;
	pane->count = 1;
	free(pane->name);
	pane->name = tfp_strdup("marked, to the first");
}

void tfp_drillpane_for_view(struct tfp_drillpane *pane, const struct tfp_about *about,
			    const struct tfp_view *view)
{
	pane->kind = about->opens_flat ? TFP_BREAKDOWN_SOURCE : (enum tfp_breakdown_kind)view->pane;
	if (about->breakdowns[pane->kind].missing &&
	    !about->breakdowns[TFP_BREAKDOWN_VALUES].missing)
		pane->kind = TFP_BREAKDOWN_VALUES;
	else if (about->breakdowns[pane->kind].missing)
		tfp_drillpane_turn(pane, about, false);
	pane->usual = pane->kind;
}

void tfp_drillpane_turn(struct tfp_drillpane *pane, const struct tfp_about *about, bool back)
{
	unsigned kind = pane->kind, step = back ? TFP_BREAKDOWN_KINDS - 1 : 1;

	do {
		kind = (kind + step) % TFP_BREAKDOWN_KINDS;
	} while (kind != pane->kind && about->breakdowns[kind].missing);
	pane->kind = kind;
}

size_t tfp_drillpane_kinds(const struct tfp_drillpane *pane, const struct tfp_about *about,
			   int cols, enum tfp_breakdown_kind kinds[TFP_DETAILS])
{
	bool source = !about->breakdowns[TFP_BREAKDOWN_SOURCE].missing;

	kinds[0] = pane->marked ? TFP_BREAKDOWN_KINDS : pane->kind;
	if (pane->marked)
		return 1;
	if (cols < TFP_SPLIT_COLS || !source || pane->kind == TFP_BREAKDOWN_MEANWHILE)
		return 1;
	if (pane->kind == TFP_BREAKDOWN_SOURCE && about->breakdowns[TFP_BREAKDOWN_NODES].missing)
		return 1;
	if (pane->kind == TFP_BREAKDOWN_SOURCE)
		kinds[0] = TFP_BREAKDOWN_NODES;
	kinds[1] = TFP_BREAKDOWN_SOURCE;
	return 2;
}

const struct tfp_breakdown_row *tfp_drillpane_row(const struct tfp_drillpane *pane, size_t which)
{
	if (which >= pane->count || pane->scrolls[which].cursor >= pane->details[which]->count)
		return NULL;
	return &pane->details[which]->rows[pane->scrolls[which].cursor];
}
