/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/residue_task.h: the residues of an exact count, as a task of a ledger with an index for each
 * modulus.  Every method for residues, on any device, shares the task of the same moduli. */
#ifndef PM_RESIDUE_TASK_H
#define PM_RESIDUE_TASK_H

#include "ledger/ledger.h"
#include "pm/run.h"

/* Called by a method, from any thread, with `count` residues from number `first` of its moduli on. */
typedef pm_status pm_residues_found(void *context, int first, int count, const uint64_t *residues,
                                    pm_error *err);

typedef struct {
    pm_ledger_scope scope;
    const uint64_t *modulus;
    int moduli;
    int pass; /* moduli that are taken at a time; 0: all */
    /* Sets the residues modulo modulus[0 .. moduli - 1], which are consecutive ones of the task, and may call
     * `found` before. */
    pm_status (*run)(void *context, const uint64_t *modulus, int moduli, const pm_run *run,
                     pm_residues_found *found, void *found_context, uint64_t *residue,
                     pm_error *err);
    void *context;
} pm_residue_task;

/* residue: set to the residue modulo each modulus.
 * Fails: PM_PARTIAL other parts have to do the rest; PM_ENOMEM; as run. */
pm_status pm_residue_task_do(const pm_residue_task *t, const pm_run *run, uint64_t *residue,
                             pm_error *err);

/* How much of the task an earlier run has recorded, 0 to 1. */
double pm_residue_task_recorded(const pm_ledger_scope *scope, const uint64_t *modulus, int moduli);

#endif
