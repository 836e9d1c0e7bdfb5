/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C library knows UTF-8 only by a file of its locales. The static program, which shall run where there
 * are none, carries that file, and lays it down for the moment in which it is read.
 */
#include "app/encoding.h"

#include <config.h>

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UTF8_LOCALE "C.UTF-8"

/* Does the environment ask for UTF-8? */
static bool wants_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !(locale && *locale); i++)
		locale = getenv(names[i]);
	return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

#ifdef TFP_LOCALE_FILE

__asm__(".pushsection .rodata\n"
	".global tfp_locale_begin, tfp_locale_end\n"
	"tfp_locale_begin: .incbin \"" TFP_LOCALE_FILE "\"\n"
	"tfp_locale_end:\n"
	".popsection\n");
extern const char tfp_locale_begin[], tfp_locale_end[];

static bool write_locale(const char *path)
{
	size_t size = (size_t)(tfp_locale_end - tfp_locale_begin);
	FILE *out = fopen(path, "wxe");
	bool written = out && fwrite(tfp_locale_begin, 1, size, out) == size;

	return out && fclose(out) == 0 && written;
}

/* Reads the locale in FOLDER, and only that one: programs started later look where they always do. */
static void read_locale(const char *folder)
{
	setenv("LOCPATH", folder, 1);
	setlocale(LC_CTYPE, UTF8_LOCALE);
	unsetenv("LOCPATH");
}

/* Tries to lay the file down in a new folder below PARENT. False: it can't be written there. */
static bool use_carried(const char *parent)
{
	char folder[128], within[160], file[192];
	bool written;

	if ((size_t)snprintf(folder, sizeof(folder), "%s/tfprof-XXXXXX", parent) >=
		    sizeof(folder) ||
	    !mkdtemp(folder))
		return false;
	snprintf(within, sizeof(within), "%s/" UTF8_LOCALE, folder);
	snprintf(file, sizeof(file), "%s/LC_CTYPE", within);
	written = mkdir(within, 0700) == 0 && write_locale(file);
	if (written)
		read_locale(folder);
	unlink(file);
	rmdir(within);
	rmdir(folder);
	return written;
}

static void carried_utf8(void)
{
	const char *const parents[] = {getenv("TMPDIR"), "/tmp", "/dev/shm", "."};

	for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++)
		if (parents[i] && use_carried(parents[i]))
			return;
}

#else

static void carried_utf8(void)
{
}

#endif

void tfp_encoding_set(void)
{
	if (!setlocale(LC_CTYPE, "") && wants_utf8() && !setlocale(LC_CTYPE, UTF8_LOCALE))
		carried_utf8();
}
