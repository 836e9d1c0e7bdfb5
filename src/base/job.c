/* SPDX-License-Identifier: Apache-2.0 */
/* Long work: how a worker tells those who watch how far it is. */
#include "tfprof/base.h"

void tfp_job_progress(struct tfp_job *job, uint64_t done)
{
	if (!job)
		return;
	atomic_store_explicit(&job->done, done, memory_order_relaxed);
	tfp_job_tick(job);
}

void tfp_job_tick(struct tfp_job *job)
{
	if (job && job->tick)
		job->tick(job, job->data);
}
