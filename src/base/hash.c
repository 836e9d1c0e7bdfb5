/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the key of the hash comes from. Nothing printed ever depends on it: ids are given in the
 * order of arrival.
 */
#include <sys/random.h>
#include <time.h>

#include "tfprof/hash.h"

struct tfp_hash_key tfp_hash_key_new(void)
{
	struct tfp_hash_key key;
	struct timespec now;

	if (getrandom(&key, sizeof(key), GRND_NONBLOCK) == (ssize_t)sizeof(key))
		return key;
	/* Early at boot: the clock and the place of the stack are better than a constant. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	key.a = tfp_hash_fold((uint64_t)now.tv_nsec ^ UINT64_C(0xa0761d6478bd642f),
			      (uint64_t)(uintptr_t)&key);
	key.b = tfp_hash_fold(key.a, UINT64_C(0xe7037ed1a0b428db));
	return key;
}
