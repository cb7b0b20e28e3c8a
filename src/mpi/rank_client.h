/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/rank_client.h: a rank that is not rank 0: its requests. */
#ifndef PM_RANK_CLIENT_H
#define PM_RANK_CLIENT_H

#include "mpi/mpi_calls.h"
#include "mpi/rank_message.h"

typedef struct {
    const pm_mpi_calls *mpi;
    uint64_t number;   /* of the task, from 1 on */
    bool is_drained;   /* there are no more ranges of it */
    pm_status failure; /* of an earlier request about it */
    pm_error why;
} pm_rank_client;

/* Sends the request and waits for the answer, whose arrays lie in *data, which the caller frees.
 * Fails: the status of the answer, but for PM_RANK_END; PM_ENOMEM; PM_ESTOPPED no answer in time after a
 * stop. */
pm_status pm_rank_client_ask(pm_rank_client *c, const pm_rank_message *request, char **data,
                             pm_rank_message *answer, pm_error *err);

/* The functions of a pm_ledger_peers. */
void pm_rank_client_begin(void *client, pm_ledger_task *t);
bool pm_rank_client_take(void *client, pm_ledger_task *t, uint64_t most, pm_range *out);
pm_status pm_rank_client_end(void *client, pm_ledger_task *t, pm_status status, pm_error *err);

#endif
