/* SPDX-License-Identifier: Apache-2.0 */
/* ".../plugins/profile/RUN/HOST.xplane.pb", as TensorBoard lays them out: see place.h. */
#include "load/find/place.h"

#include <string.h>

void tfp_place_read(struct tfp_found *found, const char *path, struct tfp_arena *arena)
{
	static const char place[] = "plugins/profile/", ending[] = ".xplane.pb";
	const char *run = NULL, *host, *end;

	found->run = found->host = "";
	for (const char *at = strstr(path, place); at; at = strstr(at + 1, place))
		if (at == path || at[-1] == '/')
			run = at + sizeof(place) - 1;
	host = run ? strchr(run, '/') : NULL;
	if (!host || strchr(host + 1, '/'))
		return;
	found->run = tfp_arena_text(arena, run, (size_t)(host - run));
	end = strstr(++host, ending);
	if (!end || end[sizeof(ending) - 1])
		end = strchr(host, '.');
	found->host = tfp_arena_text(arena, host, end ? (size_t)(end - host) : strlen(host));
}
