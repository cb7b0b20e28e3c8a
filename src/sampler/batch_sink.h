/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/batch_sink.h: where the batches of a range of samples go when they are drawn: the sums of some
 * batches at a time, a chunk, and the largest weights. */
#ifndef PM_BATCH_SINK_H
#define PM_BATCH_SINK_H

#include "sampler/moments.h"

/* Batches come in the order of their samples. */
typedef struct pm_batch_sink {
    int64_t per;          /* batches of a chunk */
    int64_t added;        /* batches so far */
    pm_batch_sums *chunk; /* empty at first */
    pm_moments *largest;  /* gets the largest weights; its other members are not changed */
    /* called after a batch and its largest weights have been added, by one thread at a time; NULL: none */
    void (*settle)(struct pm_batch_sink *sink);
    void *context;
} pm_batch_sink;

/* Adds the sums of the next batch. */
void pm_batch_sink_add(pm_batch_sink *sink, const pm_batch_sums *batch);

/* Draws samples from .. from + count - 1, count > 0, into the sink, which is empty.
 * Fails: PM_ESTOPPED, PM_ENOMEM; with GPUs also PM_ENODEV, PM_EINTERNAL.  Then the sink has the batches
 * before the stop or the failure. */
pm_status pm_batches_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_batch_sink *sink, pm_error *err);

#endif
