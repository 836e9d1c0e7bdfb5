/* SPDX-License-Identifier: Apache-2.0 */
/* The views, in the order of their digits. A new view is one file and one line here. */
#include <string.h>

#include "view/base.h"

const struct tfp_view *const tfp_views[] = {
	&tfp_view_summary,   &tfp_view_scope,  &tfp_view_graph, &tfp_view_op,      &tfp_view_code,
	&tfp_view_functions, &tfp_view_device, &tfp_view_model, &tfp_view_steps,   &tfp_view_idle,
	&tfp_view_memory,    &tfp_view_time,   &tfp_view_files, &tfp_view_printed, NULL,
};

_Static_assert(sizeof(tfp_views) / sizeof(*tfp_views) <= TFP_MAX_VIEWS + 1, "room for every view");

const struct tfp_view *tfp_view_find(const char *name)
{
	for (size_t i = 0; tfp_views[i]; i++)
		if (strcmp(tfp_views[i]->name, name) == 0)
			return tfp_views[i];
	return NULL;
}

const char *tfp_view_missing(const struct tfp_view *view, const struct tfp_profile *profile)
{
	const char *missing = view->missing(profile);

	if (profile->listing && !view->listing)
		return "a list has no views: Enter opens a profile";
	if (profile->share && view->of_all)
		return "only all of the files say what this view shows";
	if (!missing || view->listing)
		return missing;
	if (profile->share)
		return "nothing for this view in what is read so far";
	return profile->given.rows.count ? "the rows of a printed report are in the view printed"
					 : missing;
}

size_t tfp_view_index(const struct tfp_view *view)
{
	size_t index = 0;

	while (tfp_views[index] && tfp_views[index] != view)
		index++;
	return index;
}

const struct tfp_view *tfp_view_default(const struct tfp_profile *profile)
{
	if (profile->listing)
		return &tfp_view_files;
	for (size_t i = 0; tfp_views[i]; i++)
		if (!tfp_views[i]->text && !tfp_views[i]->missing(profile))
			return tfp_views[i];
	return &tfp_view_scope;
}
