/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colours from 16 million to 256 to 8: see color.h. Never by changing the terminal's palette, whose
 * sequence some terminals print.
 */
#include "ui/terminal/color.h"

#include "ui/ui.h"

#define CUBE    16  /* first colour of the cube of 6 * 6 * 6 */
#define GREY    232 /* first of the 24 greys */
#define PALETTE 256

struct rgb {
	int32_t red, green, blue;
};

static int32_t cube_level(int32_t part)
{
	return part ? 55 + 40 * part : 0;
}

/* The colour as most terminals show it. */
static struct rgb palette(int32_t color)
{
	int32_t level = 8 + 10 * (color - GREY), step = color - CUBE;

	if (color >= GREY)
		return (struct rgb){level, level, level};
	return (struct rgb){cube_level(step / 36), cube_level(step / 6 % 6), cube_level(step % 6)};
}

static struct rgb rgb_of(int32_t color)
{
	if (color < TFP_LOOK_RGB)
		return palette(color);
	return (struct rgb){color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff};
}

static int32_t distance(struct rgb a, struct rgb b)
{
	int32_t red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;

	return red * red + green * green + blue * blue;
}

short tfp_color_of_256(int32_t color)
{
	int32_t best = CUBE;

	if (color < TFP_LOOK_RGB)
		return (short)color;
	for (int32_t i = CUBE + 1; i < PALETTE; i++)
		if (distance(rgb_of(color), palette(i)) < distance(rgb_of(color), palette(best)))
			best = i;
	return (short)best;
}

int tfp_color_of_direct(int32_t color)
{
	static const int32_t bright[] = {0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
					 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
	struct rgb rgb;
	int number;

	if (color < 8)
		return color;
	if (color < CUBE)
		return bright[color - 8];
	rgb = rgb_of(color);
	number = rgb.red << 16 | rgb.green << 8 | rgb.blue;
	return number < PALETTE ? number | 1 << 8 : number;
}

/* Degrees round the circle of colours: red 0, green 120, blue 240. HIGH > LOW are its parts' bounds. */
static int32_t hue(struct rgb color, int32_t high, int32_t low)
{
	int32_t width = high - low;

	if (high == color.red)
		return (360 + 60 * (color.green - color.blue) / width) % 360;
	if (high == color.green)
		return 120 + 60 * (color.blue - color.red) / width;
	return 240 + 60 * (color.red - color.green) / width;
}

short tfp_color_of_8(int32_t color)
{
	static const short hues[] = {1, 3, 2,
				     6, 4, 5}; /* red, yellow, green, cyan, blue, magenta */
	struct rgb rgb;
	int32_t high, low;

	if (color < 8)
		return (short)color;
	if (color < CUBE)
		return color == 8 || color == 15 ? -1 : (short)(color - 8);
	rgb = rgb_of(color);
	high = rgb.red > rgb.green ? rgb.red : rgb.green;
	high = high > rgb.blue ? high : rgb.blue;
	low = rgb.red < rgb.green ? rgb.red : rgb.green;
	low = low < rgb.blue ? low : rgb.blue;
	if ((high - low) * 5 <= high)
		return -1;
	return hues[(hue(rgb, high, low) + 30) / 60 % 6];
}
