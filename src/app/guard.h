/* SPDX-License-Identifier: Apache-2.0 */
/* Files that another program cuts short while they are read, without a screen: that has a handler of its own. */
#ifndef TFPROF_APP_GUARD_H
#define TFPROF_APP_GUARD_H

/* From here on what such a file lacks is zeros, and no end of the program. */
void tfp_guard_start(void);

#endif
