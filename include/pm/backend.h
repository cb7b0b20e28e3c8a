/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/backend.h: which processor computes, and in which memory a GPU kernel keeps its data. */
#ifndef PM_BACKEND_H
#define PM_BACKEND_H

#include <stdbool.h>

typedef enum {
    PM_BACKEND_CPU,
    PM_BACKEND_CUDA,
    PM_BACKEND_AUTO /* a GPU where it is predicted to be faster, its start included */
} pm_backend;
const char *pm_backend_name(pm_backend b); /* "cpu", "cuda", "auto" */

/* A memory of a GPU. */
typedef enum {
    PM_IN_ANY,       /* what is fastest */
    PM_IN_REGISTERS, /* for row sums only */
    PM_IN_SHARED,
    PM_IN_GLOBAL,
    PM_IN_CONSTANT /* for the matrix only */
} pm_memory;

/* Where the kernel for full blocks keeps the row sums and the matrix.  The fastest kernel has the
 * row sums in registers and the matrix in constant memory; the other placements are those of
 * published kernels, for comparisons.
 * matrix == PM_IN_ANY: constant memory when the row sums are in registers, else the memory of the
 * row sums. */
typedef struct {
    pm_memory sums, matrix; /* both PM_IN_ANY: the fastest kernel */
    bool is_unaligned;      /* the threads flip different columns at the same time */
} pm_placement;

#endif
