/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is open, one thing after another: the list of a folder, a profile from it, the list again.
 */
#ifndef TFPROF_APP_OPENING_H
#define TFPROF_APP_OPENING_H

#include "app/command.h"
#include "ui/ui.h"

/* One thing that was open, is, or is to be. */
struct tfp_visit {
	const char *folder; /* that is listed; NULL: the files make a profile */
	const struct tfp_named_file *files;
	size_t count;
	bool demo;
	const char *baseline; /* that was chosen in a list; NULL: that of the settings */
};

struct tfp_opening {
	struct tfp_command *command;      /* its files are those that are open */
	struct tfp_visit now;             /* what is shown */
	struct tfp_visit wanted;          /* what the person chose to see next */
	TFP_ARRAY(struct tfp_visit) past; /* what was open before, and led here, the oldest first */
	struct tfp_discovery discovery;
	struct tfp_ui_place list, profile; /* where the person was */
	const char *listed;                /* the folder that LIST is of; NULL: none yet */
	enum tfp_ui_next next;
	char *state;  /* the file that keeps the place in the profile; NULL: nothing is kept */
	char *notice; /* why what was chosen did not open; NULL: nothing to say */
	struct tfp_ui_past typed;
};

/*
 * The folder that COMMAND is to list: what it names, or the one at hand where it names nothing; NULL: it
 * names files, or a folder among them.
 */
const char *tfp_opening_folder(const struct tfp_command *command);

/* OPENING starts with the list of FOLDER, or with the files of COMMAND where that is NULL. */
void tfp_opening_init(struct tfp_opening *opening, struct tfp_command *command, const char *folder);
void tfp_opening_free(struct tfp_opening *opening);
/* Puts into CONFIG what the screen needs to go from one thing to another. */
void tfp_opening_fill(struct tfp_opening *opening, struct tfp_ui_config *config);
/* Reads the list anew. NULL with an error in DIAG, or when JOB was cancelled. */
struct tfp_engine *tfp_opening_load(struct tfp_opening *opening, struct tfp_job *job,
				    struct tfp_diag *diag);
/*
 * After the screen was left with STATUS: makes ready what comes next. False: that was all. DIAG, with the
 * problems of what was left, is emptied for what comes.
 */
bool tfp_opening_next(struct tfp_opening *opening, int status, struct tfp_diag *diag);

/*
 * Writes the list of FOLDER, ordered and filtered as ASKED, to OUT: as a table, or as the output that is asked for.
 * False with an error in DIAG; WRONG if words of ASKED are the reason.
 */
bool tfp_opening_print(FILE *out, const char *folder, const struct tfp_query *asked, bool *wrong,
		       struct tfp_diag *diag);

#endif
