/* SPDX-License-Identifier: Apache-2.0 */
/* Files that shrink while they are read: see guard.h. */
#include "app/guard.h"

#include <signal.h>

#include "tfprof/codec.h"

static struct sigaction former;

/* A fault that is none of ours comes again when the instruction is repeated, for whoever had the signal before. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (tfp_source_guard(info->si_addr))
		return;
	sigaction(number, &former, NULL);
	if (info->si_code <= 0)
		raise(number);
}

void tfp_guard_start(void)
{
	struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &former);
}
