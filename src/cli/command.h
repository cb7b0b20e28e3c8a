/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/command.h: what main does in every program: options, signals, threads, standard error, and
 * the exit status. */
#ifndef PM_COMMAND_H
#define PM_COMMAND_H

#include "cli/common_options.h"
#include "cli/console.h"
#include "cli/options.h"
#include "mpi/ranks.h"
#include "pm/run.h"

/* A program after its options have been read. */
struct pm_invocation {
    const pm_command *command;
    const pm_common_settings *common;
    const char *output; /* the file of the answers; NULL: standard output */
    char **argv;
    char **operand; /* in argv */
    int operand_count;
    const pm_option_group *groups;
    const pm_given_options *given;
    pm_console console;
    bool is_in_sandbox;
    bool may_lay_out;         /* with the helper program for igraph (io/graph_layout.h) */
    pm_ranks *ranks;          /* of an MPI job; NULL: this is the only process */
    const char *const *later; /* files that are written after the inputs, then NULL; or NULL */
    pm_run run;               /* from the options; its notes and progress go to the console */
};

/* Reads the options into the structs of `groups`, then calls command->check and command->run.
 * settings: passed to both.  common: read after command->check.
 * Returns the exit status, for main. */
int pm_command_main(const pm_command *command, const pm_option_group *groups, void *settings,
                    const pm_common_settings *common, int argc, char **argv);

#endif
