/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosts of one name, as of two runs that are opened together: the part of the path that tells them apart is put before the names of
 * their devices.
 */
#include "load/xplane/reader.h"

/* What the devices of FILE have before their own names; empty where it has none. */
static struct tfp_span host_of(const struct tfp_profile *profile, uint32_t file)
{
	for (size_t i = 0; i < profile->trace->devices.count; i++) {
		const struct tfp_trace_device *device = &profile->trace->devices.at[i];
		struct tfp_span name = tfp_strings_get(profile->strings, device->name),
				own = tfp_strings_get(profile->strings, device->own);

		if (device->file != file || !own.size || own.size >= name.size)
			continue;
		name.size -= own.size;
		return name;
	}
	return TFP_SPAN("");
}

/* Where FILE lies, up to its last slash. */
static struct tfp_span folder_of(const struct tfp_profile *profile, uint32_t file)
{
	const char *path = profile->files.at[file].path;

	return (struct tfp_span){path, (size_t)(tfp_path_name(path) - path)};
}

/* The folders that both begin with, in bytes. */
static size_t common_head(struct tfp_span a, struct tfp_span b)
{
	size_t common = 0;

	for (size_t i = 0; i < a.size && i < b.size && a.at[i] == b.at[i]; i++)
		if (a.at[i] == '/')
			common = i + 1;
	return common;
}

/* The same of their ends, with the slash before them. */
static size_t common_tail(struct tfp_span a, struct tfp_span b)
{
	size_t common = 0;

	for (size_t i = 1; i <= a.size && i <= b.size && a.at[a.size - i] == b.at[b.size - i]; i++)
		if (a.at[a.size - i] == '/')
			common = i;
	return common;
}

/* What of the folder of FILE is not that of all files whose host is called as its own; empty where no other is. */
static struct tfp_span difference_of(const struct tfp_profile *profile,
				     const struct tfp_span *hosts, uint32_t file)
{
	struct tfp_span folder = folder_of(profile, file);
	size_t head = SIZE_MAX, tail = SIZE_MAX, size;

	for (uint32_t i = 0; i < profile->files.count; i++) {
		struct tfp_span other = folder_of(profile, i);

		if (i == file || !tfp_span_equal(hosts[i], hosts[file]))
			continue;
		size = common_head(folder, other);
		head = size < head ? size : head;
		size = common_tail(folder, other);
		tail = size < tail ? size : tail;
	}
	if (head == SIZE_MAX || head + tail >= folder.size)
		return TFP_SPAN("");
	return (struct tfp_span){folder.at + head, folder.size - head - tail};
}

static void put_before(struct tfp_profile *profile, uint32_t file, struct tfp_span part)
{
	struct tfp_arena arena = {0};

	for (size_t i = 0; i < profile->trace->devices.count; i++) {
		struct tfp_trace_device *device = &profile->trace->devices.at[i];
		const char *name = tfp_strings_text(profile->strings, device->name);

		if (device->file == file)
			device->name = tfp_strings_add_text(
				profile->strings,
				tfp_arena_printf(&arena, "%.*s/%s", (int)part.size, part.at, name));
	}
	tfp_arena_free(&arena);
}

void tfp_xhosts_tell_apart(struct tfp_profile *profile)
{
	uint32_t count = (uint32_t)profile->files.count;
	struct tfp_span *hosts = tfp_realloc_array(NULL, count + (size_t)1, sizeof(*hosts));

	for (uint32_t i = 0; i < count; i++)
		hosts[i] = host_of(profile, i);
	for (uint32_t i = 0; i < count; i++) {
		struct tfp_span part =
			hosts[i].size ? difference_of(profile, hosts, i) : TFP_SPAN("");

		if (part.size)
			put_before(profile, i, part);
	}
	tfp_array_release(hosts);
}
