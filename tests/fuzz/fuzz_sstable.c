/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a sorted table: every entry lies within its block, and the walk ends.
 */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk_block(const struct tfp_sstable_block *block)
{
	struct tfp_entries entries = tfp_entries_of(block);
	const uint8_t *end = block->at + block->size;
	size_t steps = 0;

	while (tfp_entries_next(&entries)) {
		const uint8_t *value = (const uint8_t *)entries.value.at;

		fuzz_abort_unless(value >= block->at && value <= end &&
				  entries.value.size <= (size_t)(end - value));
		fuzz_abort_unless(entries.key.size <= entries.bytes.room);
		fuzz_abort_unless(++steps <= block->size);
	}
	tfp_entries_free(&entries);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = fuzz_source(data, size);
	struct tfp_sstable table;
	struct tfp_sstable_block block;

	tfp_sstable_open(&table, source, diag);
	for (size_t i = 0; i < table.blocks.count; i++) {
		if (!tfp_sstable_block(&table, i, &block, NULL, diag))
			continue;
		walk_block(&block);
		tfp_sstable_block_free(&block);
	}
	fuzz_abort_unless(tfp_sstable_find(&table, TFP_SPAN("a/b")) <= table.blocks.count);
	tfp_sstable_close(&table);
	tfp_source_free(source);
	tfp_diag_free(diag);
	return 0;
}
