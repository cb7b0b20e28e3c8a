/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/rank_message.h: what the ranks of a job tell each other.  Rank 0 answers the requests of the others, and
 * sends nothing else.  A rank has one request at a time. */
#ifndef PM_RANK_MESSAGE_H
#define PM_RANK_MESSAGE_H

#include "ledger/ledger.h"

typedef enum {
    PM_RANK_LEDGER, /* what rank 0 has read from a checkpoint */
    PM_RANK_INPUT,  /* its standard input */
    PM_RANK_TAKE,   /* a range of the task; has the sums of the ranges before it */
    PM_RANK_END,    /* the task has ended here: the total, when all ranks have ended it */
    PM_RANK_LEAVE   /* this rank has nothing more to do */
} pm_rank_request;

enum { PM_RANK_TEXT = 1024 };

/* A request or its answer; the arrays follow it. */
typedef struct {
    int32_t request; /* a pm_rank_request */
    int32_t status;  /* a pm_status; of PM_RANK_LEAVE: the exit status */
    uint64_t number; /* of the task */
    pm_ledger_key key;
    uint64_t most;  /* of PM_RANK_TAKE */
    pm_range range; /* the answer to it; empty: there is none */
    int64_t ranges, words, reals, keys, bytes;
    char text[PM_RANK_TEXT]; /* of the failure */
} pm_rank_head;

/* A message with its arrays, in the bytes of the sender: all ranks run the same program. */
typedef struct {
    pm_rank_head head;
    const pm_range *range;
    const uint64_t *word;
    pm_exact_sum *real;
    const pm_wide_key *key;
    const char *bytes;
} pm_rank_message;

/* *data: `size` bytes, freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_rank_message_pack(const pm_rank_message *m, char **data, int64_t *size, pm_error *err);
/* The arrays of *out lie in data.  Returns false when the bytes are no message. */
bool pm_rank_message_unpack(char *data, int64_t size, pm_rank_message *out);

/* Adds the sum of the record. */
void pm_rank_message_add_sum(pm_rank_message *m, const pm_ledger_record *r);
/* Adds the ranges that are done, and their sum; nothing when there are none. */
void pm_rank_message_add_done(pm_rank_message *m, const pm_ledger_record *r);
/* Whether the message has a sum of such a task, and the sum. */
bool pm_rank_message_get_sum(const pm_rank_message *m, const pm_ledger_shape *shape,
                             pm_ledger_sum *out);

#endif
