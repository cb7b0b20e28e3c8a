/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_kernel.h: a frontier programme laid out for a device: three arrays without pointers,
 * and the text of the kernels that take them. */
#ifndef PM_FRONTIER_GPU_KERNEL_H
#define PM_FRONTIER_GPU_KERNEL_H

#include <stdbool.h>

#include "cuda/frontier_step.h"
#include "frontier/frontier_gpu_text.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"

enum { PM_FLAT_LANES_MOST = 8 };

typedef struct {
    pm_frontier_step *steps;
    int32_t nsteps;
    pm_frontier_item *items;
    int64_t nitems, cap_items;
    long long *table;
    int64_t ntable, cap_table;
    int64_t scratch; /* words of eight bytes that the tables of a permutation take at most */
} pm_flat_program;

/* p: not empty; entries of the block fewer than 2^31.
 * Fails: PM_UNABLE a vertex has more neighbours than kernels take at once; PM_ENOMEM. */
pm_status pm_flat_make(const pm_frontier_program *p, pm_flat_program *out, pm_error *err);
void pm_flat_free(pm_flat_program *f);
/* Of the three arrays, tables of permutations included. */
double pm_flat_bytes(const pm_flat_program *f);

/* Of a launch over step s: shared memory of a block, and blocks of the step; of the launch before
 * it that makes the tables of a permutation, or 0. */
int64_t pm_flat_shared(const pm_frontier_step *s);
int64_t pm_flat_blocks(const pm_frontier_step *s);
int64_t pm_flat_table_blocks(const pm_frontier_step *s);
static inline const char *pm_flat_kernel(const pm_frontier_step *s)
{
    return s->is_sorted     ? "pm_frontier_sort"
           : s->is_weighted ? "pm_frontier_pull_weighted"
                            : "pm_frontier_pull";
}

/* The text for values of a ring, CUDA C++ and C; free().  Kernels: pm_flat_kernel of a step;
 * before "pm_frontier_sort", "pm_frontier_tables".  NULL: no memory. */
char *pm_flat_text(const pm_ring *ring);

#endif
