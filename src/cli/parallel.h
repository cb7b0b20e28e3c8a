/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/parallel.h: answers several items at the same time, each with one thread; the answers and the
 * messages keep the order of the inputs.
 *
 * The main thread reads.  It stores a small item (cli/node_buffer.h), and another thread makes an
 * *attempt* to answer it: with one core, a limit of its predicted cost, and a share of the memory.
 * The messages of the attempt are stored as a text.  When the main thread *collects* an input, it puts
 * the answers and messages of its items in order.  An item whose attempt failed, for whatever reason,
 * is answered again by the main thread, with all threads and the limits of the user.  So answers,
 * failures and messages are those of one item after another.
 *
 * An attempt has the plan that the main thread would make: plans depend neither on threads nor on the
 * limit of the cost, and the share of the memory is more than a plan below that limit can use. */
#ifndef PM_PARALLEL_H
#define PM_PARALLEL_H

#include "cli/answers.h"
#include "cli/command.h"
#include "cli/node_buffer.h"

/* What an attempt has instead of the run and the console of the program. */
typedef struct {
    pm_run run;
    pm_console console;
} pm_attempt;

/* Answers the next item of the source.  attempt: NULL outside an attempt.  *got: false at the end. */
typedef pm_status pm_item_answer(const void *context, pm_attempt *attempt,
                                 const pm_node_source *source, pm_answers *out, bool *got,
                                 pm_error *err);

typedef struct pm_parallel pm_parallel;
typedef struct pm_parallel_item pm_parallel_item;

/* The items of one input that have been read and not collected.  Zeroed: none. */
typedef struct {
    pm_parallel_item **item;
    int64_t count, cap;
    pm_node_buffer large; /* the beginning of an item that is not attempted */
} pm_parallel_input;

/* *out: NULL when the run has one thread, or too little memory.  Fails: PM_ENOMEM. */
pm_status pm_parallel_start(const pm_invocation *program, pm_item_answer *answer,
                            const void *context, pm_parallel **out, pm_error *err);
void pm_parallel_free(pm_parallel *b);

/* Reads items of the source until its end, or until *has_more: then all earlier inputs and this one
 * are to be collected, and the function is to be called again. */
pm_status pm_parallel_read(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                           pm_answers *out, bool *has_more, pm_error *err);

/* Adds the answers of all items that have been read to *out, and prints their messages.  Leaves *in
 * without items.  *is_ready: all had been answered before. */
pm_status pm_parallel_collect(pm_parallel *b, pm_parallel_input *in, pm_answers *out,
                              bool *is_ready, pm_error *err);
void pm_parallel_input_free(pm_parallel *b, pm_parallel_input *in);

#endif
