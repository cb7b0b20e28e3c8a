/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/moments.h: what is kept of a sequence of weights: enough for the mean, its variance, its
 * skewness, the tail diagnostic and the bound that needs no tail. */
#ifndef PM_MOMENTS_H
#define PM_MOMENTS_H

#include <stdint.h>

#include "approx/sampler.h"

enum {
    PM_MOMENTS_BATCHES = 20, /* sample i belongs to batch i mod 20 */
    PM_MOMENTS_TAIL = 4096   /* largest weights kept, for the tail diagnostic */
};

/* Central moments (Welford 1962; Pebay 2008): weights that are all equal have variance 0, and a
 * small variance keeps its digits. */
typedef struct {
    int64_t count, dead;
    int64_t exp;       /* of all below: mean 2^exp, central[k - 2] 2^(k exp), batch 2^exp */
    double mean;       /* 0 .. 1 */
    double central[3]; /* sums of (w - mean)^2, ^3, ^4 */
    double batch[PM_MOMENTS_BATCHES]; /* sums */
    int64_t batch_count[PM_MOMENTS_BATCHES];
    int64_t ntail;
    pm_weight tail[PM_MOMENTS_TAIL]; /* the largest weights > 0; a heap, least first, when full */
} pm_moments;

void pm_moments_clear(pm_moments *m);
void pm_moments_add(pm_moments *m, uint64_t sample, pm_weight w);
/* m = m and then more */
void pm_moments_merge(pm_moments *m, const pm_moments *more);

/* Samples from .. from + count - 1 into *m, which holds those before.  Blocks of s->batch
 * samples are summed one by one and merged in their sequence: the same bits for any number of
 * threads, and for any cut of the range at multiples of batch.
 * Fails: PM_ESTOPPED (then *m holds the blocks before the stop), PM_ENOMEM. */
pm_status pm_moments_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_moments *m, pm_error *err);

/* What an interval is made of; mean = m 2^e. */
typedef struct {
    pm_weight mean;
    double relative_variance; /* of the mean: cv^2 / count; INFINITY: one sample, or all dead */
    double skewness;          /* of the weights; 0 where the variance is */
    double tail_k;            /* PSIS k-hat of the weights (approx/pareto.h); NAN: too few */
    double effective;         /* (sum w)^2 / sum w^2 */
    double least_batch;       /* least batch mean over the mean; 0 .. 1 */
    int batches;              /* that hold samples */
    int64_t count, dead;
} pm_sample_summary;

void pm_moments_summary(const pm_moments *m, pm_sample_summary *out);

#endif
