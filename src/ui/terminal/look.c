/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Themes as the program hands them over, without a word of curses, to the styles that inks are
 * made of, and the compiled one the other way round.
 */
#include "ui/terminal/theme.h"

#include <string.h>

_Static_assert(TFP_INKS <= TFP_UI_INKS, "a theme has room for every ink");

static const struct {
	enum tfp_look_bit bit;
	attr_t attribute;
} bits[] = {
	{TFP_LOOK_BOLD, A_BOLD},
	{TFP_LOOK_UNDERLINE, A_UNDERLINE},
	{TFP_LOOK_REVERSE, A_REVERSE},
	{TFP_LOOK_ITALIC, A_ITALIC},
};

static attr_t attributes_of(uint8_t look)
{
	attr_t attributes = A_NORMAL;

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		if (look & bits[i].bit)
			attributes |= bits[i].attribute;
	return attributes;
}

static uint8_t look_of(attr_t attributes)
{
	uint8_t look = 0;

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		if (attributes & bits[i].attribute)
			look |= (uint8_t)bits[i].bit;
	return look;
}

const char *tfp_ui_ink(size_t index)
{
	return index < TFP_INKS ? tfp_theme_default[index].name : NULL;
}

void tfp_ui_theme_default(struct tfp_ui_theme *theme)
{
	memset(theme, 0, sizeof(*theme));
	for (size_t i = 0; i < TFP_INKS; i++) {
		const struct tfp_style *style = &tfp_theme_default[i];

		theme->looks[i] = (struct tfp_look){
			.color = style->color,
			.attributes = look_of(style->attributes),
			.plain = look_of(style->plain),
		};
	}
}

void tfp_theme_use(struct tfp_theme *theme, const struct tfp_ui_theme *looks)
{
	theme->styles = looks ? theme->made : tfp_theme_default;
	for (size_t i = 0; looks && i < TFP_INKS; i++)
		theme->made[i] = (struct tfp_style){
			.name = tfp_theme_default[i].name,
			.color = looks->looks[i].color,
			.attributes = attributes_of(looks->looks[i].attributes),
			.plain = attributes_of(looks->looks[i].plain),
		};
}
