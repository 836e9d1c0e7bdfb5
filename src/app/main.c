/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder of the program's entry until the rooms below it exist.
 */
#include "config.h"

#include <stdio.h>

int main(void)
{
	puts(PACKAGE_STRING);
	return 0;
}
