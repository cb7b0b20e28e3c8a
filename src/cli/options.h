/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/options.h: the command line of a program.  Each option is described once, for getopt_long and
 * for --help; tests compare the help with the man page and the completion.  A program has a list of
 * groups of options; groups that several programs have are in cli/common_options.h. */
#ifndef PM_OPTIONS_H
#define PM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/backend.h"
#include "pm/status.h"

/* Stores arg, which is NULL when the option has none, in *field.
 * Fails: PM_EUSAGE, with a message that does not repeat the name of the option. */
typedef pm_status (*pm_option_set)(void *field, const char *arg, pm_error *err);

typedef struct {
    int letter;       /* short name, or 0 */
    const char *name; /* long name */
    const char *arg;  /* its argument as the help shows it: NULL none, "[=X]" optional */
    const char *help; /* NULL: it depends on the program (cli/help.c) */
    pm_option_set set;
    size_t offset; /* of the field in the struct of the group */
} pm_option;

typedef struct {
    const char *title;        /* heading in the help; NULL: no new heading */
    const pm_option *options; /* ends with a NULL name */
    void *into;               /* the struct that the options fill */
} pm_option_group;

typedef struct pm_invocation pm_invocation; /* cli/command.h */

/* What a program needs, a set of bits. */
enum {
    PM_USES_THREADS = 1, /* OpenMP threads */
    PM_USES_KERNELS = 2, /* kernels, which need a stack of 1 MiB */
    PM_USES_ALL = 3,
    PM_USES_RANKS = 4 /* the ranks of an MPI job share its work */
};

typedef struct {
    const char *name;
    const char *operands; /* "[FILE]..." */
    const char *summary;  /* one sentence */
    const char *more;     /* further lines of the help before the options, or NULL */
    const char *files;    /* the lines that follow: what an operand may be; or NULL */
    const char *example;
    const char *is_none; /* when the exit status is 1: "an answer is zero"; NULL: it never is */
    const int *statuses; /* possible exit statuses besides those of signals; ends with -1 */
    int uses;            /* PM_USES_THREADS, ... */
    /* Completes the settings and checks that the options go together.
     * Fails: PM_EUSAGE. */
    pm_status (*check)(void *settings, int operands, pm_error *err);
    /* Where the work is to be done; NULL: PM_BACKEND_CPU. */
    pm_backend (*backend)(const void *settings);
    /* Returns the exit status. */
    int (*run)(const void *settings, pm_invocation *program);
    /* Called after the output has been closed, with the exit status; NULL: nothing is left to do. */
    void (*finish)(const void *settings, int status);
} pm_command;

enum { PM_OPTIONS_MOST = 64 }; /* of a program */

/* The options of a command line, each once, in the sequence of the groups. */
typedef struct {
    int count;
    struct {
        const char *name; /* the long one */
        const char *arg;  /* the last one, in the argv of main; NULL: none */
    } option[PM_OPTIONS_MOST];
} pm_given_options;

/* Reads the command line; the operands are moved behind the options and start at argv[*first].
 * Returns -1 when the program is to run.  Otherwise the exit status: --help or --version has been
 * printed, or the message about wrong usage. */
int pm_options_parse(const pm_command *command, const pm_option_group *groups, int argc,
                     char **argv, int *first, pm_given_options *given);

/* Sets the option of this name in the structs of the groups.
 * Fails: PM_EUSAGE, also when there is no such option or it takes no argument, or needs one. */
pm_status pm_options_set(const pm_option_group *groups, const char *name, const char *arg,
                         pm_error *err);

/* Prints one line about wrong usage, which refers to --help.  Returns the exit status 64. */
int pm_misuse(const pm_command *command, const char *fmt, ...) PM_PRINTF(2, 3);

/* ---- functions for pm_option.set, by the type of the field ---- */

pm_status pm_set_flag(void *field, const char *arg, pm_error *err);     /* bool: true */
pm_status pm_set_count(void *field, const char *arg, pm_error *err);    /* int: one more */
pm_status pm_set_text(void *field, const char *arg, pm_error *err);     /* const char * */
pm_status pm_set_positive(void *field, const char *arg, pm_error *err); /* int, from 1 */
/* int64_t: a number with a suffix K, M, G or T (powers of 1024), then B, iB or nothing, in upper or
 * lower case. */
pm_status pm_set_bytes(void *field, const char *arg, pm_error *err);
pm_status pm_set_seconds(void *field, const char *arg, pm_error *err); /* double, above 0 */

/* ---- help.c, version.c, exit.c ---- */

/* --safe (cli/safe.h), --help (-h) and --version (-V), which every program has. */
extern const pm_option pm_options_own[];
void pm_help_print(const pm_command *command, const pm_option_group *groups);
void pm_version_print(const pm_command *command);
/* What an exit status other than 1 means, for the help; NULL when it is not in the table. */
const char *pm_exit_meaning(int status);

/* Called last: closes standard output, and prints a message when not all of it could be written (a
 * full disk is noticed only then).  If a signal stopped the program, ends the process by the same
 * signal.
 * Returns the exit status: `status`, or 74 when that is 0 or 1 and the output failed. */
int pm_exit(const pm_command *command, int status);

#endif
