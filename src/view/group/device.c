/* SPDX-License-Identifier: Apache-2.0 */
/* Names of TensorFlow's devices. */
#include <string.h>

#include "view/group/device.h"

/* The value of "/KEY:value" in DEVICE, up to the next '/'; nothing if it is not there. */
static struct tfp_span part(struct tfp_span device, struct tfp_span key)
{
	const char *at = memmem(device.at, device.size, key.at, key.size), *end;

	if (!at)
		return (struct tfp_span){NULL, 0};
	at += key.size;
	end = memchr(at, '/', (size_t)(device.at + device.size - at));
	if (!end)
		end = device.at + device.size;
	return (struct tfp_span){at, (size_t)(end - at)};
}

/* What stands behind the job and the task: "device:cpu:0" or "cpu:0". */
static struct tfp_span unit_of(struct tfp_span device)
{
	const char *slash = memrchr(device.at, '/', device.size);
	struct tfp_span last = device, word = TFP_SPAN("device:");

	if (slash)
		last = (struct tfp_span){slash + 1, (size_t)(device.at + device.size - slash - 1)};
	if (last.size > word.size && memcmp(last.at, word.at, word.size) == 0)
		last = tfp_span_from(last, word.size);
	return last;
}

char *tfp_device_name(char *buffer, size_t room, struct tfp_span device)
{
	struct tfp_span job = part(device, TFP_SPAN("/job:")),
			task = part(device, TFP_SPAN("/task:"));
	struct tfp_span unit = unit_of(device);

	if (!job.size ||
	    (tfp_span_equal(job, TFP_SPAN("localhost")) && tfp_span_equal(task, TFP_SPAN("0"))))
		snprintf(buffer, room, "%.*s", (int)unit.size, unit.at);
	else
		snprintf(buffer, room, "%.*s:%.*s %.*s", (int)job.size, job.at, (int)task.size,
			 task.size ? task.at : "", (int)unit.size, unit.at);
	return buffer;
}
