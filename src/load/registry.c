/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The formats. To add one: a file with its loader, and a line here.
 */
#include "load/loaders.h"

/* Between equally sure loaders the earlier one wins. */
const struct tfp_loader *const tfp_loaders[] = {
	&tfp_graphdef_loader,  &tfp_runmeta_loader,
	&tfp_oplog_loader,     &tfp_profileproto_loader,
	&tfp_pprof_loader,     &tfp_checkpoint_loader,
	&tfp_metagraph_loader, &tfp_savedmodel_loader,
	&tfp_printed_loader,   &tfp_timeline_loader,
	&tfp_xplane_loader,    &tfp_kineto_loader,
	&tfp_chrome_loader,    NULL,
};

/* The surest of all, or where ONLY, of those of ROLE. One has to be surer than LEAST. */
static const struct tfp_loader *find_surest(const struct tfp_source *source, bool only,
					    enum tfp_role role, int least)
{
	const struct tfp_loader *surest = NULL;

	for (size_t i = 0; tfp_loaders[i]; i++) {
		int sure;

		if (only && tfp_loaders[i]->role != role)
			continue;
		sure = tfp_loaders[i]->sniff(source);
		if (sure > least) {
			least = sure;
			surest = tfp_loaders[i];
		}
	}
	return surest;
}

const struct tfp_loader *tfp_recognise(const struct tfp_source *source)
{
	return find_surest(source, false, TFP_ROLE_ANY, 0);
}

bool tfp_recognise_wants_more(const struct tfp_source *source)
{
	for (size_t i = 0; tfp_loaders[i]; i++)
		if (tfp_loaders[i]->wants_more && tfp_loaders[i]->wants_more(source))
			return true;
	return false;
}

const struct tfp_loader *tfp_recognise_role(const struct tfp_source *source, enum tfp_role role)
{
	return find_surest(source, true, role, -1);
}
