/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown by device. Time on an accelerator and the time in which the host launched it there are
 * apart.
 */
#include <stdlib.h>

#include "tfprof/lookup.h"
#include "view/breakdown.h"
#include "view/device.h"

/* Which part of a node's time a row holds. */
enum side { WHOLE, LAUNCH, KERNELS, SIDES };

static const char *const suffix[SIDES] = {"", ", launching", ", computing"};

struct device {
	tfp_str name;
	struct tfp_group side[SIDES];
};

/* What is at hand while rows are made. */
struct maker {
	struct tfp_work *work;
	struct tfp_lookup *table; /* from name to device */
	TFP_ARRAY(struct device) devices;
};

static struct device *find_device(struct maker *maker, tfp_str name)
{
	uint32_t hash = tfp_lookup_mix(name), index;
	size_t at;

	for (index = tfp_lookup_first(maker->table, hash, &at); index != TFP_NONE;
	     index = tfp_lookup_next(maker->table, hash, &at))
		if (maker->devices.at[index].name == name)
			return &maker->devices.at[index];
	tfp_lookup_add(maker->table, hash, (uint32_t)maker->devices.count);
	*tfp_array_push(&maker->devices) = (struct device){.name = name};
	return &maker->devices.at[maker->devices.count - 1];
}

static void add_side(struct maker *maker, struct tfp_group *group, uint32_t node,
		     const int64_t *values, uint32_t metric)
{
	int64_t copy[TFP_MAX_METRICS];

	for (uint32_t i = 0; i < maker->work->build.profile->metric_count; i++)
		copy[i] = values[i];
	copy[maker->work->metric] = values[metric];
	tfp_group_add(group, maker->work, node, copy);
}

static void add_node(struct maker *maker, uint32_t node)
{
	const struct tfp_profile *profile = maker->work->build.profile;
	struct device *device = find_device(maker, profile->nodes.device[node]);
	int64_t values[TFP_MAX_METRICS];
	bool split = profile->tensorflow && maker->work->metric == TFP_TF_MICROS;

	tfp_work_values(maker->work, node, values);
	if (!split || !values[TFP_TF_ACCELERATOR_MICROS]) {
		tfp_group_add(&device->side[WHOLE], maker->work, node, values);
		return;
	}
	add_side(maker, &device->side[LAUNCH], node, values, TFP_TF_CPU_MICROS);
	add_side(maker, &device->side[KERNELS], node, values, TFP_TF_ACCELERATOR_MICROS);
}

static tfp_str make_label(struct tfp_strings *strings, tfp_str name, enum side side)
{
	char device[128], label[160];

	if (!name)
		return tfp_strings_add_text(strings, "no device");
	tfp_device_name(device, sizeof(device), tfp_strings_get(strings, name));
	snprintf(label, sizeof(label), "%s%s", device, suffix[side]);
	return tfp_strings_add_text(strings, label);
}

static void make_rows(struct maker *maker)
{
	TFP_ARRAY(struct tfp_group) groups = {0};
	TFP_ARRAY(tfp_str) labels = {0};

	for (size_t i = 0; i < maker->devices.count; i++) {
		for (int side = 0; side < SIDES; side++) {
			const struct device *device = &maker->devices.at[i];

			if (!device->side[side].nodes)
				continue;
			*tfp_array_push(&groups) = device->side[side];
			*tfp_array_push(&labels) = make_label(maker->work->build.profile->strings,
							      device->name, (enum side)side);
		}
	}
	tfp_work_rows(maker->work, groups.at, labels.at, groups.count);
	tfp_array_free(&groups);
	tfp_array_free(&labels);
}

bool tfp_break_devices(struct tfp_work *work)
{
	struct maker maker = {.work = work, .table = tfp_lookup_new()};
	bool done = true;

	for (size_t i = 0; i < work->nodes.count && done; i++) {
		done = !tfp_work_stopped(work, i);
		add_node(&maker, work->nodes.at[i]);
	}
	if (done)
		make_rows(&maker);
	tfp_lookup_free(maker.table);
	tfp_array_free(&maker.devices);
	return done;
}
