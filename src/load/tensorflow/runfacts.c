/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What run metadata holds besides times and memory of nodes: devices, the cost graph, and the graphs that
 * the runtime made of the program's. Only counted.
 */
#include "load/tensorflow/graphdef.h"
#include "load/tensorflow/runfacts.h"
#include "load/tensorflow/runmeta.h"

enum {
	RUN_COST = 2,
	RUN_PARTITION = 3,
	RUN_FUNCTION = 4,
	COST_NODE = 1,
	FUNCTION_PARTITION = 1,
	FUNCTION_BEFORE = 2,
	FUNCTION_AFTER = 3,
	LIBRARY_FUNCTION = 1,
};

struct device {
	struct tfp_span name;
	uint64_t records;
	int64_t micros, first; /* of starts; 0: none */
};

static size_t count_fields(const struct tfp_field *message, uint32_t number)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;
	size_t count = 0;

	while (tfp_wire_next(&wire, &field))
		count += tfp_field_is(&field, number);
	return count;
}

static void add_record(struct device *device, const struct tfp_field *record)
{
	struct tfp_wire wire = tfp_wire_in(record);
	struct tfp_field field;

	device->records++;
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, EXEC_OP_END))
			device->micros = tfp_wrap_add(device->micros, (int64_t)field.value);
		if (tfp_field_is_int(&field, EXEC_START) &&
		    (!device->first || (int64_t)field.value < device->first))
			device->first = (int64_t)field.value;
	}
}

static void add_device(struct tfp_facts *facts, uint32_t section, const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct device device = {.name = TFP_SPAN("")};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, DEVICE_NAME))
			device.name = tfp_field_span(&field);
		else if (tfp_field_is(&field, DEVICE_NODE))
			add_record(&device, &field);
	}
	tfp_facts_add(facts, section, device.name.size ? device.name : TFP_SPAN("(no name)"),
		      "records %llu, us %lld, first start %lld", (unsigned long long)device.records,
		      (long long)device.micros, (long long)device.first);
}

static void add_devices(struct tfp_facts *facts, uint32_t step, const struct tfp_field *stats)
{
	struct tfp_wire wire = tfp_wire_in(stats);
	struct tfp_field field;
	uint32_t section = tfp_facts_add(facts, step, TFP_SPAN("devices"), "%zu",
					 count_fields(stats, STATS_DEVICE));

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, STATS_DEVICE))
			add_device(facts, section, &field);
}

/* Functions in the libraries of GRAPH. */
static size_t count_functions(const struct tfp_field *graph)
{
	struct tfp_wire wire = tfp_wire_in(graph);
	struct tfp_field field;
	size_t count = 0;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, GRAPH_LIBRARY))
			count += count_fields(&field, LIBRARY_FUNCTION);
	return count;
}

static void add_function_graph(struct tfp_facts *facts, uint32_t step,
			       const struct tfp_field *message)
{
	static const char *const names[] = {
		[FUNCTION_PARTITION] = "partition",
		[FUNCTION_BEFORE] = "before optimisation",
		[FUNCTION_AFTER] = "after optimisation",
	};
	uint32_t section = tfp_facts_add(facts, step, TFP_SPAN("function graph"), "%zu partitions",
					 count_fields(message, FUNCTION_PARTITION));
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.number <= FUNCTION_AFTER && field.type == TFP_WIRE_BYTES)
			tfp_facts_add(facts, section, tfp_span_of(names[field.number]), "nodes %zu",
				      count_fields(&field, GRAPH_NODE));
}

static void add_part(struct tfp_facts *facts, uint32_t step, const struct tfp_field *field)
{
	if (field->type != TFP_WIRE_BYTES)
		return;
	switch (field->number) {
	case RUN_STEP_STATS:
		add_devices(facts, step, field);
		return;
	case RUN_COST:
		tfp_facts_add(facts, step, TFP_SPAN("cost graph"), "nodes %zu",
			      count_fields(field, COST_NODE));
		return;
	case RUN_PARTITION:
		tfp_facts_add(facts, step, TFP_SPAN("partition graph"), "nodes %zu, functions %zu",
			      count_fields(field, GRAPH_NODE), count_functions(field));
		return;
	case RUN_FUNCTION:
		add_function_graph(facts, step, field);
		return;
	default:
		return;
	}
}

bool tfp_run_has_graphs(const struct tfp_source *source)
{
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (field.number >= RUN_COST && field.number <= RUN_FUNCTION)
			return true;
	return false;
}

void tfp_run_facts(struct tfp_facts *facts, const struct tfp_source *source, int64_t number)
{
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	struct tfp_field field;
	uint32_t step = tfp_facts_add(facts, TFP_NONE, TFP_SPAN("run metadata"), "step %lld, %s",
				      (long long)number, source->path);

	while (tfp_wire_next(&wire, &field))
		add_part(facts, step, &field);
}
