/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/conjugate_gradients.h: the method of conjugate gradients (Hestenes and Stiefel 1952), with the
 * diagonal, or what the caller has, as preconditioner. */
#ifndef PM_CONJUGATE_GRADIENTS_H
#define PM_CONJUGATE_GRADIENTS_H

#include <stdint.h>

#include "pm/run.h"
#include "spmv/workspace.h"

enum { PM_CONJUGATE_GRADIENTS_VECTORS = 2 };

/* A x = b with a symmetric, positive semidefinite A, n x n; b is in its range.  Vectors are numbers of
 * vectors of a workspace. */
typedef struct {
    pm_workspace *on;
    double (*multiply)(pm_workspace *on, int x, int y); /* y = A x; returns x^T y */
    int diagonal;      /* all > 0; not used with a preconditioner */
    int work;          /* the first of PM_CONJUGATE_GRADIENTS_VECTORS for the method */
    const pm_run *run; /* checked before each step */
    /* NULL, or the preconditioner, symmetric and positive definite: z = M rest. */
    void (*precondition)(const void *context, pm_workspace *on, int rest, int z);
    const void *context;
} pm_symmetric_system;

/* Starts at x = 0 and ends when the norm of b - A x is at most `goal`, after `steps` steps, when rounding
 * leaves nothing to gain, when the run is to stop, or when a device fails.
 * b: overwritten by b - A x.  Returns the number of products with A. */
int64_t pm_conjugate_gradients(const pm_symmetric_system *s, double goal, int64_t steps, int b,
                               int x);

#endif
