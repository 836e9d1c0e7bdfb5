/* SPDX-License-Identifier: Apache-2.0 */
/* How the stats of events lie: see layouts.h. */
#include "load/xplane/layouts.h"

#include <string.h>

#define SETS   64 /* of events with as many bytes of stats, and of near kinds */
#define WAYS   2  /* kept of a set */
#define WORDS  (TFP_XLAYOUT_MOST / sizeof(word))
#define VALUES 12 /* taken of one event */
#define HEAD   5  /* bytes of a stat before its value: tag, size, tag and id, tag */
#define TRUST  4  /* how often one that fitted may not fit before another takes its place */

/* Compilers know it for one or two registers, on every machine. */
typedef uint64_t word __attribute__((vector_size(16)));
_Static_assert(sizeof(word) == TFP_XLAYOUT_WORD, "bytes that are read at a time");

struct place {
	uint8_t stat, type, at; /* STAT_UINT …; of the value, in bytes */
	bool longer;            /* than one byte */
	uint64_t mask;          /* the bytes of eight that it has */
};

struct layout {
	uint8_t size; /* of the stats; 0: none is known */
	uint8_t words, count, trust;
	uint64_t seen; /* the stats that are taken */
	struct place places[VALUES];
	word same[WORDS], mask[WORDS]; /* what must be the same: tags, ids, sizes */
};

struct tfp_xlayouts {
	const struct tfp_xplane *plane;
	uint64_t wanted;
	struct layout at[SETS][WAYS];
};

struct tfp_xlayouts *tfp_xlayouts_new(void)
{
	return tfp_alloc_zero(1, sizeof(struct tfp_xlayouts));
}

void tfp_xlayouts_begin(struct tfp_xlayouts *layouts, const struct tfp_xplane *plane,
			uint64_t wanted)
{
	if (layouts->plane == plane && layouts->wanted == wanted)
		return;
	layouts->plane = plane;
	layouts->wanted = wanted;
	for (size_t i = 0; i < SETS; i++)
		for (size_t way = 0; way < WAYS; way++)
			layouts->at[i][way].size = layouts->at[i][way].trust = 0;
}

static inline struct layout *set_of(struct tfp_xlayouts *layouts, size_t size, int64_t metadata)
{
	return layouts->at[(size * 5 + (uint64_t)metadata) % SETS];
}

/* Whether the bytes from AT on are the same but for those that may differ. */
static inline bool is_same(const struct layout *layout, const uint8_t *at)
{
	word differs = {0, 0}, bytes;

	for (size_t i = 0; i < layout->words; i++) {
		memcpy(&bytes, at + i * sizeof(bytes), sizeof(bytes));
		differs |= (bytes ^ layout->same[i]) & layout->mask[i];
	}
	return !(differs[0] | differs[1]);
}

static inline void take_values(const struct layout *layout, const uint8_t *at,
			       struct tfp_xvalues *values)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		struct tfp_xvalue *value = &values->at[place->stat];
		uint64_t bytes;

		memcpy(&bytes, at + place->at, sizeof(bytes));
		bytes = le64toh(bytes) & place->mask;
		value->type = place->type;
		value->value = place->longer ? tfp_wire_join(bytes) : bytes;
	}
	values->seen = layout->seen;
}

bool tfp_xlayouts_take(struct tfp_xlayouts *layouts, const uint8_t *at, size_t size,
		       int64_t metadata, struct tfp_xvalues *values)
{
	struct layout *set = set_of(layouts, size, metadata);

	for (size_t way = 0; way < WAYS; way++) {
		if (set[way].size != size || !is_same(&set[way], at))
			continue;
		take_values(&set[way], at, values);
		set[way].trust = TRUST;
		return true;
	}
	return false;
}

/* Of the stat at AT with SIZE bytes: what must be the same of it, where its value is TAKEN, and where that is. */
static void learn_stat(struct layout *layout, const uint8_t *stats, size_t at, size_t size,
		       bool taken, uint8_t stat)
{
	uint8_t *mask = (uint8_t *)layout->mask + at;

	memset(mask, 0xff, HEAD - 1);
	if (!taken)
		return;
	mask[HEAD - 1] = 0xff;
	/* where a value ends */
	memset(mask + HEAD, 0x80, size - HEAD);
	layout->places[layout->count++] = (struct place){
		.stat = stat,
		.type = stats[at + HEAD - 1] >> 3,
		.at = (uint8_t)(at + HEAD),
		.longer = size - HEAD > 1,
		.mask = UINT64_MAX >> (64 - 8 * (size - HEAD)),
	};
}

static struct layout *least_trusted(struct layout set[WAYS])
{
	struct layout *least = set;

	for (size_t way = 1; way < WAYS; way++)
		if (set[way].trust < least->trust)
			least = &set[way];
	return least;
}

void tfp_xlayouts_learn(struct tfp_xlayouts *layouts, const uint8_t *at, size_t size,
			int64_t metadata, const struct tfp_xvalues *values)
{
	struct layout *layout = least_trusted(set_of(layouts, size, metadata));
	uint64_t left = values->seen;

	if (size > TFP_XLAYOUT_MOST || (layout->trust && layout->trust--))
		return;
	*layout = (struct layout){
		.size = (uint8_t)size,
		.words = (uint8_t)((size + sizeof(word) - 1) / sizeof(word)),
		.trust = 1,
		.seen = values->seen,
	};
	for (size_t from = 0, of; from < size; from += of) {
		uint8_t stat = layouts->plane->small[at[from + HEAD - 2]];
		bool taken = left >> stat & 1;

		of = 2u + at[from + 1];
		if (taken && layout->count == VALUES) {
			layout->size = 0;
			return;
		}
		learn_stat(layout, at, from, of, taken, stat);
		left &= ~(UINT64_C(1) << stat);
	}
	memcpy(layout->same, at, size);
}
