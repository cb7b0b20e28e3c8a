/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch/bundle.h: consecutive small items of one input, which one thread *attempts* to answer: with one
 * core, a limit of the predicted cost, and a share of the memory.
 *
 * An attempt is a trial: whenever it fails, for whatever reason, it leaves nothing, and the item is
 * answered by the main thread.  Answers and messages of a bundle share their memory, and a bundle is
 * used again, so that an item takes few allocations. */
#ifndef PM_BUNDLE_H
#define PM_BUNDLE_H

#include <stdatomic.h>

#include "batch/node_buffer.h"
#include "cli/answers.h"
#include "cli/command.h"
#include "core/text_stream.h"

/* What an attempt has instead of the run and the console of the program. */
typedef struct {
    pm_run run;
    double most_seconds; /* predicted seconds of an item that is worth an attempt */
    pm_console console;
} pm_attempt;

/* Answers the next item of the source.  attempt: NULL outside an attempt.  *got: false at the end. */
typedef pm_status pm_item_answer(const void *context, pm_attempt *attempt,
                                 const pm_node_source *source, pm_answers *out, bool *got,
                                 pm_error *err);

/* How attempts are made. */
typedef struct {
    const pm_invocation *program;
    pm_item_answer *answer;
    const void *context;
    int64_t memory; /* bytes for an attempt */
} pm_attempts;

typedef struct {
    int64_t nodes_end;             /* behind its last node in the bundle */
    bool is_answered;              /* the rest is set only then */
    int64_t answer, answers;       /* the index of its first answer, and how many there are */
    int64_t message, message_size; /* where its messages begin, and their bytes */
} pm_bundle_item;

typedef struct pm_bundle pm_bundle;
struct pm_bundle {
    const pm_attempts *how;
    pm_node_buffer nodes;
    int64_t bytes; /* about what the nodes take */
    pm_bundle_item *item;
    int64_t count, cap;
    pm_answers answers;
    pm_text_stream *messages;
    bool is_added;       /* to a pool of threads; after is_done, the attempts have ended */
    atomic_bool is_done; /* batch/thread_pool.h */
    pm_bundle *next;     /* of a list */
};

/* how: not copied.  Returns NULL when memory ends. */
pm_bundle *pm_bundle_make(const pm_attempts *how);
void pm_bundle_free(pm_bundle *b);
/* Removes all items; the bundle keeps memory for others. */
void pm_bundle_empty(pm_bundle *b);

/* Makes the nodes from the end of the last item on an item.  Fails: PM_ENOMEM. */
pm_status pm_bundle_add(pm_bundle *b, int64_t bytes, pm_error *err);
/* The answers get the form of `like`. */
void pm_bundle_set_form(pm_bundle *b, const pm_answers *like);
/* Attempts all items, until the run is stopped.  For pm_thread_pool_add; called once. */
void pm_bundle_attempt(void *bundle);

/* The nodes of item i; they are moved out of the bundle. */
pm_node_replay pm_bundle_replay(pm_bundle *b, int64_t i);

#endif
