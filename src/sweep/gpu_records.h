/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/gpu_records.h: adds the records of thread blocks (pm_record, cuda/prelude.cuh) to a sum, in
 * their order. */
#ifndef PM_GPU_RECORDS_H
#define PM_GPU_RECORDS_H

#include <stddef.h>

#include "sweep/sum.h"

/* Bytes of a record.  terms: the number of accumulators of an exact sum; 0: the sum is inexact. */
static inline size_t pm_gpu_record(int terms)
{
    return terms ? 2 * (size_t)terms * sizeof(int64_t) : 8 * sizeof(double);
}

/* Adds records of inexact sums in which `absolute` is summed over all terms.  spread: the factor
 * for the spread in a record. */
void pm_gpu_fold_terms(const double *record, int64_t count, double spread, pm_sum *sum);

/* Adds records of residues.  terms: nprimes, or 1 when one exact sum serves all primes. */
void pm_gpu_fold_residues(const int64_t *record, int64_t count, int terms, const uint64_t *prime,
                          int nprimes, pm_sum *sum);

#endif
