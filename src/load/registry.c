/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The formats. To add one: a file with its loader, and a line here.
 */
#include "load/loaders.h"

/* Between equally sure loaders the earlier one wins. */
const struct tfp_loader *const tfp_loaders[] = {
	&tfp_graphdef_loader,
	&tfp_runmeta_loader,
	&tfp_oplog_loader,
	&tfp_profileproto_loader,
	&tfp_pprof_loader,
	&tfp_checkpoint_loader,
	NULL,
};

const struct tfp_loader *tfp_recognise(const struct tfp_source *source)
{
	const struct tfp_loader *surest = NULL;
	int most = 0;

	for (size_t i = 0; tfp_loaders[i]; i++) {
		int sure = tfp_loaders[i]->sniff(source);

		if (sure > most) {
			most = sure;
			surest = tfp_loaders[i];
		}
	}
	return surest;
}
