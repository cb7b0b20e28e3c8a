/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/gpu_sweep.h: a sweep whose ranges are run by GPUs.
 *
 * Indices are streams of 2^flips places, index = stream * 2^flips + place; a stream is run by one
 * thread, and PM_GPU_THREADS of them, or all if there are fewer, are a piece: a block of the
 * kernel, which writes one record.  Devices take runs of pieces from a queue as they finish them;
 * records are folded in the sequence of the pieces, so digits depend on nothing else. */
#ifndef PM_GPU_SWEEP_H
#define PM_GPU_SWEEP_H

#include "algorithm/gpu_plan.h"
#include "gpu/gpu.h"
#include "sweep/sweep.h"

enum { PM_GPU_THREADS = 128, PM_GPU_THREADS_LOG2 = 7 };

/* What the problem of such a sweep begins with. */
typedef struct {
    const char *text; /* of the kernel, its entry is pm_sweep; NULL: not yet written */
    /* sets text, shared, and what belongs to the table; called once */
    pm_status (*write)(void *problem, pm_error *err);
    int gpus; /* devices 0 .. gpus - 1 */
    int32_t flips, slow;
    size_t record, shared; /* bytes of a record; of dynamic shared memory a block */
    const char *table;     /* as in pm_gpu_kernel */
    const void *values;
    size_t values_size;
    /* sum += records 0 .. count - 1: those of a range, or of a batch of many */
    void (*fold)(const void *problem, const void *records, int64_t count, pm_sum *sum);
    /* set by a run: what it took to compile or load the text, and then to run it */
    double compile_seconds, run_seconds;
} pm_gpu_sweep;

/* How many of `outer` columns flip, when at least `slow` tell streams apart, and a place takes so
 * many operations: streams have enough places to be worth their start, and no more of them than end
 * before a signal is missed, on a slow device too.
 * PM_GPU_SLOW: enough streams to fill any device some times over. */
int32_t pm_gpu_flips(int32_t outer, int32_t slow, double operations);
#define PM_GPU_SLOW 18

/* count, grain, piece and run of *s; its problem begins with g. */
void pm_gpu_sweep_shape(const pm_gpu_sweep *g, pm_sweep *s);

/* Has the text written, unless it is. */
pm_status pm_gpu_sweep_write(const pm_sweep *s, pm_error *err);

/* Threads of a block. */
static inline int pm_gpu_block(const pm_gpu_sweep *g)
{
    return g->slow < PM_GPU_THREADS_LOG2 ? 1 << g->slow : PM_GPU_THREADS;
}

/* Seconds that a run took, without compiling and loading. */
double pm_gpu_sweep_seconds(const pm_sweep *s);

/* Bytes of shared memory that a block has beside the dynamic one: a record a thread. */
static inline size_t pm_gpu_fixed_shared(const pm_gpu_sweep *g)
{
    return (size_t)pm_gpu_block(g) * g->record;
}

/* Of a pm_sweep: see there.
 * Fails: PM_ESTOPPED; PM_ENODEV no device, not as many, or one failed; PM_EINTERNAL the text does not
 * compile; PM_ENOMEM. */
pm_status pm_gpu_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                             pm_sum *out, pm_error *err);

/* Whether a block of the sweep fits the device.  s: its problem begins with a pm_gpu_sweep.
 * Fails: PM_UNABLE the block takes more shared memory than the device has. */
pm_status pm_gpu_sweep_fits(const pm_gpu_target *place, const pm_sweep *s, pm_error *err);

#endif
