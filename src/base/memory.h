/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of base share about memory: the way out when there is none left.
 */
#ifndef TFPROF_BASE_MEMORY_H
#define TFPROF_BASE_MEMORY_H

/* Calls the hook of tfp_memory_on_end, then aborts. */
_Noreturn void tfp_memory_end(void);

#endif
