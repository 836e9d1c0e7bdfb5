/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the manual pages: options and settings as lists of man(7).
 */
#include <utf8proc.h>

#include "app/command.h"
#include "describe.h"

void describe_man_text(FILE *out, const char *text)
{
	const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
	utf8proc_int32_t code;

	if (*at == '.' || *at == '\'')
		fputs("\\&", out);
	while (*at) {
		at += utf8proc_iterate(at, -1, &code);
		if (code > '~')
			fprintf(out, "\\[u%04X]", (unsigned int)code);
		else if (code == '-' || code == '\\' || code == '\'' || code == '"')
			fputs(code == '-'    ? "\\-"
			      : code == '\\' ? "\\e"
			      : code == '"'  ? "\\(dq"
					     : "\\(aq",
			      out);
		else
			fputc(code, out);
	}
}

void describe_man_options(FILE *out)
{
	struct tfp_option_help option;

	for (size_t i = 0; tfp_command_option(i, &option); i++) {
		fputs(".TP\n\\fB\\-\\-", out);
		describe_man_text(out, option.name);
		if (option.value) {
			fputs("=\\fI", out);
			describe_man_text(out, option.value);
		}
		fputs("\\fR\n", out);
		describe_man_text(out, option.help);
		fputs(".\n", out);
	}
}

void describe_man_outputs(FILE *out)
{
	for (const struct tfp_output_kind *kind = tfp_output_kinds; kind->type; kind++) {
		fprintf(out, ".TP\n\\fB%s", kind->type);
		if (kind->key)
			fprintf(out, ":%s=\\fIFILE", kind->key);
		fputs("\\fR\n", out);
		describe_man_text(out, kind->help);
		fputs(".\n", out);
	}
}

void describe_man_settings(FILE *out)
{
	for (const struct tfp_setting *setting = tfp_setting_table; setting->key; setting++) {
		fputs(".TP\n\\fB", out);
		describe_man_text(out, setting->key);
		fputs(":\\fR \\fI", out);
		describe_man_text(out, setting->value);
		fputs("\\fR\n", out);
		describe_man_text(out, setting->help);
		fputs("\nIf not set: ", out);
		describe_man_text(out, setting->standard);
		fputs(".\n", out);
	}
}
