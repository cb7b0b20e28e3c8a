/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/backend.h: which processor counts, and where a kernel for full blocks keeps its data.  The fastest kernel has
 * the row sums in registers and the matrix in constant memory; the others are those of publications,
 * to measure what that is worth (cuda/placed.cuh). */
#ifndef PM_BACKEND_H
#define PM_BACKEND_H

#include <stdbool.h>

/* AUTO: on a GPU where that is worth starting it. */
typedef enum { PM_BACKEND_CPU, PM_BACKEND_CUDA, PM_BACKEND_AUTO } pm_backend;
const char *pm_backend_name(pm_backend b); /* "cpu", "cuda", "auto" */

typedef enum {
    PM_IN_ANY,
    PM_IN_REGISTERS, /* row sums only */
    PM_IN_SHARED,
    PM_IN_GLOBAL,
    PM_IN_CONSTANT /* the matrix only */
} pm_memory;

/* matrix PM_IN_ANY: constant for registers, else where the row sums are. */
typedef struct {
    pm_memory sums, matrix; /* both 0: the fastest kernel */
    bool is_unaligned;      /* threads flip different columns at a time */
} pm_placement;

#endif
