/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rank each of several files is: what it says, unless another one says the same: then it is the next behind all; else its
 * place among them, where that is free. Their devices have it in front of their names, so that a name says what chooses it.
 */
#include "load/chrome/chrome.h"

/* The number of a file that says what another one has said. */
#define TWICE (-3)

/* The devices of one file after the other. */
struct ranks {
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	int64_t *number; /* by file; -1: none yet, -2: it has no device, TWICE */
	size_t count;
	bool said; /* some file says what it is */
};

static bool is_taken(const struct ranks *ranks, int64_t number)
{
	for (size_t file = 0; file < ranks->count; file++)
		if (ranks->number[file] == number)
			return true;
	return false;
}

/* What files say, the first to say it. */
static size_t take_said(struct ranks *ranks)
{
	size_t files = 0;

	for (size_t file = 0; file < ranks->count; file++)
		ranks->number[file] = -2;
	for (size_t i = 0; i < ranks->trace->devices.count; i++) {
		const struct tfp_trace_device *device = &ranks->trace->devices.at[i];
		int64_t said = (int64_t)device->rank - 1;

		if (device->file >= ranks->count || ranks->number[device->file] != -2)
			continue;
		files++;
		ranks->said |= said >= 0;
		ranks->number[device->file] = said >= 0 && is_taken(ranks, said) ? TWICE : said;
	}
	return files;
}

static void take_places(struct ranks *ranks)
{
	for (size_t file = 0; file < ranks->count; file++) {
		int64_t number = (int64_t)file;

		if (ranks->number[file] != -1)
			continue;
		if (is_taken(ranks, number))
			for (number = 0; is_taken(ranks, number);)
				number++;
		ranks->number[file] = number;
	}
}

/* A number that is smaller might be that of a rank which is not among the files. */
static void number_doubles(struct ranks *ranks)
{
	int64_t last = 0;

	for (size_t file = 0; file < ranks->count; file++)
		if (ranks->number[file] > last)
			last = ranks->number[file];
	for (size_t file = 0; file < ranks->count; file++)
		if (ranks->number[file] == TWICE)
			ranks->number[file] = ++last;
}

/* It goes by another number than it says, or by one though it says none and others do. */
static void tell(const struct ranks *ranks, const struct tfp_trace_device *device,
		 struct tfp_diag *diag)
{
	long long number = ranks->number[device->file];
	const char *path = ranks->profile->files.at[device->file].path;

	if (device->rank)
		tfp_diag_add(
			diag, TFP_NOTE, path, -1, 0,
			"it says that it is rank %lld, as a file before it does; it is called rank %lld here",
			(long long)device->rank - 1, number);
	else if (ranks->said)
		tfp_diag_add(diag, TFP_NOTE, path, -1, 0,
			     "it does not say which rank it is; it is called rank %lld here",
			     number);
}

static void name(struct ranks *ranks, struct tfp_trace_device *device)
{
	struct tfp_strings *strings = ranks->profile->strings;
	int64_t number = ranks->number[device->file];
	char text[640];

	snprintf(text, sizeof(text), "rank %lld %s", (long long)number,
		 tfp_strings_text(strings, device->own));
	device->name = tfp_strings_add_text(strings, text);
	device->rank = (uint32_t)number + 1;
}

static void name_all(struct ranks *ranks, struct tfp_diag *diag)
{
	uint32_t told = TFP_NONE; /* the devices of a file lie together */

	for (size_t i = 0; i < ranks->trace->devices.count; i++) {
		struct tfp_trace_device *device = &ranks->trace->devices.at[i];

		if (device->file >= ranks->count)
			continue;
		if (device->file != told &&
		    (int64_t)device->rank - 1 != ranks->number[device->file])
			tell(ranks, device, diag);
		told = device->file;
		name(ranks, device);
	}
}

void chrome_name_ranks(struct tfp_profile *profile, bool ranked, struct tfp_diag *diag)
{
	struct ranks ranks = {
		.profile = profile,
		.trace = profile->trace,
		.number = tfp_alloc_zero(profile->files.count + 1, sizeof(*ranks.number)),
		.count = profile->files.count,
	};
	size_t files = take_said(&ranks);

	number_doubles(&ranks);
	take_places(&ranks);
	if (files > 1 || ranked)
		name_all(&ranks, diag);
	tfp_array_release(ranks.number);
}
