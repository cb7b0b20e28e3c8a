/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/gpu_sweep.h: sweeps whose ranges are summed by GPUs.  This file opens the devices and
 * launches; the methods (X_gpu_kernel.c) provide the text, the table and the meaning of the
 * records.
 *
 * The indices are divided into segments of 2^flips consecutive positions:
 * index = segment * 2^flips + position.  Where indices are subsets of columns, they are those of one
 * Gray code, in which the columns that flip in a segment come first (but in product trees the last
 * columns are the low bits of the segment).  One GPU thread sums one segment.  (A method whose segments
 * are no power of two takes segments as its indices.)  PM_GPU_THREADS segments, or all if there are
 * fewer, are the work of one thread block, which writes one record.  Devices take consecutive thread
 * blocks from a queue whenever they finish some.  The records of PM_GPU_GROUP consecutive thread
 * blocks are folded in their order, and groups are added exactly: so the digits depend on nothing
 * else.  A group is a piece of the sweep. */
#ifndef PM_GPU_SWEEP_H
#define PM_GPU_SWEEP_H

#include "algorithm/gpu_plan.h"
#include "gpu/gpu.h"
#include "sweep/sweep.h"

enum { PM_GPU_THREADS = 128, PM_GPU_THREADS_LOG2 = 7 }; /* of a thread block, at most */
enum { PM_GPU_GROUP = 64 };                             /* thread blocks of a piece */

/* The first member of the problem of such a sweep. */
typedef struct {
    const char *text; /* of the kernel, whose entry is pm_block_sweep; NULL: not yet written */
    /* Sets text, shared, and the members of the table.  Called once. */
    pm_status (*write)(void *problem, pm_error *err);
    int gpus;              /* devices 0 .. gpus - 1 */
    int32_t flips, slow;   /* 2^slow segments of 2^flips positions */
    size_t record, shared; /* bytes of a record; of dynamic shared memory of a thread block */
    const char *table;     /* as in pm_gpu_kernel */
    const void *values;
    size_t values_size;
    /* Adds records 0 .. count - 1 to *sum: those of one group. */
    void (*fold)(const void *problem, const void *records, int64_t count, pm_sum *sum);
    /* Set by a run: the seconds to compile or load the text, and then to run it. */
    double compile_seconds, run_seconds;
} pm_gpu_sweep;

/* Chooses flips, the number of columns that flip within a segment.
 * outer:      all columns that flip.
 * slow:       the least number of columns that distinguish segments.
 * operations: of one position.
 * Segments get enough positions to be worth their start, but not more than take a few tenths of a
 * second on a slow device, because the stop flag is not checked within a segment. */
int32_t pm_gpu_flips(int32_t outer, int32_t slow, double operations);
#define PM_GPU_SLOW 18 /* 2^18 segments fill any device several times */

/* pm_sweep.share of an inexact sum of the CPU that devices can do too, with pieces of so many indices, a power of two: a
 * multiple of the group of every device that has these flips.  So parts of a run have the digits of the whole.
 * operations: of one position, at least. */
uint64_t pm_gpu_sweep_share(int32_t outer, double operations, uint64_t piece);

/* Sets count, grain, piece and run of *s; g: the first member of its problem. */
void pm_gpu_sweep_shape(const pm_gpu_sweep *g, pm_sweep *s);
/* The same for any number of segments, up to 2^62, which are the indices of the sweep.  The last
 * thread block is filled up: the records of segments beyond the last one must be 0.  Sets g->flips
 * to 0 and g->slow to log2 of the segments, rounded up. */
void pm_gpu_sweep_shape_segments(uint64_t segments, pm_gpu_sweep *g, pm_sweep *s);

/* Calls g->write unless the text is written.  Fails: as g->write. */
pm_status pm_gpu_sweep_write(const pm_sweep *s, pm_error *err);

/* *out: 0 where the text is compiled for the devices already, else `seconds`.
 * Fails: as pm_gpu_sweep_write. */
pm_status pm_gpu_sweep_compiling(const pm_gpu_target *target, const pm_sweep *s, double seconds,
                                 double *out, pm_error *err);

/* The number of threads of a thread block. */
static inline int pm_gpu_block_threads(const pm_gpu_sweep *g)
{
    return g->slow < PM_GPU_THREADS_LOG2 ? 1 << g->slow : PM_GPU_THREADS;
}

/* The indices of a thread block. */
static inline uint64_t pm_gpu_block_indices(const pm_gpu_sweep *g)
{
    return (uint64_t)pm_gpu_block_threads(g) << g->flips;
}

/* Seconds that the last run took, without compiling and loading. */
double pm_gpu_sweep_seconds(const pm_sweep *s);

/* Bytes of static shared memory of a thread block: a record for each thread. */
static inline size_t pm_gpu_fixed_shared(const pm_gpu_sweep *g)
{
    return (size_t)pm_gpu_block_threads(g) * g->record;
}

/* The run function of such a pm_sweep.
 * Fails: PM_ESTOPPED; PM_ENODEV too few devices, or one failed; PM_EINTERNAL the text does not
 * compile; PM_ENOMEM. */
pm_status pm_gpu_sweep_run(const pm_sweep *s, pm_ledger_task *task, const pm_run *run,
                           pm_error *err);

/* Checks that a thread block of the sweep fits the devices.
 * Fails: PM_UNABLE it needs more shared memory than the devices have. */
pm_status pm_gpu_sweep_fits(const pm_gpu_target *target, const pm_sweep *s, pm_error *err);

#endif
