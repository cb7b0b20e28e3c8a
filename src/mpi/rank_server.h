/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/rank_server.h: rank 0 of a job.  A thread answers the requests of the other ranks while the others of
 * this rank compute; it looks for messages a thousand times a second, and sleeps between. */
#ifndef PM_RANK_SERVER_H
#define PM_RANK_SERVER_H

#include "mpi/mpi_calls.h"
#include "mpi/rank_message.h"

typedef struct pm_rank_server pm_rank_server;

/* Starts the thread, which alone calls MPI from then on.  Fails: PM_ENOMEM. */
pm_status pm_rank_server_start(const pm_mpi_calls *mpi, int ranks, pm_rank_server **out,
                               pm_error *err);

/* What the others get that ask for it (PM_RANK_LEDGER, PM_RANK_INPUT).  bytes: owned by the server then. */
void pm_rank_server_publish(pm_rank_server *s, pm_rank_request what, char *bytes, int64_t size);

/* The functions of a pm_ledger_peers. */
void pm_rank_server_begin(void *server, pm_ledger_task *t);
bool pm_rank_server_take(void *server, pm_ledger_task *t, uint64_t most, pm_range *out);
pm_status pm_rank_server_end(void *server, pm_ledger_task *t, pm_status status, pm_error *err);

/* Nothing more will be computed here: refuses what the others still ask for, waits until they have left, and
 * ends the thread.  exit_status: of this rank.  tell: called with the message of each rank that ended with another
 * one.
 * Returns false when some have not left in time after a stop: MPI cannot be ended then. */
bool pm_rank_server_stop(pm_rank_server *s, int exit_status,
                         void (*tell)(void *context, const char *line), void *context);
void pm_rank_server_free(pm_rank_server *s);

#endif
