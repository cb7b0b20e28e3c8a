/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch/parallel.h: answers several items at the same time, each with one thread; the answers and the
 * messages keep the order of the inputs.
 *
 * The main thread reads.  It stores small items in bundles (batch/bundle.h), and other threads attempt
 * to answer them.  The main thread *collects* the bundles of an input: it puts their answers and
 * messages in order.  An item whose attempt failed is answered again by the main thread, with all
 * threads and the limits of the user.  So answers, failures and messages are those of one item after
 * another.
 *
 * An attempt has the plan that the main thread would make: plans depend neither on threads nor on the
 * limit of the cost, and the share of the memory is more than a plan below that limit can use.
 *
 * The first bundles have one item, so that a short batch is spread over all threads; later ones have
 * up to 64 items, for which the hand-out costs less than one short item.  Of items with many edges, some
 * of which take a thousand times as long as others, a bundle has few.  The number of bundles that wait
 * is limited, and when it is reached, the main thread answers items too. */
#ifndef PM_PARALLEL_H
#define PM_PARALLEL_H

#include "batch/bundle.h"

typedef struct pm_parallel pm_parallel;

/* The items of one input that have been read and not collected.  Zeroed: none. */
typedef struct {
    pm_bundle *first, *last; /* a list, in order */
    pm_bundle *open;         /* gets the next items */
    int64_t count;           /* of the list */
    pm_node_buffer large;    /* the beginning of an item that is not attempted */
    bool large_is_whole;
    bool has_ended; /* the source has no further items */
    bool has_left;  /* items that were read have no answer, since an answer was final */
    bool is_late;   /* a signal came while the main thread answered an item */
} pm_parallel_input;

/* *out: NULL when the run has one thread, or too little memory.  Fails: PM_ENOMEM. */
pm_status pm_parallel_start(pm_invocation *program, pm_item_answer *answer, const void *context,
                            pm_parallel **out, pm_error *err);
void pm_parallel_free(pm_parallel *b);

/* Reads items of the source until its end, or until *out has a final answer, or until *has_more: then
 * all earlier inputs and this one are to be collected, and the function is to be called again.
 * Collects what is ready, unless earlier inputs have not been collected. */
pm_status pm_parallel_read(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                           pm_answers *out, bool *has_more, pm_error *err);

/* Adds the answers of all items that have been read to *out, up to a final one, and prints their
 * messages.  Leaves *in without items. */
pm_status pm_parallel_collect(pm_parallel *b, pm_parallel_input *in, pm_answers *out,
                              pm_error *err);
void pm_parallel_input_free(pm_parallel *b, pm_parallel_input *in);

#endif
