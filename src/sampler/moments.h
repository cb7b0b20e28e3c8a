/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/moments.h: the summary of a sequence of weights (mean, variance, skewness, largest
 * weights), and the function that draws samples into it. */
#ifndef PM_MOMENTS_H
#define PM_MOMENTS_H

#include <stdint.h>

#include "cuda/lanes.h"
#include "sampler/sampler.h"

enum { PM_MOMENTS_TAIL = 4096 /* largest weights that are kept, for pm_pareto_tail */ };

typedef struct pm_moments {
    int64_t count, dead; /* samples; dead ends among them */
    int64_t by_gpu;      /* samples of the calls of pm_moments_draw for which GPUs drew */
    pm_batch_sums sums;  /* cuda/lanes.h; its groups are independent and identically distributed */
    int64_t ntail;
    /* the largest weights > 0, ntail of them; a heap with the smallest first when full */
    pm_weight tail[PM_MOMENTS_TAIL];
} pm_moments;

/* *m = no samples.  Also initialises memory with arbitrary contents. */
void pm_moments_clear(pm_moments *m);
/* *out = the sums of samples from .. from + count - 1, which have the weights weight[0 .. count-1].
 */
void pm_batch_sums_of(uint64_t from, const pm_weight *weight, int64_t count, pm_batch_sums *out);
/* Adds the sums of later samples to *s, which may be {0}. */
void pm_batch_sums_merge(pm_batch_sums *s, const pm_batch_sums *batch);
/* Adds the sums of a batch to *m, without its largest weights. */
void pm_moments_add_batch(pm_moments *m, const pm_batch_sums *batch);
/* Enters weights among the largest ones of *m where they are large enough.  To be called with all
 * weights of a batch, or at least with those above the smallest kept weight. */
void pm_moments_keep_largest(pm_moments *m, const pm_weight *weight, int64_t count);

enum { PM_CHUNKS_MOST = 1024 /* of a range of samples that is drawn at a time */ };

/* Draws samples from .. from + count - 1 and adds them to *m, which holds the samples before.
 * GPUs draw where s->gpu is not NULL, else run's number of threads.  Batches of s->batch samples
 * are summed separately and added in the order of their samples; of more than PM_CHUNKS_MOST
 * batches, first those of a chunk are added.  The result has the same bits for any number of
 * threads, for any cut at multiples of s->batch of a range of at most PM_CHUNKS_MOST batches, and on
 * GPUs where the method says so (pm_sampler_gpu).  Stops early when run->stop is set.
 *
 * With s->scope the sums of chunks are a task of its ledger, unless they take very little time
 * (pm_ledger_least).  What an earlier run has done is not drawn again, and *m has the same bits.
 * Fails: PM_ESTOPPED (*m then holds the batches before the stop), PM_ENOMEM; with GPUs also
 * PM_ENODEV, PM_EINTERNAL (*m then holds the batches before the failure, or with a ledger none: they
 * are in it, and the same call goes on); with a ledger PM_PARTIAL (*m is as before: other parts do
 * the rest), PM_EDATA. */
pm_status pm_moments_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_moments *m, pm_error *err);

/* The largest weights of *m in the list of a ledger task: writes them to out, [PM_MOMENTS_TAIL], and
 * returns how many there are; enters them among those of *m. */
int64_t pm_moments_keys(const pm_moments *m, pm_wide_key *out);
void pm_moments_keep_keys(pm_moments *m, const pm_largest *l);

/* What an interval is computed from. */
typedef struct {
    pm_weight mean;
    double
        relative_variance; /* of the mean: cv^2 / count; INFINITY: one sample, or only dead ends */
    double skewness;       /* of the weights; 0 where their variance is 0 */
    double tail_k;         /* tail index (sampler/pareto.h); NAN: too few weights */
    double effective;      /* effective number of samples, (sum w)^2 / sum w^2 */
    double least_batch;    /* smallest mean of a group over the mean, 0 .. 1 */
    int batches;           /* groups that hold samples */
    int64_t count, dead;   /* samples; dead ends among them */
} pm_sample_summary;

void pm_moments_summary(const pm_moments *m, pm_sample_summary *out);

#endif
