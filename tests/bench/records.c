/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes of a made TensorFlow network as records of a GraphDef, a RunMetadata and an OpLogProto. Field
 * numbers are those of proto/.
 */
#include "records.h"

#include "put.h"
#include "rows.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DT_FLOAT = 1, FLUSH_BYTES = 1 << 20 };

struct records {
	FILE *graph_file, *log_file;
	struct put graph;
	struct rows rows;
	struct stacks stacks;
	uint64_t random;
	long nodes;
	bool failed;
	const char *op;
	char name[512];
};

/* Attributes of an op, a letter each (see put_attributes); ops that are not listed have "T". */
static const struct op_attributes {
	const char *op, *letters;
} op_attributes[] = {
	{"Conv2D", "Tfps"},
	{"Conv2DBackpropInput", "Tfps"},
	{"Conv2DBackpropFilter", "Tfps"},
	{"FusedBatchNorm", "Tf"},
	{"FusedBatchNormGrad", "Tf"},
	{"VariableV2", "dhnc"},
	{"Assign", "Tcv"},
	{"ApplyMomentum", "Tcv"},
	{"Const", "dt"},
	{"Placeholder", "dh"},
	{"NoOp", ""},
	{"SaveV2", "d"},
	{"RestoreV2", "d"},
};

static const char *attributes_of(const char *op)
{
	for (size_t i = 0; i < COUNT(op_attributes); i++)
		if (!strcmp(op, op_attributes[i].op))
			return op_attributes[i].letters;
	return "T";
}

static void open_attribute(struct put *put, const char *key)
{
	put_open(put, 5);
	put_text(put, 1, key);
	put_open(put, 2);
}

static void close_attribute(struct put *put)
{
	put_close(put);
	put_close(put);
}

static void put_text_attribute(struct put *put, const char *key, const char *value)
{
	open_attribute(put, key);
	put_text(put, 2, value);
	close_attribute(put);
}

static void put_number_attribute(struct put *put, const char *key, unsigned field, int64_t value)
{
	open_attribute(put, key);
	put_number(put, field, value);
	close_attribute(put);
}

static void put_strides(struct put *put)
{
	static const int64_t ones[4] = {1, 1, 1, 1};

	open_attribute(put, "strides");
	put_open(put, 1);
	put_packed(put, 3, ones, COUNT(ones));
	put_close(put);
	close_attribute(put);
}

static void put_place(struct put *put, const char *variable)
{
	char place[600];

	snprintf(place, sizeof(place), "loc:@%s", variable);
	open_attribute(put, "_class");
	put_open(put, 1);
	put_text(put, 2, place);
	put_close(put);
	close_attribute(put);
}

static void put_value(struct records *records, const struct node_shape *shape)
{
	unsigned char content[16];
	struct put *put = &records->graph;

	for (size_t i = 0; i < sizeof(content); i++)
		content[i] = (unsigned char)records_random(records, 256);
	open_attribute(put, "value");
	put_open(put, 8);
	put_number(put, 1, DT_FLOAT);
	put_shape(put, 2, shape);
	put_raw(put, 4, content, sizeof(content));
	put_close(put);
	close_attribute(put);
}

static void put_output_shapes(struct put *put, const struct node_facts *facts)
{
	open_attribute(put, "_output_shapes");
	put_open(put, 1);
	for (unsigned i = 0; i < facts->outputs; i++)
		put_shape(put, 7, facts->shape);
	put_close(put);
	close_attribute(put);
}

static void put_attribute(struct records *records, char letter, const struct node_facts *facts)
{
	struct put *put = &records->graph;

	switch (letter) {
	case 'T':
		put_number_attribute(put, "T", 6, DT_FLOAT);
		return;
	case 'd':
		put_number_attribute(put, "dtype", 6, DT_FLOAT);
		return;
	case 'f':
		put_text_attribute(put, "data_format", "NHWC");
		return;
	case 'p':
		put_text_attribute(put, "padding", "SAME");
		return;
	case 's':
		put_strides(put);
		return;
	case 'h':
		open_attribute(put, "shape");
		put_shape(put, 7, facts->shape);
		close_attribute(put);
		return;
	case 'n':
		put_text_attribute(put, "shared_name", "");
		return;
	case 'v':
		put_number_attribute(put, "validate_shape", 5, 1);
		return;
	case 't':
		put_value(records, facts->shape);
		return;
	default:
		if (facts->at)
			put_place(put, facts->at);
	}
}

static void put_attributes(struct records *records, const struct node_facts *facts)
{
	for (const char *letter = attributes_of(records->op); *letter; letter++)
		put_attribute(records, *letter, facts);
	put_output_shapes(&records->graph, facts);
}

static bool flush(struct put *put, FILE *file)
{
	bool good = !put->size || fwrite(put->at, 1, put->size, file) == put->size;

	put->size = 0;
	return good;
}

static FILE *open_file(const char *directory, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return fopen(path, "wb");
}

struct records *records_open(const char *directory)
{
	struct records *records = calloc(1, sizeof(*records));

	if (!records || !stacks_begin(&records->stacks))
		return NULL;
	records->graph_file = open_file(directory, "graph.pb");
	records->log_file = open_file(directory, "op_log.pb");
	records->random = 88172645463325252u;
	rows_begin(&records->rows);
	return records->graph_file && records->log_file ? records : NULL;
}

/* xorshift64: the same numbers everywhere. */
unsigned records_random(struct records *records, unsigned limit)
{
	records->random ^= records->random << 13;
	records->random ^= records->random >> 7;
	records->random ^= records->random << 17;
	return (unsigned)((records->random >> 33) % limit);
}

void records_begin(struct records *records, const char *name, const char *op)
{
	snprintf(records->name, sizeof(records->name), "%s", name);
	records->op = op;
	put_open(&records->graph, 1);
	put_text(&records->graph, 1, name);
	put_text(&records->graph, 2, op);
}

void records_input(struct records *records, const char *name)
{
	put_text(&records->graph, 3, name);
}

void records_end(struct records *records, const struct node_facts *facts)
{
	put_text(&records->graph, 4, device_names[facts->device]);
	put_attributes(records, facts);
	put_close(&records->graph);
	if (facts->kind != NODE_INITIAL && facts->kind != NODE_SAVING)
		rows_add(&records->rows, records->name, records->op, facts,
			 records_random(records, 1000));
	stacks_add(&records->stacks, records->name, records->op, facts);
	records->nodes++;
	if (records->graph.size > FLUSH_BYTES && !flush(&records->graph, records->graph_file))
		records->failed = true;
	if (records->stacks.log.size > FLUSH_BYTES &&
	    !flush(&records->stacks.log, records->log_file))
		records->failed = true;
}

long records_nodes(const struct records *records)
{
	return records->nodes;
}

bool records_close(struct records *records, const char *directory)
{
	struct put put = {0};
	FILE *file = open_file(directory, "run_meta_0.pb");
	bool good = file && !records->failed;

	rows_end(&records->rows, &put);
	stacks_end(&records->stacks);
	good = good && flush(&put, file);
	good = flush(&records->graph, records->graph_file) && good;
	good = flush(&records->stacks.log, records->log_file) && good;
	good = !fclose(records->graph_file) && good;
	good = !fclose(records->log_file) && good;
	good = file && !fclose(file) && good;
	rows_free(&records->rows);
	stacks_free(&records->stacks);
	free(put.at);
	free(records->graph.at);
	free(records);
	return good;
}
