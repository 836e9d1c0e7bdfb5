/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacking beside reading: see unpack.h. Where the bytes go is kept free from the beginning, as much as there may be,
 * so that they stay where they are while there come to be more. Memory of bytes that are read already is put, block by
 * block, to where there are none yet: the system neither has to find new memory nor to clear it, which costs as much as
 * unpacking. Only the thread that writes does so. It keeps at most AHEAD before who reads, who may give it something to do
 * instead of waiting.
 */
#include "codec/unpack.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "codec/inflate.h"
#include "tfprof/thread.h"

#define POLL_NANOS 50000000 /* between looks at the cancel flag while there is nothing to read */
#define BLOCK      TFP_SOURCE_KEPT /* a huge page */
#define AHEAD      ((size_t)4 << 20)

struct tfp_unpacking {
	struct tfp_source *packed;
	struct tfp_inflate_room room;
	pthread_t thread;
	struct tfp_job job; /* the thread's own: to end it */
	struct tfp_diag *diag;
	size_t moved,
		next; /* blocks: the first that was not moved, and the first that none went to */
	/* behind the lock: */
	pthread_mutex_t lock;
	pthread_cond_t changed, wanted;
	size_t size, used;            /* unpacked so far; of the file */
	size_t read, released, least; /* as far as is known; not needed any more; waited for */
	bool done;
	tfp_source_work *work; /* with DATA, instead of waiting; NULL: none */
	void *data;
	bool working;
};

/* ---- memory that is used again ------------------------------------------------------------------ */

/* Puts the memory of block FROM to block TO, which has none. Where that can't be done it goes back to the system. */
static void move_block(const struct tfp_inflate_room *room, size_t from, size_t to)
{
	uint8_t *old = &room->at[from * BLOCK], *new = &room->at[to * BLOCK];

#ifdef MREMAP_DONTUNMAP
	if ((to + 1) * BLOCK <= room->size &&
	    mremap(old, BLOCK, BLOCK, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, new) == new)
		return;
#endif
	(void)new;
	madvise(old, BLOCK, MADV_DONTNEED);
}

/* SIZE bytes are written, and those before RELEASED read. The last block stays: what is unpacked may copy from it. */
static void use_again(struct tfp_unpacking *unpacking, size_t size, size_t released)
{
	size_t empty = (size + BLOCK - 1) / BLOCK; /* the first that is */

	for (; (unpacking->moved + 2) * BLOCK <= released; unpacking->moved++) {
		unpacking->next = unpacking->next > empty ? unpacking->next : empty;
		move_block(&unpacking->room, unpacking->moved, unpacking->next++);
	}
}

/* ---- the thread ---------------------------------------------------------------------------------- */

static void wait_a_little(pthread_cond_t *condition, pthread_mutex_t *lock)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += POLL_NANOS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(condition, lock, &until);
}

/* Is there no need to unpack more for now? */
static bool is_far_ahead(const struct tfp_unpacking *unpacking)
{
	return unpacking->size >= unpacking->least && unpacking->size - unpacking->read > AHEAD;
}

/* Works, or waits a little where there is no work. The lock is free while it works. */
static void pass_time(struct tfp_unpacking *unpacking)
{
	tfp_source_work *work = unpacking->work;
	void *data = unpacking->data;
	bool worked = false;

	if (work) {
		unpacking->working = true;
		pthread_mutex_unlock(&unpacking->lock);
		worked = work(data, unpacking->size);
		pthread_mutex_lock(&unpacking->lock);
		unpacking->working = false;
		pthread_cond_signal(&unpacking->changed);
	}
	if (!worked && is_far_ahead(unpacking))
		wait_a_little(&unpacking->wanted, &unpacking->lock);
}

static void note(void *data, size_t size, size_t used)
{
	struct tfp_unpacking *unpacking = data;
	size_t released;

	pthread_mutex_lock(&unpacking->lock);
	unpacking->size = size;
	unpacking->used = used;
	pthread_cond_signal(&unpacking->changed);
	while (is_far_ahead(unpacking) && !tfp_job_cancelled(&unpacking->job))
		pass_time(unpacking);
	released = unpacking->released;
	pthread_mutex_unlock(&unpacking->lock);
	use_again(unpacking, size, released);
}

static void *unpack(void *data)
{
	struct tfp_unpacking *unpacking = data;
	const struct tfp_source *packed = unpacking->packed;

	tfp_inflate_into(packed->path, packed->data, packed->size, &unpacking->room,
			 &unpacking->job, unpacking->diag);
	pthread_mutex_lock(&unpacking->lock);
	unpacking->done = true;
	pthread_cond_signal(&unpacking->changed);
	pthread_mutex_unlock(&unpacking->lock);
	return NULL;
}

static void free_unpacking(struct tfp_unpacking *unpacking)
{
	pthread_cond_destroy(&unpacking->changed);
	pthread_cond_destroy(&unpacking->wanted);
	pthread_mutex_destroy(&unpacking->lock);
	tfp_diag_free(unpacking->diag);
	tfp_array_release(unpacking);
}

static struct tfp_unpacking *new_unpacking(struct tfp_source *packed, uint8_t *bytes, size_t room)
{
	struct tfp_unpacking *unpacking = tfp_alloc_zero(1, sizeof(*unpacking));

	unpacking->packed = packed;
	unpacking->room = (struct tfp_inflate_room){bytes, room, note, unpacking};
	unpacking->diag = tfp_diag_new();
	unpacking->moved = TFP_SOURCE_KEPT / BLOCK;
	pthread_mutex_init(&unpacking->lock, NULL);
	pthread_cond_init(&unpacking->changed, NULL);
	pthread_cond_init(&unpacking->wanted, NULL);
	return unpacking;
}

/* Room for SIZE bytes that begins with a block; NULL: there is none. */
static uint8_t *find_room(size_t size)
{
	uint8_t *bytes = mmap(NULL, size + BLOCK, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	if (bytes == MAP_FAILED)
		return NULL;
	before = BLOCK - (uintptr_t)bytes % BLOCK;
	munmap(bytes, before);
	if (before < BLOCK)
		munmap(bytes + before + size, BLOCK - before);
	madvise(bytes + before, size, MADV_HUGEPAGE);
	return bytes + before;
}

struct tfp_source *tfp_unpack_begin(struct tfp_source *packed, size_t limit)
{
	struct tfp_source *source;
	struct tfp_unpacking *unpacking;
	uint8_t *bytes;

	limit = (limit + BLOCK - 1) / BLOCK * BLOCK;
	bytes = find_room(limit);
	if (!bytes)
		return NULL;
	unpacking = new_unpacking(packed, bytes, limit);
	if (!tfp_thread_start(&unpacking->thread, unpack, unpacking)) {
		munmap(bytes, limit);
		free_unpacking(unpacking);
		return NULL;
	}
	source = tfp_source_from_bytes(packed->path, bytes, 0);
	source->disk_size = packed->disk_size;
	source->mtime = packed->mtime;
	source->device = packed->device;
	source->inode = packed->inode;
	source->compressed = true;
	source->reserved = limit;
	source->unpacking = unpacking;
	return source;
}

/* The thread is over, or ends soon: nothing more comes. */
static void join(struct tfp_source *source, struct tfp_diag *diag)
{
	struct tfp_unpacking *unpacking = source->unpacking;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), kept;

	pthread_join(unpacking->thread, NULL);
	source->size = unpacking->size;
	source->shrunk = unpacking->packed->shrunk;
	kept = (source->size + page) / page * page;
	((uint8_t *)(uintptr_t)source->data)[source->size] = 0; /* what is behind was used before */
	if (kept < source->reserved) {
		munmap((uint8_t *)(uintptr_t)source->data + kept, source->reserved - kept);
		source->reserved = kept;
	}
	/* of a file that shrank that is why the data are damaged, and told by who reads */
	if (diag && !source->shrunk) {
		source->broken = tfp_diag_count(unpacking->diag);
		tfp_diag_take(diag, unpacking->diag);
	}
	tfp_source_free(unpacking->packed);
	free_unpacking(unpacking);
	source->unpacking = NULL;
}

/* Waits until there are LEAST bytes, or all, once READ are read; false: JOB was cancelled. */
static bool wait_for(struct tfp_unpacking *unpacking, size_t read, size_t least,
		     struct tfp_job *job)
{
	bool going = true;

	pthread_mutex_lock(&unpacking->lock);
	unpacking->read = read;
	unpacking->least = least;
	pthread_cond_signal(&unpacking->wanted);
	while (!unpacking->done && unpacking->size < least && going) {
		wait_a_little(&unpacking->changed, &unpacking->lock);
		going = !tfp_job_cancelled(job);
	}
	pthread_mutex_unlock(&unpacking->lock);
	return going;
}

bool tfp_unpack_more(struct tfp_source *source, size_t least, struct tfp_job *job,
		     struct tfp_diag *diag)
{
	struct tfp_unpacking *unpacking = source->unpacking;
	size_t before = source->size;
	bool done;

	if (!wait_for(unpacking, before, least, job))
		return false;
	pthread_mutex_lock(&unpacking->lock);
	source->size = unpacking->size;
	done = unpacking->done;
	pthread_mutex_unlock(&unpacking->lock);
	if (done)
		join(source, diag);
	return source->size > before;
}

void tfp_unpack_release(struct tfp_source *source, size_t before)
{
	struct tfp_unpacking *unpacking = source->unpacking;

	pthread_mutex_lock(&unpacking->lock);
	unpacking->read = unpacking->released = before;
	pthread_cond_signal(&unpacking->wanted);
	pthread_mutex_unlock(&unpacking->lock);
}

void tfp_unpack_meanwhile(struct tfp_source *source, tfp_source_work *work, void *data)
{
	struct tfp_unpacking *unpacking = source->unpacking;

	pthread_mutex_lock(&unpacking->lock);
	while (unpacking->working)
		pthread_cond_wait(&unpacking->changed, &unpacking->lock);
	unpacking->work = work;
	unpacking->data = data;
	pthread_mutex_unlock(&unpacking->lock);
}

void tfp_unpack_share(const struct tfp_source *source, size_t *packed, size_t *size)
{
	struct tfp_unpacking *unpacking = source->unpacking;

	pthread_mutex_lock(&unpacking->lock);
	*packed = unpacking->used;
	*size = unpacking->size;
	pthread_mutex_unlock(&unpacking->lock);
}

void tfp_unpack_end(struct tfp_source *source)
{
	atomic_store(&source->unpacking->job.cancel, true);
	pthread_mutex_lock(&source->unpacking->lock);
	pthread_cond_signal(&source->unpacking->wanted);
	pthread_mutex_unlock(&source->unpacking->lock);
	join(source, NULL);
}
