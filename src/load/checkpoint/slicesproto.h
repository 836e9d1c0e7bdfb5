/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field numbers of the records in the tables of V1 checkpoints: TensorFlow's saved_tensor_slice.proto.
 */
#ifndef TFPROF_LOAD_SLICESPROTO_H
#define TFPROF_LOAD_SLICESPROTO_H

enum {
	RECORD_META = 1,
	RECORD_DATA = 2,

	HEADER_TENSOR = 1,
	HEADER_VERSIONS = 2,

	META_NAME = 1,
	META_SHAPE = 2,
	META_TYPE = 3,
	META_SLICE = 4,

	DATA_NAME = 1,
	DATA_VALUES = 3,
};

#endif
