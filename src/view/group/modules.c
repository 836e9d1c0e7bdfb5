/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes by HLO module: see modules.h. */
#include "view/group/modules.h"

#include <stdlib.h>
#include <string.h>

static const char outside[] = "no HLO module/";

/* Of a node that is in no module: its own name below a row for all of these. */
static tfp_str name_outside(const struct tfp_profile *profile, uint32_t node)
{
	struct tfp_span name = tfp_strings_get(profile->strings, profile->nodes.name[node]);
	size_t head = sizeof(outside) - 1;
	char *text = tfp_alloc(head + name.size + 1);
	tfp_str id;

	memcpy(text, outside, head);
	memcpy(text + head, name.at, name.size);
	id = tfp_strings_add(profile->strings, text, head + name.size);
	free(text);
	return id;
}

bool tfp_modules_start(struct tfp_modules *modules, const struct tfp_build *build)
{
	struct tfp_profile *profile = build->profile;
	const struct tfp_nodes *nodes = &profile->nodes;

	*modules = (struct tfp_modules){.count = nodes->count};
	if (!build->query->modules)
		return true;
	if (!nodes->module) {
		tfp_diag_note(build->diag, "--modules: there is no HLO module in these files; rows "
					   "follow the names");
		return true;
	}
	if (!tfp_profile_need(profile, TFP_PART_CONTENTS, build->job, build->diag))
		return false;
	modules->count += (uint32_t)profile->contents.count;
	modules->names = tfp_realloc_array(NULL, modules->count, sizeof(*modules->names));
	for (uint32_t i = 0; i < nodes->count; i++)
		modules->names[i] = nodes->module[i] ? nodes->module[i] : name_outside(profile, i);
	for (uint32_t i = 0; i < profile->contents.count; i++)
		modules->names[nodes->count + i] = profile->contents.at[i].module;
	return true;
}

void tfp_modules_end(struct tfp_modules *modules)
{
	free(modules->names);
}

void tfp_modules_mark(const struct tfp_modules *modules, const struct tfp_scopes *scopes,
		      struct tfp_base *base)
{
	if (!modules->names)
		return;
	base->precision = tfp_arena_zero(&base->arena, (size_t)base->count * base->metric_count, 1);
	for (uint32_t row = 1; row < base->count; row++) {
		if (!tfp_scopes_is_part(scopes, row))
			continue;
		base->flags[row] |= TFP_ROW_PART;
		memset(base->precision + (size_t)row * base->metric_count, TFP_UNKNOWN,
		       base->metric_count);
	}
}

char *tfp_module_part_facts(const struct tfp_profile *profile, const struct tfp_base *base,
			    uint32_t row, struct tfp_arena *arena)
{
	for (size_t i = 0; i < profile->contents.count; i++) {
		const struct tfp_content *part = &profile->contents.at[i];

		if (part->module == base->name[row])
			return tfp_arena_printf(arena,
						"not measured by itself, %s %s, inside of "
						"the op above",
						tfp_strings_text(profile->strings, part->op),
						tfp_strings_text(profile->strings, part->shape));
	}
	return tfp_arena_text(arena, "", 0);
}
