/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people type who know other programs: keys that do something there, and what does it here.
 */
#ifndef TFP_UI_HABITS_H
#define TFP_UI_HABITS_H

#include "ui/action/actions.h"

/* The action that is meant by KEY, which has none; NULL: nobody knows. */
const struct tfp_action *tfp_habit_key(int32_t key);
/* The action that is meant by NAME on the command line ("q!"); NULL. */
const struct tfp_action *tfp_habit_command(const char *name);

#endif
