/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/gpu_records.h: records of blocks (cuda/prelude.cuh) added to a sum, in their sequence. */
#ifndef PM_GPU_RECORDS_H
#define PM_GPU_RECORDS_H

#include <stddef.h>

#include "sweep/sum.h"

/* Bytes of a record; terms: accumulators of an exact sum, 0: the sum is inexact. */
static inline size_t pm_gpu_record(int terms)
{
    return terms ? 2 * (size_t)terms * sizeof(int64_t) : 8 * sizeof(double);
}

/* Inexact sums whose terms are counted in full; spread: what one unit of it in a record counts. */
void pm_gpu_fold_terms(const double *record, int64_t count, double spread, pm_sum *sum);

/* Sums of residues; terms: nprimes, or 1 where an exact sum serves all of them. */
void pm_gpu_fold_residues(const int64_t *record, int64_t count, int terms, const uint64_t *prime,
                          int nprimes, pm_sum *sum);

#endif
