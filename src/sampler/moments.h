/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/moments.h: what is kept of a sequence of weights: enough for the mean, its variance, its
 * skewness, the tail diagnostic and the bound that needs no tail. */
#ifndef PM_MOMENTS_H
#define PM_MOMENTS_H

#include <stdint.h>

#include "cuda/lanes.h"
#include "sampler/sampler.h"

enum { PM_MOMENTS_TAIL = 4096 /* largest weights kept, for the tail diagnostic */ };

typedef struct pm_moments {
    int64_t count, dead;
    pm_batch_sums sums; /* cuda/lanes.h; its groups are iid */
    int64_t ntail;
    pm_weight tail[PM_MOMENTS_TAIL]; /* the largest weights > 0; a heap, least first, when full */
} pm_moments;

void pm_moments_clear(pm_moments *m);
/* Sums of samples from .. from + count - 1, whose weights are these. */
void pm_batch_sums_of(uint64_t from, const pm_weight *weight, int64_t count, pm_batch_sums *out);
/* m and then the batch. */
void pm_moments_add_batch(pm_moments *m, const pm_batch_sums *batch);
/* Weights that may be among the largest: all of a batch, or those above the least kept of before. */
void pm_moments_keep_largest(pm_moments *m, const pm_weight *weight, int64_t count);
/* The batch of these samples, folded and kept. */
void pm_moments_add_weights(pm_moments *m, uint64_t from, const pm_weight *weight, int64_t count);

/* Samples from .. from + count - 1 into *m, which holds those before.  Blocks of s->batch
 * samples are summed (cuda/lanes.h) and folded in their sequence: the same bits for any number
 * of threads, and for any cut of the range at multiples of batch.  GPUs draw where s->gpu is set;
 * of methods with integer state the bits are the same.
 * Fails: PM_ESTOPPED (then *m holds the blocks before the stop), PM_ENOMEM; with GPUs
 * PM_EINTERNAL. */
pm_status pm_moments_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_moments *m, pm_error *err);

/* What an interval is made of; mean = m 2^e. */
typedef struct {
    pm_weight mean;
    double relative_variance; /* of the mean: cv^2 / count; INFINITY: one sample, or all dead */
    double skewness;          /* of the weights; 0 where the variance is */
    double tail_k;            /* PSIS k-hat of the weights (sampler/pareto.h); NAN: too few */
    double effective;         /* (sum w)^2 / sum w^2 */
    double least_batch;       /* least mean of a group over the mean; 0 .. 1 */
    int batches;              /* groups that hold samples */
    int64_t count, dead;
} pm_sample_summary;

void pm_moments_summary(const pm_moments *m, pm_sample_summary *out);

#endif
