/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a line of commands can go on: commands, options and values that begin with what stands at its end.
 */
#include <string.h>

#include "view/query/check.h"
#include "view/query/typed.h"

#define MOST 500 /* words that are offered */

/* What is being completed. */
struct ending {
	const struct tfp_typed_words *known;
	struct tfp_arena *arena;
	const char *typed; /* the end of the line, which all words begin with */
	struct tfp_words words;
};

static void offer(struct ending *ending, const char *word)
{
	if (ending->words.count < MOST && !strncmp(word, ending->typed, strlen(ending->typed)))
		ending->words.at[ending->words.count++] = word;
}

static void offer_all(struct ending *ending, const char *const *words)
{
	for (; *words; words++)
		offer(ending, *words);
}

/* ---- commands and options ----------------------------------------------------------------------- */

static void offer_commands(struct ending *ending)
{
	struct tfp_words names = tfp_typed_commands(ending->arena);

	for (size_t i = 0; i < names.count; i++)
		offer(ending, names.at[i]);
}

/* As it was begun: "-name" as the original has it, else "--name=" or "name=". */
static void offer_options(struct ending *ending)
{
	size_t dashes = strspn(ending->typed, "-");
	const char *before = dashes == 0 ? "" : dashes == 1 ? "-" : "--";

	for (const struct tfp_option *option = tfp_options; option->name; option++)
		offer(ending, tfp_arena_printf(ending->arena, "%s%s%s", before, option->name,
					       option->value && dashes != 1 ? "=" : ""));
}

/* ---- values ------------------------------------------------------------------------------------- */

static void offer_metrics(struct ending *ending)
{
	for (size_t i = 0; i < ending->known->metric_count; i++)
		offer(ending, ending->known->metrics[i].key);
}

static void offer_steps(struct ending *ending, const char *before)
{
	for (size_t i = 0; i < ending->known->step_count; i++)
		offer(ending, tfp_arena_printf(ending->arena, "%s%lld", before,
					       (long long)ending->known->steps[i]));
}

/* A text of the profile, once. */
static void offer_name(struct ending *ending, struct tfp_span name)
{
	size_t typed = strlen(ending->typed);

	if (ending->words.count == MOST || name.size <= typed ||
	    memcmp(name.at, ending->typed, typed) != 0)
		return;
	for (size_t i = 0; i < ending->words.count; i++)
		if (tfp_span_is(name, ending->words.at[i]))
			return;
	ending->words.at[ending->words.count++] = tfp_arena_text(ending->arena, name.at, name.size);
}

/* Op types; repeats come mostly one after the other, and the list of all is short. */
static void offer_types(struct ending *ending)
{
	const struct tfp_profile *profile = ending->known->profile;

	for (uint32_t i = 0; profile && i < profile->nodes.count; i++) {
		offer_name(ending, tfp_strings_get(profile->strings, profile->nodes.op[i]));
		offer_name(ending, tfp_strings_get(profile->strings, profile->nodes.device[i]));
	}
	for (size_t i = 0; profile && i < profile->types.count; i++)
		offer_name(ending, tfp_strings_get(profile->strings, profile->types.at[i].name));
}

/* Names of nodes up to the next slash. */
static void offer_scopes(struct ending *ending)
{
	const struct tfp_profile *profile = ending->known->profile;
	size_t typed = strlen(ending->typed);

	for (uint32_t i = 0; profile && i < profile->nodes.count; i++) {
		struct tfp_span name = tfp_strings_get(profile->strings, profile->nodes.name[i]);
		const char *slash =
			name.size > typed ? memchr(name.at + typed, '/', name.size - typed) : NULL;

		if (slash)
			name.size = (size_t)(slash + 1 - name.at);
		offer_name(ending, name);
	}
}

static void offer_values(struct ending *ending, const struct tfp_option *option)
{
	static const char *const flags[] = {"true", "false", NULL};
	static const char *const kinds[] = {
		"stdout", "none", "file:outfile=", "timeline:outfile=", "pprof:outfile=", NULL};
	static const char *const others[] = {"mean", "median", "step:", "file:", NULL};

	switch ((enum tfp_option_kind)option->kind) {
	case TFP_OPTION_ORDER:
		offer(ending, "name");
		offer_metrics(ending);
		break;
	case TFP_OPTION_SELECT:
		offer_metrics(ending);
		offer_all(ending, ending->known->profile ? tfp_other_words(ending->known->profile)
							 : tfp_select_words);
		break;
	case TFP_OPTION_LIST:
		if (option->which == TFP_ACCOUNT)
			offer_types(ending);
		else
			offer_scopes(ending);
		break;
	case TFP_OPTION_STEP:
		offer(ending, "-1");
		offer_steps(ending, "");
		break;
	case TFP_OPTION_BASELINE:
		offer_all(ending, others);
		offer_steps(ending, "step:");
		break;
	case TFP_OPTION_ZOOM:
		offer_scopes(ending);
		break;
	case TFP_OPTION_FLAG:
		offer_all(ending, flags);
		break;
	case TFP_OPTION_OUTPUT:
		offer_all(ending, kinds);
		break;
	case TFP_OPTION_COMPAT:
		offer(ending, "tf");
		offer(ending, "none");
		break;
	default:
		break;
	}
}

/* ---- the end of a line -------------------------------------------------------------------------- */

/* Where in a line its end is. */
struct place {
	struct tfp_span last; /* its last word, "" behind a blank */
	bool first;           /* that is the command */
	bool sets;            /* the command takes options */
	/* whose value the last word is; NULL: it is an option itself */
	const struct tfp_option *option;
	size_t skip; /* bytes of the last word before the value */
};

/* The last word in parts: "--select=micros,by" ends in "by", a value of select. */
static void place_in_word(struct place *place, struct tfp_arena *arena)
{
	struct tfp_typed_option typed = tfp_typed_option_of(place->last, arena);
	const char *value;

	if (!place->option && typed.value) {
		place->option = typed.option;
		place->skip = typed.dashes + strlen(typed.name) + 1;
	}
	if (!place->option ||
	    (place->option->kind != TFP_OPTION_LIST && place->option->kind != TFP_OPTION_SELECT))
		return;
	value = place->last.at + place->skip;
	for (size_t size = place->last.size - place->skip; size; size--)
		if (value[size - 1] == ',' || value[size - 1] == '\'' || value[size - 1] == '"') {
			place->skip += size;
			break;
		}
}

static struct place find_end(const char *text, struct tfp_arena *arena)
{
	struct place place = {.first = true};
	const char *rest = text;
	const struct tfp_option *wants = NULL;
	struct tfp_span word, command = {"", 0};

	for (;;) {
		word = tfp_typed_word(&rest);
		if (!*rest) /* the end, even in the middle of a word */
			break;
		if (place.first) {
			command = word;
			place.first = false;
		} else if (wants && tfp_typed_takes(wants, word)) {
			wants = NULL;
		} else {
			struct tfp_typed_option typed = tfp_typed_option_of(word, arena);

			wants = typed.value ? NULL : typed.option;
		}
	}
	place.last = word.size ? word : (struct tfp_span){rest, 0};
	place.sets = tfp_typed_is_command(command.at, command.size);
	place.option = wants;
	return place;
}

/* Behind a flag there may be a boolean word or the next option: the latter where nothing is begun. */
static void offer_at(struct ending *ending, const struct place *place)
{
	if (place->first)
		offer_commands(ending);
	else if (!place->sets)
		return;
	else if (place->option &&
		 (place->option->value || (*ending->typed && *ending->typed != '-')))
		offer_values(ending, place->option);
	else
		offer_options(ending);
}

struct tfp_words tfp_typed_complete(const char *text, const struct tfp_typed_words *known,
				    size_t *from, struct tfp_arena *arena)
{
	struct place place = find_end(text, arena);
	struct ending ending = {.known = known, .arena = arena};

	if (!place.first)
		place_in_word(&place, arena);
	ending.typed = place.last.at + place.skip;
	ending.words.at = tfp_arena_zero(arena, MOST, sizeof(*ending.words.at));
	*from = (size_t)(ending.typed - text);
	offer_at(&ending, &place);
	return ending.words;
}
