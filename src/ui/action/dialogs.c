/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keys do in the dialogs, and what stands in front of names, for the help and the manual page. Each dialog
 * knows its own keys; the key line shows the chief ones of them while it is open.
 */
#include "ui/action/actions.h"

const struct tfp_dialog_key tfp_dialog_keys[] = {
	{NULL, "In the filter form"},
	{"Tab Down C-n", "next field"},
	{"S-Tab Up C-p", "field before"},
	{"C-t", "the field is text, or a regular expression"},
	{"PgDn PgUp", "scroll what is behind the form"},
	{"Enter", "keep the filter"},
	{"Esc C-c", "filter as before"},
	{NULL, "In the list of columns"},
	{"Space x", "column on, or off"},
	{"K < -", "column to the left"},
	{"J > +", "column to the right"},
	{"0-9", "its rank, 0 is 100: the lowest go first in a narrow window"},
	{"r Backspace", "the columns that come with the metric"},
	{"Enter q c F2", "keep the columns"},
	{"Esc C-c", "columns as before"},
	{NULL, "In a menu"},
	{"a-z", "what stands behind the letter"},
	{"Enter", "what stands first"},
	{":", "type what there is no room for: another step, another rank"},
	{"Up Down PgDn", "move what is behind the menu"},
	{"Esc q C-c", "leave the menu"},
	{NULL, "Where text is typed: search, command, file, field"},
	{"Enter", "take the text"},
	{"Tab", "complete a command, or show what it can be"},
	{"Up Down C-p C-n", "what was typed there before"},
	{"C-a Home", "to the start of the text"},
	{"C-e End", "to the end of the text"},
	{"C-b Left", "a character to the left"},
	{"C-f Right", "a character to the right"},
	{"C-d Delete", "delete the character at the cursor"},
	{"C-w", "delete the word before the cursor"},
	{"C-u", "delete everything before the cursor"},
	{"C-k", "delete everything behind it"},
	{"Esc C-c", "leave the text"},
	{NULL, "In front of the names of rows"},
	{"> * #", "the cursor, a mark, both"},
	{"└", "an only child of the row above: it is not indented further"},
	{"NUMBER", "how deep a row is that has no room to be indented"},
	{NULL, NULL},
};
