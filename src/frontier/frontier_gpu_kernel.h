/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_kernel.h: a frontier program in the form of a device: three arrays without
 * pointers, and the text of the kernels that run it. */
#ifndef PM_FRONTIER_GPU_KERNEL_H
#define PM_FRONTIER_GPU_KERNEL_H

#include <stdbool.h>

#include "cuda/frontier_step.h"
#include "frontier/frontier_gpu_text.h"
#include "frontier/frontier_program.h"
#include "frontier/ring.h"

enum { PM_FLAT_LANES_MAX = 8 };

typedef struct {
    pm_dev_frontier_step *steps;
    int32_t nsteps;
    pm_dev_frontier_digit *digits; /* of all steps */
    int64_t ndigits, cap_digits;
    long long *table; /* the numbers that steps refer to by index */
    int64_t ntable, cap_table;
    int64_t scratch; /* eight-byte words of scratch that permutation steps need, at most */
} pm_flat_program;

/* p: is_zero is not set; the block has fewer than 2^31 entries.
 * Fails: PM_UNABLE a vertex has more neighbours than a kernel can handle; PM_ENOMEM. */
pm_status pm_flat_make(const pm_frontier_program *p, pm_flat_program *out, pm_error *err);
void pm_flat_free(pm_flat_program *f);
/* Bytes of the three arrays and the scratch on a device. */
double pm_flat_bytes(const pm_flat_program *f);

/* The launch for step s: bytes of shared memory of a thread block, and number of thread blocks for so
 * many new states. */
int64_t pm_flat_shared(const pm_dev_frontier_step *s);
int64_t pm_flat_blocks(const pm_dev_frontier_step *s, int64_t states);
/* The launch of "pm_frontier_tables", which comes before that of a permutation step and fills its
 * tables: number of thread blocks. */
int64_t pm_flat_table_blocks(const pm_dev_frontier_step *s);
/* The kernel of step s. */
static inline const char *pm_flat_kernel(const pm_dev_frontier_step *s)
{
    return s->is_permutation ? "pm_frontier_sort"
           : s->is_weighted  ? "pm_frontier_pull_weighted"
                             : "pm_frontier_pull";
}

/* The text of the kernels for the values of a ring; valid CUDA C++ and C.  The caller frees it.
 * Returns NULL when memory runs out. */
char *pm_flat_text(const pm_ring *ring);

#endif
