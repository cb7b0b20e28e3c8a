/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/beside.h: answers items side by side, one thread for each, in the order of the inputs.
 *
 * The main thread reads.  An item that is small is kept (cli/tape.h) and tried by a thread of its
 * own: with one core, a limit for its predicted cost, and a share of the memory.  What it says goes
 * to a text.  When the main thread *settles* an input, the answers and the texts of its items are put
 * in order; an item that did not succeed, for whatever reason, is answered again by the main thread
 * as if it had not been tried, with all threads and the limits of the user.  So answers, failures and
 * messages are those of one item after another.
 *
 * The try has the plan that the main thread would make: plans depend neither on threads nor on the
 * limit of the cost, and the share of the memory is more than a plan below that limit can use. */
#ifndef PM_BESIDE_H
#define PM_BESIDE_H

#include "cli/answers.h"
#include "cli/command.h"
#include "cli/tape.h"

/* What a try has instead of the run and the console of the program. */
typedef struct {
    pm_run run;
    pm_console console;
} pm_beside_place;

/* Answers the next item of the source.  place: NULL outside a try.  *got: false at the end. */
typedef pm_status pm_item_answer(const void *context, pm_beside_place *place,
                                 const pm_node_source *source, pm_answers *out, bool *got,
                                 pm_error *err);

typedef struct pm_beside pm_beside;
typedef struct pm_beside_item pm_beside_item;

/* The items of one input that have been read and not settled.  Zeroed: none. */
typedef struct {
    pm_beside_item **item;
    int64_t count, cap;
    pm_tape large; /* the beginning of an item that is not tried */
} pm_beside_input;

/* *out: NULL when the run has one thread, or too little memory.  Fails: PM_ENOMEM. */
pm_status pm_beside_start(const pm_invocation *program, pm_item_answer *answer, const void *context,
                          pm_beside **out, pm_error *err);
void pm_beside_free(pm_beside *b);

/* Reads items of the source until its end, or until *has_more: then all earlier inputs and this one
 * are to be settled, and the function is to be called again. */
pm_status pm_beside_read(pm_beside *b, const pm_node_source *source, pm_beside_input *in,
                         pm_answers *out, bool *has_more, pm_error *err);

/* Adds the answers of all items that have been read to *out, and prints their messages.  Leaves *in
 * without items.  *is_ready: all had been answered before. */
pm_status pm_beside_settle(pm_beside *b, pm_beside_input *in, pm_answers *out, bool *is_ready,
                           pm_error *err);
void pm_beside_input_free(pm_beside *b, pm_beside_input *in);

#endif
