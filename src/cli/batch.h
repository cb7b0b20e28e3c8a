/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/batch.h: the loop of every filter: all inputs, one after another, to one output.
 *
 * A bad input gives one line on standard error and the others are dealt with all the same; the
 * exit status is that of the first failure.  What a filter does with an input is one of the two
 * kinds of work that are built on this: cli/ask.h holds answers back until an input has ended
 * properly, cli/mapper.h writes a stream as it reads. */
#ifndef PM_BATCH_H
#define PM_BATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/console.h"
#include "cli/options.h"
#include "cli/shared.h"
#include "pm/io.h"
#include "pm/run.h"

typedef struct {
    const pm_command *program;
    const pm_input_settings *input;
    const char *output; /* path of --output, or NULL */
    char **operand;
    int count;         /* of operands */
    const pm_run *run; /* its flag to stop */
    pm_console *console;
} pm_batch;

/* One input, as the work sees it. */
typedef struct {
    pm_reader *reader;
    const char *path; /* as it was given */
    bool several;     /* two or more inputs, or a list: results carry names */
    FILE *to;
    /* set by the work: */
    pm_status failed;  /* of a part of the input that failed alone, reported already */
    bool end_here;     /* nothing that comes later could be used */
    bool is_last_word; /* what was read is good, and told because of a signal to stop */
} pm_batch_input;

typedef struct {
    void *context;
    /* Read the input to its end. */
    pm_status (*read)(void *context, pm_batch_input *in, pm_error *err);
    /* Print what was read; only after an input that was good, and not stopped.  May be NULL. */
    pm_status (*print)(void *context, pm_batch_input *in, pm_error *err);
    /* After the last input.  first_failure: PM_OK when there was none.  *is_complete, true before:
     * false if the output is not worth its name (a file is removed).  May be NULL. */
    pm_status (*end)(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                     pm_error *err);
} pm_batch_work;

/* Returns the exit status; every failure has been reported. */
int pm_batch_run(const pm_batch *b, const pm_batch_work *w);

#endif
