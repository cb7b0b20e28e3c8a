/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_plan.h: the plan of the frontier method on GPUs: an order, its program laid
 * out for a device, and how many residues go side by side. */
#ifndef PM_FRONTIER_GPU_PLAN_H
#define PM_FRONTIER_GPU_PLAN_H

#include "algorithm/gpu_plan.h"
#include "frontier/frontier_gpu_kernel.h"
#include "frontier/frontier_plan.h"

/* How the values (residues, or one inexact number) are divided into passes over the program, and
 * the passes among devices. */
typedef struct {
    int bits;         /* of a residue's word: 64, or 32 (frontier/narrow_moduli.h) */
    int width;        /* values of one pass */
    int passes, gpus; /* devices 0 .. gpus - 1 run passes */
} pm_frontier_shares;

/* The state of a plan. */
typedef struct {
    pm_frontier_setup setup;
    pm_flat_program flat;
    pm_frontier_shares planned;
    int gpus; /* devices that may be used */
    bool has_compiler;
    double scale; /* factor of the nominal seconds on these devices */
} pm_frontier_gpu;

/* The plan and free_plan functions of the algorithm (algorithm/algorithm.h); out->state is a
 * pm_frontier_gpu. */
pm_status pm_frontier_gpu_plan(const pm_job *job, pm_plan *out, pm_error *err);
void pm_frontier_gpu_free_plan(pm_plan *plan);

/* Bytes of `values` residues with words of `bits` bits, or of one inexact number. */
int pm_frontier_gpu_value_bytes(const pm_job *job, int bits, int values);

/* Bytes of a pass of `values` values with words of `bits` bits on a device. */
double pm_frontier_gpu_bytes(const pm_job *job, const pm_frontier_gpu *f, int bits, int values);

/* Sets the division with the fewest predicted seconds that `allowed` bytes on each device permit.
 * Half as many bits a word permit twice as many states, but more primes are needed, and every pass
 * finds its way through the states again; so words of 32 bits are used where words of 64 bits do not
 * fit, and where they save a tenth of the time and more than their compilation takes.
 * Returns false, with the narrowest pass of all in *out, if not even that fits. */
bool pm_frontier_gpu_share(const pm_job *job, const pm_frontier_gpu *f, double allowed,
                           pm_frontier_shares *out);

#endif
