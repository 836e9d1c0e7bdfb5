/* SPDX-License-Identifier: Apache-2.0 */
/* Threads besides the two that the program lives in: for a part of some work that another core may do meanwhile. */
#ifndef TFPROF_THREAD_H
#define TFPROF_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Keeps all signals from the thread that calls it, but those that a fault of its own raises. BEFORE gets what was kept until now. */
void tfp_signals_keep_out(sigset_t *before);

/* Starts RUN with DATA in a thread that signals are kept from. False: there is none to be had. */
bool tfp_thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

/*
 * Does HERE, and THERE in another thread, each with its DATA, about COUNT things (events, say); returns when both are done. Neither
 * may write what the other touches. One after the other where there is no thread to be had, or so few things that one
 * costs more. THERE allocates in the heap of all threads but the first: little of it, please.
 */
void tfp_beside(size_t count, void (*here)(void *data), void *here_data, void (*there)(void *data),
		void *there_data);

#endif
