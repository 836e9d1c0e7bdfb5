/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker, its questions and its answers: one place for each kind of either, behind one lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tfprof/thread.h"
#include "ui/worker.h"

/* Nanoseconds between two pieces of news about the progress. */
#define NEWS_EVERY 250000000

struct slot {
	bool asked, running, answered;
	struct tfp_request request;
	struct tfp_answer answer;
	struct tfp_job job;
};

/* A tree that the screen may have, and who made it. */
struct lent {
	struct tfp_tree *tree;
	struct tfp_engine *engine;
};

struct returned {
	struct tfp_answer *at;
	size_t count, room;
};

struct tfp_worker {
	pthread_mutex_t lock;
	pthread_cond_t more;
	int pipe[2];
	bool stop;
	bool renewed; /* the engine is new, and the screen does not know it yet */
	struct slot slots[TFP_TASKS];
	struct returned returned; /* what the screen is done with */
	const struct tfp_ui_config *config;
	struct tfp_diag *diag;
	int64_t news;
	/* the worker's own: */
	struct tfp_engine *engine;
	bool begun; /* the engine has a part of what is being read */
	bool used;  /* something was done since freed memory was given back */
	TFP_ARRAY(struct tfp_engine *) engines; /* those before, while trees of theirs are lent */
	TFP_ARRAY(struct lent) lent;
};

static void wake(struct tfp_worker *worker)
{
	ssize_t size = write(worker->pipe[1], "", 1);

	(void)size; /* a full pipe wakes as well */
}

static void serve(struct tfp_worker *worker);

/* Called by the loaders as they go on. */
static void on_tick(struct tfp_job *job, void *data)
{
	struct tfp_worker *worker = data;
	struct timespec now;
	int64_t time;

	(void)job;
	if (worker->begun)
		serve(worker);
	clock_gettime(CLOCK_MONOTONIC, &now);
	time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	if (time - worker->news < NEWS_EVERY)
		return;
	worker->news = time;
	wake(worker);
}

static void drop_answer(struct slot *slot)
{
	if (slot->answered)
		tfp_answer_free(&slot->answer);
	slot->answered = false;
}

static void drop_request(struct slot *slot)
{
	if (slot->asked)
		tfp_request_free(&slot->request);
	slot->asked = false;
}

/*
 * The most urgent question from FIRST on; TFP_TASKS if there is none. One for a tree waits until the screen knows the
 * engine that would make it. With the lock held.
 */
static enum tfp_task next_task(const struct tfp_worker *worker, enum tfp_task first)
{
	unsigned task = first;

	while (task < TFP_TASKS &&
	       (!worker->slots[task].asked || (task == TFP_TASK_QUERY && worker->renewed)))
		task++;
	return task;
}

/* ---- what the screen has of ours ---- */

/*
 * Frees what came back, trees that the screen has let go of, and the engines that made them. All that is in the
 * heap of this thread, whose lock the other would have to wait for.
 */
static void clear_away(struct tfp_worker *worker)
{
	struct returned returned;
	size_t kept = 0, engines = 0;
	bool renewed;

	pthread_mutex_lock(&worker->lock);
	returned = worker->returned;
	worker->returned = (struct returned){0};
	renewed = worker->renewed;
	pthread_mutex_unlock(&worker->lock);
	for (size_t i = 0; i < returned.count; i++)
		tfp_answer_free(&returned.at[i]);
	tfp_array_free(&returned);
	for (size_t i = 0; i < worker->lent.count; i++)
		if (atomic_load(&worker->lent.at[i].tree->references) > 1)
			worker->lent.at[kept++] = worker->lent.at[i];
		else
			tfp_tree_release(worker->lent.at[i].tree);
	worker->lent.count = kept;
	for (size_t i = 0; i < worker->engines.count; i++) {
		struct tfp_engine *engine = worker->engines.at[i];
		bool used = renewed; /* what the screen knows of it is still in use */

		for (size_t k = 0; k < kept && !used; k++)
			used = worker->lent.at[k].engine == engine;
		if (used)
			worker->engines.at[engines++] = engine;
		else
			tfp_engine_free(engine);
	}
	worker->engines.count = engines;
}

/* The one that made the tree that REQUEST is about; the newest where it is about none. NULL: there is none yet. */
static struct tfp_engine *engine_of(const struct tfp_worker *worker,
				    const struct tfp_request *request)
{
	for (size_t i = 0; i < worker->lent.count; i++)
		if (worker->lent.at[i].tree == request->tree)
			return worker->lent.at[i].engine;
	return worker->engine;
}

/* ---- answering ---- */

/* ENGINE is the one from now on. The one before is for questions about the trees that it made. */
static void use_engine(struct tfp_worker *worker, struct tfp_engine *engine,
		       struct tfp_answer *answer)
{
	if (worker->engine)
		*tfp_array_push(&worker->engines) = worker->engine;
	worker->engine = engine;
	tfp_task_about(engine, &answer->about);
	pthread_mutex_lock(&worker->lock);
	worker->renewed = true;
	pthread_mutex_unlock(&worker->lock);
}

static void on_beginning(struct tfp_job *job, struct tfp_profile *profile);

static void run_load(struct tfp_worker *worker, struct tfp_job *job, struct tfp_answer *answer)
{
	struct tfp_engine *engine;

	job->begin = worker->engine ? NULL : on_beginning;
	atomic_store(&job->total, 0); /* of what was read before */
	engine = worker->config->load(worker->config->data, job, worker->diag);
	answer->failed = !engine;
	if (worker->begun)
		serve(worker);
	worker->begun = false;
	if (engine)
		use_engine(worker, engine, answer);
}

static void run(struct tfp_worker *worker, struct tfp_request *request, struct tfp_job *job,
		struct tfp_answer *answer)
{
	struct tfp_engine *engine = engine_of(worker, request);
	struct tfp_diag *passing = worker->begun ? tfp_diag_new() : NULL; /* all is still to come */
	struct tfp_diag *diag = passing ? passing : worker->diag;

	*answer = (struct tfp_answer){.task = request->task};
	if (request->task == TFP_TASK_LOAD)
		run_load(worker, job, answer);
	else if (!engine)
		answer->failed = true;
	else if (tfp_task_other(worker->config, engine, request, job, diag, answer))
		tfp_task_run(engine, request, job, diag, answer);
	if (request->task == TFP_TASK_QUERY && answer->tree)
		*tfp_array_push(&worker->lent) = (struct lent){tfp_tree_hold(answer->tree), engine};
	if (worker->config->tell_lost)
		worker->config->tell_lost(worker->diag);
	tfp_request_free(request);
	if (passing)
		tfp_diag_free(passing);
}

static void publish(struct tfp_worker *worker, struct slot *slot, struct tfp_answer *answer)
{
	bool unwanted = tfp_job_cancelled(&slot->job) && answer->task != TFP_TASK_LOAD;

	slot->running = false;
	drop_answer(slot);
	if (unwanted) {
		tfp_answer_free(answer);
	} else {
		slot->answer = *answer;
		slot->answered = true;
	}
	wake(worker);
}

/* With the lock held, but while the answer is found. */
static void answer_one(struct tfp_worker *worker, enum tfp_task task)
{
	struct slot *slot = &worker->slots[task];
	struct tfp_request request = slot->request;
	struct tfp_answer answer;

	slot->asked = false;
	slot->running = true;
	worker->used = true;
	atomic_store(&slot->job.cancel, false);
	pthread_mutex_unlock(&worker->lock);
	run(worker, &request, &slot->job, &answer);
	pthread_mutex_lock(&worker->lock);
	publish(worker, slot, &answer);
}

/* Waits for more; what is freed is given back where none comes for a second. */
static void rest(struct tfp_worker *worker)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (!worker->used) {
		pthread_cond_wait(&worker->more, &worker->lock);
	} else if (pthread_cond_timedwait(&worker->more, &worker->lock, &until) == ETIMEDOUT) {
		worker->used = false;
		pthread_mutex_unlock(&worker->lock);
		tfp_memory_give_back();
		pthread_mutex_lock(&worker->lock);
	}
}

/* Answers until the worker is to stop. */
static void work(struct tfp_worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	while (!worker->stop) {
		enum tfp_task task = next_task(worker, TFP_TASK_LOAD);

		if (task < TFP_TASKS) {
			answer_one(worker, task);
		} else if (worker->returned.count) {
			pthread_mutex_unlock(&worker->lock);
			clear_away(worker);
			pthread_mutex_lock(&worker->lock);
		} else {
			rest(worker);
		}
	}
	pthread_mutex_unlock(&worker->lock);
}

/* ---- while files are read ---- */

/* Answers what is asked about a part of them. */
static void serve(struct tfp_worker *worker)
{
	clear_away(worker);
	pthread_mutex_lock(&worker->lock);
	while (!worker->stop) {
		enum tfp_task task = next_task(worker, TFP_TASK_QUERY);

		if (task >= TFP_TASK_WRITE)
			break;
		answer_one(worker, task);
	}
	pthread_mutex_unlock(&worker->lock);
}

/* A screen that has not taken the last part yet needs no larger one. */
static void on_beginning(struct tfp_job *job, struct tfp_profile *profile)
{
	struct tfp_worker *worker = job->data;
	struct slot *slot = &worker->slots[TFP_TASK_LOAD];
	struct tfp_answer answer = {.task = TFP_TASK_LOAD};
	bool unknown;

	if (worker->begun)
		serve(worker);
	pthread_mutex_lock(&worker->lock);
	unknown = worker->renewed;
	pthread_mutex_unlock(&worker->lock);
	if (unknown) {
		tfp_profile_free(profile);
		return;
	}
	use_engine(worker, tfp_engine_new(profile), &answer);
	worker->begun = true;
	pthread_mutex_lock(&worker->lock);
	slot->answer = answer;
	slot->answered = true;
	wake(worker);
	pthread_mutex_unlock(&worker->lock);
}

/* Cancels what runs, and nothing more will. */
static void stop(struct tfp_worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	worker->stop = true;
	for (unsigned task = 0; task < TFP_TASKS; task++)
		atomic_store(&worker->slots[task].job.cancel, true);
	pthread_cond_signal(&worker->more);
	pthread_mutex_unlock(&worker->lock);
}

struct tfp_worker *tfp_worker_new(const struct tfp_ui_config *config, struct tfp_diag *diag)
{
	struct tfp_worker *worker = tfp_alloc_zero(1, sizeof(*worker));
	struct tfp_job *load = &worker->slots[TFP_TASK_LOAD].job;

	worker->config = config;
	worker->diag = diag;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->more, NULL);
	load->tick = on_tick;
	load->data = worker;
	if (pipe2(worker->pipe, O_CLOEXEC | O_NONBLOCK) == 0)
		return worker;
	tfp_diag_error(diag, "nothing to hear from who loads by: %s", strerror(errno));
	free(worker);
	return NULL;
}

/* Who asks, as a thread. */
struct asker {
	struct tfp_worker *worker;
	void (*ask)(void *data);
	void *data;
};

static void *run_asker(void *data)
{
	struct asker *asker = data;

	asker->ask(asker->data);
	stop(asker->worker);
	return NULL;
}

bool tfp_worker_run(struct tfp_worker *worker, void (*ask)(void *data), void *data)
{
	struct asker asker = {worker, ask, data};
	pthread_t thread;
	sigset_t before;
	int error = pthread_create(&thread, NULL, run_asker, &asker);

	if (error) {
		tfp_diag_error(worker->diag, "no thread for the screen: %s", strerror(error));
		return false;
	}
	tfp_signals_keep_out(&before); /* they are for the thread that owns the terminal */
	work(worker);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return true;
}

void tfp_worker_free(struct tfp_worker *worker)
{
	for (unsigned task = 0; task < TFP_TASKS; task++) {
		drop_request(&worker->slots[task]);
		drop_answer(&worker->slots[task]);
	}
	worker->renewed = false;
	clear_away(worker);
	if (worker->engine)
		tfp_engine_free(worker->engine);
	tfp_array_free(&worker->engines);
	tfp_array_free(&worker->lent);
	close(worker->pipe[0]);
	close(worker->pipe[1]);
	pthread_mutex_destroy(&worker->lock);
	pthread_cond_destroy(&worker->more);
	free(worker);
}

void tfp_worker_ask(struct tfp_worker *worker, const struct tfp_request *request)
{
	struct slot *slot = &worker->slots[request->task];

	pthread_mutex_lock(&worker->lock);
	drop_request(slot);
	drop_answer(slot);
	slot->request = *request;
	slot->asked = true;
	if (slot->running)
		atomic_store(&slot->job.cancel, true);
	if (request->task == TFP_TASK_QUERY)
		for (unsigned task = TFP_TASK_MATCH; task < TFP_TASK_WRITE; task++)
			atomic_store(&worker->slots[task].job.cancel, true);
	pthread_cond_signal(&worker->more);
	pthread_mutex_unlock(&worker->lock);
}

/* That files were read, the first task, comes last: what else is there is still of the engine before. */
bool tfp_worker_take(struct tfp_worker *worker, struct tfp_answer *answer)
{
	bool found = false;

	pthread_mutex_lock(&worker->lock);
	for (unsigned i = 1; i <= TFP_TASKS && !found; i++) {
		unsigned task = i % TFP_TASKS;
		struct slot *slot = &worker->slots[task];

		if (!slot->answered)
			continue;
		*answer = slot->answer;
		slot->answered = false;
		if (task == TFP_TASK_LOAD)
			worker->renewed = false;
		found = true;
	}
	pthread_mutex_unlock(&worker->lock);
	return found;
}

void tfp_worker_return(struct tfp_worker *worker, const struct tfp_answer *answer)
{
	pthread_mutex_lock(&worker->lock);
	*tfp_array_push(&worker->returned) = *answer;
	pthread_cond_signal(&worker->more);
	pthread_mutex_unlock(&worker->lock);
}

bool tfp_worker_cancel(struct tfp_worker *worker, enum tfp_task task)
{
	struct slot *slot = &worker->slots[task];
	bool any;

	pthread_mutex_lock(&worker->lock);
	any = slot->asked || slot->running;
	drop_request(slot);
	atomic_store(&slot->job.cancel, true);
	pthread_mutex_unlock(&worker->lock);
	return any;
}

bool tfp_worker_busy(struct tfp_worker *worker, enum tfp_task task)
{
	struct slot *slot = &worker->slots[task];
	bool busy;

	pthread_mutex_lock(&worker->lock);
	busy = slot->asked || slot->running || slot->answered;
	pthread_mutex_unlock(&worker->lock);
	return busy;
}

void tfp_worker_progress(struct tfp_worker *worker, enum tfp_task task, uint64_t *done,
			 uint64_t *total)
{
	struct tfp_job *job = &worker->slots[task].job;
	uint64_t known = atomic_load(&job->known);

	*done = atomic_load(&job->done);
	*done = *done < known ? known : *done;
	*total = atomic_load(&job->total);
}

void tfp_worker_rows(struct tfp_worker *worker, uint64_t *made, uint64_t *total)
{
	struct tfp_job *job = &worker->slots[TFP_TASK_QUERY].job;

	*made = atomic_load(&job->made);
	*total = atomic_load(&job->to_make);
}

int tfp_worker_fd(const struct tfp_worker *worker)
{
	return worker->pipe[0];
}

void tfp_worker_woken(struct tfp_worker *worker)
{
	char bytes[64];

	while (read(worker->pipe[0], bytes, sizeof(bytes)) > 0)
		;
}
