/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker, its questions and its answers: one place for each kind of either, behind one lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ui/worker.h"

/* Nanoseconds between two pieces of news about the progress. */
#define NEWS_EVERY 250000000

struct slot {
	bool asked, running, answered;
	struct tfp_request request;
	struct tfp_answer answer;
	struct tfp_job job;
};

struct tfp_worker {
	pthread_mutex_t lock;
	pthread_cond_t more;
	int pipe[2];
	bool stop;
	bool renewed; /* the engine is new, and the screen does not know it yet */
	struct slot slots[TFP_TASKS];
	const struct tfp_ui_config *config;
	struct tfp_diag *diag;
	struct tfp_engine *engine; /* the worker's own */
	int64_t news;
};

static void wake(struct tfp_worker *worker)
{
	ssize_t size = write(worker->pipe[1], "", 1);

	(void)size; /* a full pipe wakes as well */
}

/* Called by the loaders as they go on. */
static void on_tick(struct tfp_job *job, void *data)
{
	struct tfp_worker *worker = data;
	struct timespec now;
	int64_t time;

	(void)job;
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

/* The most urgent question; TFP_TASKS if there is none. With the lock held. */
static enum tfp_task next_task(const struct tfp_worker *worker)
{
	unsigned task = 0;

	while (task < TFP_TASKS && !worker->slots[task].asked)
		task++;
	return task;
}

/*
 * Loads. What was asked about the engine before is forgotten; the engine itself is handed over,
 * because the screen still shows its trees.
 */
static void run_load(struct tfp_worker *worker, struct tfp_job *job, struct tfp_answer *answer)
{
	struct tfp_engine *engine = worker->config->load(worker->config->data, job, worker->diag);

	answer->failed = !engine;
	if (!engine)
		return;
	answer->former = worker->engine;
	worker->engine = engine;
	tfp_task_about(engine, &answer->about);
	pthread_mutex_lock(&worker->lock);
	worker->renewed = true;
	for (unsigned task = TFP_TASK_QUERY; task < TFP_TASKS; task++) {
		drop_request(&worker->slots[task]);
		drop_answer(&worker->slots[task]);
	}
	pthread_mutex_unlock(&worker->lock);
}

static void run(struct tfp_worker *worker, struct tfp_request *request, struct tfp_job *job,
		struct tfp_answer *answer)
{
	*answer = (struct tfp_answer){.task = request->task};
	if (request->task == TFP_TASK_LOAD)
		run_load(worker, job, answer);
	else if (!worker->engine)
		answer->failed = true;
	else if (tfp_task_other(worker->config, worker->engine, request, job, worker->diag, answer))
		tfp_task_run(worker->engine, request, job, worker->diag, answer);
	tfp_request_free(request);
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

/* Answers until the worker is to stop. */
static void work(struct tfp_worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	while (!worker->stop) {
		enum tfp_task task = next_task(worker);
		struct slot *slot = &worker->slots[task];
		struct tfp_request request;
		struct tfp_answer answer;

		if (task == TFP_TASKS) {
			pthread_cond_wait(&worker->more, &worker->lock);
			continue;
		}
		request = slot->request;
		slot->asked = false;
		slot->running = true;
		atomic_store(&slot->job.cancel, false);
		pthread_mutex_unlock(&worker->lock);
		run(worker, &request, &slot->job, &answer);
		pthread_mutex_lock(&worker->lock);
		publish(worker, slot, &answer);
	}
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

/* Signals are for the thread that owns the terminal, but for faults of one's own. */
static void block_signals(sigset_t *before)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		sigdelset(&blocked, own[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, before);
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
	block_signals(&before);
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
	if (worker->engine)
		tfp_engine_free(worker->engine);
	close(worker->pipe[0]);
	close(worker->pipe[1]);
	pthread_mutex_destroy(&worker->lock);
	pthread_cond_destroy(&worker->more);
	free(worker);
}

/* A question about a tree of the engine before cannot be answered any more. */
void tfp_worker_ask(struct tfp_worker *worker, const struct tfp_request *request)
{
	struct slot *slot = &worker->slots[request->task];

	pthread_mutex_lock(&worker->lock);
	drop_request(slot);
	drop_answer(slot);
	slot->request = *request;
	slot->asked = true;
	if (request->tree && worker->renewed)
		drop_request(slot);
	if (slot->running)
		atomic_store(&slot->job.cancel, true);
	if (request->task == TFP_TASK_QUERY)
		for (unsigned task = TFP_TASK_MATCH; task < TFP_TASK_WRITE; task++)
			atomic_store(&worker->slots[task].job.cancel, true);
	pthread_cond_signal(&worker->more);
	pthread_mutex_unlock(&worker->lock);
}

bool tfp_worker_take(struct tfp_worker *worker, struct tfp_answer *answer)
{
	bool found = false;

	pthread_mutex_lock(&worker->lock);
	for (unsigned task = 0; task < TFP_TASKS && !found; task++) {
		struct slot *slot = &worker->slots[task];

		if (!slot->answered)
			continue;
		*answer = slot->answer;
		slot->answered = false;
		worker->renewed &= task != TFP_TASK_LOAD;
		found = true;
	}
	pthread_mutex_unlock(&worker->lock);
	return found;
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

	*done = atomic_load(&job->done);
	*total = atomic_load(&job->total);
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
