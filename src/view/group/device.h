/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of devices, as short as they say the same.
 */
#ifndef TFPROF_VIEW_DEVICE_H
#define TFPROF_VIEW_DEVICE_H

#include "tfprof/base.h"

/*
 * "cpu:0" for "/job:localhost/replica:0/task:0/device:cpu:0", "worker:1 gpu:0" for a device of
 * another job; what looks different stays as it is. Into BUFFER, cut at ROOM; returns BUFFER.
 */
char *tfp_device_name(char *buffer, size_t room, struct tfp_span device);

#endif
