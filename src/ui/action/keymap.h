/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which key does what: the keys of the action table, changed by the person's settings.
 */
#ifndef TFP_UI_KEYMAP_H
#define TFP_UI_KEYMAP_H

#include <stddef.h>
#include <stdint.h>

#include "ui/ui.h"

struct tfp_action;

struct tfp_keymap {
	struct tfp_arena arena;
	const char **keys; /* by place in the action table: "j Down C-n" */
};

/* The table's keys, but what SETTINGS name has theirs, which nothing else has any more. */
void tfp_keymap_make(struct tfp_keymap *map, const struct tfp_ui_keys *settings, size_t count);
void tfp_keymap_free(struct tfp_keymap *map);

/* The action of KEY, in the time view or elsewhere; NULL. */
const struct tfp_action *tfp_keymap_action(const struct tfp_keymap *map, int32_t key, bool in_time);
/* The keys of ACTION, "" none. */
const char *tfp_keymap_keys(const struct tfp_keymap *map, const struct tfp_action *action);
/*
 * KEYS, which are of the action table, as they are now, into BUFFER; those of actions that have no
 * key any more are left out, and what is no key ("1-9") stays. Returns BUFFER.
 */
char *tfp_keymap_now(const struct tfp_keymap *map, const char *keys, char *buffer, size_t room);

#endif
