/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of one file. A regular file is mapped, which measured as cheap as any way to read it
 * (the kernel maps 16 pages a fault) and costs no private memory; what can't be mapped is read
 * whole.
 */
#include "tfprof/codec.h"

#include "codec/inflate.h"
#include "codec/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_FIRST   ((size_t)64 << 10)
#define DEVICE_LIMIT   ((size_t)16 << 20)
#define POLL_MILLIS    50
#define BEGIN_PACKED   ((size_t)64 << 10) /* of a gzip file, by which it is told */
#define BEGIN_SIZE     ((size_t)1 << 20)
#define INFLATE_LEVELS 2 /* a gzip file within a gzip file happens, more does not */
#define INFLATE_FLOOR  ((uint64_t)64 << 20)
#define INFLATE_FACTOR 256 /* deflate could do 1032; profiles are seen at 10 to 60 */

/* ---- mapped files that shrink ---------------------------------------------------------------- */

/*
 * A signal handler has nothing but an address, so the sources that are mapped are known to the
 * process. The handler walks the list without a lock; whoever takes a source out waits until no
 * handler walks.
 */
static struct tfp_source *_Atomic mapped_sources;
static atomic_int guards_walking;
static pthread_mutex_t mapped_lock = PTHREAD_MUTEX_INITIALIZER;

static void list_mapped(struct tfp_source *source)
{
	pthread_mutex_lock(&mapped_lock);
	atomic_store(&source->next_mapped, atomic_load(&mapped_sources));
	atomic_store(&mapped_sources, source);
	pthread_mutex_unlock(&mapped_lock);
}

static void unlist_mapped(struct tfp_source *source)
{
	struct tfp_source *_Atomic *link = &mapped_sources;
	struct tfp_source *other;

	pthread_mutex_lock(&mapped_lock);
	for (other = atomic_load(link); other != source; other = atomic_load(link))
		link = &other->next_mapped;
	atomic_store(link, atomic_load(&source->next_mapped));
	pthread_mutex_unlock(&mapped_lock);
	while (atomic_load(&guards_walking))
		sched_yield();
}

/*
 * Puts zeros over the page of SOURCE that ADDRESS is in. Where the file ends before it, all behind is lost with it: at once,
 * for one fault a page takes longer than the file took to read.
 */
static bool put_zeros(const struct tfp_source *source, uintptr_t address)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = page;
	uintptr_t at = address & ~(uintptr_t)(page - 1), begin = (uintptr_t)source->data;
	struct stat status;

	if (!stat(source->path, &status) && (uint64_t)status.st_size <= at - begin)
		size = source->size - (at - begin);
	return mmap((void *)at, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
	       (void *)at;
}

bool tfp_source_guard(void *address)
{
	uintptr_t fault = (uintptr_t)address;
	int saved_errno = errno;
	struct tfp_source *source;
	bool mended = false;

	atomic_fetch_add(&guards_walking, 1);
	for (source = atomic_load(&mapped_sources); source;
	     source = atomic_load(&source->next_mapped)) {
		if (fault - (uintptr_t)source->data < source->size) {
			mended = put_zeros(source, fault);
			atomic_store(&source->shrunk, true);
			break;
		}
	}
	atomic_fetch_sub(&guards_walking, 1);
	errno = saved_errno;
	return mended;
}

/* Where the file of SOURCE ends now, if that is earlier than it did; else -1. What bears its name may be another by now. */
static int64_t find_end(const struct tfp_source *source)
{
	struct stat status;

	if (stat(source->path, &status) || status.st_dev != source->device ||
	    status.st_ino != source->inode || (uint64_t)status.st_size >= source->disk_size)
		return -1;
	return status.st_size;
}

/* Of a page of which some is left, the rest reads as zeros without a fault. */
void tfp_source_tell_shrunk(struct tfp_source *source, struct tfp_diag *diag)
{
	int64_t end = find_end(source);

	if ((!(source->mapped && end >= 0) && !atomic_load(&source->shrunk)) ||
	    atomic_exchange(&source->told, true))
		return;
	tfp_diag_add(diag, TFP_WARNING, source->path, end, TFP_CUT_SHORT,
		     "the file was cut short while it was read: what was behind is missing");
}

void tfp_sources_tell_shrunk(struct tfp_diag *diag)
{
	pthread_mutex_lock(&mapped_lock);
	for (struct tfp_source *source = atomic_load(&mapped_sources); source;
	     source = atomic_load(&source->next_mapped))
		tfp_source_tell_shrunk(source, diag);
	pthread_mutex_unlock(&mapped_lock);
}

/* ---- getting at the bytes -------------------------------------------------------------------- */

static void forget_bytes(struct tfp_source *source)
{
	/* The callers see const bytes; the memory is ours. */
	void *bytes = (void *)(uintptr_t)source->data;

	if (source->mapped) {
		unlist_mapped(source);
		munmap(bytes, source->size);
	} else if (source->reserved) {
		munmap(bytes, source->reserved);
	} else {
		free(bytes);
	}
	source->data = NULL;
	source->mapped = false;
}

static bool map_file(struct tfp_source *source, int fd, const struct stat *status)
{
	void *bytes;

	if (!S_ISREG(status->st_mode) || status->st_size <= 0 || lseek(fd, 0, SEEK_CUR) != 0)
		return false;
	if ((uint64_t)status->st_size > PTRDIFF_MAX)
		return false;
	bytes = mmap(NULL, (size_t)status->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	source->data = bytes;
	source->size = (size_t)status->st_size;
	source->device = status->st_dev;
	source->inode = status->st_ino;
	source->mapped = true;
	list_mapped(source);
	return true;
}

/* Devices like /dev/zero have no end, and no profile in them. */
static size_t stream_limit(bool device)
{
	return device ? DEVICE_LIMIT
		      : (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);
}

/* Waits for input, so that a silent pipe can be given up. False when JOB was cancelled. */
static bool await_input(int fd, struct tfp_job *job)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};

	do {
		tfp_job_tick(job);
		if (tfp_job_cancelled(job))
			return false;
	} while (poll(&wait, 1, job ? POLL_MILLIS : -1) == 0);
	return true;
}

/* Reads FD to its end into SOURCE. What was read before an error stays. */
static bool read_stream(struct tfp_source *source, int fd, bool device, struct tfp_job *job,
			struct tfp_diag *diag)
{
	size_t room = STREAM_FIRST, size = 0, limit = stream_limit(device);
	uint8_t *bytes = tfp_alloc(room);
	ssize_t got = 0;

	if (job) /* how much there will be nobody knows */
		atomic_store_explicit(&job->total, 0, memory_order_relaxed);
	while (await_input(fd, job)) {
		got = read(fd, bytes + size, room - size);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			break;
		size += (size_t)got;
		tfp_job_progress(job, size);
		if (size < room)
			continue;
		if (room >= limit) {
			tfp_diag_add(diag, TFP_ERROR, source->path, -1, 0, "has no end within %s",
				     device ? "16 MB, and is a device"
					    : "half of the memory of this machine");
			break;
		}
		room *= 2;
		bytes = tfp_realloc_array(bytes, room, 1);
	}
	tfp_job_progress(job, 0);
	source->data = bytes;
	source->size = size;
	source->disk_size = size;
	if (got < 0)
		tfp_diag_add(diag, size ? TFP_WARNING : TFP_ERROR, source->path, (int64_t)size, 0,
			     "reading stopped: %s", strerror(errno));
	return !tfp_job_cancelled(job) && (got >= 0 || size);
}

/* How many bytes a file may unpack to. */
static size_t inflate_limit(const struct tfp_source *source)
{
	uint64_t most = SIZE_MAX >> 2, limit = source->disk_size > most / INFLATE_FACTOR
						       ? most
						       : source->disk_size * INFLATE_FACTOR;

	return (size_t)(limit < INFLATE_FLOOR ? INFLATE_FLOOR : limit);
}

/* Replaces gzip data by what is in them. False when that is nothing or JOB was cancelled. */
static bool unpack(struct tfp_source *source, struct tfp_job *job, struct tfp_diag *diag)
{
	size_t limit = inflate_limit(source), size, told;
	uint8_t *bytes;

	for (int level = 0; level < INFLATE_LEVELS; level++) {
		if (!tfp_inflate_sniff(source->data, source->size))
			break;
		told = tfp_diag_count(diag);
		bytes = tfp_inflate(source->path, source->data, source->size, limit, job, diag,
				    &size);
		source->broken |= tfp_diag_count(diag) > told;
		if (!bytes && !tfp_job_cancelled(job))
			tfp_diag_add(diag, TFP_ERROR, source->path, -1, 0,
				     "nothing can be unpacked from it");
		forget_bytes(source);
		if (!bytes)
			return false;
		source->data = bytes;
		source->size = size;
		source->compressed = true;
	}
	return true;
}

/*
 * Opens PATH for reading and looks at it. -1 with an error in DIAG when that can't be done. Without
 * O_NONBLOCK a named pipe that nobody writes to would hold us here.
 */
static int open_file(const char *path, struct stat *status, struct tfp_diag *diag)
{
	const char *reason = NULL;
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO)
					: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, status) < 0)
		reason = strerror(errno);
	else if (S_ISDIR(status->st_mode))
		reason = strerror(EISDIR);
	if (!reason)
		return fd;
	tfp_diag_add(diag, TFP_ERROR, path, -1, 0, "can't be read: %s", reason);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The file as it is. NULL as tfp_source_open. */
static struct tfp_source *open_packed(const char *path, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_source *source;
	struct stat status;
	int fd = open_file(path, &status, diag);
	bool good;

	if (fd < 0)
		return NULL;
	source = tfp_alloc_zero(1, sizeof(*source));
	source->path = tfp_strdup(path);
	source->disk_size = (uint64_t)status.st_size;
	source->mtime = S_ISREG(status.st_mode) ? status.st_mtim.tv_sec : 0;
	good = map_file(source, fd, &status) ||
	       read_stream(source, fd, S_ISCHR(status.st_mode), job, diag);
	close(fd);
	if (good)
		return source;
	tfp_source_free(source);
	return NULL;
}

struct tfp_source *tfp_source_open(const char *path, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_source *source = open_packed(path, job, diag);

	if (source && unpack(source, job, diag))
		return source;
	tfp_source_free(source);
	return NULL;
}

/* ---- bytes that come while others are read ---------------------------------------------------- */

/* Does the mapped gzip file SOURCE, which is large, hold JSON? Else it is in vain to begin before its end is there. */
static bool holds_json(const struct tfp_source *source)
{
	struct tfp_diag *cut = tfp_diag_new(); /* the end is missing by design */
	size_t size = 0, at = 0;
	uint8_t *head = NULL;
	bool holds;

	if (source->mapped && source->size > BEGIN_PACKED &&
	    tfp_inflate_sniff(source->data, source->size))
		head = tfp_inflate("", source->data, BEGIN_PACKED, BEGIN_SIZE, NULL, cut, &size);
	while (at < size && (head[at] <= ' ' || head[at] >= 0x80)) /* a mark of the byte order */
		at++;
	holds = at < size && (head[at] == '{' || head[at] == '[');
	free(head);
	tfp_diag_free(cut);
	return holds;
}

struct tfp_source *tfp_source_begin(const char *path, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_source *source = open_packed(path, job, diag), *growing = NULL;

	if (source && holds_json(source))
		growing = tfp_unpack_begin(source, inflate_limit(source));
	if (growing) {
		tfp_source_more(growing, BEGIN_SIZE, job, diag);
		return growing;
	}
	if (source && unpack(source, job, diag))
		return source;
	tfp_source_free(source);
	return NULL;
}

bool tfp_source_more(struct tfp_source *source, size_t least, struct tfp_job *job,
		     struct tfp_diag *diag)
{
	return source->unpacking && tfp_unpack_more(source, least, job, diag);
}

void tfp_source_release(struct tfp_source *source, size_t before)
{
	if (source->unpacking)
		tfp_unpack_release(source, before);
}

void tfp_source_meanwhile(struct tfp_source *source, tfp_source_work *work, void *data)
{
	if (source->unpacking)
		tfp_unpack_meanwhile(source, work, data);
}

bool tfp_source_rest(struct tfp_source *source, struct tfp_job *job, struct tfp_diag *diag)
{
	while (source->unpacking && !tfp_job_cancelled(job))
		tfp_source_more(source, SIZE_MAX, job, diag);
	return !tfp_job_cancelled(job);
}

size_t tfp_source_expected(const struct tfp_source *source)
{
	size_t packed, size;

	if (!source->unpacking)
		return source->size;
	tfp_unpack_share(source, &packed, &size);
	return packed ? (size_t)((double)source->disk_size / (double)packed * (double)size) : size;
}

/* ---- a first look ------------------------------------------------------------------------------ */

/* At most MOST bytes that the gzip data of FD unpack to; NULL: there are none such. */
static uint8_t *unpack_head(int fd, size_t most, size_t *size)
{
	struct tfp_diag *cut = tfp_diag_new(); /* their end is missing by design */
	uint8_t *head = tfp_alloc(most), *bytes = NULL;
	ssize_t got = pread(fd, head, most, 0);

	if (got > 0)
		bytes = tfp_inflate("", head, (size_t)got, most, NULL, cut, size);
	free(head);
	tfp_diag_free(cut);
	return bytes;
}

static bool is_gzip(int fd)
{
	uint8_t first[2];

	return pread(fd, first, sizeof(first), 0) == sizeof(first) &&
	       tfp_inflate_sniff(first, sizeof(first));
}

struct tfp_source *tfp_source_head(const char *path, size_t most, struct tfp_diag *diag)
{
	struct tfp_source *source = tfp_source_from_bytes(path, NULL, 0);
	struct stat status;
	int fd = open_file(path, &status, diag);

	if (fd >= 0 && S_ISREG(status.st_mode) && is_gzip(fd))
		source->data = unpack_head(fd, most, &source->size);
	else if (fd >= 0 && S_ISREG(status.st_mode) && !map_file(source, fd, &status))
		source->data = tfp_alloc(1);
	if (fd >= 0)
		close(fd);
	if (source->data)
		return source;
	tfp_source_free(source);
	return NULL;
}

struct tfp_source *tfp_source_from_bytes(const char *name, uint8_t *bytes, size_t size)
{
	struct tfp_source *source = tfp_alloc_zero(1, sizeof(*source));

	source->path = tfp_strdup(name);
	source->data = bytes;
	source->size = size;
	source->disk_size = size;
	return source;
}

struct tfp_source *tfp_source_part(struct tfp_source *source, size_t size)
{
	struct tfp_source *part = tfp_source_from_bytes(source->path, NULL, size);

	part->data = source->data;
	part->disk_size = source->disk_size;
	part->mtime = source->mtime;
	part->whole = source;
	atomic_fetch_add(&source->parts, 1);
	return part;
}

void tfp_source_free(struct tfp_source *source)
{
	if (!source)
		return;
	if (atomic_fetch_sub(&source->parts, 1))
		return; /* others have its bytes still */
	if (source->unpacking)
		tfp_unpack_end(source);
	if (source->whole)
		tfp_source_free(source->whole);
	else
		forget_bytes(source);
	free(source->path);
	free(source);
}
