/* SPDX-License-Identifier: Apache-2.0 */
/* Threads besides: how they are started, and two parts of some work at once. */
#include "tfprof/thread.h"

#define FEW 30000 /* things that are done about as soon as a thread has begun */

void tfp_signals_keep_out(sigset_t *before)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		sigdelset(&blocked, own[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, before);
}

bool tfp_thread_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t before;
	bool started;

	tfp_signals_keep_out(&before);
	started = !pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

struct part {
	void (*work)(void *data);
	void *data;
};

static void *run_part(void *data)
{
	const struct part *part = data;

	part->work(part->data);
	return NULL;
}

void tfp_beside(size_t count, void (*here)(void *data), void *here_data, void (*there)(void *data),
		void *there_data)
{
	struct part part = {there, there_data};
	pthread_t thread;
	bool started = count > FEW && tfp_thread_start(&thread, run_part, &part);

	here(here_data);
	if (started)
		pthread_join(thread, NULL);
	else
		there(there_data);
}
