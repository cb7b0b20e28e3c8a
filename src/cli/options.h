/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/options.h: one description of each option feeds getopt_long, --help and the tests that
 * compare help, man page and completion.  A program is a list of groups; the options that all
 * filters share are groups of cli/shared.h. */
#ifndef PM_OPTIONS_H
#define PM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/status.h"

/* Store arg (NULL when the option has none) in *field.
 * Fails: PM_EUSAGE, with a message that does not repeat the option's name. */
typedef pm_status (*pm_option_set)(void *field, const char *arg, pm_error *err);

typedef struct {
    int letter;       /* short name, or 0 */
    const char *name; /* long name */
    const char *arg;  /* its argument as the help shows it: NULL none, "[=X]" optional */
    const char *help;
    pm_option_set set;
    size_t offset; /* of the field in the group's struct */
} pm_option;

typedef struct {
    const char *title;        /* heading in the help; NULL: goes on under the one before */
    const pm_option *options; /* ends with a NULL name */
    void *into;               /* the struct that the options fill */
} pm_option_group;

typedef struct {
    const char *name;
    const char *operands; /* "[FILE]..." */
    const char *summary;  /* one sentence */
    const char *more;     /* further lines of the help before the options, or NULL */
    const char *example;
    const int *statuses; /* exit statuses that can occur besides those of signals, ends with -1 */
} pm_command;

/* Parse the command line; operands are moved behind the options and start at *first.
 * Returns -1 to go on, else the exit status to end with: --help and --version have been printed,
 * or the misuse has been reported. */
int pm_options_parse(const pm_command *program, const pm_option_group *groups, int argc,
                     char **argv, int *first);

/* Report misuse in one line that points to --help; returns the exit status 64. */
int pm_misuse(const pm_command *program, const char *fmt, ...) PM_PRINTF(2, 3);

/* ---- fields ---- */

pm_status pm_set_flag(void *field, const char *arg, pm_error *err);     /* bool: true */
pm_status pm_set_count(void *field, const char *arg, pm_error *err);    /* int: one more */
pm_status pm_set_text(void *field, const char *arg, pm_error *err);     /* const char * */
pm_status pm_set_positive(void *field, const char *arg, pm_error *err); /* int, from 1 */
pm_status pm_set_bytes(void *field, const char *arg, pm_error *err);    /* int64_t; K M G T */
pm_status pm_set_seconds(void *field, const char *arg, pm_error *err);  /* double, above 0 */

/* ---- help.c, version.c, exit.c ---- */

/* The two options that every program has. */
extern const pm_option pm_options_own[];
void pm_help_print(const pm_command *program, const pm_option_group *groups);
void pm_version_print(const pm_command *program);
/* What an exit status means, for the help; NULL for one that is not in the table. */
const char *pm_exit_meaning(int status);

/* The program's last act: close standard output and see whether all of it was written (a full
 * disk shows only there), report that, raise the signal that stopped the program, if any, again.
 * Returns the exit status: status, or 74 when status is 0 or 1 and the output failed. */
int pm_exit(const pm_command *program, int status);

#endif
