/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typing: characters, never bytes, and the usual control keys.
 */
#include <string.h>

#include "ui/prompt/edit.h"
#include "ui/action/keys.h"

static size_t before(const struct tfp_edit *edit, size_t at)
{
	while (at > 0 && (edit->text[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t after(const struct tfp_edit *edit, size_t at)
{
	if (at < edit->size)
		at++;
	while (at < edit->size && (edit->text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static size_t word_before(const struct tfp_edit *edit)
{
	size_t at = edit->cursor;

	while (at > 0 && edit->text[at - 1] == ' ')
		at--;
	while (at > 0 && edit->text[at - 1] != ' ')
		at--;
	return at;
}

static enum tfp_edit_result cut(struct tfp_edit *edit, size_t from, size_t to)
{
	if (from == to)
		return TFP_EDIT_MOVED;
	memmove(edit->text + from, edit->text + to, edit->size - to + 1);
	edit->size -= to - from;
	edit->cursor = from;
	return TFP_EDIT_CHANGED;
}

static void empty(struct tfp_edit *edit)
{
	edit->size = edit->cursor = 0;
	edit->text[0] = '\0';
}

static enum tfp_edit_result insert(struct tfp_edit *edit, const char *text, size_t size)
{
	if (edit->size + size >= sizeof(edit->text))
		return TFP_EDIT_MOVED;
	memmove(edit->text + edit->cursor + size, edit->text + edit->cursor,
		edit->size - edit->cursor + 1);
	memcpy(edit->text + edit->cursor, text, size);
	edit->size += size;
	edit->cursor += size;
	return TFP_EDIT_CHANGED;
}

static enum tfp_edit_result move_to(struct tfp_edit *edit, size_t at)
{
	edit->cursor = at;
	return TFP_EDIT_MOVED;
}

enum tfp_edit_result tfp_edit_key(struct tfp_edit *edit, int32_t key)
{
	char text[5];
	size_t size = tfp_keys_text(key, text);

	if (size && edit->selected)
		empty(edit);
	edit->selected = false;
	if (size)
		return insert(edit, text, size);
	switch (key) {
	case TFP_KEY_BACKSPACE:
		return cut(edit, before(edit, edit->cursor), edit->cursor);
	case TFP_KEY_DELETE:
	case TFP_KEY_CONTROL('d'):
		return cut(edit, edit->cursor, after(edit, edit->cursor));
	case TFP_KEY_CONTROL('u'):
		return cut(edit, 0, edit->cursor);
	case TFP_KEY_CONTROL('k'):
		return cut(edit, edit->cursor, edit->size);
	case TFP_KEY_CONTROL('w'):
		return cut(edit, word_before(edit), edit->cursor);
	case TFP_KEY_LEFT:
	case TFP_KEY_CONTROL('b'):
		return move_to(edit, before(edit, edit->cursor));
	case TFP_KEY_RIGHT:
	case TFP_KEY_CONTROL('f'):
		return move_to(edit, after(edit, edit->cursor));
	case TFP_KEY_HOME:
	case TFP_KEY_CONTROL('a'):
		return move_to(edit, 0);
	case TFP_KEY_END:
	case TFP_KEY_CONTROL('e'):
		return move_to(edit, edit->size);
	default:
		return TFP_EDIT_IGNORED;
	}
}

void tfp_edit_add(struct tfp_edit *edit, const char *between, const char *text)
{
	const char *parts[] = {edit->size ? between : "", text};

	for (size_t i = 0; i < 2; i++)
		edit->size +=
			tfp_text_clean(edit->text + edit->size, sizeof(edit->text) - edit->size,
				       tfp_span_of(parts[i]), false);
	edit->cursor = edit->size;
}

void tfp_edit_set(struct tfp_edit *edit, const char *text)
{
	empty(edit);
	edit->selected = false;
	tfp_edit_add(edit, "", text);
}

int tfp_edit_draw(const struct tfp_edit *edit, struct tfp_pen *pen, enum tfp_ink ink)
{
	size_t start = 0, cells = tfp_text_cells(edit->text, edit->cursor);
	int room = pen->end - pen->x - 1, cursor;

	while (room > 0 && cells > (size_t)room) {
		start = after(edit, start);
		cells = tfp_text_cells(edit->text + start, edit->cursor - start);
	}
	cursor = pen->x + (int)cells;
	tfp_pen_raw(pen, edit->selected ? TFP_INK_CURSOR : ink,
		    (struct tfp_span){edit->text + start, edit->size - start});
	return cursor < pen->end ? cursor : pen->end - 1;
}
