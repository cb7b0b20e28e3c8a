/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/filter.h: the loop of every filter over its inputs, to one output.
 *
 * A bad input gives one line on standard error, and the loop goes on with the next input; the exit
 * status is that of the first failure.  With --verbose a line at the end says how many inputs,
 * graphs and failures there were.  Two kinds of filters are built on this loop: batch/query.h
 * prints answers, cli/mapper.h writes a pm stream. */
#ifndef PM_FILTER_H
#define PM_FILTER_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"
#include "pm/io.h"

/* The current input. */
typedef struct {
    pm_reader *reader;
    const char *path; /* as it was given */
    bool several;     /* there are two or more inputs, or a list: results carry names */
    FILE *to;         /* the output */
    void *state;      /* of the filter, for this input */
    /* Set by the functions of the filter: */
    pm_status failed; /* of a part of the input, whose message has been printed */
    bool end_here;    /* skip all later inputs */
    bool is_final;    /* a signal to stop came, and what was read is good nevertheless */
    bool is_whole;    /* with is_final: all of the input has been answered */
    bool has_more;    /* read is to be called again after the input has been collected */
    bool is_answered; /* all answers were ready before a signal */
    int64_t graphs;   /* how many the input had, as far as it was read */
    int64_t failures; /* how many of them failed, whose messages have been printed */
} pm_filter_input;

typedef struct {
    void *context;
    /* Reads the input to its end. */
    pm_status (*read)(void *context, pm_filter_input *in, pm_error *err);
    /* For filters that read inputs ahead, else NULL: finishes what was read of the input.  Called for
     * one input after another, also after `read` has failed. */
    pm_status (*collect)(void *context, pm_filter_input *in, pm_error *err);
    /* Frees in->state.  May be NULL. */
    void (*close)(void *context, pm_filter_input *in);
    /* Prints what was read.  Called only after an input that was good and was not stopped.  May be
     * NULL. */
    pm_status (*print)(void *context, pm_filter_input *in, pm_error *err);
    /* Called after an input that failed, whose message has been printed; not after a signal.  May be
     * NULL. */
    void (*fail)(void *context, const pm_filter_input *in, pm_status why, const pm_error *err);
    /* Called after the last input.  first_failure: PM_OK when there was none.  *is_complete is true
     * before; set to false, the output is not kept (a file is removed).  May be NULL. */
    pm_status (*end)(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                     pm_error *err);
    /* Called after `end` for a file that is not complete.  Makes what is ready in it good by itself, so
     * that it is kept as FILE.partial; returns false when nothing is ready.  May be NULL. */
    bool (*make_partial)(void *context, FILE *to);
} pm_filter;

/* Returns the exit status; the message of every failure has been printed. */
int pm_filter_run(pm_invocation *program, const pm_filter *f);

#endif
