/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/determinant_batches.h: sums of determinants modulo many primes, by all threads. */
#ifndef PM_DETERMINANT_BATCHES_H
#define PM_DETERMINANT_BATCHES_H

#include <stdint.h>

#include "elimination/elimination.h"
#include "elimination/integer_entries.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    const pm_elimination *elimination; /* terms of them, all of a size */
    int64_t terms;
    const pm_integer_entries *integers;
    int classes;           /* of signs */
    const uint32_t *prime; /* count of them, see elimination/determinant.h */
    const uint32_t *unit;  /* beside each */
    int64_t count;
    int64_t memory; /* bytes: no more threads than fit, but one at least */
} pm_determinants;

/* Add to residue[c * count + i], modulo prime[i], the determinants of all terms in class c.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinants_add(const pm_determinants *d, const pm_run *run, uint64_t *residue,
                              pm_error *err);

/* What is eliminated at once: batches of as many primes as a vector has lanes. */
int64_t pm_determinants_batch_count(int64_t primes);
/* Threads for so many batches, of matrices like that of e, and the bytes that each of them takes. */
int pm_determinants_thread_count(const pm_elimination *e, int64_t batches, int64_t memory,
                                 const pm_run *run);
double pm_determinants_thread_bytes(const pm_elimination *e);

#endif
