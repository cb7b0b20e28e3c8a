/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/ranks.h: the processes ("ranks") of one program that mpirun or srun has started, which divide long
 * computations between them.
 *
 * Every rank reads the same inputs and does the same steps; the tasks of the ledger are divided while they
 * run (ledger/ledger.h, pm_ledger_peers).  Rank 0 owns the ledger, prints, and writes checkpoints.  What the
 * others print goes nowhere; if one of them fails alone, rank 0 prints its message. */
#ifndef PM_RANKS_H
#define PM_RANKS_H

#include "ledger/ledger.h"

typedef struct pm_ranks pm_ranks;

/* Before threads, GPUs or inputs are used.  *out: NULL when the program was not started as one of several
 * ranks; then nothing of MPI is loaded.
 * Fails: PM_EINTERNAL MPI cannot be started; PM_ENOMEM. */
pm_status pm_ranks_start(pm_ranks **out, pm_error *err);

/* In the first of several processes of a launcher, where the program was built without MPI: their number; else 0. */
int pm_ranks_missing(void);

int pm_ranks_count(const pm_ranks *r);
/* Rank 0. */
bool pm_ranks_prints(const pm_ranks *r);
/* What a rank may use beside the others on the same machine, where no option says it: threads, and bytes, the
 * least of all ranks. */
int pm_ranks_threads(const pm_ranks *r);
int64_t pm_ranks_memory(const pm_ranks *r);

/* All ranks get the standard input of rank 0, which is read to its end.  Fails: PM_EIO, PM_ENOMEM,
 * PM_ESTOPPED. */
pm_status pm_ranks_pass_input(pm_ranks *r, pm_error *err);

/* All ranks get what the ledger of rank 0 holds, and divide its tasks from then on.
 * l: borrowed until pm_ranks_end.  Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_ranks_share_ledger(pm_ranks *r, pm_ledger *l, pm_error *err);

/* Waits for the other ranks and ends MPI.  status: the exit status of this rank.  tell: called with each message
 * of a rank that failed alone.  *r may be NULL, and is NULL then.
 * Returns the exit status: that of rank 0 says how the job went, the others return 0. */
int pm_ranks_end(pm_ranks **r, int status, void (*tell)(void *context, const char *line),
                 void *context);

#endif
