/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of large files, see beginning.h. Each is a profile of its own that has nothing to do with the one of all:
 * that one is the same whoever looks on. Together they are a twenty-fifth of the files at most, since they are read
 * twice; where that is no loss, as most of the time goes by until bytes come from where the files lie, far more.
 */
#include "load/beginning.h"

#include <sys/resource.h>
#include <time.h>

#define FIRST ((uint64_t)4 << 20)
#define LAST  2 /* the last one has at least so many times the bytes of the one before */
#define PAGE  4096

#define SLOW_NANOS 30000000 /* for the first bytes to come */

/* How parts grow, by how fast bytes come. */
static const struct pace {
	uint64_t large; /* files of less bytes are read in a moment */
	uint64_t step;  /* each part has so many times the bytes of the one before, */
	uint64_t share; /* and none has more than this part of all */
} paces[] = {
	[false] = {(uint64_t)100 << 20, 8, 40},
	[true] = {(uint64_t)16 << 20, 3, 2},
};

/* How many bytes the files that are there will have. */
static uint64_t expect(const struct tfp_beginning *beginning)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < beginning->files.count; i++)
		bytes += tfp_source_expected(beginning->files.at[i].source);
	return bytes;
}

/* How much of ALL is to be shown next; 0: no more before everything is there. */
static uint64_t next_size(const struct tfp_beginning *beginning, uint64_t all)
{
	const struct pace *pace = &paces[beginning->slow];
	uint64_t most = all / pace->share;
	uint64_t next = beginning->shown ? beginning->shown * pace->step : FIRST;

	if (all < pace->large)
		return 0;
	if (next > most && most >= beginning->shown * LAST)
		next = most;
	return next > most ? 0 : next;
}

/* Waits until SIZE bytes of SOURCE are there. False: there are no more, or JOB was cancelled. */
static bool await_bytes(struct tfp_source *source, size_t size, struct tfp_job *job,
			struct tfp_diag *diag)
{
	while (source->size < size && tfp_source_more(source, size, job, diag))
		;
	return source->size >= size && !tfp_job_cancelled(job);
}

static struct tfp_moment now(void)
{
	struct tfp_moment moment = {0};
	struct timespec time;
	struct rusage all, mine;

	clock_gettime(CLOCK_MONOTONIC, &time);
	moment.nanos = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
	if (!getrusage(RUSAGE_SELF, &all) && !getrusage(RUSAGE_THREAD, &mine)) {
		moment.fetched = all.ru_majflt;
		moment.waited = mine.ru_nvcsw;
	}
	return moment;
}

void tfp_beginning_start(struct tfp_beginning *beginning)
{
	*beginning = (struct tfp_beginning){.started = now()};
}

/* Reads the first bytes of the files. Do they come from afar, and slowly? A thread that others keep from running does not wait. */
static bool come_slowly(const struct tfp_beginning *beginning, struct tfp_job *job,
			struct tfp_diag *diag)
{
	const struct tfp_moment *started = &beginning->started;
	struct tfp_source *source = beginning->files.at->source;
	struct tfp_moment at_hand;

	if (!await_bytes(source, FIRST, job, diag))
		return false;
	for (size_t at = 0; at < FIRST; at += PAGE)
		(void)*(const volatile uint8_t *)&source->data[at];
	at_hand = now();
	return at_hand.fetched > started->fetched && at_hand.waited > started->waited &&
	       at_hand.nanos - started->nanos > SLOW_NANOS;
}

/* Adds about SIZE bytes of the files, the first ones first. False: so many are not there. */
static bool read_parts(const struct tfp_beginning *beginning, uint64_t size,
		       struct tfp_profile *profile, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_diag *lacking = tfp_diag_new(); /* the rest is missing by design */
	bool read = true, any = false;

	for (size_t i = 0; i < beginning->files.count && size && read; i++) {
		const struct tfp_beginning_file *file = &beginning->files.at[i];
		size_t whole = tfp_source_expected(file->source);
		size_t part = size < whole ? (size_t)size : whole;
		uint32_t index =
			tfp_profile_add_file(profile, file->source->path, file->loader->label,
					     file->source->disk_size, file->source->mtime);

		read = part && await_bytes(file->source, part, job, diag);
		if (read)
			any |= file->loader->part(profile, file->source,
						  (double)part / (double)whole, index, job,
						  lacking);
		size -= part;
	}
	if (read && any && beginning->files.at->loader->finish)
		any = beginning->files.at->loader->finish(profile, job, lacking);
	tfp_diag_free(lacking);
	return read && any && !size && !tfp_job_cancelled(job);
}

/* Can there be a part of all of them in one profile? */
static bool is_fit(const struct tfp_beginning *beginning)
{
	const struct tfp_loader *loader =
		beginning->files.count ? beginning->files.at->loader : NULL;

	for (size_t i = 1; i < beginning->files.count; i++)
		if (beginning->files.at[i].loader != loader)
			return false;
	return loader && loader->part && (loader->several || beginning->expected == 1);
}

void tfp_beginning_show(struct tfp_beginning *beginning, struct tfp_job *job, struct tfp_diag *diag)
{
	uint64_t there, all, size;

	if (!job || !job->begin || !is_fit(beginning))
		return;
	there = expect(beginning);
	all = (uint64_t)((double)there / (double)beginning->files.count *
			 (double)beginning->expected);
	if (!beginning->shown && all >= paces[true].large)
		beginning->slow = come_slowly(beginning, job, diag);
	/* what is unpacked is kept until it was read for the last time: of it there are no large parts */
	for (size_t i = 0; i < beginning->files.count; i++)
		beginning->slow &= !beginning->files.at[i].source->unpacking;
	while ((size = next_size(beginning, all)) && size <= there) {
		struct tfp_profile *profile = tfp_profile_new();

		if (!read_parts(beginning, size, profile, job, diag)) {
			tfp_profile_free(profile);
			return;
		}
		profile->share = (double)size / (double)all;
		tfp_profile_finish(profile);
		beginning->shown = size;
		beginning->share = profile->share;
		job->begin(job, profile);
	}
}
