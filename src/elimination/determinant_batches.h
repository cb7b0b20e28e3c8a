/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/determinant_batches.h: sums of determinants modulo many primes, by all threads.  The
 * primes are divided into batches of one prime for each lane of the kernel. */
#ifndef PM_DETERMINANT_BATCHES_H
#define PM_DETERMINANT_BATCHES_H

#include <stdint.h>

#include "elimination/elimination.h"
#include "elimination/integer_entries.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    const pm_elimination *elimination; /* one for each term of the sum, all of the same n */
    int64_t terms;
    const pm_integer_entries *integers;
    int classes;           /* of signs */
    const uint32_t *prime; /* count entries, see elimination/determinant.h */
    const uint32_t *unit;  /* count entries, see elimination/determinant.h */
    int64_t count;
    int64_t memory; /* bytes: limits the number of threads; one thread is always used */
} pm_determinants;

/* Adds to residue[c * count + i], modulo prime[i], the sum of the determinants of all terms in
 * class c.  residue: classes * count entries, the caller's.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinants_add(const pm_determinants *d, const pm_run *run, uint64_t *residue,
                              pm_error *err);

/* Batches of one determinant modulo this number of primes. */
int64_t pm_determinants_batch_count(int64_t primes);

/* Threads for this number of batches, of matrices like that of e, in `memory` bytes; 1 or more. */
int pm_determinants_thread_count(const pm_elimination *e, int64_t batches, int64_t memory,
                                 const pm_run *run);
/* Bytes of one thread. */
double pm_determinants_thread_bytes(const pm_elimination *e);

#endif
