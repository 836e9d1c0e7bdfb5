/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of a theme (see struct tfp_look) reduced to what a terminal has. */
#ifndef TFP_UI_COLOR_H
#define TFP_UI_COLOR_H

#include <stdint.h>

/* The nearest of the 240 colours that no terminal's settings change; -1 stays, and so do 0 to 255. */
short tfp_color_of_256(int32_t color);
/*
 * The number of the colour on terminals that take colours as red, green and blue: 0 to 7 stay, as those of the palette
 * are these terminals' too. Never below 256, which some of them take for the palette.
 */
int tfp_color_of_direct(int32_t color);
/*
 * The one of 8 that has the same hue. Black, white and greys become -1, the terminal's own: as one of
 * the eight they could not be read on every background. 0 to 7 stay.
 */
short tfp_color_of_8(int32_t color);

#endif
